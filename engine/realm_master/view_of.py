"""Build the view of a state (RM-0.5): hidden are the order of the decks, and what others have
planned.
"""

from engine.chance import Chance
from engine.realm_master.checking.deeds import contestable
from engine.realm_master.decisions import possible_lands
from engine.realm_master.state import Begin, Fall, Pay, PlaceRevealed, Stand, State, Step, Yield
from engine.realm_master.table import Table
from engine.realm_master.turns.attacks import damage_of, targets, terms_against
from engine.realm_master.turns.entries import lands_to_enter
from engine.realm_master.turns.lands import entry_cost, is_free
from engine.realm_master.turns.market import on_offer, price, price_of
from engine.realm_master.view import HeroView, LandView, OwnView, PileView, TableView, TurnView


def view_of(state: State, player: int | None) -> TableView:
    """What this player (None: the public) may know. ValueError for a number nobody has."""
    if player is not None and not 1 <= player <= len(state.players):
        raise ValueError(f"no player number {player}")
    table = Table(state, Chance(b""))
    task = state.agenda[0] if state.agenda else None
    return TableView(
        options=state.options,
        mode=state.mode,
        stage=state.stage,
        round=state.round,
        asked=state.asked,
        seating=state.seating,
        players=tuple(_hero(table, held.number) for held in state.players),
        lands=tuple(_land(table, land.key) for land in state.lands),
        room=is_free(table),
        card=state.card,
        past=state.turn_discard,
        rounds_left=len(state.turn_deck),
        row=tuple(
            PileView(pile[0], price_of(pile[0], hero=None, turn_card=state.card), pile[1:])
            for pile in state.row
        ),
        deck=len(state.buy_deck),
        discard=state.discard,
        turn=_turn(table),
        turns=state.turns,
        to_come=tuple(begin.player for begin in state.agenda if isinstance(begin, Begin)),
        to_pay=tuple(pay.player for pay in state.agenda if isinstance(pay, Pay)),
        to_yield=any(isinstance(task, Yield) for task in state.agenda),
        revealed=task.card if isinstance(task, PlaceRevealed) else None,
        victim=task.victim if isinstance(task, Fall) else None,
        winners=state.winners,
        ended_by=state.ended_by,
        you=None if player is None else _own(table, player),
        contestable=contestable(table),
    )


def _hero(table: Table, number: int) -> HeroView:
    held = table.players[number]
    return HeroView(
        number=number,
        name=held.name,
        colour=held.colour,
        seat=table.was.seating.index(number) + 1,
        hero=held.hero,
        hearts=held.hearts,
        maximum=table.maximum(number),
        gold=held.gold,
        banners=held.banners,
        cards=held.cards,
        at=held.at,
        alive=held.alive,
        fell_in=held.fell_in,
        fell_to=held.fell_to,
        fell_round=held.fell_round,
        conceding=held.conceding,
    )


def _land(table: Table, key: str) -> LandView:
    held = table.lands[key]
    occupant = next((number for number in table.occupants if table.players[number].at == key), None)
    return LandView(key, held.hearts, held.gold, held.banners, table.room_on(key), occupant)


def _turn(table: Table) -> TurnView | None:
    turn = table.turn
    if turn is None:
        return None
    task = table.agenda[0] if table.agenda else None
    damage: tuple[tuple[int, int], ...] = ()
    if isinstance(task, Stand):
        damage = task.hit
    elif table.stage == "smoke":
        damage = tuple((other, damage_of(terms_against(table, other))) for other in targets(table))
    return TurnView(
        turn.number,
        turn.player,
        turn.inside,
        turn.rolled,
        turn.faces,
        turn.horn,
        turn.lives,
        turn.attacked,
        damage,
        tuple(task.name for task in table.agenda if isinstance(task, Step)),
    )


def _own(table: Table, player: int) -> OwnView:
    plan = table.players[player].plan
    asked = table.stage == "enter" and player in table.asked
    lands = lands_to_enter if asked else possible_lands
    costs = ((land, entry_cost(table, player, land)) for land in table.lands)
    return OwnView(
        number=player,
        plan=plan.lines,
        auto=plan.auto,
        last=plan.last,
        prices=tuple((card, price(table, player, card)) for card in on_offer(table)),
        entries=tuple((land, cost.gold, cost.hearts) for land, cost in costs),
        payable=tuple(lands(table, player)),
    )
