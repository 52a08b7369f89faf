"""Messages that belong together, as people send them: what comes seldom by chance alone, and is where
an order is told early and takes effect late.
"""

from collections.abc import Iterator
from random import Random

from tests.games.sovereigns.second import talk
from tests.games.sovereigns.second.table import Second

Said = tuple[str, list[str]]
"""Who writes, and the lines."""


def scene(rng: Random, s: Second) -> Iterator[Said]:
    """Some messages of one of the scenes, if the table is such that there can be any."""
    if not s.ground.over and s.g["phase"] != "setup" and len(s.ground.seat()) > 1:
        yield from rng.choice(SCENES)(rng, s)


def winter(rng: Random, s: Second) -> Iterator[Said]:
    """An answer for the year start, beside what changes Harmony and works until then (SS-12.8)."""
    if s.g["phase"] != "season" or s.g["season"] != "Winter":
        return
    for who in s.ground.seat():
        lines = [f"Harmony: {rng.choice((0, 1, 2, 4, 6))}H{rng.choice(('', ', works'))}"]
        lines += [f"Increase H: {rng.choice((2, 4, 6))}R"] * rng.randint(0, 1)
        lines += ["Build BLD-WORKS H"] * rng.randint(0, 1)
        if rng.random() < 0.3:
            lines[0] = talk.answer(rng, "".join(s.g["kingdoms"]))
        yield who, rng.sample(lines, len(lines))


def same_art(rng: Random, s: Second) -> Iterator[Said]:
    """Two teachers of one technology, or one who is asked twice, and a pupil who says yes to all
    (SS-7.12).
    """
    owned = [(who, tech) for who in s.ground.seat() for tech in s.ground.k(who)["tech"]]
    if s.g["phase"] != "season" or not owned:
        return
    _, tech = rng.choice(owned)
    pupil = rng.choice(s.ground.seat())
    teachers = [who for who in s.ground.seat() if who != pupil]
    first = s.g["counts"]["offers"]
    for who in [rng.choice(teachers) for _ in range(2)]:
        more = rng.choice(("", ", 1R permanent", ", 1M"))
        yield (
            who,
            [f"Offer {pupil}: tech {tech}{more} against {rng.choice(('1R permanent', '1M'))}"],
        )
    yield pupil, [f"Accept offer {n}" for n in range(first + 1, s.g["counts"]["offers"] + 1)]


def points_come(rng: Random, s: Second) -> Iterator[Said]:
    """An order for more than there is, and points that come (or go) before the close (SS-3.8)."""
    if s.g["phase"] != "season":
        return
    who, other = rng.sample(s.ground.seat(), 2)
    names = "".join(s.g["kingdoms"])
    yield who, [talk.one_action(rng, who, names, s.g["technologies"])]
    what = f"{rng.randint(1, 3)}{rng.choice('RM')} {rng.choice(('permanent', 'for 1 seasons'))}"
    giver, taker = rng.sample((who, other), 2)
    known = s.g["counts"]["offers"]
    yield giver, [f"Offer {taker}: {what} against nothing"]
    if s.g["counts"]["offers"] > known:
        yield taker, [f"Accept offer {s.g['counts']['offers']}"]


def taken_back(rng: Random, s: Second) -> Iterator[Said]:
    """Orders of the running season, before and after an action of the last one is taken back; and
    another objection while it is to be done again (SS-10.5).
    """
    acts = [played["n"] for played in s.book.played]
    if s.g["phase"] == "season":
        for who in rng.sample(s.ground.seat(), min(2, len(s.ground.seat()))):
            yield who, [talk.line(rng, s, who) for _ in range(rng.choice((1, 2)))]
    if not acts or s.ground.over:
        return
    n = rng.choice(acts)
    if rng.random() < 0.5:
        yield "GM", [f"gm rollback {n}"]
    else:
        yield rng.choice(s.ground.seat()), [f"Object to action {n}: why"]
        yield "GM", [f"gm verdict {s.g['counts']['objections']} uphold"]
    if s.redo and rng.random() < 0.5:
        yield rng.choice(s.ground.seat()), [f"Object to action {rng.choice(acts)}: why"]
        yield "GM", [f"gm verdict {s.g['counts']['objections']} uphold"]
    if s.redo and not s.ground.over:
        who = s.redo["kingdom"]
        if s.g["phase"] == "season" and s.ground.k(who)["alive"]:
            yield who, [talk.one_action(rng, who, "".join(s.g["kingdoms"]), s.g["technologies"])]
        names = "".join(s.g["kingdoms"])
        yield who, [f"Redo: {talk.one_action(rng, who, names, s.g['technologies'])}"]


SCENES = (winter, same_art, points_come, taken_back)
