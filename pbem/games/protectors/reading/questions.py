"""Questions about what has happened: `why did I lose P6 in turn 4?` to a question of the engine, or
to what is unclear about it.

Pure, and never raises for what a player wrote. What is unclear is a problem with one of these
codes: `not-understood`, `unknown-province`, `several-provinces`, `unknown-player`,
`ambiguous-player`, `no-such-turn`, `order-in-question`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from engine.protectors.colours import SYMBOLS
from engine.protectors.orders import ISLAND, format_province
from engine.protectors.questions import TOPICS, OrderKind, Question, Topic
from engine.protectors.view import TableView
from engine.ruleset import Problem
from pbem.grammar.kit.normalise import blanked, normalise
from pbem.grammar.kit.people import People, Person
from pbem.grammar.kit.reading import Unclear, question_of
from pbem.reading.terms import spotted_words

_COUNTS = "one two three four five six seven eight nine ten eleven twelve".split()
_PLACES = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
)
_NUMBERS = {
    word: number for words in (_COUNTS, _PLACES) for number, word in enumerate(words, start=1)
}

_TURN = re.compile(
    rf"\b(?:turn|round|runde|zug)\s*+(?:(?:no\.?|number|#)\s*+)?(?P<after>\d{{1,4}}|{'|'.join(_COUNTS)})\b|\b(?P<short>t\d{{1,3}})\b"
    rf"|\b(?P<before>\d{{1,4}}(?=st|nd|rd|th)|{'|'.join(_PLACES)})(?:st|nd|rd|th)?\s++(?:turn|round)\b"
)
_RELATIVE = re.compile(
    r"\b(?:(?P<last>last|previous)|(?P<this>this|current))\s+(?:turn|round)\b|\b(?P<now>now)\b"
)
_PLACE = re.compile(
    r"(?:\b(?:p\s?[.#]?\s?|provinces?\s*+(?:(?:no\.?|number|#)\s*+)?)|(?<!player)(?<!player"
    r" )#\s?)(?P<number>\d{1,6})\b"
)
_ISLAND = re.compile(r"\b(?:the )?island\b")
_OUT_OF = re.compile(r"\b(?:from|out of|next to|through|via)\s+$")
_SEAT = re.compile(r"\bplayer\s*+(?:(?:no\.?|#)\s*+)?(?P<number>\d{1,3})\b")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_ORDERS_ABOVE = re.compile(
    r"(?:[,;:]|\band\b|\bthen\b|\balso\b)\s*+(?:please\s++|then\s++|also\s++|golden\s++|delayed\s++|p\s?\d{1,4}\s++){0,5}"
    r"(?:fortify|march|move|support|hold|buy|send|snitch|commit|burn|upgrade|bid\s+\d|work,?"
    r" work|work\s+p?\d|work\s+(?:all|every))"
)

_ASIDE = re.compile(r"\bdragons?(?= deck)|\bout(?= of(?! (?:the )?(?:game|table)\b))")
"""Words of a topic's name that do not mean the topic here."""
_WORDS = spotted_words(__package__, "questions.words")
_TOPICS = [(topic, _WORDS[kind]) for kind in _WORDS for topic in TOPICS if topic.upper() == kind]
"""What a question is about, the first that is named."""


@dataclass(slots=True)
class _Said:
    """A question in the making: what is read is blanked in `text`, so that nothing is read
    twice.
    """

    text: str

    def take(self, found: re.Match[str]) -> None:
        self.text = blanked(self.text, [found.span()])


def parse_question(view: TableView, player: int | None, text: str) -> Question | Problem:
    """What a player (None: the public) asks about the past of this table, or what is unclear about
    it.
    """
    persons = (
        Person(p.number, p.name, p.colour, SYMBOLS.get(p.colour, p.colour)) for p in view.players
    )
    people = People(tuple(persons), player)

    def read(asked: str) -> Question:
        said = _Said(" ".join(normalise(asked).text.split()))
        return _read(said, view, people, asked)

    return question_of(text, read)


