"""The parts of a game master's correction or a question: our words, numbers of units, zones,
kingdoms, players. If there are other words, we ask.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from rapidfuzz import fuzz, process

from engine.fortresses.atlas import KINGDOMS, zones
from engine.fortresses.state import Player
from engine.fortresses.units import CODES
from pbem.grammar.gm.commands import Unread
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.vocabulary import parse_words

SURE = 75.0
_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['.-][^\W\d_]+)*'?|\S")

Name = tuple[str, ...]
"""A name as the words it is of."""


@dataclass(frozen=True, slots=True)
class MasterPart:
    """A kind of the words file, ZONE, KINGDOM, PLAYER or UNITS; which one, and how many (None:
    all).
    """

    kind: str
    key: str = ""
    number: int | None = 0


def _name(text: str) -> Name:
    return tuple(_TOKEN.findall(fold(text)))


@lru_cache(maxsize=2)
def _ours(file: str) -> dict[Name, MasterPart]:
    """Our words, kingdoms and zones; a zone's code that is also a word of ours (`and`) does not
    count.
    """
    found: dict[Name, MasterPart] = {(",",): MasterPart("FILLER")}
    for name in ("counting.words", file):
        for kind, phrases in parse_words(files(__package__) / name):
            found |= {
                _name(phrase): MasterPart(kind, "", i) for i, phrase in enumerate(phrases, start=1)
            }
    found |= {_name(kingdom): MasterPart("KINGDOM", kingdom) for kingdom in KINGDOMS}
    for zone in zones().values():
        for name in (zone.name, zone.code, *zone.aliases):
            found.setdefault(_name(name), MasterPart("ZONE", zone.name))
    return found


class Names:
    """Our words (those of a file) and the players of a table; a player whose name is a word of ours
    has a number alone.
    """

    def __init__(self, players: Sequence[Player], file: str = "corrections.words") -> None:
        ours = _ours(file)
        self._meanings: dict[Name, MasterPart] = {
            name: MasterPart("PLAYER", player.name, player.number)
            for player in players
            for name in (_name(player.name), _name(f"player {player.number}"))
            if name and name not in ours and not name[0].isdigit()
        } | ours

    def label(self, player: Player) -> str:
        """A word for a player that means nobody else: the name, or the number."""
        meant = self._meanings.get(_name(player.name))
        is_plain = meant == MasterPart("PLAYER", player.name, player.number)
        return player.name if is_plain else f"player {player.number}"

    def parts_of(self, written: str, unread: Unread) -> list[MasterPart]:
        """The parts in the order they stand in, without fillers. Unread (this one, where nothing
        nearer can be said) if there are other words, or units without a number.
        """
        parts: list[MasterPart] = []
        for part in self.found_in(written, unread):
            before = parts[-1] if parts else part
            if part.kind in CODES:
                if before.kind not in ("NUMBER", "A", "EMPTY", "ALL"):
                    raise Unread("missing", "number", written, unread.nearest)
                number = {"A": 1, "EMPTY": 0, "ALL": None}.get(before.kind, before.number)
                parts[-1] = MasterPart("UNITS", part.kind, number)
            elif part.kind != "FILLER":
                parts.append(part)
        return [part for part in parts if part.kind != "A"]

    def found_in(self, written: str, unread: Unread) -> list[MasterPart]:
        """What the words say, the longest phrases first. Unread for other words."""
        words = _name(written)
        found: list[MasterPart] = []
        left: list[str] = []
        longest, at = max(map(len, self._meanings)), 0
        while at < len(words):
            ends = range(min(at + longest, len(words)), at, -1)
            meant = {end: said for end in ends if (said := self._meaning(words[at:end]))}
            found += [meant[max(meant)]] if meant else []
            left += [] if meant else [words[at]]
            at = max(meant, default=at + 1)
        if left:
            known = {" ".join(name): said for name, said in self._meanings.items() if said.key}
            near = process.extractOne(
                " ".join(left), list(known), scorer=fuzz.ratio, score_cutoff=SURE
            )
            if near is None:
                raise unread
            raise Unread("invalid", "no-such", " ".join(left), (known[near[0]].key,))
        return found

    def _meaning(self, words: Name) -> MasterPart | None:
        bare = (*words[:-1], words[-1].removesuffix("'s").removesuffix("'"))
        if len(words) == 1 and words[0].isdigit():
            return MasterPart("NUMBER", "", int(words[0]))
        return self._meanings.get(words) or self._meanings.get(bare)
