"""The record of a game as its players get it: with the last letter, by the word `record`, and
checked by somebody who has nothing else.
"""

import re
from email.message import EmailMessage
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.archive.site import archive_game
from pbem.cli.app import app
from pbem.desk import gm
from pbem.desk.people.erasure import forget
from pbem.desk.upkeep.record_words import read_record
from pbem.desk.upkeep.records import verify_game
from pbem.record.record import Record, format_record, parse_record
from tests.desk.commanding import GRETA, refused
from tests.desk.harness import GM, NAMES, SEED, Desk, address_of, open_desk, parse, text_of
from tests.played import PLAYED

FILE = "heron-record.json"


def files_of(mail: EmailMessage) -> dict[str, bytes]:
    """The files attached to a mail, by name, but for entries of a calendar."""
    found = {}
    for part in mail.iter_attachments():
        if part.get_content_type() == "text/calendar":
            continue
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        found[part.get_filename() or ""] = content
    return found


def record_in(mail: EmailMessage) -> Record:
    assert mail.get_content_type() == "multipart/mixed"
    return parse_record(files_of(mail)[FILE])


def commands_in(mail: EmailMessage) -> list[list[str]]:
    """What the recipe of a letter tells its reader to type."""
    return [line.split()[1:] for line in text_of(mail).splitlines() if line.startswith("    pbem ")]


async def play_a_little(desk: Desk) -> None:
    """Votes, orders, somebody who gives none, a reshuffle, and a roll back with another one."""
    new = gm.NewTable(
        "heron", "Heron", PLAYED, {}, "Europe/Berlin", "Greta", seed=SEED, votes=("version",)
    )
    await gm.open_table(desk.services, new, GRETA)
    for name in NAMES[:4]:
        await gm.invite(desk.services, "heron", name, address_of(name), GRETA)
    async with desk.services.database.write() as work:
        await work.votes.put(1, "version", "grand", desk.clock.now())
        await work.votes.put(2, "version", "normal", desk.clock.now())
    await gm.start(desk.services, "heron", GRETA)
    await desk.work()
    await desk.write("Anna", "bid 12\nGM: the xylophone of my aunt")
    await desk.everybody_passes()
    await desk.write("Chloé", "Work P1\nWork P2\nWork P3\nWork P4")
    await gm.apply_act(desk.services, "heron", {"act": "reshuffle"}, GRETA)
    await desk.everybody_passes()
    await gm.roll_back(desk.services, "heron", 2, GRETA, reshuffle=True)
    await gm.replace(desk.services, "heron", "Dmytro", "Otto", "otto@elsewhere.example", GRETA)
    await desk.work()
    await desk.write("Bartek", "Work P1\nWork P2\nWork P3\nWork P4")
    await desk.everybody_passes()


async def test_the_recipe_of_the_last_letter_is_all_a_third_party_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_desk(tmp_path) as desk:
        await play_a_little(desk)
        await gm.end(desk.services, "heron", GRETA, "too few are left")
        await desk.work()
        welcome, letter = desk.last("Anna", "welcome"), desk.last("Anna", "broken off")
        everybody = [desk.last(name, "broken off") for name in NAMES[:3]]
        everybody += [
            parse(desk.postbox.to(address)[-1]) for address in ("otto@elsewhere.example", GM)
        ]
        assert len({files_of(mail)[FILE] for mail in everybody}) == 1
        assert await verify_game(desk.services, "heron") == []
    record = record_in(letter)
    assert re.sub(r"\s", "", text_of(welcome)).count(record.commitment) == 1
    assert {f"    {record.fingerprint}", f"    {record.seed}"} <= set(text_of(letter).splitlines())
    raw = files_of(letter)[FILE].decode()
    for secret in ("@", "xylophone", "elsewhere", "Berlin", "Otto"):
        assert secret not in raw, secret

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / FILE).write_bytes(files_of(letter)[FILE])
    monkeypatch.chdir(elsewhere)
    [typed] = commands_in(letter)
    assert typed == ["verify", FILE]
    said = CliRunner().invoke(
        app,
        [*typed, "--commitment", record.commitment.upper(), "--fingerprint", record.fingerprint],
    )
    assert (said.exit_code, said.stderr) == (0, "")
    assert said.stdout.splitlines()[:2] == [
        f"{FILE}: Heron, {PLAYED} by rules version {record.ruleset_version}, 4 players, 5 phases, broken off",
        "Every draw, state and event matches the record.",
    ]
    assert record.commitment in said.stdout
    assert record.fingerprint in said.stdout
    assert list(elsewhere.iterdir()) == [elsewhere / FILE], "checking leaves nothing behind"


