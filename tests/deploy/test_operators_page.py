"""What the operator's page tells to copy, to set and to write is there."""

import re
import tomllib
from pathlib import Path

import pytest
from pydantic import SecretStr

from pbem.config import Config, keys_of, load_config
from pbem.sample import SAMPLE
from tests.deploy.programs import DEPLOY
from tests.rows import each_row

ROOT = DEPLOY.parent
PAGE = (ROOT / "docs" / "operators.md").read_text("utf-8")
SETTINGS = (ROOT / "docs" / "operators-settings.md").read_text("utf-8")
YOURS = "deploy/local/"


@each_row("named", sorted(set(re.findall(r"(?<![\w/])deploy/[\w./*-]*\w\*?", PAGE))))
def test_every_sample_that_is_named_is_there(named: str) -> None:
    if not named.startswith(YOURS):
        assert list(ROOT.glob(named)), named


OF_DEBIAN = (
    *("/etc/", "/etc/dovecot/", "/etc/pbem/", "/etc/postfix/", "/etc/systemd/system/"),
    *("/etc/tmpfiles.d/", "/usr/local/bin/"),
)
"""Folders that bare Debian 12, the packages that the page names, or our tmpfiles.d make."""


def test_whatever_is_copied_goes_into_a_folder_that_is_there_f_101() -> None:
    """F-101: `/etc/sysusers.d` is not on bare Debian 12; `install -D` makes a folder."""
    copied = re.findall(
        r"^ +((?:cp|install) .*?deploy/\S+ (?:deploy/\S+ )*(/\S+))(?= &&|$)", PAGE, re.MULTILINE
    )
    assert len(copied) >= 6
    lost = [
        line
        for line, to in copied
        if " -D " not in line and f"{to.rpartition('/')[0]}/" not in OF_DEBIAN
    ]
    assert lost == []


def blocks() -> list[str]:
    """The pieces of pbem.toml on the page."""
    code = re.findall(r"(?:^    .*\n|^\n(?=    ))+", f"{PAGE}\n{SETTINGS}", re.MULTILINE)
    texts = [re.sub(r"^    ", "", block, flags=re.MULTILINE).strip() for block in code]
    return [text for text in texts if re.match(r"\[\w+\]", text)]


def test_there_are_some_pieces_of_configuration() -> None:
    assert len(blocks()) >= 4


@pytest.mark.parametrize("block", blocks())
def test_every_piece_of_configuration_can_be_used(block: str, tmp_path: Path) -> None:
    file = tmp_path / "pbem.toml"
    file.write_text(block, "utf-8")
    load_config(file)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"\bPBEM_[A-Z]+__\w+", PAGE))))
def test_every_variable_of_the_environment_is_a_setting(name: str) -> None:
    section, _, key = name.removeprefix("PBEM_").lower().partition("__")
    model = Config.model_fields[section].annotation
    assert model is not None
    assert key in model.model_fields


@pytest.mark.parametrize(
    "key", ["keep_raw_days", "hold_minutes", "authserv_id", "subaddressing", "password_file"]
)
def test_keys_that_the_page_speaks_of_are_settings(key: str) -> None:
    assert f"`{key}" in PAGE
    assert any(
        key in section.annotation.model_fields
        for section in Config.model_fields.values()
        if section.annotation is not None
    )


ALL_KEYS = [(section, key) for section in Config.model_fields for key in keys_of(section)]


def part_of(text: str, title: str) -> str:
    """What stands below the title of a section, up to the next one."""
    return re.split(r"^(?:## |\[\w+\]$)", text.partition(f"\n{title}\n")[2], flags=re.MULTILINE)[0]


@each_row(("section", "key"), ALL_KEYS)
def test_every_setting_is_in_what_init_writes_and_in_the_list_of_settings(
    section: str, key: str
) -> None:
    assert re.search(rf"(?:^|^# |or: ){key} = ", part_of(SAMPLE, f"[{section}]"), re.MULTILINE)
    row = next(
        line
        for line in part_of(SETTINGS, f"## `[{section}]`").splitlines()
        if re.match(rf"\|[^|]*`{key}`", line)
    )
    default = getattr(getattr(Config(), section), key)
    plain = default.get_secret_value() if isinstance(default, SecretStr) else default
    told = row.split("|")[2].strip().strip("`")
    if told == "none":
        assert not plain or key == "address"
    else:
        shown = tomllib.loads(f"x = {told}")["x"]
        assert shown == (
            list(plain)
            if isinstance(plain, tuple)
            else str(plain)
            if isinstance(plain, Path)
            else plain
        )


def test_the_list_of_settings_names_nothing_else() -> None:
    known = {key for _, key in ALL_KEYS}
    assert {
        key
        for row in re.findall(r"^\| (`[^|]+) \|", SETTINGS, re.MULTILINE)
        for key in re.findall(r"`(\w+)`", row)
    } <= known


def test_f105_the_key_that_signs_mails_is_long_and_no_hint_names_an_unpublished_package() -> None:
    assert "dkim_keygen -b 2048" in PAGE
    said = "".join(path.read_text("utf-8") for path in (ROOT / "pbem").rglob("*.py"))
    assert "pip install 'pbem[" not in said
