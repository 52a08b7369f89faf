"""What the open phase makes of lines: those of Attack and of a battle beside one another, those of
Reinforce one after the other.
"""

from copy import deepcopy

from tests.games.fortresses.second.board import Board
from tests.games.fortresses.second.judging import (
    Hand,
    Market,
    could_buy,
    judge_answer,
    judge_attack,
    judge_buy,
    judge_carry,
    judge_move,
    judge_reinforce_carry,
    may_be_said,
)
from tests.games.fortresses.second.reading import Line


def judge_open(board: Board, lines: list[Line]) -> list[str]:
    """The code of each line of the open phase; '' if it stands."""
    if board["phase"] == "reinforce":
        return judge_reinforce(deepcopy(board), lines)
    hand, codes = Hand(board), []
    for line in lines:
        code = may_be_said(board, line)
        if not code and line["do"] == "attack":
            code = judge_attack(hand, line)
        elif not code and line["do"] == "carry":
            code = judge_carry(hand, line)
        elif not code and board["phase"] == "battle":
            code = judge_answer(board, line)
        codes.append(code)
    return codes


def judge_reinforce(board: Board, lines: list[Line]) -> list[str]:
    """The code of each line ('': it stands), purchases before moves. The board is changed as the
    lines are carried out.
    """
    market = Market(board)
    hand = Hand(board)
    codes = [may_be_said(board, line) for line in lines]
    for i, line in enumerate(lines):
        if not codes[i] and line["do"] == "buy":
            codes[i] = judge_buy(board, market, line)
    has_bought = any(
        not code and line["do"] in ("buy", "buy nothing")
        for line, code in zip(lines, codes, strict=True)
    )
    is_careless = not has_bought and could_buy(board, market)
    for i, line in enumerate(lines):
        if codes[i]:
            continue
        if line["do"] == "move":
            codes[i] = judge_move(hand, line)
        elif line["do"] == "carry":
            codes[i] = judge_reinforce_carry(hand, line)
        elif line["do"] == "done" and is_careless:
            codes[i] = "unspent"
    board["gold"] = market.gold
    return codes
