"""The sums behind battles, the ranking and the Dragon, as rows: every number from the event that
told it.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.protectors.abilities import POLITICS
from engine.protectors.ability_events import Corrected, KingFought
from engine.protectors.events import (
    BattleFought,
    BidsRevealed,
    CardRevealed,
    CardStayed,
    DragonAttacked,
    DragonCame,
    Share,
)
from engine.protectors.numbers import (
    ISLAND_POINTS,
    bonus_of,
    golden_rights,
    land_points,
    threshold_at,
)
from engine.protectors.view import TableView
from engine.ruleset import Event, Facts
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.events import event_lines
from pbem.games.protectors.pages.why_rows import (
    Matter,
    WhyRow,
    head,
    heading,
    line,
    summands,
    terms_of,
    total,
    words,
)
from pbem.games.protectors.pages.why_story import Happening, players_of
from pbem.pages.rendering import Twin

Part = tuple[int, Twin, Sequence[str]]


# ------------------------------------------------------------------------------------------ battles
def battle(event: Event, facts: BattleFought, cast: Cast) -> Matter:
    """Both sides term by term, and what follows from their totals (PR-7.4 to PR-7.8)."""
    place = cast.place(facts.province)
    rows: list[WhyRow] = []
    for side in (facts.winner, facts.loser):
        rows.append(head(words("side", side, place, cast), ["PR-7.4"]))
        rows += terms_of(side.terms, cast)
        rows.append(total(side.total, words("strength", cast)))
    told = {rule for row in rows for rule in row.rules}
    rows.append(
        line(words("verdict", facts, cast), [rule for rule in event.rules if rule not in told])
    )
    return Matter(heading(facts.stage, place), tuple(rows))


def king(event: Event, facts: KingFought, cast: Cast) -> Matter:
    """The Mountain King's unit against the intruders (PR-11.4)."""
    rows = [head(words("king_side", facts, cast), ["PR-11.4"])]
    rows += summands([(facts.strength, words("king_strength", facts), ["PR-11.4"])])
    rows.append(head(words("king_against", facts, cast)))
    against: list[Part] = [(facts.units, words("units", facts.units), ["PR-7.6"])]
    if facts.snow:
        against.append((-1, words("snow"), ["PR-4.9"]))
    rows += summands(against)
    rows += event_rows(event, cast)
    return Matter(heading("march", cast.place(facts.province)), tuple(rows))


def event_rows(event: Event, cast: Cast) -> tuple[WhyRow, ...]:
    """An event in the words of the bulletins; what a game master has set right with the reason that
    was given for it.
    """
    if isinstance(event.facts, Corrected):
        return (line(words("set_right_so", event.facts, cast), event.rules),)
    return tuple(line(told.body, told.rules, told.label) for told in event_lines(event, cast))


# -------------------------------------------------------------------------------- bids and brackets
def bids(told: Sequence[BidsRevealed], cast: Cast, *, first: bool) -> tuple[WhyRow, ...]:
    """The bids, the highest first, and why a bid counted as it did (PR-3.1, PR-3.6, PR-11.7).

    Of several reveals the later ones are the Bank's, made when the others were known.
    """
    rows = []
    made = [(bid, late) for late, facts in enumerate(told) for bid in facts.bids]
    for (player, counted, asked, spent), late in sorted(
        made, key=lambda row: (-row[0][1], row[0][0])
    ):
        missing = "PR-3.2" if first else "PR-8.9"
        applied = (
            (asked < 0, missing),
            (asked > spent and player == cast.you, "PR-3.6"),
            (late or counted != spent, "PR-11.7"),
        )
        body = words(
            "bid",
            player,
            counted,
            asked,
            spent,
            (counted - spent) // POLITICS,
            bool(late),
            any(facts.rebid for facts in told),
            cast,
        )
        rows.append(line(body, [rule for applies, rule in applied if applies], str(counted)))
    return tuple(rows)


def brackets(ranking: Sequence[int], sizes: Sequence[int], cast: Cast) -> tuple[WhyRow, ...]:
    """Which places may give which golden orders (PR-3.8, PR-3.9)."""
    rows, places = [], iter(ranking)
    for number, size in enumerate(sizes, start=1):
        players = tuple(next(places) for _ in range(size))
        if players:
            rows.append(
                line(
                    words("bracket", players, golden_rights(number), cast),
                    ["PR-3.8", "PR-3.9"],
                    str(number),
                )
            )
    return tuple(rows)


