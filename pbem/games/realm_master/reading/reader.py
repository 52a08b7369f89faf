"""Reads the orders of Realm-Master as people write them (rules, section 12): plans with conditions,
answers and deeds.

A sentence is read whole or not at all: a line of a plan that is not certain is never guessed, and
the rest of the plan stands (E14).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.realm_master.checking.legal import legal
from engine.realm_master.checking.messages import check
from engine.realm_master.plans import is_act, is_deed
from engine.realm_master.state import State
from engine.realm_master.wording import parse_order
from engine.ruleset import Checked, Problem, Standing
from pbem.games.realm_master.reading.canonical import parse_carelessly
from pbem.games.realm_master.reading.discourse import Discourse, Sentence, cue_of, split
from pbem.games.realm_master.reading.lines import build
from pbem.games.realm_master.reading.offers import Offer, offers_of, suggest
from pbem.games.realm_master.reading.parts import FACES, VERBS, NotRead, parts_of
from pbem.games.realm_master.reading.scene import Scene
from pbem.games.realm_master.reading.sequence import step_of
from pbem.games.realm_master.reading.spoken import (
    TALKING,
    Spoken,
    is_unticked,
    join_sentences,
    sentences_of,
    without_numbers,
)
from pbem.games.realm_master.reading.ways import with_ways_on
from pbem.games.realm_master.reading.words import vocabulary
from pbem.grammar.house.commands import Leave, Letter
from pbem.grammar.house.statements import Said, Word, lines_of, place_of
from pbem.grammar.kit.binding import People, Person
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain, blanked, fold, normalise
from pbem.grammar.kit.reading import Item, Reading, Suggestion
from pbem.grammar.kit.suggesting import MOST_SUGGESTIONS

LONGEST = 20_000
MOST_SENTENCES = 200
SHORT = 60
"""Characters of words that surely are meant for an answer to a question that is open."""
_BLANK = re.compile(r"\n[ \t]*\n")
_POLITE = frozenset(
    "i i'll i'd i'm please pls plz now then so ok okay yes thanks thank you thx well sorry".split()
)
_REQUEST = re.compile(
    r"(?:(?:so|and|ok|hi|please),? )?(?:could you(?: please| kindly| maybe)?"
    r"|(?:can|would|will) you (?:please|kindly)|please (?:could|can|would) you"
    r"|(?:could|can|may) i (?:please )?(?:have|get))"
    r"(?!\w)"
)
"""What asks for an order, though it looks like a question."""
_OBJECTION = re.compile(
    r"[^\n]*?\bobject to turn (\d{1,6})[ ,:]*(?:because|since|as)?[ ,:]*([^\n]*)", re.IGNORECASE
)
_HEADINGS: dict[str, Literal["hit", "realm", "ultimatum"]] = {
    "ULTIMATUM": "ultimatum",
    "WHENHIT": "hit",
    "OWNTURN": "realm",
}
_OWN_QUESTIONS = ("reroll", "second", "knuckle", "faces", "attack", "enter", "realm", "last")
_SAYING = (
    VERBS
    | set(FACES)
    | {"CARD", "LAND", "HERO", "BEST", "CHEAPEST", "FIVE", "LONE", "REST", "SECOND"}
    | {"LIFE", "FORLIFE", "DAMAGE", "WHENHIT", "HITS"}
)
"""A sentence without any of these is talk."""
DICE_STAGES = ("reroll", "second", "knuckle")
"""Questions that a number may answer."""
_MODIFYING = frozenset(
    {
        "IF",
        "UNLESS",
        "WHILE",
        "ONLYIF",
        "ONLY",
        "EXCEPT",
        "ELSE",
        "WITH",
        "WHENHIT",
        "OWNTURN",
        "ALWAYS",
        "EARLY",
    }
)
"""What begins a sentence that says something of the one before it: `Only if Ben is weak.`"""
Moment = Literal["", "hit", "realm", "ultimatum"]
CONFIRM = "confirm-concede"
"""The problem of whoever gives the game up without having been asked whether that is meant."""
Check = Callable[[State, int, Standing[o.Order], Sequence[o.Order]], Checked[o.Order]]


@dataclass(frozen=True, slots=True)
class RealmMasterReader:
    """The order reader of the game; `check` is the engine's. `asks_back`: what cannot be taken back
    is asked about before it is taken.
    """

    check: Check = check
    asks_back: bool = True

    def read_canonical(self, state: State, text: str) -> o.Order:
        """The exact inverse of `format_order`. ValueError if the text is no canonical one."""
        return parse_order(text)

    def read(self, state: State, player: int, standing: Standing[o.Order], said: Said) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        text = said.text
        plain = normalise(text[:LONGEST])
        scene = scene_of(state, player)
        own: tuple[tuple[int, int], ...] = ()
        if scene.stage in ("hit", "realm", "ultimatum") or (
            state.stage == "round" and state.players[player - 1].at is not None
        ):
            own = _leaving(said)
            said = said.without(own)
        spans = _taken(plain, said)
        sentences, cut = _sentences(plain, spans, state, player, scene)
        if self.asks_back and said.answers is None:
            _ask_back(sentences)
        sentences = _without_lone_questions(sentences)
        _change_last_plan(sentences, scene.last)
        checked = self._checked(state, player, standing, sentences)
        items = tuple(
            self._items(
                plain, state, player, [one for one in sentences if one.orders or one.problems]
            )
        )
        heard = checked is not None or said.is_heard
        note = None
        if not items and not heard:
            whole = text.strip()
            if scene.stage is not None and 0 < len(whole) <= SHORT and "?" not in whole:
                items = (Item(quote=whole, problems=(Problem("not-understood", ("RM-10.1",)),)),)
            else:
                items = (Item(quote=whole[:200], problems=(Problem("no-order"),)),)
                note = whole or None
        after = checked.standing if checked is not None else standing
        return Reading(
            with_ways_on(items, state, player, people_of(state, player), after),
            checked=checked,
            note=note,
            cut=cut or len(text) > LONGEST,
            own=own,
        )

    def _checked(
        self, state: State, player: int, standing: Standing[o.Order], sentences: list[Sentence]
    ) -> Checked[o.Order] | None:
        """Ask the engine about all orders at once and hand its problems to the sentences they came
        from.
        """
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

    def _items(
        self, plain: Plain, state: State, player: int, sentences: Sequence[Sentence]
    ) -> Iterator[Item]:
        offers: list[Offer] | None = None
        given = 0
        for sentence in sentences:
            stands = [order for i, order in enumerate(sentence.orders) if i not in sentence.refused]
            suggestion = None
            if not stands and given < MOST_SUGGESTIONS and not sentence.is_question:
                if offers is None:
                    told = (
                        order
                        for order in legal(state, player)
                        if not is_deed(order) and not is_act(order)
                    )
                    offers = offers_of(told, people_of(state, player))
                suggestion = _suggest(sentence, offers, given + 1)
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
UNASKING = RealmMasterReader(asks_back=False)
"""The reader of the registry."""


def people_of(state: State, me: int | None) -> People:
    """Everybody at this table by name and colour."""
    return People(
        tuple(Person(seat.number, seat.name, seat.colour, seat.colour) for seat in state.players),
        me,
    )


def scene_of(state: State, player: int) -> Scene:
    """What this player's words are said to."""
    is_asked = player in state.asked
    turn = state.turn
    live = (
        turn is not None
        and turn.player == player
        and state.asked == (player,)
        and state.stage in _OWN_QUESTIONS
    )
    seat = state.players[player - 1]
    heroes = {held.number: held.hero for held in state.players if held.hero is not None}
    return Scene(
        state.stage if is_asked and state.stage != "round" else None,
        live,
        heroes,
        seat.plan.last,
        seat.at,
    )


