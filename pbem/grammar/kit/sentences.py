"""A text into sentences and clauses, with their spans: the spans of the sentences partition it.

What ends a line or a sentence elsewhere may hold an order together (`Guard! P4`, `P1: work`,
`1. P1 works`, a wrapped line); a comma, `and` or a cue parts clauses.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from msgspec import Struct

from pbem.grammar.kit.discourse import CUES
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain

ENDS = frozenset({"NL", "DOT", "SEMI", "ASK", "BANG"})
PARTED = ENDS | {"COMMA", "COLON", "DASH", "LPAR", "RPAR", "AND", "BUT"}
"""What ends a sentence or parts it."""
_JOINTS = frozenset({"COMMA", "AND", "BUT", "SLASH", "LPAR", "RPAR", "DASH"})
_OPEN = frozenset({"COMMA", "AND", "TO", "FROM", "IN", "ARROW", "BUT", "COLON"})
_PARTS = frozenset({"PLACE", "NUM", "ALL", "ELSE", "BOTH", "IN", "FROM", "TO", "FOR", "WHO"})
_LED = 40
"""The most words before a colon that say what it introduces."""
_BRACKET = 8
"""The most lexemes in brackets."""
_HANGING = frozenset({"should", "shall", "will", "must", "to"})
_ORDINARY = frozenset({"WORD", "COMMON", "FILLER", "OTHER", "PROSE", "WITH", "HOURS"})
"""A letter of another kind is a word of the game."""
_SHORT = 2
"""An order word of this many letters is written short, with a dot behind it."""
_WRAPPED = 55
"""From this length on a line may have been broken by the mail program."""


class Clause(Struct):
    """Lexemes between two joints; `joint` is the kind of the one before, `cue` the one it begins
    with (or has).
    """

    joint: str
    lexemes: list[Lexeme] = []
    cue: str = ""
    at: Lexeme | None = None
    """The lexeme of the cue."""
    mark: Lexeme | None = None
    """A list mark ahead of it that may be a word: `2. march from P1` without a `1.`, `g) march`."""


class Sentence(Struct):
    """`start` to `end` with what ended it (`ended`); `heads`: a heading of the lines below it."""

    start: int
    clauses: list[Clause] = []
    end: int = 0
    ended: str = ""
    heads: bool = False

    @property
    def lexemes(self) -> list[Lexeme]:
        return [lexeme for clause in self.clauses for lexeme in clause.lexemes]


@dataclass(slots=True)
class _Cutter:
    """Goes once over the lexemes."""

    plain: Plain
    lexemes: Sequence[Lexeme]
    verbs: frozenset[str]
    flags: frozenset[str]
    opens: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    done: list[Sentence] = field(default_factory=list)
    sentence: Sentence = field(default_factory=lambda: Sentence(0))
    clause: Clause = field(default_factory=lambda: Clause(""))
    line: int = 0
    opened: bool = False
    """A line `Guard:` was; provinces may stand below it."""
    number: int = 0
    letter: str = ""
    """The last marks of the list, `1.` or `a)`."""
    is_list: bool = False
    """Whether that letter was one."""

    def cut(self) -> list[Sentence]:
        lexemes = self.lexemes
        skip: set[int] = set()
        for i, lexeme in enumerate(lexemes):
            if i in skip:
                continue
            before = lexemes[i - 1].kind if i else "NL"
            after = lexemes[i + 1].kind if i + 1 < len(lexemes) else "NL"
            if before == "NL":
                self.line = lexeme.start
                number = self._list_number(i)
                if number:
                    skip.update(range(i, i + number))
                    continue
            if self._marks_item(i, after):
                self._part("COMMA")
                skip.add(i + 1)
                continue
            self._take(i, lexeme, before, after)
        self._close("", len(self.plain.text))
        if self.done:
            self.done[-1].end = len(self.plain.text)
        return self.done

    def _list_number(self, i: int) -> int:
        """How many lexemes number a line: `1.`, `(a)`, `b)`, a bullet."""
        kinds = [lexeme.kind for lexeme in self.lexemes[i : i + 3]]
        first = self.lexemes[i]
        if first.kind in {"DASH", "AND"} and first.text in {"-", "~", "+"}:
            return 1 + (self._list_number(i + 1) if kinds[1:2] == ["LPAR"] else 0)
        inner = 1 if first.kind == "LPAR" else 0
        if len(kinds) > inner + 1 and kinds[inner + 1] in {"DOT", "RPAR"}:
            mark, dotted = self.lexemes[i + inner], kinds[inner + 1] == "DOT"
            if self._marks(mark, dotted=dotted):
                return inner + 2
        return 0

    def _marks(self, mark: Lexeme, *, dotted: bool) -> bool:
        """Whether it marks a part of a list. What is not the next mark of one may be a word, which
        the clause keeps; a letter of the game with a dot is that word: `g. March`.
        """
        if mark.kind == "NUM":
            value, last, self.number = mark.value or 0, self.number, mark.value or 0
            self.clause.mark = mark if value > 1 and not 0 < last < value else None
            return True
        text = mark.text
        if len(text) != 1 or not text.isalpha():
            return False
        last_letter, self.letter = self.letter, text
        is_next = last_letter != "" and ord(text) == ord(last_letter) + 1
        listed = text == "a" or (is_next and self.is_list)
        is_word = mark.kind not in _ORDINARY and not listed
        self.is_list = not is_word
        if is_word and dotted and not is_next:
            return False
        self.clause.mark = mark if is_word else None
        return True

    def _is_short(self) -> bool:
        """`g. March`, `f. P1`: what ends with a dot is a word that is written short."""
        if self.sentence.clauses or len(self.clause.lexemes) != 1:
            return False
        word = self.clause.lexemes[0]
        short = word.kind in self.verbs and len(word.text) <= _SHORT
        return (word.kind in self.flags or short) and not self.clause.cue

    def _marks_item(self, i: int, after: str) -> bool:
        """`a) P1 works b) P2 works`: a letter in a line that numbers what follows."""
        if after != "RPAR" or not self.clause.lexemes:
            return False
        if any(x.kind == "LPAR" for x in self.lexemes[max(i - _BRACKET, 0) : i]):
            return False
        mark = self.lexemes[i]
        return mark.kind != "NUM" and self._marks(mark, dotted=False)

    def _take(  # noqa: C901 - one case a sign
        self, i: int, lexeme: Lexeme, before: str, after: str
    ) -> None:
        kind, said = lexeme.kind, self.clause.lexemes
        match kind:
            case "NL":
                self._line_end(i, lexeme, before)
            case "DOT" | "SEMI" | "ASK":
                bare = self._only_place() and not self.clause.cue
                if kind == "DOT" and ((bare and after in self.verbs) or self._is_short()):
                    return
                self._close(kind, lexeme.end)
            case "BANG":
                places = any(other.kind == "PLACE" for other in said)
                led = after in {"FOR", "IN"}  # `Guard! in P4`, and not `The Bank! at long last`
                talks = [x.kind for x in self.lexemes[i + 2 : i + 3]] == ["COMMON"]
                inside = (after in {"NUM", "ALL"} and not talks) or (
                    (after in {"PLACE", "WHO", "WORD"} or (led and not talks)) and not places
                )
                first = i < 2 or self.lexemes[i - 2].kind == "NL"
                flag = (
                    before in self.flags
                    and after in self.verbs | self.flags | {"NUM", "PLACE"}
                    and first
                )
                if not (before in self.verbs and inside) and not flag:
                    self._close(kind, lexeme.end)
            case "COLON":
                held = before in self.verbs or before in {"PLACE", "ALL", "ELSE", "BOTH"}
                held = held or (before == "WHO" and len(said) == 1)
                held = held or before in self.flags | self.heads | {"NUM"}
                held = held and all(
                    x.kind != "STATEMENT" for x in said[:_LED]
                )  # `I know them all: ...`
                if after == "NL":
                    self.opened = before in self.verbs and len(said) == 1
                    self.sentence.heads = not self.opened and not self._only_place()
                elif not held and said:
                    self._part("COLON")
            case "BAR":
                pass
            case "DASH" if before == "PLACE" and after in {"PLACE", "NUM"}:
                said.append(lexeme)
            case "DASH" if before in {"PLACE", "ALL"} and (after in self.verbs | self.flags):
                pass
            case "ARROW" if before in {"PLACE", "ALL"} and after in self.verbs | self.flags:
                pass  # `P1 -> guard`
            case "DASH" if before in self.verbs and after == "NUM":
                pass  # `bid - 17`
            case "LPAR" if self._bracketed_number(i):
                pass
            case "RPAR" if before == "NUM" and self._bracketed_number(i - 2):
                pass
            case "AND" if lexeme.text == "+" and after == "NUM" and before == "PLACE":
                pass
            case "AND" if before in self.flags and after in self.flags:
                pass
            case "BUT" if before in {"ALL", "NOTHING"} and after in {"PLACE", "NUM"}:
                said.append(Lexeme("EXCEPT", lexeme.text, lexeme.start, lexeme.end))
            case _ if kind in _JOINTS:
                if said or kind != "COMMA" or not self.clause.cue:
                    self._part(kind)
            case _ if kind in CUES:
                if kind == "INSTEAD" and said:
                    self.clause.cue, self.clause.at = self.clause.cue or "instead", lexeme
                else:
                    self._part(self.clause.joint if not said else "CUE", CUES[kind], lexeme)
            case _:
                said.append(lexeme)

    def _only_place(self) -> bool:
        said = [lexeme for lexeme in self.clause.lexemes if lexeme.kind != "FILLER"]
        return not self.sentence.clauses and [lexeme.kind for lexeme in said] == ["PLACE"]

    def _bracketed_number(self, i: int) -> bool:
        kinds = [lexeme.kind for lexeme in self.lexemes[max(i, 0) : i + 3]]
        return i >= 0 and kinds == ["LPAR", "NUM", "RPAR"]

    def _line_end(self, i: int, lexeme: Lexeme, before: str) -> None:
        following = self.lexemes[i + 1] if i + 1 < len(self.lexemes) else None
        if following is None or following.kind == "NL":
            self._close("PARA", lexeme.end)
            self.opened = False
            return
        if before == "COLON" and self._only_place():
            row = [x.kind for x in self.lexemes[i + 1 : i + 4]]
            if row[:2] != ["PLACE", "COLON"] or row[2:] in ([], ["NL"]):
                return
            self.sentence.heads = True  # `P2:`, a row left empty above `P3: work`
        if self._only_place() and self._heads_line(i + 1):
            return
        if self.opened:
            kinds = set()
            for other in self.lexemes[i + 1 :]:
                if other.kind == "NL":
                    break
                kinds.add(other.kind)
            if "PLACE" in kinds and kinds <= {"PLACE", "COMMA", "AND", "DASH", "FILLER"}:
                if before != "COLON":
                    self._part("COMMA")
                return
            self.opened = False
            self.sentence.heads = before == "COLON"
        behind = self.lexemes[i + 2].kind if i + 2 < len(self.lexemes) else "NL"
        goes_on = behind not in _PARTS and self._waits_for(following)
        line = [x.kind for x in self.lexemes[i + 1 : i + _BRACKET]]
        line = line[: line.index("NL")] if "NL" in line else line
        parts = {"PLACE", "NUM", "TO", "ARROW"} | self.verbs
        leads_on = sum(kind in parts for kind in line) > 1
        wraps = goes_on or self._is_wrapped(lexeme, before, following, leads_on=leads_on)
        if before not in ENDS and before != "COLON" and wraps:
            return
        self._close("NL", lexeme.end)

    def _heads_line(self, i: int) -> bool:
        """`P1` above `- Guard`: what the line orders is for the place above it. A line that names
        a place itself stands alone, and so does one below a list of places.
        """
        if self._is_listed():
            return False
        line = [x.kind for x in takewhile(_is_in_line, self.lexemes[i : i + _LED])]
        if line[:1] == ["DASH"]:
            del line[0]
        return bool(line) and line[0] in self.verbs | self.flags and "PLACE" not in line

    def _is_listed(self) -> bool:
        """Whether the line before names a place alone."""
        last = self.done[-1] if self.done else None
        if last is None or last.ended != "NL":
            return False
        return [x.kind for x in last.lexemes] == ["PLACE"]

    def _waits_for(self, following: Lexeme) -> bool:
        """`my army in P1` / `work this turn`: a place without an order word, and one without a
        place; not below a list of places.
        """
        if self._only_place() and self._is_listed():
            return False
        small = self.plain.original[self.plain.where[following.start]].islower()
        said = {x.kind for x in self.clause.lexemes} | {x.kind for x in self.sentence.lexemes}
        here = self.clause.lexemes
        hangs = bool(here) and here[-1].text in _HANGING  # `and P5 should` / `work`
        said = {x.kind for x in here} if hangs else said
        waits = "PLACE" in said and not said & (self.verbs | {"NUM"})
        return small and waits and following.kind in self.verbs

    def _is_wrapped(self, end: Lexeme, before: str, following: Lexeme, *, leads_on: bool) -> bool:
        """Whether a line continues: it hangs in the air, or is long and the next begins small;
        `leads_on`: the next line speaks of more than a place.
        """
        small = self.plain.original[self.plain.where[following.start]].islower()
        if before in self.opens or (before in _OPEN and before != "COMMA"):
            return True
        if before == "NUM" and following.kind == "MONEY":
            return True  # `send 15` / `$Realm to Anna`
        said = {lexeme.kind for lexeme in self.clause.lexemes}
        if following.kind == "FROM" and said & self.verbs and "FROM" not in said:
            if "PLACE" not in said or not leads_on:
                return True  # `march 2` / `from P2 to P3`, `support Ben in P6` / `from P5.`
        line = " ".join(self.plain.text[self.line : end.start].split())
        wide = not self.opens and len(line) >= _WRAPPED
        long = wide or before == "COMMA"
        if not long or not small:
            return False
        if following.kind in self.verbs:
            return "PLACE" in said and not said & self.verbs
        return following.kind not in {"PLACE", "NUM", "DASH", "LPAR"}

    def _part(self, joint: str, cue: str = "", at: Lexeme | None = None) -> None:
        if self.clause.lexemes or self.clause.cue:
            self.sentence.clauses.append(self.clause)
        elif not cue and self.clause.joint in {"AND", "BUT"}:
            joint = self.clause.joint
        self.clause = Clause(joint, cue=cue, at=at)

    def _close(self, ended: str, end: int) -> None:
        self._part("")
        self.clause = Clause("")
        if self.sentence.clauses:
            self.sentence.end, self.sentence.ended = end, ended
            self.done.append(self.sentence)
            self.sentence = Sentence(end)
        elif ended == "PARA" and self.done:
            self.done[-1].ended, self.done[-1].end = ended, end
            self.sentence = Sentence(end)
        elif ended == "ASK" and self.done:
            last = self.done[-1]
            last.ended = ended if last.ended == "BANG" else last.ended  # `guard P1!?`
            last.end = end
            self.sentence = Sentence(end)


def _is_in_line(lexeme: Lexeme) -> bool:
    return lexeme.kind != "NL"


def sentences_of(
    plain: Plain,
    lexemes: Sequence[Lexeme],
    verbs: frozenset[str],
    flags: frozenset[str],
    opens: frozenset[str] = frozenset(),
    heads: frozenset[str] = frozenset(),
) -> list[Sentence]:
    """The sentences of a text; `verbs` and `flags` are kinds of words of the game, `opens` those
    behind which a sentence continues in the next line, however long that is. A colon parts none of
    the `heads` from what stands behind it.
    """
    return _Cutter(plain, lexemes, verbs, flags, opens, heads).cut()
