"""The policy of intake is whole: whoever writes, and however, a last line of their own answers."""

from pathlib import Path
from typing import Any, get_args

import pytest

from pbem.desk.authentication.judging import Proven, Verdict
from pbem.desk.envelope.handling import Outdated
from pbem.desk.envelope.message import MAIL, TELEGRAM, Message
from pbem.desk.envelope.opened import Opened, rules_of
from pbem.desk.messages.naming import NotTheirs
from pbem.desk.messages.opening import open_mail
from pbem.desk.messages.policy import POLICY, Heard, Line, handle_by_policy, judge_message
from tests.desk.harness import open_desk

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
    return Heard(NOBODY, NOBODY, Opened(NOBODY, mail), mail, object.__new__(kind))


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
    unjudged = Heard(NOBODY, NOBODY, Opened(NOBODY, mail), mail, None)
    assert [line.applies(unjudged) for line in POLICY[:4]] == [False, False, True, True]
    assert not any(line.applies(unjudged) for line in POLICY[4:])


@pytest.mark.parametrize("comes_back", [False, True])
async def test_what_was_judged_of_a_seat_is_outdated_when_it_has_changed_hands_since(
    tmp_path: Path, *, comes_back: bool
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Anna", "bid 4", token=False, work=False)
        async with desk.services.write() as tx:
            row = (await tx.work.inbox.next_new(1))[0]
            raw = await tx.work.inbox.read_raw(row.id)
            seat = (await tx.work.seats.list_of_game(1))[0]
            assert raw is not None
            mail, _ = open_mail(raw, rules_of(desk.services.policy))
            heard = await judge_message(tx, Opened(row, mail))
            assert isinstance(heard.verdict, Proven)
            now = desk.clock.now()
            assert await tx.work.seats.replace_person(seat.id, seat.tenure, None, now)
            if comes_back:
                assert await tx.work.seats.replace_person(
                    seat.id, seat.tenure + 1, seat.person_id, now
                )
            with pytest.raises(Outdated):
                await handle_by_policy(heard)
