"""What of a close of Fortresses is news, and how much of it; the words are in
`fortresses/news.j2`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.fortresses import event_kinds as e
from engine.fortresses.atlas import KINGDOMS, zones
from engine.fortresses.units import NONE, Units, parse_units
from engine.fortresses.view import TableView
from engine.ruleset import Event
from pbem.games.fortresses.pages.battles import Tale, tales
from pbem.games.fortresses.pages.cast import Cast
from pbem.pages import news as w
from pbem.pages.news import MOST_CLAUSE, MOST_SENTENCE, Mark, News
from pbem.pages.rendering import phrase

TEMPLATE = "fortresses/news.j2"
FORTRESS_TAKEN = w.ATTACK + 1
FORTRESS_HELD = w.LEAD_CHANGED
_RANK = ("fortress", "castle", "none")


@dataclass(frozen=True, slots=True)
class Detail:
    """What news has besides its two macros: a clause of its own, how great it is, whom it concerns,
    where it was, its mark, the lines that say why, and who won and lost.
    """

    short: str = ""
    size: int = 0
    kingdoms: Sequence[str] = ()
    players: Sequence[int] = ()
    area: str = ""
    mark: Mark = ""
    why: tuple[str, ...] = ()
    sides: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


PLAIN = Detail()


@dataclass(frozen=True, slots=True)
class Raised:
    """What a kingdom gets: `places` are (units, zone). `by_rules`: nothing was ordered."""

    kingdom: str
    places: tuple[tuple[str, str], ...]
    by_rules: bool

    @property
    def units(self) -> Units:
        return sum((parse_units(units) for units, _ in self.places), NONE)


def news_of(view: TableView, events: Sequence[Event], cast: Cast) -> tuple[News, ...]:
    """The news of these events, in the order in which they happened; `view` is the table after
    them.
    """
    return tuple(_Telling(view, events, cast).news())


def year_of(view: TableView, events: Sequence[Event]) -> int:
    """The Year that the last orders of these events belong to."""
    given = ""
    year = view.year
    for event in events:
        if isinstance(event.facts, e.OrdersGiven):
            given, year = event.facts.kingdom, view.year
        elif isinstance(event.facts, e.TurnBegan) and given:
            year = event.facts.year - (_turn(given) >= _turn(event.facts.kingdom))
            given = ""
    return year


def _turn(kingdom: str) -> int:
    names: tuple[str, ...] = KINGDOMS
    return names.index(kingdom)


class _Telling:
    """The news of one stretch of events for one reader."""

    def __init__(self, view: TableView, events: Sequence[Event], cast: Cast) -> None:
        self.view, self.events, self.cast = view, events, cast
        self.tales = tales(events)
        self.taken: dict[str, list[str]] = {}
        for tale in self.tales:
            if tale.result == "conquered":
                self.taken.setdefault(tale.attacker, []).append(tale.zone)
        for names in self.taken.values():
            names.sort(key=lambda zone: _RANK.index(zones()[zone].structure))

    def news(self) -> Iterator[News]:
        ended = iter([tale for tale in self.tales if tale.result])
        raised = self._raised()
        given = {one.kingdom for one in raised if one.by_rules}
        walked: list[Tale] = []
        for event in self.events:
            facts = event.facts
            if isinstance(facts, e.BattleEnded):
                tale = next(ended)
                if tale.result == "conquered" and not tale.rounds:
                    walked.append(tale)
                else:
                    yield self._battle(tale)
            elif isinstance(facts, e.OrdersGiven):
                yield from self._orders(facts, raised)
            elif not (isinstance(facts, e.TurnMissed) and facts.kingdom in given):
                yield from self._other(facts)
        yield from self._walked(walked)
        yield from self._waiting()
        yield from self._purchases(raised)
        yield from self._fallen()

    # -------------------------------------------------------------------------------------- battles
    def _battle(self, tale: Tale) -> News:
        losers = tuple(dict(tale.defenders)) or ((tale.taken_from,) if tale.taken_from else ())
        if tale.result == "conquered" and tale.taken_from not in losers:
            losers = (tale.taken_from, *losers)
        is_taken = tale.result == "conquered"
        return self._one(
            tale.result.replace(" ", "_"),
            _weight(tale),
            tale,
            of=Detail(
                short=self._taken_clause(tale.attacker) if is_taken else "",
                size=sum(parse_units(units).total for _, units in tale.lost),
                kingdoms=(tale.attacker, *losers),
                area=tale.zone,
                mark="taken" if is_taken else "battle",
                why=self._rounds(tale),
                sides=self._sides(tale),
            ),
        )

    def _sides(self, tale: Tale) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Who won a battle that had rounds, and who lost it: all where nobody is left."""
        if not tale.length:
            return (), ()
        attack = (self._player(tale.attacker),)
        defence = tuple(dict.fromkeys(map(self._player, self._defenders(tale))))
        if tale.result in ("conquered", "won"):
            return attack, defence
        return (defence, attack) if tale.result == "held" else ((), (*attack, *defence))

    def _defenders(self, tale: Tale) -> tuple[str, ...]:
        """Who defended; of a battle that began before these events, whose Land it was, or who lost
        units in it.
        """
        if tale.defenders:
            return tuple(of for of, _ in tale.defenders)
        owner = tale.taken_from or next(
            (zone.owner or "" for zone in self.view.zones if zone.name == tale.zone), ""
        )
        return (owner,) if owner else tuple(of for of, _ in tale.lost if of != tale.attacker)

    def _taken_clause(self, kingdom: str) -> str:
        """All that a kingdom took, in each of its news: a headline says it once."""
        names = self.taken[kingdom]
        for shown in range(len(names), 0, -1):
            clause = self._say("taken", kingdom, names[:shown], len(names) - shown)
            if len(clause) <= MOST_CLAUSE:
                break
        return clause

    def _rounds(self, tale: Tale) -> tuple[str, ...]:
        return tuple(self._say("round", fought, tale) for fought in tale.rounds)

    def _walked(self, walked: Sequence[Tale]) -> Iterator[News]:
        """Lands that nobody defended, those of one kingdom in one sentence."""
        sides = dict.fromkeys((tale.attacker, tale.taken_from) for tale in walked)
        for attacker, loser in sides:
            found = [
                tale.zone
                for tale in walked
                if (tale.attacker, tale.taken_from) == (attacker, loser)
            ]
            found.sort(key=lambda zone: _RANK.index(zones()[zone].structure))
            is_fortress = zones()[found[0]].structure == "fortress"
            yield self._one(
                "walked",
                FORTRESS_TAKEN if is_fortress else w.TAKEN,
                attacker,
                loser,
                found,
                of=Detail(
                    short=self._taken_clause(attacker),
                    kingdoms=(attacker, loser),
                    area=found[0],
                    mark="entered",
                ),
            )

    def _waiting(self) -> Iterator[News]:
        if self.view.stage != "battle" or not self.view.battles:
            return
        battle, *later = self.view.battles
        tale = next((tale for tale in self.tales if not tale.result), None)
        if tale is None:
            tale = Tale(battle.zone, self.view.active)
        yield self._one(
            "waiting",
            w.BATTLE,
            tale,
            [other.zone for other in later],
            of=Detail(
                kingdoms=(tale.attacker, *dict(tale.defenders)),
                area=tale.zone,
                mark="battle",
                why=self._rounds(tale),
            ),
        )

    # ------------------------------------------------------------------------- orders and purchases
    def _orders(self, facts: e.OrdersGiven, raised: Sequence[Raised]) -> Iterator[News]:
        """The news of a kingdom's orders: only that it sent no orders."""
        commander = self._player(facts.kingdom)
        if commander == self.cast.you:
            return
        fought = {tale.attacker for tale in self.tales}
        if facts.stage == "attack" and facts.kingdom not in fought and not self.view.battles:
            yield self._one("peace", w.SMALL, facts.kingdom)
        bought = {one.kingdom for one in raised}
        if facts.stage == "reinforce" and facts.kingdom not in bought:
            yield self._one("thrift", w.SMALL, facts.kingdom)

    def _raised(self) -> list[Raised]:
        found: dict[str, list[tuple[str, str]]] = {}
        by_rules = set()
        for event in self.events:
            if isinstance(event.facts, e.UnitsBought | e.DefaultPurchase):
                facts = event.facts
                found.setdefault(facts.kingdom, []).append((facts.units, facts.zone))
                if isinstance(facts, e.DefaultPurchase):
                    by_rules.add(facts.kingdom)
        return [Raised(of, tuple(places), of in by_rules) for of, places in found.items()]

    def _purchases(self, raised: Sequence[Raised]) -> Iterator[News]:
        """One line for all that was bought, and one for what nobody chose."""
        for macro, found in (
            ("raised", [one for one in raised if not one.by_rules]),
            ("given", [one for one in raised if one.by_rules]),
        ):
            if found:
                units = sum((one.units for one in found), NONE)
                yield self._one(
                    macro,
                    w.GROWN,
                    found,
                    units.total,
                    of=Detail(size=units.total, kingdoms=tuple(one.kingdom for one in found)),
                )

    # -------------------------------------------------------------------------- players and the end
    def _other(self, facts: object) -> Iterator[News]:
        match facts:
            case e.TurnMissed(player=player):
                yield self._one("missed", w.SMALL, facts, of=Detail(players=(player,)))
            case e.PlayerAbsent(player=player):
                yield self._one("absent", w.LEAD_CHANGED, facts, of=Detail(players=(player,)))
            case e.CommandTaken(player=player, kingdom=kingdom):
                seat = next(own.player for own in self.view.kingdoms if own.kingdom == kingdom)
                yield self._one("command", w.LEAD_CHANGED, facts, of=Detail(players=(player, seat)))
            case e.CommandReturned(player=player):
                yield self._one("returned", w.GROWN, facts, of=Detail(players=(player,)))
            case e.Agreed(player=player):
                yield self._one("agreed", w.LEAD_CHANGED, facts, of=Detail(players=(player,)))
            case e.ProposalLapsed():
                yield self._one("lapsed", w.SMALL, facts)
            case e.PlayerResigned(player=player):
                yield self._one("resigned", w.OUT, facts, of=Detail(players=(player,), mark="out"))
            case e.GameOver():
                yield self._one("over", w.OVER, facts, of=Detail(mark="end"))

    def _fallen(self) -> Iterator[News]:
        """Kingdoms that these events have left without Lands, and Fortresses that changed hands."""
        lost = {tale.taken_from for tale in self.tales if tale.taken_from}
        beaten = lost | {kingdom for tale in self.tales for kingdom, _ in tale.lost}
        for realm in self.view.kingdoms:
            has_lost = realm.kingdom in beaten and not realm.lands
            if has_lost and not realm.units.total:
                kingdoms = (realm.kingdom,)
                yield self._one(
                    "out", w.OUT, realm.kingdom, of=Detail(kingdoms=kingdoms, mark="out")
                )
            elif has_lost and realm.kingdom in lost:
                yield self._one(
                    "landless", w.LEAD_CHANGED, realm.kingdom, of=Detail(kingdoms=(realm.kingdom,))
                )
        fell = any(
            zones()[zone].structure == "fortress" for names in self.taken.values() for zone in names
        )
        for alliance, count in self.view.fortresses:
            if fell and count == 3:
                yield self._one("threat", w.ATTACK, alliance)

    # ---------------------------------------------------------------------------------------- parts
    def _one(self, macro: str, weight: int, *told: object, of: Detail = PLAIN) -> News:
        """News whose clause and sentence are the two macros of this name; with fewer details where
        there is no room for all.
        """
        concerned = (*of.players, *filter(None, map(self._player, of.kingdoms)))
        return News(
            macro.replace("_", "-"),
            weight,
            of.short or self._fitting(macro, MOST_CLAUSE, *told),
            self._fitting(f"{macro}_told", MOST_SENTENCE, *told),
            of.size,
            tuple(dict.fromkeys(concerned)),
            self.cast.code(of.area) if of.area else "",
            of.mark,
            of.why,
            *of.sides,
            facts=told,
        )

    def _fitting(self, macro: str, most: int, *told: object) -> str:
        for brevity in range(BREVITIES):
            words = self._say(macro, *told, brevity)
            if len(words) <= most:
                break
        return words

    def _say(self, macro: str, *told: object) -> str:
        return phrase(TEMPLATE, macro, *told, self.cast)

    def _player(self, kingdom: str) -> int:
        """Who commands a kingdom, 0 for no kingdom."""
        return self.cast.commander(kingdom)


BREVITIES = 3
"""How many ways a sentence has of saying less: all, without the players' names, without details."""


def _weight(tale: Tale) -> int:
    is_fortress = zones()[tale.zone].structure == "fortress"
    match tale.result:
        case "conquered":
            return FORTRESS_TAKEN if is_fortress else w.TAKEN
        case "nobody left":
            return w.CLOSE_CALL
        case "won" | "cancelled":
            return w.BATTLE
        case _ if is_fortress:
            return FORTRESS_HELD
    left = sum((parse_units(units) for _, units in tale.defenders), NONE).total
    return w.CLOSE_CALL if left - tale.lost_of("") == 1 else w.BATTLE
