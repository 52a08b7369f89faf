"""The answer to `why`: a matter's arithmetic line by line, each line with its rules, from what the
reader may know.

Which events are an answer, and of which turn, is in `protectors_why_story`; the sums are in
`protectors_why_sums`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.protectors.events import PlayerEliminated
from engine.protectors.questions import Question
from engine.protectors.view import TableView
from engine.ruleset import Problem
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.why_account import turns_of_money
from pbem.games.protectors.pages.why_case import WhyCase, matter_of
from pbem.games.protectors.pages.why_rows import WORDS, Matter, heading, line, words
from pbem.games.protectors.pages.why_story import (
    STRONG,
    Happening,
    Story,
    is_about,
    tell_story,
    turns_about,
)
from pbem.games.protectors.pages.why_sums import event_rows, score_now
from pbem.games.protectors.pages.why_topics import BUILDERS
from pbem.pages.page import PhaseEvents
from pbem.pages.rendering import Twin, phrase

MOST_OTHERS = 6


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    """What a page shows: a sentence that answers in short, notes around it, and the matters;
    `others` are further turns.
    """

    title: str
    answer: Twin | None = None
    answer_rules: tuple[str, ...] = ()
    notes: tuple[Twin, ...] = ()
    matters: tuple[Matter, ...] = ()
    others: tuple[int, ...] = ()
    again: str = ""


def explain(
    view: TableView, cast: Cast, question: Question, past: Sequence[PhaseEvents]
) -> WhyAnswer:
    """Answer a question from the events that this reader may know."""
    reader = cast.you or None
    place = cast.headed(question.province) if question.province is not None else ""
    if question.topic == "money" and (reader is None or question.player not in (None, reader)):
        name = cast.name(question.player) if question.player else ""
        return WhyAnswer(phrase(WORDS, "whose_money", name), words("secret", name), ("PR-1.9",))
    story = tell_story(past, reader)
    if (
        question.topic == "elimination"
        and (still := question.player) is not None
        and still in view.ranking
        and not _fell(story, still)
    ):
        title = phrase(WORDS, "still_in", cast.name(still), still == cast.you, view.stage == "over")
        fallen = tuple(
            h
            for h in story.happenings
            if isinstance(h.facts, PlayerEliminated) and question.turn in (None, h.turn)
        )
        return WhyAnswer(
            title,
            matters=matter_of("fallen", [row for h in fallen for row in event_rows(h.event, cast)]),
        )
    turns = (
        turns_about(story, question)
        if question.topic != "money"
        else turns_of_money(story, cast.you, cast)
    )
    turn = question.turn if question.turn is not None else turns[0] if turns else 0
    told = tuple(happening for happening in story.of_turn(turn) if is_about(happening, question))
    if question.topic == "money" and turn not in turns:
        told = ()
    notes = _notes(view, story, question, turn, told, place)
    others = tuple(sorted(other for other in turns if other != turn))[-MOST_OTHERS:]
    again = (
        f"why {cast.label(question.province) if question.province is not None else question.topic}"
        f" turn {others[-1]}"
        if others
        else ""
    )
    now = _now(view, cast, question, told)
    if not told and question.turn is None:
        title = phrase(WORDS, "nothing_title", question.topic, place)
        return WhyAnswer(title, notes=notes, matters=now)
    if not told:
        title = _title(question, cast, place, turn, question.player)
        return WhyAnswer(title, notes=notes, matters=now, others=others, again=again)
    case = WhyCase(view, cast, question, story, turn, told)
    matters, answer, rules = BUILDERS[question.topic](case)
    about = question.player if question.topic == "elimination" else case.about
    title = _title(question, cast, place, turn, about)
    return WhyAnswer(title, answer, rules, notes, (*matters, *now), others, again)


def _fell(story: Story, player: int) -> bool:
    """Whether somebody was out of the game, if only for a time."""
    return any(
        isinstance(happening.facts, PlayerEliminated) and happening.facts.player == player
        for happening in story.happenings
    )


def _title(question: Question, cast: Cast, place: str, turn: int, about: int | None) -> str:
    name = cast.name(about) if about else ""
    return phrase(
        WORDS, "title", question.topic, place, turn, name, bool(about) and about == cast.you
    )


def _notes(
    view: TableView,
    story: Story,
    question: Question,
    turn: int,
    told: Sequence[Happening],
    place: str,
) -> tuple[Twin, ...]:
    keys: list[str] = []
    happened = any(happening.turn == turn for happening in story.happenings)
    if question.turn is not None and turn > view.turn and not told:
        keys = ["undone-all"] if turn in story.undone and not happened else ["future"]
    else:
        if not any(
            happening.event.kind != "game-set-up" and happening.event.kind in _DECISIVE
            for happening in story.happenings
        ):
            keys.append("unstarted")
        elif not told:
            ends = question.topic == "end" and view.stage != "over"
            keys.append(
                "goes-on" if ends else "nothing-in-turn" if question.turn is not None else "nothing"
            )
        if turn in story.undone:
            keys.append("undone")
        if question.turn == view.turn and view.stage != "over" and question.topic in _GROWING:
            keys.append("open")
        if question.topic == "orders" and question.player in (
            None,
            view.you.number if view.you is not None else None,
        ):
            keys.append("refused")
    return tuple(words("note", key, turn, question.topic, place, ()) for key in keys)


_DECISIVE = frozenset().union(*STRONG.values())
_GROWING = frozenset({"province", "battles", "orders", "dragon", "money", "ranking"})


def _now(
    view: TableView, cast: Cast, question: Question, told: Sequence[Happening]
) -> tuple[Matter, ...]:
    """How a province lies now; the score as it stands while nobody has won."""
    if question.topic == "end" and view.stage != "over" and not told:
        return score_now(view, cast)
    if question.topic != "province" or question.province is None:
        return ()
    body = words("now", view.province(question.province), cast.headed(question.province), cast)
    return (Matter(heading("now"), (line(body),)),)


def why_values(
    view: TableView, cast: Cast, question: Question | Problem, past: Sequence[PhaseEvents]
) -> tuple[str, dict[str, object]]:
    """The template of an answer and its values, apart from the table and the reader."""
    if isinstance(question, Problem):
        place = cast.place(view.provinces[-1].number)
        title = phrase(WORDS, "unclear", question.code)
        return "protectors/why_unclear.j2", {
            "title": title,
            "code": question.code,
            "f": dict(question.facts),
            "place": place,
        }
    answer = explain(view, cast, question, past)
    named = (rule for matter in answer.matters for row in matter.rows for rule in row.rules)
    facts: dict[str, object] = {
        "example_rule": next(named, next(iter(answer.answer_rules), "")),
        "title": answer.title,
        "answer": answer.answer,
        "answer_rules": answer.answer_rules,
        "notes": answer.notes,
        "matters": answer.matters,
        "others": answer.others,
        "again": answer.again,
    }
    return "protectors/why.j2", facts
