"""Feeds as a reader of feeds reads them: RFC 4287 and RFC 5545."""

import re
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import msgspec
from icalendar import Calendar

from pbem.archive.catalogue import Card, GameCard
from pbem.archive.feeds import MOST_OF_HOUSE, calendar_of, game_feed, house_feed
from tests.archive.shelves import BASE_URL, HOUSE, card, cards

ATOM = "{http://www.w3.org/2005/Atom}"
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
ELSEWHERE = "https://elsewhere.example/"


def parsed(raw: bytes) -> ET.Element:
    feed = ET.fromstring(raw)  # noqa: S314 - we wrote it just now
    assert feed.tag == f"{ATOM}feed"
    ids = []
    for part in (feed, *feed.findall(f"{ATOM}entry")):
        assert (part.findtext(f"{ATOM}title") or "").strip()
        ids.append(part.findtext(f"{ATOM}id"))
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", ids[-1] or "")
        assert RFC3339.fullmatch(part.findtext(f"{ATOM}updated") or "")
        links = part.findall(f"{ATOM}link")
        assert len([link for link in links if link.get("rel") == "alternate"]) == 1
        for link in links:
            assert urlsplit(link.get("href")).scheme == "https"
    assert len(set(ids)) == len(ids)
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    return feed


def ids_of(raw: bytes) -> list[str | None]:
    return [
        one.findtext(f"{ATOM}id") for one in parsed(raw).iter() if one.find(f"{ATOM}id") is not None
    ]


def entries_of(raw: bytes) -> list[tuple[str | None, ...]]:
    return [
        tuple(entry.findtext(f"{ATOM}{name}") for name in ("title", "summary", "updated"))
        for entry in parsed(raw).findall(f"{ATOM}entry")
    ]


def spoken(one: Card, **entry: str) -> Card:
    first, *others = one.entries
    return msgspec.structs.replace(one, entries=(msgspec.structs.replace(first, **entry), *others))


def test_a_game_has_an_entry_a_close_that_leads_to_its_place_in_the_replay() -> None:
    one = card()
    raw = game_feed(one, BASE_URL, HOUSE.name)
    assert entries_of(raw) == [
        (entry.headline, entry.sentence, f"{entry.at:%Y-%m-%dT%H:%M:%SZ}") for entry in one.entries
    ]
    feed = parsed(raw)
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links == {
        "self": f"{BASE_URL}heron/feed.xml",
        "alternate": f"{BASE_URL}heron/index.html",
    }
    (first, *_) = feed.findall(f"{ATOM}entry")
    link = first.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == f"{BASE_URL}heron/index.html#{one.entries[0].key}"
    assert feed.findtext(f"{ATOM}updated") == first.findtext(f"{ATOM}updated")


def test_what_was_told_keeps_its_identity_when_more_is_told_and_when_the_feed_moves() -> None:
    one = card()
    before = msgspec.structs.replace(one, entries=one.entries[2:])
    old, new = (game_feed(this, BASE_URL, HOUSE.name) for this in (before, one))
    assert ids_of(new)[0] == ids_of(old)[0]
    assert ids_of(new)[3:] == ids_of(old)[1:]
    assert ids_of(game_feed(one, ELSEWHERE, "Another name")) == ids_of(new)
    assert not set(ids_of(new)) & set(ids_of(game_feed(card("ibis", 3, 3), BASE_URL, HOUSE.name)))


def test_the_house_tells_the_newest_of_all_games_with_the_same_identities() -> None:
    raw = house_feed(cards(), BASE_URL, HOUSE.name, HOUSE.address)
    told = entries_of(raw)
    assert len(told) == min(MOST_OF_HOUSE, sum(len(one.entries) for one in cards()))
    assert [when for *_, when in told] == sorted((when for *_, when in told), key=str, reverse=True)
    assert {str(title).partition(" · ")[0] for title, *_ in told} == {"Heron", "Ibis", "Egret"}
    single = {each for one in cards() for each in ids_of(game_feed(one, BASE_URL, "x"))[1:]}
    assert set(ids_of(raw)[1:]) <= single


def test_a_house_without_games_has_a_feed_too() -> None:
    assert entries_of(house_feed((), BASE_URL, HOUSE.name, HOUSE.address)) == []


def test_whatever_is_written_a_feed_can_be_read() -> None:
    one = spoken(card(), headline="A & B <i>\x00\x0b\ufffe</i> 🏰", sentence='"]]>\x1b')
    (title, summary, _), *_ = entries_of(game_feed(one, BASE_URL, HOUSE.name))
    assert (title, summary) == ("A & B <i></i> 🏰", '"]]>')


def event_of(one: Card) -> Any:
    calendar = Calendar.from_ical(calendar_of(one))
    assert (calendar["VERSION"], calendar["METHOD"]) == ("2.0", "PUBLISH")
    (event,) = calendar.walk("VEVENT")
    return event


def test_the_calendar_has_the_open_deadline_in_utc_and_names_nobody() -> None:
    one = card("egret", 2, 7, 7)
    event, raw = event_of(one), calendar_of(one).decode()
    assert event["SUMMARY"] == "Egret: orders due"
    assert event["DTSTART"].dt == one.due
    assert f"DTSTART:{one.due:%Y%m%dT%H%M%SZ}" in raw
    for player in one.players:
        assert player.name not in raw


def test_a_deadline_that_moves_is_the_same_event_and_the_next_one_another() -> None:
    one = card("egret", 2, 7, 7)
    stamp = msgspec.structs.replace(one.stamp, sequence=1)
    later = datetime(2026, 12, 24, 18, tzinfo=UTC)
    moved = msgspec.structs.replace(one, due=later, stamp=stamp)
    after = msgspec.structs.replace(
        one, stamp=msgspec.structs.replace(one.stamp, phase=one.stamp.phase + 1)
    )
    assert event_of(moved)["UID"] == event_of(one)["UID"] != event_of(after)["UID"]
    assert (event_of(one)["SEQUENCE"], event_of(moved)["SEQUENCE"]) == (0, 1)
    assert event_of(moved)["DTSTART"].dt == later


def test_a_game_without_an_open_deadline_has_a_calendar_that_says_so() -> None:
    event = event_of(card())
    assert event["SUMMARY"] == "Heron: no deadline is open"
    assert event["DTSTART"].dt == card().last


def test_the_same_game_has_the_same_files() -> None:
    one = card("egret", 2, 7, 7)
    again = msgspec.json.decode(msgspec.json.encode(one), type=Card)
    assert calendar_of(again) == calendar_of(one)
    assert game_feed(again, BASE_URL, "x") == game_feed(one, BASE_URL, "x")
    assert isinstance(again.entries[0], GameCard)
