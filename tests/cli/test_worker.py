"""`pbem worker` and `pbem serve` say before anything else when they cannot share the work."""

from pathlib import Path

import pytest

from tests.cli.operator import CONFIG, Operator

SHARED = '\n[broker]\nurl = "redis://127.0.0.1:1/0"\n'


@pytest.mark.parametrize(
    ("words", "more", "told"),
    [
        (("worker",), "", "broker.url: a worker needs to know the Redis"),
        (("worker",), SHARED, "database.url: worker processes cannot share an SQLite file"),
        (("serve",), SHARED, "broker.url: worker processes cannot share an SQLite file"),
        (("serve",), SHARED + 'url_file = "x"\n', "broker: give url or url_file, not both"),
        (
            ("worker",),
            '\n[broker]\nurl_file = "/nowhere/redis-url"\n',
            "broker.url_file: cannot read /nowhere/redis-url",
        ),
        (
            ("game", "list"),
            '\n[database]\nurl = "mysql://x/y"\n',
            "database.url: the store does not know",
        ),
        (("worker", "--threads", "0"), SHARED, "Invalid value"),
    ],
)
def test_what_cannot_be_shared_is_told_as_a_usage_error(
    tmp_path: Path, words: tuple[str, ...], more: str, told: str
) -> None:
    said = Operator.at(tmp_path, CONFIG + more).types(*words)
    assert said.status == 2
    assert told in said.err


def test_a_broker_may_be_named_in_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "redis-url"
    secret.write_text("redis://:secret@127.0.0.1:1/0\n", encoding="utf-8")
    said = Operator.at(tmp_path, CONFIG + f'\n[broker]\nurl_file = "{secret}"\n').types("worker")
    assert "database.url" in said.err
    assert "secret" not in said.err