def _leaving(said: Said) -> tuple[tuple[int, int], ...]:
    """For whoever stands in the Realm `leave` alone in a line is the hero's order; `quit` and
    `leave the table` are about the seat.
    """
    return tuple(
        one.span
        for one in said.statements
        if isinstance(one, Word)
        and isinstance(one.command, Leave)
        and _is_leave(fold(said.text[slice(*one.span)]))
    )


def _taken(plain: Plain, said: Said) -> list[tuple[int, int]]:
    """Where the house's words stand. A letter ends where its paragraph ends: what is below are
    orders again.
    """
    places: list[tuple[int, int]] = []
    for one in said.house:
        start, end = place_of(plain, one)
        is_letter = isinstance(one, Word) and isinstance(one.command, Letter)
        ends = _BLANK.search(plain.text, start, end) if is_letter else None
        places += [(start, ends.start())] if ends is not None else lines_of(plain, one)
    return places


def _is_leave(said: str) -> bool:
    """Whether a line says nothing but `leave`, with a slip or politely."""
    words = [word for word in re.findall(r"[\w']+", said) if word not in _POLITE]
    return len(words) == 1 and "leave" in (words[0], vocabulary().without_slip(words[0]))


def _change_last_plan(sentences: Sequence[Sentence], last: Sequence[o.Order]) -> None:
    """What is said beside `same as last time` takes the place of the line there that speaks of the
    same thing.
    """
    repeated = {id(order) for order in last}
    fresh = [
        order for sentence in sentences for order in sentence.orders if id(order) not in repeated
    ]
    for sentence in sentences:
        sentence.orders = [
            order
            for order in sentence.orders
            if id(order) not in repeated or not any(o.is_same_line(order, other) for other in fresh)
        ]


