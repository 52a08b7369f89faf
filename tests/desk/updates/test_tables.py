"""Which of several tables a message is about; joining from a chat; groups, and what is never taken
there (threats 16, 22).
"""

from pathlib import Path

from pbem.desk import gm
from pbem.desk.gm.masters import invite_master
from pbem.desk.gm.seats import eject
from pbem.desk.messages.table_names import parse_named
from pbem.store.repositories.games import GameRow
from tests.desk.chatting import GROUP, ChatDesk, address_states, code_in, labels, open_chat_desk
from tests.desk.lobbies import open_lobby
from tests.played import PLAYED
from tests.rows import each_row

ANNA, BEN, EVE, GRETA = 11, 12, 66, 77


async def bids(there: ChatDesk) -> dict[str, tuple[str, ...]]:
    """What stands of the first seat of each table, by its short name."""
    found = {}
    async with there.desk.services.database.read() as work:
        for game in await work.games.list_by_status("running"):
            (seat, *_) = await work.seats.list_of_game(game.id)
            newest = await work.orders.newest(seat.id, game.phase_number)
            found[game.slug] = newest.canonical if newest is not None else ()
    return found


async def test_a_table_is_named_asked_for_with_buttons_or_answered_and_the_choice_stays(
    there: ChatDesk,
) -> None:
    await there.desk.open_game(2, "wolf")
    await there.link("Anna", ANNA)
    await there.says(ANNA, "bid 5")
    await there.says(ANNA, "bid 6")
    question = there.last(ANNA)
    assert labels(question) == ["Heron", "Wolf"]
    assert await bids(there) == {"heron": (), "wolf": ()}
    assert len([message for message in there.box.to(ANNA) if message.buttons]) == 1
    await there.taps(ANNA, question, "Wolf")
    assert await bids(there) == {"heron": (), "wolf": ("Bid 6",)}
    edited = next(
        message for message in there.box.to(ANNA) if message.message_id == question.message_id
    )
    assert (edited.text, edited.buttons) == ("Wolf", ())
    await there.says(ANNA, "bid 7")
    assert await bids(there) == {"heron": (), "wolf": ("Bid 7",)}
    await there.says(ANNA, "heron: bid 1")
    await there.says(ANNA, "bid 2")
    assert await bids(there) == {"heron": ("Bid 2",), "wolf": ("Bid 7",)}
    await there.says(ANNA, "G2: bid 8")
    assert await bids(there) == {"heron": ("Bid 2",), "wolf": ("Bid 8",)}
    of_heron = next(
        message for message in there.box.to(ANNA) if "Heron, turn 1, version" in message.text
    )
    await there.says(ANNA, "bid 3", reply_to=of_heron.message_id)
    assert await bids(there) == {"heron": ("Bid 3",), "wolf": ("Bid 8",)}
    await there.says(ANNA, "G99: bid 4")
    assert "no seat there" in there.last(ANNA).text
    assert await bids(there) == {"heron": ("Bid 3",), "wolf": ("Bid 8",)}


async def test_a_table_chosen_in_the_chat_is_none_for_mails_and_not_for_ever(
    there: ChatDesk,
) -> None:
    await there.desk.open_game(2, "wolf")
    await there.link("Anna", ANNA)
    await there.says(ANNA, "wolf: bid 7")
    await there.desk.write("Anna", "bid 5", token=False)
    assert await bids(there) == {"heron": (), "wolf": ("Bid 7",)}
    assert "Which game" in str(there.desk.letters("Anna")[-1]["Subject"])
    await there.desk.write("Anna", "heron: bid 5", token=False)
    await there.says(ANNA, "bid 6")
    assert await bids(there) == {"heron": ("Bid 5",), "wolf": ("Bid 6",)}, (
        "what a mail names is no choice in the chat"
    )
    for slug in ("heron", "wolf"):
        await gm.pause(there.desk.services, slug, gm.By("test"))
    there.desk.clock.forward(days=31)
    for slug in ("heron", "wolf"):
        await gm.resume(there.desk.services, slug, gm.By("test"))
    await there.settle()
    await there.says(ANNA, "bid 8")
    assert labels(there.last(ANNA)) == ["Heron", "Wolf"]
    assert await bids(there) == {"heron": ("Bid 5",), "wolf": ("Bid 6",)}


