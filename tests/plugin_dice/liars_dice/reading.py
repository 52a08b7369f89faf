"""Words to bids and challenges, and what a game master sets right."""

import re
from collections.abc import Sequence

from engine.ruleset import Problem
from liars_dice.rules import RULES
from liars_dice.state import DICE, Bid, Challenge, Order, State
from pbem.board.palette import arms_of
from pbem.grammar.gm.commands import Unread
from pbem.grammar.kit.clause_parser import Phrase
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.people import Person
from pbem.grammar.kit.reading import Correction
from pbem.grammar.usual import UsualReader
from pbem.reading.usual import usual_offering

_DICE = re.compile(rf"(?P<who>.+?)(?:'s)?:? (?P<dice>[1-{DICE}]) (?:dice|die)")


def build(state: State, player: int, phrases: Sequence[Phrase]) -> Order | Problem:
    """The order that a sentence says; its rule in the grammar tells the kinds apart."""
    phrase = phrases[0]
    if phrase.kind == "challenge":
        return Challenge()
    count, face = (one.value or 0 for one in phrase.lexemes if one.kind == "NUM")
    if not 1 <= face <= 6:
        return Problem("no-face", ("LD-2.1",), {"face": face})
    return Bid(count, face)


def persons_of(state: State) -> tuple[Person, ...]:
    """Who sits at the table, as others call them."""
    return tuple(
        Person(player.number, player.name, player.colour, arms_of(player.colour).symbol)
        for player in state.players
    )


READER = UsualReader("liars_dice", RULES, build, persons_of, usual_offering)


def read_correction(state: State, text: str) -> Correction:
    """`Anna 3 dice`, or `rule: ...`."""
    if text.casefold().startswith("rule:"):
        ruling = text[len("rule:") :].strip()
        return Correction({"act": "rule", "text": ruling}, f"rule: {ruling}", is_said=True)
    found = _DICE.fullmatch(fold(text).strip())
    if found is None:
        raise Unread("unknown", "correction", text, ("Anna 3 dice", "rule: a die that fell counts"))
    called = [player for player in state.players if fold(player.name) == found["who"].strip()]
    if not called:
        raise Unread("unknown", "player", found["who"], tuple(p.name for p in state.players))
    dice = int(found["dice"])
    act = {"act": "dice", "player": called[0].number, "dice": dice}
    return Correction(act, f"{called[0].name} {dice} {'die' if dice == 1 else 'dice'}")
