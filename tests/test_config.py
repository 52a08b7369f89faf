"""The configuration: defaults, file, environment; unknown keys are errors, secrets come from
files.
"""

from pathlib import Path

import pytest

from pbem.config import ConfigError, is_set_by, load_config
from pbem.sample import SAMPLE


def write(folder: Path, text: str) -> Path:
    path = folder / "pbem.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_sample_can_be_loaded(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, SAMPLE))
    assert config.service.address == "orders@example.org"
    assert config.gm.addresses == ("gm@example.org",)


def test_the_environment_goes_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_SMTP__HOST", "other.example")
    assert load_config(write(tmp_path, SAMPLE)).smtp.host == "other.example"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[service]\naddres = 'a@b.example'", "service.addres"),
        ("[telegraf]\n", "telegraf"),
        ("[service]\nzone = 'Mars/Olympus'", "service.zone"),
        ("[service]\naddress = 'nobody'", "service.address"),
        ("[imap]\nport = 'x'", "imap.port"),
        ("[imap]\npassword='a'\npassword_file='b'", "imap"),
    ],
)
def test_a_wrong_key_is_an_error_that_names_it(tmp_path: Path, text: str, names: str) -> None:
    with pytest.raises(ConfigError, match=names):
        load_config(write(tmp_path, text))


def test_a_secret_comes_from_its_file_and_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "word").write_text("swordfish\n")
    config = load_config(
        write(
            tmp_path,
            f"[imap]\npassword_file = '{tmp_path / 'word'}'\n[smtp]\npassword = 'open sesame'",
        )
    )
    assert config.imap.secret() == "swordfish"
    assert "open sesame" not in repr(config)


def test_where_a_server_is_may_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("postgresql+asyncpg://pbem:swordfish@db.example/pbem\n")
    config = load_config(
        write(
            tmp_path,
            f"[database]\nurl_file = '{tmp_path / 'url'}'\n[broker]\nurl_file = '{tmp_path / 'none'}'",
        )
    )
    assert config.database_url() == "postgresql+asyncpg://pbem:swordfish@db.example/pbem"
    with pytest.raises(ConfigError, match=r"broker\.url_file"):
        config.broker.address()
    with pytest.raises(ConfigError, match="not both"):
        load_config(write(tmp_path, "[database]\nurl = 'a'\nurl_file = 'b'"))


def test_the_data_directory_is_relative_to_the_file(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, "[service]\ndata_dir = 'games'"))
    assert config.service.data_dir == tmp_path / "games"
    assert config.database_url().endswith("games/pbem.sqlite")


def test_a_secrets_file_is_looked_for_beside_the_file_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "word").write_text("swordfish\n")
    config = load_config(
        write(
            tmp_path,
            "[imap]\npassword_file = 'word'\n[smtp]\npassword_file = '/run/secrets/smtp'\n",
        )
    )
    assert config.imap.secret() == "swordfish"
    assert config.smtp.password_file == Path("/run/secrets/smtp")
    assert "address" not in config.service.model_fields_set


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("token = '1:abcdefgh'\ntoken_file = 'x'", "not both"),
        ("mode = 'webhook'\ntoken = '1:abcdefgh'", "https"),
        (
            "mode = 'webhook'\ntoken = '1:abcdefgh'\nwebhook_url = 'https://x.example/t'\nwebhook_secret = 'short'",
            "16 to 256",
        ),
        ("mode = 'carrier pigeon'", "telegram.mode"),
    ],
)
def test_a_bot_that_cannot_work_is_told(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        load_config(write(tmp_path, f"[telegram]\n{text}\n"))


def test_a_bots_token_comes_from_its_file_and_is_not_shown(tmp_path: Path) -> None:
    assert not load_config(None).telegram.is_on
    (tmp_path / "token").write_text("123456:abcdefgh-ABC\n")
    config = load_config(write(tmp_path, f"[telegram]\ntoken_file = '{tmp_path / 'token'}'"))
    assert (config.telegram.is_on, config.telegram.secret()) == (True, "123456:abcdefgh-ABC")
    shown = load_config(write(tmp_path, "[telegram]\ntoken = '123456:abcdefgh-ABC'"))
    assert "abcdefgh" not in repr(shown)
    (tmp_path / "token").write_text("nonsense\n")
    with pytest.raises(ConfigError, match="not a bot's token"):
        config.telegram.secret()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "[service]\nadress = 'a@b.example'",
            "service.adress: there is no such key; did you mean address?",
        ),
        ("[servise]\nx = 1", "servise: there is no such section; did you mean service?"),
        ("zone = 'UTC'", "zone: it belongs in [service]"),
        ("[gm]\nsalary = 1", "gm.salary: there is no such key; choose one of addresses"),
        (
            "[service]\nrules_url = 'rules.html'",
            "service.rules_url: 'rules.html' is not the address of a page",
        ),
        (
            "[service]\nrules_url = 'https://a.example/#x'",
            "service.rules_url: 'https://a.example/#x' is not the address of a page",
        ),
    ],
)
def test_what_is_wrong_is_said_in_words_that_help(tmp_path: Path, text: str, line: str) -> None:
    with pytest.raises(ConfigError) as told:
        load_config(write(tmp_path, text))
    assert str(told.value).startswith(line)


def test_a_setting_in_the_environment_is_told_from_what_is_not_ours() -> None:
    assert is_set_by(["HOME", "PBEM_SERVICE__DATA_DIR"])
    assert is_set_by(["pbem_gm"])
    assert not is_set_by(["HOME", "PBEM_CONFIG", "PBEM_SERVICES__X", "PBEM_KILLS"])
