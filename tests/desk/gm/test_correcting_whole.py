"""A correction by mail from its first word to the last letter: what follows of it at the close,
why, and a record that has it all.
"""

from pathlib import Path

from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.desk.upkeep.records import verify_game
from tests.desk.commanding import acts_of, logged, seats_of, state_of, to_orders
from tests.desk.harness import Desk, open_desk, text_of
from tests.desk.mastery import command, flat, gm_last
from tests.desk.upkeep.test_records import FILE, files_of, record_in

WHY = "the march of turn 1 was read wrongly"


async def homes_of(desk: Desk) -> dict[str, int]:
    return {player.name: player.start for player in (await state_of(desk, 2)).players}


async def do(desk: Desk, line: str) -> str:
    """A game master's line, confirmed; the answer."""
    await command(desk, line)
    return flat(await command(desk, "yes", answering=gm_last(desk, "Please confirm")))


async def ask(desk: Desk, name: str, text: str) -> str:
    return flat(text_of(await desk.write(name, text)))


def verify(folder: Path, name: str, raw: bytes) -> tuple[int, list[str]]:
    (folder / name).write_bytes(raw)
    said = CliRunner().invoke(app, ["verify", str(folder / name)])
    return said.exit_code, said.stdout.splitlines()


async def test_a_province_taken_away_and_an_elimination_undone_are_told_and_explained_and_recorded(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await to_orders(desk, 4)
        home = (await homes_of(desk))["Dmytro"]
        done = await do(desk, f"correct P{home} owner Anna because {WHY}")
        assert (
            f"P{home} is Anna's and no longer Dmytro's. We tell everybody, with your reason."
            in done
        )
        assert (await seats_of(desk))["Dmytro"].status == "active", (
            "nobody falls before the rules' own moment"
        )
        heard = []
        for _ in range(2):
            await desk.everybody_passes()
            heard.append(await ask(desk, "Bartek", "happened"))
        assert (await seats_of(desk))["Dmytro"].status == "eliminated"
        told = flat(text_of(desk.last("Bartek", "has corrected something")))
        assert f"P{home} is Anna's and no longer Dmytro's. The reason: {WHY}" in told
        letters = [flat(text_of(mail)) for mail in desk.letters("Chloé")]
        assert any("Dmytro is out" in text for text in letters), "told without a question"
        assert any("Out Dmytro is out, without a province. [PR-8.4]" in text for text in heard)
        said = await ask(desk, "Dmytro", f"why did I lose P{home}?")
        assert WHY in said
        said = await ask(desk, "Dmytro", "why was I eliminated?")
        assert "YOU IN TURN 1: OUT OF THE GAME" in said
        assert f'no longer Dmytro\'s. The reason given: "{WHY}"' in said

        await do(desk, f"correct P{home} owner nobody because {WHY}")
        done = await do(
            desk, f"undo the elimination of Dmytro in P{home} with 1 because his mail was lost"
        )
        assert "Dmytro is back in the game" in done
        assert (await seats_of(desk))["Dmytro"].status == "active"
        assert "his mail was lost" in flat(text_of(desk.last("Chloé", "corrected something")))
        said = await ask(desk, "Anna", f"why P{home}")
        assert f"P{home} is Dmytro's" in said
        assert "his mail was lost" in said
        await desk.everybody_passes()
        assert await verify_game(desk.services, "heron") == []
        last = desk.letters("Anna")[-1]
        assert "The Dragon has eliminated half of the players" in flat(text_of(last)), (
            "nobody has answered him"
        )
        record, raw = record_in(last), files_of(last)[FILE]
        detail = [entry[1]["reason"] for entry in await logged(desk) if entry[0] == "game correct"]
    assert detail == [WHY, WHY, "his mail was lost"]
    assert [act.act["reason"] for phase in record.phases for act in phase.acts] == detail
    assert [line for phase in record.phases for line in phase.course if line.startswith("gm")] == [
        "gm set-owner",
        "gm set-owner",
        "gm restore",
    ]
    status, lines = verify(tmp_path, FILE, raw)
    assert (status, lines[1]) == (0, "Every draw, state and event matches the record.")
    status, lines = verify(
        tmp_path, "bent.json", raw.replace(b"his mail was lost", b"his mail was late", 1)
    )
    assert status == 1
    place = next(phase.number for phase in record.phases if "gm restore" in phase.course)
    assert any(
        line.startswith(f"phase {place}: act 1 of the game master (restore) was changed")
        for line in lines
    ), lines


async def test_a_game_can_end_by_what_was_set_right(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await to_orders(desk)
        homes = await homes_of(desk)
        for name in ("Bartek", "Chloé"):
            await do(desk, f"correct P{homes[name]} owner Anna because {WHY}")
        assert len(await acts_of(desk)) == 2
        await desk.everybody_passes()
        last = flat(text_of(desk.last("Chloé", "Anna wins")))
        assert "Nobody else is left after 1 turn. [PR-14.1 14.4]" in last
        raw = files_of(desk.letters("Chloé")[-1])[FILE]
        assert await verify_game(desk.services, "heron") == []
    status, lines = verify(tmp_path, FILE, raw)
    assert (status, lines[1]) == (0, "Every draw, state and event matches the record.")
