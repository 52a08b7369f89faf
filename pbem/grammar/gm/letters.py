"""Words to players, and players' notes: how a game master writes them."""

import re
from typing import Any

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import Lexicon, Unread
from pbem.grammar.gm.naming import table_alone
from pbem.grammar.gm.word import Word, alone, word

_AND = re.compile(r",(?! *and\b)|\band\b|&|;", re.IGNORECASE)
_NOTE = re.compile(
    r"(?:note )?(?:#|no\.? ?|number )?(?P<note>\d{1,9})(?P<sign>[ ]*+[:,-]*+)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_TO_PLAYER = re.compile(
    r"(?:to )?(?P<player>[^\W\d_][^:\"“„«\n]{0,40}?)(?:[ ]*:[ ]*|["
    r" ]+(?=[\"“„«]))(?:[\"“„«](?P<quoted>[^\"“”„«»]+)[\"”“»]|(?P<text>.+))",
    re.IGNORECASE | re.DOTALL,
)


def _announce(rest: str, table: str, _lexicon: Lexicon) -> c.Announce:
    head, mark, text = rest.partition(":")
    if not mark or "\n" in head or len(head) > 50:
        raise Unread("missing", "colon", rest.strip().partition("\n")[0])
    if not text.strip():
        raise Unread("missing", "text")
    return c.Announce(
        text=text.strip(), table=table_alone(re.sub(r"^[ ]*(?:to|at)[ ]+", "", head), table)
    )


def _write(rest: str, table: str, _lexicon: Lexicon) -> c.Write:
    head, mark, text = rest.partition(":")
    if not mark or "\n" in head or len(head) > c.MOST_READERS:
        raise Unread("missing", "colon", rest.strip().partition("\n")[0])
    if not head.strip():
        raise Unread("missing", "player")
    if not text.strip():
        raise Unread("missing", "text")
    return c.Write(whom=" ".join(head.split()), text=text.strip(), table=table)


def _answer(rest: str, table: str, _lexicon: Lexicon) -> c.Answer | c.Write:
    """`answer 12: TEXT`, a note; `answer Anna: TEXT` or with the text in quotation marks, a
    player.
    """
    found = _NOTE.fullmatch(rest.lstrip(" :"))
    player = _TO_PLAYER.fullmatch(rest.strip(" ")) if found is None else None
    if player is not None:
        said = (player["quoted"] or player["text"]).strip()
        if not said:
            raise Unread("missing", "text")
        return c.Write(whom=player["player"].strip(), text=said, table=table)
    if found is None:
        raise Unread("missing", "note", rest.strip().partition("\n")[0])
    text = found["rest"].strip()
    if not text:
        raise Unread("missing", "text")
    return c.Answer(note=int(found["note"]), text=text, table=table)


def _dismiss(rest: str, table: str, _lexicon: Lexicon) -> c.Dismiss:
    """`dismiss 4`, or several: `dismiss 4, 5 and 7`."""
    found = [_NOTE.fullmatch(part.strip()) for part in _AND.split(rest.strip(" :.!"))]
    notes = [int(one["note"]) for one in found if one is not None and not one["rest"].strip()]
    if len(notes) < len(found) or len(notes) > c.MOST_NOTES:
        raise Unread("missing", "note", rest.strip())
    first, *others = dict.fromkeys(notes)
    return c.Dismiss(note=first, also=tuple(others), table=table)


def _format_dismiss(command: c.Dismiss) -> str:
    return f"dismiss {', '.join(map(str, (command.note, *command.also)))}"


WORDS: tuple[Word[Any], ...] = (
    alone(c.Notes),
    word(c.Announce, _announce, lambda command: f"announce:\n{command.text}"),
    word(c.Write, _write, lambda command: f"press to {command.whom}:\n{command.text}"),
    word(c.Answer, _answer, lambda command: f"answer {command.note}:\n{command.text}"),
    word(c.Dismiss, _dismiss, _format_dismiss),
)
