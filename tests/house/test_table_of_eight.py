"""Eight play a game to its end, five by mail and three by Telegram, with press, absence,
substitute, takeover, vote and roll back; then everybody's messages are read on every channel.

What it holds of the threats: 21 and 24 (nothing secret, and nobody's doings, in what others get),
22 (a letter has one reader), 33 (who blocks the bot is reached by mail; Telegram's limits are
kept).
"""

import re
from collections import Counter
from collections.abc import Iterable

import pytest

from tests.house.eight import (
    BY_MAIL,
    BY_TELEGRAM,
    EVERYBODY,
    GROUP,
    OTHERS,
    PLAYERS,
    SECRETS,
    Story,
    play_once,
)
from tests.house.hall import Got

pytestmark = pytest.mark.long(
    held_by="tests/desk/whole (secrets, codes and buttons of others, by mail and by chat),"
    " tests/house/test_whole_house.py (a table on both channels, over real servers),"
    " tests/desk/people and tests/desk/press (substitutes, absences, observers, digests),"
    " tests/demo/test_phones.py (Telegram's limits)"
)

MAC = re.compile(rb"\b[a-z]\d+-\d+-([a-z2-7]{26})\b")
CODE = re.compile(rb"(?:start|startgroup)=([\w-]{22})\b")
CHANGES = {2: 1, 3: 2, 4: 2, 6: 3}
"""How the SEQUENCE of each phase grew: by 1 where its deadline was moved, by 2 where an entry was
cancelled (of who has a substitute, who resigned, whose time as a substitute was over).
"""


@pytest.fixture(scope="module")
def story() -> Story:
    return play_once()


def mails(story: Story, name: str) -> list[Got]:
    return [got for got in story.got[name] if got.channel == "mail"]


def chats(story: Story, name: str) -> list[Got]:
    return [got for got in story.got[name] if got.channel == "telegram"]


def others_than(name: str) -> Iterable[str]:
    return (reader for reader in EVERYBODY if reader != name)


def test_the_game_came_to_a_real_end_and_nothing_was_laid_aside_or_lost(story: Story) -> None:
    assert story.game is not None
    assert (story.game.status, story.game.phase_number) == ("over", 7)
    assert story.shunted == []
    assert story.violations == []
    unsent = [
        (row.channel, row.kind, row.state, row.answer)
        for row in story.letters
        if row.state not in ("sent", "withheld")
    ]
    assert {(channel, state) for channel, _, state, _ in unsent} == {("telegram", "refused")}
    assert all("blocked by the user" in (answer or "") for *_, answer in unsent)
    assert {row.address for row in story.letters if row.state == "refused"} == story.names[
        "Mei"
    ] - {"mei@mail.example"}
    assert {(row.address, row.answer) for row in story.letters if row.state == "withheld"} == {
        (row.address, "address-suspended") for row in story.letters if row.state == "refused"
    }


def test_the_record_of_the_game_replays_here_and_with_whoever_was_at_the_table(
    story: Story,
) -> None:
    assert story.differences == []
    assert story.proof is not None
    assert story.proof.differences == ()
    assert story.proof.draws > 0


@pytest.mark.parametrize("word", SECRETS)
def test_a_secret_word_is_read_by_whom_it_is_for_and_by_nobody_else(
    story: Story, word: str
) -> None:
    writer, *readers = SECRETS[word]
    for reader in EVERYBODY:
        has_it = any(word.encode() in everything for everything in story.ever[reader])
        assert has_it or reader not in readers, (word, reader)
        assert not has_it or reader in (writer, *readers), (word, reader)


def test_press_without_a_name_is_read_by_all_and_tells_nobody_whose_it_is(story: Story) -> None:
    for reader in {*PLAYERS, "Wanda", "Otto", GROUP, "GM"} - {"Emil"}:
        found = [got for got in story.got[reader] if "obelisk" in got.text]
        assert found, reader
        for got in found:
            assert "emil" not in got.text.casefold(), reader


def test_a_chat_speaks_of_messages_and_never_of_letters_to_answer(story: Story) -> None:
    for reader in EVERYBODY:
        for got in chats(story, reader):
            assert "nswer this letter" not in got.text, (reader, got.subject)
            assert "nswer this mail" not in got.text, (reader, got.subject)


def test_what_is_muted_does_not_come_and_a_digest_brings_the_rest_at_once(story: Story) -> None:
    assert not any("bagpipe" in got.text for got in story.got["Dmytro"])
    (digest,) = [got for got in story.got["Dmytro"] if "kaleidoscope" in got.text]
    assert "obelisk" in digest.text
    for reader in (*BY_TELEGRAM, "Wanda", "Otto", "Anna", "Chloé", "Emil"):
        assert any("bagpipe" in got.text for got in story.got[reader]), reader


