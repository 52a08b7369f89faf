"""F-76: a sentence of talk stands apart from the orders before it; a fragment, a sentence that
points at what was said and a word of deciding do not.
"""

from pbem.grammar.kit.apart import is_apart
from pbem.grammar.kit.lexicon import load_lexicon, read_lexemes
from pbem.grammar.kit.normalise import normalise
from pbem.grammar.kit.people import People
from pbem.grammar.kit.senses import settle
from pbem.grammar.kit.sentences import sentences_of
from tests.rows import each_row

TALK = (
    *("Not my best turn.", "Not much to say today.", "If it rains tomorrow we will play inside."),
    *("If you are ever in Leeds, come for a beer.", "I will bake a cake if my oven works."),
    *("Maybe I should sleep more.", "How was your weekend?"),
    "I need at least 60 pages for my exam.",
    "If you are not the intended recipient, please delete this message.",
)
ABOUT_ORDERS = (
    *("Not now.", "What is your advice?", "Is that your idea?", "Really?", "Not this turn."),
    *("Not my final decision.", "Not sure yet.", "If Ben agrees.", "If it rains."),
    *("If it rains, forget that.", "If it rains, stop.", "If he goes, fine.", "Unless it snows."),
    *("Maybe.", "Perhaps tomorrow.", "Maybe I should wait.", "I will if the others will."),
    *("At least 3 of them.", "That is for Thursday if it rains."),
)


def is_talk(text: str) -> bool:
    plain = normalise(text)
    lexemes = settle(
        read_lexemes(plain.text, load_lexicon(), People((), None)), plain.text, frozenset({None})
    )
    (sentence,) = sentences_of(plain, lexemes, frozenset(), frozenset())
    return is_apart(sentence)


@each_row("text", TALK)
def test_talk_stands_apart(text: str) -> None:
    assert is_talk(text)


@each_row("text", ABOUT_ORDERS)
def test_what_may_be_about_an_order_does_not(text: str) -> None:
    assert not is_talk(text)