def _read(said: _Said, view: TableView, people: People, written: str) -> Question:
    if _ORDERS_ABOVE.search(said.text):
        raise Unclear("order-in-question")
    turn = _take_turn(said, view)
    seat = _take_seat(said, people)
    province = _take_province(said, view)
    topic = _topic_of(said.text, province)
    player = seat if seat is not None else _player_in(said, people, written)
    if topic is None and turn is not None:
        topic = "battles"  # `why turn 3`: what cost units in it
    if topic is None:
        raise Unclear("not-understood")
    if topic == "battles":
        topic = _outcome_asked(said.text, view, player)
    kind = _kind_of(said.text) if topic == "orders" else None
    of_province = topic in ("province", "orders", "dragon", "battles")
    return Question(topic, province if of_province else None, player, turn, kind)


def _take_turn(said: _Said, view: TableView) -> int | None:
    found = _TURN.search(said.text)
    if found is not None:
        said.take(found)
        digits = found["after"] or found["before"] or found["short"][1:]
        number = _NUMBERS[digits] if digits in _NUMBERS else int(digits)
        if number < 1:
            raise Unclear("no-such-turn", turn=number)
        return number
    relative = _RELATIVE.search(said.text)
    if relative is None or relative["now"]:
        return None
    said.take(relative)
    if relative["this"]:
        return view.turn
    if view.turn < 2:
        raise Unclear("no-such-turn", turn=0)
    return view.turn - 1


def _take_seat(said: _Said, people: People) -> int | None:
    """`player 3`."""
    found = _SEAT.search(said.text)
    if found is None:
        return None
    said.take(found)
    number = people.by_number(int(found["number"]))
    if number is None:
        raise Unclear("unknown-player", written=found[0], known=_names(people))
    return number


def _take_province(said: _Said, view: TableView) -> int | None:
    """The province that is asked about; those that something came `from` only if no other is
    named.
    """
    named: dict[int, bool] = {}
    most = len(view.provinces)
    for found in [*_PLACE.finditer(said.text), *_ISLAND.finditer(said.text)]:
        number = int(found["number"]) if "number" in found.re.groupindex else ISLAND
        has_island = found.re is _ISLAND and view.island is not None
        if not has_island and not 1 <= number <= most:
            raise Unclear("unknown-province", written=found[0].strip(), provinces=most)
        aside = _OUT_OF.search(said.text[: found.start()]) is not None
        named[number] = named.get(number, True) and aside
        said.take(found)
    whole = re.fullmatch(r"\W*(\d{1,3})\W*", said.text)
    if not named and whole is not None:
        if not 1 <= int(whole[1]) <= most:
            raise Unclear("unknown-province", written=whole[1], provinces=most)
        return int(whole[1])
    meant = [number for number, aside in named.items() if not aside] or list(named)
    if len(meant) > 1:
        raise Unclear("several-provinces", provinces=tuple(map(format_province, sorted(meant))))
    return meant[0] if meant else None


def _kind_of(text: str) -> OrderKind | None:
    """The one kind of order in the question; None if there are several."""
    named = [kind for kind in get_args(OrderKind) if _WORDS[kind.upper()].search(text)]
    return named[0] if len(named) == 1 else None


_HOLDS_MONEY = re.compile(
    r"\b(?:hold(?:s|ing)?|held|ha(?:ve|s|d)|own(?:s|ed)?)\s+(?:(?:only|just|still|but|exactly|over)\s+)?\d{1,7}\b(?!\s*[a-z])"
)


def _follows(first: str, then: str, text: str) -> bool:
    """Whether a word of one kind stands in the text and one of the other somewhere behind it."""
    found = _WORDS[first].search(text)
    return found is not None and _WORDS[then].search(text, found.end()) is not None


