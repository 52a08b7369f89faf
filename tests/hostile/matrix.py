"""The families of hostile mails, and sending one into the world."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tests.hostile import broken, forging, hidden, machines, masters, replays, tokens
from tests.hostile.case import Family
from tests.hostile.world import World, besieged

FAMILIES: Mapping[str, Family] = {
    "senders read in two ways": forging.spoofed_senders,
    "senders plainly forged": forging.plainly_spoofed,
    "forged words of a server": forging.forged_results,
    "mails that were true once": replays.replays,
    "stale and forged tokens": tokens.stale_and_forged_tokens,
    "guessed tokens": tokens.guessed_tokens,
    "tokens of others": tokens.foreign_tokens,
    "mails passed on": tokens.passed_on,
    "automatic answers": machines.automatic_answers,
    "machines that confirm": machines.machines_that_confirm,
    "delivery reports": machines.reports,
    "our own letters": machines.own_letters,
    "commands of others": masters.commands_of_others,
    "commands passed on": masters.passed_on_by_masters,
    "answers of others": masters.answers_of_others,
    "strangers at the door": masters.strangers_at_the_door,
    "hidden orders": hidden.hidden_orders,
    "broken mails": broken.broken_mails,
    "mangled mails": broken.mangled_letters,
    "proven but unreadable": broken.proven_but_unreadable,
}

MOST_LETTERS = 120
"""That a family may cause, with all caps of a day: far fewer than it has mails."""


@dataclass(frozen=True, slots=True)
class Count:
    """What became of a family: `accepted` names the mails that changed something, `letters` is kind
    and address of each caused.
    """

    family: str
    sent: int
    accepted: tuple[tuple[str, str], ...]
    letters: tuple[tuple[str, str], ...]
    strangers: frozenset[str]


async def send_family(
    world: World, family: str, folder: Path, *, most: int | None = None, every: int = 1
) -> Count:
    """Send all of a family (or the first of it, or every so manieth), do all the work that follows,
    and count.
    """
    async with besieged(world, folder) as siege:
        may_ask = set()
        for case in islice(FAMILIES[family](world), 0, most, every):
            await siege.send(case.name, case.raw)
            may_ask |= {case.may_ask} if case.may_ask else set()
        await siege.settle(family)
        letters = tuple(siege.letters_since())
        strangers = (
            frozenset(address for _kind, address in letters)
            - siege.registered()
            - may_ask
            - {"gm@house.example"}
        )
        return Count(family, siege.sent, tuple(siege.accepted), letters, strangers)
