"""Who is not a game master: forged, replayed, stale and unproven mails carry nothing out. And what
a game master who plays may see.
"""

from collections.abc import Sequence
from email.message import EmailMessage

import pytest

from pbem.desk import gm
from pbem.desk.gm.masters import invite_master, list_game_masters, revoke_master
from pbem.desk.mandate import By
from pbem.desk.messages.receive import receive
from pbem.desk.upkeep.status import read_status_for
from pbem.mail.tokens import Purpose, format_reply_address, make_token
from tests.desk.harness import ADDRESS, GM, KEY, SEED, Desk, address_of, text_of
from tests.desk.mastery import command, flat, gm_last, gm_letters, log_of, outcomes
from tests.played import PLAYED

EVIL = "eve@elsewhere.example"
DEEDS = (
    *("extend by 24h", "close now", "pause", "end: ha", "announce: I am the master"),
    f"new game Evil: {PLAYED}",
    "look at Anna's orders",
)
GRETA = "greta@gm.example"


def letter_with(token: str, base: EmailMessage) -> EmailMessage:
    """A letter that answers go to under another token."""
    forged = EmailMessage()
    forged["Reply-To"] = format_reply_address(ADDRESS, token)
    forged["Subject"] = str(base["Subject"])
    forged["Message-ID"] = f"<{token}.x@house.example>"
    return forged


async def unchanged(desk: Desk) -> bool:
    """Nothing was carried out, and nobody at the table was told anything since the game began."""
    async with desk.services.database.read() as work:
        (game,) = await work.games.list_by_status()
        phase = await work.phases.current(game.id)
        asked = await work.log.list_of_game(game.id)
    assert phase is not None
    told = any(
        word in str(mail["Subject"]).lower()
        for mail in desk.letters("Anna")
        for word in ("deadline", "paused", "announce", "looked")
    )
    commands = [row.command for row in asked if row.actor != "test" and row.command != "gm asked"]
    return game.status == "running" and phase.ics_sequence == 0 and not commands and not told


async def test_a_code_from_another_address_does_nothing_and_is_not_answered(desk: Desk) -> None:
    await desk.open_game()
    count = len(desk.postbox.mails)
    for text in DEEDS:
        await command(desk, text, sender=EVIL)
        assert (await outcomes(desk))[-1] == "ignored:stranger:not-the-game-master"
    assert await unchanged(desk)
    assert len(desk.postbox.mails) == count


async def test_a_code_from_the_own_address_with_a_dmarc_failure_does_nothing(desk: Desk) -> None:
    await desk.open_game()
    count = len(desk.postbox.mails)
    for text in DEEDS:
        await command(desk, text, dmarc="fail")
    assert await unchanged(desk)
    assert len(desk.postbox.mails) == count


async def test_the_own_address_without_a_code_is_only_asked(desk: Desk) -> None:
    await desk.open_game()
    question = await command(desk, "extend by 24h\npause", token=False, dmarc=None)
    assert (
        "A mail with these commands came from your address, but not as an answer to one of ours"
        in flat(question)
    )
    assert await unchanged(desk)
    told = flat(await command(desk, "yes", answering=gm_last(desk, "Please confirm")))
    assert "The deadline of Heron" in told
    assert "Heron is paused" in told


async def test_a_question_without_a_code_is_answered_once_it_is_confirmed(desk: Desk) -> None:
    await desk.open_game(players=2)
    await command(desk, "status heron", token=False, dmarc=None)
    text = await command(desk, "yes", answering=gm_last(desk, "Please confirm"))
    assert "Heron" in text
    assert (await outcomes(desk))[-1] == "handled:gm-confirmed"


async def test_mails_without_a_code_ask_three_times_a_day_and_never_displace_a_proven_question(
    desk: Desk,
) -> None:
    await desk.open_game()
    await command(desk, "close now")
    question = gm_last(desk, "Please confirm")
    assert "ANOTHER QUESTION COMES FIRST" in await command(desk, "end: ha", token=False)
    await command(desk, "no", answering=question)
    before = len(gm_letters(desk))
    for _ in range(6):
        await command(desk, "end: ha", token=False)
    assert len(gm_letters(desk)) == before + 4
    assert "ask about no further ones today" in flat(text_of(gm_letters(desk)[-1])), (
        "F-5: over the cap one letter says so"
    )
    assert await unchanged(desk)


