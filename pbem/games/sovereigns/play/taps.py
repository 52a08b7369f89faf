"""The way through the menu of a chat to an order: the words of the buttons, as people see them."""

from engine.sovereigns import orders as o
from engine.sovereigns.view import TableView
from pbem.games.sovereigns.pages.choices import label
from pbem.play import Seen

TAKE = "Take it"


def taps_of(order: o.Order, seen: Seen) -> tuple[str, ...]:
    """Button by button; () for what is sooner written."""
    view: TableView = seen.view
    match order:
        case o.Year((o.Way(fear=True),), None) if view.stage == "year-start":
            return (label("entry", "year"), label("fear"), TAKE)
        case o.Year((way,), None) if view.stage == "year-start" and way == o.Way(points=way.points):
            dice = () if way.points is None else (label("dice", way.points),)
            return (label("entry", "year"), *dice, TAKE) if dice else ()
        case o.Do((way,), None):
            return _action(way, view)
        case o.Pass():
            return (label("entry", "pass"), TAKE)
        case o.Camp():
            return (label("entry", "camp"), TAKE)
        case o.Build(building) if " " not in building:
            return (label("entry", "build"), f"{building.removeprefix('BLD-').capitalize()}:")
    return ()


def _action(way: o.Action, view: TableView) -> tuple[str, ...]:
    """Its kind, its target, its points; what it is to find has a name of its own and is written."""
    if way != o.Action(way.kind, way.attribute, way.points, target=way.target, raises=way.raises):
        return ()
    if way.kind == "Try" or way.points is None:
        return ()
    kind = f"Increase {way.raises}" if way.kind == "Increase" else way.kind
    target = () if way.target is None else (f"{label_of(view, way.target)}:",)
    return (label("entry", "act"), label("action", kind), *target, f"{way.points}?", TAKE)


def label_of(view: TableView, number: int) -> str:
    """A kingdom as its button begins."""
    return view.kingdom(number).name or view.kingdom(number).ruler
