"""What a seated player may write before the start, invitations, leaving, and what is left of it
during a game.
"""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.desk import gm
from pbem.desk.envelope.answers import ANSWERS_A_DAY
from pbem.desk.upkeep.records import verify_game
from pbem.store.repositories.motions import VoteRow
from pbem.store.repositories.post.outbox import NewOutboxRow
from tests.desk.harness import NAMES, Desk, address_of, parse, text_of
from tests.desk.lobbies import (
    BY,
    answer,
    code_of,
    flat,
    game_of,
    join,
    knock,
    lobby,
    names_of,
    open_lobby,
    outcomes,
    seats_of,
    subject_of,
    to_gm,
    votes_of,
    zone_of,
)


async def test_several_lines_in_any_order_get_one_receipt_that_shows_how_the_seat_stands(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, votes=("version",), least_players=5, most_players=9) as desk:
        await join(desk, "Anna", "Bartek")
        before = len(desk.letters("Anna"))
        receipt = await answer(
            desk, "Anna", "vote grand\ncolour teal\nname Bea\nmy time zone is Asia/Tokyo\nstatus"
        )
        assert len(desk.letters("Anna")) == before + 1
        assert "Done" in subject_of(receipt)
        told = flat(receipt)
        for words in (
            *("Your name in this game is Bea", "Your colour is teal", "Asia/Tokyo"),
            *("You vote grand on version", "Bartek", "2 of 9 seats", "is for 5 to 9"),
        ):
            assert words in told
        assert await names_of(desk) == [("Bea", "teal"), ("Bartek", "blue")]
        assert await votes_of(desk) == [("version", "grand")]
        assert receipt["To"] == f"Bea <{address_of('Anna')}>"


async def test_a_word_of_the_table_within_a_line_is_told_of(tmp_path: Path) -> None:
    """F-3: what the receipt itself does not answer is never dropped in silence."""
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        told = flat(await answer(desk, "Anna", "colour teal, deadlines, map"))
        assert "Your colour is teal" in told
        assert "deadlines Write this on its own line." in told
        assert "map You can ask for that once the game has begun." in told


