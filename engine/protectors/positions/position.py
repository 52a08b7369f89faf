"""Positions of Protectors of the Realm as the case format tells them: read into a state, every
default as the format says.

`position_out` writes them in the same shape; `expectation` reads what a case expects.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from engine.chance import Chance
from engine.positions import PositionError, PositionPart
from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import ONE_TIME_USES
from engine.protectors.cards import (
    CALMS_OF_SUMMER,
    MISTY_MOUNTAINS,
    THERE_BE_DRAGONS,
    TIMES_UP,
    standard_deck,
)
from engine.protectors.colours import COLOURS, deal_colours
from engine.protectors.lands import MOST_PLAYERS, MOST_PROVINCES, LandPlan, ring_land
from engine.protectors.orders import parse_order
from engine.protectors.positions.position_out import derive
from engine.protectors.positions.position_words import (
    ATTACK_KEYS,
    DERIVED_KEYS,
    DRAGON_NAME,
    EFFECTS,
    ISLAND_KEYS,
    ISLAND_NAME,
    NOBODY,
    PLAYER_KEYS,
    POSITION_KEYS,
    PROVINCE_KEYS,
    STAGES,
    names_of,
    parse_ability,
    parse_card,
    parse_options,
    parse_player,
    parse_province,
)
from engine.protectors.state import (
    DECKS,
    DRAGON,
    Attack,
    Deck,
    DeckName,
    Options,
    Played,
    Player,
    Province,
    Stage,
    State,
)
from engine.ruleset import Standing


def parse_position(data: object, options: object, case_id: str) -> State:
    """A position told in a case; PositionError names the key that does not fit.

    A deck told neither by its draw pile nor by its discards is shuffled by a stream of its own,
    seeded by the case's id.
    """
    return _Loader(data, parse_options(options), case_id).state()


def parse_standings(data: object, state: State) -> dict[int, Standing[o.Order]]:
    """Who has said final in this phase, by number."""
    names = names_of(state)
    part = PositionPart(data, ("position",)).fields(POSITION_KEYS).get("final")
    return {
        parse_player(entry, names): Standing(final=True) for entry in (part.parts() if part else [])
    }


class _Loader:
    """One position being read: the parts told, and what is known so far."""

    def __init__(self, data: object, options: Options, case_id: str) -> None:
        self.root = PositionPart(data, ("position",))
        self.told = self.root.fields(POSITION_KEYS)
        self.options = options
        self.case_id = case_id
        self.turn = self._need("turn").integer(1)
        self.stage: Stage = next(
            stage for stage in STAGES if stage == self._need("phase").one_of(STAGES)
        )
        self.provinces = self._need("provinces").integer(2, MOST_PROVINCES)
        seats = self._need("players").pairs()
        self.names = {name: number for number, (name, _) in enumerate(seats, start=1)}
        if not self.names:
            raise self._need("players").error("at least one player is wanted")
        self.starting = self._starting_players()

    def _need(self, key: str) -> PositionPart:
        if key not in self.told:
            raise PositionError(("position", key), "is missing")
        return self.told[key]

    def _list(self, key: str) -> list[PositionPart]:
        return self.told[key].parts() if key in self.told else []

    def _pairs(self, key: str) -> list[tuple[str, PositionPart]]:
        return self.told[key].pairs() if key in self.told else []

    def _player(self, name: str, part: PositionPart) -> int:
        return parse_player(PositionPart(name, part.path), self.names)

    def _starting_players(self) -> int:
        part = self.told.get("starting_players")
        starting = len(self.names) if part is None else part.integer(len(self.names), MOST_PLAYERS)
        if not 2 <= starting <= MOST_PLAYERS:
            raise self._need("players").error(
                f"2 to {MOST_PLAYERS} players start a game, not {starting}"
            )
        normal = self.options.version == "normal"
        if normal and self.provinces != starting:
            raise self._need("provinces").error(
                f"a normal game has as many provinces as starting players ({starting}), not"
                f" {self.provinces}"
            )
        if not normal and self.provinces < 2 * starting:
            raise self._need("provinces").error(
                f"a grand game of {starting} players has at least {2 * starting} provinces"
            )
        if self.options.provinces not in (None, self.provinces):
            raise self._need("provinces").error(
                f"the table options say {self.options.provinces} provinces"
            )
        return starting

    def state(self) -> State:
        board = self._board()
        players = self._players()
        ranking = self._ranking(players)
        in_play, locked = self._in_play(), tuple(parse_card(part) for part in self._list("locked"))
        dpl = self.told["dpl"].integer() if "dpl" in self.told else 0
        piles = {deck: self._deck(deck, in_play + locked) for deck in DECKS}
        winners, ended_by = self._end(players, ranking, in_play)
        state = State(
            options=self.options,
            land=self._land(),
            starting_players=self.starting,
            players=players,
            board=board,
            ranking=ranking,
            turn=self.turn,
            stage=self.stage,
            dpl=dpl,
            in_play=in_play,
            locked=locked,
            event=piles["event"],
            dragons=piles["dragons"],
            sea=piles["sea"],
            end=piles["end"],
            attack=self._attack(dpl, in_play, locked),
            owed=self._sums("owed", ranking),
            bids=self._sums("bids", ranking),
            ties=self._ties(ranking),
            last_orders=self._orders_by_player("last_orders"),
            winners=winners,
            ended_by=ended_by,
        )
        for i, owner in enumerate(province.owner for province in board):
            if owner is not None and owner not in ranking:
                name = ISLAND_NAME if i == o.ISLAND else f"P{i}"
                raise PositionError(("position", "board", name, "owner"), "is out of the game")
        for part in self._list("final"):
            parse_player(part, self.names)
        self._check_derived(state)
        return state

    def _check_derived(self, state: State) -> None:
        """A position may state what follows from it, in the form of a written position, if that is
        right.
        """
        right = derive(state)
        for key in DERIVED_KEYS:
            if key in self.told and self.told[key].value != right.get(key):
                raise self.told[key].error(f"this position gives {right.get(key)!r}")

    # -------------------------------------------------------------------- the land and who is there
    def _land(self) -> LandPlan:
        part = self.told.get("borders")
        if part is None or part.value == "ring":
            return ring_land(self.provinces)
        borders: set[tuple[int, int]] = set()
        for pair in part.parts():
            ends = [end.integer(1, self.provinces) for end in pair.parts()]
            if len(ends) != 2 or ends[0] == ends[1]:
                raise pair.error("a border is a pair of two provinces' numbers")
            borders.add((min(ends), max(ends)))
        return LandPlan(self.provinces, (), tuple(sorted(borders)), ())

    def _board(self) -> tuple[Province, ...]:
        board = [Province() for _ in range(self.provinces + 1)]
        for key, part in self._pairs("board"):
            number = parse_province(key, part, self.provinces, island=self.options.island)
            told = part.fields(ISLAND_KEYS if number == o.ISLAND else PROVINCE_KEYS)
            owner = parse_player(told["owner"], self.names) if "owner" in told else None
            units = told["units"].integer() if "units" in told else 0
            level = told["level"].integer(0, numbers.TOP_LEVEL) if "level" in told else 0
            burnt = told["burnt"].flag() if "burnt" in told else False
            work = told["order"].one_of(("work", "golden work")) if "order" in told else None
            if units and owner is None:
                raise part.error("units without an owner")
            if burnt and level:
                raise part.error("a burnt province has level 0")
            board[number] = Province(
                owner,
                units,
                level,
                burnt,
                "work" if work == "work" else "golden work" if work else None,
            )
        return tuple(board)

    def _players(self) -> tuple[Player, ...]:
        seats = self._need("players").pairs()
        told = [part.fields(PLAYER_KEYS) for _, part in seats]
        chosen = [
            fields["colour"].one_of(COLOURS) if "colour" in fields else None for fields in told
        ]
        try:
            colours = deal_colours([name for name, _ in seats], chosen)
        except ValueError as twice:
            raise self._need("players").error(str(twice)) from None
        gone = self._eliminated()
        self._check_teams(told)
        return tuple(
            self._seat(
                number,
                seats[number - 1][0],
                colours[number - 1],
                fields,
                gone.get(number, ((), None)),
            )
            for number, fields in enumerate(told, start=1)
        )

    def _seat(
        self,
        number: int,
        name: str,
        colour: str,
        told: Mapping[str, PositionPart],
        gone: tuple[tuple[int, ...], int | None],
    ) -> Player:
        faction = told["faction"].one_of(o.FACTIONS) if "faction" in told else None
        if faction is not None and self.options.factions == "none":
            raise told["faction"].error("the table plays without factions (options: factions)")
        return Player(
            number=number,
            name=name,
            colour=colour,
            realm=told["realm"].integer() if "realm" in told else 50,
            vp=told["vp"].integer() if "vp" in told else 0,
            faction=next((known for known in o.FACTIONS if known == faction), None),
            used=(
                tuple(part.one_of(ONE_TIME_USES) for part in told["used"].parts())
                if "used" in told
                else ()
            ),
            effects=(
                tuple((key, part.integer()) for key, part in _known(told["effects"], EFFECTS))
                if "effects" in told
                else ()
            ),
            extra=(
                tuple(parse_ability(part) for part in told["extra"].parts())
                if "extra" in told
                else ()
            ),
            team=told["team"].text() if "team" in told else None,
            fell_to=gone[0],
            fell_in=gone[1],
        )

    def _check_teams(self, told: Sequence[Mapping[str, PositionPart]]) -> None:
        teams = {fields["team"].text() for fields in told if "team" in fields}
        if teams and not all("team" in fields for fields in told):
            raise self._need("players").error("in a team game every player is of a team")
        if self.options.teams and len(teams) != self.options.teams:
            raise self._need("players").error(
                f"the table options say {self.options.teams} teams, not {len(teams)}"
            )

    def _eliminated(self) -> dict[int, tuple[tuple[int, ...], int | None]]:
        """By number: to whom, and in which turn as far as it matters (the turn before this one
        stands for all earlier ones).
        """
        now = {parse_player(part, self.names) for part in self._list("eliminated_this_turn")}
        gone: dict[int, tuple[tuple[int, ...], int | None]] = {}
        for name, part in self._pairs("eliminated"):
            number = self._player(name, part)
            if part.value == DRAGON_NAME:
                by: tuple[int, ...] = (DRAGON,)
            else:
                by = tuple(
                    parse_player(one, self.names)
                    for one in (part.parts() if isinstance(part.value, list) else [part])
                )
            if not by or (number in by and len(by) > 1):
                raise part.error(
                    "by whom? the dragon, another player, or a list of players; or by themself, who"
                    " has given up"
                )
            gone[number] = (by, self.turn if number in now else self.turn - 1)
        for part in self._list("eliminated_this_turn"):
            if parse_player(part, self.names) not in gone:
                raise part.error("is not told under `eliminated`")
        return gone

    def _ranking(self, players: Sequence[Player]) -> tuple[int, ...]:
        active = [seat.number for seat in players if seat.is_active]
        if "ranking" not in self.told:
            return tuple(active)
        ranking: list[int] = []
        for part in self._list("ranking"):
            number = parse_player(part, self.names)
            if number in ranking or number not in active:
                raise part.error("is named twice" if number in ranking else "is out of the game")
            ranking.append(number)
        missing = [
            name
            for name, number in self.names.items()
            if number in active and number not in ranking
        ]
        if missing:
            raise self._need("ranking").error(
                f"{', '.join(missing)} missing, and not told under `eliminated`"
            )
        return tuple(ranking)

    # ------------------------------------------------------------------------------------ the cards
    def _in_play(self) -> tuple[Played, ...]:
        if "in_play" in self.told:
            return tuple(parse_card(part) for part in self._list("in_play"))
        if self.stage == "dragon":
            raise PositionError(
                ("position", "in_play"),
                "is missing; a dragon position tells the cards played so far",
            )
        if self.stage in ("bidding", "rebid"):
            return ()
        return Played("event", CALMS_OF_SUMMER), Played("dragons", MISTY_MOUNTAINS)

    def _deck(self, deck: DeckName, elsewhere: Sequence[Played]) -> Deck:
        draw, discard, removed = (self._pile(key, deck) for key in ("decks", "discards", "removed"))
        rest = Counter(standard_deck(deck))
        for pile in (
            draw,
            discard,
            removed,
            [played.card for played in elsewhere if played.deck == deck],
        ):
            rest.subtract(pile or [])
        left = tuple(card for card in dict.fromkeys(standard_deck(deck)) for _ in range(rest[card]))
        if draw is None:
            seed = hashlib.sha256(f"position/{self.case_id}".encode()).digest()
            draw = list(Chance(seed).shuffle(f"{deck} deck", left))
            left = ()
        return Deck(tuple(draw), left if discard is None else tuple(discard), tuple(removed or ()))

    def _pile(self, key: str, deck: DeckName) -> list[str] | None:
        part = dict(_known(self.told[key], DECKS)).get(deck) if key in self.told else None
        return None if part is None else [parse_card(card, deck).card for card in part.parts()]

    # --------------------------------------------------------------------------------- what is open
    def _attack(
        self, dpl: int, in_play: Sequence[Played], locked: Sequence[Played]
    ) -> Attack | None:
        part = self.told.get("attack")
        if part is None:
            if self.stage == "dragon":
                raise PositionError(("position", "attack"), "is missing in a dragon position")
            return None
        if self.stage not in ("dragon", "bank"):
            raise part.error("belongs to a dragon position")
        told = part.fields(ATTACK_KEYS)
        if "during" not in told:
            raise part.error("reveal or consolidation? (during)")
        reveal = told["during"].one_of(("reveal", "consolidation")) == "reveal"
        waiting = [parse_card(card) for card in (told["next"].parts() if "next" in told else [])]
        last = in_play[-1] if in_play and reveal else None
        for card in waiting:
            if card not in locked or last is None or card.deck != last.deck:
                raise told["next"].error(
                    f"{card.card} is no staying card of the type that was interrupted"
                )
        return Attack(
            during="reveal" if reveal else "consolidation",
            dpl=told["dpl"].integer(1) if "dpl" in told else max(1, dpl),
            more=told["more"].integer() if "more" in told else 0,
            waiting=tuple(card.card for card in waiting),
            deck=last.deck if last else None,
            cause="card" if last is not None and last.card == THERE_BE_DRAGONS else "threshold",
            answers=self._orders_by_player("answers"),
            hired=(
                tuple(parse_player(one, self.names) for one in told["bank"].parts())
                if "bank" in told
                else ()
            ),
        )

    def _sums(self, key: str, ranking: Sequence[int]) -> tuple[tuple[int, int], ...]:
        sums: dict[int, int] = {}
        for name, part in self._pairs(key):
            number = self._player(name, part)
            if number not in ranking:
                raise part.error("is out of the game")
            sums[number] = part.integer()
        return tuple(sorted(sums.items()))

    def _ties(self, ranking: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        if self.stage == "rebid" and not self._list("ties"):
            raise PositionError(("position", "ties"), "is missing in a rebid position")
        ties = tuple(
            tuple(sorted(parse_player(name, self.names) for name in tie.parts()))
            for tie in self._list("ties")
        )
        tied = [number for tie in ties for number in tie]
        if (
            len(set(tied)) < len(tied)
            or not set(tied) <= set(ranking)
            or any(len(tie) < 2 for tie in ties)
        ):
            raise self._need("ties").error(
                "each tie is of two or more active players, and nobody is in two"
            )
        return ties

    def _orders_by_player(self, key: str) -> tuple[tuple[int, tuple[o.Order, ...]], ...]:
        told: dict[int, tuple[o.Order, ...]] = {}
        for name, part in self._pairs(key):
            orders: list[o.Order] = []
            for text in part.parts():
                try:
                    orders.append(parse_order(text.text(), self.names))
                except ValueError as wrong:
                    raise text.error(str(wrong)) from None
            told[self._player(name, part)] = tuple(orders)
        return tuple(sorted(told.items()))

    def _end(
        self, players: Sequence[Player], ranking: Sequence[int], in_play: Sequence[Played]
    ) -> tuple[
        tuple[int, ...], Literal["", "last-standing", "dragon", "times-up", "draw", "conceded"]
    ]:
        """The winners told in a position that is over, and how they must have won."""
        part = self.told.get("winner")
        if part is None or self.stage != "over":
            return (), ""
        if part.value == DRAGON_NAME:
            return (), "dragon"
        if part.value == NOBODY:
            return (), "draw"
        team = tuple(seat.number for seat in players if seat.team == part.text())
        winners = team or (parse_player(part, self.names),)
        if len({players[number - 1].team or number for number in ranking}) == 1:
            return winners, "last-standing"
        return winners, (
            "times-up" if any(played.card == TIMES_UP for played in in_play) else "conceded"
        )


def _known(part: PositionPart, keys: Sequence[str]) -> list[tuple[str, PositionPart]]:
    return list(part.fields(keys).items())
