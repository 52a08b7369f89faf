"""What a game master does with a table: open it, invite, start, look, extend, close. Each is one unit of work, and logged."""

import asyncio
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec
from email_validator import EmailNotValidError, validate_email

from engine.chance import Chance, commitment
from engine.ruleset import Outcome, Seat
from pbem.desk.close import keep_outcome, make_occasion, paint
from pbem.desk.letters import NewLetter, letter_to_seat, phase_calendar, seat_token
from pbem.desk.names import parse_name, skeleton
from pbem.desk.outgoing import queue_letter
from pbem.desk.ports import Parts
from pbem.desk.posting import DeskPeople, Occasion, gm_letters, next_phase_letters, read_desk_people
from pbem.desk.table import MAIL, OpenTable, Settings, decode_settings, encode_settings, load_table, page_reader, page_table
from pbem.pages.page import Page, Reader
from pbem.store.games import GameRow
from pbem.store.phases import PhaseRow
from pbem.store.work import Work

SLUG = re.compile(r"[a-z][a-z0-9-]{0,30}")
MAX_TITLE_CHARACTERS = 80
MAX_EXTENSION = timedelta(days=30)
MIN_HOURS, MAX_HOURS = 0.05, 60 * 24.0


class Refused(Exception):
    """The command cannot be carried out; `code` says why, the words are for whoever typed it."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


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


async def find_game(work: Work, slug: str) -> GameRow:
    """The game of that short name. Refused if there is none."""
    game = await work.games.find_by_slug(slug)
    if game is None:
        raise Refused("unknown-game", f"there is no game {slug!r}; `pbem game list` shows what there is")
    return game


async def open_table(parts: Parts, new: NewTable, actor: str) -> int:
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
        await _log(work, parts, game_id, actor, "game new", {"slug": new.slug, "ruleset": new.ruleset, "options": new.options})
    return game_id


def _check_hours(hours: dict[str, float], windows: Mapping[str, int]) -> None:
    for kind, length in hours.items():
        if kind not in windows:
            raise Refused("bad-options", f"there is no window {kind!r}; there are {', '.join(windows)}")
        if not MIN_HOURS <= length <= MAX_HOURS:
            raise Refused("bad-options", f"{kind}: a window lasts {MIN_HOURS} to {MAX_HOURS} hours, not {length}")


async def invite(
    parts: Parts, slug: str, name: str, address: str, actor: str, *, colour: str | None = None, zone: str | None = None
) -> int:
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
        await _log(work, parts, game.id, actor, "game invite", {"name": name, "colour": chosen})
    return number


async def change_options(parts: Parts, slug: str, options: dict[str, Any], actor: str) -> None:
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
        await _log(work, parts, game.id, actor, "game options", options)


async def start(parts: Parts, slug: str, actor: str) -> int:
    """Deal the game and ask the first question; the number of players."""
    now = parts.clock.now()
    async with parts.database.read() as work:
        game = await find_game(work, slug)
        if game.status != "open":
            raise Refused("already-started", f"{game.title} has begun")
        table = await load_table(work, parts.games, game)
        seed = bytes.fromhex(await work.games.read_seed(game.id))
        desk = await read_desk_people(work, parts, table)
    rules = table.kind.ruleset
    seats = [Seat(seat.number, seat.name, seat.colour or "") for seat in table.seats]
    chance = Chance(seed)
    try:
        outcome: Outcome[Any] = rules.setup(msgspec.json.decode(game.options), seats, chance)
    except ValueError as error:
        raise Refused("cannot-start", str(error)) from error
    land_seed = int.from_bytes(hashlib.sha256(game.slug.encode()).digest()[:4], "big") >> 1
    land = await table.kind.painter.land(rules.view(outcome.state, None), land_seed, table.settings.map_text)
    occasion = make_occasion(table, outcome, rules.phase(outcome.state), 1, _next_minute(now), now)
    picture = await paint(parts, occasion, land)
    has_picture = picture is not None
    letters = await asyncio.to_thread(
        lambda: [
            *_welcomes(parts, occasion, desk, has_picture=has_picture),
            *next_phase_letters(parts, occasion, desk, has_picture=has_picture),
        ]
    )

    async def within(work: Work) -> bool:
        """Nobody sat down meanwhile; the land and the log belong to the same unit of work."""
        if tuple(await work.seats.list_of_game(game.id)) != table.seats:
            return False
        await work.games.keep_land(game.id, land)
        await _log(work, parts, game.id, actor, "game start", {"players": len(seats), "commitment": game.commitment})
        return True

    if not await keep_outcome(parts, occasion, chance.place, letters, picture, now, within):
        raise Refused("conflict", f"{game.title} has begun, or somebody sat down at the same moment; look again")
    return len(seats)


def _next_minute(now: datetime) -> datetime:
    return now if now.second == 0 and now.microsecond == 0 else now.replace(second=0, microsecond=0) + timedelta(minutes=1)


def _welcomes(parts: Parts, occasion: Occasion, desk: DeskPeople, *, has_picture: bool) -> list[NewLetter]:
    """The welcome: the game in ten lines, three examples, the commitment. To everybody, and to the game masters."""
    table, game, phase = occasion.table, occasion.table.game, occasion.new_phase()
    letters = []
    for reader, seat, address in desk.readers(parts):
        facts = page_table(
            table, parts.policy, occasion.now, code=seat_token(parts.key, seat, occasion.number), phase=phase, has_picture=has_picture
        )
        page = table.kind.pages.welcome(facts, reader, table.kind.ruleset.view(occasion.state, seat.number), game.commitment)
        letters.append(
            letter_to_seat(
                page, kind="welcome", dedupe_key=f"welcome:{game.id}:{seat.id}", policy=parts.policy, key=parts.key, game=game, seat=seat,
                phase_number=occasion.number, address=address, shows_board=True,
            )
        )  # fmt: skip
    facts = page_table(table, parts.policy, occasion.now, phase=phase, has_picture=has_picture)
    view = table.kind.ruleset.view(occasion.state, None)
    letters.extend(
        gm_letters(
            parts, table, desk, lambda reader: table.kind.pages.welcome(facts, reader, view, game.commitment), kind="welcome",
            dedupe_key=f"welcome:{game.id}", shows_board=True,
        )
    )  # fmt: skip
    return letters


async def extend(parts: Parts, slug: str, deadline: datetime, actor: str, *, shorten: bool = False) -> datetime:
    """Move the open deadline, announce it once to everybody, with a new calendar entry. The new deadline comes back."""
    now = parts.clock.now()
    async with parts.database.write() as work:
        game, table, phase = await _open_phase(work, parts, slug)
        if deadline <= now:
            raise Refused("in-the-past", "that deadline is over already; `pbem game close` closes a phase now")
        if deadline == phase.deadline:
            raise Refused("same-deadline", "that is the deadline already; nobody was told anything")
        if deadline < phase.deadline and not shorten:
            raise Refused(
                "shorter", f"that is earlier than the deadline now ({phase.deadline:%Y-%m-%d %H:%M} UTC); say --shorten if you mean it"
            )
        if deadline > max(now, phase.deadline) + MAX_EXTENSION:
            raise Refused("too-long", f"at most {MAX_EXTENSION.days} days at once")
        await _move_deadline(work, parts, table, phase, deadline, actor)
        await _log(
            work,
            parts,
            game.id,
            actor,
            "game extend",
            {"phase": phase.number, "from": phase.deadline.isoformat(), "to": deadline.isoformat()},
        )
    return deadline


async def close_now(parts: Parts, slug: str, number: int, actor: str) -> bool:
    """Bring the deadline of phase `number` to this moment. False: that phase is over, and nothing happens."""
    now = parts.clock.now()
    async with parts.database.write() as work:
        game, _table, phase = await _open_phase(work, parts, slug)
        if phase.number != number:
            return False
        if phase.deadline > now:
            await work.phases.move_deadline(game.id, number, phase.deadline, now.replace(microsecond=0))
        await work.games.forget_attempts(game.id)
        await _log(work, parts, game.id, actor, "game close", {"phase": number})
    return True


async def _open_phase(work: Work, parts: Parts, slug: str) -> tuple[GameRow, OpenTable, PhaseRow]:
    game = await work.games.lock((await find_game(work, slug)).id)
    if game is None or game.status != "running":
        raise Refused("not-running", f"{slug} has no open phase")
    table = await load_table(work, parts.games, game)
    if table.phase is None or table.phase.status == "closed":
        raise Refused("not-running", f"{slug} has no open phase")
    return game, table, table.phase


async def _move_deadline(work: Work, parts: Parts, table: OpenTable, phase: PhaseRow, deadline: datetime, actor: str) -> None:
    now = parts.clock.now()
    if not await work.phases.move_deadline(table.game.id, phase.number, phase.deadline, deadline):
        raise Refused("conflict", "the deadline was moved at the same moment; look again")
    if phase.status == "held":
        await work.phases.reopen(table.game.id, phase.number)
    await work.games.forget_attempts(table.game.id)
    await work.inbox.release(table.game.id)  # what came too late may now be in time
    moved = msgspec.structs.replace(phase, deadline=deadline, ics_sequence=phase.ics_sequence + 1)
    desk = await read_desk_people(work, parts, table)

    def page_for(reader: Reader) -> Page:
        return parts.notices.deadline_changed(page_table(table, parts.policy, now, phase=moved), reader, phase.deadline, deadline, actor)

    key = f"deadline:{table.game.id}:{phase.number}:{moved.ics_sequence}"
    for reader, seat, address in desk.readers(parts):
        page = page_for(reader)
        letter = letter_to_seat(
            page, kind="deadline", dedupe_key=f"{key}:{seat.id}", policy=parts.policy, key=parts.key, game=table.game, seat=seat,
            phase_number=phase.number, address=address, calendar=phase_calendar(parts.policy, table.game, moved, now, page),
        )  # fmt: skip
        await queue_letter(work, letter, now)
    for letter in gm_letters(parts, table, desk, page_for, kind="deadline", dedupe_key=key):
        await queue_letter(work, letter, now)
    parts.steps.reached("deadline.written")


async def _log(work: Work, parts: Parts, game_id: int | None, actor: str, command: str, detail: dict[str, Any]) -> None:
    await work.log.add(
        game_id=game_id, actor=actor, command=command, at=parts.clock.now(), detail=msgspec.json.encode(detail).decode(), public=True
    )
