"""A sentence about a plan in its parts, and a part's condition as a value (rules, sections 10 and 12).

Commas, `then`, `else`, `but`, and `and` before a verb part a sentence; a part is parsed by realm_master.lark. What is in a condition and
names nothing that can be asked is refused, never left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.realm_master import conditions as c
from engine.realm_master.cards import Token, all_turn_cards
from pbem.grammar.lexemes import Lexeme
from pbem.grammar.parsing import Misfit, Phrase, parse_clause
from pbem.grammar.realm_master_words import GAME, heroes_by_name, lands_by_name

VERBS = frozenset(
    "REROLL KEEP SAVE ATTACK STAY LEAVE ENTER STAYOUT MOVE BUY TAKEIT PLAY REVEAL COVER TRIBUTE ULTIMATUM BLEED TRADE LOOT FORGET SAME"
    " AUTOON AUTOOFF WAIT CONCEDE GOON WANT".split()
)
FACES: dict[str, c.Face] = {"BLANK": "-", "HALF": "b", "SWORD": "s", "COIN": "c", "HEART": "h", "RFACE": "R", "GOLD": "c", "BANNER": "b"}
TOKENS: dict[str, Token] = {"HEART": "hearts", "GOLD": "gold", "BANNER": "banners", "COIN": "gold"}
_OWN: dict[str, c.Own] = {"HEART": "hearts", "GOLD": "gold", "BANNER": "banners", "DAMAGE": "damage", "HEROES": "heroes"}
_DICE: dict[str, c.Face] = {"BLANK": "-", "HALF": "b", "SWORD": "s", "COIN": "c", "RFACE": "R"}
_STARTS = VERBS | {"NOT", "ALWAYS", "ELSE", "THEN", "STAYOUT"}


class NotRead(Exception):
    """A part that says nothing certain; `code` and where."""

    def __init__(self, code: str, at: Lexeme | None = None) -> None:
        super().__init__(code)
        self.code, self.at = code, at


@dataclass(slots=True)
class Part:
    """One part: its verb, its flags, its things in order with numbers and bounds among them, and its condition's phrases."""

    verb: Lexeme | None = None
    flags: dict[str, Lexeme] = field(default_factory=dict)
    things: list[Phrase] = field(default_factory=list)
    condition: list[Phrase] = field(default_factory=list)
    how: str = ""
    """`IF`, `UNLESS`, `WHILE`, `ONLY` before the condition."""

    @property
    def kind(self) -> str:
        return "" if self.verb is None else self.verb.kind

    def of(self, *kinds: str) -> list[Lexeme]:
        """The things of these kinds, in order."""
        return [phrase.lexemes[0] for phrase in self.things if phrase.lexemes[0].kind in kinds]

    def says_only(self, *kinds: str) -> bool:
        """Whether all things are of these kinds."""
        return all(phrase.lexemes[0].kind in kinds for phrase in self.things)


def parts_of(lexemes: Sequence[Lexeme]) -> Iterator[Part]:
    """The parts of a sentence. NotRead if one of them does not parse."""
    for piece in _pieces([lexeme for lexeme in lexemes if lexeme.kind != "FILLER"]):
        parsed = parse_clause(GAME, piece)
        if isinstance(parsed, Misfit):
            raise NotRead("not-understood", parsed.at or piece[-1])
        yield _part(parsed)


def _pieces(lexemes: Sequence[Lexeme]) -> Iterator[list[Lexeme]]:
    piece: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        after = lexemes[i + 1].kind if i + 1 < len(lexemes) else ""
        ends = lexeme.kind in ("COMMA", "COLON", "BUT", "DASH", "LPAR", "RPAR") or (lexeme.kind == "AND" and after in _STARTS)
        begins = lexeme.kind in ("THEN", "ELSE") and bool(piece) and piece[-1].kind not in ("THEN", "ELSE")
        begins = begins or (lexeme.kind == "ONLY" and lexeme.text.startswith("but") and bool(piece))
        if (ends or begins) and piece:
            yield piece
            piece = []
        if not ends:
            piece.append(lexeme)
    if piece:
        yield piece


