"""What one player does, another cannot tell before the close: two games that differ in one player's orders alone."""

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
    """Everything that others than Anna get from the start until just before the close, byte for byte."""
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
    """The letter's head and words. The serial of an answer counts messages of the house, not of this player, and is left out."""
    mail = parse(raw)
    head = {key: str(mail[key]) for key in ("From", "To", "Subject", "Reply-To", "Date", "Auto-Submitted")}
    return f"{head}\n{text_of(mail)}"


@pytest.mark.parametrize(("one", "other"), TEXTS)
async def test_the_others_cannot_tell_what_one_player_wrote(tmp_path: Path, one: str, other: str) -> None:
    records = []
    for number, text in enumerate((one, other)):
        folder = tmp_path / str(number)
        folder.mkdir()
        records.append(await letters_of_the_others(folder, text))
    assert records[0].keys() == records[1].keys()
    for reader, letters in records[0].items():
        assert letters == records[1][reader], reader


async def test_a_word_only_one_player_wrote_is_in_no_others_letter_to_the_end_of_the_game(tmp_path: Path) -> None:
    words = {"Anna": "xylophone", "Bartek": "zeppelin", "Chloé": "quokka"}
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        for _ in range(4):
            for name, word in words.items():
                await desk.write(name, f"GM: {word} is my word")
                await desk.write(name, f"{word} P1")
            await desk.everybody_passes()
        for name, word in words.items():
            assert any(word in text_of(mail) for mail in desk.letters(name)), "the check looks at something"
            for reader in words:
                if reader != name:
                    for mail in desk.letters(reader):
                        assert word.encode() not in mail.as_bytes()
                        assert word not in text_of(mail)
                        html = mail.get_body(("html",))
                        assert html is None or word not in str(html.get_content())
