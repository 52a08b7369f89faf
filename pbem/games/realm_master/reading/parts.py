"""A sentence about a plan in its parts (rules, sections 10 and 12).

Commas, `then`, `else`, `but`, and `and` before a verb part a sentence; how a part is joined to the
one before is kept. The phrases of a part come from realm_master.lark, in the order in which they
were said. A word that means nothing to us makes the sentence one that is not read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from engine.realm_master import conditions as c
from engine.realm_master.cards import Token, all_turn_cards
from pbem.games.realm_master.reading.words import LANGUAGE, heroes_by_name
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.parsing import Misfit, Phrase, parse_clause

VERBS = frozenset(
    "REROLL KEEP SAVE ATTACK STAY LEAVE ENTER STAYOUT MOVE BUY TAKEIT PLAY REVEAL COVER TRIBUTE"
    " ULTIMATUM BLEED TRADE LOOT FORGET FORGETALL SAME AUTOON AUTOOFF WAIT CONCEDE CONCEDED GOON WANT".split()
)
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
_STARTS = VERBS | {
    "NOT",
    "ALWAYS",
    "ONCE",
    "ELSE",
    "THEN",
    "IF",
    "UNLESS",
    "WHILE",
    "ONLYIF",
    "WHENHIT",
    "OWNTURN",
    "EARLY",
}
_BEFORE_VERB = frozenset({"NOT", "ALWAYS", "ONLY", "THEN", "ONCE", "NOW"})
_SIGNS = frozenset({"COMMA", "COLON", "BUT", "DASH", "LPAR", "RPAR"})
Joiner = Literal["", "comma", "and"]


class NotRead(Exception):
    """A part that says nothing certain; `code` and where."""

    def __init__(self, code: str, at: Lexeme | None = None) -> None:
        super().__init__(code)
        self.code, self.at = code, at


@dataclass(slots=True)
class Part:
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
        """Whether it is a condition and nothing else, but for how it is joined."""
        return bool(self.how) and {phrase.lexemes[0].kind for phrase in self.said} <= {"THEN"}

    def of(self, *kinds: str) -> list[Lexeme]:
        """The things of these kinds, in order."""
        return [phrase.lexemes[0] for phrase in self.things if phrase.lexemes[0].kind in kinds]

    def says_only(self, *kinds: str) -> bool:
        """Whether all things are of these kinds."""
        return all(phrase.lexemes[0].kind in kinds for phrase in self.things)


def parts_of(lexemes: Sequence[Lexeme]) -> Iterator[Part]:
    """The parts of a sentence. NotRead if one of them does not parse."""
    for joiner, piece in _pieces([lexeme for lexeme in lexemes if lexeme.kind != "FILLER"]):
        parsed = parse_clause(LANGUAGE, piece)
        if isinstance(parsed, Misfit):
            raise NotRead("not-understood", parsed.at or piece[-1])
        yield _part(parsed, joiner)


def _pieces(lexemes: Sequence[Lexeme]) -> Iterator[tuple[Joiner, list[Lexeme]]]:
    piece: list[Lexeme] = []
    joiner: Joiner = ""
    signs: list[str] = []
    for i, lexeme in enumerate(lexemes):
        after = lexemes[i + 1].kind if i + 1 < len(lexemes) else ""
        ends = lexeme.kind in _SIGNS or (lexeme.kind == "AND" and (after in _STARTS or not piece))
        begins = (
            lexeme.kind in ("THEN", "ELSE")
            and bool(piece)
            and piece[-1].kind not in ("THEN", "ELSE")
        )
        begins = begins or (
            lexeme.kind == "ONLYIF" and lexeme.text.startswith("but") and bool(piece)
        )
        if (
            ends and piece and {told.kind for told in piece} <= {"ELSE", "THEN"}
        ):  # `otherwise, Arub`
            continue
        if (ends or begins) and piece:
            yield joiner, piece
            piece, signs = [], []
        if ends:
            signs.append(lexeme.kind)
            continue
        if not piece:
            joiner = "and" if signs == ["AND"] else "comma"
        piece.append(lexeme)
    if piece:
        yield joiner, piece
    if signs and signs[-1] in ("AND", "BUT") and not piece:
        raise NotRead("not-understood", lexemes[-1])


def _part(phrases: Sequence[Phrase], joiner: Joiner) -> Part:
    part = Part(joiner=joiner)
    in_condition = False
    for phrase in phrases:
        lexeme = phrase.lexemes[0]
        if phrase.kind == "unknown" and not is_turn_card(lexeme):
            raise NotRead("condition-unknown" if in_condition else "unknown", lexeme)
        if phrase.kind == "iff":
            if part.how:
                raise NotRead("condition-unknown", lexeme)
            part.how, in_condition = CONDITIONAL[lexeme.kind], True
            part.is_led = part.verb is None and not part.things
            continue
        if phrase.kind == "verb" and lexeme.kind != "AGAIN":
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


def _take_time(part: Part) -> None:
    """`Always` at the end of a condition is about what is ordered: `enter Jerum if hearts at least
    5 always`.
    """
    while len(part.condition) > 1 and part.condition[-1].lexemes[0].kind in ("ALWAYS", "ONCE"):
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
