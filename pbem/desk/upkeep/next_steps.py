"""What a game master may do next about each line of a table's status: words that stand ready, to be
sent back as they are or tapped.

Nothing here is done by itself, and what cannot be taken back is asked back as always. To a game
master who plays nothing is offered that only the orders of the others know.
"""

from pbem.pages.gm import NextStep, TableStatus

MOST_NOTES = 3


def next_steps(status: TableStatus) -> tuple[NextStep, ...]:
    """The steps in the order of the lines they are about; for a table that is over there are
    none.
    """
    match status.status:
        case "open":
            return _before_the_start(status)
        case "paused":
            return (
                NextStep("resume", f"{status.slug}: resume"),
                *_about_seats(status),
                *_about_notes(status),
            )
        case "running":
            return (*_about_the_clock(status), *_about_seats(status), *_about_notes(status))
    return ()


def _before_the_start(status: TableStatus) -> tuple[NextStep, ...]:
    sitting = sum(seat.accepted is not False and seat.status != "left" for seat in status.seats)
    steps = [NextStep("invite", f"{status.slug}: invite NAME ADDRESS", is_whole=False)]
    if sitting >= max(status.seats_least, 2):
        steps.insert(0, NextStep("start", f"{status.slug}: start"))
    return (*steps, *_about_notes(status))


def _about_the_clock(status: TableStatus) -> tuple[NextStep, ...]:
    steps = [
        NextStep(f"{request.kind}-{answer}", f"{status.slug}: {answer} {request.number}")
        for request in status.motions
        if request.kind == "request"
        for answer in ("grant", "refuse")
    ]
    steps.append(NextStep("extend", f"{status.slug}: extend by 24h"))
    all_in = not status.hides_answers and all(seat.answered for seat in status.seats if seat.asked)
    if all_in or status.attempts or status.held_since is not None:
        steps.append(NextStep("close", f"{status.slug}: close phase {status.phase_number}"))
    return (*steps, NextStep("pause", f"{status.slug}: pause"))


def _about_seats(status: TableStatus) -> tuple[NextStep, ...]:
    steps = []
    for seat in status.seats:
        if seat.idle:
            steps.append(NextStep("awake", f"{status.slug}: defaults {seat.name} off"))
        if seat.status == "left" or (
            seat.status == "active" and seat.address_state in ("suspended", "none")
        ):
            steps.append(
                NextStep(
                    "replace",
                    f"{status.slug}: replace {seat.name} with NAME ADDRESS",
                    is_whole=False,
                )
            )
    return tuple(steps)


def _about_notes(status: TableStatus) -> tuple[NextStep, ...]:
    steps = [NextStep("notes", f"{status.slug}: notes")] if status.notes else []
    for note in status.notes[:MOST_NOTES]:
        steps.append(NextStep("answer", f"answer {note.number}: ...", is_whole=False))
        steps.append(NextStep("dismiss", f"dismiss {note.number}"))
    return tuple(steps)
