"""A game on the clock of a case: messages, what runs out, closes, objections and actions done again
(SF-2, SF-4, SF-9.13).
"""

import json
from collections.abc import Iterable
from random import Random

from tests.games.sovereigns.second import checks, closes, words
from tests.games.sovereigns.second.closes import (
    Book,
    close_season,
    close_setup,
    close_year_start,
    expire_ballot,
    go_on,
    pending,
)
from tests.games.sovereigns.second.goods import (
    Ground,
    Luck,
    Told,
    clone,
    close_ballot,
    count,
    trade,
)
from tests.games.sovereigns.second.master import master

WINDOW = {"setup": 48, "year-start": 36, "season": 72}
BLANK: Told = {
    "R": 3,
    "M": 3,
    "H": 3,
    "ex": {},
    "depleted": 0,
    "alive": True,
    "support": "none",
    "rest": 0,
    "mods": [],
    "next": {},
    "tech": [],
    "bld": [],
    "used": [],
    "faith": 0,
    "converted_by": [],
    "boons": [],
    "security": 0,
    "discoveries": [],
    "claimed": False,
    "standing": {},
    "year_order": None,
}


def _keep_ruling(mine: Told, line: Told) -> None:
    """The same order once more is ruled on as it was."""
    ruling = mine.get("ruled", {}).get(words.write(line)) if line["do"] == "act" else None
    if ruling:
        for one in line["alts"]:
            one |= {"ruling": ruling} if one["name"] == "Try" else {}


