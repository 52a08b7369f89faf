"""The rules in short as a page of the gallery, and the way there from every letter that names a
rule.
"""

from pathlib import Path

from pbem.pages.kit.rules import Book
from pbem.pages.kit.rules_page import render_rules

RULES_PAGE = "rules.html"


def rules_url(host: str) -> str:
    """Where letters of a demonstration say that the rules are; a host that exists only within
    it.
    """
    return f"https://{host}/{RULES_PAGE}"


def link_rules(html: str, url: str) -> str:
    """A letter of ours, to lie in a folder of the gallery: its links to the rules lead to the page
    that lies beside the index.
    """
    return html.replace(f'"{url}#', f'"../{RULES_PAGE}#')


def write_rules(folder: Path, title: str, book: Book) -> Path:
    """Write the rules of the game of this title, with an anchor for each ID."""
    path = folder / RULES_PAGE
    path.write_text(render_rules(((title, book),), home="index.html"), encoding="utf-8")
    return path
