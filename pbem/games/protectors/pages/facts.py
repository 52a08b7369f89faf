"""A view boiled down to the few plain values that templates put into words: rows of tables,
defaults, the Dragon.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.protectors.abilities import GODS_PAY
from engine.protectors.cards import BLESSINGS, WINTER_STORMS, card_named
from engine.protectors.numbers import TOP_LEVEL, WORK_PAY
from engine.protectors.orders import ISLAND
from engine.protectors.state import DRAGON
from engine.protectors.view import OwnView, PlayerView, ProvinceView, TableView
from pbem.games.protectors.pages.cast import Cast
from pbem.pages.chatting import PHONE
from pbem.pages.kit.arms import Arms, arms_of
from pbem.pages.kit.columns import columns, fill, pad
from pbem.pages.rendering import Twin, twin

PARTS = "protectors/parts.j2"
EVENTS = "protectors/events.j2"
_LEVEL_INCOME = (50, 75, 100, 150)
_BESIDE_NAME = 17  # columns of a line of the board that the place and the name leave to the rest


@dataclass(frozen=True, slots=True)
class ProvinceRow:
    """One province as the table of the realm shows it; `earns` is what production brings if nothing
    changes.
    """

    place: str
    owner: str
    units: int
    level: int
    burnt: bool
    start: bool
    working: str
    near: tuple[str, ...]
    earns: int = 0
    island: bool = False
    sign: str = ""


@dataclass(frozen=True, slots=True)
class RankRow:
    """One line of the ranking; `span` is the size of the bracket on its first line, 0 on its
    others.
    """

    rank: int
    name: str
    arms: Arms
    golden: tuple[str, ...]
    vp: int
    provinces: int
    units: int
    span: int
    faction: str = ""
    team: str = ""


@dataclass(frozen=True, slots=True)
class OutRow:
    """Who is out: since which turn (None: not known) and whether by the Dragon."""

    name: str
    turn: int | None
    by_dragon: bool


@dataclass(frozen=True, slots=True)
class CardRow:
    name: str
    effect: Twin
    rules: tuple[str, ...]
    stays: bool


@dataclass(frozen=True, slots=True)
class DragonGauge:
    """How near the Dragon is: `share` in hundredths of the threshold."""

    dpl: int
    threshold: int
    step: int
    share: int


def own(view: TableView) -> OwnView:
    """The reader's own part of a view; ValueError for a public one, which has none."""
    if view.you is None:
        raise ValueError("this page needs a player's own view")
    return view.you


def me(view: TableView) -> PlayerView:
    return view.player(own(view).number)


def my_provinces(view: TableView) -> tuple[ProvinceView, ...]:
    """The reader's provinces, lowest number first."""
    me = own(view).number
    return tuple(province for province in view.provinces if province.owner == me)


def has_ability(view: TableView, player: int, key: str) -> bool:
    return any(ability.key == key for ability in view.player(player).abilities)


def waits_with_bank(view: TableView, player: int) -> bool:
    """Whether this player answers after all others: the Bank is in force (PR-11.7)."""
    return any(
        ability.key == "bank" and (ability.until or 0) >= view.turn
        for ability in view.player(player).abilities
    )


def question_of(view: TableView) -> str:
    """What is asked: the stage, or in a Bank's window what the others were asked before: `dragon`
    or `bids`.
    """
    return view.stage if view.stage != "bank" else "bids" if view.attack is None else "dragon"


def is_one_ring(view: TableView) -> bool:
    return len(view.land.rings) == 1


def is_ranked(view: TableView) -> bool:
    """Whether there is a ranking yet: not before the first bids are counted."""
    return view.stage not in ("bidding", "rebid")


