"""What is written into the folder of an archive, and what is left alone."""

from pathlib import Path

import pytest

from pbem.archive.folder import MANIFEST, read_files, write_files


def test_only_what_changed_is_written_and_only_ours_is_taken_away(tmp_path: Path) -> None:
    folder = tmp_path / "heron"
    first = write_files(folder, {"a/one.html": b"1", "index.html": b"2"})
    assert first.written == ("a/one.html", "index.html")
    (folder / "mine.txt").write_text("mine")
    second = write_files(folder, {"index.html": b"2", "b.js": b"3"})
    assert (second.written, second.removed) == (("b.js",), ("a/one.html",))
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        (MANIFEST, "b.js", "index.html", "mine.txt")
    )


def test_a_file_of_somebody_else_is_not_taken_for_ours(tmp_path: Path) -> None:
    (tmp_path / "board.webp").write_bytes(b"theirs")
    assert read_files(tmp_path, ("board.webp",)) == {}
    write_files(tmp_path, {"board.webp": b"ours"})
    assert read_files(tmp_path, ("board.webp", "other.webp")) == {"board.webp": b"ours"}


@pytest.mark.parametrize(
    "manifest", ["no list", '["../secret.txt"]', '["/etc/passwd"]', '{"a": 1}', '["gone.html"]']
)
def test_a_list_that_is_not_ours_takes_nothing_away(tmp_path: Path, manifest: str) -> None:
    folder = tmp_path / "heron"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (folder / MANIFEST).write_text(manifest)
    assert write_files(folder, {"index.html": b""}).removed == ()
    assert (tmp_path / "secret.txt").read_text() == "secret"


@pytest.mark.parametrize("path", ["../out.html", "/out.html", ""])
def test_nothing_is_written_outside_the_folder(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="within a folder"):
        write_files(tmp_path / "heron", {path: b""})
    assert not (tmp_path / "out.html").exists()


def test_what_was_begun_is_known_as_ours_and_leaves_no_half_file(tmp_path: Path) -> None:
    """A folder stands where a file should be written: the one before it is there, and it is
    known.
    """
    (tmp_path / "index.html").mkdir()
    with pytest.raises(OSError, match=r"index\.html"):
        write_files(tmp_path, {"one.js": b"1", "index.html": b"2"})
    assert not list(tmp_path.glob(".part-*"))
    (tmp_path / "index.html").rmdir()
    assert write_files(tmp_path, {"index.html": b"2"}).removed == ("one.js",)