async def test_small_talk_without_a_code_is_not_answered(desk: Desk) -> None:
    await desk.open_game()
    assert await command(desk, "Could somebody call me back?", token=False) == ""
    assert (await outcomes(desk))[-1] == "ignored:gm-unproven:nothing-to-do"


FORGED = (
    make_token(b"x" * 32, Purpose.GM, 1, 1, 0),
    make_token(KEY, Purpose.GM, 1, 2, 0),
    make_token(KEY, Purpose.GM, 2, 1, 0),
    make_token(KEY, Purpose.BOUNCE, 1, 1, 0),
    make_token(KEY, Purpose.ORDERS, 1, 1, 1),
    make_token(KEY, Purpose.CONFIRM, 1, 0, 0),
)


@pytest.mark.parametrize("sender", [EVIL, address_of("Anna")])
async def test_a_forged_stale_or_foreign_code_carries_nothing_out(desk: Desk, sender: str) -> None:
    await desk.open_game()
    for token in FORGED:
        for text in ("extend by 24h", "close now", "yes"):
            await command(desk, text, answering=letter_with(token, gm_last(desk)), sender=sender)
    assert await unchanged(desk)


async def test_a_code_of_an_earlier_generation_is_worthless(desk: Desk) -> None:
    await desk.open_game()
    old = gm_last(desk)
    assert await revoke_master(desk.services, GM, By("test")) == "renewed"
    question = await command(desk, "extend by 24h", answering=old)
    assert "not as an answer to one of ours" in flat(question), (
        "the own address without a code that counts is asked"
    )
    assert await unchanged(desk)
    await command(desk, "extend by 24h", answering=old, sender=EVIL)
    assert await unchanged(desk)


async def test_a_confirmation_counts_from_the_address_that_was_asked_alone(desk: Desk) -> None:
    await desk.open_game()
    await command(desk, "end: enough")
    question = gm_last(desk, "Please confirm")
    for sender, dmarc in ((EVIL, "pass"), (address_of("Anna"), "pass"), (GM, "fail")):
        await command(desk, "yes", answering=question, sender=sender, dmarc=dmarc)
        assert await unchanged(desk)
    token = str(question["Reply-To"]).partition("+")[2].partition("@")[0]
    other = make_token(KEY, Purpose.CONFIRM, 99, 0, 0)
    assert token != other
    await command(desk, "yes", answering=letter_with(other, question))
    assert await unchanged(desk)


async def test_everything_sent_three_times_over_changes_nothing_more(desk: Desk) -> None:
    await desk.open_game()
    base = gm_last(desk)
    for turn in range(3):
        await command(
            desk,
            "extend by 24h\nannounce: Hello.",
            answering=base,
            message_id="<a@gm.example>",
            headers=[("X-Turn", str(turn))],
        )
        await command(
            desk,
            "shorten by 2h",
            answering=base,
            message_id="<b@gm.example>",
            headers=[("X-Turn", str(turn))],
        )
    questions = [mail for mail in gm_letters(desk) if "Please confirm" in str(mail["Subject"])]
    assert len(questions) == 1
    for turn in range(3):
        await command(
            desk,
            "yes",
            answering=questions[0],
            message_id="<c@gm.example>",
            headers=[("X-Turn", str(turn))],
        )
    assert await log_of(desk) == ["game extend", "game announce", "gm asked", "game extend"]


async def test_automatic_mail_with_a_code_is_no_command(desk: Desk) -> None:
    await desk.open_game()
    other = gm_last(desk)
    await command(desk, "close now")
    question = gm_last(desk, "Please confirm")
    for text, base in (("yes", question), ("extend by 24h", other)):
        await command(desk, text, answering=base, headers=[("Auto-Submitted", "auto-replied")])
    assert await unchanged(desk)


async def test_a_game_master_of_one_table_runs_that_one_alone(desk: Desk) -> None:
    await desk.open_game(players=2)
    await desk.open_game(players=2, slug="swan", names=("Cara", "Dora"))
    assert await invite_master(desk.services, GRETA, By("test"), name="Greta", slug="swan")
    await desk.work()
    text = await command(
        desk,
        f"games\nextend heron by 24h\npause\nnew game Owl: {PLAYED}",
        address=GRETA,
        sender=GRETA,
    )
    assert "swan" in text
    assert "You run no game heron" in flat(text)
    assert "Swan is paused" in flat(text)
    assert "cannot open others" in flat(text)
    async with desk.services.database.read() as work:
        assert {game.slug: game.status for game in await work.games.list_by_status()} == {
            "heron": "running",
            "swan": "paused",
        }
        (row,) = [row for row in await work.log.list_of_game(2) if row.command == "game pause"]
    assert row.actor == "Greta"
    assert await revoke_master(desk.services, GRETA, By("test")) == "revoked"
    count = len(gm_letters(desk, GRETA))
    await command(desk, "resume", address=GRETA, sender=GRETA)
    assert len(gm_letters(desk, GRETA)) == count, "whose right was taken away is a stranger"


