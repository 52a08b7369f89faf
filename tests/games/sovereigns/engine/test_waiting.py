"""Every order that waits (for a season, a redo, a ruling, a year) is judged when it takes effect, not
when it was sent.
"""

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from engine.chance import Chance
from engine.ruleset import Standing
from engine.sovereigns.codes import COSTS
from engine.sovereigns.positions.position_words import names_of
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import State
from engine.sovereigns.wording import parse_order
from tests.games.sovereigns.engine.playing import Play, table
from tests.games.sovereigns.second import talk

TRIES = 25
Said = tuple[str, str]
"""Who writes, and the line."""


def started(rng: Random) -> Play:
    """A game in a season, behind one in which everybody has acted, or at a year start."""
    told = talk.position(rng)
    if told.get("phase", "season") == "season" and rng.random() < 0.4:
        told["season"] = "Autumn"  # an answer waits longest from Winter on
    kingdoms = told.pop("kingdoms")
    names = "".join(kingdoms)
    game = Play(table(kingdoms, **told), Chance(rng.randbytes(8)))
    if game.state.stage == "season":
        for name in names:
            game.say(name, talk.action(rng, name, names, told["technologies"]))
    game.close()
    for number in game.state.living if game.state.stage == "season" else ():
        if rng.random() < 0.5:  # some have little left
            name, left = game.state.kingdom(number).ruler, rng.randint(0, 1)
            game.say("GM", *(f"gm set {name} {attribute} 4 ex {4 - left}" for attribute in "RMH"))
    game.events = []
    return game


def waiting(rng: Random, state: State, who: str) -> list[str]:
    """A message of orders that wait."""
    names, titles = "".join(names_of(state)), dict(state.technologies)
    if state.stage == "year-start":
        return [talk.answer(rng, names)]
    lines = [talk.action(rng, who, names, titles)]
    if state.season == "Winter" and rng.random() < 0.5:
        lines = [f"Increase H: {rng.randint(2, 6)}R"]
    if rng.random() < 0.3:
        lines.append(f"Build {rng.choice(list(COSTS))}")
    if rng.random() < 0.2:
        lines.append("Camp")
    if state.season == "Winter":
        more = state.kingdom(names_of(state)[who]).total.H + 1
        answers = (talk.answer(rng, names), f"Harmony: {more}H", f"Harmony: {more}H, works")
        lines.append(rng.choice(answers))
    return lines


def meanwhile(rng: Random, state: State, who: str) -> Iterator[Said]:
    """What others do before the close, and the ruler too, as far as it takes effect at once."""
    names = "".join(names_of(state))
    others = [name for name in names if name != who]
    number = state.offered
    for _ in range(rng.randint(0, 3) if state.stage == "season" else 0):
        giver = rng.choice(others)
        taker = rng.choice([name for name in names if name != giver] + [who] * 3)
        number += 1
        item = f"{rng.randint(1, 3)}{rng.choice('RM')}{rng.choice(('', ' permanent'))}"
        gift = f"tech {rng.choice(list(state.technologies))}" if state.technologies else item
        yield giver, f"Offer {taker}: {rng.choice((item, item, gift))} against nothing"
        yield taker, f"Accept offer {number}"
    for _ in range(rng.randint(0, 2)):
        total, whom = rng.randint(0, 6), rng.choice((*names, who, who))
        yield "GM", f"gm set {whom} {rng.choice('RMH')} {total} ex {rng.randint(0, total)}"
    if state.played and rng.random() < 0.6:
        played = rng.choice(state.played)
        ruler = state.kingdom(played.player).ruler
        yield "GM", f"gm rollback {played.number}"
        if rng.random() < 0.7:
            yield (
                ruler,
                rng.choice(
                    (
                        "Redo: Pass",
                        f"Redo: {talk.action(rng, ruler, names, dict(state.technologies))}",
                    )
                ),
            )
    if others and state.stage == "season" and rng.random() < 0.5:
        one = rng.choice(others)
        yield one, talk.action(rng, one, names, dict(state.technologies))


def stands(game: Play, who: str, lines: list[str]) -> bool:
    """Whether nothing of a message would be refused now."""
    state, player = game.state, names_of(game.state)[who]
    try:
        orders = [parse_order(state, line) for line in lines]
    except ValueError:
        return False
    checked = SOVEREIGNS.check(state, player, game.standing.get(player, Standing()), orders)
    return all(problem.warning for problem in checked.problems)


def ended(game: Play) -> tuple[State, list[dict[str, Any]]]:
    """The close, and the year start behind a Winter; a ruling is told when it is given."""
    game.close()
    if game.state.stage == "year-start":
        game.close()
    return game.state, [told for told in game.facts() if told["kind"] != "ruling"]


def send(game: Play, who: str, lines: list[str], ruling: str | None) -> None:
    game.say(who, *lines)
    if ruling is not None:
        game.say("GM", ruling)


def compared(rng: Random, start: Play) -> int:
    """How many messages stood early and late; each has come to the same."""
    found = 0
    for _ in range(TRIES):
        living = [start.state.kingdom(number).ruler for number in start.state.living]
        who = rng.choice(living)
        lines = waiting(rng, start.state, who)
        ruling = f"gm rule {who} diff {rng.randint(3, 12)}" if '"dig"' in lines[0] else None
        between = list(meanwhile(rng, start.state, who))
        early, late = deepcopy(start), deepcopy(start)
        if not stands(early, who, lines):
            continue
        send(early, who, lines, ruling)
        question = early.state.question
        for speaker, line in between:
            early.say(speaker, line)
            late.say(speaker, line)
        if late.state.question != question or not stands(late, who, lines):
            continue
        send(late, who, lines, ruling)
        early.events, late.events = [], []
        assert ended(early) == ended(late), (who, lines, between)
        found += 1
    return found


@given(st.integers(0, 2**32))
def test_an_order_sent_early_comes_out_as_the_same_order_sent_last(seed: int) -> None:
    """F-85, F-88, F-89: whatever is traded, corrected, ruled and taken back between, a redo in the
    running phase too (SS-3.7, SS-3.8, SS-10.5, SS-12.8).
    """
    rng = Random(seed)
    start = started(rng)
    assume(start.state.stage in ("season", "year-start"))
    assume(compared(rng, start))
