"""Joining a table by its code, from any address."""

from pathlib import Path
from string import ascii_uppercase
from typing import Any

import pytest

from pbem.desk import gm
from pbem.desk.lobby.rows import make_join_code
from pbem.desk.upkeep.status import read_status
from pbem.grammar.joining import CODE_LETTERS, parse_join
from pbem.mail.tokens import Purpose, make_token
from tests.desk.harness import GM, KEY, NAMES, address_of, parse, text_of
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
    pending_detail,
    seats_of,
    subject_of,
    to_gm,
    votes_of,
    zone_of,
)
from tests.played import PLAYED, SMALLEST

MOST = SMALLEST.ruleset.players[1]


def test_a_code_is_short_unambiguous_and_told_by_chance_alone() -> None:
    code = make_join_code("heron", b"a")
    assert parse_join(f"join {code}") == (code, "")
    assert code.startswith("heron-")
    assert len(code) == len("heron-k7m2qd")
    assert not set(CODE_LETTERS) & set("aeiouly01")
    assert len({make_join_code("heron", bytes([n])) for n in range(200)}) == 200


async def test_whoever_knows_the_code_is_asked_and_their_yes_seats_them(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        question = await knock(desk, "Anna", f"join {await code_of(desk)}")
        assert "Will you play?" in subject_of(question)
        assert await seats_of(desk) == []
        seated = await answer(desk, "Anna", "Yes please!")
        assert "You have a seat" in subject_of(seated)
        assert await names_of(desk) == [("Anna", "red")]
        assert "Anna has joined" in subject_of(to_gm(desk)[-1])
        status = await answer(desk, "Anna", "status")
        assert "You play as Anna" in flat(status)


async def test_all_may_be_said_at_once_and_is_kept_until_the_yes(tmp_path: Path) -> None:
    async with lobby(tmp_path, votes=("version",)) as desk:
        await knock(
            desk,
            "Anna",
            f"join {await code_of(desk)} as Bea, colour teal, time zone Europe/Oslo, vote grand",
        )
        await answer(desk, "Anna", "yes")
        assert await names_of(desk) == [("Bea", "teal")]
        assert await zone_of(desk, "Anna") == "Europe/Oslo"
        assert await votes_of(desk) == [("version", "grand")]


async def test_the_yes_may_say_it_all_as_well(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await knock(desk, "Anna", f"join {await code_of(desk)}")
        await answer(desk, "Anna", "yes, as Bea, green\nmy time zone is oslo")
        assert await names_of(desk) == [("Bea", "green")]
        assert await zone_of(desk, "Anna") == "Europe/Oslo"


async def test_the_code_may_stand_in_the_subject_of_an_empty_mail(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        code = await code_of(desk)
        raw = f"From: anna@players.example\r\nTo: orders@house.example\r\nSubject: join {code}\r\nMessage-ID: <1@p>\r\n\r\n\r\n"
        await desk.bring(raw.encode())
        await desk.work()
        assert "Will you play?" in subject_of(desk.letters("Anna")[-1])


async def test_what_cannot_be_is_told_and_nothing_else_is_lost(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        code = await code_of(desk)
        again = await knock(desk, "Bartek", f"join {code} as Аnna, colour red, time zone CET")
        assert "Nearly there" in subject_of(again)
        assert "looks like Anna" in flat(again)
        assert "That colour is taken. Free are blue" in flat(again)
        assert '"time zone Europe/Berlin"' in flat(again)
        again = await answer(desk, "Bartek", "yes, time zone Europe/Warsaw, colour mauve")
        assert "no such colour" in flat(again)
        assert (await pending_detail(desk, "Bartek"))["zone"] == "Europe/Warsaw"
        assert len(await seats_of(desk)) == 1
        await answer(desk, "Bartek", "name Bartek\ncolour blue")
        assert await names_of(desk) == [("Anna", "red"), ("Bartek", "blue")]
        assert await zone_of(desk, "Bartek") == "Europe/Warsaw"


async def test_a_name_is_proposed_from_what_people_call_themselves_or_from_their_address(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        code = await code_of(desk)
        for sender in (
            '"Anna Kowalska" <a@players.example>',
            '"Anna Nowak" <b@players.example>',
            "dora.smith@players.example",
            '"GM" <p3@players.example>',
        ):
            await knock(desk, "Anna", f"join {code}", sender=sender)
            address = sender.partition("<")[2].rstrip(">") or sender
            await knock(desk, "Anna", "yes", sender=sender)  # without the code it confirms nothing
            letter = desk.postbox.to(address)[-1]
            await desk.write("Anna", "yes", answering=parse(letter), sender=sender, dmarc=None)
        assert [name for name, _ in await names_of(desk)] == ["Anna", "Anna Nowak", "Dora", "P"]


async def test_a_stranger_with_a_wrong_code_is_logged_and_never_answered(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        before = len(desk.postbox.mails)
        for code in ("heron-bbbbbb", "egret-k7m2qd", "heron"):
            await knock(desk, "Eve", f"join {code}", dmarc="pass")
        assert len(desk.postbox.mails) == before
        assert (await outcomes(desk))[:2] == ["ignored:join-wrong-code"] * 2


async def test_a_person_we_know_is_told_that_the_code_is_wrong(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        told = await answer(desk, "Anna", "join egret-k7m2qd")
        assert "No game has that code" in subject_of(told)


@pytest.mark.parametrize(
    "headers",
    [[("Auto-Submitted", "auto-replied")], [("Precedence", "bulk")], [("List-Id", "<l.example>")]],
)
async def test_automatic_mail_never_joins_and_is_never_answered(
    tmp_path: Path, headers: list[tuple[str, str]]
) -> None:
    async with lobby(tmp_path) as desk:
        await knock(desk, "Anna", f"join {await code_of(desk)}")
        before = len(desk.postbox.mails)
        await knock(desk, "Bartek", f"join {await code_of(desk)}", headers=headers)
        await answer(desk, "Anna", "yes", headers=headers)
        assert len(desk.postbox.mails) == before
        assert await seats_of(desk) == []


async def test_only_the_address_that_was_asked_can_confirm_and_only_with_its_own_code(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        question = await knock(desk, "Anna", f"join {await code_of(desk)}")
        assert question is not None
        await desk.write("Eve", "yes", answering=question, dmarc="pass")
        await desk.write("Anna", "yes", answering=question, dmarc="fail")
        forged = parse(question.as_bytes())
        del forged["Reply-To"], forged["Message-ID"]
        forged["Reply-To"] = (
            f"orders+{make_token(bytes(32), Purpose.CONFIRM, 1, 0, 0)}@house.example"
        )
        forged["Message-ID"] = "<x@y>"
        await desk.write("Anna", "yes", answering=forged, dmarc=None)
        assert await seats_of(desk) == []
        assert make_token(KEY, Purpose.CONFIRM, 1, 0, 0) in str(question["Reply-To"])
        await answer(desk, "Anna", "yes", to=question)
        assert len(await seats_of(desk)) == 1


async def test_a_forged_sender_is_not_even_asked(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        before = len(desk.postbox.mails)
        await knock(desk, "Anna", f"join {await code_of(desk)}", dmarc="fail")
        assert len(desk.postbox.mails) == before


async def test_one_question_waits_for_an_address_and_few_are_asked_a_day(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        code = await code_of(desk)
        for _ in range(6):
            await knock(desk, "Anna", f"join {code} as Anna")
        questions = desk.letters("Anna")
        assert len(questions) == 3
        await answer(
            desk, "Anna", "yes, green", to=questions[0]
        )  # the answer to an older one means the one that waits
        assert await names_of(desk) == [("Anna", "green")]


async def test_a_no_takes_no_seat_and_is_not_answered(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await knock(desk, "Anna", f"join {await code_of(desk)}")
        before = len(desk.postbox.mails)
        await answer(desk, "Anna", "No, that was not me")
        await answer(desk, "Anna", "yes")
        assert await seats_of(desk) == []
        assert len(desk.postbox.mails) == before + 1  # a yes after a no is asked anew


async def test_an_answer_that_says_neither_is_asked_again_a_few_times_only(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await knock(desk, "Anna", f"join {await code_of(desk)}")
        for _ in range(14):
            last = await answer(desk, "Anna", "What is this about?")
        assert "What is this about?" in text_of(last)
        assert len(desk.letters("Anna")) == 1 + 10
        assert await seats_of(desk) == []


async def test_a_yes_that_comes_days_later_is_asked_anew_with_nothing_lost(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await knock(desk, "Anna", f"join {await code_of(desk)} as Bea, teal")
        desk.clock.forward(days=4)
        again = await answer(desk, "Anna", "yes")
        assert "You play as Bea, in teal" in flat(again)
        await answer(desk, "Anna", "yes")
        assert await names_of(desk) == [("Bea", "teal")]


async def test_the_same_yes_twice_seats_once_and_is_told_once(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        question = await knock(desk, "Anna", f"join {await code_of(desk)}")
        await answer(desk, "Anna", "yes", to=question)
        before = len(desk.postbox.mails)
        await answer(desk, "Anna", "yes", to=question)
        assert len(await seats_of(desk)) == 1
        assert len(desk.postbox.mails) == before
        receipt = await answer(
            desk, "Anna", "yes, as Bea, in teal", to=question
        )  # but more may be said by it
        assert "Done" in subject_of(receipt)
        assert await names_of(desk) == [("Bea", "teal")]


async def test_who_races_for_the_last_seat_one_wins_and_the_other_is_told(tmp_path: Path) -> None:
    async with lobby(tmp_path, most_players=2) as desk:
        code = await code_of(desk)
        await join(desk, "Anna")
        for name in ("Bartek", "Emil"):
            await knock(desk, name, f"join {code}")
        await answer(desk, "Bartek", "yes", work=False)
        await answer(desk, "Emil", "yes")
        assert [name for name, _ in await names_of(desk)] == ["Anna", "Bartek"]
        assert "All seats are taken" in subject_of(desk.letters("Emil")[-1])
        assert "All seats are taken" in subject_of(await knock(desk, "Mei", f"join {code}"))


async def test_who_races_for_a_colour_or_name_one_wins_and_the_other_keeps_the_question(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        code = await code_of(desk)
        await knock(desk, "Bartek", f"join {code} as Bo, teal")
        await knock(desk, "Emil", f"join {code} as Bo, teal")
        await answer(desk, "Bartek", "yes", work=False)
        again = await answer(desk, "Emil", "yes")
        assert "Nearly there" in subject_of(again)
        assert "name is taken" in flat(again)
        assert "colour is taken" in flat(again)
        await answer(desk, "Emil", "yes, as Emil")
        assert await names_of(desk) == [("Bo", "teal"), ("Emil", "red")]


async def test_a_table_that_has_begun_or_is_over_is_told_to_who_has_its_code(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        code = await code_of(desk)
        await knock(desk, "Emil", f"join {code}")
        question = desk.letters("Emil")[-1]
        await join(desk, "Anna", "Bartek")
        await gm.start(desk.services, "heron", BY)
        await desk.work()
        assert "has begun" in subject_of(await knock(desk, "Mei", f"join {code}"))
        assert "has begun" in subject_of(await answer(desk, "Emil", "yes", to=question))
        for _ in range(9):
            await knock(desk, "Mei", f"join {code}")
        assert len(desk.letters("Mei")) == 5


async def test_orders_that_answer_the_old_question_about_joining_are_told_what_is_open(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        await knock(desk, "Anna", f"join {await code_of(desk)} as Anna")
        question = desk.letters("Anna")[-1]
        await answer(desk, "Anna", "yes", to=question)
        await join(desk, "Bartek")
        await gm.start(desk.services, "heron", BY)
        await desk.work()
        told = await answer(desk, "Anna", "bid 7", to=question)
        assert "That phase has closed" in subject_of(told)
        assert "Open now: bids" in flat(told)
        assert "status" in flat(await answer(desk, "Anna", "help", to=question))
        before = len(desk.letters("Anna"))
        await answer(desk, "Anna", "yes", to=question)
        assert len(desk.letters("Anna")) == before


async def test_a_proven_person_is_seated_at_once_and_plays_at_several_tables(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna", wish=", time zone Europe/Oslo")
        await open_lobby(desk, "egret")
        seated = await knock(
            desk, "Anna", f"join {await code_of(desk, 'egret')} as Bea", dmarc="pass"
        )
        assert "You have a seat" in subject_of(seated)
        assert await names_of(desk, "egret") == [("Bea", "red")]
        async with desk.services.database.read() as work:
            person = await work.people.find_by_address("mail", address_of("Anna"))
            assert person is not None
            assert person.time_zone == "Europe/Oslo"
            assert len(await work.seats.list_of_person(person.id)) == 2
        refused = await knock(
            desk, "Anna", f"join {await code_of(desk, 'egret')} as Mei", dmarc="pass"
        )
        assert "Bea has a seat already" in subject_of(refused)  # F-99: it may be a second person
        assert await names_of(desk, "egret") == [("Bea", "red")]


async def test_a_proven_person_with_an_impossible_wish_is_asked(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        await open_lobby(desk, "egret")
        asked = await knock(
            desk, "Anna", f"join {await code_of(desk, 'egret')} as red", dmarc="pass"
        )
        assert asked is not None
        assert await names_of(desk, "egret") in ([], [("Anna", "red")])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("GM", "means something else in orders"),
        ("pass", "means something else in orders"),
        ("yes", "means something else in orders"),
        ("x" * 200, "at most 40 characters"),
    ],
)
async def test_a_name_that_nobody_can_have_is_refused_with_the_reason(
    tmp_path: Path, name: str, why: str
) -> None:
    """F-111: `GM`, an order, a word of the house, and 200 letters."""
    async with lobby(tmp_path) as desk:
        asked = await knock(desk, "Anna", f"join {await code_of(desk)} as {name}")
        assert why in flat(asked)
        await answer(desk, "Anna", "yes", to=asked)
        assert all(seat != name[:40] for seat, _ in await names_of(desk))


async def test_an_unproven_mail_from_somebody_seated_changes_nothing_and_tells_them_how_they_sit(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna")
        told = await knock(desk, "Anna", f"join {await code_of(desk)} as Idiot")
        assert "Anna has a seat already" in subject_of(told)
        assert await names_of(desk) == [("Anna", "red")]


async def test_nobodys_address_is_shown_to_anybody_else(tmp_path: Path) -> None:
    async with lobby(tmp_path, votes=("version",), most_players=3) as desk:
        await join(desk, "Anna", "Bartek", "Emil")
        await answer(desk, "Anna", "players\nhelp")
        for mail in desk.postbox.mails:
            if mail.recipient != GM:
                others = {address_of(name) for name in NAMES} - {mail.recipient}
                assert not any(other.encode() in mail.raw for other in others)


async def test_a_joiner_may_add_a_note_for_the_game_master(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await knock(desk, "Anna", f"join {await code_of(desk)}\nGM: I was at your last table.")
        await answer(desk, "Anna", "yes")
        assert any("I was at your last table." in text_of(mail) for mail in to_gm(desk))
        await answer(desk, "Anna", "GM: I told a friend:\njoin egret-k7m2qd\nIs that right?")
        assert "Is that right?" in text_of(to_gm(desk)[-1]), "who has a seat may speak of a code"


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"votes": ("weather",)}, "is not a question for the vote"),
        ({"options": {"provinces": 5}, "votes": ("version",)}, "'grand' could not be played"),
        ({"votes": ("version", "version")}, "once"),
        ({"least_players": 1}, "2 to 16 players"),
        ({"least_players": 5, "most_players": 4}, "the smaller number stands first"),
        ({"most_players": 17}, "2 to 16 players, not 2 to 17"),
        (
            {"ruleset": SMALLEST.ruleset.id, "most_players": MOST + 1},
            f"a table of {SMALLEST.title} is for 2 to {MOST} players, not 2 to {MOST + 1}",
        ),
        (
            {"ruleset": SMALLEST.ruleset.id, "least_players": MOST + 1},
            f"2 to {MOST} players, not at least {MOST + 1}",
        ),
        (
            {"options": {"teams": 4}, "least_players": 5, "most_players": 7},
            "no number from 5 to 7 could start: 5 players do not make 4 equal teams",
        ),
        ({"open_days": 0}, "1 to 365 days"),
    ],
)
async def test_a_table_that_cannot_be_is_refused(
    tmp_path: Path, table: dict[str, object], told: str
) -> None:
    async with lobby(tmp_path) as desk:
        values: dict[str, Any] = {"ruleset": PLAYED, "options": {}, **table}
        new = gm.NewTable("egret", "Egret", zone="UTC", **values)
        with pytest.raises(gm.Refused, match=told):
            await gm.open_table(desk.services, new, BY)


async def test_a_table_of_any_number_seats_as_many_as_its_game_takes(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await gm.open_table(
            desk.services, gm.NewTable("egret", "Egret", SMALLEST.ruleset.id, {}, "UTC"), BY
        )
        assert (await read_status(desk.services, "egret")).seats_most == MOST
        for place in range(MOST):
            await gm.invite(
                desk.services,
                "egret",
                f"Guest {ascii_uppercase[place]}",
                f"guest{place}@players.example",
                BY,
            )
        with pytest.raises(gm.Refused, match="the most that can play"):
            await gm.invite(desk.services, "egret", "Guest Z", "guest7@players.example", BY)


async def test_opening_with_the_same_cause_twice_opens_once(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        new = gm.NewTable("egret", "Egret", PLAYED, {}, "UTC")
        await gm.open_table(desk.services, new, gm.By("Greta", cause="mail:1:0"))
        with pytest.raises(gm.AlreadyDone):
            await gm.open_table(desk.services, new, gm.By("Greta", cause="mail:1:0"))
        game = await game_of(desk, "egret")
        assert game.expires_at is not None
        assert (game.expires_at - desk.clock.now()).days == desk.services.policy.open_days


async def test_f58_codes_are_not_guessed_by_the_hundred_and_nobody_else_is_locked_out(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        code = await code_of(desk)
        await join(desk, "Anna")
        for number in range(14):
            await knock(
                desk,
                "Anna",
                f"{('join', 'observe')[number % 2]} egret-bbbbb{'bcdfghjkmnpqrs'[number]}",
                dmarc="pass",
            )
        assert (await outcomes(desk))[-2:] == ["ignored:guessed-too-often"] * 2
        assert (
            len([mail for mail in desk.letters("Anna") if "Too many codes" in str(mail["Subject"])])
            == 1
        )
        await knock(
            desk,
            "Anna",
            "\n".join(f"observe egret-{number:06}" for number in range(50)),
            dmarc="pass",
        )
        await knock(desk, "Bartek", f"join {code}", dmarc="pass")
        assert "Will you play?" in subject_of(desk.letters("Bartek")[-1])
        for _ in range(12):
            await knock(desk, "Chloé", "join egret-bbbbbb", dmarc=None)
        await knock(desk, "Chloé", f"join {code}", dmarc="pass")
        assert "Will you play?" in subject_of(desk.letters("Chloé")[-1]), (
            "who forges an address does not lock its owner out"
        )
        desk.clock.forward(hours=1, minutes=1)
        await knock(desk, "Anna", f"observe {code}", dmarc="pass")
        assert not (await outcomes(desk))[-1].endswith("guessed-too-often")


async def test_f68_what_a_yes_asks_for_on_its_second_line_is_answered(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await knock(desk, "Anna", f"join {await code_of(desk)}")
        await answer(desk, "Anna", "Yes please!\nprofile")
        assert "profile" in subject_of(desk.letters("Anna")[-1]).lower()
        await gm.invite(desk.services, "heron", "Bartek", "bartek@players.example", BY)
        await desk.work()
        await answer(desk, "Bartek", "Yes please!\nprofile")
        assert any("YOUR PROFILE" in text_of(mail) for mail in desk.letters("Bartek")[1:])


@pytest.mark.parametrize("dmarc", ["pass", None])
async def test_f99_a_second_person_at_one_address_is_told_that_it_has_one_seat(
    tmp_path: Path, dmarc: str | None
) -> None:
    """F-99: Bea was welcomed as Anna, or Anna was called Bea from then on."""
    async with lobby(tmp_path) as desk:
        code = await code_of(desk)
        await knock(desk, "Anna", f"join {code} as Anna", dmarc="pass")
        if not await names_of(desk):
            await answer(desk, "Anna", "yes")
        names = await names_of(desk)
        assert [name for name, _ in names] == ["Anna"]
        told = await knock(desk, "Anna", f"join {code} as Bea", dmarc=dmarc)
        assert "has a seat already" in subject_of(told)
        assert "an address of their own" in flat(told)
        assert "Welcome" not in text_of(told)
        assert await names_of(desk) == names


@pytest.mark.parametrize(
    "signature",
    [
        "Anna Example\nSenior Analyst, ACME Ltd",
        "Anna\nSent from my iPhone",
        "Best regards,\nAnna L",
    ],
)
async def test_f105_a_signature_below_a_join_is_no_note(tmp_path: Path, signature: str) -> None:
    async with lobby(tmp_path) as desk:
        await knock(desk, "Anna", f"join {await code_of(desk)}\n\n{signature}\n")
        await answer(desk, "Anna", "yes")
        assert await names_of(desk) == [("Anna", "red")]
        assert not any("note" in subject_of(mail).lower() for mail in to_gm(desk))
        await knock(desk, "Bartek", f"join {await code_of(desk)}\n\nMay my dog play too?\nBartek\n")
        await answer(desk, "Bartek", "yes")
        assert "May my dog play too?" in "".join(flat(mail) for mail in to_gm(desk))