# --------------------------------------------------------------------------------- the score so far
def score_now(view: TableView, cast: Cast) -> tuple[Matter, ...]:
    """What each has by now, the most first, from what everybody sees; $Realm, which only breaks
    ties, stays untold (PR-14.3, PR-1.9).
    """
    counted = []
    for player in (player for player in view.players if player.number in view.ranking):
        land = sum(
            land_points(view.provinces[i - 1].level, burnt=view.provinces[i - 1].burnt)
            for i in player.provinces
            if i
        )
        isle = (
            ISLAND_POINTS if view.island is not None and view.island.owner == player.number else 0
        )
        counted.append((player.vp + land + isle, player.number, player.vp, land, isle))
    rows: list[WhyRow] = []
    for place, (points, number, tokens, land, isle) in enumerate(
        sorted(counted, key=lambda row: (-row[0], row[1])), start=1
    ):
        rows.append(head(words("scorer", place, number, cast)))
        rows += scored(tokens, land, isle if view.island is not None else None)
        rows.append(total(points, words("points", points), ["PR-14.3"]))
    return (Matter(heading("score-now"), tuple(rows)),) if rows else ()


def scored(tokens: int, land: int, island: int | None) -> tuple[WhyRow, ...]:
    """The summands of a player's points (PR-14.3); `island` None: the game has none."""
    parts: list[Part] = [
        (tokens, words("tokens_of", tokens), ("PR-9.7", "PR-9.8")),
        (land, words("land_of"), ("PR-14.3",)),
    ]
    if island is not None:
        parts.append((island, words("island_of"), ("PR-12.1",)))
    return summands(parts)


