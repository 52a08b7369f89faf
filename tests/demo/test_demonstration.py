"""A first turn of seven correspondents over the embedded servers: every quirk, and what the service
makes of it.
"""

import asyncio
import io
import re
from collections import Counter
from dataclasses import dataclass
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from PIL import Image

from pbem.board.painting import WIDTHS
from pbem.demo.cast import small_talk, whole_cast
from pbem.demo.gallery.counts import Counts, read_counts
from pbem.demo.gallery.filing import Filed, file_mails
from pbem.demo.gallery.pages import write_gallery
from pbem.demo.received import Received
from pbem.demo.stage import HOST, SERVICE_ADDRESS, Playbill, open_stage, start_table
from pbem.mail.inbound.reader import ReadingRules, read_mail
from pbem.registry import default_game, load_games

PEOPLE = whole_cast()[:7]
RULES = ReadingRules(
    own_addresses=frozenset({SERVICE_ADDRESS}), host=HOST, authserv_id=HOST, subaddressing=True
)
CORRECTS, FORGETS, TRAVELS, LATE, TWICE, ASKS, SURE = PEOPLE


@dataclass(frozen=True, slots=True)
class Played:
    """What is left of a demonstration."""

    counts: Counts
    filed: list[Filed]
    gallery: Path
    turn: int

    def sent_in_by(self, address: str) -> list[Filed]:
        return [mail for mail in self.filed if mail.direction == "in" and mail.address == address]

    def sent_out_to(self, address: str, kind: str) -> list[Received]:
        return [
            Received(mail.raw)
            for mail in self.filed
            if mail.direction == "out" and mail.address == address and mail.kind == kind
        ]

    def answers_to(self, mail: Filed) -> list[Filed]:
        message_id = Received(mail.raw).message_id
        return [
            other
            for other in self.filed
            if other.direction == "out" and Received(other.raw).in_reply_to == message_id
        ]


async def _play(folder: Path) -> Played:
    async with open_stage(
        PEOPLE, Playbill(default_game(load_games()).ruleset.id), 222, folder / "data"
    ) as stage:
        await stage.pace.rest()
        await start_table(stage)
        await stage.pace.rest()
        while (await stage.moment()).turn == 1:
            await stage.pace.step()
        gallery = (await write_gallery(stage, PEOPLE, PEOPLE[0], 1.0, folder / "out")).index
        filed = await file_mails(
            stage, {person.address: person.name for person in PEOPLE}, folder / "filed"
        )
        return Played(await read_counts(stage), filed, gallery, (await stage.moment()).turn)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return asyncio.run(_play(tmp_path_factory.mktemp("demo")))


def test_the_turn_is_played_and_nothing_is_shunted(played: Played) -> None:
    assert played.turn == 2
    assert played.counts.shunted == 0
    assert played.counts.phases >= 3
    assert played.counts.mails_in == sum(mail.direction == "in" for mail in played.filed)
    assert played.counts.mails_out == sum(mail.direction == "out" for mail in played.filed)
    assert played.counts.orders >= 15


def test_every_mail_of_a_player_that_holds_orders_gets_one_receipt(played: Played) -> None:
    for mail in played.filed:
        if mail.direction == "in" and mail.kind == "orders":
            assert [answer.kind for answer in played.answers_to(mail)] == ["receipt"], (
                mail.path.name
            )


def test_all_orders_are_understood_but_those_that_are_meant_to_be_wrong(played: Played) -> None:
    troubled = Counter(
        person.name
        for person in PEOPLE
        for receipt in played.sent_out_to(person.address, "receipt")
        if re.search(r"NOT UNDERSTOOD|NOT POSSIBLE|AMBIGUOUS", receipt.text)
    )
    assert set(troubled) == {CORRECTS.name}, "READING-25: the first who plays by mail"


def test_the_one_who_errs_is_told_and_corrects_it(played: Played) -> None:
    orders = [
        receipt
        for receipt in played.sent_out_to(CORRECTS.address, "receipt")
        if "NOT " in receipt.text
    ]
    assert orders
    repaired = [
        Received(mail.raw)
        for mail in played.sent_in_by(CORRECTS.address)
        if Received(mail.raw).in_reply_to == orders[0].message_id
    ]
    assert len(repaired) == 1
    assert repaired[0].text.startswith(("yes 1", "Oh, my mistake"))


