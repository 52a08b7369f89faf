"""Clauses put together: what a clause lacks it takes from its neighbours, and what corrects an
earlier one replaces it.

`fortify P1, P2 and P3`, `P1 and P2 work`, `2 from P6 (sac 2), 1 from P7`, `march 1 from P2 to P3,
no wait, P1 instead`.
"""

from dataclasses import dataclass, field, replace
from itertools import pairwise

from pbem.games.protectors.reading.clauses import Clause, Sentence
from pbem.games.protectors.reading.drafts import DIALECT, Draft, draft_of, may_name, merge
from pbem.games.protectors.reading.entries import Entry, list_before, provinces_lost
from pbem.games.protectors.reading.excepting import (
    cancels_told,
    deny,
    goes_on,
    leave_out,
    replace_part,
    stays_and,
    subject_of,
)
from pbem.games.protectors.reading.likeness import (
    begins_with_place,
    could_be_each,
    is_bare_answer,
    is_list_for,
    is_plain_order,
    looks_like_order,
)
from pbem.games.protectors.reading.sharing import (
    SHARED_ROLES,
    SPREADING,
    gapped,
    is_about_the_same,
    lists_provinces,
    missing_roles,
    spreads,
    takes_modifier,
)
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.parsing import Misfit, parse_clause

_MODIFIERS = ("golden", "delayed", "sacrifice")
_TAKES_PLAYER = frozenset({"SUPPORT", "SEND", "GIVE", "SNITCH"})
_ALSO = frozenset(
    {
        "also",
        "too",
        "as well",
        "in addition",
        "additionally",
        "another",
        "additional",
        "extra",
        "on top of that",
    }
)
_RECENT = 4
"""So many entries at the end are looked at for what a clause did."""
_TAKING_BACK = ("scratch", "strike", "scrap", "forget", "cancel", "delete", "ignore")


