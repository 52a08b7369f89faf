"""Words to bids, what a game master sets right, and questions about the past."""

import re
from collections.abc import Sequence

from pbem.board.palette import arms_of
from pbem.grammar.gm.commands import Unread
from pbem.grammar.kit.clause_parser import Phrase
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.people import Person
from pbem.grammar.kit.reading import Correction
from pbem.grammar.usual import UsualReader
from pbem.reading.usual import usual_offering
from sealed_lots.rules import RULES, Bid, State

_COINS = re.compile(r"(?P<who>.+?)(?:'s)?:? (?:coins )?(?P<coins>\d{1,2})(?: coins)?")


def build(state: State, player: int, phrases: Sequence[Phrase]) -> Bid:
    """The bid that the phrases of a sentence say."""
    phrase = phrases[0]
    if phrase.kind == "everything":
        return Bid(state.players[player - 1].coins)
    numbers = [lexeme.value for lexeme in phrase.lexemes if lexeme.kind == "NUM"]
    return Bid(numbers[0] or 0) if numbers else Bid(0)


def persons_of(state: State) -> tuple[Person, ...]:
    """Who sits at the table, as others call them."""
    return tuple(
        Person(player.number, player.name, player.colour, arms_of(player.colour).symbol)
        for player in state.players
    )


READER = UsualReader("sealed_lots", RULES, build, persons_of, usual_offering)


def read_correction(state: State, text: str) -> Correction:
    """`Anna 12 coins`, or `rule: ...`."""
    if text.casefold().startswith("rule:"):
        ruling = text[len("rule:") :].strip()
        return Correction({"act": "rule", "text": ruling}, f"rule: {ruling}", is_said=True)
    found = _COINS.fullmatch(fold(text).strip())
    if found is None:
        raise Unread("unknown", "correction", text, ("Anna 12 coins", "rule: a level bid is none"))
    named = [player for player in state.players if fold(player.name) == found["who"].strip()]
    if not named:
        raise Unread("unknown", "player", found["who"], tuple(p.name for p in state.players))
    coins = int(found["coins"])
    act = {"act": "coins", "player": named[0].number, "coins": coins}
    return Correction(act, f"{named[0].name} {coins} coins")
