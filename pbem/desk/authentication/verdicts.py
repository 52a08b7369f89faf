"""Who really wrote: the facts about a message, looked up first, and a pure judgement over them:
what it proves about the seat it speaks for.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.desk.authentication.tenures import seats_played_for
from pbem.desk.envelope.message import MAIL, Message
from pbem.grammar.gm.lines import is_to_the_house
from pbem.mail.tokens import Purpose, TokenClaim, proves
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import Owner, PersonRow
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work


@dataclass(frozen=True, slots=True)
class MasterFacts:
    """A game master of the house: their token's generation, and the addresses that are their
    own.
    """

    person: PersonRow
    generation: int
    addresses: frozenset[str]


@dataclass(frozen=True, slots=True)
class Facts:
    """What the database knows about a mail: whose address it came from, and the seats that matter.

    `masters` are the game masters that tokens of the mail name; `is_master` says whether its sender
    is one.
    """

    person: PersonRow | None
    own_seats: tuple[SeatRow, ...]
    claimed_seats: Mapping[int, SeatRow]
    addresses_of: Mapping[int, frozenset[str]]
    running_games: frozenset[int]
    masters: Mapping[int, MasterFacts] = field(default_factory=dict)
    is_master: bool = False
    is_own_address: bool = False
    """Whether the sender's address is confirmed to be the person's."""
    away: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The tables at which somebody plays for the person just now: the seat's id there, with the
    tenure in which it was theirs.
    """
    answers_master: bool = False
    """Whether the message answers, in a chat, a letter of ours that only a game master gets."""
    owner: Owner | None = None
    """The person with the address that the message came from."""
    games: Mapping[int, GameRow] = field(default_factory=dict)
    """The games of the person's seats."""
    may_copy: bool = False
    """Whether a message with the same id was handled before."""


@dataclass(frozen=True, slots=True)
class Proven:
    """The mail speaks for this seat. `phase` is the one its token was made for; None: proven by
    address and DMARC alone. `is_named`: a chat is about another table than before from now on.
    """

    seat: SeatRow
    phase: int | None
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class Unproven:
    """Perhaps it speaks for this seat: the person who is registered there must confirm. `phase` is
    the one its token was made for, if any.

    `seats`: for one of these, and it says not for which; the person who confirms it says that, too.
    """

    seat: SeatRow
    reason: str
    phase: int | None = None
    seats: tuple[SeatRow, ...] = ()


@dataclass(frozen=True, slots=True)
class WhichGame:
    """Proven to be this person's, who plays at several tables, and says not which is meant."""

    person: PersonRow
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """Proven to be this person's, who has no seat anywhere."""

    person: PersonRow


@dataclass(frozen=True, slots=True)
class Master:
    """A game master writes, proven by token and own address. `game_id` is the table that the token
    was made for; None: the house.
    """

    person: PersonRow
    game_id: int | None


@dataclass(frozen=True, slots=True)
class PerhapsMaster:
    """The address is a game master's, but there is no code, or the mail was written to somebody
    else: the person who reads there must confirm.
    """

    person: PersonRow


@dataclass(frozen=True, slots=True)
class Watching:
    """Somebody who watches a table (or did), or has their seat there played by another, writes
    about it.
    """

    person: PersonRow
    game_id: int


@dataclass(frozen=True, slots=True)
class Confirming:
    """The answer to a confirmation mail."""

    claim: TokenClaim


@dataclass(frozen=True, slots=True)
class Stranger:
    """Nobody we know, without a code: logged, never answered."""

    reason: str


Verdict = (
    Proven
    | Unproven
    | WhichGame
    | Known
    | Watching
    | Master
    | PerhapsMaster
    | Confirming
    | Stranger
)


def judge(mail: Message, facts: Facts, key: bytes) -> Verdict:
    """Token and own address; or own address with a trusted DMARC pass and one game in question;
    less is unproven.

    In a chat the numeric id is proof: a game master who plays nowhere commands with every word, one
    who plays with `gm` before it, or with an answer to a letter for game masters.

    A game master's token from any other address, or with a DMARC fail, proves nothing and is not
    answered. A mail that was not written to us proves nothing either: somebody who got it, with our
    letter quoted in it, may have sent it on as it was.
    """
    seat, phase = None, None
    for claim in (
        mail.tokens
    ):  # in the order of trust of the places they stood in: the first that proves something decides
        if claim.purpose is Purpose.CONFIRM and proves(claim, key, 0):
            return Confirming(claim)
        if (
            claim.purpose is Purpose.GM
            and (master := facts.masters.get(claim.seat))
            and proves(claim, key, master.generation)
        ):
            if mail.sender in master.addresses and mail.trust != "fail":
                return (
                    Master(master.person, claim.phase or None)
                    if mail.addressed
                    else PerhapsMaster(master.person)
                )
            return Stranger("not-the-game-master")
        if (
            claim.purpose is Purpose.WATCH
            and facts.person is not None
            and claim.seat == facts.person.id
            and proves(claim, key, 0)
        ):
            if mail.trust != "fail" and mail.addressed and facts.is_own_address:
                return Watching(facts.person, claim.phase)
        seat = _seat_of(claim, facts.claimed_seats, key)
        if seat is not None:
            phase = claim.phase
            break
    if seat is not None:
        own = mail.sender is not None and mail.sender in facts.addresses_of.get(
            seat.id, frozenset()
        )
        if own and mail.trust != "fail" and mail.addressed:
            return Proven(seat, phase)
        return Unproven(
            seat,
            "other-address" if not own else "dmarc-failed" if mail.trust == "fail" else "not-to-us",
            phase,
        )
    if facts.person is None:
        return Stranger("unknown-sender")
    away = _away_from(mail, facts, key)
    if away is not None:
        return Watching(facts.person, away)
    return _by_address(mail, facts, facts.person)


