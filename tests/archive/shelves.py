"""Cards of played games, and the house that shows them."""

from dataclasses import replace
from functools import cache

from pbem.archive.catalogue import Card, card_of
from pbem.archive.house import House
from pbem.archive.outdated import Stamp
from pbem.pages.results import FameLine, Hall
from tests.archive.played import played

BASE_URL = "https://play.house.example/games/"
HOUSE = House("Post Office", "orders@house.example", "Europe/Berlin")
ON_THE_WEB = replace(HOUSE, base_url=BASE_URL)
NO_HALL = Hall((), None, 0)
HALL = Hall(
    (
        FameLine(1, "Anna", 1200, 3, 5),
        FameLine(2, "Chloé", 700, 1, 4, took_over=True),
        FameLine(3, "", 0, 0, 1),
    ),
    None,
    3,
)
HIGH = 240


@cache
def card(slug: str = "heron", seed: int = 1, players: int = 5, closes: int = 60) -> Card:
    """A game that was played to its end, and the first player has won, or that still runs after so
    many closes.
    """
    found = played(seed, players, closes)
    people = (replace(one, won=found.is_over and one.number == 1) for one in found.people)
    archive = replace(found, slug=slug, title=slug.capitalize(), people=tuple(people))
    stamp = Stamp(seed, len(archive.steps), archive.status, archive.due, 0, "1.0")
    return card_of(archive, stamp, HIGH)


def cards() -> list[Card]:
    """Two games that are over and one that runs."""
    return [card(), card("ibis", 3, 3), card("egret", 2, 7, 7)]
