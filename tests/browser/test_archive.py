"""An archive keeps its promises in a real browser, opened as a file.

What the checks need of `index.html`, its contract with them:

- a page that is not ready at its load has `aria-busy` at its root until it is;
- `window.GAME` has `steps`, at least two, each with `key` (`t7-orders`: the turn's number, then the
  phase) and `holds` ({area: player number}; an area that nobody holds is missing or null), and
  `areas` ({area: its name});
- `document.documentElement.dataset.step` is the key of the step that is shown, as soon as
  the page is ready;
- `#board` with `[data-area]` shapes, each of an area of `GAME.areas`, whose `data-holder` is the
  player's number or empty; a tap on it leads to `#KEY/AREA`, and the first is there at any step;
- `#slider`, a range with one position a step and the position said in `aria-valuetext`; `#play`,
  `#prev`, `#next`; a `.chip` for each player;
- `#KEY` and `#KEY/AREA` show that step, at load and by `hashchange`, and stay as they are; stepping
  replaces the address and adds none to the history; an unknown address shows some step;
- ← → go a step, ↑ ↓ a turn each way, Home and End to the ends, the space bar plays and pauses; with
  the slider focused too an arrow goes one step; keys with Alt are the browser's. A step stands for
  0.3 to 10 s, and play stops at the last;
- `figure.plot[data-plot=holds]` with a row of every area that anybody ever holds, others if they
  could be held, and in it runs of columns, `[data-many]`, of `data-area`, `data-first` (the first
  of them) and `data-holder` (empty: nobody's). Each step is a column, or its last of several, whose
  steps `data-places` of the figure names.

Of every page: small pictures (`width` of 64 at most) may have a short alt, or an empty one; drawings
have a viewBox and a name (`aria-label`, `title`, or their figure's caption) unless they are
`aria-hidden`; `button`, `select`, `summary`, `input`, `.chip` and the links of a `nav` are targets
of 44 px at 360 px, a link that stands alone of 24. A turn's page is reached from the index by links,
without script. On paper the ground is white. The folder `stage/` is not of the archive.

`PBEM_ARCHIVES=FOLDER:FOLDER` has any folders looked over by the same tests, `python -m tests.browser
FOLDER` without them.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.archive.played import played
from tests.archive.written import write
from tests.browser.checks import CHECKS
from tests.browser.chromium import Chromium
from tests.browser.sample import write_sample
from tests.browser.site import Site
from tests.moments import NAMES
from tests.played import GAMES
from tests.rings import at_length, sampled

pytestmark = pytest.mark.servers

CLOSES = at_length(6, 100)
"""The beginning of a game; with RING=full more than any game has."""
FOLDERS = [name for name in os.environ.get("PBEM_ARCHIVES", "").split(os.pathsep) if name]


@pytest.fixture(scope="module", params=["sample", *sampled([*GAMES], 2), *FOLDERS])
def archive(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    name: str = request.param
    if name == "sample":
        return write_sample(tmp_path_factory.mktemp("archive"))
    if name not in GAMES:
        return Path(name)
    players = min(len(NAMES), GAMES[name].ruleset.players[1])
    return write(played(1, players, CLOSES, name), tmp_path_factory.mktemp("archive"))


@pytest.mark.parametrize("check", CHECKS)
def test_an_archive_passes(check: str, chromium: Chromium, archive: Path) -> None:
    assert CHECKS[check](Site(chromium, archive)) == []


def test_a_phone_shows_all_chips_of_two_sides_at_once(chromium: Chromium, tmp_path: Path) -> None:
    """THIRD 7: with a headline of two lines, and a deadline."""
    running = played(1, 7, 1)
    lead = replace(running.lead, headline="Anna, Bartek, Chloé and Dmytro win, 65 to 39")
    sides = (("North", (1, 2, 3, 4)), ("South", (5, 6, 7)))
    folder = write(replace(running, lead=lead, sides=sides), tmp_path)
    assert CHECKS["first-screen"](Site(chromium, folder)) == []


def test_a_phone_shows_the_chips_of_sixteen_players_at_once(
    chromium: Chromium, tmp_path: Path
) -> None:
    """They ended 20 px below the first screen."""
    few = played(1, 7, 1)
    people = [
        replace(few.people[n % 7], number=n + 1, name=f"Player {n + 1}", slug=f"player-{n + 1}")
        for n in range(16)
    ]
    steps = [
        replace(step, chips=tuple(replace(step.chips[n % 7], player=n + 1) for n in range(16)))
        for step in few.steps
    ]
    lead = replace(few.lead, headline="Player 11 wins with 58 points, 21 ahead of Player 12")
    shown = replace(few, people=tuple(people), steps=tuple(steps), lead=lead)
    folder = write(shown, tmp_path)
    assert CHECKS["first-screen"](Site(chromium, folder)) == []
