"""How a game of Protectors stands or ended, and what became of each player, for a gallery."""

from engine.protectors.view import PlayerView, TableView


def outcome_of(view: TableView) -> str:
    """Who won and how; while nobody has, how it stands."""
    if not view.ended_by:
        return f"{standing_of(view)}."
    if view.ended_by == "draw":
        return "The game is drawn, by agreement of everybody who was still in it."
    *others, last_name = [view.player(number).name for number in view.winners] or [""]
    names = f"{', '.join(others)} and {last_name}" if others else last_name
    team = view.player(view.winners[0]).team if view.winners else None
    last = "the last team standing" if team else "the last one standing"
    names = f"Team {team} ({names})" if team else names
    how = {
        "last-standing": last,
        "times-up": "with the most victory points when time was up",
        "conceded": "by agreement of everybody who was still in the game",
    }.get(view.ended_by, "")
    return (
        f"{names} wins, {how}." if names else "The Dragon wins: nobody protects the realm any more."
    )


def standing_of(view: TableView) -> str:
    leader = view.player(view.ranking[0]).name if view.ranking else "nobody"
    return f"{leader} is Grand Protector, the Dragon stands at {view.dpl} of {view.threshold}"


def ranked(view: TableView) -> list[PlayerView]:
    """The players: winners first, then by rank, then the fallen, the last to fall first."""
    return sorted(
        view.players,
        key=lambda player: (
            player.number not in view.winners,
            player.rank is None,
            player.rank or 0,
            -(player.fell_in or 0),
            player.number,
        ),
    )


def fate_of(view: TableView, player: PlayerView) -> str:
    """What became of a player, after the faction and the team where there are any."""
    sides = [
        player.faction or "",
        f"team {player.team}" if player.team else "",
        _fate(view, player),
    ]
    return ", ".join(filter(None, sides))


def _fate(view: TableView, player: PlayerView) -> str:
    if player.number in view.winners:
        return "wins"
    if player.rank is not None:
        lands = len(player.provinces)
        return (
            f"rank {player.rank}, {lands} {'province' if lands == 1 else 'provinces'}, {player.vp}"
            " VP tokens"
        )
    if player.fell_to == (player.number,):
        return f"gave up in turn {player.fell_in}"
    by = " and ".join(
        "the Dragon" if number == 0 else view.player(number).name for number in player.fell_to
    )
    return f"out in turn {player.fell_in}, by {by}" if player.fell_in else ""
