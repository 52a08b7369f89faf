"""A part's condition as a value (RM-10.5). If any of it is not surely one of the known questions,
the whole is refused.

A bare number, as in `if I have 3 swords`, means at least this many, but only where it can mean
nothing else: a hero who leaves or stays out with 3 hearts may mean 3 or fewer, so we ask.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.realm_master import conditions as c
from pbem.games.realm_master.reading.parts import TOKENS, NotRead, PlanPart, hero_of, is_turn_card
from pbem.games.realm_master.reading.words import lands_by_name
from pbem.grammar.kit.clause_parser import Phrase
from pbem.grammar.kit.lexemes import Lexeme

_OWN: dict[str, c.Own] = {
    "HEART": "hearts",
    "GOLD": "gold",
    "BANNER": "banners",
    "DAMAGE": "damage",
    "HEROES": "heroes",
}
_DICE: dict[str, c.Face] = {"BLANK": "-", "HALF": "b", "SWORD": "s", "COIN": "c", "RFACE": "R"}
_BOUNDS: dict[str, tuple[c.Bound, int]] = {
    "BELOW": ("below", 0),
    "LEAST": ("at least", 0),
    "MOST": ("below", 1),
    "ABOVE": ("at least", 1),
    "EXACT": ("exactly", 0),
}
_ROLLED = frozenset({"roll", "rolled", "throw"})
MOST = 999
MOST_QUESTIONS = 8
"""In one condition: nobody means more, and its opposite stays short."""
_Q = r"(?:(?:BELOW|LEAST|MOST|ABOVE|EXACT)|NUM(?: MORE| LESS)?)"
_S = r"(?:HEART|GOLD|BANNER|DAMAGE|HEROES|BLANK|HALF|SWORD|COIN|RFACE)"
_P = r"(?:(?:TO )?LAND|THERE)"
_AMOUNTS = re.compile(
    rf"(?:{_P} )?(?:HAVE |EXIST |ARE |TO )?(?:{_Q} {_S}(?: MORE| LESS| LEFT)?|{_S} (?:{_P}"
    rf" )?(?:ARE |TO )?{_Q}(?: LEFT)?)(?: {_P})?"
    rf"|(?:LAND |IT )(?:HAVE )?(?:{_Q} {_S}(?: MORE| LESS| LEFT)?)(?: LEFT)?(?: THERE)?"
    rf"|(?:{_P} )?(?:HAVE |EXIST )?NOT {_S}(?: LEFT)?(?: {_P})?"
    rf"|(?:IT |LAND )(?:HAVE )?NOT {_S}(?: LEFT)?(?: {_P})?"
    rf"|(?:IT |LAND |{_P} )?(?:HAVE|EXIST) {_S}(?: LEFT)?(?: {_P})?"
    rf"|NOT HAVE (?:NUM )?{_S}"
    rf"|(?:HAVE |ARE |TO )?{_Q}"
)
_LONE = re.compile(
    r"(?:HAVE |EXIST )?(?:NOT |NUM )?(?:LONE(?: HALF| BANNER)?|(?:HALF|BANNER) LEFT|LONE"
    r" (?:HALF|BANNER) LEFT)(?: LEFT)?"
)


def when_of(
    part: PlanPart,
    implied: str,
    heroes: dict[int, str],
    bare: frozenset[str] = frozenset(),
    place: str | None = None,
    *,
    goes: bool = False,
) -> c.When:
    """The condition of a part. NotRead (condition-unknown) if it is not one.

    `implied` is the subject of a number alone; a bare number of a kind in `bare` means at least
    this many; `place` is the land that `there` means besides the lands that the part names; where a
    hero `goes` from one land to another, the words must say which of them is meant.
    """
    if not part.how:
        return c.ALWAYS
    if not part.condition:
        raise NotRead("condition-unknown", part.verb)
    lands = list(dict.fromkeys(lands_by_name()[lexeme.text] for lexeme in part.of("LAND")))
    land = lands[0] if len(lands) == 1 else place if not lands else None
    alternatives = _split(part.condition, "OR")
    rows = [_split(every, "AND") for every in alternatives]
    if sum(map(len, rows)) > MOST_QUESTIONS:
        raise NotRead("condition-unknown", part.first)
    alone = len(rows) == 1 and len(rows[0]) == 1
    reader = _Reader(implied if alone else "", land, heroes, bare, goes)
    when = tuple(tuple(reader.question(test) for test in every) for every in rows)
    return negate(when) if part.how == "UNLESS" else when


def _split(phrases: Sequence[Phrase], kind: str) -> list[list[Phrase]]:
    rows: list[list[Phrase]] = [[]]
    for phrase in phrases:
        if phrase.lexemes[0].kind == kind:
            rows.append([])
        else:
            rows[-1].append(phrase)
    return rows


@dataclass(frozen=True, slots=True)
class _Reader:
    """Questions of one condition."""

    implied: str
    land: str | None
    heroes: dict[int, str]
    bare: frozenset[str]
    goes: bool

    def question(self, test: Sequence[Phrase]) -> c.Question:
        kinds = [phrase.lexemes[0].kind for phrase in test]
        if (
            kinds[:1] == ["THERE"] and kinds[1:] and kinds[1] != "HAVE"
        ):  # `if there's still a banner`
            kinds[0] = "EXIST"
        at = test[0].lexemes[0] if test else None
        shape = " ".join(kinds)
        if "HITS" in kinds:
            return self._attacker(test, shape)
        if _LONE.fullmatch(shape) and self._is_lone(test, kinds):
            return c.LoneHalf("NOT" in kinds)
        if kinds in (["WORD"], ["NOT", "WORD"], ["ARE", "WORD"]) and is_turn_card(
            test[-1].lexemes[0]
        ):
            return c.CardIs(test[-1].lexemes[0].text.upper(), "NOT" in kinds)
        if _AMOUNTS.fullmatch(shape) is None:
            raise NotRead("condition-unknown", at)
        return self._amount(test, kinds, at)

    def _attacker(self, test: Sequence[Phrase], shape: str) -> c.Question:
        hits = next(phrase.lexemes[0] for phrase in test if phrase.lexemes[0].kind == "HITS")
        wanted = "(?:NOT )?HITS (?:HERO|WHO)" if hits.text.endswith("by") else "(?:HERO|WHO) HITS"
        if not re.fullmatch(wanted, shape) or hits.text in ("hit me", "attack me"):
            raise NotRead("condition-unknown", hits)
        who = next(
            phrase.lexemes[0] for phrase in test if phrase.lexemes[0].kind in ("HERO", "WHO")
        )
        return c.AttackedBy(hero_of(who, self.heroes), "NOT" in shape)

    def _is_lone(self, test: Sequence[Phrase], kinds: Sequence[str]) -> bool:
        number = next((phrase.lexemes[0].value for phrase in test if phrase.kind == "number"), None)
        return ("LONE" in kinds and number is None) or number == 1

    def _amount(
        self, test: Sequence[Phrase], kinds: Sequence[str], at: Lexeme | None
    ) -> c.Question:
        thing = next((kind for kind in kinds if kind in _OWN or kind in _DICE), self.implied)
        if (
            "NOT" in kinds
            and thing in TOKENS
            and not {"HAVE", "EXIST", "THERE", "IT", "LAND"} & set(kinds)
        ):
            raise NotRead("condition-unknown", at)  # `leave if no banners`: whose?
        bound, number = self._bound(test, kinds, thing, at)
        lands = [x.lexemes[0].text for x in test if x.lexemes[0].kind == "LAND"]
        named = lands_by_name()[lands[0]] if lands else None
        says_it = [x.lexemes[0].text for x in test if x.lexemes[0].kind == "IT"]
        points = bool({"THERE", "IT"} & {*kinds})
        counted = thing in TOKENS and thing != "COIN"
        is_there = points or ("EXIST" in kinds and counted)
        land = named or self.land
        if {*says_it} - {"it"} or (self.goes and named is None and is_there and not points):
            raise NotRead("condition-unknown", at)
        if named is not None or is_there:
            if not counted or land is None:
                raise NotRead("condition-unknown", at)
            return c.OnLand(land, TOKENS[thing], bound, number)
        rolled = any(x.lexemes[0].text.rpartition(" ")[2] in _ROLLED for x in test)
        if rolled and thing == "HEART":
            return c.DiceShown("h", bound, number)  # `if I rolled a heart`
        if thing in _OWN and not (rolled and thing in TOKENS):
            return c.Amount(_OWN[thing], bound, number)
        if thing in _DICE:
            return c.DiceShown(_DICE[thing], bound, number)
        raise NotRead("condition-unknown", at)

    def _bound(
        self, test: Sequence[Phrase], kinds: Sequence[str], thing: str, at: Lexeme | None
    ) -> tuple[c.Bound, int]:
        """How many: `below 5`, `7 or more`, `3` (at least), nothing said (at least one), `no`
        (none).
        """
        told = next((phrase for phrase in test if phrase.kind == "bound"), None)
        number = next((phrase.lexemes[0].value for phrase in test if phrase.kind == "number"), None)
        if told is not None:
            value = told.lexemes[1].value
            if value is None or value < 0 or {"MORE", "LESS"} & set(kinds):
                raise NotRead("condition-unknown", at)
            bound, more = _BOUNDS[told.lexemes[0].kind]
            return bound, min(value, MOST) + more
        if number is None:
            return ("below", 1) if "NOT" in kinds else ("at least", 1)
        if number < 0:
            raise NotRead("condition-unknown", at)
        number = min(number, MOST)
        if "NOT" in kinds:  # `if I don't have 3 swords`
            return "below", number
        if "LESS" in kinds:
            return "below", number + 1
        if "MORE" not in kinds and (thing not in self.bare or thing not in kinds):
            raise NotRead("condition-unknown", at)
        return "at least", number


def negate(when: c.When) -> c.When:
    """The condition that holds where this does not."""
    rows: list[tuple[c.Question, ...]] = [()]
    for every in when:
        rows = [
            (*row, *other) for row in rows for question in every for other in _opposites(question)
        ]
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
    return [
        (c.OnLand(question.land, question.token, other, n),)
        for other, n in _other_bounds(question.bound, question.number)
    ]


def _other_bounds(bound: c.Bound, number: int) -> list[tuple[c.Bound, int]]:
    if bound == "exactly":
        return [("below", number), ("at least", number + 1)]
    return [("at least" if bound == "below" else "below", number)]
