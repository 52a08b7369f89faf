"""`pbem why GAME ...`: how something came out as it did."""

from typing import Annotated

import typer

from pbem.cli.common import ask_back, by_operator, read_config, run_at_desk
from pbem.cli.failing import told
from pbem.cli.options import ConfigOption, GameArgument, NoInputOption, YesOption
from pbem.desk.gm.insights import OVER, explain
from pbem.desk.mandate import find_game
from pbem.desk.ports import Services
from pbem.pages.page import MARKER, Page


def why(
    slug: GameArgument,
    words: Annotated[
        list[str],
        typer.Argument(help="Topic, as a player would ask: P6, dragon, ranking, bid, my order."),
    ],
    player: Annotated[
        str,
        typer.Option(
            "--as",
            help="Answer from what this player knows; until the end everybody is told.",
        ),
    ] = "",
    turn: Annotated[
        int, typer.Option(min=0, help="Turn; default: the newest that has an answer.")
    ] = 0,
    yes: YesOption = False,
    no_input: NoInputOption = False,
    config: ConfigOption = None,
) -> None:
    """Explain how something came out, line by line with the rules, from what all players may
    know.
    """
    question = " ".join((f"turn {turn},", *words) if turn else words)
    with told():
        settings = read_config(config)
        if player and not run_at_desk(settings, _is_over, slug):
            ask_back(
                f"You will see what {player} knows in {slug}. We log it and tell everybody there.",
                yes=yes,
                no_input=no_input,
            )
        seat = player or None
        page = run_at_desk(settings, explain, slug, question, by_operator(), seat_name=seat)
    typer.echo(body_of(page))


async def _is_over(services: Services, slug: str) -> bool:
    async with services.database.read() as work:
        return (await find_game(work, slug)).status in OVER


def body_of(page: Page) -> str:
    """What a page says between the line above which answers are written and its foot."""
    return page.text.partition(MARKER)[2].rpartition("\n-- \n")[0].strip("\n")
