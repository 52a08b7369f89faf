"""The words about press (`press`, `press list`, `mute Ben`, `unmute Ben`, `digest daily`), and what
press a table allows.
"""

from collections.abc import Sequence
from typing import get_args

import msgspec

from pbem.desk.gm.command import commanded
from pbem.desk.gm.playable import check_press
from pbem.desk.mandate import By, Refused, lock_game
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.ports import Desk
from pbem.desk.press.digest import tell_waiting
from pbem.desk.press.readers import (
    DIGEST,
    EVERYBODY,
    GREY,
    due_at,
    format_muted,
    may_read,
    mute_name,
    parse_muted,
    roll_of,
)
from pbem.desk.press.relay import piece_for
from pbem.desk.table import OpenTable, encode_settings, load_table
from pbem.grammar.addressees import Doubt, find_readers
from pbem.grammar.house import commands as c
from pbem.grammar.press_rules import PressChange, PressRules, apply_change, format_press_rules
from pbem.pages.kit.usual import UsualPages
from pbem.pages.notice import Notice
from pbem.pages.page import Page
from pbem.pages.press import (
    DigestSet,
    Piece,
    PressExplained,
    PressListed,
    PressMuted,
    PressRulesChanged,
    RulesFacts,
)
from pbem.store.repositories.post.press import PressRow


def rules_facts(table: OpenTable) -> RulesFacts:
    """The rules of a table."""
    return facts_of(table.settings.press, table.kind.pages)


def facts_of(rules: PressRules, pages: UsualPages) -> RulesFacts:
    """As pages tell it, in the words of the game for its phases."""
    closed_in = tuple(map(pages.phase_name, rules.closed_in))
    return RulesFacts(**msgspec.structs.asdict(rules) | {"closed_in": closed_in})


async def set_press(services: Desk, slug: str, change: PressChange, by: By) -> str:
    """Change what press a table allows, and tell everybody; the rules as they now are, in words.
    Press that waits is told as it was.
    """
    async with commanded(services, by, "gm.press.written") as tx:
        game = await lock_game(tx.work, slug)
        table = await load_table(tx, game)
        rules = apply_change(table.settings.press, change)
        check_press(rules, table.kind.ruleset.windows)
        if rules == table.settings.press:
            raise Refused("no-change", "press is so already; nobody was told anything")
        entry = await tx.log("game press", {"press": format_press_rules(change)}, game.id)
        await tx.work.games.set_settings(
            game.id, encode_settings(msgspec.structs.replace(table.settings, press=rules))
        )
        await tx.tell(
            table,
            PressRulesChanged(facts_of(rules, table.kind.pages), by.name),
            "press-rules",
            f"press-rules:{entry}",
        )
    return format_press_rules(rules)


PressWord = c.PressHelp | c.Letter | c.PressList | c.Mute | c.Unmute | c.Digest
PRESS_WORDS = get_args(PressWord)
LISTED = 30
LISTED_WITH_HELP = 3
LISTED_CHARACTERS = 40_000


async def answer_press_word(talk: Conversation[Player], command: PressWord) -> Page | Notice:
    """The page that answers one of the words."""
    match command:
        case c.PressList():
            return await _list(talk)
        case c.Mute(whom=whom) | c.Unmute(whom=whom):
            return await _mute(talk, whom, is_muted=isinstance(command, c.Mute))
        case c.Digest(when=when):
            return await _digest(talk, when)
    return await _how(talk)


async def _how(talk: Conversation[Player]) -> Notice:
    """A bare `press` sends nothing: it is too easily the beginning of something that was not
    finished.
    """
    name = next(
        (
            seat.name
            for seat in talk.table.seats
            if seat.id != talk.seat.id and seat.status != "left"
        ),
        "NAME",
    )
    pieces = await _pieces(talk)
    return PressExplained(rules_facts(talk.table), name, pieces[-LISTED_WITH_HELP:])


async def _list(talk: Conversation[Player]) -> Notice:
    pieces = await _pieces(talk)
    shown, room = 0, LISTED_CHARACTERS
    for piece in reversed(pieces[-LISTED:]):
        room -= len(piece.text)
        if room < 0 and shown:
            break
        shown += 1
    newest = pieces[len(pieces) - shown :]
    return PressListed(newest, older=len(pieces) - shown)


async def _pieces(talk: Conversation[Player]) -> Sequence[Piece]:
    """All that the reader may see, the oldest first, muted or not; what is for some alone only from
    when the seat was this reader's.
    """
    rows = await talk.work.press.list_of_game(talk.table.game.id)
    own = [
        row
        for row in await talk.work.seats.list_tenures(talk.seat.id)
        if row.person_id == talk.seat.person_id
    ]

    def is_theirs(row: PressRow) -> bool:
        return row.kind == "public" or any(
            (tenure.since < row.created_at or tenure.tenure == own[0].tenure == 1)
            and (tenure.until is None or row.created_at <= tenure.until)
            for tenure in own
        )

    return [
        piece_for(talk.table, row, talk.seat.number)
        for row in rows
        if row.text and may_read(row, talk.seat) and is_theirs(row)
    ]


async def _mute(talk: Conversation[Player], written: str, *, is_muted: bool) -> Notice:
    """Choose whose press is not told; of nobody else's business."""
    person_id, game_id = talk.seat.person_id, talk.table.game.id
    roll = roll_of(talk.table, talk.seat)
    names = {
        str(member.number): member.name
        for member in roll.members
        if member.number != talk.seat.number
    }
    before = parse_muted(
        await talk.work.preferences.get(person_id, mute_name(game_id))
        if person_id is not None
        else None
    )
    meant = _meant(written, talk)
    muted = before
    if meant is not None:
        muted = (
            before | meant if is_muted else frozenset() if EVERYBODY in meant else before - meant
        )
        if person_id is not None:
            await talk.work.preferences.put(person_id, mute_name(game_id), format_muted(muted))
    shown = [names.get(one, "grey press" if one == GREY else one) for one in sorted(muted)]
    return PressMuted(
        shown, "" if meant is not None else written, list(names.values()) if meant is None else ()
    )


def _meant(written: str, talk: Conversation[Player]) -> frozenset[str] | None:
    """Whose press is meant; None: nobody's that we know beyond doubt."""
    if written in (EVERYBODY, GREY):
        return frozenset({written})
    try:
        to = find_readers(written, roll_of(talk.table, talk.seat), grey=False)
    except Doubt:
        return None
    if not to.players or to.gm or to.observers:
        return None
    return frozenset(map(str, to.players))


async def _digest(talk: Conversation[Player], digest: c.DigestTime | c.Unclear) -> Notice:
    person_id = talk.seat.person_id
    if person_id is not None and not isinstance(digest, c.Unclear):
        await talk.work.preferences.put(person_id, DIGEST, None if digest == "at once" else digest)
        await talk.work.press.let_wait_until(
            person_id, due_at(digest, talk.now(), talk.reader.zone)
        )
        if digest == "at once":  # what waits is older than whatever comes from now on
            await tell_waiting(talk, person_id)
    kept = await talk.work.preferences.get(person_id, DIGEST) if person_id is not None else None
    return DigestSet(kept or "at once", digest.written if isinstance(digest, c.Unclear) else "")
