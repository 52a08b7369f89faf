"""What a line of a plan, or the rules' default, decides at a moment (RM-9, RM-10.1 and after).
Nothing here changes the table.
"""

from collections.abc import Sequence

from engine.realm_master import orders as o
from engine.realm_master.cards import PHOENIX, TOKENS, Token, all_buy_cards, half
from engine.realm_master.conditions import Face, Sight, holds
from engine.realm_master.plans import counts_now, line_of
from engine.realm_master.table import Table
from engine.realm_master.turns.lands import can_pay, entry_cost, is_free

SAFE_HEARTS = 4
"""Below this a hero leaves by default (RM-9.8, RM-9.11)."""
GOOD_HEARTS = 5
"""Up to this the defaults gather hearts (RM-9.6, RM-9.13)."""
FACE_OF_PLACE = ("1", "2", "3", "4", "5")


def places_to_reroll(dice: Sequence[Face], line: o.Order | None, sight: Sight) -> tuple[int, ...]:
    """The places (1 to 5) of the dice a line rerolls; by default the blanks (RM-9.4, RM-10.2 to
    RM-10.4).
    """
    told = line if isinstance(line, o.Reroll) else o.Reroll()
    halves = [i for i, face in enumerate(dice) if face == "b"]
    lone = halves[-1] if len(halves) % 2 else None
    return tuple(i + 1 for i, face in enumerate(dice) if _is_rerolled(i, face, lone, told, sight))


def _is_rerolled(i: int, face: Face, lone: int | None, line: o.Reroll, sight: Sight) -> bool:
    for rule in line.rules:
        if (
            rule.what == face
            or rule.what == FACE_OF_PLACE[i]
            or (rule.what == "lone" and i == lone)
        ):
            return rule.reroll == holds(rule.when, sight)
    if line.rest == "blanks":
        return face == "-"
    return line.rest == "reroll" and face != "R"


def fix_faces(
    table: Table, player: int, dice: Sequence[Face], line: o.Order | None
) -> tuple[Face, ...]:
    """What each R becomes, one after the other from the left (RM-3.6, RM-9.6, RM-10.7)."""
    rules = line.rules if isinstance(line, o.Faces) else ()
    left = [rule.count for rule in rules]
    five = _face_for_five(dice)
    fixed: list[Face] = list(dice)
    for i, face in enumerate(dice):
        if face != "R":
            continue
        shown = tuple(one for one in fixed if one != "R")
        sight = table.sight(player, dice=shown)
        chosen: Face | None = None
        for n, rule in enumerate(rules):
            wanted = five if rule.face == o.FIVE else _face(rule.face)
            if wanted is not None and left[n] != 0 and holds(rule.when, sight):
                chosen, spent = wanted, left[n]
                left[n] = None if spent is None else spent - 1
                break
        fixed[i] = chosen or _default_face(table, player, shown)
    return tuple(fixed)


def _face_for_five(dice: Sequence[Face]) -> Face | None:
    shown = {face for face in dice if face != "R"}
    return shown.pop() if len(shown) == 1 else None


def _face(text: str) -> Face | None:
    faces: tuple[Face, ...] = ("-", "b", "s", "c", "h")
    return next((face for face in faces if face == text), None)


def _default_face(table: Table, player: int, shown: tuple[Face, ...]) -> Face:
    if shown.count("b") % 2:
        return "b"
    if table.players[player].hearts + shown.count("h") < GOOD_HEARTS:
        return "h"
    if "s" not in shown and table.players[player].at is None and is_free(table):
        if land_to_enter(table, player, line_of(table.players[player].plan, "enter")) is not None:
            return "s"
    return "c"


def choice_of(line: o.Order | None, sight: Sight) -> str | None:
    """The first word of a line that counts; None: the default is due."""
    choices = line.choices if isinstance(line, o.Choose) else ()
    return next((choice.word for choice in choices if holds(choice.when, sight)), None)


def wants_attack(table: Table, player: int, line: o.Order | None) -> bool:
    return choice_of(line, table.sight(player)) != "no"


def leaves_when_hit(
    table: Table, player: int, line: o.Order | None, damage: int, attacker: int
) -> bool:
    """RM-9.8: the values are those after the loss."""
    word = choice_of(line, table.sight(player, damage=damage, attacker=attacker))
    return word == "leave" or (word is None and table.players[player].hearts < SAFE_HEARTS)


def hides_in_smoke(
    table: Table, player: int, line: o.Order | None, damage: int, attacker: int
) -> bool:
    """RM-9.9: by default only if the damage would kill, which it does not where a Phoenix Feather
    waits.
    """
    word = choice_of(line, table.sight(player, damage=damage, attacker=attacker))
    deadly = damage >= table.players[player].hearts and not table.owns(player, PHOENIX)
    return word == "yes" or (word is None and deadly)


def leaves_for_ultimatum(table: Table, player: int, line: o.Order | None, loss: int) -> bool:
    word = choice_of(line, table.sight(player))
    return word == "leave" or (word is None and table.players[player].hearts - loss < SAFE_HEARTS)


