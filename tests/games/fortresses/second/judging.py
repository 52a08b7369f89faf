"""Whether a line may stand: the codes of FF-5, of which the first counts for a line."""

from collections.abc import Iterator

from tests.games.fortresses.second.board import (
    CASTLES,
    FORTRESSES,
    KINGDOMS,
    LANDS,
    POINTS,
    SEAS,
    UNITS,
    Board,
    add,
    coast,
    enemies,
    held_by_enemies,
    here,
    is_friendly,
    moved,
    on_board,
    steps,
)
from tests.games.fortresses.second.reading import (
    DEFAULT_LOSSES,
    Line,
    buy_text,
    carry_text,
    move_text,
)

CODES = [
    *("not-understood", "unknown-zone", "ambiguous", "not-your-turn", "not-now", "truce"),
    *("not-yours", "capacity", "too-few-units", "already-moved", "friendly", "hostile", "no-coast"),
    *("too-far", "blocked", "air-empty", "no-battle", "no-landing", "enemy-sea", "placement-limit"),
    *("supply-limit", "cannot-afford", "unspent", "out-of-range"),
]
PHASES: dict[str, tuple[str, ...]] = {
    "attack": ("attack",),
    "pass": ("attack",),
    "battle order": ("attack",),
    "lose": ("attack",),
    "keep": ("attack",),
    "retreat": ("attack",),
    "interactive": ("attack",),
    "then": ("attack",),
    "carry": ("attack", "reinforce"),
    "done": ("attack", "reinforce"),
    "cancel": ("attack", "reinforce"),
    "always": ("attack", "reinforce"),
    "buy": ("reinforce",),
    "buy nothing": ("reinforce",),
    "move": ("reinforce",),
    "lose now": ("battle",),
    "retreat now": ("battle",),
    "stay": ("battle",),
}


def first(codes: set[str]) -> str:
    return min(codes, key=CODES.index) if codes else ""


def may_be_said(board: Board, line: Line) -> str:
    """Whether this phase knows such a line at all."""
    if senseless(line):
        return "not-understood"
    if board["phase"] in PHASES[line["do"]]:
        return ""
    if (
        line["do"] == "attack"
        and board["phase"] == "reinforce"
        and board["year"] == 1
        and board["active"] == "silver"
    ):
        return "truce"
    return "not-now"


def senseless(line: Line) -> bool:
    """FF-8.3."""
    match line["do"]:
        case "attack":
            return any(origin == line["target"] for _, origin in line["groups"])
        case "move":
            return bool(line["origin"] == line["target"])
        case "carry":
            return any(code in "GD" for code in line["units"])
        case "buy":
            return any((code == "G") == (line["zone"] in LANDS) for code in line["units"])
    return False


