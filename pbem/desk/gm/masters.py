"""Who may run tables by mail: invite a game master, list them, take the right away again."""

from dataclasses import dataclass
from typing import Literal

from pbem.desk.envelope.message import MAIL
from pbem.desk.gm.command import commanded
from pbem.desk.gm.tables import check_called, parse_address, parse_other_address
from pbem.desk.letters.post import Addressee
from pbem.desk.letters.queue import queue_letter
from pbem.desk.mandate import By, Refused, find_game
from pbem.desk.people.masters import enrol, find_master, games_run_by, list_bounced, list_masters
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import house_table
from pbem.grammar.gm.spelling import shown_game
from pbem.grammar.gm.words import WORDS, example_of, form_of
from pbem.pages.gm import MasterInvited, WordHelp


@dataclass(frozen=True, slots=True)
class MasterLine:
    """A game master in a list. `tables` are the short names of those they run; None: every one.
    `has_bounced`: nothing is sent there.
    """

    address: str
    name: str
    is_configured: bool
    tables: tuple[str, ...] | None
    has_bounced: bool = False


async def invite_master(
    services: Desk, address: str, by: By, *, name: str = "", slug: str | None = None
) -> bool:
    """Let somebody run tables by mail (one, if `slug` names it) and send the code. False: they
    could already, and got a new code.

    Every code given before is worthless from now on.
    """
    address = parse_other_address(services.policy, address, cannot="run games")
    now = services.clock.now()
    if name:
        name = check_called(name)
    async with commanded(services, by, "gm.invite.written") as tx:
        game = await find_game(tx.work, slug) if slug is not None else None
        person_id, is_new = await enrol(tx.work, address, name, services.policy.zone, now)
        if game is not None:
            await _check_limited(tx, person_id, address, is_new=is_new)
            await tx.work.gms.add_once(game.id, person_id)
        else:
            await tx.work.gms.remove_person(person_id)
        if not is_new:
            await tx.work.masters.renew(person_id)
        if await tx.work.people.confirm_address(MAIL, address):
            await tx.work.outbox.release_for_address(MAIL, address, now)
        about = game.id if game else None
        await tx.log("gm invite", {"person": person_id, "table": slug}, about, public=False)
        await _send_invitation(tx, person_id, address)
    return is_new


async def _check_limited(
    tx: Transaction[Context], person_id: int, address: str, *, is_new: bool
) -> None:
    """A single table would take the others from somebody who runs all of them."""
    if not is_new and await games_run_by(tx.work, tx.services.policy, person_id) is None:
        raise Refused("runs-every-table", f"{address} already runs every game")
    if address in tx.services.policy.gm_addresses:
        raise Refused("runs-every-table", f"{address} is in the configuration and runs every game")


async def _send_invitation(tx: Transaction[Context], person_id: int, address: str) -> None:
    master = await find_master(tx.work, tx.services.policy, person_id)
    if master is None:
        raise Refused("unreachable", f"we cannot reach {address}")
    games = await games_run_by(tx.work, tx.services.policy, person_id)
    found = [await tx.work.games.find(game_id) for game_id in sorted(games or ())]
    titles = [game.title for game in found if game is not None]
    one = found[0] if len(found) == 1 else None
    name = master.name or tx.services.policy.name
    code = master.token_by(tx.services.key, one.id if one is not None else 0)
    shown = shown_game(tx.services.games)
    words = [WordHelp(word, form_of(word, shown), entry.dangerous) for word, entry in WORDS.items()]
    to = master.recipient(tx.services.key, name, one)
    who = Addressee(tx.services, to, master.reader(name, code), house_table(tx.services))
    told = MasterInvited(titles, words, example_of("new game", shown))
    key = f"gm-invitation:{person_id}:{master.generation}:{one.id if one else 0}"
    await queue_letter(tx, who.letter(told, "gm-invitation", key))


async def list_game_masters(services: Desk) -> tuple[MasterLine, ...]:
    """Everybody who may run tables by mail, those to whom no mail gets through behind the
    others.
    """
    async with services.database.read() as work:
        lines = []
        reached = await list_masters(work, services.policy)
        bounced = await list_bounced(work, services.policy)
        for master in (*reached, *bounced):
            games = (
                await games_run_by(work, services.policy, master.person_id)
                if master.person_id
                else None
            )
            rows = [await work.games.find(game_id) for game_id in sorted(games or ())]
            tables = (
                None if games is None else tuple(game.slug for game in rows if game is not None)
            )
            lines.append(
                MasterLine(
                    master.address,
                    master.name,
                    master.address in services.policy.gm_addresses,
                    tables,
                    master in bounced,
                )
            )
    return tuple(lines)


async def revoke_master(services: Desk, address: str, by: By) -> Literal["revoked", "renewed"]:
    """Make every code of a game master worthless. Who was invited runs no tables any more; who
    stands in the configuration gets new codes with the next letters ("renewed").
    """
    address = parse_address(address)
    async with commanded(services, by) as tx:
        person = await tx.work.people.find_by_address(MAIL, address)
        if person is None or await tx.work.masters.find(person.id) is None:
            raise Refused("unknown-master", f"{address} runs no games")
        own = {row.address for row in await tx.work.people.list_addresses(person.id)}
        stays = bool(own & set(services.policy.gm_addresses))
        if stays:
            await tx.work.masters.renew(person.id)
        else:
            await tx.work.masters.remove(person.id)
            await tx.work.gms.remove_person(person.id)
        await tx.log("gm revoke", {"person": person.id, "stays": stays}, None, public=False)
    return "renewed" if stays else "revoked"