def earnings(view: TableView) -> dict[int, int]:
    """What each of the reader's provinces brings at the next production if nothing changes (PR-8.5,
    PR-8.6, PR-6.14).
    """
    if view.is_in_force(WINTER_STORMS):
        return {province.number: 0 for province in my_provinces(view)}
    pay = work_pay(view)
    factor, capitol, found = (2 if view.is_in_force(BLESSINGS) else 1), False, {}
    for province in my_provinces(view):
        if province.burnt and factor == 1:
            found[province.number] = 0
            continue
        level = 0 if province.burnt else province.level
        if level == TOP_LEVEL:
            level, capitol = (TOP_LEVEL - 1 if capitol else TOP_LEVEL), True
        work = pay if province.order == "work" and province.units else 0
        found[province.number] = factor * (_LEVEL_INCOME[level] + work)
    return found


def work_pay(view: TableView) -> int:
    """What a Work order of the reader's brings (PR-6.14, PR-11.4)."""
    return GODS_PAY if has_ability(view, own(view).number, "merchants") else WORK_PAY


def fortify_gain(view: TableView, *, golden: bool) -> int:
    """What a Fortify order of the reader's adds (PR-6.4, PR-11.1)."""
    return (2 if golden else 1) + has_ability(view, own(view).number, "defenders")


def province_rows(view: TableView, cast: Cast) -> tuple[ProvinceRow, ...]:
    """The whole realm, lowest number first, the Island (if any) last."""
    rows = view.provinces if view.island is None else (*view.provinces, view.island)
    signs = {player.number: arms_of(player.colour).sign for player in view.players}
    return tuple(
        _province_row(province, cast, sign=signs.get(province.owner or 0, "·")) for province in rows
    )


def own_rows(view: TableView, cast: Cast) -> tuple[ProvinceRow, ...]:
    earns = earnings(view)
    held = [
        *my_provinces(view),
        *(
            [view.island]
            if view.island is not None and view.island.owner == own(view).number
            else []
        ),
    ]
    return tuple(_province_row(province, cast, earns.get(province.number, 0)) for province in held)


def _province_row(
    province: ProvinceView, cast: Cast, earns: int = 0, sign: str = ""
) -> ProvinceRow:
    return ProvinceRow(
        cast.label(province.number),
        "" if province.owner is None else cast.name(province.owner),
        province.units,
        province.level,
        province.burnt,
        province.start_of is not None,
        province.order or "",
        cast.places(province.neighbours),
        earns,
        province.number == ISLAND,
        sign,
    )


def rank_rows(view: TableView, cast: Cast) -> tuple[RankRow, ...]:
    """The ranking, highest first, bracket by bracket."""
    rows: list[RankRow] = []
    places = iter(view.ranking)
    for size in view.brackets:
        for index in range(size):
            number = next(places)
            player = view.player(number)
            golden = tuple(player.golden)
            rows.append(
                RankRow(
                    len(rows) + 1,
                    cast.name(number),
                    arms_of(player.colour),
                    golden,
                    player.vp,
                    len(player.provinces),
                    player.units,
                    0 if index else size,
                    player.faction or "",
                    cast.team_of(number) or "",
                )
            )
    return tuple(rows)


def brackets(view: TableView, cast: Cast) -> tuple[tuple[tuple[int, str, int, str], ...], ...]:
    """The ranking as (rank, name, tokens, emoji), the players of a bracket together."""
    found: list[list[tuple[int, str, int, str]]] = []
    for row in rank_rows(view, cast):
        if row.span:
            found.append([])
        found[-1].append((row.rank, row.name, row.vp, row.arms.emoji))
    return tuple(map(tuple, found))


def out_rows(view: TableView, cast: Cast) -> tuple[OutRow, ...]:
    """Who is out of the game, the latest first."""
    fallen = sorted(
        (p for p in view.players if p.fell_to), key=lambda p: (-(p.fell_in or 0), p.number)
    )
    return tuple(OutRow(cast.name(p.number), p.fell_in, DRAGON in p.fell_to) for p in fallen)


