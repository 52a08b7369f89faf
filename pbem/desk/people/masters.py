"""Who may run which table by mail: the game masters of the configuration and the invited ones.

The configured ones, and those invited without a table, run every table; the others the tables they
were invited to.
"""

from datetime import datetime

from pbem.desk.envelope.addressing import MasterAddress
from pbem.desk.envelope.message import MAIL
from pbem.desk.ports import Policy
from pbem.store.work import Work


async def enrol_configured(work: Work, policy: Policy, now: datetime) -> None:
    """Make the configured addresses people who may command; those who are it already stay as they
    are.
    """
    for address in policy.gm_addresses:
        await enrol(work, address, "", policy.zone, now)


async def enrol(work: Work, address: str, name: str, zone: str, now: datetime) -> tuple[int, bool]:
    """Let whoever reads at this address run tables: the person, and whether that is new."""
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
    generations = {row.person_id: row.generation for row in await work.masters.list_all()}
    people = {person.id: person for person in await work.people.list_by_ids(list(generations))}
    found: dict[int | str, MasterAddress] = {}
    for address in policy.gm_addresses:
        known = await work.people.find_address(MAIL, address)
        person = people.get(known.person_id) if known is not None else None
        if known is not None and known.state == "suspended":
            continue
        if person is None:
            found[address] = MasterAddress(0, "", address, policy.zone, "en", 0)
        else:
            found[person.id] = MasterAddress(
                person.id,
                person.name,
                address,
                person.time_zone,
                person.locale,
                generations[person.id],
            )
    for row in await work.people.list_addresses_of(list(people)):
        if row.channel == MAIL and row.state != "suspended" and row.person_id not in found:
            person = people[row.person_id]
            generation = generations[person.id]
            found[person.id] = MasterAddress(
                person.id, person.name, row.address, person.time_zone, person.locale, generation
            )
    return tuple(found.values())


async def list_bounced(work: Work, policy: Policy) -> tuple[MasterAddress, ...]:
    """The game masters whose every mail address has sent our letters back: they may command still,
    and are told nothing.
    """
    reached = {master.person_id for master in await list_masters(work, policy)}
    generations = {
        row.person_id: row.generation
        for row in await work.masters.list_all()
        if row.person_id not in reached
    }
    people = {person.id: person for person in await work.people.list_by_ids(list(generations))}
    found: dict[int, MasterAddress] = {}
    for row in await work.people.list_addresses_of(list(people)):
        if row.channel == MAIL and row.person_id not in found:
            person = people[row.person_id]
            found[person.id] = MasterAddress(
                person.id,
                person.name,
                row.address,
                person.time_zone,
                person.locale,
                generations[person.id],
            )
    return tuple(found.values())


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
    found = []
    for master in await list_masters(work, policy):
        games = await games_run_by(work, policy, master.person_id) if master.person_id else None
        if games is None or game_id in games:
            found.append(master)
    return tuple(found)
