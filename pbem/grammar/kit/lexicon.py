"""The meaning of every word for a reader, from several files of words; later files win.

The order: words that turn a meaning (in ten languages), words of any game, further words for
readers of slots, and the words of one game.
"""

from functools import lru_cache
from importlib.resources import files

from msgspec.structs import replace

from pbem.grammar.kit.common import is_english
from pbem.grammar.kit.lexemes import Lexeme, lexemes_of
from pbem.grammar.kit.people import People
from pbem.grammar.kit.vocabulary import SETTINGS, Vocabulary, parse_words, shortened, vocabulary_of

_TURNING = {
    "BACK": "RETRACT",
    "CORRECT": "CORRECT",
    "DRAFT": "DRAFT",
    "COND": "COND",
    "NEG": "NEG",
    "HEDGE": "HEDGE",
    "CONTRAST": "CONTRAST",
    "NO": "TURN",
    "PAST": "PAST",
}
"""Kinds of turning.words that are read here, and what they are called."""


@lru_cache(maxsize=8)
def load_lexicon(
    *packages: str,
    names: tuple[tuple[str, tuple[str, ...]], ...] = (),
    without: frozenset[str] = frozenset(),
) -> Vocabulary:
    """The words of the kit except for kinds the game is `without`, the `orders.words` of these
    packages in order, and `names` of kinds (of lands, of cards), which win.
    """
    kinds: dict[str, str] = {}
    settings: dict[str, list[str]] = {}
    kit = files("pbem.grammar.kit")
    for kind, phrases in parse_words(kit / "turning.words"):
        for phrase in phrases:
            if kind in _TURNING:
                kinds.setdefault(phrase, _TURNING[kind])
    sources = [(kit / name, without) for name in ("kit.words", "reading.words")]
    sources += [(files(package) / "orders.words", frozenset()) for package in packages]
    for source, missing in sources:
        for kind, phrases in parse_words(source):
            if kind in SETTINGS:
                settings.setdefault(kind, []).extend(phrases)
            elif kind not in missing:
                kinds.update(dict.fromkeys(phrases, kind))
    for kind, phrases in names:
        kinds.update(dict.fromkeys(phrases, kind))
    return vocabulary_of(kinds, settings)


def read_lexemes(text: str, lexicon: Vocabulary, people: People) -> list[Lexeme]:
    """All lexemes of a folded text; a word of no meaning here is COMMON if it is common English,
    else a WORD.
    """
    return [
        replace(lexeme, kind="COMMON")
        if lexeme.kind == "WORD" and lexeme.text.isalpha() and _is_common(lexeme.text)
        else lexeme
        for lexeme in lexemes_of(text, lexicon, people)
    ]


def _is_common(word: str) -> bool:
    return is_english(word) or any(is_english(short) for short in shortened(word))
