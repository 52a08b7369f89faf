"""The policy of intake is whole: whoever writes, and however, a last line has an answer."""

from typing import Any, get_args

import pytest

from pbem.desk.authentication.judging import Verdict
from pbem.desk.envelope.message import MAIL, TELEGRAM, Message
from pbem.desk.messages.policy import POLICY, Heard


def blank(kind: Any) -> Any:
    """A verdict of this kind that says nothing."""
    return object.__new__(kind)


@pytest.mark.parametrize("channel", [MAIL, TELEGRAM])
@pytest.mark.parametrize("refused", [None, "too-large"])
@pytest.mark.parametrize("kind", get_args(Verdict), ids=lambda kind: kind.__name__)
def test_every_writer_has_a_line_that_is_about_nobody_else(
    kind: type[Any], refused: str | None, channel: Any
) -> None:
    mail = Message(
        channel,
        None,
        "",
        "a@b.example",
        "A",
        "",
        (),
        "pass",
        None,
        refused,
        "hello",
        None,
        None,
        (),
    )
    nobody: Any = None
    heard = Heard(nobody, nobody, nobody, mail, blank(kind))
    assert any(applies(heard) for applies, _ in POLICY)
