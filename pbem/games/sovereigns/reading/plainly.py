"""A message without its talk: the reading of its game words alone. It is for an offer, and counts
only if it covers all that the message says of the game.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.entries import OrderEntry
from pbem.games.sovereigns.reading.holding import MANNER
from pbem.games.sovereigns.reading.pieces import AIMED, BUILDING_KINDS, HEADS, JOINTS, TRADE
from pbem.grammar.kit.coverage import Came, Coverage
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain, blanked
from pbem.grammar.kit.rings import POINTING
from pbem.grammar.kit.sentences import ENDS, Clause, Sentence, sentences_of
from pbem.grammar.kit.slots import SILENT

STRICT = MANNER.strict | TRADE
"""With these orders every word counts."""
_NAMING = set_of("PROPOSE OBJECT TRYING ALLOWS CODE GROWN")
"""With these orders any word may be a name."""
_EFFECTS = BUILDING_KINDS | {"GIVE", "GETS", "ROLLS"}
_TALK = set_of("COMMON WORD MUCH")
"""Kinds that do not mention the game."""
_BESIDE = _TALK | SILENT | set_of("OTHER STATEMENT REASON TO FROM OF IN AT FOR WITH")
"""A clause of these alone is talk."""
_KEPT = ENDS | JOINTS
_SAID = SILENT | {"WHO", "ME", "OTHER"}
_BEING = frozenset({"is", "are", "was", "were", "be"})
_TELLING = set_of("is are was were am im i'm has have feel feels been")
_OWN = set_of("i im i'm we our my we'll i'll let")
_WE = frozenset({"i", "we"})
_BIDS = frozenset({"shall", "will", "must"})
_LEADING = _TALK | SILENT | set_of("TO FROM OF IN AT FOR WITH AGAINST OTHER")
_MINE = set_of("our my their your")
_AIMS = set_of("TO FROM IN AT AGAINST")
_PARTICLES = set_of(
    "aside out off away over up down together tonight today here home again thing stuff"
)

Hear = Callable[[str, Sequence[Sentence]], Sequence[OrderEntry]]
"""The result of the sentences of a text."""


@dataclass(frozen=True, slots=True)
class Plainly:
    """Reads the sentences of `lexemes` again; `hear` is the taking reader."""

    plain: Plain
    lexemes: Sequence[Lexeme]
    hear: Hear
    coverage: Coverage
    tell: Callable[[o.Order], str]
    me: int

    def read(self, whole: Sequence[Sentence], fresh: frozenset[int]) -> tuple[str, ...]:
        """The canonical texts of all that these sentences say, those that are taken among them; ()
        if something of the game is left over.
        """
        starts = self._kept(whole, fresh)
        if starts is None:
            return ()
        kept = [x for x in self.lexemes if x.start in starts or x.kind in _KEPT]
        dropped = [
            (x.start, x.end) for x in self.lexemes if x.kind in _TALK and x.start not in starts
        ]
        sentences = sentences_of(self.plain, kept, frozenset(), frozenset())
        entries = self.hear(blanked(self.plain.text, dropped), sentences)
        if not entries or not all(entry.stands for entry in entries):
            return ()
        texts = [self._told(entry) for entry in entries]
        came = [Came(x.start, x.end, (text,)) for x, text in zip(entries, texts, strict=True)]
        return () if any(self.coverage.left_over(sentences, came)) else tuple(texts)

    def _told(self, entry: OrderEntry) -> str:
        order = entry.order
        return "" if isinstance(order, Problem) else self.tell(order)

    def _kept(self, whole: Sequence[Sentence], fresh: frozenset[int]) -> frozenset[int] | None:
        """Where the words stand that are no talk; None: some of it may change what they say."""
        said = set[int]()
        for i, sentence in enumerate(whole):
            names = _may_name(sentence.lexemes)
            kinds = {x.kind for x in sentence.lexemes}
            orders = not _is_talk(sentence.lexemes)
            for clause, after in zip_longest(sentence.clauses, sentence.clauses[1:]):
                said |= {clause.at.start} if clause.at is not None else set()
                inside = clause.lexemes
                called = any(x.kind == "CALLED" for x in inside)
                if i in fresh and orders and not names and _is_idle(clause, after, kinds):
                    continue
                if i in fresh and not names and not called and not _is_talk(inside):
                    if not _is_harmless(inside, self.me):
                        return None
                    inside = [x for x in inside if x.kind not in _TALK]
                said |= {x.start for x in inside}
        return frozenset(said)


def _may_name(lexemes: Sequence[Lexeme]) -> bool:
    """Whether any word here may be a name: `we are the Red Coast`, `research drums, +1 on ...`."""
    kinds = {x.kind for x in lexemes}
    effect = kinds & _EFFECTS or any(x.kind == "AND" and x.text == "+" for x in lexemes)
    return bool(kinds & _NAMING) or ("RESEARCH" in kinds and bool(effect))


def _is_idle(clause: Clause, after: Clause | None, kinds: Container[str]) -> bool:
    """Whether it tells of what no game knows, and leads to nothing: `I'm a bit tired`."""
    words = [word for x in clause.lexemes for word in x.text.split()]
    leads = after is not None and after.joint not in {"COMMA", "LPAR", "DASH"}
    told = not _TELLING.isdisjoint(words) or any(x.kind == "STATEMENT" for x in clause.lexemes)
    apart = clause.joint in {"", "COMMA", "LPAR", "DASH"} and not clause.cue and not leads
    strict = any(kind in kinds for kind in STRICT - {"FEAR"})
    known = all(x.kind in _BESIDE - {"WORD"} for x in clause.lexemes)
    is_talk = known and POINTING.isdisjoint(words)
    return told and apart and is_talk and not strict


def _is_talk(lexemes: Sequence[Lexeme]) -> bool:
    return all(x.kind in _BESIDE | {"WHO"} for x in lexemes)


def _is_harmless(lexemes: Sequence[Lexeme], me: int) -> bool:
    """Whether the talk in a clause only colours what it orders: ahead of that it is said of
    ourselves, and behind it is led by a small word; no number counts what nobody knows.
    """
    first = next((i for i, x in enumerate(lexemes) if x.kind not in _BESIDE), 0)
    ahead = [x for x in lexemes[:first] if x.kind in _TALK]
    if ahead and any(x.text in _BEING for x in lexemes[:first]):
        return False  # `my default is 2 harmony`
    if any(x.kind in AIMED and y.value == me for x, y in pairwise(lexemes) if y.kind == "WHO"):
        return False  # `fine Ben, attack me with 3`
    if STRICT & {x.kind for x in lexemes} and any(x.kind in _TALK for x in lexemes):
        return False
    own = lexemes[0].text.partition(" ")[0] in _OWN and lexemes[first].kind not in HEADS
    bids = _bids(lexemes[:first])
    if ahead and not (own or bids):
        return False
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind not in _TALK:
            continue
        before = lexemes[i - 1] if i else lexeme
        rest = [x.kind for x in lexemes[i + 1 :] if x.kind not in _SAID]
        counts = i + 1 < len(lexemes) and lexemes[i + 1].kind == "NUM"
        counts &= before.text not in _WE  # and not `I pledge 3 soldiers`
        if lexeme.text.endswith("ed") or counts or _bids_us(rest):
            return False
        led = before.kind in _LEADING or lexeme.text in _PARTICLES
        if i > first and not led and not _bids(lexemes[:i]):
            return False
        owned = i > first and before.text in _MINE
        if lexeme.kind == "WORD" and (before.kind in _AIMS or owned):
            return False
    return True


def _bids(lexemes: Sequence[Lexeme]) -> bool:
    """`let two soldiers depart`, `our friars shall spread the faith`."""
    return any(x.text in _BIDS or (x.text == "let" and x is lexemes[0]) for x in lexemes)


def _bids_us(rest: Sequence[str]) -> bool:
    """`teaches us to roll`."""
    return rest[:1] == ["TO"] and bool({*rest[1:2]} & (HEADS | {"SPEND"}))