def test_the_forgetful_one_is_reminded_and_misses_the_deadline(played: Played) -> None:
    assert played.sent_out_to(FORGETS.address, "reminder")
    assert len(played.sent_in_by(FORGETS.address)) == 2


def test_the_vacation_program_is_logged_and_never_answered(played: Played) -> None:
    automatic = [
        mail for mail in played.sent_in_by(TRAVELS.address) if mail.kind.startswith("automatic")
    ]
    assert len(automatic) == 1
    assert played.answers_to(automatic[0]) == []
    assert played.counts.automatic == 1


def test_the_late_mail_is_told_which_phase_is_open(played: Played) -> None:
    late = [mail for mail in played.sent_in_by(LATE.address) if mail.kind == "wrong-phase"]
    assert len(late) == 1
    (answer,) = played.answers_to(late[0])
    assert answer.kind == "notice"
    assert "THAT PHASE HAS CLOSED" in Received(answer.raw).text
    assert "Open now: " in Received(answer.raw).text


def test_the_same_mail_twice_makes_one_receipt(played: Played) -> None:
    by_id = Counter(Received(mail.raw).message_id for mail in played.sent_in_by(TWICE.address))
    twice = [message_id for message_id, count in by_id.items() if count == 2]
    assert len(twice) == 1
    kinds = sorted(
        mail.kind
        for mail in played.sent_in_by(TWICE.address)
        if Received(mail.raw).message_id == twice[0]
    )
    assert kinds == ["copy", "orders"]
    receipts = [
        receipt
        for receipt in played.sent_out_to(TWICE.address, "receipt")
        if receipt.in_reply_to == twice[0]
    ]
    assert len(receipts) == 1
    assert played.counts.copies == 1


def test_questions_are_answered(played: Played) -> None:
    answers = played.sent_out_to(ASKS.address, "answer")
    assert len(answers) == 2, "one for each message, whatever it asks"
    assert any("PR-7.8" in answer.text for answer in answers)
    assert len(played.sent_out_to(ASKS.address, "what-if")) == 2, (
        "what if, and a preview of the stored orders"
    )


def test_a_mail_with_its_board_is_under_160_kb(played: Played) -> None:
    """THIRD-9: mails weighed 250 to 290 kB."""
    pictured = [mail.raw for mail in played.filed if b"image/png" in mail.raw]
    assert pictured
    assert max(map(len, pictured)) < 160_000


def test_one_is_always_final(played: Played) -> None:
    mails = [mail for mail in played.sent_in_by(SURE.address) if mail.kind == "orders"]
    assert mails
    receipts = played.sent_out_to(SURE.address, "receipt")
    assert all("final" in receipt.text.casefold() for receipt in receipts)


def test_strangers_get_nothing_and_the_real_player_is_told(played: Played) -> None:
    strangers = [
        mail for mail in played.filed if mail.direction == "in" and mail.kind.startswith("stranger")
    ]
    assert len(strangers) == 2
    assert all(played.answers_to(mail) == [] for mail in strangers)
    assert not [
        mail
        for mail in played.filed
        if mail.address == strangers[0].address and mail.direction == "out"
    ]
    forged = [mail for mail in played.filed if mail.kind.startswith("unproven")]
    assert [mail.address for mail in forged] == [CORRECTS.address]
    assert len(played.sent_out_to(CORRECTS.address, "confirm")) == 1
    assert (
        "We did not take a message" in played.sent_out_to(CORRECTS.address, "confirm")[0].subject
    ), "the mail server says that it is forged"


