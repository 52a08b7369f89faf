"""What a reader's faction, the Sanctum, the Palantír and a team are good for, boiled down to what
templates put into words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.protectors.abilities import ABILITIES, POLITICS
from engine.protectors.orders import FACTIONS, ChooseFaction, format_order
from engine.protectors.view import AbilityView, TableView, UsableView
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.facts import has_ability, me, own
from pbem.pages.rendering import Twin, twin

TEMPLATE = "protectors/abilities.j2"


@dataclass(frozen=True, slots=True)
class AbilityRow:
    """One ability: what it does, and how far it is used up, in force or only lent."""

    name: str
    what: Twin


@dataclass(frozen=True, slots=True)
class UseRow:
    """Exact words to write, what they do for how much, and when; `now`: the open window takes
    them.
    """

    words: str
    what: Twin
    now: bool


@dataclass(frozen=True, slots=True)
class Abilities:
    """A reader's part of the page; `seen` are cards looked at this turn, in words."""

    faction: str
    rows: tuple[AbilityRow, ...]
    uses: tuple[UseRow, ...]
    seen: tuple[tuple[str, str], ...]
    mates: tuple[str, ...]
    team: str

    @property
    def any(self) -> bool:
        return bool(self.rows or self.uses or self.seen)


def abilities_of(view: TableView, cast: Cast) -> Abilities:
    """What the reader has, and can still use; nothing for a player who is out of the game."""
    mine, you = me(view), own(view)
    if mine.rank is None:
        return Abilities(mine.faction or "", (), (), (), (), mine.team or "")
    rows = tuple(
        AbilityRow(ability.name, twin(TEMPLATE, "ability", ability, view.turn))
        for ability in mine.abilities
    )
    seen = tuple((cast.deck(one.deck), cast.titled(one.card)) for one in you.seen)
    return Abilities(
        mine.faction or "",
        rows,
        _uses(you.usable, view.stage),
        seen,
        cast.people(you.mates),
        mine.team or "",
    )


def _uses(usable: Sequence[UsableView], stage: str) -> tuple[UseRow, ...]:
    """Those that can be used now first; what the Sanctum offers in one row."""
    rows = [
        UseRow(use.words, twin(TEMPLATE, "use", use, stage), use.now)
        for use in usable
        if use.key != "gift"
    ]
    gifts = [use for use in usable if use.key == "gift"]
    if gifts:
        rows.insert(
            0,
            UseRow(
                gifts[0].words,
                twin(TEMPLATE, "gift", tuple(gift.words for gift in gifts), gifts[0].now),
                gifts[0].now,
            ),
        )
    return tuple(sorted(rows, key=lambda row: not row.now))


@dataclass(frozen=True, slots=True)
class FactionRow:
    """A faction to choose: the words, and what it brings."""

    words: str
    abilities: tuple[AbilityRow, ...]


def factions_to_choose(view: TableView) -> tuple[FactionRow, ...]:
    """All factions while the reader still chooses one (PR-3.2), else none."""
    if not chooses_faction(view):
        return ()
    return tuple(
        FactionRow(
            format_order(ChooseFaction(faction), {}),
            tuple(
                AbilityRow(
                    ability.name,
                    twin(
                        TEMPLATE,
                        "ability",
                        AbilityView(ability.key, ability.name, ability.tier, False, None, None),
                        1,
                    ),
                )
                for ability in ABILITIES
                if ability.faction == faction
            ),
        )
        for faction in FACTIONS
    )


def chooses_faction(view: TableView) -> bool:
    return (
        view.you is not None
        and view.stage == "bidding"
        and view.options.factions == "choice"
        and me(view).faction is None
    )


def shown_to_bank(view: TableView, cast: Cast) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What the others answered, while the Bank's answer is waited for: (name, texts) (PR-11.7)."""
    if view.stage != "bank":
        return ()
    if view.attack is not None:
        return tuple(
            (cast.name(player), cast.orders(orders)) for player, orders in view.attack.answers
        )
    return tuple(
        (cast.name(player), (twin(TEMPLATE, "bid", spent, counted_bid(view, player, spent)).text,))
        for player, spent in view.bids
    )


def counted_bid(view: TableView, player: int, spent: int) -> int:
    """What a bid counts with the Great Game of politics (PR-11.7)."""
    return spent + (
        POLITICS * len(view.player(player).provinces)
        if has_ability(view, player, "politics")
        else 0
    )
