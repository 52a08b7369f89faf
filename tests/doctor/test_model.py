"""The doctor and the language model: it is asked about a message of nobody, and its key is never
shown.
"""

from pathlib import Path

import pytest
from pydantic import SecretStr

from pbem.config import Config, ConfigError, ReadingSection
from pbem.doctor.model import TRIED, check_key, check_model
from pbem.findings import Grade
from pbem.language_model import open_proposing
from pbem.model.stand_in import Body, ModelStandIn

KEY = "sk-of-the-house"


def config_with(**values: object) -> Config:
    # values of many kinds
    return Config.model_construct(reading=ReadingSection(**values))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "grade"),
    [
        (TRIED.orders[0], Grade.OK),
        ("Gladly!", Grade.WARNING),
        ("NONE", Grade.WARNING),
        (Body(KEY.encode(), 401), Grade.WARNING),
    ],
    ids=["well", "talks", "knows nothing", "refuses"],
)
async def test_a_model_is_tried(answer: str | Body, grade: Grade) -> None:
    async with ModelStandIn(answer) as server:
        config = config_with(model="small", url=server.url, key=SecretStr(KEY))
        finding = await check_model(config)
    assert finding is not None
    assert finding.grade is grade
    assert "small" in finding.words or "401" in finding.words
    assert KEY not in f"{finding.words}{finding.mend}"
    assert server.keys == [f"Bearer {KEY}"]


async def test_without_a_model_there_is_nothing_to_look_at() -> None:
    config = config_with(url="http://127.0.0.1:1/v1")
    assert await check_model(config) is None
    assert list(check_key(config)) == []
    async with open_proposing(config.reading) as proposing:
        assert proposing.model is None


def test_a_key_that_is_unfit_or_open_to_all_is_told(tmp_path: Path) -> None:
    file = tmp_path / "key"
    config = config_with(model="small", url="http://127.0.0.1:1/v1", key_file=file)
    (finding,) = check_key(config)
    assert finding.grade is Grade.BROKEN
    file.write_text("sword fish\n")
    (finding,) = check_key(config)
    assert (finding.grade, "sword" in finding.words) == (Grade.BROKEN, False)
    file.write_text(f"{KEY}\n")
    file.chmod(0o644)
    (finding,) = check_key(config)
    assert finding.grade is Grade.WARNING
    file.chmod(0o600)
    assert list(check_key(config)) == []
    assert config.reading.secret() == KEY


async def test_the_model_of_a_configuration_is_opened_with_its_budget() -> None:
    async with ModelStandIn("NONE") as server:
        section = config_with(
            model="small", url=f"{server.url}/", key=SecretStr(KEY), requests_a_day=7
        ).reading
        async with open_proposing(section) as proposing:
            assert proposing.a_day == 7
            assert proposing.model is not None
            assert await proposing.model.propose(TRIED) == ()
    assert KEY not in repr(section)


@pytest.mark.parametrize(
    "values",
    [
        {"model": "small"},
        {"model": "small", "url": "models.example.org"},
        {"model": "small", "url": f"https://{KEY}@models.example.org/v1"},
        {"model": "small", "url": "http://127.0.0.1/v1", "key": "a", "key_file": Path("b")},
        {"seconds": 0},
        {"seconds": 600},
        {"requests_a_day": -1},
    ],
    ids=repr,
)
def test_settings_that_fit_nothing_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        config_with(**values)


def test_a_key_with_other_signs_is_refused_without_being_shown() -> None:
    section = config_with(model="m", url="http://127.0.0.1/v1", key=SecretStr("schlüssel")).reading
    with pytest.raises(ConfigError) as error:
        section.secret()
    assert "schl" not in str(error.value)
