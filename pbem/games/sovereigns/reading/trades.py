"""Offers with their terms (SS-5), and what is said to offers that are open."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from msgspec.structs import replace

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from engine.sovereigns.codes import Attribute
from engine.sovereigns.state import OpenOffer
from pbem.games.sovereigns.reading.entries import NOT_UNDERSTOOD, ambiguous
from pbem.games.sovereigns.reading.pieces import ANSWER, TRADE
from pbem.games.sovereigns.reading.position import AMBIGUOUS, Position
from pbem.games.sovereigns.reading.words import ATTRIBUTE_OF, BUILDINGS
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.slots import SILENT

Side = Literal["gives", "wants"]
Verb = Literal["Accept", "Decline", "Withdraw"]
_TAIL = 6
"""The most words behind the last term."""
_GIVING = frozenset({"OFFER", "GIVE", "LEND", "SELL"})
_PASSED = set_of(
    "TO OF POINTS FRESH COLON COMMA AND LPAR RPAR DASH ALSO SPEND THEM OTHER SEASONNOW WITH IN "
    "BYONE YES FROM SLASH TIMES ALL INSTEAD OFFERNOUN TRIBUTE FOR"
)
"""Words of a bargain that change nothing in it."""


@dataclass(slots=True)
class _Bargain:
    """A bargain on its way through the words."""

    position: Position
    side: Side = "gives"
    to: list[Lexeme] = field(default_factory=list)
    gives: list[o.OfferItem] = field(default_factory=list)
    wants: list[o.OfferItem] = field(default_factory=list)
    hours: int = o.OFFER_HOURS
    fresh: int = 0
    """How many of the last items have no term yet."""
    termed: list[o.OfferItem] = field(default_factory=list)
    """Items that have a term."""
    told: int = 0
    """How many items there were when a kingdom was last named."""
    asked_at: int = 0
    """Where the first word for asking stands."""

    def items(self) -> list[o.OfferItem]:
        return self.gives if self.side == "gives" else self.wants

    def add(self, item: o.OfferItem) -> None:
        self.items().append(item)
        self.fresh += 1

    def term(self, **told: object) -> None:
        """Put a term to the items it is said of: the last one, or all that have none."""
        items = self.items()
        for i in range(max(len(items) - max(self.fresh, 1), 0), len(items)):
            if items[i].attribute is not None:
                items[i] = replace(items[i], **told)
                self.termed.append(items[i])
        self.fresh = 0

    def turn(self, side: Side) -> None:
        self.side, self.fresh = side, 0


def offers_of(
    lexemes: Sequence[Lexeme], position: Position, onto: o.Offer | None = None
) -> list[o.Offer] | Problem | Lexeme:
    """The offers of these words: one to each kingdom named; the word that is too much. `onto`: an
    offer to which these words say what is still missing.
    """
    words = [x for x in _with_wishes(lexemes) if x.kind not in SILENT]
    bargain = _Bargain(position)
    if onto is not None:
        if (onto.gives and onto.wants) or any(x.kind == "WHO" for x in words):
            return NOT_UNDERSTOOD
        bargain.gives, bargain.wants, bargain.hours = [*onto.gives], [*onto.wants], onto.hours
        bargain.termed = [*onto.gives, *onto.wants]
        bargain.turn("wants" if onto.gives else "gives")
        bargain.to = [Lexeme("WHO", "", 0, 0, onto.to)]
    asking = (i for i, x in enumerate(words) if x.kind in {"ASKFOR", "BORROW"})
    bargain.asked_at = next(asking, len(words))
    at = 0
    while at < len(words):
        taken = _take(words, at, bargain)
        if taken is None:
            return words[at]
        at = taken
    wrong = next((who for who in bargain.to if who.value == AMBIGUOUS), None)
    if wrong is not None:
        return ambiguous("kingdom", position.meant_by(wrong.text))
    numbers = list(dict.fromkeys(who.value or 0 for who in bargain.to))
    if not numbers or not (bargain.gives or bargain.wants):
        return NOT_UNDERSTOOD
    gives, wants = tuple(bargain.gives), tuple(bargain.wants)
    return [o.Offer(number, gives, wants, bargain.hours) for number in numbers]


_WISHING = ("would like", "'d like", "need", "expect", "hope for", "get", "take")


def _with_wishes(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """`..., and we would like 1 resource`: behind what is given."""
    found, ahead = [*lexemes], set[str]()
    for i, lexeme in enumerate(found):
        if lexeme.text.endswith(_WISHING) and lexeme.kind in {"FILLER", "COMMON"} | SILENT:
            behind = [x.kind for x in found[i + 1 : i + 3] if x.kind not in SILENT]
            if ahead & {"NUM", "TECH"} and behind[:1] in (["NUM"], ["TECH"]):
                found[i] = replace(lexeme, kind="ASKFOR")
        ahead.add(lexeme.kind)
    return found


def _take(words: Sequence[Lexeme], at: int, bargain: _Bargain) -> int | None:
    """What stands here put into the bargain; where the next is, or None: it does not fit."""
    kind = words[at].kind
    after = [x.kind for x in words[at + 1 : at + 3]]
    if kind == "WHO":
        return at + 1 if _names(words[at], bargain) else None
    if kind in TRADE:
        return _verb(words, at, bargain)
    if kind == "BOTHOF" or (kind == "ALL" and after[:1] in (["KEEPS"], ["YEAREND"])):
        bargain.fresh = len(bargain.items())
        return _both(words, at, bargain) if bargain.gives and bargain.wants else at + 1
    if kind in {"KEEPS", "YEAREND"} and _closes(words, at):
        return _both(words, at - 1, bargain, only_bare=True)
    taken = _term(words[at : at + 3], bargain)
    if taken:
        return at + taken
    if kind == "FREELY" or (kind == "FOR" and not after):
        return at + 1  # `for that`
    if kind == "FOR" and after[:1] == ["WHO"] and after[1:] not in (["TECH"], ["OFFERNOUN"]):
        return at + 1  # `an offer for Ben: ...`
    if kind == "AGAINST" and not after and bargain.wants:
        return at + 1  # `..., and we want 1 resource in return`
    if kind in {"FOR", "AGAINST", "ARROW", "INTEREST"}:
        return at + 1 if _turns(kind, bargain) else None
    return _item(words, at, bargain)


def _names(word: Lexeme, bargain: _Bargain) -> bool:
    """Add a kingdom to the bargain. False: other terms stand between, as in `2 resources to Cyrene
    and 1 to Borland`, which are two bargains.
    """
    if word.value == bargain.position.me:
        return True
    told, named = len(bargain.gives) + len(bargain.wants), {x.value for x in bargain.to}
    if named - {word.value} and told > bargain.told:
        return False
    bargain.told = told
    if word.value not in named:
        bargain.to.append(word)
    return True


def _turns(kind: str, bargain: _Bargain) -> bool:
    """`for`, `against`: to the other side, if it is still empty."""
    if bargain.wants and bargain.gives:
        return False
    if bargain.gives or bargain.wants:
        bargain.turn("wants" if bargain.gives else "gives")
    else:
        bargain.turn("wants")  # `for 1 soldier we give 1 resource`
    return True


def _term(words: Sequence[Lexeme], bargain: _Bargain) -> int:
    """How many of these words are a term (0: none), which is put to its items."""
    match [x.kind for x in words]:
        case ["FOR", "NUM", "FORSEASONS"] if bargain.items():
            bargain.term(stretch="seasons", seasons=words[1].value or 0)
            return 3
        case ["NUM", "FORSEASONS", *_] if bargain.items():
            bargain.term(stretch="seasons", seasons=words[0].value or 0)
            return 2
        case ["WITHIN" | "FOR", "NUM", "HOURS"]:
            bargain.hours = words[1].value or 0
            return 3
        case ["KEEPS" | "YEAREND" as kind, *_] if bargain.items():
            bargain.term(stretch="permanent" if kind == "KEEPS" else "year")
            return 1
        case ["EXPENDED", *more] if more[:1] not in (["AR"], ["AM"]):
            if bargain.items():
                bargain.items()[-1] = replace(bargain.items()[-1], expended=True)
            return 1
        case ["EXPENDED", *_]:
            return 1
    return 0


def _closes(words: Sequence[Lexeme], at: int) -> bool:
    """`1 resource for 1 soldier, permanently`: behind a comma, at the end."""
    if len(words) - at > _TAIL:
        return False
    rest = {x.kind for x in words[at + 1 :]}
    return at > 0 and words[at - 1].kind == "COMMA" and rest <= {"WITHIN", "NUM", "HOURS", "COMMA"}


def _both(
    words: Sequence[Lexeme], at: int, bargain: _Bargain, *, only_bare: bool = False
) -> int | None:
    """`..., both until year end`: of what is given and of what is wanted, or of what has no term
    yet.
    """
    following = words[at + 1].kind if at + 1 < len(words) else ""
    told: dict[str, object]
    taken = 2
    if following in {"KEEPS", "YEAREND"}:
        told = {"stretch": "permanent" if following == "KEEPS" else "year"}
    elif [x.kind for x in words[at + 1 : at + 4]] == ["FOR", "NUM", "FORSEASONS"]:
        told, taken = {"stretch": "seasons", "seasons": words[at + 2].value or 0}, 4
    else:
        return None
    for side in (bargain.gives, bargain.wants):
        for i, one in enumerate(side):
            if one.attribute and not (only_bare and any(one is x for x in bargain.termed)):
                side[i] = replace(one, **told)
    return at + taken


def _verb(words: Sequence[Lexeme], at: int, bargain: _Bargain) -> int | None:
    """A word for giving or asking turns the bargain to that side."""
    kind = words[at].kind
    if kind == "LEND" and at and words[at - 1].kind in {"FOR", "ASKFOR", "OF"}:
        return at + 1  # `ask for the loan of`
    if kind in _GIVING:
        if bargain.wants or bargain.asked_at < at:
            if words[at].text in {"give", "hand", "lend", "loan"} and _is_us(words, at):
                return at + 1  # `ask Borland to give us sails`
            if not bargain.gives:
                bargain.turn("gives")
            return at + 1
        return at + 1
    if bargain.gives and bargain.wants:
        return None
    bargain.turn("wants")
    return at + 1


def _is_us(words: Sequence[Lexeme], at: int) -> bool:
    return at + 1 < len(words) and words[at + 1].text in {"us", "me"}


def _item(words: Sequence[Lexeme], at: int, bargain: _Bargain) -> int | None:
    word = words[at]
    kind = word.kind
    if kind == "TECH":
        names = list(bargain.position.state.technologies)
        bargain.add(o.OfferItem(technology=names[word.value or 0]))
        return at + 1
    if kind in BUILDINGS:
        bargain.add(o.OfferItem(building=_building_of(word)))
        return at + 1
    if kind == "NUM":
        return _points(words, at, bargain)
    return at + 1 if kind in _PASSED else None


def _points(words: Sequence[Lexeme], at: int, bargain: _Bargain) -> int | None:
    expended = False
    j = at + 1
    while j < len(words) and words[j].kind in {"POINTS", "OF", "FRESH", "EXPENDED", "IN"}:
        expended |= words[j].kind == "EXPENDED"
        j += 1
    attribute: Attribute | None = ATTRIBUTE_OF.get(words[j].kind) if j < len(words) else None
    if attribute is None:
        return None
    stretch: o.Stretch = "year"
    bargain.add(o.OfferItem(words[at].value or 0, attribute, stretch, expended=expended))
    j += 1
    while j < len(words) and words[j].kind == "POINTS":
        j += 1
    return j


def _building_of(word: Lexeme) -> str:
    code = BUILDINGS[word.kind]
    return "BLD-WORKS R" if code == "BLD-WORKS" else code


# ------------------------------------------------------------------------------------- answers
def answers_of(
    lexemes: Sequence[Lexeme], position: Position, called: int = 0
) -> list[o.Answer] | Problem | Lexeme:
    """An answer to open offers: by number, by their maker (`called`: the one addressed), or bare if
    there is only one; the word that is too much.
    """
    answers: list[o.Answer] = []
    takes = False
    for own, noun in itertools.pairwise(lexemes):
        takes |= own.kind in {"ACCEPT", "DECLINE"}
        if noun.kind == "OFFERNOUN" and own.text in {"my", "our"} and takes:
            return noun  # `accept my offer`: for somebody else to do
    words = [x for x in lexemes if x.kind not in SILENT]
    for part in _by_verb(words):
        found = _answer(part, position, called)
        if not isinstance(found, list):
            return found
        answers += found
    return answers


def _by_verb(words: Sequence[Lexeme]) -> list[list[Lexeme]]:
    parts: list[list[Lexeme]] = []
    for word in words:
        if word.kind in ANSWER or not parts:
            if parts and all(x.kind not in ANSWER for x in parts[-1]):
                parts[-1].append(word)
                continue
            parts.append([word])
        else:
            parts[-1].append(word)
    return parts


_BESIDE = set_of(
    "OFFER OFFERNOUN LEND COMMA AND COLON TO FROM OF IN YES THEM BANG BUT ACTION FOR BOTHOF BOTH "
    "ALL SEASONNOW DASH WITH GIVE THERE TECH LPAR RPAR SLASH INSTEAD OTHER SPEND"
)


def _answer(
    words: Sequence[Lexeme], position: Position, called: int
) -> list[o.Answer] | Problem | Lexeme:
    head = next(x for x in words if x.kind in ANSWER)
    verb: Verb = (
        "Accept" if head.kind == "ACCEPT" else "Decline" if head.kind == "DECLINE" else "Withdraw"
    )
    rest = [x for x in words if x.kind not in ANSWER]
    rest = [x for x in rest if x.text not in {"loan", "loans", "gift", "present", "bargain"}]
    if verb == "Withdraw" and not {x.kind for x in rest} & {
        "OFFERNOUN",
        "OFFER",
        "LEND",
        "NUM",
        "WHO",
    }:
        return head  # `I withdraw my troops`
    for noun, to, what in zip(words, words[1:], [*words[2:], head], strict=False):
        if noun.kind == "OFFERNOUN" and to.kind == "TO" and what.kind != "WHO":
            return to  # `I accept Ben's offer to help`
    wrong = next(
        (x for x in rest if x.kind not in _BESIDE | {"NUM", "WHO"} and x.kind not in ATTRIBUTE_OF),
        None,
    )
    if wrong is not None:
        return wrong
    for number, goods in itertools.pairwise(rest):
        if number.kind == "NUM" and goods.kind in ATTRIBUTE_OF:
            return goods  # `accept 1 resource from Ben`
    numbers = [x.value or 0 for x in rest if x.kind == "NUM"]
    whos = [x for x in rest if x.kind == "WHO" and x.value != position.me]
    find = position.offers_of_mine if verb == "Withdraw" else position.offers_to_me
    theirs = {who.value or 0 for who in whos} or ({called} if called else set())
    found = [offer for who in sorted(theirs) for offer in find(who)]
    if numbers:
        others = {offer.id for offer in find()} - {offer.id for offer in found}
        if theirs and others & {*numbers}:
            return NOT_UNDERSTOOD  # `accept Cyrene's offer 1`, which is Borland's
        return [o.Answer(verb, number) for number in numbers]
    if theirs:
        pass
    else:
        found = list(find())
    return _chosen(found, verb, words)


def _chosen(
    found: Sequence[OpenOffer], verb: Verb, words: Sequence[Lexeme]
) -> list[o.Answer] | Problem:
    spread = any(x.kind in {"BOTHOF", "BOTH", "ALL"} for x in words)
    if len(found) == 1 or (found and spread):
        return [o.Answer(verb, offer.id) for offer in found]
    if found:
        return ambiguous("offer", [f"{verb} offer {offer.id}" for offer in found])
    return Problem("no-offer", ("SS-5.5",))