class Second:
    """The second adjudicator's table."""

    def __init__(
        self, position: Told, luck: Luck | None = None, max_years: int | None = None
    ) -> None:
        told = json.loads(json.dumps(position))
        g: Told = {
            "year": 1,
            "phase": "season",
            "season": "Spring",
            "hour": 0,
            "expeditions": 0,
            "technologies": {},
            "loans": [],
        }
        g |= {
            "offers": [],
            "ballots": [],
            "winner": None,
            **told,
            "max_years": max_years,
            "pending": {},
        }
        g["counts"] = {"actions": 0, "offers": 0, "objections": 0, **told.get("counts", {})}
        for name, given in told["kingdoms"].items():
            k = {
                **clone(BLANK),
                **({"R": 0, "M": 0, "H": 0} if g["phase"] == "setup" else {}),
                **(given or {}),
            }
            k["ex"] = {"R": 0, "M": 0, "H": 0, **k["ex"]}
            k["next"] = {key: amount for key, amount in k["next"].items() if amount}
            g["kingdoms"][name] = k if k["alive"] else {"alive": False}
        self.ground = Ground(g, luck or Luck(Random(0)))
        self.book = Book()
        self.log: list[tuple[int, str, str]] = []
        self.extra = 0
        self.objections: list[Told] = []
        self.objected: set[str] = set()
        self.redo: Told | None = None
        self.replaying = False

    @property
    def g(self) -> Told:
        return self.ground.g

    @property
    def deadline(self) -> int:
        return WINDOW[self.g["phase"]] + self.extra

    def told(self) -> Told:
        g = self.g
        kingdoms = {}
        for name, k in g["kingdoms"].items():
            year = g["pending"].get(name, {}).get("year")
            kingdoms[name] = (
                {**k, "year_order": words.write(year) if year else k["year_order"]}
                if k["alive"]
                else k
            )
        hidden = [
            "pending",
            "max_years",
            *(() if g["phase"] in ("season", "over") else ("season",)),
        ]
        return {
            **{key: value for key, value in g.items() if key not in hidden},
            "kingdoms": kingdoms,
        }

    # the clock

    def clock(self, hour: int) -> None:
        phase = self.g["phase"]
        while self.g["hour"] < hour and self.g["phase"] == phase:
            self._hour()

    def _hour(self) -> None:
        g, t = self.g, self.ground
        if not self.replaying and (self.objections or self.redo):
            self.extra += 1
        g["hour"] += 1
        g["offers"] = [
            {**offer, "left": offer["left"] - 1} for offer in g["offers"] if offer["left"] > 1
        ]
        for k in list(g["kingdoms"].values()):
            for found in list(k.get("discoveries", ())):
                if found.get("name"):
                    found["left"] -= 1
                    if found["left"] == 0:
                        approve(t, k, found)
        for ballot in list(g["ballots"]):
            ballot["left"] -= 1
            if ballot["left"] == 0:
                expire_ballot(t, ballot)
        if self.replaying:
            return
        for objection in list(self.objections):
            objection["left"] -= 1
            if objection["left"] == 0:
                self.objections.remove(objection)
        if self.redo:
            self.redo["left"] -= 1
            if self.redo["left"] == 0:
                self._do_again({"do": "pass"})

    def close(self) -> None:
        while not self.ground.over and self.g["hour"] < self.deadline:
            self.clock(self.deadline)
        self.objections = []
        if self.redo and not self.ground.over:  # asked for in the very hour of the close
            self._do_again({"do": "pass"})
        if self.ground.over:
            return
        self._close()
        self.log, self.extra, self.objections, self.objected, self.redo = [], 0, [], set(), None

    def _close(self) -> None:
        phase = self.g["phase"]
        if phase == "season":
            close_season(self.ground, self.book)
            return
        self.book.played = []
        if phase == "setup":
            close_setup(self.ground)
            self.g["hour"], self.g["pending"] = 0, {}
        else:
            close_year_start(self.ground)

    # doing again

    def roll_back(self, n: int) -> None:
        self.objections = []
        place = next(i for i, played in enumerate(self.book.played) if played["n"] == n)
        self.redo = {"place": place, "kingdom": self.book.played[place]["kingdom"], "left": 24}
        self.ground.note("rolled-back", action=n, kingdom=self.redo["kingdom"])

    def _do_again(self, order: Told) -> None:
        assert self.redo is not None
        place, hour, t = self.redo["place"], self.g["hour"], self.ground
        self.redo = None
        objections, orders = self.g["counts"]["objections"], self.g["pending"]
        t.g = clone(self.book.played[place]["before"])
        t.g["counts"]["objections"] = objections
        self.book.played[place].update(order=order, rows={})
        for later in self.book.played[place:]:
            later["before"]["counts"]["objections"] = objections
        go_on(t, self.book, place)
        if not t.over:
            t.g["pending"] = orders
        self.replaying = True
        for at, who, text in list(self.log):
            if not t.over:
                self.clock(at)
            if not t.over:
                self._take(who, text, set())
        if not t.over:
            self.clock(hour)
        self.replaying = False
        self._stop()

    def _stop(self) -> None:
        """SF-9.13: no objections and no redo once the game is over."""
        if self.ground.over:
            self.objections, self.redo = [], None

    # messages

    def say(self, who: str, lines: Iterable[str]) -> list[str]:
        """One message; the codes of its refusals and warnings."""
        codes: list[str] = []
        seen: set[str] = set()
        for text in lines:
            was_over = self.ground.over
            wrong = self._take(who, text, seen)
            if not was_over:
                self._stop()
            # an acceptance that fails takes the offer away
            done = not wrong or text.startswith("Accept offer")
            if (
                done
                and not text.startswith(("gm rule", "gm rollback", "gm verdict"))
                and (who == "GM" or (words.read(text) or {}).get("do") not in NOT_AGAIN)
            ):
                self.log.append((self.g["hour"], who, text))
            codes += wrong
        return codes

    def _take(self, who: str, text: str, seen: set[str]) -> list[str]:
        return master(self, text) if who == "GM" else self._line(who, text, seen)

    def _line(self, who: str, text: str, seen: set[str]) -> list[str]:
        t = self.ground
        line = words.read(text)
        if self.redo and self.redo["kingdom"] == who and line and line["do"] == "redo":
            return self._redo(who, line)
        if not t.k(who)["alive"]:
            return ["fallen"]
        if t.over:
            return ["not-now"]
        if line is None:
            return ["not-understood"]
        if self.replaying and line["do"] in ("object", "redo"):
            return []
        if checks.out_of_time(t, line):
            return ["not-now"]
        if line["do"] in ("object", "redo"):
            return self._object(who, line) if line["do"] == "object" else ["no-action"]
        return self._orders(who, line, seen) if line["do"] in ORDERS else self._deeds(who, line)

    def _orders(self, who: str, line: Told, seen: set[str]) -> list[str]:
        t, mine, k, do = self.ground, pending(self.ground, who), self.ground.k(who), line["do"]
        code: str | None = None
        warnings: list[str] = []
        if do in ("act", "year"):
            code = checks.reading_code(t, who, line) or ("one-action" if do in seen else None)
            if code is None:
                code, warnings = (
                    checks.act_codes(t, who, line)
                    if do == "act"
                    else checks.year_codes(t, who, line, False)
                )
            if code is None:
                mine[do] = line
                seen.add(do)
                _keep_ruling(mine, line)
        elif do in ("every-year", "every-season"):
            order = line["order"]
            code = checks.reading_code(t, who, order)
            if code is None and do == "every-year":
                code, warnings = checks.year_codes(t, who, order, True)
            if (
                code is None
                and do == "every-season"
                and any(one["points"] == 0 and not one["dep"] for one in order["alts"])
            ):
                code = "min-one"
            if code is None:
                k["standing"][do.removeprefix("every-")] = words.write(order)
        elif do == "forget":
            k["standing"].pop(line["what"], None)
        elif do == "build":
            code = checks.build_code(t, who, line, mine)
            if code is None:
                mine["builds"].append(line["code"])
        elif do == "camp":
            code = checks.camp_code(t, who, mine)
            mine["camp"] = mine["camp"] or code is None
        elif do == "pass":
            mine["act"] = line
            seen.discard("act")
        elif do == "cancel":
            t.g["pending"][who] = {
                **{key: told for key, told in mine.items() if key == "ruled"},
                **closes.NOTHING,
                "builds": [],
                "abdicate": mine["abdicate"],
            }
            seen.clear()
        elif do == "split":
            numbers = [int(line[attr]) for attr in "RMH"]
            code = "split-sum" if sum(numbers) != 9 else "split-min" if min(numbers) < 1 else None
            if code is None:
                mine["split"] = line
        return [code] if code else warnings

    def _deeds(self, who: str, line: Told) -> list[str]:
        t, g, k, do = self.ground, self.g, self.ground.k(who), line["do"]
        code: str | None = None
        if do == "offer":
            code = checks.offer_code(t, who, line)
            if code is None:
                g["counts"]["offers"] += 1
                sides = {
                    key: [words.write_item(item) for item in line[key]]
                    for key in ("gives", "wants")
                }
                g["offers"].append(
                    {
                        "id": g["counts"]["offers"],
                        "from": who,
                        "to": line["who"],
                        **sides,
                        "left": line["hours"],
                    }
                )
        elif do == "answer":
            code = self._answer(who, line)
        elif do == "propose":
            code = checks.proposal_code(t, who, line)
            if code is None:
                kept = [found for found in k["discoveries"] if not found.get("name")]
                kept.sort(key=lambda found: bool(found.get("great")))
                chosen = next(
                    found
                    for found in kept
                    if found.get("great") or not checks.anachronism(line["code"])
                )
                chosen.update(name=checks.new_name(t, line["name"]), code=line["code"], left=24)
        elif do == "claim":
            code = "used-up" if k["claimed"] else None
            if code is None:
                k["claimed"] = True
                g["ballots"].append({"claimant": who, "ayes": [], "left": 48})
        elif do == "vote":
            code = self._vote(who, line)
        elif do == "abdicate":
            pending(t, who)["abdicate"] = True
        return [code] if code else []

    def _answer(self, who: str, line: Told) -> str | None:
        t, g = self.ground, self.g
        side = "from" if line["what"] == "Withdraw" else "to"
        offer = next(
            (one for one in g["offers"] if one["id"] == int(line["id"]) and one[side] == who), None
        )
        if offer is None:
            return "no-offer"
        g["offers"].remove(offer)
        if line["what"] != "Accept":
            return None
        read = words.read(
            f"Offer X: {', '.join(offer['gives']) or 'nothing'} against {', '.join(offer['wants']) or 'nothing'}"
        )
        assert read is not None
        code = trade(t, {**offer, "gives": read["gives"], "wants": read["wants"]})
        t.note("trade-failed" if code else "trade", id=offer["id"])
        return code

    def _vote(self, who: str, line: Told) -> str | None:
        t = self.ground
        if line["who"] not in self.g["kingdoms"]:
            return "unknown-kingdom"
        ballot = next(
            (one for one in self.g["ballots"] if one["claimant"] == line["who"] != who), None
        )
        if ballot is None:
            return "no-ballot"
        if line["what"] == "no":
            close_ballot(t, ballot, False)
        elif who not in ballot["ayes"]:
            ballot["ayes"].append(who)
            count(t, ballot)
        return None

    def _object(self, who: str, line: Told) -> list[str]:
        g, n = self.g, int(line["n"])
        if self.redo or not any(played["n"] == n for played in self.book.played):
            return ["no-action"]  # while one is done again, no other is taken back
        if g["hour"] >= 24:
            return ["too-late"]
        if who in self.objected:
            return ["used-up"]
        self.objected.add(who)
        g["counts"]["objections"] += 1
        self.objections.append({"id": g["counts"]["objections"], "action": n, "left": 24})
        return []

    def _redo(self, who: str, line: Told) -> list[str]:
        """SF-9.13: read in the position it goes back to."""
        assert self.redo is not None
        order = line["order"]
        before = Ground(clone(self.book.played[self.redo["place"]]["before"]), self.ground.luck)
        warnings: list[str] = []
        if order["do"] == "act":
            if not before.k(who)["alive"]:
                return ["fallen"]
            code = checks.reading_code(before, who, order)
            if code is None:
                code, warnings = checks.act_codes(before, who, order)
            if code:
                return [code]
        self._do_again(order)
        return warnings


KEPT = ("done", "act", "year", "build", "camp", "pass", "cancel")
"""Orders that wait stand through a redo as they were told, and what is there when they take effect
counts; what took effect at once is taken again.
"""
NOT_AGAIN = (*KEPT, "object", "redo")
"""Nor is what led to the redo; a phase that opens again after the game had ended begins at hour 0."""
ORDERS = (
    *("act", "year", "every-year", "every-season", "forget", "build", "camp", "pass", "done"),
    *("cancel", "split"),
)


def approve(t: Ground, k: Told, found: Told) -> None:
    """SS-7.4: a proposal becomes a technology of its finder."""
    k["discoveries"].remove(found)
    t.g["technologies"][found["name"]] = found["code"]
    k["tech"].append(found["name"])
    t.note("technology", technology=found["name"])
