"""Bent mails into `receive` for a while: nothing is uncaught, nothing laid aside.
`PBEM_FUZZ_MINUTES` says for how long.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path

from tests.hostile.fuzz import fuzz
from tests.hostile.world import World
from tests.rings import at_length

MINUTES = at_length(3, 24) / 60


async def test_no_bent_mail_gets_through_uncaught(
    world: World, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    minutes = float(os.environ.get("PBEM_FUZZ_MINUTES", MINUTES))
    seed = int(os.environ.get("PBEM_FUZZ_SEED", random.SystemRandom().randrange(10**6)))
    found = await fuzz(world, tmp_path, seed=seed, seconds=minutes * 60)
    troubles = found.troubles or []
    record_property(
        "figures",
        f"fuzz: {found.executions} executions in {minutes} minutes, {len(troubles)} uncaught (seed {seed})",
    )
    assert [trace[-2000:] for trace, _raw in troubles[:3]] == [], f"seed {seed}"
    assert found.executions > 100
