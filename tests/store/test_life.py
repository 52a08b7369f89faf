"""The tables of the life between the orders: each guard holds on both databases."""

import msgspec

from pbem.store import Database
from pbem.store.repositories.post.links import LinkRow, NewLinkRow
from pbem.store.repositories.post.press import NewPress
from pbem.store.repositories.post.taps import TapRow
from pbem.store.work import Work
from tests.store.samples import HOUR, NOW, add_game, add_message, add_person, add_seat


async def test_a_choice_is_made_made_otherwise_and_taken_back(database: Database) -> None:
    async with database.write() as work:
        ada, ben = await add_person(work, "Ada"), await add_person(work, "Ben")
        await work.preferences.put(ada, "route.turn", "mail")
        await work.preferences.put(ada, "route.turn", "both")
        await work.preferences.put(ben, "quiet", "22-7")
        await work.preferences.put(ben, "quiet", None)
        assert await work.preferences.get(ada, "route.turn") == "both"
        assert await work.preferences.get(ben, "quiet") is None
        assert [
            (row.person_id, row.value) for row in await work.preferences.list_of([ada, ben])
        ] == [(ada, "both")]


async def find_link(work: Work, code_hash: str) -> LinkRow:
    found = await work.links.find(code_hash)
    assert found is not None
    return found


async def test_a_link_is_gone_through_once_and_in_time(database: Database) -> None:
    async with database.write() as work:
        ada = await add_person(work)
        await work.links.add_all(
            [
                NewLinkRow("a", "link", NOW, NOW + HOUR, ada),
                NewLinkRow("b", "link", NOW, NOW, ada),
                NewLinkRow("a", "again", NOW, NOW, ada),
            ]
        )
        first, late = [await find_link(work, code) for code in ("a", "b")]
        assert (first.purpose, late.expires_at) == ("link", NOW)
        assert not await work.links.use(late.id, "7", NOW)
        assert await work.links.use(first.id, "7", NOW)
        assert not await work.links.use(first.id, "8", NOW)
        found = await work.links.find("a")
        assert found is not None
        assert (found.used_by, found.used_at) == ("7", NOW)
        assert await work.links.withdraw(ada, "link", NOW) == 1
        assert await work.links.find("c") is None


async def test_a_button_is_pressed_once_and_made_once(database: Database) -> None:
    async with database.write() as work:
        ada, game = await add_person(work), await add_game(work)
        seat = await add_seat(work, game, person_id=ada)
        row = TapRow("q7", ada, game, seat, 1, 3, '{"order": 1}', NOW, None)
        await work.taps.put_all([row])
        await work.taps.put_all([row, msgspec.structs.replace(row, action="{}")])
        assert await work.taps.find("q7") == row
        assert await work.taps.use("q7", NOW)
        assert not await work.taps.use("q7", NOW)
        assert await work.taps.drop_before(NOW) == 0
        assert await work.taps.drop_before(NOW + HOUR) == 1
        assert await work.taps.find("q7") is None


async def test_a_group_belongs_to_a_table_moves_and_is_left(database: Database) -> None:
    async with database.write() as work:
        game = await add_game(work)
        chat = await work.chats.put("telegram", "-5", title="Heron", state="active", since=NOW)
        assert (
            await work.chats.put("telegram", "-5", title="Herons", state="active", since=NOW)
            == chat
        )
        assert await work.chats.belong(chat, game)
        assert await work.chats.move("telegram", "-5", "-1005")
        assert [(row.address, row.title) for row in await work.chats.list_of_game(game)] == [
            ("-1005", "Herons")
        ]
        await work.chats.put("telegram", "-1005", title="Herons", state="left", since=NOW)
        assert await work.chats.list_of_game(game) == []
        assert await work.chats.find("telegram", "-5") is None


