"""A round outside the turns: its card and what that does at once, tribute, ultimatum, and the next
round (RM-3.1 to RM-3.3, RM-8).
"""

from msgspec.structs import replace

from engine.realm_master.cards import TOKENS, Token, TurnCard, all_turn_cards
from engine.realm_master.conditions import Face
from engine.realm_master.decisions import land_for_tribute, leaves_for_ultimatum
from engine.realm_master.events import (
    Gain,
    HeroesGiven,
    LandsFilled,
    LineSkipped,
    OrdersMissed,
    ReplacementWanted,
    RoundBegan,
    TributePaid,
    UltimatumMet,
)
from engine.realm_master.plans import told, undecided, use
from engine.realm_master.state import Begin, Check, EndRound, Fall, Pay, Plans, Record, Task, Yield
from engine.realm_master.table import Table, gain_of
from engine.realm_master.turns.deaths import check_victory, count_up, fall, settle_wound

HEARTS = TOKENS[0]
PATIENCE = 3


def begin_round(table: Table) -> None:
    """Reveal the round's card, do what it does at once, and lay out the round's tasks (RM-3.1,
    RM-3.2).

    A round played from plans waits for them first; the other way of playing continues to the first
    decision.
    """
    table.mode = table.options.mode
    table.round += 1
    if table.card is not None:
        table.turn_discard.insert(0, table.card)
    table.card = table.turn_deck.pop(0)
    card = all_turn_cards()[table.card]
    rules = ["RM-3.1", "RM-8.1", card.rule, *([] if table.turn_deck else ["RM-3.3"])]
    table.tell(RoundBegan(table.round, table.card, card.name, not table.turn_deck), rules)
    for player in table.players:
        table.change(player, asked=False, answered=False)
    _reveal_effect(table, card)
    order = table.living
    tasks: list[Task] = [Pay(player) for player in order] if card.effect == "tribute" else []
    tasks += [Yield()] if card.effect == "ultimatum" else []
    table.agenda = [
        *([Plans()] if table.is_standing else []),
        *tasks,
        *map(Begin, order),
        EndRound(),
    ]
    keep_record(table, "round")


def wait_for_plans(table: Table, _: Plans) -> bool:
    """The window of the round: open until it is closed (RM-11.1).

    Where turns are played again (RM-11.9) it is for whose turn is among them, and for occupants,
    who may be hit.
    """
    if table.closing is not None and table.closing.stage == "round":
        return False
    to_come = {task.player for task in table.agenda if isinstance(task, Begin)}
    concerned = [
        player
        for player in table.living
        if player in to_come or table.players[player].at is not None
    ]
    return table.ask("round", concerned or table.living)


def keep_record(table: Table, what: str) -> None:
    """Note how the table lies, to be able to take back what follows (RM-11.9): this round and the
    one before.
    """
    before = replace(table.freeze(), records=(), stock=(), drawn=())
    table.records.append(Record("round" if what == "round" else "turn", table.turns, before))
    openings = [i for i, record in enumerate(table.records) if record.what == "round"]
    table.records = table.records[openings[-2] if len(openings) > 1 else 0 :]


def _reveal_effect(table: Table, card: TurnCard) -> None:
    match card.effect:
        case "outsiders":
            outside = [player for player in table.living if table.players[player].at is None]
            given = tuple(
                (player, Gain(hearts=table.heal(player, card.amount))) for player in outside
            )
            table.tell(HeroesGiven(card.key, given), [card.rule, "RM-8.9"])
        case "stipend":
            for player in table.living:
                table.earn(player, card.amount)
            table.tell(
                HeroesGiven(
                    card.key, tuple((player, Gain(gold=card.amount)) for player in table.living)
                ),
                [card.rule],
            )
        case "poor-lands":
            poor = [land for land in table.lands if not table.lands[land].gold]
            _fill(table, card, [(land, "gold", card.amount) for land in poor])
        case "lands":
            _fill(
                table,
                card,
                [(land, token, card.amount) for land in table.lands for token in card.tokens],
            )
        case "dice":
            _roll_for_lands(table, card)


def _fill(table: Table, card: TurnCard, told_of: list[tuple[str, Token, int]]) -> None:
    """Tokens on lands as far as there is room (RM-8.6)."""
    filled = tuple(
        (land, gain_of(token, table.put(land, token, count))) for land, token, count in told_of
    )
    table.tell(LandsFilled(card.key, filled), [card.rule, "RM-8.6"])


