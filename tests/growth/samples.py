"""What functions over texts need beside the text, by its type; and how a text becomes what they
take for one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any

from engine.chance import Chance
from engine.ruleset import Seat, Standing
from pbem.desk.envelope.message import Message, message_of_mail
from pbem.game import Games
from pbem.grammar.addressees import Member, Roll
from pbem.grammar.gm.commands import Lexicon
from pbem.grammar.house.message import Context
from pbem.grammar.house.parsing import hear
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.normalise import Plain, normalise
from pbem.grammar.kit.reading import Reading
from pbem.grammar.lobby import Choices
from pbem.mail.inbound.caps import Limits
from pbem.mail.inbound.reader import ReadingRules, read_mail
from tests.played import GAMES, spoken

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro")
MOST_WINDOWS = 60
CHANCE = Chance(bytes(range(32)))
HEAD = b"From: a@b.example\r\nTo: orders@house.example\r\nSubject: x\r\n\r\n"


def games() -> Games:
    return GAMES


def _begun(game: str, options: Mapping[str, object]) -> Any:
    seats = [
        Seat(number, name, games()[game].colours[number]) for number, name in enumerate(NAMES, 1)
    ]
    return games()[game].ruleset.setup(options, seats, CHANCE).state


@cache
def positions(game: str) -> Mapping[str, Any]:
    """A position of each window that a table of four comes to by itself, nobody ordering
    anything.
    """
    rules = games()[game].ruleset
    found: dict[str, Any] = {}
    for options in spoken(game).ways:
        state = _begun(game, options)
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


def _roll() -> Roll:
    return Roll(tuple(Member(number, name) for number, name in enumerate(NAMES, 1)), 1)


TEXTS: Mapping[object, Callable[[str], object]] = {
    str: lambda text: text,
    bytes: lambda text: HEAD + text.encode("utf-8", "replace"),
    Plain: normalise,
    Message: _message,
    Said: hear,
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
    Roll: _roll,
    Context: lambda: Context(_roll(), lambda text: Reading()),
    Reading: Reading,
    Standing: Standing,
    Limits: Limits,
    ReadingRules: ReadingRules,
    **{type(_begun(game, {})): partial(state_of, game) for game in GAMES},
    **{
        type(rules.ruleset.view(_begun(game, {}), 1)): partial(_view, game)
        for game, rules in GAMES.items()
    },
}
