"""What holds back the orders of a sentence, and sentences that only speak of orders: questions,
words to others, a no to what was said.
"""

import itertools
from collections.abc import Sequence

from pbem.games.sovereigns.reading.pieces import (
    AIMED,
    AMOUNTS,
    ANSWER,
    AT_ONCE,
    BUILDING_KINDS,
    HEADS,
    JOINTS,
    TRADE,
)
from pbem.games.sovereigns.reading.telling import told_in
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.rings import Judged, Ring, is_question, unknown_beside
from pbem.grammar.kit.sentences import Sentence
from pbem.grammar.kit.slots import SILENT, TURNS

_PROVISO = frozenset({"only", "yet", "until", "till", "once", "unless", "after", "but not"})
_BINDS = frozenset({"COND", "TURN", "REFERS", "HEDGE", "UNSETTLED", "LATER"})
_THEIRS = frozenset({"their", "his", "her", "them", "him", "your"})
_GOODS = frozenset(
    {"TECH", "NUM", "FORSEASONS", "HOURS", "KEEPS", "YEAREND", "SPENTONE", "EXPENDED", *AMOUNTS}
)
"""Kinds of words that belong to a bargain, wherever they stand."""
_HAS = frozenset({"has", "have", "had", "got", "still has", "still have"})
_HAVING = frozenset({"i have", "we have", "i had", "we had", "there are", "there is"})
_SHORT = 1


def leaves(lexemes: Sequence[Lexeme]) -> bool:
    """`ach, leave it`."""
    solid = [x for x in lexemes if x.kind not in SILENT]
    return len(solid) < 3 and any(x.text in {"leave it", "leave that"} for x in solid)


def sorry(judged: Sequence[Judged]) -> bool:
    """`Sorry Chloé, ...`, with nothing before it that it might correct."""
    first = judged[0].clause if judged else None
    kinds = {x.kind for x in first.lexemes if x.kind not in SILENT} if first is not None else {""}
    return first is not None and first.cue == "soft" and kinds == {"WHO"}


def is_material(judged: Sequence[Judged]) -> bool:
    return any(one.ring is Ring.ORDER and one.clause.lexemes for one in judged)


def turn_in(judged: Sequence[Judged], plain: Plain, me: int, *, opens: bool) -> Lexeme | None:
    """What turns the orders of a sentence, if anything does."""
    first = next((i for i, one in enumerate(judged) if one.ring is Ring.ORDER), 0)
    said = {x.kind for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes}
    trades = bool(said & (TRADE | {"ESPIONAGE"}))
    for i, one in enumerate(judged):
        lexemes = one.clause.lexemes
        if one.ring is Ring.ORDER:
            found = next((x for x in lexemes if _turns(x)), None) or _states(one)
        elif one.ring is Ring.BINDS:
            found = next(x for x in lexemes if x.kind in _BINDS)
        else:
            found = _holds_back(one) if i > first else None
            burnt = (x for x in lexemes if x.kind in BUILDING_KINDS and "ATTACK" in said)
            found = found or (next(burnt, None) if i > first else None)
            found = found or (_goods_in(lexemes) if trades and i > first else None)
        if found is not None:
            return found
    for one, after in itertools.pairwise(judged):
        told = one.ring is Ring.TOLD and after.ring is Ring.ORDER and after.clause.joint == "COLON"
        tells = (x for x in one.clause.lexemes if x.kind in {"STATEMENT", "SPEECH", "PAST"})
        if told and (found := next(tells, None)):
            return found  # `I was thinking: attack Borland`
    found = told_in(judged, me, opens=opens) or (_hedged(judged) if said & AT_ONCE else None)
    found = found or _second_target(judged) or _label(judged, plain)
    if found is not None:
        return found
    glued = (x for one in judged for x in one.clause.lexemes if x.kind == "WORD")
    found = next((x for x in glued if not x.text.isalpha() and x.text[:1].isdigit()), None)
    if found is not None:
        return found  # `2 + 1d`
    unknown = (x for x in unknown_beside(judged) if not _is_called(x, judged, plain))
    return next(unknown, None)


