"""Commands that any player may give at any time and that act at once: draws, conceding, resigning,
command, claims (FW-9).
"""

from engine.fortresses import orders as o
from engine.fortresses.atlas import other_alliance
from engine.fortresses.event_kinds import Agreed, CommandReturned, CommandTaken, PlayerResigned
from engine.fortresses.refusals import refuse
from engine.fortresses.state import How, Winner
from engine.fortresses.table import Table
from engine.ruleset import Problem

Ending = tuple[Winner, How, str]
"""Who wins, how, and by which rule."""


def hear(table: Table, player: int) -> None:
    """Whatever a player sends ends the partner's command over what is his (FW-9.8)."""
    for kingdom in table.kingdoms_of(player):
        if table.realms[kingdom].command:
            table.change(kingdom, command=0)
            table.tell(CommandReturned(player, kingdom), "FW-9.8")


def heed(table: Table, player: int) -> None:
    """A mail of which something stands: nobody misses this player any more (FW-4.12, FF-8.14)."""
    for kingdom in table.kingdoms_of(player):
        table.change(kingdom, missed=0)
    if table.commander(table.active) == player:
        table.answered = True


def judge_command(table: Table, player: int, order: o.TableCommand) -> Problem | None:
    """Why a command is refused, or None."""
    if table.is_over or table.winner is not None:
        return refuse("not-now", phase="over")
    if player not in table.humans():
        return refuse("not-your-turn")
    alliance = table.alliance_of_player(player)
    match order:
        case o.TakeCommand():
            partner = partner_of(table, player)
            is_free = partner is not None and not any(
                table.realms[kingdom].command for kingdom in table.kingdoms_of(partner)
            )
            return (
                None
                if partner is not None and is_free and table.is_absent(partner)
                else refuse("not-now", phase=table.stage)
            )
        case o.ClaimWin():
            others = table.humans(other_alliance(alliance))
            return (
                None if all(map(table.is_absent, others)) else refuse("not-now", phase=table.stage)
            )
    return None


def partner_of(table: Table, player: int) -> int | None:
    """The other human of the alliance, if there is one."""
    others = [other for other in table.humans(table.alliance_of_player(player)) if other != player]
    return others[0] if others else None


def ending_of(table: Table, player: int, order: o.TableCommand) -> Ending | None:
    """How the game ends by this command of this player; None if it does not."""
    alliance = table.alliance_of_player(player)
    lost = other_alliance(alliance)
    match order:
        case o.Draw():
            present = {other for other in table.humans() if not table.is_absent(other)}
            return ("draw", "agreement", "FW-9.3") if present <= {player, *table.draw} else None
        case o.Concede():
            return (
                (lost, "concession", "FW-9.5")
                if set(table.humans(alliance)) <= {player, *table.concede}
                else None
            )
        case o.Resign():
            return (lost, "resignation", "FW-9.4") if partner_of(table, player) is None else None
        case o.ClaimWin():
            return alliance, "absence", "FW-9.8"
    return None


def run_command(table: Table, player: int, order: o.TableCommand) -> None:
    """Do a command that was judged. One that ends the game settles its end, which comes when the
    open phase closes.
    """
    ending = ending_of(table, player, order)
    match order:
        case o.Draw():
            table.draw = (*(other for other in table.draw if other != player), player)
            table.tell(Agreed(player, "draw"), "FW-9.3")
        case o.Concede():
            table.concede = (*(other for other in table.concede if other != player), player)
            table.tell(Agreed(player, "concede"), "FW-9.5")
        case o.Resign():
            resign(table, player)
        case o.TakeCommand():
            take_command(table, player)
    if ending is not None:
        table.winner, table.how = ending[0], ending[1]


def resign(table: Table, player: int) -> None:
    """The partner's seat takes the kingdoms (FW-9.4); without a partner they stay where they are
    and the alliance has lost.
    """
    table.tell(PlayerResigned(player), "FW-9.4", "FW-1.2")
    partner = partner_of(table, player)
    if partner is None:
        return
    for kingdom in table.kingdoms_of(player):
        table.change(kingdom, seat=partner, command=0, missed=0)
    for kingdom, realm in list(table.realms.items()):
        if realm.command == player:
            table.change(kingdom, command=0)
    table.leave(player)


def take_command(table: Table, player: int) -> None:
    partner = partner_of(table, player)
    for kingdom in () if partner is None else table.kingdoms_of(partner):
        table.change(kingdom, command=player)
        table.tell(CommandTaken(player, kingdom), "FW-9.8")
