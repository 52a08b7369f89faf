"""What may be meant by sentences that the reader of orders did not take: read once more without
the talk in them, and with the verb that a thing alone implies (`jerum, else arub`). It is only
offered.

All that has a meaning here must still find its place: a condition, a denial, a choice. Nothing is
read where a word may be a verb or a name that nobody knows, where more is talked than ordered, or
where the words doubt, ask, tell of others or take something back.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.realm_master.cards import SMOKE_POT
from engine.realm_master.wording import format_order
from pbem.games.realm_master.reading.beginnings import begun_by
from pbem.games.realm_master.reading.contrasts import without_instead
from pbem.games.realm_master.reading.forms import mended
from pbem.games.realm_master.reading.message import MOMENTS, Message, Moment
from pbem.games.realm_master.reading.parts import (
    BOUNDS,
    CONDITIONAL,
    FACES,
    THINGS,
    VERBS,
    WEAK,
    NotRead,
    Piece,
    pieces_of,
    solid,
)
from pbem.games.realm_master.reading.rings import SAYING, is_told
from pbem.games.realm_master.reading.shorthand import THROWING
from pbem.games.realm_master.reading.words import cards_by_name, lands_by_name
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.reading import Propose
from pbem.grammar.kit.rings import (
    TURNING,
    asks_for_words,
    is_bare_request,
    is_question,
    without_reason,
)
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.reading.offers import Offering
from pbem.reading.words import slip_of

_TALK = set_of("COMMON MUCH")
_TELLS = set_of("STATEMENT PAST OTHER SPEECH BUT HESITATION")
"""Words of talk that do not touch an order next to it."""
_PLACED = set_of("IF UNLESS ONLYIF WHILE OR EXCEPT BUT HESITATION CONTRAST")
"""What turns something, and has its place in an order."""
_TURNING = TURNING - _PLACED | set_of("QUOTE REFERS CONCEDE CONCEDED FORGET FORGETALL")
_YOU = frozenset({"you", "your", "u", "ya", "ur"})
_ME = frozenset({"i", "i've", "i'm", "please", "pls"})
_CALLED = 3
"""A sentence of at most this many words with a name speaks to the bearer of that name."""
_MEANS = (
    SAYING
    | CONDITIONAL.keys()
    | BOUNDS
    | set_of("ELSE NOT EXCEPT ONLY NUM MORE LESS WHENHIT OWNTURN")
)
_CUES = frozenset({"", "soft"})
_ANEW = "correct"
"""The cue behind which something stands in the place of what was said."""
_VERB_OF = {o.Enter: "ENTER", o.Buy: "BUY", o.Loot: "LOOT"}
_THINGS = set_of("LAND CARD BEST CHEAPEST TO FILLER")
_AGAIN = set_of("BLANK HALF")
"""Dice that nobody names but to roll them again."""
_LANDS = set_of("LAND BEST CHEAPEST")
_BESIDE = set_of("TO AND OR ELSE CAN THEN ONLY FIRST ALL BOTH ARE")
_IS = frozenset({"is", "it is", "it's", "are", "was", "looks", "seems"})
_WHEN = frozenset("after during until till once least worst reverse opposite".split())
_PEOPLE = set_of("HERO WHO OTHER")
_SUBJECTS = set_of("i'm i've i we we're it's that's there's he's she's they're")
_DOES = _TURNING - _TELLS | CONDITIONAL.keys() | VERBS
_DOES |= set_of("ELSE NOT ONLY EXCEPT LAND CARD BEST CHEAPEST RFACE REST ALL AGAIN WORD ALWAYS")
"""What no tale has."""
_LINKS = set_of("AND OR TO ARE IF HAVE WHO HERO")
_LEADS = set_of("THEN ELSE ALWAYS ONCE NOW ONLY")


@dataclass(frozen=True, slots=True)
class Loosely:
    """Finds what is meant by a message; `row` are the cards that may be bought. What it cannot
    read is looked for by `offers`.
    """

    message: Message
    offering: Offering[o.Order]
    row: frozenset[str]

    def whole(
        self,
        sentences: Sequence[Sentence],
        taken: Sequence[tuple[int, int, tuple[str, ...]]],
        unread: Sequence[tuple[int, int]],
        propose: Propose | None = None,
    ) -> tuple[o.Order, ...]:
        """See `Whole`. Where both find something, it must be the same."""
        found = self.offering.whole(sentences, taken, unread)
        if found and any(map(_may_do, (one for x in sentences for one in x.clauses))):
            return ()
        mine = self._read(sentences, taken, unread)
        if found and mine and {*found} != {*mine}:
            return ()
        if found or mine or propose is None:
            return found or mine
        return self.offering.whole(sentences, taken, unread, propose)

    def _read(
        self,
        sentences: Sequence[Sentence],
        taken: Sequence[tuple[int, int, tuple[str, ...]]],
        unread: Sequence[tuple[int, int]],
    ) -> tuple[o.Order, ...]:
        starts = [sentence.start for sentence in sentences]
        wanted = {
            at
            for start, end in unread
            for at in range(bisect_right(starts, start) - 1, bisect_right(starts, end - 1))
        }
        held = {bisect_right(starts, start) - 1 for start, _, _ in taken}
        orders: list[o.Order] = []
        mine: list[tuple[int, int, tuple[str, ...]]] = []
        wanted &= {*range(len(sentences))}
        parted = {at: _parted(sentences[at]) for at in wanted}
        corrects = any(part[0].cue == _ANEW for parts in parted.values() for part in parts)
        for at in sorted(wanted - held):
            told: list[o.Order] = []
            for clauses in parted[at]:
                more = self._orders_of(replace(sentences[at], clauses=clauses), told or orders)
                if clauses[0].cue == _ANEW:
                    kept = [x for x in (*orders, *told) if not _takes_place(more, x)]
                    if len(kept) == len(orders) + len(told):
                        return ()
                    orders, told = [x for x in orders if x in kept], [x for x in told if x in kept]
                told += more
            if told and not corrects:
                if {*told} <= {*self.offering.alone(self._text_of(sentences[at]))}:
                    return ()  # the words around it hold it back
            if told:
                orders += told
                texts = tuple(map(format_order, told))
                mine.append((sentences[at].start, sentences[at].end, texts))
        orders = [*dict.fromkeys(orders)]
        if not orders:
            return ()
        places = {start for start, _, _ in mine}
        rest = [
            (sentences[at].start, sentences[at].end)
            for at in sorted(wanted)
            if sentences[at].start not in places
        ]
        both = [*taken, *mine]
        if not self.offering.is_silent(sentences, both, rest):
            beside = self.offering.whole(sentences, both, rest) if rest else ()
            if not beside:
                return ()
            orders += beside
        return tuple(orders)

    def _text_of(self, sentence: Sentence) -> str:
        return self.message.plain.text[sentence.start : sentence.end]

    def _orders_of(self, sentence: Sentence, before: Sequence[o.Order]) -> list[o.Order]:
        """What a sentence says without its talk, behind these orders; nothing where that is not
        certain.
        """
        if is_question(sentence) or is_bare_request(sentence) or asks_for_words(sentence):
            return []
        clauses: list[Clause] = []
        anew = bool(sentence.clauses) and sentence.clauses[0].cue == _ANEW
        if anew:
            sentence = replace(sentence, clauses=_corrected(sentence.clauses, before))
        same = any(x.kind == "SAME" for x in sentence.lexemes)
        for clause in sentence.clauses:
            if same and clause.cue == "instead":  # `same again, but enter Jerum instead`
                lexemes = [x for x in clause.lexemes if x.kind != "INSTEAD"]
                clause = replace(clause, cue="", lexemes=lexemes)
            kept = self._without_talk(clause)
            tells = {x.kind for x in clause.lexemes} & (_TELLS - {"BUT", "HESITATION"})
            if kept is None or (tells and not kept.lexemes and not clauses):
                return []  # `he said: attack`
            if kept.lexemes:
                clauses.append(kept)
        message = self.message
        if same and not self._stood_before(sentence):
            return []
        try:
            pieces = self._with_verbs(pieces_of(clauses, message.plain.text))
            orders = self._changed(message.build(pieces, _moment_of(before) if anew else ""))
        except NotRead:
            return []
        plain = (o.Concede, o.Drop, o.GoOn, o.Wait)
        return [] if any(isinstance(order, plain) for order in orders) else orders

    def _stood_before(self, sentence: Sentence) -> bool:
        """`Same as last time but Jerum instead of Kurull`: whether Kurull was in that plan."""
        kinds = [x.kind for x in sentence.lexemes]
        at = kinds.index("CONTRAST") + 1 if "CONTRAST" in kinds else len(kinds)
        last = {key for order in self.message.position.last for key in _lands_of(order)}
        lands = {lands_by_name()[x.text] for x in sentence.lexemes[at:] if x.kind == "LAND"}
        return lands <= last

    def _changed(self, orders: list[o.Order]) -> list[o.Order]:
        """Without the lines of the last plan that others take the place of."""
        last = {id(order) for order in self.message.position.last}
        fresh = [order for order in orders if id(order) not in last]
        return [
            order
            for order in orders
            if id(order) not in last or not any(o.is_same_line(order, other) for other in fresh)
        ]

    def _without_talk(self, clause: Clause) -> Clause | None:
        """A clause in the form to read; empty if it is talk; None if nobody can tell."""
        lexemes = [_named(x) for x in mended(without_reason(clause.lexemes))]
        if clause.lexemes and not lexemes:
            return replace(clause, lexemes=[])  # `since one sword would be a waste`
        kinds = {x.kind for x in lexemes}
        if clause.cue not in _CUES:
            return None
        if _is_tale(lexemes) and self.message.position.stage != "heroes":
            return replace(clause, lexemes=[])
        if not kinds & _MEANS:
            alone = [x.kind for x in lexemes if x.text.split()[0] not in _ME] == ["WHO"]
            spoken_to = {x.text for x in lexemes} & _YOU or (alone and len(lexemes) < _CALLED)
            if kinds & _TURNING - _TELLS or spoken_to or any(x.text in _WHEN for x in lexemes):
                return None
            return replace(clause, lexemes=[])
        mine = self.message.position.heroes.get(self.message.player, "")
        if kinds & _TURNING or "WORD" in kinds or is_told(lexemes, self.message.player, mine):
            return None
        talk = [i for i, x in enumerate(lexemes) if x.kind in _TALK]
        things = [i for i, x in enumerate(lexemes) if x.kind in THINGS | _MEANS]
        acts = kinds & (VERBS | CONDITIONAL.keys() | {"ARE", "AGAIN"})
        if not acts and "PROSE" in kinds:
            return None  # `see you in Jerum`
        if talk and (not acts or len(talk) > len(things) or kinds & (THINGS | VERBS) <= WEAK):
            return None
        verbs = [i for i, x in enumerate(lexemes) if x.kind in VERBS]
        if talk and verbs and not (talk[-1] < verbs[0] or talk[0] > verbs[-1]):
            return None
        says = [i for i, x in enumerate(lexemes) if x.text in _IS or x.text in _WHEN]
        if talk and any(i < talk[-1] for i in says):
            return None
        return replace(clause, lexemes=[x for x in lexemes if x.kind not in _TALK])

    def _with_verbs(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Things alone with the verb that they imply; a deed behind a condition by itself."""
        told: list[Piece] = []
        last = ""
        for piece in (one for x in pieces for one in _run_on(without_instead(x))):
            kinds = piece.kinds
            verb = next((kind for kind in kinds if kind in VERBS), "")
            implied = "" if verb or "ELSE" in kinds else self._implied(piece)
            if implied and implied != last:
                at = next((i for i, kind in enumerate(kinds) if kind not in _LEADS), 0)
                lexeme = piece.lexemes[at]
                word = Lexeme(implied, implied.lower(), lexeme.start, lexeme.start)
                piece = Piece(piece.joiner, [*piece.lexemes[:at], word, *piece.lexemes[at:]])
            last = verb or implied or last
            told.append(piece)
        return told

    def _implied(self, piece: Piece) -> str:
        position = self.message.position
        said = piece.lexemes
        at = next((i for i, x in enumerate(said) if x.kind in CONDITIONAL), len(said))
        kinds = {x.kind for x in said[:at]} - _BESIDE
        if not kinds:
            return ""
        if kinds <= _LANDS:
            return "ENTER" if position.at is None and position.stage in (None, "enter") else ""
        cards = {cards_by_name()[x.text] for x in said[:at] if x.kind == "CARD"}
        if kinds == {"CARD"} and SMOKE_POT not in cards:
            held = cards <= position.hand
            return "PLAY" if held else "BUY" if cards <= self.row else ""
        if kinds <= _AGAIN or "EXCEPT" in kinds <= FACES.keys() | {"EXCEPT"}:
            return "REROLL" if position.stage in THROWING else ""
        return ""


