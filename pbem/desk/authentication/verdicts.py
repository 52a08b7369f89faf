"""Who really wrote: what a mail proves about the seat it speaks for. A pure judgement over facts
looked up before.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.desk.envelope.message import Message
from pbem.grammar.gm.lines import is_to_the_house
from pbem.mail.tokens import Purpose, TokenClaim, proves
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import Owner, PersonRow
from pbem.store.repositories.seats import SeatRow


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
