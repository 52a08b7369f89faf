"""A short demonstration of Realm-Master over the embedded servers, by mail and by phone: what its
players write, and what its gallery shows.
"""

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.demo.cast import seats_by_phone, whole_cast
from pbem.demo.gallery.counts import Counts, read_counts
from pbem.demo.gallery.filing import Filed, file_mails
from pbem.demo.gallery.pages import write_gallery
from pbem.demo.received import Received
from pbem.demo.stage import Playbill, open_stage, start_table

pytestmark = pytest.mark.long(
    held_by="tests/demo/test_demonstration.py (a demonstration),"
    " tests/games/realm_master/desk (its words through the desk)"
)

PEOPLE = whole_cast()[:3]
BY_PHONE = seats_by_phone(PEOPLE)
ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Played:
    """What is left of a demonstration."""

    counts: Counts
    filed: list[Filed]
    gallery: Path

    def sent_to(self, name: str, kind: str) -> list[Received]:
        return [
            Received(mail.raw)
            for mail in self.filed
            if (mail.direction, mail.person, mail.kind) == ("out", name, kind)
        ]


async def _play(folder: Path) -> Played:
    async with open_stage(
        PEOPLE, Playbill("realm-master"), 222, folder / "data", by_phone=BY_PHONE
    ) as stage:
        await stage.pace.rest()
        await start_table(stage)
        await stage.pace.rest()
        while (await stage.moment()).turn <= ROUNDS:
            await stage.pace.step()
        gallery = (await write_gallery(stage, PEOPLE, stage.chosen, 1.0, folder / "out")).index
        filed = await file_mails(
            stage, {person.address: person.name for person in PEOPLE}, folder / "filed"
        )
        return Played(await read_counts(stage), filed, gallery)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return asyncio.run(_play(tmp_path_factory.mktemp("demo")))


def test_rounds_are_played_over_both_channels_and_nothing_is_laid_aside(played: Played) -> None:
    assert seats_by_phone(PEOPLE) == {"Anna"}
    assert (played.counts.shunted, played.counts.violations) == (0, 0)
    assert (played.counts.turns, played.counts.phases) == (ROUNDS, ROUNDS + 1), (
        "heroes, and a window for each round's plans"
    )
    assert played.counts.orders >= 2 * ROUNDS
    assert played.counts.messages_out > ROUNDS


def test_whoever_plays_by_mail_gets_one_letter_a_round_and_understands_it(played: Played) -> None:
    turns = played.sent_to("Bartek", "turn")
    numbers = [turn.subject.rpartition("[")[2].rstrip("]").split()[-1] for turn in turns]
    assert numbers[1:] == [str(number) for number in range(1, ROUNDS + 2)], "the last one is open"
    assert all(" · " in turn.subject[:44] for turn in turns[2:]), "news first"
    assert not played.sent_to("Bartek", "bulletin"), "the next turn mail tells the round"
    receipts = played.sent_to("Bartek", "receipt")
    assert receipts
    assert not [
        receipt.text
        for receipt in receipts
        if re.search(r"NOT UNDERSTOOD|NOT POSSIBLE|AMBIGUOUS", receipt.text)
    ]


def test_the_gallery_counts_rounds_in_the_words_of_the_game(
    played: Played,
) -> None:
    page, folder = played.gallery.read_text("utf-8"), played.gallery.parent
    assert f"<dt>rounds</dt><dd>{ROUNDS}</dd>" in page
    missing = [
        link
        for link in re.findall(r'(?:href|src)="([^"#:]+)"', page)
        if not (folder / link).is_file()
    ]
    assert missing == []
    assert (folder / "chats" / "anna.html").is_file()
    assert 'id="RM-4.4"' in (folder.parent / "rules.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "7"], "2 to 6 players, not 7"),
        (["-o", "mode=fast"], "mode is standing or interactive"),
        (["--island"], "there is no option 'island'"),
    ],
)
def test_a_table_that_cannot_be_is_refused_before_anything_is_opened(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(
        app, ["demo", "--ruleset", "realm-master", *arguments, "--out", str(tmp_path / "shown")]
    )
    assert done.exit_code == 2
    assert said in done.output
    assert not (tmp_path / "shown").exists()
