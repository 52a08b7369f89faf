"""`profile`, `profile Ben` and `hall of fame` by mail: who reads what, and that nothing of running
games gets out.
"""

import re

from pbem.desk import gm
from pbem.desk.people.erasure import forget
from pbem.desk.people.profiles import FAME_LINES, read_hall, shown_name
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.results import NewResult, PersonResult
from tests.desk.commanding import GRETA
from tests.desk.dates import NOON
from tests.desk.harness import GM, Desk, address_of, parse, text_of
from tests.desk.lobbies import answer, code_of, flat, join, knock, open_lobby, outcomes
from tests.desk.people.test_results import give_all_to, play_to_a_victory
from tests.played import PLAYED

CANARY = "quokka"


async def ask(desk: Desk, name: str, text: str, *, token: bool = True) -> str:
    """The text of the newest letter to a player after they wrote this."""
    before = len(desk.letters(name))
    mail = await desk.write(name, text, token=token)
    assert len(desk.letters(name)) > before, "no answer"
    return " ".join(without_foot(text_of(mail)).split())


def without_foot(text: str) -> str:
    return re.split(r"\n--\s*\n", text)[0]


async def strike_three_times(desk: Desk, name: str = "Anna") -> None:
    for slug in ("ibis", "stork", "swan"):
        await desk.open_game(2, slug=slug, names=(name, "Mei"))
        await gm.strike(desk.services, slug, name, f"showed {slug} around", GRETA)
    await desk.work()


async def barred_letters(desk: Desk) -> list[str]:
    return [
        text_of(parse(raw))
        for raw in desk.postbox.to(GM)
        if "gets no seat" in str(parse(raw)["Subject"])
    ]


# ------------------------------------------------------------------------------------------ by mail
async def test_the_own_profile_is_whole(desk: Desk) -> None:
    await play_to_a_victory(desk)
    await desk.open_game(2, slug="egret", names=("Anna", "Mei"))
    told = await ask(desk, "Anna", "My profile, please")
    for said in (
        *("You have played 1 game here and won 1.", "Treasury 2500 $Realm"),
        *("Reliability 0 of 2 phases (0 %)", "Egret Anna running"),
        *("1 game, 1 won, 2500 $Realm. Places: 1st once.", "Heron won 2500 0 of 2"),
    ):
        assert said in told
    assert "Strikes" not in told


async def test_a_player_at_my_table_is_told_of_by_the_name_there(desk: Desk) -> None:
    await play_to_a_victory(desk)
    told = await ask(desk, "Bartek", "profile of ANNA")
    assert "THE PROFILE OF ANNA Anna has played 1 game here and won 1." in told
    assert "@" not in told
    assert "THE PROFILE OF CHLOÉ" in await ask(desk, "Bartek", "profile chloe")
    assert "YOUR PROFILE" in await ask(desk, "Bartek", "profile bartek")
    assert "YOUR PROFILE" in await ask(desk, "Bartek", "profile me")
    assert "NO PLAYER OF THAT NAME" in await ask(desk, "Bartek", "profile Zoë")
    await resign_in_a_new_game(desk)
    assert "The seat of Chloé is empty" in await ask(desk, "Bartek", "profile Chloé")


async def resign_in_a_new_game(desk: Desk) -> None:
    await desk.open_game(slug="egret")
    async with desk.services.database.write() as work:
        (seat,) = [row for row in await work.seats.list_of_game(2) if row.name == "Chloé"]
        assert await work.seats.replace_person(seat.id, seat.tenure, None, desk.clock.now())
        assert await work.seats.change_status(seat.id, "active", "left")


async def test_the_hall_of_fame_comes_to_every_word_for_it(desk: Desk) -> None:
    await play_to_a_victory(desk)
    first = await ask(desk, "Bartek", "hall of fame")
    assert "1 Anna 2500 1 1 2 Bartek, you 0 0 1 2 Chloé 0 0 1" in first
    for word in ("fame", "HallOfFame", "top"):
        assert await ask(desk, "Bartek", word) == first


