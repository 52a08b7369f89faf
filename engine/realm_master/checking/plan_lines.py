"""Check the lines of a plan: names unknown to this game, and lines that can never apply."""

from collections.abc import Sequence

from engine.realm_master import orders as o
from engine.realm_master.cards import KNUCKLE, SMOKE_POT, all_buy_cards, all_heroes, all_lands
from engine.realm_master.conditions import FACES, OnLand, When, faults_of
from engine.realm_master.decisions import possible_lands
from engine.realm_master.table import Table
from engine.realm_master.turns.entries import has_key, lands_to_enter
from engine.realm_master.turns.lands import can_pay
from engine.realm_master.turns.market import on_offer
from engine.realm_master.turns.plays import fault_of
from engine.ruleset import Fact, Problem

MOST_LIFE = 3
MOST_REVEALS = 20
MOST_ENTRIES = 12


def judge_line(
    table: Table, player: int, line: o.Order, beside: Sequence[o.Order]
) -> Problem | None:
    """The first reason against a line, or None. `beside` are the player's other orders: a plan may
    play a card that it buys first.
    """
    conditions = _conditions(line)
    fault = next((fault for when in conditions if (fault := faults_of(when)) is not None), None)
    if fault is not None:
        return _refuse("condition-unknown", "RM-10.5", told=fault)
    asked = {
        question.land
        for when in conditions
        for every in when
        for question in every
        if isinstance(question, OnLand)
    }
    missing = next(
        (land for land in all_lands() if land in asked and land not in table.lands), None
    )
    if missing is not None:
        return judge_land(table, missing)
    if not _is_well_formed(line):
        return _refuse("not-understood", "RM-10.1")
    match line:
        case o.Reroll(second=True, always=False):
            return _judge_second(table, player, beside)
        case o.Enter(choices=choices) | o.Realm(choices=choices):
            return _judge_places(table, player, line, choices)
        case o.PayTribute(ways=ways):
            return next(
                (refusal for _, land in ways if (refusal := judge_land(table, land)) is not None),
                None,
            )
        case o.Buy(wishes=wishes):
            return _judge_wishes(table, wishes)
        case o.Play():
            return _judge_play(table, player, line, beside)
        case o.Life(amount=amount) if amount > MOST_LIFE:
            return _refuse("life-max-3", "RM-8.8", most=MOST_LIFE)
        case o.Life(always=False) if table.card is not None and table.effect("exchange") is None:
            return _refuse("no-exchange-now", "RM-8.8", "RM-T08")
        case o.Choose(key="smoke", always=False) if not _will_own(table, player, SMOKE_POT, beside):
            return _refuse("not-your-card", "RM-B10", card=SMOKE_POT)
    return _judge_asked(table, player, line)


def judge_land(table: Table, land: str) -> Problem | None:
    in_play = tuple(table.lands)
    if land not in all_lands():
        return _refuse("unknown-land", "RM-1.3", told=land, lands=in_play)
    return (
        None
        if land in table.lands
        else _refuse("land-not-in-play", "RM-1.3", land=land, lands=in_play)
    )


def warnings_of(table: Table, player: int, order: o.Order) -> list[Problem]:
    """What may not come true, though the order stands."""
    found: list[Problem] = []
    if isinstance(order, o.Realm) and table.stage != "realm":
        taken = {table.players[other].at for other in table.occupants if other != player}
        found += [
            _warn("land-occupied", "RM-5.10", land=choice.word)
            for choice in order.choices
            if choice.word in taken
        ]
    if isinstance(order, o.Buy):
        gold = table.players[player].gold
        dear = [
            wish.card
            for wish in order.wishes
            if wish.card in on_offer(table) and all_buy_cards()[wish.card].cost > gold + len(FACES)
        ]
        found += [
            _warn(
                "not-enough-gold", "RM-6.1", card=card, cost=all_buy_cards()[card].cost, gold=gold
            )
            for card in dear
        ]
    return found


def _conditions(line: o.Order) -> list[When]:
    parts = [
        *getattr(line, "rules", ()),
        *getattr(line, "choices", ()),
        *getattr(line, "wishes", ()),
        line,
    ]
    return [when for part in parts if (when := getattr(part, "when", ()))]


