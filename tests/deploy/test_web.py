"""The sample for a web server lets pages of an archive do what they need, and nothing else."""

import re
import tomllib
from pathlib import Path

from pbem.archive.house import house_page
from pbem.sample import SAMPLE
from tests.archive.markup import Found, read_markup
from tests.archive.shelves import HALL, ON_THE_WEB, cards
from tests.archive.test_pages import texts
from tests.deploy.programs import DEPLOY

CADDYFILE = (DEPLOY / "web" / "Caddyfile").read_text("utf-8")
UNIT = (DEPLOY / "systemd" / "pbem-archive.conf").read_text("utf-8")


def policy() -> dict[str, list[str]]:
    found = re.search(r'Content-Security-Policy "([^"]+)"', CADDYFILE)
    assert found is not None
    rows = (rule.split() for rule in found[1].split(";"))
    return {name: allowed for name, *allowed in rows}


def pages() -> dict[str, str]:
    made = {path: text for path, text in texts(1, 5, 60).items() if path.endswith(".html")}
    return made | {"house": house_page(ON_THE_WEB, cards(), HALL)}


def test_nothing_is_loaded_from_elsewhere_and_nothing_sent() -> None:
    rules = policy()
    assert rules["default-src"] == ["'none'"], "so neither frames, nor fetches, nor media"
    for name, allowed in rules.items():
        assert not [one for one in allowed if "*" in one or "http" in one], name
    assert rules["form-action"] == rules["base-uri"] == rules["frame-ancestors"] == ["'none'"]


def test_every_page_gets_by_with_the_policy() -> None:
    made = pages()
    assert len(made) > 10
    for path in sorted(made):
        _gets_by(path, read_markup(made[path]))


def _gets_by(path: str, found: Found) -> None:
    rules = policy()
    here = {"script": "script-src", "img": "img-src", "link": "style-src"}
    for tag, name in here.items():
        for given in found.all(tag):
            url = given.get("src", "") if tag != "link" else ""
            assert not re.match(r"(?!data:)[a-z]+:|//", url), (path, url)
            if url:
                assert "'self'" in rules[name]
    assert "'unsafe-inline'" in rules["style-src"]
    assert "'unsafe-inline'" in rules["script-src"]
    assert not [key for _, given in found.tags for key in given if key.startswith("on")], path
    for tag in ("iframe", "object", "embed", "base"):
        assert found.all(tag) == [], path


def test_the_folder_is_the_same_in_every_sample() -> None:
    (folder,) = re.findall(r"^\s*root \* (\S+)$", CADDYFILE, re.MULTILINE)
    assert f"ReadWritePaths={folder}\n" in UNIT
    given = re.search(r"^# (folder = .*)$", SAMPLE, re.MULTILINE)
    assert given is not None
    assert tomllib.loads(given[1])["folder"] == folder
    assert f"{folder}\n" in (DEPLOY.parent / "docs" / "operators.md").read_text("utf-8")
    assert not Path(folder).is_relative_to("/var/lib/pbem"), "only the service may enter there"


def test_what_the_writer_keeps_for_itself_is_not_served() -> None:
    assert re.search(r"@hidden path \*/\.\*\n\s*respond @hidden 404", CADDYFILE)
    assert CADDYFILE.count("{") == CADDYFILE.count("}")
