"""What can happen in Realm-Master: one struct a kind, its tag being the kind; players are numbers,
heroes, lands and cards keys.

An attack carries its arithmetic term by term with the rule of each, so that a page can say why.
Rule IDs stand on the event.
"""

from typing import Literal

import msgspec

from engine.realm_master.cards import Tokens
from engine.realm_master.conditions import Face
from engine.realm_master.orders import Order
from engine.ruleset import Facts


class Term(msgspec.Struct, frozen=True):
    """One summand of an attack's value, and the rule that adds or takes it."""

    source: Literal["swords", "squire", "barbarian", "card", "blade", "horn", "arub", "shield"]
    amount: int
    rule: str


class Blow(msgspec.Struct, frozen=True):
    """An attack against one hero: `damage` is its value, `lost` the hearts it took, `left` those
    that remain.
    """

    player: int
    at: str | None
    terms: tuple[Term, ...]
    damage: int
    lost: int
    left: int


class Gain(msgspec.Struct, frozen=True):
    """What a hero got, or paid."""

    hearts: int = 0
    gold: int = 0
    banners: int = 0


# ------------------------------------------------------------------------------------------- set-up
class GameSetUp(Facts, frozen=True, tag="game-set-up"):
    seating: tuple[int, ...]
    lands: tuple[str, ...]
    row: tuple[str, ...]
    mode: str


class OptionVoted(Facts, frozen=True, tag="option-voted"):
    option: str
    value: str
    votes: tuple[tuple[str, int], ...]
    by_coin: bool


class HeroTaken(Facts, frozen=True, tag="hero"):
    """`by`: the list sent, or chance."""

    player: int
    hero: str
    by: Literal["choice", "chance"]
    start: Tokens


# ------------------------------------------------------------------------------- rounds and windows
class RoundBegan(Facts, frozen=True, tag="round"):
    round: int
    card: str
    name: str
    final: bool


class WindowOpened(Facts, frozen=True, tag="window"):
    stage: str
    asked: tuple[int, ...]
    hours: int


class OrdersMissed(Facts, frozen=True, tag="missed"):
    """Nothing came from this player; `rounds` in a row now."""

    player: int
    stage: str
    rounds: int


class ReplacementWanted(Facts, frozen=True, tag="replacement-wanted"):
    player: int
    rounds: int


class LineUsed(Facts, frozen=True, tag="line-used"):
    """To its owner alone: a line of the plan, or an answer, that decided something."""

    player: int
    line: Order


class LineSkipped(Facts, frozen=True, tag="line-skipped"):
    """To its owner alone: a line of the plan that could not be carried out, and why, as a code of
    the table of wrong inputs.
    """

    player: int
    line: Order
    why: str


class LandsFilled(Facts, frozen=True, tag="lands-filled"):
    """A turn card put tokens on the lands: (land, what stayed on it). `dice` are those rolled for
    each, in row order.
    """

    card: str
    lands: tuple[tuple[str, Gain], ...]
    dice: tuple[tuple[Face, ...], ...] = ()


class HeroesGiven(Facts, frozen=True, tag="heroes-given"):
    """A turn card gave heroes something: (player, what)."""

    card: str
    heroes: tuple[tuple[int, Gain], ...]


class TributePaid(Facts, frozen=True, tag="tribute"):
    """`paid`: (token, land). `lacking` are tokens the hero had not (or a last heart), `no_room`
    those for which no land had room.
    """

    player: int
    paid: tuple[tuple[str, str], ...]
    lacking: tuple[str, ...]
    no_room: tuple[str, ...]


class UltimatumMet(Facts, frozen=True, tag="ultimatum"):
    player: int
    land: str
    choice: Literal["leave", "lose"]
    lost: int
    left: int


# ------------------------------------------------------------------------------------------- a turn
class TurnBegan(Facts, frozen=True, tag="turn"):
    turn: int
    player: int
    at: str | None
    writ: int
    mending: int


class DiceRolled(Facts, frozen=True, tag="dice"):
    """`throw`: the roll, the reroll, the second one, the Gambler's Knuckle. `places` are the dice
    thrown, `dice` all five afterwards.
    """

    turn: int
    player: int
    throw: Literal["roll", "reroll", "second", "knuckle"]
    places: tuple[int, ...]
    dice: tuple[Face, ...]


class DiceResolved(Facts, frozen=True, tag="resolved"):
    """The faces once R are fixed, and what they brought: `bonus` of the squire, `pole` of the
    Standard Pole.
    """

    turn: int
    player: int
    faces: tuple[Face, ...]
    gain: Gain
    swords: int
    bonus: str
    pole: int


class CardBought(Facts, frozen=True, tag="bought"):
    """`place` in the row (None: a revealed card); `drawn` came in its place, `freed` lay under
    it.
    """

    player: int
    card: str
    price: int
    place: int | None
    drawn: str | None
    freed: str | None


