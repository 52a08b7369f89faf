"""What is said of all orders at once in many words, as the one order that it is: `do what I did
last turn`, `leave everything the way it was last time`, `disregard all that I sent this morning`.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.protectors.reading.dialect import DIALECT, PARTS
from pbem.games.protectors.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.sentences import ENDS

_STOPS = PARTS | {"EXCEPT", "LPAR", "COLON", "DASH"}
_ORDERING = DIALECT.verbs | {"PLACE", "NUM"}
_LEADS = frozenset({"FILLER", "REQUEST", "PROSE", "COMMA", "AND", "ALSO"})
_LONGEST = 16
"""The most lexemes that say it."""
_HEADS = set_of("do repeat redo copy leave keep use same as like everything all exactly exact just")
_LIKENESS = set_of("same like as repeat redo copy what whatever way exactly exact identical how")
_TIMES = set_of("turn time round year turns rounds")
_SMALL = set_of(
    "i we i've we've it its they them that this these those the a an my our your us me is are was"
    " were be been have had has of in on at from for to so please pls stays stay did done ordered"
    " sent gave given played wrote written said submitted told order orders move moves thing things"
    " plan plans once more again you everything all do same as like exactly exact just way what"
    " every whatever which how repeat keep leave identical"
)
_AGO = set_of("ago before last previous two three one 2 3 earlier")
_DROPPING = set_of(
    "scrap disregard forget ignore cancel bin withdraw drop undo delete scratch strike trash"
)
_OPENING = _HEADS | _DROPPING
"""What it begins with."""
_ALL_OF = set_of("everything all every what whatever anything orders")
_SENT = set_of("sent ordered said wrote written submitted gave given told order orders")
_WHEN = set_of(
    "this morning yesterday earlier before last previous so far until now today tonight night"
    " evening afternoon mail mails message messages email emails anything"
)


def with_all_again(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    """The lexemes with each such part of a sentence as one."""
    told, i = list[Lexeme](), 0
    opens, ordered = True, False
    while i < len(lexemes):
        lexeme, end = lexemes[i], i
        if opens and lexeme.text.partition(" ")[0] in _OPENING:
            end = next(
                (j for j in range(i, min(i + _LONGEST, len(lexemes))) if lexemes[j].kind in _STOPS),
                min(i + _LONGEST, len(lexemes)),
            )
        part = lexemes[i:end]
        kind, count = _said_of_all(part, position) if part else ("", 0)
        if kind == "CANCELALL" and ordered:
            kind = ""
        if kind == "CANCELALL" and [x.kind for x in lexemes[end : end + 2]] == ["COMMA", "ALL"]:
            count = len(part) + 2  # `..., all of it`
            part = lexemes[i : end + 2]
        if kind:
            text = " ".join(x.text for x in part[:count])
            told.append(replace(lexeme, kind=kind, text=text, end=part[count - 1].end))
            i += count
            opens = False
            continue
        ordered = ordered or lexeme.kind in _ORDERING
        opens = lexeme.kind in ENDS or (opens and lexeme.kind in _LEADS)
        told.append(lexeme)
        i += 1
    return told


def _said_of_all(part: Sequence[Lexeme], position: Position) -> tuple[str, int]:
    """The kind of order that these words are, and how many of them; ("", 0) if they say more."""
    words = [word for lexeme in part for word in lexeme.text.split()]
    said = {*words}
    if words[0] in _DROPPING and said & _ALL_OF and said & _SENT:
        if said <= _DROPPING | _SMALL | _WHEN:
            return "CANCELALL", len(part)
    last = f"{position.state.turn - 1}"
    times = _TIMES | {last} if said & _TIMES else frozenset[str]()
    if words[0] not in _HEADS or not said & _LIKENESS or not times & said:
        return "", 0
    small = _SMALL | _HEADS | times
    if said <= small | {"last", "previous"} and said & {"last", "previous", last}:
        return "SAME", len(part)
    return ("SAME", 1) if said <= small | _AGO else ("", 0)