@dataclass(slots=True)
class Composer:
    """Reads clause after clause of one message into entries. `me` is the writer's number."""

    game: str
    me: int
    entries: list[Entry] = field(default_factory=list)
    corrected: bool = False
    _waiting: list[tuple[Clause, Draft]] = field(default_factory=list)
    _carried: str = ""
    _takes_back: bool = False
    _heading: Lexeme | None = None
    _line: int = 0
    _ahead: tuple[Clause, Draft] | None = None
    _reading: Clause | None = None
    _known: object = None
    _carriers: list[Clause] = field(default_factory=list)

    # ----------------------------------------------------------------------------------- a sentence
    def read(self, sentence: Sentence, following: Sentence | None) -> None:
        """Take in a judged sentence; `following` is looked at only to tell a heading from an
        order.
        """
        clauses = sentence.clauses
        self._line = clauses[0].line
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            self._waiting.append(ahead)
        # what follows a clause that was not read, with nothing between, is not read either
        failed = False
        for i, clause in enumerate(clauses):
            self._weigh_up()
            self._reading = clause
            if clause.verdict != "order":
                self._refuse(clause)
                continue
            if clause.correction == "scratch":
                self.entries.clear()
                self.corrected = True
            if clause.correction or self._carried:
                self._carried = max(
                    clause.correction, self._carried, key=("", "soft", "scratch", "hard").index
                )
            lexemes = clause.meaning()
            if not lexemes:
                self._take_back(clause)
                continue
            parsed = parse_clause(self.game, lexemes)
            failed = failed and clause.joined == "verb"
            if isinstance(parsed, Misfit) or failed:
                self._unread(clause, parsed.at if isinstance(parsed, Misfit) else None)
                failed = True
                continue
            draft = draft_of(parsed)
            failed = bool(draft.unknown) and not may_name(draft)
            if clause.after_reason and not is_plain_order(clause, draft):
                continue
            self._place(
                clause, draft, clauses[i + 1 :], following if i == len(clauses) - 1 else None
            )
        self._weigh_up()
        self._flush()
        self._weigh_up()

    def _weigh_up(self) -> None:
        """Note what came of the clause read last."""
        now = (
            len(self.entries),
            len(self._waiting),
            self._heading,
            self._ahead,
            [
                (id(entry.draft), entry.trouble, entry.end, entry.draft and entry.draft.sacrifice)
                for entry in self.entries[-_RECENT:]
            ],
        )
        if self._reading is not None and self._reading.correction:
            self._carriers.append(self._reading)
        if self._reading is not None and now != self._known:
            asked = self.entries and self.entries[-1].draft is None and not self._waiting
            self._reading.outcome = "asked" if asked else "taken"
        self._reading, self._known = None, now

    def finish(self) -> None:
        """The end of the message: `scratch that` with nothing after it takes the last order
        back.
        """
        self._heading = None
        if self._takes_back and self._carried and self.entries:
            self.entries.pop()
            self.corrected = True
            self._settle_carriers()

    def _settle_carriers(self) -> None:
        """The words of correction before what they corrected have done what they could."""
        for clause in self._carriers:
            clause.outcome = "taken"
        self._carriers.clear()

    def _refuse(self, clause: Clause) -> None:
        """A clause that conduct does not let pass: silence for talk and reasons, else an item if it
        looks like an order.
        """
        if clause.verdict == "talk" and [lexeme.kind for lexeme in clause.meaning()] == [
            "PLACE",
            "STATEMENT",
        ]:
            self.entries.append(
                Entry(
                    clause.start, clause.end, clause.line, trouble="unread", at=clause.meaning()[1]
                )
            )  # `P1 fortified`
        if clause.verdict == "retraction":
            for entry in self.entries:
                if entry.line == self.entries[-1].line:
                    entry.draft, entry.trouble, entry.suggests, entry.end = (
                        None,
                        "unread",
                        False,
                        max(entry.end, clause.end),
                    )
        if clause.verdict == "talk" and _speaks_of_own_order(clause):
            self.entries.append(
                Entry(clause.start, clause.end, clause.line, trouble="unread", suggests=False)
            )
            return
        if clause.verdict in {"talk", "reason", "retraction"}:
            return
        if clause.verdict == "negation":
            rest = [lexeme for lexeme in clause.meaning() if lexeme.kind != "NEG"]
            parsed = parse_clause(self.game, rest) if rest else Misfit(None)
            if not isinstance(parsed, Misfit) and deny(
                self.entries, clause.line, draft_of(parsed), clause.end
            ):
                return
            last = self._last_of_line()
            if {lexeme.kind for lexeme in rest} == {"SAC"} and last is not None and last.draft:
                last.draft.sacrifice, last.end = (), clause.end  # `but don't sac`
                return
        if not looks_like_order(clause):
            return
        last = self.entries[-1] if self.entries else None
        if last is not None and last.trouble == clause.verdict and last.line == clause.line:
            last.end, last.lost = clause.end, (*last.lost, *provinces_lost(clause.meaning()))
            return
        caret = next(
            (
                lexeme
                for lexeme in clause.lexemes
                if lexeme.kind in {"COND", "NEG", "HEDGE", "OR", "ASKING", "STATEMENT"}
            ),
            None,
        )
        self.entries.append(
            Entry(
                clause.start,
                clause.end,
                clause.line,
                trouble=clause.verdict,
                at=caret,
                suggests=False,
                from_question=clause.verdict == "question",
                lost=() if clause.verdict == "question" else provinces_lost(clause.meaning()),
            )
        )

    def _unread(self, clause: Clause, at: Lexeme | None) -> None:
        if looks_like_order(clause) and not clause.after_reason:
            unknown = next((lexeme for lexeme in clause.lexemes if lexeme.kind == "WORD"), None)
            lost = provinces_lost(clause.meaning())
            self.entries.append(
                Entry(
                    clause.start,
                    clause.end,
                    clause.line,
                    trouble="unread",
                    at=at or unknown,
                    lost=lost,
                )
            )

    def _take_back(self, clause: Clause) -> None:
        """Nothing but a word of correction: it counts for what comes next, and `scratch that` alone
        takes the last back.
        """
        if clause.correction == "hard" and any(
            lexeme.text.startswith(_TAKING_BACK) for lexeme in clause.dropped
        ):
            self._takes_back = True

    # ------------------------------------------------------------------------------ placing a draft
    def _place(
        self, clause: Clause, draft: Draft, later: list[Clause], following: Sentence | None
    ) -> None:
        hanging = clause.joined == "but" and not self.entries and not self._waiting
        if draft.verb is None and (draft.unknown or hanging):
            self._unread(clause, next(iter(draft.unknown), None))  # `but 2 in P1`
            return
        if draft.is_only("who") and draft.who is not None and draft.who.value == self.me:
            return
        also = next(
            (
                lexeme
                for lexeme in clause.lexemes
                if lexeme.text in _ALSO or (lexeme.kind == "BUY" and lexeme.text.startswith("add"))
            ),
            None,
        )
        if also is not None and draft.kind in {"BUY", ""}:
            draft.marks["ALSO"] = also
        if self._carried and self._correct(clause, draft):
            self._carried = ""
            self._settle_carriers()
            return
        self._carried = ""
        self._carriers.clear()
        if draft.verb is not None:
            self._with_verb(clause, draft, following)
        else:
            self._without_verb(clause, draft, later, following)

    def _with_verb(self, clause: Clause, draft: Draft, following: Sentence | None) -> None:
        if "WHICH" in draft.marks and not draft.places:
            last = self._last_of_line()
            if last is not None and last.draft is not None and last.draft.excepted:
                draft.before = list(last.draft.excepted)
                if (
                    len(draft.before) > 1
                    and draft.verb is not None
                    and draft.verb.text.endswith("s")
                ):
                    self._unread(clause, draft.verb)  # `except P1 and P2, which works`
                    return
        if (
            following is not None
            and draft.said() <= {"verb", "golden"}
            and draft.kind not in {"FINAL", "SAME"}
            and is_list_for(following)
        ):
            self._heading = draft.verb
            return
        self._heading = None
        unsure = (
            bool(self.entries)
            and self.entries[-1].line == self._line
            and self.entries[-1].draft is None
        )
        if draft.kind == "HOLD" and not draft.said() - {"verb"} and unsure:
            self._unread(clause, draft.verb)
            return
        if cancels_told(self.entries, draft):
            self._unread(clause, draft.verb)  # the order of this message, or of one before?
            return
        if clause.joined in {"and", "comma", "verb"} and stays_and(
            self._last_of_line(), draft, clause.end
        ):
            return
        if clause.joined == "but" or any(other.joined == "but" for other, _ in self._waiting):
            leave_out(
                self._last_of_line(),
                [
                    *subject_of(draft),
                    *(place for _, pending in self._waiting for place in pending.before),
                ],
            )
        waiting, self._waiting = self._waiting, []
        for other, pending in waiting:
            if pending.is_only(*_MODIFIERS) or (pending.is_only("excepted") and spreads(draft)):
                draft = merge(draft, pending, corrects=False)
            elif (
                draft.kind in SPREADING | {"MARCH", "BUY", "COMMIT", "SUPPORT"}
                and (draft.before or not (draft.after or draft.at or draft.origin))
                and pending.is_only("place")
            ):
                shared = draft.copy()
                shared.before = list(pending.before)
                self._enter(other, shared)
            else:
                completed = merge(draft, pending, corrects=False)
                if draft.said() & pending.said() or completed.surplus is not None:
                    self._unread(other, None)
                else:
                    draft = completed
        if (
            waiting
            and any(pending.is_only("place") for _, pending in waiting)
            and not draft.places
            and not draft.origin
            and draft.kind in SPREADING
        ):
            return
        self._enter(clause, draft)

    def _without_verb(
        self, clause: Clause, draft: Draft, later: list[Clause], following: Sentence | None
    ) -> None:
        last = self._last_of_line()
        if (
            draft.said() == {"place", "quantity"}
            and draft.quantity is not None
            and draft.quantity.kind in {"BOTH", "ALL"}
            and draft.quantity.start < draft.places[0].start
        ):
            draft.quantity = None  # `both P1 and P2 work`
        if self._heading is not None and clause.joined != "paren":
            headed = draft.copy()
            headed.verb = self._heading
            headed.after, headed.before = [*draft.before, *draft.after], []
            self._enter(clause, headed)
            return
        if "DRAGON" in draft.marks and draft.is_only("marks"):
            return
        if draft.is_only("excepted"):
            self._except(clause, draft, last, later)
            return
        if (
            clause.joined == "and"
            and draft.is_only("place")
            and self._waiting
            and self._waiting[-1][1].is_only("excepted")
        ):
            self._waiting[-1][1].excepted += draft.before  # `except P1 and P2, all work`
            return
        if (
            last is None
            and not later
            and draft.is_only("golden", "delayed")
            and is_bare_answer(clause)
        ):
            self._gild(clause, draft, following)
            return
        if draft.sacrifice and last is None:
            last = self.entries[-1] if self.entries else None
        if draft.sacrifice and draft.said() <= {"sacrifice", "origin", "at"}:
            self._sacrifice(clause, draft, last)
        elif draft.is_only(*_MODIFIERS) or (draft.is_only("marks") and "EACH" in draft.marks):
            if last is not None and last.draft is not None:
                last.draft, last.end = (
                    merge(last.draft, draft, corrects=False),
                    max(last.end, clause.end),
                )
            else:
                self._waiting.append((clause, draft))
        elif (
            clause.joined == "but"
            and draft.is_only("place")
            and leave_out(last, draft.before, clause.end)
        ):
            if goes_on(later):
                self._waiting.append((clause, draft))  # `fortify all except P1 and P2 work`
        elif (
            draft.is_only("number")
            and last is not None
            and last.draft is not None
            and lists_provinces(last.draft, clause)
        ):
            self._enter(
                clause,
                gapped(
                    last.draft,
                    Draft(before=[replace(number, kind="PLACE") for number in draft.numbers]),
                ),
            )
        elif draft.is_only("place"):
            self._bare_places(clause, draft, last, later)
        elif (
            last is not None
            and last.draft is not None
            and draft.said() - {"golden", "delayed"} <= missing_roles(last.draft)
            and draft.said()
        ):
            last.draft, last.end = merge(last.draft, draft, corrects=False), clause.end
        else:
            self._gap_or_default(clause, draft, last)

    def _except(
        self, clause: Clause, draft: Draft, last: Entry | None, later: list[Clause]
    ) -> None:
        """`all work, except P2`: an exception beside what it is one of; alone it is not
        understood.
        """
        if later and last is None:
            self._waiting.append((clause, draft))
        elif not leave_out(last, draft.excepted, clause.end):
            self._unread(clause, draft.excepted[0])

    def _gild(self, clause: Clause, draft: Draft, following: Sentence | None) -> None:
        """`Fortify P1. Golden!`, `Golden! Fortify! P1`: a sentence of its own, for the one order
        beside it that it can mean.
        """
        before = [entry for entry in self.entries if entry.line == self._line - 1]
        last = before[0].draft if len(before) == 1 else None
        fits_last = last is not None and takes_modifier(last, draft)
        verbs = (
            []
            if following is None
            else [
                verb
                for verb in (part.verb(DIALECT) for part in following.clauses)
                if verb is not None
            ]
        )
        fits_next = len(verbs) == 1 and takes_modifier(Draft(verb=verbs[0]), draft)
        if before and last is None and not fits_next:
            fits_last = fits_next = True  # of several, which?
        if fits_last and not fits_next and last is not None:
            before[0].draft, before[0].end = merge(last, draft, corrects=False), clause.end
        elif fits_next and not fits_last:
            self._ahead = (clause, draft)
        elif fits_last or clause.has("GOLD"):
            self.entries.append(
                Entry(
                    clause.start,
                    clause.end,
                    clause.line,
                    trouble="unread",
                    at=draft.golden or draft.delayed,
                )
            )

    def _sacrifice(self, clause: Clause, draft: Draft, last: Entry | None) -> None:
        """`sac 2` belongs to the commitment before it, `sac 2 from P6` to the one of P6."""
        place = draft.origin or draft.at
        given = [entry for entry in self.entries if entry.draft and entry.draft.sacrifice]
        if place is None and given and clause.line > self.entries[-1].line:
            last = given[0] if len(given) == 1 else None  # `(sac 1) ... . Wait: sac 2.`
        for entry in reversed(self.entries):
            if entry.draft is None:
                continue
            said = [entry.draft.origin, *entry.draft.places]
            named = place is not None and any(
                lexeme is not None and lexeme.value == place.value for lexeme in said
            )
            if named or (place is None and entry is last):
                entry.draft.sacrifice = draft.sacrifice
                entry.end = max(entry.end, clause.end) if place is None else entry.end
                return
        drafts = [
            entry.draft
            for entry in self.entries
            if entry.draft is not None and entry.draft.kind in {"COMMIT", ""}
        ]
        sent = any(
            before.numbers != [*before.sacrifice[-1:]] for before in drafts
        )  # others than `sacrifice 1 from P1`
        if (
            draft.origin is not None and draft.sacrifice[-1].kind == "NUM" and not sent
        ):  # `sacrifice 2 from P2`
            draft.numbers = [draft.sacrifice[-1]]
            self._enter(clause, draft)
            return
        self._unread(clause, draft.sacrifice[0])

    def _bare_places(
        self, clause: Clause, draft: Draft, last: Entry | None, later: list[Clause]
    ) -> None:
        """A province alone: it shares the verb before it, or waits for the one after it."""
        ahead = next((other for other in later if other.verb(DIALECT) is not None), None)
        between = later[: later.index(ahead)] if ahead is not None else []
        only_places = all(
            not other.verb(DIALECT)
            and all(lexeme.kind in {"PLACE", "FILLER", "NUM"} for lexeme in other.lexemes)
            for other in between
        )
        verb_ahead = ahead.verb(DIALECT) if ahead is not None else None
        ahead_takes = (
            ahead is not None
            and verb_ahead is not None
            and verb_ahead.kind in SPREADING | {"MARCH"}
        )
        ahead_takes = (
            ahead_takes
            and only_places
            and ahead is not None
            and ahead.verdict == "order"
            and not ahead.correction
        )
        if (
            last is None
            or last.draft is None
            or any(other.joined == "but" for other, _ in self._waiting)
            or (ahead_takes and any(lexeme.text == "let" for lexeme in clause.lexemes))
            or (ahead_takes and (last.draft.subject_first or last.draft.kind not in SPREADING))
        ):
            self._waiting.append((clause, draft))
        elif (
            ahead_takes
            and ahead is not None
            and clause.joined == "comma"
            and ahead.joined == "and"
            and begins_with_place(ahead)
        ):
            self._unread(clause, None)  # `fortify P1, P2 and P3 work`: P2 could be meant either way
        elif (
            last.draft.kind == "SUPPORT"
            and "at" in missing_roles(last.draft)
            and not last.draft.after
            and len(draft.before) == 1
        ):
            last.draft.at, last.end = draft.before[0], clause.end
        elif (
            last.draft.excepted
            and last.draft.excepted[-1].end <= clause.start
            and not last.draft.places
        ):
            last.draft.excepted, last.end = [*last.draft.excepted, *draft.before], clause.end
        elif could_be_each(last.draft):
            last.draft, last.trouble, last.end = None, "unread", clause.end
        elif last.draft.kind in SPREADING | {"BUY"} or (
            last.draft.kind in {"COMMIT", ""} and last.draft.quantity is not None
        ):
            self._enter(clause, gapped(last.draft, draft))
        else:
            self._unread(clause, draft.before[0] if draft.before else None)

    def _gap_or_default(self, clause: Clause, draft: Draft, last: Entry | None) -> None:
        whole = (
            last is not None
            and last.draft is not None
            and last.draft.kind == "SAME"
            and bool(draft.numbers)
        )
        if draft.is_only("quantity", "number") and not is_bare_answer(clause) and not whole:
            return
        template = last if last is not None else list_before(self.entries, clause.line)
        said = draft.said()
        if draft.is_only("who"):
            if (
                last is not None
                and last.draft is not None
                and last.draft.kind in _TAKES_PLAYER
                and not any(lexeme.kind == "FILLER" for lexeme in clause.lexemes)
            ):
                last.draft, last.trouble, last.at, last.end = (
                    None,
                    "unread",
                    draft.who,
                    clause.end,
                )  # `10 to May and Mark`: each?
            elif last is not None and any(
                lexeme.text in _ALSO or lexeme.text.endswith("same") for lexeme in clause.lexemes
            ):
                self.entries.append(
                    Entry(clause.start, clause.end, clause.line, trouble="unread", at=draft.who)
                )  # `10 to May and the same to Mark`
            return
        if (
            template is not None
            and template.draft is not None
            and template.draft.verb is not None
            and said & {"number", "origin", "at", "target", "place", "who", "quantity"}
        ):
            kind = template.draft.kind
            fits = SHARED_ROLES.get(kind, frozenset())
            if (
                kind == "SUPPORT"
                and "who" in said
                and template.draft.said() <= {"verb", "who", "golden"}
            ):
                template.draft, template.trouble, template.at = (
                    None,
                    "unread",
                    draft.who,
                )  # `support May and Mark in P3`: whom?
                template.end = max(template.end, clause.end)
                return
            money = kind in {"SEND", "GIVE"} and "who" in said
            if said <= fits and (len(said) > 1) and (kind not in {"SEND", "GIVE"} or money):
                self._enter(clause, gapped(template.draft, draft))
                return
        if draft.quantity is not None and draft.quantity.kind == "ALL" and draft.before:
            for other, pending in self._waiting:  # `P1 and P2 all in`
                self._enter(other, replace(draft.copy(), before=list(pending.before)), loose=True)
            self._waiting.clear()
        before = self.entries[-1] if self.entries and self.entries[-1].line == self._line else None
        if before is not None and (
            before.draft is None or (before.draft.unknown and not may_name(before.draft))
        ):
            self._unread(clause, None)  # behind something that was not read it could mean anything
        else:
            self._enter(clause, draft, loose=not whole)  # `same as last turn, but 2 units`

    # ---------------------------------------------------------------------------------- corrections
    def _correct(self, clause: Clause, draft: Draft) -> bool:
        """Apply a correction to what was said before; False if there is nothing it could
        correct.
        """
        hard = self._carried == "hard"
        last = self.entries[-1] if self.entries else None
        if last is None or self._carried == "scratch":
            return False
        if draft.verb is None:
            if last.draft is None or draft.said() & {"unknown", "surplus"} or not draft.said():
                return False
            if draft.is_only("sacrifice"):
                return False  # which one loses it, `_sacrifice` knows
            if (
                draft.quantity is not None
                and draft.quantity.kind == "BOTH"
                and last.draft.kind in SPREADING
            ):
                return False  # `P3 fortifies. no, P4. no, both`
            self.corrected = True
            last.draft, last.end = (
                merge(last.draft, draft, corrects=True),
                max(last.end, clause.end),
            )
            return True
        same = [
            entry
            for entry in self.entries
            if entry.draft is not None and is_about_the_same(entry.draft, draft)
        ]
        bare = not (draft.said() - {"verb", "golden", "delayed"})
        if bare and last.draft is not None and not same and draft.kind in SPREADING:
            draft = merge(last.draft, draft, corrects=True)
            draft.verb = clause.verb(DIALECT)
            same = [last]
        if replace_part(self.entries, draft, same):
            self.corrected = True
            self._enter(clause, draft)
            return True
        if not same and not hard:
            return False
        gone = same or [last]
        self.corrected = True
        first = min(entry.start for entry in gone)
        joins = gone[-1] is last
        self.entries = [
            entry for entry in self.entries if not any(entry is other for other in gone)
        ]
        self._enter(clause, draft)
        if joins and self.entries:
            self.entries[-1].start = first
        return True

    # --------------------------------------------------------------------------------- small things
    def _enter(self, clause: Clause, draft: Draft, *, loose: bool = False) -> None:
        self.entries.append(
            Entry(
                clause.start,
                clause.end,
                clause.line,
                draft,
                trouble="loose" if loose else "",
                glued=clause.joined == "verb",
            )
        )

    def _last_of_line(self) -> Entry | None:
        """The last entry, if it is of the sentence being read."""
        last = self.entries[-1] if self.entries else None
        return (
            last
            if last is not None and last.line == self._line and last.trouble in {"", "loose"}
            else None
        )

    def _flush(self) -> None:
        for clause, draft in self._waiting:
            count = len(self.entries)
            if not draft.is_only(*_MODIFIERS) or looks_like_order(clause):
                self._unread(clause, None)
            clause.outcome = "asked" if len(self.entries) > count else "silent"
        self._waiting.clear()


def _speaks_of_own_order(clause: Clause) -> bool:
    """`Maren needs my money so I buy nothing`: talk, and an order in it."""
    said = [lexeme for lexeme in clause.lexemes if lexeme.kind != "PROSE"]
    return any(
        one.text in {"i", "we", "i'll", "we'll"} and two.kind in DIALECT.verbs
        for one, two in pairwise(said[1:])
    ) and clause.has("PLACE", "NUM", "NOTHING")
