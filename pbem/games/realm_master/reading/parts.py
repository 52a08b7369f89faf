"""Clauses about a plan in their parts (rules, sections 10 and 12): a part is a set of slots, its
verb, its flags, its things in order, and its condition. A word without a slot makes the sentence
one that is not read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from msgspec.structs import replace

from engine.realm_master import conditions as c
from engine.realm_master.cards import Token, all_turn_cards
from pbem.games.realm_master.reading.words import heroes_by_name
from pbem.grammar.kit.clause_parser import Phrase
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.sentences import Clause

VERBS = frozenset(
    "REROLL KEEP SAVE ATTACK STAY LEAVE ENTER STAYOUT MOVE BUY TAKEIT PLAY REVEAL COVER TRIBUTE"
    " ULTIMATUM BLEED TRADE LOOT FORGET FORGETALL SAME AUTOON AUTOOFF WAIT CONCEDE CONCEDED GOON"
    " WANT".split()
)
WEAK = frozenset(
    "KEEP TAKEIT PLAY WANT GOON STAY LEAVE MOVE WAIT TRADE ATTACK SAVE FORGET FORGETALL"
    " BLEED".split()
)
"""Kinds that say something only next to another word."""
FACES: dict[str, c.Face] = {
    "BLANK": "-",
    "HALF": "b",
    "SWORD": "s",
    "COIN": "c",
    "HEART": "h",
    "RFACE": "R",
    "GOLD": "c",
    "BANNER": "b",
}
TOKENS: dict[str, Token] = {"HEART": "hearts", "GOLD": "gold", "BANNER": "banners", "COIN": "gold"}
CONDITIONAL = {"IF": "IF", "UNLESS": "UNLESS", "WHILE": "WHILE", "ONLYIF": "ONLY", "WITH": "IF"}
"""What begins a condition, and how it is meant."""
_FLAGS = frozenset(
    "FIRST YES ONCE NOT ONLY ALWAYS NOW EARLY ELSE THEN ARE TO EXCEPT TWICE SECOND CAN HOPE WHENHIT"
    " OWNTURN FORLIFE".split()
)
LOSS = 4
"""Hearts that an ultimatum takes (RM-T09)."""
BOUNDS = frozenset({"BELOW", "LEAST", "MOST", "ABOVE", "EXACT"})
THINGS = frozenset(FACES) | frozenset(
    "DAMAGE HEROES LIFE LAND HERO WHO CARD BEST CHEAPEST REALM NOTHING ALL BOTH ANY REST IT FIVE"
    " LONE LEFT HITS COSTS HAVE EXIST THERE".split()
)
_KINDS = {
    **dict.fromkeys(VERBS | {"AGAIN"}, "verb"),
    **dict.fromkeys(_FLAGS, "flag"),
    **dict.fromkeys(CONDITIONAL, "iff"),
    **dict.fromkeys(("AND", "OR"), "join"),
    **dict.fromkeys(("MORE", "LESS"), "tail"),
    **dict.fromkeys(THINGS, "thing"),
    **dict.fromkeys(("WORD", "COMMON"), "unknown"),
    "NUM": "number",
}
_STARTS = VERBS | frozenset(
    "NOT ALWAYS ONCE ELSE THEN IF UNLESS WHILE ONLYIF WHENHIT OWNTURN EARLY".split()
)
_BEFORE_VERB = frozenset({"NOT", "ALWAYS", "ONLY", "THEN", "ONCE", "NOW"})
_SILENT = frozenset(
    {"HESITATION", "FILLER", "REQUEST", "PROSE", "ALSO", "DASH", "COLON", "BAR", "BANG", "SEEMS"}
)


_LINKS = frozenset({"AND", "OR", "TO", "ARE"})
_ALONE = frozenset({"ATTACK", "STAYOUT", "LEAVE", "STAY", "ULTIMATUM"})
"""Verbs that say something without a thing behind them."""
_LINES = frozenset({"line", "order", "part", "bit"})
_PAUSED = re.compile(r",\s*\S{0,4}\s*\Z")


Joiner = Literal["", "comma", "and"]


class NotRead(Exception):
    """A part that says nothing certain; `code` and where."""

    def __init__(self, code: str, at: Lexeme | None = None) -> None:
        super().__init__(code)
        self.code, self.at = code, at


@dataclass(slots=True)
class PlanPart:
    """One part: its verb, its flags, its things in order with numbers and bounds among them, and
    its condition's phrases.
    """

    verb: Lexeme | None = None
    flags: dict[str, Lexeme] = field(default_factory=dict)
    things: list[Phrase] = field(default_factory=list)
    condition: list[Phrase] = field(default_factory=list)
    how: str = ""
    """`IF`, `UNLESS`, `WHILE`, `ONLY` before the condition."""
    is_led: bool = False
    """The condition stands before what it is about."""
    said: list[Phrase] = field(default_factory=list)
    """Everything but the condition, in order."""
    joiner: Joiner = ""
    """How it is joined to the part before: `and` alone binds closer than a comma."""

    @property
    def kind(self) -> str:
        return "" if self.verb is None else self.verb.kind

    @property
    def shape(self) -> str:
        """The kinds of what is said, in order, numbers as `NUM`."""
        return " ".join(phrase.lexemes[0].kind for phrase in self.said)

    @property
    def first(self) -> Lexeme | None:
        phrases = self.said or self.condition
        return phrases[0].lexemes[0] if phrases else None

    @property
    def is_bare(self) -> bool:
        """Whether it is a condition and nothing else, except for how it is joined."""
        return bool(self.how) and {phrase.lexemes[0].kind for phrase in self.said} <= {"THEN"}

    def of(self, *kinds: str) -> list[Lexeme]:
        """The things of these kinds, in order."""
        return [phrase.lexemes[0] for phrase in self.things if phrase.lexemes[0].kind in kinds]

    def says_only(self, *kinds: str) -> bool:
        """Whether all things are of these kinds."""
        return all(phrase.lexemes[0].kind in kinds for phrase in self.things)


@dataclass(slots=True)
class Piece:
    """Lexemes of one part, and how they are joined to those before."""

    joiner: Joiner
    lexemes: list[Lexeme]

    @property
    def kinds(self) -> list[str]:
        return [lexeme.kind for lexeme in self.lexemes]


def solid(lexemes: Iterable[Lexeme]) -> list[Lexeme]:
    """Without words that do not change an order."""
    return [lexeme for lexeme in lexemes if lexeme.kind not in _SILENT]


def pieces_of(clauses: Iterable[Clause], text: str, named: Sequence[Lexeme] = ()) -> list[Piece]:
    """Clauses of a text as pieces: lists that `and` alone joins are one again; `then` and `else`
    begin another. `named` are cards that were, before them.
    """
    pieces: list[Piece] = []
    pending: Joiner | None = None
    for clause in clauses:
        said = solid(clause.lexemes)
        last = pieces[-1] if pieces else None
        begin = clause.lexemes[0].start if clause.lexemes else 0
        joins = clause.joint == "AND" and not _PAUSED.search(text[max(0, begin - 12) : begin])
        if not said:
            pending = pending or ("and" if joins else "comma")
            continue
        if last is not None and said[0].kind == "ELSE" and last.kinds[-1:] == ["OR"]:
            last.lexemes.pop()  # `Jerum or, failing that, Arub`
        if last is not None and _is_laid_down(last, clause.joint, said):  # `banner: Mertle`
            at = said[0].start
            last.lexemes += [Lexeme("TO", "to", at, at), *said]
            continue
        if last is not None and {*last.kinds} <= {"ELSE", "THEN"}:  # `otherwise, Arub`
            last.lexemes += said
            continue
        if last is not None and {x.kind for x in said} == {"ONLY"}:  # `buy it, nothing else`
            last.lexemes += said
            continue
        if last is not None and joins and pending is None and said[0].kind not in _STARTS:
            at = clause.lexemes[0].start
            last.lexemes += [Lexeme("AND", "and", at, at), *said]
            continue
        if last is not None and pending is None and _is_choice(last, said):
            last.lexemes += said
            continue
        joiner: Joiner = "and" if joins and pending is None else "comma"
        pending = None
        for part in _begins(said):
            pieces.append(Piece(joiner, part))
            joiner = "comma"
    if len(pieces) > 1 and pieces[0].kinds == ["YES"]:
        del pieces[0]
    if [x.kinds for x in pieces] == [["IF", "CARD", "HOPES"], ["TAKEIT"]]:
        wish, hope = pieces[1].lexemes[0], pieces[0].lexemes[2]  # `if it turns up, buy it`
        named = [replace(wish, kind="BUY"), replace(hope, kind="HOPE"), pieces[0].lexemes[1]]
        pieces = [Piece(pieces[0].joiner, named)]
    if len(pieces) > 1 and pieces[-1].kinds == ["THEN"]:
        del pieces[-1]
    cards = [*named]
    for piece in pieces:
        _bind(piece, cards)
        cards += [x for x in piece.lexemes if x.kind == "CARD"]
    return pieces


def _is_choice(last: Piece, said: Sequence[Lexeme]) -> bool:
    """`enter Jerum, or Arub`."""
    kinds = [x.kind for x in said]
    named = kinds in (["OR", "LAND"], ["OR", "HERO"]) and last.kinds[-1:] == kinds[1:]
    return named and not {*last.kinds} & (CONDITIONAL.keys() | {"NOT", "NEG"})


def _is_laid_down(last: Piece, joint: str, said: Sequence[Lexeme]) -> bool:
    """Whether this is the land that a tribute goes to, behind its colon."""
    goes = joint == "COLON" and said[0].kind == "LAND" and {*last.kinds} <= TOKENS.keys() | {"AND"}
    return goes and bool(last.lexemes)


def _bind(piece: Piece, cards: Sequence[Lexeme]) -> None:
    """`buy the draught and drink it`, `stay there`: words for what was named."""
    kinds = set(piece.kinds)
    if kinds & CONDITIONAL.keys():
        return
    if kinds & (FACES.keys() | {"STAY", "LEAVE"}) and not kinds & {"HAVE", "EXIST"}:
        piece.lexemes = [x for x in piece.lexemes if x.kind != "THERE"] or piece.lexemes
    if "PLAY" in kinds and "CARD" not in kinds and len(cards) == 1:
        piece.lexemes = [cards[0] if x.text == "it" else x for x in piece.lexemes]


def _begins(lexemes: Sequence[Lexeme]) -> Iterator[list[Lexeme]]:
    part: list[Lexeme] = []
    for lexeme in lexemes:
        again = part and part[-1].kind not in ("THEN", "ELSE")
        but = lexeme.kind == "ONLYIF" and lexeme.text.startswith("but")
        if (lexeme.kind in ("THEN", "ELSE") and again) or (but and part):
            yield part
            part = []
        part.append(lexeme)
    yield part


def run_on(pieces: Sequence[Piece]) -> list[Piece] | None:
    """Pieces with more than one verb, parted before each: `no attack stay out of the Realm reroll
    coins`. None if there is none, or a condition, for that could be of either.
    """
    told: list[Piece] = []
    for piece in pieces:
        kinds = piece.kinds
        verbs = [i for i, kind in enumerate(kinds) if kind in VERBS]
        bound = {*kinds} & (CONDITIONAL.keys() | {"ELSE", "ALWAYS", "THEN", "EXCEPT"})
        if len(verbs) > 1 and bound:
            return None
        starts = [0]
        for last, at in pairwise(verbs):
            while kinds[at - 1] in _BEFORE_VERB - {"ONLY"}:
                at -= 1
            if kinds[at - 1] in _LINKS or (at <= last + 1 and kinds[last] not in _ALONE):
                return None
            starts.append(at)
        for start, end in zip(starts, [*starts[1:], len(kinds)], strict=True):
            told.append(Piece("comma" if start else piece.joiner, piece.lexemes[start:end]))
    return told if len(told) > len(pieces) else None


def parts_of(pieces: Iterable[Piece]) -> Iterator[PlanPart]:
    """The parts of a sentence. NotRead if a word of it has no slot."""
    for piece in pieces:
        yield _part(list(_phrases(piece.lexemes)), piece.joiner)


def _phrases(lexemes: Sequence[Lexeme]) -> Iterator[Phrase]:
    skip = False
    for i, lexeme in enumerate(lexemes):
        if skip:
            skip = False
            continue
        if lexeme.kind in BOUNDS:
            if i + 1 == len(lexemes) or lexemes[i + 1].kind != "NUM":
                raise NotRead(_code(lexemes[:i]), lexeme)
            yield Phrase("bound", (lexeme, lexemes[i + 1]))
            skip = True
        elif lexeme.kind in _KINDS:
            yield Phrase(_KINDS[lexeme.kind], (lexeme,))
        else:
            raise NotRead(_code(lexemes[:i]), lexeme)


def _code(before: Sequence[Lexeme]) -> str:
    """What a word is called that has no slot behind these."""
    conditional = any(x.kind in CONDITIONAL for x in before)
    return "condition-unknown" if conditional else "not-understood"


def _part(phrases: Sequence[Phrase], joiner: Joiner) -> PlanPart:
    part = PlanPart(joiner=joiner)
    in_condition = False
    for phrase in phrases:
        lexeme = phrase.lexemes[0]
        if part.kind == "FORGET" and lexeme.text in _LINES:
            continue  # `forget the enter line`
        if phrase.kind == "unknown" and not is_turn_card(lexeme):
            raise NotRead("condition-unknown" if in_condition else "unknown", lexeme)
        if phrase.kind == "iff":
            if part.how:
                raise NotRead("condition-unknown", lexeme)
            part.how, in_condition = CONDITIONAL[lexeme.kind], True
            part.is_led = part.verb is None and not part.things
            continue
        if phrase.kind == "verb" and lexeme.kind != "AGAIN":
            if part.kind == "FORGET":  # `forget entering`
                part.things.append(phrase)
                continue
            if part.verb is not None:
                raise NotRead("not-understood", lexeme)
            if in_condition:  # `if I have 3 swords don't attack`
                while part.condition and part.condition[-1].lexemes[0].kind in _BEFORE_VERB:
                    part.said.append(part.condition.pop())
                part.said.reverse()
                for told in part.said:
                    part.flags.setdefault(told.lexemes[0].kind, told.lexemes[0])
            part.verb, in_condition = lexeme, False
        elif in_condition:
            part.condition.append(phrase)
            continue
        elif phrase.kind == "flag" or lexeme.kind == "AGAIN":
            part.flags.setdefault(lexeme.kind, lexeme)
        elif phrase.kind != "join":
            part.things.append(phrase)
        part.said.append(phrase)
    _take_time(part)
    return part


def _take_time(part: PlanPart) -> None:
    """`Always` at the end of a condition is about what is ordered: `enter Jerum if hearts at least
    5 always`.
    """
    times = ("ALWAYS", "ONCE", "WHENHIT", "OWNTURN")
    while len(part.condition) > 1 and part.condition[-1].lexemes[0].kind in times:
        last = part.condition.pop()
        part.flags.setdefault(last.lexemes[0].kind, last.lexemes[0])
        part.said.append(last)


def is_turn_card(lexeme: Lexeme) -> bool:
    return lexeme.text.upper() in all_turn_cards()


def hero_of(lexeme: Lexeme, heroes: dict[int, str]) -> str:
    """The hero a name means: a hero's own, or that of the player so called."""
    if lexeme.kind == "HERO":
        return heroes_by_name()[lexeme.text]
    hero = heroes.get(lexeme.value or 0)
    if hero is None:
        raise NotRead("unknown-player", lexeme)
    return hero
