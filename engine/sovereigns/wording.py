"""The one canonical text of every order (SF-4). `reading` makes orders of such texts again."""

from engine.sovereigns import orders as o
from engine.sovereigns.seasons.effects import SPARED
from engine.sovereigns.state import State

CONTEST_WORDS = ("Attack", "Espionage", "Theft", "Spread", "Foment")
NOBODY = "nobody"
"""How a kingdom is told that there is none of; it reads back as unknown."""


def format_order(state: State, order: o.Order) -> str:
    """The canonical text of an order; kingdoms by their rulers' names."""
    match order:
        case o.Do(ways, condition):
            return " else ".join(
                [
                    _action(state, ways[0]) + format_condition(state, condition),
                    *(_action(state, w) for w in ways[1:]),
                ]
            )
        case o.Year(ways, condition):
            return " else ".join(
                [
                    _way(ways[0]) + format_condition(state, condition),
                    *(_way(way) for way in ways[1:]),
                ]
            )
        case o.Build(building):
            return f"Build {building}"
        case o.Offer():
            hours = "" if order.hours == o.OFFER_HOURS else f" within {order.hours} hours"
            return (
                f"Offer {name_of(state, order.to)}: {_items(order.gives)} against"
                f" {_items(order.wants)}{hours}"
            )
        case o.Answer(verb, offer):
            return f"{verb} offer {offer}"
        case o.Split(resources, military, harmony, name):
            return f"Split {resources}/{military}/{harmony}" + (f", {name}" if name else "")
        case o.Propose(proposal):
            return f"Propose {_proposal(proposal)}"
        case o.Vote(yes, claimant):
            return f"Vote {'yes' if yes else 'no'} on {name_of(state, claimant)}"
        case o.Object(action, why):
            return f"Object to action {action}: {why}"
        case o.Redo(again):
            return f"Redo: {format_order(state, again)}"
        case o.Every(standing):
            return (
                f"Every {'year' if isinstance(standing, o.Year) else 'season'}:"
                f" {format_order(state, standing)}"
            )
        case o.Forget(what):
            return f"Forget every {what}"
    return PLAIN[type(order)]


PLAIN: dict[type, str] = {
    o.Camp: "Camp",
    o.Pass: "Pass",
    o.Done: "Done",
    o.CancelAll: "Cancel all",
    o.Claim: "Claim victory",
    o.Abdicate: "Abdicate",
}


def name_of(state: State, number: int) -> str:
    return state.kingdom(number).ruler if 1 <= number <= len(state.kingdoms) else NOBODY


def format_condition(state: State, condition: o.Condition | None) -> str:
    """` if B lives` and its like; empty without one."""
    if condition is None:
        return ""
    name, attribute = name_of(state, condition.kingdom), condition.attribute
    match condition.subject:
        case "lives":
            return f" if {name} lives"
        case "fallen":
            return f" if {name} has fallen"
        case "more":
            return f" if {name} has more {attribute} than {name_of(state, condition.other or 0)}"
    return f" if {name} has at {condition.subject} {condition.number}{attribute}"


def _action(state: State, way: o.Action) -> str:
    head: str = way.kind
    if way.kind == "Increase":
        head = f"Increase {way.raises}"
    elif way.kind in CONTEST_WORDS and way.target is not None:
        head = f"{way.kind} {name_of(state, way.target)}"
    text = f"{head}: {'all ' if way.points is None else way.points}{way.attribute}"
    text += f" + {way.depleted} depleted" if way.depleted else ""
    if way.proposal is not None:
        text += f", {_proposal(way.proposal)}"
    if way.burn:
        text += ", spare buildings" if way.burn == SPARED else f", burn {way.burn}"
    text += f", seek {way.seek}" if way.seek else ""
    if way.kind == "Try":
        text += f" against {name_of(state, way.target)}" if way.target is not None else ""
        text += f" for {way.effect}" if way.effect else ""
        text += f' "{way.words}"'
    return text + (", boon" if way.boon else "") + (", works" if way.works else "")


def _proposal(proposal: o.Proposal) -> str:
    return f"{proposal.name} = {proposal.code}" + (
        f" from {proposal.origin}" if proposal.origin else ""
    )


def _way(way: o.Way) -> str:
    if way.fear:
        return "Rule by Fear, sure" if way.sure else "Rule by Fear"
    points = (
        f"{way.points}H" if way.points is not None else f"all but {way.but}" if way.but else "all"
    )
    text = f"Harmony: {points}"
    for word, number, works in (
        ("rebellion", way.rebellion, way.rebellion_works),
        ("coup", way.coup, way.coup_works),
    ):
        if number is not None:
            text += f", {word} {number}M" + (" with works" if works else "")
    return text + (", works" if way.works else "")


def _items(items: tuple[o.Item, ...]) -> str:
    return ", ".join(format_item(item) for item in items) or "nothing"


def format_item(item: o.Item) -> str:
    """`2M for 2 seasons`, `tech steel`."""
    if item.technology:
        return f"tech {item.technology}"
    if item.building:
        return item.building
    term = {
        "permanent": "permanent",
        "year": "until year end",
        "seasons": f"for {item.seasons} seasons",
    }[item.stretch]
    return f"{item.points}{item.attribute} {term}" + (" expended too" if item.expended else "")