async def test_what_cannot_be_done_does_not_undo_the_rest(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna", "Bartek")
        receipt = await answer(
            desk, "Anna", "name Bаrtek\ncolour blue\ntime zone CET\nfrobnicate now\nname Ann"
        )
        assert "Done in part" in subject_of(receipt)
        told = flat(receipt)
        for words in (
            *("looks like Bartek", "That colour is taken", "Please name a place"),
            *("Your name in this game is Ann", "We did not understand this"),
        ):
            assert words in told
        assert await names_of(desk) == [("Ann", "red"), ("Bartek", "blue")]


@pytest.mark.parametrize("name", ["red", "P3", "GM", "everybody", "x" * 41])
async def test_a_name_that_means_something_else_is_refused(tmp_path: Path, name: str) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        receipt = await answer(desk, "Anna", f"name {name}")
        assert "Not done" in subject_of(receipt)
        assert await names_of(desk) == [("Anna", "red")]


async def test_notes_go_to_the_game_master_and_press_to_whom_it_names_alone(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna", "Bartek")
        before = len(to_gm(desk))
        receipt = await answer(
            desk, "Anna", "GM: shall I bring a friend?\n\nto Bartek: a secret alliance?"
        )
        assert "shall I bring a friend?" in text_of(receipt)
        assert "a secret alliance?" in flat(desk.last("Bartek"))
        assert "shall I bring a friend?" not in flat(desk.last("Bartek"))
        (note,) = to_gm(desk)[before:]
        assert "shall I bring a friend?" in text_of(note)
        assert "secret alliance" not in text_of(note)
        await answer(desk, "Anna", "Dear Greta, what a fine idea this is.")
        assert "what a fine idea" in text_of(to_gm(desk)[-1])


async def test_a_rule_and_a_repeated_mail_are_answered_once(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        seated = desk.letters("Anna")[-1]
        await answer(desk, "Anna", "rule PR-1.4", to=seated, message_id="<same@p>")
        count = len(desk.letters("Anna"))
        assert any("PR-1.4" in text_of(mail) for mail in desk.letters("Anna")[-2:])
        await answer(
            desk, "Anna", "rule PR-1.4", to=seated, message_id="<same@p>", headers=[("X-Hop", "2")]
        )
        assert len(desk.letters("Anna")) == count


async def test_answers_are_limited_a_day(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        now = desk.clock.now()
        async with desk.services.database.write() as work:
            for _ in range(ANSWERS_A_DAY - 1):
                await work.outbox.queue(
                    NewOutboxRow(
                        channel="mail",
                        kind="receipt",
                        address=address_of("Anna"),
                        letter="{}",
                        message_id=None,
                        created_at=now - timedelta(hours=2),
                        due_at=now + timedelta(days=9),
                    )
                )
        before = len(desk.letters("Anna"))
        for colour in ("teal", "lime", "coral"):
            await answer(desk, "Anna", f"colour {colour}")
        assert len(desk.letters("Anna")) == before + 1
        assert await names_of(desk) == [("Anna", "coral")]


# -------------------------------------------------------------------------------------- invitations
async def test_an_invitation_tells_all_and_a_yes_takes_the_seat(tmp_path: Path) -> None:
    async with lobby(tmp_path, votes=("version",)) as desk:
        await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), BY)
        await desk.work()
        letter = desk.letters("Anna")[-1]
        for words in (
            "Greta invites you to Heron",
            "version",
            "normal or grand",
            await code_of(desk),
            "we give the game up",
        ):
            assert words in flat(letter)
        async with desk.services.database.read() as work:
            assert [row.answered_at for row in await work.invitations.list_of_game(1)] == [None]
        receipt = await answer(desk, "Anna", "yes, name Bea, colour teal, vote grand")
        assert "The seat is yours" in flat(receipt)
        assert await names_of(desk) == [("Bea", "teal")]
        async with desk.services.database.read() as work:
            assert [row.answered_at for row in await work.invitations.list_of_game(1)] == [
                desk.clock.now()
            ]
        assert "Anna accepts" in subject_of(to_gm(desk)[-1]) or "Bea accepts" in subject_of(
            to_gm(desk)[-1]
        )


@pytest.mark.parametrize("words", ["no", "No thanks!", "leave", "Sorry, I cannot play this time"])
async def test_a_no_to_an_invitation_gives_the_seat_back_and_they_can_be_invited_again(
    tmp_path: Path, words: str
) -> None:
    async with lobby(tmp_path) as desk:
        await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), BY)
        await gm.invite(desk.services, "heron", "Bartek", address_of("Bartek"), BY)
        await desk.work()
        left = await answer(desk, "Anna", words)
        assert "You have left the game" in subject_of(left)
        assert "Anna declines" in subject_of(to_gm(desk)[-1])
        assert [(seat.number, seat.name) for seat in await seats_of(desk)] == [(1, "Bartek")]
        assert await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), BY) == 2
        await desk.work()
        await answer(desk, "Anna", "yes")
        assert [seat.name for seat in await seats_of(desk)] == ["Bartek", "Anna"]


async def test_a_bare_no_of_somebody_who_sits_there_gives_nothing_back(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        receipt = await answer(desk, "Anna", "no")
        assert "We asked nothing that a no could answer" in flat(receipt)
        assert len(await seats_of(desk)) == 1


async def test_an_invitation_with_the_same_cause_is_sent_once(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        by = gm.By("Greta", cause="mail:1:0")
        await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), by)
        with pytest.raises(gm.AlreadyDone):
            await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), by)
        await desk.work()
        assert len(desk.letters("Anna")) == 1


# ------------------------------------------------------------------------------------------ leaving
async def test_who_leaves_gives_up_name_colour_and_votes_and_old_letters_prove_nothing(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, votes=("version",)) as desk:
        await join(desk, "Anna", "Bartek", "Emil", wish=", vote grand")
        old = desk.letters("Anna")[-1]
        left = await answer(desk, "Anna", "GM: sorry, no time\n\nleave")
        assert "You have left" in subject_of(left)
        assert f"join {await code_of(desk)}" in text_of(left)
        assert [(seat.number, seat.name) for seat in await seats_of(desk)] == [
            (1, "Bartek"),
            (2, "Emil"),
        ]
        assert await votes_of(desk) == [("version", "grand")] * 2
        assert "sorry, no time" in text_of(to_gm(desk)[-2])
        before = len(desk.postbox.mails)
        await answer(desk, "Anna", "name Anna", to=old)
        assert len(desk.postbox.mails) == before
        await join(desk, "Anna")
        assert [(seat.number, seat.name) for seat in await seats_of(desk)] == [
            (1, "Bartek"),
            (2, "Emil"),
            (3, "Anna"),
        ]
        await gm.start(desk.services, "heron", BY)


