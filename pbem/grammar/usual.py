"""A reader for games whose orders are short: a sentence is one order, or says nothing that is one.

It is closed like every reader here: each word of an order has a place in the game's grammar
(`orders.lark` and `orders.words` in its package) or is known to be harmless; what is left over
makes the sentence one that is not understood, with a caret under it, and nothing is guessed. A
sentence without any word of an order is talk.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from typing import Any, Generic

import msgspec

from engine.maps import Map
from engine.ruleset import Checked, OrderT, Problem, Standing, StateT
from engine.usual import UsualRules, WhichTurn
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.clause_parser import Misfit, Phrase, parse_clause
from pbem.grammar.kit.lexemes import Lexeme, lexemes_of
from pbem.grammar.kit.normalise import Plain, blanked, normalise
from pbem.grammar.kit.people import People, Person
from pbem.grammar.kit.reading import Item, Reading
from pbem.grammar.kit.sentences import sentences_of
from pbem.grammar.kit.vocabulary import Vocabulary, load_vocabulary, parse_words, spelt_out
from pbem.grammar.kit.wholly import Whole, Wholly

LONGEST = 20_000
MOST_SENTENCES = 200
_ENDS = frozenset({"NL", "SEMI", "DOT", "BANG", "ASK"})
_SILENT = frozenset({"FILLER", "COMMA", "COLON", "DASH", "LPAR", "RPAR"})
_OPENING = frozenset({"CORRECT", "SOFTLY", "AND", "BUT"})
"""What a sentence may begin with: `no wait, bid 7`."""
_JOINING = frozenset({"COMMA", "AND"})
_DIGIT = re.compile(r"\d")
_TAKING_BACK = frozenset({"RETRACT", "SCRATCH", "CORRECT"})
"""A sentence of such words alone takes back what the message has said before it."""
_NUMBERED = re.compile(r"^[ \t]*\d{1,2}[.)](?=[ \t]+\S)", re.MULTILINE)
_WORD = "(?:turn|round|hand|day|year)"
_TURN = re.compile(rf"{_WORD}?\s*#?(\d{{1,4}})\s*\??")
_LAST = re.compile(rf"(?:the |this )?(?:last |previous )?(?:{_WORD}|that)?\s*\??")


Offers = Callable[
    [Plain, Callable[[str], Sequence[Lexeme]], Vocabulary, Sequence[str], Callable[[str], Any]],
    Whole[Any],
]
"""Finds what may be meant where a message is not taken; see `pbem.reading.usual.usual_offering`."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Its lexemes, and what was made of it: an order or a problem. None of the game's own words is
    in one that is `talk`.
    """

    lexemes: tuple[Lexeme, ...]
    made: Any
    caret: Lexeme | None = None
    talk: bool = False

    @property
    def place(self) -> tuple[int, int]:
        return self.lexemes[0].start, self.lexemes[-1].end

    @property
    def problem(self) -> Problem | None:
        return self.made if isinstance(self.made, Problem) else None


@dataclass(frozen=True)
class UsualReader(Generic[StateT, OrderT]):
    """`build` makes an order of the phrases that the grammar found in a sentence, or a problem that
    says why there is none; `persons_of` tells who sits at the table. `offers` finds what may be
    meant where something was not taken; without it nothing is offered. With a map (`told`) the
    names of places are words of its orders: of the kind PLACE, by their places in `Map.keys`.
    `several` orders may be joined in a sentence, by commas or `and`.
    """

    package: str
    rules: UsualRules[StateT, OrderT]
    build: Callable[[StateT, int, Sequence[Phrase]], OrderT | Problem]
    persons_of: Callable[[StateT], tuple[Person, ...]]
    offers: Offers | None = None
    told: Map[Any] | None = None
    several: bool = False

    def read(self, state: StateT, player: int, standing: Standing[OrderT], said: Said) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        text = said.text
        plain = normalise(text[:LONGEST])
        numbers = [found.span() for found in _NUMBERED.finditer(plain.text)]
        bare = blanked(plain.text, [*said.taken(plain), *numbers])
        spoken = list(self._sentences(bare, state, player))
        sentences = _taken_back(spoken)
        checked, problems = self._checked(state, player, standing, sentences)
        items = tuple(self._items(plain, state, sentences[:MOST_SENTENCES], problems))
        places = [one.place for one in sentences[:MOST_SENTENCES]]
        after = checked.standing if checked is not None else standing
        if not items and not said.is_heard:  # what is talk may still be an order with slips
            places = [one.place for one in spoken[:MOST_SENTENCES]]
            meant = {i: [one.made] for i, one in enumerate(spoken)}
            asked = tuple(self._items(plain, state, spoken[:MOST_SENTENCES], meant))
            offered = self._offered(plain, state, player, after, asked, places)
            items = tuple(item for item in offered if item.suggestion is not None)
        else:
            items = tuple(self._offered(plain, state, player, after, items, places))
        note = None
        if not items and not said.is_heard:
            whole = text.strip()
            items, note = (Item(quote=whole[:200], problems=(Problem("no-order"),)),), whole or None
        is_cut = len(text) > LONGEST or len(sentences) > MOST_SENTENCES
        return Reading(items, checked=checked, note=note, cut=is_cut)

    def vocabulary(self) -> Vocabulary:
        """All words that it reads orders with."""
        return load_vocabulary(self.package, self.told)

    def read_canonical(self, state: StateT, text: str) -> OrderT:
        """The exact inverse of the ruleset's `format_order`. ValueError for other text."""
        return self.rules.forms.parse(text, state)

    def _sentences(self, text: str, state: StateT, player: int) -> Iterator[_Sentence]:
        people = People(self.persons_of(state), player or None)
        piece: list[Lexeme] = []
        for lexeme in [*self._lexemes(text, people), Lexeme("NL", "", 0, 0)]:
            if lexeme.kind not in _ENDS:
                piece.append(lexeme)
                continue
            sentence = self._read(piece, state, player, asks=lexeme.kind == "ASK")
            parts = _parts_of(piece) if self.several and sentence and sentence.problem else []
            each = [self._read(part, state, player, asks=False) for part in parts]
            if len(each) > 1 and all(one and not one.problem for one in each):
                yield from (one for one in each if one)
            elif sentence is not None:
                yield sentence
            piece = []

    @property
    def _own_kinds(self) -> frozenset[str]:
        places = {"PLACE"} if self.told is not None else frozenset[str]()
        return _own_kinds(self.package) | places

    def _lexemes(self, text: str, people: People) -> Sequence[Lexeme]:
        """The lexemes of a folded text. A place has a name: `P3` and `#3` name no place."""
        if self.told is None:
            return lexemes_of(text, self.vocabulary(), people)
        return [
            msgspec.structs.replace(lexeme, kind="WORD")
            if lexeme.kind == "PLACE" and _DIGIT.search(lexeme.text)
            else lexeme
            for lexeme in lexemes_of(spelt_out(text, self.told), self.vocabulary(), people)
        ]

    def _read(
        self, lexemes: Sequence[Lexeme], state: StateT, player: int, *, asks: bool
    ) -> _Sentence | None:
        """What a sentence says; None if it has no words."""
        said = [lexeme for lexeme in lexemes if lexeme.kind not in _SILENT]
        while said and said[0].kind in _OPENING:
            del said[0]
        if not said:
            problem = Problem("not-understood")
            return _Sentence(tuple(lexemes), problem, talk=True) if lexemes else None
        whole, own = tuple(lexemes), self._own_kinds
        is_talk = not any(lexeme.kind in own for lexeme in said)
        if asks:
            return _Sentence(whole, Problem("loose-question"), talk=is_talk)
        parsed = parse_clause(self.package, said)
        if isinstance(parsed, Misfit):
            word = {"word": parsed.at.text} if parsed.at is not None else {}
            problem = Problem("not-understood", facts=word)
            return _Sentence(whole, problem, parsed.at, talk=is_talk)
        return _Sentence(whole, self.build(state, player, parsed))

    def _checked(
        self, state: StateT, player: int, standing: Standing[OrderT], sentences: Sequence[_Sentence]
    ) -> tuple[Checked[OrderT] | None, dict[int, list[Problem]]]:
        """The engine's word on all orders at once, and its problems by the sentence each is of."""
        sent = [i for i, sentence in enumerate(sentences) if sentence.problem is None]
        problems = {
            i: [sentence.problem]
            for i, sentence in enumerate(sentences)
            if sentence.problem is not None
        }
        if not sent:
            return None, problems
        checked = self.rules.check(state, player, standing, [sentences[i].made for i in sent])
        for problem in checked.problems:
            problems.setdefault(sent[problem.order or 0], []).append(problem)
        return checked, problems

    def _offered(
        self,
        plain: Plain,
        state: StateT,
        player: int,
        after: Standing[OrderT],
        items: Sequence[Item],
        places: Sequence[tuple[int, int]],
    ) -> Sequence[Item]:
        """The items with one offer for all that was not taken, if it can be told what was meant."""
        if self.offers is None or not any(item.problems for item in items):
            return items
        people, words = People(self.persons_of(state), player), self.vocabulary()
        read = partial(self._lexemes, people=people)

        tell = partial(self.rules.format_order, state)
        texts = [tell(order) for order in self.rules.legal(state, player)]
        parse = partial(self.read_canonical, state)
        finder = self.offers(plain, read, words, texts, parse)
        sentences = sentences_of(plain, read(plain.text), self._own_kinds, frozenset())
        check = partial(self.rules.check, state, player, after)
        return Wholly(plain, sentences, finder, tell).offered(items, places, check)

    def _items(
        self,
        plain: Plain,
        state: StateT,
        sentences: Sequence[_Sentence],
        problems: Mapping[int, list[Problem]],
    ) -> Iterator[Item]:
        for i, sentence in enumerate(sentences):
            first, last = plain.span(*sentence.place)
            found = problems.get(i, [])
            stands = all(problem.warning for problem in found)
            at = plain.span(sentence.caret.start, sentence.caret.end) if sentence.caret else None
            yield Item(
                quote=plain.original[first:last],
                caret=(at[0] - first, at[1] - first) if at else None,
                orders=(sentence.made,) if stands else (),
                texts=(self.rules.format_order(state, sentence.made),) if stands else (),
                problems=tuple(found),
            )


