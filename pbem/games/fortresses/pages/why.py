"""Why something came out as it did: a battle die by die, and what the rules did of themselves."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.fortresses import event_kinds as e
from engine.fortresses.atlas import KINGDOMS, Kingdom, zones
from engine.fortresses.odds import Odds
from engine.fortresses.questions import Question
from engine.fortresses.suppositions import odds_of
from engine.fortresses.units import parse_units
from engine.fortresses.view import TableView
from engine.ruleset import Event, Problem
from pbem.games.fortresses.pages.battles import KINDS, Round, Tale, tales
from pbem.games.fortresses.pages.cast import Cast
from pbem.games.fortresses.pages.events import event_line, lines_of
from pbem.games.fortresses.pages.odds import TEMPLATE as ODDS
from pbem.games.fortresses.pages.odds import example, rows_of
from pbem.pages.kit.receipt_lines import Reason
from pbem.pages.page import PhaseEvents
from pbem.pages.rendering import Chapter, Line, phrase, twin

WORDS = "fortresses/why_words.j2"
Values = dict[str, object]
_OF_TOPIC = {
    "income": (e.IncomeCollected,),
    "purchase": (e.UnitsBought, e.DefaultPurchase, e.GoldLeft),
    "home": (e.FliersHome,),
    "end": (e.GameOver,),
}
_SAYS_WHY = {e.DefaultPurchase: "why_default", e.FliersHome: "why_home"}


@dataclass(slots=True)
class Turn:
    """What happened from the beginning of a kingdom's turn to that of the next; before the first
    there is the start (`kingdom` empty).
    """

    year: int = 0
    kingdom: str = ""
    events: list[Event] = field(default_factory=list)

    def tales(self, zone: str | None) -> tuple[Tale, ...]:
        found = tales(self.events, self.kingdom)
        return tuple(tale for tale in found if zone in (None, tale.zone))

    def said(self, word: str, zone: str) -> str:
        """The line of its orders that begins so and counts there: one for the zone before a general
        one (FW-10.8).
        """
        lines = [
            line
            for event in self.events
            if isinstance(event.facts, e.OrdersGiven)
            for line in event.facts.lines
            if line.startswith(word)
        ]
        own = [line for line in lines if line.endswith(f" in {zone}")]
        general = [line for line in lines if " in " not in line]
        return (own or general or [""])[-1]


def why_values(
    view: TableView,
    cast: Cast,
    question: Question | Odds | Problem,
    past: Sequence[PhaseEvents],
    reason_of: Callable[[Problem], Reason],
) -> Values:
    """Title, sentences (`told`), chapters, and for odds the table of chances (`chances`).
    `reason_of` are the words of other pages for problems.
    """
    values: Values = {
        "title": "Why?",
        "told": (),
        "chapters": (),
        "chances": (),
        "unclear": None,
        "asked_words": "",
        "odds_example": example(view, "odds of taking {} with {}"),
    }
    match question:
        case Odds():
            told = odds_of(view, question)
            if isinstance(told, Problem):
                return values | _unclear(reason_of(told), question.text)
            body = twin(ODDS, "attack", told.facts, cast), twin(ODDS, "losses", told.facts, cast)
            return values | {
                "title": "The odds",
                "told": (Line("", body[0]), Line("", body[1], told.rules)),
                "chances": rows_of(told, cast),
            }
        case Problem():
            asked = str(question.facts.get("asked", ""))
            return values | _unclear(reason_of(question), asked)
    return values | _past(view, cast, question, turns_of(past))


def _unclear(why: Reason, asked: str) -> Values:
    return {"unclear": why, "asked_words": asked}


def turns_of(past: Sequence[PhaseEvents]) -> tuple[Turn, ...]:
    """All turns; what was rolled back has not happened."""
    found = [Turn()]
    for event in (event for phase in past if not phase.is_undone for event in phase.events):
        if isinstance(event.facts, e.TurnBegan):
            found.append(Turn(event.facts.year, event.facts.kingdom))
        found[-1].events.append(event)
    return tuple(found)


# ----------------------------------------------------------------------------------------- the past
def _past(view: TableView, cast: Cast, question: Question, turns: Sequence[Turn]) -> Values:
    """The newest turn that has an answer, of those that are asked about."""
    zone = question.zone or ""
    title = phrase(WORDS, "title", question.topic, zone, question.kingdom or "", cast)
    for turn in reversed(turns):
        if question.year not in (None, turn.year):
            continue
        chapters = tuple(_chapters(turn, cast, question, turns))
        if chapters:
            return {"title": title, "chapters": chapters, "told": _now(view, cast, question)}
    nothing = twin(WORDS, "nothing", question.topic, zone, question.year or 0, cast)
    return {"title": title, "told": (Line("", nothing), *_now(view, cast, question))}


def _chapters(
    turn: Turn, cast: Cast, question: Question, turns: Sequence[Turn]
) -> Iterator[Chapter]:
    when = phrase(WORDS, "when", turn.year, turn.kingdom, cast) if turn.kingdom else "The start"
    if question.topic == "battles":
        for tale in turn.tales(question.zone):
            lines = tuple(_battle(turn, tale, cast, question.round))
            is_of = question.kingdom in (
                None,
                turn.kingdom,
                tale.taken_from,
                *dict(tale.defenders),
            )
            if is_of and lines:
                yield Chapter(f"{when}: {tale.zone}", lines)
    elif question.topic == "all":
        events = [event for event in turn.events if event.kind not in KINDS]
        if question.kingdom in (None, turn.kingdom) and any(
            isinstance(event.facts, e.OrdersGiven | e.IncomeCollected | e.GameOver)
            for event in events
        ):
            yield Chapter(when, lines_of(events, cast, ()))
            yield from (
                Chapter(f"{when}: {tale.zone}", tuple(_battle(turn, tale, cast, None)))
                for tale in turn.tales(None)
            )
    else:
        lines = tuple(_told(turn, cast, question, turns))
        if lines:
            yield Chapter(when, lines)


def _told(turn: Turn, cast: Cast, question: Question, turns: Sequence[Turn]) -> Iterator[Line]:
    """Events of the topic, each with what the rules have to say to it."""
    asked = _kingdoms(cast, question)
    for event in turn.events:
        facts = event.facts
        if not isinstance(facts, _OF_TOPIC[question.topic]) or (
            question.topic != "end" and turn.kingdom not in asked
        ):
            continue
        line = event_line(event, cast)
        if line.body.text:
            yield line
        if type(facts) in _SAYS_WHY:
            yield Line("", twin(WORDS, _SAYS_WHY[type(facts)], cast))
        if isinstance(facts, e.IncomeCollected):
            yield Line("", twin(WORDS, "by_rule", cast), ("FW-8.2", "FW-8.3"))
            yield from _changes(facts.kingdom, turn, cast, turns)


def _kingdoms(cast: Cast, question: Question) -> tuple[Kingdom, ...]:
    """Whose accounts are asked for: those named, else the reader's own, else everybody's."""
    if question.kingdom is not None:
        return (question.kingdom,)
    seated = zip(KINGDOMS, cast.commanders, strict=True)
    return tuple(of for of, commander in seated if commander == cast.you) or KINGDOMS


def _changes(kingdom: str, until: Turn, cast: Cast, turns: Sequence[Turn]) -> Iterator[Line]:
    """What a kingdom took and lost since its income before that (FW-8.2)."""
    conquered: list[Event] = []
    for turn in turns[: turns.index(until) + 1]:
        for event in turn.events:
            if isinstance(event.facts, e.LandConquered) and kingdom in (
                event.facts.kingdom,
                event.facts.of,
            ):
                conquered.append(event)
        if turn.kingdom == kingdom and turn is not until:
            conquered = []
    for event in conquered:
        facts = event.facts
        assert isinstance(facts, e.LandConquered)  # noqa: S101 - chosen above
        worth = 2 if zones()[facts.zone].great_city else 1
        amount = worth if facts.kingdom == kingdom else -worth
        yield Line(
            cast.code(facts.zone),
            twin(WORDS, "changed", facts.zone, amount, facts.kingdom, cast),
            event.rules[:1],
        )


def _now(view: TableView, cast: Cast, question: Question) -> tuple[Line, ...]:
    """How the income is made up as the map lies, of the kingdom that is asked about."""
    if question.topic != "income" or question.year is not None:
        return ()
    found = []
    for of in _kingdoms(cast, question):
        lands = [zone for zone in view.zones if zone.owner == of]
        cities = sum(zone.great_city is not None for zone in lands)
        sum_of = len(lands) + cities
        found.append(_line("", ("FW-8.2",), "gold", of, len(lands), cities, sum_of, cast))
    return tuple(found)


# ----------------------------------------------------------------------------- a battle, die by die
def _battle(turn: Turn, tale: Tale, cast: Cast, number: int | None) -> Iterator[Line]:
    """Every roll and who fell to it; of one round alone if that is asked for."""
    if tale.attackers and number is None:
        yield _line("", ("FW-7.2", *(["FW-7.10"] if tale.points else [])), "begins", tale, cast)
    for fought in tale.rounds:
        if number in (None, fought.number):
            yield from _round(turn, tale, fought, cast)
    if number is None:
        is_unopposed = tale.result == "conquered" and not tale.rounds
        rules = ("FW-7.4", *tale.rules) if is_unopposed else tale.rules
        yield _line("", rules, "result", tale, cast)


def _round(turn: Turn, tale: Tale, fought: Round, cast: Cast) -> Iterator[Line]:
    lost = [(of, units) for of, units in fought.lost if of != tale.attacker]
    paid = [(of, units) for of, units in fought.lost if of == tale.attacker]
    if fought.attack is not None:
        label = str(fought.number)
        yield _line(label, ("FW-7.5", "FW-7.6", "FW-3.3"), "strikes", fought.attack, cast)
        wasted = fought.attack.hits - fought.points - sum(cast.count(units) for _, units in lost)
        if fought.attack.hits:
            is_shared = _is_shared(fought, lost)
            applied = (("FW-7.10", fought.points), ("FW-7.11", is_shared), ("FW-7.8", wasted))
            rules = ("FW-7.9", *(rule for rule, applies in applied if applies))
            yield _line("", rules, "falls", fought, lost, wasted, is_shared, cast)
        yield _line("", ("FW-7.5",), "returns", fought, lost, cast)
    if paid:
        said = turn.said("Lose ", tale.zone) or turn.said("Keep ", tale.zone)
        yield _line(
            "", ("FW-7.7", "FW-10.1" if said else "FW-10.2"), "pays", tale, paid, said, cast
        )
    for code, land in fought.drowned:
        yield _line("", ("FW-6.15", "FW-10.3"), "drowns", code, land, cast)
    if fought.fled:
        said = turn.said("Retreat ", tale.zone)
        rules = ("FW-7.12", "FW-7.13", "FW-10.5" if said else "FW-10.6")
        yield _line("", rules, "flees", fought.fled, said, cast)


def _is_shared(fought: Round, lost: Sequence[tuple[str, str]]) -> bool:
    """Whether a type fell of which both allies had some (FW-7.11)."""
    fallen = {code for _, units in lost for code, _ in parse_units(units).pairs()}
    having = [{roll.code for roll in side.rolls} for side in fought.defence]
    return len(having) > 1 and bool(fallen.intersection(*having))


def _line(label: str, rules: tuple[str, ...], macro: str, *told: object) -> Line:
    return Line(label, twin(WORDS, macro, *told), rules)
