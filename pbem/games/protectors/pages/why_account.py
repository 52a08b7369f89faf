"""A player's $Realm as an account: every amount that came or went, with what for, from the events
that this player may know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.protectors.ability_events import AbilityUsed, Corrected, GuardHired, KingPaid, MoneyLent
from engine.protectors.events import (
    BidsRevealed,
    CostPaid,
    DragonAttacked,
    GameSetUp,
    LevelRaised,
    MoneySent,
    PiratesPaid,
    PlayerEliminated,
    RealmProduced,
    Share,
    UnitsBought,
)
from engine.ruleset import Event
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.why_rows import Matter, heading, summands, total, words
from pbem.games.protectors.pages.why_story import Story
from pbem.pages.rendering import Twin

START_MONEY = 50
_LEVELS = {50: "0", 75: "I", 100: "II", 150: "III"}


@dataclass(frozen=True, slots=True)
class AccountEntry:
    """`amount` came in (or went out, below 0) in a turn."""

    turn: int
    amount: int
    body: Twin
    rules: tuple[str, ...]


def entries_of(story: Story, me: int, cast: Cast) -> tuple[AccountEntry, ...]:
    """Everything that changed a purse since the game began, in order."""
    found: list[AccountEntry] = []
    held = 0
    for happening in story.happenings:
        for amount, body, rules in _changes(happening.event, me, held, cast):
            found.append(AccountEntry(happening.turn, amount, body, tuple(rules)))
            held += amount
    return tuple(found)


def turns_of_money(story: Story, me: int, cast: Cast) -> tuple[int, ...]:
    """The turns in which anything came or went, the newest first."""
    return tuple(sorted({entry.turn for entry in entries_of(story, me, cast)}, reverse=True))


def account(entries: Sequence[AccountEntry], turn: int, *, open_turn: bool) -> Matter:
    """The account of a turn: what was held before, every entry, and what that comes to."""
    before = sum(entry.amount for entry in entries if entry.turn < turn)
    mine = [entry for entry in entries if entry.turn == turn]
    opening = [(before, words("opening", turn), ())] if turn > 1 else []
    rows = summands([*opening, *((entry.amount, entry.body, entry.rules) for entry in mine)])
    balance = before + sum(entry.amount for entry in mine)
    return Matter(
        heading("account"), (*rows, total(balance, words("balance", open_turn), ["PR-1.9"]))
    )


Change = tuple[int, Twin, Sequence[str]]


def _changes(event: Event, me: int, held: int, cast: Cast) -> Iterator[Change]:
    """What one event did to the purse of a player who held so much."""
    match event.facts:
        case GameSetUp():
            yield START_MONEY, words("start_money"), ["PR-1.2"]
        case RealmProduced(player=player) as facts if player == me:
            yield from _production(facts, event.rules, cast)
        case BidsRevealed(bids=bids, rebid=rebid):
            for player, _, asked, spent in bids:
                if player == me and spent:
                    yield (
                        -spent,
                        words("paid_bid", rebid),
                        ["PR-3.1", *(["PR-3.6"] if asked > spent else [])],
                    )
        case MoneySent(sender=sender, to=to, amount=amount):
            if sender == me:
                yield -amount, words("sent_to", cast.name(to)), event.rules
            if to == me:
                yield amount, words("got_from", cast.name(sender)), event.rules
        case DragonAttacked(shares=shares):
            yield from _of_attack(next((share for share in shares if share.player == me), None))
        case PlayerEliminated(player=player, spoils=spoils):
            if player == me and held:
                yield -held, words("gone"), event.rules
            for captor, amount in spoils:
                if captor == me and amount:
                    yield amount, words("spoils", cast.name(player)), event.rules
        case _:
            yield from _costs(event, me, cast)
            yield from _of_abilities(event, me, cast)


def _of_attack(share: Share | None) -> Iterator[Change]:
    if share is not None and share.reward:
        yield share.reward, words("dragon_reward", share.reward // 50 - 1), ["PR-9.6"]
    if share is not None and share.bonus:
        yield (
            share.bonus,
            words("dragon_bonus", share.bonus // share.above, share.above),
            ["PR-9.7"],
        )
    if share is not None and share.realm_lost:
        yield -share.realm_lost, words("dragon_lost"), ["PR-9.11"]


def _costs(event: Event, me: int, cast: Cast) -> Iterator[Change]:
    match event.facts:
        case UnitsBought(player=player, cost=cost, bought=bought) if player == me and cost:
            yield -cost, words("paid_units", sum(count for _, count in bought)), event.rules
        case LevelRaised(player=player, province=province, level=level, cost=cost) if player == me:
            yield -cost, words("paid_level", cast.place(province), level), event.rules
        case CostPaid(player=player, what=what, province=province, amount=amount) if player == me:
            yield -amount, words("paid_for", what, cast.place(province)), event.rules
        case PiratesPaid(player=player, owed=owed, paid=paid) if player == me:
            yield -paid, words("paid_pirates", owed, paid), event.rules


def _of_abilities(event: Event, me: int, cast: Cast) -> Iterator[Change]:
    match event.facts:
        case AbilityUsed(player=player, use=use, cost=cost, amount=amount) if player == me and cost:
            yield -cost, words("paid_ability", use, amount), event.rules
        case GuardHired(player=player, cost=cost) if player == me:
            yield -cost, words("paid_ability", "guard", 0), event.rules
        case KingPaid(player=player, held=before, paid=paid) if player == me:
            yield -paid, words("paid_king", before), event.rules
        case MoneyLent(player=player, mate=mate, used=used) if used and me in (player, mate):
            if me == mate:
                yield -used, words("lent_to", cast.name(player)), event.rules
            else:
                yield used, words("used_of", cast.name(mate)), event.rules
        case Corrected(
            what="money", player=player, before=int(before), after=int(after), reason=reason
        ) if player == me:
            yield after - before, words("set_right", reason), event.rules


def _production(facts: RealmProduced, rules: Sequence[str], cast: Cast) -> Iterator[Change]:
    """Each province by its level, each Work on its own (PR-8.5, PR-6.14, PR-4.13, PR-4.14)."""
    doubled = "PR-4.14" in rules
    for part in facts.income:
        place = cast.place(part.province)
        if part.source == "work":
            yield (
                part.amount,
                words("work_income", place, doubled),
                [r for r in rules if r in ("PR-6.14", "PR-11.4", "PR-4.14")],
            )
        else:
            level = _LEVELS.get(part.amount // (2 if doubled else 1), "")
            applied = ("PR-8.5", "PR-4.14", *(["PR-8.6"] if level in ("II", "III") else []))
            yield (
                part.amount,
                words("income", place, level, doubled),
                [r for r in rules if r in applied],
            )
    if not facts.income:
        yield (
            0,
            words("no_income", "PR-4.13" in rules),
            [r for r in rules if r in ("PR-8.5", "PR-4.13", "PR-9.14")],
        )
