"""The pages of a game, in words that the game gives: a base for those of every game. `view` is of
the game's own type, which the service never looks into: always the reader's own view; a bulletin
gets the public one.

A page is the template of that name in the game's own package (`takeaway/turn.j2`) or, where it has
none, the usual one (`templates/game/turn.j2`). The usual ones ask three templates of the game for
words, as macros: `words.j2` (`phase`, `question`, `silence`, `you`, `table`, `brief`), `events.j2`
(one a kind of event) and `problems.j2` (one a code that is not among the usual ones). Subjects and
titles are those of `subjects.j2`, as far as the game has some of its own.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.ruleset import Event, Standing
from pbem.pages.dates import moment, seen
from pbem.pages.gallery import PlayerCard
from pbem.pages.kit import rules as rulebook
from pbem.pages.kit.narrator import greatest
from pbem.pages.kit.parts import Cast as Cast
from pbem.pages.kit.parts import UsualParts
from pbem.pages.kit.parts import UsualView as UsualView
from pbem.pages.kit.parts import Values as Values
from pbem.pages.kit.receipt_lines import ReceiptLine
from pbem.pages.lobby import lobby_facts
from pbem.pages.lobby_view import Lobby
from pbem.pages.page import (
    Page,
    PastPhase,
    PhaseEvents,
    Reader,
    ReceiptFacts,
    RecordFacts,
    RollBack,
    StoredVersion,
    SuppositionFacts,
    Table,
    locale_of,
)
from pbem.pages.rendering import chat_words

_WINS = re.compile(r"(.+?) wins?\b")
MOST_WORDS = 65
"""Of the turning points in the last letter; the archive tells all."""

FIRST_PHASES = 3
"""Phases of a table whose receipts say who learns of an order, and who unlocks a final one."""


class UsualPages(UsualParts):
    """Stateless. To be said by every game: what has no value in `UsualParts`, `format_order` and
    `fate`.
    """

    def invitation(
        self,
        table: Table,
        reader: Reader,
        invited_by: str,
        players_so_far: Sequence[str],
        lobby: Lobby | None = None,
    ) -> Page:
        """A seat is kept for the reader; `lobby` tells how the table fills, votes and starts."""
        facts = (
            lobby_facts(table, reader, lobby) | {"gm_name": table.gm_name}
            if lobby is not None
            else None
        )
        values: Values = {"table": table, "reader": reader, "facts": facts, "pitch": self.about}
        values |= {"invited_by": invited_by, "players": tuple(players_so_far)}
        return self._titled("invitation", table, values)

    def welcome(
        self, table: Table, reader: Reader, view: Any, commitment: str, events: Sequence[Event] = ()
    ) -> Page:
        """The game begins; `events` are those of the set-up, of which the outcome of the vote is
        told.
        """
        values = self._values(table, reader, view) | {"commitment": commitment}
        values |= self.welcomed(view, self._cast(view, reader.number), events)
        return self._titled("welcome", table, values)

    def turn(
        self,
        table: Table,
        reader: Reader,
        view: Any,
        events: Sequence[Event],
        standing: Standing[Any],
    ) -> Page:
        """The question of the open phase to somebody asked; `events` are what happened since the
        last window, for this reader.
        """
        values = self._values(table, reader, view, standing, events) | self.chances(view)
        return self._titled("turn", table, values, caption=True)

    def happened(self, table: Table, reader: Reader, view: Any, events: Sequence[Event]) -> Page:
        """What happened since the reader was asked last, alone: what the caption of a turn has no
        room for. `events` as for `turn`.
        """
        values = self._values(table, reader, view, events=events)
        values["title"] = title = self.lead(view, events).headline
        return self._page("happened", table, title, values)

    def receipt(self, table: Table, reader: Reader, view: Any, facts: ReceiptFacts) -> Page:
        cast = self._cast(view, reader.number)
        items = tuple(self._noted(view, item, facts.standing_orders) for item in facts.items)
        facts = replace(facts, items=items)
        say = partial(self.spoken, view)
        found = self.sorted_lines(view, cast, facts).spoken(say)
        refused = found.refused
        standing = Standing[Any](tuple(facts.standing_orders), facts.final)
        values = self._values(table, reader, view, standing) | {
            "facts": facts.spoken(say),
            "told": self._lines(facts.told, cast),
            "taken": found.taken,
            "untaken": found.shown,
            "impossible": found.impossible,
            "refused": refused,
            "waiting": found.waiting,
            "is_whole": _are_all_in(tuple(map(say, facts.standing)), found.taken),
            "is_locked": facts.is_locked and bool(refused),
            "is_settled": facts.is_locked,
            "is_complete": facts.final and reader.number in view.asked,
            "mood": "taken" if not refused else "partly" if found.taken else "nothing",
            "received": moment(facts.received_at, table.now, reader.zone, locale_of(table, reader)),
            "secrecy": self.secrecy if view.stage != "over" else "",
            "is_new": table.phase_number <= FIRST_PHASES,
            "order_word": self.order_word,
            "final_word": self.final_word,
            "in_all": None,
            "warnings": (),
        }
        standing_said = tuple(map(say, facts.standing))
        values["numbered"] = numbered = self.numbered(view, facts.standing_orders, standing_said)
        if values["is_whole"]:
            shown = dict(zip(standing_said, numbered, strict=True))
            values["taken"] = tuple(
                replace(one, shown=tuple(shown.get(text, text) for text in one.texts))
                for one in found.taken
            )
        values |= self.received(view, cast, facts, values)
        left = self._gaps(reader, view, cast, standing)
        closed = {text for _, text in facts.offered}  # by a yes
        left = tuple(gap for gap in left if gap.line not in closed)
        if refused:  # no line that we did not take may be told as the one that closes a gap
            left = tuple(replace(gap, line="") for gap in left)
        is_told = bool(refused) and not facts.standing and bool(values["asked"])
        is_done = bool(values["told"]) or facts.told_all
        values["gaps"] = () if is_told and not is_done else left
        values["verdict"] = self._words("verdict", values)
        return self._titled("receipt", table, values)

    def reminder(self, table: Table, reader: Reader, view: Any, standing: Standing[Any]) -> Page:
        values = self._values(table, reader, view, standing)
        return self._titled("reminder", table, values)

    def bulletin(self, table: Table, view: Any, events: Sequence[Event]) -> Page:
        """The same for everybody: times in the table's zone and in UTC."""
        values = self._values(table, _everybody(table), view, events=events)
        values["title"] = title = self.lead(view, events).headline
        return self._page("bulletin", table, title, values, caption=True)

    def ending(
        self,
        table: Table,
        view: Any,
        events: Sequence[Event],
        seed_hex: str,
        commitment: str,
        record: RecordFacts | None = None,
    ) -> Page:
        """The end, and how everybody can check the game; `record` is the file that goes along."""
        values = self._values(table, _everybody(table), view, events=events)
        values |= {"seed": seed_hex, "commitment": commitment, "record": record}
        values |= {"ranked": self.ranked(view), "fate": self.fate}
        past = record.past if record is not None else ()
        points = self.turning_points(past, commitment, table.told_to) if past else ()
        values["story"] = [(past[one.place].turn, one.told) for one in greatest(points, MOST_WORDS)]
        values |= self.ended(view, self._cast(view, None), events)
        headline = str(values["title"])
        how = str(values["outcome"]).removeprefix(headline).strip(" ,.")
        values["how_told"] = f"{how[:1].upper()}{how[1:]}." if how else ""
        values["title"] = title = as_winner(headline, table.won_by)
        return self._page("ending", table, title, values)

    def rolled_back(self, table: Table, view: Any, facts: RollBack) -> Page:
        """The same for everybody: what is undone, what of the decks is known now, and the table as
        it lies again.
        """
        undone = tuple((turn, self.phase_name(kind)) for turn, kind in facts.undone)
        values = self._values(table, _everybody(table), view)
        values |= {"undone": undone, "facts": facts, "seen": ()}
        if not facts.reshuffled:
            values["seen"] = self.seen(facts.events, self._cast(view, None))
        values["title"] = self._words("rolled_back", values)
        return self._titled("rolled_back", table, values)

    def takeover(
        self, table: Table, reader: Reader, view: Any, past: Sequence[PastPhase], commitment: str
    ) -> Page:
        """To somebody who takes a seat in the middle of a game: the rules in short, how things
        stand, what has happened so far.
        """
        values = self._values(table, reader, view)
        values |= {"past": self._past(past), "commitment": commitment}
        values["stands_in_until"] = seen(table.stand_in_until, table, reader)
        return self._titled("takeover", table, values)

    def status(self, table: Table, reader: Reader, view: Any, standing: Standing[Any]) -> Page:
        values = self._values(table, reader, view, standing)
        values["title"] = self._words("status", values)
        return self._titled("status", table, values)

    def orders(
        self,
        table: Table,
        reader: Reader,
        view: Any,
        standing: Standing[Any],
        versions: Sequence[StoredVersion],
    ) -> Page:
        values = self._values(table, reader, view, standing)
        language = locale_of(table, reader)
        values["versions"] = tuple(
            (
                version.version,
                moment(version.received_at, table.now, reader.zone, language).short,
                version.texts,
            )
            for version in reversed(versions)
        )
        stored = tuple(self.format_order(view, order) for order in standing.orders)
        values["numbered"] = self.numbered(view, standing.orders, stored)
        values["finals"] = tuple(version.final for version in reversed(versions))
        return self._titled("orders", table, values)

    def history(self, table: Table, reader: Reader, bulletins: Sequence[PastPhase]) -> Page:
        values: Values = {"table": table, "reader": reader, "past": self._past(bulletins)}
        values["turn_word"] = self.turn_word
        return self._titled("history", table, values)

    def map_page(self, table: Table, reader: Reader, view: Any) -> Page:
        values = self._values(table, reader, view)
        values["title"] = self._words("map", values)
        chat = "chat_bulletin" if table.has_picture else ""
        return self._titled("map", table, values, chat=chat, caption=table.has_picture)

    def board_text(self, table: Table, reader: Reader, view: Any) -> Page:
        """The board for readers without pictures; in a chat in type as wide as a phone."""
        return self.map_page(replace(table, has_picture=False), reader, view)

    def help(self, table: Table, reader: Reader, view: Any, *, whole: bool = False) -> Page:
        """What can be said. A chat is told the most needed of it, unless it asks for the
        `whole`.
        """
        values = self._values(table, reader, view)
        values |= self.helped(view, self._cast(view, reader.number))
        return self._titled("help", table, values, chat="" if whole else "telegram/help.j2")

    def rule(self, table: Table, reader: Reader, rule_id: str) -> Page:
        found = rulebook.find_rule(rule_id, self.book)
        values: Values = {
            "table": table,
            "reader": reader,
            "rule": found,
            "asked": rule_id.strip()[:40],
            "exact": found.id == rulebook.normal_id(rule_id, self.book),
            "others": tuple(
                (rule.id, rule.title) for rule in rulebook.section_of(found, self.book)
            ),
        }
        return self._page("rule", table, f"{found.id}: {found.title}", values)

    def why(
        self, table: Table, reader: Reader, view: Any, question: Any, past: Sequence[PhaseEvents]
    ) -> Page:
        """How something came out as it did, line by line. `question` is what the game's reader made
        of the words, a problem included; `past` is all that led to the open phase, in order, and
        what was rolled back.
        """
        told = self.account(view, self._cast(view, reader.number), question, past)
        values = self._values(table, reader, view) | told
        return self._page("why", table, str(told["title"]), values)

    def supposition(self, table: Table, reader: Reader, view: Any, facts: SuppositionFacts) -> Page:
        """What would happen, for its reader alone and unmistakably a supposition; or why nothing is
        supposed.
        """
        told = self.supposed(view, self._cast(view, reader.number), facts)
        values = self._values(table, reader, view) | told
        return self._titled("supposition", table, values)

    def players(self, view: Any) -> Sequence[PlayerCard]:
        """The players and what became of them, the most successful first."""
        coats = ((player, self.coats_of(view, player.number)[0]) for player in self.ranked(view))
        return tuple(
            PlayerCard(
                player.name,
                arms.colour,
                arms.symbol,
                arms.full,
                arms.on,
                arms.sign,
                self.fate(view, player),
            )
            for player, arms in coats
        )

    def suggested(self, reader: Reader, view: Any, standing: Standing[Any]) -> Sequence[str]:
        """What letters suggest to somebody who is asked, each as it can be sent: answers as long as
        nothing stands, and lines that close a gap.
        """
        answers = () if standing.orders else self.answers(view)
        gaps = self._gaps(reader, view, self._cast(view, reader.number), standing)
        return (*(text for text, _ in answers), *(gap.line for gap in gaps if gap.line))

    def menu(self, table: Table, reader: Reader, view: Any, standing: Standing[Any]) -> str:
        """What stands above the buttons of a menu, for a chat."""
        values = self._values(table, reader, view, standing)
        return chat_words(self._template("chat_menu"), "", values)


def _are_all_in(standing: Sequence[str], taken: Sequence[ReceiptLine]) -> bool:
    """Whether the lines that were just taken name all that stands, in its order."""
    named = [text for one in taken for text in one.texts if text in standing]
    return bool(named) and named == list(standing)


def as_winner(headline: str, winner: str) -> str:
    """The headline of an end as a winner reads it: `You win with 28 points`, `You and Mei win`."""
    if not winner:
        return headline
    found = _WINS.match(headline)
    names = re.split(", | and ", found[1]) if found else []
    if found is None or winner not in names:
        return f"You win: {headline}"
    first, *others = ("You", *(name for name in names if name != winner))
    told = f"{', '.join((first, *others[:-1]))} and {others[-1]}" if others else first
    return f"{told} win{headline[found.end() :]}"


def _everybody(table: Table) -> Reader:
    """The reader of what is the same for all: nobody, in the table's zone."""
    return Reader(None, table.title, table.zone, table.locale)
