"""A seat that stands empty finds somebody: by the game master's yes or first come, as the table
says, through the gate it has.
"""

from pathlib import Path

from pbem.desk import gm
from pbem.desk.gm.history import end
from pbem.desk.gm.seats import eject
from pbem.desk.gm.table_rules import set_people
from pbem.desk.people.eligibility import is_unreliable
from pbem.desk.table import decode_settings
from tests.desk.chatting import open_chat_desk
from tests.desk.harness import Desk, address_of
from tests.desk.lobbies import code_of, game_of, join, open_lobby, seats_of, to_gm
from tests.desk.mastery import command, gm_last
from tests.desk.visitors import BY, flat, look_on, person_of, plays, seat_of, set_rules, subjects


async def vacate(desk: Desk, name: str = "Anna") -> None:
    await eject(desk.services, "heron", name, "", BY)
    await desk.work()


async def test_the_game_master_is_asked_and_says_yes_with_the_words_of_the_letter(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 17")
    await vacate(desk)
    await desk.write(
        "Wanda", f"take over Anna's seat in {await code_of(desk)}", token=False, dmarc=None
    )
    assert "Do you want to take over a seat" in subjects(desk, "Wanda")[-1]
    await desk.write("Wanda", "yes", answering=desk.letters("Wanda")[-1], dmarc=None)
    assert "We have asked the game master" in subjects(desk, "Wanda")[-1]
    assert await plays(desk, "Anna") == ""
    letter = gm_last(desk, "asks to take over Anna")
    assert "heron: replace Anna with wanda wanda@players.example" in flat(letter).replace(
        "Wanda wanda@", "wanda wanda@"
    )
    await command(desk, "heron: replace Anna with Wanda wanda@players.example", answering=letter)
    await command(desk, "yes", answering=gm_last(desk, "Please confirm"))
    assert await plays(desk, "Anna") == address_of("Wanda")
    async with desk.services.database.read() as work:
        tenures = await work.seats.list_tenures((await seat_of(desk, "Anna")).id)
    assert [tenure.tenure for tenure in tenures] == [1, 2, 3]
    assert (await desk.write("Wanda", "bid 4")) is not None
    assert "seat of" not in subjects(desk, "Wanda")[-1]


def handed_out(desk: Desk, name: str = "Anna") -> str:
    """The code of a seat that stands empty, as the game master's letter has it."""
    return (
        flat(gm_last(desk, f"The seat of {name} is open for a takeover"))
        .partition("take over ")[2]
        .split()[0]
    )


async def test_first_come_with_the_seats_own_code_has_it_at_once_and_the_second_is_too_late(
    desk: Desk,
) -> None:
    await desk.open_game()
    await set_rules(desk, takeovers="first")
    await look_on(desk, "Wanda", "Wilma")
    await vacate(desk)
    code = handed_out(desk)
    for name in ("Bartek", "Wanda"):
        assert code not in "".join(flat(mail) for mail in desk.letters(name)), (
            "it goes to the game masters alone"
        )
    assert f"take over {code}" in " ".join((await command(desk, "status heron")).split())
    await desk.write("Wanda", f"take over {code}", answering=desk.letters("Wanda")[1], dmarc=None)
    assert await plays(desk, "Anna") == address_of("Wanda")
    assert "A new player for Anna" in " ".join(subjects(desk, "Bartek"))
    await desk.write("Wilma", f"take over {code}", answering=desk.letters("Wilma")[1], dmarc=None)
    assert await plays(desk, "Anna") == address_of("Wanda")
    await desk.write("Wilma", "take over heron", answering=desk.letters("Wilma")[1], dmarc=None)
    assert "Heron has no empty seat" in flat(desk.letters("Wilma")[-1])
    await vacate(desk)
    assert handed_out(desk) != code, "each vacancy has a code of its own"
    await desk.write("Wilma", f"take over {code}", answering=desk.letters("Wilma")[1], dmarc=None)
    assert await plays(desk, "Anna") == ""
    await set_rules(desk, takeovers="off")
    await vacate(desk, "Bartek")
    await desk.write("Wilma", "take over heron", answering=desk.letters("Wilma")[1], dmarc=None)
    assert "does not give empty seats to new players" in flat(desk.letters("Wilma")[-1])
    await desk.write("Bartek", f"take over Chloé's seat in {await code_of(desk)}", token=False)
    assert await plays(desk, "Chloé") == address_of("Chloé")


async def test_a_leaked_join_code_never_gives_a_seat_with_its_secrets(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 3) as there:
        desk = there.desk
        await set_rules(desk, takeovers="first")
        await desk.write("Anna", "bid 17")
        await vacate(desk)
        for words in (
            *("take over {}", "take over Anna's seat in {}", "/start join_{}", "/start take_{}"),
        ):
            await there.says(66, words.format(await code_of(desk)))
            assert await plays(desk, "Anna") == "", words
        assert "asks to take over Anna" in str(gm_last(desk, "asks to take over Anna")["Subject"])
        code = handed_out(desk)
        await there.says(66, f"/start take_{code[:-1]}{'b' if code[-1] != 'b' else 'c'}")
        assert await plays(desk, "Anna") == ""
        await there.says(67, f"/start take_{code}")
        assert await plays(desk, "Anna") == "67"
        assert "your bid is 0" in there.last(67).text.casefold(), (
            "what was sent before fell, and is shown to nobody"
        )


async def test_whoever_would_join_a_game_that_has_begun_is_told_the_truth_about_its_empty_seats(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 3) as there:
        desk, code = there.desk, await code_of(there.desk)
        await there.says(66, f"/start join_{code}")
        assert "nobody else can join" in " ".join(there.last(66).text.split())
        await vacate(desk)
        await there.says(66, f"/join {code}")
        told = " ".join(there.last(66).text.split())
        assert "the seat of Anna is empty" in told
        assert f"take over {code}" in told
        await there.says(66, f"take over {code}")
        assert "knows that you would like it" in " ".join(there.last(66).text.split())
        await set_rules(desk, takeovers="off")
        await there.says(66, f"/join {code}")
        assert "stands empty" not in there.last(66).text


async def test_nobody_takes_a_seat_who_knows_what_another_may_know(desk: Desk) -> None:
    await desk.open_game()
    await set_rules(desk, takeovers="first")
    await vacate(desk, "Anna")
    await vacate(desk, "Bartek")
    await desk.write("Anna", f"take over {handed_out(desk, 'Bartek')}", token=False)
    assert "know its secrets" in flat(desk.letters("Anna")[-1])
    await desk.write("Anna", f"take over {handed_out(desk, 'Anna')}", token=False)
    assert await plays(desk, "Anna") == address_of("Anna"), "one's own seat one may have again"


async def test_somebody_who_has_only_a_chat_asks_and_is_named_without_an_address(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 3) as there:
        desk = there.desk
        await vacate(desk)
        await there.says(77, f"take over Anna's seat in {await code_of(desk)}")
        assert "knows that you would like it" in " ".join(there.last(77).text.split())
        letter = gm_last(desk, "asks to take over Anna")
        assert "heron: replace Anna with Phone77" in flat(letter)
        assert "nobody has checked this one. The account is new here" in " ".join(
            flat(letter).split()
        )
        await command(desk, "heron: replace Anna with Nobody77", answering=letter)
        assert "nobody called" in " ".join(flat(to_gm(desk)[-1]).lower().split())
        await command(desk, "heron: replace Anna with Phone77", answering=letter)
        await command(desk, "yes", answering=gm_last(desk, "Please confirm"))
        await there.settle()
        assert await plays(desk, "Anna") == "77"
        await there.says(77, "bid 3")
        async with desk.services.database.read() as work:
            newest = await work.orders.newest((await seat_of(desk, "Anna")).id, 1)
        assert newest is not None
        assert newest.canonical == ("Bid 3",)


async def test_the_game_master_learns_whether_the_account_that_asks_is_known_here(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 3) as there:
        desk = there.desk
        await there.link("Bartek", 88)
        await vacate(desk)
        await vacate(desk, "Bartek")
        await there.says(88, f"take over Bartek's seat in {await code_of(desk)}")
        told = " ".join(flat(gm_last(desk, "asks to take over Bartek")).split())
        assert "nobody has checked this one. We have known the account since" in told
        assert "together with this mail address" in told
        await desk.write(
            "Wanda", f"take over Anna's seat in {await code_of(desk)}", token=False, dmarc=None
        )
        await desk.write("Wanda", "yes", answering=desk.letters("Wanda")[-1], dmarc=None)
        assert "verified" not in flat(gm_last(desk, "asks to take over Anna")), (
            "a mail address was asked"
        )


async def test_a_table_that_asks_for_reliability_lets_nobody_in_who_lacks_it(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 1")
    await desk.everybody_passes()
    await end(desk.services, "heron", BY)
    await open_lobby(desk, "swan")
    await gm_set(desk, "swan", least_reliability=80)
    await join(desk, "Anna", slug="swan")
    await desk.write("Bartek", f"join {await code_of(desk, 'swan')} as Bartek", token=False)
    assert "a larger share" in flat(desk.letters("Bartek")[-1])
    assert [seat.name for seat in await seats_of(desk, "swan")] == ["Anna"]
    await gm.invite(desk.services, "swan", "Bartek", address_of("Bartek"), BY)
    await desk.work()
    assert len(await seats_of(desk, "swan")) == 2, "a game master may know better"
    async with desk.services.database.read() as work:
        settings = decode_settings(await game_of(desk, "swan"))
        assert await is_unreliable(work, settings, await person_of(desk, "Bartek"))
        assert not await is_unreliable(work, settings, await person_of(desk, "Anna"))


async def gm_set(desk: Desk, slug: str, **changes: str | int | bool) -> None:
    await set_people(desk.services, slug, changes, BY)
    await desk.work()
