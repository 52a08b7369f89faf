"""A game master's corrections at a table of Protectors: `P3 units 5`, `Anna money 75`, `restore
Anna in P3 with 2`.

A correction names one thing and its new value. If anything is left over, missing or ambiguous, we
ask.
"""

import re
from collections.abc import Sequence

from rapidfuzz import fuzz, process

from engine.protectors.cards import all_cards
from engine.protectors.orders import ISLAND, format_province
from engine.protectors.state import State
from pbem.games.protectors.reading.reader import people_of
from pbem.grammar.gm.commands import Unread
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.people import People
from pbem.grammar.kit.reading import Correction

FORMS = (
    "P3 units 5",
    "P3 owner Anna",
    "P3 owner nobody",
    "Anna money 75",
    "dpl 12",
    "card Flood!",
    "restore Anna in P3 with 2",
)
"""How each kind is written."""

MOST_CHARACTERS = 300

_TOPICS = {
    **dict.fromkeys(("units", "unit"), "units"),
    **dict.fromkeys(("owner", "owned", "owns", "belongs", "give", "controller"), "owner"),
    **dict.fromkeys(("money", "realm", "$realm", "$", "purse", "cash"), "money"),
    **dict.fromkeys(("dpl", "dragon", "dragon's"), "dpl"),
    **dict.fromkeys(("restore", "reinstate", "undo", "elimination", "back"), "restore"),
}
_FILLERS = frozenset(
    "the a of in on at to by for is are be has have holds should shall must now = : -> → set"
    " correct put get into there and , . power level power-level stands bring again game with each"
    " province provinces player".split()
)
_NOBODY = frozenset({"nobody", "none", "noone", "no-one", "neutral", "ownerless"})
_TOKEN = re.compile(r"p ?\d{1,4}(?!\w)|-?\d+(?!\w)|\$realm|[=:,.$→]|->|[^\s,.:=→]+")
_CARD = re.compile(
    r"(?:the )?(?:event |sea |dragons? |end )?card(?: in play)?\b(?: (?:is|to|in play|should"
    r" be|shall be))*[ :=]*(?P<card>.*)",
    re.DOTALL,
)
_RANK = re.compile(
    r"(?:at |to |on )?(?:the )?(?:rank|place|position)(?: number)?[ #]*(?P<rank>\d{1,4})(?!\w)"
)


def read_correction(state: State, text: str) -> Correction:
    """The act of the rules that a correction is, and its one spelling, which is read back to the
    same.

    Unread if it is not one, with the forms there are; or if it names what there is not. Whether it
    can be is for the rules to say.
    """
    written = " ".join(text[:MOST_CHARACTERS].split())
    folded = fold(written)
    people = people_of(state, None)
    said = _CARD.fullmatch(folded)
    if said is not None:
        return _card(said["card"], written)
    return _Parts(state, people, " ".join(folded.replace("'s ", " ").split()), written).correction()


def _card(folded: str, written: str) -> Correction:
    cards = {_bare(name): name for name in all_cards()}
    name = cards.get(_bare(folded))
    if name is None:
        if not _bare(folded):
            raise Unread("missing", "card")
        near = [
            hit[0]
            for hit in process.extract(
                _bare(folded), list(cards), scorer=fuzz.WRatio, score_cutoff=70.0, limit=3
            )
        ]
        raise Unread(
            "invalid",
            "no-such",
            written,
            tuple(cards[hit] for hit in near) or tuple(cards.values()),
        )
    return Correction({"act": "set-card", "card": name}, f"card {name}")


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9 ]", "", fold(text)).removeprefix("the ").strip()


