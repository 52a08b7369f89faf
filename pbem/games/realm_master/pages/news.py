"""What of a close of Realm-Master is news, and how much of it; the words are in
`realm_master/news.j2`.

What belongs together is told in one: a blow with a player who left the land for it, and who came
in; a land entered with what was collected there; all purchases.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.realm_master import events as e
from engine.ruleset import Event, Facts
from pbem.games.realm_master.pages.account import NOTHING, change_of
from pbem.games.realm_master.pages.cast import Cast
from pbem.games.realm_master.pages.events import event_lines
from pbem.pages import news as w
from pbem.pages.kit.columns import cut
from pbem.pages.news import MOST_SENTENCE, Mark, News, clause
from pbem.pages.rendering import phrase

TEMPLATE = "realm_master/news.j2"
TO_WIN = 10
"""Banners that win (RM-7.6)."""
NEARLY = 8
"""From this many banners on the end is near."""


@dataclass(frozen=True, slots=True)
class HeroTurn:
    """What happened in a turn, or (`player` None) outside of any."""

    player: int | None
    events: tuple[Event, ...]

    def facts(self) -> Iterator[Facts]:
        return (event.facts for event in self.events)


@dataclass(frozen=True, slots=True)
class Assault:
    """An attack with all its consequences: who left which land, who stayed (nobody as long as they
    are asked), who was killed, whether the attacker took a land from somebody.
    """

    attack: e.AttackMade
    left: Mapping[int, str]
    stayed: frozenset[int]
    dead: frozenset[int]
    taken: str = ""

    @property
    def damage(self) -> int:
        return sum(blow.damage for blow in self.attack.blows)

    @property
    def same(self) -> bool:
        """Whether all blows add up in the same way."""
        return len({blow.terms for blow in self.attack.blows}) == 1

    @property
    def alike(self) -> int | None:
        """The damage of each blow if it is the same for all."""
        found = {blow.damage for blow in self.attack.blows}
        return found.pop() if len(found) == 1 else None

    @property
    def is_close(self) -> bool:
        return any(blow.left == 1 for blow in self.attack.blows)


@dataclass(frozen=True, slots=True)
class Race:
    """Who has most banners now: `behind` is who is next, `ahead` by how many."""

    player: int
    banners: int
    ahead: int
    behind: tuple[int, ...]


def news_of(events: Sequence[Event], cast: Cast, before: Mapping[int, int]) -> tuple[News, ...]:
    """The news of these events, in the order in which they happened. `before` are the banners of
    each player when they began.
    """
    turns, places = tuple(turns_of(events)), places_of(events)
    found = [one for turn in turns for one in _of_turn(turn, cast, places)]
    found += _together(events, cast)
    if not any(isinstance(event.facts, e.TakenBack | e.GameWon) for event in events):
        found += _race(events, cast, before)
    return tuple(found or _uneventful(turns, cast))


def own_news(news: Sequence[News], you: int) -> tuple[str, ...]:
    """What others did to the reader, and what of their own deeds is more than everyday, the
    greatest first; of equals what was done to them.
    """
    mine = [
        one
        for one in w.ordered(news)
        if you in one.players and (one.players[0] != you or one.weight >= w.CLOSE_CALL)
    ]
    return tuple(
        one.told for one in sorted(mine, key=lambda one: (-one.weight, one.players[0] == you))
    )


def banners_after(events: Sequence[Event], before: Mapping[int, int]) -> dict[int, int]:
    """The banners of the living after these events."""
    dead = _dead(events)
    return {
        player: held + sum(change_of(event.facts, player).banners for event in events)
        for player, held in before.items()
        if player not in dead
    }


def banners_before(events: Sequence[Event], after: Mapping[int, int]) -> dict[int, int]:
    """The same before them; `after` are those of the living."""
    return {
        player: held - sum(change_of(event.facts, player).banners for event in events)
        for player, held in (dict.fromkeys(_dead(events), 0) | dict(after)).items()
    }


def _dead(events: Sequence[Event]) -> list[int]:
    return [event.facts.player for event in events if isinstance(event.facts, e.HeroDied)]


def places_of(events: Sequence[Event]) -> dict[int, str | None]:
    """Where those are at the end who went anywhere."""
    places: dict[int, str | None] = {}
    for event in events:
        match event.facts:
            case e.LandEntered(player=player, land=land):
                places[player] = land
            case e.LandLeft(player=player) | e.SmokeUsed(player=player):
                places[player] = None
            case e.HeroDied(player=player) | e.PhoenixRose(player=player):
                places[player] = None
            case e.UltimatumMet(player=player, choice="leave"):
                places[player] = None
    return places


def turns_of(events: Sequence[Event]) -> Iterator[HeroTurn]:
    """The turns that begin in these events, and what happened outside of any."""
    player: int | None = None
    found: list[Event] = []
    for event in events:
        facts = event.facts
        if isinstance(facts, e.TurnBegan | e.RoundBegan):
            yield HeroTurn(player, tuple(found))
            player = facts.player if isinstance(facts, e.TurnBegan) else None
            found.clear()
        found.append(event)
    yield HeroTurn(player, tuple(found))


def _say(macro: str, *args: object) -> str:
    return phrase(TEMPLATE, macro, *args)


@dataclass(frozen=True, slots=True)
class Detail:
    """Where news happened, its mark on the map, and how great it is."""

    area: str | None = None
    mark: Mark = ""
    size: int = 0


PLAIN = Detail()


def _plain(
    macro: str,
    weight: int,
    facts: object,
    cast: Cast,
    players: Sequence[int] = (),
    *more: object,
    of: Detail = PLAIN,
) -> News:
    """News whose clause and sentence are the two macros of this name."""
    return News(
        macro,
        weight,
        clause(_say(macro, facts, cast, *more)),
        cut(_say(f"{macro}_told", facts, cast, *more), MOST_SENTENCE),
        of.size,
        tuple(dict.fromkeys(players)),
        "" if of.area is None else cast.land(of.area),
        of.mark,
        facts=(facts, *more),
    )


# ----------------------------------------------------------------------------------------- one turn
def _of_turn(turn: HeroTurn, cast: Cast, places: Mapping[int, str | None]) -> Iterator[News]:
    attack = _assault(turn, places)
    for event in turn.events:
        match event.facts:
            case e.AttackMade(blows=blows) if blows and attack is not None:
                yield _attacked(event, attack, cast)
            case e.LandEntered() as facts if attack is None or facts.land != attack.taken:
                stays = places[facts.player] == facts.land
                yield _entered(facts, turn, cast, stays=stays)
            case facts:
                yield from _of_hero(facts, turn, cast)


def _assault(turn: HeroTurn, places: Mapping[int, str | None]) -> Assault | None:
    """A land is taken by an attacker who is still there at the end of the close."""
    attack = next((facts for facts in turn.facts() if isinstance(facts, e.AttackMade)), None)
    if attack is None:
        return None
    choices = [facts for facts in turn.facts() if isinstance(facts, e.ChoiceMade)]
    left = {facts.player: facts.land for facts in choices if facts.choice == "leave"}
    stayed = frozenset(facts.player for facts in choices if facts.choice == "stay")
    dead = {
        facts.player: facts.land
        for facts in turn.facts()
        if isinstance(facts, e.HeroDied) and facts.cause == "attack"
    }
    given_up = {*left.values(), *dead.values()}
    taken = next(
        (
            facts.land
            for facts in turn.facts()
            if isinstance(facts, e.LandEntered)
            and facts.moved is None
            and facts.land in given_up
            and places[facts.player] == facts.land
        ),
        "",
    )
    return Assault(attack, left, stayed, frozenset(dead), taken)


def _attacked(event: Event, told: Assault, cast: Cast) -> News:
    blows = told.attack.blows
    is_taken = bool(told.taken) and not told.dead
    weight = (
        w.TAKEN
        if is_taken
        else w.CLOSE_CALL
        if told.left or told.is_close
        else w.BATTLE
        if told.damage
        else w.SMALL
    )
    sentence = _say("attack_told", told, cast, True)
    if len(sentence) > MOST_SENTENCE:
        sentence = cut(_say("attack_told", told, cast, False), MOST_SENTENCE)
    attacker = (told.attack.player,)
    hit = tuple(blow.player for blow in blows if blow.damage)
    won, lost = (attacker, hit) if hit else (tuple(blow.player for blow in blows), attacker)
    area = told.taken or next((blow.at for blow in blows if blow.at is not None), None)
    return News(
        "taken" if is_taken else "attack",
        weight,
        clause(_say("attack", told, cast)),
        sentence,
        told.damage,
        (told.attack.player, *(blow.player for blow in blows)),
        "" if area is None else cast.land(area),
        "taken" if is_taken else "battle",
        tuple(line.body.text for line in event_lines(event, cast)[1:]),
        won,
        lost,
        facts=(told,),
    )


def _entered(facts: e.LandEntered, turn: HeroTurn, cast: Cast, *, stays: bool) -> News:
    """`stays`: nobody drove the hero out before the close."""
    gain = _collected(turn, facts.player)
    return _plain(
        "entered",
        w.SMALL if not stays else w.BATTLE if facts.moved is None else w.GROWN,
        facts,
        cast,
        (facts.player,),
        gain,
        of=Detail(area=facts.land, mark="entered", size=gain.banners + facts.bonus.banners),
    )


def _collected(turn: HeroTurn, player: int) -> e.Gain:
    """What a hero collected last in a turn."""
    found = [
        facts.gain
        for facts in turn.facts()
        if isinstance(facts, e.Collected) and facts.player == player
    ]
    return found[-1] if found else NOTHING


def _of_hero(facts: Facts, turn: HeroTurn, cast: Cast) -> Iterator[News]:
    yield from _fate(facts, cast)
    yield from _deed(facts, turn, cast)
    yield from _word(facts, cast)


def _fate(facts: Facts, cast: Cast) -> Iterator[News]:
    """Blows of fate: who died, rose, had to leave or was hurt otherwise than by an attack."""
    match facts:
        case e.HeroDied(player=player, killer=killer):
            players = (player,) if killer is None else (killer, player)
            yield _plain(
                "died", w.OUT, facts, cast, players, of=Detail(area=facts.land, mark="out")
            )
        case e.PhoenixRose(player=player):
            yield _plain(
                "phoenix", w.CLOSE_CALL, facts, cast, (player,), of=Detail(area=facts.land)
            )
        case e.UltimatumMet(player=player):
            yield _plain("ultimatum", w.BATTLE, facts, cast, (player,), of=Detail(area=facts.land))
        case e.SmokeUsed(player=player):
            yield _plain(
                "smoke", w.BATTLE, facts, cast, (player,), of=Detail(area=facts.land, mark="battle")
            )
        case e.ThornsPricked(player=player, owner=owner):
            yield _plain("thorns", w.GROWN, facts, cast, (owner, player))


def _deed(facts: Facts, turn: HeroTurn, cast: Cast) -> Iterator[News]:
    """What a hero gained or gave up in a turn."""
    match facts:
        case e.ElfHonoured(player=player):
            yield _plain(
                "honoured", w.BATTLE, facts, cast, (player,), of=Detail(size=facts.banners)
            )
        case e.CardPlayed(player=player, card="B11" | "B12" | "B16" | "B17"):
            whose = (player,) if facts.hero is None else (player, facts.hero)
            weight = w.BATTLE if facts.card == "B16" else w.GROWN
            yield _plain(
                "played", weight, facts, cast, whose, of=Detail(area=facts.land, size=facts.amount)
            )
        case e.DiceResolved(player=player, gain=gain) if gain.banners:
            yield _plain("rolled", w.GROWN, facts, cast, (player,), of=Detail(size=gain.banners))
        case e.LandKept(player=player):
            gain = _collected(turn, player)
            weight = w.GROWN if gain.banners else w.SMALL
            size = gain.banners
            yield _plain(
                "kept", weight, facts, cast, (player,), gain, of=Detail(area=facts.land, size=size)
            )
        case e.LandLeft(player=player, cause="turn"):
            yield _plain("left", w.GROWN, facts, cast, (player,), of=Detail(area=facts.land))


def _word(facts: Facts, cast: Cast) -> Iterator[News]:
    """What was said or decided at the table."""
    match facts:
        case e.HeroConceded(player=player):
            yield _plain("conceded", w.TAKEN, facts, cast, (player,))
        case e.GameWon(winners=winners):
            yield _plain("won", w.OVER, facts, cast, winners, of=Detail(mark="end"))
        case e.RoundBegan(final=True):
            yield _plain("final", w.ATTACK, facts, cast)
        case e.RulingGiven():
            yield _plain("ruling", w.CLOSE_CALL, facts, cast)
        case e.Corrected():
            yield _plain("corrected", w.CLOSE_CALL, facts, cast)
        case e.TakenBack():
            yield _plain("again", w.CLOSE_CALL, facts, cast)


def _uneventful(turns: Sequence[HeroTurn], cast: Cast) -> Iterator[News]:
    """Of a single turn in which nothing else happened, what its hero did last."""
    if sum(turn.player is not None for turn in turns) > 1:
        return
    facts = [facts for turn in turns for facts in turn.facts()]
    for kind, macro in (
        (e.StayedOutside, "outside"),
        (e.DiceResolved, "counted"),
        (e.DiceRolled, "throws"),
    ):
        for one in facts:
            if isinstance(one, kind):
                yield _plain(macro, w.SMALL, one, cast, (one.player,))
                return


# ------------------------------------------------------------------------------- told together
def _together(events: Sequence[Event], cast: Cast) -> Iterator[News]:
    heroes, bought, paid, missed = (
        [event.facts for event in events if isinstance(event.facts, kind)]
        for kind in (e.HeroTaken, e.CardBought, e.TributePaid, e.OrdersMissed)
    )
    for macro, weight, found in (
        ("heroes", w.GROWN, heroes),
        ("bought", w.GROWN, bought),
        ("tribute", w.SMALL, paid),
        ("missed", w.SMALL, missed),
    ):
        if found:
            yield _plain(macro, weight, tuple(found), cast, of=Detail(size=len(found)))


def _race(events: Sequence[Event], cast: Cast, before: Mapping[int, int]) -> Iterator[News]:
    """Somebody new has most banners, or needs few more."""
    after = banners_after(events, before)
    first, was = _first(after), _first(before)
    if first is None:
        return
    is_new = first.player != (None if was is None else was.player)
    if first.banners >= NEARLY and first.banners > before[first.player]:
        yield _plain(
            "nearly", w.ATTACK, first, cast, (first.player,), of=Detail(size=first.banners)
        )
    elif is_new and any(before.values()):
        yield _plain(
            "leads", w.LEAD_CHANGED, first, cast, (first.player,), of=Detail(size=first.banners)
        )


def _first(banners: Mapping[int, int]) -> Race | None:
    """None if several have most."""
    ranked = sorted(banners, key=lambda player: -banners[player])
    if len(ranked) < 2 or banners[ranked[0]] == banners[ranked[1]]:
        return None
    most, second = banners[ranked[0]], banners[ranked[1]]
    return Race(
        ranked[0],
        most,
        most - second,
        tuple(player for player in ranked[1:] if banners[player] == second),
    )
