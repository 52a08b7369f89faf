"""Words that are one thing together, or another than alone, by the sentence that they stand in:
a rise of points, what a win decides, what spies are after, a title.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile, pairwise, takewhile

from msgspec.structs import replace

from pbem.games.sovereigns.reading.deals import (
    ANSWERING,
    answered,
    by_ordinal,
    kinds_of,
    offers_named,
    traded,
    voted,
)
from pbem.games.sovereigns.reading.pieces import AIMED, ANSWER, BUILDING_KINDS, DO, HEADS, TRADE
from pbem.games.sovereigns.reading.position import Position
from pbem.games.sovereigns.reading.words import ATTRIBUTE_OF
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.sentences import ENDS
from pbem.grammar.kit.slots import SILENT

_LONGEST = 60
"""The most words of a sentence that may be an idiom."""
_TITLES = set_of("king queen lord lady duke duchess prince princess emperor empress sir dame")
_GREATLY = set_of(
    "great greatly big well crushing decisive decisively huge massive overwhelming triumph"
    " landslide good luck lucky glorious splendid splendidly famous resounding badly hard fortune"
    " smiles kindly favour handsomely bigtime big-time"
)
_PUBLIC = set_of("NUM WHO FALLEN ALIVE HASMORE ATLEAST ATMOST MOREOF FEWER RANGE TECH CONDITION")
_IN_ALL = 9
"""Points that are split (SS-1.3)."""
_EVEN = set_of("even equal balanced evenly equally")
_THINGS = set_of("thing things stuff business")
_UP = set_of("up higher")

Idiom = Callable[[list[Lexeme], Position], list[Lexeme]]


def with_idioms(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    """The lexemes, sentence by sentence."""
    found: list[Lexeme] = []
    above: list[Lexeme] = []
    for sentence in _sentences(_barred(lexemes)):
        signs = _signs_of(sentence)
        may_be = len(sentence) <= _LONGEST and not _NEEDED.isdisjoint(signs)
        for settle, needs in _IDIOMS if may_be else ():
            if needs.isdisjoint(signs):
                continue
            before, sentence = sentence, settle(sentence, position)
            if sentence is not before:
                signs = _signs_of(sentence)
        found += _goes_on(above, sentence)
        above = sentence
    return found


def _signs_of(lexemes: Sequence[Lexeme]) -> set[str]:
    """The kinds of these words, and the words."""
    return {x.kind for x in lexemes} | {x.text for x in lexemes}


def _goes_on(above: Sequence[Lexeme], sentence: list[Lexeme]) -> list[Lexeme]:
    """`More harmony! Spend 3 to increase it.`: the deed of the sentence before, with its points."""
    heads = [x.kind for x in above if x.kind in HEADS]
    if len(heads) != 1 or heads != [x.kind for x in sentence if x.kind in HEADS]:
        return sentence
    more = kinds_of(sentence)
    counted = "NUM" in more and "NUM" not in kinds_of(above)
    if not counted or more & {"WHO", "AM", "AH", "COND"}:
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


def _barred(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """`SEC 2M | BLD temple`: an order on either side of a bar."""
    found = list(lexemes)
    for i, lexeme in enumerate(lexemes):
        if (
            lexeme.kind == "BAR"
            and lexeme.text == "|"
            and all(
                any(x.kind in HEADS for x in takewhile(_is_cell, side))
                for side in (
                    reversed(lexemes[max(i - _LONGEST, 0) : i]),
                    lexemes[i + 1 : i + _LONGEST],
                )
            )
        ):
            found[i] = replace(lexeme, kind="SEMI")
    return found


def _is_cell(lexeme: Lexeme) -> bool:
    return lexeme.kind not in ENDS | {"BAR"}


# ---------------------------------------------------------------------------------------- small
def _titled(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`King Osric`."""
    pairs = [*pairwise([*lexemes, lexemes[-1]])]
    return [
        replace(x, kind="FILLER") if x.text in _TITLES and after.kind == "WHO" else x
        for x, after in pairs
    ]