_THINKING = frozenset({"think", "believe", "guess", "suppose", "hope", "feel", "reckon", "wish"})
_SAYING = ("say", "tell", "advis", "suggest", "recommend", "urge", "beg", "insist", "shout", "want")


def _hedged(judged: Sequence[Judged]) -> Lexeme | None:
    """What takes effect at once is ordered without a doubt and without a no beside it: not `I think
    I accept`, `my advisors say: accept`, `a deal for Borland, not for us`.
    """
    for i, one in enumerate(judged):
        inside = one.clause.lexemes
        if one.ring is Ring.ORDER:
            head = next((j for j, x in enumerate(inside) if x.kind in AT_ONCE), 0)
            found = next((x for x in inside[:head] if x.text.split(" ")[-1] in _THINKING), None)
        elif i + 1 < len(judged) and judged[i + 1].clause.joint == "COLON":
            found = next((x for x in inside if x.text.startswith(_SAYING)), None)
        else:
            first = next((x for x in inside if x.kind not in SILENT), None)
            told = inside[:1] != [] and inside[0].text.split(" ")[0] in _SELF  # `I'm not drunk`
            told |= any(x.kind in {"COMMON", "WORD", "STATEMENT"} for x in inside)
            found = first if first is not None and first.kind == "NEG" and i and not told else None
        if found is not None:
            return found
    return None


def _goods_in(inside: Sequence[Lexeme]) -> Lexeme | None:
    """What may belong to a bargain, and is not `an hour` or `the best one`."""
    before = ""
    counted = any(x.kind == "NUM" for x in inside)
    for lexeme in inside:
        apart = (lexeme.kind == "HOURS" and not counted) or (
            lexeme.text == "one" and before == "COMMON"
        )
        if lexeme.kind in _GOODS and not apart:
            return lexeme
        before = lexeme.kind
    return None


def _second_target(judged: Sequence[Judged]) -> Lexeme | None:
    """`attack Borland with 3, to Cyrene`: another kingdom than the order's, beside it."""
    said = [x for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes]
    if not {x.kind for x in said} & AIMED:
        return None
    named = {x.value for x in said if x.kind == "WHO"}
    for one in judged:
        solid = [x for x in one.clause.lexemes if x.kind not in SILENT]
        led = [x.kind for x in solid[-2:]]
        leads = led[:1] != [] and led[0] in {"TO", "IN", "AGAINST", "AT", "ATTACK"}
        if one.ring is Ring.BESIDE and led[1:] == ["WHO"] and leads and len(solid) == 2:
            if solid[1].value not in named:
                return solid[1]
    return None


_LABELS = frozenset(
    {"ps", "pps", "nb", "ok", "gm", "fyi", "btw", "re", "asap", "imho", "lol", "so"}
)
_SHORTENED = 4
"""Letters of a label that may be short for something."""


def _label(judged: Sequence[Judged], plain: Plain) -> Lexeme | None:
    """`ES: exp 2`: what large letters in front of an order mean nobody knows."""
    for one, after in itertools.pairwise(judged):
        if after.clause.joint != "COLON" or after.ring is not Ring.ORDER:
            continue
        inside = one.clause.lexemes
        label = plain.quote(inside[0].start, inside[0].end) if len(inside) == 1 else ""
        short = label.isalpha() and label.isupper() and len(label) <= _SHORTENED
        if short and inside[0].text not in _LABELS and inside[0].kind in _NAMELESS:
            return inside[0]
    return None


_NAMELESS = frozenset({"COMMON", "WORD", "FILLER", "PROSE"})


def _is_called(lexeme: Lexeme, judged: Sequence[Judged], plain: Plain) -> bool:
    """A name that somebody is spoken to by: `you drive a hard bargain, Dmitri, but ...`."""
    alone = any(
        [x for x in one.clause.lexemes if x.kind not in SILENT] == [lexeme]
        and one.clause.joint in {"", "COMMA"}
        for one in judged
    )
    return alone and plain.quote(lexeme.start, lexeme.end)[:1].isupper()