def parse_which_turn(view: Any, player: int | None, text: str) -> WhichTurn | Problem:
    """What follows `why`: a turn by its number, or the last one. A problem for anything else."""
    words = " ".join(normalise(text).text.split())
    found = _TURN.fullmatch(words)
    if found is not None:
        return WhichTurn(int(found[1]))
    if _LAST.fullmatch(words):
        return WhichTurn()
    return Problem("not-understood", facts={"words": text[:200]})


def _taken_back(spoken: Sequence[_Sentence]) -> list[_Sentence]:
    """Without talk; what was taken back in the same message is asked about (`Never mind.`)."""
    found: list[_Sentence] = []
    for one in spoken:
        if not one.talk:
            found.append(one)
        elif any(lexeme.kind in _TAKING_BACK for lexeme in one.lexemes):
            found = [replace(earlier, made=Problem("taken-back")) for earlier in found]
    return found


def _parts_of(lexemes: Sequence[Lexeme]) -> list[list[Lexeme]]:
    """What stands between commas and `and`."""
    parts: list[list[Lexeme]] = [[]]
    for lexeme in lexemes:
        if lexeme.kind in _JOINING:
            parts.append([])
        else:
            parts[-1].append(lexeme)
    return [part for part in parts if part]


def _own_kinds(package: str) -> frozenset[str]:
    """The kinds of words that are the game's own: where one stands, an order is meant."""
    own = parse_words(files(package) / "orders.words")
    return frozenset(kind for kind, _ in own) - {"SLIPS", "FILLER"}
