"""Pages as they were read and approved, six of the house and of each game that keeps some.

`UPDATE_GOLDEN=1 pytest tests/pages tests/games` writes them anew, to be read again.
"""

import os
from pathlib import Path

from pbem.pages.page import Page

WITH_HTML = frozenset(
    {
        *("bulletin", "gm_confirm", "lobby-receipt", "profile-own", "receipt", "rolled-back"),
        *("turn", "why-battles", "why-turn"),
    }
)
"""Pages that have elements or styles which the others do not have; the words are in all texts."""


def hold_approved(test: str, name: str, page: Page) -> None:
    """Compare a page in its dresses, without the frame of its HTML, with the files of that name."""
    assert page.html_main is not None
    hold_file(test, f"{name}.txt", f"Subject: {page.subject}\n\n{page.text}")
    if name in WITH_HTML:
        hold_file(test, f"{name}.html", page.html[slice(*page.html_main)])
    hold_file(test, f"{name}.chat", page.chat + "\n")


def hold_file(test: str, name: str, form: str) -> None:
    """Compare with a file of the folder `golden`, next to the test."""
    path = Path(test).parent / "golden" / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(form, encoding="utf-8")
    assert form == path.read_text(encoding="utf-8")
