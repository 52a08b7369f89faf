"""What holds back the orders of a sentence in this game, in addition to any game's reasons: goods
of a bargain in a clause of their own, a second target, what is kept, a word too many with what
takes effect at once.
"""

import itertools
from collections.abc import Sequence

from pbem.games.sovereigns.reading.pieces import (
    AIMED,
    AMOUNTS,
    ANSWER,
    AT_ONCE,
    BUILDING_KINDS,
    DO,
    HEADS,
    TRADE,
)
from pbem.grammar.kit.common import is_foreign
from pbem.grammar.kit.holding import Manner, held_by, held_words, is_material, solid_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.reports import cued_by, doubted_by, told_by
from pbem.grammar.kit.rings import Judged, Ring
from pbem.grammar.kit.slots import SILENT

_CLAIMED = frozenset({"WON", "NOTWON"})
STRICT = ANSWER | _CLAIMED | {"VOTE", "CLAIM", "ABDICATE", "CANCELALL", "FORGETS", "FEAR"}
"""With these orders every word counts."""
MANNER = Manner(
    held_words("pbem.games.sovereigns.reading"),
    heads=HEADS,
    deeds=DO,
    counted=AMOUNTS | {"REBELLION", "COUP"},
    binding=AT_ONCE | _CLAIMED,
    strict=STRICT,
    replies=frozenset({"ACCEPT", "DECLINE"}),
    stated=frozenset({"DONE", "FEAR", "PASS"}),
    later=frozenset({"EXCEPT", "NEXTYEAR"}),
    times=frozenset({"SEASONNOW", "NEXTYEAR"}),
    exempt=_CLAIMED | {"CONDITION"},
)
_GOODS = AMOUNTS | {
    *("TECH", "NUM", "FORSEASONS", "HOURS", "KEEPS", "YEAREND", "SPENTONE", "EXPENDED")
}
"""Kinds of words that belong to a bargain in any place."""
_LEADS = frozenset({"TO", "IN", "AGAINST", "AT", "ATTACK"})
_LATER = frozenset({"NEXTYEAR", "HEDGE", "LATER", "PAST"})
_THEM = frozenset({"THEM", "WHO", "OTHER", "ELSE", "COMMON"})
_ENDING = frozenset({"ABDICATE", "CANCELALL", "CLAIM"})
_WHEN = frozenset({"after", "on", "in", "by", "until", "at"})
_ANSWERING = ANSWER | {"FEAR"}
_OF_ALL = frozenset({"ALL", "NEXTYEAR", "LATER", "HEDGE", "BACK"})
_TURNED = frozenset({"NEG", "AGAINST", "RETRACT", "COND", "UNSETTLED", "TURN", "NEXT"})
_LAX = frozenset({"WITHDRAW", "CANCELALL", "FORGETS"})
"""Words that only take back: with these a reason may stand."""
_TALK = frozenset({"COMMON", "WORD", "STATEMENT"})
_SPEAKING = _TALK | {"ASKING", "SPEECH", "NUM", "CONTRAST"}


def turn_in(judged: Sequence[Judged], plain: Plain, me: int, *, opens: bool) -> Lexeme | None:
    """What turns the orders of a sentence, if anything does; `opens`: the year opens now, and the
    next is another.
    """
    return (
        held_by(judged, plain, MANNER)
        or told_by(judged, MANNER)
        or _corrected(judged)
        or doubted_by(judged, me, MANNER)
        or _labelled(judged, me)
        or _led(judged, me)
        or _threatens(judged)
        or _mixed(judged)
        or _owned(judged, plain)
        or _apart(judged)
        or _kept(judged, opens=opens)
        or _unknown(judged)
        or _unexpected(judged, me)
    )


def _corrected(judged: Sequence[Judged]) -> Lexeme | None:
    """`lend Tariq 2 military... wait, I need them myself`: what is said again is about the
    order.
    """
    points = any(x.kind == "THEM" for one in judged[1:] for x in one.clause.lexemes)
    return cued_by(judged) if points else None


def is_doubt(judged: Sequence[Judged]) -> bool:
    """Whether a question may have been meant as an order: it has numbers or a kingdom, or nothing
    but an order.
    """
    kinds = {x.kind for one in judged for x in solid_of(one.clause.lexemes)}
    sure = bool(kinds & {"NUM", "ALL", "WHO", "CLAIM", "ABDICATE"})
    return sure or not kinds & {"COMMON", "ASKING"}