async def test_a_mail_without_a_code_names_its_table_too(there: ChatDesk) -> None:
    await there.desk.open_game(2, "wolf")
    await there.desk.write("Anna", "bid 5", token=False)
    assert "Which game" in str(there.desk.letters("Anna")[-1]["Subject"])
    await there.desk.write("Anna", "wolf: bid 5", token=False)
    assert await bids(there) == {"heron": (), "wolf": ("Bid 5",)}
    await there.desk.write("Anna", "G1: bid 6", token=False, dmarc=None)
    assert await bids(there) == {"heron": (), "wolf": ("Bid 5",)}


def a_game(number: int, slug: str, title: str) -> GameRow:
    values: dict[str, object] = dict.fromkeys(GameRow.__struct_fields__)
    # only what is looked at
    return GameRow(**(values | {"id": number, "slug": slug, "title": title}))  # type: ignore[arg-type]


@each_row(
    ("text", "named"),
    [
        ("heron: march", (1, "march")),
        ("Heron: march", (1, "march")),
        ("hero: march", None),  # of a name not its beginning
        ("HÉRON : march", (1, "march")),
        ("*Heron*: march", (1, "march")),
        ("**Heron:** march", (1, "march")),
        ("heron, status", (1, "status")),
        ("Heron,\nmarch", (1, "\nmarch")),
        ("\n heron:\nmarch", (1, "\nmarch")),
        ("hermit of the north, please: march", (2, "please: march")),
        ("heron status", None),
        ("the heron: march", None),
        ("Hermit of the North:march", (2, "march")),
        ("G2: march\nhold P1", (2, "march\nhold P1")),
        ("game 2: x", (2, "x")),
        ("G7: march", (None, "march")),
        ("GM: heron is a fine bird", None),
        ("to Ben: hello", None),
        ("march 3: P1", None),
        ("he: x", None),
        ("nothing at all", None),
    ],
)
def test_f4_a_table_is_named_by_its_number_or_its_whole_name(
    text: str, named: tuple[int | None, str] | None
) -> None:
    found = parse_named(
        text, [a_game(1, "heron", "Heron"), a_game(2, "hermit", "Hermit of the North")]
    )
    assert (found and (found.game.id if found.game is not None else None, found.rest)) == named


async def open_table(there: ChatDesk) -> str:
    """A table that has not begun; its join code."""
    new = gm.NewTable("heron", "Heron", PLAYED, {}, "Europe/Berlin", "Greta")
    await gm.open_table(there.desk.services, new, gm.By("test"))
    async with there.desk.services.database.read() as work:
        (game,) = await work.games.list_by_status("open")
    return game.join_code or ""


async def test_somebody_known_on_telegram_alone_joins_plays_and_can_be_reached(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, players=0) as there:
        code = await open_table(there)
        await there.says(EVE, f"/start join_{code[:-1]}x")
        assert await address_states(there) == {}
        await there.says(EVE, f"/start join_{code}")
        await there.says(BEN, f"/join {code} as Ben, green")
        await there.says(BEN, f"/join {code}")
        assert await address_states(there) == {str(EVE): "Phone66", str(BEN): "Ben"}
        await gm.start(there.desk.services, "heron", gm.By("test"))
        await there.settle()
        assert "bid" in there.last(EVE).text.lower()
        await there.says(EVE, "bid 4")
        assert await bids(there) == {"heron": ("Bid 4",)}
        await there.says(EVE, "/unlink")
        assert "we could not reach you" in there.last(EVE).text
        await there.says(ANNA, f"/start join_{code}")
        assert str(ANNA) not in await address_states(there)


async def as_master(there: ChatDesk) -> None:
    """Greta's Telegram account is the game master's."""
    async with there.desk.services.database.write() as work:
        (master,) = await work.masters.list_all()
        await work.people.add_address(master.person_id, "telegram", str(GRETA), "confirmed")


async def bound_group(there: ChatDesk) -> None:
    await as_master(there)
    await there.joins(GRETA, ("left", "member"))
    await there.says(GRETA, "/bind heron")
    code = there.last(GRETA).text.partition("/bind ")[2].split()[0]
    await there.says(GRETA, f"/bind {code}", where=GROUP)


