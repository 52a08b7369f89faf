"""Answers to what is open (offers, ballots), told in whatever order and with talk around them, to
offer: `Osric's loan I decline, Beatrix can have her deal`. Each is a part of a sentence with what
is open and a yes or a no, or two parts side by side (`The loan of Osric? No.`).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from engine.ruleset import Checked
from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.deals import says
from pbem.games.sovereigns.reading.pieces import ANSWER, HEADS
from pbem.games.sovereigns.reading.position import Position
from pbem.games.sovereigns.reading.trades import Verb
from pbem.grammar.kit.apart import has_any
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.reading import Reading, Suggestion
from pbem.grammar.kit.sentences import ENDS

_JOINTS = ENDS | set_of("COMMA AND BUT COLON DASH LPAR RPAR")
_HOLDS = set_of(
    "COND HEDGE LATER UNSETTLED PAST ORELSE BEFORE SOFTLY HOURS NEXTYEAR WITHIN ASKFOR CONDITION"
    " AGAINST SPEECH STATEMENT ASKFOR"
)
"""Where one of these stands nothing is answered yet."""
_DEEDS = HEADS - ANSWER - set_of("VOTE CLAIM FORGETS OFFER")
_NOUNS = set_of("offer offers deal loan gift present proposal bargain swap trade exchange")
_BALLOT = set_of("VOTE CLAIMNOUN WON NOTWON")
_DENIES = set_of("NEG EXCEPT VNO NOTWON")
_AGREES = set_of("YES WON")
_SHORT = 4
"""A no of this many words says it to what was named before; another is talk."""
_FEW = 80
"""A message of more words is a letter."""
_OWN = set_of("my our mine")
_VERBS: dict[str, Verb] = {"ACCEPT": "Accept", "DECLINE": "Decline", "WITHDRAW": "Withdraw"}
_TAKES = {"take": "ACCEPT", "leave": "DECLINE"}
_TELLS = set_of("COMMON WORD STATEMENT SPEECH PAST")
_OTHERWISE = set_of(
    "nothing more less another other instead only want wants would must should could"
    " normally supposed"
)
"""Words of another bargain than the one that is open."""
_HAVING = {("can", "have"), ("may", "have")}
_BOTH = ("ACCEPT", "DECLINE")

Open = tuple[str, int]
"""What is open: an offer by its number, a ballot by whose claim it is of."""


class _Part(Struct):
    """What stands between two joints: what is open there, and what is said to that."""

    joint: str
    named: list[Open]
    ways: set[str]
    tells: bool
    """It says itself that this is an offer or a claim."""


def with_replies(
    reading: Reading,
    position: Position,
    lexemes: Sequence[Lexeme],
    tell: Callable[[o.Order], str],
    check: Callable[[Sequence[o.Order]], Checked[o.Order]],
) -> Reading:
    """The reading with one offer of all answers that its words tell."""
    items = reading.items
    waits = position.offers_to_me() or position.offers_of_mine() or position.state.ballots
    if not waits or all(x.texts and not x.problems for x in items) or len(lexemes) > _FEW:
        return reading
    mine = [order for item in items for order in item.orders]
    asked = [order for item in items if item.suggestion for order in item.suggestion.orders]
    deeds = sum(x.kind in _DEEDS for x in lexemes)
    taken = sum(not isinstance(x, o.Answer | o.Vote) for x in mine)
    found = [] if deeds > taken else _orders(_meant(lexemes, position))
    fresh = [order for order in found if order not in mine]
    answered = [x for x in mine if isinstance(x, o.Answer | o.Vote)]
    if not fresh or any(x not in found for x in (*answered, *asked)):
        return reading
    checked = check(fresh)
    if checked.problems or len(checked.accepted) != len(fresh):
        return reading
    offer = Suggestion(1, checked.accepted, "\n".join(map(tell, checked.accepted)))
    at = next((i for i, item in enumerate(items) if not item.texts), None)
    if at is None:
        return reading
    told = [replace(x, suggestion=offer if i == at else None) for i, x in enumerate(items)]
    return replace(reading, items=tuple(told), note=None)


def _orders(ways: dict[Open, str] | None) -> list[o.Order]:
    found: list[o.Order] = []
    for (kind, number), way in (ways or {}).items():
        if kind == "ballot":
            found.append(o.Vote(way == "ACCEPT", number))
        else:
            found.append(o.Answer(_VERBS[way], number))
    return found


def _meant(lexemes: Sequence[Lexeme], position: Position) -> dict[Open, str] | None:
    """What is said to each thing that is open and named; None where nobody can tell."""
    parts = [*_parts(lexemes, position)]
    if not _is_sure(lexemes, parts):
        return None
    found: dict[Open, str] = {}
    waits, way = list[Open](), ""
    for part in parts:
        if part is None or len(part.ways) > 1 or (part.named and waits):
            return None
        told = next(iter(part.ways), "")
        said = told or (way if part.joint == "AND" else "")
        if part.named and not said:
            if not part.tells:
                return None  # `Ben, deal`: spoken to, maybe
            waits = part.named
            continue
        named = part.named or waits
        if (not named and told != way) or any(found.get(one, said) != said for one in named):
            return None
        found |= dict.fromkeys(named, said)
        waits, way = [], said
    mine = {x.id for x in position.offers_of_mine()}
    fits = all(
        (kind == "offer" and x in mine) is (found[kind, x] == "WITHDRAW") for kind, x in found
    )
    return found if fits and not waits else None


def _is_sure(lexemes: Sequence[Lexeme], parts: Sequence[_Part | None]) -> bool:
    """Whether something is answered here, and only what is open."""
    kinds = {x.kind for x in lexemes}
    ways = {way for part in parts if part is not None and part.named for way in part.ways}
    answers = kinds & (ANSWER | _BALLOT | {"OFFERNOUN"}) or len(ways) > 1
    words = {word for x in lexemes if x.kind not in ANSWER for word in x.text.split()}
    otherwise = words & _OTHERWISE and "ASKING" not in kinds
    return bool(answers or words & _NOUNS) and not (otherwise or kinds & _HOLDS)


def _parts(lexemes: Sequence[Lexeme], position: Position) -> Iterator[_Part | None]:
    """The parts that say something of what is open; None: of another thing, or a question, or what
    is thought of it.
    """
    joint, inside = "", list[Lexeme]()
    votes = any(x.kind in _BALLOT for x in lexemes)
    for lexeme in [*lexemes, Lexeme("NL", "", 0, 0)]:
        if lexeme.kind not in _JOINTS | {"EXCEPT"}:
            inside.append(lexeme)
            continue
        if inside and not any(x.kind in _DEEDS for x in inside):
            part = _part_of(joint, inside, position, votes=votes)
            if part is not None and not (part.named or part.ways):
                if joint == "BUT" or has_any([w for x in inside for w in x.text.split()], "ABOUT"):
                    yield None
            elif part is not None and part.ways and lexeme.kind == "ASK":
                yield None
            else:
                yield part
        ends = joint in ENDS and not inside
        joint = joint if ends else lexeme.kind
        inside = [lexeme] if lexeme.kind == "EXCEPT" else []


def _part_of(
    joint: str, inside: Sequence[Lexeme], position: Position, *, votes: bool
) -> _Part | None:
    ways = {_way(x) for x in inside} - {""}
    kinds = {x.kind for x in inside}
    if kinds & _DENIES:
        ways = set(_BOTH) if "DECLINE" in kinds else {"DECLINE"}
    if not ways and any((x.text, y.text) in _HAVING for x, y in pairwise(inside)):
        ways = {"ACCEPT"}
    own = "WITHDRAW" in ways
    theirs = own and any(x.text.endswith("your") for x in inside)
    if theirs or (_is_led(inside) and "ASKING" not in kinds):
        return None  # `accept offer 1`: what is held of it is held
    if not own and any(x.text in _OWN and y.kind == "OFFERNOUN" for x, y in pairwise(inside)):
        return None  # `Ben declined my offer`
    offers = position.offers_of_mine() if own else position.offers_to_me()
    ids = {x.id for x in (*position.offers_of_mine(), *position.offers_to_me())}
    ballots = [x.claimant for x in position.state.ballots] if votes else []
    named: list[Open] = []
    for who, behind in pairwise([*inside, inside[-1]]):
        if who.kind == "WHO" and who.value != position.me:
            if _does(who, behind) and not kinds & {"ASKING", "WHICH"}:
                return None  # `Ben accepts`, `Ben asked`; and not `what Ben offered`
            here: list[Open] = [("offer", x.id) for x in offers if who.value in {x.giver, x.taker}]
            here += [("ballot", x) for x in ballots if x == who.value]
            if len(here) > 1 or (not here and kinds & ANSWER):
                return None
            named += here
        elif who.kind == "NUM" and who.text != "one":
            if who.value not in ids:
                return None
            named.append(("offer", who.value))
    alone = [("ballot", x) for x in ballots] if kinds & _BALLOT else []
    alone += [("offer", x.id) for x in offers] if own and "OFFERNOUN" in kinds else []
    named = named or (alone if len(alone) == 1 else [])
    meant = named or kinds & (ANSWER | {"CORRECT"}) or len(inside) < _SHORT
    tells = bool(kinds & (_BALLOT | {"OFFERNOUN"})) or any(x.text in _NOUNS for x in inside)
    return _Part(joint, [*dict.fromkeys(named)], ways if meant else set(), tells)


def _is_led(inside: Sequence[Lexeme]) -> bool:
    """Whether a verb leads what it is of, as the taking reader knows it."""
    lead = next((i for i, x in enumerate(inside) if x.kind in ANSWER | {"VOTE"}), len(inside))
    spoken = lead < len(inside) and inside[lead].text in {"yes to", "no to"}
    own = any(y.kind == "OFFERNOUN" and x.text.endswith("my") for x, y in pairwise(inside))
    return (
        not spoken
        and not own
        and any(x.kind in {"WHO", "NUM", "YES", "VNO"} for x in inside[lead + 1 :])
        and not any(x.kind in {"WHO", "NUM"} for x in inside[:lead])
    )


def _does(who: Lexeme, behind: Lexeme) -> bool:
    """Whether somebody does something: `Ben asked`, and not `Ben's loan`."""
    owns = behind.start - who.end > 1
    own = behind.text.split(" ")[0] in {"i", "we"}
    deed = behind.kind in _TELLS or (behind.kind in ANSWER and behind.text.endswith(("s", "ed")))
    return deed and not owns and not own


def _way(lexeme: Lexeme) -> str:
    if lexeme.kind == "WITHDRAW":
        return "WITHDRAW"
    if lexeme.kind in _DENIES:
        return "DECLINE"
    if lexeme.text in _NOUNS and lexeme.kind != "ACCEPT":
        return ""
    if lexeme.text in _TAKES:
        return _TAKES[lexeme.text]
    return "ACCEPT" if lexeme.kind in _AGREES else says(lexeme)
