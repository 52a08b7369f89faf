"""What of an archive's index points at a step or an area leads there: the board in its sheet, areas
by keys, plots, lines, and the story on a phone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.archive.played import played
from tests.archive.written import write
from tests.browser.chromium import Chromium, Page
from tests.browser.site import Site, script
from tests.moments import NAMES
from tests.played import PLAYED

pytestmark = pytest.mark.servers

PHONE: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True, "is_still": True}
HOST = "document.querySelector('svg[role=group]').parentElement.id"
SHOWN = "document.documentElement.dataset.step"
SPOT = """(selector) => {
  const one = document.querySelector(selector), box = one.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
FOCUSED = "document.activeElement.dataset.area"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(played(1, len(NAMES), 7, PLAYED), tmp_path_factory.mktemp("points"))


@contextmanager
def opened(chromium: Chromium, folder: Path, hash_: str = "", **emulated: Any) -> Iterator[Page]:
    with Site(chromium, folder).opened(hash_=hash_, **emulated) as tab:
        yield tab
        assert tab.troubles == []


def scale_of(tab: Page) -> float:
    return float(
        tab.evaluate("new DOMMatrix(document.querySelector('svg[role=group]').style.transform).a")
    )


def test_an_old_browser_sees_the_last_board_and_leads_to_the_turns(
    chromium: Chromium, folder: Path
) -> None:
    with chromium.page(folder) as tab:
        tab.run_first("delete window.DecompressionStream")
        tab.visit(Site(chromium, folder).index)
        assert tab.wait_for("document.querySelector('#board img')?.naturalWidth > 0")
        parts = (
            "[...document.querySelectorAll('.with-script')].filter((one) => one.checkVisibility())"
        )
        assert tab.evaluate(f"{parts}.map((one) => one.id)") == []
        assert tab.troubles == []


def test_a_tap_enlarges_the_board_and_escape_puts_it_back(chromium: Chromium, folder: Path) -> None:
    with opened(chromium, folder, **PHONE) as tab:
        tab.tap(*tab.apply(SPOT, ".lands [data-area]"))
        assert tab.wait_for(f"{HOST} === 'view'")
        assert tab.evaluate("document.querySelector('#about').textContent.includes(': ')")
        tab.press("Escape")
        assert tab.wait_for(f"{HOST} === 'board'")
        assert tab.evaluate("document.querySelector('svg[role=group]').style.transform") == ""


def test_keys_enlarge_up_to_a_limit_and_show_the_whole_again(
    chromium: Chromium, folder: Path
) -> None:
    with opened(chromium, folder, is_still=True) as tab:
        tab.press("+")
        assert tab.evaluate(HOST) == "view"
        first = scale_of(tab)
        assert first > 1
        for _ in range(9):
            tab.press("+")
        assert first < scale_of(tab) <= 8
        tab.press("-")
        assert scale_of(tab) < 8
        tab.press("0")
        assert scale_of(tab) == 1


def test_two_fingers_pinch_and_one_pans(chromium: Chromium, folder: Path) -> None:
    with opened(chromium, folder, **PHONE) as tab:
        tab.evaluate("document.querySelector('#enlarge').click()")
        tab.evaluate(
            """(() => {
              const view = document.querySelector("#view");
              const point = (kind, pointerId, clientX, clientY) => view.dispatchEvent(
                new PointerEvent(kind, { pointerId, clientX, clientY, pointerType: "touch", bubbles: true }));
              point("pointerdown", 1, 170, 300); point("pointerdown", 2, 190, 300);
              point("pointermove", 1, 120, 300); point("pointermove", 2, 240, 300);
              point("pointerup", 2, 240, 300); point("pointermove", 1, 100, 280);
              point("pointerup", 1, 100, 280);
            })()"""
        )
        assert scale_of(tab) > 3
        moved = tab.evaluate("document.querySelector('svg[role=group]').style.transform")
        assert "translate(-" in moved


def test_areas_have_one_stop_of_the_tabulator_and_arrows_walk_among_them(
    chromium: Chromium, folder: Path
) -> None:
    with opened(chromium, folder, "#t1-bid", is_still=True) as tab:
        stops = "[...document.querySelectorAll('#board [data-area][tabindex=\"0\"]')]"
        assert tab.evaluate(f"{stops}.length") == 1
        names = "[...document.querySelectorAll('#board [data-area][tabindex]')].map((one) => one.ariaLabel)"
        labels = tab.evaluate(names)
        assert len(labels) == len(tab.evaluate("Object.keys(GAME.areas)"))
        assert all("from the start" in label or "since " in label for label in labels)
        tab.evaluate("document.querySelector('.top nav a:last-child').focus()")
        tab.press("Tab")
        assert tab.evaluate(f"document.activeElement === {stops}[0]"), "the board itself is no stop"
        step, first = tab.evaluate(SHOWN), tab.evaluate(FOCUSED)
        seen = {first}
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
            tab.press(key)
            seen.add(tab.evaluate(FOCUSED))
        assert len(seen) > 2
        assert tab.evaluate(SHOWN) == step, "arrows in the board walk, and do not step"
        assert tab.evaluate("document.querySelector('#card').checkVisibility()")
        at = tab.evaluate(FOCUSED)
        tab.press(" ")
        assert tab.evaluate("location.hash") == f"#{step}/{at}"


def test_an_area_takes_the_focus_at_its_largest_shape(chromium: Chromium, folder: Path) -> None:
    small = """[...document.querySelectorAll('#board [data-area][tabindex]')].filter((one) => {
      const wide = (other) => other.getBoundingClientRect().width * other.getBoundingClientRect().height;
      return [...document.querySelectorAll(`#board [data-area="${one.dataset.area}"]`)]
        .some((other) => wide(other) > wide(one));
    }).length"""
    with opened(chromium, folder, is_still=True) as tab:
        tab.press("Home")
        assert tab.evaluate(small) == 0


def test_a_plot_shows_the_step_and_a_click_leads_to_it(chromium: Chromium, folder: Path) -> None:
    with opened(chromium, folder, is_still=True) as tab:
        tab.evaluate("document.querySelector('.plot .run').scrollIntoView({ block: 'center' })")
        hair = "document.querySelector('.plot .hair').getAttribute('d')"
        before, last = tab.evaluate(hair), tab.evaluate(SHOWN)
        box = tab.evaluate(
            "(({x, y, height}) => [x + 3, y + height / 2])(document.querySelector('.plot .run').getBoundingClientRect())"
        )
        for kind in ("mousePressed", "mouseReleased"):
            tab._call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=box[0],
                y=box[1],
                button="left",
                clickCount=1,
            )
        assert tab.wait_for(f"{SHOWN} !== {last!r}")
        assert tab.evaluate(SHOWN) == "start"
        assert tab.evaluate(hair) != before
        area = tab.evaluate("document.querySelector('.plot .run').dataset.area")
        assert tab.evaluate("location.hash") == f"#start/{area}"
        readouts = tab.evaluate(
            "[...document.querySelectorAll('.readout')].map((one) => one.textContent)"
        )
        assert all(": " in one for one in readouts)


