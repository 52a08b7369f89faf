"""What the sentences of a message come to, in order, and what those that follow do to them: take
back, correct, make uncertain. What a cue reaches stands in the table of reach; in doubt the larger
reach counts, and all of it is asked about.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.realm_master import orders as o
from engine.ruleset import Problem
from pbem.games.realm_master.reading.amendments import amended, is_same, join_both
from pbem.games.realm_master.reading.entries import CLASSES, NAMED, PieceEntry, thing_of
from pbem.games.realm_master.reading.exchanges import exchanges
from pbem.games.realm_master.reading.parts import VERBS, NotRead, Piece
from pbem.games.realm_master.reading.sequence import enters, follows, leaves
from pbem.grammar.kit.discourse import CueRow, row_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.reading.ledger import Ledger

_EMPTY = frozenset({"TO", "ARE", "YES", "NOT"})
_STANCES = ("hit", "realm", "ultimatum")
_KEYS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("REROLL", "KEEP"), ("reroll", "second")),
    **dict.fromkeys(("STAY", "LEAVE", "MOVE", "BLEED", "WHENHIT", "OWNTURN"), _STANCES),
    **dict.fromkeys(("ENTER", "STAYOUT"), ("enter",)),
    **dict.fromkeys(("REVEAL", "TAKEIT", "COVER"), ("reveal",)),
    **dict.fromkeys(("TRADE", "LIFE", "FORLIFE"), ("life",)),
    **dict.fromkeys(("BUY", "SAVE"), ("buy",)),
    "ATTACK": ("attack",),
    "PLAY": ("play", "smoke"),
    "TRIBUTE": ("tribute",),
    "ULTIMATUM": ("ultimatum",),
    "LOOT": ("loot",),
    "RFACE": ("faces",),
    "WANT": ("hero",),
}
"""Of which keys of a plan a word speaks."""
_ASKED = Problem("not-understood", ("RM-10.1",))


Build = Callable[[Sequence[Piece]], list[o.Order]]


@dataclass(slots=True)
class PieceLedger(Ledger[PieceEntry]):
    """The entries of a message; `build` makes orders of pieces."""

    build: Build = field(kw_only=True)
    lost: bool = False
    """The message itself says that it does not count."""

    def aims_at_another(self, said: Sequence[Lexeme]) -> bool:
        """Whether these name a player, and the last that stands is meant for another one."""
        latest = self.latest
        aims = {x.value for x in latest.lexemes if x.kind == "WHO"} if latest else set()
        return bool(aims) and any(x.kind == "WHO" and x.value not in aims for x in said)

    def add(self, entry: PieceEntry) -> None:
        last = self.entries[-1] if self.entries else None
        if last is not None and join_both(last, entry):
            return
        if entry.orders or entry.problems:
            self.entries.append(entry)

    def say(self, entry: PieceEntry, *, hesitant: bool) -> None:
        """Add an entry that no cue turns; what was put in question and is said again is not asked
        about.
        """
        before = self.standing
        self.add(entry)
        if not entry.orders:
            return
        self._replace(entry, before, all_=hesitant)
        if o.Drop() in entry.orders:  # `cancel all`: what is said here, too?
            self.doubt(before)
        for order in [*entry.orders]:
            if isinstance(order, o.Drop) and order.key is not None and self._says(order.key):
                self.doubt(before, {order.key})
                entry.orders.remove(order)  # it is of this message that it is taken back
        after = entry.lexemes and entry.lexemes[0].kind == "THEN"
        if after and before and not follows(before[-1].orders, entry.orders):
            self.doubt([before[-1], entry])

    def turn(self, cue: str, entry: PieceEntry) -> bool:
        """Let an entry behind a cue work on those before it; whether the cue waits for more."""
        before = self.standing
        if entry.is_turned and before:
            self._disturb(row_of(cue, "talk"), entry, before)
            return False  # `enter Jerum, no wait, Arub, perhaps`
        if not before:
            if cue == "correct" and any(map(_says_yes, entry.orders)):
                entry.orders, entry.problems = [], [_ASKED]  # `no, attack`
            self._mention(entry)
            self.say(entry, hesitant=False)
            return False
        if cue == "soft" and [x.kind for x in entry.lexemes] == ["WHO"]:
            if self.aims_at_another(entry.lexemes):
                self.doubt(before[-1:])  # `Cutpurse on Ben. Sorry, Dora!`: whom is that said to?
            return False
        swapped = None if entry.adds else self._swapped(before[-1], entry.pieces)
        if swapped is not None and row_of(cue, "place").deed == "replace":
            self._take(entry, swapped)
            return False
        if swapped is not None:
            entry.orders = []  # `forget Jerum`
        told = self._again(entry.orders, before)
        kind = self._follows(entry, told, before)
        if told:
            self._correct(row_of(cue, kind), entry, told, before)
            return False
        return self._disturb(row_of(cue, kind), entry, before)

    def _correct(
        self, row: CueRow, entry: PieceEntry, told: list[o.Order], before: Sequence[PieceEntry]
    ) -> None:
        """An order behind a cue: in the place of what is about the same, or all of it asked."""
        same = row.follows == "same"
        if same and entry.adds:
            self.say(entry, hesitant=False)
            return
        if same and any(x.kind == "SAME" for x in before[-1].lexemes):
            self.doubt([*before, entry])  # `same as last time, no: enter Kurull`
        elif same:
            entry.orders = told
            self._replace(entry, before)
            if row.cue == "retract" or any(x.kind == "ONLY" for x in entry.lexemes):
                self.doubt(before)
        elif row.deed == "back":
            self.doubt(before)
        elif row.deed != "add" and not entry.adds:
            self.doubt([before[-1], entry])
        self.add(entry)

    def _disturb(self, row: CueRow, entry: PieceEntry, before: Sequence[PieceEntry]) -> bool:
        """What gives no order behind a cue; whether the cue waits for more."""
        kinds = {x.kind for x in entry.lexemes}
        if row.follows == "nothing":
            if row.deed != "add" or "NOT" in kinds:
                self.doubt(before)
            return True
        self._mention(entry)
        self.add(entry)
        if row.deed == "add" and not entry.problems:
            return True
        if "ONLY" in kinds:
            self.doubt(before)  # `no, only attack`
        elif not self.question(entry.lexemes, before):
            self.doubt(before if row.reach == "message" else before[-1:])
        return row.follows == "talk"

    def _mention(self, entry: PieceEntry) -> None:
        """The problem of order words that give no order."""
        named = any(x.kind in VERBS or x.kind in NAMED for x in entry.lexemes)
        if named and not entry.orders and not entry.problems:
            entry.problems.append(_ASKED)

    def _again(self, orders: list[o.Order], before: Sequence[PieceEntry]) -> list[o.Order]:
        """Of a mere `stay` or `leave` that which was spoken of."""
        if [o.key_of(order) for order in orders] != ["hit", "realm"]:
            return orders
        old = [order for one in before for order in (*one.orders, *one.doubted)]
        return [x for x in orders if any(is_same(one, x) for one in old)] or orders

    def _follows(
        self, entry: PieceEntry, told: Sequence[o.Order], before: Sequence[PieceEntry]
    ) -> str:
        if told:
            old = [order for one in before for order in (*one.orders, *one.doubted)]
            same = any(is_same(one, new) for one in old for new in told)
            return "same" if same else "other"
        said = {x.kind for x in entry.lexemes} - _EMPTY
        if not said:
            return "nothing"
        return "place" if said & (VERBS | CLASSES.keys()) else "talk"

    def _take(self, entry: PieceEntry, swapped: tuple[list[Piece], list[o.Order]]) -> None:
        entry.pieces, entry.orders = swapped
        entry.problems, entry.caret = [], None
        last = self.standing[-1]
        if not entry.start:
            entry.start = last.start
        last.orders, last.doubted = [], []
        self.entries.append(entry)

    # ----------------------------------------------------------------------------- putting in doubt
    def doubt(self, entries: Iterable[PieceEntry], keys: Collection[str] | None = None) -> None:
        """Put in question what these say, of these keys of a plan alone if any are given."""
        for one in entries:
            now = [order for order in one.orders if keys is None or o.key_of(order) in keys]
            one.doubted += now
            one.orders = [order for order in one.orders if order not in now]

    def question(self, named: Sequence[Lexeme], before: Sequence[PieceEntry]) -> bool:
        """Put in question what words that are not read speak of; whether there is such a thing."""
        named = [x for x in named if x.kind != "WHO"]  # whose name stands below a letter
        kinds = {x.kind for x in named}
        keys = {key for kind in kinds for key in _KEYS.get(kind, ())}
        things = {thing_of(x) for x in named if x.kind in CLASSES}
        likes = {CLASSES[kind] for kind in kinds & CLASSES.keys()} - {"NUM"}
        if kinds and kinds <= {"NUM", "AND", "TO", "ARE"}:
            likes.add("NUM")  # `2 and 4`
        count = sum(len(one.doubted) for one in before)
        self.doubt(before, keys)
        alike = likes if len(likes) == 1 and not kinds & VERBS else set()
        for one in before if things or alike else ():
            said = one.lexemes
            if (things and things & {thing_of(x) for x in said if x.kind != "NUM"}) or (
                alike and alike & {CLASSES.get(x.kind) for x in said}
            ):
                self.doubt([one])
        return count < sum(len(one.doubted) for one in before)

    def _replace(
        self, entry: PieceEntry, before: Sequence[PieceEntry], *, all_: bool = True
    ) -> None:
        """Lines before that are about the same are left out; of those in question alone unless all.

        Where a list is corrected in one of its parts, it is not clear what becomes of the others.
        """
        for one in before if all_ else [one for one in before if one.doubted]:
            for held in (one.orders, one.doubted) if all_ else (one.doubted,):
                for order in [*held]:
                    new = next((new for new in entry.orders if is_same(order, new)), None)
                    if new is None:
                        continue
                    held.remove(order)
                    both = amended(order, new)
                    if both is None:
                        one.doubted.append(order)
                        self.doubt([entry], {o.key_of(new) or ""})
                    else:
                        entry.orders[entry.orders.index(new)] = both

    def _says(self, key: str) -> bool:
        said = (order for one in self.entries for order in one.orders)
        return any(o.key_of(order) == key for order in said if not isinstance(order, o.Drop))

    # ----------------------------------------------------------------------------------- fragments
    def _swapped(
        self, last: PieceEntry, fragment: Sequence[Piece]
    ) -> tuple[list[Piece], list[o.Order]] | None:
        """The entry before with a fragment in the place of what it corrects: `Enter Jerum. No,
        Arub.`
        """
        rest = list(fragment[1:])
        if rest and any(x.kind in VERBS for piece in rest for x in piece.lexemes):
            fragment = fragment[:1]  # `sorry, up to 3, take it if ...`
        else:
            rest = []
        said = [x for piece in fragment for x in piece.lexemes]
        only = any(x.kind == "ONLY" for x in said)
        said = [x for x in said if x.kind not in {"ONLY", "ARE", "YES"}]
        denied = [i for i, x in enumerate(said) if x.kind == "NOT"]
        if not said or {x.kind for x in said} & VERBS or len(last.orders) + len(last.doubted) != 1:
            return None
        for pieces in exchanges(last, said, denied, only=only):
            try:
                pieces += rest
                orders = self.build(pieces)
            except NotRead:
                continue
            old = (*last.orders, *last.doubted)[0]
            if len(orders) == 1 and is_same(old, orders[0]):
                return pieces, orders
        return None

    # ---------------------------------------------------------------------------------- at the end
    def settle(self) -> list[PieceEntry]:
        """The entries as they count; what is still in question is asked about."""
        for one in self.entries:
            for order in [*one.orders]:
                if isinstance(order, o.Drop) and order.key and self._says(order.key):
                    one.orders.remove(order)  # `forget the buy, I buy the shield`
        picks = [one for one in self.entries if any(isinstance(x, o.PickHero) for x in one.orders)]
        unread = [x for x in self.entries if x.problems and not x.orders and not x.asks]
        if any(map(_names_hero, unread)):
            self.doubt(picks)  # one list, whole or not at all
        leaving = [one for one in self.entries if any(map(leaves, one.orders))]
        entering = [one for one in self.entries if any(map(enters, one.orders))]
        if leaving and entering:
            self.doubt([*leaving, *entering])
        for one in self.entries:
            if self.lost:
                one.ask()
            if one.doubted and not one.problems:
                one.problems.append(_ASKED)
        return [one for one in self.entries if one.orders or one.problems]


def _names_hero(entry: PieceEntry) -> bool:
    return any(x.kind == "HERO" for x in entry.lexemes)


def _says_yes(order: o.Order) -> bool:
    return isinstance(order, o.Choose) and any(x.word == "yes" for x in order.choices[:1])