def _is_tale(lexemes: Sequence[Lexeme]) -> bool:
    """Whether somebody is said to be or do what is no order: `I'm a bit pale at 5 hearts`, `the elf
    lays down her bow`.
    """
    kinds = {x.kind for x in lexemes}
    first = next((x for x in lexemes if x.kind != "FILLER" or x.text in _SUBJECTS), None)
    subject = first is not None and (first.kind in _PEOPLE or first.text in _SUBJECTS)
    counts = "NUM" in kinds or not kinds & FACES.keys()
    says = sum(x.kind == "COMMON" for x in lexemes) > 1
    return subject and says and counts and not kinds & _DOES


def _run_on(piece: Piece) -> list[Piece]:
    """`Attack if 3 swords buy the blade`: typed without a comma."""
    kinds = piece.kinds
    verbs = [i for i, kind in enumerate(kinds) if kind in VERBS]
    if len(verbs) != 2 or not {*kinds[verbs[0] : verbs[1]]} & CONDITIONAL.keys():
        return [piece]
    at = verbs[1]
    if {*kinds} & {"ELSE", "THEN", "ALWAYS", "ONLY", "NOT"} or kinds[at - 1] in _LINKS:
        return [piece]
    return [Piece(piece.joiner, piece.lexemes[:at]), Piece("comma", piece.lexemes[at:])]