def _is_well_formed(line: o.Order) -> bool:
    """Whether a line says what its key can say: not so only for orders that no grammar made."""
    match line:
        case o.PickHero(heroes=heroes):
            return (
                bool(heroes)
                and all(hero in all_heroes() for hero in heroes)
                and len(set(heroes)) == len(heroes)
            )
        case o.Reroll(rules=rules):
            return len(rules) <= MOST_ENTRIES and all(
                rule.what in (*FACES, "lone", "1", "2", "3", "4", "5") for rule in rules
            )
        case o.Faces(rules=rules):
            known = (*(face for face in FACES if face != "R"), o.FIVE)
            return len(rules) <= MOST_ENTRIES and all(
                rule.face in known and rule.count != 0 for rule in rules
            )
        case o.Choose(key=key, choices=choices):
            return 0 < len(choices) <= MOST_ENTRIES and all(
                choice.word in o.WORDS[key] for choice in choices
            )
        case o.Enter(choices=choices) | o.Realm(choices=choices):
            return 0 < len(choices) <= MOST_ENTRIES
        case o.PayTribute(ways=ways):
            return 0 < len(ways) <= MOST_ENTRIES
        case o.Buy(wishes=wishes):
            return len(wishes) <= len(all_buy_cards()) and all(
                wish.card in all_buy_cards() for wish in wishes
            )
        case o.Play(card=card, hero=hero):
            return card in all_buy_cards() and (hero is None or hero in all_heroes())
        case o.Reveal(times=times, cards=cards, cover=cover):
            return 1 <= times <= MOST_REVEALS and {
                *cards,
                *([cover] if cover is not None else []),
            } <= set(all_buy_cards())
        case o.Loot(cards=cards):
            return 0 < len(cards) <= len(all_buy_cards()) and set(cards) <= set(all_buy_cards())
        case o.Life(amount=amount):
            return amount >= 0
    return False


def _judge_second(table: Table, player: int, beside: Sequence[o.Order]) -> Problem | None:
    if table.effect("second-reroll") is None and not _will_own(table, player, KNUCKLE, beside):
        return _refuse("one-reroll", "RM-3.5", "RM-T17", "RM-B03")
    return None


def _judge_places(
    table: Table, player: int, line: o.Enter | o.Realm, choices: Sequence[o.Choice]
) -> Problem | None:
    """Lands of a list; of one told as the answer to the open question each must be possible."""
    words = ("stay", "leave") if isinstance(line, o.Realm) else (o.NOWHERE,)
    lands = possible_lands if isinstance(line, o.Realm) else lands_to_enter
    is_answer = player in table.asked and table.stage == (
        "realm" if isinstance(line, o.Realm) else "enter"
    )
    for choice in choices:
        if choice.word in (*words, o.BEST, o.CHEAPEST):
            continue
        refusal = judge_land(table, choice.word)
        if (
            refusal is None
            and is_answer
            and len(choices) == 1
            and not choice.when
            and choice.word not in lands(table, player)
        ):
            if isinstance(line, o.Enter) and not has_key(table, player):
                return _refuse("no-sword", "RM-5.3", land=choice.word)
            if can_pay(table, player, choice.word):
                return _refuse("land-occupied", "RM-5.10", land=choice.word)
            return _refuse(
                "not-enough-gold",
                "RM-5.6",
                land=choice.word,
                cost=all_lands()[choice.word].gold,
                gold=table.players[player].gold,
            )
        if refusal is not None:
            return refusal
    return _judge_asked(table, player, line)


def _judge_asked(table: Table, player: int, line: o.Order) -> Problem | None:
    """In the interactive mode one cannot stay, or move, where one is not (E12)."""
    outside = table.players[player].at is None
    if not table.is_standing and outside and isinstance(line, o.Realm) and not line.always:
        return _refuse("not-inside", "RM-5.10")
    if (
        not table.is_standing
        and outside
        and isinstance(line, o.Choose)
        and line.key == "hit"
        and not line.always
    ):
        return _refuse("not-inside", "RM-4.7")
    return None


def _judge_wishes(table: Table, wishes: Sequence[o.Wish]) -> Problem | None:
    row = tuple(on_offer(table))
    for wish in wishes:
        if not wish.hoped and wish.card not in row and table.row:
            return _refuse("not-on-offer", "RM-6.1", card=wish.card, row=row)
    return None


def _judge_play(
    table: Table, player: int, line: o.Play, beside: Sequence[o.Order]
) -> Problem | None:
    fault = fault_of(table, line)
    if fault == "land-not-in-play" and line.land is not None:
        return judge_land(table, line.land)
    if fault is not None:
        return _refuse(fault, "RM-6.4", card=line.card)
    if not line.always and not _will_own(table, player, line.card, beside):
        return _refuse("not-your-card", "RM-6.4", card=line.card, cards=table.players[player].cards)
    if line.hero is not None and table.who_is(line.hero) in (None, player):
        return _refuse("no-such-target", "RM-6.4", hero=line.hero)
    return None


def _will_own(table: Table, player: int, card: str, beside: Sequence[o.Order]) -> bool:
    """Whether the player has a card, or may have it by then: the plan buys it, now or once it is on
    offer.
    """
    if table.owns(player, card):
        return True
    told = [*beside, *table.players[player].plan.lines]
    if any(isinstance(order, o.Reveal) and card in order.cards for order in told):
        return True
    return any(
        isinstance(order, o.Buy) and any(wish.card == card for wish in order.wishes)
        for order in told
    )


def _refuse(code: str, *rules: str, **facts: Fact) -> Problem:
    return Problem(code, rules, facts)


def _warn(code: str, *rules: str, **facts: Fact) -> Problem:
    return Problem(code, rules, facts, warning=True)