def _by_address(mail: Message, facts: Facts, person: PersonRow) -> Verdict:
    """No code says more than the address."""
    if facts.is_master and mail.is_vouched:
        if not facts.own_seats or facts.answers_master or is_to_the_house(mail.text):
            return Master(person, None)
    elif facts.is_master and not facts.own_seats and mail.trust != "fail":
        return PerhapsMaster(person)
    seats = (
        tuple(row for row in facts.own_seats if row.game_id in facts.running_games)
        or facts.own_seats
    )
    if not seats and len(facts.away) == 1 and mail.trust == "pass" and mail.addressed:
        return Watching(person, next(iter(facts.away)))
    if not seats:
        return Known(person) if mail.trust == "pass" and mail.addressed else Stranger("no-seat")
    if mail.trust == "pass" and mail.addressed:
        return Proven(seats[0], None) if len(seats) == 1 else WhichGame(person, seats)
    return Unproven(seats[0], "no-code", seats=seats if len(seats) > 1 else ())


def _away_from(mail: Message, facts: Facts, key: bytes) -> int | None:
    """The table of which somebody writes with a code from when the seat there was theirs that
    another has for them just now.
    """
    if mail.trust == "fail" or not mail.addressed or not facts.is_own_address:
        return None
    for game_id, (seat_id, tenure) in facts.away.items():
        if any(
            claim.purpose is Purpose.ORDERS and claim.seat == seat_id and proves(claim, key, tenure)
            for claim in mail.tokens
        ):
            return game_id
    return None


def _seat_of(claim: TokenClaim, seats: Mapping[int, SeatRow], key: bytes) -> SeatRow | None:
    """The seat that a true token names; a token of an earlier tenure proves nothing."""
    seat = seats.get(claim.seat)
    if claim.purpose is not Purpose.ORDERS or seat is None or seat.person_id is None:
        return None
    return seat if proves(claim, key, seat.tenure) else None


GM_LETTERS = "gm-"
"""What the kinds of letters begin with that only game masters get."""


async def read_facts(work: Work, mail: Message, row: InboxRow | None = None) -> Facts:
    """What is known of the writer, and of the people whose codes the message has, for `judge`; and
    where its row is given, whether it may be a copy.
    """
    told = (key_prefix_of(row), row.id) if row is not None and row.channel == MAIL else ()
    writer = await work.writers.find(mail.channel, mail.sender, *told) if mail.sender else None
    person = writer.person if writer is not None else None
    own = writer.seats if writer is not None else ()
    games = writer.games if writer is not None else {}
    is_own = writer is not None and writer.address.state != "unconfirmed"
    claimed: dict[int, SeatRow] = {}
    for claim in mail.tokens[:10]:
        if claim.seat in claimed:
            continue
        seat = next((row for row in own if row.id == claim.seat), None) or await work.seats.find(
            claim.seat
        )
        if seat is not None:
            claimed[seat.id] = seat
    # nobody else has the address
    theirs = frozenset((mail.sender,)) if is_own and mail.sender is not None else frozenset()
    addresses = {
        seat.id: theirs if person is not None and seat.person_id == person.id else frozenset()
        for seat in claimed.values()
        if seat.person_id is not None
    }
    masters = {}
    for claim in mail.tokens[:10]:
        right = await work.masters.find(claim.seat) if claim.purpose is Purpose.GM else None
        master = await work.people.find(right.person_id) if right is not None else None
        if right is not None and master is not None:
            known = await work.people.list_addresses(master.id)
            own_addresses = frozenset(
                address.address for address in known if address.state != "unconfirmed"
            )
            masters[master.id] = MasterFacts(master, right.generation, own_addresses)
    is_master = writer is not None and writer.is_master
    points_at = mail.points_at if is_master else None
    answered = await work.outbox.find_by_message_id(points_at) if points_at is not None else None
    return Facts(
        person,
        tuple(seat for seat in own if seat.status != "left"),
        claimed,
        addresses,
        frozenset(game.id for game in games.values() if game.status in ("running", "paused")),
        masters,
        is_master,
        is_own_address=is_own,
        away=await seats_played_for(work, writer.person.id)
        if writer is not None and writer.is_away
        else {},
        answers_master=answered is not None and answered.kind.startswith(GM_LETTERS),
        owner=(writer.person, writer.address) if writer is not None else None,
        games=games,
        may_copy=writer is not None and writer.may_copy,
    )


def key_prefix_of(row: InboxRow) -> str:
    """What the keys of a message and of its copies begin with: its id."""
    return f"{row.message_key.partition('|')[0]}|"


async def proven_person(work: Work, verdict: object) -> PersonRow | None:
    """Who is known to write, beyond doubt."""
    match verdict:
        case Proven(seat=seat):
            return await work.people.find(seat.person_id)
        case WhichGame(person=person):
            return person
    return None


async def confirmed_seat(work: Work, row: InboxRow, verdict: Unproven) -> SeatRow | None:
    """The seat that this very message speaks for, since the registered player has confirmed it;
    None: they have not.
    """
    facts = json.loads(row.facts)
    pending = await work.pending.find(facts["confirmed_by"]) if "confirmed_by" in facts else None
    if pending is None or pending.outcome != "confirmed" or row.id not in pending.inbox_ids:
        return None
    return (
        next((seat for seat in verdict.seats if seat.id == facts.get("seat")), None)
        if verdict.seats
        else verdict.seat
    )
