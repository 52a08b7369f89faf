"""A small archive that keeps the contract: two players, three areas, four closes of two turns."""

import json
from collections.abc import Mapping
from pathlib import Path

from PIL import Image

STEPS = (
    ("t1-orders", {"P1": 1, "P2": 2}),
    ("t1-dragon", {"P1": 1, "P2": 2, "P3": 1}),
    ("t2-orders", {"P1": 1, "P2": 1, "P3": 2}),
    ("t2-dragon", {"P2": 1, "P3": 2}),
)
AREAS = ("P1", "P2", "P3")
NAMES = {1: "Anna", 2: "Bartek"}

_STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #222; --edge: #555; }
@media screen and (prefers-color-scheme: dark) { :root { --ground: #171513; --ink: #eee; --edge: #aaa; } }
body { margin: 0 16px; background: var(--ground); color: var(--ink); font: 16px/1.4 sans-serif; }
h1 { font-size: 20px; } a { color: inherit; } img, svg { max-width: 100%; height: auto; }
button, nav a { min-width: 44px; min-height: 44px; display: inline-block; }
#slider { width: 100%; height: 44px; margin: 0; }
#board { width: 300px; } #board path { transition: fill 600ms; }
[data-holder="1"] { fill: #8fb4e8; } [data-holder="2"] { fill: #e8c28f; } [data-holder=""] { fill: #ddd; }
@media (prefers-reduced-motion: reduce) { #board path { transition: none; } }
"""

_SCRIPT = """
const root = document.documentElement, slider = document.querySelector("#slider");
const keys = GAME.steps.map((step) => step.key);
let at = 0, area = "", timer = 0;
const turn = (i) => parseInt(keys[i].slice(1));
function draw() {
  for (const e of document.querySelectorAll("#board [data-area]"))
    e.dataset.holder = GAME.steps[at].holds[e.dataset.area] ?? "";
  slider.value = at;
  slider.setAttribute("aria-valuetext", keys[at]);
  root.dataset.step = keys[at];
}
function show(i, where = "") {
  at = Math.max(0, Math.min(keys.length - 1, i));
  area = where;
  history.replaceState(null, "", "#" + keys[at] + (area ? "/" + area : ""));
  draw();
}
function read() {
  const [key, where] = location.hash.slice(1).split("/");
  if (!keys.includes(key)) return draw();
  at = keys.indexOf(key);
  area = where ?? "";
  draw();
}
function stop() { clearInterval(timer); timer = 0; }
function play() {
  if (timer) return stop();
  timer = setInterval(() => (at < keys.length - 1 ? show(at + 1) : stop()), 1500);
}
const skip = (by) => {
  const i = keys.findIndex((_, j) => turn(j) === turn(at) + by);
  if (i >= 0) show(i);
};
const does = {
  ArrowRight: () => show(at + 1), ArrowLeft: () => show(at - 1), Home: () => show(0),
  End: () => show(keys.length - 1), ArrowUp: () => skip(-1), ArrowDown: () => skip(1), " ": play,
};
addEventListener("keydown", (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey || !does[e.key]) return;
  e.preventDefault();
  does[e.key]();
});
addEventListener("hashchange", read);
slider.addEventListener("input", () => show(Number(slider.value)));
document.querySelector("#next").onclick = () => show(at + 1);
document.querySelector("#prev").onclick = () => show(at - 1);
document.querySelector("#play").onclick = play;
document.querySelector("#board").onclick = (e) => {
  if (e.target.dataset.area) show(at, e.target.dataset.area);
};
read();
"""


def write_sample(folder: Path, changes: Mapping[str, tuple[str, str]] | None = None) -> Path:
    """Write it into a folder; in the files named, the first text is put in the second's place:
    what is to be found must be there.
    """
    for name, text in _texts().items():
        old, new = (changes or {}).get(name, ("", ""))
        assert old in text, f"{name}: {old}"
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace(old, new) if old else text, "utf-8")
    Image.new("RGB", (30, 20), "#789").save(folder / "board.png")
    return folder


def _texts() -> dict[str, str]:
    data = {
        "areas": {area: f"Province {area[1:]}" for area in AREAS},
        "steps": [{"key": key, "holds": holds} for key, holds in STEPS],
    }
    return {
        "index.html": _index(),
        "game.js": f"window.GAME = {json.dumps(data)};\n",
        "turns/01.html": _turn(1),
        "turns/02.html": _turn(2),
    }


def _page(title: str, body: str, script: str = "") -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head>"
        f"<body><main><h1>{title}</h1>{body}</main>{script}</body></html>"
    )


def _index() -> str:
    shapes = "".join(
        f'<path data-area="{area}" data-holder="" d="M{i * 100} 0h98v200h-98z"/>'
        for i, area in enumerate(AREAS)
    )
    cells = "".join(
        f'<rect data-area="{area}" data-first="{x}" data-many="1" data-holder="{holds.get(area, "")}" '
        f'x="{x * 20}" y="{y * 20}" width="18" height="18"/>'
        for x, (_, holds) in enumerate(STEPS)
        for y, area in enumerate(AREAS)
    )
    chips = "".join(f'<button class="chip">{name}</button> ' for name in NAMES.values())
    return _page(
        "Anna holds one land and Bartek the other",
        '<svg id="board" viewBox="0 0 300 200" width="300" height="200" role="img" '
        f'aria-label="The board: three provinces side by side, P1 to P3">{shapes}</svg>'
        '<div><button id="prev">‹</button> <button id="play">play</button> '
        '<button id="next">›</button></div>'
        f'<input id="slider" type="range" min="0" max="{len(STEPS) - 1}" value="0" aria-label="Step">'
        f"<div>{chips}</div>"
        '<figure class="plot" data-plot="holds"><svg viewBox="0 0 80 60" width="80" height="60" '
        'role="img" aria-label="Who held what: a row a province, a column a close">'
        f"{cells}</svg></figure>"
        '<nav><a href="turns/01.html">Turn 1</a> <a href="turns/02.html">Turn 2</a></nav>',
        f'<script src="game.js"></script><script>{_SCRIPT}</script>',
    )


def _turn(number: int) -> str:
    words = "Anna marches one unit from P1 to P2 and Bartek holds what is his. " * 3
    return _page(
        f"Turn {number}: what happened",
        '<img src="../board.png" width="300" height="200" '
        f'alt="The board after turn {number}: Anna holds P1, Bartek holds P2">'
        f'<p>{words}</p><nav><a href="../index.html#t{number}-orders">The replay</a></nav>',
    )


__all__ = ["STEPS", "write_sample"]
