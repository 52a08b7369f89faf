"""Opening a table, and inviting people to it."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec

from engine.chance import commitment
from pbem.desk.chat.links import PERSON, chat_of, make_link, read_bot
from pbem.desk.envelope.message import MAIL
from pbem.desk.envelope.recipients import SeatAt, answer_link, letter_to, seat_token
from pbem.desk.gm.command import commanded
from pbem.desk.gm.playable import (
    check_days,
    check_hours,
    check_numbers,
    check_press,
    check_suppositions,
    check_votes,
)
from pbem.desk.gm.table_rules import with_clock
from pbem.desk.letters.queue import queue_letter
from pbem.desk.lobby.rows import lobby_for, make_join_code, read_lobby_rows
from pbem.desk.lobby.seats import Guest, check_colour, check_name, propose_colour, seat_guest
from pbem.desk.mandate import By, Refused, check_not_begun, lock_game
from pbem.desk.people.eligibility import is_barred
from pbem.desk.ports import Desk, Policy
from pbem.desk.table import (
    SUPPOSITIONS,
    OpenTable,
    Settings,
    encode_settings,
    load_table,
    page_reader,
    page_table,
)
from pbem.grammar.called import NameRefused, parse_called, parse_name
from pbem.grammar.clock_rules import ClockChange
from pbem.grammar.gm.words import PHRASES
from pbem.grammar.people_rules import USUAL, PeopleRules
from pbem.grammar.press_rules import ALL_PRESS, PressRules
from pbem.mail.inbound.automatic import is_nobody_s
from pbem.pages.lobby_view import Refusal
from pbem.store.repositories.games import NewGame
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

SLUG = re.compile(r"[a-z][a-z0-9-]{0,30}")
MAX_TITLE_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class NewTable:
    """What a table is opened with. `options` are the game's own; `hours` overrides its windows.

    `least_players` and `most_players` 0: as few and as many as the game takes. `votes` are the
    questions put to the vote before the start (PR-1.4). A table that `starts` "full" begins by
    itself. After `open_days` without a start it is given up; None: as the house does it.
    `secrets`: a game master who plays here may look at secrets anyway. `suppositions`: how many
    times a player may ask in a phase what would happen. `press`: which press there is. `people`:
    who may watch, take seats over, and so on. `language` is that of dates.
    """

    slug: str
    title: str
    ruleset: str
    options: dict[str, Any]
    zone: str
    gm_name: str = ""
    hours: dict[str, float] | None = None
    map_text: str = ""
    seed: bytes | None = None
    least_players: int = 0
    most_players: int = 0
    votes: tuple[str, ...] = ()
    starts: Literal["gm", "full"] = "gm"
    open_days: int | None = None
    secrets: bool = False
    suppositions: int = SUPPOSITIONS
    press: PressRules = ALL_PRESS
    clock: ClockChange | None = None
    language: str = "en"
    people: PeopleRules = USUAL


def parse_address(text: str) -> str:
    """A mail address as it is kept: ASCII, in small letters. Refused if it is not one, or no
    person's.
    """
    # Imported here: a service needs it only when somebody names an address.
    from email_validator import EmailNotValidError, validate_email

    try:
        checked = validate_email(text, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise Refused(
            "bad-address", f"{text!r} is not a mail address; write one like anna@example.org"
        ) from error
    if checked.ascii_email is None:
        raise Refused("bad-address", f"{text!r}: use an ASCII address")
    if is_nobody_s(checked.ascii_email):
        raise Refused("bad-address", f"no person reads {text!r}; write somebody's own address")
    return checked.ascii_email.lower()


def parse_other_address(policy: Policy, text: str, *, cannot: str = "play") -> str:
    """The same, of somebody else than this house."""
    address = parse_address(text)
    if policy.is_own(address):
        raise Refused(
            "bad-address",
            f"{address} is the address players write to, so nobody can {cannot} from it",
        )
    return address


def barred(whom: str) -> Refused:
    """Why somebody gets no seat at any table."""
    return Refused("barred", f"{whom} has three strikes over all games, and cannot join a game")


def check_called(name: str) -> str:
    """What a game master is called. Refused for hidden signs, links and mixed alphabets."""
    try:
        return parse_called(name)
    except NameRefused as error:
        raise Refused("bad-name", f"{name!r} cannot be a name here ({error.code})") from error


async def open_table(services: Desk, new: NewTable, by: By) -> int:
    """Open a table that people can be invited to, or join by its code. The seed is drawn now and
    its commitment kept.
    """
    if not SLUG.fullmatch(new.slug):
        raise Refused(
            "bad-name",
            f"{new.slug!r}: a game's short name is lower-case letters, digits and hyphens, like"
            " heron",
        )
    if new.slug in PHRASES:
        raise Refused("bad-name", f"{new.slug!r} is a word of the game master")
    for words in (new.title, new.gm_name):
        if len(words) > MAX_TITLE_CHARACTERS or not words.isprintable():
            raise Refused(
                "bad-name",
                f"{words!r}: at most {MAX_TITLE_CHARACTERS} printable characters on one line",
            )
    if new.gm_name:
        check_called(new.gm_name)
    kind = services.games.get(new.ruleset)
    if kind is None:
        raise Refused(
            "unknown-ruleset",
            f"there is no game of the kind {new.ruleset!r}; known:"
            f" {', '.join(sorted(services.games))}",
        )
    try:
        options = new.options | ({"land": kind.read_map(new.map_text)} if new.map_text else {})
        kind.ruleset.check_options(options)
    except ValueError as error:
        raise Refused("bad-options", str(error)) from error
    check_votes(kind, options, new.votes)
    check_hours(new.hours or {}, kind.ruleset.windows)
    check_press(new.press, kind.ruleset.windows)
    seed = new.seed or services.new_seed()
    settings = Settings(
        zone=new.zone,
        gm_name=new.gm_name,
        early_close=bool(new.options.get("early_close", True)),
        finality=str(new.options.get("finality", "confirm")),
        hours=new.hours or {},
        map_text=new.map_text,
        votes=new.votes,
        least_players=new.least_players or kind.ruleset.players[0],
        most_players=new.most_players,
        starts=new.starts,
        secrets=new.secrets,
        suppositions=check_suppositions(new.suppositions),
        press=new.press,
        language=new.language,
        people=new.people,
    )
    check_numbers(kind, options, settings)
    if new.clock is not None:
        settings = with_clock(settings, new.clock, kind.ruleset.windows)
    now = services.clock.now()
    expires_at = now.replace(microsecond=0) + timedelta(
        days=check_days(new.open_days, services.policy.open_days)
    )
    async with commanded(services, by) as tx:
        game_id = await tx.work.games.add(
            NewGame(
                slug=new.slug,
                title=new.title,
                ruleset=new.ruleset,
                options=msgspec.json.encode(options).decode(),
                seed=seed.hex(),
                commitment=commitment(seed),
                settings=encode_settings(settings),
                created_at=now,
                join_code=make_join_code(new.slug, services.new_seed()),
                expires_at=expires_at,
            )
        )
        if game_id is None:
            raise Refused("game-exists", f"there is a game {new.slug!r} already")
        await tx.log(
            "game new", {"slug": new.slug, "ruleset": new.ruleset, "options": new.options}, game_id
        )
    return game_id


async def invite(
    services: Desk,
    slug: str,
    name: str,
    address: str,
    by: By,
    *,
    colour: str | None = None,
    zone: str | None = None,
) -> int:
    """Keep a seat for a person and write them; the seat's number. Their answer takes the seat, or
    gives it back.
    """
    address = parse_other_address(services.policy, address)
    now = services.clock.now()
    async with commanded(services, by) as tx:
        game = await lock_game(tx.work, slug)
        check_not_begun(game, "you can no longer invite players")
        table = await load_table(tx, game)
        person = await tx.work.people.find_by_address(MAIL, address)
        if person is not None and any(seat.person_id == person.id for seat in table.seats):
            raise Refused("already-invited", f"{address} has a seat at {game.title} already")
        if person is not None and await is_barred(tx.work, person.id):
            raise barred(address)
        guest = _guest_of(table, person, address, name, colour, zone)
        seat = await seat_guest(tx, table, guest)
        if isinstance(seat, Refusal):
            raise _refused(table, guest, seat)
        await _keep_invitation(tx.work, game.id, seat, now)
        row = await tx.work.people.find(seat.person_id)
        rows = await read_lobby_rows(tx, game.id)
        key, link = f"invitation:{seat.id}", None
        bot = await read_bot(tx.work)
        if (
            bot is not None
            and seat.person_id is not None
            and await chat_of(tx.work, seat.person_id) is None
        ):
            link = make_link(
                services.key, bot, PERSON, about=key, now=now, person_id=seat.person_id
            )
        facts = page_table(table, services, code=seat_token(services.key, seat, 0))
        page = table.kind.pages.invitation(
            replace(
                facts,
                mailto=answer_link(services.policy, game, facts.code, "yes"),
                telegram=link.url if link is not None else "",
            ),
            page_reader(seat, row, services.policy.zone),
            table.settings.gm_name or services.policy.name,
            [other.name for other in table.seats],
            lobby_for(rows, seat, now),
        )
        letter = letter_to(
            services,
            SeatAt(game=game, seat=seat, phase_number=0, address=address),
            page,
            "invitation",
            key,
        )
        await queue_letter(
            tx,
            letter if link is None else msgspec.structs.replace(letter, link=link.kept),
        )
        await tx.log("game invite", {"name": seat.name, "colour": seat.colour}, game.id)
    return seat.number


def _guest_of(
    table: OpenTable,
    person: PersonRow | None,
    address: str,
    name: str,
    colour: str | None,
    zone: str | None,
) -> Guest:
    """Whom the seat is kept for; somebody we know keeps the time zone they have set."""
    try:
        named = parse_name(name, frozenset(table.kind.reserved_words))
    except ValueError as error:
        raise Refused("bad-name", f"{name!r} cannot be a name here ({error})") from error
    chosen = colour or propose_colour(table)
    if chosen is None:
        raise Refused(
            "table-full",
            f"{table.game.title} has {len(table.seats)} players, the most that can play",
        )
    guest = Guest(person, address, named, chosen, zone if person is None else None)
    for checked in (check_name(table, named), check_colour(table, chosen)):
        if isinstance(checked, Refusal):
            raise _refused(table, guest, checked)
    return guest


def _refused(table: OpenTable, guest: Guest, refusal: Refusal) -> Refused:
    """The same refusal in words for the person who typed the command."""
    title = table.game.title
    match refusal.code:
        case "full":
            return Refused(
                "table-full",
                f"{title} has {len(table.seats)} players, the most that can play",
            )
        case "unknown-colour":
            return Refused(
                "unknown-colour", f"{guest.colour!r} is not one of {', '.join(table.kind.colours)}"
            )
        case "colour-taken":
            return Refused("name-or-colour-taken", f"the colour {guest.colour} is taken at {title}")
    alike = (
        f"the name {guest.name!r} is taken or looks like {refusal.options[0]!r}"
        if refusal.options
        else f"the name {guest.name!r} is taken"
    )
    return Refused("name-or-colour-taken", f"{alike} at {title}")


async def _keep_invitation(work: Work, game_id: int, seat: SeatRow, now: datetime) -> None:
    """The person who left the table, or declined, can be invited again."""
    if seat.person_id is None:
        return
    nonce = f"{game_id}.{seat.id}.{seat.tenure}"
    if (
        await work.invitations.add_once(
            game_id=game_id, person_id=seat.person_id, seat_id=seat.id, nonce=nonce, sent_at=now
        )
        is None
    ):
        known = await work.invitations.find_of_person(game_id, seat.person_id)
        if known is not None:
            await work.invitations.renew(known.id, seat_id=seat.id, sent_at=now)
