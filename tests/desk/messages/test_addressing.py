"""Which table a message is about when its first line names one: whole names alone, in both channels,
and never against a word of the game (F-4).
"""

from collections.abc import Sequence

import pytest

from pbem.desk import gm
from pbem.registry import load_games
from tests.desk.chatting import ChatDesk
from tests.desk.harness import NAMES, SEED, address_of, text_of
from tests.desk.mastery import gm_letters
from tests.desk.updates.test_tables import bids
from tests.played import PLAYED

ANNA = 11


async def open_table(
    there: ChatDesk, slug: str, title: str, names: Sequence[str] = NAMES[:2]
) -> None:
    """A table that has begun, whose title is not its short name."""
    services, by = there.desk.services, gm.By("test")
    new = gm.NewTable(slug, title, PLAYED, {}, "Europe/Berlin", "Greta", seed=SEED)
    await gm.open_table(services, new, by)
    for name in names:
        await gm.invite(services, slug, name, address_of(name), by)
    await gm.start(services, slug, by)
    await there.settle()


def notes(there: ChatDesk) -> int:
    return len([mail for mail in gm_letters(there.desk) if "note" in str(mail["Subject"]).lower()])


# ------------------------------------------------------------------------------ a letter of a table
@pytest.mark.parametrize("text", ["Hero: bid 5", "Her: bid 5", "Heron, bid 5", "Heronry: bid 5"])
async def test_f4_within_a_letter_less_than_a_whole_name_and_a_colon_leads_nowhere(
    there: ChatDesk, text: str
) -> None:
    await there.desk.open_game(2, "wolf")
    await there.desk.write("Anna", text, answering=there.desk.turn_mail("Anna"))
    assert (await bids(there))["heron"] == ()
    assert "Wolf" in str(there.desk.letters("Anna")[-1]["Subject"])


@pytest.mark.parametrize(
    "text", ["Heron: bid 5", "HERON : bid 5", "heron:\nbid 5", "**Heron:** bid 5", "G1: bid 5"]
)
async def test_f4_within_a_letter_another_tables_whole_name_and_a_colon_leads_away(
    there: ChatDesk, text: str
) -> None:
    await there.desk.open_game(2, "wolf")
    await there.desk.write("Anna", text, answering=there.desk.turn_mail("Anna"))
    assert await bids(there) == {"heron": ("Bid 5",), "wolf": ()}


@pytest.mark.parametrize("text", ["Wolf: bid 5", "wolf, bid 5", "Wolf:\n\nbid 5"])
async def test_f4_within_a_letter_its_own_tables_name_says_nothing_new(
    there: ChatDesk, text: str
) -> None:
    await there.desk.open_game(2, "wolf")
    await there.desk.write("Anna", text, answering=there.desk.turn_mail("Anna"))
    assert await bids(there) == {"heron": (), "wolf": ("Bid 5",)}


async def test_f4_a_reply_in_a_chat_is_within_the_letter_that_it_answers(there: ChatDesk) -> None:
    await there.desk.open_game(2, "wolf")
    await there.link("Anna", ANNA)
    await there.says(ANNA, "wolf: bid 1")
    of_wolf = there.last(ANNA).message_id
    await there.says(ANNA, "Heron, bid 5", reply_to=of_wolf)
    assert (await bids(there))["heron"] == ()
    await there.says(ANNA, "Heron: bid 6", reply_to=of_wolf)
    assert (await bids(there))["heron"] == ("Bid 6",)


# ------------------------------------------------------------------------------------ a fresh mail
@pytest.mark.parametrize("text", ["heron: status", "Heron, status", "HERON:\nstatus", "G1: status"])
@pytest.mark.parametrize("tables", [1, 2])
@pytest.mark.parametrize("answered", ["mail", "chat"])
async def test_f4_a_fresh_message_names_its_table(
    there: ChatDesk, text: str, tables: int, answered: str
) -> None:
    if tables == 2:
        await there.desk.open_game(2, "wolf")
    if answered == "mail":
        mail = await there.desk.write("Anna", text, token=False)
        assert "Heron" in str(mail and mail["Subject"])
        assert "status" in text_of(mail).lower()
    else:
        await there.link("Anna", ANNA)
        await there.says(ANNA, text)
        assert "Heron" in there.last(ANNA).text.splitlines()[0]
    assert notes(there) == 0


@pytest.mark.parametrize("tables", [1, 2])
async def test_f4_a_fresh_mail_without_proof_is_asked_about_for_the_table_that_it_names(
    there: ChatDesk, tables: int
) -> None:
    if tables == 2:
        await there.desk.open_game(2, "wolf")
    question = await there.desk.write("Anna", "heron: status", token=False, dmarc=None)
    assert "Heron" in str(question and question["Subject"])
    answer = await there.desk.write("Anna", "yes", answering=question, dmarc=None)
    assert "Heron" in str(answer and answer["Subject"])
    assert notes(there) == 0


