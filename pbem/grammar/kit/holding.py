"""What holds back the orders of a sentence: a word that turns them, a proviso, what only tells how
things are. The words are data (holding.words), to which a game adds its own.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.rings import Judged, Ring, is_question, unknown_beside
from pbem.grammar.kit.sentences import Sentence
from pbem.grammar.kit.slots import SILENT, TURNS
from pbem.grammar.kit.vocabulary import parse_words

BINDING = frozenset({"COND", "TURN", "REFERS", "HEDGE", "UNSETTLED", "LATER"})
_NAMELESS = frozenset({"COMMON", "WORD", "FILLER", "PROSE"})
_SHORTENED = 4
"""Letters of a label that may be short for something."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one kind, and beginnings of words."""

    whole: frozenset[str]
    begun: tuple[str, ...]

    def __contains__(self, text: str) -> bool:
        return text in self.whole or text.startswith(self.begun)


@dataclass(frozen=True, slots=True)
class Manner:
    """How players tell orders in a game. `heads` are kinds of words that begin an order; among them
    are those of a deed (`deeds`), those that take effect at once (`binding`), bear no other word
    with them (`strict`), answer somebody (`replies`) or describe the writer (`stated`). The others
    are kinds of counted things, of provisos (`later`), of `times`, and of words that make a
    predicate harmless (`exempt`).
    """

    said: Mapping[str, Words]
    heads: frozenset[str]
    deeds: frozenset[str]
    counted: frozenset[str]
    binding: frozenset[str] = frozenset()
    strict: frozenset[str] = frozenset()
    replies: frozenset[str] = frozenset()
    stated: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset({"EXCEPT"})
    times: frozenset[str] = frozenset()
    exempt: frozenset[str] = frozenset()


@lru_cache(maxsize=8)
def held_words(package: str) -> Mapping[str, Words]:
    """The words of the kit with those of the `holding.words` in a game's package, by their kind."""
    found: dict[str, list[str]] = {}
    for source in (files(__package__), files(package)):
        file = source / "holding.words"
        for kind, words in parse_words(file) if file.is_file() else ():
            found.setdefault(kind, []).extend(words)
    return {
        kind: Words(
            frozenset(word for word in words if word[-1] != "*"),
            tuple(word[:-1] for word in words if word[-1] == "*"),
        )
        for kind, words in found.items()
    }


