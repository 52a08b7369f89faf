"""The doctor and the bot: its token is asked about at Telegram, and never shown."""

from pathlib import Path

from pydantic import SecretStr

from pbem.config import Config, TelegramSection
from pbem.demo.telegram import TelegramStandIn
from pbem.doctor.telegram import check_bot, check_secrets
from pbem.findings import Grade
from tests.servers.telegram import telegram, telegram_clock

__all__ = ["telegram", "telegram_clock"]

WRONG = "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"


def config_with(**values: object) -> Config:
    # values of many kinds
    return Config.model_construct(telegram=TelegramSection(**values))  # type: ignore[arg-type]


async def test_a_token_is_asked_about_by_name(telegram: TelegramStandIn) -> None:
    finding = await check_bot(
        config_with(token=SecretStr(telegram.token), api_url=telegram.api_url)
    )
    assert finding is not None
    assert (finding.grade, telegram.username in finding.words) == (Grade.OK, True)


async def test_a_wrong_token_is_broken_and_not_shown(telegram: TelegramStandIn) -> None:
    finding = await check_bot(config_with(token=SecretStr(WRONG), api_url=telegram.api_url))
    assert finding is not None
    assert finding.grade is Grade.BROKEN
    assert WRONG not in f"{finding.words}{finding.mend}"


async def test_without_a_bot_there_is_nothing_to_look_at() -> None:
    assert await check_bot(config_with()) is None
    assert list(check_secrets(config_with())) == []


def test_a_token_that_is_none_or_open_to_all_is_told(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("swordfish\n")
    (finding,) = check_secrets(config_with(token_file=file))
    assert (finding.grade, "swordfish" in finding.words) == (Grade.BROKEN, False)
    file.write_text(f"{WRONG}\n")
    file.chmod(0o644)
    (finding,) = check_secrets(config_with(token_file=file))
    assert finding.grade is Grade.WARNING
    file.chmod(0o600)
    assert list(check_secrets(config_with(token_file=file))) == []