def _ask_back(sentences: Sequence[Sentence]) -> None:
    """Whoever gives up is asked once more, as by the button: it cannot be taken back (RM-7.9)."""
    for sentence in sentences:
        if o.Concede() in sentence.orders and not any(
            lexeme.kind == "CONCEDED" for lexeme in sentence.lexemes
        ):
            sentence.orders = [order for order in sentence.orders if order != o.Concede()]
            sentence.problems.append(Problem(CONFIRM, ("RM-7.9",)))


def _without_lone_questions(sentences: list[Sentence]) -> list[Sentence]:
    """A message that does nothing but ask is no order, and goes to the game master as a note."""
    is_asking = all(sentence.is_question for sentence in sentences)
    return [] if is_asking else sentences


def _sentences(
    plain: Plain, spans: Sequence[tuple[int, int]], state: State, player: int, scene: Scene
) -> tuple[list[Sentence], bool]:
    text = without_numbers(blanked(plain.text, spans))
    told = Discourse(text, lambda lexemes: _orders_of(lexemes, scene))
    found = told.found
    moment: Moment = ""
    offset = 0
    people = people_of(state, player)
    block: list[Spoken] = []
    for line in [*text.splitlines(keepends=True), "\n"]:
        objection = _OBJECTION.match(line)
        if objection is None and line.strip() and not is_unticked(line):
            for spoken in sentences_of(plain, line, offset, people):
                if spoken.lexemes:  # a dash alone says nothing
                    block += [spoken] if _is_canonical(plain, spoken) else split(text, spoken)
            offset += len(line)
            continue
        for spoken in join_sentences(block, lambda one: cue_of(text, one) is not None):
            if not moment and found and spoken.lexemes[0].kind == "THEN":
                is_own = any(step_of(order) is not None for order in found[-1].orders)
                moment = "realm" if is_own and scene.at is not None else ""
            sentence, moment = _read_sentence(plain, spoken, scene, moment, is_first=not found)
            if not moment:
                told.say(sentence, spoken)
            if len(found) > MOST_SENTENCES:
                del found[MOST_SENTENCES:]
                return told.settle(), True
        block = []
        if is_unticked(line):
            told.leave_out(Sentence(offset, offset + len(line.rstrip())))
        if objection is not None:
            start, end = plain.span(offset + objection.start(2), offset + objection.end(2))
            reason = " ".join(plain.original[start:end].split()) or "no reason given"
            found.append(
                Sentence(
                    offset, offset + len(line.rstrip()), [o.Objection(int(objection[1]), reason)]
                )
            )
        offset += len(line)
    return told.settle(), False


