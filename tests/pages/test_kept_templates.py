"""Compiled templates are kept from one process to the next, where there is a folder for that."""

import tempfile
from pathlib import Path

import pytest

from pbem.pages.rendering import environments, modules


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As in a process that has just begun, with a folder of its own for what is temporary."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    environments.cache_clear()
    modules.cache_clear()


def kept_in(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in folder.glob("_jinja2-cache-*/*.cache")}


def test_what_was_compiled_once_is_not_compiled_again(tmp_path: Path) -> None:
    first = modules("mail/notices.j2")
    kept = kept_in(tmp_path)
    assert {name.split("-")[1] for name in kept} == {"html", "txt", "chat"}, "each dress for itself"
    environments.cache_clear()
    modules.cache_clear()
    again = modules("mail/notices.j2")
    assert again is not first
    assert kept_in(tmp_path) == kept
    assert [sorted(vars(module)) for module in again] == [sorted(vars(module)) for module in first]


def test_without_a_folder_of_its_own_all_is_rendered_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    assert modules("mail/notices.j2")
    assert not kept_in(tmp_path / "none")
