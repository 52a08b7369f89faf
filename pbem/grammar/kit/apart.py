"""Whether a sentence that gives no order stands apart from those before it: a condition in it, a
doubt or a no is of its own main clause, or of how the day was, and of nothing that was ordered.

`If it rains tomorrow we play inside.` is talk; `If it rains.`, `If it rains, forget that.` are not.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.rings import POINTING
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.grammar.kit.slots import SILENT
from pbem.grammar.kit.vocabulary import parse_words

_HANGS = frozenset({"COND", "IF", "UNLESS", "WHILE", "HEDGE"})
_DENIES = frozenset({"NEG", "NOT"})
_CONTENT = frozenset({"COMMON", "WORD", "PROSE"})
_TALK = (
    _HANGS
    | _DENIES
    | _CONTENT
    | set_of(
        "FILLER OTHER LATER STATEMENT ASKING WHICH ALSO SEEMS IN TO FOR FROM WITH AT OF IT ARE HAVE"
        " AGAIN FIRST CAN AND COMMA EARLY BAR"
    )
)
"""A sentence with a word of another kind may be about the game."""
_COUNTS = frozenset({"NUM", "RANGE", "LEAST", "MOST", "ATLEAST", "ATMOST", "WHO"})
_SUBJECTS = set_of("i we you he she they there my our i'm i'll i'd i've we're we'll we'd we've")
_LINKS = set_of("IN TO FOR FROM WITH AT OF ALSO AND COMMA ONLY ALWAYS LATER")
_ME = frozenset({"me", "us", "myself"})
_PLAIN = _CONTENT | set_of("FILLER ALSO AND COMMA TO IN FOR FROM WITH AT OF ARE")
_INDEFINITE = frozenset({"a", "an"})
_DEFINITE = frozenset({"the", "my", "our", "mine"})
_DOERS = set_of("i we i'll we'll let's let us please now also then so somebody someone just")
_MEANT = set_of("the that this those")
_IS = set_of("is are was were be will would should may might can could")
_OBLIGED = frozenset({"has to", "needs to", "wants to", "had to", "wanted to"})


class _Phrases(NamedTuple):
    """Of one kind: the words, the beginnings of words, and by their first word those of several."""

    words: frozenset[str]
    begun: tuple[str, ...]
    longer: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def _words() -> Mapping[str, _Phrases]:
    """Phrases by their kind."""
    text = (files(__package__) / "apart.words").read_text("utf-8")
    return {kind: _phrases_of(phrases) for kind, phrases in parse_words(text)}


def _phrases_of(phrases: Sequence[str]) -> _Phrases:
    single = [phrase for phrase in phrases if " " not in phrase]
    longer: dict[str, tuple[str, ...]] = {}
    for phrase in phrases:
        first, behind, _ = phrase.partition(" ")
        if behind:
            told = f" {phrase} ".removesuffix("* ")
            longer[first] = (*longer.get(first, ()), told)
    return _Phrases(
        frozenset(word for word in single if word[-1] != "*"),
        tuple(word[:-1] for word in single if word[-1] == "*"),
        longer,
    )


def has_any(said: Sequence[str], kind: str) -> bool:
    """Whether words have one of this kind (in apart.words) among them."""
    words, begun, longer = _words()[kind]
    for word in said:
        if word in words or word.startswith(begun):
            return True
        if word in longer:
            text = f" {' '.join(said)} "
            if any(phrase in text for phrase in longer[word]):
                return True
    return False


def is_apart(sentence: Sentence, also: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence says nothing about the one before it. `also`: kinds of words that have a
    meaning in this game, but not here.
    """
    lexemes = sentence.lexemes
    said = [word for lexeme in lexemes for word in lexeme.text.split()]
    if has_any(said, "NOTICE"):
        return True
    cues = {clause.cue for clause in sentence.clauses}
    asks = sentence.ended == "ASK"
    if not cues <= {"", "soft"} or (asks and "your" not in said):
        return False
    if (
        not said
        or has_any(said, "ABOUT")
        or has_any(said, "DEED")
        or any(map(_points, said, [*said[1:], ""]))
    ):
        return False
    kinds = [lexeme.kind for lexeme in lexemes]
    if not all(_is_talk(*pair, also) for pair in zip(lexemes, [*lexemes[1:], None], strict=True)):
        return False
    if asks:
        return _says(lexemes)  # `How was your weekend?`
    if kinds[0] in _DENIES:
        return has_any(said, "RATING")
    hangs = next((i for i, kind in enumerate(kinds) if kind in _HANGS), None)
    if hangs is None:
        counting = [
            c.lexemes for c in sentence.clauses if any(x.kind in _COUNTS for x in c.lexemes)
        ]
        own = [x[0].kind != "WHO" and x[0].text.split()[0] in _SUBJECTS for x in counting]
        return any(own) and _says(lexemes)
    return _has_main(sentence, lexemes, hangs)


def is_idle(clauses: Sequence[Clause], orders: frozenset[str]) -> bool:
    """Whether all order words of a sentence (kinds in `orders`) are common English in it: `Keep
    calm and carry on.`, `The best defence is a good attack.`, `Head of Support`. Nothing stands
    with them that an order could be about; `Keep the good ones.` is not idle.
    """
    rest = [x for clause in clauses for x in clause.lexemes if x.kind not in orders]
    said = [word for x in rest for word in x.text.split()]
    if (
        any(clause.cue for clause in clauses)
        or not all(x.kind in _PLAIN for x in rest)
        or not any(x.kind in _CONTENT or x.text == "of" for x in rest)
        or any(has_any(said, kind) for kind in ("ABOUT", "THING"))
        or any(x.text.split()[0] in _SUBJECTS - _DEFINITE for x in rest)
        or any(map(_points, said, [*said[1:], ""]))
    ):
        return False
    return all(
        _is_noun(clause.lexemes, i) or _is_of_another(clause.lexemes, i) or _acts(clause.lexemes, i)
        for clause in clauses
        for i, x in enumerate(clause.lexemes)
        if x.kind in orders
    )


