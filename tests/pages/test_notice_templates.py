"""Notices and their templates belong together: each has its macros, and nothing is left over."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pbem.pages
from pbem.pages.notice import Facts, Notice
from tests.rows import each_row

TEMPLATES = Path(__file__).parents[2] / "templates"
MACRO = re.compile(r"(?ms)^\{%-? macro (\w+)\(([^)]*)\) ?%\}.*?(?=^\{%-? macro |\Z)")
FACT = re.compile(r"\bf\.(\w+)")
CALL = re.compile(r"\b(\w+)\(f\)")


def _subclasses(of: type[Notice]) -> Iterator[type[Notice]]:
    for one in of.__subclasses__():
        yield one
        yield from _subclasses(one)


def _notices() -> list[type[Notice]]:
    for module in iter_modules(pbem.pages.__path__, "pbem.pages."):
        if not module.ispkg:
            import_module(module.name)
    return [
        one
        for one in _subclasses(Notice)
        if not one.__subclasses__() and one.__module__.startswith("pbem.pages.")
    ]


NOTICES = _notices()


def _macros(template: str) -> dict[str, str]:
    source = (TEMPLATES / template).read_text(encoding="utf-8")
    return {found.group(1): found.group(0) for found in MACRO.finditer(source)}


def _facts_used(notice: type[Notice]) -> set[str]:
    """The facts that its macros show, and those macros to which they pass all facts."""
    macros = _macros(notice.template)
    todo = [name for end in ("", "_title", "_rest") if (name := notice.macro() + end) in macros]
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name in macros and name not in seen:
            seen.add(name)
            todo += CALL.findall(macros[name])
    return {fact for name in seen for fact in FACT.findall(macros[name])}


@each_row("notice", NOTICES)
def test_a_notice_has_its_macros_and_every_field_is_shown(notice: type[Notice]) -> None:
    macros = _macros(notice.template)
    assert notice.macro() in macros
    assert f"{notice.macro()}_title" in macros
    computed = "".join(
        inspect.getsource(one.__dict__["facts"])
        for one in notice.__mro__
        if "facts" in one.__dict__ and one is not Facts
    )
    used = _facts_used(notice) | set(re.findall(r"self\.(\w+)", computed))
    assert {one.name for one in fields(notice)} <= used


@each_row("template", sorted({notice.template for notice in NOTICES}))
def test_a_title_and_a_body_in_a_template_have_their_notice(template: str) -> None:
    macros = _macros(template)
    pairs = {name for name in macros if f"{name}_title" in macros}
    assert pairs == {one.macro() for one in NOTICES if one.template == template}


def test_no_two_notices_share_a_name() -> None:
    names = [notice.__name__ for notice in NOTICES]
    assert len(names) == len(set(names))
