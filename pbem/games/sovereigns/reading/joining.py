"""Words that are one thing together, or another than alone, by the sentence that they stand in:
answers by number, a rise of points, what a win decides, what spies are after, a title.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import dropwhile, pairwise, takewhile

from msgspec.structs import replace

from pbem.games.sovereigns.reading.pieces import ANSWER, BUILDING_KINDS, DO, HEADS, TRADE
from pbem.games.sovereigns.reading.scene import Scene
from pbem.games.sovereigns.reading.words import ATTRIBUTE_OF
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.sentences import ENDS
from pbem.grammar.kit.slots import SILENT

_TITLES = set_of("king queen lord lady duke duchess prince princess emperor empress sir dame")
_YES = frozenset({"yes please", "ok with me", "fine with me"}) | set_of(
    "yes y yeah yep yup aye ok okay fine sure accepted accept deal agreed"
)
_NO = frozenset({"is not", "are not", "is a no"}) | set_of(
    "no n nope nah nay declined decline refused rejected"
)
_SURE = frozenset({"ACCEPT", "DECLINE"})
"""Without these a word may be talk."""
_MEETS = SILENT | set_of("COMMA COLON AND DASH LPAR RPAR SOFTLY OFFERNOUN TO OF FOR BUT YES")
_GREATLY = set_of(
    "great greatly big well crushing decisive decisively huge massive overwhelming triumph"
    " landslide good luck lucky glorious splendid splendidly famous resounding badly hard fortune"
    " smiles kindly favour handsomely bigtime big-time"
)
_WON = set_of("win wins won victory succeed succeeds success beat crush goes go smile roll attack")
_PUBLIC = set_of("NUM WHO FALLEN ALIVE HASMORE ATLEAST ATMOST MOREOF FEWER RANGE TECH CONDITION")
_IN_ALL = 9
"""Points that are split (SS-1.3)."""
_EVEN = set_of("even equal balanced evenly equally")
_WHOSE = set_of("her his their its")
_WHOM = set_of("him her them")
_KNOWN = BUILDING_KINDS | {"TECH"}
_OURSELVES = ("her majesty", "his majesty", "the crown", "the queen", "the king", "my queen")
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_NTH = ("OFFER", "ACTION")
_UP = set_of("up higher")

Joiner = Callable[[list[Lexeme], Scene], list[Lexeme]]


def joined(lexemes: Sequence[Lexeme], scene: Scene) -> list[Lexeme]:
    """The lexemes, joined sentence by sentence."""
    found: list[Lexeme] = []
    above: list[Lexeme] = []
    for sentence in _sentences(_barred(lexemes)):
        for join in _JOINERS:
            sentence = join(sentence, scene) if sentence else sentence
        found += _goes_on(above, sentence)
        above = sentence
    return found


def _goes_on(above: Sequence[Lexeme], sentence: list[Lexeme]) -> list[Lexeme]:
    """`More harmony! Spend 3 to increase it.`: the deed of the sentence before, with its points."""
    heads, others = ([x.kind for x in said if x.kind in HEADS] for said in (above, sentence))
    more = _kinds(sentence)
    counted = "NUM" in more and "NUM" not in _kinds(above)
    if len(heads) != 1 or heads != others or not counted or more & {"WHO", "AM", "AH", "COND"}:
        return sentence
    at = next(i for i, x in enumerate(sentence) if x.kind in HEADS)
    at -= at > 0 and sentence[at - 1].kind == "TO"
    return [x for i, x in enumerate(sentence) if i < at or x.kind not in HEADS | SILENT | {"TO"}]


def _sentences(lexemes: Sequence[Lexeme]) -> Iterator[list[Lexeme]]:
    """Each with what ends it."""
    sentence: list[Lexeme] = []
    for lexeme in lexemes:
        sentence.append(lexeme)
        if lexeme.kind in ENDS:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _kinds(lexemes: Sequence[Lexeme]) -> set[str]:
    return {x.kind for x in lexemes}


def _barred(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """`SEC 2M | BLD temple`: an order on either side of a bar."""
    found = list(lexemes)
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind == "BAR" and all(
            any(x.kind in HEADS for x in takewhile(_is_cell, side))
            for side in (reversed(lexemes[:i]), lexemes[i + 1 :])
        ):
            found[i] = replace(lexeme, kind="SEMI")
    return found


def _is_cell(lexeme: Lexeme) -> bool:
    return lexeme.kind not in ENDS | {"BAR"}


# ---------------------------------------------------------------------------------------- small
def _titled(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`King Osric`."""
    pairs = [*pairwise([*lexemes, lexemes[-1]])]
    return [
        replace(x, kind="FILLER") if x.text in _TITLES and after.kind == "WHO" else x
        for x, after in pairs
    ]


