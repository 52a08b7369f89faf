"""The browser does what its adapter says, and what goes wrong in it is told."""

from pathlib import Path

import pytest

from tests.browser.chromium import PROGRAMS, BrowserFailed, Chromium, ScriptFailed, find_chromium

pytestmark = pytest.mark.servers


def test_without_a_browser_tests_are_skipped_or_fail_where_it_is_required(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("REQUIRE_SERVERS", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"Debian: chromium"):
        find_chromium()
    monkeypatch.setenv("REQUIRE_SERVERS", "1")
    with pytest.raises(pytest.fail.Exception, match=r"Debian: chromium"):
        find_chromium()
    (tmp_path / PROGRAMS[0]).touch(0o755)
    assert find_chromium() == str(tmp_path / PROGRAMS[0])


def test_values_come_back_and_what_throws_is_raised(chromium: Chromium) -> None:
    with chromium.page() as tab:
        assert tab.apply("async (a, b) => ({ sum: a + b, text: 'ö' })", 2, 3) == {
            "sum": 5,
            "text": "ö",
        }
        with pytest.raises(ScriptFailed, match="nowhere is not defined"):
            tab.evaluate("nowhere.at(1)")
        with pytest.raises(BrowserFailed, match="ERR_FILE_NOT_FOUND"):
            tab.visit(Path("/nowhere/at/all.html"))
        with pytest.raises(BrowserFailed, match="wasn't found"):
            chromium.call("Page.nothingOfTheKind")


def test_tabs_know_nothing_of_each_other_and_nothing_leaves_the_machine(
    chromium: Chromium, tmp_path: Path
) -> None:
    (tmp_path / "a.html").write_text("<title>a</title>", "utf-8")
    with chromium.page(tmp_path) as tab, chromium.page(tmp_path) as other:
        tab.visit(tmp_path / "a.html").evaluate("localStorage.setItem('a', 1)")
        assert other.visit(tmp_path / "a.html").evaluate("localStorage.getItem('a')") is None
        failed = "fetch('http://example.org/').then(() => 'came', (error) => error.message)"
        assert tab.evaluate(failed) == "Failed to fetch"
        assert "request: http://example.org/" in tab.troubles
        assert other.troubles == []


def test_what_a_reader_prefers_is_told_to_the_page(chromium: Chromium, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<noscript>bare</noscript><script>document.write('full')</script>", "utf-8")
    asks = "(query) => matchMedia(query).matches"
    with chromium.page(width=360, height=700, scheme="dark", is_still=True, has_touch=True) as tab:
        assert tab.visit(page).evaluate("document.body.innerText") == "full"
        assert tab.evaluate("[innerWidth, innerHeight]") == [360, 700]
        assert tab.apply(asks, "(prefers-color-scheme: dark)")
        assert tab.apply(asks, "(prefers-reduced-motion: reduce)")
        tab.emulate(scheme="light", has_script=False).visit(page)
        assert tab.apply(asks, "(prefers-color-scheme: light)")
        assert tab.apply(asks, "(prefers-reduced-motion: reduce)")
        assert tab.evaluate("document.body.innerText") == "bare"


def test_keys_and_fingers_reach_the_page(chromium: Chromium, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(
        "<button style='position:fixed;left:0;top:0;width:90px;height:90px'>a</button><script>"
        "window.heard = []; for (const kind of ['keydown', 'click', 'touchstart'])"
        "addEventListener(kind, (e) => heard.push(`${kind} ${e.key ?? ''}${e.altKey ? '!' : ''}`))"
        "</script>",
        "utf-8",
    )
    with chromium.page(has_touch=True) as tab:
        tab.visit(page)
        tab.press("ArrowLeft")
        tab.press("b", modifiers=1)
        tab.press(" ")
        tab.tap(45, 45)
        heard = ["keydown ArrowLeft", "keydown b!", "keydown  ", "touchstart ", "click "]
        assert tab.wait_for("heard.length === 5")
        assert tab.evaluate("heard") == heard
