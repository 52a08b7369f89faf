"""Why something happened as it did: a roll die by die with all its consequences, and the chances of
rolls to come.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.ruleset import Event, Facts, Problem
from engine.sovereigns import events as e
from engine.sovereigns.questions import Odds, Question, chances_of
from engine.sovereigns.seasons.actions import CONTESTED
from engine.sovereigns.seasons.rolls import counts_of
from engine.sovereigns.state import SEASONS
from engine.sovereigns.suppositions import facts_of, rules_of
from engine.sovereigns.view import TableView
from pbem.games.sovereigns.pages.cast import Cast
from pbem.games.sovereigns.pages.events import groups, lines_of, people_of
from pbem.games.sovereigns.pages.odds import odds_example
from pbem.games.sovereigns.pages.seasons import seasons_of
from pbem.pages.kit.receipt_lines import Reason
from pbem.pages.page import PhaseEvents
from pbem.pages.rendering import Chapter, Line, phrase, twin

WORDS = "sovereigns/why_words.j2"
Values = dict[str, object]
Chain = Sequence[Event]
"""One happening: an event, and all its consequences."""
_OF_TOPIC: Mapping[str, frozenset[str]] = {
    "support": frozenset({"support", "fear"}),
    "fall": frozenset({"fallen", "abdicated"}),
    "technology": frozenset(
        {"discovery", "proposal", "proposal-refused", "technology", "technology-changed"}
    ),
    "building": frozenset({"built", "build-void", "destroyed", "camp", "camp-void", "saved"}),
    "trade": frozenset(
        {"offer", "offer-expired", "offer-closed", "trade", "trade-failed", "loan-returned"}
    ),
    "vote": frozenset(
        {"ballot", "ballot-closed", "objection", "verdict", "rolled-back", "re-resolved", "ruling"}
    ),
    "end": frozenset({"game-over"}),
}
_CLOSES = frozenset({"window", "game-over"})
"""What a phase tells when it has closed."""


def why_values(
    view: TableView,
    cast: Cast,
    question: Question | Odds | Problem,
    past: Sequence[PhaseEvents],
    reason_of: Callable[[Problem], Reason],
) -> Values:
    """Title, chapters, or what there is `nothing` of; and for odds the facts of their chances.
    `reason_of` are the words of other pages for problems.
    """
    values: Values = {
        "title": "Why?",
        "nothing": None,
        "chapters": (),
        "chances": (),
        "odds_rules": (),
        "unclear": None,
        "asked_words": "",
        "odds_example": odds_example(view, cast),
    }
    if isinstance(question, Odds):
        told = chances_of(view, question)
        if isinstance(told, Problem):
            return values | {"title": "The odds", "unclear": reason_of(told)}
        return values | {
            "title": "The odds",
            "chances": tuple(map(facts_of, told)),
            "odds_rules": rules_of(told[-1]),
        }
    if isinstance(question, Problem):
        asked = str(question.facts.get("asked", ""))
        return values | {"unclear": reason_of(question), "asked_words": asked}
    return values | _past(cast, question, past)


# ----------------------------------------------------------------------------------------- the past
@dataclass(frozen=True, slots=True)
class _Played:
    """A phase with its year and season: `start` is that of a year; set-up has neither."""

    events: Sequence[Event]
    year: int
    season: str

    @property
    def is_closed(self) -> bool:
        return any(event.kind in _CLOSES for event in self.events)


def _played(past: Sequence[PhaseEvents]) -> Iterator[_Played]:
    """All that was not rolled back."""
    seasons = seasons_of((phase.kind, phase.is_undone) for phase in past)
    for phase, season in zip(past, seasons, strict=True):
        if not phase.is_undone:
            yield _Played(phase.events, phase.turn, season)


def _past(cast: Cast, question: Question, past: Sequence[PhaseEvents]) -> Values:
    """The newest phase that has an answer; all of a year if all of it is asked for."""
    title = phrase(WORDS, "title", question, cast)
    is_year = question.topic == "all" and question.year is not None and question.season is None
    chapters: list[Chapter] = []
    for played in reversed(tuple(_played(past))):
        if _is_meant(played, question):
            chapters[:0] = _chapters(played, cast, question)
        if chapters and not is_year:
            break
    nothing = None if chapters else Line("", twin(WORDS, "nothing", question, cast))
    return {"title": title, "chapters": tuple(chapters), "nothing": nothing}


def _is_meant(played: _Played, question: Question) -> bool:
    if question.year not in (None, played.year):
        return False
    if question.season is not None:
        return played.season == question.season
    if question.topic == "all" and question.year is None:
        return played.is_closed and (played.season in SEASONS or bool(question.kingdoms))
    return True


def _chapters(played: _Played, cast: Cast, question: Question) -> list[Chapter]:
    known = [event for event in played.events if event.is_for(cast.you or None)]
    lines = [
        line
        for chain in groups(known)
        if _fits(chain, question, cast.you)
        for line in lines_about(chain, cast)
    ]
    heading = phrase(WORDS, "season", played.year, played.season)
    return [Chapter(heading, tuple(lines))] if lines else []


def _fits(chain: Chain, question: Question, you: int) -> bool:
    head = chain[0].facts
    people = {person for event in chain for person in people_of(event.facts)}
    if not people.issuperset(question.kingdoms):
        return False
    whose = set(question.kingdoms)
    match question.topic:
        case "all":
            return True
        case "action":
            return _is_action(head, question)
        case "lost":
            return any(_loses(event.facts, whose, question.attribute) for event in chain)
        case "gained":
            return any(_gains(event.facts, whose, question.attribute) for event in chain)
        case "trade" if question.number is not None:
            return isinstance(head, e.OfferFacts) and (
                e.number_of_offer(head, you) == question.number
            )
    kinds = _OF_TOPIC[question.topic]
    return any(event.kind in kinds for event in chain)


def _is_action(head: Facts, question: Question) -> bool:
    if isinstance(head, e.ActionVoid):
        return question.number == head.n if question.number else bool(question.kingdoms)
    return (
        isinstance(head, e.ActionResolved)
        and question.number in (None, head.n)
        and question.action in ("", head.action)
    )


def _loses(facts: Facts, whose: set[int], attribute: str | None) -> bool:
    match facts:
        case e.PointLost(kingdom, lost):
            return _is_of(whose, kingdom) and attribute in (None, lost)
        case e.Captured(from_):
            return _is_of(whose, from_) and attribute in (None, "R")
        case e.LoanReturned():
            return _is_of(whose, facts.borrower) and attribute in (None, facts.attribute)
    return False


def _gains(facts: Facts, whose: set[int], attribute: str | None) -> bool:
    match facts:
        case e.PointsGained(kingdom, gained):
            return _is_of(whose, kingdom) and attribute in (None, gained)
        case e.Captured():
            return _is_of(whose, facts.to) and attribute in (None, "R")
        case e.LoanReturned():
            return _is_of(whose, facts.lender) and attribute in (None, facts.attribute)
    return False


def _is_of(whose: set[int], kingdom: int) -> bool:
    return not whose or kingdom in whose


# ---------------------------------------------------------------------------------- die by die
def lines_about(chain: Chain, cast: Cast) -> Iterator[Line]:
    """A roll die by die and line by line, then its consequences; anything else in its usual
    words.
    """
    head, *others = chain
    match head.facts:
        case e.ActionResolved() as facts:
            yield from _of_action(facts, head.rules, cast)
        case e.SupportRolled() as facts:
            yield _line("seeks", facts, cast, ("SS-4.1", "SS-4.2"))
            yield _line("row", facts, cast, ("SS-4.4", "SS-4.3")[: 1 + (facts.points == 0)])
        case _:
            others = [head, *others]
    for event in others:
        yield from lines_of((event,), cast)


def _of_action(facts: e.ActionResolved, rules: Sequence[str], cast: Cast) -> Iterator[Line]:
    yield _line("throws", facts, cast, (rules[0], "SS-3.1"), str(facts.n))
    risked = counts_of(facts.terms, facts.points, facts.depleted)[2]
    if risked:
        dice = facts.dice[len(facts.dice) - risked :]
        yield _line("risks", dice, cast, ("SS-3.16", "SS-3.17"))
    contested = is_contested(facts)
    if contested:
        yield _line("defends", facts, cast, ("SS-3.11", "SS-3.12", "SS-3.13"))
    else:
        yield _line("takes", facts, cast, ("SS-3.3", rules[0]))
    far = facts.result in ("great", "disaster")
    met = "SS-3.14" if contested else "SS-3.2"
    yield _line("ends", facts, cast, (met, *(("SS-3.4",) if far else ())))


def is_contested(facts: e.ActionResolved) -> bool:
    """Whether its target rolled against it; a free-form action may have been given a number."""
    if facts.action != "Try":
        return facts.action in CONTESTED
    rolled = bool(facts.defence or facts.defence_terms)
    return facts.target is not None and (rolled or facts.difficulty == 0)


def _line(macro: str, facts: object, cast: Cast, rules: Sequence[str], label: str = "") -> Line:
    return Line(label, twin(WORDS, macro, facts, cast), tuple(rules))
