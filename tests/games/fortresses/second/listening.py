"""The texts of a step, one player after another: table commands act at once, orders are judged
beside what is held (FF-3.1).
"""

from typing import Any

from tests.games.fortresses.second.board import KINGDOMS, SIDE, Board
from tests.games.fortresses.second.fighting import over
from tests.games.fortresses.second.judging import senseless
from tests.games.fortresses.second.phases import judge_open
from tests.games.fortresses.second.reading import COMMANDS, Line, read

Events = list[dict[str, Any]]


class Heard:
    """What a step has made of its texts: the lines that stand for the open phase, and what is told
    of all of them.
    """

    def __init__(self, board: Board) -> None:
        self.held: list[Line] = (
            [] if board["phase"] == "battle" else [read(text) for text in board["held"]]
        )
        self.said: dict[str, list[Line]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.standing: list[Line] = []
        self.problems: dict[str, list[str]] = {}
        self.means: dict[str, list[str]] = {}
        self.answer: dict[str, Any] = {}
        self.spoke: list[str] = []
        """Whose orders for the open phase stand, the last at the end."""
        self.half_kept: set[str] = set()
        """Who has said something for Reinforce that is no order."""

    def refuse(self, board: Board, codes: list[str]) -> None:
        self.problems.setdefault(commander(board), []).extend(codes)


def commander(board: Board) -> str:
    active = board["active"]
    seat = next(name for name, kingdoms in board["seats"].items() if active in kingdoms)
    return str(board["command"].get(active, seat))


def partners(board: Board, name: str) -> list[str]:
    sides = {SIDE[kingdom] for kingdom in board["seats"][name]}
    return [
        other
        for other, kingdoms in board["seats"].items()
        if other != name and {SIDE[kingdom] for kingdom in kingdoms} == sides
    ]


def is_absent(board: Board, name: str) -> bool:
    return any(board["missed"].get(kingdom, 0) >= 3 for kingdom in board["seats"][name])


def listen(board: Board, texts: dict[str, list[str]], events: Events) -> Heard:
    """Each player's lines are judged beside those that are held; at the close those of the
    commander count, who need not be who it was.
    """
    heard = Heard(board)
    for name, lines in texts.items():
        if lines and board["phase"] != "over":
            _hear(board, heard, name, [read(text) for text in lines], events)
    name = commander(board)
    if heard.spoke and name not in heard.spoke:
        name = heard.spoke[-1]  # the partner's, until the player who is back orders something
    if board["phase"] not in ("over", "battle"):
        if name not in heard.said:
            codes = judge_open(board, heard.held)
            heard.refuse(board, [code for code in codes if code])
            heard.said[name] = [
                line for line, code in zip(heard.held, codes, strict=True) if not code
            ]
        heard.standing = heard.said[name]
    heard.answer = heard.answers.get(name, {})
    return heard


def _hear(board: Board, heard: Heard, name: str, lines: list[Line], events: Events) -> None:
    for kingdom in board["seats"][name]:
        if board["command"].pop(kingdom, None) is not None:
            events.append({"kind": "command-returned", "player": name, "kingdom": kingdom})
    codes: dict[int, str] = {}
    asked: list[int] = []
    stored = dict(enumerate(heard.held, 1))
    for i, line in enumerate(lines):
        if line.get("code"):
            codes[i] = line["code"]
            if line["do"] == "then":
                heard.half_kept.add(name)
        elif line.get("kingdom", board["active"]) != board["active"]:
            codes[i] = "not-understood" if senseless(line) else "not-your-turn"
        elif line["do"] in COMMANDS:
            codes[i] = _act(board, name, line["do"], events)
        elif name != commander(board):
            codes[i] = "not-understood" if senseless(line) else "not-your-turn"
        elif line["do"] == "cancel" and board["phase"] != "battle":
            codes[i] = _cancel(stored, line["number"])
        else:
            asked.append(i)
        if board["phase"] == "over":
            break
    if name == commander(board) and board["phase"] != "over":
        _judge(board, heard, name, lines, stored, asked, codes)
    heard.means.setdefault(name, []).extend(
        line["text"] for i, line in enumerate(lines) if codes.get(i) == ""
    )
    heard.problems.setdefault(name, []).extend(codes[i] for i in sorted(codes) if codes[i])
    if board["phase"] != "over" and any(
        not code and lines[i]["do"] not in COMMANDS for i, code in codes.items()
    ):
        # a command that stands was heeded when it acted, before it changed who commands
        _heed(board, name)
        if name == commander(board):
            heard.spoke.append(name)


def _heed(board: Board, name: str) -> None:
    """A mail of which a line stands (FF-8.14)."""
    for kingdom in board["seats"][name]:
        board["missed"].pop(kingdom, None)
    if name == commander(board):
        board["answered"] = True


def _judge(
    board: Board,
    heard: Heard,
    name: str,
    lines: list[Line],
    stored: dict[int, Line],
    asked: list[int],
    codes: dict[int, str],
) -> None:
    old, new = list(stored.values()), [lines[i] for i in asked]
    found = judge_open(board, old + new)
    heard.problems.setdefault(name, []).extend(code for code in found[: len(old)] if code)
    codes.update(zip(asked, found[len(old) :], strict=True))
    heard.said[name] = [line for line, code in zip(old + new, found, strict=True) if not code]
    if name in heard.half_kept:  # not all is valid (FW-4.8): what was said last closes nothing
        heard.said[name] = [
            line
            for line in heard.said[name]
            if line["do"] != "then" or line["inner"]["do"] != "done"
        ]
    if board["phase"] == "battle":
        answer = heard.answers.setdefault(name, {})
        for line in (lines[i] for i in asked if not codes[i]):
            if line["do"] == "lose now":
                answer["lose"] = line["units"]
            else:
                answer["retreat"] = line["do"] == "retreat now"


def _cancel(stored: dict[int, Line], number: int) -> str:
    if number == 0:
        stored.clear()
        return ""
    return "" if stored.pop(number, None) is not None else "out-of-range"


# ----------------------------------------------------------------------------------- table commands
def _act(board: Board, name: str, do: str, events: Events) -> str:
    if not board["seats"][name]:
        return "not-your-turn"
    others = partners(board, name)
    side = SIDE[board["seats"][name][0]]
    other_side = "red_blue" if side == "silver_gold" else "silver_gold"
    foes = [
        player
        for player, kingdoms in board["seats"].items()
        if kingdoms and SIDE[kingdoms[0]] == other_side
    ]
    mine = [
        player
        for player in others
        if is_absent(board, player) and not set(board["seats"][player]) & set(board["command"])
    ]
    if (do == "take command" and not mine) or (
        do == "claim" and not all(is_absent(board, player) for player in foes)
    ):
        return "not-now"
    _heed(board, name)
    if do in ("draw", "concede"):
        said = board["agreed"].setdefault(do, [])
        if name in said:
            said.remove(name)
        said.append(name)
        if do == "concede" and {name, *others} <= set(said):
            over(board, other_side, "concession", events)
        if do == "draw" and all(
            player in said
            for player, own in board["seats"].items()
            if own and not is_absent(board, player)
        ):
            over(board, "draw", "agreement", events)
    elif do == "resign":
        events.append({"kind": "resigned", "player": name})
        if not others:
            over(board, other_side, "resignation", events)
            return ""
        board["seats"][others[0]] = sorted(
            board["seats"][others[0]] + board["seats"][name], key=KINGDOMS.index
        )
        board["seats"][name] = []
        for said in board["agreed"].values():
            if name in said:
                said.remove(name)
        board["command"] = {
            kingdom: player
            for kingdom, player in board["command"].items()
            if player not in (name, others[0])
        }
    elif do == "take command":
        for kingdom in board["seats"][mine[0]]:
            board["command"][kingdom] = name
            events.append({"kind": "took-command", "player": name, "kingdom": kingdom})
    elif do == "claim":
        over(board, side, "absence", events)
    return ""
