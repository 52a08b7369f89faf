"""How each topic is answered: orders, bids, the ranking, the Dragon, cards, money, eliminations,
and the end of the game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from engine.protectors.ability_events import Corrected
from engine.protectors.events import (
    BidsRevealed,
    CardRevealed,
    DragonAttacked,
    DragonCame,
    GameWon,
    PlayerEliminated,
    RankingChanged,
    RankingSet,
)
from engine.protectors.questions import Topic
from engine.ruleset import Event
from pbem.games.protectors.pages import why_sums as sums
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.why_account import account, entries_of
from pbem.games.protectors.pages.why_case import Found, WhyCase, matter_of
from pbem.games.protectors.pages.why_lands import battles, province
from pbem.games.protectors.pages.why_orders import rows_of
from pbem.games.protectors.pages.why_rows import Matter, WhyRow, head, line, total, words
from pbem.games.protectors.pages.why_story import players_of, those
from pbem.pages.rendering import Twin


# ---------------------------------------------------------------------------- orders, bids, ranking
def _orders(case: WhyCase) -> Found:
    players = (
        (case.about,)
        if case.about is not None
        else tuple(player.number for player in case.view.players)
    )
    matters: list[Matter] = []
    answer = None
    for player in players:
        rows, tally = rows_of(
            case.events,
            player,
            case.cast,
            case.question.province,
            case.question.order,
            open_turn=case.is_open,
        )
        if case.about is not None:
            answer = (
                tally
                if tally is not None
                else words("no_orders", case.cast.name(player), player == case.cast.you)
            )
        matters += matter_of("orders" if case.about is not None else case.cast.name(player), rows)
    return tuple(matters), answer, ()


def _bid(case: WhyCase) -> Found:
    revealed = [x.facts for x in case.told if isinstance(x.facts, BidsRevealed)]
    told = [facts for facts in revealed if not facts.rebid]
    again = len(told) < len(revealed)
    rows = [head(words("first_bids"), ["PR-3.1"])] if told and again else []
    rows += sums.bids(told, case.cast, first=case.turn == 1)
    for happening in case.told:
        facts = happening.facts
        if isinstance(facts, BidsRevealed) and facts.rebid:
            rows.append(head(words("second_bids"), ["PR-3.3"]))
            rows += sums.bids([facts], case.cast, first=True)
        elif not isinstance(facts, BidsRevealed):
            rows += sums.event_rows(happening.event, case.cast)
    return (*matter_of("bids", rows), *_places(case)), None, ()


def _places(case: WhyCase) -> tuple[Matter, ...]:
    """The ranking that the bids of a turn led to."""
    rows = [
        line(words("place_of", player, case.cast), ["PR-3.1"] if place == 1 else [], str(place))
        for facts, _ in those(case.events, RankingSet)
        for place, player in enumerate(facts.ranking, start=1)
    ]
    return matter_of("places", rows)


def _ranking(case: WhyCase) -> Found:
    counted = tuple(
        happening
        for happening in case.happenings
        if happening.event.kind in ("bids", "tie", "tie-drawn")
    )
    matters, _, _ = _bid(replace(case, told=counted))
    rows: list[WhyRow] = []
    ranking: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    gone: list[int] = []
    for event in case.events:
        match event.facts:
            case RankingSet(ranking=ranking, brackets=sizes):
                pass
            case DragonAttacked(shares=shares):
                dropped = tuple(share.player for share in shares if share.fate in _DROPPED)
            case PlayerEliminated(player=player):
                gone.append(player)
            case RankingChanged(ranking=ranking, brackets=sizes) as facts:
                rows += _changed(
                    event, facts, [one for one in dropped if one not in gone], gone, case.cast
                )
                dropped, gone = (), []
                rows += [
                    line(words("place_of", player, case.cast), [], str(place))
                    for place, player in enumerate(ranking, start=1)
                ]
    after = (
        *matter_of("after", rows),
        *matter_of("golden", sums.brackets(ranking, sizes, case.cast)),
    )
    return (*matters, *after), None, ()


_DROPPED = ("dropped", "grand-protector-dropped")


def _changed(
    event: Event, facts: RankingChanged, dropped: Sequence[int], gone: Sequence[int], cast: Cast
) -> list[WhyRow]:
    """Why the ranking has changed. One attack may drop some players and eliminate others, which
    makes one change.
    """
    if facts.cause == "champion":
        return [line(words("changed", facts, cast), event.rules)]
    rows: list[WhyRow] = []
    if dropped:
        rows.append(line(words("dropped", dropped, cast), ["PR-9.11"]))
    if facts.cause == "eliminated" or gone:
        rows.append(
            line(
                words("left", gone, cast),
                [rule for rule in event.rules if not (dropped and rule == "PR-9.11")],
            )
        )
    return rows


# ------------------------------------------------------------------------- the Dragon and the cards
def _dragon(case: WhyCase) -> Found:
    """Stretch by stretch: what raised it, why it attacked, the sum, and the outcome."""
    matters: list[Matter] = []
    growing = sums.Growth(case.cast)
    answer: Twin | None = None
    attacks, card = 0, None
    for i, happening in enumerate(case.happenings):
        growing.note(happening.facts)
        match happening.facts:
            case CardRevealed():
                card = happening
            case DragonCame() as facts:
                matters += growing.close()
                matters += sums.threshold(happening, facts.threshold, case.view)
                matters += matter_of(
                    "comes-again" if attacks else "comes",
                    sums.coming(happening.event, facts, case.cast),
                )
                attacks += 1
            case DragonAttacked() as facts:
                gone = takewhile(
                    lambda event: event.kind in ("eliminated", "ranking-changed"),
                    case.events[i + 1 :],
                )
                matters += sums.attack(
                    facts,
                    case.cast,
                    case.about,
                    [event for event in gone if event.kind == "eliminated"],
                )
                answer = sums.event_rows(happening.event, case.cast)[0].body
            case _ if happening.event.kind == "answers-shown":
                matters += matter_of("happened", sums.event_rows(happening.event, case.cast))
    matters += growing.close()
    if not attacks and card is not None and isinstance(card.facts, CardRevealed):
        matters += sums.threshold(card, card.facts.threshold, case.view)
    return tuple(matters), answer, ()


def _cards(case: WhyCase) -> Found:
    rows = [row for happening in case.told for row in sums.event_rows(happening.event, case.cast)]
    return (*matter_of("happened", rows), *sums.growth(case.happenings, case.cast)), None, ()


# ----------------------------------------------------------------------------------------- the rest
def _money(case: WhyCase) -> Found:
    entries = entries_of(case.story, case.cast.you, case.cast)
    return (account(entries, case.turn, open_turn=case.is_open),), None, ()


def _elimination(case: WhyCase) -> Found:
    mine = [
        happening
        for happening in case.told
        if isinstance(happening.facts, PlayerEliminated | Corrected)
        and happening.facts.player == case.question.player
    ]
    rows: list[WhyRow] = []
    for happening in mine or case.told:
        facts = happening.facts
        if isinstance(facts, PlayerEliminated):
            rows += _fall(case, facts.player)
        rows += sums.event_rows(happening.event, case.cast)
        if isinstance(facts, PlayerEliminated) and facts.player == case.cast.you and facts.spoils:
            held = facts.lost + sum(amount for _, amount in facts.spoils)
            rows.append(line(words("half", facts, held, case.cast), ["PR-8.4"]))
    return matter_of("happened", rows), None, ()


def _fall(case: WhyCase, player: int) -> list[WhyRow]:
    """What led to it in that turn: provinces taken, by players or by a game master, or the part in
    a Dragon Attack.
    """
    rows: list[WhyRow] = []
    for event in case.events:
        match event.facts:
            case DragonAttacked() as facts:
                share = next((share for share in facts.shares if share.player == player), None)
                if share is not None and not share.met:
                    rows.append(head(words("sent", share, case.cast), ["PR-9.2", "PR-9.4"]))
                    rows += sums.part_of(share, facts, case.cast)
            case Corrected(what="owner", before=before) if before == player:
                rows += sums.event_rows(event, case.cast)
            case _ if event.kind == "taken" and getattr(event.facts, "before", None) == player:
                rows += sums.event_rows(event, case.cast)
    return rows


def _simple(case: WhyCase) -> Found:
    """Each event in the words of the bulletins, with its rules."""
    mine = [
        happening
        for happening in case.told
        if case.question.player is None or case.question.player in players_of(happening.facts)
    ]
    rows = [row for one in mine or case.told for row in sums.event_rows(one.event, case.cast)]
    return matter_of("happened", rows), None, ()


def _end(case: WhyCase) -> Found:
    matters: list[Matter] = []
    answer: Twin | None = None
    rules: tuple[str, ...] = ()
    for happening in case.told:
        facts = happening.facts
        if not isinstance(facts, GameWon):
            continue
        answer, rules = sums.event_rows(happening.event, case.cast)[0].body, happening.event.rules
        if facts.how == "dragon":
            body = words(
                "dragon_has_won", facts, len(case.view.provinces), case.view.starting_players
            )
            matters += matter_of("happened", [line(body, ["PR-14.2"])])
            continue
        rows: list[WhyRow] = []
        for place, (player, tokens, land, island, points, units, realm, rank) in enumerate(
            facts.scores, start=1
        ):
            rows.append(head(words("scorer", place, player, case.cast)))
            rows += sums.scored(tokens, land, island if case.view.island is not None else None)
            rows.append(total(points, words("total_of", points, units, realm, rank), ["PR-14.3"]))
        rows.append(line(words("ties_go"), ["PR-14.3"]))
        matters += matter_of("score", rows)
        teams = [
            line(words("team_score", i, *score[:4]), ["PR-13.3"])
            for i, score in enumerate(facts.teams, start=1)
        ]
        matters += matter_of("teams", teams)
    return tuple(matters), answer, rules


BUILDERS: Mapping[Topic, Callable[[WhyCase], Found]] = {
    "province": province,
    "battles": battles,
    "orders": _orders,
    "bid": _bid,
    "ranking": _ranking,
    "dragon": _dragon,
    "cards": _cards,
    "money": _money,
    "pirates": _simple,
    "elimination": _elimination,
    "abilities": _simple,
    "end": _end,
}
