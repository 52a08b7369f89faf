"""`pbem game record` and `pbem verify FILE`: a file that comes from anywhere, checked without any
configuration.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.record.record import MOST_OCTETS
from tests.cli.operator import Operator, Said
from tests.played import GAMES, PLAYED

HEX = "0" * 64


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Operator:
    """A table of three whose game was broken off at once."""
    seated = Operator.at(tmp_path_factory.mktemp("ended"))
    seated.seat_three()
    assert seated.types("game", "start", "heron").status == 0
    early = seated.types("game", "record", "heron", "--out", str(seated.folder / "early.json"))
    assert (early.status, early.err) == (
        4,
        "pbem: heron is not over; its seed and its orders are secret until then\n",
    )
    assert not (seated.folder / "early.json").exists()
    assert seated.types("verify", "heron", "--draws").status == 4
    assert seated.types("game", "end", "heron", "--yes").status == 0
    return seated


@pytest.fixture(scope="module")
def file(ended: Operator) -> Path:
    path = ended.folder / "heron-record.json"
    said = ended.types("game", "record", "heron", "--out", str(path))
    assert said.status == 0, said.err
    assert said.out.startswith(
        f"Wrote {path}. Anyone with this file can check the game: pbem verify heron-record.json\nFingerprint "
    )
    return path


def verified(folder: Path, told: Any, *words: str) -> Said:
    """Somebody with a file and nothing else."""
    path = folder / "x.json"
    path.write_bytes(told if isinstance(told, bytes) else json.dumps(told).encode())
    (folder / "pbem.toml").write_text("this is no configuration")
    return Operator(folder).types("verify", str(path), *words)


def test_a_record_that_is_as_it_was_played_is_told_so(ended: Operator, file: Path) -> None:
    told = json.loads(file.read_bytes())
    said = ended.types("verify", str(file))
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines() == [
        f"{file}: Heron, {PLAYED} by rules version {told['ruleset_version']}, 3 players, 1 phase, broken off",
        "Every draw, state and event matches the record.",
        f"Commitment   {told['commitment']}",
        "             must be the same as in your welcome mail; --commitment HEX compares them",
        f"Fingerprint  {told['phases'][-1]['seal']}",
        "             must be the same as in the game's last mail; --fingerprint HEX compares them",
    ]


def test_a_record_is_not_overwritten_unasked_and_can_go_to_the_standard_output(
    ended: Operator, file: Path
) -> None:
    before = file.read_bytes()
    said = ended.types("game", "record", "heron", "--out", str(file))
    assert (said.status, said.err) == (4, f"pbem: {file} already exists; --force overwrites it\n")
    assert ended.types("game", "record", "heron", "--out", str(file), "--force").status == 0
    assert file.read_bytes() == before
    assert ended.types("game", "record", "heron", "--out", "-").out.encode() == before
    assert ended.types("game", "record", "heron", "--out", str(file / "below")).status == 2
    assert ended.types("game", "record", "ibis", "--out", "-").status == 3


def test_the_numbers_of_the_welcome_and_of_the_last_letter_are_compared(
    ended: Operator, file: Path
) -> None:
    told = json.loads(file.read_bytes())
    right = (
        "--commitment",
        told["commitment"].upper(),
        "--fingerprint",
        told["phases"][-1]["seal"],
    )
    for what in (str(file), "heron"):
        assert ended.types("verify", what, *right).status == 0
        wrong = ended.types("verify", what, "--commitment", HEX)
        assert wrong.status == 1
        assert (
            f"the commitment differs from yours: the record has {told['commitment']}\n" in wrong.out
        )
        assert (
            "the fingerprint differs from yours"
            in ended.types("verify", what, "--fingerprint", HEX).out
        )


def test_every_draw_can_be_listed(ended: Operator, file: Path) -> None:
    told = json.loads(file.read_bytes())
    for what in (str(file), "heron"):
        lines = ended.types("verify", what, "--draws").out.splitlines()
        table = lines[
            lines.index(next(line for line in lines if line.startswith(" draw  phase"))) + 1 :
        ]
        assert table[0].split("  ")[-1].strip() == ", ".join(told["start"]["draws"][0]["result"])
        assert [line.split()[0] for line in table if line[:5].strip().isdigit()] == [
            str(draw["place"]) for draw in told["start"]["draws"]
        ]
        assert all(draw["label"] in "\n".join(table) for draw in told["start"]["draws"])
        assert all(len(line) <= 110 for line in table)


def test_a_swapped_card_a_changed_option_and_another_seed_are_named(
    tmp_path: Path, file: Path
) -> None:
    told = json.loads(file.read_bytes())
    deck = told["start"]["draws"][1]["result"]
    at = next(index for index, card in enumerate(deck) if card != deck[0])
    deck[0], deck[at] = deck[at], deck[0]
    swapped = verified(tmp_path, told)
    assert swapped.status == 1
    assert (
        f"draw 1 (event deck), number 1 of {len(deck)}: the record says {deck[0]}; the replay makes {deck[at]}\n"
        in swapped.out
    )
    assert "The start is the first that differs in the replay.\n" in swapped.out

    told = json.loads(file.read_bytes())
    told["options"]["island"] = True
    assert "the option island" in verified(tmp_path, told).out

    told = json.loads(file.read_bytes())
    told["seed"] = HEX
    assert (
        "the seed is not the one that was committed to: its SHA-256 is "
        in verified(tmp_path, told).out
    )


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "it ends too early"),
        (b"not json", "it cannot be read: "),
        (b"[" * 100_000, "it is no whole record: "),
        (b"\x00\xff" * 100, "it cannot be read: "),
        (
            b'{"format":"pbem-record","version":9}',
            "it is a record of version 9; this program reads version 1",
        ),
        (b'{"format":"pbem-record","version":1}', "it is no whole record: "),
        (b" " * (MOST_OCTETS + 2), "it is too big"),
    ],
)
def test_what_is_no_record_is_a_line_and_no_traceback(
    tmp_path: Path, raw: bytes, said: str
) -> None:
    told = verified(tmp_path, raw)
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith(f"pbem: cannot check {tmp_path / 'x.json'}: ")
    assert said in told.err
    assert told.err.count("\n") == 1


def test_a_game_that_nobody_here_plays_and_rules_of_another_version_are_told(
    tmp_path: Path, file: Path
) -> None:
    told = json.loads(file.read_bytes())
    told["ruleset"] = "chess"
    unknown = verified(tmp_path, told)
    known = f"this program plays {', '.join(GAMES)}"
    assert (unknown.status, unknown.err) == (
        1,
        f"pbem: {tmp_path / 'x.json'} is a record of 'chess'; {known}\n",
    )
    told = json.loads(file.read_bytes())
    version, told["ruleset_version"] = told["ruleset_version"], "0"
    other = verified(tmp_path, told)
    assert (
        f"The game was played by rules version 0; this program plays version {version}."
        in other.out
    )
    assert "the start is not as it was sealed" in other.out


def test_a_file_that_is_not_there_is_no_game_either(ended: Operator, tmp_path: Path) -> None:
    for name in ("nothing.json", str(tmp_path / "nothing")):
        said = ended.types("verify", name)
        assert (said.status, said.err) == (2, f"pbem: there is no file {name}\n")
    assert ended.types("verify", "ibis").status == 3
