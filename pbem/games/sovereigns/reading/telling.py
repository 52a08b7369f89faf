"""An order in a sentence that only tells of it: what it would be, who says so, whom it is said to,
and what takes effect at once beside a word that nobody expects there.
"""

import itertools
from collections.abc import Sequence

from pbem.games.sovereigns.reading.pieces import (
    AMOUNTS,
    ANSWER,
    AT_ONCE,
    DO,
)
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.rings import Judged, Ring
from pbem.grammar.kit.slots import SILENT

STRICT = ANSWER | {"VOTE", "CLAIM", "ABDICATE", "CANCELALL", "FORGETS", "FEAR", "WON", "NOTWON"}
"""Beside these every word counts."""
_PREDICATES = frozenset(
    {"would", "is", "are", "was", "were", "costs", "cost", "failed", "fails", "needs"}
    | {"sounds", "seems", "died", "dead", "lacks", "means", "would be", "is a"}
    | {"will be", "it takes", "needed", "will"}
)
_REPORTS = frozenset(
    {"says", "said", "told", "shouted", "shouts", "cries", "cried", "whispers"}
    | {"yells", "yelled", "suggests", "suggested", "insists", "insisted", "claims"}
    | {"reports", "reported"}
)
_LABELS = (
    *("headline", "dream", "suggest", "recommend", "advice", "advise", "begged", "beg"),
    *("test", "agreed", "news", "example", "pros", "cons", "rumour", "rumor"),
    *("joke", "fake", "quote", "story", "nightmare", "motto", "subject", "you could"),
    *("people cry", "cry", "cries", "warning", "prophecy", "legend"),
)
_LATER = frozenset({"NEXTYEAR", "HEDGE", "LATER", "PAST"})
_SELF = frozenset({"i", "we"})


def told_in(judged: Sequence[Judged], me: int, *, opens: bool) -> Lexeme | None:
    """What shows that the orders of a sentence are only told of; `opens`: the year opens now, and
    the next is another.
    """
    said = {x.kind for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes}
    found = _predicate(judged) or _report(judged) or label_in(judged) or _kept(judged, opens=opens)
    if found is None and said & (STRICT | AT_ONCE):
        found = _called(judged, me)
    if found is None and said & STRICT:
        found = _unexpected(judged, me)
    return found


def _predicate(judged: Sequence[Judged]) -> Lexeme | None:
    """`attacking Mordor with 3 would be suicide`, `4 military are too few`."""
    for one in judged:
        if one.ring is not Ring.ORDER:
            continue
        inside = one.clause.lexemes
        kinds = {x.kind for x in inside}
        if kinds & {"CONDITION", "WON", "NOTWON"}:
            continue
        seen = acts = False
        for i, lexeme in enumerate(inside):
            before = inside[i - 1].text.split(" ")[-1] if i else ""
            own = before in _SELF or before in {"it", "order", "orders", "that"}
            asks = not i and lexeme.text in {"is", "are"} and bool(kinds & {"NUM", "FEAR"})
            said = acts if lexeme.text == "will" else seen
            if asks or (said and lexeme.text.split(" ")[0] in _PREDICATES and not own):
                return lexeme
            if lexeme.text == "would" and not own:
                return lexeme
            counted = [x.kind for x in inside[i + 1 : i + 2]] == ["NUM"]
            has = counted and lexeme.text in {"have", "has"}
            if (has or lexeme.text in _NEEDING) and {"NUM", "TO"} <= kinds and kinds & DO:
                return lexeme
            acts |= lexeme.kind in DO | STRICT
            seen |= acts or lexeme.kind in AMOUNTS | {"NUM", "REBELLION", "COUP"}
    return None


_NEEDING = frozenset({"need", "needs", "takes", "requires", "require", "need at least"})


def _report(judged: Sequence[Judged]) -> Lexeme | None:
    """`attack Mordor with 3, he says`."""
    ordered = False
    for one in judged:
        if one.ring is Ring.ORDER:
            ordered |= bool(one.clause.lexemes)
            continue
        inside = one.clause.lexemes
        that = [x.text for x in inside[:2]]
        points = that[:1] in (["that would"], ["that's"]) or that == ["that", "would"]
        if ordered and points:
            return inside[0]
        found = next((x for x in inside if x.text in _REPORTS), None)
        greets = bool(inside) and inside[-1].text in {"hi", "hello", "hey"}
        found = None if greets else found
        said = inside[-2:-1] != [] and inside[-1].text == "say" and inside[-2].kind in _SPEAKERS
        found = inside[-1] if said else found
        if ordered and found is not None:
            return found
    return None


_SPEAKERS = frozenset({"OTHER", "COMMON", "WHO"})


def label_in(judged: Sequence[Judged]) -> Lexeme | None:
    """`headline: attack Mordor with 3`, `pros of attack: ...`."""
    for one, after in itertools.pairwise(judged):
        if after.clause.joint == "COLON" and after.ring is Ring.ORDER:
            found = next((x for x in one.clause.lexemes if x.text.startswith(_LABELS)), None)
            if found is not None:
                return found
    first = next((x for one in judged for x in one.clause.lexemes if x.kind not in SILENT), None)
    return first if first is not None and first.text in {"pros", "cons"} else None


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
        if rest is not None and sum(x.kind == "NUM" for x in ordered) > 1:
            return rest
    for one in judged:
        mine = {x.kind for x in one.clause.lexemes}
        if one.ring is not Ring.ORDER and "NEG" in mine and mine & {"REBELLION", "COUP"}:
            return one.clause.lexemes[0]
    whole = (x for one in judged for x in one.clause.lexemes)
    return next((x for x in whole if x.kind == "NEXTYEAR" and opens), None)


