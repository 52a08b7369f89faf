"""Short mails about tables that have not begun, and about leaving one that has: joining, seats,
votes, what becomes of the table.

Alike for every game.
"""

from collections.abc import Sequence
from datetime import datetime

from pbem.pages.kit.arms import arms_of
from pbem.pages.lobby_view import Done, Lobby, Proposal, Refusal
from pbem.pages.notice import quoted_lines, seen
from pbem.pages.page import Page, Reader, Table
from pbem.pages.rendering import page, phrase, twin

LOBBY = "mail/lobby.j2"


class LobbyPages:
    """One method a mail; every one takes the table and the reader first."""

    # ------------------------------------------------------------------------- before a seat is had
    def ask_joiner(
        self,
        table: Table,
        reader: Reader,
        lobby: Lobby,
        proposal: Proposal,
        refusals: Sequence[Refusal] = (),
    ) -> Page:
        """To the address somebody wants to join from: do you? The answer must carry the code of the
        table.
        """
        facts = {
            "proposal": proposal,
            "arms": arms_of(proposal.colour),
            "refusals": tuple(refusals),
            "wishes": proposal.wishes,
            "note": quoted_lines(proposal.note) if proposal.note else (),
            "note_lost": proposal.note_lost,
        }
        return self._page("ask_joiner", table, reader, lobby, facts, foot="foot_joiner")

    def not_joined(
        self, table: Table, reader: Reader, why: str, vacant: Sequence[str] = (), code: str = ""
    ) -> Page:
        """`why`: full, begun, over, barred (by three strikes), unreliable, unknown-code (to people
        we know only) or guessed (many codes). `vacant`: whose seats can be taken over in a game
        that has begun, by asking with the join code that the reader has.
        """
        return self._page(
            "not_joined",
            table,
            reader,
            None,
            {"why": why, "vacant": tuple(vacant), "code": code},
            foot="foot_nobody",
        )

    # ---------------------------------------------------------------------------------- with a seat
    def seated(self, table: Table, reader: Reader, lobby: Lobby, *, is_again: bool = False) -> Page:
        """`is_again`: somebody wants to join from an address that has this seat already."""
        facts: dict[str, object] = {"is_again": is_again}
        return self._page("seated", table, reader, lobby, facts, foot="foot_seat")

    def receipt(self, table: Table, reader: Reader, lobby: Lobby, done: Done) -> Page:
        """What became of a message, and how the seat stands."""
        facts = {
            "changes": done.changes,
            "refusals": done.refusals,
            "note": quoted_lines(done.note) if done.note else (),
            "cut": done.cut,
            "helps": done.helps,
        }
        return self._page("receipt", table, reader, lobby, facts, foot="foot_seat")

    def left(self, table: Table, reader: Reader, code: str) -> Page:
        """The seat is given back; `code` is the table's join code, "" when there is none."""
        return self._page("left", table, reader, None, {"join_code": code}, foot="foot_nobody")

    def full(self, table: Table, reader: Reader, lobby: Lobby) -> Page:
        """To everybody: nobody else can sit down."""
        return self._page("full", table, reader, lobby, {}, foot="foot_seat")

    def free_again(self, table: Table, reader: Reader, lobby: Lobby, who: str) -> Page:
        """To everybody: a full table is full no more."""
        return self._page("free_again", table, reader, lobby, {"who": who}, foot="foot_seat")

    def mate_wanted(self, table: Table, reader: Reader, lobby: Lobby, who: str) -> Page:
        """To somebody in no team yet: a player would like to have them in theirs."""
        return self._page("mate_wanted", table, reader, lobby, {"who": who}, foot="foot_seat")

    def expires_soon(self, table: Table, reader: Reader, lobby: Lobby) -> Page:
        return self._page(
            "expires_soon",
            table,
            reader,
            lobby,
            {},
            foot="foot_seat" if reader.number else "foot_gm",
        )

    def expired(self, table: Table, reader: Reader, lobby: Lobby) -> Page:
        return self._page(
            "expired", table, reader, lobby, {}, foot="foot_nobody" if reader.number else "foot_gm"
        )

    def table_closed(self, table: Table, reader: Reader) -> Page:
        """To somebody who writes to a table that was given up."""
        return self._page("table_closed", table, reader, None, {}, foot="foot_nobody")

    def colours_settled(self, table: Table, reader: Reader, granted: Sequence[object]) -> Page:
        """To everybody as the game starts: what became of the wishes for colours, with `name`,
        `colour` and `nth` (0: none) each.
        """
        return self._page(
            "colours_settled",
            table,
            reader,
            None,
            {"granted": granted},
            foot="foot_player" if reader.number else "foot_gm",
        )

    # -------------------------------------------------------------------------------- during a game
    def zone_set(self, table: Table, reader: Reader) -> Page:
        """Times are shown in `reader.zone` from now on."""
        facts: dict[str, object] = {
            "zone": reader.zone,
            "here": seen(table.now, table, reader),
            "due": seen(table.deadline, table, reader),
        }
        return self._page("zone_set", table, reader, None, facts, foot="foot_player")

    def zone_unclear(self, table: Table, reader: Reader, refusal: Refusal) -> Page:
        return self._page(
            "zone_unclear", table, reader, None, {"refusal": refusal}, foot="foot_player"
        )

    def language_set(self, table: Table, reader: Reader, name: str) -> Page:
        """Dates are written in `reader.locale`, which is called so, from now on."""
        facts: dict[str, object] = {
            "language": name,
            "here": seen(table.now, table, reader),
            "due": seen(table.deadline, table, reader),
        }
        return self._page("language_set", table, reader, None, facts, foot="foot_player")

    def language_unclear(
        self, table: Table, reader: Reader, written: str, suggestions: Sequence[str]
    ) -> Page:
        facts: dict[str, object] = {
            "written": written,
            "suggestions": [f"my language is {name}" for name in suggestions],
        }
        return self._page("language_unclear", table, reader, None, facts, foot="foot_player")

    def leave_explained(
        self, table: Table, reader: Reader, *, is_out: bool = False, begun: bool = True
    ) -> Page:
        """What leaving means, and the words for it: a game cannot be left like a table that has not
        `begun`; `is_out`: the player is eliminated.
        """
        facts: dict[str, object] = {
            "is_out": is_out,
            "begun": begun,
            "slug": table.slug,
            "observers": table.people.observers,
        }
        foot = "foot_player" if begun else "foot_seat"
        return self._page("leave_explained", table, reader, None, facts, foot=foot)

    def ask_resign(self, table: Table, reader: Reader, code: str, then: str = "vacant") -> Page:
        """To the registered address: do you really? `code` is the token that the answer must carry,
        `then` what becomes of the seat: `vacant`, `gm` (the game master decides), `eliminate` (it
        leaves the game) or `returned` (it goes back to whom it belongs).
        """
        return self._page(
            "ask_resign", table, reader, None, {"then": then}, code=code, foot="foot_resign"
        )

    def resigned(self, table: Table, reader: Reader) -> Page:
        return self._page("resigned", table, reader, None, {}, foot="foot_nobody")

    def player_resigned(self, table: Table, reader: Reader, who: str, then: str = "vacant") -> Page:
        """To everybody else at the table; `then` as above."""
        return self._page(
            "player_resigned", table, reader, None, {"who": who, "then": then}, foot="foot_player"
        )

    # ------------------------------------------------------------------------------ to game masters
    def gm_joined(
        self, table: Table, reader: Reader, lobby: Lobby, who: str, *, was_invited: bool
    ) -> Page:
        return self._page(
            "gm_joined",
            table,
            reader,
            lobby,
            {"who": who, "was_invited": was_invited},
            foot="foot_gm",
        )

    def gm_left(
        self, table: Table, reader: Reader, lobby: Lobby, who: str, *, declined: bool
    ) -> Page:
        return self._page(
            "gm_left", table, reader, lobby, {"who": who, "declined": declined}, foot="foot_gm"
        )

    def gm_barred(
        self, table: Table, reader: Reader, lobby: Lobby, who: str, *, asked: bool = True
    ) -> Page:
        """Somebody with three strikes has asked for a seat, and got none; or one was kept for them
        until the start (PR-1.11).
        """
        return self._page(
            "gm_barred", table, reader, lobby, {"who": who, "asked": asked}, foot="foot_gm"
        )

    def gm_full(self, table: Table, reader: Reader, lobby: Lobby) -> Page:
        return self._page("gm_full", table, reader, lobby, {"slug": table.slug}, foot="foot_gm")

    def gm_voting_over(self, table: Table, reader: Reader, lobby: Lobby) -> Page:
        return self._page(
            "gm_voting_over", table, reader, lobby, {"slug": table.slug}, foot="foot_gm"
        )

    def gm_cannot_start(self, table: Table, reader: Reader, lobby: Lobby, error: str) -> Page:
        return self._page(
            "gm_cannot_start",
            table,
            reader,
            lobby,
            {"slug": table.slug, "error": error},
            foot="foot_gm",
        )

    def gm_resigned(self, table: Table, reader: Reader, who: str, then: str = "vacant") -> Page:
        return self._page(
            "gm_resigned",
            table,
            reader,
            None,
            {"who": who, "slug": table.slug, "then": then},
            foot="foot_gm",
        )

    @staticmethod
    def _page(
        name: str,
        table: Table,
        reader: Reader,
        lobby: Lobby | None,
        facts: dict[str, object],
        *,
        code: str = "",
        foot: str,
    ) -> Page:
        if lobby is not None:
            facts = facts | lobby_facts(table, reader, lobby)
        facts = {"title": table.title, "gm_name": table.gm_name} | facts
        title = phrase(LOBBY, f"{name}_title", facts)
        body = twin(LOBBY, name, facts)
        told = body.text.partition("\n")[2]  # without the headline, which the subject has said
        preheader = " ".join(told.replace("\N{NO-BREAK SPACE}", " ").split())[:160]
        values: dict[str, object] = {
            "table": table,
            "reader": reader,
            "title": title,
            "body": body,
            "corner": "",
        }
        values |= {
            "preheader": preheader,
            "foot": twin(LOBBY, foot, table, reader, code or reader.code or table.code),
        }
        return page("mail/lobby_frame.j2", f"[{table.title}] {title}", values)


def lobby_facts(table: Table, reader: Reader, lobby: Lobby) -> dict[str, object]:
    """What templates need to show a table that has not begun."""

    def moment_of(instant: datetime | None) -> object:
        return seen(instant, table, reader)

    return {
        "lobby": lobby,
        "game_title": table.game_title,
        "zone": reader.zone,
        "rhythm": f"{table.rhythm} ({table.zone})" if table.rhythm else "",
        "people": table.people,
        "here": moment_of(table.now),
        "expires": moment_of(lobby.expires_at),
        "voting": moment_of(lobby.voting_until),
        "seats": tuple((seat, arms_of(seat.colour)) for seat in lobby.sitting),
        "arms_mine": arms_of(lobby.reader.colour) if lobby.reader is not None else arms_of(""),
    }
