"""Forgetting somebody, and what goes by itself after some time: the games stay whole."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from pbem.desk import gm
from pbem.desk.people.erasure import forget
from pbem.desk.upkeep.housekeeping import keep_house
from pbem.desk.upkeep.records import verify_game
from pbem.store.repositories.forgetting import EMPTY_LETTER, FORGOTTEN
from pbem.store.tables import metadata
from tests.desk.harness import GM, NAMES, Desk, address_of, open_desk, text_of
from tests.played import PLAYED

ANNA = address_of("Anna")
BY = gm.By("operator")


async def everything(desk: Desk) -> list[tuple[str, str]]:
    """Every value in every table, with the column it stands in."""
    found = []
    async with desk.services.database.read() as work:
        for table in metadata.sorted_tables:
            for row in await work.connection.execute(sa.select(table)):
                for column, value in row._mapping.items():
                    text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
                    found.append((f"{table.name}.{column}", text))
    return found


async def places_of(desk: Desk, word: str) -> set[str]:
    return {place for place, text in await everything(desk) if word.lower() in text.lower()}


async def play_a_turn(desk: Desk) -> None:
    await desk.open_game()
    await desk.write(
        "Anna", "bid 3\nGM: the xylophone of my aunt is out of tune, and the hedgehog knows it"
    )
    await desk.write("Anna", "bid 4", sender="Anna <anna@work.example>")
    await desk.write("Bartek", "bid 7\nGM: quokka")
    await desk.write(
        "Eve",
        "hello",
        sender=f"Anna <{ANNA}>",
        dmarc="fail",
        token=False,
        message_id="<eve@elsewhere.example>",
    )
    await desk.everybody_passes()


async def test_nothing_that_identifies_them_is_left_and_the_game_stays_whole(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await play_a_turn(desk)
        assert len(await places_of(desk, ANNA)) >= 4
        assert "notes.text" in await places_of(desk, "xylophone")
        async with desk.services.database.read() as work:
            was = await work.people.find_by_address("mail", ANNA)
        assert was is not None
        told = await forget(desk.services, ANNA, BY, really=True)
        await desk.work()
        assert await places_of(desk, ANNA) == set()
        assert await places_of(desk, "anna@") == set()
        assert await places_of(desk, "xylophone") == set()
        assert await verify_game(desk.services, "heron") == []
        assert "orders.canonical" in await places_of(desk, "Bid 3")
        assert "notes.text" in await places_of(desk, "quokka")
        async with desk.services.database.read() as work:
            seats = await work.seats.list_of_game(1)
            person = await work.people.find(was.id)
            (entry,) = [row for row in await work.log.list_of_game(None) if row.command == "forget"]
    assert told.done
    assert (told.notes, told.seats_left, told.configured) == (1, ("Heron",), False)
    assert (seats[0].name, seats[0].person_id, seats[0].status) == ("Anna", None, "left")
    assert person is not None
    assert (person.name, person.time_zone) == (FORGOTTEN, "UTC")
    assert "@" not in entry.detail + entry.actor


async def test_what_they_wrote_as_press_goes_and_what_was_written_to_them_too(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Chloé", "digest daily")
    await desk.write("Anna", "broadcast: the pelican flies")
    await desk.write("Anna", "to Chloé: so does the stork")
    await desk.write("Bartek", "to Anna: I like the marmot\nto Chloé: the walrus stays")
    desk.clock.forward(days=1)
    await desk.work()
    assert {"press.text", "outbox.letter", "inbox.raw"} <= await places_of(desk, "pelican")
    await forget(desk.services, ANNA, BY, really=True)
    await desk.work()
    for word in ("pelican", "stork"):
        assert await places_of(desk, word) == set()
    assert await places_of(desk, "marmot") <= {
        *("press.text", "inbox.raw", "outbox.letter", "orders.canonical"),
    }, "and in his receipt"
    assert "press.text" in await places_of(desk, "walrus")
    assert await verify_game(desk.services, "heron") == []


async def test_the_others_play_on_and_their_game_master_is_told(desk: Desk) -> None:
    await play_a_turn(desk)
    before = len(desk.letters("Anna"))
    await forget(desk.services, ANNA, BY, really=True)
    await desk.work()
    to_master = [mail for mail in desk.postbox.to(GM) if b"Anna" in mail]
    assert to_master
    for name in NAMES[1:3]:
        await desk.write(name, "work")
    await desk.everybody_passes()
    await desk.everybody_passes()
    assert len(desk.letters("Anna")) == before
    assert desk.last("Bartek", "heron")
    assert await verify_game(desk.services, "heron") == []


async def test_a_token_they_still_have_is_worth_nothing(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await play_a_turn(desk)
        await forget(desk.services, ANNA, BY, really=True)
        await desk.work()
        before = len(desk.letters("Anna"))
        await desk.write("Anna", "work")
        async with desk.services.database.read() as work:
            newest = (await work.inbox.list_by_state("ignored", 1))[0]
    assert len(desk.letters("Anna")) == before
    assert (newest.outcome or "").startswith("stranger")


async def test_a_dry_run_tells_the_same_and_changes_nothing(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await play_a_turn(desk)
        before = await everything(desk)
        dry = await forget(desk.services, ANNA.upper(), BY, really=False)
        assert await everything(desk) == before
        done = await forget(desk.services, ANNA, BY, really=True)
    assert not dry.done
    assert (dry.messages, dry.letters, dry.notes, dry.seats_left) == (
        done.messages,
        done.letters,
        done.notes,
        done.seats_left,
    )
    assert dry.messages >= 3
    assert dry.letters >= 5


async def test_another_players_message_that_names_them_stays_handled_as_it_was(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Bartek", "bid 7", headers=[("Cc", ANNA)])
        await desk.write("Bartek", "bid 8", headers=[("Cc", ANNA)], work=False)
        await forget(desk.services, ANNA, BY, really=True)
        await desk.work()
        async with desk.services.database.read() as work:
            handled = await work.inbox.list_by_state("handled")
            newest = await work.orders.newest(2, 1)
            first = await work.inbox.read_raw(1)
    assert len(handled) == 2
    assert newest is not None
    assert newest.version == 2
    assert first is None


async def test_before_the_start_the_seat_is_free_again(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await gm.open_table(desk.services, gm.NewTable("heron", "Heron", PLAYED, {}, "UTC"), BY)
        for name in NAMES[:3]:
            await gm.invite(desk.services, "heron", name, address_of(name), BY)
        await desk.work()
        await forget(desk.services, ANNA, BY, really=True)
        await desk.work()
        assert await places_of(desk, ANNA) == set()
        async with desk.services.database.read() as work:
            seats = await work.seats.list_of_game(1)
    assert [(seat.number, seat.name) for seat in seats] == [(1, "Bartek"), (2, "Chloé")]


async def test_somebody_who_never_played_can_be_forgotten_too(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write(
            "Eve",
            "let me in",
            sender="Eve <Eve@Elsewhere.example>",
            token=False,
            message_id="<eve1@elsewhere.example>",
        )
        told = await forget(desk.services, "eve@elsewhere.example", BY, really=True)
        assert await places_of(desk, "elsewhere.example") == set()
    assert (told.messages, told.addresses, told.seats_left) == (1, 1, ())


async def test_what_waits_to_be_handled_or_sent_goes_as_well(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Anna", "bid 9", work=False)
        async with desk.services.database.write() as work:
            await work.connection.execute(
                sa.text("UPDATE outbox SET state = 'queued' WHERE kind = 'turn'")
            )
        await forget(desk.services, ANNA, BY, really=True)
        async with desk.services.database.read() as work:
            (row,) = await work.inbox.list_by_state("ignored")
            withheld = await work.outbox.list_by_state("withheld")
    assert row.outcome == "forgotten"
    assert {(letter.kind, letter.address, letter.letter) for letter in withheld} == {
        ("turn", FORGOTTEN, EMPTY_LETTER)
    }


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("nobody@players.example", "unknown-address"),
        ("orders@house.example", "own-address"),
        ("anna", "own-address"),
    ],
)
async def test_what_cannot_be_forgotten_is_refused(tmp_path: Path, address: str, code: str) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        with pytest.raises(gm.Refused) as refused:
            await forget(desk.services, address, BY, really=True)
    assert refused.value.code == code
    assert ANNA not in str(refused.value)


# ---------------------------------------------------------------------------------------- retention
async def finish(desk: Desk) -> None:
    await desk.write("Anna", "bid 3")
    await gm.end(desk.services, "heron", BY)
    await desk.work()


async def letters(desk: Desk) -> list[Any]:
    async with desk.services.database.read() as work:
        return await work.outbox.list_by_state("sent", 1000)


async def test_raw_mails_go_after_some_time_and_orders_stay(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Anna", "bid 3")
        desk.clock.forward(days=181)
        await keep_house(desk.services)
        async with desk.services.database.read() as work:
            assert await work.inbox.read_raw(1) is None
            newest = await work.orders.newest(1, 1)
    assert newest is not None
    assert newest.canonical == ("Bid 3",)


async def test_a_shunted_message_is_kept_until_it_is_handled(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 3", work=False)
    async with desk.services.database.write() as work:
        await work.inbox.shunt(1, "trace")
    desk.clock.forward(days=400)
    await keep_house(desk.services)
    async with desk.services.database.read() as work:
        assert await work.inbox.read_raw(1) is not None


async def test_letters_of_a_game_that_runs_are_all_kept(desk: Desk) -> None:
    await desk.open_game()
    desk.clock.forward(days=400)
    desk.mailbox.broken = True
    await keep_house(desk.services)
    assert all(
        letter.letter != EMPTY_LETTER
        for letter in await letters(desk)
        if letter.game_id is not None
    )


async def test_the_words_of_letters_go_some_time_after_the_game_and_resend_still_works(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.everybody_passes()
    await finish(desk)
    before = await letters(desk)
    desk.clock.forward(days=179)
    await keep_house(desk.services)
    assert [letter.letter for letter in await letters(desk)] == [letter.letter for letter in before]
    desk.clock.forward(days=2)
    await keep_house(desk.services)
    after = await letters(desk)
    emptied = [letter for letter in after if letter.letter == EMPTY_LETTER]
    assert emptied
    kept = {(letter.seat_id, letter.kind) for letter in after if letter.letter != EMPTY_LETTER}
    assert kept == {(letter.seat_id, letter.kind) for letter in after if letter.seat_id is not None}
    assert len(after) == len(before)
    await desk.write("Anna", "resend", answering=desk.letters("Anna")[-1])
    assert text_of(desk.letters("Anna")[-1]).strip()
    async with desk.services.database.read() as work:
        assert (await work.inbox.list_by_state("handled", 1))[0].outcome == "answered"


async def test_the_house_is_tidied_once_a_day(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 3")
    await keep_house(desk.services)
    desk.clock.forward(hours=23)
    object.__setattr__(desk.services.policy, "keep_raw_days", 0)
    assert await keep_house(desk.services) == 0
    desk.clock.instant += timedelta(hours=2)
    assert await keep_house(desk.services) == 1
