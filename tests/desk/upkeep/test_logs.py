"""The log of a whole small game: one id from each mail to its answers, and nobody's words, names,
addresses or codes.
"""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from pbem.desk import gm
from pbem.desk.correlation import caused_by, current_cause
from pbem.logs import MOST_CHARACTERS, scrub, set_up_logs, withhold
from pbem.mail.ports import Refused
from tests.desk.harness import ADDRESS, GM, NAMES, Desk, address_of, open_desk
from tests.played import PLAYED
from tests.rows import each_row

WORDS = {"Anna": "xylophone", "Bartek": "zeppelin", "Chloé": "quokka"}


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    before, handlers = structlog.get_config(), logging.getLogger().handlers
    stream = io.StringIO()
    set_up_logs(json_lines=True, verbose=True, to=stream)
    yield stream
    structlog.configure(**before)
    logging.getLogger().handlers = handlers


def lines_of(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def codes_in(desk: Desk) -> set[str]:
    return {
        mail.envelope_from.partition("+")[2].partition("@")[0] for mail in desk.postbox.mails
    } - {""}


async def play(desk: Desk) -> None:
    await desk.open_game(names=tuple(WORDS))
    for name, word in WORDS.items():
        await desk.write(name, f"bid 1\nGM: {word} is my word")
        await desk.write(name, f"{word} P1", sender=f"{name} {word} <{word}@elsewhere.example>")
        await desk.write(
            name, f"frobnicate the {word}", headers=[("Auto-Submitted", "auto-replied")]
        )
    desk.postbox.answers[address_of("Bartek")] = Refused(
        550, f"no mailbox {WORDS['Bartek']} <{address_of('Bartek')}>", "recipient"
    )
    for _ in range(3):
        await desk.everybody_passes()
    desk.mailbox.broken = True
    await desk.everybody_passes()
    desk.mailbox.broken = False
    await desk.work()


async def test_nothing_of_what_people_wrote_and_nobody_is_in_the_log(
    tmp_path: Path, log: io.StringIO
) -> None:
    async with open_desk(tmp_path) as desk:
        await play(desk)
        codes = codes_in(desk)
    text = log.getvalue()
    assert len(lines_of(log)) > 40
    assert len(codes) >= 8
    forbidden = {
        *WORDS.values(),
        *NAMES,
        ADDRESS,
        GM,
        *("players.example", "heron", "Heron", "frobnicate"),
        *codes,
    }
    assert [word for word in forbidden if word in text] == []


async def test_one_id_goes_from_a_mail_in_to_its_receipt_out(
    tmp_path: Path, log: io.StringIO
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Anna", "bid 3")
        await desk.write("Bartek", "bid 4")
    by_cause: dict[str, list[str]] = {}
    for line in lines_of(log):
        by_cause.setdefault(line["correlation"], []).append(line.get("kind") or line["event"])
    assert by_cause["m1"] == ["mail-stored", "mail-handled", "receipt"]
    assert by_cause["m2"] == ["mail-stored", "mail-handled", "receipt"]


async def test_every_letter_knows_what_caused_it(tmp_path: Path, log: io.StringIO) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Anna", "GM: hello")
        desk.clock.forward(hours=21)
        await desk.work()
        await desk.everybody_passes()
        async with desk.services.database.read() as work:
            letters = await work.outbox.list_by_state("sent", 1000)
            commands = {row.id: row.command for row in await work.log.list_of_game(1)}
    causes = {(letter.kind, letter.correlation) for letter in letters}
    assert ("receipt", None) not in causes
    assert all(letter.correlation for letter in letters)
    assert {cause for kind, cause in causes if kind == "gm-note"} == {"m1"}
    assert {cause for kind, cause in causes if kind == "bulletin"} == {"c1.1"}
    assert {cause for kind, cause in causes if kind == "reminder"} == {"r1.1"}
    (started,) = {cause for kind, cause in causes if kind == "welcome"}
    assert started is not None
    assert commands[int(started.removeprefix("g"))] == "game start"
    assert {line["correlation"] for line in lines_of(log) if line.get("kind") == "bulletin"} == {
        "c1.1"
    }


async def test_a_command_that_a_message_gave_stays_with_its_message(desk: Desk) -> None:
    with caused_by("m7"):
        await gm.open_table(
            desk.services, gm.NewTable("heron", "Heron", PLAYED, {}, "UTC"), gm.By("test")
        )
        assert current_cause() == "m7"


async def test_an_unexpected_failure_is_logged_by_its_place_and_kind_alone(
    tmp_path: Path, log: io.StringIO
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()

        def fail(step: str) -> None:
            if step == "receive.written":
                raise ValueError(
                    f'the {WORDS["Anna"]} of {address_of("Anna")}\n  File "{WORDS["Anna"]}.py", line 1, in {WORDS["Anna"]}'
                )

        object.__setattr__(
            desk.services, "steps", type("Failing", (), {"reached": staticmethod(fail)})()
        )
        await desk.write("Anna", f"bid 1\nGM: {WORDS['Anna']}")
    (line,) = [line for line in lines_of(log) if line["event"] == "message-shunted"]
    assert (line["inbox"], line["correlation"]) == (1, "m1")
    assert line["trace"].endswith("ValueError")
    assert "messages/receive.py:" in line["trace"]
    assert WORDS["Anna"] not in log.getvalue()


def test_a_key_that_is_not_on_the_list_is_withheld_and_said_to_be() -> None:
    line = dict(
        withhold(
            None,
            "info",
            {"event": "letter", "outbox": 3, "subject": "Heron", "to": "anna@players.example"},
        )
    )
    assert line == {"event": "letter", "outbox": 3, "withheld": ["subject", "to"]}


@each_row(
    "value",
    [
        *("anna@players.example", "o12-3-mfrggzdfmztwq2lknnwg23tpoa", "two\nlines", "a 'word'"),
        {"a": 1},
        b"raw",
        "x" * 200,
    ],
)
def test_a_value_that_is_no_code_is_withheld(value: object) -> None:
    assert dict(withhold(None, "info", {"kind": value})) == {"withheld": ["kind"]}


def test_what_a_server_said_is_scrubbed() -> None:
    said = "550 5.1.1 <anna@players.example>: 'Anna' is\r\nunknown (o12-3-mfrggzdfmztwq2lknnwg23tpoa) Key (name)=(Anna Smith)"
    assert scrub(said) == "550 5.1.1 <<address>>: <...> is unknown (<token>) Key (name)=(...)"
    assert len(scrub("x" * 1000)) == MOST_CHARACTERS + 3


def test_lines_of_libraries_say_who_and_how_bad_and_not_what(log: io.StringIO) -> None:
    try:
        WORDS["xylophone"]
    except KeyError:
        logging.getLogger("aiolib").exception("cannot send %s", "xylophone")
    logging.getLogger("aiolib").info("too quiet to be told")
    (line,) = lines_of(log)
    assert (line["event"], line["level"], line["logger"]) == ("library-says", "error", "aiolib")
    assert line["trace"].endswith("KeyError")
    assert "xylophone" not in log.getvalue()
