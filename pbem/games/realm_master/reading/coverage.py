"""Which words of a message had no effect in this game: the kinds of its words, and what an order
says about the position (where the hero stands, which hero a player is).
"""

from collections import Counter
from collections.abc import Sequence

from pbem.games.realm_master.reading.entries import thing_of
from pbem.games.realm_master.reading.lexer import lexemes_in
from pbem.games.realm_master.reading.parts import FACES, LOSS, VERBS, WEAK
from pbem.games.realm_master.reading.position import Position
from pbem.grammar.kit.coverage import Coverage, Terms, bounds_in
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import fold, normalise
from pbem.grammar.kit.people import People

_STANCES = set_of("STAY LEAVE BLEED")
_HEADINGS = {"Reroll": "REROLL", "Second reroll": "REROLL", "Life": "BUY", "Reveal": "BUY"}


def coverage_in(position: Position, me: int, people: People) -> Coverage:
    def named(lexeme: Lexeme) -> object:
        if lexeme.kind == "NUM":
            return lexeme.value
        if lexeme.kind == "WHO":
            return position.heroes.get(lexeme.value or 0, lexeme.value)
        return thing_of(lexeme)[1]

    def read(text: str) -> Sequence[Lexeme]:
        plain = normalise(text)
        lexemes = lexemes_in(plain.text, people, plain, position.stage)
        bounds = bounds_in(lexemes) if " below " in text or " at least " in text else []
        return [*lexemes, *_implied(lexemes, position), *_counted(text), *_headed(text), *bounds]

    terms = Terms(
        VERBS | {"HITS"},
        WEAK | {"SAME"},
        set_of("NUM LAND HERO CARD WHO"),
        spreads=frozenset(FACES) | {"ALL", "BOTH", "REST"},
        talks=set_of("FORGET FORGETALL"),
        people=set_of("WHO HERO"),
        alike={"WHO": "HERO", "STAYOUT": "ENTER", "CONCEDED": "CONCEDE"},
        named=named,
    )
    return Coverage(terms, me, read)


def _counted(text: str) -> list[Lexeme]:
    """What an order says again and again: `2 gold to Arub`."""
    counts = Counter(part.strip() for part in text.partition(":")[2].split(","))
    return [Lexeme("NUM", "", 0, 0, count) for count in counts.values()]


def _headed(text: str) -> list[Lexeme]:
    """The order word that a heading stands for."""
    heading = text.partition(":")[0]
    return [Lexeme(_HEADINGS[heading], "", 0, 0)] if heading in _HEADINGS else []


def _implied(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    kinds = {x.kind for x in lexemes}
    found = []
    if position.at is not None and kinds & _STANCES:
        found.append(Lexeme("LAND", fold(position.at), 0, 0))
    if "MOVE" in kinds:
        found.append(Lexeme("ENTER", "", 0, 0))
    if "TAKEIT" in kinds:
        found.append(Lexeme("BUY", "", 0, 0))
    if kinds & {"ULTIMATUM", "BLEED"}:
        found.append(Lexeme("NUM", str(LOSS), 0, 0, LOSS))
    return found