def card_rows(view: TableView, cast: Cast) -> tuple[CardRow, ...]:
    """The cards in force, those of this turn first."""
    rows = [(card, False) for card in view.in_play] + [(card, True) for card in view.locked]
    return tuple(
        _card_row(card, stays, cast.provinces, cast.seats, cast.island) for card, stays in rows
    )


@lru_cache(maxsize=256)
def _card_row(card: str, stays: bool, provinces: int, seats: int, island: bool) -> CardRow:
    nobody = Cast(("",) * seats, 0, provinces, island=island)
    return CardRow(
        nobody.titled(card), twin(EVENTS, "effect", card, nobody), card_named(card).rules, stays
    )


def gauge(view: TableView) -> DragonGauge:
    share = 100 if view.threshold <= 0 else min(100, 100 * view.dpl // view.threshold)
    return DragonGauge(view.dpl, view.threshold, view.step, share)


# ------------------------------------------------------------------------------------ shared pieces
@lru_cache(maxsize=128)
def ranking_piece(rows: tuple[RankRow, ...], out: tuple[OutRow, ...], ranked: bool) -> Twin:
    return twin(PARTS, "ranking", rows, out, ranked)


@lru_cache(maxsize=128)
def realm_piece(rows: tuple[ProvinceRow, ...], ring: bool) -> Twin:
    return twin(PARTS, "realm", rows, ring, board_lines(rows, ring))


def board_lines(rows: Sequence[ProvinceRow], ring: bool) -> tuple[str, ...]:
    """The realm in fixed-width type, no wider than a phone; what does not fit a line stands on the
    next one.
    """
    place = max(columns(row.place) for row in rows)
    name = min(max(columns(row.owner or "nobody") for row in rows), PHONE - place - _BESIDE_NAME)
    levels = max(len(_level(row)) for row in rows)
    lines: list[str] = []
    for row in rows:
        level = _level(row)
        owner, count = pad(row.owner or "nobody", name), str(row.units or "-").rjust(2)
        line = f"{pad(row.place, place)} {row.sign} {owner} {count} {level}"
        extras = ", ".join(word for word in ("start" if row.start else "", row.working) if word)
        if extras and columns(line) + 1 + columns(extras) > PHONE:
            lines, line = [*lines, line], f"   {extras}"
        elif extras:
            line = f"{pad(line, place + name + 7 + levels)} {extras}"
        lines.append(line.rstrip())
        if not ring and row.near:
            lines.extend(fill(" ".join(row.near), "   > ", "     ", PHONE).split("\n"))
    return tuple(lines)


def _level(row: ProvinceRow) -> str:
    return "3 points" if row.island else "burnt" if row.burnt else ("", "I", "II", "III")[row.level]


@lru_cache(maxsize=128)
def force_piece(
    cards: tuple[CardRow, ...], dragon: DragonGauge, last_turn: bool, rules_url: str
) -> Twin:
    return twin(PARTS, "in_force", cards, dragon, last_turn, rules_url)


@lru_cache(maxsize=128)
def alt_text(rows: tuple[ProvinceRow, ...], turn: int, ring: bool, dpl: int, threshold: int) -> str:
    """The board in words, for a reader without the picture: every province, and the Dragon."""
    return twin(PARTS, "alt", rows, turn, ring, dpl, threshold).text


@dataclass(frozen=True, slots=True)
class Pieces:
    """What every reader of a table sees alike."""

    ranking: Twin
    realm: Twin
    force: Twin
    ring: bool
    dragon: DragonGauge
    alt: str


def pieces(view: TableView, cast: Cast, rules_url: str) -> Pieces:
    ring, dragon, rows = is_one_ring(view), gauge(view), province_rows(view, cast)
    return Pieces(
        ranking_piece(rank_rows(view, cast), out_rows(view, cast), is_ranked(view)),
        realm_piece(rows, ring),
        force_piece(card_rows(view, cast), dragon, view.last_turn, rules_url),
        ring,
        dragon,
        alt_text(rows, view.turn, ring and len(rows) > 2, view.dpl, view.threshold),
    )
