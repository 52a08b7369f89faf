"""From events to lines: which kinds become lines of a letter, and in which order.

The sentences are macros of `protectors/events.j2` and `protectors/ability_events.j2`, one a kind. A
line about nobody in particular is the same for everybody, so it is made once and kept; only who is
concerned reads `yours` instead of a name.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from msgspec import structs

from engine.protectors.ability_events import AnswersShown, Corrected
from engine.protectors.event_kinds import AnyFacts
from engine.protectors.events import (
    BattleFought,
    BidsRevealed,
    CardRevealed,
    DragonAttacked,
    GameWon,
    OrdersMissed,
    OrdersRevealed,
    PlayerEliminated,
    ProvinceTaken,
    UnitsBought,
    WorkDone,
)
from engine.protectors.view import TableView
from engine.ruleset import Event, Facts
from pbem.games.protectors.pages.cast import Cast
from pbem.pages.rendering import Line, Twin, has_macro, modules, phrase, twin

TEMPLATE = "protectors/events.j2"
ABILITIES = "protectors/ability_events.j2"

_ORDER = (
    ("corrected",),
    ("game-set-up", "option-voted", "factions"),
    ("game-over",),
    ("eliminated", "saved", "island", "taken"),
    ("battle", "king", "support-cut", "pirates", "plank"),
    ("dragon-comes", "dragon-attack"),
    ("upgraded", "work-done", "capitol", "gift", "guard-hired"),
    ("bought", "purchase-cut"),
    ("production", "tribute", "pirates-paid", "money-sent", "money-lent", "cost"),
    ("bids", "tie", "tie-drawn"),
    ("plague", "supply", "cards-locked", "deck-renewed", "card-seen", "card-moved"),
    ("ability-used", "order-failed"),
    ("missed",),
)
"""The events of a close in a letter, in this order: land and people, fights, the Dragon, what was
built and bought, money, bids, failures. The rest (marches, cards, the ranking) has parts of its own
in the letter.
"""
_PLACE_OF = {kind: place for place, kinds in enumerate(_ORDER) for kind in kinds}
_BIDDING = ("bidding", "rebid")
_OWN = frozenset({"cost", "capitol"})
"""Kinds that concern nobody else."""


def digest(events: Sequence[Event], cast: Cast) -> tuple[Line, ...]:
    """What happened, line by line, in the order of a letter; the greater things first."""
    fought = {event.facts.province for event in events if isinstance(event.facts, BattleFought)}
    told: list[tuple[int, Line]] = []
    for event, lines in _with_lines(events, cast):
        facts = event.facts
        place = _PLACE_OF.get(event.kind)
        if place is None or (event.kind in _OWN and not _concerns(facts, cast.you)):
            continue
        if isinstance(facts, WorkDone) and not facts.golden and facts.player != cast.you:
            continue  # what it earns is told to its owner
        if isinstance(facts, ProvinceTaken) and facts.province in fought:
            continue  # the battle says so
        told += ((place, line) for line in lines)
    told += ((_PLACE_OF["bought"], line) for line in _purchases(events, cast))
    told += ((_PLACE_OF["missed"], line) for line in _silences(events, cast))
    return tuple(line for _, line in sorted(told, key=lambda entry: entry[0]))


def _purchases(events: Sequence[Event], cast: Cast) -> Iterator[Line]:
    """All purchases in one line."""
    made = [event for event in events if isinstance(event.facts, UnitsBought)]
    rows = tuple(event.facts for event in made)
    if rows:
        yield Line(_labels()["bought"], twin(TEMPLATE, "bought_all", rows, cast), _rules_of(made))


def _silences(events: Sequence[Event], cast: Cast) -> Iterator[Line]:
    """All who sent nothing in one line, with what the rules did for them. The line of the bids says
    itself who sent none.
    """
    missed = [
        event
        for event in events
        if isinstance(event.facts, OrdersMissed) and event.facts.phase not in _BIDDING
    ]
    rows = tuple(event.facts for event in missed)
    if rows:
        body = twin(TEMPLATE, "missed_all", rows, cast)
        yield Line(_labels()["missed"], body, _rules_of(missed))


def _rules_of(events: Sequence[Event]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule for event in events for rule in event.rules))


def revealed_orders(events: Sequence[Event], cast: Cast) -> tuple[Line, ...]:
    """What each player ordered, a line each, where that was revealed (PR-1.8); of those without
    orders the line of the silent tells.
    """
    return tuple(
        line
        for event in events
        if isinstance(event.facts, OrdersRevealed)
        for line, (_, orders) in zip(event_lines(event, cast)[1:], event.facts.orders, strict=True)
        if orders
    )


def supposed_lines(events: Sequence[Event], cast: Cast) -> tuple[Line, ...]:
    """What would happen, line by line, without the orders themselves."""
    fought = {event.facts.province for event in events if isinstance(event.facts, BattleFought)}
    told: list[Line] = []
    for event, lines in _with_lines(events, cast):
        if event.kind == "orders" or (
            isinstance(event.facts, ProvinceTaken) and event.facts.province in fought
        ):
            continue
        told.extend(lines)
    return (*told, *_purchases(events, cast))


def describe(event: Event, cast: Cast) -> str:
    """One line of plain text; it lists revealed orders and answers, player by player."""
    head, *others = event_lines(event, cast)
    told = [head, *others] if isinstance(event.facts, OrdersRevealed | AnswersShown) else [head]
    return f"{head.label}: {' '.join(line.body.text for line in told)}".replace(
        "\N{NO-BREAK SPACE}", " "
    )


def corrections(events: Sequence[Event], view: TableView, cast: Cast) -> tuple[str, ...]:
    """Corrections, a sentence of plain text each. Only the holder of money reads the amount; others
    do not learn of it. For a player who comes back without a province, what follows (PR-8.4).
    """
    facts = [event.facts for event in events if isinstance(event.facts, Corrected)]
    told = {fact.player for fact in facts if fact.what == "money" and fact.after is not None}
    hidden = [fact.what == "money" and fact.after is None and fact.player in told for fact in facts]
    said = [
        phrase(ABILITIES, "right", fact, cast)
        for fact, is_hidden in zip(facts, hidden, strict=True)
        if not is_hidden
    ]
    ownerless = tuple(province.number for province in view.provinces if province.owner is None)
    said += [
        phrase(ABILITIES, "back_with_nothing", fact.player, ownerless, cast)
        for fact in facts
        if fact.what == "restored"
        and fact.player is not None
        and not any(province for province in view.player(fact.player).provinces)
    ]
    return tuple(sentence[:1].upper() + sentence[1:] for sentence in said)


def _with_lines(events: Sequence[Event], cast: Cast) -> Iterator[tuple[Event, Sequence[Line]]]:
    taken, last = _takings(events), _last_battles(events)
    fallen = tuple(
        event.facts.player for event in events if isinstance(event.facts, PlayerEliminated)
    )
    for index, event in enumerate(events):
        if event.kind == "window" or isinstance(event.facts, UnitsBought | OrdersMissed):
            continue  # all of them stand in one line
        if isinstance(event.facts, BattleFought):
            final = last.get(index, False)
            yield (
                event,
                _battle(
                    event,
                    _cast_for(event.facts, cast),
                    taken.get(event.facts.province) if final else None,
                    final,
                ),
            )
        elif isinstance(event.facts, DragonAttacked):
            yield event, _attack(event, _public(cast), fallen)
        elif isinstance(event.facts, Corrected) and not _goes_on(
            event.facts, events[index + 1 : index + 2]
        ):
            body = twin(ABILITIES, "corrected_because", event.facts, _cast_for(event.facts, cast))
            yield event, (Line(_label(event.facts, cast), body, event.rules),)
        else:
            yield event, event_lines(event, cast)


def _goes_on(facts: Corrected, following: Sequence[Event]) -> bool:
    """Whether the next event is of the same correction: its reason stands once, at its end."""
    return any(
        isinstance(event.facts, Corrected) and event.facts.reason == facts.reason
        for event in following
    )


def hoard_once(events: Iterable[Event]) -> Iterator[Event]:
    """The same events: of the cards that a hoard makes dearer the first alone says so."""
    told: set[int] = set()
    for event in events:
        facts = event.facts
        if isinstance(facts, CardRevealed) and facts.tier in told:
            yield structs.replace(event, facts=structs.replace(facts, tier=0))
        else:
            yield event
        if isinstance(facts, CardRevealed):
            told.add(facts.tier)


def _takings(events: Iterable[Event]) -> dict[int, int]:
    return {
        event.facts.province: event.facts.by
        for event in events
        if isinstance(event.facts, ProvinceTaken)
    }


def _last_battles(events: Sequence[Event]) -> dict[int, bool]:
    places = {
        event.facts.province: index
        for index, event in enumerate(events)
        if isinstance(event.facts, BattleFought)
    }
    return dict.fromkeys(places.values(), True)


def event_lines(event: Event, cast: Cast) -> Sequence[Line]:
    """The lines of one event: most have one; orders and Dragon Attacks add one for each player."""
    return _lines(event, _cast_for(event.facts, cast))


@lru_cache(maxsize=4096)
def _lines(event: Event, cast: Cast) -> tuple[Line, ...]:
    facts = event.facts
    if isinstance(facts, DragonAttacked):
        return _attack(event, cast, ())
    head = Line(_label(facts, cast), _sentence(event, cast), _rules_for(event, cast))
    told = (
        facts.orders
        if isinstance(facts, OrdersRevealed)
        else facts.answers
        if isinstance(facts, AnswersShown)
        else ()
    )
    return (
        head,
        *(Line("", twin(TEMPLATE, "orders_of", player, orders, cast)) for player, orders in told),
    )


def _rules_for(event: Event, cast: Cast) -> tuple[str, ...]:
    """Only its bidder learns that a bid was cut (PR-1.9)."""
    is_bid = isinstance(event.facts, BidsRevealed)
    return (
        tuple(rule for rule in event.rules if rule != "PR-3.6")
        if is_bid and not _concerns(event.facts, cast.you)
        else event.rules
    )


def _sentence(event: Event, cast: Cast) -> Twin:
    macro = event.kind.replace("-", "_")
    return twin(TEMPLATE if has_macro(TEMPLATE, macro) else ABILITIES, macro, event.facts, cast)


@lru_cache(maxsize=256)
def _attack(event: Event, cast: Cast, fallen: tuple[int, ...]) -> tuple[Line, ...]:
    """A Dragon Attack and each player's share; `fallen` are those whom it put out of the game."""
    facts = event.facts
    head = Line(_label(facts, cast), twin(TEMPLATE, "dragon_attack", facts, cast), event.rules)
    if not isinstance(facts, DragonAttacked):
        return (head,)
    shares = (
        twin(TEMPLATE, "dragon_share", share, cast, facts.won, share.player in fallen)
        for share in facts.shares
    )
    return (head, *(Line("", share) for share in shares))


