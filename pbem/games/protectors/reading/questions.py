"""Questions about what has happened: `why did I lose P6 in turn 4?` to a question of the engine, or
to what is unclear about it.

Pure, and never raises for what a player wrote. What is unclear is a problem with one of these
codes: `not-understood`, `unknown-province`, `several-provinces`, `unknown-player`,
`ambiguous-player`, `no-such-turn`, `order-in-question`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.protectors.colours import SYMBOLS
from engine.protectors.orders import ISLAND, format_province
from engine.protectors.questions import OrderKind, Question, Topic
from engine.protectors.view import TableView
from engine.ruleset import Problem
from pbem.grammar.kit.normalise import normalise
from pbem.grammar.kit.people import People, Person
from pbem.grammar.kit.reading import Unclear, question_of

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
_ME = frozenset(
    {"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "i've", "i'm", "im", "we've"}
)
_BEFORE_NAMES = frozenset(
    "did does do was were is are has had have would could can by against to from of with for than"
    " that and or but though although".split()
)
_ORDERS_ABOVE = re.compile(
    r"(?:[,;:]|\band\b|\bthen\b|\balso\b)\s*+(?:please\s++|then\s++|also\s++|golden\s++|delayed\s++|p\s?\d{1,4}\s++){0,5}"
    r"(?:fortify|march|move|support|hold|buy|send|snitch|commit|burn|upgrade|bid\s+\d|work,?"
    r" work|work\s+p?\d|work\s+(?:all|every))"
)

_CONQUEST = re.compile(
    r"\b(?:lo(?:se|st|sing)|fall|fell|fallen|t(?:ake|aken|ook)|w[io]n|beat(?:en)?|captur\w*|conquer\w*|decided|battles?|fights?|fought"
    r"|defen[ds]\w*|defeat\w*|mine|yours|his|hers|nobody's|hold(?:s|ing)?|held|belong\w*|owner|own(?:s|ed)?)\b"
)
_TOPICS: tuple[tuple[Topic, re.Pattern[str]], ...] = (
    ("pirates", re.compile(r"\b(?:pirates?|planks?|snitch\w*)\b")),
    (
        "dragon",
        re.compile(
            r"\b(?:dragons?(?! deck)|dpl|threshold|(?:great )?wurm|wyrmling|worldeater|after"
            r" ?burner|wrath|min\.? ?us|champion|no quarter"
            r"|commit\w*|protectors (?:win|won|los[et])|burn(?:s|t|ed)?)\b"
        ),
    ),
    (
        "bid",
        re.compile(
            r"\b(?:re|out)?bids?(?:ding|ded)?\b|\b(?:coin(?= ?flip| fell| decided|$)|ties?|tied)\b"
        ),
    ),
    (
        "ranking",
        re.compile(
            r"\b(?:rank\w*|brackets?|grand protector|gp|golden"
            r" orders?|gold|places?|top|bottom|drop(?:s|ped)?|fell back"
            rf"|{'|'.join(_PLACES)}|last|\d+(?:st|nd|rd|th))\b"
        ),
    ),
    (
        "cards",
        re.compile(
            r"\b(?:cards?|decks?|plagued?|swan|calms|snow|rains?|overwhelming|restlessness|storms?|blessings?|flood|misty|mountains"
            r" cold"
            r"|bloodlust|seafarers|ferry|crabs?|the end is nigh|reshuffl\w*)\b"
        ),
    ),
    (
        "elimination",
        re.compile(
            r"\b(?:eliminat\w*|(?:knocked|kicked|thrown|put)?\s*out(?! of)|out of (?:the"
            r" )?(?:game|table)"
            r"|dead|die[ds]?|strikes?|struck)\b"
        ),
    ),
    (
        "end",
        re.compile(
            r"\b(?:game (?:over|end\w*|was won|won|lost)|end(?:ed)? (?:of )?(?:the"
            r" )?game|w[io]n(?:s|ning)? the game|lo(?:se|st) the game"
            r"|victor\w*|winner|scores?|points?|vp|tokens?|time's up|times up|last standing|the"
            r" end|end|ending|game)\b"
        ),
    ),
    (
        "abilities",
        re.compile(
            r"\b(?:abilit\w*|factions?|mountain"
            r" king|king|tribute|bank|sanctum|palantir|faith\w*|crusades?|forecast|hid(?:e|den|ing)"
            r"|highmagisters?|fire|gifts?|cenarion|kalu'?ak|hodir|iron"
            r" light|lannuvar|politics|saved)\b"
        ),
    ),
    (
        "orders",
        re.compile(
            r"\b(?:orders?|ordered|march\w*|mov(?:e|es|ed|ing)|support\w*|fortif\w*|work\w*|hold|cut|fail\w*|void|invalid|ignored|refused"
            r"|purchases?|default|nothing happen\w*)\b"
        ),
    ),
    (
        "money",
        re.compile(
            r"\b(?:money|realms?|purse|treasury|produc\w*|incomes?|earn\w*|pa(?:id|y|ys|ying)|costs?|coins?|poor|rich|broke|holdings?"
            r"|spoils|spent|spend|cash|taxes|prices?|bought|buy|funds?|reward\w*)\b|\$"
        ),
    ),
    (
        "battles",
        re.compile(
            r"\b(?:battles?|fights?|fought|lo(?:se|st|sing|ss|sses)|w[io]n|beat(?:en)?|defeat\w*|units?|arm(?:y|ies)|died|killed|supply)\b"
        ),
    ),
)
"""What a question is about, the first that is named; a province that is named comes before all but
orders and the Dragon.
"""
_ORDERED = re.compile(r"\b(?:orders?|march(?:es)?|support|fortify|work)\b")
_FAILED = re.compile(r"\b(?:cut|fail\w*|void|ignored|invalid)\b")
_NOT_DONE = re.compile(
    r"\b(?:cut|fail\w*|void|ignored|invalid|refused|not|didn't|didnt|nothing|carried)\b"
)
_WON_OR_LOST = re.compile(r"\b(?:lo(?:se|st|sing|ss)|w[io]n(?:s|ning)?)\b")
_OF_BATTLES = re.compile(
    r"\b(?:battles?|fights?|fought|beat(?:en)?|defeat\w*|units?|arm(?:y|ies)|died|killed|supply)\b"
)


@dataclass(slots=True)
class _Said:
    """A question in the making: what is read is blanked in `text`, so that nothing is read
    twice.
    """

    text: str

    def take(self, found: re.Match[str]) -> None:
        self.text = (
            self.text[: found.start()]
            + " " * (found.end() - found.start())
            + self.text[found.end() :]
        )


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
    return Question(
        topic,
        province if topic in ("province", "orders", "dragon", "battles") else None,
        player,
        turn,
        kind,
    )


def _take_turn(said: _Said, view: TableView) -> int | None:
    found = _TURN.search(said.text)
    if found is not None:
        said.take(found)
        digits = (found["after"] or found["before"] or found["short"]).removeprefix("t")
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
    for found in [*_PLACE.finditer(said.text), *_ISLAND.finditer(said.text)]:
        number = int(found["number"]) if "number" in found.re.groupindex else ISLAND
        if not (
            1 <= number <= len(view.provinces) or (found.re is _ISLAND and view.island is not None)
        ):
            raise Unclear(
                "unknown-province", written=found[0].strip(), provinces=len(view.provinces)
            )
        aside = _OUT_OF.search(said.text[: found.start()]) is not None
        named[number] = named.get(number, True) and aside
        said.take(found)
    whole = re.fullmatch(r"\W*(\d{1,3})\W*", said.text)
    if not named and whole is not None:
        if not 1 <= int(whole[1]) <= len(view.provinces):
            raise Unclear("unknown-province", written=whole[1], provinces=len(view.provinces))
        return int(whole[1])
    meant = [number for number, aside in named.items() if not aside] or list(named)
    if len(meant) > 1:
        raise Unclear(
            "several-provinces",
            provinces=tuple(format_province(number) for number in sorted(meant)),
        )
    return meant[0] if meant else None


_KINDS: tuple[tuple[OrderKind, re.Pattern[str]], ...] = (
    ("march", re.compile(r"\b(?:march\w*|mov(?:e|es|ed|ing))\b")),
    ("support", re.compile(r"\bsupport\w*")),
    ("fortify", re.compile(r"\bfortif\w*")),
    ("work", re.compile(r"\bwork\w*")),
)


def _kind_of(text: str) -> OrderKind | None:
    """The one kind of order in the question; None if there are several."""
    named = [kind for kind, words in _KINDS if words.search(text)]
    return named[0] if len(named) == 1 else None


_HOLDS_MONEY = re.compile(
    r"\b(?:hold(?:s|ing)?|held|ha(?:ve|s|d)|own(?:s|ed)?)\s+(?:(?:only|just|still|but|exactly|over)\s+)?\d{1,7}\b(?!\s*[a-z])"
)
_PUT = re.compile(r"\b(?:put|place[ds]?|lay|laid|cards?|decks?)\b")
_CARDS = re.compile(r"\b(?:cards?|decks?)\b")
_END_OF_A_DECK = re.compile(r"\b(?:bottom|top)\b")


def _follows(first: re.Pattern[str], then: re.Pattern[str], text: str) -> bool:
    """Whether the one stands in the text and the other somewhere behind it."""
    found = first.search(text)
    return found is not None and then.search(text, found.end()) is not None


def _topic_of(text: str, province: int | None) -> Topic | None:
    if province is not None:
        if (
            _follows(_ORDERED, _NOT_DONE, text)
            or _follows(_FAILED, _ORDERED, text)
            or (
                re.search(r"\b(?:march|support|order|fortif|work)", text)
                and not _CONQUEST.search(text)
            )
        ):
            return "orders"
        return "province"
    if _HOLDS_MONEY.search(text):
        return "money"
    if (
        _follows(_PUT, _END_OF_A_DECK, text) or _follows(_END_OF_A_DECK, _CARDS, text)
    ) and not re.search(r"\b(?:rank|bracket|player)", text):
        return "cards"
    return next((topic for topic, words in _TOPICS if words.search(text)), None)


def _outcome_asked(text: str, view: TableView, player: int | None) -> Topic:
    """`why did we win`, `why did Ann lose`: a whole game where it is over, or where that one is out
    of it; else battles.
    """
    if not _WON_OR_LOST.search(text) or _OF_BATTLES.search(text):
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
            word in _ME
            or len(word) < 2
            or (i and begun[i - 1] not in _BEFORE_NAMES and not words[i].endswith("'s"))
        ):
            continue
        found = people.candidates(word) if word in names else ()
        if len(found) > 1:
            raise Unclear(
                "ambiguous-player",
                written=word,
                candidates=tuple(people.name_of(number) for number in found),
            )
        if found:
            return found[0]
        if _can_be_a_name(word, i, begun, names) and not _means_something(word):
            raise Unclear("unknown-player", written=names.get(word, word), known=_names(people))
    return people.me if any(word in _ME for word in words) else None


_FIRST_WORDS = frozenset(
    "the a an this that these those there it he she they you who whom whose what which when where"
    " how is are am be been not no none only so then again please still just ever never always all"
    " any every both each everybody everyone nobody somebody someone anyone nothing something"
    " someone's our your"
    " their his her its one more less much many such same other others another".split()
)
"""Words that a question may begin with, and that are nobody's name."""
_DID = frozenset(
    "lost lose loses won wins win died dies fell falls took takes beat beats got gets".split()
)
_IS = frozenset("is was did does has had holds held can could".split())


def _can_be_a_name(word: str, i: int, words: Sequence[str], names: Mapping[str, str]) -> bool:
    """Whether a word that nobody is called stands where a name does: with a capital letter, or
    first and before what somebody did.
    """
    if i:
        return word in names
    following = words[1] if len(words) > 1 else ""
    return word not in _FIRST_WORDS and (following in _DID or (following in _IS and word in names))


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
    if word in _NUMBERS or word.isdigit() or word in _BEFORE_NAMES:
        return True
    return _CONQUEST.fullmatch(word) is not None or any(words.search(word) for _, words in _TOPICS)


def _names(people: People) -> tuple[str, ...]:
    return tuple(person.name for person in people.persons)