async def test_whoever_plays_at_several_tables_need_not_say_which(desk: Desk) -> None:
    await play_to_a_victory(desk)
    await play_to_a_victory(desk, "egret", winner=2)
    told = await desk.write("Anna", "hall of fame\n\nprofile Bartek", token=False)
    assert told is not None
    assert "THE PROFILE OF BARTEK" in text_of(told)
    assert "Code" not in text_of(told), "an answer to it speaks for no seat"
    assert str(told["Subject"]).startswith("[Post Office]")
    assert "Which game" not in " ".join(str(mail["Subject"]) for mail in desk.letters("Anna")[-2:])
    asked = await desk.write("Anna", "profile\nwork P1", token=False)
    assert "YOUR PROFILE" in text_of(desk.letters("Anna")[-2])
    assert asked is not None
    assert "Heron" in text_of(asked)
    assert "Egret" in text_of(asked), "what is about a table still has to say which"


async def test_somebody_without_a_seat_may_ask_and_a_stranger_gets_nothing(desk: Desk) -> None:
    await play_to_a_victory(desk)
    async with desk.services.database.write() as work:  # as after a game that they resigned from
        assert await work.seats.replace_person(2, 1, None, desk.clock.now())
    told = await ask(desk, "Bartek", "profile", token=False)
    assert "You have played 1 game here and won 0." in told
    quiet = len(desk.letters("Bartek"))
    await desk.write("Bartek", "work P1", token=False)
    await desk.write("Bartek", "profile", token=False, dmarc=None)
    await desk.write("Bartek", "profile", token=False, dmarc="fail")
    await desk.write("Zoe", "profile", token=False)
    assert len(desk.letters("Bartek")) == quiet
    assert desk.letters("Zoe") == []
    assert (await outcomes(desk))[-3:] == [
        "ignored:stranger:no-seat",
        "ignored:stranger:no-seat",
        "ignored:stranger:unknown-sender",
    ]


async def test_two_machines_that_answer_each_other_come_to_an_end(desk: Desk) -> None:
    await play_to_a_victory(desk)
    async with desk.services.database.write() as work:
        assert await work.seats.replace_person(2, 1, None, desk.clock.now())
    for _ in range(33):
        await desk.write("Bartek", "\n".join(["hall of fame"] * 6), token=False, work=False)
    await desk.work()
    async with desk.services.database.read() as work:
        since = desk.clock.instant.replace(year=2000)
        assert (
            await work.outbox.count_to_address_since(
                "mail", address_of("Bartek"), ("answer",), since
            )
            == 30
        )


async def test_before_a_table_has_begun_and_after_it_was_given_up_the_words_are_answered_too(
    desk: Desk,
) -> None:
    await open_lobby(desk)
    await join(desk, "Anna", "Bartek")
    told = flat(await answer(desk, "Anna", "profile"))
    assert "You have played no game here yet." in told
    assert "Heron Anna not begun" in told
    receipt = flat(await answer(desk, "Anna", "hall of fame\nname Bea"))
    assert "Bea" in receipt
    assert "No game has ended here yet." in receipt
    assert "The profile of Bartek" in str((await answer(desk, "Anna", "profile Bartek"))["Subject"])
    assert "YOUR PROFILE" in flat(await answer(desk, "Anna", "hello, my colour is green, profile"))
    await gm.end(desk.services, "heron", GRETA)
    await desk.work()
    assert "YOUR PROFILE" in flat(await answer(desk, "Anna", "profile"))


# ------------------------------------------------------------------------------------------ secrecy
async def test_anothers_profile_tells_nothing_of_games_that_run(desk: Desk) -> None:
    await play_to_a_victory(desk)
    await desk.open_game(slug="crane")
    before = await ask(desk, "Bartek", "profile Anna")
    assert "Anna has played 1 game here" in before
    await desk.open_game(4, slug=CANARY, names=("Anna", "Fenna", "Mei", "Emil"))
    await open_lobby(desk, f"{CANARY}-two")
    await join(desk, "Anna", slug=f"{CANARY}-two")
    async with desk.services.database.read() as work:
        running = await work.games.find_by_slug(CANARY)
        assert running is not None
    desk.clock.forward(days=30)
    await desk.work()
    await gm.strike(desk.services, CANARY, "Anna", f"showed the {CANARY} around", GRETA)
    await desk.work()
    after = await ask(desk, "Bartek", "profile Anna")
    assert CANARY not in after.lower()
    assert after == before
    fame = await ask(desk, "Bartek", "hall of fame")
    assert CANARY not in fame.lower()
    mine = await ask(desk, "Anna", "profile")
    assert CANARY in mine.lower()
    assert "Strikes 1 strike" in mine
    shared = await ask(desk, "Fenna", "profile Anna")
    assert f"in {CANARY.capitalize()}: showed the {CANARY} around" in shared, (
        "everybody at that table was told"
    )