def _is_noun(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`is a good attack`, `Head of Support`; `the attack` is one that was ordered."""
    if "of" in {x.text for x in (*lexemes[max(i - 1, 0) : i], *lexemes[i + 1 : i + 2])}:
        return True
    at = next((at for at in reversed(range(1, i)) if lexemes[at].text in _INDEFINITE), i)
    qualified = all(x.kind in _CONTENT | {"FILLER"} for x in lexemes[at:i])
    return at < i == len(lexemes) - 1 and qualified and lexemes[at - 1].text in _IS


def _is_of_another(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`My son has to march`."""
    return i > 1 and lexemes[i - 1].text in _OBLIGED and lexemes[i - 2].kind == "COMMON"


def _acts(lexemes: Sequence[Lexeme], i: int) -> bool:
    """A verb without an object that may be of the game: `play harder`; not `hold my dice`, `keep
    swrds`, `attack is useless`.
    """
    after = next(iter(lexemes[i + 1 :]), None)
    return (
        after is not None
        and after.kind in {"COMMON", "PROSE", "FILLER"}
        and after.text.split()[0] not in _DEFINITE | _IS
        and not any(x.kind == "WORD" for x in lexemes)
    )


def asks_for_deed(lexemes: Sequence[Lexeme]) -> bool:
    """Whether a clause asks for a deed in words of no game: `do the thing with the geese again`,
    `somebody give the admiral his hat back`.
    """
    said = [word for x in lexemes for word in x.text.split()]
    led = next((i for i, word in enumerate(said) if word not in _DOERS), len(said))
    rest = said[led:]
    return len(rest) > 2 and rest[1] in _MEANT and has_any(rest[:1], "DOES")


def repeats(lexemes: Sequence[Lexeme]) -> bool:
    """Whether a clause asks for what was ordered before: `same as last turn`."""
    return has_any([word for x in lexemes for word in x.text.split()], "AGAIN")


def governs_itself(clauses: Sequence[Clause]) -> bool:
    """Whether a condition in a sentence is of what the sentence itself says: `Retreat when it
    rains.`, `If Ben attacks, retreat.`; and not `If Ben attacks.`, `Only when it rains.`, `If Ben
    attacks, forget that.`
    """
    inside = [x for clause in clauses for x in clause.lexemes]
    hangs = next((x for x in inside if x.kind in _HANGS - {"HEDGE"}), None)
    if hangs is None or any(clause.cue for clause in clauses):
        return False
    first = [x for x in clauses[0].lexemes if x.kind not in SILENT]
    led = first[:1] == [hangs]
    main = inside[len(clauses[0].lexemes) :] if led else inside[: inside.index(hangs)]
    said = [word for x in main for word in x.text.split()]
    turned = any(x.kind in _DENIES | _HANGS for x in main)
    pointing = any(word in POINTING for word in said)
    return not (turned or pointing or has_any(said, "ABOUT")) and any(
        x.kind not in SILENT | _LINKS for x in main
    )


def _points(word: str, after: str) -> bool:
    """It speaks of what was said; `it rains` does not."""
    return word in POINTING and not (word == "it" and has_any([after], "WEATHER"))


def _is_talk(lexeme: Lexeme, after: Lexeme | None, also: frozenset[str]) -> bool:
    """A word of no game; a number only of what no game counts (`60 pages`)."""
    if lexeme.kind == "NUM":
        return after is not None and after.kind in _CONTENT
    if lexeme.kind == "WHO":
        return lexeme.text in _ME
    return lexeme.kind in _TALK or lexeme.kind in also or lexeme.kind in _COUNTS


def _has_main(sentence: Sentence, lexemes: Sequence[Lexeme], hangs: int) -> bool:
    """Whether what hangs on a word hangs on a clause that stands in the sentence itself."""
    ahead = lexemes[:hangs]
    if lexemes[hangs].kind == "HEDGE":
        return any(x.text.split()[0] in _SUBJECTS for x in lexemes) and _says(lexemes)
    if ahead and not all(x.kind in {"FILLER", "ALSO", "PROSE"} for x in ahead):
        return any(x.text.split()[0] in _SUBJECTS for x in ahead) and _says(ahead)
    behind = sentence.clauses[0].lexemes
    own = [clause.lexemes for clause in sentence.clauses[1:]]
    if own:
        return _says(behind) and any(map(_says, own))
    restart = max(_restarts(behind), default=0)
    return _says(behind[:restart]) and _says(behind[restart:])


def _restarts(lexemes: Sequence[Lexeme]) -> Iterator[int]:
    """Where a subject begins another clause: `if it rains | we play`."""
    for i, lexeme in enumerate(lexemes):
        if i > 1 and lexeme.text.split()[0] in _SUBJECTS:
            yield i


def _says(lexemes: Sequence[Lexeme]) -> bool:
    """It has a word that means something."""
    return any(x.kind in _CONTENT or x.kind == "WANT" or x.text == "play" for x in lexemes)