async def test_a_group_is_bound_by_its_game_master_alone_and_gets_what_everybody_may_know(
    there: ChatDesk,
) -> None:
    await as_master(there)
    await there.joins(GRETA, ("left", "member"))
    await there.says(GRETA, "/bind heron")
    shown = there.last(GRETA).text
    code = shown.partition("/bind ")[2].split()[0]
    assert code_in(shown.replace("startgroup", "start")) == code
    await there.says(EVE, f"/bind {code}", where=GROUP)
    assert "Only the game master" in there.last(GROUP).text
    await there.says(GRETA, f"/start@realm_bot {code}", where=GROUP)
    assert "belongs to Heron" in there.last(GROUP).text
    await there.says(GRETA, f"/bind {code}", where=GROUP)
    assert "has been used" in there.last(GROUP).text
    await there.desk.everybody_passes()
    await there.settle()
    bulletin = there.last(GROUP)
    assert bulletin.picture is not None
    (button,) = bulletin.buttons[0]
    assert (button.text, button.url) == ("My orders", "https://t.me/realm_bot?start=my_1")
    await there.link("Anna", ANNA)
    await there.says(ANNA, "/start my_1")
    assert "your orders" in there.last(ANNA).text
    for word in ("/status", "/map"):
        count = len(there.box.to(GROUP))
        await there.says(EVE, word, where=GROUP)
        assert len(there.box.to(GROUP)) == count + 1
    await there.says(EVE, "/status@other_bot", where=GROUP)
    assert len(there.box.to(GROUP)) == count + 1


async def test_orders_in_a_group_are_refused_in_private_each_time_but_a_few_times_a_day_at_most(
    there: ChatDesk,
) -> None:
    await bound_group(there)
    await there.link("Anna", ANNA)
    count, group = len(there.box.to(ANNA)), len(there.box.to(GROUP))
    await there.says(ANNA, "bid 9", where=GROUP)
    await there.says(ANNA, "bid 9", where=GROUP)
    await there.says(ANNA, "good evening everybody", where=GROUP)
    await there.says(EVE, "bid 9", where=GROUP)
    assert len(there.box.to(ANNA)) == count + 2
    assert "Orders only here, please" in there.last(ANNA).text
    assert "bid 9" in there.last(ANNA).text
    assert len(there.box.to(GROUP)) == group
    assert there.box.to(EVE) == []
    assert await bids(there) == {"heron": ()}
    for _ in range(5):
        await there.says(ANNA, "/bid 9", where=GROUP)
    assert len(there.box.to(ANNA)) == count + 5
    there.desk.clock.forward(hours=25)
    await there.says(ANNA, "bid 9", where=GROUP)
    assert (
        len([message for message in there.box.to(ANNA) if "Orders only here" in message.text]) == 6
    )


async def test_orders_in_a_group_are_refused_behind_a_name_and_when_they_cannot_be_and_talk_is_not(
    there: ChatDesk,
) -> None:
    await bound_group(there)
    await there.desk.everybody_passes()
    await there.settle()
    await there.link("Anna", ANNA)
    count = len(there.box.to(ANNA))
    for text in (
        *("See you in P3 - P4", "Nice work in P2!", "I'd take P3 from Bartek"),
        *("heron: what a night", "Work in P2 is hard", "Work in P1 is hard"),
        "See you in P1 - P2",
        "Anna marched 3 from P1 to P9, and who would have thought that?",
        "Somebody should march 3 from P1 to P9 before it is too late",
    ):
        await there.says(ANNA, text, where=GROUP)
    assert len(there.box.to(ANNA)) == count
    for number, text in enumerate(
        (
            *("heron: hold P1", "G1: hold P1", "Golden March! 1 from P1 to P2", "hold P2"),
            "Please march all of my three units from P1 to P9 this turn, thanks!",
            "I would like to fortify P3 this turn, thanks a lot",
        ),
        1,
    ):
        there.desk.clock.forward(hours=6)
        await there.says(ANNA, text, where=GROUP)
        assert len(there.box.to(ANNA)) == count + number, text
        assert "Orders only here, please" in there.last(ANNA).text