class _Parts:
    """The parts that a correction names: a topic, players, provinces and numbers, in the order they
    stand in.
    """

    def __init__(self, state: State, people: People, folded: str, written: str) -> None:
        self.state = state
        self.people = people
        self.written = written
        self.topics: set[str] = set()
        self.players: list[int] = []
        self.places: list[int] = []
        self.numbers: list[int] = []
        self.nobody = False
        self.rank: int | None = None
        rank = _RANK.search(folded)
        if rank is not None and re.search(r"\b(?:restore|reinstate|undo|bring)\b", folded):
            self.rank = int(rank["rank"])
            folded = f"{folded[: rank.start()]} {folded[rank.end() :]}"
        self._take(self._without_names(folded))

    def _without_names(self, folded: str) -> str:
        """The names of players taken out, the longest first: a name may be of several words, or be
        a word of ours.
        """
        found: list[tuple[int, int]] = []
        for name in sorted(self.people.exact_names, key=len, reverse=True):
            pattern = re.compile(rf"(?<!\w){re.escape(name)}(?:'s?)?(?!\w)")
            while (hit := pattern.search(folded)) is not None:
                number = self.people.by_name(name)
                assert number is not None  # noqa: S101 - it is one of theirs
                found.append((hit.start(), number))
                folded = (
                    f"{folded[: hit.start()]}{' ' * (hit.end() - hit.start())}{folded[hit.end() :]}"
                )
        self.players = list(dict.fromkeys(number for _, number in sorted(found)))
        return folded

    def _take(self, folded: str) -> None:
        left: list[str] = []
        words = _TOKEN.findall(folded)
        for at, word in enumerate(words):
            if re.fullmatch(r"p ?\d+", word):
                self.places.append(int(word[1:]))
            elif re.fullmatch(r"-?\d+", word):
                if at and words[at - 1] == "province":
                    self.places.append(int(word))
                else:
                    self.numbers.append(int(word))
            elif word == "island":
                self.places.append(ISLAND)
            elif word in _NOBODY:
                self.nobody = True
            elif word in _TOPICS:
                self.topics.add(_TOPICS[word])
            elif (number := self._player(word)) is not None:
                self.players.append(number)
            elif word not in _FILLERS:
                left.append(word)
        if left:
            self._explain(left)
        if any(not 0 <= place < len(self.state.board) for place in self.places):
            wrong = next(place for place in self.places if not 0 <= place < len(self.state.board))
            raise Unread(
                "invalid", "out-of-range", f"P{wrong}", (f"P1 to P{len(self.state.board) - 1}",)
            )
        if ISLAND in self.places and not self.state.options.island:
            raise Unread(
                "invalid", "out-of-range", "Island", (f"P1 to P{len(self.state.board) - 1}",)
            )
        if any(number < 0 for number in self.numbers):
            raise Unread("invalid", "number", str(min(self.numbers)))

    def _player(self, word: str) -> int | None:
        bare = word.removesuffix("'s").removesuffix("'")
        return self.people.by_sign(bare) if bare not in _TOPICS else None

    def _explain(self, left: Sequence[str]) -> None:
        """Unknown words: a player's name with a slip, if a player is missing; else not
        understood.
        """
        names = {
            name: self.people.name_of(number)
            for name in self.people.exact_names
            if (number := self.people.by_name(name)) is not None
        }
        if len(left) <= 2 and not self.players and self.topics <= {"owner", "money", "restore"}:
            word = " ".join(left)
            near = process.extractOne(word, list(names), scorer=fuzz.ratio, score_cutoff=60.0)
            raise Unread(
                "invalid",
                "no-such",
                word,
                (names[near[0]],) if near is not None else tuple(names.values()),
            )
        raise Unread("invalid", "correction", self.written, FORMS)

    # ------------------------------------------------------------------------------------ the act
    def correction(self) -> Correction:
        topic = self._topic()
        if topic == "restore":
            return self._restore()
        self._need("province", self.places, 1 if topic in ("units", "owner") else 0)
        self._need(
            "player",
            self.players,
            1 if topic == "money" or (topic == "owner" and not self.nobody) else 0,
        )
        self._need("number", self.numbers, 0 if topic == "owner" else 1)
        place = format_province(self.places[0]) if self.places else ""
        name = self.people.name_of(self.players[0]) if self.players else "nobody"
        if topic == "owner":
            owner = self.players[0] if self.players else None
            return Correction(
                {"act": "set-owner", "province": self.places[0], "owner": owner},
                f"{place} owner {name}",
            )
        (number,) = self.numbers
        if topic == "units":
            return Correction(
                {"act": "set-units", "province": self.places[0], "units": number},
                f"{place} units {number}",
            )
        if topic == "money":
            return Correction(
                {"act": "set-money", "player": self.players[0], "realm": number},
                f"{name} money {number}",
            )
        return Correction({"act": "set-dpl", "dpl": number}, f"dpl {number}")

    def _topic(self) -> str:
        """What it is about, said or plain from what is named: `P3 to Anna` is an owner."""
        if len(self.topics) > 1:
            raise Unread("ambiguous", "correction", self.written, FORMS)
        if self.topics:
            return next(iter(self.topics))
        if len(self.places) == 1 and not self.numbers and (self.players or self.nobody):
            return "owner"
        raise Unread("invalid", "correction", self.written, FORMS)

    def _need(self, what: str, named: Sequence[int], wanted: int) -> None:
        if len(named) < wanted:
            raise Unread("missing", what, self.written, FORMS)
        if len(named) > wanted:
            raise Unread("ambiguous", "correction", self.written, FORMS)

    def _restore(self) -> Correction:
        self._need("player", self.players, 1)
        places, units = tuple(self.places), tuple(self.numbers)
        if len(units) == 1 and len(places) > 1:
            units *= len(places)  # `with 2 each`
        if units and len(units) != len(places):
            raise Unread(
                "ambiguous" if places else "missing",
                "correction" if places else "province",
                self.written,
                FORMS,
            )
        act: dict[str, object] = {"act": "restore", "player": self.players[0]}
        said = f"restore {self.people.name_of(self.players[0])}"
        if self.rank is not None:
            act["rank"] = self.rank
            said += f" at place {self.rank}"
        if places:
            act["provinces"] = places
            said += f" in {', '.join(map(format_province, places))}"
        if units:
            act["units"] = units
            said += f" with {', '.join(map(str, units))}"
        return Correction(act, said)
