"""Pages as they were read and approved, six of the house and of each game that keeps some.

`UPDATE_GOLDEN=1 pytest tests/pages tests/games` writes them anew, to be read again.
"""

import os
from pathlib import Path

from pbem.pages.page import Page


def hold_approved(test: str, name: str, page: Page) -> None:
    """Compare a page in every dress with the files of that name in `golden`, next to the test."""
    for suffix, form in (
        ("txt", f"Subject: {page.subject}\n\n{page.text}"),
        ("html", page.html),
        ("chat", page.chat + "\n"),
    ):
        path = Path(test).parent / "golden" / f"{name}.{suffix}"
        if os.environ.get("UPDATE_GOLDEN"):
            path.write_text(form, encoding="utf-8")
        assert form == path.read_text(encoding="utf-8")