async def test_a_group_of_another_table_is_taken_over_by_whoever_runs_both_and_its_game_masters_are_told(
    there: ChatDesk,
) -> None:
    await bound_group(there)
    await open_lobby(there.desk, "wolf")
    await there.says(GRETA, "/bind wolf")
    code = there.last(GRETA).text.partition("/bind ")[2].split()[0]
    count = len(there.box.to(GRETA))
    await there.says(GRETA, f"/bind {code}", where=GROUP)
    assert "belongs to Wolf" in there.last(GROUP).text
    assert any(
        "The group belongs to Wolf now" in message.text for message in there.box.to(GRETA)[count:]
    )


async def test_whoever_runs_another_table_alone_cannot_take_its_group(there: ChatDesk) -> None:
    await bound_group(there)
    await open_lobby(there.desk, "wolf")
    await invite_master(
        there.desk.services, "eve@players.example", gm.By("test"), name="Eve", slug="wolf"
    )
    async with there.desk.services.database.write() as work:
        person = await work.people.find_by_address("mail", "eve@players.example")
        assert person is not None
        await work.people.add_address(person.id, "telegram", str(EVE), "confirmed")
    await there.says(EVE, "/bind wolf")
    code = there.last(EVE).text.partition("/bind ")[2].split()[0]
    await there.says(EVE, f"/bind {code}", where=GROUP)
    assert "belongs to another game" in " ".join(there.last(GROUP).text.split())
    await there.says(EVE, "/status", where=GROUP)
    assert "Heron" in there.last(GROUP).text


async def test_what_is_private_is_pointed_to_the_private_chat_from_a_group(there: ChatDesk) -> None:
    await bound_group(there)
    await there.link("Anna", ANNA)
    for word in ("/orders", "/settings"):
        count = len(there.box.to(GROUP))
        await there.says(EVE, word, where=GROUP)
        assert len(there.box.to(GROUP)) == count + 1
        assert "In private, please" in there.last(GROUP).text
        (button,) = there.last(GROUP).buttons[0]
        assert (button.text, button.url) == (
            "Write to me in private",
            "https://t.me/realm_bot?start=my_1",
        )
    count = len(there.box.to(GROUP))
    for letter in ("/press to Bartek: hi", "/press Bartek: hi", "press to Bartek: hi"):
        await there.says(ANNA, letter, where=GROUP)
        assert "I did not send it" in there.last(ANNA).text
    await there.says(ANNA, "/foo", where=GROUP)
    assert len(there.box.to(GROUP)) == count


async def test_a_group_that_moves_is_followed_and_one_that_puts_us_out_is_told_of(
    there: ChatDesk,
) -> None:
    await bound_group(there)
    await there.says(GRETA, "", where=GROUP, migrate_to_chat_id=-2000)
    await there.desk.everybody_passes()
    await there.settle()
    assert there.last(-2000).picture is not None
    await there.joins(EVE, ("member", "kicked"), chat=-2000)
    assert "out of the group" in there.last(GRETA).text
    count = len(there.box.to(-2000))
    await there.desk.everybody_passes()
    await there.settle()
    assert len(there.box.to(-2000)) == count


async def test_the_join_button_of_a_group_leads_to_a_seat_only_while_the_table_is_open(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, players=0) as there:
        code = await open_table(there)
        await bound_group(there)
        await there.says(EVE, "/join", where=GROUP)
        (button,) = there.last(GROUP).buttons[0]
        assert button.url is not None
        assert code not in button.url, "a button that leaks tells nobody the table's code"
        payload = button.url.partition("?start=")[2]
        assert payload.startswith("seat_")
        await there.says(EVE, "/join", where=GROUP)
        assert there.last(GROUP).buttons[0][0].url == button.url
        for user in (ANNA, BEN):
            await there.says(user, f"/start {payload}")
            assert "You have a seat" in there.last(user).text
        await there.says(ANNA, f"/start {payload}x")
        assert "That link does not work" in there.last(ANNA).text
        await gm.start(there.desk.services, "heron", gm.By("test"))
        await there.settle()
        await there.says(EVE, "/join", where=GROUP)
        assert there.last(GROUP).buttons == ()
        assert "You cannot join" in there.last(GROUP).text
        await eject(there.desk.services, "heron", "Phone11", "", gm.By("test"))
        await there.says(EVE, f"/start {payload}")
        assert "You cannot join" in there.last(EVE).text
        assert code not in there.last(EVE).text
        assert str(EVE) not in await address_states(there)
