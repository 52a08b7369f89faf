"""Bargains and answers told in other words than by their verb: who gives what, `1 yes 2 no`, a vote
of one letter.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from pbem.games.sovereigns.reading.pieces import ANSWER, HEADS, TRADE
from pbem.games.sovereigns.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.sentences import ENDS
from pbem.grammar.kit.slots import SILENT

_YES = frozenset({"yes please", "ok with me", "fine with me"}) | set_of(
    "yes y yeah yep yup aye ok okay fine sure accepted accept deal agreed"
)
_NO = frozenset({"is not", "are not", "is a no"}) | set_of(
    "no n nope nah nay declined decline refused rejected"
)
_SURE = frozenset({"ACCEPT", "DECLINE"})
"""Without these a word may be talk."""
ANSWERING = _YES | _NO | _SURE
"""Words that say yes or no to what is open, and kinds of such words."""
_MEETS = SILENT | set_of("COMMA COLON AND DASH LPAR RPAR SOFTLY OFFERNOUN TO OF FOR BUT YES")
_WHOM = set_of("him her them")
_WHOSE = set_of("her his their its")
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_NTH = ("OFFER", "ACTION")


def kinds_of(lexemes: Sequence[Lexeme]) -> set[str]:
    """The kinds of these words."""
    return {x.kind for x in lexemes}


def traded(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`1 military to Boris for 2 seasons`, `make Ben a present of steel`, `1R from me, 2M from
    him`: bargains that no verb tells, or one in two parts.
    """
    kinds = kinds_of(lexemes)
    goods = "TECH" in kinds or ("NUM" in kinds and bool(kinds & {"AR", "AM"}))
    to = {x.value for x in lexemes if x.kind == "WHO" and x.value != position.me}
    mine = any(x.kind == "WHO" and x.value == position.me for x in lexemes)
    if not goods or len(to) != 1 or position.state.stage != "season":
        return lexemes
    if not kinds & {"CALLED", "CODE"} and any(map(_is_to, pairwise(lexemes))):
        lexemes = [replace(x, kind="OFFER") if x.kind == "PROPOSE" else x for x in lexemes]
        kinds = kinds_of(lexemes)
    if kinds & TRADE:
        return _from_both(_made(lexemes), position)
    terms = (
        kinds & {"AGAINST", "KEEPS", "YEAREND", "FORSEASONS", "FREELY"} or {"FOR", "TECH"} <= kinds
    )
    led = [x.kind for x in lexemes[:3]] == ["TO", "WHO", "COLON"]
    if mine or led or not terms or kinds & (HEADS - {"SPEND"}) or kinds & {"CALLED", "CODE"}:
        return lexemes
    start = lexemes[0].start
    return [Lexeme("OFFER", "offer", start, start), *lexemes]


def _is_to(pair: tuple[Lexeme, Lexeme]) -> bool:
    return [x.kind for x in pair] == ["TO", "WHO"]