async def test_press_is_kept_once_a_message_and_told_once_a_reader(database: Database) -> None:
    async with database.write() as work:
        ada, ben, game = (
            await add_person(work, "Ada"),
            await add_person(work, "Ben"),
            await add_game(work),
        )
        seat, message = await add_seat(work, game, person_id=ada), await add_message(work)
        kept = [
            await work.press.add(
                NewPress(
                    game_id=game,
                    phase_number=1,
                    seat_id=seat,
                    person_id=ada,
                    inbox_id=message,
                    kind="private",
                    grey=False,
                    recipients=(2, 3),
                    text="Peace?",
                    created_at=NOW,
                )
            )
            for _ in range(2)
        ]
        assert kept[0] is not None
        assert kept[1] is None
        await work.press.tell_later(kept[0], [ben], NOW + HOUR)
        await work.press.tell_later(kept[0], [ben], NOW + 2 * HOUR)
        assert await work.press.list_waiting(NOW) == []
        waiting = await work.press.list_waiting(NOW + HOUR)
        assert [(reader, row.text, row.recipients) for reader, row in waiting] == [
            (ben, "Peace?", (2, 3))
        ]
        assert await work.press.mark_told(kept[0], ben, NOW + HOUR)
        assert not await work.press.mark_told(kept[0], ben, NOW + HOUR)
        assert await work.press.list_waiting(NOW + HOUR) == []
        assert await work.press.count_of_seat_since(seat, NOW) == 1
        assert [row.id for row in await work.press.list_of_game(game)] == [kept[0]]
        assert await work.press.find(kept[0]) is not None


async def test_absences_are_listed_until_they_end_or_are_cancelled(database: Database) -> None:
    async with database.write() as work:
        ada, ben = await add_person(work, "Ada"), await add_person(work, "Ben")
        first = await work.absences.add(
            person_id=ada,
            game_id=None,
            since=NOW,
            until=NOW + HOUR,
            substitute_id=ben,
            created_at=NOW,
        )
        assert [row.substitute_id for row in await work.absences.list_of([ada, ben], NOW)] == [ben]
        assert await work.absences.list_of([ada], NOW + HOUR) == []
        assert await work.absences.cancel(first, NOW)
        assert not await work.absences.cancel(first, NOW)
        assert await work.absences.list_of([ada], NOW) == []


async def test_graces_and_waits_are_kept_once_for_a_seat_in_a_phase(database: Database) -> None:
    async with database.write() as work:
        game = await add_game(work)
        seat = await add_seat(work, game)
        assert await work.graces.add(game, 1, seat, NOW)
        assert not await work.graces.add(game, 1, seat, NOW)
        assert [
            (row.phase_number, row.seat_id) for row in await work.graces.list_of_game(game)
        ] == [(1, seat)]
        assert await work.waits.add(game, 1, seat, NOW)
        assert not await work.waits.add(game, 1, seat, NOW)
        assert await work.waits.list_of_phase(game, 1) == {seat}
        assert await work.waits.drop(game, 1, seat)
        assert not await work.waits.drop(game, 1, seat)


async def test_a_motion_is_voted_on_and_settled_once(database: Database) -> None:
    async with database.write() as work:
        game = await add_game(work)
        seat = await add_seat(work, game)
        motion = await work.motions.open(
            game_id=game,
            kind="extend",
            detail="{}",
            seat_id=seat,
            phase_number=1,
            opened_at=NOW,
            closes_at=NOW + HOUR,
        )
        await work.motions.answer(motion, seat, "yes", NOW)
        await work.motions.answer(motion, seat, "no", NOW)
        assert [row.answer for row in await work.motions.list_ballots(motion)] == ["no"]
        assert [row.id for row in await work.motions.list_open(game)] == [motion]
        assert await work.motions.list_due(NOW) == []
        assert [row.id for row in await work.motions.list_due(NOW + HOUR)] == [motion]
        assert await work.motions.settle(motion, "lost", NOW)
        assert not await work.motions.settle(motion, "won", NOW)
        assert await work.motions.list_open(game) == []
        found = await work.motions.find(motion)
        assert found is not None
        assert found.outcome == "lost"
        assert [row.id for row in await work.motions.list_of_game(game)] == [motion]


async def test_somebody_looks_on_leaves_and_looks_on_again(database: Database) -> None:
    async with database.write() as work:
        ada, game = await add_person(work), await add_game(work)
        assert await work.observers.begin(game, ada, NOW)
        assert not await work.observers.begin(game, ada, NOW)
        assert await work.observers.end(game, ada, NOW)
        assert not await work.observers.end(game, ada, NOW)
        assert await work.observers.list_of_game(game) == []
        assert await work.observers.begin(game, ada, NOW + HOUR)
        assert [row.game_id for row in await work.observers.list_of_person(ada)] == [game]
