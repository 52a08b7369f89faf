"""The policy of intake is whole: whoever writes, and however, a last line of their own answers."""

from pathlib import Path
from typing import Any, get_args

import pytest

from pbem.desk.authentication.verdicts import Proven, Verdict
from pbem.desk.envelope.message import MAIL, TELEGRAM, Message, Outdated
from pbem.desk.messages.conversation import Conversation
from pbem.desk.messages.opening import Opened, open_mail, rules_of
from pbem.desk.messages.policy import POLICY, Judged, Line, handle_by_policy, judge_message
from pbem.desk.messages.table_names import NotTheirs
from pbem.grammar.house.statements import Said
from pbem.pages.page import Reader
from tests.desk.harness import open_desk
from tests.rows import each_row

WRITERS = (*get_args(Verdict), NotTheirs)
NOBODY: Any = None


def judged_of(kind: type[Any], channel: Any, refused: str | None) -> Judged:
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
    return _judged(mail, object.__new__(kind))


def _judged(mail: Message, writer: Any) -> Judged:
    reader = Reader(None, "A", "UTC")
    said = Said(mail.text)
    talk = Conversation(NOBODY, NOBODY, NOBODY, mail, writer, None, reader, "", said)
    return Judged(talk, Opened(NOBODY, mail))


def writers_of(line: Line, channel: Any, refused: str | None) -> set[str]:
    """The kinds of writers that a line is about."""
    return {kind.__name__ for kind in WRITERS if line.applies(judged_of(kind, channel, refused))}


@each_row("channel", [MAIL, TELEGRAM])
@each_row("refused", [None, "too-large"])
@each_row("kind", WRITERS)
def test_the_last_line_about_a_writer_is_about_nobody_else(
    kind: type[Any], refused: str | None, channel: Any
) -> None:
    judged = judged_of(kind, channel, refused)
    about = [line for line in POLICY if line.applies(judged)]
    assert about, "nobody answers"
    assert writers_of(about[-1], channel, refused) == {kind.__name__}


def test_the_envelope_comes_before_who_wrote() -> None:
    mail = Message(MAIL, None, "", None, "", "", (), "unknown", "bulk", None, "", None, None, ())
    unjudged = _judged(mail, None)
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
            judged = await judge_message(tx, Opened(row, mail))
            assert isinstance(judged.talk.writer, Proven)
            now = desk.clock.now()
            assert await tx.work.seats.replace_person(seat.id, seat.tenure, None, now)
            if comes_back:
                assert await tx.work.seats.replace_person(
                    seat.id, seat.tenure + 1, seat.person_id, now
                )
            with pytest.raises(Outdated):
                await handle_by_policy(judged)