def _apart(judged: Sequence[Judged]) -> Lexeme | None:
    """`burn it, the vault`, `attack Borland with 3, to Cyrene`: a part of the order that stands
    outside it.
    """
    ordered = [x for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes]
    said = {x.kind for x in ordered}
    named = {x.value for x in ordered if x.kind == "WHO"}
    trades = said & (TRADE | {"ESPIONAGE"})
    first = next((i for i, one in enumerate(judged) if one.ring is Ring.ORDER), 0)
    for i, one in enumerate(judged):
        inside, solid = one.clause.lexemes, solid_of(one.clause.lexemes)
        if i > first and one.ring in {Ring.BESIDE, Ring.TOLD}:
            burnt = (x for x in inside if x.kind in BUILDING_KINDS and "ATTACK" in said)
            found = next(burnt, None) or (_goods_in(inside) if trades else None)
            if found is not None:
                return found
        if one.ring is Ring.BESIDE and said & AIMED and len(solid) == 2:
            led = solid[0].kind in _LEADS and solid[1].kind == "WHO"
            if led and solid[1].value not in named:
                return solid[1]
    return None


def _labelled(judged: Sequence[Judged], me: int) -> Lexeme | None:
    """`Plan for next year: attack Mordor`, `Dunmore's plan: ...`, `Everyone: ...`, `Soon: ...`: in
    front of a colon a word that nobody knows, or that is of others, or of another time.
    """
    for one, after in itertools.pairwise(judged):
        solid = solid_of(one.clause.lexemes)
        if after.clause.joint != "COLON" or after.ring is not Ring.ORDER:
            continue
        kinds = {x.kind for x in solid}
        heads = any(x.kind in HEADS for x in after.clause.lexemes)
        if one.clause.cue == "retract" or (kinds and kinds <= _ANSWERING and heads):
            return one.clause.at or solid[0]  # `Ignore this: ...`, `No to: ...`
        if one.ring is Ring.ORDER and (kinds != {"WHO"} or len(one.clause.lexemes) < 2):
            continue
        thinks = (x for x in one.clause.lexemes if x.text.startswith("think"))
        if (found := next(thinks, None)) is not None:
            return found
        talks = [x for x in solid if x.kind in _TALK]
        for i, lexeme in enumerate(solid):
            if lexeme.kind in _TALK:
                wrong = lexeme.text not in MANNER.said["LABELLED"]
                wrong &= lexeme.text not in MANNER.said["COLOUR"]
                wrong |= lexeme.text == "plan"
            elif lexeme.kind == "WHO":
                alone = len(one.clause.lexemes) < 2
                wrong = lexeme.text == "me" if lexeme.value == me else not alone
            elif lexeme.kind == "OTHER":
                theirs = lexeme.text in MANNER.said["THEIRS"]
                wrong = lexeme is one.clause.lexemes[0] and not theirs
            else:
                rolls = any(x.kind == "AH" for x in after.clause.lexemes)
                wrong = lexeme.kind in _OF_ALL - ({"NEXTYEAR"} if rolls else set()) or (
                    lexeme.kind in _TURNED and not talks
                )
            if wrong:
                return solid[i]
    return None


def _led(judged: Sequence[Judged], me: int) -> Lexeme | None:
    """`I plan to attack Mordor`, `I used to go on an expedition`: what stands ahead of an order in
    its clause, and does not only lead up to it.
    """
    for one in judged:
        inside = one.clause.lexemes if one.ring is Ring.ORDER else ()
        head = next((i for i, x in enumerate(inside) if x.kind in HEADS), 0)
        first = next(iter(solid_of(inside)), None)
        kinds = {x.kind for x in inside}
        if first is not None and first.kind == "EXCEPT" and first.text.startswith("except"):
            return first
        others = (x for x in inside if x.kind == "WHO" and x.value != me)
        if "PROPOSE" in kinds and (found := next(others, None)) is not None:
            return found  # `the invention of Ben: steel`
        for lexeme, behind in itertools.pairwise(inside[: head + 1]):
            talks = bool(kinds & TRADE) and lexeme.kind in _TALK
            leads = lexeme.kind in {"FILLER", "REQUEST", "PROSE"}
            if talks and lexeme.text not in MANNER.said["COLOUR"]:
                return lexeme
            if leads and lexeme.text not in MANNER.said["LEAD"]:
                return lexeme
            if _misleads(lexeme, behind, me) or (lexeme is first and _is_theirs(lexeme)):
                return lexeme
    return None


def _misleads(lexeme: Lexeme, behind: Lexeme, me: int) -> bool:
    """`let Ben attack`, `Ben to attack`, `free to attack`, `everybody attack`, `half attack`, `my
    people want to attack`.
    """
    match lexeme.kind:
        case "WHO":
            return lexeme.value != me and behind.kind == "TO"
        case "FRESH":
            return behind.kind == "TO"
        case "ALL":
            return lexeme.text in MANNER.said["CALLED"] and behind.kind in HEADS
        case "HALF":
            return behind.kind in HEADS
        case "COMMON":
            return behind.text in {"want to", "wants to"}
    return lexeme.text == "let" and behind.kind in _THEM and behind.value != me