# -------------------------------------------------------------------------------------- in the game
async def test_the_time_zone_can_be_set_during_a_game_and_the_next_mails_use_it(desk: Desk) -> None:
    await desk.open_game()
    told = await desk.write("Anna", "my time zone is asia/tokyo")
    assert "Your time zone is Asia/Tokyo" in subject_of(told)
    assert await zone_of(desk, "Anna") == "Asia/Tokyo"
    receipt = await desk.write("Anna", "bid 5")
    assert "Mon 16 Nov, 21:00 your time" in flat(receipt)
    unclear = await desk.write("Anna", "time zone CET\nbid 6")
    assert any("Please name a place" in flat(mail) for mail in desk.letters("Anna")[-2:])
    assert unclear is not None
    assert await zone_of(desk, "Anna") == "Asia/Tokyo"


async def test_leave_during_a_game_explains_how_to_resign_and_players_shows_them(
    desk: Desk,
) -> None:
    await desk.open_game()
    told = await desk.write("Anna", "leave")
    assert "resign" in text_of(told)
    listed = await desk.write("Anna", "players")
    assert "Bartek" in text_of(listed)
    assert len(await seats_of(desk)) == 3


async def resign(desk: Desk, name: str) -> None:
    await desk.write(name, "resign")
    await answer(desk, name, "yes")


