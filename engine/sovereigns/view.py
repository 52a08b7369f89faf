"""What a player, or the public, may know (SS-1.9): the only way from a state to words and pictures.

A view of the public and one of a player differ in `you` alone.
"""

import msgspec

from engine.chance import Chance
from engine.sovereigns.codes import ATTRIBUTES, ActionKind
from engine.sovereigns.orders import Do, Year
from engine.sovereigns.seasons.actions import void
from engine.sovereigns.seasons.running_phase import base_of, deadline
from engine.sovereigns.state import (
    Boon,
    Building,
    Discovery,
    Kingdom,
    Loan,
    Mod,
    Next,
    Objection,
    OpenOffer,
    Options,
    Played,
    Points,
    Ruling,
    Season,
    Stage,
    State,
    Support,
    Undone,
)
from engine.sovereigns.table import Table


class RulerView(msgspec.Struct, frozen=True):
    """A player as all games have them: `name` is that of the person."""

    number: int
    name: str
    colour: str


class KingdomView(msgspec.Struct, frozen=True):
    """`seat` counts from 1. `mods` are the game master's, announced to all."""

    number: int
    ruler: str
    colour: str
    seat: int
    name: str
    total: Points
    alive: bool
    fell: int
    support: Support
    rest: int
    mods: tuple[Mod, ...]
    tech: tuple[tuple[str, str], ...]
    """(name, code) in the order got."""
    buildings: tuple[Building, ...]
    faith: int
    converted_by: tuple[int, ...]
    security: int
    discoveries: tuple[Discovery, ...]
    claimed: bool


class OwnView(msgspec.Struct, frozen=True):
    """What only this ruler sees: the private sheet (SS-12.11)."""

    number: int
    ex: Points
    free: Points
    depleted: int
    used: tuple[str, ...]
    boons: tuple[Boon, ...]
    next: Next
    loans: tuple[Loan, ...]
    offers: tuple[OpenOffer, ...]
    """Each by this ruler's own number."""
    dealt: int
    """The highest such number so far."""
    voted: tuple[int, ...]
    """Claimants to whom this ruler has said yes."""
    every_year: Year | None
    every_season: Do | None
    year_order: Year | None
    abdicating: bool
    objected: bool
    rulings: tuple[Ruling, ...]
    """The game master's words on free-form actions of this ruler (SS-8.3)."""
    redone: "TableView | None" = None
    """The council before this ruler's action that was rolled back (SF-9.13)."""


class TableView(msgspec.Struct, frozen=True):
    """The council as it sits. `kingdoms` by number; `actions` are (number, ruler, kind, target) of
    the season closed last, which may be objected to.
    """

    options: Options
    stage: Stage
    year: int
    season: Season
    hour: int
    deadline: int
    expeditions: int
    seating: tuple[int, ...]
    kingdoms: tuple[KingdomView, ...]
    technologies: tuple[tuple[str, str], ...]
    claims: tuple[tuple[int, int], ...]
    """(claimant, hours left) of the open ballots; votes are public when closed."""
    actions: tuple[tuple[int, int, ActionKind | None, int | None], ...]
    objections: tuple[Objection, ...]
    undone: Undone | None
    winners: tuple[int, ...]
    ended_by: str
    you: OwnView | None

    def kingdom(self, number: int) -> KingdomView:
        return self.kingdoms[number - 1]

    @property
    def players(self) -> tuple[RulerView, ...]:
        return tuple(RulerView(one.number, one.ruler, one.colour) for one in self.kingdoms)

    @property
    def living(self) -> tuple[int, ...]:
        """Numbers of the living, in seat order."""
        return tuple(number for number in self.seating if self.kingdom(number).alive)

    @property
    def asked(self) -> tuple[int, ...]:
        """Whom the open phase asks; over a game that had ended, a redo is asked alone."""
        if self.stage == "over":
            return () if self.undone is None else (self.undone.player,)
        return tuple(sorted(self.living))

    @property
    def turn(self) -> int:
        """The year; 0 before the first."""
        return 0 if self.stage == "setup" else self.year


def view_of(state: State, player: int | None) -> TableView:
    """What this player may know; None: the public."""
    return TableView(
        options=state.options,
        stage=state.stage,
        year=state.year,
        season=state.season,
        hour=state.hour,
        deadline=deadline(state),
        expeditions=state.expeditions,
        seating=state.seating,
        kingdoms=tuple(_kingdom(state, kingdom) for kingdom in state.kingdoms),
        technologies=tuple(state.technologies.items()),
        claims=tuple((ballot.claimant, ballot.left) for ballot in state.ballots),
        actions=tuple(_deed(state, played) for played in state.played),
        objections=state.objections,
        undone=state.undone,
        winners=state.winners,
        ended_by=state.ended_by,
        you=None if player is None else _own(state, state.kingdom(player)),
    )


def _deed(state: State, played: Played) -> tuple[int, int, ActionKind | None, int | None]:
    """What was done, as everybody was told: of an action that was void nobody knows the kind. One
    that is taken back is not done.
    """
    order, before = played.order, Table(played.before, Chance(b""))
    is_done = state.undone is None or state.undone.action != played.number
    if isinstance(order, Do) and is_done and not before.is_over:
        for i, way in enumerate(order.ways):
            if void(before, played.player, order, i) is None:
                return played.number, played.player, way.kind, way.target
    return played.number, played.player, None, None


def _kingdom(state: State, kingdom: Kingdom) -> KingdomView:
    return KingdomView(
        number=kingdom.number,
        ruler=kingdom.ruler,
        colour=kingdom.colour,
        seat=state.seating.index(kingdom.number) + 1,
        name=kingdom.name,
        total=kingdom.total,
        alive=kingdom.alive,
        fell=kingdom.fell,
        support=kingdom.support,
        rest=kingdom.rest,
        mods=kingdom.mods,
        tech=tuple((name, state.technologies[name]) for name in kingdom.tech),
        buildings=kingdom.buildings,
        faith=kingdom.faith,
        converted_by=kingdom.converted_by,
        security=kingdom.security,
        discoveries=kingdom.discoveries,
        claimed=kingdom.claimed,
    )


def _own(state: State, kingdom: Kingdom) -> OwnView:
    number = kingdom.number
    is_redoing = state.undone is not None and state.undone.player == number
    return OwnView(
        number=number,
        ex=kingdom.ex,
        free=Points(*(kingdom.free(attribute) for attribute in ATTRIBUTES)),
        depleted=kingdom.depleted,
        used=kingdom.used,
        boons=kingdom.boons,
        next=kingdom.next,
        loans=tuple(loan for loan in state.loans if number in (loan.lender, loan.borrower)),
        offers=tuple(
            offer.seen_by(number) for offer in state.offers if number in (offer.giver, offer.taker)
        ),
        dealt=state.offered - (0 if state.by_table else state.numbered - kingdom.dealt),
        voted=tuple(ballot.claimant for ballot in state.ballots if number in ballot.ayes),
        every_year=kingdom.every_year,
        every_season=kingdom.every_season,
        year_order=kingdom.year_order,
        abdicating=kingdom.abdicating,
        objected=kingdom.objected,
        rulings=tuple(ruling for ruling in state.rulings if ruling.player == number),
        redone=view_of(base_of(state), number) if is_redoing else None,
    )
