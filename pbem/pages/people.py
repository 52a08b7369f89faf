"""Mails about who sits at a table and who looks on: observers, substitutes, takeovers, players who
do not answer. Alike for every game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.pages.dates import moment
from pbem.pages.notice import seen
from pbem.pages.page import Page, Reader, Table, locale_of
from pbem.pages.rendering import page, phrase, twin

PEOPLE = "mail/people.j2"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One thing that was done with a table. `command` is the log's word, `said` what more may be
    told of it, a pair each.
    """

    at: datetime
    by: str
    command: str
    said: tuple[tuple[str, str | datetime], ...] = ()
    is_private: bool = False
    """Told to this reader alone, for it is about their own seat."""


@dataclass(frozen=True, slots=True)
class Account:
    """The Telegram account behind a wish: since when its owner is known here (None: they are new),
    and how many seats they have.
    """

    known_since: datetime | None
    seats: int = 0


class PeoplePages:
    """One method a mail; every one takes the table (or the house in its place) and the reader
    first.
    """

    # ------------------------------------------------------------------------------------ observers
    def ask_observer(self, table: Table, reader: Reader, code: str) -> Page:
        """To the address somebody wants to look on from: do you?"""
        return self._page("ask_observer", table, reader, {}, code=code, foot="foot_yes")

    def observing(self, table: Table, reader: Reader) -> Page:
        """Somebody looks on from now on."""
        return self._page(
            "observing", table, reader, {"begun": table.phase_number > 0}, foot="foot_observer"
        )

    def stopped(self, table: Table, reader: Reader, titles: Sequence[str]) -> Page:
        """They look on no more, at these tables; none: they did nowhere."""
        return self._page("stopped", table, reader, {"titles": tuple(titles)}, foot="foot_nobody")

    def observers_off(self, table: Table, reader: Reader, by: str) -> Page:
        """To an observer: the table wants none any more."""
        return self._page("observers_off", table, reader, {"by": by}, foot="foot_nobody")

    def watchers(
        self,
        table: Table,
        reader: Reader,
        count: int,
        names: Sequence[str],
        *,
        allowed: bool,
        foot: str = "foot_player",
    ) -> Page:
        """How many look on, and who, if the table shows that."""
        return self._page(
            "watchers",
            table,
            reader,
            {"count": count, "names": tuple(names), "allowed": allowed},
            foot=foot,
        )

    def observer_help(self, table: Table, reader: Reader) -> Page:
        """What an observer may write."""
        return self._page("observer_help", table, reader, {}, foot="foot_observer")

    # ---------------------------------------------------------------------------------- taking over
    def ask_take_over(self, table: Table, reader: Reader, who: str, code: str) -> Page:
        """To the address somebody wants to take a seat over from: do you?"""
        return self._page("ask_take_over", table, reader, {"who": who}, code=code, foot="foot_yes")

    def take_over_asked(self, table: Table, reader: Reader, who: str) -> Page:
        """The game master decides."""
        return self._page("take_over_asked", table, reader, {"who": who}, foot="foot_nobody")

    def gm_take_over(
        self,
        table: Table,
        reader: Reader,
        who: str,
        name: str,
        address: str,
        account: Account | None = None,
    ) -> Page:
        """To the game masters: somebody wants that seat. `account`: they asked in a chat, under a
        name that nobody has verified.
        """
        facts: dict[str, object] = {
            "who": who,
            "name": name,
            "address": address,
            "slug": table.slug,
            "account": account,
        }
        if account is not None:
            facts["since"] = seen(account.known_since, table, reader)
        return self._page("gm_take_over", table, reader, facts, foot="foot_gm")

    def gm_vacant(self, table: Table, reader: Reader, who: str, code: str, link: str) -> Page:
        """To the game masters of a table that gives seats away first come: the code of one that
        stands empty; `link` "" without a bot.
        """
        return self._page(
            "gm_vacant", table, reader, {"who": who, "code": code, "link": link}, foot="foot_gm"
        )

    def taken_over(self, table: Table, reader: Reader, who: str) -> Page:
        """To everybody: the seat that stood empty has somebody."""
        return self._page("taken_over", table, reader, {"who": who}, foot=_foot(reader))

    def door_closed(
        self, table: Table, reader: Reader, what: str, why: str, *, options: Sequence[str] = ()
    ) -> Page:
        """A wish at the door that cannot be: `what` is observe, take-over or stand-in, `why` a
        code.
        """
        return self._page(
            "door_closed",
            table,
            reader,
            {"what": what, "why": why, "options": tuple(options)},
            foot="foot_nobody",
        )

    # ---------------------------------------------------------------------------------- substitutes
    def ask_stand_in(
        self,
        table: Table,
        reader: Reader,
        who: str,
        since: datetime | None,
        until: datetime | None,
        code: str,
        by: str = "",
    ) -> Page:
        """To whoever was named as a substitute, or stands on the list: will you play for them?
        `until` None: for good.
        """
        facts: dict[str, object] = {"who": who, "by": by}
        facts |= {"since": seen(since, table, reader), "until": seen(until, table, reader)}
        return self._page("ask_stand_in", table, reader, facts, code=code, foot="foot_yes")

    def stand_in_asked(
        self, table: Table, reader: Reader, whom: str, since: datetime | None, until: datetime
    ) -> Page:
        """To the player: the one you named was asked."""
        facts: dict[str, object] = {
            "whom": whom,
            "since": seen(since, table, reader),
            "until": seen(until, table, reader),
        }
        return self._page("stand_in_asked", table, reader, facts, foot=_foot(reader))

    def stand_in_unclear(
        self, table: Table, reader: Reader, why: str, written: str = "", days: int = 0
    ) -> Page:
        """Nobody was asked: `why` is a code."""
        return self._page(
            "stand_in_unclear",
            table,
            reader,
            {"why": why, "written": written, "days": days},
            foot=_foot(reader),
        )

    def stand_in_answered(
        self,
        table: Table,
        reader: Reader,
        whom: str,
        since: datetime,
        until: datetime,
        *,
        yes: bool,
    ) -> Page:
        """To the player (or the game masters): what the one who was asked has said."""
        facts: dict[str, object] = {
            "whom": whom,
            "yes": yes,
            "since": seen(since, table, reader),
            "until": seen(until, table, reader),
        }
        return self._page("stand_in_answered", table, reader, facts, foot=_foot(reader))

    def stand_in_over(self, table: Table, reader: Reader, who: str, why: str) -> Page:
        """To a substitute: the seat went back (`end`, `back`), or nobody is needed any more
        (`not-needed`).
        """
        return self._page(
            "stand_in_over", table, reader, {"who": who, "why": why}, foot="foot_nobody"
        )

    def away_begun(self, table: Table, reader: Reader, whom: str, until: datetime) -> Page:
        """To whoever is away: `whom` has their seat until then."""
        return self._page(
            "away_begun",
            table,
            reader,
            {"whom": whom, "until": seen(until, table, reader)},
            foot="foot_away",
        )

    def away_help(self, table: Table, reader: Reader, whom: str, until: datetime) -> Page:
        """To whoever is away and has written something that only a player may: who plays, and how
        to come back.
        """
        return self._page(
            "away_help",
            table,
            reader,
            {"whom": whom, "until": seen(until, table, reader)},
            foot="foot_away",
        )

    def stands_in(self, table: Table, reader: Reader, who: str, until: datetime) -> Page:
        """To everybody else: somebody plays for them until then."""
        return self._page(
            "stands_in",
            table,
            reader,
            {"who": who, "until": seen(until, table, reader)},
            foot=_foot(reader),
        )

    def returned(self, table: Table, reader: Reader, who: str) -> Page:
        """To everybody else: they are back."""
        return self._page("returned", table, reader, {"who": who}, foot=_foot(reader))

    def available(self, table: Table, reader: Reader, title: str, *, yes: bool) -> Page:
        """They may be asked to substitute from now on, or not any more; `title` "" is at any
        table.
        """
        return self._page("available", table, reader, {"yes": yes, "at": title}, foot="foot_nobody")

    def back(
        self, table: Table, reader: Reader, count: int, *, at: str = "", kept: int = 0
    ) -> Page:
        """Nobody plays for them at that table ("": anywhere); so many absences are taken back, and
        so many for all tables stay.
        """
        return self._page(
            "back", table, reader, {"count": count, "at": at, "kept": kept}, foot="foot_nobody"
        )

    # -------------------------------------------------------------------- players who do not answer
    def gm_absent(
        self, table: Table, reader: Reader, who: str, missed: int, *, nobody_left: bool = False
    ) -> Page:
        """To the game masters: so many windows in a row were missed there; `nobody_left`: no
        substitute was found.
        """
        facts = {"who": who, "missed": missed, "nobody_left": nobody_left, "slug": table.slug}
        return self._page("gm_absent", table, reader, facts, foot="foot_gm")

    def idle(self, table: Table, reader: Reader, who: str, missed: int, *, is_own: bool) -> Page:
        """To everybody: the seat goes on by the rules' defaults, and nobody waits for it. `missed`
        0: a game master says so.
        """
        return self._page(
            "idle",
            table,
            reader,
            {"who": who, "missed": missed, "is_own": is_own},
            foot=_foot(reader),
        )

    def awake(self, table: Table, reader: Reader, who: str, *, has_written: bool = True) -> Page:
        """To everybody: the seat is waited for again, since its player has written, or since the
        game master says so.
        """
        return self._page(
            "awake", table, reader, {"who": who, "has_written": has_written}, foot=_foot(reader)
        )

    def removed(self, table: Table, reader: Reader, who: str, reason: str, by: str) -> Page:
        """To everybody: that seat has left the game. `by` is a game master, or the table's rule."""
        return self._page(
            "removed", table, reader, {"who": who, "reason": reason, "by": by}, foot=_foot(reader)
        )

    def gm_resigned(self, table: Table, reader: Reader, who: str, *, can_go: bool) -> Page:
        """To the game masters, who decide what becomes of a seat that was given up."""
        return self._page(
            "gm_resigned",
            table,
            reader,
            {"who": who, "slug": table.slug, "can_go": can_go},
            foot="foot_gm",
        )

    def rules_changed(self, table: Table, reader: Reader, lines: Sequence[str], by: str) -> Page:
        """To everybody: what the table says about its people is otherwise now."""
        return self._page(
            "rules_changed", table, reader, {"lines": tuple(lines), "by": by}, foot=_foot(reader)
        )

    # ------------------------------------------------------------------------------- one's own data
    def ask_forget(self, table: Table, reader: Reader, titles: Sequence[str], code: str) -> Page:
        """To somebody's own address: shall all that identifies you go?"""
        return self._page(
            "ask_forget", table, reader, {"titles": tuple(titles)}, code=code, foot="foot_yes"
        )

    def forget_alone(self, table: Table, reader: Reader) -> Page:
        """To somebody who wants that beside other things: how to be asked for the yes to it."""
        return self._page("forget_alone", table, reader, {}, foot="foot_nobody")

    def log(
        self, table: Table, reader: Reader, lines: Sequence[LogLine], *, more: bool = False
    ) -> Page:
        """What was done with the table, the newest last; `more`: there were older entries."""

        def when(instant: datetime) -> str:
            return moment(instant, table.now, reader.zone, locale_of(table, reader)).short

        told = [
            (
                line,
                when(line.at),
                [
                    (key, when(value) if isinstance(value, datetime) else value)
                    for key, value in line.said
                ],
            )
            for line in lines
        ]
        return self._page("log", table, reader, {"lines": told, "more": more}, foot=_foot(reader))

    @staticmethod
    def _page(
        name: str,
        table: Table,
        reader: Reader,
        facts: dict[str, object],
        *,
        foot: str,
        code: str = "",
    ) -> Page:
        facts = {
            "title": table.title,
            "gm_name": table.gm_name,
            "slug": table.slug,
            "kind_of_game": table.game_title,
        } | facts
        title = phrase(PEOPLE, f"{name}_title", facts)
        body = twin(PEOPLE, name, facts)
        preheader = " ".join(body.text.replace("\N{NO-BREAK SPACE}", " ").split())[:160]
        values: dict[str, object] = {
            "table": table,
            "reader": reader,
            "title": title,
            "body": body,
            "corner": "",
        }
        values |= {
            "preheader": preheader,
            "foot": twin(PEOPLE, foot, table, reader, code or reader.code or table.code),
        }
        return page("mail/notice.j2", f"[{table.title}] {title}", values)


def _foot(reader: Reader) -> str:
    return (
        "foot_observer"
        if reader.looks_on
        else "foot_gm"
        if reader.number is None
        else "foot_player"
    )