# --------------------------------------------------------------------------------------- the Dragon
class Growth:
    """What raises the Dragon, noted card by card until an attack interrupts (PR-4.5, PR-4.11)."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._parts: list[Part] = []
        self._power = self._threshold = 0

    def note(self, facts: Facts) -> None:
        match facts:
            case CardRevealed() as card:
                self._continue(card.dpl - card.step - card.extra)
                self._parts.append((card.step, words("step", card, self._cast), ["PR-4.5"]))
                if card.extra:
                    self._parts.append((card.extra, words("extra", card.card), ["PR-4.11"]))
                self._power, self._threshold = card.dpl, card.threshold
            case CardStayed(extra=extra) as stayed if extra:
                self._continue(stayed.dpl - extra)
                self._parts.append((extra, words("extra", stayed.card), ["PR-4.20", "PR-4.11"]))
                self._power = stayed.dpl
            case Corrected(what="dpl", before=int(before), after=int(after), reason=reason):
                self._continue(before)
                self._parts.append((after - before, words("set_right", reason), []))
                self._power = after

    def _continue(self, before: int) -> None:
        if not self._parts:
            self._parts.append((before, words("power_before"), []))

    def close(self) -> tuple[Matter, ...]:
        """What was noted so far as a sum; what comes later begins another one."""
        parts, self._parts = self._parts, []
        if not parts:
            return ()
        whole = total(
            self._power, words("power", self._threshold), ["PR-5.2"] if self._threshold else []
        )
        return (Matter(heading("growth"), (*summands(parts), whole)),)


def growth(happenings: Sequence[Happening], cast: Cast) -> tuple[Matter, ...]:
    """All of a turn, a sum for each stretch that no attack interrupts."""
    growing = Growth(cast)
    found: list[Matter] = []
    for happening in happenings:
        if isinstance(happening.facts, DragonAttacked):
            found += growing.close()
        growing.note(happening.facts)
    return (*found, *growing.close())


def threshold(happening: Happening, told: int, view: TableView) -> tuple[Matter, ...]:
    """The sum behind an announced threshold; empty if no count of the rules leads to it (PR-5.1,
    PR-5.5).
    """
    provinces, starting = len(view.provinces), view.starting_players
    floored, fallen = view.options.version == "normal", happening.fallen
    for now in dict.fromkeys((0, happening.fallen_now)):
        counted = threshold_at(
            provinces=provinces, starting=starting, eliminated=fallen, now=now, floored=floored
        )
        if counted != told:
            continue
        parts: list[Part] = [(2 * provinces, words("for_provinces", provinces), ["PR-5.1"])]
        if fallen - now:
            macro = "for_fallen_before" if now else "for_fallen"
            parts.append((-2 * (fallen - now), words(macro, fallen - now), ["PR-5.1"]))
        if now:
            parts.append((-starting * now, words("for_fallen_now", now, starting), ["PR-5.5"]))
        lacking = told - sum(part[0] for part in parts)
        if lacking:
            parts.append((lacking, words("floor", told), ["PR-5.5" if now else "PR-5.1"]))
        return (
            Matter(
                heading("threshold"),
                (*summands(parts), total(told, words("threshold", told), ["PR-5.2"])),
            ),
        )
    return ()


def coming(event: Event, facts: DragonCame, cast: Cast) -> tuple[WhyRow, ...]:
    """Why an attack came, and what it asked of each (PR-5.2, PR-9.4)."""
    asked = line(words("asked_least", facts.minimum, facts.scale == "Worldeater", cast), ["PR-9.4"])
    return (
        line(words("came", facts, cast), [rule for rule in event.rules if rule != "PR-9.4"]),
        asked,
    )


def attack(
    facts: DragonAttacked, cast: Cast, player: int | None, gone: Sequence[Event]
) -> tuple[Matter, ...]:
    """The sum of all, one player's part term by term, and the outcome for the others (section 9 of
    the rules).

    `gone` are the eliminations that this attack brought.
    """
    parts: list[Part] = [
        (share.strength, words("sent", share, cast), _share_rules(share)) for share in facts.shares
    ]
    rows = [*summands(parts), total(facts.total, words("all_strength", facts), ["PR-9.3"])]
    rows.append(line(words("attack_won", facts), ["PR-9.3", "PR-9.9" if facts.won else "PR-9.10"]))
    if facts.hidden:
        rows.append(line(words("hidden", facts, cast), ["PR-11.2"]))
    found = [Matter(heading("sum"), tuple(rows))]
    own = next((share for share in facts.shares if share.player == player), None)
    if own is not None:
        title = (
            heading("own-part") if player == cast.you else heading("part", cast.name(own.player))
        )
        found.append(Matter(title, part_of(own, facts, cast)))
    out = frozenset(player for event in gone for player in players_of(event.facts))
    told = [
        (share, words("share_after", share, cast, facts.won, share.player in out))
        for share in facts.shares
        if share is not own
    ]
    after = [line(body, _outcome_rules(share, facts)) for share, body in told]
    after += [row for event in gone for row in event_rows(event, cast)]
    return (*found, Matter(heading("after"), tuple(after))) if after else tuple(found)


def part_of(share: Share, attack: DragonAttacked, cast: Cast) -> tuple[WhyRow, ...]:
    """One player's part: strength, least strength, losses, and what was gained or burnt."""
    rows: list[WhyRow] = []
    parts: list[Part] = []
    for term in share.terms:
        macro = (
            "from_place"
            if term.source == "units"
            else "work_place"
            if term.source == "work"
            else "cause"
        )
        parts.append((term.amount, words(macro, term, cast), [term.rule]))
    rows += summands(parts)
    least = total(share.strength, words("least", share, attack.worldeater), ["PR-9.4"])
    rows.append(least if parts else replace(least, kind="first"))
    rows.append(line(words("losses", share, attack.won), ["PR-9.5" if attack.won else "PR-9.10"]))
    gains: list[Part] = []
    if share.reward:
        gains.append((share.reward, words("reward", share.reward // 50 - 1), ["PR-9.6"]))
    if share.bonus:
        gains.append((share.bonus, words("bonus", share, share.bonus // share.above), ["PR-9.7"]))
    rows += [WhyRow("plus", body, tuple(rules), amount=amount) for amount, body, rules in gains]
    rows += _tokens(share, attack)
    if share.burnt:
        rows.append(
            line(
                words("wrath", share, cast),
                [
                    "PR-9.12",
                    *(["PR-9.16"] if len(share.burnt) < share.minimum - share.strength else []),
                ],
            )
        )
    if share.fate:
        rows.append(
            line(words("fate", share), ["PR-9.8" if share.fate == "champion" else "PR-9.11"])
        )
    return tuple(rows)


def _tokens(share: Share, attack: DragonAttacked) -> list[WhyRow]:
    """VP tokens: for the surplus, and the champion's (PR-9.7, PR-9.8)."""
    rows = []
    surplus = bonus_of(share.strength, share.minimum)[0] if attack.won and share.met else 0
    if surplus:
        rows.append(WhyRow("plus", words("tokens", surplus), ("PR-9.7",), amount=surplus))
    if share.vp > surplus:
        rows.append(
            WhyRow("plus", words("champion_tokens"), ("PR-9.8",), amount=share.vp - surplus)
        )
    return rows


def _share_rules(share: Share) -> list[str]:
    return list(dict.fromkeys(["PR-9.2", *(term.rule for term in share.terms)]))


def _outcome_rules(share: Share, facts: DragonAttacked) -> list[str]:
    won = (
        (share.pledges, "PR-9.5"),
        (share.reward, "PR-9.6"),
        (share.bonus, "PR-9.7"),
        (share.fate == "champion", "PR-9.8"),
    )
    lost = ((share.pledges, "PR-9.10"), (share.fate, "PR-9.11"), (share.burnt, "PR-9.12"))
    applied: Sequence[tuple[object, str]] = won if facts.won else lost
    return [rule for applies, rule in applied if applies]
