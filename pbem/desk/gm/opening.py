"""Opening a table, inviting people to it, and agreeing on its options: all before the start."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec
from email_validator import EmailNotValidError, validate_email

from engine.chance import commitment
from pbem.desk.gm.mandate import By, Refused, find_game, log_command
from pbem.desk.letters import letter_to_seat, seat_token
from pbem.desk.names import parse_name, skeleton
from pbem.desk.outgoing import queue_letter
from pbem.desk.ports import Parts
from pbem.desk.table import MAIL, Settings, decode_settings, encode_settings, load_table, page_reader, page_table

SLUG = re.compile(r"[a-z][a-z0-9-]{0,30}")
MAX_TITLE_CHARACTERS = 80
MAX_EXTENSION = timedelta(days=30)
MIN_HOURS, MAX_HOURS = 0.05, 60 * 24.0


@dataclass(frozen=True, slots=True)
class NewTable:
    """What a table is opened with. `options` are the game's own; `hours` overrides its windows."""

    slug: str
    title: str
    ruleset: str
    options: dict[str, Any]
    zone: str
    gm_name: str = ""
    hours: dict[str, float] | None = None
    map_text: str = ""
    seed: bytes | None = None


def _parse_address(text: str) -> str:
    try:
        checked = validate_email(text, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise Refused("bad-address", f"{text!r} is no mail address: {error}") from error
    if checked.ascii_email is None:
        raise Refused("bad-address", f"{text!r}: only ASCII addresses can be used")
    return checked.ascii_email.lower()


async def open_table(parts: Parts, new: NewTable, by: By) -> int:
    """Open a table that people can be invited to. The seed is drawn now and its commitment kept."""
    if not SLUG.fullmatch(new.slug):
        raise Refused("bad-name", f"{new.slug!r}: a game's short name is lower-case letters, digits and hyphens, like heron")
    for words in (new.title, new.gm_name):
        if len(words) > MAX_TITLE_CHARACTERS or not words.isprintable():
            raise Refused("bad-name", f"{words!r}: at most {MAX_TITLE_CHARACTERS} printable characters on one line")
    kind = parts.games.get(new.ruleset)
    if kind is None:
        raise Refused("unknown-ruleset", f"there is no game of the kind {new.ruleset!r}; known: {', '.join(sorted(parts.games))}")
    try:
        options = new.options | ({"land": kind.read_map(new.map_text)} if new.map_text else {})
        kind.ruleset.check_options(options)
    except ValueError as error:
        raise Refused("bad-options", str(error)) from error
    _check_hours(new.hours or {}, kind.ruleset.windows)
    seed = new.seed or parts.new_seed()
    settings = Settings(
        zone=new.zone,
        gm_name=new.gm_name,
        early_close=bool(new.options.get("early_close", True)),
        finality=str(new.options.get("finality", "confirm")),
        hours=new.hours or {},
        map_text=new.map_text,
    )
    now = parts.clock.now()
    async with parts.database.write() as work:
        game_id = await work.games.add(
            slug=new.slug, title=new.title, ruleset=new.ruleset, options=msgspec.json.encode(options).decode(), seed=seed.hex(),
            commitment=commitment(seed), settings=encode_settings(settings), created_at=now,
        )  # fmt: skip
        if game_id is None:
            raise Refused("game-exists", f"there is a game {new.slug!r} already")
        await log_command(work, parts, by, "game new", {"slug": new.slug, "ruleset": new.ruleset, "options": new.options}, game_id=game_id)
    return game_id


def _check_hours(hours: dict[str, float], windows: Mapping[str, int]) -> None:
    for kind, length in hours.items():
        if kind not in windows:
            raise Refused("bad-options", f"there is no window {kind!r}; there are {', '.join(windows)}")
        if not MIN_HOURS <= length <= MAX_HOURS:
            raise Refused("bad-options", f"{kind}: a window lasts {MIN_HOURS} to {MAX_HOURS} hours, not {length}")


async def invite(parts: Parts, slug: str, name: str, address: str, by: By, *, colour: str | None = None, zone: str | None = None) -> int:
    """Give a person a seat and write them; the seat's number."""
    address = _parse_address(address)
    if address == parts.policy.address:
        raise Refused("bad-address", f"{address} is the address players write to; nobody can play from it")
    now = parts.clock.now()
    async with parts.database.write() as work:
        game = await find_game(work, slug)
        if game.status != "open":
            raise Refused("already-started", f"{game.title} has begun; nobody can be invited any more")
        table = await load_table(work, parts.games, game)
        try:
            name = parse_name(name, frozenset(table.kind.reserved_words))
        except ValueError as error:
            raise Refused("bad-name", f"{name!r} cannot be a name here ({error})") from error
        person = await work.people.find_by_address(MAIL, address)
        if person is not None and any(seat.person_id == person.id for seat in table.seats):
            raise Refused("already-invited", f"{address} has a seat at {game.title} already")
        if person is None:
            person_id = await work.people.add(name=name, locale="en", time_zone=zone or table.settings.zone, created_at=now)
            await work.people.add_address(person_id, MAIL, address, "confirmed")
        else:
            person_id = person.id
        taken = {seat.colour for seat in table.seats}
        chosen = colour or next((free for free in table.kind.colours if free not in taken), None)
        if chosen is None:
            raise Refused("table-full", f"{game.title} has {len(table.seats)} players, and that is all there can be")
        if chosen not in table.kind.colours:
            raise Refused("unknown-colour", f"{chosen!r} is none of {', '.join(table.kind.colours)}")
        number = len(table.seats) + 1
        seat_id = await work.seats.add(
            game_id=game.id, number=number, name=name, colour=chosen, joined_at=now, person_id=person_id, name_key=skeleton(name)
        )
        if seat_id is None:
            alike = next((other.name for other in table.seats if skeleton(other.name) == skeleton(name)), None)
            words = f"the name {name!r} is taken or looks like {alike!r}" if alike is not None else f"the colour {chosen} is taken"
            raise Refused("name-or-colour-taken", f"{words} at {game.title}")
        seat = await work.seats.find(seat_id)
        row = await work.people.find(person_id)
        if seat is None or row is None:
            raise Refused("conflict", "somebody else changed the table at the same moment; try again")
        code = seat_token(parts.key, seat, 0)
        facts = page_table(table, parts.policy, now, code=code)
        page = table.kind.pages.invitation(
            facts,
            page_reader(seat, row, parts.policy.zone),
            table.settings.gm_name or parts.policy.name,
            [other.name for other in table.seats],
        )
        letter = letter_to_seat(
            page, kind="invitation", dedupe_key=f"invitation:{seat_id}", policy=parts.policy, key=parts.key, game=game, seat=seat,
            phase_number=0, address=address,
        )  # fmt: skip
        await queue_letter(work, letter, now)
        await log_command(work, parts, by, "game invite", {"name": name, "colour": chosen}, game_id=game.id)
    return number


async def change_options(parts: Parts, slug: str, options: dict[str, Any], by: By) -> None:
    """Change what a table is played with, before it starts."""
    async with parts.database.write() as work:
        game = await find_game(work, slug)
        changed = msgspec.json.decode(game.options, type=dict[str, Any]) | options
        try:
            parts.games[game.ruleset].ruleset.check_options(changed)
        except ValueError as error:
            raise Refused("bad-options", str(error)) from error
        if not await work.games.set_options(game.id, msgspec.json.encode(changed).decode()):
            raise Refused("already-started", f"{game.title} has begun")
        settings = decode_settings(game)
        early_close, finality = bool(changed.get("early_close", True)), str(changed.get("finality", "confirm"))
        kept = msgspec.structs.replace(settings, early_close=early_close, finality=finality)
        await work.games.set_settings(game.id, encode_settings(kept))
        await log_command(work, parts, by, "game options", options, game_id=game.id)