def _part(phrases: Sequence[Phrase]) -> Part:
    part = Part()
    in_condition = False
    for phrase in phrases:
        lexeme = phrase.lexemes[0]
        if phrase.kind == "unknown" and not _is_turn_card(lexeme):
            raise NotRead("condition-unknown" if in_condition else "unknown", lexeme)
        if phrase.kind == "iff" or (lexeme.kind == "ONLY" and lexeme.text.startswith("but")):
            if part.how:
                raise NotRead("not-understood", lexeme)
            part.how, in_condition = lexeme.kind, True
        elif phrase.kind == "verb" and lexeme.kind != "AGAIN":
            if part.verb is not None:
                raise NotRead("not-understood", lexeme)
            part.verb, in_condition = lexeme, False
        elif in_condition:
            part.condition.append(phrase)
        elif phrase.kind == "flag":
            part.flags.setdefault(lexeme.kind, lexeme)
        elif phrase.kind == "verb":
            part.flags["AGAIN"] = lexeme
        elif phrase.kind != "join":
            part.things.append(phrase)
    _need_in_front(part, "NOT", "EXCEPT")
    return part


def _need_in_front(part: Part, *flags: str) -> None:
    """`Keep swords but not hearts` says two things, and which of them is turned round cannot be told from a flag."""
    for flag in (part.flags[kind] for kind in flags if kind in part.flags):
        before = [phrase.lexemes[0] for phrase in part.things if phrase.lexemes[0].start < flag.start]
        if any(lexeme.kind not in ("REST", "ALL", "NOTHING") for lexeme in before):
            raise NotRead("not-understood", flag)


def _is_turn_card(lexeme: Lexeme) -> bool:
    return lexeme.text.upper() in all_turn_cards()


# ------------------------------------------------------------------------------------------------ conditions
def when_of(part: Part, implied: str, heroes: dict[int, str]) -> c.When:
    """The condition of a part, `implied` being the kind of thing that a bare number is about. NotRead (condition-unknown) if it is none."""
    if not part.how:
        return c.ALWAYS
    if not part.condition:
        raise NotRead("condition-unknown")
    lands = [lands_by_name()[lexeme.text] for lexeme in part.of("LAND")]
    alternatives: list[tuple[c.Question, ...]] = []
    for every in _split(part.condition, "OR"):
        alternatives.append(tuple(_question(test, implied, lands, heroes) for test in _split(every, "AND")))
    when = tuple(alternatives)
    return negate(when) if part.how == "UNLESS" else when


def _split(phrases: Sequence[Phrase], kind: str) -> list[list[Phrase]]:
    rows: list[list[Phrase]] = [[]]
    for phrase in phrases:
        if phrase.lexemes[0].kind == kind:
            rows.append([])
        else:
            rows[-1].append(phrase)
    return rows


def _question(test: Sequence[Phrase], implied: str, lands: Sequence[str], heroes: dict[int, str]) -> c.Question:
    kinds = {phrase.lexemes[0].kind: phrase.lexemes for phrase in test}
    at = test[0].lexemes[0] if test else None
    negated = "NOT" in kinds
    rest = set(kinds) - {"ARE", "TO", "NOT", "ALL"}
    if "HITS" in kinds and rest <= {"HITS", "HERO", "WHO"} and len(rest) == 2:
        return c.AttackedBy(hero_of(kinds.get("HERO", kinds.get("WHO", ()))[0], heroes), negated)
    if rest and rest <= {"LONE", "HALF", "BANNER", "LEFT", "NUM"} and ("LONE" in rest or ("LEFT" in rest and _number(kinds) == 1)):
        return c.LoneHalf(negated)
    if rest == {"WORD"} and at is not None:
        word = kinds["WORD"][0]
        if _is_turn_card(word):
            return c.CardIs(word.text.upper(), negated)
    things = [kind for kind in rest if kind in _OWN or kind in _DICE]
    if len(things) > 1 or rest - {*things, "LAND", "REALM", "NUM", "BELOW", "LEAST", "MOST", "ABOVE", "EXACT", "MORE", "LESS"}:
        raise NotRead("condition-unknown", at)
    thing = things[0] if things else implied
    bound, number = _bound(kinds, negated, at)
    if "LAND" in kinds:
        return _on_land(lands_by_name()[kinds["LAND"][0].text], thing, bound, number, at)
    if not (set(kinds) & {"NUM", "BELOW", "LEAST", "MOST", "ABOVE", "EXACT"}) and thing in TOKENS and thing != "COIN":
        if not lands:  # `as long as there are banners`, said of a land
            raise NotRead("condition-unknown", at)
        return _on_land(lands[0], thing, bound, number, at)
    if thing in _OWN:
        return c.Amount(_OWN[thing], bound, number)
    if thing in _DICE:
        return c.DiceShown(_DICE[thing], bound, number)
    raise NotRead("condition-unknown", at)


