"""Reads the orders of Realm-Master as people write them (rules, section 12): plans with conditions, answers and deeds.

A sentence is read whole or not at all: a line of a plan that is not certain is never guessed, and the rest of the plan stands (E14).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from dataclasses import replace as replace_lexeme
from typing import Literal

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.realm_master.checking import check
from engine.realm_master.legal import legal
from engine.realm_master.plans import is_act, is_deed
from engine.realm_master.state import State
from engine.realm_master.wording import parse_order
from engine.ruleset import Checked, Problem, Standing
from pbem.grammar.binding import People, Person
from pbem.grammar.commands import take_commands
from pbem.grammar.lexemes import Lexeme, lexemes_of
from pbem.grammar.normalise import Plain, normalise
from pbem.grammar.reading import Command, Item, Reading, Suggestion
from pbem.grammar.realm_master_lines import build
from pbem.grammar.realm_master_parts import FACES, VERBS, NotRead, parts_of
from pbem.grammar.realm_master_scene import Scene
from pbem.grammar.realm_master_words import vocabulary
from pbem.grammar.suggesting import MOST_SUGGESTIONS, Choice, nearest

LONGEST = 20_000
MOST_SENTENCES = 200
_ENDS = frozenset({"NL", "SEMI", "DOT", "BANG", "ASK"})
_KEYED = re.compile(r"([A-Za-z][A-Za-z0-9 ]*?)\s*[:=]\s*(\S.*)")
_KEYS: Mapping[str, str] = {
    **{words.casefold(): words for words in o.KEY_WORDS.values()},
    "reroll2": o.KEY_WORDS["second"], "hit": o.KEY_WORDS["hit"], "realm": o.KEY_WORDS["realm"], "smoke": o.KEY_WORDS["smoke"],
}  # fmt: skip
"""The keys of a plan as players spell them (RM-9)."""
_LEAVE = re.compile(r"\W*(?:i )?leave\W*")
_OBJECTION = re.compile(r"[^\n]*?\bobject to turn (\d{1,6})[ ,:]*(?:because|since|as)?[ ,:]*([^\n]*)", re.IGNORECASE)
_HEADINGS: dict[str, Literal["hit", "realm", "ultimatum"]] = {"ULTIMATUM": "ultimatum", "WHENHIT": "hit", "OWNTURN": "realm"}
_OWN_QUESTIONS = ("reroll", "second", "knuckle", "faces", "attack", "enter", "realm", "last")
_SAYING = VERBS | set(FACES) | {"CARD", "LAND", "HERO", "BEST", "CHEAPEST", "FIVE", "LONE", "REST", "SECOND"} - {"AGAIN"}
"""A sentence without any of these is talk."""
Moment = Literal["", "hit", "realm", "ultimatum"]
Check = Callable[[State, int, Standing[o.Order], Sequence[o.Order]], Checked[o.Order]]


@dataclass(slots=True)
class _Sentence:
    """A sentence in the making: where it stands in the folded text, what it says, and what is wrong with it."""

    start: int
    end: int
    orders: list[o.Order] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)
    caret: Lexeme | None = None


@dataclass(frozen=True, slots=True)
class RealmMasterReader:
    """The order reader of the game; `check` is the engine's."""

    check: Check = check

    def read_canonical(self, state: State, text: str) -> o.Order:
        """The exact inverse of `format_order`. ValueError if the text is no canonical one."""
        return parse_order(text)

    def read(self, state: State, player: int, standing: Standing[o.Order], text: str) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        plain = normalise(text[:LONGEST])
        taken = take_commands(plain)
        scene = scene_of(state, player)
        spans, commands = list(taken.spans), list(taken.commands)
        if scene.stage in ("hit", "realm", "ultimatum") or (state.stage == "round" and state.players[player - 1].at is not None):
            spans, commands = _without_leave(plain, spans, commands)
        sentences, cut = _sentences(plain, spans, state, player, scene)
        _change_last_plan(sentences, scene.last)
        checked = self._checked(state, player, standing, sentences)
        items = tuple(self._items(plain, state, player, [one for one in sentences if one.orders or one.problems]))
        heard = checked is not None or commands or taken.answers is not None or taken.note is not None
        note = taken.note
        if not items and not heard:
            whole = text.strip()
            items, note = (Item(quote=whole[:200], problems=(Problem("no-order"),)),), whole or None
        return Reading(items, tuple(commands), checked, note, taken.answers, slips=tuple(taken.slips), cut=cut or len(text) > LONGEST)

    def _checked(self, state: State, player: int, standing: Standing[o.Order], sentences: list[_Sentence]) -> Checked[o.Order] | None:
        """Ask the engine about all orders at once and hand its problems to the sentences they came from."""
        sent = [(sentence, i) for sentence in sentences for i in range(len(sentence.orders))]
        if not sent:
            return None
        checked = self.check(state, player, standing, [sentence.orders[i] for sentence, i in sent])
        for problem in checked.problems:
            if problem.order is not None:
                sentence, i = sent[problem.order]
                sentence.problems.append(problem)
                if not problem.warning:
                    sentence.refused.add(i)
        return checked

    def _items(self, plain: Plain, state: State, player: int, sentences: Sequence[_Sentence]) -> Iterator[Item]:
        choices: list[Choice[o.Order]] | None = None
        given = 0
        for sentence in sentences:
            stands = [order for i, order in enumerate(sentence.orders) if i not in sentence.refused]
            suggestion = None
            if not stands and given < MOST_SUGGESTIONS:
                if choices is None:
                    told = (order for order in legal(state, player) if not is_deed(order) and not is_act(order))
                    choices = [Choice(order, o.format_order(order)) for order in told]
                suggestion = _suggest(plain, sentence, choices, given + 1)
                given += suggestion is not None
            start, end = plain.span(sentence.start, sentence.end)
            caret = None
            if sentence.caret is not None:
                first, last = plain.span(sentence.caret.start, sentence.caret.end)
                caret = (first - start, last - start) if start <= first and last <= end else None
            yield Item(
                quote=plain.original[start:end],
                caret=caret,
                orders=tuple(stands),
                texts=tuple(map(o.format_order, stands)),
                problems=tuple(sentence.problems),
                suggestion=suggestion,
            )


