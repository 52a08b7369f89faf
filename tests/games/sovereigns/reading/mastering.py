"""A table with all that a game master can rule on, and what rulings are told shortly."""

from typing import Any

from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import Standing
from engine.sovereigns.orders import Order
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import Discovery, State
from engine.sovereigns.wording import parse_order
from pbem.grammar.kit.reading import Correction
from tests.games.sovereigns.engine.playing import Play, sound, table

TECHNOLOGIES = {
    "steel": "STAT-ROLL M",
    "iron ploughs": "STAT-ROLL R",
    "attack": "STAT-ACT Attack",
    "military drill": "STAT-DEF M",
}
KINGDOMS = {
    "Anna": {"name": "Aldermark", "tech": ["steel"]},
    "Ben": {"name": "Borland", "tech": ["attack", "military drill"]},
    "J. of Arc.": {"name": "Cyrene"},
    "Dot": {"name": "Harmony"},
}


def _played() -> State:
    """In Summer: actions 1 and 2 were played in Spring, and Cyrene objects to the second."""
    game = Play(table(KINGDOMS, technologies=TECHNOLOGIES))
    game.say("Anna", "Expedition: 1M")
    game.say("Ben", "Expedition: 1M")
    game.close()
    game.say("J. of Arc.", "Object to action 2: how?")
    anna = replace(
        game.state.kingdom(1), discoveries=(Discovery(name="gears", code="STAT-ROLL R", left=9),)
    )
    return replace(game.state, kingdoms=(anna, *game.state.kingdoms[1:]))


STATE = _played()
TRY = 'Try: 3R against Ben "divert their river"'
FEAST = 'Try: 2H "a feast"'


def standing(**texts: str) -> dict[int, Standing[Order]]:
    numbers = {kingdom.ruler: kingdom.number for kingdom in STATE.kingdoms}
    return {
        numbers[who]: Standing((parse_order(STATE, text), parse_order(STATE, "Camp")))
        for who, text in texts.items()
    }


TRIED = standing(Anna=TRY)


def bare(correction: Correction) -> dict[str, Any]:
    """The act without the order, which is a free-form one."""
    act = dict(correction.act)
    if act["act"] == "rule" and "order" in act:
        assert act.pop("order")["ways"][0]["kind"] == "Try"
    return act


def renamed(*names: str, **technologies: str) -> State:
    """The table with kingdoms of these names, and these technologies too."""
    kingdoms = tuple(
        replace(kingdom, name=name) for kingdom, name in zip(STATE.kingdoms, names, strict=False)
    )
    told = {name.replace("_", " "): code for name, code in technologies.items()}
    return replace(
        STATE,
        kingdoms=(*kingdoms, *STATE.kingdoms[len(kingdoms) :]),
        technologies={**STATE.technologies, **told},
    )


def judged(correction: Correction, state: State = STATE) -> None:
    """What is read is done or refused, and leaves a state that a game can come to."""
    try:
        outcome = SOVEREIGNS.act(state, "gm", dict(correction.act), Chance(bytes(32)))
    except ValueError:
        return
    sound(outcome)


def rule(player: int, **parts: object) -> dict[str, object]:
    return {"act": "rule", "player": player, **parts}


def tech(name: str, verdict: str, code: str = "") -> dict[str, object]:
    return {"act": "tech", "name": name, "verdict": verdict, "code": code}


def amend(code: str) -> dict[str, object]:
    return tech("steel", "amend", code)


def points(player: int, attribute: str, total: int, **ex: int) -> dict[str, object]:
    return {"act": "set", "player": player, "attribute": attribute, "total": total, **ex}


def mod(player: int, until: str, **amount: int) -> dict[str, object]:
    return {"act": "mod", "player": player, "until": until, **amount}


def give(player: int, name: str) -> dict[str, object]:
    return {"act": "give", "player": player, "technology": name}


def verdict(number: int, *, upheld: bool) -> dict[str, object]:
    return {"act": "verdict", "objection": number, "upheld": upheld}
