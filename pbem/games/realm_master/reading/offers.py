"""What may be suggested to a player: possible lines and answers, but for what is done at once."""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import lru_cache

from engine.realm_master import orders as o
from engine.realm_master.checking.legal import is_legal, possible
from engine.realm_master.plans import answers, is_act, is_deed
from engine.realm_master.state import State
from pbem.games.realm_master.reading.lexing import lexemes_in
from pbem.games.realm_master.reading.parts import FACES, VERBS
from pbem.games.realm_master.reading.scene import Scene
from pbem.games.realm_master.reading.words import (
    cards_by_name,
    heroes_by_name,
    lands_by_name,
    vocabulary,
)
from pbem.grammar.kit.binding import People
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.suggesting import (
    Choice,
    Suggester,
    Terms,
    spellings_of,
    with_blank,
)

_LEAST_HEARTS = 4
"""What the Grim Ultimatum takes (RM-9.3)."""


def suggester(
    plain: Plain,
    scene: Scene,
    state: State,
    player: int,
    people: People,
    alone: Callable[[str], object],
) -> Suggester[o.Order]:
    """The legal ones that say what was written; `alone` is what is read of words alone."""
    found = list[Choice[o.Order]]()

    def choices(_: Sequence[Lexeme]) -> Iterator[Choice[o.Order]]:
        if not found:
            found.extend(Choice(order, o.format_order(order)) for order in _offered(state, player))
        return iter(found)

    return Suggester(
        plain,
        _TERMS,
        lambda words: lexemes_in(words.text, people, words, scene.stage),
        choices,
        alone,
        lambda order: is_legal(state, player, order),
    )


def answers_to_copy(state: State, player: int) -> str:
    """The words of the open question, if a few of them answer it and none costs for good."""
    if state.stage == "round" or player not in state.asked:
        return ""
    return with_blank(
        [
            o.format_order(order)
            for order in _offered(state, player)
            if answers(state.stage, order) and is_legal(state, player, order)
        ]
    )


def _offered(state: State, player: int) -> Iterator[o.Order]:
    dies = state.players[player - 1].hearts <= _LEAST_HEARTS
    for order in possible(state, player):
        match order:
            case o.Auto() | o.Wait() | o.Drop() | o.Concede():
                continue
            case o.Choose(key="ultimatum", choices=(o.Choice("lose"), *_)) if dies:
                continue
        if not is_deed(order) and not is_act(order):
            yield order


def _name(lexeme: Lexeme) -> Hashable:
    match lexeme.kind:
        case "LAND":
            return lands_by_name()[lexeme.text]
        case "HERO":
            return heroes_by_name()[lexeme.text]
        case "CARD":
            return cards_by_name()[lexeme.text]
    return lexeme.value


def _spellings(lexeme: Lexeme) -> Collection[str]:
    """All spellings of what a word means."""
    kind = lexeme.kind
    named = {"LAND": lands_by_name(), "HERO": heroes_by_name(), "CARD": cards_by_name()}.get(kind)
    if named is not None:
        return [text for text, key in named.items() if key == _name(lexeme)]
    return _by_kind()(lexeme)


@lru_cache(maxsize=1)
def _by_kind() -> Callable[[Lexeme], Collection[str]]:
    return spellings_of(vocabulary())


_TERMS = Terms(
    verbs=VERBS,
    names=frozenset({"LAND", "HERO", "CARD", "NUM", "WHO"}),
    told=_name,
    counted=frozenset(FACES),
    roles={},
    silent=set_of("TO ARE NOW ONCE HESITATION"),
    spelt=_spellings,
)
"""How words are compared with lines that may be meant: a line never says more than was written."""
