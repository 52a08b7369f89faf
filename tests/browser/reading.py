"""Checks of pages that are read: they load, fit, can be seen by everybody, and weigh little."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from PIL import Image

from tests.browser.chromium import Page
from tests.browser.site import Site, script

WIDTHS = (320, 360, 768, 1000, 1400)
CONTRAST = 4.5
ALT = 40
ICON = 64
"""A picture up to so wide stands beside the words that say what it is; a short alt is enough."""
BYTES, LARGE_BYTES, LARGE = 5_000_000, 7_000_000, 16
"""What an archive may weigh; and that of a game with more areas than `LARGE`."""
STEPS, STEP_BYTES = 40, 90_000
"""Of so long a game, as most are; and what each further step may add, with its board."""
FIRST_BYTES = 600_000
"""What the first view may weigh: the index with all that it loads."""
WORDS = 30
SHEET = 718
"""The width of A4 within its margins, px."""

_TALL = 30_000
_TOLD = 5
_AXE = Path(__file__).with_name("data") / "axe.min.js"

_OPEN = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
_HEIGHT = "Math.ceil(document.documentElement.scrollHeight)"
_SETTLED = """[...document.images].every((one) => one.complete)"""

_REFERENCES = """() => {
  const said = [];
  const add = (url, kind) => said.push([new URL(url, location.href).href, kind]);
  const asks = "stylesheet icon preload prefetch preconnect dns-prefetch modulepreload manifest";
  for (const e of document.querySelectorAll("[src]")) add(e.getAttribute("src"), "asked");
  for (const e of document.querySelectorAll("[srcset]"))
    e.srcset.split(",").forEach((one) => add(one.trim().split(/\\s+/)[0], "asked"));
  for (const e of document.querySelectorAll("link[href]"))
    if (e.rel.split(/\\s+/).some((rel) => asks.split(" ").includes(rel))) add(e.href, "asked");
  for (const e of document.querySelectorAll("image[href], use[href]"))
    add(e.getAttribute("href"), "asked");
  for (const e of document.querySelectorAll("a[href], area[href]"))
    add(e.getAttribute("href"), "linked");
  return said;
}"""

_OVERHANG = """() => {
  const wide = innerWidth, said = [];
  const name = (e) => `<${e.tagName.toLowerCase()}${e.id ? " #" + e.id : ""}> ` +
    `"${(e.textContent ?? "").trim().slice(0, 30)}"`;
  const scrolls = (e) => /auto|scroll/.test(getComputedStyle(e).overflowX);
  const out = [...document.body.querySelectorAll("*")].filter((e) => {
    const box = e.getBoundingClientRect();
    if (box.right <= wide + 1 || box.width <= 1 || e.closest("svg svg, svg *")) return false;
    for (let p = e.parentElement; p && p !== document.body; p = p.parentElement)
      if (scrolls(p)) return false;
    return true;
  });
  const full = document.documentElement.scrollWidth;
  if (full !== wide) said.push(`scrollWidth ${full}` + (out.length ? ", by " + name(out.at(-1)) : ""));
  else {
    const cut = out.find((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()));
    if (cut) said.push("cut off: " + name(cut));
  }
  return said;
}"""

_READ = """() => {
  const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const hidden = document.head.appendChild(document.createElement("style"));
  hidden.textContent = "button, [role=button], input, select { display: none !important }";
  const words = document.body.innerText.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) ?? [];
  hidden.remove();
  return {
    words,
    heading: [...document.querySelectorAll("h1")].some((e) => seen(e) && e.innerText.trim()),
    boards: [...document.querySelectorAll("img, svg")].filter(
      (e) => seen(e) && e.getBoundingClientRect().width >= 200 && (e.tagName !== "IMG" || e.naturalWidth)
    ).length,
  };
}"""

_MOVING = """() => new Promise((done) => setTimeout(() => {
  const said = document.getAnimations()
    .filter((one) => one.playState === "running" && one.effect.getComputedTiming().endTime > 20)
    .map((one) => `${one.constructor.name} of ${one.transitionProperty ?? one.animationName ?? "a script"}`
      + ` on <${one.effect.target.tagName.toLowerCase()}>`);
  for (const one of document.querySelectorAll("animate, animateTransform, animateMotion"))
    if (!one.ownerSVGElement.animationsPaused()) said.push(`<${one.tagName}>`);
  for (const one of document.querySelectorAll("video[autoplay]"))
    if (!one.paused) said.push("<video>");
  if (getComputedStyle(document.documentElement).scrollBehavior === "smooth")
    said.push("scroll-behavior: smooth");
  done([...new Set(said)]);
}, 0))"""

_PICTURES = """(least, icon) => {
  const said = [];
  for (const e of document.querySelectorAll("img")) {
    const file = (e.currentSrc || e.src).slice(-40), alt = e.getAttribute("alt");
    const [wide, high] = ["width", "height"].map((name) => Number(e.getAttribute(name)));
    if (!(wide > 0 && high > 0)) said.push(`${file}: no width and height`);
    else if (e.naturalWidth && Math.abs((wide * e.naturalHeight) / (high * e.naturalWidth) - 1) > 0.02)
      said.push(`${file}: ${wide} x ${high}, but it is ${e.naturalWidth} x ${e.naturalHeight}`);
    if (alt === null) said.push(`${file}: no alt`);
    else if (!(wide <= icon) && alt.trim().length <= least) said.push(`${file}: alt "${alt}"`);
  }
  const texts = (ids) => (ids ?? "").split(/\\s+/).map((id) => document.getElementById(id)?.textContent ?? "");
  for (const e of document.querySelectorAll("svg")) {
    if (e.closest("[aria-hidden=true], svg svg, noscript") || e.getBoundingClientRect().width <= icon) continue;
    const name = [
      e.getAttribute("aria-label") ?? "",
      ...["aria-labelledby", "aria-describedby"].flatMap((key) => texts(e.getAttribute(key))),
      ...[...e.querySelectorAll(":scope > title, :scope > desc")].map((one) => one.textContent),
      e.closest("figure")?.querySelector("figcaption")?.textContent ?? "",
    ].join(" ").trim();
    const what = `<svg${e.id ? " #" + e.id : ""}>`;
    if (!e.hasAttribute("viewBox") && !(e.hasAttribute("width") && e.hasAttribute("height")))
      said.push(`${what}: neither viewBox nor width and height`);
    if (name.length <= least) said.push(`${what}: name "${name}"`);
  }
  return said;
}"""


def check_requests(site: Site) -> list[str]:
    """1. No error of a page or its console, no request outside the folder, and nothing asked for
    or linked to that is not there.
    """
    said = []
    for page, tab in site.shown(site.pages):
        tab.evaluate(_OPEN)
        tab.wait_for(_SETTLED)
        said += [f"{site.name(page)}: {trouble}" for trouble in tab.troubles]
        for url, kind in tab.apply(_REFERENCES):
            if (lost := _lost(site, url, kind)) is not None:
                said.append(f"{site.name(page)}: {kind}: {lost}")
    return list(dict.fromkeys(said))


def _lost(site: Site, url: str, kind: str) -> str | None:
    """The address, when it leads nowhere; a link may lead out, a request may not."""
    parts = urlsplit(url)
    if parts.scheme != "file":
        return url if kind == "asked" and parts.scheme not in ("data", "blob") else None
    file = Path(unquote(parts.path))
    return None if file.is_relative_to(site.folder.resolve()) and file.is_file() else url


def check_widths(site: Site) -> list[str]:
    """2. `scrollWidth` is the window's width at five widths, and no text is cut off at its side."""
    said = []
    for page, tab in site.shown(site.pages):
        tab.evaluate(_OPEN)
        for width in WIDTHS:
            tab.emulate(width=width)
            said += [f"{site.name(page)} at {width}: {one}" for one in tab.apply(_OVERHANG)]
    return said


