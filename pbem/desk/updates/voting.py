"""A tap on the question of a vote: it counts for whom it was asked, as long as the vote is open, in
whatever phase.
"""

from datetime import timedelta

from pbem.desk.chat.buttons import Vote
from pbem.desk.chat.over import end_buttons
from pbem.desk.chat.writing import MENU, MENU_EDIT, TAPS_A_DAY
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.messages.conversation import Conversation
from pbem.desk.phases.ballots import open_motions
from pbem.desk.phases.motions import answer_motion
from pbem.desk.table import load_table
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.taps import TapRow
from pbem.telegram.updates import Tapped


async def take_vote(
    talk: Conversation[object],
    tapped: Tapped,
    person: PersonRow,
    tap: TapRow,
    action: Vote,
) -> Handled:
    """Count the answer, the newest of a seat; the question is edited to it."""
    words, now = talk.services.pages.chat.words, talk.now()
    seat = await talk.work.seats.find(tap.seat_id) if tap.seat_id is not None else None
    game = await talk.work.games.lock(tap.game_id) if tap.game_id is not None else None
    if seat is None or game is None or seat.person_id != person.id or seat.tenure != tap.tenure:
        return Handled("tap-foreign", ignored=True, pop=words("foreign"), alert=True)
    table = await load_table(talk.work, talk.services.games, game)
    motion = next(
        (one for one in await open_motions(talk.work, table, now) if one.id == action.motion_id),
        None,
    )
    if motion is None or seat.status != "active":
        await end_buttons(
            talk.work,
            talk.services,
            tapped.chat_id,
            tapped.message_id,
            words("vote_over"),
            str(talk.row.id),
        )
        return Handled(
            "tap-closed",
            ignored=True,
            game_id=game.id,
            seat_id=seat.id,
            pop=words("vote_over"),
            alert=True,
        )
    if any(
        (one.seat_id, one.answer) == (seat.id, action.answer)
        for one in await talk.work.motions.list_ballots(motion.id)
    ):
        return Handled("tap-again", ignored=True, pop=words("voted", answer=action.answer))
    since = now - timedelta(days=1)
    if (
        await talk.work.outbox.count_to_address_since(
            TELEGRAM, str(tapped.chat_id), (MENU, MENU_EDIT), since
        )
        >= TAPS_A_DAY
    ):
        return Handled("tap-flood", ignored=True, pop=words("too_many"), alert=True)
    await answer_motion(talk.work, talk.services, table, motion, seat, action.answer, now)
    return Handled(
        "voted", game_id=game.id, seat_id=seat.id, pop=words("voted", answer=action.answer)
    )