def _turns(lexeme: Lexeme) -> bool:
    if lexeme.kind == "OTHER":
        return lexeme.text not in _THEIRS
    return lexeme.kind in TURNS - {"QUOTE", "QUOTEDPLACE"}


def _states(one: Judged) -> Lexeme | None:
    """It tells what there is: `we have 3 soldiers`."""
    lexemes = one.clause.lexemes
    for who, has in itertools.pairwise(lexemes):
        if who.kind == "WHO" and has.text in _HAS:
            return has  # `Borland has 3 soldiers`
    for what, left in itertools.pairwise(lexemes):
        if what.kind in AMOUNTS and left.text in {"left", "remains", "remain"}:
            return left  # `one soldier left`
    if {x.kind for x in lexemes} & HEADS:
        return None
    for i, has in enumerate(lexemes[:-1]):
        if has.text in _HAS and i and lexemes[i - 1].text in {"i", "we"}:
            if lexemes[i + 1].kind in {"NUM", "ALL", "HALF"}:
                return has
    return next((x for x in one.clause.lexemes if x.text in _HAVING), None)


def _holds_back(one: Judged) -> Lexeme | None:
    """`but ask Cara first`, `, after Cara confirmed`, `, don't`."""
    clause = one.clause
    solid = [x for x in clause.lexemes if x.kind not in SILENT]
    if not solid:
        return None
    proviso = next((x for x in clause.lexemes if x.text in _PROVISO or x.kind == "EXCEPT"), None)
    if proviso is not None:
        return proviso
    if clause.joint == "BUT":
        return solid[0]
    if [x.kind for x in solid[:2]] == ["NEG", "ASKING"]:
        return solid[0]  # `not what I roll`
    short = len(solid) <= _SHORT and solid[0].kind in TURNS - {"QUOTE", "OTHER", "STATEMENT"}
    return solid[0] if short else None


def asks(sentence: Sentence, judged: Sequence[Judged]) -> bool:
    """It is a question; one that is only hung on an order is none (`I claim victory, who could stop
    me?`).
    """
    last = judged[-1].clause if len(judged) > 1 else None
    hung = last is not None and last.joint == "COMMA" and last.lexemes[:1] != []
    if hung and last is not None and last.lexemes[0].kind in {"ASKING", "WHICH"}:
        first = next((x for x in sentence.lexemes if x.kind not in SILENT), None)
        return first is None or first.kind == "ASKING"
    if sentence.ended == "ASK" and last is not None and not _binds_at_once(judged):
        tags = [x.text for x in last.lexemes]
        if len(tags) == 1 and tags[0] in _TAGS and sentence.lexemes[0].kind != "ASKING":
            return False  # `expedition with 2, ok?`
    return is_question(sentence)


_TAGS = frozenset({"ok", "okay", "please", "thanks", "alright", "cheers"})


def _binds_at_once(judged: Sequence[Judged]) -> bool:
    """It holds what takes effect as soon as it is read."""
    kinds = {x.kind for one in judged for x in one.clause.lexemes}
    return bool(kinds & (AT_ONCE | {"WON", "NOTWON"}))


def is_doubt(judged: Sequence[Judged]) -> bool:
    """Whether a question may have been meant as an order: it has numbers or a kingdom, or nothing
    but an order.
    """
    solid = [x for one in judged for x in one.clause.lexemes if x.kind not in SILENT]
    kinds = {x.kind for x in solid}
    return bool(kinds & {"NUM", "ALL", "WHO"}) or not kinds & {"COMMON", "ASKING"}


def addresses(lexemes: Sequence[Lexeme], me: int) -> bool:
    """`To Borland: it is only for defence`: said to another, and no order with numbers in it."""
    solid = [x for x in lexemes if x.kind not in SILENT - {"COLON"}]
    kinds = [x.kind for x in solid]
    if kinds[:1] != ["TO"] or kinds[2:3] != ["COLON"] or kinds[1] not in {"WHO", "ALL"}:
        return False
    other = kinds[1] == "ALL" or solid[1].value != me
    return other and not ({*kinds} & HEADS and {*kinds} & {"NUM", "TECH"})