def solid_of(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """Those that say something."""
    return [x for x in lexemes if x.kind not in SILENT]


def is_material(judged: Sequence[Judged]) -> bool:
    return any(one.ring is Ring.ORDER and one.clause.lexemes for one in judged)


def held_by(judged: Sequence[Judged], plain: Plain, manner: Manner) -> Lexeme | None:
    """The word that turns the orders of a sentence, if any does."""
    first = next((i for i, one in enumerate(judged) if one.ring is Ring.ORDER), 0)
    for i, one in enumerate(judged):
        if one.ring is Ring.ORDER:
            turns = (x for x in one.clause.lexemes if _turns(x, manner))
            found = next(turns, None) or _states(one, manner)
        elif one.ring is Ring.BINDS:
            inside = one.clause.lexemes
            found = next((x for x in inside if x.kind in BINDING), inside[0] if inside else None)
        else:
            found = holds_back(one, manner) if i > first else None
        if found is not None:
            return found
    found = _told_ahead(judged) or _short_label(judged, plain, manner)
    glued = (x for one in judged for x in one.clause.lexemes if x.kind == "WORD")
    found = found or next((x for x in glued if not x.text.isalpha() and x.text[0].isdigit()), None)
    unknown = (x for x in unknown_beside(judged) if not _is_called(x, judged, plain))
    return found or next(unknown, None)


def _turns(lexeme: Lexeme, manner: Manner) -> bool:
    if lexeme.kind == "OTHER":
        return lexeme.text not in manner.said["THEIRS"]
    return lexeme.kind in TURNS and lexeme.kind not in {"QUOTE", "QUOTEDPLACE"}


def _states(one: Judged, manner: Manner) -> Lexeme | None:
    """It tells what there is: `we have 3 soldiers`, `Ben has 3 soldiers`, `one soldier left`."""
    said, lexemes = manner.said, one.clause.lexemes
    orders = any(x.kind in manner.heads for x in lexemes)
    for before, here in itertools.pairwise(lexemes):
        if before.kind == "WHO" and here.text in said["HAS"]:
            return here
        if before.kind in manner.counted and here.text in said["LEFT"]:
            return here
    for i, has in enumerate(lexemes[:-1]) if not orders else ():
        if has.text in said["HAS"] and i and lexemes[i - 1].text in said["SELF"]:
            if lexemes[i + 1].kind in {"NUM", "ALL", "HALF"}:
                return has
    return next((x for x in lexemes if not orders and x.text in said["HAVING"]), None)


def holds_back(one: Judged, manner: Manner) -> Lexeme | None:
    """The word by which a part that no order is in takes back the order before it: `but ask Cara
    first`, `, after Cara confirmed`, `, don't`.
    """
    inside, solid = one.clause.lexemes, solid_of(one.clause.lexemes)
    if one.ring is Ring.ORDER or not solid:
        return None
    for lexeme in inside:
        if lexeme.text in manner.said["PROVISO"] or lexeme.kind in manner.later:
            return lexeme
    if one.clause.joint == "BUT" or [x.kind for x in solid[:2]] == ["NEG", "ASKING"]:
        return solid[0]  # `not what I roll`
    apart = one.clause.joint in {"COLON", "DASH", "LPAR"} and solid[0].kind == "NEG"
    taken = len(solid) < 3 and any(x.text in manner.said["UNDONE"] for x in inside)
    if apart or taken:
        return solid[0]  # `(not now)`, `(joke)`
    turns = len(solid) == 1 and solid[0].kind in TURNS - {"QUOTE", "OTHER", "STATEMENT"}
    return solid[0] if turns else None


def _told_ahead(judged: Sequence[Judged]) -> Lexeme | None:
    """`I was thinking: attack Borland`."""
    for one, after in itertools.pairwise(judged):
        if one.ring is Ring.TOLD and after.ring is Ring.ORDER and after.clause.joint == "COLON":
            tells = (x for x in one.clause.lexemes if x.kind in {"STATEMENT", "SPEECH", "PAST"})
            if (found := next(tells, None)) is not None:
                return found
    return None


def _short_label(judged: Sequence[Judged], plain: Plain, manner: Manner) -> Lexeme | None:
    """`ES: exp 2`: what large letters in front of an order mean nobody knows."""
    for one, after in itertools.pairwise(judged):
        inside = one.clause.lexemes
        if after.clause.joint != "COLON" or after.ring is not Ring.ORDER or len(inside) != 1:
            continue
        label = plain.quote(inside[0].start, inside[0].end)
        short = label.isalpha() and label.isupper() and len(label) <= _SHORTENED
        if short and inside[0].text not in manner.said["SHORTLY"] and inside[0].kind in _NAMELESS:
            return inside[0]
    return None


def _is_called(lexeme: Lexeme, judged: Sequence[Judged], plain: Plain) -> bool:
    """A name that somebody is spoken to by: `you drive a hard bargain, Dmitri, but ...`."""
    alone = any(
        solid_of(one.clause.lexemes) == [lexeme] and one.clause.joint in {"", "COMMA"}
        for one in judged
    )
    return alone and plain.quote(lexeme.start, lexeme.end)[:1].isupper()


# ------------------------------------------------------------------- sentences that speak of orders
def asks(sentence: Sentence, judged: Sequence[Judged], manner: Manner) -> bool:
    """Whether it is a question, and not only a tag behind an order (`I claim victory, who could
    stop me?`, `expedition with 2, ok?`).
    """
    last = judged[-1].clause if len(judged) > 1 else None
    if last is not None and last.joint == "COMMA" and last.lexemes:
        if last.lexemes[0].kind in {"ASKING", "WHICH"}:
            first = next(iter(solid_of(sentence.lexemes)), None)
            return first is None or first.kind == "ASKING"
    if sentence.ended == "ASK" and last is not None:
        tags = [x.text for x in last.lexemes]
        binds = any(x.kind in manner.binding for one in judged for x in one.clause.lexemes)
        if not binds and len(tags) == 1 and tags[0] in manner.said["TAG"]:
            if sentence.lexemes[0].kind != "ASKING":
                return False
    return is_question(sentence)


def forbids(lexemes: Sequence[Lexeme], manner: Manner, *, cued: bool) -> bool:
    """`don't do that yet`, `hold on, don't`, `I accept. Not.`, `4, not 3`: it speaks of what was
    said.
    """
    solid = solid_of(lexemes)
    if [x.text for x in solid] == ["not"] or {x.kind for x in solid} == {"NEG", "NUM"}:
        return True
    if not solid or solid[0].kind != "NEG" or solid[0].text[:2] != "do":
        return False
    points = any(x.text in manner.said["POINTS"] for x in lexemes)
    return points or len(lexemes) == 1 or (cued and len(solid) == 1)


def leaves(lexemes: Sequence[Lexeme], manner: Manner) -> bool:
    """`ach, leave it`."""
    solid = solid_of(lexemes)
    return len(solid) < 3 and any(x.text in manner.said["LEAVES"] for x in solid)
