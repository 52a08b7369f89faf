"""The pages of Protectors of the Realm: what each mail is made of. The words are in
`templates/protectors/`.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.protectors.events import CardRevealed, DeckRenewed, GameWon, OptionVoted, TurnBegan
from engine.protectors.orders import Order
from engine.protectors.questions import Question
from engine.protectors.view import TableView
from engine.ruleset import Event, Problem, Standing
from pbem.games.protectors.pages.abilities import (
    abilities_of,
    chooses_faction,
    factions_to_choose,
    shown_to_bank,
)
from pbem.games.protectors.pages.book import BOOK
from pbem.games.protectors.pages.cast import Cast, cast_of
from pbem.games.protectors.pages.defaults import default_of, missing_of
from pbem.games.protectors.pages.events import (
    chapters,
    corrections,
    describe,
    digest,
    revealed_orders,
)
from pbem.games.protectors.pages.examples import examples
from pbem.games.protectors.pages.facts import brackets, is_ranked, me, own_rows, pieces
from pbem.games.protectors.pages.gallery import outcome_of, player_cards
from pbem.games.protectors.pages.receipt import sort_items, standing_sum
from pbem.games.protectors.pages.supposing import supposition_values
from pbem.games.protectors.pages.why import why_values
from pbem.pages.dates import Moment, moment
from pbem.pages.gallery import PlayerCard
from pbem.pages.kit import rules as rulebook
from pbem.pages.kit.arms import arms_of
from pbem.pages.lobby import lobby_facts
from pbem.pages.lobby_view import Lobby
from pbem.pages.notice import seen
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
from pbem.pages.rendering import chat_words, page, phrase, twin

Values = dict[str, object]


class ProtectorsPages:
    """Fulfils `GamePages`. Stateless: what several readers share is kept by value, line by line."""

    title = "Protectors of the Realm"
    about = "secret orders, battles, a Dragon, for 2 to 16 players"
    turn_word = "turn"

    def phase_name(self, kind: str) -> str:
        return phrase("protectors/subjects.j2", "phase_words", kind)

    def invitation(
        self,
        table: Table,
        reader: Reader,
        invited_by: str,
        players_so_far: Sequence[str],
        lobby: Lobby | None = None,
    ) -> Page:
        values: Values = {
            "table": table,
            "reader": reader,
            "invited_by": invited_by,
            "players": tuple(players_so_far),
        }
        values |= {
            "facts": (
                lobby_facts(table, reader, lobby) | {"gm_name": table.gm_name}
                if lobby is not None
                else None
            )
        }
        return page(
            "protectors/invitation.j2",
            f"[{table.title}] {phrase('protectors/subjects.j2', 'invitation')}",
            values,
        )

    def welcome(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        commitment: str,
        events: Sequence[Event] = (),
    ) -> Page:
        values = self._values(table, reader, view)
        cast = cast_of(view, reader.number)
        start, arms = "", ""
        if view.you is not None:
            seat = me(view)
            start, arms = (
                cast.place(seat.start),
                f"{arms_of(seat.colour).colour} {arms_of(seat.colour).symbol}",
            )
        players = tuple(
            (
                player.number,
                cast.name(player.number),
                arms_of(player.colour),
                cast.place(player.start) if player.start else "",
                player.faction or "",
                cast.team_of(player.number) or "",
            )
            for player in view.players
        )
        values |= {
            "start": start,
            "arms_words": arms,
            "players": players,
            "commitment": commitment,
            "examples": self._examples(view, cast),
        }
        values |= {
            "votes": digest(
                [event for event in events if isinstance(event.facts, OptionVoted)], cast
            )
        }
        return page("protectors/welcome.j2", self._subject(table, reader, view, "welcome"), values)

    def turn(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        events: Sequence[Event],
        standing: Standing[Order],
    ) -> Page:
        cast = cast_of(view, reader.number)
        values = self._values(table, reader, view) | self._stored(cast, standing)
        seat = me(view)
        rivals = next((tie for tie in view.ties if seat.number in tie), ())
        values |= {
            "examples": () if standing.final else self._examples(view, cast),
            "own_words": self.own_words(view),
            "lines": digest(events, cast),
            "past_turn": (
                view.turn if view.stage == "dragon" else _turn_of(events, view)
            ),  # the Dragon is told behind the turn's bids
            "rivals": cast.people(number for number in rivals if number != seat.number),
            "factions": factions_to_choose(view),
            "shown": shown_to_bank(view, cast),
        }
        return page(
            "protectors/turn.j2",
            self._subject(table, reader, view, "due"),
            values,
            chat="protectors/chat_turn.j2",
            caption=True,
        )

    def happened(
        self, table: Table, reader: Reader, view: TableView, events: Sequence[Event]
    ) -> Page:
        cast = cast_of(view, reader.number)
        title = phrase("protectors/subjects.j2", "happened", _turn_of(events, view))
        values = self._values(table, reader, view) | {
            "title": title,
            "lines": digest(events, cast),
            "shown": (),
        }
        values["revealed"] = revealed_orders(events, cast)
        if view.you is not None:
            values["shown"] = shown_to_bank(view, cast)
        return page(
            "protectors/happened.j2",
            f"[{table.title}] {title}",
            values,
            chat="protectors/chat_happened.j2",
        )

    def receipt(self, table: Table, reader: Reader, view: TableView, facts: ReceiptFacts) -> Page:
        cast = cast_of(view, reader.number)
        sorted_items = sort_items(view, cast, facts)
        refused = sorted_items.unread + sorted_items.impossible
        missing = missing_of(view, cast, facts.standing_orders)
        is_locked = facts.final and bool(refused)
        mood = "final" if is_locked else "nothing"
        mood = "taken" if not refused else "partly" if sorted_items.taken else mood
        values = self._values(table, reader, view) | {
            "facts": facts,
            "told": digest(facts.told, cast),
            "lines": sum(bool(item.texts or item.refusals) for item in facts.items),
            "in_all": standing_sum(view, cast, facts.standing_orders),
            "taken": sorted_items.taken,
            "unread": sorted_items.unread,
            "impossible": sorted_items.impossible,
            "refused": refused,
            "is_locked": is_locked,
            "missing": missing,
            "open": missing_of(view, cast, facts.standing_orders, whole=True),
            "has_missing": (
                bool(twin("protectors/missing.j2", "any", missing).text) and not facts.final
            ),
            "verdict": phrase("protectors/subjects.j2", "verdict", mood, reader.name),
            "received": moment(facts.received_at, table.now, reader.zone, locale_of(table, reader)),
        }
        subject = phrase(
            "protectors/subjects.j2", "receipt", view.turn, mood, len(refused), facts.version
        )
        return page(
            "protectors/receipt.j2",
            f"[{table.title}] {subject}",
            values,
            chat="protectors/chat_receipt.j2",
        )

    def reminder(
        self, table: Table, reader: Reader, view: TableView, standing: Standing[Order]
    ) -> Page:
        cast = cast_of(view, reader.number)
        values = self._values(table, reader, view) | self._stored(cast, standing)
        values |= {
            "examples": () if standing.orders else self._examples(view, cast),
            "missing": missing_of(view, cast, standing.orders),
        }
        return page(
            "protectors/reminder.j2",
            self._subject(table, reader, view, "reminder"),
            values,
            chat="protectors/chat_reminder.j2",
        )

    def bulletin(self, table: Table, view: TableView, events: Sequence[Event]) -> Page:
        reader, cast = _everybody(table), cast_of(view, None)
        turn = _turn_of(events, view)
        title = phrase(
            "protectors/subjects.j2", "bulletin", turn, tuple(event.kind for event in events), view
        )
        values = self._values(table, reader, view) | {
            "chapters": chapters(events, cast),
            "title": title,
            "summary": self._summary(events, cast, title),
            "headlines": digest(events, cast),
            "brackets": brackets(view, cast),
        }
        told = page(
            "protectors/bulletin.j2",
            f"[{table.title}] {title}",
            values,
            chat="protectors/chat_bulletin.j2",
            caption=True,
        )
        revealed = revealed_orders(events, cast)
        if not revealed:
            return told
        orders = chat_words(
            "protectors/chat_revealed.j2", told.subject, {"revealed": revealed}
        )  # where both do not fit, these come below
        return replace(told, chat=f"{told.chat}\n\n{orders}")

    def ending(
        self,
        table: Table,
        view: TableView,
        events: Sequence[Event],
        seed_hex: str,
        commitment: str,
        record: RecordFacts | None = None,
    ) -> Page:
        reader, cast = _everybody(table), cast_of(view, None)
        won = next((event for event in reversed(events) if isinstance(event.facts, GameWon)), None)
        facts = won.facts if won is not None and isinstance(won.facts, GameWon) else None
        winners = cast.people(view.winners)
        drawn = cast.people(tuple(sorted(view.ranking))) if view.ended_by == "draw" else ()
        title = phrase("protectors/subjects.j2", "ending", winners, cast.team(view.winners), drawn)
        island = view.island is not None
        values = self._values(table, reader, view) | {
            "chapters": chapters(events, cast),
            "title": title,
            "how": view.ended_by,
            "winners": winners,
            "drawn": drawn,
            "prize": facts.prize if facts is not None else 0,
            "teams": facts.teams if facts is not None else (),
            "scores": _scores(facts, cast, island=island) if facts is not None else (),
            "island": island,
            "end_rules": won.rules if won is not None else (),
            "seed": seed_hex,
            "commitment": commitment,
            "record": record,
        }
        return page(
            "protectors/ending.j2",
            f"[{table.title}] {title}",
            values,
            chat="protectors/chat_ending.j2",
        )

    def rolled_back(self, table: Table, view: TableView, facts: RollBack) -> Page:
        reader, cast = _everybody(table), cast_of(view, None)
        title = phrase("protectors/subjects.j2", "rolled_back", view, self.phase_name(view.stage))
        undone = tuple((turn, self.phase_name(kind)) for turn, kind in facts.undone)
        values = self._values(table, reader, view)
        values |= {
            "title": title,
            "undone": undone,
            "facts": facts,
            "seen": () if facts.reshuffled else _seen(facts.events, cast),
        }
        return page("protectors/rolled_back.j2", f"[{table.title}] {title}", values)

    def takeover(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        past: Sequence[PastPhase],
        commitment: str,
    ) -> Page:
        coat = arms_of(me(view).colour)
        values = self._values(table, reader, view)
        values |= {
            "past": _past(past),
            "arms_words": f"{coat.colour} {coat.symbol}",
            "commitment": commitment,
        }
        values |= {"stands_in_until": seen(table.stand_in_until, table, reader)}
        values |= {"asked": view.you is not None and view.you.number in view.asked}
        return page(
            "protectors/takeover.j2",
            f"[{table.title}] {phrase('protectors/subjects.j2', 'takeover', view, reader.name)}",
            values,
        )

    def status(
        self, table: Table, reader: Reader, view: TableView, standing: Standing[Order]
    ) -> Page:
        values = self._values(table, reader, view) | self._stored(
            cast_of(view, reader.number), standing
        )
        title = phrase("protectors/subjects.j2", "status", view)
        values |= {"title": title, "asked": view.you is not None and view.you.number in view.asked}
        values |= {
            "missing": (
                missing_of(view, cast_of(view, reader.number), standing.orders)
                if view.you is not None
                else None
            )
        }
        return page("protectors/status.j2", f"[{table.title}] {title}", values)

    def orders(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        standing: Standing[Order],
        versions: Sequence[StoredVersion],
    ) -> Page:
        cast = cast_of(view, reader.number)
        values = self._values(table, reader, view) | self._stored(cast, standing)
        past = tuple(
            (
                v.version,
                moment(v.received_at, table.now, reader.zone, locale_of(table, reader)).short,
                v.texts,
                v.final,
            )
            for v in reversed(versions)
        )
        values |= {"versions": past, "missing": missing_of(view, cast, standing.orders)}
        return page(
            "protectors/orders.j2",
            f"[{table.title}] {phrase('protectors/subjects.j2', 'orders', view)}",
            values,
        )

    def history(self, table: Table, reader: Reader, bulletins: Sequence[PastPhase]) -> Page:
        values: Values = {"table": table, "reader": reader, "past": _past(bulletins)}
        return page(
            "protectors/history.j2",
            f"[{table.title}] {phrase('protectors/subjects.j2', 'history')}",
            values,
        )

    def map_page(self, table: Table, reader: Reader, view: TableView) -> Page:
        title = phrase("protectors/subjects.j2", "map", view)
        values = self._values(table, reader, view) | {
            "title": title,
            "headlines": (),
            "brackets": brackets(view, cast_of(view, None)),
        }
        chat = "protectors/chat_bulletin.j2" if table.has_picture else "protectors/chat_board.j2"
        return page(
            "protectors/map.j2",
            f"[{table.title}] {title}",
            values,
            chat=chat,
            caption=table.has_picture,
        )

    def board_text(self, table: Table, reader: Reader, view: TableView) -> Page:
        return self.map_page(replace(table, has_picture=False), reader, view)

    def help(self, table: Table, reader: Reader, view: TableView, *, whole: bool = False) -> Page:
        shown = self._examples(view, cast_of(view, reader.number))
        values = self._values(table, reader, view) | {
            "examples": shown,
            "example": shown[0].texts if shown else (),
        }
        values |= {
            "asked": phrase("protectors/phrases.j2", "next_question", view),
            "supposes": True,
        }
        subject, chat = (
            f"[{table.title}] {phrase('protectors/subjects.j2', 'help')}",
            "" if whole else "telegram/help.j2",
        )
        return page("protectors/help.j2", subject, values, chat=chat)

    def rule(self, table: Table, reader: Reader, rule_id: str) -> Page:
        found = rulebook.find_rule(rule_id, BOOK)
        values: Values = {
            "table": table,
            "reader": reader,
            "rule": found,
            "asked": rule_id.strip()[:40],
            "exact": found.id == rulebook.normal_id(rule_id, BOOK),
            "others": tuple((rule.id, rule.title) for rule in rulebook.section_of(found, BOOK)),
        }
        return page("protectors/rule.j2", f"[{table.title}] {found.id}: {found.title}", values)

    def why(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        question: Question | Problem,
        past: Sequence[PhaseEvents],
    ) -> Page:
        template, answer = why_values(view, cast_of(view, reader.number), question, past)
        return page(
            template,
            f"[{table.title}] {answer['title']}",
            {"table": table, "reader": reader, "view": view} | answer,
        )

    def supposition(
        self, table: Table, reader: Reader, view: TableView, facts: SuppositionFacts
    ) -> Page:
        after: TableView = facts.after if facts.after is not None else view
        values = self._values(table, reader, after) | supposition_values(
            view, after, cast_of(view, reader.number), facts
        )
        subject = phrase(
            "protectors/subjects.j2", "supposition", view, facts.is_preview, facts.refused
        )
        return page("protectors/supposition.j2", f"[{table.title}] {subject}", values)

    def outcome(self, view: TableView) -> str:
        return outcome_of(view)

    def players(self, view: TableView) -> Sequence[PlayerCard]:
        return player_cards(view)

    def corrections(self, view: TableView, events: Sequence[Event]) -> Sequence[str]:
        return corrections(
            events, view, cast_of(view, view.you.number if view.you is not None else None)
        )

    def describe_event(self, event: Event, view: TableView) -> str:
        return describe(event, cast_of(view, view.you.number if view.you is not None else None))

    def own_words(self, view: TableView) -> str:
        """An order of this position in a player's own words; empty when there is none to give."""
        return phrase("protectors/subjects.j2", "own_words", view, cast_of(view, None))

    # ---------------------------------------------------------------------------------------- parts
    def _values(self, table: Table, reader: Reader, view: TableView) -> Values:
        """What nearly every page shows."""
        cast = cast_of(view, reader.number)
        own, shared = view.you is not None, pieces(view, cast, table.rules_url)
        return {
            "table": table,
            "reader": reader,
            "view": view,
            "c": cast,
            "you": view.you,
            "due": self._due(table, reader),
            "when": moment(table.now, table.now, reader.zone, locale_of(table, reader)),
            "alt": shared.alt,
            "piece": shared,
            "ranked": is_ranked(view),
            "mine": own_rows(view, cast) if own else (),
            "self_row": me(view) if own else None,
            "own_abilities": abilities_of(view, cast) if own else None,
            "chooses": chooses_faction(view),
            "minimum": me(view).minimum if own else 0,
            "has_units": own and any(row.units for row in own_rows(view, cast)),
            "default": default_of(view, cast) if own else None,
        }

    @staticmethod
    def _due(table: Table, reader: Reader) -> Moment | None:
        return (
            moment(table.deadline, table.now, reader.zone, locale_of(table, reader))
            if table.deadline is not None
            else None
        )

    @staticmethod
    def _stored(cast: Cast, standing: Standing[Order]) -> Values:
        return {"stored": cast.orders(standing.orders), "is_final": standing.final}

    @staticmethod
    def _examples(view: TableView, cast: Cast) -> tuple["_Shown", ...]:
        if view.you is None or view.you.number not in view.asked:
            return ()
        return tuple(
            _Shown(example.texts(cast), example.why(cast)) for example in examples(view, cast)
        )

    def _subject(self, table: Table, reader: Reader, view: TableView, kind: str) -> str:
        due = self._due(table, reader)
        return (
            f"[{table.title}]"
            f" {phrase('protectors/subjects.j2', kind, view, due.bare if due is not None else '')}"
        )

    @staticmethod
    def _summary(events: Sequence[Event], cast: Cast, title: str) -> str:
        telling = [
            e for e in events if e.kind in ("dragon-attack", "eliminated", "battle", "card", "bids")
        ]
        lines = [describe(event, cast) for event in telling[:2]]
        return " ".join((title + ".", *lines))[:240]