@lru_cache(maxsize=1024)
def _battle(event: Event, cast: Cast, taken: int | None, last: bool) -> tuple[Line, ...]:
    return (
        Line(
            _label(event.facts, cast),
            twin(TEMPLATE, "battle", event.facts, cast, taken, last),
            event.rules,
        ),
    )


def _labels() -> dict[str, str]:
    labels: dict[str, str] = vars(modules(TEMPLATE)[1])["LABELS"]
    return labels


def _label(facts: Facts, cast: Cast) -> str:
    label = _labels().get(str(facts.__struct_config__.tag))
    if label is not None:
        return label
    province = getattr(facts, "province", None)
    return (
        cast.label(province)
        if isinstance(province, int)
        else cast.label(getattr(facts, "target", 0))
    )


def _cast_for(facts: Facts, cast: Cast) -> Cast:
    """The reader's cast where the event concerns the reader, everybody's otherwise: so that a line
    is made once.
    """
    if not cast.you or _concerns(facts, cast.you):
        return cast
    return _public(cast)


@lru_cache(maxsize=64)
def _public(cast: Cast) -> Cast:
    return replace(cast, you=0)


def _concerns(facts: Facts | AnyFacts, player: int) -> bool:
    match facts:
        case BattleFought(winner=winner, loser=loser):
            return player in (winner.player, loser.player)
        case BidsRevealed(bids=bids):
            return any(whose == player and asked > spent for whose, _, asked, spent in bids)
        case PlayerEliminated(player=out, by=by):
            return player == out or player in by
        case Corrected(what=what, player=whose, after=after):
            return player in (whose, after if what == "owner" else 0)
        case DragonAttacked() | GameWon() | OrdersRevealed():
            return False
    return player in (
        getattr(facts, name, 0)
        for name in ("player", "by", "before", "intruder", "mate", "sender", "to")
    )