def _counted(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`offer Osric one Resource`, and `one expedition with 2`."""
    many = sum(x.kind == "NUM" for x in lexemes) > 1
    found: list[Lexeme] = []
    for x, after in pairwise([*lexemes, lexemes[-1]]):
        if x.text == "one" and x.kind == "FILLER" and after.kind in {*ATTRIBUTE_OF, "POINTS"}:
            x = replace(x, kind="NUM", value=1)
        elif x.text == "one" and many and after.kind in DO:
            continue
        elif x.kind == "COLON" and after.kind == "WHO" and found and found[-1].kind in AIMED:
            continue  # `spies: Saltmere, 1`
        elif x.kind == "ASKFOR" and after.kind in DO:  # `I want revolt in Velmora`
            x = replace(x, kind="FILLER")
        elif x.text == "over" and after.kind == "TO":
            x = replace(x, kind="FILLER")  # `a spy over to Ben`
        elif x.kind == "ALL" and after.kind == "NUM" and kinds_of(lexemes) & DO:
            x = replace(x, kind="FILLER")  # `with all 5`
        elif x.kind == "PROPOSE" and "OFFER" in kinds_of(lexemes):
            x = replace(x, kind="FILLER")  # `I propose an exchange to Ben`
        elif x.kind == "INSTEAD" and "CANCELALL" in kinds_of(lexemes):
            x = replace(x, kind="FILLER")
        elif x.kind == "KEEPBACK" and kinds_of(lexemes) & {"SECURITY", "REBELLION", "COUP"}:
            spends = after.kind in {"NUM", "ALL"}  # `keep 3 at home for security`
            x = replace(x, kind="SPEND") if spends and _is_for_arms(lexemes) else x
        elif x.text in _THINGS and x.kind == "COMMON" and "FORGETS" in kinds_of(lexemes):
            continue
        elif x.text == "so" and x.kind == "FILLER" and after.kind in DO and len(found) > 2:
            x = replace(x, kind="COMMA")  # `Ben is weak so attack him`
        found.append(x)
    return found


def _is_for_arms(lexemes: Sequence[Lexeme]) -> bool:
    return "AM" in kinds_of(lexemes) or "SECURITY" in kinds_of(lexemes)


def _sorry(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
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


def _effective(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`on drums, which give +1 on ...`: what a technology does, told of its name."""
    if not kinds_of(lexemes) & {"RESEARCH", "PROPOSE", "CALLED"}:
        return lexemes
    if any(x.kind == "AND" and x.text == "+" for x in lexemes) and "RESEARCH" in kinds_of(lexemes):
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


def _camped(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`use the camp to refresh a soldier`: there is nothing else that it does (SS-7.6)."""
    kinds = kinds_of(lexemes)
    if "BCAMP" not in kinds or kinds & (HEADS - {"SPEND"}) or not kinds & {"SPEND", "COLON"}:
        return lexemes
    at = next(i for i, x in enumerate(lexemes) if x.kind == "BCAMP")
    behind = lexemes[at + 1 : at + 2]
    if not behind or behind[0].kind not in {"TO", "COLON", "FOR", "SEEK"}:
        return lexemes
    rest = [*dropwhile(lambda x: x.kind not in ENDS | {"COMMA", "AND"}, lexemes[at + 1 :])]
    return [*lexemes[: at + 1], *rest]


def _repeated(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`steal from Ben with 2 (theft)`."""
    for i, (opens, inside, closes) in enumerate(
        zip(lexemes, lexemes[1:], lexemes[2:], strict=False)
    ):
        bracket = opens.kind == "LPAR" and closes.kind == "RPAR" and inside.kind in DO
        if bracket and inside.kind in kinds_of(lexemes[:i]):
            return [*lexemes[:i], *lexemes[i + 3 :]]
    return lexemes


def _for_that(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`2 military for a rebellion`: what they are for, ahead of them."""
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind not in {"REBELLION", "COUP"}:
            continue
        at = i - 1
        while at >= 0 and lexemes[at].kind in SILENT | {"FOR", "AGAINST", "IN"}:
            at -= 1
        at -= at > 0 and lexemes[at].kind == "AM"
        behind = [x.kind for x in lexemes[i + 1 :] if x.kind not in SILENT][:1]
        if at > 0 and lexemes[at].kind == "NUM" and behind not in (["NUM"], ["COLON"]):
            moved = replace(lexeme, start=lexemes[at].start, end=lexemes[at].start)
            rest = lexemes[i + 1 :]
            tail = _for_that(rest) if rest else rest
            return [*lexemes[:at], moved, *_without(lexemes[at:i]), *tail]
    return lexemes


def _without(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    return (x for x in lexemes if x.kind not in {"FOR", "AGAINST", "IN"})


def _met(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`if there should be a coup`, `against a coup: 3`: what points are for (SS-4.3)."""
    if position.state.stage != "year-start" and not kinds_of(lexemes) & {"EVERYYEAR"}:
        return lexemes
    lexemes = _for_that(lexemes)
    for i, lexeme in enumerate(lexemes):
        j = i + 1
        while j < len(lexemes) and lexemes[j].kind in SILENT | {"IN", "MEET"}:
            j += 1
        met = j < len(lexemes) and lexemes[j].kind in {"REBELLION", "COUP"}
        if met and lexeme.kind in {"COND", "AGAINST"}:
            whole = replace(lexemes[j], start=lexeme.start)
            rest = lexemes[j + 1 :]
            rest = rest[1:] if rest and rest[0].text == "then" else rest
            return _met([*lexemes[:i], whole, *rest], position)
    return lexemes


def _raised(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`army +1, 4 res on it`, `military up, 3 res`: a rise, and what it costs."""
    if kinds_of(lexemes) & (DO | TRADE | {"FOR", "COND"}) or position.state.stage != "season":
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


def _sought(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`spy on Tariq with 1, I want that compass tech`: what spies are after."""
    kinds = kinds_of(lexemes)
    if "ESPIONAGE" not in kinds or "TECH" not in kinds or kinds & (TRADE - {"ASKFOR"}):
        return lexemes
    found: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        beside = kinds_of(lexemes[max(i - 1, 0) : i + 2])
        if lexeme.kind == "ASKFOR" or (lexeme.kind == "OTHER" and "TECH" in beside):
            lexeme = replace(lexeme, kind="SEEK" if lexeme.kind == "ASKFOR" else "FILLER")
        elif lexeme.kind == "PROPOSE" and "TECH" in beside:
            lexeme = replace(lexeme, kind="FILLER")
        found.append(lexeme)
    return found


def _otherwise(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`else: expedition 2`, in a sentence of its own."""
    first = next((i for i, x in enumerate(lexemes) if x.kind not in SILENT), 0)
    if lexemes[first].text == "else" and kinds_of(lexemes) & DO:
        lexemes[first] = replace(lexemes[first], kind="ORELSE")
        return [x for i, x in enumerate(lexemes) if i != first + 1 or x.kind != "COLON"]
    return lexemes


def _gone(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`my standing order for the years can go`."""
    for i, (may, go) in enumerate(pairwise(lexemes)):
        if (may.text, go.text) == ("can", "go") and "ALWAYS" in kinds_of(lexemes[:i]):
            start = lexemes[0].start
            head = Lexeme("FORGETS", "forget", start, start)
            return [head, *lexemes[:i], *lexemes[i + 2 :]]
    return lexemes


# ----------------------------------------------------------------------------------- the set-up
def _divided(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`three points of each attribute`, `an even split`, `its nine points: ...`."""
    if position.state.stage != "setup":
        return lexemes
    lexemes = [*lexemes]
    whole = [i for i, x in enumerate(lexemes) if x.kind == "NUM" and x.value == _IN_ALL]
    if whole and [x.kind for x in lexemes[whole[0] + 1 : whole[0] + 2]] == ["POINTS"]:
        lexemes = [*lexemes[: whole[0]], *lexemes[whole[0] + 2 :]]
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
        if j < len(lexemes) and lexemes[j].kind in {"EACH", "BOTHOF", "ALL"}:
            rest = lexemes[j + 1 :]
            rest = rest[1:] if rest and rest[0].text.startswith("attribute") else rest
            return [*lexemes[:i], _triple(lexeme.value, lexeme, lexemes[j]), *rest]
    return lexemes


def _triple(count: int, first: Lexeme, last: Lexeme) -> Lexeme:
    return Lexeme("TRIPLE", f"{count}/{count}/{count}", first.start, last.end)


# --------------------------------------------------------------------------------------- a win
def _won(lexemes: list[Lexeme], position: Position) -> list[Lexeme]:
    """`burn the wall if it goes great`: the game's own condition (SS-6.5), and no other."""
    kinds = kinds_of(lexemes)
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
        inside = {x.kind for x in lexemes[i + 1 : j] if x.kind != "WHO" or x.value != position.me}
        if {*words} & _GREATLY and not inside & (_PUBLIC | ATTRIBUTE_OF.keys() | {"NEG", "OR"}):
            said = " ".join(x.text for x in lexemes[i:j])
            whole = Lexeme("CRUSHED", said, lexeme.start, lexemes[j - 1].end)
            return [*lexemes[:i], whole, *lexemes[j:]]
    return lexemes


_IDIOMS: tuple[tuple[Idiom, frozenset[str]], ...] = (
    (_titled, _TITLES),
    (_sorry, frozenset({"SOFTLY"})),
    (_counted, _THINGS | set_of("COLON ASKFOR ALL PROPOSE INSTEAD KEEPBACK one over so")),
    (_effective, set_of("RESEARCH PROPOSE CALLED")),
    (_camped, frozenset({"BCAMP"})),
    (_repeated, frozenset({"LPAR"})),
    (_met, set_of("REBELLION COUP")),
    (_divided, TRADE | _EVEN | {"NUM"}),
    (_otherwise, frozenset({"else"})),
    (_gone, frozenset({"can"})),
    (traded, set_of("TECH NUM")),
    (_raised, frozenset(ATTRIBUTE_OF)),
    (_sought, frozenset({"ESPIONAGE"})),
    (_won, frozenset({"ATTACK"})),
    (offers_named, ANSWER),
    (by_ordinal, ANSWER),
    (answered, ANSWERING),
    (voted, set_of("VOTE CLAIMNOUN WON NOTWON")),
)
"""Each with the kinds and words of which its sentence has one."""
_NEEDED = frozenset[str]().union(*(needs for _, needs in _IDIOMS))
