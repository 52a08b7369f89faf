"""Who may run which table by mail: the game masters of the configuration and the invited ones.

The configured ones, and those invited without a table, run every table; the others the tables they
were invited to.
"""

from datetime import datetime

from pbem.desk.envelope.message import MAIL
from pbem.desk.envelope.recipients import MasterAddress
from pbem.desk.ports import Policy
from pbem.store.repositories.around import Around, Somebody
from pbem.store.work import Work


async def enrol_configured(work: Work, policy: Policy, now: datetime) -> None:
    """Make the configured addresses people who may command; those who are it already stay as they
    are.
    """
    for address in policy.gm_addresses:
        await enrol(work, address, "", policy.zone, now)


async def enrol(work: Work, address: str, name: str, zone: str, now: datetime) -> tuple[int, bool]:
    """Let the person who reads at this address run tables: the person, and whether that is new."""
    person = await work.people.find_by_address(MAIL, address)
    if person is None:
        person_id = await work.people.add(name=name, locale="en", time_zone=zone, created_at=now)
        await work.people.add_address(person_id, MAIL, address, "confirmed")
    else:
        person_id = person.id
        if name and not person.name:
            await work.people.set_name(person_id, name)
    return person_id, await work.masters.add_once(person_id, now)


async def list_masters(work: Work, policy: Policy) -> tuple[MasterAddress, ...]:
    """All game masters that can be reached, the configured ones first and at the very address of
    the configuration.
    """
    return masters_among(await read_around(work, policy, 0), policy)


async def read_around(work: Work, policy: Policy, game_id: int) -> Around:
    """Everybody around a table (0: the game masters alone)."""
    return await work.around.read(game_id, MAIL, policy.gm_addresses)


def masters_among(around: Around, policy: Policy) -> tuple[MasterAddress, ...]:
    """The same of those around a table."""
    owners = {
        row.address: (somebody, row)
        for somebody in around.people.values()
        for row in somebody.addresses
        if row.channel == MAIL
    }
    found: dict[int | str, MasterAddress] = {}
    for address in policy.gm_addresses:
        owner, row = owners.get(address, (None, None))
        if row is not None and row.state == "suspended":
            continue
        if owner is None or not owner.generation:
            found[address] = MasterAddress(0, "", address, policy.zone, "en", 0)
        else:
            found[owner.person.id] = _master(owner, address)
    for row in sorted((row for _, row in owners.values()), key=lambda row: row.id):
        somebody = around.people[row.person_id]
        if somebody.generation and row.state != "suspended" and row.person_id not in found:
            found[row.person_id] = _master(somebody, row.address)
    return tuple(found.values())


def _master(somebody: Somebody, address: str) -> MasterAddress:
    person = somebody.person
    return MasterAddress(
        person.id, person.name, address, person.time_zone, person.locale, somebody.generation
    )


async def list_bounced(work: Work, policy: Policy) -> tuple[MasterAddress, ...]:
    """The game masters whose every mail address has sent our letters back: they may command still,
    and are told nothing.
    """
    around = await read_around(work, policy, 0)
    reached = {master.person_id for master in masters_among(around, policy)}
    found = []
    for somebody in around.people.values():
        address = next((row.address for row in somebody.addresses if row.channel == MAIL), None)
        if somebody.generation and somebody.person.id not in reached and address is not None:
            found.append(_master(somebody, address))
    return tuple(found)


async def find_master(work: Work, policy: Policy, person_id: int) -> MasterAddress | None:
    """A game master who can be reached."""
    return next(
        (master for master in await list_masters(work, policy) if master.person_id == person_id),
        None,
    )


async def games_run_by(work: Work, policy: Policy, person_id: int) -> frozenset[int] | None:
    """The tables that a game master may run; None: every one."""
    own = {
        row.address for row in await work.people.list_addresses(person_id) if row.channel == MAIL
    }
    if own & set(policy.gm_addresses):
        return None
    return frozenset(await work.gms.list_games_of(person_id)) or None


async def masters_of_table(work: Work, policy: Policy, game_id: int) -> tuple[MasterAddress, ...]:
    """Everybody who may run a table, and so is told what happens there."""
    return masters_of(await read_around(work, policy, game_id), policy)


def masters_of(around: Around, policy: Policy) -> tuple[MasterAddress, ...]:
    """The same of those around the table."""
    return tuple(
        master
        for master in masters_among(around, policy)
        if not master.person_id or _may_run(around.people[master.person_id], policy)
    )


def _may_run(master: Somebody, policy: Policy) -> bool:
    """Whether they run this table: their own, or, as a configured one or of no single table,
    every one.
    """
    own = {row.address for row in master.addresses if row.channel == MAIL}
    return master.runs_this or not master.runs_some or bool(own & set(policy.gm_addresses))