class CardRevealed(Facts, frozen=True, tag="revealed"):
    player: int
    card: str


class CardCovered(Facts, frozen=True, tag="covered"):
    """A revealed card put on another (None: on an empty row)."""

    player: int
    card: str
    on: str | None


class DeckRebuilt(Facts, frozen=True, tag="deck-rebuilt"):
    """`by` the rules from the discard pile, or the game master."""

    deck: Literal["buy", "turn"]
    by: Literal["rules", "game-master"]
    cards: int


class CardPlayed(Facts, frozen=True, tag="played"):
    """A discard card's effect: on whom or where, and how much."""

    player: int
    card: str
    hero: int | None = None
    land: str | None = None
    amount: int = 0
    die: int | None = None
    face: str | None = None


class LifeBought(Facts, frozen=True, tag="life"):
    player: int
    hearts: int


# --------------------------------------------------------------------------------- attack and death
class AttackForgone(Facts, frozen=True, tag="no-attack"):
    """Swords without an attack: nobody to hit, or not wanted."""

    player: int
    swords: int
    cause: Literal["nobody", "declined"]


class AttackMade(Facts, frozen=True, tag="attack"):
    turn: int
    player: int
    inside: bool
    swords: int
    blows: tuple[Blow, ...]


class SmokeUsed(Facts, frozen=True, tag="smoke"):
    player: int
    land: str


class ElfHonoured(Facts, frozen=True, tag="elf-banners"):
    player: int
    banners: int


class PhoenixRose(Facts, frozen=True, tag="phoenix"):
    player: int
    hearts: int
    land: str | None


class ThornsPricked(Facts, frozen=True, tag="thorns"):
    player: int
    owner: int
    left: int


class HeroDied(Facts, frozen=True, tag="died"):
    """`looted` and `cards` went to the killer, `rest` stayed on the land, `lost` went to the
    supply, `discarded` to the pile.
    """

    player: int
    killer: int | None
    cause: str
    land: str | None
    looted: Gain
    cards: tuple[str, ...]
    rest: Gain
    lost: Gain
    discarded: tuple[str, ...]


class ChoiceMade(Facts, frozen=True, tag="stand"):
    """An occupant that was hit stays or leaves."""

    player: int
    land: str
    choice: Literal["stay", "leave"]
    damage: int


# ---------------------------------------------------------------------------------------- the Realm
class LandEntered(Facts, frozen=True, tag="entered"):
    """`paid` to the supply, `bonus` from it; `moved` from where, None from outside."""

    player: int
    land: str
    paid: Gain
    bonus: Gain
    moved: str | None
    saved: int


class LandLeft(Facts, frozen=True, tag="left"):
    player: int
    land: str
    cause: Literal["turn", "hit"]


class LandKept(Facts, frozen=True, tag="kept"):
    """A hero stays on his land at the end of his own turn."""

    player: int
    land: str


class StayedOutside(Facts, frozen=True, tag="stayed-outside"):
    """Why a hero outside did not enter: of his own will (or for want of a land he could pay, which
    is his secret), no sword, no room.
    """

    player: int
    cause: Literal["wish", "no-sword", "no-room"]


class Collected(Facts, frozen=True, tag="collected"):
    """Tokens taken from the land; `refused` hearts stayed there because the hero had no room for
    them.
    """

    player: int
    land: str
    gain: Gain
    refused: int


class HeroConceded(Facts, frozen=True, tag="conceded"):
    player: int


class GameWon(Facts, frozen=True, tag="game-over"):
    """`how`: banners, last (the last living hero), rounds (most banners after the final
    round), gm.
    """

    winners: tuple[int, ...]
    how: Literal["banners", "last", "rounds", "gm"]
    standing: tuple[tuple[int, int, int, int, int], ...] = ()
    """(player, banners, hearts, gold, cards) of the living, best first."""


# ------------------------------------------------------------------------------------------ rulings
class ObjectionMade(Facts, frozen=True, tag="objection"):
    player: int
    turn: int
    reason: str


class RulingGiven(Facts, frozen=True, tag="ruling"):
    text: str


class Corrected(Facts, frozen=True, tag="corrected"):
    """What a game master set: hearts, gold, banners, place of a hero; a land; a card given, taken
    or put in the row; the mode.
    """

    what: Literal["hearts", "gold", "banners", "place", "land", "give", "take", "row", "mode"]
    player: int | None = None
    land: str | None = None
    card: str | None = None
    before: int | str | None = None
    after: int | str | None = None
    tokens: Gain | None = None
    reason: str = ""


class TakenBack(Facts, frozen=True, tag="taken-back"):
    """A turn (or a round) is played again from its beginning, with the dice already drawn."""

    what: Literal["turn", "round"]
    number: int
    dice: int
