"""States, orders and events as bytes, and what makes a state one that no game can come to."""

from collections.abc import Iterator

from engine.codec import Codec
from engine.protectors.abilities import ONE_TIME_USES, ability_named, is_in_effect
from engine.protectors.cards import all_cards
from engine.protectors.event_kinds import AnyFacts
from engine.protectors.lands import both_ways, check_borders
from engine.protectors.numbers import TOP_LEVEL
from engine.protectors.orders import ISLAND, Order
from engine.protectors.state import DECKS, DRAGON, State


def _faults(state: State) -> Iterator[str]:
    yield from _faults_of_land(state)
    yield from _faults_of_players(state)
    yield from _faults_of_board(state)
    yield from _faults_of_cards(state)
    yield from _faults_of_stage(state)


def _faults_of_land(state: State) -> Iterator[str]:
    land = state.land
    if len(state.board) != land.provinces + 1:
        yield (
            f"{len(state.board)} places on the board for {land.provinces} provinces and the Island"
        )
    for fault in check_borders(range(1, land.provinces + 1), both_ways(land.borders)):
        yield f"the land: {fault.code} {fault.places}"
    if state.options.version == "normal" and land.provinces != state.starting_players:
        yield f"a normal game with {land.provinces} provinces for {state.starting_players} players"


def _faults_of_players(state: State) -> Iterator[str]:
    count = len(state.players)
    if not 1 <= count <= state.starting_players:
        yield f"{count} players at the table of {state.starting_players} who started"
    if [player.number for player in state.players] != list(range(1, count + 1)):
        yield "players out of order"
    active = [player.number for player in state.players if player.is_active]
    if sorted(state.ranking) != active:
        yield f"the ranking {state.ranking} is no order of the active players {active}"
    for player in state.players:
        if player.realm < 0 or player.vp < 0:
            yield f"{player.name} has {player.realm} $Realm and {player.vp} VP"
        if not (
            set(player.used) <= set(ONE_TIME_USES) and len(set(player.used)) == len(player.used)
        ):
            yield f"{player.name} has used {player.used}"
        if not all(ability_named(name) for name in player.extra):
            yield f"{player.name} has the abilities {player.extra}"
        if not all(DRAGON <= by <= count for by in player.fell_to):
            yield f"{player.name} fell to nobody at this table"


def _faults_of_board(state: State) -> Iterator[str]:
    for i, province in enumerate(state.board):
        name = "the Island" if i == ISLAND else f"P{i}"
        if province.owner is not None and province.owner not in state.ranking:
            yield f"{name} belongs to nobody who is in the game"
        if province.units < 0 or (province.units and province.owner is None):
            yield f"{province.units} units in {name} without an owner"
        if not 0 <= province.level <= (0 if province.burnt else TOP_LEVEL):
            yield f"{name} has level {province.level}"


def _faults_of_cards(state: State) -> Iterator[str]:
    known = all_cards()
    for deck in DECKS:
        pile = getattr(state, deck)
        for card in (*pile.draw, *pile.discard, *pile.removed):
            if card not in known or known[card].deck != deck:
                yield f"{card!r} in the {deck} deck"
    for played in (*state.in_play, *state.locked):
        if played.card not in known or known[played.card].deck != played.deck:
            yield f"{played.card!r} was played from the {played.deck} deck"


def _faults_of_stage(state: State) -> Iterator[str]:
    if state.turn < 1 or state.dpl < 0:
        yield f"turn {state.turn}, DPL {state.dpl}"
    if (state.attack is not None) != (state.stage == "dragon") and state.stage != "bank":
        yield f"the stage {state.stage} does not go with the Dragon Attack {state.attack}"
    if state.attack is not None and (state.attack.dpl < 1 or state.attack.more < 0):
        yield f"a Dragon Attack with DPL {state.attack.dpl} and {state.attack.more} more"
    if bool(state.ties) != (state.stage == "rebid"):
        yield f"ties {state.ties} in the stage {state.stage}"
    tied = [player for tie in state.ties for player in tie]
    named = [*tied, *(player for player, _ in (*state.owed, *state.bids))]
    if len(set(tied)) < len(tied) or not set(named) <= set(state.ranking):
        yield "ties, debts or bids of players who are not in the game"
    teams = {state.players[player - 1].team for player in state.ranking} - {None}
    if not all(
        winner in state.ranking or state.players[winner - 1].team in teams
        for winner in state.winners
    ):
        yield "winners who are not in the game, nor of a team that is"
    if state.stage == "bank" and not any(
        is_in_effect(state, player, "bank") for player in state.ranking
    ):
        yield "nobody has the Bank whose answer is waited for"
    if any(amount < 0 for _, amount in (*state.owed, *state.bids)):
        yield "a debt or a bid below 0"
    if not all(1 <= i < len(state.board) for i in state.working_lost):
        yield f"no such provinces: {state.working_lost}"


CODEC = Codec[State, Order](State, Order, AnyFacts, _faults)