async def test_the_record_tells_of_every_phase_what_was_given_and_how_it_ended(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await play_a_little(desk)
        await gm.end(desk.services, "heron", GRETA)
        record = await read_record(desk.services, "heron")
    assert record.votes is not None
    assert record.votes.votes == ({"version": "grand"}, {"version": "normal"}, {}, {})
    assert [phase.ended for phase in record.phases] == [
        *("close", "close", "roll back", "close", "broken off"),
    ]
    assert (record.phases[2].to, record.phases[2].reshuffle) == (2, True)
    assert [draw.label for draw in record.phases[2].draws][:1] == ["reshuffle: event deck"]
    assert [(act.actor, act.act) for act in record.phases[1].acts] == [("gm", {"act": "reshuffle"})]
    assert {one.player: one.orders for one in record.phases[0].orders} == {
        1: ("Bid 12",),
        2: (),
        3: (),
        4: (),
    }
    assert {record.name_of(one.player) for one in record.phases[3].orders if one.orders} == {
        "Bartek"
    }
    assert record.phases[4].orders == (), "what was never adjudicated is nobody's business"


async def test_a_game_that_a_strike_ends_brings_its_record_too(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await gm.strike(desk.services, "heron", "Bartek", "shown", GRETA)
        await gm.strike(desk.services, "heron", "Chloé", "shown", GRETA)
        await desk.work()
        async with desk.services.database.read() as work:
            game = await work.games.find(1)
        assert game is not None
        assert game.status == "over"
        letters = [mail for mail in desk.letters("Bartek") if FILE in files_of(mail)]
        assert len(letters) == 1
        record = record_in(letters[0])
        assert (
            format_record(await read_record(desk.services, "heron")) == files_of(letters[0])[FILE]
        )
    assert record.phases[-1].ended == "over"
    assert record.phases[-2].ended == "act"
    assert commands_in(letters[0]) == [["verify", FILE]]
    assert f"    {record.fingerprint}" in text_of(letters[0]).splitlines()


async def test_a_game_played_to_its_end_brings_the_record_of_what_was_kept(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        for _ in range(60):
            await desk.everybody_passes()
            async with desk.services.database.read() as work:
                game = await work.games.find(1)
                if game is None or game.status == "over":
                    break
        assert game is not None
        assert game.status == "over"
        letter = next(mail for mail in desk.letters("Anna") if FILE in files_of(mail))
        assert format_record(await read_record(desk.services, "heron")) == files_of(letter)[FILE]
        assert await verify_game(desk.services, "heron") == []
    assert record_in(letter).phases[-2].ended == "close"


async def test_the_word_record_brings_it_after_the_end_and_not_before(desk: Desk) -> None:
    await desk.open_game()
    await desk.everybody_passes()
    early = await desk.write("Anna", "game file")
    assert early is not None
    assert "The record comes with the end" in str(early["Subject"])
    assert files_of(early) == {}
    assert SEED.hex() not in text_of(early)
    assert await refused(read_record(desk.services, "heron")) == "too-early"
    await gm.end(desk.services, "heron", GRETA)
    await desk.work()
    sent = desk.last("Anna", "broken off")
    answered = await desk.write("Anna", "record please")
    assert answered is not None
    assert "The record of the game" in str(answered["Subject"])
    assert files_of(answered) == files_of(sent)
    again = await desk.write("Bartek", "resend")
    assert any(files_of(mail) == files_of(sent) for mail in desk.letters("Bartek")[-4:])
    assert again is not None


async def test_one_who_came_later_gets_a_record_made_anew_and_it_is_the_same(desk: Desk) -> None:
    await play_a_little(desk)
    await gm.end(desk.services, "heron", GRETA)
    async with desk.services.database.write() as work:
        for letter in await work.outbox.list_by_state("queued", 1000):
            await work.outbox.withhold(letter.id, "never mind")
    sent = await read_record(desk.services, "heron")
    answered = await desk.write("Chloé", "verification file")
    assert answered is not None
    assert record_in(answered) == sent


async def test_a_person_can_be_forgotten_and_the_others_can_still_check_the_game(
    desk: Desk,
) -> None:
    await play_a_little(desk)
    await gm.end(desk.services, "heron", GRETA)
    await desk.work()
    before = files_of(desk.last("Bartek", "broken off"))
    await forget(desk.services, address_of("Anna"), gm.By("operator"), really=True)
    await desk.work()
    async with desk.services.database.read() as work:
        kept = await work.outbox.list_by_state("sent", 1000)
    assert not any(letter.address == address_of("Anna") for letter in kept)
    answered = await desk.write("Bartek", "record")
    assert answered is not None
    assert files_of(answered) == before
    assert format_record(await read_record(desk.services, "heron")) == before[FILE]


async def test_what_cannot_be_played_again_ends_all_the_same_and_says_so(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.everybody_passes()
        async with desk.services.database.write() as work:
            await work.acts.add(
                game_id=1, phase_number=1, actor="gm", body='{"act":"juggle"}', at=desk.clock.now()
            )
        await gm.end(desk.services, "heron", GRETA)
        await desk.work()
        letter = desk.last("Anna", "broken off")
        assert files_of(letter) == {}
        assert '"record"' in text_of(letter)
        answered = await desk.write("Anna", "record")
        assert answered is not None
        assert "There is no record of this game" in str(answered["Subject"])
        assert await refused(read_record(desk.services, "heron")) == "unrecordable"
        archived = await archive_game(desk.services, "heron", tmp_path / "out", GRETA)
    assert archived.index.exists()
    assert not (tmp_path / "out" / FILE).exists()


async def test_an_order_changed_in_the_store_after_the_close_shows_in_the_record(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Anna", "bid 5")
        await desk.everybody_passes()
        async with desk.services.database.write() as work:
            (row,) = await work.orders.history(1)
            assert row.orders == '[{"order":"bid","amount":5}]'
            await work.connection.exec_driver_sql(
                """UPDATE orders SET orders = '[{"order":"bid","amount":6}]'"""
            )
        await gm.end(desk.services, "heron", GRETA)
        await desk.work()
        letter = desk.last("Anna", "broken off")
        (tmp_path / FILE).write_bytes(files_of(letter)[FILE])
    said = CliRunner().invoke(app, ["verify", str(tmp_path / FILE)])
    assert said.exit_code == 1
    assert (
        "phase 1: event 2 (bids), facts.bids 1 2: the record says 5; the replay makes 6\n"
        in said.stdout
    )


async def test_the_archive_of_a_game_that_has_ended_holds_the_record(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await play_a_little(desk)
        await archive_game(desk.services, "heron", tmp_path / "early", GRETA)
        assert not (tmp_path / "early" / FILE).exists()
        await gm.end(desk.services, "heron", GRETA)
        archived = await archive_game(desk.services, "heron", tmp_path / "out", GRETA)
        assert (tmp_path / "out" / FILE).read_bytes() == format_record(
            await read_record(desk.services, "heron")
        )
    assert f'href="{FILE}"' in archived.index.read_text("utf-8")
