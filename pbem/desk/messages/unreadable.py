"""Messages too big or too broken to be read: whoever wrote one is told, and nothing is guessed."""

from pbem.desk.authentication.judging import Proven
from pbem.desk.envelope.handling import Handled, NotYet
from pbem.desk.messages.conversation import Conversation, open_conversation
from pbem.desk.table import load_table


async def answer_too_big(talk: Conversation[Proven]) -> Handled | NotYet:
    """A mail too big or too broken to be read: the player is told, nothing is guessed."""
    seat, refused = talk.writer.seat, talk.mail.refused or "too-big"
    game = await talk.work.games.find(seat.game_id)
    if game is None:
        return Handled("no-game", ignored=True)
    table = await load_table(talk.work, talk.services.games, game)
    player = await open_conversation(talk, table, seat)
    await player.answer(
        talk.services.pages.notices.unreadable(player.page_table(), player.reader, refused),
        "notice",
    )
    return Handled(f"unreadable:{refused}", game_id=game.id, seat_id=seat.id)


async def tell_unreadable(talk: Conversation[object]) -> Handled:
    """The same to somebody whom we know and who writes of no seat of theirs, or of one that nobody
    can tell. What our own mail server calls forged is not answered.
    """
    mail = talk.mail
    person = await talk.work.people.find_by_address(mail.channel, talk.address)
    if person is not None and mail.trust != "fail":
        known = talk.by(talk.writer, person)
        page = talk.services.pages.notices.unreadable(
            known.page_table(), known.reader, mail.refused or "too-big"
        )
        await known.answer(page, "notice", f"@{mail.channel}")
    return Handled(f"unreadable:{mail.refused}", ignored=True)