async def test_a_resignation_is_asked_back_and_its_yes_leaves_the_seat_to_the_defaults(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 5")
    turn = desk.turn_mail("Anna")
    asked = await desk.write("Anna", "resign")
    assert "give up your seat?" in subject_of(asked)
    assert [seat.status for seat in await seats_of(desk)] == ["active"] * 3
    await answer(desk, "Anna", "yes")
    anna = (await seats_of(desk))[0]
    assert (anna.status, anna.person_id, anna.tenure) == ("left", None, 2)
    assert "You have resigned" in subject_of(desk.letters("Anna")[-1])
    assert "Anna has resigned" in subject_of(desk.letters("Bartek")[-1])
    assert "replace Anna with NAME" in text_of(to_gm(desk)[-1])
    before = len(desk.postbox.mails)
    await desk.write("Anna", "bid 9", answering=turn, dmarc="pass")
    assert len(desk.postbox.mails) == before
    await desk.everybody_passes()
    assert (await game_of(desk)).phase_number == 2
    assert await verify_game(desk.services, "heron") == []
    assert not any("Anna" in str(parse(mail.raw)["To"]) for mail in desk.postbox.mails[before:])


async def test_a_vacant_seat_holds_up_nobody(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Bartek", "bid 3. final")
    await desk.write("Chloé", "bid 2. final")
    assert (await game_of(desk)).phase_number == 1
    await resign(desk, "Anna")
    assert (await game_of(desk)).phase_number == 2
    before = len(desk.letters("Anna"))
    async with desk.services.database.read() as work:
        phase = (await work.phases.list_running())[0]
    desk.clock.instant = phase.deadline.replace()
    desk.clock.forward(hours=-3)
    await desk.work()
    assert len(desk.letters("Anna")) == before


async def test_a_no_a_late_yes_and_a_yes_from_elsewhere_give_nothing_up(desk: Desk) -> None:
    await desk.open_game()
    asked = await desk.write("Anna", "resign")
    assert asked is not None
    await desk.write("Eve", "yes", answering=asked, dmarc="pass")
    await answer(desk, "Anna", "hm, let me think", to=asked)
    await answer(desk, "Anna", "no", to=asked)
    await answer(desk, "Anna", "yes", to=asked)
    asked = await desk.write("Anna", "resign")
    assert asked is not None
    desk.clock.forward(hours=25)
    await desk.work()
    await answer(desk, "Anna", "yes", to=asked)
    assert [seat.status for seat in await seats_of(desk)] == ["active"] * 3
    for _ in range(6):
        await desk.write("Anna", "resign")
    assert sum("give up your seat?" in subject_of(mail) for mail in desk.letters("Anna")) <= 5


async def test_a_yes_twice_resigns_once(desk: Desk) -> None:
    await desk.open_game()
    asked = await desk.write("Anna", "resign")
    assert asked is not None
    await answer(desk, "Anna", "yes", to=asked)
    before = len(desk.postbox.mails)
    await answer(desk, "Anna", "yes", to=asked)
    assert len(desk.postbox.mails) == before
    assert (await outcomes(desk))[-1] == "handled:question-over"


# ------------------------------------------------------------------------------------------- expiry
async def test_a_table_that_waits_too_long_is_reminded_of_and_given_up(tmp_path: Path) -> None:
    async with lobby(tmp_path, open_days=14) as desk:
        await join(desk, "Anna")
        old = desk.letters("Anna")[-1]
        desk.clock.forward(days=11, hours=1)
        await desk.work()
        await desk.work()
        assert "given up soon" in subject_of(desk.letters("Anna")[-1])
        assert sum("given up soon" in subject_of(mail) for mail in desk.letters("Anna")) == 1
        assert sum("given up soon" in subject_of(mail) for mail in to_gm(desk)) == 1
        desk.clock.forward(days=3)
        await desk.work(times=2)
        assert (await game_of(desk)).status == "ended"
        assert sum(subject_of(mail).endswith("is given up") for mail in desk.letters("Anna")) == 1
        assert sum(subject_of(mail).endswith("is given up") for mail in to_gm(desk)) == 1
        told = await answer(desk, "Anna", "colour teal", to=old)
        assert "That game is closed" in subject_of(told)
        assert "is over" in subject_of(await knock(desk, "Bartek", f"join {await code_of(desk)}"))


async def test_a_new_expiry_is_reminded_of_anew(tmp_path: Path) -> None:
    async with lobby(tmp_path, open_days=5) as desk:
        await join(desk, "Anna")
        desk.clock.forward(days=3)
        await desk.work()
        await gm.change_table(desk.services, "heron", gm.TableChanges(open_days=10), BY)
        desk.clock.forward(days=8)
        await desk.work()
        assert sum("given up soon" in subject_of(mail) for mail in desk.letters("Anna")) == 2
        assert (await game_of(desk)).status == "open"


# ------------------------------------------------------------------------------------------- people
async def test_a_player_of_two_tables_speaks_for_the_one_whose_letter_is_answered(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        heron = desk.letters("Anna")[-1]
        await open_lobby(desk, "egret")
        await join(desk, "Anna", slug="egret")
        await answer(desk, "Anna", "colour lime", to=heron)
        assert await names_of(desk) == [("Anna", "lime")]
        assert await names_of(desk, "egret") == [("Anna", "red")]
        assert (
            len(
                {
                    seat.person_id
                    for slug in ("heron", "egret")
                    for seat in await seats_of(desk, slug)
                }
            )
            == 1
        )


async def test_votes_are_nobody_elses_business(tmp_path: Path) -> None:
    async with lobby(tmp_path, votes=("version",)) as desk:
        await join(desk, *NAMES[:2])
        await answer(desk, "Anna", "vote grand")
        seen = await answer(desk, "Bartek", "status")
        assert "1 of 2 has voted" in flat(seen)
        assert "you: grand" not in flat(seen)
        async with desk.services.database.read() as work:
            rows = await work.votes.list_of_game(1)
        assert [type(row) for row in rows] == [VoteRow]


async def test_what_is_chosen_before_the_yes_to_an_invitation_is_kept_and_the_yes_still_asked_for(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), BY)
        await desk.work()
        for wish in ("name Bea", "colour green"):
            letter = await answer(desk, "Anna", wish)
            assert "The invitation is open. We keep the seat for you as Bea" in flat(letter)
            assert "To take it, answer" in flat(letter)
        assert (await names_of(desk)) == [("Bea", "green")]
        assert "The seat is yours" in flat(await answer(desk, "Anna", "yes"))
