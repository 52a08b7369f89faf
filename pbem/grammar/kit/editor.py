"""Edits of the orders that stand: add, replace, remove, clear, keep. They are done before the game
reads the rest of the message.
"""

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from msgspec.structs import replace

from engine.ruleset import Problem, Standing
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.edits import All, Described, Edit, Numbers, Ref, Rest, edits_in
from pbem.grammar.kit.normalise import Plain, blanked, normalise
from pbem.grammar.kit.reading import Item, Reading
from pbem.grammar.kit.returned import may_quote, returned_in
from pbem.grammar.kit.sheet import Sheet

OrderT = TypeVar("OrderT")
LONGEST = 20_000
WHICH = "which-line"
"""The problem of words that may mean several of the lines that stand."""
UNREAD = "not-understood"
LOCKED = "already-final"


def edited(sheet: Sheet[OrderT], said: Said) -> Reading:
    """What a message comes to with its edits of what stands."""
    if not sheet.orders and not may_quote(said.text):
        return sheet.read(sheet.standing, said)
    plain = normalise(said.text[:LONGEST])
    back = returned_in(plain, sheet.texts, sheet.parse)
    marked = [(edit.start, edit.end) for edit in back.edits]
    places = [*back.quoted, *(place for place, _ in back.again)]
    quoted = said.edited(plain, back.quoted) if back.quoted else said
    left = blanked(plain.text, [*said.taken(plain), *places, *marked])
    edits = [*back.edits, *edits_in(left)] if sheet.orders else []
    editing = _Editing(sheet, plain, back.listed)
    try:
        editing.resolve(edits)
    except _Unsure:
        return sheet.read(sheet.standing, quoted)
    if editing.items or any(one.operation != "keep" or not one.refs for one, _ in editing.done):
        return editing.reading(said.edited(plain, [*places, *editing.spans]))
    reading = sheet.read(sheet.standing, quoted)
    if editing.done and _is_refused(reading):  # `keep the rest, but no attack`
        beside = sheet.read(sheet.standing, said.edited(plain, [*places, *editing.spans]))
        return beside if beside.items and not _is_refused(beside) else reading
    if not back.again or not _is_doubled(sheet, reading):
        return reading
    editing.items = [
        Item(plain.quote(*place).strip(), None, (sheet.orders[i],), (sheet.texts[i],))
        for place, i in back.again
    ]
    return editing.reading(said.edited(plain, places))


def _is_refused(reading: Reading) -> bool:
    return any(not one.warning for item in reading.items for one in item.problems)


def _is_doubled(sheet: Sheet[OrderT], reading: Reading) -> bool:
    """Whether a line that was said again stands twice now."""
    after = reading.checked.standing.orders if reading.checked is not None else ()
    return any(after.count(x) > sheet.standing.orders.count(x) > 0 for x in {*after})


class _Unsure(Exception):
    """Nobody can tell what to edit: the message is left to its game."""


