"""What kingdoms have and lose: points with their marks, loans, trades, falls and the end of a game
(SS-1.8, SS-5, SS-11, SF-9.1).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

Told = dict[str, Any]


class Luck:
    """Draws as they are needed, written down in order of use; told ones first."""

    def __init__(self, rng: Random, told: list[Any] | None = None) -> None:
        self.rng = rng
        self.told = list(told or [])
        self.drawn: list[Any] = []

    def die(self) -> int:
        number: int = self.told.pop(0) if self.told else self.rng.randint(1, 6)
        self.drawn.append(number)
        return number

    def shuffle(self, names: list[str]) -> list[str]:
        if len(names) < 2:
            return list(names)
        if self.told:
            order = list(self.told.pop(0))
            assert sorted(order) == sorted(names), (order, names)
        else:
            order = self.rng.sample(names, len(names))
        self.drawn.append(tuple(order))
        return order


@dataclass
class Ground:
    """The position `g` as a case tells it, and what happens on it."""

    g: Told
    luck: Luck
    events: list[Told] = field(default_factory=list)

    def note(self, kind: str, **facts: Any) -> None:
        self.events.append({"kind": kind, **facts})

    @property
    def over(self) -> bool:
        return bool(self.g["phase"] == "over")

    def seat(self) -> list[str]:
        return [name for name, k in self.g["kingdoms"].items() if k["alive"]]

    def k(self, name: str) -> Told:
        kingdom: Told = self.g["kingdoms"][name]
        return kingdom


def clone(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: clone(one) for key, one in value.items()}
    if isinstance(value, list):
        return [clone(one) for one in value]
    return value


def free(k: Told, attr: str) -> int:
    left: int = k[attr] - k["ex"][attr]
    return left


def take_points(k: Told, attr: str, n: int, order: str) -> Told:
    """Take n points out of a kingdom in this order of marks (d depleted, e expended, f free); what
    was taken, by mark.
    """
    have = {"d": k["depleted"] if attr == "R" else 0, "f": free(k, attr)}
    have["e"] = k["ex"][attr] - have["d"]
    taken = {"d": 0, "e": 0, "f": 0}
    for mark in order:
        taken[mark] = max(0, min(n - sum(taken.values()), have[mark]))
    k[attr] -= sum(taken.values())
    k["ex"][attr] -= taken["d"] + taken["e"]
    if attr == "R":
        k["depleted"] -= taken["d"]
    return taken


def put_points(k: Told, attr: str, taken: Told) -> None:
    k[attr] += sum(taken.values())
    k["ex"][attr] += taken["d"] + taken["e"]
    if attr == "R":
        k["depleted"] += taken["d"]


def lose(t: Ground, name: str, attr: str, saver: str | None) -> None:
    """SS-1.8: one point for good, unless a building saves it; below 0 the kingdom falls at once."""
    k = t.k(name)
    if saver is not None and saved(t, name, saver):
        return
    t.note("lost", kingdom=name, attribute=attr)
    if k[attr] == 0:
        k[attr] = -1
        fall(t, name)
    else:
        take_points(k, attr, 1, "def")


def saved(t: Ground, name: str, saver: str) -> bool:
    k = t.k(name)
    stands = any(code.removesuffix(" lasting") == saver for code in k["bld"])
    if stands and saver not in k["used"]:
        k["used"].append(saver)
        t.note("saved", kingdom=name, building=saver)
        return True
    return False


def give_back(t: Ground, loan: Told) -> None:
    """SS-5.10: what is there goes home, depleted points first, then expended ones."""
    borrower, lender = t.k(loan["borrower"]), t.k(loan["lender"])
    n, attr = int(loan["points"][:-1]), loan["points"][-1]
    n = max(0, min(n, borrower[attr]))
    taken = take_points(borrower, attr, n, "def")
    put_points(lender, attr, taken)
    t.note("loan-returned", lender=loan["lender"], borrower=loan["borrower"], points=f"{n}{attr}")


def return_loans(t: Ground, due: Callable[[Told], bool]) -> None:
    going = [loan for loan in t.g["loans"] if due(loan)]
    t.g["loans"] = [loan for loan in t.g["loans"] if not due(loan)]
    for loan in going:
        give_back(t, loan)


def fall(t: Ground, name: str) -> None:
    g = t.g
    for loan in [loan for loan in g["loans"] if loan["borrower"] == name]:
        give_back(t, loan)
    g["loans"] = [loan for loan in g["loans"] if name not in (loan["borrower"], loan["lender"])]
    g["offers"] = [offer for offer in g["offers"] if name not in (offer["from"], offer["to"])]
    g["kingdoms"][name] = {"alive": False}
    t.note("fallen", kingdom=name)
    living = t.seat()
    if len(living) == 1:
        end(t, living[0])
        return
    for ballot in list(g["ballots"]):
        if ballot["claimant"] == name:
            close_ballot(t, ballot, False)
        elif name in ballot["ayes"]:
            ballot["ayes"].remove(name)
    for ballot in list(g["ballots"]):
        count(t, ballot)
        if t.over:
            return


def count(t: Ground, ballot: Told) -> None:
    """SS-11.6: a ballot is over as soon as all others living have said yes."""
    if set(ballot["ayes"]) >= set(t.seat()) - {ballot["claimant"]}:
        close_ballot(t, ballot, True)
        end(t, ballot["claimant"])


def close_ballot(t: Ground, ballot: Told, passed: bool) -> None:
    t.g["ballots"].remove(ballot)
    t.note("ballot-closed", claimant=ballot["claimant"], result="passed" if passed else "failed")


def end(t: Ground, winner: Any) -> None:
    t.g.update(phase="over", winner=winner, offers=[], ballots=[], hour=0, pending={})
    t.note("game-over", winner=winner)


def borrowed(t: Ground, name: str, attr: str) -> int:
    return sum(
        int(loan["points"][:-1])
        for loan in t.g["loans"]
        if loan["borrower"] == name and loan["points"][-1] == attr
    )


def _untradable(t: Ground, offer: Told) -> str | None:
    """SS-5.7, SS-7.12: a technology that its giver has lost, or that the other side has."""
    for giver, taker, key in (("from", "to", "gives"), ("to", "from", "wants")):
        for item in offer[key]:
            if "tech" in item and item["tech"] not in t.k(offer[giver])["tech"]:
                return "not-enough"
            if "tech" in item and item["tech"] in t.k(offer[taker])["tech"]:
                return "already-owned"
    return None


def trade(t: Ground, offer: Told) -> str | None:
    """SS-5.7: the whole trade or nothing; the code of what stands against it."""
    g, sides = t.g, (("from", "to", "gives"), ("to", "from", "wants"))
    before = clone(g["kingdoms"])
    wrong: str | None = None
    moves: list[Told] = []
    for side, other, key in sides:
        name, k = offer[side], t.k(offer[side])
        for attr in "RM":
            n = sum(item["n"] for item in offer[key] if item.get("attr") == attr)
            if n and n > k[attr] - borrowed(t, name, attr):
                wrong = wrong or "not-enough"
        for item in offer[key]:
            if "tech" in item:
                continue
            taken = take_points(k, item["attr"], item["n"], "fed" if item["expended"] else "f")
            if sum(taken.values()) < item["n"]:
                wrong = wrong or "not-enough"
            moves.append({"from": name, "to": offer[other], "item": item, "taken": taken})
    wrong = wrong or _untradable(t, offer)
    if wrong:
        g["kingdoms"] = before
        return wrong
    for move in moves:
        item = move["item"]
        put_points(t.k(move["to"]), item["attr"], move["taken"])
        if item["term"] != "permanent":
            points = f"{item['n']}{item['attr']}"
            g["loans"].append(
                {
                    "lender": move["from"],
                    "borrower": move["to"],
                    "points": points,
                    "due": item["term"],
                }
            )
    for _, other, key in sides:
        for item in offer[key]:
            # it may be named twice
            if "tech" in item and item["tech"] not in t.k(offer[other])["tech"]:
                t.k(offer[other])["tech"].append(item["tech"])
    return None
