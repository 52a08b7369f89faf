"""The words of a run as steps: which units go from where to where, before anybody asks what that
comes to.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.fortresses.atlas import zones
from pbem.games.fortresses.reading.lexer import zone_of
from pbem.games.fortresses.reading.pieces import Amount, Joint, Piece, Place, Say
from pbem.games.fortresses.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme

_KNOWN = frozenset({"ATTACK", "MOVE", "BUY"})
_SILENT = frozenset({"THEN", "FIRST", "WITH"})


@dataclass(slots=True)
class Force:
    """Units with their place (or where to buy them), and the way they take."""

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
    """How many forces were named before the target, and how many units of the last of them."""
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

    def __init__(self, pieces: Sequence[Piece], position: Position) -> None:
        self.pieces = pieces
        self.position = position
        self.steps = [Step()]
        solid = [piece for piece in pieces if not isinstance(piece, Joint)]
        self.last = solid[-1].lexeme if solid else None

    @property
    def step(self) -> Step:
        return self.steps[-1]

    def read(self) -> list[Step]:
        before: Piece = Joint("")
        for i, piece in enumerate(self.pieces):
            match piece:
                case Joint():
                    for force in self.step.forces[-1:]:
                        force.joints += force.fresh > 0
                        force.fresh = 0
                case Amount() if self._is_told(piece, before, i + 1):
                    pass
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

    def _is_told(self, amount: Amount, before: Piece, after: int) -> bool:
        """`attack the Baltic fleet`: it tells what is there."""
        target = self.step.target
        if not amount.is_bare or amount.excepted or target is None or target is not before:
            return False
        ends = after == len(self.pieces) or isinstance(self.pieces[after], Amount)
        aimed = after > 2 and _is_attack(self.pieces[after - 3]) and not target.heads
        return aimed and ends and not self.position.own(zone_of(target.lexeme)).total

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
            if self.position.is_base(zone_of(step.bare[-1].lexeme)):
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
        elif (place.role == "to" or self._is_aim(place)) and not buys:
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

    def _is_aim(self, place: Place) -> bool:
        """`both legions on Saxony`: no unit of ours can be there."""
        position, zone = self.position, zone_of(place.lexeme)
        attacks = position.stage == "attack" and self.step.target is None
        return attacks and place.role == "in" and zone in zones() and not position.own(zone).total

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