def _owned(judged: Sequence[Judged], plain: Plain) -> Lexeme | None:
    """`spy on Mordor's 3 armies`: a number of theirs, and not of ours."""
    ordered = [x for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes]
    if not {x.kind for x in ordered} & AIMED:
        return None
    for who, number in itertools.pairwise(ordered):
        if who.kind == "WHO" and number.kind == "NUM":
            if plain.text[who.end : number.start] == "'s ":
                return number
    return None


def _is_theirs(lexeme: Lexeme) -> bool:
    """`His army attacks`, `the others attack`, `rebels attack`."""
    own = lexeme.kind == "OTHER" and lexeme.text in {"his", "her", "their"}
    return own or lexeme.kind in {"ELSE", "REBELLION"}


def _threatens(judged: Sequence[Judged]) -> Lexeme | None:
    """`One more word and I attack Mordor`, `First you apologise, then I attack Mordor`."""
    for one, after in itertools.pairwise(judged):
        inside = after.clause.lexemes
        own = inside[:1] != [] and inside[0].text.split(" ")[0] in MANNER.said["SELF"]
        ahead = one.ring is not Ring.ORDER or any(x.kind == "OTHER" for x in one.clause.lexemes)
        if after.ring is Ring.ORDER and after.clause.joint == "AND" and own and ahead:
            return inside[0]
        alone = own or any(x.kind == "ORELSE" for x in inside)
        if alone and any(x.kind in _ENDING for x in inside):
            return inside[0]  # `Attack me again and I abdicate`
        told = one.clause.lexemes[0].text.split(" ")[0] if one.clause.lexemes else ""
        acts = after.ring is Ring.ORDER and any(x.kind in HEADS for x in inside)
        when = acts and one.ring is not Ring.ORDER and told in _WHEN
        if when and after.clause.joint == "COMMA":
            return one.clause.lexemes[0]  # `After the holidays, I accept offer 3`
        if after.clause.joint == "ARROW" and any(x.kind in DO for x in inside):
            return inside[0]
    return None


def _mixed(judged: Sequence[Judged]) -> Lexeme | None:
    """`I want Ben to offer Cara 1 resource`, `attack Mordor 3 times`, `every spring expedition`."""
    said = [x for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes]
    for who, to, head in zip(said, said[1:], said[2:], strict=False):
        if who.kind == "WHO" and to.kind == "TO" and head.kind in HEADS - {"GIVE", "LEND", "SELL"}:
            return head  # `I want Ben to offer Cara 1 resource`
    for number, times in itertools.pairwise(said):
        if number.kind == "NUM" and times.kind == "TIMES":
            return times
    years = [x for x in said if x.kind == "EVERYYEAR"]
    kinds = {x.kind for x in said}
    if years and (len(years) > 1 or (kinds & DO and not kinds & {"AH", "EVERYSEASON"})):
        return years[-1]
    return None


def _goods_in(inside: Sequence[Lexeme]) -> Lexeme | None:
    """What may belong to a bargain, and is not `an hour` or `the best one`."""
    before = ""
    counted = any(x.kind == "NUM" for x in inside)
    for lexeme in inside:
        hour = lexeme.kind == "HOURS" and not counted
        if lexeme.kind in _GOODS and not hour and (lexeme.text, before) != ("one", "COMMON"):
            return lexeme
        before = lexeme.kind
    return None


def _kept(judged: Sequence[Judged], *, opens: bool) -> Lexeme | None:
    """`expedition, leave one at home`: what is kept is no part of an action; a boon for later."""
    ordered = [x for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes]
    kinds = {x.kind for x in ordered}
    if kinds & DO:
        kept = next((x for x in ordered if x.kind == "KEEPBACK"), None)
        if kept is not None and not kinds & {"AH", "REBELLION", "COUP"}:
            return kept
        if "BOON" in kinds:
            return next((x for x in ordered if x.text in {"next", "for the next"}), None)
        rest = next((x for x in ordered if x.kind == "ELSE"), None)
        if rest is not None and sum(x.kind == "NUM" for x in ordered) != 1:
            return rest
    for one in judged:
        mine = {x.kind for x in one.clause.lexemes}
        if one.ring is not Ring.ORDER and "NEG" in mine and mine & {"REBELLION", "COUP"}:
            return one.clause.lexemes[0]
    whole = (x for one in judged for x in one.clause.lexemes)
    later = opens or (bool(kinds & (DO | AT_ONCE | {"BUILD", "PROPOSE"})) and "AH" not in kinds)
    return next((x for x in whole if x.kind == "NEXTYEAR" and later), None)


