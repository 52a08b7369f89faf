"""`python -m bench.capacity FILE`: makes the table of docs/capacity.md from figures that `python -m
bench --json FILE` has written on a quiet machine.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "capacity.md"
BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"
SHARE = 0.5
"""So much of what it can do at most is what one should ask of it."""
PLAYERS, PHASES_A_WEEK, WEEKS, OPERATED = 7, 3, 52, 100


def main() -> None:
    """Write it."""
    figures = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    rows = "".join(f"| {what} | {value} |\n" for what, value in rows_of(figures))
    PAGE.write_text(f"{before}{BEGIN}| | |\n|---|---|\n{rows}{END}{after}", "utf-8")


def rows_of(figures: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    """What it carries, and how much of it."""
    rate = figures["many_games"] / figures["many_seconds"]
    a_minute = rate * 60
    yield (
        "games of seven due in one second, all closed and written to",
        (f"{figures['many_games']:.0f} in {figures['many_seconds']:.0f} s"),
    )
    yield "games due at one hour, all closed within a minute", f"{a_minute:.0f}"
    players = a_minute * PLAYERS
    yield "players in them", f"{players:.0f}"
    yield (
        "a receipt, while the games close (99 of 100)",
        (f"{figures['many_receipt_p99_ms'] / 1e3:.1f} s"),
    )
    mails = SHARE * 3600 / (figures["message_ms"] / 1e3)
    yield "mails read and answered in an hour, at half its strength", f"{mails:,.0f}"
    yield "memory of the service and its painters", f"{figures['many_mb']:.0f} MB"
    year = PHASES_A_WEEK * WEEKS
    yield (
        "disk for a game that plays all year, three phases a week",
        (f"{figures['disk_kb_a_phase'] * year / 1e3:.0f} MB"),
    )
    yield (
        f"the file of {OPERATED} such games after that year",
        (f"{figures['disk_kb_a_phase'] * year * OPERATED / 1e6:.1f} GB"),
    )
    yield (
        "of a game's room after its mails are deleted",
        (f"{figures['kept_kb_a_phase'] * year / 1e3:.0f} MB"),
    )
    yield (
        "a close with 10,000 finished games in the store, compared with an empty store",
        (f"{figures['growth_store_close']:.2f} times"),
    )


if __name__ == "__main__":
    main()
