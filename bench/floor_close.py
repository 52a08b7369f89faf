"""A close by the bare libraries, as one would write it in an afternoon: no rooms, no views, no
types, no event loop.
"""

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import resvg_py
from PIL import Image

from bench.capture import Made
from bench.floor import (
    MARKUP,
    TEXT,
    Block,
    Opener,
    Piece,
    blocks_of,
    calendar_file,
    insert,
    pieces_of,
    render,
    token,
)
from bench.ours import ADJUDICATE, ASK, BOARD, COMMIT, LETTERS, PAGES, READ
from bench.table import Prepared
from bench.timing import Round, Watch
from pbem.board.faces import FAMILIES, font_path
from pbem.store.packing import unpacked

KEY = b"a key of thirty-two bytes for us"
SEATED = (
    "SELECT * FROM seats JOIN people ON people.id = seats.person_id JOIN addresses ON"
    " addresses.person_id = people.id WHERE game_id = ?"
)


@dataclass(frozen=True, slots=True)
class Given:
    """What the floor is given ready: the values of its templates. Ours has to work these out."""

    made: Made
    svg: list[Piece]
    pages: list[tuple[list[Piece], list[Block]]]
    fonts: list[str]


def give(made: Made) -> Given:
    """Take our own pages and picture apart into templates and values."""
    distinct = {letter["text"]: letter for letter in made.written.letters("bulletin", "turn")}
    pages = [(pieces_of(letter["html"]), blocks_of(letter["text"])) for letter in distinct.values()]
    return Given(made, pieces_of(made.svg), pages, [font_path(face) for face in FAMILIES])


async def close_floor(prepared: Prepared, file: Path, given: Given, opener: Opener) -> Round:
    """The same close on this file; what each step took."""
    watch = Watch()
    async with opener(file) as store:
        await store.fetch("SELECT count(*) FROM games")
        game_id, number = prepared.game_id, prepared.phase_number
        with watch.step(READ):
            await store.begin()
            await store.change(
                "UPDATE games SET attempts = attempts + 1 WHERE id = ?", [(game_id,)]
            )
            await store.commit()
            game = (await store.fetch("SELECT * FROM games WHERE id = ?", game_id))[0]
            people = await store.fetch(SEATED, game_id)
            await store.fetch(
                "SELECT * FROM phases WHERE game_id = ? AND number = ?", game_id, number
            )
            body = (
                await store.fetch(
                    "SELECT body FROM states WHERE game_id = ? AND phase_number = ?",
                    game_id,
                    number,
                )
            )[0][0]
            rows = await store.fetch(
                "SELECT seat_id, orders FROM orders WHERE game_id = ? AND phase_number = ?",
                game_id,
                number,
            )
            events = await store.fetch(
                "SELECT * FROM events WHERE game_id = ? AND phase_number > ?", game_id, number - 4
            )
            state = msgspec.json.decode(unpacked(body))
            orders = {seat: msgspec.json.decode(text) for seat, text in rows}
            told = [dict(enumerate(event)) for event in events]
        with watch.step(ADJUDICATE):
            told += adjudicate(state, orders)
            encoded = msgspec.json.encode(state)
        with watch.step(BOARD):
            png = paint(given)
        with watch.step(PAGES):
            pages = [
                (render(MARKUP, pieces=pieces), render(TEXT, blocks=blocks))
                for pieces, blocks in given.pages
            ]
        with watch.step(LETTERS):
            letters = write_letters(prepared, pages, len(people))
        with watch.step(COMMIT):
            await store.begin()
            change = (
                "UPDATE games SET phase_number = ?, attempts = 0 WHERE id = ? AND phase_number = ?"
            )
            await store.change(change, [(number + 1, game_id, number)])
            change = (
                "UPDATE phases SET status = 'closed', closed_at = ? WHERE game_id = ? AND"
                " number = ?"
            )
            await store.change(change, [(game[-1], game_id, number)])
            for table in ("states", "events", "phases", "pictures", "outbox"):
                await insert(store, given.made.written, table)
            await store.commit()
        with watch.step(ASK):
            await store.fetch(
                "SELECT id FROM outbox WHERE state = 'queued' ORDER BY next_try_at LIMIT 200"
            )
    if len(letters) < len(pages) or len(png) < len(encoded):
        raise RuntimeError("the floor did less than the service")
    return watch.steps


