"""What the sentences of a message come to, in order, and what those that follow do to them: take
back, correct, make uncertain. What a cue reaches stands in the table of reach; in doubt the larger
reach counts, and all of it is asked about.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.ruleset import Problem
from pbem.games.realm_master.reading.parts import FACES, VERBS, NotRead, Piece
from pbem.games.realm_master.reading.sequence import enters, follows, leaves
from pbem.games.realm_master.reading.words import cards_by_name, heroes_by_name, lands_by_name
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.reading.discourse import Row, row_of

_CLASSES = {
    "NUM": "NUM",
    **dict.fromkeys(("LAND", "BEST", "CHEAPEST"), "LAND"),
    "CARD": "CARD",
    **dict.fromkeys(("HERO", "WHO"), "HERO"),
    **dict.fromkeys(FACES, "FACE"),
    "RFACE": "R",
}
"""Things of a class: one of them may stand where another stood."""
_NAMED = _CLASSES.keys() - {"WHO", "NUM"}
_LINKS = frozenset({"AND", "OR"})
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
_DEEDS = (o.BuyNow, o.RevealNow, o.Play, o.Life)
_ASKED = Problem("not-understood", ("RM-10.1",))


@dataclass(slots=True)
class Entry:
    """A piece of a message in the making: where it stands in the folded text, what it says, and
    what is wrong with it.
    """

    start: int
    end: int
    orders: list[o.Order] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)
    caret: Lexeme | None = None
    pieces: list[Piece] = field(default_factory=list)
    adds: bool = False
    """It is told besides what was said: `keep the coin, too`."""
    asks: bool = False
    """It is a question."""
    is_turned: bool = False
    """Something beside it in its sentence turns it: a doubt, a condition, a word nobody knows."""
    doubted: list[o.Order] = field(default_factory=list)
    """What it said and another put in question."""

    @property
    def lexemes(self) -> list[Lexeme]:
        return [lexeme for piece in self.pieces for lexeme in piece.lexemes]


Build = Callable[[Sequence[Piece]], list[o.Order]]


@dataclass(slots=True)
class Ledger:
    """The entries of a message; `build` makes orders of pieces."""

    build: Build
    entries: list[Entry] = field(default_factory=list)
    lost: bool = False
    """Nothing of this message counts: it says so itself."""

    @property
    def standing(self) -> list[Entry]:
        """Those with something to correct."""
        return [one for one in self.entries if one.orders or one.doubted]

    @property
    def last(self) -> Entry | None:
        """The last of those."""
        return next((one for one in reversed(self.entries) if one.orders or one.doubted), None)

    def add(self, entry: Entry) -> None:
        last = self.entries[-1] if self.entries else None
        if last is not None and _join(last, entry):
            return
        if entry.orders or entry.problems:
            self.entries.append(entry)

    def say(self, entry: Entry, *, hesitant: bool) -> None:
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

    def turn(self, cue: str, entry: Entry) -> bool:
        """Let an entry behind a cue work on those before it; whether the cue waits for more."""
        before = self.standing
        if entry.is_turned and before:
            self._disturb(row_of(cue, "talk"), entry, before)
            return False  # `enter Jerum, no wait, Arub, perhaps`
        if self._mended(entry):
            return False
        if not before:
            if cue == "correct" and any(map(_says_yes, entry.orders)):
                entry.orders, entry.problems = [], [_ASKED]  # `no, attack`
            self._mention(entry)
            self.say(entry, hesitant=False)
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
        self, row: Row, entry: Entry, told: list[o.Order], before: Sequence[Entry]
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

    def _disturb(self, row: Row, entry: Entry, before: Sequence[Entry]) -> bool:
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

    def _mended(self, entry: Entry) -> bool:
        """Whether it is the right spelling of the word that was not understood before it: `enter
        Kurul, sorry, Kurull`.
        """
        last = self.entries[-1] if self.entries else None
        said = [x for x in entry.lexemes if x.kind in _NAMED]
        if entry.is_turned or last is None or last.orders or last.doubted or len(said) != 1 or len(entry.lexemes) != 1:
            return False
        wrong = [x for x in last.lexemes if x is last.caret and x.kind in {"WORD", "COMMON"}]
        if len(wrong) != 1:
            return False
        try:
            pieces = _exchanged(last, wrong, said)
            last.orders = self.build(pieces)
        except NotRead:
            return False
        last.pieces, last.problems, last.caret, last.end = pieces, [], None, entry.end
        return True

    def _mention(self, entry: Entry) -> None:
        """Words of orders that give none are told of."""
        named = any(x.kind in VERBS or x.kind in _NAMED for x in entry.lexemes)
        if named and not entry.orders and not entry.problems:
            entry.problems.append(_ASKED)

    def _again(self, orders: list[o.Order], before: Sequence[Entry]) -> list[o.Order]:
        """Of a mere `stay` or `leave` that which was spoken of."""
        if [o.key_of(order) for order in orders] != ["hit", "realm"]:
            return orders
        old = [order for one in before for order in (*one.orders, *one.doubted)]
        return [x for x in orders if any(_is_same(one, x) for one in old)] or orders

    def _follows(self, entry: Entry, told: Sequence[o.Order], before: Sequence[Entry]) -> str:
        if told:
            old = [order for one in before for order in (*one.orders, *one.doubted)]
            same = any(_is_same(one, new) for one in old for new in told)
            return "same" if same else "other"
        said = {x.kind for x in entry.lexemes} - _EMPTY
        if not said:
            return "nothing"
        return "place" if said & (VERBS | _CLASSES.keys()) else "talk"

    def _take(self, entry: Entry, swapped: tuple[list[Piece], list[o.Order]]) -> None:
        entry.pieces, entry.orders = swapped
        entry.problems, entry.caret = [], None
        last = self.standing[-1]
        if not entry.start:
            entry.start = last.start
        last.orders, last.doubted = [], []
        self.entries.append(entry)

    # ----------------------------------------------------------------------------- putting in doubt
    def doubt(self, entries: Iterable[Entry], keys: Collection[str] | None = None) -> None:
        """Put in question what these say, of these keys of a plan alone if any are given."""
        for one in entries:
            now = [order for order in one.orders if keys is None or o.key_of(order) in keys]
            one.doubted += now
            one.orders = [order for order in one.orders if order not in now]

    def question(self, named: Sequence[Lexeme], before: Sequence[Entry]) -> bool:
        """Put in question what words that are not read speak of; whether there is such a thing."""
        named = [x for x in named if x.kind != "WHO"]  # whose name stands below a letter
        kinds = {x.kind for x in named}
        keys = {key for kind in kinds for key in _KEYS.get(kind, ())}
        things = {thing_of(x) for x in named if x.kind in _CLASSES}
        likes = {_CLASSES[kind] for kind in kinds & _CLASSES.keys()} - {"NUM"}
        if kinds and kinds <= {"NUM", "AND", "TO", "ARE"}:
            likes.add("NUM")  # `2 and 4`
        count = sum(len(one.doubted) for one in before)
        self.doubt(before, keys)
        for one in before:
            told = {thing_of(word) for word in one.lexemes if word.kind != "NUM"}
            like = {_CLASSES.get(word.kind) for word in one.lexemes}
            if told & things or (len(likes) == 1 and like & likes and not kinds & VERBS):
                self.doubt([one])
        return count < sum(len(one.doubted) for one in before)

    def _replace(self, entry: Entry, before: Sequence[Entry], *, all_: bool = True) -> None:
        """Lines before that are about the same are left out; of those in question alone unless all.

        Where a list is corrected in one of its parts, it is not clear what becomes of the others.
        """
        for one in before:
            for held in (one.orders, one.doubted) if all_ else (one.doubted,):
                for order in [*held]:
                    new = next((new for new in entry.orders if _is_same(order, new)), None)
                    if new is None:
                        continue
                    held.remove(order)
                    both = _amended(order, new)
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
        self, last: Entry, fragment: Sequence[Piece]
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
        for pieces in _exchanges(last, said, denied, only=only):
            try:
                pieces += rest
                orders = self.build(pieces)
            except NotRead:
                continue
            old = (*last.orders, *last.doubted)[0]
            if len(orders) == 1 and _is_same(old, orders[0]):
                return pieces, orders
        return None

    # ---------------------------------------------------------------------------------- at the end
    def settle(self) -> list[Entry]:
        """The entries as they count; what is still in question is asked about."""
        for one in self.entries:
            for order in [*one.orders]:
                if isinstance(order, o.Drop) and order.key and self._says(order.key):
                    one.orders.remove(order)  # `forget the buy, I buy the shield`
        leaving = [one for one in self.entries if any(map(leaves, one.orders))]
        entering = [one for one in self.entries if any(map(enters, one.orders))]
        if leaving and entering:
            self.doubt([*leaving, *entering])
        for one in self.entries:
            if self.lost:
                self.doubt([one])
            if one.doubted and not one.problems:
                one.problems.append(_ASKED)
        return [one for one in self.entries if one.orders or one.problems]


def _exchanges(
    last: Entry, said: Sequence[Lexeme], denied: Sequence[int], *, only: bool
) -> Iterable[list[Piece]]:
    """The pieces of an entry with the words of a fragment in the one place where they fit."""
    new = list(said)
    if denied:  # `Arub, not Jerum`
        i = denied[0]
        if len(denied) > 1 or len(new) != 3 or i == 1 or i + 1 == len(new):
            return
        old, put = new[i + 1], next(x for j, x in enumerate(new) if j not in (i, i + 1))
        places = [x for x in last.lexemes if thing_of(x) == thing_of(old)]
        if len(places) == 1 and class_of(old) == class_of(put):
            yield _exchanged(last, places, [put])
        return
    pattern = [class_of(x) for x in new]
    if len(new) > 1 and not any(x.kind in _LINKS for x in new):
        windows = [
            piece.lexemes[at : at + len(new)]
            for piece in last.pieces
            for at in range(len(piece.lexemes) - len(new) + 1)
            if [class_of(x) for x in piece.lexemes[at : at + len(new)]] == pattern
        ]
        if len(windows) == 1:
            yield _exchanged(last, windows[0], new)
        return
    classes = {class_of(x) for x in new if x.kind not in _LINKS}
    if len(classes) != 1 or not classes <= {*_CLASSES.values()}:
        return
    wanted = classes.pop()
    runs = [run for piece in last.pieces for run in _runs(piece.lexemes, wanted)]
    if len(runs) != 1:
        return
    run = runs[0]
    if len(run) > 1 and len(new) == 1 and not only:
        return  # which of them?
    yield _exchanged(last, run, new)


def _runs(lexemes: Sequence[Lexeme], wanted: str) -> list[list[Lexeme]]:
    """Lists of things of a class: `blanks and coins`."""
    runs: list[list[Lexeme]] = []
    open_run: list[Lexeme] = []
    for lexeme in (*lexemes, Lexeme("END", "", 0, 0)):
        if class_of(lexeme) == wanted or (open_run and lexeme.kind in _LINKS):
            open_run.append(lexeme)
            continue
        while open_run and open_run[-1].kind in _LINKS:
            open_run.pop()
        if open_run:
            runs.append(open_run)
        open_run = []
    return runs


def _exchanged(last: Entry, old: Sequence[Lexeme], new: Sequence[Lexeme]) -> list[Piece]:
    gone = {id(x) for x in old}
    told = []
    for piece in last.pieces:
        lexemes: list[Lexeme] = []
        for x in piece.lexemes:
            if x is old[0]:
                lexemes += new
            elif id(x) not in gone:
                lexemes.append(x)
        told.append(Piece(piece.joiner, lexemes))
    return told


def class_of(lexeme: Lexeme) -> str:
    return _CLASSES.get(lexeme.kind, lexeme.kind)


def thing_of(lexeme: Lexeme) -> tuple[str, str]:
    """A thing by the name it has with us."""
    names = {"CARD": cards_by_name, "LAND": lands_by_name, "HERO": heroes_by_name}
    if lexeme.kind in names:
        return lexeme.kind, names[lexeme.kind]()[lexeme.text]
    return lexeme.kind, lexeme.kind if lexeme.kind in FACES else lexeme.text


def _says_yes(order: o.Order) -> bool:
    return isinstance(order, o.Choose) and order.choices[0].word == "yes"


def _amended(order: o.Order, new: o.Order) -> o.Order | None:
    """A line as it is corrected; None where a part of a list is and the others may still count."""
    match order, new:
        case o.PayTribute(), o.PayTribute():
            said = {token for token, _ in new.ways}
            kept = (way for way in order.ways if way[0] not in said)
            return replace(new, ways=(*kept, *new.ways))
        case o.Reroll(), o.Reroll():
            shorter = len(new.rules) < len(order.rules)
            loses = bool(order.rules) and order.rest != "blanks" and new.rest == "blanks"
            return None if shorter or loses else new
        case o.Faces(), o.Faces() if len(new.rules) < len(order.rules):
            return None
        case o.PickHero(), o.PickHero() if len(new.heroes) < len(order.heroes):
            return None
        case o.Loot(), o.Loot() if len(new.cards) < len(order.cards):
            return None
        case o.Buy(), o.Buy() if len(new.wishes) < len(order.wishes):
            return None
    return new


def _is_same(one: o.Order, other: o.Order) -> bool:
    """Whether the second speaks of what the first does: the same line, the same deed, or that there
    be none.
    """
    if isinstance(other, o.Drop) or isinstance(one, o.Drop):
        drop, line = (other, one) if isinstance(other, o.Drop) else (one, other)
        return isinstance(drop, o.Drop) and drop.key in (None, o.key_of(line))
    if isinstance(one, o.PlaceCard) and isinstance(other, o.PlaceCard):
        return True
    if isinstance(one, _DEEDS) and isinstance(other, _DEEDS):
        return type(one) is type(other)
    return o.is_same_line(one, other)


def _join(one: Entry, other: Entry) -> bool:
    """Whether two came to one: `Keep swords. Keep hearts. Reroll the rest.` is one line of a plan,
    and so is a list of heroes below one another.
    """
    pairs = [*zip(one.orders, other.orders, strict=False)]
    joined = [both for pair in pairs if (both := _together(*pair, other)) is not None]
    whole = bool(joined) and len(joined) == len(one.orders) == len(other.orders)
    if not whole or one.problems or other.problems or one.doubted:
        return False
    one.orders, one.end, one.pieces = joined, other.end, [*one.pieces, *other.pieces]
    return True


def _together(one: o.Order, other: o.Order, said: Entry) -> o.Order | None:
    """Two lines about the same thing as one, None where one of them would be lost in the other."""
    bare = not any(lexeme.kind in VERBS for lexeme in said.lexemes)
    match one, other:
        case o.Reroll(), o.Reroll() if (one.second, one.always) == (other.second, other.always):
            apart = not {rule.what for rule in one.rules} & {rule.what for rule in other.rules}
            if said.adds and apart and one.rules and other.rules and other.rest == "blanks":
                return replace(one, rules=(*one.rules, *other.rules))
            if one.rest == "blanks" and apart and one.rules and one != other:
                return replace(one, rules=(*one.rules, *other.rules), rest=other.rest)
        case o.PickHero(), o.PickHero() if bare and not {*one.heroes} & {*other.heroes}:
            return o.PickHero((*one.heroes, *other.heroes))
        case o.Loot(), o.Loot() if bare and not {*one.cards} & {*other.cards}:
            return replace(one, cards=(*one.cards, *other.cards))
        case o.Choose(), o.Choose() if (one.key, one.always) == (other.key, other.always):
            if all(choice.when for choice in one.choices) and one != other:
                return replace(one, choices=(*one.choices, *other.choices))
        case o.Realm(), o.Realm() if one.always == other.always and one != other:
            if all(choice.when for choice in one.choices):
                return replace(one, choices=(*one.choices, *other.choices))
    return None
