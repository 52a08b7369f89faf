"""What a person gets who asks for their data: all that is theirs, and nothing that only others
wrote or may know.
"""

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
import sqlalchemy as sa

from pbem.desk import gm
from pbem.desk.people import export
from pbem.desk.people.export import export_person
from pbem.grammar.people_rules import PeopleRules
from pbem.store.tables import metadata
from tests.desk.chatting import ChatDesk, open_chat_desk
from tests.desk.harness import Desk, address_of, open_desk, text_of
from tests.desk.lobbies import BY, open_lobby
from tests.desk.people.test_forgetting import ANNA, places_of
from tests.desk.people.test_forgetting_chats import ANNAS, BARTEKS, live_a_little

OTHERS = ("quokka", "walrus", "gazelle", "bartek@", "chloe@", "someone@else.example")
"""What only others wrote, and their addresses."""

KEPT_ELSEWHERE = {"outbox", "press", "deliveries", "taps"}
"""Tables of people that `person.json` does not have: letters and press have files of their own, and
what waits to be delivered or tapped stands in the letters.
"""


async def exported(desk: Desk, address: str) -> dict[str, bytes]:
    into = BytesIO()
    await export_person(desk.services, address, into)
    return unpacked(into.getvalue())


def unpacked(content: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(content)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def everything(files: dict[str, bytes]) -> str:
    return b"\n".join(files.values()).decode("utf-8", "replace").lower()


async def live(there: ChatDesk) -> None:
    """Much is written by Anna and by others: to all, to each other and to the game master."""
    desk = there.desk
    await live_a_little(there)
    await desk.write("Bartek", "GM: quokka\nbid 5")
    await desk.write("Bartek", "to Chloé: the walrus stays")
    await desk.write("Bartek", "bid 7", sender=f"Bartek <{address_of('Bartek')}>")
    await desk.write(
        "Eve",
        "bid 8",
        sender=f"Anna <{ANNA}>",
        dmarc="fail",
        token=False,
        headers=[("X-Note", "someone@else.example")],
    )
    # Somebody whose address ends as hers does, and who lets answers go to her.
    await desk.write(
        "Joanna",
        "gazelle",
        sender="Joanna <jo.anna@players.example>",
        token=False,
        headers=[("Reply-To", ANNA)],
    )
    await desk.write("Anna", "resign")
    await there.settle()


async def test_it_holds_what_is_theirs_and_nothing_that_only_others_wrote(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 3) as there:
        desk = there.desk
        await live(there)
        for word in OTHERS[:3]:
            assert await places_of(desk, word), word
        seeds = await seeds_of(desk)
        for address in (ANNA.upper(), str(ANNAS)):
            files = await exported(desk, address)
            said = everything(files)
            for word in ("pelican", "ocelot", "xylophone", "marzipan", ANNA, str(ANNAS), "heron"):
                assert word in said, word
            for word in (*OTHERS, str(BARTEKS), *seeds):
                assert word not in said, word
        person = json.loads(files["person.json"])
        assert {row["address"] for row in person["addresses"]} >= {ANNA, str(ANNAS)}
        assert [(row["game"], row["name"]) for row in person["seats"]] == [("heron", "Anna")]
        assert person["absences"][0]["since"] < person["absences"][0]["until"]
        assert any(row["purpose"] == "resign" for row in person["consents"])
        assert {row["seat"] for row in json.loads(files["orders.json"])} == {"Anna"}
        assert "Bid 2" in str(json.loads(files["orders.json"]))
        assert [row["text"] for row in json.loads(files["press.json"])] == ["the pelican flies"]
        assert "hedgehog" in json.loads(files["notes.json"])[0]["text"]
        folders = {name.rpartition("/")[0] for name in files}
        assert folders == {"", "mails/in", "mails/out", "chats/in", "chats/out"}
        assert await exported(desk, ANNA) == files
        assert list(files) == list(await exported(desk, ANNA))


async def seeds_of(desk: Desk) -> list[str]:
    async with desk.services.database.read() as work:
        return [await work.games.read_seed(1)]


OF_SEATS_ELSEWHERE = {
    *("seats", "tenures", "invitations", "results", "strikes"),  # by the person, in `person.json`
    *("orders", "press", "notes", "outbox", "taps", "inbox"),  # files of their own
    "pending",  # by the address
}


def test_every_table_of_seats_is_in_it_or_has_a_file_of_its_own() -> None:
    from pbem.store.repositories.belongings import _OF_SEATS

    of_seats = {table.name for table in metadata.sorted_tables if "seat_id" in table.c}
    assert of_seats - OF_SEATS_ELSEWHERE == {table.name for table in _OF_SEATS} | {"suppositions"}


async def test_a_vote_and_what_took_effect_at_once_are_in_it_for_whoever_had_the_seat_then(
    desk: Desk,
) -> None:
    await desk.open_game()
    async with desk.services.database.write() as work:
        (seat, *_others) = await work.seats.list_of_game(1)
        at = {"at": desk.clock.now()}
        for name, row in (
            ("votes", {"seat_id": seat.id, "question": "version", "answer": "grand"}),
            (
                "acts",
                {
                    "game_id": 1,
                    "phase_number": 1,
                    "ordinal": 0,
                    "actor": f"{seat.number}",
                    "body": '{"act": "look"}',
                },
            ),
        ):
            await work.connection.execute(metadata.tables[name].insert().values(**row, **at))
    desk.clock.forward(hours=1)
    await gm.replace(desk.services, "heron", "Anna", "Eve", "eve@players.example", gm.By("test"))
    await desk.work()
    for address, count in ((ANNA, 1), ("eve@players.example", 0), (address_of("Bartek"), 0)):
        person = json.loads((await exported(desk, address))["person.json"])
        found = [len(person[name]) for name in ("votes", "acts")]
        assert found == [count] * 2, address


async def test_who_plays_under_hidden_names_gets_all_of_theirs_and_nobodys_name(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 2, slug="egret") as there:
        desk = there.desk
        await there.link("Anna", ANNAS)
        await open_lobby(desk, people=PeopleRules(hidden_names=True))
        people = ("Anna", "Xenquist", "Yorvath")
        for name in people:
            await gm.invite(desk.services, "heron", name, address_of(name), BY)
        await gm.start(desk.services, "heron", BY)
        await there.settle()
        await there.says(ANNAS, "heron: bid 2")
        for name, said in (("Xenquist", "to Red: walrus"), ("Yorvath", "GM: quokka")):
            await desk.write(name, said)
        await gm.replace(desk.services, "heron", "Blue", "Zumpango", address_of("Zumpango"), BY)
        await desk.everybody_passes()
        await there.settle()
        said = everything(await exported(desk, ANNA))
        for word in ("egret", "heron", "walrus", str(ANNAS), "bid 2", "bartek"):
            assert word in said, word
        for word in ("xenquist", "yorvath", "zumpango", "quokka"):
            assert word not in said, word
        newcomer = everything(await exported(desk, address_of("Zumpango")))
        assert "zumpango" in newcomer
        assert not any(word in newcomer for word in ("xenquist", "walrus", "anna"))


def test_every_table_of_people_is_in_it_or_has_a_file_of_its_own() -> None:
    from pbem.store.repositories.belongings import _COLUMNS

    of_people = {table.name for table in metadata.sorted_tables if "person_id" in table.c}
    assert of_people - KEPT_ELSEWHERE == {table.name for table in _COLUMNS} - {"people"}


async def test_a_game_master_gets_no_note_and_no_address_of_a_player(desk: Desk) -> None:
    await desk.open_game()
    async with desk.services.database.write() as work:
        person_id = await work.people.add(
            name="Gertrude", locale="en", time_zone="UTC", created_at=desk.clock.now()
        )
        await work.people.add_address(person_id, "mail", "gertrude@elsewhere.example", "confirmed")
        await work.masters.add_once(person_id, desk.clock.now())
        await work.gms.add_once(1, person_id)
    await desk.write("Bartek", "GM: quokka")
    await gm.announce(desk.services, "heron", "tea at five", gm.By("Gertrude", person_id))
    await desk.work()
    assert any(b"quokka" in raw for raw in desk.postbox.to("gertrude@elsewhere.example"))
    files = await exported(desk, "gertrude@elsewhere.example")
    said = everything(files)
    assert "quokka" not in said
    assert "players.example" not in said
    assert json.loads(files["person.json"])["gms"] == [{"game": "heron"}]


async def test_a_substitute_and_a_player_get_the_orders_of_their_own_time(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 3")
    async with desk.services.database.write() as work:
        eve = await work.people.add(
            name="Eve", locale="en", time_zone="UTC", created_at=desk.clock.now()
        )
        await work.people.add_address(eve, "mail", "eve@elsewhere.example", "confirmed")
        seat = next(seat for seat in await work.seats.list_of_game(1) if seat.name == "Anna")
        tenures, orders = metadata.tables["tenures"], metadata.tables["orders"]
        last = {"seat_id": seat.id, "tenure": seat.tenure + 1, "person_id": eve}
        await work.connection.execute(
            tenures.insert().values(**last, since=desk.clock.now(), until=None)
        )
        (row,) = (
            await work.connection.execute(sa.select(orders).where(orders.c.seat_id == seat.id))
        ).mappings()
        changed = {"tenure": seat.tenure + 1, "version": 2, "canonical": ("Bid 9",)}
        copied = {name: value for name, value in row.items() if name not in ("id", "inbox_id")}
        await work.connection.execute(orders.insert().values(**copied | changed))
    for address, theirs, foreign in (
        (ANNA, "Bid 3", "Bid 9"),
        ("eve@elsewhere.example", "Bid 9", "Bid 3"),
    ):
        found = str(json.loads((await exported(desk, address))["orders.json"]))
        assert (theirs in found, foreign in found) == (True, False)


async def test_of_an_address_that_is_nobodys_nothing_is_known(desk: Desk) -> None:
    with pytest.raises(gm.Refused):
        await export_person(desk.services, "nobody@else.example", BytesIO())


async def test_a_player_is_asked_and_gets_the_file_once_a_day(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Bartek", "GM: quokka")
    question = await desk.write("Anna", "my data")
    assert question is not None
    assert "Do you want your data?" in str(question["Subject"])
    told = await desk.write("Anna", "yes", answering=question)
    assert told is not None
    (file,) = [part for part in told.walk() if part.get_filename() == "my-data.zip"]
    assert (file.get_content_type(), "person.json" in text_of(told)) == ("application/zip", True)
    content = file.get_payload(decode=True)
    assert isinstance(content, bytes)
    files = unpacked(content)
    assert {"person.json", "orders.json", "press.json", "notes.json"} <= set(files)
    assert ("my data" in everything(files), "quokka" in everything(files)) == (True, False)
    await desk.write("Anna", "yes", answering=question)
    assert sum(b"my-data.zip" in raw for raw in desk.postbox.to(ANNA)) == 1
    refused = await desk.write("Anna", "my data")
    assert "within the last day" in text_of(refused)
    desk.clock.forward(days=1, minutes=1)
    await desk.work()
    await desk.write("Anna", "my data")
    assert "Do you want your data?" in str(desk.last("Anna")["Subject"])


async def test_a_no_sends_nothing_and_a_forged_wish_is_asked_at_the_address(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "my data", dmarc=None, token=False)
    question = desk.last("Anna", "Do you want your data?")
    before = len(desk.letters("Anna"))
    await desk.write("Anna", "no", answering=question)
    assert len(desk.letters("Anna")) == before
    await desk.write("Eve", "yes", answering=question, sender="Eve <eve@elsewhere.example>")
    assert not any(b"my-data.zip" in raw for raw in desk.postbox.to(ANNA))
    assert desk.postbox.to("eve@elsewhere.example") == []


async def test_a_large_file_comes_without_the_mails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        monkeypatch.setattr(export, "MOST_BYTES", 500)
        question = await desk.write("Anna", "my data")
        await desk.write("Anna", "yes", answering=question)
        told = desk.last("Anna", "Your data")
        assert "The operator of this house has them" in " ".join(text_of(told).split())
        (file,) = [part for part in told.walk() if part.get_filename()]
        content = file.get_payload(decode=True)
        assert isinstance(content, bytes)
        assert set(unpacked(content)) == {
            *("person.json", "orders.json", "press.json", "notes.json"),
        }


async def test_in_a_chat_it_is_asked_by_mail_and_without_a_mail_address_it_says_why(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 2) as there:
        await there.link("Anna", ANNAS)
        await there.says(ANNAS, "my data")
        assert "We ask you by mail" in there.last(ANNAS).text
        question = there.desk.last("Anna", "your data")
        await there.desk.write("Anna", "yes", answering=question)
        assert any(part.get_filename() for part in there.desk.last("Anna", "Your data").walk())
        async with there.desk.services.database.read() as work:
            game = await work.games.find(1)
        assert game is not None
        await there.says(BARTEKS, f"/observe {game.join_code}")
        await there.says(BARTEKS, "/mydata")
        assert "we do not know yours" in there.last(BARTEKS).text
