"""What one player does, another cannot tell before the close: two games that differ in one player's
orders alone.
"""

from pathlib import Path

import pytest

from tests.desk.harness import GM, open_desk, parse, text_of

TEXTS = (
    ("bid 1", "bid 49. final"),
    ("bid 12\nGM: xylophone", "bid 12"),
    ("bid 30", "status"),
    ("bid 2. final", "frobnicate the marmalade"),
    ("bid 5\nmarch everything everywhere", ""),
)


async def letters_of_the_others(folder: Path, text: str) -> dict[str, list[str]]:
    """Everything that others than Anna get from the start until just before the close, byte for
    byte.
    """
    async with open_desk(folder) as desk:
        await desk.open_game()
        if text:
            await desk.write("Anna", text)
        await desk.write("Bartek", "bid 7")
        await desk.write("Bartek", "status")
        await desk.write("Chloé", "orders")
        desk.clock.forward(hours=21)
        await desk.work()
        await desk.write("Chloé", "help")
        got: dict[str, list[str]] = {}
        for mail in desk.postbox.mails:
            if mail.recipient not in ("anna@players.example", GM):
                got.setdefault(mail.recipient, []).append(_without_serials(mail.raw))
        return got


def _without_serials(raw: bytes) -> str:
    """The letter's head and words. The serial of an answer counts messages of the house, not of
    this player, and is left out.
    """
    mail = parse(raw)
    head = {
        key: str(mail[key])
        for key in ("From", "To", "Subject", "Reply-To", "Date", "Auto-Submitted")
    }
    return f"{head}\n{text_of(mail)}"


@pytest.mark.parametrize(("one", "other"), TEXTS)
async def test_the_others_cannot_tell_what_one_player_wrote(
    tmp_path: Path, one: str, other: str
) -> None:
    records = []
    for number, text in enumerate((one, other)):
        folder = tmp_path / str(number)
        folder.mkdir()
        records.append(await letters_of_the_others(folder, text))
    assert records[0].keys() == records[1].keys()
    for reader, letters in records[0].items():
        assert letters == records[1][reader], reader


async def test_a_word_only_one_player_wrote_is_in_no_others_letter_to_the_end_of_the_game(
    tmp_path: Path,
) -> None:
    words = {"Anna": "xylophone", "Bartek": "zeppelin", "Chloé": "quokka"}
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        for _ in range(4):
            for name, word in words.items():
                await desk.write(name, f"GM: {word} is my word")
                await desk.write(name, f"{word} P1")
            await desk.everybody_passes()
        for name, word in words.items():
            assert any(word in text_of(mail) for mail in desk.letters(name)), (
                "the check looks at something"
            )
            for reader in words:
                if reader != name:
                    for mail in desk.letters(reader):
                        assert word.encode() not in mail.as_bytes()
                        assert word not in text_of(mail)
                        html = mail.get_body(("html",))
                        assert html is None or word not in str(html.get_content())


async def _letters_around_a_look(folder: Path, look: str) -> dict[str, list[str]]:
    """Everything that others than Anna get from the first bids until the next turn has begun:
    words, pictures and times.
    """
    async with open_desk(folder) as desk:
        await desk.open_game(factions="choice", island=True)
        for name, faction in (("Anna", "Kalu'Ak"), ("Bartek", "Hodir"), ("Chloé", "Kalu'Ak")):
            await desk.write(name, f"Faction {faction}. Bid {len(name)}. Final")
        if look:
            answer = await desk.write("Anna", look)
            assert "you look at" in text_of(answer).lower(), "the check looks at something"
        await desk.write("Bartek", "status")
        await desk.write("Bartek", "history")
        await desk.write("Chloé", "Weather forecast")
        desk.clock.forward(hours=50)
        await desk.work()
        await desk.write("Chloé", "history")
        await desk.everybody_passes()
        await desk.everybody_passes()
        got: dict[str, list[str]] = {}
        for mail in desk.postbox.mails:
            if mail.recipient != "anna@players.example":
                services = [
                    str(part.get_payload())
                    for part in parse(mail.raw).walk()
                    if part.get_content_type() in ("image/png", "text/calendar")
                ]
                got.setdefault(mail.recipient, []).append(
                    "\n".join((_without_serials(mail.raw), *services))
                )
        return got


async def test_the_others_cannot_tell_whether_somebody_looked_at_a_card(tmp_path: Path) -> None:
    records = []
    for number, look in enumerate(("Weather forecast", "")):
        folder = tmp_path / str(number)
        folder.mkdir()
        records.append(await _letters_around_a_look(folder, look))
    assert records[0].keys() == records[1].keys()
    for reader, letters in records[0].items():
        assert letters == records[1][reader], reader