def check_without_script(site: Site) -> list[str]:
    """6. Without script every turn's page has its heading, a board and its words, and links lead
    from the index to it.
    """
    said = [] if site.turns else ["turns/: no pages"]
    reached = _walk(site)
    full = _words(site, has_script=True)
    for page, bare in _words(site, has_script=False).items():
        missing = set(full[page]["words"]) - set(bare["words"])
        faults = {
            "no heading": not bare["heading"],
            "no board": not bare["boards"],
            f"{len(bare['words'])} words": len(bare["words"]) < WORDS,
            f"only with script: {sorted(missing)[:5]}": len(missing) * 20
            > len(full[page]["words"]),
            "no link leads here": page.resolve() not in reached,
        }
        said += [f"{site.name(page)}: {fault}" for fault, is_so in faults.items() if is_so]
    return said


def _words(site: Site, *, has_script: bool) -> dict[Path, dict[str, Any]]:
    read = {}
    for page, tab in site.shown(site.turns, width=360, height=_TALL, has_script=has_script):
        tab.wait_for(_SETTLED)
        read[page] = tab.apply(_READ)
    return read


def _walk(site: Site) -> set[Path]:
    """Pages that plain links lead to from the index."""
    reached = {site.index.resolve()}
    ahead = list(reached)
    with site.browser.page(site.folder, has_script=False) as tab:
        while ahead:
            for url, kind in tab.visit(ahead.pop()).apply(_REFERENCES):
                file = Path(unquote(urlsplit(url).path))
                is_ours = file.suffix == ".html" and file.is_file() and file not in reached
                if kind == "linked" and is_ours and file.is_relative_to(site.folder.resolve()):
                    reached.add(file)
                    ahead.append(file)
    return reached


def check_stillness(site: Site) -> list[str]:
    """7. Nobody who asks for no motion gets any: no running animation, no moving picture."""
    said = []
    for page, tab in site.shown(site.kinds, is_still=True):
        moves = [*tab.apply(_MOVING), *_moving_pictures(tab)]
        if page == site.index:
            for what in ("#next", "#prev", "#play"):
                tab.apply("(what) => document.querySelector(what)?.click()", what)
                moves += [f"{one} after {what}" for one in tab.apply(_MOVING)]
        said += [f"{site.name(page)}: {move}" for move in dict.fromkeys(moves)]
    return said


