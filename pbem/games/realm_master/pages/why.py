"""Why something came out as it did in a game of Realm-Master: the arithmetic line by line, from
what the asker may know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.realm_master import events as e
from engine.realm_master.cards import Token, all_turn_cards
from engine.realm_master.conditions import Face
from engine.realm_master.odds import DICE, odds_of_reaching
from engine.realm_master.questions import Odds, Question
from engine.realm_master.view import TableView
from engine.ruleset import Event, Problem
from pbem.games.realm_master.pages.account import change_of
from pbem.games.realm_master.pages.cast import Cast
from pbem.games.realm_master.pages.events import chapters, event_lines
from pbem.games.realm_master.pages.facts import HeroRow, hero_rows
from pbem.games.realm_master.pages.gallery import ranked
from pbem.pages.page import PhaseEvents
from pbem.pages.rendering import Chapter, Line, phrase, twin

WORDS = "realm_master/why_words.j2"
Values = dict[str, object]


@dataclass(frozen=True, slots=True)
class Played:
    """A stretch of the game: a turn, or what a round had before its turns (`turn` 0)."""

    round: int
    turn: int
    events: tuple[Event, ...]


def why_values(
    view: TableView, cast: Cast, question: Question | Odds | Problem, past: Sequence[PhaseEvents]
) -> Values:
    """Title, sentences (`told`), chapters, and for odds the table of chances."""
    values: Values = {
        "title": "",
        "told": (),
        "chapters": (),
        "chances": (),
        "standing": (),
        "unclear": None,
        "has_dice": False,
    }
    values["some"] = tuple(
        held.name.split()[0][:20] if held.name.split() else "" for held in view.players[:2]
    )
    match question:
        case Problem():
            code = (
                question.code
                if question.code in ("no-such-turn", "not-understood")
                else "not-understood"
            )
            return values | {
                "title": phrase(WORDS, "title_unclear"),
                "unclear": code,
                "asked_words": question.facts.get("asked", ""),
            }
        case Odds():
            return values | _odds(view, cast, question)
        case Question(topic="ranking"):
            rows = tuple(_standing_row(view, cast))
            return values | {"title": phrase(WORDS, "title_ranking"), "standing": rows}
        case Question():
            return values | _past(view, cast, question, played(past))
    raise TypeError(f"no question: {question!r}")


def _standing_row(view: TableView, cast: Cast) -> Iterator[HeroRow]:
    rows = {row.seat: row for row in hero_rows(view, cast)}
    yield from (rows[held.seat] for held in ranked(view))


def played(past: Sequence[PhaseEvents]) -> tuple[Played, ...]:
    """All that happened, by rounds and turns; what was taken back and played again stands once, as
    it came out at last.
    """
    found: list[Played] = []
    number = turn = 0
    events: list[Event] = []

    def close() -> None:
        if events:
            found.append(Played(number, turn, tuple(events)))
            events.clear()

    for event in (event for phase in past if not phase.is_undone for event in phase.events):
        match event.facts:
            case e.RoundBegan(round=begun):
                close()
                number, turn = begun, 0
            case e.TurnBegan(turn=begun):
                close()
                turn = begun
            case e.TakenBack():
                close()
                number, turn = _take_back(found, event.facts), 0
        events.append(event)
    close()
    return tuple(found)


def _take_back(found: list[Played], facts: e.TakenBack) -> int:
    """Drop what is played again; of a round whose plans are asked for again its opening stays. The
    round that continues.
    """
    back = facts.number
    cut = next(
        (
            i
            for i, one in enumerate(found)
            if (one.turn if facts.what == "turn" else one.round) >= back
        ),
        len(found),
    )
    number = found[cut].round if cut < len(found) else (found[-1].round if found else 0)
    opening = (
        found[cut] if facts.what == "round" and cut < len(found) and not found[cut].turn else None
    )
    del found[cut:]
    if opening is not None:
        kept = tuple(
            event
            for event in opening.events
            if isinstance(event.facts, e.RoundBegan | e.LandsFilled | e.HeroesGiven)
        )
        found.append(Played(opening.round, 0, kept))
    return number


def _past(view: TableView, cast: Cast, question: Question, story: Sequence[Played]) -> Values:
    """The stretches that the question names, else the newest that has an answer."""
    asked = [
        one
        for one in story
        if question.turn in (None, one.turn) and question.round in (None, one.round)
    ]
    match question.topic:
        case "hearts" | "gold" | "banners":
            return _account(
                cast,
                question,
                question.topic,
                asked,
                question.player or (view.you.number if view.you is not None else None),
            )
        case "attack":
            return _picked(
                cast,
                question,
                asked,
                (
                    e.AttackMade,
                    e.AttackForgone,
                    e.SmokeUsed,
                    e.ChoiceMade,
                    e.ThornsPricked,
                    e.ElfHonoured,
                ),
            )
        case "death":
            return _picked(
                cast,
                question,
                asked,
                (e.AttackMade, e.CardPlayed, e.ThornsPricked, e.PhoenixRose, e.HeroDied),
                must=(e.HeroDied,),
            )
        case "end":
            return _picked(cast, question, asked, (e.GameWon,))
    told = tuple(chapter for one in asked for chapter in _chapters(one, cast))
    title = phrase(WORDS, "title_past", question, "")
    return {
        "title": title,
        "chapters": told,
        "told": () if told else (twin(WORDS, "nothing"),),
        "has_dice": True,
    }


def _chapters(one: Played, cast: Cast) -> tuple[Chapter, ...]:
    return chapters(one.events, cast)


def _picked(
    cast: Cast,
    question: Question,
    asked: Sequence[Played],
    kinds: tuple[type, ...],
    must: tuple[type, ...] = (),
) -> Values:
    """Only these kinds of events, of the newest stretch that has one."""
    title = phrase(
        WORDS, "title_past", question, "" if question.player is None else cast.name(question.player)
    )
    for one in reversed(asked):
        if not any(
            isinstance(event.facts, must or kinds) and _concerns(event, question)
            for event in one.events
        ):
            continue
        lines = tuple(
            line
            for event in one.events
            if isinstance(event.facts, kinds)
            for line in event_lines(event, cast)
        )
        return {"title": title, "chapters": (Chapter(_heading(one, cast), lines),)}
    return {"title": title, "told": (twin(WORDS, "nothing"),)}


def _heading(one: Played, cast: Cast) -> str:
    """Where it was: the turn with its hero, else the round."""
    first = one.events[0].facts if one.events else None
    return phrase(
        WORDS, "where", one, cast.called(first.player) if isinstance(first, e.TurnBegan) else ""
    )


def _concerns(event: Event, question: Question) -> bool:
    """Whether an event is about the player asked about; of an attack those it hits, too."""
    if question.player is None:
        return True
    facts = event.facts
    if isinstance(facts, e.AttackMade) and any(
        blow.player == question.player for blow in facts.blows
    ):
        return True
    return question.player in (
        getattr(facts, "player", None),
        getattr(facts, "killer", None),
        *getattr(facts, "winners", ()),
    )


# --------------------------------------------------------------------------------------- an account
def _account(
    cast: Cast, question: Question, token: Token, asked: Sequence[Played], player: int | None
) -> Values:
    """What a hero's hearts, gold or banners gained and lost, line by line, with the sum."""
    title = phrase(
        WORDS, "title_account", token, "" if player is None else cast.name(player), question
    )
    if player is None:
        return {"title": title, "told": (twin(WORDS, "whose"),)}
    rounds = sorted({one.round for one in asked}, reverse=True)
    for number in rounds:
        told = tuple(_account_of(one, cast, token, player) for one in asked if one.round == number)
        rows = tuple(chapter for chapter, _ in told if chapter.lines)
        changes = [amount for _, amounts in told for amount in amounts]
        if not rows or (
            question.lost
            and question.turn is None
            and question.round is None
            and not any(amount < 0 for amount in changes)
        ):
            continue
        total = sum(changes)
        return {
            "title": title,
            "chapters": rows,
            "told": (
                twin(WORDS, "sum", token, cast.name(player), total, number, question.turn or 0),
            ),
        }
    return {"title": title, "told": (twin(WORDS, "no_change", token, cast.name(player)),)}


