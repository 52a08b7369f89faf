"""The one spelling of every command of a game master."""

from pbem.grammar.clock_rules import format_clock_rules
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import AnyCommand, word_of
from pbem.grammar.gm.opening import format_choices
from pbem.grammar.gm.people import format_people_command
from pbem.grammar.gm.times import format_span, format_wall_time
from pbem.grammar.press_rules import format_press_rules


def format_gm(command: AnyCommand) -> str:
    """The one spelling of a command, the table in front where it is named; `parse_gm` reads it back
    to the same.
    """
    prefix = f"{command.table}: " if command.table and not isinstance(command, c.NewGame) else ""
    if isinstance(command, c.People | c.Substitute | c.Defaults | c.Remove):
        return f"{prefix}{format_people_command(command)}"
    return f"{prefix}{_format(command)}"


def _format(command: AnyCommand) -> str:
    match command:
        case c.NewGame(title=title, choices=choices):
            clauses = format_choices(choices)
            return f"new game {title}: {clauses}" if clauses else f"new game {title}"
        case c.Invite(people=people):
            return "invite " + ", ".join(f"{who.name} {who.address}" for who in people)
        case c.Option() | c.Press():
            return (
                f"option {format_choices(command.choices)}"
                if isinstance(command, c.Option)
                else _format_press(command)
            )
        case c.Extend(when=when) | c.Shorten(when=when):
            said = (
                f"by {format_span(when)}"
                if isinstance(when, c.Span)
                else f"to {format_wall_time(when)}"
            )
            reason = f" because {command.reason}" if command.reason else ""
            return f"{word_of(command)} {said}{reason}"
        case c.Deadline() | c.Eject() | c.Promote() | c.Close():
            return _format_judges_word(command)
        case c.Clock() | c.Grant() | c.Refuse() | c.Zone():
            return _format_time(command)
        case c.Pause(reason=reason) | c.End(reason=reason):
            return _joined(word_of(command), reason)
        case c.Replace(player=player, name=name, address=address, zone=zone):
            newcomer = f"{name} {address}".strip()
            return f"replace {player} with {newcomer}" + (f", zone {zone}" if zone else "")
        case c.Team() | c.Faction():
            return _format_side(command)
        case c.Unlock(player=player) | c.Look(player=player):
            return (
                f"unlock {player}"
                if isinstance(command, c.Unlock)
                else f"look at {player}'s orders"
            )
        case c.Strike() | c.Pardon() | c.Correct():
            said = (
                f"correct {command.what} because"
                if isinstance(command, c.Correct)
                else f"{word_of(command)} {command.player}:"
            )
            return f"{said} {command.reason}"
        case c.Announce(text=text) | c.Write(text=text) | c.Answer(text=text):
            return f"{_format_to(command)}: {text}"
        case c.Dismiss(note=note, also=also):
            return f"dismiss {', '.join(map(str, (note, *also)))}"
        case c.RollBack(phase=phase, reshuffle=reshuffle):
            return f"roll back to phase {phase}" + (" and reshuffle" if reshuffle else "")
    return word_of(command)


def _format_to(command: AnyCommand) -> str:
    """To whom a text goes."""
    match command:
        case c.Write(whom=whom):
            return f"press to {whom}"
        case c.Answer(note=note):
            return f"answer {note}"
    return word_of(command)


def _format_time(command: c.Clock | c.Grant | c.Refuse | c.Zone) -> str:
    if isinstance(command, c.Zone):
        return f"my time zone is {command.zone}"
    if isinstance(command, c.Clock):
        return f"timing {format_clock_rules(command.change)}"
    return word_of(command) + (f" {command.request}" if command.request is not None else "")


def _format_press(command: c.Press) -> str:
    return f"set press {format_press_rules(command.change)}"


def _format_judges_word(command: c.Deadline | c.Eject | c.Promote | c.Close) -> str:
    match command:
        case c.Close(phase=phase):
            return "close now" if phase is None else f"close phase {phase}"
        case c.Deadline(when=when, reason=reason):
            return f"set deadline {format_wall_time(when)}" + (
                f" because {reason}" if reason else ""
            )
        case c.Eject(player=player, reason=reason):
            return _joined(f"eject {player}", reason)
        case c.Promote(name=name, address=address):
            return f"promote {name} {address}" if name else f"promote {address}"


def _format_side(command: c.Team | c.Faction) -> str:
    if isinstance(command, c.Faction):
        return f"set faction {command.player}: {command.faction or 'none'}"
    return f"set team {command.player}: {command.team or 'none'}" + (
        f", place {command.place}" if command.place is not None else ""
    )


def _joined(word: str, reason: str) -> str:
    return f"{word}: {reason}" if reason else word