def _on_land(land: str, thing: str, bound: c.Bound, number: int, at: Lexeme | None) -> c.OnLand:
    if thing not in TOKENS:
        raise NotRead("condition-unknown", at)
    return c.OnLand(land, TOKENS[thing], bound, number)


def _number(kinds: dict[str, tuple[Lexeme, ...]]) -> int | None:
    return kinds["NUM"][0].value if "NUM" in kinds else None


def _bound(kinds: dict[str, tuple[Lexeme, ...]], negated: bool, at: Lexeme | None) -> tuple[c.Bound, int]:
    """How many: `below 5`, `7 or more`, `3` (at least), nothing said (at least one), `no` (none)."""
    for kind, bound, more in (
        ("BELOW", "below", 0),
        ("LEAST", "at least", 0),
        ("MOST", "below", 1),
        ("ABOVE", "at least", 1),
        ("EXACT", "exactly", 0),
    ):
        if kind in kinds:
            value = kinds[kind][1].value
            if value is None or value < 0 or negated or _number(kinds) is not None:
                raise NotRead("condition-unknown", at)
            return next(known for known in c.BOUNDS if known == bound), min(value, 999) + more
    number = _number(kinds)
    if number is None:
        return ("below", 1) if negated else ("at least", 1)
    if number < 0 or negated:
        raise NotRead("condition-unknown", at)
    number = min(number, 999)
    return ("below", number + 1) if "LESS" in kinds else ("at least", number)


def hero_of(lexeme: Lexeme, heroes: dict[int, str]) -> str:
    """The hero a name means: a hero's own, or that of the player so called."""
    if lexeme.kind == "HERO":
        return heroes_by_name()[lexeme.text]
    hero = heroes.get(lexeme.value or 0)
    if hero is None:
        raise NotRead("unknown-player", lexeme)
    return hero


def negate(when: c.When) -> c.When:
    """The condition that holds where this does not."""
    rows: list[tuple[c.Question, ...]] = [()]
    for every in when:
        rows = [(*row, *other) for row in rows for question in every for other in _opposites(question)]
    return tuple(rows)


def _opposites(question: c.Question) -> list[tuple[c.Question, ...]]:
    match question:
        case c.AttackedBy(hero, negated):
            return [(c.AttackedBy(hero, not negated),)]
        case c.CardIs(card, negated):
            return [(c.CardIs(card, not negated),)]
        case c.LoneHalf(negated):
            return [(c.LoneHalf(not negated),)]
        case c.Amount(of, bound, number):
            return [(c.Amount(of, other, n),) for other, n in _other_bounds(bound, number)]
        case c.DiceShown(face, bound, number):
            return [(c.DiceShown(face, other, n),) for other, n in _other_bounds(bound, number)]
    return [(c.OnLand(question.land, question.token, other, n),) for other, n in _other_bounds(question.bound, question.number)]


def _other_bounds(bound: c.Bound, number: int) -> list[tuple[c.Bound, int]]:
    if bound == "exactly":
        return [("below", number), ("at least", number + 1)]
    return [("at least" if bound == "below" else "below", number)]