def _account_of(one: Played, cast: Cast, token: Token, player: int) -> tuple[Chapter, list[int]]:
    lines: list[Line] = []
    amounts: list[int] = []
    for event in one.events:
        amount = getattr(change_of(event.facts, player), token)
        if not amount:
            continue
        said = event_lines(event, cast)
        line = said[0]
        if isinstance(event.facts, e.AttackMade):
            hit = next(i for i, blow in enumerate(event.facts.blows) if blow.player == player)
            line = said[1 + hit]
        lines.append(Line(phrase(WORDS, "signed", amount), line.body, line.rules))
        amounts.append(amount)
    return Chapter(_heading(one, cast), tuple(lines)), amounts


# --------------------------------------------------------------------------------------------- odds
def _odds(view: TableView, cast: Cast, question: Odds) -> Values:
    """The chance of this many dice of a face: of the dice on the table if they are the asker's,
    else of a whole turn.
    """
    turn, face = view.turn, question.face
    second = view.card is not None and all_turn_cards()[view.card].effect == "second-reroll"
    mine = (
        turn is not None
        and view.you is not None
        and turn.player == view.you.number
        and bool(turn.rolled)
        and not turn.faces
    )
    dice: tuple[Face, ...] = turn.rolled if turn is not None and mine else ()
    throws = _throws_left(view.stage, second=second) if mine else 2 + second
    kept = (
        question.keep
        if question.keep is not None
        else tuple(i for i, one in enumerate(dice, start=1) if one in (face, "R"))
    )
    again = tuple(i for i in range(1, DICE + 1) if i not in kept) if dice else ()
    chances = []
    for number in range(1, DICE + 1):
        chance = odds_of_reaching(face, number, dice=dice, again=again, throws=throws)
        chances.append((number, percent(chance), number == question.number))
    wanted = odds_of_reaching(face, question.number, dice=dice, again=again, throws=throws)
    told = twin(WORDS, "odds", question, dice, kept if dice else (), throws, percent(wanted))
    return {"title": phrase(WORDS, "title_odds"), "told": (told,), "chances": tuple(chances)}


def _throws_left(stage: str, *, second: bool) -> int:
    """How often each die can still be thrown, from the open question on."""
    return {"reroll": 1 + second, "second": 1}.get(stage, 0)


def percent(chance: Fraction) -> str:
    """In hundredths with one place. A chance that is neither impossible nor certain is not rounded
    to either.
    """
    if chance in (0, 1):
        return f"{int(chance) * 100} %"
    shown = min(max(round(float(chance) * 100, 1), 0.1), 99.9)
    return f"{shown} %"
