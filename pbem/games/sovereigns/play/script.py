"""States & Sovereigns as a demonstration plays it: the port `pbem.play.Play`, filled."""

import random
from collections.abc import Sequence
from typing import Any, ClassVar

from engine.ruleset import Event
from engine.sovereigns import events as e
from engine.sovereigns import orders as o
from engine.sovereigns.view import TableView
from pbem.games.sovereigns.pages.cast import order_text
from pbem.games.sovereigns.pages.letters import PAGES
from pbem.games.sovereigns.pages.menu import MENU
from pbem.games.sovereigns.play.phrases import phrase
from pbem.games.sovereigns.play.strategy import answers, early, leader, plan
from pbem.play import Figure, Play, ScriptedQuestion, Seen, Slip, counted

_NOWHERE = "Atlantis"
_MISSPELT = {"Research": "Reserch", "Attack": "Atack", "Expedition": "Expediton"}


class SovereignsPlay(Play):
    """Rulers who trade and invent, until one of them is strong enough."""

    pages = PAGES
    menu = MENU
    usual_players = 5
    said_in_group = "Attack Borland with everything... oh, wrong window"
    main_stages = frozenset({"season"})
    by_phone: ClassVar = {
        "Anna": ((3, "/map"), (5, "/status"), (7, "rule SS-6.4")),
        "Bartek": ((4, "/status"), (5, "/history")),
    }
    phases: ClassVar = {
        "setup": "splits",
        "year-start": "Harmony rolls",
        "season": "seasons",
        "redo": "actions done again",
        "over": "the end",
    }

    def plan(self, question: ScriptedQuestion, rng: random.Random) -> tuple[o.Order, ...]:
        return plan(question.seen, question.person.temper, rng)

    def plan_looks(self, question: ScriptedQuestion, rng: random.Random) -> tuple[o.Order, ...]:
        """What takes effect at once, and is answered by others in the same season."""
        return early(question.seen, question.person.temper, rng)

    def plan_after_look(self, seen: Seen, rng: random.Random) -> tuple[o.Order, ...]:
        """By then the others have said something too."""
        return answers(seen, rng)

    def word(self, seen: Seen, orders: Sequence[o.Order], rng: random.Random) -> list[str]:
        return [phrase(order, seen.view, rng) for order in orders]

    def word_exactly(self, seen: Seen, orders: Sequence[o.Order]) -> list[str]:
        return [order_text(seen.view, order) for order in orders]

    def slip(
        self, question: ScriptedQuestion, orders: Sequence[o.Order], rng: random.Random
    ) -> Slip | None:
        """Now an unknown kingdom, now a word misspelt."""
        wrong = next((order for order in orders if isinstance(order, o.Do)), None)
        if question.stage != "season" or wrong is None or len(wrong.ways) > 1:
            return None
        way, view = wrong.ways[0], question.seen.view
        rest = tuple(order for order in orders if order != wrong)
        said = order_text(view, wrong)
        if way.target is not None and question.of_stage % 2:
            ruler = view.kingdom(way.target).ruler
            return Slip(said.replace(f"{way.kind} {ruler}", f"{way.kind} {_NOWHERE}"), wrong, rest)
        if way.kind in _MISSPELT and way.proposal is None:
            return Slip(said.replace(way.kind, _MISSPELT[way.kind], 1), wrong, rest)
        return None

    def questions(self, question: ScriptedQuestion, orders: Sequence[o.Order]) -> tuple[str, ...]:
        if question.stage != "season":
            return ()
        asked = ("status", "map", "rule SS-6.4", "history", "why ranking", "help")
        return (asked[(question.of_stage - 1) % len(asked)],)

    def danger_words(self, view: TableView) -> tuple[str, str]:
        return "Kingdoms standing", f"{len(view.living)} of {len(view.kingdoms)}"

    def ranking_words(self, view: TableView) -> tuple[str, ...]:
        ranked = sorted(map(view.kingdom, view.living), key=lambda one: -_points(one.total))
        return tuple(
            f"{one.name or one.ruler} {one.total.R}/{one.total.M}/{one.total.H}" for one in ranked
        )

    def turn_of(self, view: TableView) -> int:
        return view.year

    def standing(self, view: TableView) -> str:
        first = leader(view)
        name = first.name or first.ruler
        return f"{name} leads with {_points(first.total)} points in year {view.year}"

    def fallen(self, view: TableView) -> frozenset[int]:
        return frozenset(one.number for one in view.kingdoms if not one.alive)

    def figures(self, events: Sequence[Event]) -> tuple[Figure, ...]:
        facts: list[Any] = [event.facts for event in events]
        actions = [fact for fact in facts if isinstance(fact, e.ActionResolved)]
        dice = sum(len(fact.dice) + len(fact.defence) for fact in actions)
        known = {fact.technology for fact in facts if isinstance(fact, e.TechnologyGot)}
        falls = sum(isinstance(fact, e.Fallen) for fact in facts)
        return (
            Figure(str(len(actions)), counted(len(actions), "action"), "actions"),
            Figure(str(dice), counted(dice, "die", "dice") + " rolled", "dice rolled"),
            Figure(
                str(len(known)), counted(len(known), "technology", "technologies"), "discoveries"
            ),
            Figure(str(falls), counted(falls, "kingdom") + " fallen", "kingdoms fallen"),
        )


PLAY: Play = SovereignsPlay()


def _points(total: Any) -> int:
    return int(total.R + total.M + total.H)