# ------------------------------------------------------------------------------------------ news
NEWS = {
    "bids": r"(?:Fenna bids|You bid) 2 and leads?\b(?! turn 2)",
    "quiet": "quiet turn",
    "attack": r"Wyrmling attacks with 4|You bid \d+ and lead turn 2 · Dragon",
    "fight": "Dragon loses 8 to 4",
    "rolled back": "Rolled back to turn 2",
    "end": "The Dragon wins",
}
"""What happened, and how subjects tell it: to whom it concerns as theirs."""
TOLD = list(NEWS)
ASKED = ["bids?", "quiet?", "attack?", "fight?", "rolled back", "attack?", "end"]
"""With a question mark: news under a question. A game that is rolled back asks again."""
IN_CHATS = [told.rstrip("?") for told in ASKED]


def news(found: Iterable[Got]) -> list[str]:
    """What these tell, in order. Those that ask bring a calendar entry, by mail."""
    return [
        name + "?" * bool(got.calendar)
        for got in found
        for name, words in NEWS.items()
        if re.search(words, got.subject)
    ]


@pytest.mark.parametrize(
    ("reader", "by_mail", "by_telegram"),
    [
        ("Anna", ASKED, []),
        ("Bartek", ASKED[:3], []),  # until he resigns
        ("Yusuf", ASKED[2:], []),
        ("Chloé", [*ASKED[:2], *TOLD[2:5], *ASKED[5:]], []),  # looks on while Uma plays
        ("Uma", ASKED[1:6], []),
        ("Dmytro", ASKED, []),
        ("Emil", ASKED[:2], IN_CHATS[2:]),
        ("Fenna", ASKED, IN_CHATS),
        ("Gus", [], IN_CHATS),
        ("Mei", ASKED[3:], IN_CHATS[:3]),  # from the one on that her phone refused
        ("Wanda", TOLD, []),
        ("Otto", [], TOLD),
        ("GM", TOLD, TOLD),
        (GROUP, [], TOLD),
    ],
)
def test_reading_1_everybody_gets_one_letter_of_a_close_on_each_way_they_chose(
    story: Story, reader: str, by_mail: list[str], by_telegram: list[str]
) -> None:
    """Who is asked learns the news under the question; a bulletin goes to those alone who are not
    asked.
    """
    assert news(mails(story, reader)) == by_mail
    assert news(chats(story, reader)) == by_telegram


# ------------------------------------------------------------------------------ what nobody is told
def standing_alone(own: str) -> re.Pattern[bytes]:
    """An address or a number itself, and not the end of something longer: a token may end in any
    letters, `…gm@` among them.
    """
    return re.compile(rb"(?<![0-9a-z+/=_-])" + re.escape(own.encode()) + rb"(?![0-9a-z+/=_-])")


def test_no_address_and_no_number_of_somebody_is_in_what_another_gets(story: Story) -> None:
    for name, owned in story.names.items():
        for reader in others_than(name):
            for own in owned:
                if reader == "GM" and "@" in own:  # who runs a table sees who sits there
                    continue
                if (name, reader) == ("Uma", "Chloé"):  # who named her by it
                    continue
                seen = standing_alone(own)
                assert not any(
                    own.encode() in everything and seen.search(everything)
                    for everything in story.ever[reader]
                ), (name, own, reader)


def test_an_address_is_found_where_it_stands_alone() -> None:
    assert standing_alone("gm@mail.example").search(b"to: <gm@mail.example>")
    assert standing_alone("gm@mail.example").search(b"write to gm@mail.example.")
    assert not standing_alone("gm@mail.example").search(b"orders+g1-2-hk3agm@mail.example")


def test_no_code_of_somebody_is_in_what_another_gets(story: Story) -> None:
    owners: dict[bytes, str] = {}
    for reader in EVERYBODY:
        for everything in story.ever[reader]:
            for code in {*MAC.findall(everything), *CODE.findall(everything)}:
                assert owners.setdefault(code, reader) == reader, code
    assert set(owners.values()) >= {*BY_MAIL, "Fenna", "Mei", "Uma", "Yusuf", "Wanda", "GM"}, (
        "there are codes to look at"
    )


def test_no_button_of_somebody_is_in_what_another_gets(story: Story) -> None:
    owners: dict[bytes, str] = {}
    for reader in (*PLAYERS, *OTHERS, "GM", GROUP):
        for everything in story.ever[reader]:
            for code in re.findall(rb'"callback_data": ?"([^"]+)"', everything):
                assert owners.setdefault(code, reader) == reader, code
    assert len(owners) > 20, "there are buttons to look at"


