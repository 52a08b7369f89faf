"""One message, sentence by sentence: what orders, what turns or takes back what was ordered, and
what is talk beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from msgspec.structs import replace

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from engine.sovereigns.checking.actions import kingdoms_of
from engine.sovereigns.reading import parse_order
from engine.sovereigns.wording import NOBODY
from pbem.games.sovereigns.reading.acting import Made, action_of, proposal_of
from pbem.games.sovereigns.reading.carving import carved
from pbem.games.sovereigns.reading.conditions import condition_of
from pbem.games.sovereigns.reading.entries import NOT_UNDERSTOOD, POINTS_MISSING, Entry
from pbem.games.sovereigns.reading.pieces import (
    AMOUNTS,
    ANSWER,
    BUILDING_KINDS,
    DO,
    HEADS,
    JOINTS,
    TRADE,
    Parts,
    parts_of,
    segments,
)
from pbem.games.sovereigns.reading.revising import ACTIONS_OF, amended, inherited, is_rival
from pbem.games.sovereigns.reading.scene import Scene
from pbem.games.sovereigns.reading.setting import counts_of, name_in, split_of, with_triple
from pbem.games.sovereigns.reading.trading import answers_of, offers_of
from pbem.games.sovereigns.reading.trying import tried
from pbem.games.sovereigns.reading.turning import (
    addresses,
    asks,
    flat,
    forbids,
    is_doubt,
    is_material,
    judge,
    sorry,
    turn_in,
)
from pbem.games.sovereigns.reading.voting import (
    forgotten,
    objection_of,
    vote_of,
    with_votes,
)
from pbem.games.sovereigns.reading.words import BUILDINGS
from pbem.games.sovereigns.reading.yearly import arms_of, way_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.rings import Judged, Ring, shades
from pbem.grammar.kit.sentences import Sentence
from pbem.grammar.kit.slots import SILENT

_TALKS = frozenset({"COMMON", "OTHER", "STATEMENT", "WORD"})
UNNAMED = frozenset({0})
MOST_EXACT = 2200
"""No canonical text is longer."""
_REVISING = frozenset({"correct", "soft", "instead", "retract"})
_THRONE = frozenset({"throne", "crown", "seat", "who", "stop", "fall", "today", "kingdom"})
_PLAIN: dict[str, o.Order] = {
    "PASS": o.Pass(),
    "DONE": o.Done(),
    "CANCELALL": o.CancelAll(),
    "ABDICATE": o.Abdicate(),
    "CLAIM": o.Claim(),
}


@dataclass(slots=True)
class Link:
    """One way of a chain of alternatives, and what leads it."""

    way: o.Action | o.Way | o.Pass
    start: int
    end: int
    condition: o.Condition | None = None
    orelse: bool = False
    every: bool = False
    warnings: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class Message:
    """One message on its way through."""

    plain: Plain
    text: str
    scene: Scene
    entries: list[Entry] = field(default_factory=list)
    shade: bool = False
    """A heading turns the lines below it."""
    pending: str = ""
    """A cue that nothing has followed yet."""
    lost: bool = False
    """The message says itself that it does not count."""
    corrected: bool = False
    last: int | None = None
    """The kingdom spoken of last."""
    order_like: bool = False
    numbered: int = -1
    """The last sentence with numbers of a split."""
    name: str = ""
    """What the kingdom is called in the sentence that is read."""
    named: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    nameless: tuple[Entry, Lexeme] | None = None
    """A proposal that has a name and no effect yet."""
    halves: tuple[int, ...] = ()
    """Where numbers of a split stand that is not whole yet."""
    unargued: Entry | None = None
    """An objection without its reason, which may follow."""

    @property
    def standing(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.stands]

    # -------------------------------------------------------------------------------- sentences
    def sentence(self, sentence: Sentence, number: int) -> None:
        """Take one sentence in."""
        lexemes = flat(sentence, self.text)
        if not lexemes:
            return
        if self._takes_exact(sentence, number):
            return
        lexemes = with_votes(self._with_conditions(lexemes), self.text)
        self.name = ""
        if self.scene.state.stage == "setup":
            lexemes = with_triple(lexemes)
            numbered = any(x.kind in {"NUM", "TRIPLE"} for x in lexemes)
            near = number == self.numbered + 1 and not self.named and bool(self.counts)
            alone = numbered or near
            self.name, lexemes = name_in(lexemes, self.plain, alone=alone)
            self.numbered = number if numbered else self.numbered
        if addresses(lexemes, self.scene.me):
            self._remember(lexemes)
            return
        if self._takes_away(lexemes):
            return
        waits = any(not one.name for one in self.scene.own.discoveries)
        lexemes = carved(lexemes, self.plain, self.text, invents=waits)
        judged = judge(lexemes, self.scene.me)
        if not self.standing and sorry(judged):
            judged = judged[1:]
        material = is_material(judged)
        if material and not self.shade and not asks(sentence, judged):
            rest = self._tries(lexemes, number)
            if rest is not lexemes:
                lexemes = rest
                judged = judge(lexemes, self.scene.me)
                material = is_material(judged)
        self.lost |= any(one.clause.cue == "draft" for one in judged)
        cued = any(one.clause.cue in _REVISING for one in judged)
        turn = turn_in(judged, self.plain) if material else None
        if asks(sentence, judged):
            if material and is_doubt(judged):
                self._tell(sentence, number, None)
        elif material and (self.shade or turn is not None):
            if cued:
                self._ask_all()
            self._tell(sentence, number, turn)
        elif material:
            self._orders(judged, number)
        else:
            self._talk(sentence, judged, number)
        self._remember(lexemes)
        last = judged[-1].clause if judged else None
        if last is not None and last.cue and not last.lexemes and last.cue != "soft":
            self.pending = last.cue if self.standing else ""
        if shades(sentence, judged):
            self.shade = True
        elif sentence.ended == "PARA":
            self.shade = False

    def _tries(self, lexemes: list[Lexeme], number: int) -> list[Lexeme]:
        """Take a free-form action; what is left of the sentence is what corrects it."""
        cue = next((i for i, x in enumerate(lexemes) if x.kind == "CUE"), len(lexemes))
        said = lexemes[:cue]
        free = tried(said, self.plain, self.scene) if said else None
        if free is None:
            return lexemes
        links: list[Link] = []
        start, end = said[0].start, said[-1].end
        self._link(free, parts_of(said), links, start, end, number)
        self._chain(links, number)
        self._remember(said)
        return lexemes[cue:]

    def _takes_away(self, lexemes: Sequence[Lexeme]) -> bool:
        """`no, no vault`, `actually don't attack`, `sorry, not Cyrene, Borland`: it denies a part of
        what was said.
        """
        words = [x for x in lexemes if x.kind not in SILENT | JOINTS or x.kind == "CUE"]
        solid = [x for x in words if x.kind != "CUE"]
        if not self.standing or not solid or solid[0].kind != "NEG" or solid == words:
            return False
        rest = {x.kind for x in solid[1:]}
        for entry in reversed(self.standing):
            order = entry.order
            built = isinstance(order, o.Build) and len(rest) == 1
            if built and BUILDINGS.get(next(iter(rest)), "-") in str(order.building):  # type: ignore[union-attr]
                self.entries.remove(entry)
                return True
            if isinstance(order, o.Do) and {ACTIONS_OF[order.ways[0].kind]} == rest:
                self.entries.remove(entry)
                return True
        behind = [x for x in lexemes if x.kind != "CUE"]
        while behind and behind[0].kind in JOINTS:
            behind = behind[1:]
        last = self.standing[-1]
        order = amended(cast("o.Order", last.order), behind, self.scene) if len(rest) < 3 else None
        if order is not None and len(solid) > 2:
            last.order = order
            self.corrected = True
            return True
        if rest & (AMOUNTS | BUILDING_KINDS | HEADS | {"WHO", "NUM"}) and not rest & _TALKS:
            last.ask()
            return True
        return False

    def _remember(self, lexemes: Sequence[Lexeme]) -> None:
        for lexeme in lexemes:
            if lexeme.kind == "WHO" and lexeme.value and lexeme.value not in {self.scene.me, -1}:
                self.last = lexeme.value

    def _takes_exact(self, sentence: Sentence, number: int) -> bool:
        """Take a canonical text for what it is, in whatever phase."""
        inside = sentence.lexemes
        if not inside or self.shade or self.pending:
            return False
        start, end = inside[0].start, inside[-1].end
        if end - start > MOST_EXACT:
            return False
        try:
            order = parse_order(self.scene.state, self.plain.quote(start, end))
        except ValueError:
            return False
        if UNNAMED.intersection(numbers_of(order)) and NOBODY not in self.text:
            return False
        if isinstance(order, o.Build) and not order.building.startswith("BLD-"):
            return False
        self._add(order, start, end, number)
        self._remember(inside)
        return True

    def _with_conditions(self, lexemes: Sequence[Lexeme]) -> list[Lexeme]:
        """Conditions on public facts as one lexeme each."""
        found: list[Lexeme] = []
        at, last = 0, self.last
        while at < len(lexemes):
            lexeme = lexemes[at]
            if lexeme.kind == "WHO" and lexeme.value and lexeme.value != self.scene.me:
                last = lexeme.value
            taken = condition_of(lexemes[at : at + 16], self.scene.me, last)
            if taken is None:
                found.append(lexeme)
                at += 1
                continue
            condition, count = taken
            self.conditions.append(condition)
            whole = Lexeme("CONDITION", lexeme.text, lexeme.start, lexemes[at + count - 1].end)
            found.append(replace(whole, value=len(self.conditions) - 1))
            at += count
            if condition.kingdom != self.scene.me:
                self.last = last = condition.kingdom
        return found

    conditions: list[o.Condition] = field(default_factory=list)

    def close(self) -> None:
        """The end of the message: what hangs in the air takes back what was said."""
        if self.halves:
            start, end, number = self.halves
            year = o.Year((o.Way(points=self.counts.get("H")),))
            alone = set(self.counts) == {"H"}
            self._add(year if alone else NOT_UNDERSTOOD, start, end, number)
        if self.pending or self.lost:
            self._ask_all()

    def _tell(self, sentence: Sentence, number: int, turn: Lexeme | None) -> None:
        """It is not understood, all of it."""
        lexemes = sentence.lexemes
        start, end = lexemes[0].start, lexemes[-1].end
        self.entries.append(Entry(NOT_UNDERSTOOD, start, end, number, turn))

    def _ask_all(self) -> None:
        for entry in self.entries:
            entry.ask()

    def _talk(self, sentence: Sentence, judged: Sequence[Judged], number: int) -> None:
        """A sentence that orders nothing may take back what was said, or hang a condition on it."""
        if self.unargued is not None and isinstance(self.unargued.order, o.Object):
            lexemes = sentence.lexemes
            first = self.unargued.start if self.unargued.order.why else lexemes[0].start
            if lexemes and self.unargued.order.why:
                first = self.text.find(":", self.unargued.start) + 1 or first
            whole = " ".join(self.plain.quote(first, lexemes[-1].end).split()) if lexemes else ""
            if not self.unargued.order.why or whole.startswith(self.unargued.order.why):
                self.unargued.order = replace(self.unargued.order, why=whole)
            self.unargued = None if sentence.ended in {"NL", "PARA", ""} else self.unargued
            return
        self.unargued = None
        if self.name and (self.counts or self.standing):
            self._splits({}, 0, 0, number)
            return
        cues = {one.clause.cue for one in judged} - {""}
        told = any(one.ring is Ring.TOLD for one in judged)
        if "retract" in cues or forbids(sentence.lexemes, cued=bool(cues)) or (self.standing and _leaves(sentence.lexemes)):
            self._ask_all()
        elif cues & {"correct", "instead"} and not told and self.standing and sentence.lexemes:
            self._ask_all()
            self._tell(sentence, number, None)

    # ----------------------------------------------------------------------------------- orders
    def _orders(self, judged: Sequence[Judged], number: int) -> None:
        """The orders of a sentence, cue by cue."""
        part, cue = list[Lexeme](), self.pending
        self.pending = ""
        for one in judged:
            clause = one.clause
            if clause.cue in _REVISING:
                self._part(part, cue, number)
                part, cue = [], clause.cue
            if one.ring is Ring.ORDER and clause.lexemes:
                if clause.joint and part:
                    start = clause.lexemes[0].start
                    part.append(Lexeme(clause.joint, "", start, start))
                part += clause.lexemes
        self._part(part, cue, number)
        said = [entry for entry in self.entries if entry.number == number]
        chained = any(
            x.kind in {"ORELSE", "CONDITION"} for one in judged for x in one.clause.lexemes
        )
        if chained and any(not entry.stands for entry in said):
            for entry in said:
                entry.ask()
        said = [entry for entry in said if entry.stands]
        if not {o.Do, o.Pass} - {type(entry.order) for entry in said}:
            for entry in said:  # `nothing this season, and attack`
                if isinstance(entry.order, o.Do | o.Pass):
                    entry.ask()

    def _part(self, lexemes: Sequence[Lexeme], cue: str, number: int) -> None:
        """Lexemes behind one cue."""
        if all(x.kind in SILENT | JOINTS | {"SAMENUMBERS"} for x in lexemes):
            return
        if cue:
            self._revise(lexemes, cue, number)
        else:
            self._take(lexemes, number)

    def _revise(self, lexemes: Sequence[Lexeme], cue: str, number: int) -> None:
        """What stands behind `no wait`, `I mean`, `scratch that`."""
        self.corrected = True
        before = self.standing
        last = before[-1] if before else None
        kinds = {x.kind for x in lexemes if x.kind not in SILENT | JOINTS}
        if last is None and cue == "soft" and kinds == {"WHO"}:
            return  # `Sorry Chloé, ...`
        headed = any(x.kind in HEADS for x in lexemes)
        if last is not None and isinstance(last.order, o.Order) and not headed:
            order = amended(last.order, lexemes, self.scene)
            if order is not None:
                last.order = order
                if _names_points(lexemes):
                    last.warnings.clear()
                return
        known = len(self.entries)
        self._take(lexemes, number)
        fresh = self.entries[known:]
        del self.entries[known:]
        if cue == "retract" and fresh and all(entry.stands for entry in fresh):
            self.entries = [entry for entry in self.entries if not entry.stands]
            self.entries += fresh
            return
        for entry in fresh:
            self._replace(entry, cue)

    def _replace(self, entry: Entry, cue: str) -> None:
        """A new line in the place of the one it corrects."""
        order = entry.order
        if isinstance(order, Problem):
            if cue != "soft":
                for old in self.standing[-1:]:
                    old.ask()
            self.entries.append(entry)
            return
        rival = next(
            (old for old in reversed(self.standing) if is_rival(cast("o.Order", old.order), order)),
            None,
        )
        if rival is not None:
            missing = POINTS_MISSING in entry.warnings
            entry.order, missing = inherited(cast("o.Order", rival.order), order, missing=missing)
            entry.warnings = [POINTS_MISSING] if missing else []
            self.entries.remove(rival)
        elif cue == "instead" and self.standing and isinstance(self.standing[-1].order, o.Answer):
            pass  # `decline offer 4; offer ... instead`
        elif cue != "soft" and self.standing:
            self.standing[-1].ask()
            entry.ask()
        self.entries.append(entry)

    def _take(self, lexemes: Sequence[Lexeme], number: int) -> None:
        if self.scene.state.stage == "setup" and self._sets_up(lexemes, number):
            return
        links: list[Link] = []
        for segment in segments(lexemes):
            solid = [x for x in segment if x.kind not in SILENT | JOINTS]
            if not solid:
                continue
            self._segment(segment, solid, links, number)
        self._chain(links, number)

    def _segment(
        self, segment: list[Lexeme], solid: list[Lexeme], links: list[Link], number: int
    ) -> None:
        while segment and segment[0].kind in JOINTS:
            segment = segment[1:]
        parts = parts_of(segment)
        kinds = {head.kind for head in parts.heads}
        start, end = solid[0].start, solid[-1].end
        marks = parts.marks.keys()
        if kinds & {"VOTE"} or marks & {"WON", "NOTWON"}:
            self._put(vote_of(segment, self.scene), start, end, number)
        elif kinds & {"OBJECT"}:
            found = objection_of(segment)
            self._put(found, start, end, number)
            if isinstance(found, o.Object):
                self.unargued = self.entries[-1]
        elif kinds & {"FORGETS"}:
            self._put(forgotten(segment, self.scene), start, end, number)
        elif kinds & ANSWER:
            self._answers(segment, start, end, number)
        elif kinds & TRADE:
            self._trades(segment, start, end, number)
        elif kinds & {"BUILD"} or (parts.buildings and not kinds and not _is_yearly(parts)):
            self._builds(parts, start, end, number)
        elif kinds & {"PROPOSE"} or (not kinds and "CODE" in marks and self.nameless is not None):
            self._proposes(segment, parts, start, end, number)
        elif kinds & _PLAIN.keys():
            self._plain(parts, links, start, end, number)
        elif kinds & DO:
            made = action_of(parts, self.scene, self.last)
            self._link(made, parts, links, start, end, number)
        else:
            way = way_of(parts, self.scene)
            if way is None and self._adds_to_year(parts):
                return
            if isinstance(way, o.Way):
                self._link_way(way, parts, links, start, end)
            else:
                self._add(NOT_UNDERSTOOD, start, end, number, way)

    def _adds_to_year(self, parts: Parts) -> bool:
        """`rebellion roll with 2`, told behind the answer it belongs to."""
        old = next((x for x in reversed(self.standing) if isinstance(x.order, o.Year)), None)
        more = arms_of(parts, self.scene)
        if old is None or not isinstance(old.order, o.Year) or not more or len(old.order.ways) > 1:
            return False
        way = old.order.ways[0]
        if way.fear or any(getattr(way, name) is not None for name in more):
            return False
        old.order = replace(old.order, ways=(replace(way, **more),))
        return True

    def _link(
        self, made: Made, parts: Parts, links: list[Link], start: int, end: int, number: int
    ) -> None:
        if isinstance(made.action, Problem):
            self._add(made.action, start, end, number, made.caret)
            return
        self._link_way(made.action, parts, links, start, end, made.warnings)

    def _link_way(
        self,
        way: o.Action | o.Way | o.Pass,
        parts: Parts,
        links: list[Link],
        start: int,
        end: int,
        warnings: Sequence[Problem] = (),
    ) -> None:
        marks = parts.marks
        led = marks.get("CONDITION")
        condition = self.conditions[led.value or 0] if led is not None else None
        every = bool(marks.keys() & {"EVERYYEAR", "EVERYSEASON", "ALWAYS"})
        links.append(Link(way, start, end, condition, "ORELSE" in marks, every, list(warnings)))

    def _chain(self, links: Sequence[Link], number: int) -> None:
        """Alternatives as one order (SS-9.4)."""
        at = 0
        while at < len(links):
            chain = [links[at]]
            at += 1
            while at < len(links) and self._follows(chain, links[at]):
                chain.append(links[at])
                at += 1
            order = self._ordered(chain)
            if self._goes_on_from(chain):
                continue
            entry = self._add(order, chain[0].start, chain[-1].end, number)
            entry.warnings += [problem for link in chain for problem in link.warnings]

    def _goes_on_from(self, chain: Sequence[Link]) -> bool:
        """`otherwise ...`, `if they are gone, ...` in a sentence of its own: another way of the
        order before.
        """
        old = self.entries[-1] if self.entries else None
        first = chain[0]
        inner = old.order.order if old is not None and isinstance(old.order, o.Every) else None
        order = inner if inner is not None else old.order if old is not None else None
        if old is None or not isinstance(order, o.Do | o.Year):
            return False
        last = order.ways[-1]
        gone = isinstance(last, o.Action) and first.condition == o.Condition(
            "fallen", last.target or 0
        )
        if not (gone or (first.orelse and first.condition is None)):
            return False
        ways = [link.way for link in chain if not isinstance(link.way, o.Pass)]
        if not all(isinstance(way, type(last)) for way in ways):
            old.ask()
            return True
        whole = replace(order, ways=(*order.ways, *ways))
        old.order = o.Every(whole) if inner is not None else whole
        old.end = chain[-1].end
        old.warnings += [problem for link in chain for problem in link.warnings]
        return True

    def _follows(self, chain: Sequence[Link], link: Link) -> bool:
        first = chain[0]
        if link.orelse:
            return True
        if link.condition is None:
            return False
        last = chain[-1].way
        gone = isinstance(last, o.Action) and link.condition == o.Condition(
            "fallen", last.target or 0
        )
        excepts = isinstance(first.way, o.Way) and first.condition is None and len(chain) == 1
        return gone or excepts

    def _ordered(self, chain: Sequence[Link]) -> o.Order | Problem:
        links = list(chain)
        condition = links[0].condition
        if len(links) == 2 and links[1].condition is not None and isinstance(links[1].way, o.Way):
            if not links[1].orelse:
                links.reverse()
                condition = links[0].condition
        ways = [link.way for link in links if not isinstance(link.way, o.Pass)]
        every = any(link.every for link in links)
        order: o.Order
        if all(isinstance(way, o.Action) for way in ways) and ways:
            order = o.Do(tuple(way for way in ways if isinstance(way, o.Action)), condition)
        elif all(isinstance(way, o.Way) for way in ways) and ways:
            order = o.Year(tuple(way for way in ways if isinstance(way, o.Way)), condition)
        else:
            return NOT_UNDERSTOOD
        return o.Every(order) if every else order

    # ------------------------------------------------------------------------------- the set-up
    def _sets_up(self, lexemes: Sequence[Lexeme], number: int) -> bool:
        """Numbers and a name, told together or apart."""
        if any(x.kind in HEADS - {"PROPOSE"} for x in lexemes):
            return False
        words = list(lexemes)
        told = counts_of(parts_of(words), words)
        start, end = words[0].start, words[-1].end
        if isinstance(told, Lexeme):
            self._add(NOT_UNDERSTOOD, start, end, number, told)
            return True
        return told is not None and self._splits(told, start, end, number)

    def _splits(self, told: Mapping[str, int], start: int, end: int, number: int) -> bool:
        """Numbers and the name of this sentence, put to what was told before."""
        old = next((entry for entry in self.entries if isinstance(entry.order, o.Split)), None)
        split = old.order if old is not None and isinstance(old.order, o.Split) else None
        counts = dict(self.counts)
        if split is not None:
            counts = {"R": split.resources, "M": split.military, "H": split.harmony}
        counts |= told
        self.counts = counts
        self.named = self.name or self.named
        order = split_of(counts, self.named)
        if order is None:
            self.halves = (start, end, number) if not self.halves else self.halves
        elif old is not None:
            old.order = order
        else:
            self.halves = ()
            self._add(order, start, end, number)
        return True

    # ------------------------------------------------------------------------------ other orders
    def _plain(self, parts: Parts, links: list[Link], start: int, end: int, number: int) -> None:
        head = next(head for head in parts.heads if head.kind in _PLAIN)
        order = _PLAIN[head.kind]
        led = parts.marks.get("CONDITION")
        if isinstance(order, o.Pass) and (led is not None or "ORELSE" in parts.marks):
            condition = self.conditions[led.value or 0] if led is not None else None
            links.append(Link(o.Pass(), start, end, condition, "ORELSE" in parts.marks))
            return
        if isinstance(order, o.Abdicate | o.Claim) and any(
            x.text not in _THRONE for x in parts.common
        ):
            self._add(NOT_UNDERSTOOD, start, end, number, parts.common[0])
            return
        self._add(NOT_UNDERSTOOD if parts.loose else order, start, end, number)

    def _answers(self, segment: Sequence[Lexeme], start: int, end: int, number: int) -> None:
        found = answers_of(segment, self.scene, alone=True)
        if found is None:
            return
        self._put(found, start, end, number)

    def _trades(self, segment: Sequence[Lexeme], start: int, end: int, number: int) -> None:
        """An offer, or what the offer before lacks: `in return we want their steel`."""
        old = self.entries[-1] if self.entries else None
        if old is not None and isinstance(old.order, o.Offer):
            whole = offers_of(segment, self.scene, old.order)
            if isinstance(whole, list) and whole[0] != old.order:
                old.order, old.end = whole[0], end
                return
        self._put(offers_of(segment, self.scene), start, end, number)

    def _put(
        self,
        found: Sequence[o.Order] | o.Order | Problem | Lexeme,
        start: int,
        end: int,
        number: int,
    ) -> None:
        if isinstance(found, Lexeme):
            self._add(NOT_UNDERSTOOD, start, end, number, found)
        elif isinstance(found, Problem | o.Order):
            self._add(found, start, end, number)
        else:
            for order in found:
                self._add(order, start, end, number)

    def _builds(self, parts: Parts, start: int, end: int, number: int) -> None:
        if not parts.buildings or parts.loose:
            self._add(NOT_UNDERSTOOD, start, end, number, next(iter(parts.loose), None))
            return
        for building in parts.buildings:
            code = BUILDINGS[building.kind]
            order: o.Order = o.Build(code)
            if code == "BLD-WORKS":
                letter = next((one.attribute for one in parts.amounts if one.attribute), "R")
                order = o.Build(f"{code} {letter}")
            if code == "BLD-CAMP" and not any(head.kind == "BUILD" for head in parts.heads):
                order = o.Camp()
            self._add(order, start, end, number)

    def _proposes(
        self, segment: Sequence[Lexeme], parts: Parts, start: int, end: int, number: int
    ) -> None:
        name, code = parts.marks.get("NAME"), parts.marks.get("CODE")
        old = self.entries[-1] if self.entries else None
        if name is None and code is not None and self.nameless is not None:
            old, name = self.nameless
            self.nameless = None
            self.entries.remove(old)
            start = old.start
            old = self.entries[-1] if self.entries else None
        if name is None or code is None or code.text.endswith("?") or parts.loose:
            entry = self._add(NOT_UNDERSTOOD, start, end, number, name or code)
            if name is not None and code is None:
                self.nameless = (entry, name)
            return
        proposal = proposal_of({**parts.marks, "NAME": name, "CODE": code}, self.scene)
        if old is not None and isinstance(old.order, o.Do):
            way = old.order.ways[0]
            if way.kind == "Research" and way.proposal is None and len(old.order.ways) == 1:
                old.order = replace(old.order, ways=(replace(way, proposal=proposal),))
                old.end = end
                return
        self._add(o.Propose(proposal), start, end, number)

    def _add(
        self,
        order: o.Order | Problem,
        start: int,
        end: int,
        number: int,
        caret: Lexeme | None = None,
    ) -> Entry:
        entry = Entry(order, start, end, number, caret)
        self.entries.append(entry)
        return entry


def numbers_of(order: o.Order) -> set[int]:
    """The kingdoms that an order names."""
    match order:
        case o.Vote(_, claimant):
            return {claimant}
        case o.Offer(to):
            return {to}
        case o.Every(inner) | o.Redo(inner):
            return numbers_of(inner)
        case o.Do(ways, condition) | o.Year(ways, condition):
            named = {way.target for way in ways if isinstance(way, o.Action)}
            return {number for number in {*named, *kingdoms_of(condition)} if number is not None}
    return set()


def _leaves(lexemes: Sequence[Lexeme]) -> bool:
    """`ach, leave it`."""
    solid = [x for x in lexemes if x.kind not in SILENT]
    return len(solid) < 3 and any(x.text in {"leave it", "leave that"} for x in solid)


def _is_yearly(parts: Parts) -> bool:
    return any(one.attribute == "H" for one in parts.amounts)


def _names_points(lexemes: Sequence[Lexeme]) -> bool:
    return any(x.kind in {"NUM", "ALL", "HALF"} for x in lexemes)
