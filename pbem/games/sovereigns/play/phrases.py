"""How rulers word their orders: several phrasings for each kind, from a data file; a kind without
any is written in its canonical text.
"""

import random
from collections.abc import Mapping, Sequence

from engine.forms import tag_of
from engine.sovereigns import orders as o
from engine.sovereigns.codes import Attribute
from engine.sovereigns.view import TableView
from pbem.games.sovereigns.pages.cast import order_text
from pbem.games.sovereigns.play.inventions import inventions
from pbem.phrases import in_words, read_phrases

NAMES: Mapping[Attribute, str] = {"R": "resources", "M": "military", "H": "harmony"}
TERMS: Mapping[str, Sequence[str]] = {
    "permanent": ("for keeps", "for good", "permanently"),
    "year": ("until year end", "until the end of the year"),
}


def phrase(order: o.Order, view: TableView, rng: random.Random) -> str:
    """One of the ways to say it; an alternative is said behind it."""
    kind = kind_of(order)
    if not kind:
        return order_text(view, order)
    said = rng.choice(read_phrases(__package__)[kind]).format(**_words(order, view, rng))
    if isinstance(order, o.Do) and len(order.ways) > 1:
        second = phrase(o.Do(order.ways[1:]), view, rng).rstrip(".")
        return f"{said}; if they are gone, {second[0].lower()}{second[1:]}"
    return said


def kind_of(order: o.Order) -> str:
    """Under which heading of the phrase book an order stands; "": under none."""
    match order:
        case o.Do(ways, None):
            return _kind_of_action(ways[0])
        case o.Year((o.Way(fear=True, sure=False),), None):
            return "fear"
        case o.Year((way,), None) if way == o.Way(but=1):
            return "all but one"
        case o.Year((way,), None) if way == o.Way(points=way.points):
            return "all harmony" if way.points is None else "harmony"
        case o.Every(o.Year((way,), None)) if way == o.Way(but=1):
            return "every year"
        case o.Answer(verb):
            return {"Accept": "accept", "Decline": "decline"}.get(verb, "")
        case o.Vote(yes):
            return "vote yes" if yes else "vote no"
        case o.Offer(gives=(_,), wants=(_,), hours=o.OFFER_HOURS):
            return "offer"
        case o.Offer():
            return ""
    tag = tag_of(order)
    return tag if tag in read_phrases(__package__) else ""


def _kind_of_action(way: o.Action) -> str:
    if way.points is None or way.boon or way.works or way.burn:
        return ""
    if way.kind == "Research":
        if way.proposal is None:
            return "" if way.depleted else "plain research"
        if way.depleted:
            return "research again"
        return "research to build" if way.proposal.code.startswith("BLD-") else "research"
    if way.kind == "Try":
        return "try" if way.target is None else "try against"
    if way.depleted:
        return ""
    if way.kind == "Espionage":
        return "espionage for" if way.seek else "espionage"
    return f"increase {way.raises}" if way.kind == "Increase" else way.kind.lower()


def _words(order: o.Order, view: TableView, rng: random.Random) -> dict[str, str]:
    """What is filled in."""
    match order:
        case o.Do(ways):
            return _words_of_action(ways[0], view, rng)
        case o.Year(ways):
            number = ways[0].points or 0
            dice = f"{in_words(number, rng)} {'die' if number == 1 else 'dice'}"
            return {"points": in_words(number, rng), "dice": dice}
        case o.Build(building):
            return {"building": building.removeprefix("BLD-").partition(" ")[0].lower()}
        case o.Propose(proposal):
            return _invention(proposal)
        case o.Offer(to, (gives,), (wants,)):
            return {
                "target": kingdom(view, to, rng),
                "gives": item(gives, rng),
                "wants": item(wants, rng),
            }
        case o.Answer(_, number):
            offers = view.you.offers if view.you is not None else ()
            giver = next((offer.giver for offer in offers if offer.id == number), 0)
            return {
                "offer": str(number),
                "target": kingdom(view, giver, rng) if giver else "their",
            }
        case o.Vote(_, claimant):
            return {"target": kingdom(view, claimant, rng)}
    return {name: str(getattr(order, name)) for name in order.__struct_fields__}


def _words_of_action(way: o.Action, view: TableView, rng: random.Random) -> dict[str, str]:
    points = way.points or 0
    said = in_words(points, rng)
    return {
        "points": said,
        "resources": f"{said} resource{'s' * (points != 1)}",
        "men": f"{said} {'man' if points == 1 else 'men'}",
        "number": str(points),
        "depleted": in_words(way.depleted, rng),
        "target": "" if way.target is None else kingdom(view, way.target, rng),
        "sought": way.seek,
        "effect": way.effect,
        "wish": NAMES[_wish(way.effect)],
        "words": way.words,
        **({} if way.proposal is None else _invention(way.proposal)),
    }


def _wish(effect: str) -> Attribute:
    found: tuple[Attribute, ...] = ("R", "M", "H")
    return next((attribute for attribute in found if effect.endswith(attribute)), "R")


def _invention(proposal: o.Proposal) -> dict[str, str]:
    does = next(
        (one.does for one in inventions().technologies if one.code == proposal.code), proposal.code
    )
    return {"technology": proposal.name, "does": does}


def kingdom(view: TableView, number: int, rng: random.Random) -> str:
    """By its name, now and then by its ruler's."""
    told = view.kingdom(number)
    return told.ruler if not told.name or rng.random() < 0.25 else told.name


def item(told: o.OfferItem, rng: random.Random) -> str:
    """`2 military until year end`, `1 resource for keeps`, `steel weapons`."""
    if told.technology or told.attribute is None:
        return told.technology
    name = "resource" if told.attribute == "R" and told.points == 1 else NAMES[told.attribute]
    return f"{told.points} {name} {rng.choice(TERMS[told.stretch])}"
