"""What people choose for themselves, by mail and in a chat side by side: the same words, the same
choices; and letters sent again.
"""

from pathlib import Path

import pytest

from tests.desk.chatting import labels, open_chat_desk
from tests.desk.harness import address_of, text_of

ANNAS = 7001001


@pytest.mark.parametrize("way", ["mail", "chat"])
async def test_every_choice_is_made_and_shown_alike(tmp_path: Path, way: str) -> None:
    async with open_chat_desk(tmp_path, 2) as there:
        desk = there.desk
        await there.link("Anna", ANNAS)

        async def say(words: str) -> str:
            if way == "mail":
                return " ".join(text_of(await desk.write("Anna", words)).split())
            count = len(there.box.to(ANNAS))
            await there.says(ANNAS, f"/{words}")
            return " ".join(" ".join(one.html for one in there.box.to(ANNAS)[count:]).split())

        assert "Bartek" in await say("mute Bartek")
        assert "once a day" in await say("digest daily")
        assert "changed nothing" in await say("digest weekly")
        assert "this holds from now on" in await say("quiet 22-7")
        shown = await say("settings")
        for one in ("22:00-07:00", "daily", "Bartek"):
            assert one in shown, one
        async with desk.services.database.read() as work:
            person = await work.people.find_by_address("mail", address_of("Anna"))
            assert person is not None
            kept = {row.name: row.value for row in await work.preferences.list_of([person.id])}
        assert kept == {"press.mute.1": "2", "press.digest": "daily", "quiet": kept["quiet"]}


async def test_a_letter_is_sent_again_as_the_chat_had_it_with_its_buttons(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 2) as there:
        await there.link("Anna", ANNAS)
        await there.desk.everybody_passes()
        await there.settle()
        first = there.box.to(ANNAS)
        turn = next(
            one for one in reversed(first) if "Give" in " ".join(labels(one)) or labels(one)
        )
        await there.says(ANNAS, "resend")
        again = there.box.to(ANNAS)[len(first) :]
        assert turn.html in [one.html for one in again]
        assert labels(next(one for one in again if one.html == turn.html)) == labels(turn)
        mails = len(there.desk.letters("Anna"))
        await there.desk.write("Anna", "resend")
        assert len(there.desk.letters("Anna")) > mails