def _made(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`make Ben a present of steel`."""
    for i, lexeme in enumerate(lexemes[:-2]):
        who, what = lexemes[i + 1 : i + 3]
        if lexeme.text == "make" and who.kind == "WHO" and what.kind == "GIVE":
            given = replace(what, start=lexeme.start, end=lexeme.end)
            return [*lexemes[:i], given, who, *lexemes[i + 3 :]]
    return lexemes


def _from_both(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`1R from me, 2M from him`."""
    sides = [
        (i, who)
        for i, (by, who) in enumerate(pairwise(lexemes))
        if by.kind == "FROM" and (who.kind == "WHO" or who.text in _WHOM)
    ]
    own = [who.kind == "WHO" and who.value == position.me for _, who in sides]
    if own != [True, False]:
        return lexemes
    (first, _), (second, _) = sides
    at = next((i for i in range(second, first, -1) if lexemes[i].kind in {"COMMA", "AND"}), 0)
    if not at:
        return lexemes
    turn = Lexeme("AGAINST", "against", lexemes[at].start, lexemes[at].end)
    rest = [*lexemes[at + 1 : second], *lexemes[second + 2 :]]
    return [*lexemes[:first], *lexemes[first + 2 : at], turn, *rest]


def says(lexeme: Lexeme) -> str:
    """Whether a word says yes or no to what is open."""
    if lexeme.kind == "AND":
        return ""  # `1 n 2`
    if lexeme.kind == "ACCEPT" or lexeme.text in _YES:
        return "ACCEPT"
    return "DECLINE" if lexeme.kind == "DECLINE" or lexeme.text in _NO else ""


def answered(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`1 yes 2 no`, `#1 ok, #2 no`, `fine Ben, deal`, `no to both`: offers that are open, each with
    its answer, at the beginning of a sentence and parted from what follows.
    """
    offers = position.offers_to_me()
    if not offers or not any(map(says, lexemes)):
        return lexemes
    known = {("NUM", x.id) for x in offers} | {("WHO", x.giver) for x in offers}
    for end in range(len(lexemes), 0, -1):
        parts = end == len(lexemes) or lexemes[end].kind in {"COMMA", "AND", "SEMI"}
        sure = end == len(lexemes) or any(x.kind in _SURE for x in lexemes[:end])
        found = _each(lexemes[:end], known) if parts and sure else None
        if found is not None:
            return [*found, *lexemes[end:]]
    return lexemes


def _each(lexemes: list[Lexeme], known: Collection[tuple[str, int]]) -> list[Lexeme] | None:
    """Answers, each in front of its offer; None if anything else is said."""
    body = [x for x in lexemes if x.kind not in ENDS]
    solid = [x for x in body if says(x) or x.kind not in _MEETS]
    named = [x for x in solid if not says(x)]
    if sum(x.kind == "NUM" for x in named) == 2:
        named = [x for x in named if x.kind not in {"BOTH", "BOTHOF"}]  # `1 and 2, both`
    solid = [x for x in solid if says(x) or x in named]
    ways = {says(x) for x in solid} - {""}
    told = any(x.kind == "WHO" and y.kind == "COLON" for x, y in pairwise(body))
    if told or (solid and _is_led(body, solid[0])) or any(x.kind == "REQUEST" for x in body):
        return None  # `Ben: deal`, `I think I accept offer 1`
    fine = all(x.kind in {"BOTH", "BOTHOF"} or (x.kind, x.value) in known for x in named)
    sure = any(x.kind in _SURE | {"OFFERNOUN"} for x in body)
    if not named or not ways or not fine or (not sure and any(x.kind == "WHO" for x in named)):
        return None  # `ok Ben` is said to Ben
    ends = [x for x in lexemes if x.kind in ENDS]
    if len(ways) == 1:
        start = solid[0].start
        said = ways.pop()
        return [Lexeme(said, said.lower(), start, start), *_listed(named), *ends]
    if len(named) * 2 != len(solid) or {*map(len, _pairs([*map(says, solid)]))} != {2}:
        return None
    found: list[Lexeme] = []
    for first, second in zip(solid[::2], solid[1::2], strict=True):
        way, what = (first, second) if says(first) else (second, first)
        found.append(Lexeme(says(way), way.text, first.start, first.start))
        found.append(replace(what, start=first.start, end=second.end))
    return [*found, *ends]


def _is_led(body: Sequence[Lexeme], first: Lexeme) -> bool:
    """Whether it has the usual form, `accept 1`, or speaks to somebody: `Ben, accept 2`."""
    behind = next((x.kind for x in body if x.start > first.start), "")
    return first.kind in _SURE or (first.kind == "WHO" and behind != "OFFERNOUN")


def _listed(named: Sequence[Lexeme]) -> Iterator[Lexeme]:
    for i, lexeme in enumerate(named):
        if i:
            yield Lexeme("AND", "and", lexeme.start, lexeme.start)
        yield lexeme


def _pairs(said: Sequence[str]) -> Iterator[set[bool]]:
    """Of each two words whether they are answers."""
    for i in range(0, len(said), 2):
        yield {bool(way) for way in said[i : i + 2]}


def voted(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`my vote: Y`, `claim vote (Osric): n`, `no to his claim`, `about the ballot: no`."""
    kinds = kinds_of(lexemes)
    if not position.state.ballots or not kinds & {"VOTE", "CLAIMNOUN", "WON", "NOTWON"}:
        return lexemes
    said = [x for x in lexemes if x.kind not in {"LPAR", "RPAR", "COLON"}]
    said = said[said[0].text == "about" :]
    found = [_as_vote(x, kinds_of(said[i : i + 3])) for i, x in enumerate(said)]
    if not kinds & {"VOTE", "WON", "NOTWON"} and any(map(says, lexemes)):
        found.insert(0, Lexeme("VOTE", "vote", found[0].start, found[0].start))
    return found


def _as_vote(lexeme: Lexeme, near: Collection[str]) -> Lexeme:
    against = lexeme.text == "n" or lexeme.kind == "AGAINST"  # `I vote against it`
    way = "DECLINE" if against else says(lexeme)
    if way:
        return replace(lexeme, kind="VNO" if way == "DECLINE" else "YES")
    whose = lexeme.kind == "OTHER" and lexeme.text in _WHOSE and "CLAIMNOUN" in near
    return replace(lexeme, kind="FILLER") if whose else lexeme


def by_ordinal(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`accept the second offer and decline the first`, where they are called 1 and 2."""
    offers = position.offers_to_me()
    if not offers or not kinds_of(lexemes) & ANSWER:
        return lexemes
    ids = {x.id: i for i, x in enumerate(offers, 1)}
    found: list[Lexeme] = []
    for lexeme in lexemes:
        number = _ORDINALS.get(lexeme.text, 0)
        if number and ids.get(number) == number and lexeme.kind != "NUM":
            lexeme = replace(lexeme, kind="NUM", value=number)
        found.append(lexeme)
    return found


def offers_named(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`accept the kind offer of Osric`: of what is open."""
    if not kinds_of(lexemes) & ANSWER:
        return lexemes
    numbered = {i for i, (x, y) in enumerate(pairwise(lexemes)) if (x.kind, y.kind) == _NTH}
    found = [
        replace(x, kind="OFFERNOUN")
        if x.text in {"offer", "offers"} and (x.kind == "COMMON" or i in numbered)
        else x
        for i, x in enumerate(lexemes)
        if i - 1 not in numbered
    ]
    pairs = [*pairwise([*found, found[-1]])]
    return [
        replace(x, kind="FILLER") if x.kind == "COMMON" and after.kind == "OFFERNOUN" else x
        for x, after in pairs
    ]
