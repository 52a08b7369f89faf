"""Words of this game whose sense depends on their neighbours."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engine.sovereigns.state import SEASONS, Season
from pbem.games.sovereigns.reading.pieces import BUILDING_KINDS, DO
from pbem.games.sovereigns.reading.words import ATTRIBUTE_OF
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.sentences import ENDS
from pbem.grammar.kit.slots import SILENT

_PARTED = ENDS | set_of("COMMA COLON DASH LPAR RPAR BUT")
_STANDING = frozenset({"ALWAYS", "EVERYYEAR", "EVERYSEASON", "FORYEAR", "FORSEASONS"})
_REACH, _FAR = 6, 14
"""The most words that are looked at: for standing orders, for goods."""
_TAKING = frozenset({"take", "takes", "agree with", "i agree with", "we agree with"})
_GOODS = frozenset({"NUM", "TECH", *ATTRIBUTE_OF, *BUILDING_KINDS})
_BESIDE = SILENT | set_of(
    "SEASONNOW ORELSE YES ALWAYS BAR CORRECT SOFTLY FOR IN NEXTYEAR FORYEAR INSTEAD"
)
"""Kinds that may stand with a word that is a whole order."""
_TRADES = frozenset({"GIVE", "LEND", "SELL", "ASKFOR", "BORROW", "OFFER"})
_BEING = frozenset({"is", "are", "was", "were", "has", "will", "would", "can"})
_DROPPED = frozenset({"FORGETS", "ALWAYS", "NEITHER", "RETRACT"})
_PASSING = frozenset({"i", "we", "me", "us", "to", "will", "shall"})
_NOUNS = frozenset(
    {"guards", "spies", "agents", "thieves", "thief", "bodyguards", "revolt", "revolts", "spreads"}
    | {"missionaries", "explorers", "thefts"}
)
"""Words that are a noun as often as an order: without a number they are talk."""
_AWAY = frozenset({"WHO", "FROM", "AGAINST"})
_THEIRS = frozenset({"their", "his", "her", "your", "these", "those"})
"""Behind these such words name those of others: `guard us from Cyrene's spies`."""
_FOUNDING = frozenset({"found", "founds"})
_WEAK_RAISING = frozenset({"more", "arm", "train", "training", "grow", "improve", "raise"})

_RISING = frozenset(
    {"bigger", "larger", "stronger", "growing", "grows", "build up", "bump", "bump up", "expand"}
    | {
        "get more",
        "hire more",
        "more of",
        "increase of",
        "an increase of",
        "increase in",
        "raise up",
    }
    | {"up by one", "up by 1", "up one", "up 1", "one up", "recruits", "upgrade", "enlarging"}
)
"""Words for growth: they raise the attribute right next to them."""


def settled(
    lexemes: Sequence[Lexeme], season: Season, *, votes: bool, acts: bool
) -> Iterator[Lexeme]:
    """The lexemes, with the sense of those that depends on their neighbours and on the season;
    `votes`: a ballot is open, `acts`: the phase asks for actions.
    """
    others = frozenset(name.lower() for name in SEASONS if name != season)
    marks = _marks_of(lexemes)
    unasked = {*([] if votes else ["WON", "NOTWON"]), *([] if acts else ["TRYING"])}
    for i, lexeme in enumerate(lexemes):
        kind, around = lexeme.kind, marks[i]
        if kind == "FORGETS":
            ahead = {x.kind for x in lexemes[i + 1 : i + 1 + _REACH]}
            if _is_denied(lexemes, i):
                lexeme = replace(lexeme, kind="COMMON")
            elif not ahead & _STANDING:
                lexeme = replace(lexeme, kind=_forgotten(lexeme))
        elif kind in {"SEASONNOW", "FORYEAR"} and others & {*lexeme.text.split()}:
            if kind == "SEASONNOW" or not around & _DROPPED:
                lexeme = replace(lexeme, kind="LATER")
        if lexeme.kind == "RETRACT" and _has_object(lexemes, i):
            lexeme = replace(lexeme, kind="NEG")  # `cancel the attack on Borland`
        elif lexeme.text == "no no" and _denies(lexemes, i):
            yield replace(lexeme, text="no", end=lexeme.start + 2)
            lexeme = replace(lexeme, kind="NEG", text="no", start=lexeme.end - 2)
        elif other := _meant(lexemes, i, around, acts=acts):
            lexeme = replace(lexeme, kind=other)
        elif kind == "OFFER" and _is_noun(lexemes, i):
            lexeme = replace(lexeme, kind="OFFERNOUN")
        elif lexeme.text in _TAKING and _takes_offer(lexemes, i):
            lexeme = replace(lexeme, kind="ACCEPT")
        elif kind in unasked or _talks(lexemes, i, around):
            lexeme = replace(lexeme, kind="COMMON")
        yield lexeme


def _talks(lexemes: Sequence[Lexeme], i: int, around: set[str]) -> bool:
    """Whether a word that may order something does not, as it stands here."""
    lexeme = lexemes[i]
    match lexeme.kind:
        case "TRYING":
            return not around & ATTRIBUTE_OF.keys()
        case "SUPPORTING":
            return [x.kind for x in lexemes[i + 1 : i + 2]] != ["WHO"]
        case "ALL":
            return any(
                x.text in _BEING for x in (*lexemes[max(i - 1, 0) : i], *lexemes[i + 1 : i + 2])
            )
        case "FEAR" if lexeme.text == "fear":
            return _fears(lexemes, i)
        case "RETRACT":
            return _is_denied(lexemes, i)
        case "RESEARCH" if lexeme.text == "science":
            return not around & {"NUM", "ALL"}
        case "PASS":
            behind = lexemes[i + 1 : i + 2]
            being = any(x.text in _BEING | {"it", "the", "a", "me"} for x in behind)
            led = bool(i) and lexemes[i - 1].text.split(" ")[-1] in _PASSING
            led |= lexeme.text.startswith(("i ", "we "))
            led |= lexeme.text == "pass" and _starts_with_we(lexemes, i)
            return being or not (led or _is_alone(lexemes, i))
        case "DONE":
            well = bool(i) and lexemes[i - 1].text.endswith("well")
            return well or not _is_alone(lexemes, i)
        case "ACCEPT":
            upon = lexeme.text == "agreed" and [x.kind for x in lexemes[i + 1 : i + 2]] == ["IN"]
            return upon or not _stands(lexemes, i)
        case "FOUND" if lexeme.text in _FOUNDING:
            return not around & {"NUM", "AH", "ALL"}
        case "INCREASE" if lexeme.text in _WEAK_RAISING:
            return not around & ATTRIBUTE_OF.keys()
        case "INCREASE" if lexeme.text in _RISING:
            near = {x.kind for x in lexemes[max(i - 3, 0) : i + 4]}
            return not near & ATTRIBUTE_OF.keys()
    if lexeme.text == "deal with":
        return not _has_goods(lexemes[i:], 0)
    if lexeme.kind in DO and lexeme.text in _NOUNS:
        before = lexemes[i - 1] if i else None
        theirs = before is not None and (before.kind in _AWAY or before.text in _THEIRS)
        return theirs or not around & {"NUM", "ALL", "HALF", "DEPLETE"}
    return lexeme.kind in _TRADES and not (around & _GOODS and _has_goods(lexemes, i))


def _meant(lexemes: Sequence[Lexeme], i: int, around: set[str], *, acts: bool) -> str:
    """The kind that a word of ours has as it stands here; empty: its own."""
    match lexemes[i].text:
        case "res" if acts and _is_action(lexemes, i, around):
            return "RESEARCH"
        case "for harmony" if "FORGETS" not in around:
            return "AH"  # `six dice for harmony`
        case "should" if _supposes(lexemes, i):
            return "COND"
        case "more" | "last" if _is_afterthought(lexemes, i):
            return "FILLER"
    return ""


def _starts_with_we(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`We the people pass`."""
    while i and lexemes[i - 1].kind not in _PARTED:
        i -= 1
    return lexemes[i].text == "we"


