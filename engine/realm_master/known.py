"""The state that a view shows (RM-0.5): the cards of the decks have no names, and nobody else has a
plan.
"""

from msgspec.structs import replace

from engine.realm_master.state import (
    Begin,
    Fall,
    Land,
    Pay,
    PlaceRevealed,
    Plan,
    Player,
    Record,
    Stand,
    State,
    Step,
    Task,
    Turn,
    Yield,
)
from engine.realm_master.view import HeroView, OwnView, TableView, TurnView

HIDDEN = ""
"""Stands for a card that nobody has seen."""


def known_state(view: TableView) -> State:
    """What a player, or the public, may take for the state."""
    state = State(
        options=view.options,
        players=tuple(_player(hero, view.you) for hero in view.players),
        seating=view.seating,
        lands=tuple(Land(land.key, land.hearts, land.gold, land.banners) for land in view.lands),
        stage=view.stage,
        asked=view.asked,
        mode=view.mode,
        round=view.round,
        card=view.card,
        turn_deck=(HIDDEN,) * view.rounds_left,
        turn_discard=view.past,
        buy_deck=(HIDDEN,) * view.deck,
        discard=view.discard,
        row=tuple((pile.card, *pile.covers) for pile in view.row),
        agenda=(
            *_now(view),
            *(map(Step, view.turn.steps) if view.turn is not None else ()),
            *map(Pay, view.to_pay),
            *((Yield(),) if view.to_yield else ()),
            *map(Begin, view.to_come),
        ),
        turn=None if view.turn is None else _turn(view.turn),
        turns=view.turns,
        winners=view.winners,
        ended_by=view.ended_by,
    )
    return replace(
        state, records=tuple(Record("turn", turn - 1, state) for turn in view.contestable)
    )


def _player(hero: HeroView, own: OwnView | None) -> Player:
    is_own = own is not None and own.number == hero.number
    return Player(
        number=hero.number,
        name=hero.name,
        colour=hero.colour,
        hero=hero.hero,
        hearts=hero.hearts,
        gold=hero.gold,
        banners=hero.banners,
        cards=hero.cards,
        at=hero.at,
        alive=hero.alive,
        fell_in=hero.fell_in,
        fell_to=hero.fell_to,
        fell_round=hero.fell_round,
        conceding=hero.conceding,
        plan=Plan(own.plan, own.auto, own.last) if own is not None and is_own else Plan(),
    )


def _now(view: TableView) -> tuple[Task, ...]:
    """What the open question is about, where the view tells."""
    if view.revealed is not None:
        return (PlaceRevealed(view.revealed),)
    if view.victim is not None:
        return (Fall(view.victim, None, "attack"),)
    if view.turn is not None and view.turn.damage and view.stage != "smoke":
        return (Stand(view.turn.damage),)
    return ()


def _turn(seen: TurnView) -> Turn:
    return Turn(
        number=seen.number,
        player=seen.player,
        inside=seen.inside,
        rolled=seen.rolled,
        faces=seen.faces,
        horn=seen.horn,
        lives=seen.lives,
        attacked=seen.attacked,
    )
