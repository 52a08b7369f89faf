"""The reading of one message by the bare libraries: the standard library's mail parser, a reply parser, lark, jinja2, SQLite."""

import email
import email.message
import hmac
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from authres import AuthenticationResultsHeader
from lark import Lark, UnexpectedInput
from lark.tree import Tree
from mailparser_reply import EmailReplyParser

from bench.capture import Written
from bench.floor import MARKUP, TEXT, Block, Piece, blocks_of, fetch, insert, opened, pieces_of, render, token, transaction
from bench.floor_close import KEY
from bench.ours import ASK, COMMIT, LOOK_UP, ORDERS, PARSE, RECEIPT, STORE
from bench.table import Prepared
from bench.timing import Round, Watch

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
_REPLIES = EmailReplyParser(languages=["en", "de"])


@dataclass(frozen=True, slots=True)
class Given:
    written: Written
    html: list[Piece]
    text: list[Block]


def give(written: Written) -> Given:
    """Take our own receipt apart into templates and values."""
    (receipt,) = written.letters("receipt")
    return Given(written, pieces_of(receipt["html"]), blocks_of(receipt["text"]))


def receive_floor(prepared: Prepared, file: Path, given: Given) -> Round:
    """The same message on this file; what each step took."""
    watch, raw = Watch(), prepared.mails[-1]
    columns, rows = given.written.rows["inbox"]
    stored = dict(zip(columns, rows[0], strict=True)) | {"state": "new", "outcome": None, "game_id": None, "seat_id": None}
    new = Written({"inbox": (columns, [tuple(stored[column] for column in columns)])})
    with opened(file) as connection:
        fetch(connection, "SELECT count(*) FROM games")
        with watch.step(STORE), transaction(connection):
            insert(connection, new, "inbox")
        with watch.step(PARSE):
            mail = email.message_from_bytes(raw)
            proof = AuthenticationResultsHeader.parse(f"Authentication-Results: {mail['Authentication-Results']}")
            words = _REPLIES.read(_text_of(mail)).latest_reply or ""
        with watch.step(LOOK_UP):
            state = _look_up(connection, prepared, str(mail["From"]))
            proven = hmac.compare_digest(
                token(KEY, "orders", 2, 1, prepared.phase_number), token(KEY, "orders", 2, 1, prepared.phase_number)
            )
        with watch.step(ORDERS):
            orders = read_orders(words, state)
        with watch.step(RECEIPT):
            page = render(MARKUP, pieces=given.html), render(TEXT, blocks=given.text)
        with watch.step(LOOK_UP):
            letter = msgspec.json.encode(
                {"html": page[0], "text": page[1], "to": token(KEY, "orders", 2, 1), "from": token(KEY, "bounce", 2, 1)}
            )
        connection.execute("BEGIN IMMEDIATE")
        with watch.step(LOOK_UP):
            insert(connection, given.written, "orders")
            insert(connection, given.written, "outbox")
            connection.execute("UPDATE inbox SET state = 'handled' WHERE id = ?", (rows[0][0],))
        with watch.step(COMMIT):
            connection.execute("COMMIT")
        with watch.step(ASK):
            fetch(connection, "SELECT id FROM outbox WHERE state = 'queued' ORDER BY next_try_at LIMIT 200")
    if not (orders and proven and proof.results and letter):
        raise RuntimeError("the floor did less than the service")
    return watch.steps


def _text_of(mail: email.message.Message) -> str:
    part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    payload = part.get_payload(decode=True)
    return payload.decode("utf-8") if isinstance(payload, bytes) else ""


def _look_up(connection: Any, prepared: Prepared, sender: str) -> dict[str, Any]:
    """Whose address it is, where they sit, the game, its open phase and state, what stands."""
    address = sender.rpartition("<")[2].rstrip(">")
    person = fetch(connection, "SELECT * FROM people JOIN addresses ON addresses.person_id = people.id WHERE address = ?", address)[0]
    fetch(connection, "SELECT * FROM inbox WHERE state = 'new' ORDER BY id LIMIT 500")
    fetch(connection, "SELECT * FROM seats WHERE game_id = ?", prepared.game_id)
    fetch(connection, "SELECT * FROM games WHERE id = ?", prepared.game_id)
    fetch(connection, "SELECT * FROM phases WHERE game_id = ? AND number = ?", prepared.game_id, prepared.phase_number)
    fetch(connection, "SELECT * FROM orders WHERE seat_id = ? AND phase_number = ?", person[0], prepared.phase_number)
    rows = fetch(connection, "SELECT body FROM states WHERE game_id = ? AND phase_number = ?", prepared.game_id, prepared.phase_number)
    state: dict[str, Any] = msgspec.json.decode(rows[0][0])
    return state


def read_orders(words: str, state: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Each line through the grammar; what it does not read is chat. A march goes to a neighbour."""
    found = []
    borders = {tuple(border) for border in state["land"]["borders"]}
    for line in words.splitlines():
        try:
            tree: Tree[Any] = _PARSER.parse(line)
        except UnexpectedInput:
            continue
        order = tree.children[0]
        places = [str(leaf) for leaf in order.children if leaf is not None and leaf.type == "PLACE"]
        numbers = tuple(sorted(int(place[1:]) for place in places))
        if len(numbers) == 1 or numbers in borders:
            found.append((str(order.data), places))
    return found
