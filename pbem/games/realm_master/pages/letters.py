"""The pages of Realm-Master: what each mail is made of. The words are in
`templates/realm_master/`.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.realm_master.cards import all_turn_cards
from engine.realm_master.events import (
    CardBought,
    CardRevealed,
    DeckRebuilt,
    GameWon,
    OptionVoted,
    RoundBegan,
)
from engine.realm_master.orders import Order
from engine.realm_master.questions import Odds, Question
from engine.realm_master.view import TableView
from engine.ruleset import Event, Problem, Standing
from pbem.games.realm_master.pages.answers import answers, lands_to_enter
from pbem.games.realm_master.pages.cast import BOOK, Cast, cast_of, deed_of, effect_of, gift_of
from pbem.games.realm_master.pages.events import (
    chapters,
    corrections,
    describe,
    event_lines,
    going_on,
    turns_told,
)
from pbem.games.realm_master.pages.facts import (
    hero_choices,
    hero_rows,
    land_rows,
    me,
    own_cards,
    pieces,
    price_for,
    row_rows,
)
from pbem.games.realm_master.pages.gallery import outcome_of, player_cards
from pbem.games.realm_master.pages.plan import answers_among, line_for, plan_facts
from pbem.games.realm_master.pages.receipt import sort_items
from pbem.games.realm_master.pages.tales import tales
from pbem.games.realm_master.pages.why import why_values
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
from pbem.pages.rendering import page, phrase

Values = dict[str, object]
SUBJECTS = "realm_master/subjects.j2"
TELLING = frozenset({"attack", "died", "entered", "game-over", "phoenix", "bought", "ultimatum"})
"""Kinds that make headlines."""


class RealmMasterPages:
    """Fulfils `GamePages`. Stateless: what several readers share is kept by value, line by line."""

    title = "Realm-Master"
    about = "heroes, dice and four lands, for 2 to 6 players"
    turn_word = "round"

    def phase_name(self, kind: str) -> str:
        return phrase(SUBJECTS, "phase_words", kind)

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
            "realm_master/invitation.j2",
            f"[{table.title}] {phrase(SUBJECTS, 'invitation')}",
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
        cast = cast_of(view, reader.number)
        coat = arms_of(me(view).colour) if view.you is not None else None
        votes = [
            line
            for event in events
            if isinstance(event.facts, OptionVoted)
            for line in event_lines(event, cast)
        ]
        values = self._values(table, reader, view) | {"commitment": commitment, "votes": votes}
        values |= {
            "arms_words": f"{coat.colour} {coat.symbol}" if coat is not None else "",
            "rows_of_heroes": hero_rows(view, cast),
        }
        return page(
            "realm_master/welcome.j2", self._subject(table, reader, view, "welcome"), values
        )

    def turn(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        events: Sequence[Event],
        standing: Standing[Order],
    ) -> Page:
        values = self._values(table, reader, view, standing) | self._story(view, events, reader)
        values["choices"] = hero_choices()
        chat = "realm_master/chat_turn.j2"
        return page(
            "realm_master/turn.j2",
            self._subject(table, reader, view, "due"),
            values,
            chat=chat,
            caption=True,
        )

    def happened(
        self, table: Table, reader: Reader, view: TableView, events: Sequence[Event]
    ) -> Page:
        title = phrase(SUBJECTS, "happened", _round_of(events, view))
        values = (
            self._values(table, reader, view) | self._story(view, events, reader) | {"title": title}
        )
        return page("realm_master/happened.j2", f"[{table.title}] {title}", values)

    def receipt(self, table: Table, reader: Reader, view: TableView, facts: ReceiptFacts) -> Page:
        cast = cast_of(view, reader.number)
        found = sort_items(view, cast, facts)
        refused = found.unread + found.impossible
        mood = "taken" if not refused else "partly" if found.taken else "nothing"
        standing = Standing[Order](tuple(facts.standing_orders), facts.final)
        values = self._values(table, reader, view, standing) | {
            "facts": facts,
            "told": tuple(line for event in facts.told for line in event_lines(event, cast)),
            "lines": sum(bool(item.texts or item.refusals) for item in facts.items),
            "taken": found.taken,
            "unread": found.unread,
            "impossible": found.impossible,
            "refused": refused,
            "verdict": phrase(SUBJECTS, "verdict", mood, reader.name),
            "received": moment(facts.received_at, table.now, reader.zone, locale_of(table, reader)),
        }
        subject = phrase(SUBJECTS, "receipt", view, mood, len(refused), facts.version)
        return page(
            "realm_master/receipt.j2",
            f"[{table.title}] {subject}",
            values,
            chat="realm_master/chat_receipt.j2",
        )

    def reminder(
        self, table: Table, reader: Reader, view: TableView, standing: Standing[Order]
    ) -> Page:
        values = self._values(table, reader, view, standing)
        return page(
            "realm_master/reminder.j2", self._subject(table, reader, view, "reminder"), values
        )

    def bulletin(self, table: Table, view: TableView, events: Sequence[Event]) -> Page:
        reader, cast = _everybody(table), cast_of(view, None)
        kinds, turns = tuple(event.kind for event in events), turns_told(events, view)
        is_live = view.turn is not None or going_on(events, view) is not None
        title = phrase(SUBJECTS, "bulletin", view, kinds, _round_of(events, view), turns, is_live)
        values = self._values(table, reader, view) | self._story(view, events, reader)
        values |= {"title": title, "summary": self._summary(events, cast, title)}
        chat = "realm_master/chat_bulletin.j2"
        return page(
            "realm_master/bulletin.j2", f"[{table.title}] {title}", values, chat=chat, caption=True
        )

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
        standing = won.facts.standing if won is not None and isinstance(won.facts, GameWon) else ()
        title = phrase(SUBJECTS, "ending", cast.people(view.winners))
        values = (
            self._values(table, reader, view)
            | self._story(view, events, reader)
            | {
                "title": title,
                "outcome": outcome_of(view, cast),
                "scores": tuple(
                    (place, cast.name(player), cast.hero(player), banners, hearts, gold, cards)
                    for place, (player, banners, hearts, gold, cards) in enumerate(
                        standing, start=1
                    )
                ),
                "end_rules": won.rules if won is not None else (),
                "seed": seed_hex,
                "commitment": commitment,
                "record": record,
            }
        )
        return page("realm_master/ending.j2", f"[{table.title}] {title}", values)

    def rolled_back(self, table: Table, view: TableView, facts: RollBack) -> Page:
        reader, cast = _everybody(table), cast_of(view, None)
        title = phrase(SUBJECTS, "rolled_back", view)
        undone = tuple((turn, self.phase_name(kind)) for turn, kind in facts.undone)
        values = self._values(table, reader, view) | {
            "title": title,
            "undone": undone,
            "facts": facts,
        }
        values |= {"seen": () if facts.reshuffled else _seen(facts.events, cast)}
        return page("realm_master/rolled_back.j2", f"[{table.title}] {title}", values)

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
        return page(
            "realm_master/takeover.j2",
            f"[{table.title}] {phrase(SUBJECTS, 'takeover', view, reader.name)}",
            values,
        )

    def status(
        self, table: Table, reader: Reader, view: TableView, standing: Standing[Order]
    ) -> Page:
        title = phrase(SUBJECTS, "status", view)
        values = self._values(table, reader, view, standing)
        values |= {"title": title, "outcome": outcome_of(view, cast_of(view, reader.number))}
        return page("realm_master/status.j2", f"[{table.title}] {title}", values)

    def orders(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        standing: Standing[Order],
        versions: Sequence[StoredVersion],
    ) -> Page:
        values = self._values(table, reader, view, standing)
        values["versions"] = tuple(
            (
                v.version,
                moment(v.received_at, table.now, reader.zone, locale_of(table, reader)).short,
                v.texts,
            )
            for v in reversed(versions)
        )
        return page(
            "realm_master/orders.j2", f"[{table.title}] {phrase(SUBJECTS, 'orders', view)}", values
        )

    def history(self, table: Table, reader: Reader, bulletins: Sequence[PastPhase]) -> Page:
        values: Values = {"table": table, "reader": reader, "past": _past(bulletins)}
        return page(
            "realm_master/history.j2", f"[{table.title}] {phrase(SUBJECTS, 'history')}", values
        )

    def map_page(self, table: Table, reader: Reader, view: TableView) -> Page:
        title = phrase(SUBJECTS, "map", view)
        values = self._values(table, reader, view) | {"title": title, "tales": ()}
        chat = "realm_master/chat_bulletin.j2" if table.has_picture else ""
        return page(
            "realm_master/map.j2",
            f"[{table.title}] {title}",
            values,
            chat=chat,
            caption=table.has_picture,
        )

    def board_text(self, table: Table, reader: Reader, view: TableView) -> Page:
        return self.map_page(replace(table, has_picture=False), reader, view)

    def help(self, table: Table, reader: Reader, view: TableView, *, whole: bool = False) -> Page:
        values, cast = self._values(table, reader, view), cast_of(view, reader.number)
        found = answers(view, cast)
        values |= {
            "asked": phrase("realm_master/words.j2", "next_question", view, cast),
            "example": found[0].texts if found else (),
        }
        subject, chat = (
            f"[{table.title}] {phrase(SUBJECTS, 'help')}",
            "" if whole else "telegram/help.j2",
        )
        return page("realm_master/help.j2", subject, values, chat=chat)

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
        return page("realm_master/rule.j2", f"[{table.title}] {found.id}: {found.title}", values)

    def why(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        question: Question | Odds | Problem,
        past: Sequence[PhaseEvents],
    ) -> Page:
        answer = why_values(view, cast_of(view, reader.number), question, past)
        return page(
            "realm_master/why.j2",
            f"[{table.title}] {answer['title']}",
            {"table": table, "reader": reader, "view": view} | answer,
        )

    def supposition(
        self, table: Table, reader: Reader, view: TableView, facts: SuppositionFacts
    ) -> Page:
        values = self._values(table, reader, view) | {"facts": facts}
        return page(
            "realm_master/supposition.j2",
            f"[{table.title}] {phrase(SUBJECTS, 'supposition')}",
            values,
        )

    def outcome(self, view: TableView) -> str:
        return outcome_of(view, cast_of(view, None))

    def players(self, view: TableView) -> Sequence[PlayerCard]:
        return player_cards(view, cast_of(view, None))

    def corrections(self, view: TableView, events: Sequence[Event]) -> Sequence[str]:
        return corrections(events, cast_of(view, view.you.number if view.you is not None else None))

    def describe_event(self, event: Event, view: TableView) -> str:
        return describe(event, cast_of(view, view.you.number if view.you is not None else None))

    # ---------------------------------------------------------------------------------------- parts
    def _values(
        self, table: Table, reader: Reader, view: TableView, standing: Standing[Order] | None = None
    ) -> Values:
        """What nearly every page shows; `standing` is what the reader has sent in the open
        window.
        """
        cast = cast_of(view, reader.number)
        seat = me(view) if view.you is not None else None
        row = (
            next((row for row in hero_rows(view, cast) if row.seat == seat.seat), None)
            if seat is not None
            else None
        )
        shared, sent = pieces(view, cast), standing or Standing[Order]()
        return {
            "table": table,
            "reader": reader,
            "view": view,
            "c": cast,
            "you": view.you,
            "mine": row,
            "gift": gift_of(seat.hero) if seat is not None and seat.hero is not None else "",
            "own_cards": own_cards(view, cast) if seat is not None else (),
            "asked": seat is not None and seat.number in view.asked,
            "due": self._due(table, reader),
            "when": moment(table.now, table.now, reader.zone, locale_of(table, reader)),
            "piece": shared,
            "alt": shared.alt,
            "card_kind": all_turn_cards()[view.card].effect if view.card is not None else "",
            "is_again": (
                view.stage == "round"
                and len(view.to_come) < sum(held.alive for held in view.players)
            ),
            "card_what": effect_of(view.card) if view.card is not None else "",
            "revealed_what": deed_of(view.revealed) if view.revealed is not None else "",
            "revealed_price": (
                price_for(view, view.revealed)
                if view.revealed is not None and seat is not None
                else None
            ),
            "hero_rows": hero_rows(view, cast),
            "others": tuple(other for other in hero_rows(view, cast) if other != row),
            "land_rows": land_rows(view, cast),
            "offers": row_rows(view, cast),
            "plan": plan_facts(view, sent) if seat is not None else None,
            "by_plan": line_for(view, sent) if seat is not None else "",
            "stored": cast.orders(sent.orders),
            "answer": cast.orders(answers_among(view, sent.orders)) if seat is not None else (),
            "answers": answers(view, cast),
            "own_words": self._own_words(view, cast),
        }

    @staticmethod
    def _story(view: TableView, events: Sequence[Event], reader: Reader) -> Values:
        """What happened, in chapters for a mail and in few words for a caption."""
        cast = cast_of(view, reader.number)
        told = chapters(events, cast, view)
        found, is_live = tales(events, cast, view), view.turn is not None
        lines = tuple(
            line for chapter in (told[-1:] if is_live else told) for line in chapter.lines
        )
        earlier = tuple(
            tale for tale in found if view.turn is not None and tale.number != view.turn.number
        )
        has_dice = any(event.kind in ("turn", "dice", "resolved") for event in events)
        return {
            "chapters": told,
            "tales": found,
            "earlier": earlier,
            "lines": lines,
            "has_dice": has_dice,
        }

    @staticmethod
    def _own_words(view: TableView, cast: Cast) -> str:
        """A line of a plan in a player's own words, of lands they could enter; empty when there is
        none to give.
        """
        if view.you is None or view.stage != "round" or me(view).at is not None:
            return ""
        return phrase(SUBJECTS, "own_words", cast.lands(land.key for land in lands_to_enter(view)))

    @staticmethod
    def _due(table: Table, reader: Reader) -> Moment | None:
        return (
            moment(table.deadline, table.now, reader.zone, locale_of(table, reader))
            if table.deadline is not None
            else None
        )

    def _subject(self, table: Table, reader: Reader, view: TableView, kind: str) -> str:
        due = self._due(table, reader)
        return (
            f"[{table.title}] {phrase(SUBJECTS, kind, view, due.bare if due is not None else '')}"
        )

    @staticmethod
    def _summary(events: Sequence[Event], cast: Cast, title: str) -> str:
        telling = [event for event in events if event.kind in TELLING]
        return " ".join(
            (f"{title}.", *(event_lines(event, cast)[0].body.text for event in telling[-2:]))
        )[:240]


def _everybody(table: Table) -> Reader:
    """The reader of what is the same for all: nobody, in the table's zone."""
    return Reader(None, table.title, table.zone, table.locale)


def _round_of(events: Sequence[Event], view: TableView) -> int:
    """The round that events are about: the one in which they began."""
    for index, event in enumerate(events):
        if isinstance(event.facts, RoundBegan):
            return (
                event.facts.round if index == 0 or event.facts.round == 1 else event.facts.round - 1
            )
    return view.round


def _past(phases: Sequence[PastPhase]) -> tuple[tuple[int, str, tuple[str, ...], bool], ...]:
    """The past for a page, the latest first."""
    words = (PAGES.phase_name(entry.phase) for entry in phases)
    return tuple(
        (entry.turn, word, entry.lines, entry.is_undone)
        for entry, word in zip(phases, words, strict=True)
    )[::-1]


def _seen(events: Sequence[Event], cast: Cast) -> tuple[str, ...]:
    """The cards of the decks that come again in the order in which they came, up to the first
    shuffle.
    """
    seen: list[str] = []
    for event in events:
        match event.facts:
            case DeckRebuilt():
                break
            case RoundBegan(name=name):
                seen.append(name)
            case CardRevealed(card=card) | CardBought(drawn=str(card)):
                seen.append(cast.card(card))
    return tuple(seen)


PAGES = RealmMasterPages()