def _unknown(judged: Sequence[Judged]) -> Lexeme | None:
    """`In my dreams I attack Mordor with 3`: a word in an order that no ruler's tale is made of;
    each of a bargain must belong to it anyway.
    """
    ordered = [x for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes]
    bargains = any(x.kind in STRICT | TRADE for x in ordered)
    for lexeme in ordered:
        foreign = lexeme.kind == "WORD" and is_foreign(lexeme.text)
        talks = lexeme.kind in {"COMMON", "WORD"} and not foreign
        timed = lexeme.kind == "PROSE" and lexeme.text in MANNER.said["TIMES"]
        if timed or (talks and not bargains and lexeme.text not in MANNER.said["COLOUR"]):
            return lexeme
    return None


def _unexpected(judged: Sequence[Judged], me: int) -> Lexeme | None:
    """`accepted, conditional on peace`, `claim victory next year`."""
    ordered = {x.kind for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes}
    if not ordered & STRICT or not is_material(judged):
        return None
    ordering = (i for i, x in enumerate(judged) if x.ring is Ring.ORDER and x.clause.lexemes)
    first = next(ordering)
    ahead = [x for one in judged[: first + 1] for x in one.clause.lexemes]
    own = any(x.text.split(" ")[0] in MANNER.said["SELF"] for x in ahead)
    for one, after in itertools.pairwise(judged[: first + 1]):
        solid = solid_of(one.clause.lexemes)
        named = [x.kind for x in solid] == ["WHO"] and not own
        if named and after.clause.joint == "COLON":
            return solid[0]  # `Mordor: deal. Me: sleeping`
    lax = near = False
    for i, one in enumerate(judged):
        inside = one.clause.lexemes
        kinds = {x.kind for x in inside}
        if one.clause.cue == "instead" and any(x.kind == "ACCEPT" for x in ahead):
            return one.clause.at
        if one.ring is Ring.ORDER and inside:
            near = bool(kinds & STRICT)
            lax = bool(kinds & _LAX) or {"FEAR", "SURE"} <= kinds
            found = _too_much(inside, kinds, me) if near else None
        elif (i < first and own) or lax or (i > first and not near):
            continue
        else:
            found = _beside(inside, one.clause.joint)
        if found is not None:
            return found
    return None


def _too_much(inside: Sequence[Lexeme], kinds: set[str], me: int) -> Lexeme | None:
    """The word of such an order that is too much in it."""
    said, mine = MANNER.said, False
    wrong = _LATER if "FEAR" not in kinds else frozenset()
    wrong |= {"DEPLETED", "DEPLETE"} if "FORGETS" in kinds else set()
    if kinds & {"CLAIM", "ABDICATE"}:
        wrong |= {"NUM", "EVERYYEAR", "EVERYSEASON", "ALL"}
    if kinds & {"ACCEPT", "DECLINE"}:
        wrong |= {"INSTEAD"} | ({"ALL"} if kinds & {"TECH", "GIVE"} else set())
    for i, lexeme in enumerate(inside):
        text = lexeme.text
        mine |= lexeme.kind == "WHO" and lexeme.value == me
        talks = lexeme.kind in _TALK and text not in said["HARMLESS"]
        thinks = text in {"should", "for now"} or text.split(" ")[-1] in said["THINKING"]
        thinks |= lexeme.kind == "PROSE" and text in said["TIMES"]
        other = lexeme.kind == "WHO" and lexeme.value != me and bool(kinds & {"CLAIM", "ABDICATE"})
        if other or lexeme.kind in wrong or talks or thinks or (text in said["THIRD"] and not mine):
            return lexeme
        leads = [x.kind for x in inside[i + 1 : i + 3] if x.kind not in SILENT][:1]
        if kinds & {"ACCEPT", "DECLINE"} and lexeme.kind in {"WITH", "OF"} and leads == ["NUM"]:
            return lexeme
    return None


def _beside(inside: Sequence[Lexeme], joint: str) -> Lexeme | None:
    """The unexpected word next to such an order."""
    asks = bool(inside) and inside[0].kind == "ASKING" and joint == "COMMA"
    if not inside or inside[0].text == "before" or asks:
        return None
    wrong = (x for x in inside if x.kind in _SPEAKING | _LATER | DO)
    return next((x for x in wrong if x.text not in MANNER.said["HARMLESS"]), None)
