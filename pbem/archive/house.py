"""The index of a house: its games as cards, and its hall of fame."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pbem.archive.catalogue import CATALOGUE, THUMBNAIL, Card, format_catalogue
from pbem.archive.feeds import FEED, house_feed
from pbem.archive.folder import write_files
from pbem.archive.fonts import heading_font
from pbem.archive.pictures import SHOWN_WIDTH
from pbem.archive.templates import Coat, coat_in, render
from pbem.pages.results import Hall

INDEX = "index.html"


@dataclass(frozen=True, slots=True)
class House:
    """The house that shows the games: its name, its address for players, its time zone, and the
    folder's address on the web ("": none, so there are no feeds).
    """

    name: str
    address: str
    zone: str
    base_url: str = ""


def write_house(folder: Path, house: House, cards: Iterable[Card], hall: Hall) -> None:
    """Write the index, the feed and the catalogue of these games into the folder that they lie
    in.
    """
    shown = sorted(cards, key=lambda card: (not card.is_over, card.last, card.slug), reverse=True)
    files = {CATALOGUE: format_catalogue(shown), **heading_font()}
    if house.base_url:
        files[FEED] = house_feed(shown, house.base_url, house.name, house.address)
    write_files(folder, {**files, INDEX: house_page(house, shown, hall).encode()})


def house_page(house: House, cards: Sequence[Card], hall: Hall) -> str:
    """The index, whole without a script; the script brings filters."""
    coats = _coats(cards)
    return str(
        render(
            "house.html.j2",
            house=house,
            root="",
            cards=cards,
            hall=hall,
            coats=coats,
            width=SHOWN_WIDTH,
            thumbnail=THUMBNAIL,
            feed=FEED if house.base_url else "",
            filters={
                "game": _sorted(card.game for card in cards),
                "player": _sorted(player.name for card in cards for player in card.players),
                "winner": _sorted(name for card in cards for name in card.winners),
                "size": sorted({len(card.players) for card in cards}),
            },
        )
    )


def _coats(cards: Sequence[Card]) -> Mapping[str, Coat]:
    """The arms on the page by the names of their badges, each numbered for its symbol."""
    found = {player.arms.badge: player.arms for card in cards for player in card.players}
    return {
        name: coat_in(arms, number, arms.colour)
        for number, (name, arms) in enumerate(found.items(), start=1)
    }


def _sorted(names: Iterable[str]) -> list[str]:
    return sorted(set(names), key=str.casefold)