def test_what_somebody_writes_comes_to_nobody_else(played: Played) -> None:
    written: dict[str, set[str]] = {line: set() for line in small_talk().chat}
    for mail in played.filed:
        if mail.direction == "in" and mail.is_genuine:
            new_text = read_mail(mail.raw, RULES).text
            for line, writers in written.items():
                if line in new_text:
                    writers.add(mail.address)
    said_once = {line: writers for line, writers in written.items() if len(writers) == 1}
    assert len(said_once) >= 3
    for mail in played.filed:
        if mail.direction == "out":
            text = " ".join(Received(mail.raw).text.split())
            leaked = [
                line
                for line, writers in said_once.items()
                if mail.address not in writers and line in text
            ]
            assert leaked == [], mail.path.name


def test_the_gallery_shows_how_the_post_went_and_works_offline(played: Played) -> None:
    page = played.gallery.read_text("utf-8")
    folder = played.gallery.parent
    links = re.findall(r'(?:href|src)="([^"#]+)"', page)
    assert links
    assert all(not link.startswith(("http:", "https:", "//")) for link in links)
    missing = [link for link in links if not (folder / link).is_file()]
    assert missing == []
    assert len(list((folder / "mails").glob("*.eml"))) == len(played.filed)
    assert "<script" not in page
    questions, letters = page.partition('<section id="questions">')[2].split(
        '<section id="letters">'
    )
    assert letters.count('class="letter theirs') == len(played.sent_in_by(CORRECTS.address))
    asked = questions.count('class="letter theirs')
    assert asked >= 2, "what if, and why"
    assert questions.count('class="letter ours') >= asked, "none is without an answer"
    assert all(
        word in questions for word in ("what if", "preview", "why P", "profile", "hall of fame")
    )
    for letter in (folder / "letters").glob("*.html"):
        shown = re.findall(r'<img src="([^"]+)"', letter.read_text("utf-8"))
        assert all((letter.parent / picture).is_file() for picture in shown), letter.name


def test_rules_named_in_letters_lead_to_the_page_of_rules(played: Played) -> None:
    folder = played.gallery.parent
    rules = (folder.parent / "rules.html").read_text("utf-8")
    anchors = set(re.findall(r'<article class="rule" id="(PR-[\d.]+)"', rules))
    assert len(anchors) > 100
    assert 'href="../rules.html"' in played.gallery.read_text("utf-8")
    linked = {
        path: re.findall(r'href="([^"]*#(PR-[^"]*))"', path.read_text("utf-8"))
        for path in (folder / "letters").glob("*.html")
    }
    assert {link for links in linked.values() for link, _ in links} <= {
        f"../../rules.html#{rule}" for rule in anchors
    }
    why = [path for path in linked if "The small numbers lead to them" in path.read_text("utf-8")]
    assert why
    assert all(linked[path] for path in why)


def test_a_game_that_is_not_over_has_no_record_yet(played: Played) -> None:
    assert list(played.gallery.parents[1].glob("*-record.json")) == []


def test_the_gallery_lies_in_the_archive_of_its_game(played: Played) -> None:
    site = played.gallery.parents[1]
    assert played.gallery == site / "stage" / "index.html"
    assert 'href="../index.html"' in played.gallery.read_text("utf-8")
    assert "stage/" not in (site / ".archive.json").read_text("utf-8"), "it is no part of it"
    for number in (0, 1):
        assert (site / "turns" / f"{number:02}.html").is_file()


def shapes_of(mail: Filed) -> list[float]:
    """How high the boards of a mail are for their width."""
    found = []
    for part in message_from_bytes(mail.raw, policy=policy.default).walk():
        if part.get_content_type() == "image/png":
            with Image.open(io.BytesIO(part.get_content())) as picture:
                if picture.width >= WIDTHS[-1]:
                    found.append(picture.height / picture.width)
    return found


def test_the_legend_is_open_on_the_board_that_the_game_begins_with_and_on_no_later_one(
    played: Played,
) -> None:
    """F.3: it makes a board higher by its rows. The welcome and the first question show one board."""
    for person in PEOPLE:
        out = [
            one for one in played.filed if one.direction == "out" and one.address == person.address
        ]
        shown = [(mail.kind, shape) for mail in out for shape in shapes_of(mail)]
        (welcome, first), (question, same), *later = shown
        assert (welcome, question, first) == ("welcome", "turn", same)
        assert later
        assert all(shape < first - 0.2 for _, shape in later)