def _has_object(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether what is taken back stands right behind it."""
    for lexeme in lexemes[i + 1 : i + 1 + _FAR]:
        if lexeme.kind not in SILENT - _PARTED | {"ACTION"}:
            return lexeme.kind in DO | {"BUILD", *BUILDING_KINDS}
    return False


def _fears(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`we fear nothing`: it tells what somebody feels."""
    before = lexemes[i - 1].text.split()[-1:] if i else []
    behind = {x.kind for x in lexemes[i + 1 : i + 2]}
    told = any(x.text in _BEING for x in lexemes[i + 1 : i + 2]) and lexemes[i].text == "fear"
    felt = told or bool(behind & {"COMMON", "WHO", "OTHER", "NUM", "NEG", "PASS", "ALL", "WORD"})
    return felt or before in (["i"], ["we"], ["they"], ["people"])


def _has_goods(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether goods stand behind a word of trade, or before it in its clause."""
    for lexeme in lexemes[i + 1 : i + 1 + _FAR]:
        if lexeme.kind in _GOODS:
            return True
        if lexeme.kind in ENDS | {"BUT"}:
            break
    for lexeme in reversed(lexemes[max(i - _FAR, 0) : i]):
        if lexeme.kind in _GOODS:
            return True
        if lexeme.kind in _PARTED | {"AND"}:
            break
    return False


def _is_denied(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`we never forget`."""
    return bool(i) and lexemes[i - 1].kind == "NEG"


def _marks_of(lexemes: Sequence[Lexeme]) -> list[set[str]]:
    """For each lexeme, the kinds of its sentence."""
    found: list[set[str]] = []
    marks: set[str] = set()
    for lexeme in lexemes:
        if lexeme.kind in ENDS:
            marks = set()
        marks.add(lexeme.kind)
        found.append(marks)
    return found


def _denies(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`no, no vault`."""
    return i + 1 < len(lexemes) and lexemes[i + 1].kind in BUILDING_KINDS | DO


def _forgotten(lexeme: Lexeme) -> str:
    """What a word is that forgets no standing order."""
    if lexeme.text.startswith(("forget", "drop", "cancel", "delete", "remove")):
        return "RETRACT" if lexeme.text.startswith(("forget", "cancel")) else "COMMON"
    return "NEG" if lexeme.text.startswith(("no", "stop", "without")) else "COMMON"


def _is_noun(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`accept offer 3`, `Borland's offer`, `your offer`."""
    if lexemes[i].text not in {"offer", "offers"}:
        return False
    before = lexemes[i - 1] if i else None
    after = [x.kind for x in lexemes[i + 1 : i + 3]]
    if after[:1] == ["NUM"] and after[1:] not in (["AR"], ["AM"], ["AH"]):
        return True
    if before is None:
        return False
    own = before.text in {"my", "the", "this", "that", "our", "both", "his", "her", "their", "your"}
    leads = before.kind in {"ACCEPT", "DECLINE", "WITHDRAW", "OTHER", "BOTHOF"} or own
    return leads or (before.kind == "WHO" and after[:1] not in (["NUM"], ["WHO"]))


def _is_action(lexemes: Sequence[Lexeme], i: int, around: set[str]) -> bool:
    """`bld hospital, res 2`: a number behind it, and nothing before it that it is spent on."""
    starts = not i or lexemes[i - 1].kind in _PARTED | {"AND"}
    behind = [x.kind for x in lexemes[i + 1 : i + 3]]
    paired = behind[1:] != [] and behind[1] in {"AM", "AH", "POINTS", "FOR", "AGAINST", "KEEPS"}
    spent = around & (DO | _TRADES | {"AM", "AH"})
    return starts and behind[:1] == ["NUM"] and not paired and not spent


def _is_afterthought(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`deplete one more`, `with the last 2`."""
    before, behind = lexemes[max(i - 2, 0) : i], [x.kind for x in lexemes[i + 1 : i + 2]]
    if lexemes[i].text == "more":
        return bool(before) and before[-1].kind == "NUM"
    leads = [x.kind for x in before]
    return behind == ["NUM"] and leads in (["DEPLETE", "FILLER"], ["WITH", "FILLER"])


def _supposes(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`Should they be gone by then, ...`."""
    starts = not i or lexemes[i - 1].kind in _PARTED | {"AND"}
    return starts and [x.kind for x in lexemes[i + 1 : i + 2]] in (["OTHER"], ["WHO"])


def _takes_offer(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`I take Cyrene's offer`, `I agree with the offer of Cyrene`."""
    return any(_is_noun(lexemes, j) for j in range(i + 1, min(i + 5, len(lexemes))))


def _is_alone(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether it is all its clause says, except for the season."""
    return _side(lexemes, i, -1) and _side(lexemes, i, 1)


def _side(lexemes: Sequence[Lexeme], i: int, step: int) -> bool:
    j = i + step
    while 0 <= j < len(lexemes):
        kind = lexemes[j].kind
        if kind in _PARTED or kind == "AND":
            return True
        mine = kind == "WHO" and lexemes[j].text in {"me", "us"} and lexemes[j - 1].kind == "FOR"
        if kind not in _BESIDE and not mine:
            return False
        j += step
    return True


def _stands(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether a word that ends something or takes something up is no part of talk: `a fair deal`,
    `this is done`.
    """
    before = lexemes[i - 1] if i else None
    if lexemes[i].text in {"deal", "done", "final", "agreed", "agree"} and before is not None:
        fine = before.kind in _PARTED | {"AND", "YES", "WITHDRAW", "ACCEPT", "SEASONNOW", "ALL"}
        return fine or before.text in {"ok", "okay", "well", "i", "we"}
    return True
