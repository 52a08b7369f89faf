"""Single orders a player may give now, for buttons, help and tests; each passes `check` on an empty
sheet without a word.

The answers to a question are all there are. Of plans, which have no end, it is the plain lines:
each land, card, face and word once.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement, product

from msgspec.structs import replace

from engine.chance import Chance
from engine.realm_master import orders as o
from engine.realm_master.cards import (
    BOLT,
    CHARM,
    CUTPURSE,
    GOLDEN_TOUCH,
    PLAYABLE,
    TOKENS,
    all_heroes,
    half,
)
from engine.realm_master.checking.deeds import foresee
from engine.realm_master.checking.messages import takes
from engine.realm_master.conditions import Face
from engine.realm_master.decisions import possible_lands, tokens_owed
from engine.realm_master.defaults import faces_of, reroll_of
from engine.realm_master.state import Fall, Stage, State
from engine.realm_master.table import Table
from engine.realm_master.turns.entries import lands_to_enter
from engine.realm_master.turns.market import on_offer

PLACES = (1, 2, 3, 4, 5)
FIXED: tuple[Face, ...] = ("s", "c", "h", "b", "-")


def legal(state: State, player: int) -> Iterator[o.Order]:
    """Derived from what the player may know; answers first, then deeds, then lines of a plan."""
    table = Table(state, Chance(b""))
    return (order for order in possible(state, player) if takes(table, player, order))


def possible(state: State, player: int) -> Iterator[o.Order]:
    """The same in the same order, and some that `check` refuses: for a player who picks few of
    them, and asks `is_legal` of those.
    """
    if (
        state.stage == "over"
        or not 1 <= player <= len(state.players)
        or not state.players[player - 1].alive
    ):
        return
    table = Table(state, Chance(b""))
    offered: list[o.Order] = []
    if player in state.asked and state.stage not in ("round", "over"):
        offered += _answers(table, player)
    offered += _deeds(table, player)
    if state.stage != "heroes":
        offered += _lines(table, player)
    offered += [o.Auto(on=True), o.Auto(on=False), o.Wait(), o.Drop(), o.Concede()]
    yield from dict.fromkeys(offered)


def is_legal(state: State, player: int, order: o.Order) -> bool:
    """Whether a possible order is a legal one."""
    return takes(Table(state, Chance(b"")), player, order)


def can_act(table: Table, player: int, stage: Stage) -> bool:
    """Whether there is anything to buy, play, turn or trade for in that question of one's own turn
    (RM-6.1, RM-9.12).
    """
    asked = _asked(table, player, stage)
    return any(takes(asked, player, order) for order in _deeds(asked, player))


def can_come_in(table: Table, player: int) -> bool:
    """Whether a hero outside can enter a land now, or after what he may buy, play and trade for
    first (RM-6.1). What a turned card would be nobody knows.
    """
    first = _asked(table, player, "enter")
    met, open_ends = {first.freeze()}, [first]
    while open_ends:
        here = open_ends.pop()
        if lands_to_enter(here, player):
            return True
        for deed in _deeds(here, player):
            if not isinstance(deed, o.RevealNow) and takes(here, player, deed):
                after = Table(here.freeze(), Chance(b""))
                foresee(after, player, (deed,))
                if (state := after.freeze()) not in met:
                    met.add(state)
                    open_ends.append(after)
    return False


def _asked(table: Table, player: int, stage: Stage) -> Table:
    """The table as it would be if that question were open."""
    return Table(replace(table.freeze(), stage=stage, asked=(player,)), Chance(b""))


def _answers(table: Table, player: int) -> Iterator[o.Order]:
    match table.stage:
        case "heroes":
            yield from (o.PickHero((hero,)) for hero in all_heroes())
        case "reroll" | "second" | "knuckle":
            most = 1 if table.stage == "knuckle" else len(PLACES)
            for count in range(most + 1):
                yield from (
                    reroll_of(places, second=table.stage != "reroll")
                    for places in combinations(PLACES, count)
                )
        case "faces":
            yield from _faces(table)
        case "attack" | "smoke" | "hit" | "ultimatum":
            yield from _words(table.stage)
        case "tribute":
            yield from _tributes(table, player)
        case "enter":
            yield from (
                o.Enter((o.Choice(word),)) for word in (*lands_to_enter(table, player), o.NOWHERE)
            )
        case "realm":
            yield from (
                o.Realm((o.Choice(word),))
                for word in ("stay", *possible_lands(table, player), "leave")
            )
        case "loot":
            task = table.agenda[0]
            cards = table.players[task.victim].cards if isinstance(task, Fall) else ()
            yield from (o.Loot(chosen) for chosen in combinations(cards, half(len(cards))))
        case "place":
            yield o.PlaceCard(None)
            yield from (o.PlaceCard(card) for card in on_offer(table))
        case "last":
            yield o.GoOn()


def _words(stage: str) -> Iterator[o.Order]:
    keys: tuple[o.Order, ...] = (
        *(o.Choose("attack", (o.Choice(word),)) for word in o.WORDS["attack"]),
        *(o.Choose("smoke", (o.Choice(word),)) for word in o.WORDS["smoke"]),
        *(o.Choose("hit", (o.Choice(word),)) for word in o.WORDS["hit"]),
        *(o.Choose("ultimatum", (o.Choice(word),)) for word in o.WORDS["ultimatum"]),
    )
    yield from (order for order in keys if o.key_of(order) == stage)


def _faces(table: Table) -> Iterator[o.Order]:
    rolled = table.now().rolled
    count = rolled.count("R")
    for chosen in combinations_with_replacement(FIXED, count):
        left = list(chosen)
        yield faces_of(rolled, tuple(left.pop(0) if face == "R" else face for face in rolled))


def _tributes(table: Table, player: int) -> Iterator[o.Order]:
    card, held = table.effect("tribute"), table.players[player]
    tokens = tokens_owed(
        card.tokens if card is not None else (),
        hearts=held.hearts,
        gold=held.gold,
        banners=held.banners,
    )
    roomy = [land for land in table.lands if table.room_on(land) > 0]
    yield from (
        o.PayTribute(tuple(zip(tokens, lands, strict=True)))
        for lands in product(roomy, repeat=len(tokens))
    )


def _deeds(table: Table, player: int) -> Iterator[o.Order]:
    yield from (o.BuyNow(card) for card in on_offer(table))
    yield o.RevealNow()
    yield from (o.Life(amount, now=True) for amount in (1, 2, 3))
    yield from _plays(table, player, now=True)


def _plays(table: Table, player: int, *, now: bool) -> Iterator[o.Order]:
    rivals = [
        held.hero
        for held in table.players.values()
        if held.number != player and held.hero is not None and held.alive
    ]
    for card in (card for card in table.players[player].cards if card in PLAYABLE):
        if card in (CUTPURSE, BOLT):
            yield from (o.Play(card, hero=hero, now=now) for hero in rivals)
        elif card == GOLDEN_TOUCH:
            yield from (o.Play(card, land=land, now=now) for land in table.lands)
        elif card == CHARM:
            dice = [str(place) for place in PLACES] if now else ["-", "b", "c", "h"]
            yield from (
                o.Play(card, die=die, face=face, now=now)
                for die in dice
                for face in ("s", "c", "h", "b")
            )
        else:
            yield o.Play(card, now=now)


def _lines(table: Table, player: int) -> Iterator[o.Order]:
    yield from (
        o.Reroll(rules)
        for rules in ((), (o.DieRule("-", reroll=True), o.DieRule("lone", reroll=True)))
    )
    yield o.Reroll(rest="keep")
    keep: tuple[Face, ...] = ("s", "h", "c", "b")
    yield from (o.Reroll((o.DieRule(face, reroll=False),), "reroll") for face in keep)
    yield o.Reroll((o.DieRule("s", reroll=False),), "reroll", second=True)
    yield from (o.Faces((o.FaceRule(face),)) for face in FIXED)
    yield o.Faces((o.FaceRule(o.FIVE), o.FaceRule("s")))
    for stage in ("attack", "hit", "smoke", "ultimatum"):
        yield from _words(stage)
    places = (*table.lands, o.BEST, o.CHEAPEST)
    yield from (o.Enter((o.Choice(word),)) for word in (*places, o.NOWHERE))
    yield from (o.Realm((o.Choice(word),)) for word in ("stay", "leave", *places))
    yield from (o.PayTribute(tuple((token, land) for token in TOKENS)) for land in table.lands)
    yield from (o.Buy((o.Wish(card),)) for card in on_offer(table))
    yield from _plays(table, player, now=False)
    yield from _reveals(on_offer(table))
    yield from (o.Life(amount) for amount in (1, 2, 3))


def _reveals(row: Iterable[str]) -> Iterator[o.Order]:
    yield o.Reveal(most=3)
    yield from (o.Reveal(most=3, cover=card) for card in row)
