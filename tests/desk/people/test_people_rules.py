"""What a table says about its people: at its opening, at any time, told to everybody, shown to who
asks.
"""

import msgspec

from pbem.desk.gm.table_rules import read_rules, set_people
from pbem.desk.table import decode_settings
from pbem.grammar.people_rules import PeopleRules
from tests.desk.commanding import refused
from tests.desk.harness import Desk, address_of
from tests.desk.lobbies import flat, game_of, to_gm
from tests.desk.mastery import command, gm_last
from tests.desk.visitors import BY, look_on, subjects
from tests.played import PLAYED


async def rules_of(desk: Desk, slug: str = "heron") -> PeopleRules:
    return decode_settings(await game_of(desk, slug)).people


async def test_they_are_said_when_a_table_is_opened_and_stand_in_the_invitation(desk: Desk) -> None:
    await desk.open_game(2, slug="swan")
    await command(
        desk,
        f"new game Heron: {PLAYED}, 2 to 5 players, nmr 2 then substitute, resigned gm, least reliability 80, takeover first come\n"
        f"heron: invite Mei {address_of('Mei')}",
        answering=gm_last(desk),
    )
    wanted = PeopleRules(
        nmr_count=2,
        nmr_then="substitute",
        resigned="gm",
        least_reliability=80,
        takeovers="first",
        first_nmr="wait",
    )
    assert await rules_of(desk) == wanted
    invited = flat(desk.last("Mei"))
    assert "2 phases in a row" in invited
    assert "80 %" in invited.replace("\N{NO-BREAK SPACE}", " ") or "80 of 100" in invited
    status = await command(desk, "status heron", answering=gm_last(desk))
    assert "If a player misses 2 phases in a row" in " ".join(status.split())


async def test_a_change_is_told_to_everybody_and_shown_by_status(desk: Desk) -> None:
    await desk.open_game()
    answer = await command(
        desk,
        "heron: set people nmr 3 then defaults, resignation eliminate",
        answering=gm_last(desk),
    )
    assert "We tell everybody" in answer
    told = flat(desk.last("Bartek", "The rules about people have changed"))
    assert "nmr 3 then defaults" in told
    shown = flat(await desk.write("Anna", "status"))
    assert "3 phases in a row" in shown
    assert (
        await refused(
            set_people(desk.services, "heron", {"nmr_count": 3, "nmr_then": "defaults"}, BY)
        )
        == "no-change"
    )
    async with desk.services.read() as tx:
        said = await read_rules(tx, "heron")
    assert "nmr 3 then defaults" in said
    assert "takeovers gm" in said
    assert "rules about people changed; options nmr 3 then defaults" in flat(
        await desk.write("Bartek", "log")
    )


async def test_observers_off_sends_those_away_who_look_on(desk: Desk) -> None:
    await desk.open_game()
    await look_on(desk, "Wanda")
    await command(desk, "heron: observers off", answering=gm_last(desk))
    assert "no longer has observers" in subjects(desk, "Wanda")[-1]
    before = len(subjects(desk, "Wanda"))
    await command(desk, "heron: observers on", answering=gm_last(desk))
    await desk.everybody_passes()
    assert len(subjects(desk, "Wanda")) == before, "whoever was sent away asks again"
    assert await rules_of(desk) == PeopleRules()
    assert (
        msgspec.json.decode(msgspec.json.encode(await rules_of(desk)), type=PeopleRules)
        == PeopleRules()
    )
    assert to_gm(desk)