def _roll_for_lands(table: Table, card: TurnCard) -> None:
    """Five dice a land in row order; R counts as a half banner, an odd half is lost (RM-8.7)."""
    dice: list[tuple[Face, ...]] = []
    filled: list[tuple[str, Gain]] = []
    for land in table.lands:
        rolled = tuple(table.die(f"land {land}") for _ in range(card.amount))
        counts = (
            rolled.count("h"),
            rolled.count("c"),
            (rolled.count("b") + rolled.count("R")) // 2,
        )
        added = [table.put(land, token, count) for token, count in zip(TOKENS, counts, strict=True)]
        dice.append(rolled)
        filled.append((land, Gain(*added)))
    table.tell(
        LandsFilled(card.key, tuple(filled), tuple(dice)), [card.rule, "RM-8.7", "RM-8.6", "RM-0.3"]
    )


# --------------------------------------------------------------------------------- before the turns
def pay(table: Table, task: Pay) -> bool:
    """A hero's tribute: what he has of the card's tokens, in their printed order, each to a land
    with room (RM-8.2 to RM-8.4).
    """
    card, player = table.effect("tribute"), task.player
    if card is None or not table.players[player].alive:
        return False
    owed = [token for token in card.tokens if _has(table, player, token)]
    is_decided, line = told(table, player, "tribute")
    if owed and not is_decided and any(table.room_on(land) > 0 for land in table.lands):
        return table.ask("tribute", [player])
    use(table, player, line if owed else None)
    paid: list[tuple[str, str]] = []
    lacking: list[str] = []
    no_room: list[str] = []
    for token in card.tokens:
        land, missed = land_for_tribute(table, line, token, sum(what == token for what, _ in paid))
        if not _has(table, player, token):
            lacking.append(token)
        elif land is None:
            no_room.append(token)
        else:
            _pay_one(table, player, token, land)
            paid.append((token, land))
            if missed is not None and line is not None and table.is_standing:
                table.tell(LineSkipped(player, line, "no-room"), ["RM-10.10"], (player,))
    rules = [card.rule, "RM-8.2", "RM-8.3", "RM-9.2", *(["RM-8.4"] if "hearts" in lacking else [])]
    table.tell(TributePaid(player, tuple(paid), tuple(lacking), tuple(no_room)), rules)
    return False


def _has(table: Table, player: int, token: Token) -> bool:
    """A tribute never takes the last heart (RM-8.4)."""
    held = table.players[player]
    return held.hearts > 1 if token == HEARTS else getattr(held, token) > 0


def _pay_one(table: Table, player: int, token: Token, land: str) -> None:
    match token:
        case "hearts":
            table.hurt(player, 1)
        case "gold":
            table.earn(player, -1)
        case "banners":
            table.honour(player, -1)
    table.put(land, token, 1)


def meet_ultimatum(table: Table, _: Yield) -> bool:
    """Every occupant leaves with nothing or loses hearts and stays; asked at once, heard in seat
    order (RM-8.5). True if it asks.
    """
    card = table.effect("ultimatum")
    if card is None:
        return False
    waiting = undecided(table, table.occupants, "ultimatum")
    if waiting:
        return table.ask("ultimatum", waiting)
    for player in table.occupants:
        land = table.players[player].at
        if land is None or table.is_over:
            continue
        line = told(table, player, "ultimatum")[1]
        use(table, player, line)
        if leaves_for_ultimatum(table, player, line, card.amount):
            table.change(player, at=None)
            lost = 0
        else:
            lost = table.hurt(player, card.amount)
        facts = UltimatumMet(
            player, land, "lose" if lost else "leave", lost, table.players[player].hearts
        )
        table.tell(facts, [card.rule, "RM-8.5", "RM-9.3"])
        settle_wound(table, player, None, "ultimatum")
        _settle_now(table)
    return False


def _settle_now(table: Table) -> None:
    """Deaths by the ultimatum take effect one after the other: nobody chooses among their cards."""
    while table.agenda and isinstance(table.agenda[0], Fall | Check):
        task = table.agenda.pop(0)
        if isinstance(task, Fall):
            fall(table, task)
        else:
            check_victory(table)


def end_round(table: Table, _: EndRound) -> bool:
    """After the last turn: the end of the game if the deck is empty (RM-3.3), else the next
    round.
    """
    if not table.is_standing:
        _count_silence(table)
    if table.turn_deck:
        begin_round(table)
    else:
        count_up(table)
    return False


def _count_silence(table: Table) -> None:
    """Who was asked this round and never answered (RM-11.5)."""
    for player in table.living:
        if table.players[player].asked:
            count_missed(table, player, "last", is_missed=not table.players[player].answered)


def count_missed(table: Table, player: int, stage: str, *, is_missed: bool) -> None:
    """A round without a word from a player; after the third in a row somebody else should play
    (RM-11.5).
    """
    rounds = table.players[player].missed + 1 if is_missed else 0
    table.change(player, missed=rounds)
    if is_missed:
        table.tell(OrdersMissed(player, stage, rounds), ["RM-11.5"])
        if rounds % PATIENCE == 0:
            table.tell(ReplacementWanted(player, rounds), ["RM-11.5"])
