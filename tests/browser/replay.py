"""Checks of the replay: it shows what the data say, has addresses, and obeys keys and fingers."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.browser.chromium import ALT, BrowserFailed, Page
from tests.browser.site import Site, script

TARGET, LINK = 44, 24
"""How large a control must be, and how large a link that stands alone, px."""
PHONE = (360, 740)
_LONGEST_MS = 10_000
_SHORTEST_MS = 300
"""How long a step may stand at most and must at least, while the replay plays."""

_STEPS = "GAME.steps.map((step) => step.key)"
_SHOWN = "document.documentElement?.dataset.step"

_PLAYED = """async (from, to, most) => {
  const shown = () => document.documentElement.dataset.step;
  const is = () => (to === null ? shown() !== from : shown() === to);
  let passed = 0;
  for (; passed < most && !is(); passed += 100) await tick(100);
  return passed;
}"""

_STAYED = """async (most) => {
  const shown = () => document.documentElement.dataset.step;
  const first = shown();
  for (let passed = 0; passed < most; passed += 100) {
    if (shown() !== first) return shown();
    await tick(100);
  }
  return null;
}"""

_MISSING = """() => ["#board", "#slider", "#play", "#prev", "#next", ".chip", "#board [data-area]"]
  .filter((one) => !document.querySelector(one))
  .concat(window.GAME?.steps?.length > 1 ? [] : ["GAME.steps"])
  .concat([...document.querySelectorAll("#board [data-area]")]
    .filter((one) => !(one.dataset.area in (window.GAME?.areas ?? {})))
    .map((one) => `area ${one.dataset.area} in GAME.areas`))"""

_CENTRE = """(selector) => {
  const e = document.querySelector(selector);
  e.scrollIntoView({ block: "nearest", behavior: "instant" });
  const box = e.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""

_AREA = """() => {
  document.querySelector("#board").scrollIntoView({ block: "nearest", behavior: "instant" });
  for (const e of document.querySelectorAll("#board [data-area]")) {
    const box = e.getBoundingClientRect();
    for (let i = 1; i < 8; i += 1) for (let j = 1; j < 8; j += 1) {
      const [x, y] = [box.x + (box.width * i) / 8, box.y + (box.height * j) / 8];
      const hit = document.elementFromPoint(x, y)?.closest("[data-area]");
      if (hit?.dataset.area === e.dataset.area) return [e.dataset.area, x, y];
    }
  }
  return null;
}"""

_TARGETS = """(least, link) => {
  const all = "button, select, summary, input:not([type=hidden]), [role=button], .chip, nav a";
  const said = [];
  for (const e of document.querySelectorAll(all)) {
    if (!e.checkVisibility({ visibilityProperty: true })) continue;
    const box = (e.closest("label") ?? e).getBoundingClientRect();
    if (box.width === 0 || (box.width >= least - 0.5 && box.height >= least - 0.5)) continue;
    said.push(`<${e.tagName.toLowerCase()}${e.id ? " #" + e.id : ""}> "${e.textContent.trim().slice(0, 20)}" ` +
      `is ${Math.round(box.width)} x ${Math.round(box.height)}`);
  }
  for (const e of document.querySelectorAll("main a[href]")) {
    const { width, height } = e.getBoundingClientRect();
    if (e.closest("p") || width === 0 || Math.min(width, height) >= link - 0.5) continue;
    said.push(`the link "${e.textContent.trim().slice(0, 20)}" is ${Math.round(width)} x ${Math.round(height)}`);
  }
  return said;
}"""

_FIRST_SCREEN = """(wide, high) => {
  const said = [], tops = [];
  const look = (e, what) => {
    if (!e) return said.push(`${what} is missing`);
    const box = e.getBoundingClientRect();
    const [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom].map(Math.round);
    if (!box.width || !box.height || !e.checkVisibility({ visibilityProperty: true }))
      said.push(`${what} is not shown`);
    else if (left < 0 || top < 0 || right > wide || bottom > high)
      said.push(`${what} is at ${left},${top} to ${right},${bottom}`);
    return top;
  };
  const chips = [...document.querySelectorAll(".chip")];
  for (const what of ["h1", "#board", "#slider"]) tops.push(look(document.querySelector(what), what));
  tops.push(...chips.map((e) => look(e, `chip "${e.textContent.trim().replace(/\\s+/g, " ").slice(0, 20)}"`)));
  const order = tops.slice(0, 3).concat(Math.min(...tops.slice(3)));
  if (order.some((top, i) => top < order[i - 1]))
    said.push("not in the order heading, board, slider, chips");
  const players = new Set(GAME.steps.flatMap((step) => Object.values(step.holds)).filter(Boolean));
  if (chips.length < players.size) said.push(`${chips.length} chips for ${players.size} players`);
  return said;
}"""

_CELLS = """() => {
  const plot = document.querySelector('figure.plot[data-plot="holds"]');
  if (!plot) return ["no figure.plot[data-plot=holds]"];
  const said = [], cells = new Map(), counted = new Map();
  const columns = plot.dataset.places ? plot.dataset.places.split(",").map(Number) : GAME.steps.map((_, at) => at);
  const last = columns.map((at, column) => at !== columns[column + 1] && GAME.steps[at]);
  for (const run of plot.querySelectorAll("[data-many]")) {
    const { area, holder } = run.dataset, first = Number(run.dataset.first);
    for (const { key: step } of last.slice(first, first + Number(run.dataset.many)).filter(Boolean)) {
      const place = `${step}, ${area}`;
      if (cells.has(place)) said.push(`${place}: two cells`);
      cells.set(place, holder);
      counted.set(`${step}/${holder}`, (counted.get(`${step}/${holder}`) ?? 0) + 1);
    }
    const box = run.getBoundingClientRect();
    if (!(box.width > 0 && box.height > 0)) said.push(`${area} from ${first}: its run has no size`);
  }
  const rows = new Set([...plot.querySelectorAll("[data-many]")].map((e) => e.dataset.area));
  const held = new Set(GAME.steps.flatMap(({ holds }) => Object.keys(holds).filter((area) => holds[area])));
  for (const area of held) if (!rows.has(area)) said.push(`${area} is held, and has no row`);
  for (const { key, holds } of GAME.steps) {
    const lands = new Map();
    for (const area of rows) {
      const holder = String(holds[area] ?? "");
      lands.set(holder, (lands.get(holder) ?? 0) + 1);
      if (cells.get(`${key}, ${area}`) !== holder)
        said.push(`${key}, ${area}: the cell has "${cells.get(`${key}, ${area}`)}", held by "${holder}"`);
    }
    for (const [holder, many] of lands)
      if (counted.get(`${key}/${holder}`) !== many)
        said.push(`${key}: player "${holder}" has ${many} lands and ${counted.get(`${key}/${holder}`) ?? 0} cells`);
  }
  return said;
}"""


def check_contract(site: Site) -> list[str]:
    """What the other checks need of the index is there."""
    with site.opened() as tab:
        return [f"index.html: no {one}" for one in tab.apply(_MISSING)]


def check_owners(site: Site) -> list[str]:
    """3. Each step shows the owners that the data say, by its address and by the button, and the
    slider stands there.
    """
    with site.opened(is_still=True) as tab:
        said: list[str] = tab.apply(script("owners.js"))
        return said + tab.troubles


def check_addresses(site: Site) -> list[str]:
    """4. A permalink in is the same permalink out, alone and with an area; back and forward lead
    where one was; the same step is the same picture however one came; a wrong address does no harm.
    """
    said: list[str] = []
    with site.opened(is_still=True) as tab:
        steps: list[str] = tab.evaluate(_STEPS)
        area = tab.evaluate("document.querySelector('#board [data-area]').dataset.area")
        first, second, last = steps[0], steps[1], steps[-1]
        for key in dict.fromkeys((first, steps[len(steps) // 2], last)):
            for address in (key, f"{key}/{area}"):
                tab.visit("about:blank").visit(f"{site.index.resolve().as_uri()}#{address}")
                said += _expect(tab, f"opened at #{address}", key, address)
    with site.opened(hash_=f"#{first}", is_still=True) as tab:
        long = tab.evaluate("history.length")
        tab.evaluate("document.querySelector('#next').click()")
        said += _expect(tab, "after #next", second, second)
        if tab.evaluate("history.length") != long:
            said.append("#next adds to the history")
        for move, key in (
            (f"location.hash = {last!r}", last),
            ("history.back()", second),
            ("history.forward()", last),
        ):
            tab.evaluate(f"void setTimeout(() => {{ {move} }})")
            said += _expect(tab, move, key, key)
        came = _shoot_board(tab)
        if site.turns:
            tab.visit(site.turns[0])
            tab.evaluate("void setTimeout(() => { history.back() })")
            said += _expect(tab, "back from a turn's page", last, last)
    with site.opened(hash_=f"#{last}", is_still=True) as tab:
        if _shoot_board(tab) != came:
            said.append(f"{last} is one picture when opened and another when come to")
    with site.opened(hash_="#no-such-step/nowhere", is_still=True) as tab:
        if tab.evaluate(_SHOWN) not in steps:
            said.append("a wrong address shows no step")
        said += tab.troubles
    return said


def _expect(tab: Page, when: str, key: str, address: str) -> list[str]:
    if tab.wait_for(f"{_SHOWN} === {key!r} && location.hash === {'#' + address!r}"):
        return []
    return [f"{when}: shows {tab.evaluate(_SHOWN)} at {tab.evaluate('location.hash')}"]


def _shoot_board(tab: Page) -> bytes:
    tab.wait_for("[...document.querySelectorAll('#board img')].every((one) => one.complete)")
    box: dict[str, float] = tab.evaluate(
        "(({x, y, width, height}) => ({x: x + scrollX, y: y + scrollY, width, height}))"
        "(document.querySelector('#board').getBoundingClientRect())"
    )
    return tab.shoot(box, is_whole=True)


def check_hands(site: Site) -> list[str]:
    """5. Keys and taps do what they say, the wheel does nothing, and targets are of 44 px."""
    return [*_keys(site), *_play(site), *_taps(site), *check_targets(site)]


def check_targets(site: Site) -> list[str]:
    """Controls are of 44 px, links outside of running text of 24."""
    said = []
    for page, tab in site.shown(site.kinds, width=PHONE[0], height=PHONE[1], has_touch=True):
        said += [f"{site.name(page)}: {one}" for one in tab.apply(_TARGETS, TARGET, LINK)]
    return said


def _turn(key: str) -> int:
    return int("".join(one for one in key.partition("-")[0] if one.isdigit()) or 0)


def _keys(site: Site) -> Iterator[str]:
    with site.opened(is_still=True) as tab:
        steps: list[str] = tab.evaluate(_STEPS)
        middle = steps[len(steps) // 2]
        for start, key, ends, focus in (
            (steps[0], "ArrowRight", steps[1], ""),
            (steps[1], "ArrowLeft", steps[0], ""),
            (steps[0], "ArrowLeft", steps[0], ""),
            (steps[-1], "ArrowRight", steps[-1], ""),
            (middle, "End", steps[-1], ""),
            (middle, "Home", steps[0], ""),
            (steps[0], "ArrowRight", steps[1], "#slider"),
        ):
            yield from _press(tab, start, key, ends, focus)
        yield from _turns(tab, middle, _turn(steps[0]), _turn(steps[-1]))
        _set(tab, middle)
        tab.press("ArrowLeft", ALT)
        x, y = tab.apply(_CENTRE, "#slider")
        tab.turn_wheel(x, y, 200)
        if tab.evaluate(_SHOWN) != middle:
            yield "Alt and ArrowLeft, or the wheel, move the replay"
        for key in ("b", "?", "Escape"):
            tab.press(key)
        yield from _press(tab, steps[0], "ArrowRight", steps[1], "")
        yield from tab.troubles


def _set(tab: Page, key: str) -> None:
    tab.apply("(key) => { document.activeElement?.blur(); location.hash = key; }", key)
    if not tab.wait_for(f"{_SHOWN} === {key!r}"):
        raise BrowserFailed(f"#{key} shows {tab.evaluate(_SHOWN)}")


def _press(tab: Page, start: str, key: str, ends: str, focus: str) -> Iterator[str]:
    _set(tab, start)
    if focus:
        tab.apply("(focus) => document.querySelector(focus).focus()", focus)
    tab.press(key)
    if not tab.wait_for(f"{_SHOWN} === {ends!r}"):
        place = f" on {focus}" if focus else ""
        yield f"{key}{place} at {start} shows {tab.evaluate(_SHOWN)}, not {ends}"


def _turns(tab: Page, middle: str, first: int, last: int) -> Iterator[str]:
    """The two keys for turns go one each way (at the ends of a short game they stay)."""
    ways = []
    for key in ("ArrowUp", "ArrowDown"):
        _set(tab, middle)
        tab.press(key)
        ways.append(_turn(tab.evaluate(_SHOWN)) - _turn(middle))
    wanted = {-1 if _turn(middle) > first else 0, 1 if _turn(middle) < last else 0}
    if set(ways) != wanted:
        yield f"ArrowUp and ArrowDown at {middle} go {ways} turns"


def _play(site: Site) -> Iterator[str]:
    """By the clock that stands: play, pause, play to the end, and stop there."""
    with _standing(site) as tab:
        steps: list[str] = tab.evaluate(_STEPS)
        tab.apply("(key) => { location.hash = key; }", steps[0])
        tab.wait_for(f"{_SHOWN} === {steps[0]!r}")
        tab.press(" ")
        passed = tab.apply(_PLAYED, steps[0], None, _LONGEST_MS)
        if not _SHORTEST_MS < passed < _LONGEST_MS:
            yield f"the space bar plays a step in {passed} ms"
        tab.press(" ")
        if (shown := tab.apply(_STAYED, _LONGEST_MS)) is not None:
            yield f"paused, and goes on to {shown}"
        tab.evaluate("document.querySelector('#play').click()")
        most = _LONGEST_MS * len(steps)
        if tab.apply(_PLAYED, steps[0], steps[-1], most) >= most:
            yield f"play ends at {tab.evaluate(_SHOWN)}, not at {steps[-1]}"
        elif (shown := tab.apply(_STAYED, _LONGEST_MS)) is not None:
            yield f"play goes on from the last step to {shown}"
        yield from tab.troubles


@contextmanager
def _standing(site: Site, **emulated: Any) -> Iterator[Page]:
    with site.browser.page(site.folder, is_still=True, **emulated) as tab:
        tab.run_first(script("clock.js"))
        yield tab.visit(site.index)


def _taps(site: Site) -> Iterator[str]:
    wide, high = PHONE
    with _standing(site, width=wide, height=high, has_touch=True) as tab:
        steps: list[str] = tab.evaluate(_STEPS)
        _set(tab, steps[0])
        for what, shown in (("#next", steps[1]), ("#prev", steps[0])):
            tab.tap(*tab.apply(_CENTRE, what))
            if not tab.wait_for(f"{_SHOWN} === {shown!r}"):
                yield f"a tap on {what} shows {tab.evaluate(_SHOWN)}, not {shown}"
        tab.tap(*tab.apply(_CENTRE, "#slider"))
        if not tab.wait_for(f"{_SHOWN} !== {steps[0]!r}"):
            yield "a tap in the middle of the slider does nothing"
        _set(tab, steps[0])
        tab.tap(*tab.apply(_CENTRE, "#play"))
        if not tab.wait_for(f"tick({_LONGEST_MS}).then(() => {_SHOWN} !== {steps[0]!r})"):
            yield "a tap on #play plays nothing"
        tab.tap(*tab.apply(_CENTRE, "#play"))
        tab.tap(*tab.apply(_CENTRE, ".chip"))
        _set(tab, steps[0])
        if (spot := tab.apply(_AREA)) is None:
            yield "no area of the board can be hit"
        else:
            tab.tap(*spot[1:])
            if not tab.wait_for(f"location.hash === {'#' + steps[0] + '/' + spot[0]!r}"):
                yield f"a tap on {spot[0]} leads to {tab.evaluate('location.hash')}"
        yield from tab.troubles


def check_plots(site: Site) -> list[str]:
    """10. The ribbon has a row of every area that anybody ever holds; after each step one cell a row,
    and cells of a player as many as their lands.
    """
    with site.opened() as tab:
        said: list[str] = tab.apply(_CELLS)
        return said


def check_first_screen(site: Site) -> list[str]:
    """12. At 360 x 740 the first screen has heading, board, slider and all chips, in this order."""
    wide, high = PHONE
    with site.opened(width=wide, height=high) as tab:
        said: list[str] = tab.apply(_FIRST_SCREEN, wide, high)
        return said


__all__ = [
    "check_addresses",
    "check_contract",
    "check_first_screen",
    "check_hands",
    "check_owners",
    "check_plots",
    "check_targets",
]