def test_an_order_is_answered_to_its_writer_and_noticed_by_nobody_else(story: Story) -> None:
    assert len(story.overheard) > 15
    assert [(writer, text, others) for writer, text, others in story.overheard if others] == []


def test_what_one_player_is_told_of_the_table_is_the_same_whoever_has_ordered(story: Story) -> None:
    before, after = story.standings
    assert before == after


def test_a_receipt_is_of_the_seat_whose_player_got_it(story: Story) -> None:
    seats = {
        "Anna": "1",
        "Bartek": "2",
        "Yusuf": "2",
        "Chloé": "3",
        "Uma": "3",
        "Dmytro": "4",
        "Emil": "5",
        "Fenna": "6",
        "Mei": "7",
    }
    receipts = [
        (name, got)
        for name in EVERYBODY
        for got in mails(story, name)
        if re.search(r": \d+ (orders? )?in, ", got.subject)
    ]
    assert len(receipts) > 8
    for name, got in receipts:
        assert got.token.startswith(f"o{seats[name]}-"), (name, got.subject)


# --------------------------------------------------------------------------------------------- time
def test_a_moved_deadline_is_told_once_to_each_player_with_a_new_calendar_entry_by_mail(
    story: Story,
) -> None:
    told = {
        name: [got for got in story.got[name] if "deadline has moved" in got.subject]
        for name in EVERYBODY
    }
    for name in ("Anna", "Dmytro"):
        assert len(told[name]) == 2
    assert {name: len(told[name]) for name in ("Emil", "Gus", "Mei", "Fenna")} == {
        "Emil": 2,
        "Gus": 2,
        "Mei": 2,
        "Fenna": 4,
    }
    assert {name: len(told[name]) for name in ("Bartek", "Yusuf", "Chloé", "Uma")} == dict.fromkeys(
        ("Bartek", "Yusuf", "Chloé", "Uma"), 1
    )
    for phase in story.phases:
        assert phase.ics_sequence == CHANGES.get(phase.number, 0), phase.number
    for name in (*PLAYERS, "Uma", "Yusuf"):
        entries = Counter(
            (
                re.findall(r"UID:(\S+)", got.calendar)[0],
                int(re.findall(r"SEQUENCE:(\d+)", got.calendar)[0]),
            )
            for got in mails(story, name)
            if got.calendar
        )
        newest = {
            uid: max(number for other, number in entries if other == uid) for uid, _ in entries
        }
        assert all(
            number <= CHANGES.get(int(uid.split(".")[2].partition("@")[0]), 0)
            for uid, number in newest.items()
        ), name
        assert set(entries.values()) <= {1}, (name, entries)


def test_an_absence_moves_one_deadline_and_nobody_is_told_whose_it_is(story: Story) -> None:
    first, second, *_ = story.phases
    assert (second.deadline - first.deadline).days == 8
    later = [
        name
        for name in PLAYERS
        if any(
            "later because a player is away" in " ".join(got.text.split())
            for got in story.got[name]
        )
    ]
    assert set(later) == set(PLAYERS)
    for name in others_than("Anna"):
        assert not any("Anna is away" in got.text for got in story.got[name])


# ------------------------------------------------------------------------------------------- people
def test_the_game_master_sees_who_is_reached_how_and_learns_of_the_closed_chat(
    story: Story,
) -> None:
    status = [got.text for got in story.got["GM"] if "STATUS OF HERON" in got.text][-1]
    assert re.search(r"Gus [^\n]*\n +on Telegram", status)
    assert "no address" not in status
    (closed,) = [got.text for got in mails(story, "GM") if "Mei has closed the chat" in got.subject]
    assert "goes by mail instead" in " ".join(closed.split())


def test_who_has_left_a_seat_gets_nothing_of_it_any_more(story: Story) -> None:
    for name, count in story.retired.items():
        assert len(story.got[name]) == count, name
    assert story.got["Bartek"][-1].subject.endswith("You have resigned")
    assert story.got["Uma"][-1].subject.endswith("substitute is over")


def test_a_substitute_plays_from_their_yes_to_the_day_and_the_seat_comes_back_once(
    story: Story,
) -> None:
    assert Counter("you play Chloé now" in got.subject for got in story.got["Uma"])[True] == 1
    assert Counter("you play Chloé now" in got.subject for got in story.got["Chloé"])[True] == 1
    asked = [got.subject for got in story.got["Chloé"] if got.calendar]
    assert [re.split(r"· |: |\] ", subject.partition(" due")[0])[-1] for subject in asked] == [
        *("bids", "orders", "The deadline has moved, by vote"),
        *("purchases and bid", "Dragon Attack, answer"),
    ]
    for name in ("Anna", "Emil", "Gus", "Mei", "Yusuf"):
        assert len([got for got in story.got[name] if "Chloé is back" in got.subject]) == 1
