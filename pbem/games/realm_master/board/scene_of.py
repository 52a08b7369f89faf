"""From the engine's public view of Realm-Master and the events of the last close to the scene of a
board picture.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine.realm_master import events as happened
from engine.realm_master.cards import all_buy_cards, all_heroes, all_lands, all_turn_cards
from engine.realm_master.conditions import Face
from engine.realm_master.view import HeroView, LandView, TableView
from engine.ruleset import Event
from pbem.board.board import TableFacts
from pbem.board.heading import due_lines, phase_words
from pbem.games.realm_master.board.scene import (
    Blow,
    Card,
    Die,
    Hero,
    Land,
    Pile,
    Roll,
    Scene,
    Tokens,
    TurnCard,
)
from pbem.games.realm_master.board.words import say


def build_scene(view: TableView, events: Sequence[Event], about: TableFacts) -> Scene:
    """The scene of this view. `events` are those of the last close; only public ones are shown, and
    not `you` (RM-0.5).
    """
    told = _Told(view, events)
    card = told.card_of(about.chronicle.number) if about.chronicle else view.card
    seats = {number: seat for seat, number in enumerate(view.seating)}
    return Scene(
        table=about.title,
        round=view.round,
        phase=phase_words(about, say),
        due=due_lines(about, say, _won(view)),
        chronicle=about.chronicle,
        is_first=about.is_first,
        card=_turn_card(card) if card else None,
        rounds_left=view.rounds_left,
        lands=tuple(_land(land, seats, told.land_dice.get(land.key, ())) for land in view.lands),
        heroes=tuple(
            _hero(
                view, view.player(number), told.rolls.get(number), is_asked=about.chronicle is None
            )
            for number in view.seating
        ),
        row=tuple(
            Pile(_card(pile.card), pile.cost, tuple(map(_card, pile.covers))) for pile in view.row
        ),
        deck=view.deck,
        discard=len(view.discard),
        revealed=None if view.revealed is None else _card(view.revealed),
        over=view.stage == "over",
        hypothesis=about.hypothesis,
    )


def _won(view: TableView) -> tuple[list[str], str] | None:
    """Who won, and with how many banners."""
    if not view.winners:
        return None
    won = [view.player(number) for number in view.winners]
    return [one.name for one in won], say("won", max(one.banners for one in won))


def _turn_card(key: str) -> TurnCard:
    card = all_turn_cards()[key]
    return TurnCard(key, card.name, card.kind)


def _card(key: str) -> Card:
    card = all_buy_cards()[key]
    return Card(key, card.name, card.keep, card.enchantment)


def _land(held: LandView, seats: Mapping[int, int], dice: tuple[Die, ...]) -> Land:
    card = all_lands()[held.key]
    return Land(
        key=held.key,
        name=card.name,
        cost=Tokens(card.hearts, card.gold),
        bonus=Tokens(card.bonus.hearts, card.bonus.gold, card.bonus.banners),
        attack=card.attack,
        capacity=card.capacity,
        tokens=Tokens(held.hearts, held.gold, held.banners),
        occupant=None if held.occupant is None else seats[held.occupant],
        dice=dice,
    )


def _hero(view: TableView, held: HeroView, roll: Roll | None, *, is_asked: bool) -> Hero:
    return Hero(
        name=held.name,
        colour=held.colour.casefold(),
        hero=held.hero or "",
        title=all_heroes()[held.hero].title if held.hero else "",
        tokens=Tokens(held.hearts, held.gold, held.banners),
        maximum=held.maximum,
        cards=tuple(map(_card, held.cards)),
        at=all_lands()[held.at].short if held.at and held.alive else "",
        alive=held.alive,
        fell_round=held.fell_round,
        fell_to="" if held.fell_to is None else view.player(held.fell_to).name,
        active=(
            is_asked
            and view.turn is not None
            and view.turn.player == held.number
            and view.stage != "over"
        ),
        winner=held.number in view.winners,
        roll=roll,
    )


class _Told:
    """The dice of the public events: each hero's last turn, and those rolled for lands."""

    def __init__(self, view: TableView, events: Sequence[Event]) -> None:
        self.rolls: dict[int, Roll] = {}
        self.land_dice: dict[str, tuple[Die, ...]] = {}
        self._cards = {view.round: view.card}
        self._seats = {number: seat for seat, number in enumerate(view.seating)}
        for event in events:
            if event.is_for(None):
                self._take(event)
        turn = view.turn
        if turn is not None and turn.rolled and view.stage != "over":
            before = self.rolls.get(turn.player)
            blows = before.blows if before is not None and before.turn == turn.number else ()
            self.rolls[turn.player] = Roll(
                turn.number, _dice(turn.rolled, turn.faces or turn.rolled), blows
            )

    def card_of(self, number: int) -> str | None:
        """The card of a round, where it is known."""
        return self._cards.get(number)

    def _take(self, event: Event) -> None:
        match event.facts:
            case happened.RoundBegan(round=number, card=card):
                self._cards.setdefault(number, card)
                self.land_dice = {}
            case happened.TakenBack():
                self.land_dice = {}
            case happened.LandsFilled(lands=lands, dice=dice) if dice:
                self.land_dice = {
                    land: _dice(faces, faces) for (land, _), faces in zip(lands, dice, strict=True)
                }
            case happened.DiceRolled(turn=turn, player=player, dice=dice):
                self.rolls[player] = Roll(turn, _dice(dice, dice))
            case happened.DiceResolved(turn=turn, player=player, faces=faces):
                rolled = self.rolls.get(player)
                before = (
                    tuple(die.face for die in rolled.dice)
                    if rolled is not None and rolled.turn == turn
                    else faces
                )
                self.rolls[player] = Roll(turn, _dice(before, faces))
            case happened.AttackMade(turn=turn, player=player, blows=blows):
                hit = tuple(Blow(self._seats[blow.player], blow.damage) for blow in blows)
                self.rolls[player] = replace(self.rolls.get(player, Roll(turn, ())), blows=hit)
            case _:
                pass


def _dice(rolled: Sequence[Face], faces: Sequence[Face]) -> tuple[Die, ...]:
    return tuple(
        Die(face, wild=was == "R" and face != "R") for was, face in zip(rolled, faces, strict=True)
    )
