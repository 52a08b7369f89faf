"""The rules guide of Protectors of the Realm."""

from pbem.pages.kit.rules import Book

BOOK = Book("pbem.games.protectors", "PR", "protectors/guide.md.j2")