class _Shown:
    """An example ready to be shown."""

    __slots__ = ("texts", "why")

    def __init__(self, texts: tuple[str, ...], why: object) -> None:
        self.texts = texts
        self.why = why


def _everybody(table: Table) -> Reader:
    """The reader of what is the same for all: nobody, in the table's zone."""
    return Reader(None, table.title, table.zone, table.locale)


def _turn_of(events: Sequence[Event], view: TableView) -> int:
    """The turn a bulletin is about: the one in which its events began."""
    for index, event in enumerate(events):
        if isinstance(event.facts, TurnBegan):
            return event.facts.turn if index == 0 else max(1, event.facts.turn - 1)
    return view.turn


def _past(phases: Sequence[PastPhase]) -> tuple[tuple[int, str, tuple[str, ...], bool], ...]:
    """The past for a page, the latest first."""
    words = (PAGES.phase_name(entry.phase) for entry in phases)
    return tuple(
        (entry.turn, word, entry.lines, entry.is_undone)
        for entry, word in zip(phases, words, strict=True)
    )[::-1]


def _seen(events: Sequence[Event], cast: Cast) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The cards that come again in the order in which they came: of each deck those up to its first
    shuffle.
    """
    cards: dict[str, list[str]] = {}
    shuffled: set[str] = set()
    for event in events:
        match event.facts:
            case DeckRenewed(deck=deck):
                shuffled.add(deck)
            case CardRevealed(deck=deck, card=card) if deck not in shuffled:
                cards.setdefault(deck, []).append(card)
    return tuple((cast.deck(deck), tuple(names)) for deck, names in cards.items())


def _scores(facts: GameWon, cast: Cast, *, island: bool) -> tuple[tuple[object, ...], ...]:
    rows = []
    for place, (player, tokens, land, isle, total, units, realm, _rank) in enumerate(
        facts.scores, start=1
    ):
        middle = (land, isle) if island else (land,)
        rows.append((place, cast.name(player), tokens, *middle, total, units, realm))
    return tuple(rows)


PAGES = ProtectorsPages()
