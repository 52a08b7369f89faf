"""A game master's corrections at a table of Realm-Master (RM-11.10): `Elf hearts 5`, `Jerum 1/2/0`,
`place Elf in Jerum`, `undo turn 7`.

A correction names one thing and its new value. If anything is left over, missing or ambiguous, we
ask.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeVar

from rapidfuzz import fuzz, process

from engine.realm_master.cards import all_buy_cards, all_heroes, all_lands
from engine.realm_master.state import Player, State
from pbem.games.realm_master.reading.words import cards_by_name, heroes_by_name, lands_by_name
from pbem.grammar.gm.commands import Unread
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.reading import Correction

FORMS = (
    "Elf hearts 5",
    "Jerum 1/2/0",
    "place Elf in Jerum",
    "place Elf outside",
    "give Iron Shield to Elf",
    "take Iron Shield from Elf",
    "put Iron Shield in the row at place 2",
    "kill Elf",
    "undo turn 7",
    "undo the round",
    "mode interactive",
    "winner Elf",
    "draw",
    "rule: a shield counts once",
)
"""How each kind is written."""

MOST_CHARACTERS = 300
MOST_TEXT = 2000
SURE = 70.0

HAS = "has"
"""A card, as `give`; a number behind it is the new value."""

_TOPICS = {
    **dict.fromkeys(("heart", "hearts", "life", "lives"), "hearts"),
    **dict.fromkeys(("gold", "coin", "coins"), "gold"),
    **dict.fromkeys(("banner", "banners"), "banners"),
    **dict.fromkeys(("place", "places", "move", "stands", "stand"), "place"),
    **dict.fromkeys(("out", "outside"), "out"),
    **dict.fromkeys(("give", "gives", "given", "gets"), "give"),
    **dict.fromkeys(("has", "holds", "owns"), HAS),
    **dict.fromkeys(("take", "takes", "taken", "remove", "discard"), "take"),
    **dict.fromkeys(("row", "offer"), "row"),
    **dict.fromkeys(("kill", "kills", "dead", "dies"), "kill"),
    **dict.fromkeys(("undo", "replay"), "undo"),
    **dict.fromkeys(("turn", "turns"), "turn"),
    **dict.fromkeys(("round", "rounds"), "round"),
    "mode": "mode",
    **dict.fromkeys(("standing", "plans"), "standing"),
    **dict.fromkeys(("interactive", "live"), "interactive"),
    **dict.fromkeys(("winner", "wins", "winners"), "winner"),
    **dict.fromkeys(("draw", "drawn"), "draw"),
    "last": "last",
}
_FILLERS = frozenset(
    "the a an of in into on onto at to by from for is are be have shall should must now set card"
    " cards number no hero"
    " land realm player it and with game back again put end ends : = , . - →".split()
)
_RULING = re.compile(
    r"(?:gm )?(?:rule|rules|ruling|ruled)\b(?: that\b)?[ :]*(?P<text>.*)", re.DOTALL | re.IGNORECASE
)
_TOKEN = re.compile(r"\d+ ?/ ?\d+ ?/ ?\d+|-?\d+(?!\w)|[^\W\d_][\w']*|[:=,.→-]|\S")
_AMOUNTS = ("hearts", "gold", "banners")
Kind = Literal["player", "hero", "land", "card"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Named:
    """What a name can mean: a player by number, or a key."""

    kind: Kind
    key: str


def read_correction(state: State, text: str) -> Correction:
    """The act of the rules that a correction is, and its one spelling, which is read back to the
    same.

    Unread if it is not one, with the forms there are; or if it names what there is not. Whether it
    can be is for the rules to say.
    """
    ruling = _RULING.fullmatch(" ".join(text[:MOST_TEXT].split()))
    if ruling is not None:
        return _ruling(ruling["text"])
    written = " ".join(text[:MOST_CHARACTERS].split())
    return _Parts(state, written).correction()


def _ruling(said: str) -> Correction:
    told = said.strip()
    if len(told) > 1 and told[0] in "\"“„«'" and told[-1] in "\"”“»'":
        told = told[1:-1].strip()
    if not told:
        raise Unread("missing", "text")
    return Correction({"act": "rule", "text": told}, f"rule: {told}", is_said=True)


@lru_cache(maxsize=1)
def _things() -> Mapping[str, _Named]:
    """Heroes, lands and cards by every name they have. A card's short name that is a word of ours
    is left out.
    """
    named: dict[str, _Named] = {}
    named.update(
        (fold(name), _Named("card", key))
        for name, key in cards_by_name().items()
        if name not in _TOPICS and name != "touch"
    )
    named.update((fold(name), _Named("land", key)) for name, key in lands_by_name().items())
    named.update((fold(name), _Named("hero", key)) for name, key in heroes_by_name().items())
    return named


def _meanings(state: State) -> dict[str, tuple[_Named, ...]]:
    """Every name at this table and what it may mean; a hero is the player who has it."""
    found: dict[str, tuple[_Named, ...]] = {}

    def add(name: str, meant: _Named) -> None:
        folded = " ".join(fold(name).split())
        if folded and meant not in found.get(folded, ()):
            found[folded] = (*found.get(folded, ()), meant)

    by_hero = {player.hero: player for player in state.players if player.hero}
    for name, thing in _things().items():
        player = by_hero.get(thing.key) if thing.kind == "hero" else None
        add(name, thing if player is None else _Named("player", str(player.number)))
    for held in state.players:
        add(held.name, _Named("player", str(held.number)))
        add(f"player {held.number}", _Named("player", str(held.number)))
    for held in state.players:
        if fold(held.colour) not in found:
            add(held.colour, _Named("player", str(held.number)))
    return found


class _Parts:
    """The parts that a correction names: topics, players, lands, cards and numbers, in the order
    they stand in.
    """

    def __init__(self, state: State, written: str) -> None:
        self.state = state
        self.written = written
        self.meanings = _meanings(state)
        self.topics: list[str] = []
        self.players: list[int] = []
        self.lands: list[str] = []
        self.cards: list[str] = []
        self.numbers: list[int] = []
        self.triple: tuple[int, int, int] | None = None
        self._take(self._without_names(fold(written)))

    # -------------------------------------------------------------------------------------- reading
    def _without_names(self, folded: str) -> str:
        names = "|".join(re.escape(name) for name in sorted(self.meanings, key=len, reverse=True))
        pattern = re.compile(rf"(?<![\w/])(?:{names})(?:'s?)?(?![\w/])")

        def take(hit: re.Match[str]) -> str:
            said = hit[0] if hit[0] in self.meanings else hit[0].removesuffix("s").removesuffix("'")
            meant = self.meanings[said]
            if len(meant) > 1:
                raise Unread("ambiguous", "correction", said, FORMS)
            self._name(meant[0], said)
            return " " * len(hit[0])

        return pattern.sub(take, folded)

    def _name(self, meant: _Named, said: str) -> None:
        here = [land.key for land in self.state.lands]
        if meant.kind == "player":
            _add(self.players, int(meant.key))
        elif meant.kind == "card":
            _add(self.cards, meant.key)
        elif meant.kind == "land" and meant.key in here:
            _add(self.lands, meant.key)
        else:
            lands = (all_lands()[key].short for key in here)
            players = (self._label(player.number) for player in self.state.players)
            known = tuple(lands if meant.kind == "land" else players)
            raise Unread("invalid", "no-such", said, known)

    def _take(self, folded: str) -> None:
        left: list[str] = []
        for word in _TOKEN.findall(folded):
            bare = word.removesuffix("'s").removesuffix("'")
            if "/" in word and len(word) > 1:
                if self.triple is not None:
                    raise self._odd("ambiguous")
                hearts, gold, banners = (int(part) for part in word.split("/"))
                self.triple = (hearts, gold, banners)
            elif re.fullmatch(r"-?\d+", word):
                self.numbers.append(int(word))
            elif bare in _TOPICS:
                _add(self.topics, _TOPICS[bare])
            elif bare not in _FILLERS:
                left.append(bare)
        if left:
            self._explain(" ".join(left))
        if any(number < 0 for number in self.numbers):
            raise Unread("invalid", "number", str(min(self.numbers)))

    def _explain(self, left: str) -> None:
        """Unknown words: a name with a slip if one is near, else not understood."""
        near = process.extractOne(left, list(self.meanings), scorer=fuzz.ratio, score_cutoff=SURE)
        if near is None:
            raise self._odd("invalid")
        meant = dict.fromkeys(map(self._said, self.meanings[near[0]]))
        raise Unread("invalid", "no-such", left, tuple(meant))

    def _said(self, meant: _Named) -> str:
        match meant.kind:
            case "player":
                return self._label(int(meant.key))
            case "land":
                return all_lands()[meant.key].short
            case "card":
                return all_buy_cards()[meant.key].name
        return all_heroes()[meant.key].title

    def _odd(self, code: Literal["ambiguous", "invalid", "missing"]) -> Unread:
        """What is wrong with the whole."""
        return Unread(code, "correction", self.written, FORMS)

    # ------------------------------------------------------------------------------------ the act
    def correction(self) -> Correction:
        has = "give" if self.cards else ""
        self.topics = [has if topic == HAS else topic for topic in self.topics]
        topics = set(self.topics) - {""}
        if "undo" in topics:
            return self._undo(topics)
        if topics & {"mode", "standing", "interactive"}:
            return self._mode(topics)
        if topics & {"winner", "draw"}:
            return self._end(topics)
        if "kill" in topics:
            self._only(topics, {"kill"})
            number = self._one_player()
            return self._made({"act": "kill", "player": number}, f"kill {self._label(number)}")
        if self.cards:
            return self._card(topics)
        if topics & {"place", "out"} or (self.players and self.lands):
            return self._place(topics)
        if self.lands or self.triple is not None:
            return self._land(topics)
        return self._hero(topics)

    def _undo(self, topics: set[str]) -> Correction:
        self._only(topics, {"undo", "turn", "round", "last"})
        if {"turn", "round"} <= topics:
            raise self._odd("ambiguous")
        if "round" in topics:
            return self._made({"act": "undo", "round": True}, "undo the round")
        if "turn" not in topics and not self.numbers and "last" not in topics:
            raise self._odd("invalid")
        turn = self.state.turns if "last" in topics else self._one_number()
        act = {"act": "undo", "turn": turn}
        return self._made(act, f"undo turn {turn}", numbers="last" not in topics)

    def _mode(self, topics: set[str]) -> Correction:
        self._only(topics, {"mode", "standing", "interactive"})
        said = topics - {"mode"}
        if len(said) != 1:
            raise self._odd("ambiguous" if said else "missing")
        mode = next(iter(said))
        return self._made({"act": "mode", "mode": mode}, f"mode {mode}")

    def _end(self, topics: set[str]) -> Correction:
        self._only(topics, {"winner", "draw"})
        if "draw" not in topics:
            winner = self._one_player()
            return self._made({"act": "end", "winner": winner}, f"winner {self._label(winner)}")
        if self.players or "winner" in topics:
            raise self._odd("ambiguous")
        return self._made({"act": "end", "winner": None}, "draw")

    def _card(self, topics: set[str]) -> Correction:
        self._only(topics, {"give", "take", "row", "place"})
        moves = topics & {"give", "take"}
        if len(self.cards) > 1 or len(moves) > 1 or ("row" in topics and (self.players or moves)):
            raise self._odd("ambiguous")
        (card,) = self.cards
        name = all_buy_cards()[card].name
        if "row" in topics:
            place = self._one_number()
            act = {"act": "card-row", "card": card, "place": place}
            return self._made(act, f"put {name} in the row at place {place}", numbers=1)
        if "place" in topics or not topics:
            raise self._odd("invalid")
        number, gives = self._one_player(), "give" in topics
        said = f"{'give' if gives else 'take'} {name} {'to' if gives else 'from'}"
        act = {"act": "card-give" if gives else "card-take", "player": number, "card": card}
        return self._made(act, f"{said} {self._label(number)}")

    def _place(self, topics: set[str]) -> Correction:
        self._only(topics, {"place", "out"})
        number = self._one_player()
        if len(self.lands) + ("out" in topics) != 1:
            raise self._odd("ambiguous" if self.lands else "missing")
        land = self.lands[0] if self.lands else None
        where = "outside" if land is None else f"in {all_lands()[land].short}"
        act = {"act": "place", "player": number, "land": land}
        return self._made(act, f"place {self._label(number)} {where}")

    def _land(self, topics: set[str]) -> Correction:
        self._only(topics, set(_AMOUNTS))
        if len(self.lands) > 1 or self.players:
            raise self._odd("ambiguous")
        if not self.lands:
            raise self._odd("missing")
        (key,) = self.lands
        held = next(land for land in self.state.lands if land.key == key)
        now = {"hearts": held.hearts, "gold": held.gold, "banners": held.banners}
        named = [topic for topic in self.topics if topic] or [*_AMOUNTS]
        if self.triple is not None and (topics or self.numbers):
            raise self._odd("ambiguous")
        amounts = self.triple if self.triple is not None else self._as_many(len(named))
        now |= dict(zip(named, amounts, strict=True))
        said = "/".join(str(now[what]) for what in _AMOUNTS)
        return Correction(
            {"act": "set-land", "land": key, **now}, f"{all_lands()[key].short} {said}"
        )

    def _hero(self, topics: set[str]) -> Correction:
        self._only(topics, set(_AMOUNTS))
        if len(topics) != 1:
            raise self._odd("ambiguous" if topics else "invalid")
        number, what = self._one_player(), next(iter(topics))
        amount = self._one_number()
        act = {"act": "set-hero", "player": number, "what": what, "amount": amount}
        return self._made(act, f"{self._label(number)} {what} {amount}", numbers=1)

    # ------------------------------------------------------------------------------- what is needed
    def _made(self, act: Mapping[str, object], said: str, *, numbers: int = 0) -> Correction:
        """A correction with nothing left over."""
        spare = {*self.players} - {act.get("player", act.get("winner"))}
        left = spare or {*self.lands} - {act.get("land")} or len(self.numbers) > numbers
        if left or self.triple is not None or (self.cards and "card" not in act):
            raise self._odd("ambiguous")
        return Correction(act, said)

    def _only(self, topics: set[str], allowed: set[str]) -> None:
        if topics - allowed:
            raise self._odd("ambiguous" if topics & allowed else "invalid")

    def _one_player(self) -> int:
        if len(self.players) > 1:
            raise self._odd("ambiguous")
        if not self.players:
            raise Unread("missing", "player", self.written, FORMS)
        return self.players[0]

    def _one_number(self) -> int:
        return self._as_many(1)[0]

    def _as_many(self, wanted: int) -> Sequence[int]:
        if len(self.numbers) > wanted:
            raise self._odd("ambiguous")
        if len(self.numbers) < wanted:
            raise Unread("missing", "number", self.written, FORMS)
        return self.numbers

    def _label(self, number: int) -> str:
        """A word for a player that means nobody else: the hero, the name, the number."""
        player: Player = self.state.players[number - 1]
        me = (_Named("player", str(number)),)
        words = [all_heroes()[player.hero].title] if player.hero else []
        return next(
            (
                word
                for word in (*words, player.name)
                if self.meanings.get(" ".join(fold(word).split())) == me
                and fold(word) not in _TOPICS
            ),
            f"player {number}",
        )


def _add(found: list[T], value: T) -> None:
    if value not in found:
        found.append(value)
