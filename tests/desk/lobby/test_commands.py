"""What a game master says about a table before it begins, and about one that never did."""

from collections.abc import Awaitable
from pathlib import Path

import pytest

from pbem.desk import gm
from pbem.desk.gm.history import end
from pbem.desk.gm.table_rules import change_table
from pbem.desk.table import decode_settings
from tests.desk.harness import Desk, address_of
from tests.desk.lobbies import BY, answer, code_of, game_of, join, knock, lobby, subject_of
from tests.desk.lobbies import flat as flat_mail
from tests.desk.mastery import command, flat, gm_last


async def refusal(deed: Awaitable[object]) -> str:
    with pytest.raises(gm.Refused) as error:
        await deed
    return str(error.value)


async def settings_of(desk: Desk) -> tuple[str, ...]:
    return decode_settings(await game_of(desk)).votes


# -------------------------------------------------------------------------------- options and votes
async def test_an_option_that_settles_a_question_takes_it_off_the_vote_and_says_so(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, votes=("version",)) as desk:
        await join(desk, "Anna", "Bartek")
        await answer(desk, "Anna", "vote normal")
        await answer(desk, "Bartek", "vote normal")
        told = flat(await command(desk, "option version=grand"))
        assert "The vote on version is off" in told
        assert await settings_of(desk) == ()
        await command(desk, "start")
        assert '"version":"grand"' in (await game_of(desk)).options


async def test_an_option_beside_the_vote_leaves_the_vote_alone(tmp_path: Path) -> None:
    async with lobby(tmp_path, votes=("version",)) as desk:
        await join(desk, "Anna")
        told = flat(await command(desk, "option early close off"))
        assert "no vote" not in told
        assert await settings_of(desk) == ("version",)
        both = flat(await command(desk, "option version=grand, version by vote"))
        assert "and put it to the vote" in both
        assert await settings_of(desk) == ("version",)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"verson": "grand"}, "there is no option 'verson'; there are version, provinces"),
        ({"version": "huge"}, "version is normal or grand, not huge"),
        ({"provinces": True}, "provinces is a whole number, not yes"),
        ({"island": 7}, "island is yes or no, not 7"),
    ],
)
async def test_a_wrong_option_is_refused_in_words_that_help(
    tmp_path: Path, options: dict[str, object], words: str
) -> None:
    async with lobby(tmp_path) as desk:
        assert words in await refusal(gm.change_options(desk.services, "heron", options, BY))


async def test_a_bad_address_is_refused_in_words_that_help(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        told = await refusal(gm.invite(desk.services, "heron", "Jo", "jo at example", BY))
        assert told == "'jo at example' is not a mail address; write one like anna@example.org"


# ----------------------------------------------------------------------------- tables that are over
async def test_a_table_that_was_given_up_takes_no_commands_and_its_end_tells_of_no_seed(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, votes=("version",)) as desk:
        await join(desk, "Anna")
        asked = flat(await command(desk, "end heron: too few of us"))
        question = gm_last(desk, "please confirm")
        told = flat(await command(desk, "yes", answering=question))
        assert "It had not begun" in told
        assert "seed" not in (asked + flat_mail(question) + told).lower()
        assert "given up" in subject_of(desk.letters("Anna")[-1])
        assert "seed" not in flat_mail(desk.letters("Anna")[-1]).lower()
        for deed in (
            gm.change_options(desk.services, "heron", {"version": "grand"}, BY),
            change_table(desk.services, "heron", gm.TableChanges(most_players=3), BY),
            gm.invite(desk.services, "heron", "Jo", address_of("Jo"), BY),
            gm.start(desk.services, "heron", BY),
        ):
            assert await refusal(deed) == "Heron has been given up"
        status = await command(desk, "status heron")
        assert "We gave the game up before it began" in flat(status)
        assert "not asked" not in status


async def test_a_game_that_has_ended_takes_no_commands_either(desk: Desk) -> None:
    await desk.open_game()
    await end(desk.services, "heron", BY)
    assert (
        await refusal(gm.change_options(desk.services, "heron", {"version": "grand"}, BY))
        == "Heron has ended"
    )
    assert (
        await refusal(change_table(desk.services, "heron", gm.TableChanges(most_players=3), BY))
        == "Heron has ended"
    )
    status = await command(desk, "status heron")
    assert "not asked" not in status
    assert "nothing yet" not in status


# -------------------------------------------------------------------------- invited and at the door
@pytest.mark.parametrize(
    "words", ["Yes, thanks! I would love to play.", "Sure!", "ok", "count me in"]
)
async def test_an_invitation_is_accepted_in_whatever_words_without_a_complaint(
    tmp_path: Path, words: str
) -> None:
    async with lobby(tmp_path) as desk:
        await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), BY)
        await desk.work()
        told = flat_mail(await answer(desk, "Anna", words))
        assert "The seat is yours" in told
        assert "not understood" not in told


async def test_the_receipt_of_anything_else_says_that_a_yes_is_wanted(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), BY)
        await desk.work()
        assert "To take it, answer" in flat_mail(await answer(desk, "Anna", "players"))
        assert "To take it, answer" in flat_mail(
            await answer(desk, "Anna", "How long does a game take, by and large?")
        )
        assert "To take it, answer" not in flat_mail(await answer(desk, "Anna", "yes"))


async def test_a_right_code_is_found_on_any_line_and_a_wrong_one_is_never_answered(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        code = await code_of(desk)
        assert "Will you play?" in subject_of(
            await knock(
                desk, "Mei", f"Hi,\nBen told me of you.\nMay I join {code}? It sounds fun.\nMei"
            )
        )
        assert "Will you play?" in subject_of(
            await knock(desk, "Emil", f"Hello!\n\nPlease can I join {code}?\nThanks\nEmil")
        )
        assert "Will you play?" in subject_of(await knock(desk, "Fenna", code))
        assert (
            await knock(desk, "Bartek", "Hi,\nBen told me of you.\nMay I join heron-bbbbbb?")
            is None
        )