def _is_canonical(plain: Plain, spoken: Spoken) -> bool:
    return parse_carelessly(plain.quote(spoken.start, spoken.end).strip()) is not None


def _orders_of(lexemes: Sequence[Lexeme], scene: Scene) -> list[o.Order] | None:
    try:
        return build(list(parts_of(lexemes)), scene)
    except NotRead:
        return None


def _read_sentence(
    plain: Plain, spoken: Spoken, scene: Scene, moment: Moment, *, is_first: bool
) -> tuple[Sentence, Moment]:
    """A sentence, which says nothing if it is talk, and what the next one is about if this one is a
    mere heading (`Ultimatum?`).
    """
    sentence = Sentence(spoken.start, spoken.end, lexemes=spoken.lexemes)
    said = [lexeme for lexeme in spoken.lexemes if lexeme.kind != "FILLER"]
    if not said or all(lexeme.kind in ("COMMA", "DASH", "COLON") for lexeme in said):
        return sentence, moment
    heading = [lexeme for lexeme in said if lexeme.kind != "COLON"]
    if len(heading) == 1 and heading[0].kind in _HEADINGS:
        return sentence, _HEADINGS[heading[0].kind]
    is_order = any(lexeme.kind in _SAYING for lexeme in said) or (
        scene.stage in DICE_STAGES and any(lexeme.kind in ("NUM", "AGAIN") for lexeme in said)
    )
    asked_for = _REQUEST.match(plain.text, sentence.start, sentence.end)
    if asked_for is not None:
        rest = [lexeme for lexeme in spoken.lexemes if lexeme.start >= asked_for.end()]
        orders = _orders_of(rest, scene)
        if orders is not None:
            sentence.orders = orders
            return sentence, ""
    if spoken.is_question:
        sentence.is_question = True
        if is_order:
            sentence.problems.append(Problem("loose-question", ("RM-10.1",)))
        return sentence, ""
    canonical = parse_carelessly(plain.quote(sentence.start, sentence.end).strip())
    if canonical is not None:
        sentence.orders, sentence.is_canonical = [canonical], True
        return sentence, ""
    if not is_order and (
        is_first or said[0].kind not in _MODIFYING or {lexeme.text for lexeme in said} & TALKING
    ):
        return sentence, ""  # talk
    try:
        sentence.orders = build(list(parts_of(spoken.lexemes)), scene, moment)
    except NotRead as why:
        sentence.caret = why.at
        sentence.problems.append(_problem(why, said))
    return sentence, ""


def _problem(why: NotRead, said: Sequence[Lexeme]) -> Problem:
    """The code of what was not read; an unknown word where a land is wanted is an unknown land
    (E1).
    """
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


def _suggest(sentence: Sentence, offers: Sequence[Offer], number: int) -> Suggestion | None:
    """What was surely meant, for want of a letter; of a card that is not on offer the wish for it
    (E3); what is asked back.
    """
    if any(problem.code == CONFIRM for problem in sentence.problems):
        return Suggestion(number, (o.Concede(),), o.format_order(o.Concede()))
    refused = sentence.orders[min(sentence.refused)] if sentence.refused else None
    missing = {
        problem.facts.get("card") for problem in sentence.problems if problem.code == "not-on-offer"
    }
    if isinstance(refused, o.Buy) and missing:
        hoped = replace(
            refused,
            wishes=tuple(
                replace(wish, hoped=wish.hoped or wish.card in missing) for wish in refused.wishes
            ),
        )
        return Suggestion(number, (hoped,), o.format_order(hoped))
    if sentence.orders or not sentence.problems or sentence.problems[0].code == "condition-unknown":
        return None
    found = suggest(sentence.lexemes, offers)
    return None if found is None else Suggestion(number, (found.order,), found.text)
