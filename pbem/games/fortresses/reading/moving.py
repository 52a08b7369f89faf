"""Attacks, moves and purchases: which units go from where to where (FW-11.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine.fortresses import orders as o
from engine.fortresses.atlas import zones
from engine.fortresses.refusals import refuse
from engine.fortresses.units import CODES, LAND_CODES, NONE, UnitCode, Units, one
from engine.ruleset import Problem
from pbem.games.fortresses.reading.lexing import AMBIGUOUS, meant_by, zone_of
from pbem.games.fortresses.reading.pieces import Amount, Joint, Piece, Place, Say
from pbem.games.fortresses.reading.scene import Scene, total
from pbem.grammar.kit.lexemes import Lexeme

NOT_UNDERSTOOD = refuse("not-understood")
_KNOWN = frozenset({"ATTACK", "MOVE", "BUY"})
_SILENT = frozenset({"THEN", "FIRST", "WITH"})


@dataclass(frozen=True, slots=True)
class Made:
    """An order, or what is wrong with the words for one, and the word it is about."""

    order: o.Line | Problem
    start: int
    end: int
    caret: Lexeme | None = None


@dataclass(slots=True)
class Force:
    """Units with where they are (or are to be bought), and the way they take."""

    units: list[Amount] = field(default_factory=list)
    place: Place | None = None
    land: Place | None = None
    via: list[Place] = field(default_factory=list)
    fresh: int = 0
    """How many of the units have come since the last joint."""
    joints: int = 0
    place_first: bool = False


@dataclass(slots=True)
class Step:
    """One target, or a list of purchases."""

    verb: Lexeme | None = None
    target: Place | None = None
    forces: list[Force] = field(default_factory=list)
    before_target: int = 0
    """So many forces were named before the target was, and so many units of the last of them."""
    units_before: int = 0
    bare: list[Place] = field(default_factory=list)
    loose: list[Lexeme] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)
    seen: list[Lexeme] = field(default_factory=list)
    """All its words."""

    @property
    def places(self) -> list[Lexeme]:
        return [lexeme for lexeme in self.seen if lexeme.kind == "PLACE"]

    @property
    def kind(self) -> str:
        return self.verb.kind if self.verb is not None else ""

    @property
    def is_bare_target(self) -> bool:
        """`attack France and ...`: with what?"""
        return self.kind == "ATTACK" and self.target is not None and not (self.forces or self.bare)

    @property
    def is_empty(self) -> bool:
        return not (self.forces or self.bare or self.target)


class Mover:
    """Goes once over the pieces of a run."""

    def __init__(self, pieces: Sequence[Piece], scene: Scene) -> None:
        self.pieces = pieces
        self.scene = scene
        self.steps = [Step()]
        solid = [piece for piece in pieces if not isinstance(piece, Joint)]
        self.last = solid[-1].lexeme if solid else None

    @property
    def step(self) -> Step:
        return self.steps[-1]

    def read(self) -> list[Step]:
        before: Piece = Joint("")
        for piece in self.pieces:
            match piece:
                case Joint():
                    for force in self.step.forces[-1:]:
                        force.joints += force.fresh > 0
                        force.fresh = 0
                case Amount():
                    self._amount(piece, before)
                case Place():
                    self._place(piece, before)
                case Say():
                    self._say(piece, before)
            if not isinstance(piece, Joint):
                self.step.seen.append(piece.lexeme)
            before = piece
        return self.steps

    def _say(self, say: Say, before: Piece) -> None:
        if say.kind in _KNOWN:
            self._verb(say.lexeme, before)
        elif say.kind in {"HOME", "THEM", "THERE"}:
            self.step.marks.add(say.kind)
        elif say.kind not in _SILENT:
            self.step.loose.append(say.lexeme)

    def _verb(self, verb: Lexeme, before: Piece) -> None:
        step = self.step
        subject = not isinstance(before, Joint | Say)
        if step.verb is None:
            step.verb = verb
        elif verb.kind == "ATTACK" and step.kind == "MOVE" and (verb is self.last or not subject):
            if step.target is None or verb is self.last:
                step.verb = verb  # `rides through Sweden and attacks Novgorod`
            else:
                self.steps.append(Step(verb))
        elif step.is_empty:
            step.loose.append(verb)
        else:
            last = step.forces.pop() if subject and len(step.forces) > 0 else None
            self.steps.append(Step(verb, forces=[last] if last is not None else []))

    def _amount(self, amount: Amount, before: Piece) -> None:
        step, forces = self.step, self.step.forces
        if step.bare and step.bare[-1] is before and not step.bare[-1].heads:
            if self.scene.is_base(zone_of(step.bare[-1].lexeme)):
                forces.append(Force(place=step.bare.pop()))  # `Baltic fleet`, `AQU 4L`
        last = forces[-1] if forces else None
        full = last is not None and last.place is not None and bool(last.units)
        if amount.excepted and last is not None:
            last.units.append(amount)
        elif last is None or (full and not last.place_first):
            forces.append(Force([amount], fresh=1))
        else:
            last.place_first = last.place_first or not last.units
            last.units.append(amount)
            last.fresh += 1

    def _place(self, place: Place, before: Piece) -> None:
        step = self.step
        forces = step.forces
        buys = step.kind == "BUY"
        if place.role == "via":
            if forces:
                forces[-1].via.append(place)
            else:
                step.loose.append(place.lexeme)
        elif buys and place.role == "from" and forces and forces[-1].place is not None:
            forces[-1].land = place
        elif place.role == "to" and not buys:
            self._target(place)
        elif place.role in {"from", "in", "to"}:
            self._origin(place)
        elif isinstance(before, Place) and before.role in {"from", "in", "to"} and not before.heads:
            step.loose.append(place.lexeme)
        elif step.kind == "ATTACK" and step.target is None and _is_attack(before):
            self._aim(place)
        elif place.heads and not step.is_empty and isinstance(before, Joint | Say) and not buys:
            self.steps.append(Step(step.verb))  # `... and France with 3L from Saxony`
            self.step.bare.append(place)
        elif isinstance(before, Amount) or buys or place.steps:
            self._origin(place)
        elif forces and forces[-1].place_first and isinstance(before, Joint):
            forces.append(Force(place=place))  # `AQU 4L 2K + CAS 1K`
        else:
            step.bare.append(place)

    def _origin(self, place: Place) -> None:
        forces = self.step.forces
        last = forces[-1] if forces else None
        if last is None:
            forces.append(Force(place=place))
        elif last.place is None:
            last.place = place
        elif last.place_first and 0 < last.fresh < len(last.units):
            if last.joints > 1:  # which of them are from there?
                self.step.loose.append(place.lexeme)
            units = last.units[-last.fresh :]
            del last.units[-last.fresh :]
            forces.append(Force(units, place))
        else:
            forces.append(Force(place=place))

    def _target(self, place: Place) -> None:
        step = self.step
        if step.target is None:
            self._aim(place)
            return
        moved = step.forces[step.before_target :]
        del step.forces[step.before_target :]
        head = step.forces[-1] if step.forces else None
        if head is not None and len(head.units) > step.units_before:
            moved = [Force(head.units[step.units_before :], head.place), *moved]
            del head.units[step.units_before :]
        if not step.forces or not moved:  # `attack X from A, to Y`: whose units are they?
            step.loose.append(place.lexeme)
        last = head.place if head is not None else None
        for force in moved:
            force.place = force.place or last
        theirs = [amount.lexeme for force in moved for amount in force.units]
        heading = [one for one in step.bare if last is None and one.lexeme is step.seen[0]]
        self.steps.append(Step(step.verb, forces=moved, bare=heading))
        self.step.seen = [lexeme for lexeme in step.seen if lexeme in theirs]
        step.seen = [lexeme for lexeme in step.seen if lexeme not in theirs]
        self._aim(place)

    def _aim(self, place: Place) -> None:
        step = self.step
        step.target, step.before_target = place, len(step.forces)
        step.units_before = len(step.forces[-1].units) if step.forces else 0


def _is_attack(piece: Piece) -> bool:
    return isinstance(piece, Say) and piece.kind == "ATTACK"


# ------------------------------------------------------------------------------------------- orders
def orders_of(pieces: Sequence[Piece], scene: Scene) -> Iterator[Made]:
    """What the pieces of a run come to."""
    kind, bought = "", list[o.Buy]()
    steps = [step for step in Mover(pieces, scene).read() if step.seen]
    shared = len(steps) > 1 and any(step.is_bare_target for step in steps)
    if shared or any(step.loose for step in steps):  # what is not understood may be any of them
        yield from (
            Made(NOT_UNDERSTOOD, *_span_of(step), next(iter(step.loose), None)) for step in steps
        )
        return
    for step in steps:
        kind = step.kind or kind
        made = list(_orders_of(step, kind, scene, bought))
        for one_made in made:
            if isinstance(one_made.order, o.Buy):
                bought.append(one_made.order)
            if not isinstance(one_made.order, Problem):
                scene.use(one_made.order)
        yield from made


def _orders_of(step: Step, kind: str, scene: Scene, bought: Sequence[o.Buy]) -> Iterator[Made]:
    start, end = _span_of(step)
    unclear = _unclear(step)
    if unclear is not None:
        yield replace(unclear, start=start, end=end)
        return
    if "THEM" in step.marks and bought and kind == "MOVE" and step.target and not step.forces:
        last = bought[-1]
        yield Made(o.Move(last.units, last.zone, zone_of(step.target.lexeme)), start, end)
        return
    if step.marks & {"THEM", "THERE"}:
        yield Made(NOT_UNDERSTOOD, start, end)
        return
    _place_bare(step, kind, scene)
    if step.bare:
        yield Made(NOT_UNDERSTOOD, start, end, step.bare[0].lexeme)
    elif kind == "BUY" or (not kind and scene.stage == "reinforce" and step.target is None):
        yield from _purchases(step, start, end)
    else:
        yield from _movements(step, kind, scene, start, end)


def _span_of(step: Step) -> tuple[int, int]:
    lexemes = [*step.seen, *(amount.lexeme for force in step.forces for amount in force.units)]
    return min(x.start for x in lexemes), max(x.end for x in lexemes)


def _unclear(step: Step) -> Made | None:
    """A place that may be several."""
    for place in step.places:
        if place.value == AMBIGUOUS:
            return Made(ambiguous("zone", meant_by(place)), 0, 0, place)
    return None


def ambiguous(what: str, choices: Sequence[str]) -> Problem:
    """What cannot be told apart, with the choices."""
    return refuse("ambiguous", what=what, choices=tuple(choices))


def _place_bare(step: Step, kind: str, scene: Scene) -> None:
    """Zones that no word leads: where units of ours are they set out, elsewhere they go."""
    left: list[Place] = []
    for place in step.bare:
        zone = zone_of(place.lexeme)
        open_force = next((force for force in step.forces if force.place is None), None)
        buys = kind == "BUY" or (not kind and scene.stage == "reinforce" and step.target is None)
        wants = buys or scene.is_base(zone)
        if wants and open_force is not None:
            open_force.place = place
        elif step.target is None and not buys:
            step.target = place
        else:
            left.append(place)
    step.bare = left


def _purchases(step: Step, start: int, end: int) -> Iterator[Made]:
    for force in step.forces:
        counted = all(amount.count is not None and not amount.excepted for amount in force.units)
        codes = [amount.code for amount in force.units]
        misplaced = force.place is None or force.place.role == "from"
        if force.place is None or misplaced or not (force.units and counted and _are_types(codes)):
            yield Made(NOT_UNDERSTOOD, start, end)
            continue
        units = total(_counted(amount) for amount in force.units)
        land = zone_of(force.land.lexeme) if force.land is not None else ""
        yield Made(o.Buy(units, zone_of(force.place.lexeme), land), start, end)
    if not step.forces:
        yield Made(NOT_UNDERSTOOD, start, end)


def _are_types(codes: Sequence[str]) -> bool:
    return all(code in CODES for code in codes)


def _counted(amount: Amount) -> Units:
    code = next(code for code in CODES if code == amount.code)
    return one(code, amount.count or 0)


def _movements(step: Step, kind: str, scene: Scene, start: int, end: int) -> Iterator[Made]:
    target = zone_of(step.target.lexeme) if step.target is not None else ""
    if not target:
        yield Made(NOT_UNDERSTOOD, start, end)
        return
    attacks = kind == "ATTACK" or (scene.stage == "attack" and not scene.is_ours(target))
    groups: list[o.Group] = []
    for force in step.forces or [Force()]:
        found = _group_of(force, step, scene, kept=scene.kept)
        if isinstance(found, Problem):
            yield Made(found, start, end)
            return
        units, origin, every = found
        via = tuple(zone_of(place.lexeme) for place in force.via)
        if attacks:
            groups.append(o.Group(units, origin, via))
        else:
            yield Made(o.Move(units, origin, target, via, every), start, end)
    if attacks:
        yield Made(o.Attack(target, tuple(groups)), start, end)


def _group_of(
    force: Force, step: Step, scene: Scene, *, kept: bool
) -> tuple[Units, str, o.Every] | Problem:
    codes = {amount.code for amount in force.units}
    if force.place is None:
        only = next((code for code in CODES if codes == {code}), None)
        where = () if only is None else scene.homes_of(only)
        if only is not None and "HOME" in step.marks:
            where = scene.away(only)
            if len(where) == 1:
                return _units_of(force, where[0], scene), where[0], ""
        return ambiguous("origin", where) if where or not force.units else NOT_UNDERSTOOD
    origin = zone_of(force.place.lexeme)
    if not force.units:
        return ambiguous("units", [f"{origin}: {scene.free(origin).text}"])
    first = force.units[0]
    if kept and first.count is None:
        single = len(force.units) == 1 and first.code in (*CODES, "")
        every: o.Every = "all" if not first.code else _code(first)
        return (NONE, origin, every) if single else NOT_UNDERSTOOD
    units = _units_of(force, origin, scene)
    counted = any(amount.count is not None and amount.code not in CODES for amount in force.units)
    return ambiguous("units", [scene.free(origin).text]) if counted else (units, origin, "")


def _code(amount: Amount) -> UnitCode:
    return next(code for code in CODES if code == amount.code)


def _units_of(force: Force, origin: str, scene: Scene) -> Units:
    """The numbers that the words mean there; of what is not there one, for the engine to refuse."""
    free, units = scene.free(origin), NONE
    if origin in zones() and zones()[origin].is_land:
        free = free.only((*LAND_CODES, "D"))
    for amount in force.units:
        meant = _meant(amount, free)
        if amount.excepted:
            units = Units(*(max(0, units.of(code) - meant.of(code)) for code in CODES))
        else:
            units += (
                one(_code(amount) if amount.code in CODES else "L")
                if amount.count is None and not meant.total
                else meant
            )
    return units


def _meant(amount: Amount, free: Units) -> Units:
    if amount.count is not None:
        return _counted(amount) if amount.code in CODES else NONE
    if amount.code == "land":
        return free.only(LAND_CODES)
    return free.only([_code(amount)]) if amount.code else free
