"""The games a demonstration can play: a package each, named like the ruleset, with its `PLAY`. Adding one adds a package."""

import pkgutil
from importlib import import_module

from pbem.play.port import Play


def list_plays() -> tuple[str, ...]:
    """The rulesets that can be shown."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)))


def find_play(ruleset: str) -> Play:
    """What this ruleset gives to a demonstration. LookupError if it gives nothing."""
    if ruleset not in list_plays():
        raise LookupError(f"no demonstration of {ruleset!r}; there are: {', '.join(list_plays())}")
    play: Play = import_module(f"{__name__}.{ruleset.replace('-', '_')}").PLAY
    return play