def called_beside(lexemes: Sequence[Lexeme], me: int) -> int:
    """Who is spoken to behind an order: `I accept, Chloé!` 0: nobody."""
    ends = [x for x in lexemes if x.kind not in SILENT]
    kinds = [x.kind for x in ends[-2:]]
    spoken = kinds == ["COMMA", "WHO"] and ends[-1].value not in {me, None}
    return max(ends[-1].value or 0, 0) if spoken else 0


def called_in(lexemes: Sequence[Lexeme], me: int) -> tuple[int, list[Lexeme]]:
    """Whom a sentence speaks to by name (0: nobody), and what it says: `Ben, could you ...`."""
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind == "WHO":
            rest = list(lexemes[i + 1 :])
            ends = not rest or rest[0].kind in {"COMMA", "COLON", "DASH", "BANG"}
            named = ends and lexeme.value not in {me, None}
            return (max(lexeme.value or 0, 0), rest[1:]) if named else (0, [])
        if lexeme.kind not in SILENT - {"COLON"} and lexeme.text not in _GREETINGS:
            break
    return 0, []


def bids_for_us(lexemes: Sequence[Lexeme]) -> bool:
    """`Anna, could you attack Borland for me?`: Anna is not of this table, nor of the house."""
    kinds = [x.kind for x in lexemes[:3]]
    if kinds[1:] != ["COMMA", "REQUEST"] or kinds[0] not in {"COMMON", "WORD"}:
        return False
    mine = (to.text in {"me", "us"} and by.kind == "FOR" for by, to in itertools.pairwise(lexemes))
    return lexemes[0].text not in _HOUSE and any(mine)


_HOUSE = frozenset(
    {"gm", "sir", "madam", "clerk", "postmaster", "scribe", "herald", "master", "chancellor"}
    | {"minister", "friend", "computer", "robot", "steward", "servant", "captain", "general"}
)
_GREETINGS = frozenset({"dear", "hey", "hello", "hi", "my dear", "psst", "oi", "listen"})
_REPLIES = ("deal", "agreed", "accepted", "done deal", "no deal", "no thank", "it's a", "its a")
_SELF = frozenset({"i", "we", "my", "our", "i'm", "i'll", "we'll", "i've", "let"})


def bids(lexemes: Sequence[Lexeme], *, below: bool = False) -> bool:
    """Whether somebody who is spoken to is to do something: `please attack Cyrene`; `below` a
    salutation only what takes effect at once is theirs.
    """
    for lexeme in lexemes:
        if lexeme.kind == "REQUEST":
            return not below or bool({x.kind for x in lexemes} & AT_ONCE)
        if lexeme.kind == "PASS":
            return lexeme.text in {"pass", "skip", "do nothing", "idle"} and not below
        if lexeme.kind in HEADS - {"DONE", "FEAR"}:
            replies = lexeme.kind in ANSWER and lexeme.text.startswith(_REPLIES)
            own = lexeme.text.split(" ")[0] in _SELF
            return not replies and not own and (not below or lexeme.kind in ANSWER | {"VOTE"})
        if lexeme.kind not in SILENT | JOINTS:
            return False
        if lexeme.text.split(" ")[0] in _SELF:
            return False
    return False


def forbids(lexemes: Sequence[Lexeme], *, cued: bool) -> bool:
    """`don't do that yet`, `hold on, don't`: it speaks of what was said."""
    solid = [x for x in lexemes if x.kind not in SILENT]
    if [x.text for x in solid] == ["not"]:
        return True  # `I accept. Not.`
    if {x.kind for x in solid} == {"NEG", "NUM"}:
        return True  # `4, not 3`
    if not solid or solid[0].kind != "NEG" or solid[0].text[:2] != "do":
        return False
    points = any(x.text in {"that", "it", "this", "those", "these"} for x in lexemes)
    return points or (cued and len(solid) == 1) or (len(lexemes) == 1 and solid[0].text[:2] == "do")