def _lands_of(order: o.Order) -> set[str]:
    choices = order.choices if isinstance(order, o.Enter | o.Realm) else ()
    return {choice.word for choice in choices}


def _takes_place(orders: Sequence[o.Order], of: o.Order) -> bool:
    """Whether one of these stands in the place of another; a list of heroes is mended otherwise."""
    return not isinstance(of, o.PickHero) and any(o.is_same_line(of, one) for one in orders)


def _moment_of(before: Sequence[o.Order]) -> Moment:
    """When what is corrected is about, if it is about one moment alone."""
    keys = {MOMENTS.get(o.key_of(order) or "", "") for order in before}
    told = [key for key in keys if key]
    return told[0] if len(told) == 1 else ""


def _parted(sentence: Sentence) -> list[list[Clause]]:
    """The clauses up to each correction, and those behind it."""
    parts: list[list[Clause]] = []
    for clause in sentence.clauses:
        said = [x.text for x in solid(clause.lexemes) if x.kind not in {"THEN", "ELSE"}]
        if not parts and said[:1] in (["rather"], ["better"]):
            clause = replace(clause, cue=_ANEW)  # `then rather Kurull`
        if clause.cue == _ANEW or not parts:
            parts.append([])
        parts[-1].append(clause)
    return parts


def _corrected(clauses: Sequence[Clause], before: Sequence[o.Order]) -> list[Clause]:
    """What stands behind a correction: `not the circle, the boots`, `rather Kurull` with the verb
    of what it corrects.
    """
    at = next((i for i, x in enumerate(clauses) if not _explains(x)), 0)
    clauses = clauses[at:]
    first = replace(clauses[0], cue="", lexemes=[x for x in clauses[0].lexemes if not _softens(x)])
    told = [first, *clauses[1:]]
    kinds = [{x.kind for x in solid(one.lexemes)} for one in told]
    if len(told) > 1 and len(kinds[0] - {"NOT"}) == 1 and "NOT" in kinds[0] and kinds[1] <= _THINGS:
        told, kinds = told[1:], kinds[1:]
    verb = _VERB_OF.get(type(before[-1]), "") if before else ""
    if verb and kinds[0] and kinds[0] <= _THINGS:
        lexemes = told[0].lexemes
        word = Lexeme(verb, verb.lower(), lexemes[0].start, lexemes[0].start)
        told[0] = replace(told[0], lexemes=[word, *lexemes])
    return told


