"""What observers get and what their words become: every letter over a game is read, on both
channels; an answer is an observer's word.
"""

import re
from collections import Counter
from pathlib import Path

from pbem.desk import gm
from pbem.desk.press.words import set_press
from pbem.grammar.press_rules import parse_press_rules
from tests.desk.chatting import code_in, open_chat_desk
from tests.desk.harness import address_of, text_of
from tests.desk.lobbies import BY, answer, join, lobby, outcomes, seats_of
from tests.desk.looks import status_of
from tests.desk.visitors import look_on, subjects

WANDAS = 7009009
SECRETS = ("xylophone", "hedgehog", "pelican", "marmot", "walrus", "1789", "1848")


async def test_an_observer_gets_each_bulletin_once_a_way_and_nothing_private_ever(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 3, version="grand") as there:
        desk = there.desk
        await set_press(desk.services, "heron", parse_press_rules("observers, grey"), BY)
        await look_on(desk, "Wanda")
        mail = await desk.write("Wanda", "telegram", token=False)
        assert mail is not None
        await there.says(WANDAS, f"/start {code_in(text_of(mail))}")
        await desk.write("Wanda", "bulletins both\npress both", token=False)
        before = (len(desk.letters("Wanda")), len(there.box.to(WANDAS)))
        await desk.write("Anna", "bid 17\nGM: the xylophone of my aunt")
        await desk.write("Anna", "to Bartek: the pelican flies at 1789")
        await desk.write("Bartek", "press grey to Chloé: marmot\nendpress\n")
        await desk.write("Bartek", "to GM: the walrus stays")
        await desk.write("Chloé", "broadcast: good luck to all")
        await desk.write("Chloé", "press to observers: thank you for watching")
        await there.settle()
        await desk.everybody_passes()
        await there.settle()
        await desk.write("Anna", "Work P1\nhedgehog 1848")
        await desk.everybody_passes()
        await there.settle()
        for word in (
            *("status", "map", "history", "players", "orders", "log", "press list"),
            *("what if I bid 3", "resend", "observers"),
        ):
            await desk.write("Wanda", word, answering=desk.letters("Wanda")[before[0]], dmarc=None)
        await there.settle()
        mails = desk.letters("Wanda")[before[0] :]
        posted = there.box.to(WANDAS)[before[1] :]
        everything = " ".join([*map(text_of, mails), *(one.html for one in posted)])
        assert [word for word in SECRETS if word in everything] == []
        for words in ("good luck to all", "thank you for watching"):
            assert sum(words in text_of(one) for one in mails) == 1, words
            assert sum(words in one.html for one in posted) == 1, words
        bulletins = [
            str(one["Subject"])
            for one in mails
            if re.search(r"\] Turn 1: (?!status|the realm)", str(one["Subject"]))
        ]
        assert bulletins
        assert set(Counter(bulletins).values()) == {1}
        async with desk.services.database.read() as work:
            person = await work.people.find_by_address("mail", address_of("Wanda"))
            assert person is not None
            rows = [
                row
                for row in await work.outbox.list_by_state("sent", 1000)
                if row.person_id == person.id and row.kind == "bulletin"
            ]
        assert Counter(row.channel for row in rows) == {"mail": 2, "telegram": len(rows) - 2}
        assert len(rows) >= 4


async def test_an_answer_to_press_is_an_observers_word_also_of_somebody_who_plays_elsewhere(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 3) as there:
        desk = there.desk
        await desk.open_game(2, slug="crane", names=("Wanda", "Emil"))
        await look_on(desk, "Wanda")
        await desk.write(
            "Chloé", "press to observers: guess my bid", answering=desk.turn_mail("Chloé")
        )
        letter = desk.last("Wanda", "press from")
        await desk.write("Wanda", "bid 5", answering=letter, dmarc="pass")
        async with desk.services.database.read() as work:
            assert await work.orders.newest((await seats_of(desk, "crane"))[0].id, 1) is None
        assert "For observers of Heron" in " ".join(text_of(desk.letters("Wanda")[-1]).split())
        await there.link("Wanda", WANDAS)
        await desk.write("Wanda", "press both", answering=desk.turn_mail("Wanda"))
        await desk.write("Chloé", "press to observers: and now?", answering=desk.turn_mail("Chloé"))
        await there.settle()
        posted = next(one for one in reversed(there.box.to(WANDAS)) if "and now?" in one.html)
        await there.says(WANDAS, "bid 5", reply_to=posted.message_id)
        async with desk.services.database.read() as work:
            assert await work.orders.newest((await seats_of(desk, "crane"))[0].id, 1) is None
            assert (await work.inbox.list_by_state("handled", 1))[0].outcome == "observer-answered"
        await there.says(WANDAS, "bid 5")
        async with desk.services.database.read() as work:
            assert await work.orders.newest((await seats_of(desk, "crane"))[0].id, 1) is not None, (
                "of itself it is about their own table"
            )


async def test_whoever_only_looks_on_is_answered_in_a_chat_too(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 2) as there:
        desk = there.desk
        async with desk.services.database.read() as work:
            game = await work.games.find(1)
        assert game is not None
        await there.says(WANDAS, f"observe {game.join_code}")
        await there.says(WANDAS, "map")
        assert "realm" in there.last(WANDAS).html.lower()
        await there.says(WANDAS, "stop observing")
        count = len(there.box.to(WANDAS))
        await desk.everybody_passes()
        await there.settle()
        assert len(there.box.to(WANDAS)) == count


async def test_who_is_seated_before_the_start_looks_on_no_more_not_even_after_leaving(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as desk:
        await look_on(desk, "Wanda")
        await join(desk, "Anna", "Bartek", "Wanda")
        async with desk.services.database.read() as work:
            assert await work.observers.list_of_game(1) == []
        await answer(desk, "Wanda", "leave")
        await gm.start(desk.services, "heron", BY)
        await desk.work()
        count = len(subjects(desk, "Wanda"))
        await desk.everybody_passes()
        assert (await status_of(desk))[1] == 2
        assert len(subjects(desk, "Wanda")) == count
        assert not [one for one in await outcomes(desk) if one.startswith("shunt")]
