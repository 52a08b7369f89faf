"""From a draft to orders of Protectors: which verb is meant in this phase, and who builds its
orders.
"""

from collections.abc import Callable, Mapping, Sequence

from engine.protectors import orders as o
from pbem.games.protectors.reading.drafts import Draft, may_name
from pbem.games.protectors.reading.dragon import (
    build_burn,
    build_commit,
    build_faction,
    build_fire,
    build_hide,
    build_palantir,
    build_refresh,
    build_take,
)
from pbem.games.protectors.reading.position import Built, Position, Refusal, refuse_unless
from pbem.games.protectors.reading.purchase import (
    build_bid,
    build_buy,
    build_capitol,
    build_upgrade,
    build_use,
)
from pbem.games.protectors.reading.window import (
    build_cancel,
    build_fortify,
    build_hold,
    build_march,
    build_same,
    build_send,
    build_snitch,
    build_support,
    build_unsend,
)
from pbem.grammar.kit.lexemes import Lexeme


def build(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
    """The orders of a draft; `named` are the provinces that other orders of the message occupy.
    Refusal if it makes none.
    """
    if draft.surplus is not None or (draft.unknown and not may_name(draft)):
        raise Refusal("not-understood", draft.surplus or draft.unknown[0])
    kind = _kind_here(draft, position)
    builder = _BUILDERS.get(kind)
    if builder is None:
        raise Refusal("not-understood", draft.verb)
    return builder(draft, position, named)


_CRUSADES = frozenset({"crusade", "crusades"})

_GREETED = frozenset(
    {"all", "everyone", "everybody", "alle", "rest", "others", "the others", "the rest"}
)
"""Words for everybody that a clause without a verb may greet."""


def _kind_here(draft: Draft, position: Position) -> str:
    """The verb, as it is meant in this phase; a clause without one has the verb of the phase."""
    kind, stage = draft.kind, position.state.stage
    to_place = draft.target is not None or draft.dash is not None
    if (
        draft.ability is not None
        and draft.ability.text in _CRUSADES
        and to_place
        and kind in {"", "MARCH", "ATTACK"}
    ):
        draft.golden, draft.ability = (
            draft.golden or draft.ability,
            None,
        )  # the Crusade's March is a golden one (PR-11.6)
        return "MARCH"
    if (
        kind == "TAKE"
        and draft.lender is not None
        and draft.numbers
        and not draft.ability
        and not position.fights_dragon
    ):
        return "USE"
    if kind in {"SEND", "GIVE", "MARCH", "ATTACK", "USE", "TAKE"}:
        dragon = "DRAGON" in draft.marks or (
            position.fights_dragon and not to_place and draft.who is None
        )
        if dragon and (draft.origin or draft.places or draft.quantity) and not draft.ability:
            return "COMMIT"
    if (
        kind == "CANCEL"
        and to_place
        and draft.numbers
        and draft.verb is not None
        and draft.verb.text == "withdraw"
    ):
        return "MARCH"
    stays = draft.verb is not None and draft.verb.text in {
        "hold",
        "stay home",
        "stays home",
        "stay put",
        "hold position",
    }
    if stays and position.fights_dragon and not draft.said() - {"verb", "quantity"}:
        return "HIDDEN"
    if stays and stage == "consolidation" and not draft.said() - {"verb"}:
        draft.quantity = (
            Lexeme("NOTHING", "nothing", draft.verb.start, draft.verb.end)
            if draft.verb is not None
            else None
        )
        return "BUY"
    if (
        kind == "TAKE"
        and stage == "bidding"
        and draft.ability is not None
        and draft.ability.kind == "FACTIONNAME"
    ):
        return "FACTION"
    if kind in {"SEND", "GIVE"}:
        return "MARCH" if to_place and draft.who is None else "SEND"
    if kind == "TAKE" and not draft.ability and (draft.after or to_place):
        return "ATTACK"
    return kind or _kind_of_phase(draft, position)


def _kind_of_phase(draft: Draft, position: Position) -> str:
    """What a clause without a verb means in the open phase: a March, a commitment, a purchase, a
    bid, or nothing.
    """
    stage = position.state.stage
    to_place = draft.target is not None or draft.dash is not None
    if draft.marks.keys() & {"SEADECK", "ENDDECK"}:
        return ""
    if stage == "orders" and to_place:
        return "MARCH"
    amount = bool(draft.numbers) or draft.quantity is not None
    if (
        position.fights_dragon
        and amount
        and not (
            draft.is_only("quantity")
            and draft.quantity is not None
            and draft.quantity.text in _GREETED
        )
    ):
        return "COMMIT"
    if (
        draft.numbers
        and draft.lender is not None
        and stage in {"consolidation", "bidding", "rebid", "bank"}
    ):
        return "USE"
    if stage == "consolidation" and draft.numbers and draft.places and draft.quantity is None:
        return "BUY"
    if (
        stage == "consolidation"
        and draft.is_only("quantity")
        and draft.quantity is not None
        and draft.quantity.kind == "NOTHING"
    ):
        return "BUY"
    if stage == "bidding" and draft.ability is not None:
        return "FACTION"
    if stage in {"bidding", "rebid", "bank"} and (
        draft.said() == {"number"}
        or (draft.quantity is not None and draft.quantity.text in {"all in", "all i have"})
    ):
        return "BID"
    return ""


_Builder = Callable[[Draft, Position, Sequence[int]], list[Built]]


def _plain(order: o.Order) -> _Builder:
    def build_plain(draft: Draft, position: Position, named: Sequence[int]) -> list[Built]:
        refuse_unless(draft)
        return [Built(order, {"verb": draft.verb})]

    return build_plain


_BUILDERS: Mapping[str, _Builder] = {
    "FORTIFY": build_fortify,
    "WORK": build_fortify,
    "HOLD": build_hold,
    "MARCH": build_march,
    "ATTACK": build_march,
    "SUPPORT": build_support,
    "SEND": build_send,
    "UNSEND": build_unsend,
    "SNITCH": build_snitch,
    "SAME": build_same,
    "CANCEL": build_cancel,
    "CANCELALL": _plain(o.Cancel()),
    "FINAL": _plain(o.Final()),
    "BUY": build_buy,
    "UPGRADE": build_upgrade,
    "CAPITOL": build_capitol,
    "BID": build_bid,
    "NOBID": build_bid,
    "USE": build_use,
    "COMMIT": build_commit,
    "HIDDEN": build_hide,
    "BURN": build_burn,
    "FIRE": build_fire,
    "NOTHINGTOSEE": _plain(o.Hide()),
    "BANK": _plain(o.UseBank()),
    "FAITH": _plain(o.UseFaith()),
    "KING": _plain(o.HireKing()),
    "FORECAST": _plain(o.Forecast()),
    "READDRAGONS": _plain(o.ReadDragonDeck()),
    "BOTTOM": _plain(o.PutAtBottom()),
    "PLACEDRAGON": _plain(o.PlaceDragon()),
    "FACTION": build_faction,
    "PALANTIR": build_palantir,
    "REFRESH": build_refresh,
    "TAKE": build_take,
}