READER = RealmMasterReader()
"""The reader of the registry."""


def people_of(state: State, me: int | None) -> People:
    """Everybody at this table by name and colour."""
    return People(tuple(Person(seat.number, seat.name, seat.colour, seat.colour) for seat in state.players), me)


def scene_of(state: State, player: int) -> Scene:
    """What this player's words are said to."""
    is_asked = player in state.asked
    turn = state.turn
    live = turn is not None and turn.player == player and state.asked == (player,) and state.stage in _OWN_QUESTIONS
    seat = state.players[player - 1]
    heroes = {held.number: held.hero for held in state.players if held.hero is not None}
    return Scene(state.stage if is_asked and state.stage != "round" else None, live, heroes, seat.plan.last)


def _without_leave(plain: Plain, spans: list[tuple[int, int]], commands: list[Command]) -> tuple[list[tuple[int, int]], list[Command]]:
    """For whoever stands in the Realm `leave` alone in a line is the hero's order; `quit` and `leave the table` are about the seat."""
    mine = [span for span in spans if _LEAVE.fullmatch(plain.text[span[0] : span[1]])]
    seat_words = [command for command in commands if command.word == "leave"][len(mine) :]
    return [span for span in spans if span not in mine], [*(command for command in commands if command.word != "leave"), *seat_words]


def _change_last_plan(sentences: Sequence[_Sentence], last: Sequence[o.Order]) -> None:
    """What is said beside `same as last time` takes the place of the line there that speaks of the same thing."""
    repeated = {id(order) for order in last}
    fresh = [order for sentence in sentences for order in sentence.orders if id(order) not in repeated]
    for sentence in sentences:
        sentence.orders = [
            order for order in sentence.orders if id(order) not in repeated or not any(o.is_same_line(order, other) for other in fresh)
        ]


def _sentences(plain: Plain, spans: Sequence[tuple[int, int]], state: State, player: int, scene: Scene) -> tuple[list[_Sentence], bool]:
    text = plain.text
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    found: list[_Sentence] = []
    moment: Moment = ""
    offset = 0
    people = people_of(state, player)
    for line in text.splitlines(keepends=True):
        objection = _OBJECTION.match(line)
        if objection is not None:
            start, end = plain.span(offset + objection.start(2), offset + objection.end(2))
            reason = " ".join(plain.original[start:end].split()) or "no reason given"
            found.append(_Sentence(offset, offset + len(line.rstrip()), [o.Objection(int(objection[1]), reason)]))
        elif line.strip():
            for piece in _pieces(line, offset, people):
                sentence, moment = _read_sentence(plain, piece, scene, moment)
                found += [sentence] if sentence is not None else []
                if len(found) > MOST_SENTENCES:
                    return found[:MOST_SENTENCES], True
        offset += len(line)
    return found, False


