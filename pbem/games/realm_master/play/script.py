"""Realm-Master as a demonstration plays it: the port `pbem.play.Play`, filled."""

import random
from collections.abc import Sequence
from typing import Any, ClassVar

from engine.realm_master import orders as o
from engine.realm_master.events import AttackMade, HeroDied, LandEntered
from engine.realm_master.view import TableView
from engine.realm_master.wording import format_order
from engine.ruleset import Event
from pbem.games.realm_master.pages.gallery import ranked
from pbem.games.realm_master.pages.letters import PAGES
from pbem.games.realm_master.pages.menu import MENU
from pbem.games.realm_master.play.phrases import phrase
from pbem.games.realm_master.play.strategy import plan
from pbem.play import Figure, Play, ScriptedQuestion, Seen, Slip, counted

_MISSPELT = {"Reroll": "rerol", "Enter": "entr", "Buy": "bye"}


class RealmMasterPlay(Play):
    """Heroes who want banners, and are careful of their hearts."""

    pages = PAGES
    menu = MENU
    usual_players = 4
    said_in_group = "enter the richest land... oh, wrong window"
    main_stages = frozenset({"round"})
    by_phone: ClassVar = {
        "Anna": (
            (3, "/map"),
            (4, "odds of two swords with three dice"),
            (5, "why ranking"),
            (6, "/status"),
        ),
        "Bartek": ((3, "why did I lose hearts"), (4, "/history")),
    }
    phases: ClassVar = {
        "heroes": "heroes",
        "round": "plans of a round",
        "tribute": "tribute",
        "ultimatum": "ultimatum",
        "reroll": "rerolls",
        "second": "second rerolls",
        "knuckle": "the Knuckle's die",
        "faces": "faces of R",
        "attack": "attacks",
        "smoke": "Smoke Pots",
        "hit": "staying or leaving",
        "loot": "loot",
        "place": "revealed cards",
        "enter": "entering",
        "realm": "staying in the Realm",
        "last": "ends of turns",
        "over": "the end",
    }

    def plan(self, question: ScriptedQuestion, rng: random.Random) -> tuple[o.Order, ...]:
        return plan(question.seen, question.person.temper, rng)

    def word(self, seen: Seen, orders: Sequence[o.Order], rng: random.Random) -> list[str]:
        return [phrase(order, rng) for order in orders]

    def word_exactly(self, seen: Seen, orders: Sequence[o.Order]) -> list[str]:
        return [format_order(order) for order in orders]

    def taps(self, seen: Seen, order: o.Order) -> tuple[str, ...]:
        """The plan of a round is written."""
        return () if seen.view.stage in self.main_stages else super().taps(seen, order)

    def slip(
        self, question: ScriptedQuestion, orders: Sequence[o.Order], rng: random.Random
    ) -> Slip | None:
        """A word misspelt, or a card that nobody sells."""
        for order in orders:
            word = next(
                (known for known in _MISSPELT if format_order(order).startswith(f"{known}:")),
                None,
            )
            if word is not None and question.stage == "round":
                rest = tuple(other for other in orders if other != order)
                return Slip(
                    format_order(order).replace(f"{word}:", f"{_MISSPELT[word]}:", 1), order, rest
                )
        return None

    def questions(self, question: ScriptedQuestion, orders: Sequence[o.Order]) -> tuple[str, ...]:
        if question.stage == "heroes":
            return ("help",)
        if question.stage != "round":
            return ()
        asked = (
            "why did I lose hearts",
            "odds of reaching 3 swords",
            "map",
            "why ranking",
            "rule RM-4.4",
            "history",
            "why turn 1",
        )
        return (asked[question.of_stage % len(asked)],)

    def danger_words(self, view: TableView) -> tuple[str, str]:
        leader = ranked(view)[0]
        return "Banners", f"{leader.banners} of 10"

    def ranking_words(self, view: TableView) -> tuple[str, ...]:
        return tuple(
            f"{hero.name} {hero.hearts}/{hero.gold}/{hero.banners}"
            for hero in ranked(view)
            if hero.alive
        )

    def turn_of(self, view: TableView) -> int:
        return view.round

    def standing(self, view: TableView) -> str:
        leader = ranked(view)[0]
        return f"{leader.name} leads with {counted(leader.banners, 'banner')} in round {view.round}"

    def fallen(self, view: TableView) -> frozenset[int]:
        return frozenset(hero.number for hero in view.players if not hero.alive)

    def figures(self, events: Sequence[Event]) -> tuple[Figure, ...]:
        facts: list[Any] = [event.facts for event in events]
        attacks, dead, entered = (
            sum(isinstance(fact, kind) for fact in facts)
            for kind in (AttackMade, HeroDied, LandEntered)
        )
        return (
            Figure(str(attacks), counted(attacks, "attack"), "attacks"),
            Figure(str(entered), counted(entered, "entry", "entries"), "lands entered"),
            Figure(str(dead), counted(dead, "death"), "heroes dead"),
        )


PLAY: Play = RealmMasterPlay()