def adjudicate(
    state: dict[str, Any], orders: dict[int, list[dict[str, Any]]]
) -> list[dict[int, Any]]:
    """Marches, supports and battles on plain dictionaries; a rough game, but about as many steps of
    it.
    """
    board, rank = state["board"], {number: place for place, number in enumerate(state["ranking"])}
    given = [(player, order) for player, texts in orders.items() for order in texts]
    golden = {order["order"]: 1 for _, order in given if order.get("golden")}
    arrivals: dict[int, list[tuple[int, int, int]]] = {}
    guard: dict[int, int] = {}
    happened: list[dict[int, Any]] = []
    for player, order in given:
        match order["order"]:
            case "march":
                arrivals.setdefault(order["target"], []).append(
                    (player, order["units"], golden.get("march", 0))
                )
                board[order["origin"]]["units"] -= order["units"]
            case "fortify":
                guard[order["province"]] = (
                    guard.get(order["province"], 0) + 1 + bool(order.get("golden"))
                )
            case "support":
                guard[order["target"]] = guard.get(order["target"], 0) + 1
            case "work":
                guard[order["province"]] = guard.get(order["province"], 0) - 1
    for target, coming in arrivals.items():
        held = board[target]
        sides = [
            (
                held["units"] + guard.get(target, 0),
                rank.get(held["owner"], 99),
                held["owner"],
                held["units"],
            )
        ]
        sides += [
            (units + gold, rank.get(player, 99), player, units) for player, units, gold in coming
        ]
        sides.sort(key=lambda side: (-side[0], side[1]))
        (most, _, winner, units), second = sides[0], sides[1]
        held["owner"], held["units"] = winner, max(0, units - (1 if most == second[0] else 0))
        happened.append({0: "battle", 1: target, 2: sides, 3: winner, 4: ("PR-6.6", "PR-7.7")})
    for player in state["players"]:
        player["realm"] += sum(
            50 * (1 + held["level"]) for held in board if held["owner"] == player["number"]
        )
    happened.extend({0: "order", 1: player, 2: order, 3: ("PR-6.1",)} for player, order in given)
    return happened


def paint(given: Given) -> bytes:
    """The template, resvg and Pillow, in this very process."""
    svg = render(MARKUP, pieces=given.svg)
    drawn = bytes(
        resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=given.fonts)
    )
    image = (
        Image.open(io.BytesIO(drawn))
        .convert("RGB")
        .quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    )
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()


def write_letters(prepared: Prepared, pages: list[tuple[str, str]], people: int) -> list[bytes]:
    """Fifteen letters as rows: two codes each, the question's with a calendar file."""
    letters = []
    (bulletin, *questions), number = pages, prepared.phase_number
    for index, (html, text) in enumerate([bulletin] * (people + 1) + questions):
        code, bounce = (
            token(KEY, "orders", index, 1, number),
            token(KEY, "bounce", index, 1, number),
        )
        calendar = (
            calendar_file(f"{number}@house.example", text[:60], prepared.due_at)
            if index > people
            else None
        )
        letters.append(
            msgspec.json.encode(
                {
                    "subject": text[:60],
                    "text": text,
                    "html": html,
                    "reply_to": f"orders+{code}@house.example",
                    "calendar": calendar,
                    "envelope_from": f"orders+{bounce}@house.example",
                    "id": hashlib.sha256(code.encode()).hexdigest(),
                }
            )
        )
    return letters