async def test_f4_what_comes_with_a_code_from_elsewhere_names_a_table_of_its_owner(
    there: ChatDesk,
) -> None:
    await there.desk.open_game(2, "wolf")
    elsewhere = "Anna <anna@elsewhere.example>"
    await there.desk.write("Anna", "heron: bid 5", sender=elsewhere)
    question = there.desk.letters("Anna")[-1]
    assert "Heron" in str(question["Subject"])
    await there.desk.write("Anna", "yes", answering=question)
    assert (await bids(there))["wolf"] == ()


@pytest.mark.parametrize("text", ["hero: bid 5", "he: bid 5", "my heron: bid 5", "heron bid 5"])
async def test_f4_a_fresh_mail_that_names_no_whole_name_is_asked_about(
    there: ChatDesk, text: str
) -> None:
    await there.desk.open_game(2, "wolf")
    mail = await there.desk.write("Anna", text, token=False)
    assert "Which game" in str(mail and mail["Subject"])
    assert await bids(there) == {"heron": (), "wolf": ()}


# ------------------------------------------------------------------------------------------ a chat
async def test_f4_in_a_chat_a_comma_or_a_colon_changes_the_table_that_was_chosen(
    there: ChatDesk,
) -> None:
    await there.desk.open_game(2, "wolf")
    await there.link("Anna", ANNA)
    await there.says(ANNA, "Wolf, bid 7")
    await there.says(ANNA, "bid 8")
    assert await bids(there) == {"heron": (), "wolf": ("Bid 8",)}
    await there.says(ANNA, "Hero: bid 5")
    assert (await bids(there))["heron"] == ()
    await there.says(ANNA, "heron, bid 5")
    await there.says(ANNA, "bid 6")
    assert (await bids(there))["heron"] == ("Bid 6",)


# ------------------------------------------------------------------------------------ other names
SPELLINGS = (
    *("Café Kraków: bid {}", "cafe krakow: bid {}", "CAFÉ KRAKÓW, bid {}"),
    *("Cafe\u0301 Krako\u0301w: bid {}", "cafe-krakow: bid {}"),
    *("\u0421af\u0435 Kr\u0430k\u043ew: bid {}", '"Café Kraków": bid {}', "Café  Kraków:\nbid {}"),
    "ck: bid {}",
)


@pytest.mark.parametrize("channel", ["mail", "chat"])
async def test_f4_a_name_of_two_words_with_accents_is_known_in_every_spelling(
    there: ChatDesk, channel: str
) -> None:
    await open_table(there, "ck", "Café Kraków")
    if channel == "chat":
        await there.link("Anna", ANNA)
    for amount, spelling in enumerate(SPELLINGS, 1):
        text = spelling.format(amount)
        if channel == "mail":
            await there.desk.write("Anna", text, token=False)
        else:
            await there.says(ANNA, text)
        assert await bids(there) == {"heron": (), "ck": (f"Bid {amount}",)}, text


@pytest.mark.parametrize("text", ["Café: bid 5", "Kraków: bid 5", "Café, Kraków: bid 5 or 6"])
async def test_f4_a_word_of_a_longer_name_is_none(there: ChatDesk, text: str) -> None:
    await open_table(there, "ck", "Café Kraków")
    await there.desk.write("Anna", text, token=False)
    assert (await bids(there))["ck"] == ()


async def test_f4_a_title_may_hold_the_signs_that_end_a_name(there: ChatDesk) -> None:
    await open_table(there, "heron-2", "Heron: the return, again")
    await there.desk.write("Anna", "Heron: the return, again: bid 5", token=False)
    assert await bids(there) == {"heron": (), "heron-2": ("Bid 5",)}


@pytest.mark.parametrize("word", ["bid", "status", "Bartek", load_games()[PLAYED].colours[0]])
@pytest.mark.parametrize("fresh", [True, False])
async def test_f4_a_word_of_the_game_of_the_house_or_a_players_name_is_no_table(
    there: ChatDesk, word: str, fresh: bool
) -> None:
    of_heron = there.desk.turn_mail("Anna")
    await open_table(there, "other", word)
    await there.desk.write("Anna", f"{word}: bid 5", token=not fresh, answering=of_heron)
    assert (await bids(there))["other"] == ()
    await there.desk.write("Anna", "other: bid 6", token=False)
    assert (await bids(there))["other"] == ("Bid 6",)