def _moving_pictures(tab: Page) -> list[str]:
    tab.wait_for(_SETTLED)
    moving = []
    for url in tab.evaluate("[...new Set([...document.images].map((one) => one.currentSrc))]"):
        file = Path(unquote(urlsplit(url).path))
        if urlsplit(url).scheme == "file" and file.suffix != ".svg" and file.is_file():
            with Image.open(file) as picture:
                if getattr(picture, "is_animated", False):
                    moving.append(file.name)
    return moving


def check_contrast(site: Site) -> list[str]:
    """8. Contrast of 4.5:1, a ground of the scheme, and axe-core without findings, in the light and
    in the dark.
    """
    said = []
    for scheme in ("light", "dark"):
        for page, tab in site.shown(site.kinds, scheme=scheme, is_still=True):
            tab.evaluate(_OPEN)
            told = [*_audit(tab, scheme), *_contrast(tab, scheme)]
            said += [f"{site.name(page)}, {scheme}: {one}" for one in dict.fromkeys(told)]
    return said


_AUDIT = """(ways) => axe.run({resultTypes: ["violations"], ...ways})
  .then((all) => all.violations.map((one) =>
    `axe ${one.id}: ${one.help} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 80)}`))"""


def _audit(tab: Page, scheme: str) -> list[str]:
    """In the dark what hangs on colours; the contrast of texts is `_contrast`'s, which is stricter."""
    tab.evaluate(_AXE.read_text("utf-8"))
    ways: Mapping[str, object] = {"rules": {"color-contrast": {"enabled": False}}}
    if scheme == "dark":
        ways = {"runOnly": ["link-in-text-block"]}
    return [str(one) for one in tab.apply(_AUDIT, ways)]


def _contrast(tab: Page, scheme: str, width: int = 1000) -> list[str]:
    tab.emulate(width=width, height=min(tab.evaluate(_HEIGHT), _TALL))
    found = tab.apply(script("contrast.js"), CONTRAST)
    said = [str(one) for one in found["said"][:_TOLD]]
    if (more := len(found["said"]) - _TOLD) > 0:
        said.append(f"and {more} texts more of less than {CONTRAST}:1")
    if not found["measured"]:
        said.append("no text whose contrast can be computed")
    if (found["ground"] < 0.2) != (scheme == "dark"):
        said.append(f"the page's ground has the luminance {found['ground']:.2f}")
    return said


def check_print(site: Site) -> list[str]:
    """13. On paper the ground is white, every text can be read, and nothing is wider than the
    sheet, also for somebody who reads in the dark.
    """
    said = []
    for page, tab in site.shown(site.kinds, scheme="dark", is_still=True):
        tab.medium = "print"
        tab.emulate(width=SHEET)
        tab.evaluate("document.documentElement.dataset.scheme = 'dark'")
        told = [*tab.apply(_OVERHANG), *_contrast(tab, "light", SHEET)]
        said += [f"{site.name(page)}, on paper: {one}" for one in told]
    return said


def check_pictures(site: Site) -> list[str]:
    """9. Every image has width, height (of its own shape) and an alt of more than 40 characters, a
    small one an alt; every drawing a viewBox and a name as long. With script and without.
    """
    said = []
    for has_script in (True, False):
        for page, tab in site.shown(site.pages, height=_TALL, has_script=has_script):
            tab.evaluate(_OPEN)
            tab.wait_for(_SETTLED)
            said += [f"{site.name(page)}: {one}" for one in tab.apply(_PICTURES, ALT, ICON)]
    return list(dict.fromkeys(said))


def check_bytes(site: Site) -> list[str]:
    """11. The whole archive is under five million bytes, that of a game on a large map under seven;
    of a game of more than 40 steps, so much more as it has steps more. The first view on a phone is
    under 600,000.
    """
    sizes = {site.name(file): file.stat().st_size for file in site.files}
    with site.opened(width=360, height=740) as tab:
        areas: int = tab.evaluate("Object.keys(GAME.areas).length")
        steps: int = tab.evaluate("GAME.steps.length")
        tab.wait_for(_SETTLED)
        asked = {Path(unquote(urlsplit(url).path)) for url in tab.requests if "file:" in url}
    loaded = {site.name(file): file.stat().st_size for file in site.files if file in asked}
    further = STEP_BYTES * max(0, steps - STEPS)
    most = {
        "all": (LARGE_BYTES if areas > LARGE else BYTES) + further,
        "the first view": FIRST_BYTES,
    }
    found = {"all": sizes, "the first view": loaded}
    return [
        f"{what} has {whole:,} bytes, the most in {', '.join(f'{n} ({of[n]:,})' for n in heavy)}"
        for what, of in found.items()
        if (whole := sum(of.values())) >= most[what]
        for heavy in [sorted(of, key=lambda name: of[name])[-3:]]
    ]


__all__ = [
    "check_bytes",
    "check_contrast",
    "check_pictures",
    "check_print",
    "check_requests",
    "check_stillness",
    "check_widths",
    "check_without_script",
]
