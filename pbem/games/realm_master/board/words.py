"""The words on a board of Realm-Master: they live in a template and are fetched here to be measured before they are drawn."""

from functools import cache

from pbem.board.words import text_templates


@cache
def _macros() -> object:
    return text_templates().get_template("realm_master_words.j2").module


def say(what: str, *facts: object) -> str:
    """The words of one macro of `realm_master_words.j2`. AttributeError when there is no such macro."""
    return str(getattr(_macros(), what)(*facts))