def _pieces(line: str, offset: int, people: People) -> Iterator[list[Lexeme]]:
    """The sentences of a line, as lexemes at their places in the whole text."""
    piece: list[Lexeme] = []
    for found in lexemes_of(line.rstrip("\n"), vocabulary(), people):
        lexeme = replace_lexeme(found, start=found.start + offset, end=found.end + offset)
        if lexeme.kind in _ENDS:
            if piece:
                yield piece
            piece = []
        else:
            piece.append(lexeme)
    if piece:
        yield piece


def _read_sentence(plain: Plain, lexemes: list[Lexeme], scene: Scene, moment: Moment) -> tuple[_Sentence | None, Moment]:
    """A sentence, and what the next one is about if this one is a mere heading (`Ultimatum?`)."""
    sentence = _Sentence(lexemes[0].start, lexemes[-1].end)
    said = [lexeme for lexeme in lexemes if lexeme.kind != "FILLER"]
    written = plain.quote(sentence.start, sentence.end).strip()
    canonical = _canonical(written)
    if canonical is not None:
        sentence.orders = [canonical]
        return sentence, ""
    if not said or all(lexeme.kind in ("COMMA", "DASH", "COLON") for lexeme in said):
        return None, moment
    if len(said) == 1 and said[0].kind in _HEADINGS:
        return None, _HEADINGS[said[0].kind]
    if not any(lexeme.kind in _SAYING for lexeme in said):
        return None, ""  # talk
    try:
        sentence.orders = build(list(parts_of(_without_colon(lexemes))), scene, moment)
    except NotRead as why:
        sentence.caret = why.at
        sentence.problems.append(_problem(why, said))
    return sentence, ""


def _canonical(text: str) -> o.Order | None:
    """A canonical text, or what is one but for the spelling of its key and for capitals: `attack: no`, `hit: Stay`."""
    found = _KEYED.fullmatch(text)
    key = None if found is None else _KEYS.get(" ".join(found[1].casefold().split()))
    spellings = [text] if found is None or key is None else [text, f"{key}: {found[2]}", f"{key}: {found[2].casefold()}"]
    for spelling in spellings:
        with suppress(ValueError):
            order = parse_order(spelling)
            if not isinstance(order, o.Choose) or all(choice.word in o.WORDS[order.key] for choice in order.choices):
                return order
    return None


def _without_colon(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`Enter: Arub else Jerum` is `Enter Arub else Jerum`."""
    is_keyed = len(lexemes) > 2 and lexemes[0].kind in VERBS and lexemes[1].kind == "COLON" and lexemes[2].kind not in VERBS
    return [lexemes[0], *lexemes[2:]] if is_keyed else lexemes


def _problem(why: NotRead, said: Sequence[Lexeme]) -> Problem:
    """The code of what was not read; an unknown word where a land is wanted is an unknown land (E1)."""
    code = why.code
    if code == "unknown":
        at = next((i for i, lexeme in enumerate(said) if lexeme is why.at), 0)
        before = [lexeme.kind for lexeme in said[:at] if lexeme.kind not in ("WORD", "TO")]
        code = "unknown-land" if before[-1:] in (["ENTER"], ["MOVE"]) else "not-understood"
        if any(kind in ("IF", "UNLESS", "WHILE") for kind in before):
            code = "condition-unknown"
    rules = {"condition-unknown": ("RM-10.5",), "unknown-land": ("RM-1.3",)}.get(code, ("RM-10.1",))
    facts = {} if why.at is None else {"word": why.at.text}
    return Problem(code, rules, facts)


def _suggest(plain: Plain, sentence: _Sentence, choices: list[Choice[o.Order]], number: int) -> Suggestion | None:
    """The nearest legal reading; of a card that is not on offer the wish for it (E3)."""
    refused = sentence.orders[min(sentence.refused)] if sentence.refused else None
    if isinstance(refused, o.Buy) and any(problem.code == "not-on-offer" for problem in sentence.problems):
        hoped = replace(refused, wishes=tuple(replace(wish, hoped=True) for wish in refused.wishes))
        return Suggestion(number, (hoped,), o.format_order(hoped))
    if sentence.orders or (sentence.problems and sentence.problems[0].code in ("condition-unknown", "unknown-land")):
        return None
    found = nearest(plain.quote(sentence.start, sentence.end), choices)
    return None if found is None else Suggestion(number, (found.order,), found.text)