def tokens_owed(
    tokens: Sequence[Token], *, hearts: int, gold: int, banners: int
) -> tuple[Token, ...]:
    """What a hero who has so much pays of a tribute: of each token what he has, and never the last
    heart (RM-8.2 to RM-8.4).
    """
    left = {"hearts": hearts - 1, "gold": gold, "banners": banners}
    owed: list[Token] = []
    for token in tokens:
        if left[token] > 0:
            left[token] -= 1
            owed.append(token)
    return tuple(owed)


def land_for_tribute(
    table: Table, line: o.Order | None, token: Token, paid: int
) -> tuple[str | None, str | None]:
    """The land for the next of a token, of which `paid` were paid already, and the land wished for
    if that has no room (RM-9.2).
    """
    roomy = [land for land in table.lands if table.room_on(land) > 0]
    if not roomy:
        return None, None
    wished = (
        [land for what, land in line.ways if what == token]
        if isinstance(line, o.PayTribute)
        else []
    )
    wish = wished[min(paid, len(wished) - 1)] if wished else None
    if wish in roomy:
        return wish, None
    return max(roomy, key=lambda land: (table.room_on(land), -list(table.lands).index(land))), wish


def land_to_enter(table: Table, player: int, line: o.Order | None) -> str | None:
    """The first land of the list that is in play, unoccupied and payable; None: he stays where he
    is (RM-9.10, RM-10.6).
    """
    sight = table.sight(player)
    for choice in line.choices if isinstance(line, o.Enter) else ():
        if not holds(choice.when, sight):
            continue
        if choice.word == o.NOWHERE:
            return None
        land = _possible(table, player, choice.word)
        if land is not None:
            return land
    return None


def realm_choice(table: Table, player: int, line: o.Order | None) -> str:
    """`stay`, `leave` or the land to move to (RM-9.11, RM-10.6)."""
    sight = table.sight(player)
    counted = False
    for choice in line.choices if isinstance(line, o.Realm) else ():
        if not holds(choice.when, sight):
            continue
        counted = True
        if choice.word in ("stay", "leave"):
            return choice.word
        land = _possible(table, player, choice.word)
        if land is not None:
            return land
    return "leave" if not counted and table.players[player].hearts < SAFE_HEARTS else "stay"


def possible_lands(table: Table, player: int) -> list[str]:
    """Lands in play that nobody is on and this hero can pay, in row order (RM-5.6)."""
    taken = {table.players[other].at for other in table.occupants}
    return [land for land in table.lands if land not in taken and can_pay(table, player, land)]


def _possible(table: Table, player: int, word: str) -> str | None:
    lands = possible_lands(table, player)
    if word == o.BEST:
        return max(
            lands,
            key=lambda land: sum(getattr(table.lands[land], token) for token in TOKENS),
            default=None,
        )
    if word == o.CHEAPEST:
        return min(lands, key=lambda land: entry_cost(table, player, land).gold, default=None)
    return word if word in lands else None


def hearts_to_buy(table: Table, player: int, line: o.Order | None, most: int) -> int:
    """RM-9.13: what the line says, else as many as needed to reach five, never more than can be
    paid or held (RM-8.8).
    """
    held = table.players[player]
    if isinstance(line, o.Life):
        wanted = line.amount if holds(line.when, table.sight(player)) else 0
    else:
        wanted = GOOD_HEARTS - held.hearts
    return max(
        0, min(wanted, most - table.now().lives, held.gold, table.maximum(player) - held.hearts)
    )


def hearts_by_default(table: Table, player: int) -> int:
    """What the exchange gives a player who says nothing at the end of a live turn: by the plan,
    else as RM-9.13 says.

    A line that acts unasked was carried out when the dice were taken.
    """
    card, line = table.effect("exchange"), line_of(table.players[player].plan, "life")
    if card is None or (line is not None and counts_now(table, player, line)):
        return 0
    return hearts_to_buy(table, player, line, card.amount)


def loot_of(cards: Sequence[str], line: o.Order | None) -> tuple[str, ...]:
    """Half of a victim's cards: those the killer asks for, then the dearest, of two the lower id
    (RM-7.2, RM-7.4).
    """
    wished = [card for card in line.cards if card in cards] if isinstance(line, o.Loot) else []
    rest = sorted(
        (card for card in cards if card not in wished),
        key=lambda card: (-all_buy_cards()[card].cost, card),
    )
    return tuple([*dict.fromkeys(wished), *rest][: half(len(cards))])


def place_to_cover(table: Table, cover: str | None) -> int | None:
    """The place in the row that a revealed card covers: where the named card lies, else on the
    dearest, leftmost of several (RM-9.15).
    """
    visible = [pile[0] for pile in table.row]
    if cover in visible:
        return visible.index(cover)
    return max(
        range(len(visible)), key=lambda i: (all_buy_cards()[visible[i]].cost, -i), default=None
    )