def test_on_a_phone_the_board_stays_above_the_story_and_paragraphs_move_it(
    chromium: Chromium, folder: Path
) -> None:
    with opened(chromium, folder, **PHONE) as tab:
        last = tab.evaluate(SHOWN)
        tab.evaluate(
            "scrollTo({ top: document.querySelector('.story li').getBoundingClientRect().top"
            " + scrollY - 262, behavior: 'instant' })"
        )
        assert tab.wait_for(f"{HOST} === 'strip'")
        assert tab.wait_for(f"{SHOWN} !== {last!r}")
        assert tab.evaluate(SHOWN) == tab.evaluate(
            "document.querySelector('.story li').dataset.step"
        )
        tab.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        assert tab.wait_for(f"{HOST} === 'board'")


def test_a_line_about_an_area_leads_to_it(chromium: Chromium, folder: Path) -> None:
    with opened(chromium, folder, is_still=True) as tab:
        found = tab.evaluate(
            "GAME.steps.findIndex((step) => step.news?.some((one) => one.area in GAME.areas))"
        )
        key = tab.evaluate(f"GAME.steps[{found}].key")
        tab.evaluate(f"void (location.hash = {key!r})")
        assert tab.wait_for(f"{SHOWN} === {key!r}")
        tab.evaluate("document.querySelector('#told a[data-area]').click()")
        assert tab.evaluate("location.hash").startswith(f"#{key}/")
        assert not tab.evaluate("document.querySelector('#place').hidden")


def test_what_a_played_step_came_to_is_told_with_its_result(
    chromium: Chromium, folder: Path
) -> None:
    """THIRD 32: its orders are drawn first, and its headline waits for what became of them."""
    site = Site(chromium, folder)
    with chromium.page(folder, is_still=False) as tab:
        tab.run_first(script("clock.js"))
        tab.visit(site.index)
        keys = tab.evaluate("GAME.steps.map((step) => step.key)")
        at = next(place for place, key in enumerate(keys) if key.endswith("-orders"))
        plate = "document.querySelector('#plate b').textContent"
        tab.evaluate(f"void (location.hash = {keys[at - 1]!r})")
        assert tab.wait_for(f"{SHOWN} === {keys[at - 1]!r}")
        before = tab.evaluate(plate)
        tab.evaluate("document.querySelector('#play').click()")
        tab.evaluate("tick(450)")
        assert tab.evaluate(SHOWN) == keys[at]
        assert tab.evaluate(plate) == before
        tab.evaluate("tick(700)")
        assert tab.evaluate(plate) != before
