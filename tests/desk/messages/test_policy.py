"""The policy of intake is whole: whoever writes, and however, a last line of their own answers."""

from typing import Any, get_args

import pytest

from pbem.desk.authentication.judging import Verdict
from pbem.desk.envelope.message import MAIL, TELEGRAM, Message
from pbem.desk.envelope.opened import Opened
from pbem.desk.messages.naming import NotTheirs
from pbem.desk.messages.policy import POLICY, Heard, Line

WRITERS = (*get_args(Verdict), NotTheirs)
NOBODY: Any = None


def heard_of(kind: type[Any], channel: Any, refused: str | None) -> Heard:
    """A message of somebody of this kind, whose verdict says nothing else."""
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
    return Heard(NOBODY, Opened(NOBODY, mail), mail, object.__new__(kind))


def writers_of(line: Line, channel: Any, refused: str | None) -> set[str]:
    """The kinds of writers that a line is about."""
    return {kind.__name__ for kind in WRITERS if line.applies(heard_of(kind, channel, refused))}


@pytest.mark.parametrize("channel", [MAIL, TELEGRAM])
@pytest.mark.parametrize("refused", [None, "too-large"])
@pytest.mark.parametrize("kind", WRITERS, ids=lambda kind: kind.__name__)
def test_the_last_line_about_a_writer_is_about_nobody_else(
    kind: type[Any], refused: str | None, channel: Any
) -> None:
    heard = heard_of(kind, channel, refused)
    about = [line for line in POLICY if line.applies(heard)]
    assert about, "nobody answers"
    assert writers_of(about[-1], channel, refused) == {kind.__name__}


def test_the_envelope_comes_before_who_wrote() -> None:
    mail = Message(MAIL, None, "", None, "", "", (), "unknown", "bulk", None, "", None, None, ())
    unjudged = Heard(NOBODY, Opened(NOBODY, mail), mail, None)
    assert [line.applies(unjudged) for line in POLICY[:4]] == [False, False, True, True]
    assert not any(line.applies(unjudged) for line in POLICY[4:])