def _called(judged: Sequence[Judged], me: int) -> Lexeme | None:
    """`vote yes on the Free Cities, Mordor!`, `Mordor and Iceland, vote no`: said to others than it
    is about.
    """
    ordered = [x for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes]
    named = {x.value for x in ordered if x.kind == "WHO"}
    own = any(x.text.split(" ")[0] in _SELF for x in ordered)
    answers = {x.kind for x in ordered} & {"ACCEPT", "DECLINE"}
    seen, ahead = False, 0
    for one in judged:
        seen |= one.ring is Ring.ORDER and bool(one.clause.lexemes)
        solid = [x for x in one.clause.lexemes if x.kind not in SILENT]
        if one.ring is Ring.ORDER or [x.kind for x in solid] != ["WHO"] or solid[0].value == me:
            continue
        ahead += not seen
        if ahead > 1 or (seen and not own and not answers and solid[0].value not in named):
            return solid[0]
    return None


_LAX = frozenset({"WITHDRAW", "CANCELALL", "FORGETS"})
"""What only takes back: beside these it may be told why."""
_HARMLESS = frozenset(
    {"throne", "crown", "seat", "kingdom", "today", "fall", "who", "stop", "loan", "loans", "gift"}
    | {"present", "bargain", "gladly", "happily", "gratefully", "obviously", "course", "definitely"}
    | {"absolutely", "certainly", "pleasure", "any", "more", "sure", "fine", "generous", "kind"}
    | {"shall", "terms", "gracious", "hereby", "solemnly", "then", "so"}
)


def _unexpected(judged: Sequence[Judged], me: int) -> Lexeme | None:
    """`accepted, conditional on peace`, `claim victory next year`."""
    ordering = (i for i, x in enumerate(judged) if x.ring is Ring.ORDER and x.clause.lexemes)
    first = next(ordering)
    ahead = [x for one in judged[: first + 1] for x in one.clause.lexemes]
    own = any(x.text.split(" ")[0] in _SELF for x in ahead)
    for one, after in itertools.pairwise(judged[: first + 1]):
        solid = [x for x in one.clause.lexemes if x.kind not in SILENT]
        named = [x.kind for x in solid] == ["WHO"] and not own
        if named and after.clause.joint == "COLON":
            return solid[0]  # `Mordor: deal. Me: sleeping`
    lax = near = False
    for i, one in enumerate(judged):
        inside = one.clause.lexemes
        kinds = {x.kind for x in inside}
        if one.clause.cue == "instead" and "ACCEPT" in {x.kind for x in ahead}:
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
    hourly = kinds & {"CLAIM", "ABDICATE"}
    mine = False
    for i, lexeme in enumerate(inside):
        text = lexeme.text
        mine |= lexeme.kind == "WHO" and lexeme.value == me
        if lexeme.kind in _LATER and "FEAR" not in kinds:
            return lexeme
        if lexeme.kind in {"COMMON", "WORD", "STATEMENT"} and text not in _HARMLESS:
            return lexeme
        third = text.startswith(("claims ", "rules ", "abdicates")) and not mine
        if text in {"should", "for now"} or third:
            return lexeme
        if "FORGETS" in kinds and lexeme.kind in {"DEPLETED", "DEPLETE"}:
            return lexeme
        if text.split(" ")[-1] in _THINKING:
            return lexeme
        if hourly and lexeme.kind in {"NUM", "EVERYYEAR", "EVERYSEASON", "ALL"}:
            return lexeme
        leads = [x.kind for x in inside[i + 1 : i + 3] if x.kind not in SILENT][:1]
        if kinds & {"ACCEPT", "DECLINE"}:
            if (lexeme.kind in {"WITH", "OF"} and leads == ["NUM"]) or lexeme.kind == "INSTEAD":
                return lexeme
            if lexeme.kind == "ALL" and kinds & {"TECH", "GIVE"}:
                return lexeme
    return None


_THINKING = frozenset({"think", "believe", "guess", "suppose", "hope", "feel", "reckon", "wish"})


_SPEAKING = frozenset({"COMMON", "WORD", "STATEMENT", "ASKING", "SPEECH", "NUM", "CONTRAST"})


def _beside(inside: Sequence[Lexeme], joint: str) -> Lexeme | None:
    """The word beside such an order that nobody expects there."""
    if (
        not inside
        or inside[0].text == "before"
        or (inside[0].kind == "ASKING" and joint == "COMMA")
    ):
        return None
    for lexeme in inside:
        wrong = lexeme.kind in _SPEAKING | _LATER
        if wrong and lexeme.text not in _HARMLESS:
            return lexeme
    return None


TAKEN_BACK = frozenset(
    {"joke", "fake", "oops", "misread", "misspoke", "mistake", "no i don't", "kidding", "wrong"}
)


def takes_back(judged: Sequence[Judged]) -> bool:
    """Whether a sentence behind what takes effect at once has it taken back, or told by others:
    `No I don't!`, `Joke!`, `shouted my army`.
    """
    inside = [x for one in judged for x in one.clause.lexemes]
    solid = [x for x in inside if x.kind not in SILENT]
    cues = {one.clause.cue for one in judged} - {"", "soft"}
    denies = any(x.kind == "NEG" and x.text.startswith(("don't", "do not")) for x in solid[:2])
    denies &= all(x.kind in {"NEG", "CUE", "TURN"} for x in solid)
    tells = bool(solid) and (solid[0].text in _REPORTS or solid[0].text in {"is", "would"})
    tells |= bool(inside) and inside[0].text in {"is", "is what"}
    return bool(cues) or denies or tells or any(x.text in TAKEN_BACK for x in inside)