async def test_a_game_that_i_was_not_in_is_told_of_without_its_name_and_reasons(desk: Desk) -> None:
    await desk.open_game(4, slug=CANARY, names=("Anna", "Fenna", "Mei", "Emil"))
    await gm.strike(desk.services, CANARY, "Anna", "showed secrets around", GRETA)
    await gm.end(desk.services, CANARY, GRETA)
    await desk.open_game()
    told = await ask(desk, "Bartek", "profile Anna")
    assert "a game broken off" in told
    assert "Strikes 1 strike" in told
    assert CANARY not in told.lower()
    assert "secrets around" not in told


async def test_a_name_that_was_never_told_to_anybody_is_not_shown(desk: Desk) -> None:
    await play_to_a_victory(desk)
    async with desk.services.database.write() as work:
        person = await work.people.find_by_address("mail", address_of("Anna"))
        assert person is not None
        await work.people.set_name(person.id, f"Anna {CANARY}")
    assert CANARY not in await ask(desk, "Bartek", "hall of fame")
    assert CANARY not in await ask(desk, "Bartek", "profile Anna")
    async with desk.services.database.read() as work:
        assert (await read_hall(work)).lines[0].name == "Anna"


async def test_whoever_took_a_seat_over_is_the_successor_of_its_name_and_look_alikes_are_told_apart(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.everybody_passes()
    await gm.replace(desk.services, "heron", "Anna", None, "otto@elsewhere.example", GRETA)
    await give_all_to(desk, 1)
    await desk.everybody_passes()
    await play_to_a_victory(desk, "egret", 2, names=("Fenna", "Mei"))
    await open_lobby(desk, "crane")
    async with desk.services.database.write() as work:  # another Mei
        person = await work.people.add(name="Méi", locale="en", time_zone="UTC", created_at=NOON)
        seat = await work.seats.add(
            game_id=3, number=1, name="Méi", colour="red", joined_at=NOON, person_id=person
        )
        assert seat is not None
        result = NewResult(3, seat, 1, person, 2, 2, won=False, prize=0, how="eliminated", at=NOON)
        assert await work.results.add_once(result)
    async with desk.services.database.read() as work:
        hall = await read_hall(work)
    shown = {(line.name, line.table, line.took_over) for line in hall.lines}
    assert ("Anna", "", True) in shown
    assert {("Mei", "Egret", False), ("Méi", "Crane", False)} <= shown
    assert "successor of Anna" in await ask(desk, "Fenna", "fame")


def test_a_name_is_ones_own_if_it_was_played_under() -> None:
    anna = PersonRow(1, "Anna", "en", "UTC", NOON)

    def sat(name: str, tenure: int) -> PersonResult:
        return PersonResult(
            game_id=1,
            seat_id=1,
            tenure=tenure,
            person_id=1,
            place=1,
            players=3,
            won=False,
            prize=0,
            how="times-up",
            at=NOON,
            title="Heron",
            ruleset=PLAYED,
            seat_name=name,
        )

    assert shown_name(anna, [sat("Bea", 1), sat("anna", 1)]) == ("Anna", False)
    assert shown_name(anna, [sat("Bea", 1), sat("Anna", 2)]) == ("Bea", False)
    assert shown_name(anna, [sat("Cid", 2)]) == ("Cid", True)


async def test_whoever_is_further_down_sees_the_own_line(desk: Desk) -> None:
    await play_to_a_victory(desk, winner=2)
    async with desk.services.database.write() as work:
        for number in range(FAME_LINES + 5):
            person = await work.people.add(
                name=f"Hero {number}", locale="en", time_zone="UTC", created_at=NOON
            )
            seat = await work.seats.add(
                game_id=1,
                number=10 + number,
                name=f"Hero {number}",
                colour=None,
                joined_at=NOON,
                person_id=person,
            )
            assert seat is not None
            result = NewResult(
                1, seat, 1, person, 1, 40, won=True, prize=9000, how="times-up", at=NOON
            )
            await work.results.add_once(result)
    told = await ask(desk, "Anna", "top")
    assert "1 Hero 19 9000 1 1" in told, "all of them are level"
    assert "Hero 20" not in told
    assert "... 27 Anna, you 0 0 1" in told


async def test_whoever_is_forgotten_is_somebody_who_was_here(desk: Desk) -> None:
    await play_to_a_victory(desk)
    await forget(desk.services, address_of("Anna"), GRETA, really=True)
    told = await ask(desk, "Bartek", "hall of fame")
    assert "1 a former player 2500 1 1" in told
    assert "Anna" not in told


# ------------------------------------------------------------------------------------------ barring
async def test_three_strikes_close_the_door_and_the_game_master_is_told_once(desk: Desk) -> None:
    await strike_three_times(desk)
    await open_lobby(desk)
    code = await code_of(desk)
    for _ in range(2):
        refused = flat(await knock(desk, "Anna", f"join {code}"))
        assert "You have three strikes" in refused
    assert len(await barred_letters(desk)) == 1
    assert "By the rules" in refused
    await join(desk, "Bartek")
    told = await ask(desk, "Anna", "profile")
    assert "three strikes over all games" in told
    assert "showed ibis around" in told
    await gm.pardon(desk.services, "stork", "Anna", "it was Mei", GRETA)
    await join(desk, "Anna")
    told = await ask(desk, "Anna", "profile")
    assert "Three strikes" not in told
    assert "(pardoned: it was Mei)" in told


async def test_the_third_strike_between_the_question_and_the_yes_counts(desk: Desk) -> None:
    await open_lobby(desk)
    await knock(desk, "Anna", f"join {await code_of(desk)}")
    question = desk.letters("Anna")[-1]
    async with desk.services.database.write() as work:
        await work.people.add_address(
            await work.people.add(name="Anna", locale="en", time_zone="UTC", created_at=NOON),
            "mail",
            address_of("Anna"),
            "confirmed",
        )
    await strike_three_times(desk)
    assert "You have three strikes" in flat(await answer(desk, "Anna", "yes", to=question))
    assert len(await barred_letters(desk)) == 1


async def test_whoever_was_barred_after_the_invitation_is_not_dealt_in(desk: Desk) -> None:
    await open_lobby(desk)
    for name in ("Bartek", "Anna", "Chloé"):
        await gm.invite(desk.services, "heron", name, address_of(name), GRETA)
    await desk.work()
    await strike_three_times(desk)
    assert await gm.start(desk.services, "heron", GRETA) == 2
    await desk.work()
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug("heron")
        assert game is not None
        seats = await work.seats.list_of_game(game.id)
    assert [(seat.number, seat.name) for seat in seats] == [(1, "Bartek"), (2, "Chloé")]
    (told,) = await barred_letters(desk)
    assert "We kept a seat for Anna in Heron, and give it up" in " ".join(told.split())
    assert "You have three strikes" in flat(desk.letters("Anna")[-1])
    assert "Anna" not in text_of(desk.last("Chloé", "welcome"))


async def test_a_seat_that_was_kept_is_free_again_when_somebody_barred_says_yes(desk: Desk) -> None:
    await open_lobby(desk)
    await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), GRETA)
    await desk.work()
    invitation = desk.letters("Anna")[-1]
    await strike_three_times(desk)
    assert "You have three strikes" in flat(await answer(desk, "Anna", "yes", to=invitation))
    async with desk.services.database.read() as work:
        assert await work.seats.list_of_game(1) == []
    assert len(await barred_letters(desk)) == 1