def _royal(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`Her Majesty will spend 2 on her people`, `burn their wall`: whose they are says nothing."""
    own = any(x.text.startswith(_OURSELVES) for x in lexemes)
    own |= any(x.kind == "WHO" and x.value == scene.me for x in lexemes[:3])
    pairs = [*pairwise([*lexemes, lexemes[-1]])]
    return [
        replace(x, kind="FILLER")
        if x.kind == "OTHER" and x.text in _WHOSE and (own or after.kind in _KNOWN)
        else x
        for x, after in pairs
    ]


def _counted(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`offer Osric one Resource`, and `one expedition with 2`."""
    many = sum(x.kind == "NUM" for x in lexemes) > 1
    found: list[Lexeme] = []
    for x, after in pairwise([*lexemes, lexemes[-1]]):
        if x.text == "one" and x.kind == "FILLER" and after.kind in {*ATTRIBUTE_OF, "POINTS"}:
            x = replace(x, kind="NUM", value=1)
        elif x.text == "one" and many and after.kind in DO:
            x = replace(x, kind="FILLER", value=None)
        elif x.kind == "ASKFOR" and after.kind in DO:  # `I want revolt in Velmora`
            x = replace(x, kind="FILLER")
        elif x.text == "over" and after.kind == "TO":
            x = replace(x, kind="FILLER")  # `a spy over to Ben`
        elif x.kind == "ALL" and after.kind == "NUM" and _kinds(lexemes) & DO:
            x = replace(x, kind="FILLER")  # `with all 5`
        elif x.kind == "PROPOSE" and "OFFER" in _kinds(lexemes):
            x = replace(x, kind="FILLER")  # `I propose an exchange to Ben`
        elif x.kind == "INSTEAD" and "CANCELALL" in _kinds(lexemes):
            x = replace(x, kind="FILLER")
        elif x.kind == "KEEPBACK" and "SECURITY" in _kinds(lexemes):
            x = replace(x, kind="SPEND")  # `keep 3 at home for security`
        found.append(x)
    return found


def _sorry(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`attack Kargrad with 4, sorry Boris`: said to whom it hits."""
    named = set[int | None]()
    found: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        behind = lexemes[i + 1 : i + 3]
        ends = len(behind) == 1 or (len(behind) == 2 and behind[1].kind in ENDS)
        to = lexeme.kind == "SOFTLY" and ends and behind[0].kind == "WHO"
        if to and behind[0].value in named:
            return [*found, *behind[1:]]
        named |= {lexeme.value} if lexeme.kind == "WHO" else set()
        found.append(lexeme)
    return found


def _effective(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`on drums, which give +1 on ...`: what a technology does, told of its name."""
    if not _kinds(lexemes) & {"RESEARCH", "PROPOSE", "CALLED"}:
        return lexemes
    if any(x.kind == "AND" and x.text == "+" for x in lexemes) and "RESEARCH" in _kinds(lexemes):
        lexemes = [
            replace(x, kind="COLON") if x.kind == "IN" and y.kind in {"COMMON", "WORD"} else x
            for x, y in pairwise([*lexemes, lexemes[-1]])
        ]
    for i, (gives, plus) in enumerate(pairwise(lexemes)):
        if gives.kind in {"GIVE", "GETS"} and plus.kind == "AND" and plus.text == "+":
            start = i
            while start and lexemes[start - 1].kind in {"AND", "WHICH", "COMMA", "FILLER"}:
                start -= 1
            joint = Lexeme("COMMA", ",", gives.start, gives.end)
            return [*lexemes[:start], joint, *lexemes[i + 1 :]]
    return lexemes


def _camped(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`use the camp to refresh a soldier`: there is nothing else that it does (SS-7.6)."""
    kinds = _kinds(lexemes)
    if "BCAMP" not in kinds or kinds & (HEADS - {"SPEND"}) or not kinds & {"SPEND", "COLON"}:
        return lexemes
    at = next(i for i, x in enumerate(lexemes) if x.kind == "BCAMP")
    behind = lexemes[at + 1 : at + 2]
    if not behind or behind[0].kind not in {"TO", "COLON", "FOR", "SEEK"}:
        return lexemes
    rest = [*dropwhile(lambda x: x.kind not in ENDS | {"COMMA", "AND"}, lexemes[at + 1 :])]
    return [*lexemes[: at + 1], *rest]


def _repeated(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`steal from Ben with 2 (theft)`."""
    for i, (opens, inside, closes) in enumerate(
        zip(lexemes, lexemes[1:], lexemes[2:], strict=False)
    ):
        bracket = opens.kind == "LPAR" and closes.kind == "RPAR" and inside.kind in DO
        if bracket and inside.kind in _kinds(lexemes[:i]):
            return [*lexemes[:i], *lexemes[i + 3 :]]
    return lexemes


def _met(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`if there should be a coup`: what the points behind it are for (SS-4.3)."""
    if scene.state.stage != "year-start" and not _kinds(lexemes) & {"EVERYYEAR"}:
        return lexemes
    for i, lexeme in enumerate(lexemes):
        j = i + 1
        while j < len(lexemes) and lexemes[j].kind in SILENT | {"IN", "MEET"}:
            j += 1
        if lexeme.kind == "COND" and j < len(lexemes) and lexemes[j].kind in {"REBELLION", "COUP"}:
            whole = replace(lexemes[j], start=lexeme.start)
            rest = lexemes[j + 1 :]
            rest = rest[1:] if rest and rest[0].text == "then" else rest
            return _met([*lexemes[:i], whole, *rest], scene)
    return lexemes


def _raised(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`army +1, 4 res on it`, `military up, 3 res`: a rise, and what it costs."""
    if _kinds(lexemes) & (DO | TRADE | {"FOR", "COND"}) or scene.state.stage != "season":
        return lexemes
    lexemes = _spent_on(lexemes)
    solid = [i for i, x in enumerate(lexemes) if x.kind not in SILENT]
    for at, i in enumerate(solid):
        behind = [lexemes[j] for j in solid[at + 1 : at + 3]]
        told = [x.kind for x in behind]
        plus = told == ["AND", "NUM"] and behind[0].text in {"+", "plus"} and behind[1].value == 1
        rise = i + 1 < len(lexemes) and lexemes[i + 1].text in _UP
        if lexemes[i].kind in ATTRIBUTE_OF and (plus or rise):
            head = Lexeme("INCREASE", "increase", lexemes[i].start, lexemes[i].start)
            end = behind[1].start if plus else lexemes[i + 1].start
            rest = [x for x in lexemes[i + 1 :] if x.start > end]
            return [*lexemes[:i], head, lexemes[i], *rest]
    return lexemes


def _spent_on(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`spend 3 resources on military`."""
    for i, lexeme in enumerate(lexemes):
        ahead = {x.kind for x in lexemes[:i]}
        behind = [x.kind for x in lexemes[i + 1 :] if x.kind not in SILENT]
        leads = lexeme.kind in {"IN", "TO"} and {"NUM", "AR"} <= ahead
        if leads and behind[:1] in (["AM"], ["AH"]) and {*behind[1:]} <= ENDS | {"SEASONNOW"}:
            if not ahead & (HEADS | {"WHO", "AM", "AH"}):
                return [*lexemes[:i], replace(lexeme, kind="INCREASE"), *lexemes[i + 1 :]]
    return lexemes


def _sought(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`spy on Tariq with 1, I want that compass tech`: what spies are after."""
    kinds = _kinds(lexemes)
    if "ESPIONAGE" not in kinds or "TECH" not in kinds or kinds & (TRADE - {"ASKFOR"}):
        return lexemes
    found: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        beside = _kinds(lexemes[max(i - 1, 0) : i + 2])
        if lexeme.kind == "ASKFOR" or (lexeme.kind == "OTHER" and "TECH" in beside):
            lexeme = replace(lexeme, kind="SEEK" if lexeme.kind == "ASKFOR" else "FILLER")
        elif lexeme.kind == "PROPOSE" and "TECH" in beside:
            lexeme = replace(lexeme, kind="FILLER")
        found.append(lexeme)
    return found


def _otherwise(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`else: expedition 2`, in a sentence of its own."""
    first = next((i for i, x in enumerate(lexemes) if x.kind not in SILENT), 0)
    if lexemes[first].text == "else" and _kinds(lexemes) & DO:
        lexemes[first] = replace(lexemes[first], kind="ORELSE")
        return [x for i, x in enumerate(lexemes) if i != first + 1 or x.kind != "COLON"]
    return lexemes


# ----------------------------------------------------------------------------------- the set-up
def _divided(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`three points of each attribute`, `an even split`, `its nine points: ...`."""
    if scene.state.stage != "setup":
        return lexemes
    for i, lexeme in enumerate(lexemes):
        after = lexemes[i + 1].text if i + 1 < len(lexemes) else ""
        if lexeme.text in _EVEN and after in {"split", "splits", "spread", "division", "divide"}:
            return [*lexemes[:i], _triple(3, lexeme, lexemes[i + 1]), *lexemes[i + 2 :]]
        if lexeme.kind in TRADE:
            lexemes[i] = replace(lexeme, kind="FILLER")  # `I want 3 of each`
        if lexeme.kind != "NUM" or lexeme.value is None:
            continue
        j = i + 1
        while j < len(lexemes) and lexemes[j].kind in SILENT | {"POINTS", "OF", "IN", "FOR", "TO"}:
            j += 1
        if lexeme.value == _IN_ALL and j > i + 1 and lexemes[i + 1].kind == "POINTS":
            return [*lexemes[:i], *lexemes[i + 2 :]]
        if j < len(lexemes) and lexemes[j].kind in {"EACH", "BOTHOF", "ALL"}:
            rest = lexemes[j + 1 :]
            rest = rest[1:] if rest and rest[0].text.startswith("attribute") else rest
            return [*lexemes[:i], _triple(lexeme.value, lexeme, lexemes[j]), *rest]
    return lexemes


def _triple(count: int, first: Lexeme, last: Lexeme) -> Lexeme:
    return Lexeme("TRIPLE", f"{count}/{count}/{count}", first.start, last.end)


# --------------------------------------------------------------------------------------- trades
def _traded(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`1 military to Boris for 2 seasons`, `make Ben a present of steel`, `1R from me, 2M from
    him`: bargains that no verb tells, or one in two parts.
    """
    kinds = _kinds(lexemes)
    goods = "TECH" in kinds or ("NUM" in kinds and bool(kinds & {"AR", "AM"}))
    to = {x.value for x in lexemes if x.kind == "WHO" and x.value != scene.me}
    mine = any(x.kind == "WHO" and x.value == scene.me for x in lexemes)
    if not goods or len(to) != 1 or scene.state.stage != "season":
        return lexemes
    if kinds & TRADE:
        return _from_both(_made(lexemes), scene)
    terms = (
        kinds & {"AGAINST", "KEEPS", "YEAREND", "FORSEASONS", "FREELY"} or {"FOR", "TECH"} <= kinds
    )
    led = [x.kind for x in lexemes[:3]] == ["TO", "WHO", "COLON"]
    if mine or led or not terms or kinds & (HEADS - {"SPEND"}) or kinds & {"CALLED", "CODE"}:
        return lexemes
    start = lexemes[0].start
    return [Lexeme("OFFER", "offer", start, start), *lexemes]


def _made(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`make Ben a present of steel`."""
    for i, lexeme in enumerate(lexemes[:-2]):
        who, what = lexemes[i + 1 : i + 3]
        if lexeme.text == "make" and who.kind == "WHO" and what.kind == "GIVE":
            given = replace(what, start=lexeme.start, end=lexeme.end)
            return [*lexemes[:i], given, who, *lexemes[i + 3 :]]
    return lexemes


def _from_both(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`1R from me, 2M from him`."""
    sides = [
        (i, who)
        for i, (by, who) in enumerate(pairwise(lexemes))
        if by.kind == "FROM" and (who.kind == "WHO" or who.text in _WHOM)
    ]
    own = [who.kind == "WHO" and who.value == scene.me for _, who in sides]
    if own != [True, False]:
        return lexemes
    (first, _), (second, _) = sides
    at = next((i for i in range(second, first, -1) if lexemes[i].kind in {"COMMA", "AND"}), 0)
    if not at:
        return lexemes
    turn = Lexeme("AGAINST", "against", lexemes[at].start, lexemes[at].end)
    rest = [*lexemes[at + 1 : second], *lexemes[second + 2 :]]
    return [*lexemes[:first], *lexemes[first + 2 : at], turn, *rest]


# --------------------------------------------------------------------------------------- a win
def _won(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`burn the wall if it goes great`: the game's own condition (SS-6.5), and no other."""
    kinds = _kinds(lexemes)
    if "ATTACK" not in kinds or "BURN" not in kinds or not kinds & BUILDING_KINDS:
        return lexemes
    for i, lexeme in enumerate(lexemes):
        leads = lexeme.kind == "COND" or lexeme.text in {"should", "on", "upon", "in case of"}
        if not leads:
            continue
        j = i + 1
        while j < len(lexemes) and lexemes[j].kind not in ENDS | {"COMMA", "AND", "BURN", "RPAR"}:
            j += 1
        words = [word for x in lexemes[i + 1 : j] for word in x.text.split()]
        inside = {x.kind for x in lexemes[i + 1 : j] if x.kind != "WHO" or x.value != scene.me}
        if {*words} & _GREATLY and not inside & (_PUBLIC | ATTRIBUTE_OF.keys() | {"NEG", "OR"}):
            said = " ".join(x.text for x in lexemes[i:j])
            whole = Lexeme("CRUSHED", said, lexeme.start, lexemes[j - 1].end)
            return [*lexemes[:i], whole, *lexemes[j:]]
    return lexemes


# ------------------------------------------------------------------------------------- answers
def _says(lexeme: Lexeme) -> str:
    """Whether a word says yes or no to what is open."""
    if lexeme.kind == "ACCEPT" or lexeme.text in _YES:
        return "ACCEPT"
    return "DECLINE" if lexeme.kind == "DECLINE" or lexeme.text in _NO else ""


def _answered(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`1 yes 2 no`, `#1 ok, #2 no`, `fine Ben, deal`, `no to both`: offers that are open, each with
    its answer, at the beginning of a sentence and parted from what follows.
    """
    offers = scene.offers_to_me()
    if not offers or not any(map(_says, lexemes)):
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
    solid = [x for x in body if _says(x) or x.kind not in _MEETS]
    named = [x for x in solid if not _says(x)]
    ways = {_says(x) for x in solid} - {""}
    told = any(x.kind == "WHO" and y.kind == "COLON" for x, y in pairwise(body))
    if (
        told
        or (solid and solid[0].kind in _SURE | {"WHO"})
        or any(x.kind == "REQUEST" for x in body)
    ):
        return None  # `Ben: deal`, `I think I accept offer 1`
    fine = all(x.kind in {"BOTH", "BOTHOF"} or (x.kind, x.value) in known for x in named)
    sure = any(x.kind in _SURE | {"OFFERNOUN"} for x in body)
    if not named or not ways or not fine or (not sure and any(x.kind == "WHO" for x in named)):
        return None  # `ok Ben` is said to Ben
    ends = [x for x in lexemes if x.kind in ENDS]
    if len(ways) == 1:
        start = solid[0].start
        return [Lexeme(ways.pop(), "", start, start), *_listed(named), *ends]
    if len(named) * 2 != len(solid) or {*map(len, _pairs([*map(_says, solid)]))} != {2}:
        return None
    found: list[Lexeme] = []
    for first, second in zip(solid[::2], solid[1::2], strict=True):
        way, what = (first, second) if _says(first) else (second, first)
        found.append(Lexeme(_says(way), way.text, first.start, first.start))
        found.append(replace(what, start=first.start, end=second.end))
    return [*found, *ends]


def _listed(named: Sequence[Lexeme]) -> Iterator[Lexeme]:
    for i, lexeme in enumerate(named):
        if i:
            yield Lexeme("AND", "", lexeme.start, lexeme.start)
        yield lexeme


def _pairs(said: Sequence[str]) -> Iterator[set[bool]]:
    """Of each two words whether they are answers."""
    for i in range(0, len(said), 2):
        yield {bool(way) for way in said[i : i + 2]}


def _voted(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`my vote: Y`, `claim vote (Osric): n`, `no to the claim of Osric`."""
    kinds = _kinds(lexemes)
    if not scene.state.ballots or not kinds & {"VOTE", "CLAIMNOUN"}:
        return lexemes
    found = [
        replace(x, kind="VNO" if _says(x) == "DECLINE" else "YES") if _says(x) else x
        for x in lexemes
        if x.kind not in {"LPAR", "RPAR", "COLON"}
    ]
    if not kinds & {"VOTE", "WON", "NOTWON"} and any(map(_says, lexemes)):
        found.insert(0, Lexeme("VOTE", "vote", found[0].start, found[0].start))
    return found


def _ordinal(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`accept the second offer and decline the first`, where they are called 1 and 2."""
    offers = scene.offers_to_me()
    if not offers or not _kinds(lexemes) & ANSWER:
        return lexemes
    ids = {x.id: i for i, x in enumerate(offers, 1)}
    found: list[Lexeme] = []
    for lexeme in lexemes:
        number = _ORDINALS.get(lexeme.text, 0)
        if number and ids.get(number) == number and lexeme.kind != "NUM":
            lexeme = replace(lexeme, kind="NUM", value=number)
        found.append(lexeme)
    return found


def _offers_of(lexemes: list[Lexeme], scene: Scene) -> list[Lexeme]:
    """`accept the kind offer of Osric`: of what is open."""
    if not _kinds(lexemes) & ANSWER:
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


_JOINERS: tuple[Joiner, ...] = (
    _titled,
    _royal,
    _sorry,
    _counted,
    _effective,
    _camped,
    _repeated,
    _met,
    _divided,
    _otherwise,
    _traded,
    _raised,
    _sought,
    _won,
    _offers_of,
    _ordinal,
    _answered,
    _voted,
)
