"""`pbem profile` and `pbem hall-of-fame`."""

from datetime import UTC, datetime
from zipfile import ZipFile, is_zipfile

from pbem.store.repositories.results import NewResult
from pbem.store.work import Work
from tests.cli.operator import Operator

AT = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)


def book(operator: Operator) -> None:
    """Three sit at heron; the first wins it."""
    operator.seat_three()

    async def write(work: Work) -> None:
        for seat in await work.seats.list_of_game(1):
            won = seat.number == 1
            await work.results.add_once(
                NewResult(
                    1,
                    seat.id,
                    1,
                    seat.person_id,
                    seat.number,
                    3,
                    won=won,
                    prize=2500 if won else 0,
                    how="times-up",
                    at=AT,
                )
            )

    operator.keep(write)


def test_there_is_an_empty_hall_before_a_game_has_ended(operator: Operator) -> None:
    operator.types("game", "new", "heron")
    said = operator.types("hall-of-fame")
    assert (said.status, "No game has ended here yet." in said.out) == (0, True)
    assert operator.types("hall-of-fame", "--json").out == ""


def test_the_hall_of_fame_is_listed(operator: Operator) -> None:
    book(operator)
    assert "1  Anna" in operator.types("hall-of-fame").out
    first, *others = operator.types("hall-of-fame", "--json").json_lines
    assert first == {
        "rank": 1,
        "name": "Anna",
        "treasury": 2500,
        "wins": 1,
        "games": 1,
        "table": "",
        "took_over": False,
    }
    assert [line["rank"] for line in others] == [2, 2]


def test_a_profile_is_found_by_name_and_by_address(operator: Operator) -> None:
    book(operator)
    told = operator.types("profile", "ANNA")
    assert (told.status, told.out) == (0, operator.types("profile", "A@Players.example").out)
    assert "Treasury     2500 $Realm" in told.out
    assert "Heron" in told.out
    facts = operator.types("profile", "anna", "--json").json
    assert (facts["name"], facts["treasury"], facts["results"][0]["ended_at"]) == (
        "Anna",
        2500,
        AT.isoformat(),
    )
    assert "is_own" not in facts


def test_nobody_and_several_are_refused(operator: Operator) -> None:
    book(operator)
    assert operator.types("profile", "zoe@players.example").status == 3
    assert operator.types("profile", "Zoe").status == 3

    async def another(work: Work) -> None:
        person = await work.people.add(name="Anna", locale="en", time_zone="UTC", created_at=AT)
        await work.people.add_address(person, "mail", "anna@elsewhere.example", "confirmed")

    operator.keep(another)
    said = operator.types("profile", "Anna")
    assert said.status == 4
    assert "anna@elsewhere.example" in said.err


def test_a_pardon_is_told_with_what_still_stands(operator: Operator) -> None:
    operator.seat_three()
    assert operator.types("game", "start", "heron").status == 0
    assert operator.types("game", "strike", "heron", "Anna", "told everybody", "--yes").status == 0
    assert "told everybody" in operator.types("profile", "Anna").out
    said = operator.types("game", "pardon", "heron", "Anna", "it was Ben")
    assert (said.status, said.out) == (
        0,
        "heron: took back the strike of Anna; over all games 0 remain\n",
    )
    assert operator.types("game", "pardon", "heron", "Anna", "again").status == 4
    assert "pardoned: it was Ben" in operator.types("profile", "Anna").out


def test_a_person_is_written_into_a_file_that_only_its_owner_reads(operator: Operator) -> None:
    operator.seat_three()
    file = operator.folder / "anna.zip"
    said = operator.types("people", "export", "a@players.example", "--out", str(file), "--json")
    assert (said.status, said.json["file"]) == (0, str(file))
    assert (file.stat().st_mode & 0o777, is_zipfile(file)) == (0o600, True)
    with ZipFile(file) as packed:
        everything = b"".join(packed.read(name) for name in packed.namelist())
    assert (b"a@players.example" in everything, b"b@players.example" in everything) == (True, False)
    before = file.read_bytes()
    again = operator.types("people", "export", "a@players.example", "--out", str(file))
    assert (again.status, "--force" in again.err, file.read_bytes()) == (4, True, before)
    forced = operator.types("people", "export", "a@players.example", "--out", str(file), "--force")
    assert (forced.status, file.read_bytes()) == (0, before)
    unknown = operator.types("people", "export", "x@y.example", "--out", f"{file}.2")
    assert (unknown.status, list(operator.folder.glob("*.2*"))) == (3, [])
