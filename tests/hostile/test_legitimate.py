"""Hundreds of mails as people's programs write them: the orders in each are the ones that stand
afterwards.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from pbem.store.packing import unpacked
from tests.hostile.forging import ANNA
from tests.hostile.legitimate import KINDS, NEW, TAGGED, WORK, Variant
from tests.hostile.world import PASS_PLAYERS, Siege, World, besieged, letter_raw

NOT_TAKEN: dict[str, str] = {}
"""Variants that are asked back, by name, with the reason."""


def standing(siege: Siege) -> tuple[int, str]:
    """How many versions there are, and what stands for Anna."""
    count = siege.reader.execute("SELECT count(*) FROM orders").fetchone()[0]
    row = siege.reader.execute(
        "SELECT canonical FROM orders WHERE seat_id = 1 AND phase_number = 2 ORDER BY version DESC LIMIT 1"
    ).fetchone()
    return int(count), str(row[0])


async def canonicals(siege: Siege, world: World) -> dict[str, str]:
    """How each of the orders stands when it is written plainly."""
    told = {}
    for order in NEW:
        await siege.send(
            order,
            letter_raw(f"Anna <{ANNA}>", order, to=world.reply_to("Anna"), results=PASS_PLAYERS),
        )
        told[order] = standing(siege)[1]
    return told


async def register(siege: Siege, world: World) -> None:
    """Two more addresses, each by its own yes."""
    for address in (WORK, TAGGED):
        line = f"my address is also {address}"
        await siege.send(
            line,
            letter_raw(f"Anna <{ANNA}>", line, to=world.reply_to("Anna"), results=PASS_PLAYERS),
        )
        row = siege.reader.execute(
            "SELECT letter FROM outbox WHERE address = ?", (address,)
        ).fetchone()
        domain = address.partition("@")[2]
        await siege.send(
            "yes",
            letter_raw(
                address,
                "yes",
                to=msgspec.json.decode(unpacked(row[0]))["reply_to"],
                results=f"mx.house.example; dmarc=pass header.from={domain}",
            ),
        )


async def is_taken(siege: Siege, variant: Variant, told: dict[str, str]) -> bool:
    before, _text = standing(siege)
    await siege.send(variant.name, variant.raw)
    return standing(siege) == (before + 1, told[variant.order])


@pytest.mark.long(
    held_by="tests/desk/authentication, tests/desk/messages (each way of proof by itself)"
)
@pytest.mark.parametrize("kind", KINDS)
async def test_what_people_write_is_taken(
    world: World, kind: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async with besieged(world, tmp_path / "siege") as siege:
        told = await canonicals(siege, world)
        assert len(set(told.values())) == len(NEW)
        if kind == "from other addresses":
            await register(siege, world)
        variants = list(KINDS[kind](world))
        lost = [variant.name for variant in variants if not await is_taken(siege, variant, told)]
    counts = {"sent": len(variants), "taken": len(variants) - len(lost)}
    record_property("counted", ("legitimate mail", kind, counts))
    assert [name for name in lost if name not in NOT_TAKEN] == []


@pytest.mark.long(
    held_by="tests/desk/authentication, tests/desk/messages (each way of proof by itself)"
)
def test_there_are_five_hundred_of_them_and_nearly_all_are_taken(world: World) -> None:
    count = sum(1 for kind in KINDS.values() for _variant in kind(world))
    assert count >= 500
    assert len(NOT_TAKEN) <= count / 100
