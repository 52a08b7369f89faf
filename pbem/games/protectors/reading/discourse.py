"""What the sentences of a message do to the orders in the others: the layer above single clauses.

Where something was said that came to no order, the words in it tell whether it may reach one that
was read: a word that speaks of what was said before (`forget it`, `the other way round`), a piece
of an order that found none, a province that was given one, words of a language that is not known.
What it may reach is asked about. In doubt the larger reach.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.protectors.reading.clauses import Clause, Sentence
from pbem.games.protectors.reading.drafts import DIALECT
from pbem.games.protectors.reading.entries import Entry, provinces_lost
from pbem.games.protectors.reading.excepting import subject_of
from pbem.games.protectors.reading.sharing import spreads
from pbem.grammar.kit.discourse import Cue, cues_in, is_english
from pbem.grammar.kit.lexemes import Lexeme

_HARMLESS = frozenset({"FILLER", "PROSE", "WORD"})
_TERMS = frozenset({"SAC", "GOLD", "DELAY", "HALF", "EXCEPT", "THEM", "MINUS", "RANGE"})
"""What changes an order beside which it stands."""
_SOLID = _TERMS | {"NUM", "UNITS", "NOTHING", "TURN", "ALL", "ELSE", "BOTH"}
_NAMES = {"FACTIONNAME": "FACTION", "ABILITY": "TAKE"}
_ALIKE = (
    {"SEND", "GIVE", "UNSEND"},
    {"MARCH", "ATTACK"},
    {"BID", "NOBID"},
    {"TAKE", "REFRESH"},
    {"COMMIT", "HIDDEN", "NOTHINGTOSEE"},
)


@dataclass(slots=True)
class _Target:
    """What words speak of: provinces (`subjects`: something is to be done in or from them),
    players, kinds of orders.
    """

    subjects: set[int]
    places: set[int]
    players: set[int]
    kinds: set[str]

    @property
    def empty(self) -> bool:
        return not (self.places or self.players or self.kinds)


@dataclass(slots=True)
class Told:
    """What a message says: its sentences, and the entries they came to."""

    entries: list[Entry]
    sentences: Sequence[Sentence]
    cues: Sequence[Cue]
    me: int
    corrected: bool
    cut: bool
    slips: list[str]

    def weigh(self) -> None:
        """Ask about the entries that something else in the message may have changed."""
        at = 0
        for sentence in self.sentences:
            line, start, end = _span(sentence)
            while at < len(self.cues) and self.cues[at].start < start:
                if self.cues[at].reach == "BACK":  # nothing else is said there
                    _ask(entry for entry in self.entries if entry.line < line)
                at += 1
            last = at
            while last < len(self.cues) and self.cues[last].start < end:
                last += 1
            _weigh_sentence(sentence, self.cues[at:last], self.entries, line, self.me)
            at = last

    def weigh_refused(self, refused: Mapping[int, str], second: Sequence[Entry]) -> bool:
        """The same where the position refuses what was said, or an order was given twice; False if
        that changes nothing.
        """
        asked = sum(entry.draft is None for entry in self.entries)
        clauses = {
            clause.start: clause for sentence in self.sentences for clause in sentence.clauses
        }
        clauses |= {clause.end: clause for clause in clauses.values()}
        for at in refused.keys() & clauses.keys():
            clauses[at].outcome = refused[at]
        if refused:
            self.weigh()
        for entry in second:
            clause = clauses.get(entry.start)
            if clause is None:
                continue
            target = _target_of(clause, self.me)
            same = [
                other
                for other in self.entries
                if other.start <= entry.start and _hits(other, target, widely=False)
            ]
            if same and any(cue.start >= same[0].end for cue in self.cues):
                _ask([*same, entry])
        return sum(entry.draft is None for entry in self.entries) > asked


def find_cues(text: str, lexemes: Sequence[Lexeme]) -> Sequence[Cue]:
    """The words of a folded text that speak of what was said before, in order."""
    return tuple(cues_in(_without_phrases(text, lexemes)))


def _span(sentence: Sentence) -> tuple[int, int, int]:
    return (
        sentence.clauses[0].line,
        min(clause.start for clause in sentence.clauses),
        max(clause.end for clause in sentence.clauses),
    )


def _without_phrases(text: str, lexemes: Sequence[Lexeme]) -> str:
    """The text with the phrases blanked that are known to be harmless."""
    characters = list(text)
    for lexeme in lexemes:
        if lexeme.kind == "WHO" or (lexeme.kind in _HARMLESS and " " in lexeme.text):
            characters[lexeme.start : lexeme.end] = " " * (lexeme.end - lexeme.start)
    return "".join(characters)


def _weigh_sentence(
    sentence: Sentence, cues: Sequence[Cue], entries: Sequence[Entry], line: int, me: int
) -> None:
    open_clauses = [clause for clause in sentence.clauses if clause.outcome != "taken"]
    if not open_clauses:
        return
    own = [entry for entry in entries if entry.line == line and entry.draft is not None]
    before = [entry for entry in entries if entry.line < line and entry.draft is not None]
    taken = [(clause.start, clause.end) for clause in sentence.clauses if clause.outcome == "taken"]
    for clause in open_clauses:
        said = [cue.reach for cue in cues if not any(a <= cue.start < b for a, b in taken)]
        earlier = before + [
            entry for entry in own if entry.start < clause.start and entry.end != clause.end
        ]
        if clause.verdict != "question" or not sentence.asked:
            _weigh_clause(clause, said, earlier, entries, me)
        if own and clause.outcome == "silent":
            if _is_foreign(clause):
                _ask(own)
            elif clause.verdict == "order" and clause.has(*_TERMS):
                _ask(earlier[-1:] or own[:1])


def _weigh_clause(
    clause: Clause, said: Sequence[str], earlier: Sequence[Entry], entries: Sequence[Entry], me: int
) -> None:
    target = _target_of(clause, me)
    said_all = [*clause.lexemes, *clause.dropped]
    if "WHOLE" in said:
        _ask(entries)
        return
    nearest = max((entry.line for entry in earlier if entry.line < clause.line), default=0)
    hit = [entry for entry in earlier if _hits(entry, target, widely=bool(said))]
    if "BACK" in said:
        _ask(hit or earlier)
    elif "SOFT" in said or clause.has("TURN", "OR"):
        touches = not target.empty or any(lexeme.kind in _SOLID for lexeme in said_all)
        meaning = clause.meaning()
        touches |= {lexeme.kind for lexeme in meaning} == {"NEG"}
        touches |= [lexeme.kind for lexeme in meaning] == ["NEG", "WORD"] and meaning[
            0
        ].text == "no"
        denies_other = clause.verdict == "negation" and not target.empty
        if hit or (touches and not denies_other and not target.places and not target.players):
            _ask(hit or [entry for entry in earlier if entry.line >= nearest])
    elif clause.outcome == "asked" or (clause.outcome == "refused" and clause.joined == "but"):
        kinds = [lexeme.kind for lexeme in clause.meaning()]
        fragment = not target.kinds and (
            not target.places or kinds[0] in {"FROM", "TO", "IN", "ARROW"}
        )
        if fragment and set(kinds) != {"GOLD"}:
            _ask(earlier[-1:])
        elif clause.verdict == "order":
            _ask(hit)


def _hits(entry: Entry, target: _Target, *, widely: bool) -> bool:
    draft = entry.draft
    if draft is None:
        return bool(target.places & set(entry.lost))
    places = {place.value for place in (*subject_of(draft), *draft.places)}
    if widely:
        places |= {
            place.value for place in (draft.target, draft.dash, draft.at) if place is not None
        }
    if spreads(draft) and target.subjects - {place.value for place in draft.excepted}:
        return True
    if target.places or target.players:
        who = {one.value for one in (draft.who, draft.lender) if one is not None}
        return bool(places & target.places) or bool(who & target.players)
    kind = draft.kind or (_NAMES[draft.ability.kind] if draft.ability is not None else "")
    return any(kind in kinds for kinds in _families(target.kinds))


def _families(kinds: Iterable[str]) -> Iterator[set[str]]:
    for kind in kinds:
        yield next((family for family in _ALIKE if kind in family), {kind})


def _target_of(clause: Clause, me: int) -> _Target:
    lexemes = [*clause.lexemes, *clause.dropped]
    return _Target(
        set(provinces_lost(clause.meaning())),
        {lexeme.value for lexeme in lexemes if lexeme.kind == "PLACE" and lexeme.value is not None},
        {
            lexeme.value
            for lexeme in lexemes
            if lexeme.kind == "WHO" and lexeme.value is not None and lexeme.value != me
        },
        {
            _NAMES.get(lexeme.kind, lexeme.kind)
            for lexeme in lexemes
            if lexeme.kind in DIALECT.verbs or lexeme.kind in _NAMES
        },
    )


def _is_foreign(clause: Clause) -> bool:
    """Whether half of the words of a clause are none of ours and no common English ones; one word
    alone is a greeting.
    """
    words = [lexeme for lexeme in (*clause.lexemes, *clause.dropped) if lexeme.text[0].isalpha()]
    unknown = [lexeme for lexeme in words if lexeme.kind == "WORD" and not is_english(lexeme.text)]
    return len(unknown) * 2 >= len(words) and len(words) > 1 and bool(unknown)


def _ask(entries: Iterable[Entry]) -> None:
    for entry in entries:
        if entry.draft is not None:
            entry.lost = (
                *entry.lost,
                *(place.value for place in subject_of(entry.draft) if place.value is not None),
            )
            entry.draft, entry.trouble, entry.at, entry.suggests = None, "unread", None, False