def _softens(lexeme: Lexeme) -> bool:
    return lexeme.kind in {"HESITATION", "THEN"} or lexeme.text in {"rather", "better", "though"}


def _explains(clause: Clause) -> bool:
    """`Stop, I overlooked the banners, I stay`: why something is corrected."""
    kinds = {x.kind for x in clause.lexemes}
    led = clause.lexemes[:1] and clause.lexemes[0].text.split()[0] in {"i", "it", "that", "there"}
    return bool(led) and "COMMON" in kinds and not kinds & (VERBS | CONDITIONAL.keys() | {"NOT"})


def _may_do(clause: Clause) -> bool:
    """Whether a word that nobody knows may say what is done with what is named behind it: `bin the
    swords`.
    """
    said = [x for x in solid(clause.lexemes) if x.kind not in {"TO", "ARE"}]
    kinds = {x.kind for x in said}
    first = next((i for i, x in enumerate(said) if x.kind in FACES.keys() | {"REST"}), 0)
    return bool(first) and said[first - 1].kind in _TALK and not kinds & (VERBS | {"AGAIN"})


def _named(lexeme: Lexeme) -> Lexeme:
    """A land or card with letters wrong."""
    if lexeme.kind != "WORD":
        return lexeme
    begun = begun_by(lexeme.text)
    if begun is not None:
        return replace(lexeme, kind=begun[0], text=begun[1])
    for kind, names in (("LAND", lands_by_name()), ("CARD", cards_by_name())):
        found = slip_of(lexeme.text, names)
        if len(found) == 1:
            name = next(name for name, key in names.items() if key in found)
            return replace(lexeme, kind=kind, text=name)
    return lexeme