def _topic_of(text: str, province: int | None) -> Topic | None:
    text = re.sub(r"\bcoin$", "coin flip", _ASIDE.sub("", text))
    if province is not None:
        fails = _follows("ORDERED", "UNDONE", text) or _follows("FAILED", "ORDERED", text)
        is_plain = _WORDS["ANORDER"].search(text) and not _WORDS["CONQUEST"].search(text)
        return "orders" if fails or is_plain else "province"
    if _HOLDS_MONEY.search(text):
        return "money"
    of_deck = _follows("PUT", "EDGE", text) or _follows("EDGE", "CARDWORD", text)
    if of_deck and not _WORDS["OFPLAYERS"].search(text):
        return "cards"
    return next((topic for topic, words in _TOPICS if words.search(text)), None)


def _outcome_asked(text: str, view: TableView, player: int | None) -> Topic:
    """`why did we win`, `why did Ann lose`: a whole game where it is over, or where that one is out
    of it; else battles.
    """
    if not _WORDS["OUTCOME"].search(text) or _WORDS["OFBATTLES"].search(text):
        return "battles"
    if any(one.number == player and one.rank is None for one in view.players):
        return "elimination"
    return "end" if view.stage == "over" else "battles"


# ------------------------------------------------------------------------------------- who is meant
def _player_in(said: _Said, people: People, written: str) -> int | None:
    """The player it names: somebody else rather than the asker. An unknown name is a problem where
    only a name can stand.
    """
    for name in sorted(people.exact_names, key=len, reverse=True):
        if re.search(rf"(?<!\w){re.escape(name)}(?:'s)?(?!\w)", said.text):
            return people.by_name(name)
    words = [found[0] for found in _WORD.finditer(said.text)]
    begun = [word.removesuffix("'s") for word in words]
    for i, word in enumerate(begun):
        sign = people.by_sign(word)
        if sign is not None and not (word == "key" and i and begun[i - 1] == "the"):
            return sign
    names = _capitals(written)
    for i, word in enumerate(begun):
        if (
            _is("ME", word)
            or len(word) < 2
            or (i and not _is("BEFORENAMES", begun[i - 1]) and not words[i].endswith("'s"))
        ):
            continue
        found = people.candidates(word) if word in names else ()
        if len(found) > 1:
            known = tuple(map(people.name_of, found))
            raise Unclear("ambiguous-player", written=word, candidates=known)
        if found:
            return found[0]
        if _can_be_a_name(word, i, begun, names) and not _means_something(word):
            raise Unclear("unknown-player", written=names.get(word, word), known=_names(people))
    return people.me if any(_is("ME", word) for word in words) else None


def _can_be_a_name(word: str, i: int, words: Sequence[str], names: Mapping[str, str]) -> bool:
    """Whether a word that nobody is called stands where a name does: with a capital letter, or
    first and before what somebody did.
    """
    if i:
        return word in names
    following = words[1] if len(words) > 1 else ""
    return not _is("FIRSTWORDS", word) and (
        _is("DID", following) or (_is("IS", following) and word in names)
    )


def _capitals(written: str) -> dict[str, str]:
    """Words that begin with a capital letter, folded, as they were written; whatever is written in
    small letters may be one, too.
    """
    found = {}
    for match in _WORD.finditer(written):
        word = match[0].removesuffix("'s").removesuffix("’s")
        if word[:1].isupper():
            found[" ".join(normalise(word).text.split())] = word
    return found


def _means_something(word: str) -> bool:
    """Whether a word with a capital letter is one of the game's and nobody's name."""
    if word in _NUMBERS or word.isdigit() or _is("BEFORENAMES", word):
        return True
    return any(words.search(word) for words in [_WORDS["CONQUEST"], *dict(_TOPICS).values()])


def _is(kind: str, word: str) -> bool:
    return _WORDS[kind].fullmatch(word) is not None


def _names(people: People) -> tuple[str, ...]:
    return tuple(person.name for person in people.persons)
