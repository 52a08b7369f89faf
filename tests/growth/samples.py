"""What functions over texts need beside the text, by its type; and how a text becomes what they
take for one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

import engine.protectors.state
import engine.protectors.view
import engine.realm_master.state
import engine.realm_master.view
from engine.chance import Chance
from engine.ruleset import Seat, Standing
from pbem.desk.messages.message import Message, message_of_mail
from pbem.game import Games
from pbem.grammar.addressees import Member, Roll
from pbem.grammar.gm.commands import Lexicon
from pbem.grammar.kit.normalise import Plain, normalise
from pbem.grammar.kit.reading import Reading
from pbem.grammar.lobby import Choices
from pbem.mail.inbound.caps import Limits
from pbem.mail.inbound.reading import ReadingRules, read_mail
from pbem.registry import load_games

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro")
WAYS: Mapping[str, Sequence[Mapping[str, object]]] = {
    "protectors": ({},),
    "realm-master": ({}, {"mode": "interactive"}),
}
MOST_WINDOWS = 60
CHANCE = Chance(bytes(range(32)))
HEAD = b"From: a@b.example\r\nTo: orders@house.example\r\nSubject: x\r\n\r\n"


@cache
def games() -> Games:
    return load_games()


@cache
def positions(game: str) -> Mapping[str, Any]:
    """A position of each window that a table of four comes to by itself, nobody ordering
    anything.
    """
    rules = games()[game].ruleset
    found: dict[str, Any] = {}
    for options in WAYS[game]:
        state = rules.setup(
            options,
            [
                Seat(number, name, games()[game].colours[number])
                for number, name in enumerate(NAMES, 1)
            ],
            CHANCE,
        ).state
        for _ in range(MOST_WINDOWS):
            phase = rules.phase(state)
            if phase.over is not None:
                break
            found.setdefault(phase.kind, state)
            state = rules.adjudicate(state, {}, CHANCE).state
    return found


def state_of(game: str) -> Any:
    """A table of four that has just begun."""
    return next(iter(positions(game).values()))


def _view(game: str) -> Any:
    return games()[game].ruleset.view(state_of(game), 1)


def _message(text: str) -> Message:
    return message_of_mail(read_mail(HEAD + text.encode("utf-8", "replace"), ReadingRules()))


TEXTS: Mapping[object, Callable[[str], object]] = {
    str: lambda text: text,
    bytes: lambda text: HEAD + text.encode("utf-8", "replace"),
    Plain: normalise,
    Message: _message,
}
SAMPLES: Mapping[object, Callable[[], object]] = {
    str: lambda: "",
    int: lambda: 1,
    bool: lambda: True,
    int | None: lambda: 1,
    str | None: lambda: None,
    datetime: lambda: datetime(2027, 1, 1, tzinfo=UTC),
    Collection: lambda: frozenset(NAMES),
    Iterable: lambda: NAMES,
    Sequence: lambda: NAMES,
    Mapping: dict,
    frozenset: frozenset,
    Callable: lambda: lambda text: False,
    Lexicon: lambda: Lexicon({}, frozenset({"heron"}), frozenset({"greta"})),
    Choices: lambda: Choices({"green": "green"}, {}, ("Iron Light",), NAMES, has_teams=True),
    Roll: lambda: Roll(tuple(Member(number, name) for number, name in enumerate(NAMES, 1)), 1),
    Reading: Reading,
    Standing: Standing,
    Limits: Limits,
    ReadingRules: ReadingRules,
    engine.protectors.state.State: lambda: state_of("protectors"),
    engine.protectors.view.TableView: lambda: _view("protectors"),
    engine.realm_master.state.State: lambda: state_of("realm-master"),
    engine.realm_master.view.TableView: lambda: _view("realm-master"),
}
