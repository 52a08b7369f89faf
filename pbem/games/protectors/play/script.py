"""Protectors of the Realm as a demonstration plays it: the port `pbem.play.Play`, filled."""

import random
from collections.abc import Sequence
from typing import Any, ClassVar

from engine.protectors import orders as o
from engine.protectors.events import DragonAttacked, PlayerEliminated
from engine.protectors.view import TableView
from engine.ruleset import Event
from pbem.games.protectors.pages.gallery import standing_of
from pbem.games.protectors.pages.letters import PAGES
from pbem.games.protectors.pages.menu import MENU
from pbem.games.protectors.play.abilities import look_first, use_ashes
from pbem.games.protectors.play.phrases import names_of, phrase_all
from pbem.games.protectors.play.questions import questions_of
from pbem.games.protectors.play.sight import sight_of
from pbem.games.protectors.play.slips import slip_of
from pbem.games.protectors.play.strategy import plan
from pbem.play import Figure, Play, ScriptedQuestion, Seen, Slip, counted


class ProtectorsPlay(Play):
    """Bold players, rarely mad."""

    pages = PAGES
    menu = MENU
    usual_players = 7
    said_in_group = "fortify P1... oh, wrong window"
    main_stages = frozenset({"orders"})
    by_phone: ClassVar = {
        "Anna": ((3, "/map"), (5, "why ranking"), (7, "/status")),
        "Bartek": ((4, "/history"),),
        "Mei": ((4, "/who"), (8, "why dragon")),
    }
    phases: ClassVar = {
        "bidding": "bids",
        "rebid": "bids again",
        "orders": "orders",
        "dragon": "Dragon Attack",
        "consolidation": "buying and bidding",
        "bank": "the Bank",
        "over": "the end",
    }

    def is_asked(self, seen: Seen) -> bool:
        return bool(seen.legal)

    def plan(self, question: ScriptedQuestion, rng: random.Random) -> tuple[o.Order, ...]:
        return plan(sight_of(question.seen), question.person.temper, rng)

    def plan_looks(self, question: ScriptedQuestion, rng: random.Random) -> tuple[o.Order, ...]:
        return look_first(sight_of(question.seen), rng) if question.stage == "orders" else ()

    def plan_after_look(self, seen: Seen, rng: random.Random) -> tuple[o.Order, ...]:
        return use_ashes(sight_of(seen), rng)

    def word(self, seen: Seen, orders: Sequence[o.Order], rng: random.Random) -> list[str]:
        return phrase_all(orders, names_of(seen.view.players), rng)

    def word_exactly(self, seen: Seen, orders: Sequence[o.Order]) -> list[str]:
        names = {player.number: player.name for player in seen.view.players}
        return [o.format_order(order, names) for order in orders]

    def word_final(self, seen: Seen, rng: random.Random) -> str:
        return phrase_all([o.Final()], {}, rng)[0]

    def is_settled_early(self, stage: str) -> bool:
        """Against the Dragon, and when places are bid for again, everybody is."""
        return stage in ("dragon", "rebid")

    def slip(
        self, question: ScriptedQuestion, orders: Sequence[o.Order], rng: random.Random
    ) -> Slip | None:
        return slip_of(question, orders)

    def questions(self, question: ScriptedQuestion, orders: Sequence[o.Order]) -> tuple[str, ...]:
        return questions_of(question, orders)

    def danger_words(self, view: TableView) -> tuple[str, str]:
        return "Dragon", f"{view.dpl} of {view.threshold}"

    def ranking_words(self, view: TableView) -> tuple[str, ...]:
        ranked = [view.player(number) for number in view.ranking]
        return tuple(
            f"{player.name} {len(player.provinces)}/{player.units}/{player.vp}" for player in ranked
        )

    def standing(self, view: TableView) -> str:
        return standing_of(view).rstrip(".")

    def fallen(self, view: TableView) -> frozenset[int]:
        return frozenset(player.number for player in view.players if player.fell_to)

    def figures(self, events: Sequence[Event]) -> tuple[Figure, ...]:
        facts: list[Any] = [event.facts for event in events]
        attacks = [fact for fact in facts if isinstance(fact, DragonAttacked)]
        beaten, out = (
            sum(fact.won for fact in attacks),
            sum(isinstance(fact, PlayerEliminated) for fact in facts),
        )
        return (
            Figure(
                f"{beaten} of {len(attacks)}",
                f"{counted(len(attacks), 'Dragon Attack')} ({beaten} beaten)",
                "Dragon Attacks beaten",
            ),
            Figure(str(out), counted(out, "elimination"), "eliminations"),
        )


PLAY: Play = ProtectorsPlay()
