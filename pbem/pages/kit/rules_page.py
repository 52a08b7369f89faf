"""The rules guides as one page of the web, with an anchor for every ID: what `service.rules_url`
leads to, and the page of an archive.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.pages.gallery import render_gallery
from pbem.pages.kit.rules import Book, Section, sections


@dataclass(frozen=True, slots=True)
class _Guide:
    title: str
    prefix: str
    sections: tuple[Section, ...]


def render_rules(books: Sequence[tuple[str, Book]], *, home: str = "") -> str:
    """The guides of these games, each with its title, as a page that needs no other file;
    `home` is where its way back leads.
    """
    guides = [_Guide(title, book.prefix, sections(book)) for title, book in books]
    chapters = [section for guide in guides for section in guide.sections]
    facts = {
        "over": guides[0].title if len(guides) == 1 else "",
        "books": guides,
        "home": home,
        "chapters": len(chapters),
        "rules": sum(len(section.rules) for section in chapters),
    }
    return render_gallery("rules.html.j2", facts)
