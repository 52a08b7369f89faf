"""The reading of one message by the bare libraries: the standard library's mail parser, a pattern
for quotes, lark, jinja2, SQLite.
"""

import email
import email.message
import hmac
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from authres import AuthenticationResultsHeader
from lark import Lark, Token, UnexpectedInput
from lark.tree import Tree

from bench.capture import Written
from bench.floor import (
    MARKUP,
    TEXT,
    Block,
    Opener,
    Piece,
    Store,
    blocks_of,
    insert,
    pieces_of,
    render,
    token,
)
from bench.floor_close import KEY
from bench.ours import ASK, COMMIT, LOOK_UP, ORDERS, PARSE, RECEIPT, STORE
from bench.table import Prepared
from bench.timing import Round, Watch
from pbem.store.packing import unpacked

GRAMMAR = r"""
    order: march | fortify | work | support
    march: GOLDEN? "march"i "!"? INT "unit"? "s"? "from" PLACE "to" PLACE
    fortify: GOLDEN? "fortify"i "!"? PLACE
    work: GOLDEN? "work"i ","? "work"i? "!"? PLACE
    support: GOLDEN? "support"i "!"? NAME "in" PLACE "from" PLACE
    GOLDEN: "golden"i
    PLACE.2: /p[1-9][0-9]*/i
    NAME: /[A-Za-z]+/
    %import common.INT
    %import common.WS
    %ignore WS
"""
_PARSER = Lark(GRAMMAR, start="order", parser="lalr")
_QUOTED = re.compile(r"^(?:On .+ wrote:|Am .+ schrieb .+:|>.*|-- )$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Given:
    written: Written
    html: list[Piece]
    text: list[Block]


def give(written: Written) -> Given:
    """Take our own receipt apart into templates and values."""
    (receipt,) = written.letters("receipt")
    return Given(written, pieces_of(receipt["html"]), blocks_of(receipt["text"]))


async def receive_floor(prepared: Prepared, file: Path, given: Given, opener: Opener) -> Round:
    """The same message on this file; what each step took."""
    watch, raw, number = Watch(), prepared.mails[-1], prepared.phase_number
    columns, rows = given.written.rows["inbox"]
    stored = dict(zip(columns, rows[0], strict=True)) | {
        "state": "new",
        "outcome": None,
        "game_id": None,
        "seat_id": None,
    }
    new = Written({"inbox": (columns, [tuple(stored[column] for column in columns)])})
    async with opener(file) as store:
        await store.fetch("SELECT count(*) FROM games")
        with watch.step(STORE):
            await store.begin()
            await insert(store, new, "inbox")
            await store.commit()
        with watch.step(LOOK_UP):
            await store.fetch("SELECT id FROM inbox WHERE state = 'new' ORDER BY id LIMIT 500")
            found = await store.fetch("SELECT raw FROM inbox WHERE id = ?", stored["id"])
            body = unpacked(found[0][0])
        with watch.step(PARSE):
            mail = email.message_from_bytes(body)
            proof = AuthenticationResultsHeader.parse(
                f"Authentication-Results: {mail['Authentication-Results']}"
            )
            words = _QUOTED.split(_text_of(mail), maxsplit=1)[0]
        with watch.step(LOOK_UP):
            await store.begin()
            state = await _look_up(store, prepared, str(mail["From"]))
            proven = hmac.compare_digest(
                token(KEY, "orders", 2, 1, number), token(KEY, "orders", 2, 1, number)
            )
        with watch.step(ORDERS):
            orders = read_orders(words, state)
        with watch.step(RECEIPT):
            page = render(MARKUP, pieces=given.html), render(TEXT, blocks=given.text)
        with watch.step(LOOK_UP):
            letter = msgspec.json.encode(
                {
                    "html": page[0],
                    "text": page[1],
                    "to": token(KEY, "orders", 2, 1),
                    "from": token(KEY, "bounce", 2, 1),
                }
            )
            await store.fetch(
                "SELECT max(version) FROM orders WHERE seat_id = ? AND phase_number = ?", 2, number
            )
            await insert(store, given.written, "orders")
            await store.fetch(
                "SELECT count(*) FROM outbox WHERE address = ? AND kind = 'receipt'",
                "bartek@players.example",
            )
            await store.fetch("SELECT value FROM secrets WHERE name = 'outbox-epoch'")
            await insert(store, given.written, "outbox")
            await store.change("UPDATE inbox SET state = 'handled' WHERE id = ?", [(stored["id"],)])
        with watch.step(COMMIT):
            await store.commit()
        with watch.step(ASK):
            await store.fetch(
                "SELECT id FROM outbox WHERE state = 'queued' ORDER BY next_try_at LIMIT 200"
            )
    if not (orders and proven and proof.results and letter) or raw != body:
        raise RuntimeError("the floor did less than the service")
    return watch.steps


def _text_of(mail: email.message.Message) -> str:
    part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    payload = part.get_payload(decode=True)
    return payload.decode("utf-8") if isinstance(payload, bytes) else ""


async def _look_up(store: Store, prepared: Prepared, sender: str) -> dict[str, Any]:
    """Whose address it is, where they sit, whether the mail is a copy, the game, its open phase and
    state, what stands.
    """
    address, game_id, number = (
        sender.rpartition("<")[2].rstrip(">"),
        prepared.game_id,
        prepared.phase_number,
    )
    person = (
        await store.fetch(
            "SELECT * FROM people JOIN addresses ON addresses.person_id = people.id WHERE"
            " address = ?",
            address,
        )
    )[0]
    await store.fetch("SELECT * FROM addresses WHERE person_id = ?", person[0])
    await store.fetch("SELECT * FROM seats WHERE person_id = ?", person[0])
    await store.fetch(
        "SELECT id, state FROM inbox WHERE message_key LIKE '<answer.2@players.example>|%'"
    )
    await store.fetch("SELECT * FROM seats WHERE game_id = ?", game_id)
    await store.fetch("SELECT * FROM games WHERE id = ?", game_id)
    await store.fetch("SELECT * FROM phases WHERE game_id = ? AND number = ?", game_id, number)
    await store.fetch(
        "SELECT * FROM orders WHERE seat_id = ? AND phase_number = ?", person[0], number
    )
    await store.fetch(
        "SELECT * FROM addresses JOIN seats ON seats.person_id = addresses.person_id WHERE"
        " game_id = ?",
        game_id,
    )
    rows = await store.fetch(
        "SELECT body FROM states WHERE game_id = ? AND phase_number = ?", game_id, number
    )
    state: dict[str, Any] = msgspec.json.decode(unpacked(rows[0][0]))
    return state


def read_orders(words: str, state: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Each line through the grammar; what it does not read is chat. A march goes to a neighbour."""
    found = []
    borders = {tuple(border) for border in state["land"]["borders"]}
    for line in words.splitlines():
        try:
            tree: Any = _PARSER.parse(line)
        except UnexpectedInput:
            continue
        order: Tree[Any] = tree.children[0]
        places = [
            str(leaf) for leaf in order.children if isinstance(leaf, Token) and leaf.type == "PLACE"
        ]
        numbers = tuple(sorted(int(place[1:]) for place in places))
        if len(numbers) == 1 or numbers in borders:
            found.append((str(order.data), places))
    return found