async def with_playing_master(desk: Desk, *, secrets: bool) -> None:
    """Anna plays at Heron and runs it."""
    new = gm.NewTable("heron", "Heron", PLAYED, {}, "UTC", "Greta", seed=SEED, secrets=secrets)
    await gm.open_table(desk.services, new, By("test"))
    for name in ("Anna", "Bartek", "Chloé"):
        await gm.invite(desk.services, "heron", name, address_of(name), By("test"))
    await gm.start(desk.services, "heron", By("test"))
    await desk.work()
    await invite_master(desk.services, address_of("Anna"), By("test"), slug="heron")
    await desk.work()


def seen_of(text: str, names: Sequence[str]) -> dict[str, str]:
    lines = {
        name: next(line for line in text.splitlines() if f" {name} (" in line) for name in names
    }
    return {
        name: "lacks"
        if "missing" in line
        else "final"
        if "final" in line
        else "has"
        if "all in" in line
        else "-"
        for name, line in lines.items()
    }


@pytest.mark.parametrize(
    ("who", "secrets", "seen"),
    [
        ("outside", False, {"Anna": "lacks", "Bartek": "final", "Chloé": "lacks"}),
        ("plays", False, {"Anna": "lacks", "Bartek": "-", "Chloé": "-"}),
        ("plays", True, {"Anna": "lacks", "Bartek": "final", "Chloé": "lacks"}),
    ],
)
async def test_a_game_master_who_plays_is_told_nothing_of_the_others(
    desk: Desk, who: str, secrets: bool, seen: dict[str, str]
) -> None:
    await with_playing_master(desk, secrets=secrets)
    await desk.write("Bartek", "bid 3\nfinal")
    address = GM if who == "outside" else address_of("Anna")
    base = (
        gm_last(desk, address=GM)
        if who == "outside"
        else gm_last(desk, "You may run games", address=address)
    )
    text = await command(desk, "status heron", answering=base, sender=address, address=address)
    assert seen_of(text, tuple(seen)) == seen
    assert ("You play here" in text) == (who == "plays" and not secrets)
    told = flat(
        await command(
            desk,
            "heron: look at Bartek's orders",
            answering=base,
            sender=address,
            address=address,
        )
    )
    if who == "plays" and not secrets:
        assert "the table has not allowed you to see secrets" in told
        assert "Bid 3" not in told
        assert not any(
            "Please confirm" in str(mail["Subject"]) for mail in gm_letters(desk, address)
        ), "what would be refused is not asked"
    else:
        question = gm_last(desk, "Please confirm", address=address)
        told = flat(await command(desk, "yes", answering=question, sender=address, address=address))
        assert "Bid 3" in told
        assert any("looked at" in flat(text_of(mail)) for mail in desk.letters("Chloé"))


async def test_what_others_send_does_not_change_the_screen_of_a_game_master_who_plays(
    desk: Desk,
) -> None:
    await with_playing_master(desk, secrets=False)
    async with desk.services.read() as tx:
        person = await tx.work.people.find_by_address("mail", address_of("Anna"))
        assert person is not None
        before = await read_status_for(tx, "heron", person.id)
    await desk.write("Bartek", "bid 3\nfinal", work=False)
    await desk.write("Chloé", "bid 3", work=False)
    async with desk.services.database.read() as work:
        newest = (await work.inbox.next_new(10))[-1].id
    await receive(desk.services, newest)
    async with desk.services.read() as tx:
        after = await read_status_for(tx, "heron", person.id)
        outside = await read_status_for(tx, "heron", None)
    assert after.seats == before.seats
    assert outside.seats != before.seats


async def test_a_game_master_whose_address_has_bounced_stays_in_the_list(desk: Desk) -> None:
    await invite_master(desk.services, GRETA, By("test"), name="Greta")
    async with desk.services.database.write() as work:
        await work.people.suspend_address("mail", GRETA, "550 User unknown", desk.clock.now())
    lines = {line.address: line.has_bounced for line in await list_game_masters(desk.services)}
    assert lines == {GM: False, GRETA: True}
