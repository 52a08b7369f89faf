"""F-86: every way in which points, technologies and the like change hands, where the one side has it
already, has it no more, or cannot pay any more. Both adjudicators work each row.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from engine.chance import Chance
from engine.sovereigns.positions.position import parse_position
from tests.games.sovereigns.engine.playing import SEED, Play, run_step
from tests.games.sovereigns.second.goods import Luck
from tests.games.sovereigns.second.running import run_second
from tests.games.sovereigns.second.table import Second
from tests.rows import each_row

STEEL = {"steel": "STAT-ROLL M", "tea": "STAT-CALM"}
HAS = {"tech": ["steel"]}


def gm(text: str, at: int = 1) -> Mapping[str, Any]:
    return {"at": at, "from": "GM", "text": text}


def accepts(who: str = "B", offer: int = 1) -> Mapping[str, Any]:
    return {"at": 2, "from": who, "text": f"Accept offer {offer}"}


def row(
    lie: Mapping[str, Any],
    order: str | Mapping[str, str],
    *acts: Mapping[str, Any],
    chance: tuple[Any, ...] = (),
    more: Mapping[str, Any] | None = None,
    then: Mapping[str, Any] | None = None,
    **expect: Any,
) -> dict[str, Any]:
    """A position, what A orders (or all), what comes of it at the close; `then` after one more."""
    told: dict[str, Any] = {"kingdoms": {"A": {}, "B": {}, "C": {}, **lie}, **(more or {})}
    orders = {"A": order} if isinstance(order, str) else dict(order)
    step = {"orders": orders, "acts": acts, "chance": list(chance), "expect": expect}
    return {"position": told, **step, "then": [] if then is None else [{"expect": then}]}


KNOWN: Mapping[str, Any] = {"technologies": STEEL}
ROWS: Mapping[str, dict[str, Any]] = {
    # ------------------------------------------------------------------ points, given and lent
    "gift of points, the giver has them no more": row(
        {"A": {"R": 1}},
        "Offer B: 1R permanent against nothing",
        gm("gm set A R 0"),
        accepts(),
        kingdoms={"A": {"R": 0}, "B": {"R": 3}},
        problems={"B": ["not-enough"]},
        events=["offer", "trade-failed"],
    ),
    "gift of points, the giver has expended them": row(
        {"A": {"R": 1}},
        "Offer B: 1R permanent against nothing",
        gm("gm set A R 1 ex 1"),
        accepts(),
        kingdoms={"A": {"R": 1}, "B": {"R": 3}},
        problems={"B": ["not-enough"]},
    ),
    "gift of expended points, their mark goes with them": row(
        {"A": {"R": 2, "ex": {"R": 2}, "depleted": 1}},
        "Offer B: 2R permanent expended too against nothing",
        accepts(),
        kingdoms={"A": {"R": 0}, "B": {"R": 5, "ex": {"R": 2}, "depleted": 1}},
        problems={},
    ),
    "gift of points that are borrowed": row(
        {},
        "Offer B: 2M permanent against nothing",
        accepts(),
        more={"loans": [{"lender": "C", "borrower": "A", "points": "2M", "due": 3}]},
        kingdoms={"A": {"M": 3}, "B": {"M": 3}},
        problems={"B": ["not-enough"]},
    ),
    "trade of points, the taker cannot pay any more": row(
        {"B": {"M": 1}},
        "Offer B: 1R permanent against 1M permanent",
        gm("gm set B M 1 ex 1"),
        accepts(),
        kingdoms={"A": {"R": 3, "M": 3}, "B": {"R": 3, "M": 1}},
        problems={"B": ["not-enough"]},
    ),
    "loan, the borrower has nothing left when it is due": row(
        {"B": {"M": 0}},
        "Offer B: 2M for 1 seasons against nothing",
        accepts(),
        gm("gm set B M 0", 3),
        kingdoms={"A": {"M": 1}, "B": {"M": 0}},
        loans=[],
        events=[{"kind": "loan-returned", "points": "0M"}],
    ),
    "loan, the lender has fallen when it is due": row(
        {},
        "Offer B: 2M for 1 seasons against nothing",
        accepts(),
        gm("gm set A H -1", 3),
        kingdoms={"A": {"alive": False}, "B": {"M": 5}},
        loans=[],
    ),
    "loan, the borrower falls": row(
        {},
        "Offer B: 2M for 1 seasons against nothing",
        accepts(),
        gm("gm set B H -1", 3),
        kingdoms={"A": {"M": 3}, "B": {"alive": False}},
        loans=[],
    ),
    # --------------------------------------------------------------------------- technologies
    "sold technology, the buyer has it already": row(
        {"A": HAS},
        "Offer B: tech steel against 1R permanent",
        gm('gm give B tech "steel"'),
        accepts(),
        more=KNOWN,
        kingdoms={"A": {"R": 3}, "B": {"R": 3, "tech": ["steel"]}},
        problems={"B": ["already-owned"]},
        events=["offer", "trade-failed"],
    ),
    "bought technology, the buyer has it already": row(
        {"B": HAS},
        "Offer B: 1R permanent against tech steel",
        gm('gm give A tech "steel"'),
        accepts(),
        more=KNOWN,
        kingdoms={"A": {"R": 3, "tech": ["steel"]}, "B": {"R": 3}},
        problems={"B": ["already-owned"]},
    ),
    "gift of a technology and a point, the taker has the technology": row(
        {"A": HAS},
        "Offer B: tech steel, 1R against nothing",
        gm('gm give B tech "steel"'),
        accepts(),
        more=KNOWN,
        kingdoms={"A": {"R": 3}, "B": {"R": 3}},
        loans=[],
        problems={"B": ["already-owned"]},
    ),
    "sold technology, the seller has it no more": row(
        {"A": HAS},
        "Offer B: tech steel against 1R permanent",
        gm('gm tech "steel" refuse'),
        accepts(),
        more=KNOWN,
        kingdoms={"A": {"R": 3, "tech": []}, "B": {"R": 3, "tech": []}},
        problems={"B": ["not-enough"]},
    ),
    "sold technology, the buyer cannot pay any more": row(
        {"A": HAS},
        "Offer B: tech steel against 1R permanent",
        gm("gm set B R 0"),
        accepts(),
        more=KNOWN,
        kingdoms={"A": {"R": 3}, "B": {"R": 0, "tech": []}},
        problems={"B": ["not-enough"]},
    ),
    "two technologies for one, one of them is there": row(
        {"A": {"tech": ["steel", "tea"]}, "B": {"tech": ["tea"]}},
        "Offer B: tech steel against 1R permanent",
        accepts(),
        more=KNOWN,
        kingdoms={"A": {"R": 4}, "B": {"R": 2, "tech": ["tea", "steel"]}},
        problems={},
    ),
    "given by the game master, the kingdom has it already": row(
        {"A": HAS},
        "Done",
        gm('gm give A tech "steel"'),
        gm('gm give B tech "iron"'),
        more=KNOWN,
        kingdoms={"A": {"tech": ["steel"]}, "B": {"tech": []}},
        problems={"GM": ["already-owned", "no-tech"]},
    ),
    "taken by the game master, from all who have it": row(
        {"A": HAS, "B": HAS},
        "Done",
        gm('gm tech "steel" refuse'),
        more=KNOWN,
        kingdoms={"A": {"tech": []}, "B": {"tech": []}},
        technologies={"tea": "STAT-CALM"},
    ),
    # ------------------------------------------------------------------------------- research
    "research, a technology of that name is there": row(
        {"A": HAS},
        "Research: 2R, steel = STAT-CALM",
        chance=(6, 1),
        more=KNOWN,
        kingdoms={"A": {"discoveries": [{"name": "steel 2", "code": "STAT-CALM", "left": 24}]}},
    ),
    "research, its origin is there no more": row(
        {"A": HAS},
        "Research: 3R, mail = ANA-DIE M from steel",
        gm('gm tech "steel" refuse'),
        chance=(6, 6, 6),
        more=KNOWN,
        kingdoms={"A": {"discoveries": [{"great": True}]}},
        problems={},
        events=["discovery", "proposal-refused"],
    ),
    # --------------------------------------------------------------------------------- spying
    "spies, what they seek is at home already": row(
        {"A": {"tech": ["steel"], "M": 3}, "B": {"tech": ["steel", "tea"], "M": 0}},
        "Espionage B: 2M, seek steel",
        chance=(6, 6),
        more=KNOWN,
        kingdoms={"A": {"tech": ["steel", "tea"]}},
    ),
    "spies, all is at home already": row(
        {"A": HAS, "B": {"tech": ["steel"], "M": 0}},
        "Espionage B: 2M",
        chance=(6, 6),
        more=KNOWN,
        kingdoms={"A": {"tech": ["steel"]}, "B": {"tech": ["steel"]}},
        events=["report"],
    ),
    "spies, the target has it no more": row(
        {"B": {"tech": ["steel", "tea"], "M": 0}},
        "Espionage B: 2M, seek steel",
        gm('gm tech "steel" refuse'),
        chance=(6, 6),
        more=KNOWN,
        kingdoms={"A": {"tech": ["tea"]}},
    ),
    # -------------------------------------------------------------------- theft and attack
    "theft, the target has nothing free": row(
        {"B": {"M": 0, "ex": {"R": 3}}},
        "Theft B: 2M",
        chance=(6, 6),
        kingdoms={"A": {"R": 3}, "B": {"R": 3}},
        loans=[],
    ),
    "theft, a vault keeps it once": row(
        {"A": {"M": 1}, "B": {"M": 0, "bld": ["BLD-VAULT"]}, "C": {"M": 1}},
        {"A": "Theft B: 1M", "C": "Theft B: 1M"},
        chance=(["A", "C"], 6, 6),
        kingdoms={"A": {"R": 3}, "B": {"R": 2, "used": ["BLD-VAULT"]}, "C": {"R": 4}},
    ),
    "theft, the thief has it no more when the year ends": row(
        {"A": {"M": 1, "R": 0}, "B": {"M": 0, "R": 1}},
        "Theft B: 1M",
        chance=(6,),
        more={"season": "Autumn"},
        kingdoms={"A": {"R": 1}, "B": {"R": 0}},
        then={"phase": "year-start", "kingdoms": {"A": {"R": 0}, "B": {"R": 1}}, "loans": []},
    ),
    "attack, the target has nothing free and the building named is gone": row(
        {"A": {"M": 3}, "B": {"M": 1, "ex": {"R": 3, "M": 1}, "bld": ["BLD-WALL"]}},
        "Attack B: 2M, burn BLD-VAULT",
        chance=(6, 6),
        kingdoms={"A": {"R": 3}, "B": {"R": 3, "M": 0, "bld": []}},
    ),
    "attack, the target falls and leaves nothing": row(
        {"A": {"M": 3}, "B": {"M": 0, "bld": ["BLD-WALL"], "R": 2}},
        "Attack B: 2M",
        chance=(6, 6, 1),
        kingdoms={"A": {"R": 3}, "B": {"alive": False}},
        loans=[],
    ),
    # ---------------------------------------------------------------------- effects and works
    "free-form effect, the target has fallen": row(
        {"C": {"M": 3}},
        'Try: 2R against B for -1 "rats"',
        gm("gm set B H -1"),
        chance=(),
        kingdoms={"A": {"ex": {"R": 0}}},
        events=[{"kind": "void", "reason": "target-fallen"}],
    ),
    "free-form effect, once on the next roll and then no more": row(
        {"A": {"R": 4}, "B": {}},
        'Try: 2R for +1 R "a fair"',
        chance=(4, 4),
        kingdoms={"A": {"next": {"R": 1}}},
    ),
    "building, the technology is there no more": row(
        {"A": {"tech": ["wall"], "R": 5}},
        "Build BLD-WALL",
        gm('gm tech "wall" refuse'),
        more={"technologies": {"wall": "BLD-WALL"}},
        kingdoms={"A": {"bld": [], "ex": {"R": 0}}},
        events=["build-void"],
    ),
    "building, the Resources are there no more": row(
        {"A": {"tech": ["wall"]}},
        "Build BLD-WALL",
        gm("gm set A R 3 ex 1"),
        more={"technologies": {"wall": "BLD-WALL"}},
        kingdoms={"A": {"bld": [], "ex": {"R": 1}}},
        events=["build-void"],
    ),
    "building, it stands already": row(
        {"A": {"tech": ["wall"], "bld": ["BLD-WALL"]}},
        "Build BLD-WALL",
        more={"technologies": {"wall": "BLD-WALL"}},
        kingdoms={"A": {"ex": {"R": 0}}},
        problems={"A": ["already-owned"]},
    ),
    "camp, there is nothing to free any more": row(
        {"A": {"bld": ["BLD-CAMP"], "M": 2, "ex": {"M": 1}}},
        "Camp",
        gm("gm set A M 2 ex 0"),
        kingdoms={"A": {"ex": {"R": 0}, "used": []}},
        problems={},
        events=["camp-void"],
    ),
    "boon, it is there no more": row(
        {"A": {"H": 2}},
        "Contact: 1H, boon",
        chance=(6,),
        kingdoms={"A": {"boons": []}},
        problems={"A": ["no-boon"]},
        events=[{"kind": "action", "total": 6}],
    ),
    "faith, it is there already": row(
        {"A": {"faith": 1}},
        "Found: 2H",
        kingdoms={"A": {"faith": 1, "ex": {"H": 0}}},
        problems={"A": ["already-owned"]},
    ),
}


@each_row("case", ROWS.values())
def test_what_changes_hands(case: dict[str, Any]) -> None:
    """F-86 (SS-1.8, SS-5.7, SS-5.8, SS-5.10 to SS-5.12, SS-6.4, SS-6.9, SS-7.10, SS-7.12)."""
    game = Play(parse_position(case["position"], {}, "hands"), Chance(SEED))
    second = Second(case["position"], Luck(Random(0)))
    for step in (case, *case["then"]):
        assert run_step(game, step) == []
        assert run_second(second, step) == []
