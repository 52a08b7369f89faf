"""The old judges' lines of masters: what they say in our words, or the words to use where there is
no counterpart.
"""

import re

from pbem.grammar.gm.spelling import ANY_GAME

MOST_CHARACTERS = 120
_SLUG = r"[A-Za-z][\w-]{0,37}"
_SIGNED = re.compile(rf"sign ?on [?]?(?P<name>{_SLUG})(?: \S{{1,40}})?", re.IGNORECASE)
_LISTED = re.compile(rf"(?:list|who ?game|history|map)(?: (?P<name>{_SLUG}))", re.IGNORECASE)
_TURN = r"(?:[SFAW]\d{4}[MRAB]|(?:spring|summer|fall|autumn|winter) \d{4}(?: \w{1,12})?)"


def _folded(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_ALIASES: tuple[tuple[re.Pattern[str], str], ...] = (
    (_folded(r"preview"), "predict"),
    (_folded(r"set no ?press|set press none"), "set press none"),
    (_folded(r"set white press|set press white"), "set press all, grey off"),
    (_folded(r"set gr[ea]y press|set press gr[ea]y"), "set press grey on"),
    (_folded(r"set all press"), "set press gm reads on"),
    (_folded(r"set no ?all ?press"), "set press gm reads off"),
    (_folded(r"set no ?observers?"), "observers off"),
    (_folded(r"set observers?(?: any| all| yes)?"), "observers on"),
    (_folded(rf"dummy (?P<name>{_SLUG})"), r"defaults \g<name>"),
    (_folded(r"who ?game|who"), "status"),
    (_folded(r"get (?:help|rules|info|commands|master\.guide)|index"), "help"),
)

_OLD: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (_folded(rf"process!? {_TURN}"), ("close phase 5",)),
    (_folded(r"set grace .{1,40}"), ("set graces 2 of 24h", "extend to 2026-11-23 18:00")),
    (_folded(r"set start .{1,40}"), ("start",)),
    (
        _folded(r"set (?:move|retreat|adjust|build|next|delay) .{1,80}"),
        ("set clock 18:00, orders 48h, days -MTWTF-",),
    ),
    (_folded(r"set (?:no ?)?wait"), ("option early close off", "option early close on")),
    (
        _folded(
            r"set (?:no ?)?(?:list|private|moderated?|strict(?: \w+)?|late(?: count)?|dedication|on"
            r" ?time)(?: .{1,30})?"
        ),
        ("help",),
    ),
    (
        _folded(r"set (?:comment|password|variant|access|partial|fake|touch|postal)(?: .{1,60})?"),
        ("announce: TEXT", "help"),
    ),
    (_folded(r"(?:set )?password(?: \S{1,40})?"), ("promote NAME ADDRESS",)),
    (_folded(r"become master"), ("status",)),
    (
        _folded(rf"(?:create|CREATE) [?]?{_SLUG}(?: .{{1,60}})?"),
        (f"new game NAME: {ANY_GAME}, 2 to 4 players",),
    ),
    (_folded(r"rollforward(?: \d{1,4})?"), ("close phase 5",)),
    (_folded(r"unstart"), ("roll back to phase 1", "end: REASON")),
    (_folded(r"revive \S{1,40}"), ("undo the elimination of PLAYER because REASON",)),
    (_folded(r"reveal"), ("end: REASON",)),
    (
        _folded(r"(?:allow|deny) \S*@\S+"),
        ("invite NAME ADDRESS", "set people least reliability 80"),
    ),
    (_folded(r"(?:history|map|diary)(?: .{1,60})?"), ("status", "notes")),
    (_folded(r"clear|version|monitor .{1,40}|observe .{1,40}|watch .{1,40}"), ("status", "help")),
    (_folded(r"withdraw|resign"), ("pause: REASON", "promote NAME ADDRESS")),
)


def signed_table(line: str) -> tuple[str, ...] | None:
    """The tables that `SIGNON Mheron` may mean; None for another line."""
    found = _SIGNED.fullmatch(line)
    return (found["name"][1:], found["name"]) if found is not None else None


def master_alias_of(line: str, tables: frozenset[str]) -> str | None:
    """What an old line says in our words."""
    said = line.rstrip(" .") if len(line) <= MOST_CHARACTERS else ""
    listed = _LISTED.fullmatch(said)
    if listed is not None and listed["name"].casefold() in tables:
        return f"status {listed['name']}"
    for pattern, ours in _ALIASES:
        found = pattern.fullmatch(said)
        if found is not None:
            return found.expand(ours)
    return None


def master_words_for(line: str, game: str) -> tuple[str, ...] | None:
    """The words of ours to use for an old line that has no counterpart; None: it is no such line.
    Words that open a table show the game of this id.
    """
    said = line.rstrip(" .!") if len(line) <= MOST_CHARACTERS else ""
    for pattern, ours in _OLD:
        if said and pattern.fullmatch(said):
            return tuple(words.replace(ANY_GAME, game) for words in ours)
    return None