# ------------------------------------------------------------------------------------ units at hand
class Hand:
    """What the active kingdom may still use. In Attack that is the position less what earlier lines
    use; in Reinforce it is the board.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.used: dict[str, dict[str, int]] = {}
        self.carried: dict[str, int] = {}
        self.left: dict[str, dict[str, int]] = {}
        self.landing: set[str] = set()
        self.in_attack = board["phase"] == "attack"

    def there(self, zone: str, code: str) -> int:
        return here(self.board, zone, self.board["active"]).get(code, 0)

    def free(self, zone: str, code: str) -> int:
        gone = self.used.get(zone, {}) if self.in_attack else moved(self.board, zone)
        return self.there(zone, code) - gone.get(code, 0)

    def lacks(self, needs: dict[str, dict[str, int]]) -> set[str]:
        codes = set()
        for zone, units in needs.items():
            for code, number in units.items():
                others = any(
                    here(self.board, zone, kingdom).get(code)
                    for kingdom in KINGDOMS
                    if kingdom != self.board["active"]
                )
                # "used and moved ones counted"
                had = self.there(zone, code) + self.left.get(zone, {}).get(code, 0)
                if not had and others:
                    codes.add("not-yours")
                elif number > self.free(zone, code):
                    codes.add(
                        "already-moved"
                        if not self.in_attack and number <= self.there(zone, code)
                        else "too-few-units"
                    )
        return codes


def way_codes(board: Board, code: str, start: str, goal: str, most: int) -> set[str]:
    """FF-8.2: too far on an empty board, or every way stopped."""
    kind = UNITS[code]["kind"]
    if steps(kind, start, goal) > most:
        return {"too-far"}
    closed: frozenset[str] = frozenset() if kind == "air" else held_by_enemies(board)
    return {"blocked"} if steps(kind, start, goal, closed) > most else set()


# ------------------------------------------------------------------------------------------- Attack
def judge_attack(hand: Hand, line: Line) -> str:
    board, target, codes = hand.board, line["target"], set()
    needs: dict[str, dict[str, int]] = {}
    kinds = set()
    for units, origin in line["groups"]:
        add(needs.setdefault(origin, {}), units)
        for code in units:
            kinds.add(UNITS[code]["kind"])
            codes |= way_codes(board, code, origin, target, UNITS[code]["move"])
    codes |= hand.lacks(needs)
    if target in LANDS:
        if is_friendly(board, target):
            codes.add("friendly")
        if (
            "air" in kinds
            and "land" not in kinds
            and not enemies(board, target)
            and target not in hand.landing
        ):
            codes.add("air-empty")
    elif not enemies(board, target):
        codes.add("no-battle")
    if not codes:
        for zone, units in needs.items():
            add(hand.used.setdefault(zone, {}), units)
        if "land" in kinds:
            hand.landing.add(target)
    return first(codes)


# ----------------------------------------------------------------------------------------- carriage
def judge_carry(hand: Hand, line: Line) -> str:
    """A line that stands is given its boarding Land, its final Sea and the text that says them."""
    board, sea, origin, drop, units = (
        hand.board,
        line["sea"],
        line["origin"],
        line["drop"],
        line["units"],
    )
    codes = set()
    if sum(units.values()) > 1:
        codes.add("capacity")
    lack = hand.lacks({sea: {"G": 1}})
    carried = hand.carried if hand.in_attack else board["carried"]
    if lack and "not-yours" not in lack and carried.get(sea):
        lack = {"capacity"}
    codes |= lack | hand.lacks({origin: units})
    if is_friendly(board, drop) == hand.in_attack:
        codes.add("friendly" if hand.in_attack else "hostile")
    code = next(iter(units))
    found = None
    worst = ""
    for final, land in _choices(board, line, code):
        wrong = _wrong_way(hand, line, code, final, land)
        if not wrong:
            found = (final, land)
            break
        worst = max(worst or wrong, wrong, key=CODES.index)
    if found is None:
        codes.add(worst or "no-coast")
    if codes or found is None:
        return first(codes)
    line["final"], line["board"] = found
    line["text"] = carry_text(line, found[1], found[0])
    if hand.in_attack:
        add(hand.used.setdefault(sea, {}), {"G": 1})
        add(hand.used.setdefault(origin, {}), units)
        hand.carried[sea] = hand.carried.get(sea, 0) + 1
        hand.landing.add(drop)
    return ""


def _choices(board: Board, line: Line, code: str) -> Iterator[tuple[str, str]]:
    """FF-8.6: Seas in their order, for each the boarding Lands."""
    sea, origin = line["sea"], line["origin"]
    if line["final"]:
        finals = [line["final"]]
    else:
        touching = coast(line["drop"])
        finals = [sea] if sea in touching else []
        rest = [
            (bool(enemies(board, other)), steps("sea", sea, other), other)
            for other in touching
            if other != sea
        ]
        finals += [other for _, _, other in sorted(rest)]
    if line["board"]:
        lands = [line["board"]]
    else:
        lands = [origin]
        if code == "K":
            lands += LANDS[origin]["land"]
    for final in finals:
        for land in lands:
            yield final, land


def _wrong_way(hand: Hand, line: Line, code: str, final: str, land: str) -> str:
    board, codes = hand.board, set()
    if (
        land == line["drop"]
        or final not in coast(line["drop"])
        or not {line["sea"], final} & set(coast(land))
    ):
        codes.add("no-coast")
    codes |= way_codes(board, "G", line["sea"], final, UNITS["G"]["move"])
    if not hand.in_attack and enemies(board, final):
        codes.add("hostile")
    if land != line["origin"]:
        codes |= way_codes(board, code, line["origin"], land, UNITS[code]["move"] - 1)
        if enemies(board, land):
            codes.add("blocked")
    return first(codes)


# ---------------------------------------------------------------------------------------- Reinforce
class Market:
    """What is left to spend and where room is left, purchase by purchase."""

    def __init__(self, board: Board) -> None:
        self.gold: int = board["gold"]
        self.taken: dict[str, int] = {}

    def room(self, board: Board, land: str) -> int:
        if board["owners"][land] != board["active"] or land not in FORTRESSES + CASTLES:
            return 0
        return 99 if land in FORTRESSES else 1 - self.taken.get(land, 0)


def judge_buy(board: Board, market: Market, line: Line) -> str:
    """A purchase that stands is placed at once."""
    units, zone = line["units"], line["zone"]
    number, codes = sum(units.values()), set()
    land = line["land"] or zone
    if zone in SEAS:
        if line["land"]:
            if zone not in coast(land):
                codes.add("no-coast")
        else:
            around = [
                other
                for other in FORTRESSES + CASTLES
                if zone in coast(other) and market.room(board, other) >= number
            ]
            land = around[0] if around else ""
        if enemies(board, zone):
            codes.add("enemy-sea")
    if land in LANDS and board["owners"][land] != board["active"]:
        # neither rules nor format say which code; both adjudicators read E-OWNER so (FW-8.5)
        codes.add("not-yours")
    if not land or market.room(board, land) < number:
        codes.add("placement-limit")
    there = on_board(board, board["active"])
    if any(there.get(code, 0) + more > UNITS[code]["supply"] for code, more in units.items()):
        codes.add("supply-limit")
    cost = sum(UNITS[code]["cost"] * more for code, more in units.items())
    if cost > market.gold:
        codes.add("cannot-afford")
    if not codes:
        market.gold -= cost
        market.taken[land] = market.taken.get(land, 0) + number
        add(here(board, zone, board["active"]), units)
        if zone in SEAS:
            line["text"] = buy_text(line, land)
    return first(codes)


def could_buy(board: Board, market: Market) -> bool:
    """FF-8.11: gold and supply for some unit, and an own Land where it may be placed."""
    there = on_board(board, board["active"])
    for code in DEFAULT_LOSSES:
        if UNITS[code]["cost"] > market.gold or there.get(code, 0) >= UNITS[code]["supply"]:
            continue
        for land in FORTRESSES + CASTLES:
            if market.room(board, land) and (
                code != "G" or any(not enemies(board, sea) for sea in coast(land))
            ):
                return True
    return False


def judge_move(hand: Hand, line: Line) -> str:
    """A move that stands is made at once (FF-8.4)."""
    board, origin, target = hand.board, line["origin"], line["target"]
    if line["every"]:
        line["units"] = _all_meant(hand, line)
        if not line["units"]:
            return "too-few-units"
    codes = hand.lacks({origin: line["units"]})
    is_hostile = bool(enemies(board, target)) or (
        target in LANDS and not is_friendly(board, target)
    )
    if is_hostile:
        codes.add("hostile")
    for code in line["units"]:
        if code == "D" and target in SEAS and not is_hostile:
            codes.add("no-landing")
        codes |= way_codes(board, code, origin, target, UNITS[code]["move"])
    if not codes:
        shift(board, line["units"], origin, target)
        add(hand.left.setdefault(origin, {}), line["units"])
        line["text"] = move_text(line)
    return first(codes)


def _all_meant(hand: Hand, line: Line) -> dict[str, int]:
    codes = DEFAULT_LOSSES if line["every"] == "all" else [line["every"]]
    return {
        code: hand.free(line["origin"], code) for code in codes if hand.free(line["origin"], code)
    }


def judge_reinforce_carry(hand: Hand, line: Line) -> str:
    code = judge_carry(hand, line)
    if not code:
        shift(hand.board, {"G": 1}, line["sea"], line["final"])
        hand.board["carried"][line["final"]] = hand.board["carried"].get(line["final"], 0) + 1
        shift(hand.board, line["units"], line["origin"], line["drop"])
        add(hand.left.setdefault(line["sea"], {}), {"G": 1})
        add(hand.left.setdefault(line["origin"], {}), line["units"])
    return code


def shift(board: Board, units: dict[str, int], start: str, goal: str) -> None:
    """Unmoved units of the active kingdom go there and have moved."""
    add(here(board, start, board["active"]), units, -1)
    add(here(board, goal, board["active"]), units)
    add(moved(board, goal), units)


# ------------------------------------------------------------------------------ answers in a battle
def judge_answer(board: Board, line: Line) -> str:
    """FF-3; to fliers that are not there, or have nothing to fly from, nobody has put a
    question.
    """
    battle = board["battles"][0]
    ours = battle["attackers"]
    if line["do"] == "lose now":
        fits = all(ours.get(code, 0) >= number for code, number in line["units"].items())
        return "" if fits and sum(line["units"].values()) == battle["hits"] else "out-of-range"
    is_asked = (
        ours.get("D") and battle["hits"] < sum(ours.values()) and enemies(board, battle["zone"])
    )
    return "" if is_asked else "not-now"


def points(land: str) -> int:
    return POINTS[LANDS[land]["structure"]] if land in LANDS else 0
