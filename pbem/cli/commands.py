"""Commands of the line that do what a game master's mail does. Their arguments are the fields
of the same record; what cannot be undone needs `--yes`.
"""

import inspect
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import msgspec
import typer

from pbem.cli.common import ask_back, by_operator, read_config, run_at_desk
from pbem.cli.exits import EXIT_USAGE, report_failure
from pbem.cli.failing import told
from pbem.cli.options import (
    ConfigOption,
    GameArgument,
    NoInputOption,
    PlayerArgument,
    ReasonOption,
    YesOption,
)
from pbem.cli.places import load_places
from pbem.desk.gm_commands.kind import Item
from pbem.desk.gm_commands.kinds import KINDS
from pbem.grammar.gm.commands import AnyCommand, Slot, slots_of, word_of
from pbem.grammar.gm.parts import Flag, Notes, Number
from pbem.grammar.gm.players import Player
from pbem.grammar.gm.tails import Reason, Text


def command(
    record: type[AnyCommand],
    tells: str | Callable[[Any], str],
    *,
    asks: str = "",
    **helps: str,
) -> Callable[..., None]:
    """The function of a command.

    `asks` is the question before it, where it cannot be undone. `tells` is said when it is done, of
    what the use case answers; as a text it has the fields in braces, as `asks` has, and the
    `answer`, also in `local` time. `helps` are the help texts of arguments, by field.
    """
    kind = KINDS[record]

    def run(
        config: Path | None, slug: str = "", yes: bool = False, no_input: bool = False, **said: Any
    ) -> None:
        given = _record_of(record, slug, said)
        facts = {"slug": slug, **said}
        if asks:
            ask_back(asks.format_map(facts), yes=yes, no_input=no_input)
        with told():
            settings = read_config(config)
            item = Item("", "", given)
            answer = run_at_desk(
                settings, lambda services: kind.do(services, item, given, by_operator())
            )
        if isinstance(answer, datetime):
            facts["local"] = answer.astimezone(ZoneInfo(settings.service.zone))
        facts["answer"] = answer
        typer.echo(tells.format_map(facts) if isinstance(tells, str) else tells(facts))

    types: dict[str, Any] = {} if record.needs == "note" else {"slug": GameArgument}
    types |= {slot.field: _argument(slot, helps) for slot in slots_of(record)}
    types |= {"yes": YesOption, "no_input": NoInputOption} if asks else {}
    types["config"] = ConfigOption
    unsaid = {slot.field: inspect.Parameter.empty for slot in slots_of(record) if slot.required}
    fields = {field.name: field.default for field in msgspec.structs.fields(record)} | unsaid
    defaults = {"slug": inspect.Parameter.empty, **fields, "yes": False, "no_input": False}
    run.__annotations__ = types
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=defaults.get(name),
                annotation=annotation,
            )
            for name, annotation in types.items()
        ]
    )
    run.__doc__ = load_places("game")[word_of(record).replace(" ", "-")][1]
    return run


def _argument(slot: Slot, helps: Mapping[str, str]) -> Any:
    """How a field is written on the line, by its type."""
    about = helps.get(slot.field, "")
    match slot.part:
        case Flag():
            return Annotated[bool, typer.Option(f"--{slot.field}", help=about)]
        case Number() | Notes():
            return Annotated[int, typer.Argument(help=about)]
        case Player():
            return PlayerArgument
        case Reason() if not slot.required:
            return ReasonOption
    return Annotated[str, typer.Argument(help=about)]


def _record_of(record: type[AnyCommand], slug: str, said: Mapping[str, Any]) -> AnyCommand:
    """The command of these values. Ends with a usage error where no line can say them."""
    texts = {slot.field for slot in slots_of(record) if isinstance(slot.part, Text)}
    values = {
        field: " ".join(value.split())
        if isinstance(value, str) and field not in texts
        else value.strip()
        if isinstance(value, str)
        else value
        for field, value in said.items()
    }
    try:
        return msgspec.convert({"command": word_of(record), "table": slug, **values}, record)
    except msgspec.ValidationError as error:
        report_failure(str(error))
        raise typer.Exit(EXIT_USAGE) from error
