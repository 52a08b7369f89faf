"""Reads the orders of Realm-Master as people write them (rules, section 12): plans with conditions,
answers and deeds.

A sentence is read whole or not at all: a line of a plan that is not certain is never guessed, and
the rest of the plan stands (E14).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
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
from pbem.games.realm_master.reading.contrasts import without_contrasts
from pbem.games.realm_master.reading.ledger import Entry, Ledger
from pbem.games.realm_master.reading.lexing import lexemes_in
from pbem.games.realm_master.reading.lines import build
from pbem.games.realm_master.reading.offers import Offer, offers_of, suggest
from pbem.games.realm_master.reading.parts import (
    CONDITIONAL,
    VERBS,
    NotRead,
    Piece,
    parts_of,
    pieces_of,
    run_on,
    solid,
)
from pbem.games.realm_master.reading.rings import SAYING, TURNS, judge, unknown_beside
from pbem.games.realm_master.reading.scene import Scene
from pbem.games.realm_master.reading.sequence import step_of
from pbem.games.realm_master.reading.shaping import Segment, joined, segments_of, without_numbers
from pbem.games.realm_master.reading.ways import with_ways_on
from pbem.games.realm_master.reading.words import vocabulary
from pbem.grammar.house.commands import Leave, Letter
from pbem.grammar.house.statements import Said, Word, lines_of, place_of
from pbem.grammar.kit.binding import People, Person
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain, blanked, fold, normalise
from pbem.grammar.kit.reading import Item, Reading, Suggestion
from pbem.grammar.kit.suggesting import MOST_SUGGESTIONS
from pbem.grammar.kit.turning import turnings_of
from pbem.grammar.reading.rings import Judged, Ring, is_question
from pbem.grammar.reading.sentences import Clause, Sentence, sentences_of

LONGEST = 20_000
MOST_SENTENCES = 200
SHORT = 60
"""Characters of words that surely are meant for an answer to a question that is open."""
_BLANK = re.compile(r"\n[ \t]*\n")
_UNTICKED = re.compile(r"[ \t]*(?:[-*•][ \t]*)?\[ ?\][ \t]*\S")
_POLITE = frozenset(
    "i i'll i'd i'm please pls plz now then so ok okay yes thanks thank you thx well sorry".split()
)
_OBJECTION = re.compile(
    r"[^\n]*?\bobject to turn (\d{1,6})[ ,:]*(?:because|since|as)?[ ,:]*([^\n]*)", re.IGNORECASE
)
_OPENS = frozenset(
    "OR ELSE THEN NOT IF UNLESS WHILE ONLY ONLYIF WITH ARE EXCEPT HAVE EXIST BELOW LEAST MOST ABOVE"
    " EXACT".split()
)
"""What no sentence ends with."""
Moment = Literal["", "hit", "realm", "ultimatum"]
_HEADINGS: dict[str, Moment] = {"ULTIMATUM": "ultimatum", "WHENHIT": "hit", "OWNTURN": "realm"}
_MOMENTS: dict[str, Moment] = {"hit": "hit", "realm": "realm", "ultimatum": "ultimatum"}
_OWN_QUESTIONS = ("reroll", "second", "knuckle", "faces", "attack", "enter", "realm", "last")
DICE_STAGES = ("reroll", "second", "knuckle")
"""Questions that a number may answer."""
_OPEN = frozenset({"NEG", "NO", "CORRECT", "HEDGE"})
_EMPTY = _OPEN | {"SELF", "SOFT", "ALSO"}
"""Turning words, and those that mean nothing of their own: what only has these is about what was
said before it.
"""
_FACTS = frozenset({"what", "why", "how", "where", "whose", "whom", "did", "which way", "who"})
CONFIRM = "confirm-concede"
"""The problem of whoever gives the game up without having been asked whether that is meant."""
Check = Callable[[State, int, Standing[o.Order], Sequence[o.Order]], Checked[o.Order]]


@dataclass(slots=True)
class _Message:
    """One message on its way through."""

    plain: Plain
    scene: Scene
    player: int
    people: People
    ledger: Ledger = field(init=False)
    moment: Moment = ""
    pending: str = ""
    """A cue that nothing has followed yet."""
    hesitant: bool = False
    """`Hmm.`: what comes may be another word about what was said."""
    cut: bool = False
    text: str = ""

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.build)

    def build(self, pieces: Sequence[Piece], moment: Moment = "") -> list[o.Order]:
        """The orders of pieces. NotRead if there are none."""
        told = without_contrasts(pieces)
        try:
            return build(list(parts_of(told)), self.scene, moment)
        except NotRead:
            parted = run_on(told)
            if parted is None:
                raise
            return build(list(parts_of(parted)), self.scene, moment)

    def read(self, text: str) -> list[Entry]:
        self.text = text = self._lines(text)
        lexemes = lexemes_in(text, self.people, self.plain)
        told = sentences_of(self.plain, lexemes, VERBS - {"ULTIMATUM"}, frozenset(), _OPENS)
        for number, sentence in enumerate(joined(told, text)):
            if number >= MOST_SENTENCES:
                self.cut = True
                break
            self.sentence(sentence, text)
        entries = self.ledger.settle()
        return sorted(entries, key=lambda one: one.start)

    def _lines(self, text: str) -> str:
        """Lines that are taken as they stand: objections, and those with an empty box."""
        offset, taken = 0, []
        for line in text.splitlines(keepends=True):
            end = offset + len(line.rstrip())
            objection = _OBJECTION.match(line)
            if objection is not None:
                start, last = self.plain.span(
                    offset + objection.start(2), offset + objection.end(2)
                )
                reason = " ".join(self.plain.original[start:last].split()) or "no reason given"
                order = o.Objection(int(objection[1]), reason)
                self.ledger.entries.append(Entry(offset, end, [order]))
            elif _UNTICKED.match(line):
                self.ledger.entries.append(Entry(offset, end, problems=[_problem(None)]))
            if objection is not None or _UNTICKED.match(line):
                taken.append((offset, end))
            offset += len(line)
        return blanked(text, taken)

    # -------------------------------------------------------------------------------- one sentence
    def sentence(self, sentence: Sentence, text: str) -> None:
        said = solid(sentence.lexemes)
        moment, self.moment = self.moment, ""
        if not said and not any(clause.cue for clause in sentence.clauses):
            self.moment = moment
            self.hesitant |= any(x.kind == "HESITATION" for x in sentence.lexemes)
            return
        if len(said) == 1 and said[0].kind in _HEADINGS:
            self.moment = _HEADINGS[said[0].kind]
            return
        first, last = _span(sentence, text)
        canonical = parse_carelessly(self.plain.quote(first, last))
        if canonical is not None:
            entry = Entry(first, last, [canonical], pieces=[Piece("comma", said)])
            self.ledger.say(entry, hesitant=False)
            return
        if any(clause.cue == "draft" for clause in sentence.clauses) or (
            sentence.heads and any(x.kind in {"PAST", "STATEMENT"} for x in said)
        ):
            self.ledger.lost = True
        if is_question(sentence):
            self._question(sentence, said)
            return
        entries = self.ledger.entries
        if not moment and entries and said and said[0].kind == "THEN":
            own = any(step_of(order) is not None for order in entries[-1].orders)
            moment = "realm" if own and self.scene.at is not None else ""
        for segment in segments_of(sentence, begins=not self.ledger.standing):
            self._segment(segment, moment)

    def _question(self, sentence: Sentence, said: Sequence[Lexeme]) -> None:
        entry = Entry(said[0].start, said[-1].end, pieces=[Piece("comma", list(said))], asks=True)
        fact = sentence.lexemes[0].text in _FACTS
        if any(x.kind in SAYING for x in said) and not fact:
            entry.problems.append(Problem("loose-question", ("RM-10.1",)))
        before = self.ledger.standing
        self.ledger.add(entry)
        if not fact:
            self.ledger.question(said, before)
        if said[0].kind in {"OR", "ASKING"} and not any(x.kind in SAYING for x in said):
            self.ledger.doubt(before)  # `or should I?`

    def _segment(self, segment: Segment, moment: Moment) -> None:
        me, mine = self.player, self.scene.heroes.get(self.player, "")
        judged = judge(segment.clauses, me, mine)
        ordering = [one.clause for one in judged if one.ring is Ring.ORDER]
        lexemes = [x for clause in segment.clauses for x in clause.lexemes]
        cue, self.pending = segment.cue or self.pending, ""
        hesitant = self.hesitant or any(x.kind == "HESITATION" for x in lexemes[:1])
        self.hesitant = False
        if not ordering:
            self._talk(cue, judged, lexemes)
            return
        reasons = {x.kind for x in lexemes} - {x.kind for c in ordering for x in c.lexemes}
        if not moment and cue and self.ledger.standing:
            moment = self._moment_before()
        moment = moment or ("hit" if "HITS" in reasons else "")
        entry = self._entry(ordering, judged, moment)
        if cue:
            if self.ledger.turn(cue, entry):
                self.pending = cue
            return
        before = self.ledger.standing
        self.ledger.say(entry, hesitant=hesitant)
        if not entry.orders and entry not in before:
            vague = any(x.kind == "REFERS" for x in lexemes)
            forgets = any(x.kind == "FORGET" for x in lexemes)
            if not self.ledger.question(lexemes, before) and (forgets or vague or _hangs(lexemes)):
                self.ledger.doubt(before if forgets else before[-1:])

    def _moment_before(self) -> Moment:
        """Of a correction: when what is corrected is about, if it is about one moment alone."""
        last = self.ledger.standing[-1]
        keys = {o.key_of(order) for order in (*last.orders, *last.doubted)}
        return _MOMENTS.get(next(iter(keys)) or "", "") if len(keys) == 1 else ""

    def _entry(self, ordering: Sequence[Clause], judged: Sequence[Judged], moment: Moment) -> Entry:
        kept = [x for clause in ordering for x in clause.lexemes]
        entry = Entry(kept[0].start, kept[-1].end, adds=any(x.kind == "ALSO" for x in kept))
        odd = [
            *unknown_beside(judged),
            *(one.clause.lexemes[0] for one in judged if one.ring is Ring.BINDS),
        ]
        if odd:
            first, last = judged[0].clause.lexemes, judged[-1].clause.lexemes
            entry.start, entry.end = first[0].start, last[-1].end
        try:
            entry.pieces = pieces_of(ordering, self.plain.text)
            entry.orders = [] if odd else self.build(entry.pieces, moment)
        except NotRead as why:
            entry.caret = why.at
            entry.problems.append(_problem(why, kept))
        if odd:
            entry.caret = odd[0]
            entry.problems = [_problem(NotRead("not-understood", odd[0]), kept)]
        return entry

    def _talk(self, cue: str, judged: Sequence[Judged], lexemes: Sequence[Lexeme]) -> None:
        """What gives no order may still take the force from what was said."""
        ledger = self.ledger
        before = ledger.standing
        said = solid(lexemes)
        if cue:
            start = said[0].start if said else 0
            entry = Entry(
                start, said[-1].end if said else 0, pieces=[Piece("comma", said)] if said else []
            )
            if ledger.turn(cue, entry):
                self.pending = cue
            return
        if not said:
            self.hesitant = any(x.kind == "HESITATION" for x in lexemes)
            return
        told = any(one.ring is Ring.TOLD for one in judged)
        kinds = {x.kind for x in said}
        words = {word.kind for word in turnings_of(self.text, lexemes[0].start, lexemes[-1].end)}
        ledger.lost |= "DRAFT" in words
        if (
            kinds <= TURNS | {"NOT", "CONTRAST"}
            or "UNSETTLED" in kinds
            or (words & _OPEN and words <= _EMPTY)
        ):
            ledger.doubt(before)
            self.hesitant = True
        elif not told and any(one.ring is Ring.BINDS for one in judged):
            if not ledger.question(said, before) and _hangs(said):
                ledger.doubt(before[-1:])
        elif not told:
            ledger.question([x for x in said if x.kind not in {"NUM"}], before)


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
        message = _Message(plain, scene, player, people_of(state, player))
        entries = message.read(without_numbers(blanked(plain.text, _taken(plain, said))))
        if self.asks_back and said.answers is None:
            _ask_back(entries, plain)
        entries = _without_lone_questions(entries)
        _change_last_plan(entries, scene.last)
        checked = self._checked(state, player, standing, entries)
        told = [one for one in entries if one.orders or one.problems]
        items = tuple(self._items(plain, state, player, told))
        note = None
        if not items and not (checked is not None or said.is_heard):
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
            cut=message.cut or len(text) > LONGEST,
            own=own,
        )

    def _checked(
        self, state: State, player: int, standing: Standing[o.Order], entries: list[Entry]
    ) -> Checked[o.Order] | None:
        """Ask the engine about all orders at once and hand its problems to where they came from."""
        sent = [(entry, i) for entry in entries for i in range(len(entry.orders))]
        if not sent:
            return None
        checked = self.check(state, player, standing, [entry.orders[i] for entry, i in sent])
        for problem in checked.problems:
            if problem.order is not None:
                entry, i = sent[problem.order]
                entry.problems.append(problem)
                if not problem.warning:
                    entry.refused.add(i)
        return checked

    def _items(
        self, plain: Plain, state: State, player: int, entries: Sequence[Entry]
    ) -> Iterator[Item]:
        offers: list[Offer] | None = None
        given = 0
        for entry in entries:
            stands = [order for i, order in enumerate(entry.orders) if i not in entry.refused]
            suggestion = None
            if not stands and given < MOST_SUGGESTIONS and not entry.asks:
                if offers is None:
                    plans = (x for x in legal(state, player) if not is_deed(x) and not is_act(x))
                    offers = offers_of(plans, people_of(state, player))
                suggestion = _suggest(entry, offers, given + 1)
                given += suggestion is not None
            start, end = plain.span(entry.start, entry.end)
            caret = None
            if entry.caret is not None:
                first, last = plain.span(entry.caret.start, entry.caret.end)
                caret = (first - start, last - start) if start <= first and last <= end else None
            yield Item(
                quote=plain.original[start:end],
                caret=caret,
                orders=tuple(stands),
                texts=tuple(map(o.format_order, stands)),
                problems=tuple(entry.problems),
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
    turn = state.turn
    own = turn is not None and turn.player == player and state.asked == (player,)
    seat = state.players[player - 1]
    heroes = {held.number: held.hero for held in state.players if held.hero is not None}
    return Scene(
        state.stage if player in state.asked and state.stage != "round" else None,
        own and state.stage in _OWN_QUESTIONS,
        heroes,
        seat.plan.last,
        seat.at,
    )


def _span(sentence: Sentence, text: str) -> tuple[int, int]:
    """A sentence without its bullet and its last sign."""
    first, last = sentence.start, min(sentence.end, len(text))
    while first < last and text[first] in " \t\n-*•;":
        first += 1
    while last > first and text[last - 1] in " \t\n.;!":
        last -= 1
    return first, last


def _hangs(lexemes: Sequence[Lexeme]) -> bool:
    """Whether words that give no order say under which condition something holds, how many, or
    how often.
    """
    said = [x for x in solid(lexemes) if x.kind not in {"COMMON", "WORD"} or x.text.isalpha()]
    if not said:
        return False
    first = said[0].kind in CONDITIONAL or said[0].kind in {"COND", "TURN", "EXCEPT", "ONLY"}
    return first or {x.kind for x in said} <= {"NUM", "AND", "ALWAYS", "ONCE", "ONLY", "NOT"}


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
        letter = isinstance(one, Word) and isinstance(one.command, Letter)
        ends = _BLANK.search(plain.text, start, end) if letter else None
        places += [(start, ends.start())] if ends is not None else lines_of(plain, one)
    return places


def _is_leave(said: str) -> bool:
    """Whether a line says nothing but `leave`, with a slip or politely."""
    words = [word for word in re.findall(r"[\w']+", said) if word not in _POLITE]
    return len(words) == 1 and "leave" in (words[0], vocabulary().without_slip(words[0]))


def _change_last_plan(entries: Sequence[Entry], last: Sequence[o.Order]) -> None:
    """What is said beside `same as last time` takes the place of the line there that speaks of the
    same thing.
    """
    repeated = {id(order) for order in last}
    fresh = [order for entry in entries for order in entry.orders if id(order) not in repeated]
    for entry in entries:
        entry.orders = [
            order
            for order in entry.orders
            if id(order) not in repeated or not any(o.is_same_line(order, other) for other in fresh)
        ]


def _ask_back(entries: Sequence[Entry], plain: Plain) -> None:
    """Whoever gives up is asked once more, as by the button: it cannot be taken back (RM-7.9)."""
    for entry in entries:
        sure = any(lexeme.kind == "CONCEDED" for lexeme in entry.lexemes)
        if o.Concede() in entry.orders and not sure:
            entry.orders = [order for order in entry.orders if order != o.Concede()]
            entry.problems.append(Problem(CONFIRM, ("RM-7.9",)))


def _without_lone_questions(entries: list[Entry]) -> list[Entry]:
    """A message that does nothing but ask is no order, and goes to the game master as a note."""
    return [] if all(entry.asks for entry in entries) else entries


def _problem(why: NotRead | None, said: Sequence[Lexeme] = ()) -> Problem:
    """The code of what was not read; an unknown word where a land is wanted is an unknown land
    (E1).
    """
    if why is None:
        return Problem("not-understood", ("RM-10.1",))
    code = why.code
    if code == "unknown":
        at = next((i for i, lexeme in enumerate(said) if lexeme is why.at), 0)
        silent = ("WORD", "COMMON", "TO", "FILLER")
        before = [lexeme.kind for lexeme in said[:at] if lexeme.kind not in silent]
        code = "unknown-land" if before[-1:] in (["ENTER"], ["MOVE"]) else "not-understood"
        if any(kind in ("IF", "UNLESS", "WHILE") for kind in before):
            code = "condition-unknown"
    rules = {"condition-unknown": ("RM-10.5",), "unknown-land": ("RM-1.3",)}.get(code, ("RM-10.1",))
    facts = {} if why.at is None else {"word": why.at.text}
    return Problem(code, rules, facts)


def _suggest(entry: Entry, offers: Sequence[Offer], number: int) -> Suggestion | None:
    """What was surely meant, for want of a letter; of a card that is not on offer the wish for it
    (E3); what is asked back.
    """
    if any(problem.code == CONFIRM for problem in entry.problems):
        return Suggestion(number, (o.Concede(),), o.format_order(o.Concede()))
    refused = entry.orders[min(entry.refused)] if entry.refused else None
    missing = {x.facts.get("card") for x in entry.problems if x.code == "not-on-offer"}
    if isinstance(refused, o.Buy) and missing:
        wishes = tuple(
            replace(wish, hoped=wish.hoped or wish.card in missing) for wish in refused.wishes
        )
        hoped = replace(refused, wishes=wishes)
        return Suggestion(number, (hoped,), o.format_order(hoped))
    if entry.orders or not entry.problems or entry.problems[0].code == "condition-unknown":
        return None
    found = suggest(entry.lexemes, offers)
    return None if found is None else Suggestion(number, (found.order,), found.text)
