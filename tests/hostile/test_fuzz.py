"""Bent mails into `receive`: nothing is uncaught, nothing laid aside. `make fuzz` sends them for as
long as one wants.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path

from tests.hostile.fuzz import fuzz
from tests.hostile.world import World
from tests.rings import at_length

MAILS = at_length(150, 1200)


async def test_no_bent_mail_gets_through_uncaught(
    world: World, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    seed = int(os.environ.get("PBEM_FUZZ_SEED", random.SystemRandom().randrange(10**6)))
    found = await fuzz(world, tmp_path, seed=seed, is_enough=lambda sent: sent >= MAILS)
    troubles = found.troubles or []
    record_property(
        "figures",
        f"fuzz: {found.executions} executions, {len(troubles)} uncaught (seed {seed})",
    )
    assert [trace[-2000:] for trace, _raw in troubles[:3]] == [], f"seed {seed}"
    assert found.executions == MAILS
