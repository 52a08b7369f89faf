"""The lines of a message: what the words of each order come to, put to what was said before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.actions import action_of, proposal_of
from pbem.games.sovereigns.reading.book import LineBook
from pbem.games.sovereigns.reading.chains import Link, chains_of, ordered, with_more
from pbem.games.sovereigns.reading.entries import NOT_UNDERSTOOD, POINTS_MISSING
from pbem.games.sovereigns.reading.free_actions import tried
from pbem.games.sovereigns.reading.inventions import suggested
from pbem.games.sovereigns.reading.pieces import ANSWER, DO, HEADS, JOINTS, TRADE, Parts, parts_of
from pbem.games.sovereigns.reading.revisions import ACTIONS_OF, amended
from pbem.games.sovereigns.reading.segments import segments
from pbem.games.sovereigns.reading.setup import counts_of, split_of
from pbem.games.sovereigns.reading.trades import answers_of, offers_of
from pbem.games.sovereigns.reading.votes import forgotten, objection_of, vote_of
from pbem.games.sovereigns.reading.words import BUILDINGS
from pbem.games.sovereigns.reading.yearly import arms_of, way_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.slots import SILENT

_THRONE = frozenset({"throne", "crown", "seat", "who", "stop", "fall", "today", "kingdom"})
"""Kinds that may stand with words for abdication and victory."""
_PLAIN: dict[str, o.Order] = {
    "PASS": o.Pass(),
    "DONE": o.Done(),
    "CANCELALL": o.CancelAll(),
    "ABDICATE": o.Abdicate(),
    "CLAIM": o.Claim(),
}
_ALONE = ANSWER | TRADE | {"VOTE", "OBJECT", "FORGETS", "BUILD", "PROPOSE", "CLAIM", "ABDICATE"}
_TERMS = frozenset({"WITHIN", "HOURS", "KEEPS", "YEAREND", "EXPENDED", "FORSEASONS"})
"""Terms of an offer."""


@dataclass(slots=True)
class Lines(LineBook):
    """The lines with the orders that words come to."""

    # ------------------------------------------------------------------------------------- orders
    def take(self, lexemes: Sequence[Lexeme]) -> None:
        """The orders of these lexemes."""
        if self.position.state.stage == "setup" and self._sets_up(lexemes):
            return
        known = len(self.entries)
        again = next((i for i, x in enumerate(lexemes) if x.kind not in SILENT | {"FOR", "IN"}), 0)
        if lexemes[again].kind == "REDO" and len(lexemes) > again + 1:
            self._orders(lexemes[again + 1 :])
            for entry in self.entries[known:]:
                if isinstance(entry.order, o.Do | o.Pass):
                    entry.order = o.Redo(entry.order)
        else:
            self._orders(lexemes)

    def _orders(self, lexemes: Sequence[Lexeme]) -> None:
        links: list[Link] = []
        for segment in segments(lexemes):
            while segment and segment[0].kind in JOINTS:
                segment = segment[1:]
            solid = [x for x in segment if x.kind not in SILENT | JOINTS]
            if solid:
                links += self._segment(segment, solid[0].start, solid[-1].end)
        actions = [x.every for x in links if isinstance(x.way, o.Action) and not x.orelse]
        if len(set(actions)) > 1:  # `every season attack with 2 and research with 1`: for always?
            links = []
            self.add(NOT_UNDERSTOOD, lexemes[0].start, lexemes[-1].end)
        self._chain(links)

    def tries(self, lexemes: Sequence[Lexeme]) -> bool:
        """Take a free-form action (SS-8), if these lexemes are one."""
        made = tried(lexemes, self.plain, self.position) if lexemes else None
        if made is None:
            return False
        start, end = lexemes[0].start, lexemes[-1].end
        if isinstance(made.action, Problem):
            self.add(made.action, start, end, made.caret)
        else:
            self._chain([self._link(made.action, parts_of(lexemes), start, end)])
        return True

    def _chain(self, links: Sequence[Link]) -> None:
        for chain in chains_of(links):
            old = self.entries[-1] if self.entries else None
            whole = with_more(old.order, chain) if old is not None else None
            if whole is None and chain[0].orelse:
                self.add(NOT_UNDERSTOOD, chain[0].start, chain[-1].end)
                continue  # `If Ben attacks: ... If not: ...`
            if old is not None and whole is not None:
                old.order, old.end, entry = whole, chain[-1].end, old
            else:
                entry = self.add(ordered(chain), chain[0].start, chain[-1].end)
            entry.warnings += [problem for link in chain for problem in link.warnings]

    def _segment(self, segment: list[Lexeme], start: int, end: int) -> list[Link]:
        """One order: a link of a chain, or a line that stands alone."""
        segment = self._with_head(segment)
        parts = parts_of(segment)
        kinds = {head.kind for head in parts.heads}
        marks = parts.marks.keys()
        led = parts.marks.get("CONDITION") or parts.marks.get("ORELSE")
        if led is not None and (kinds & _ALONE or (parts.buildings and not kinds & DO)):
            self.add(NOT_UNDERSTOOD, start, end, led)  # only actions have alternatives
        elif kinds & {"VOTE"} or marks & {"WON", "NOTWON"}:
            self.put(vote_of(segment, self.position), start, end)
        elif kinds & {"OBJECT"}:
            self._objects(segment, start, end)
        elif kinds & {"FORGETS"}:
            self.put(forgotten(segment, self.position), start, end)
        elif kinds & ANSWER:
            self.put(answers_of(segment, self.position, self.called), start, end)
        elif kinds & TRADE:
            self._trades(segment, start, end)
        elif not kinds and self._adds_to_action(parts, segment):
            pass
        elif not kinds and "BOON" in marks and not parts.amounts:
            self.blessed = self.add(NOT_UNDERSTOOD, start, end, parts.marks["BOON"])
        elif kinds & {"BUILD"} or (parts.buildings and not kinds and _is_built(parts)):
            self._builds(parts, start, end)
        elif kinds & {"PROPOSE"} or (not kinds and "CODE" in marks and self.nameless is not None):
            self._proposes(parts, start, end)
        elif kinds & _PLAIN.keys():
            return self._plainly(parts, start, end)
        elif kinds & DO:
            made = action_of(parts, self.position, self.last)
            if not isinstance(made.action, Problem):
                self._wonders(made.action, parts)
                return [self._link(made.action, parts, start, end, made.warnings)]
            self.add(made.action, start, end, made.caret)
        else:
            return self._answers_year(parts, start, end)
        return []

    def _answers_year(self, parts: Parts, start: int, end: int) -> list[Link]:
        """An answer at the year's start, or what belongs to one, or to an offer."""
        way = way_of(parts, self.position)
        if isinstance(way, o.Way):
            return [self._link(way, parts, start, end)]
        old = self.latest
        if old is not None and isinstance(old.order, o.Offer) and parts.marks.keys() & _TERMS:
            old.ask()  # `Expires in 12 hours.`
        if way is not None or not self._adds_to_year(parts):
            self.put(way, start, end)
            arms = arms_of(parts, self.position) if way is None else {}
            self.armed = (self.entries[-1], arms) if arms else self.armed
        return []

    def _with_head(self, segment: list[Lexeme]) -> list[Lexeme]:
        """`if they are gone, go for Cyrene`: with the action of the order before."""
        kinds = {x.kind for x in segment}
        old = self.latest.order if self.latest is not None else None
        if kinds & HEADS or not {"CONDITION", "WHO"} <= kinds or not isinstance(old, o.Do):
            return segment
        start = segment[0].start
        return [segment[0], Lexeme(ACTIONS_OF[old.ways[-1].kind], "", start, start), *segment[1:]]

    def _link(
        self,
        way: o.Action | o.Way | o.Pass,
        parts: Parts,
        start: int,
        end: int,
        warnings: Sequence[Problem] = (),
    ) -> Link:
        led = parts.marks.get("CONDITION")
        condition = self.conditions[led.value or 0] if led is not None else None
        every = bool(parts.marks.keys() & {"EVERYYEAR", "EVERYSEASON", "ALWAYS"})
        orelse = "ORELSE" in parts.marks
        if self.armed is not None and isinstance(way, o.Way) and not way.fear:
            half, arms = self.armed
            if all(getattr(way, name) is None for name in arms):
                self.entries.remove(half)
                start, self.armed, way = half.start, None, replace(way, **arms)
        if self.blessed is not None and isinstance(way, o.Action) and not orelse:
            self.entries.remove(self.blessed)
            start, self.blessed = self.blessed.start, None
            way = replace(way, boon=True)
        return Link(way, start, end, condition, orelse, every, tuple(warnings))

    def _plainly(self, parts: Parts, start: int, end: int) -> list[Link]:
        order = _PLAIN[next(head.kind for head in parts.heads if head.kind in _PLAIN)]
        if isinstance(order, o.CancelAll) and any(x.order == order for x in self.entries):
            return []
        if isinstance(order, o.Pass) and parts.marks.keys() & {"CONDITION", "ORELSE"}:
            return [self._link(order, parts, start, end)]
        beside = next((x for x in parts.common if x.text not in _THRONE), None)
        if isinstance(order, o.Abdicate | o.Claim) and beside is not None:
            self.add(NOT_UNDERSTOOD, start, end, beside)
        else:
            self.add(NOT_UNDERSTOOD if parts.loose else order, start, end)
        return []

    def _adds_to_action(self, parts: Parts, segment: Sequence[Lexeme]) -> bool:
        """`Spare their buildings.`, `Use the boon.`, `With 3.`: told behind the action it goes
        with.
        """
        old = self.latest
        near = old is not None and old.number >= self.number - 1
        wants = near and old is not None and POINTS_MISSING in old.warnings and bool(parts.amounts)
        if old is None or not (wants or parts.marks.keys() & {"SPARE", "BURN", "BOON", "NOBOON"}):
            return False
        if not isinstance(old.order, o.Do):
            return False
        order = amended(old.order, segment, self.position)
        if order is not None:
            old.order, old.end = order, segment[-1].end
            if wants:
                old.warnings.clear()
        return order is not None

    def _wonders(self, action: o.Action, parts: Parts) -> None:
        """`research with 2: something with boats`: the idea needs a code, so we ask (SS-7.5)."""
        vague, code = parts.marks.get("VAGUE"), parts.marks.get("CODE")
        if code is not None and code.text.endswith("?"):
            vague = parts.marks.get("NAME")
        if vague is not None:
            entry = self.add(NOT_UNDERSTOOD, vague.start, vague.end, vague)
            proposal = suggested(vague.text, code.text if code else "")
            if proposal is not None:
                entry.suggested = o.Do((replace(action, proposal=proposal),))
            self.nameless = entry, vague  # `It lets us build a wall.` may follow

    def _adds_to_year(self, parts: Parts) -> bool:
        """`rebellion roll with 2`, told behind the answer it belongs to."""
        old = next((x for x in reversed(self.standing) if isinstance(x.order, o.Year)), None)
        more = arms_of(parts, self.position)
        if old is None or not isinstance(old.order, o.Year) or not more or len(old.order.ways) > 1:
            return False
        way = old.order.ways[0]
        if way.fear or any(getattr(way, name) is not None for name in more):
            return False
        old.order = replace(old.order, ways=(replace(way, **more),))
        return True

    def _objects(self, segment: Sequence[Lexeme], start: int, end: int) -> None:
        found = objection_of(segment)
        entry = self.add(found, start, end)
        self.unargued = entry if isinstance(found, o.Object) else None

    def _trades(self, segment: Sequence[Lexeme], start: int, end: int) -> None:
        """An offer, or what the offer before lacks: `in return we want their steel`."""
        old = self.entries[-1] if self.entries else None
        if old is not None and isinstance(old.order, o.Offer):
            whole = offers_of(segment, self.position, old.order)
            if isinstance(whole, list) and whole[0] != old.order:
                old.order, old.end = whole[0], end
                return
            if all(x.kind != "WHO" for x in segment):
                old.ask()  # it says more of the offer, and is not understood
        self.put(offers_of(segment, self.position), start, end)

    def _builds(self, parts: Parts, start: int, end: int) -> None:
        wrong = _beside_building(parts)
        if not parts.buildings or wrong is not None:
            self.add(NOT_UNDERSTOOD, start, end, wrong)
            return
        for building in parts.buildings:
            code = BUILDINGS[building.kind]
            order: o.Order = o.Build(code)
            if code == "BLD-WORKS":
                letter = next((one.attribute for one in parts.amounts if one.attribute), "R")
                order = o.Build(f"{code} {letter}")
            if code == "BLD-CAMP" and not any(head.kind == "BUILD" for head in parts.heads):
                order = o.Camp()
            self.add(order, start, end)

    def _proposes(self, parts: Parts, start: int, end: int) -> None:
        """A technology for an open discovery, or for the research before it (SS-7.2)."""
        name, code = parts.marks.get("NAME"), parts.marks.get("CODE")
        if name is None and code is not None and self.wonders:
            name = self.topic
        if (
            self.wonders
            and self.topic is not None
            and self.topic.kind == "NAMED"
            and code is not None
        ):
            name = self.topic
        if name is None and code is not None and self.nameless is not None:
            half, name = self.nameless
            self.nameless, start = None, half.start
            self.entries.remove(half)
        if name is None or code is None or code.text.endswith("?") or parts.loose:
            entry = self.add(NOT_UNDERSTOOD, start, end, name or code)
            if name is not None and not parts.loose:
                proposal = suggested(name.text, code.text if code else "")
                entry.suggested = o.Propose(proposal) if proposal is not None else None
            if name is not None and code is None:
                self.nameless = entry, name
            return
        proposal = proposal_of({**parts.marks, "NAME": name, "CODE": code}, self.position)
        old = self.entries[-1] if self.entries else None
        if old is not None and isinstance(old.order, o.Do) and len(old.order.ways) == 1:
            way = old.order.ways[0]
            if way.kind == "Research" and way.proposal is None:
                old.order = replace(old.order, ways=(replace(way, proposal=proposal),))
                old.end = end
                return
        self.add(o.Propose(proposal), start, end)

    # ------------------------------------------------------------------------------- the set-up
    def _sets_up(self, lexemes: Sequence[Lexeme]) -> bool:
        """Numbers and a name, told together or apart."""
        if any(x.kind in HEADS - {"PROPOSE"} for x in lexemes):
            return False
        told = counts_of(parts_of(lexemes), lexemes)
        start, end = lexemes[0].start, lexemes[-1].end
        if isinstance(told, Lexeme):
            self.add(NOT_UNDERSTOOD, start, end, told)
        elif told is not None:
            self.split(told, start, end)
        return told is not None

    def split(self, told: Mapping[str, int], start: int, end: int) -> None:
        """Add the numbers and the name of this sentence to those before."""
        known = self.set_up
        splits = (entry for entry in reversed(self.entries) if isinstance(entry.order, o.Split))
        old = next(splits, None)
        known.counts |= told
        known.named = known.name or known.named
        order = split_of(known.counts, known.named)
        if order is None:
            known.half = known.half or (start, end, self.number)
        elif old is not None:
            old.order = order
        else:
            known.half = None
            self.add(order, start, end)

    def close(self) -> None:
        """Numbers of a split that is not whole, or without any; a name alone is that of the split
        that stands.
        """
        counts, named = self.set_up.counts, self.set_up.named
        if self.set_up.half is not None:
            start, end, self.number = self.set_up.half
            year = o.Year((o.Way(points=counts.get("H")),))  # said in the wrong phase
            self.add(year if counts.keys() == {"H"} else NOT_UNDERSTOOD, start, end)
        elif named and not self.entries:
            split = next((x for x in self.position.standing if isinstance(x, o.Split)), None)
            order = replace(split, name=named) if split is not None else NOT_UNDERSTOOD
            self.add(order, 0, len(self.plain.text.rstrip()))


def _beside_building(parts: Parts) -> Lexeme | None:
    """What does not belong to a building: points of another attribute, another's building that
    burns.
    """
    works = any(one.kind == "BWORKS" for one in parts.buildings)
    fine = {"R", None, *(("M", "H") if works else ())}
    wrong = [*parts.loose, *(one.lexeme for one in parts.amounts if one.attribute not in fine)]
    wrong += [head for head in parts.heads if head.kind in DO]
    wrong += [parts.marks[name] for name in ("BURN", "NOBOON") if name in parts.marks]
    if parts.head("BUILD") is None:
        wrong += [x for x in parts.lexemes if x.kind == "PROSE"]  # `back from hospital`
        if any(one.kind not in _USED for one in parts.buildings):
            wrong += [x for x in parts.lexemes if x.text.startswith("use")]  # `use the hospital`
    return wrong[0] if wrong else None


_USED = frozenset({"BWORKS", "BCAMP"})
"""Buildings whose effect is called for."""


def _is_built(parts: Parts) -> bool:
    """Whether it only builds buildings: it burns none, and none helps a roll."""
    return "BURN" not in parts.marks and all(one.attribute != "H" for one in parts.amounts)