@dataclass
class _Editing(Generic[OrderT]):
    """The edits of one message."""

    sheet: Sheet[OrderT]
    plain: Plain
    listed: Sequence[int | None]
    """Which lines a list that the writer quotes has, in its order."""
    gone: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)
    done: list[tuple[Edit, list[int]]] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)

    def resolve(self, edits: Sequence[Edit]) -> None:
        """Find the lines of all edits; what may be no edit is left where it is."""
        named: set[int] = set()
        for edit in sorted(edits, key=lambda one: Rest in map(type, one.refs)):
            if self._is_game(edit):
                if edit.operation == "keep" and edit.refs:
                    raise _Unsure
                continue
            places: list[int] = []
            for ref in edit.refs:
                found = self._places(edit, ref)
                if found is None:
                    break
                places += found
            else:
                if Rest in map(type, edit.refs) and edit.operation == "drop":
                    if not (named or places):
                        raise _Unsure
                    self.kept |= {*places}
                    places = [
                        i for i in range(len(self.sheet.orders)) if i not in named | {*places}
                    ]
                named |= {*places}
                self._enter(edit, places)
        if self.gone & self.kept:
            raise _Unsure

    def _enter(self, edit: Edit, places: list[int]) -> None:
        if edit.operation == "keep":
            self.kept |= {*places}
        elif self.gone & {*places}:
            raise _Unsure
        else:
            self.gone |= {*places}
        self.done.append((edit, places))
        self.spans.append((edit.start, edit.end))

    def _is_game(self, edit: Edit) -> bool:
        """Whether such words are an order of the game, or of the message they stand in."""
        described = [one.words for one in edit.refs if isinstance(one, Described)]
        if edit.is_weak or described or (edit.refs == (Rest(),) and edit.operation == "drop"):
            alone = self._read(edit.start, edit.end)
            if alone and not self.kept:
                return True
        nth = any(isinstance(one, Numbers) and one.nth for one in edit.refs)
        if not described and not nth:
            return False
        own = self._read(0, edit.start)
        if nth and len(own) > 1 and not self.listed:
            raise _Unsure
        texts = dataclasses.replace(cast("Sheet[Any]", self.sheet), orders=own, tell=str)
        return any(texts.described(words)[0] for words in described)

    def _read(self, start: int, end: int) -> list[str]:
        """The orders that the game takes of a part of the message."""
        words = Said(self.plain.quote(start, end)) if start < end else Said("")
        reading = self.sheet.read(self.sheet.standing, words) if words.text.strip() else Reading()
        return [text for item in reading.items for text in item.texts]

    def _places(self, edit: Edit, ref: Ref) -> list[int] | None:
        """The lines that are meant; None: it is not an edit, or needs a question."""
        count = len(self.sheet.orders)
        match ref:
            case All():
                return [*range(count)]
            case Rest():
                return []
            case Numbers(numbers):
                return self._numbered(edit, numbers, ref)
            case Described(words, several, firm):
                found, whole = self.sheet.described(words, firm=firm)
                many = several or self.sheet.names_several(words)
                if found and whole and (len(found) == 1 or many):
                    return found
                if edit.operation == "keep":
                    raise _Unsure
                if len(found) > 1 and whole and not edit.is_weak:
                    self._ask(edit, found)
        return None

    def _numbered(self, edit: Edit, numbers: Sequence[int], ref: Numbers) -> list[int] | None:
        count = len(self.listed or self.sheet.orders)
        places: list[int] = []
        for number in numbers:
            if not 0 <= number <= count:
                stored = len(self.sheet.orders)
                facts = {"number": number, "count": stored, "stored": stored}
                self._tell(edit, Problem(self.sheet.no_line, facts=facts))
                return None
            at = (number or count) - 1
            place = self.listed[at] if self.listed else at
            if place is None:
                raise _Unsure
            called = [] if not ref.plain else self._called(number)
            if called and called != [place]:
                self._ask(edit, sorted({*called, place}))
                return None
            places.append(place)
        return places

    def _called(self, number: int) -> list[int]:
        """The lines for something that has this number for its name."""
        named = re.compile(rf"\D+{number}")
        subjects = map(self.sheet.subject, self.sheet.orders)
        return [i for i, subject in enumerate(subjects) if named.fullmatch(subject)]

    def _ask(self, edit: Edit, places: Sequence[int]) -> None:
        lines = tuple(f"{i + 1}. {self.sheet.texts[i]}" for i in places)
        words = self.plain.quote(*edit.new).strip() if edit.new is not None else ""
        verb, end = {"change": ("change", f" to {words}"), "keep": ("keep", "")}.get(
            edit.operation, ("cancel", "")
        )
        ways = tuple(f"{verb} {i + 1}{end}" for i in places)
        self._tell(edit, Problem(WHICH, facts={"lines": lines, "ways": ways}))

    def _tell(self, edit: Edit, problem: Problem) -> None:
        self.items.append(Item(self._quote(edit), problems=(problem,)))
        self.spans.append((edit.start, edit.end))

    def _quote(self, edit: Edit) -> str:
        return self.plain.quote(edit.start, edit.end).strip()

    # ------------------------------------------------------------------ what the edits come to
    def reading(self, rest: Said) -> Reading:
        """The whole message: the result of the edits, and the reading of the rest."""
        sheet = self.sheet
        again = [order for item in self.items for order in item.orders]
        base, accepted, made = self._made()
        removed = [sheet.orders[i] for i in sorted(self.gone)]
        new = [order for _, order in made]
        before = sheet.check(base, new)
        reading = sheet.read(before.standing, rest) if rest.is_more else Reading()
        after = reading.checked or sheet.check(before.standing, ())
        fallen = [order for order in after.replaced if order not in new]
        taken = reading.checked.accepted if reading.checked is not None else ()
        checked = replace(
            after,
            accepted=(*again, *accepted, *before.accepted, *taken),
            standing=self._in_place(after.standing, made),
            replaced=(*removed, *before.replaced, *fallen),
        )
        return replace(reading, items=(*self.items, *reading.items), checked=checked)

    def _made(self) -> tuple[Standing[OrderT], list[OrderT], list[tuple[int, OrderT]]]:
        """What is left of the standing, the game's own orders that took lines back, and what takes
        the place of lines. A line with nothing sure to take its place stays.
        """
        fallen: set[int] = set()
        while True:
            base, accepted, problems = self._without(sorted(self.gone))
            if problems:
                self.gone.clear()
            made: list[tuple[int, OrderT]] = []
            failed: list[tuple[Edit, int, tuple[Problem, ...]]] = []
            for edit, places in self.done:
                if edit.operation == "change" and not fallen & {*places} and not problems:
                    order, why = self._new(edit, places, base)
                    if order is None:
                        failed.append((edit, places[0], why))
                    else:
                        made.append((places[0], order))
            if not failed:
                self._tell_done(accepted, dict(made), fallen, problems)
                return base, accepted, made
            for edit, place, why in failed:
                self.items.append(Item(self._quote(edit), problems=why))
                fallen.add(place)
            self.gone -= fallen

    def _tell_done(
        self,
        accepted: Sequence[OrderT],
        made: dict[int, OrderT],
        fallen: set[int],
        problems: tuple[Problem, ...],
    ) -> None:
        """An item for each edit that was done."""
        sheet = self.sheet
        taken = dict(zip(sorted(self.gone), accepted, strict=False))
        is_whole = len(accepted) < len(self.gone)
        told: list[Item] = []
        for edit, places in self.done:
            if edit.operation == "keep" or fallen & {*places}:
                continue
            orders = [made[i] for i in places if i in made]
            cancels = accepted if is_whole else [taken[i] for i in places if i in taken]
            both = (*(cancels if accepted else ()), *orders)
            told.append(
                Item(
                    self._quote(edit),
                    orders=tuple(both),
                    texts=tuple(map(sheet.tell, both)),
                    problems=tuple(problems),
                    dropped=tuple(sheet.texts[i] for i in places if i in self.gone),
                )
            )
        self.items[:0] = told

    def _without(
        self, places: Sequence[int]
    ) -> tuple[Standing[OrderT], list[OrderT], tuple[Problem, ...]]:
        """The standing without these lines, by the game's own orders where it has some."""
        sheet = self.sheet
        gone = [sheet.orders[i] for i in places]
        if not gone:
            return sheet.standing, [], ()
        locked = sheet.check(sheet.standing, gone[:1]).problems
        if any(problem.code == LOCKED for problem in locked):
            return sheet.standing, [], locked[:1]
        offset = len(sheet.orders) - sum(x in sheet.orders for x in sheet.standing.orders)
        stays = tuple(x for i, x in enumerate(sheet.orders) if i not in {*places} and i >= offset)
        clears = any(edit.operation == "clear" for edit, _ in self.done)
        ways = [[sheet.cancel(None)]] if clears and len(places) == len(sheet.orders) else []
        refused: tuple[Problem, ...] = ()
        for cancels in (*ways, [sheet.cancel(i) for i in places]):
            orders = [order for order in cancels if order is not None]
            if len(orders) < len(cancels):
                continue
            checked = sheet.check(sheet.standing, orders)
            refused = tuple(one for one in checked.problems if not one.warning)
            left = tuple(x for x in checked.standing.orders if x in sheet.standing.orders)
            if not refused and left == stays:
                return checked.standing, orders, ()
        return (Standing(stays), [], ()) if not refused else (sheet.standing, [], refused)

    def _new(
        self, edit: Edit, places: Sequence[int], base: Standing[OrderT]
    ) -> tuple[OrderT | None, tuple[Problem, ...]]:
        """The one order that new words mean in the place of a line, or why there is none."""
        sheet, unread = self.sheet, (Problem(UNREAD),)
        words = self.plain.quote(*edit.new).strip() if edit.new is not None else ""
        bare = re.sub(r"(?i)\A(?:only|just|be|it) | (?:only|just)\Z", "", words)
        plain = any(isinstance(ref, Numbers) and ref.plain for ref in edit.refs)
        if len(places) != 1 or (plain and re.fullmatch(r"\W*\d*\W*", words)):
            return None, unread
        old = sheet.orders[places[0]]
        told_of = f"{sheet.texts[places[0]]}. No wait, "
        said = (words, told_of + words, told_of + bare, f"{sheet.subject(old)} {bare}")
        why: tuple[Problem, ...] = ()
        for text in said:
            reading = sheet.read(base, Said(text))
            orders = reading.checked.accepted if reading.checked is not None else ()
            told = tuple(one for item in reading.items for one in item.problems if not one.warning)
            if len(orders) == 1 and not told and orders[0] != old:
                return orders[0], ()
            is_read = told and not any(one.code in {UNREAD, "no-order", "unused"} for one in told)
            why = why or (told[:1] if is_read and text == words else ())
        return None, why or unread

    def _in_place(
        self, standing: Standing[OrderT], made: Sequence[tuple[int, OrderT]]
    ) -> Standing[OrderT]:
        """With new lines where the old ones stood, if they stand there as well."""
        sheet = self.sheet
        if not made or len(sheet.orders) != len(sheet.standing.orders):
            return standing
        where = dict(zip(map(id, sheet.orders), range(len(sheet.orders)), strict=True))
        places = {sheet.tell(order): place for place, order in made}
        numbered = [
            (places.get(sheet.tell(x), where.get(id(x), len(where) + i)), i, x)
            for i, x in enumerate(standing.orders)
        ]
        orders = tuple(x for _, _, x in sorted(numbered, key=lambda one: one[:2]))
        moved = sheet.check(replace(standing, orders=orders), ())
        same = moved.standing.orders == orders and not moved.problems
        return replace(standing, orders=orders) if same else standing
