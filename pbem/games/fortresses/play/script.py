"""Fortresses as a demonstration plays it: the port `pbem.play.Play`, filled."""

import random
from collections.abc import Sequence
from typing import Any, ClassVar

from engine.fortresses import event_kinds as k
from engine.fortresses import orders as o
from engine.fortresses.atlas import distances, facts_of, lands
from engine.fortresses.view import TableView
from engine.ruleset import Event
from pbem.games.fortresses.pages.letters import PAGES
from pbem.games.fortresses.pages.menu import MENU
from pbem.games.fortresses.play.phrases import phrase, phrase_all
from pbem.games.fortresses.play.strategy import plan
from pbem.play import Figure, Play, ScriptedQuestion, Seen, Slip, counted

_ALLIANCES = {"silver_gold": "Silver and Gold", "red_blue": "Red and Blue"}


class FortressesPlay(Play):
    """Kingdoms that gather their armies and then dare something."""

    pages = PAGES
    menu = MENU
    usual_players = 4
    said_in_group = "Attack Kiev with everything... oh, wrong window"
    main_stages = frozenset({"attack"})
    by_phone: ClassVar = {
        "Anna": (
            (3, "/map"),
            (4, "odds of taking Kiev with 8 legions and 4 knights"),
            (6, "/status"),
        ),
        "Bartek": ((3, "why last battle"), (4, "/history")),
    }
    phases: ClassVar = {
        "attack": "attacks",
        "battle": "rounds asked about",
        "reinforce": "reinforcements",
        "over": "the end",
    }

    def plan(self, question: ScriptedQuestion, rng: random.Random) -> tuple[o.Order, ...]:
        return plan(question.seen, question.person.temper, rng)

    def word(self, seen: Seen, orders: Sequence[o.Order], rng: random.Random) -> list[str]:
        return phrase_all(orders, seen.view, rng)

    def word_exactly(self, seen: Seen, orders: Sequence[o.Order]) -> list[str]:
        return [o.format_order(order) for order in orders]

    def word_final(self, seen: Seen, rng: random.Random) -> str:
        """`done` ends a phase of orders; an answer in a battle ends itself."""
        return "" if seen.view.stage == "battle" else phrase(o.Done(), rng)

    def is_settled_early(self, stage: str) -> bool:
        return True

    def slip(
        self, question: ScriptedQuestion, orders: Sequence[o.Order], rng: random.Random
    ) -> Slip | None:
        """Now a zone misspelt, now units that cannot come so far."""
        attacks = [order for order in orders if isinstance(order, o.Attack)]
        if question.stage != "attack" or not attacks:
            return None
        wrong = attacks[0]
        rest = tuple(order for order in orders if order != wrong)
        said = o.format_order(wrong)
        if question.of_stage % 2:
            return Slip(
                said.replace("Attack ", "Atack ", 1).replace(" from ", " form ", 1), wrong, rest
            )
        origin = wrong.groups[0].origin
        near = distances(origin, "air")
        far = next((land for land in lands() if near.get(land, 0) > facts_of("D").move), None)
        return None if far is None else Slip(said.replace(wrong.target, far, 1), wrong, rest)

    def questions(self, question: ScriptedQuestion, orders: Sequence[o.Order]) -> tuple[str, ...]:
        if question.stage != "attack":
            return ()
        attack = next((order for order in orders if isinstance(order, o.Attack)), None)
        odds = "status"
        if attack is not None:
            odds = f"odds of taking {attack.target} with {attack.groups[0].units.text}"
        asked = (odds, "map", "why last battle", "rule FW-7.9", "history", "why ranking")
        return (asked[(question.of_stage - 1) % len(asked)],)

    def danger_words(self, view: TableView) -> tuple[str, str]:
        return "Fortresses", " : ".join(str(count) for _, count in view.fortresses)

    def ranking_words(self, view: TableView) -> tuple[str, ...]:
        ranked = sorted(view.kingdoms, key=lambda row: -row.income)
        return tuple(
            f"{row.kingdom.capitalize()} {row.lands}/{row.income}/{row.units.total}"
            for row in ranked
        )

    def standing(self, view: TableView) -> str:
        told = [f"{_ALLIANCES[alliance]} hold {count}" for alliance, count in view.fortresses]
        return f"{' and '.join(told)} of the Fortresses in Year {view.year}"

    def fallen(self, view: TableView) -> frozenset[int]:
        """Who commands nothing that is left."""
        alive = {row.commander for row in view.kingdoms if row.lands or row.units.total}
        return frozenset(player.number for player in view.players if player.number not in alive)

    def figures(self, events: Sequence[Event]) -> tuple[Figure, ...]:
        facts: list[Any] = [event.facts for event in events]
        battles = sum(isinstance(fact, k.BattleEnded) and fact.rounds > 0 for fact in facts)
        conquered = sum(isinstance(fact, k.LandConquered) for fact in facts)
        dice = sum(
            len(fact.attack) + len(fact.defence)
            for fact in facts
            if isinstance(fact, k.RoundFought)
        )
        return (
            Figure(str(battles), counted(battles, "battle"), "battles"),
            Figure(
                str(dice), f"{dice} dice rolled" if dice != 1 else "1 die rolled", "dice rolled"
            ),
            Figure(str(conquered), counted(conquered, "Land"), "Lands taken"),
        )


PLAY: Play = FortressesPlay()
