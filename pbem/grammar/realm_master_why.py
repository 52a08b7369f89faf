"""Questions about a game of Realm-Master: `why did I lose 4 hearts`, `why turn 7`, `odds of reaching 5 swords if I keep these`.

Pure, and never raises for what a player wrote. What is unclear is a problem with one of these codes: `not-understood`, `no-such-turn`.
"""

import re
from collections.abc import Mapping

from engine.realm_master.cards import all_heroes
from engine.realm_master.conditions import Face
from engine.realm_master.questions import Odds, Question, Topic
from engine.realm_master.view import TableView
from engine.ruleset import Problem
from pbem.grammar.normalise import normalise

LONGEST = 400
"""Characters of a question that are read."""
DICE = 5

_COUNTS = "one two three four five six seven eight nine ten eleven twelve".split()
_NUMBERS: Mapping[str, int] = {word: number for number, word in enumerate(_COUNTS, start=1)}
_NUMBER = rf"(?:\d{{1,4}}|{'|'.join(_COUNTS)})"
_TURN = re.compile(rf"\bturn\s*(?:no\.?|number|#)?\s*(?P<number>{_NUMBER})\b")
_ROUND = re.compile(rf"\bround\s*(?:no\.?|number|#)?\s*(?P<number>{_NUMBER})\b")
_RELATIVE = re.compile(r"\b(?:(?P<last>last|previous)|this|current)\s+(?P<what>turn|round)\b")
_ODDS = re.compile(r"\b(?:odds|chances?|probabilit\w*|how likely)\b")
_FACES: tuple[tuple[Face, re.Pattern[str]], ...] = (
    ("b", re.compile(r"\bhal(?:f|ves)(?: banners?)?\b|\bbanners?\b")),
    ("s", re.compile(r"\bswords?\b")),
    ("c", re.compile(r"\b(?:coins?|gold)\b")),
    ("h", re.compile(r"\bhearts?\b")),
    ("-", re.compile(r"\bblanks?\b")),
    ("R", re.compile(r"\brs?\b")),
)
_KEEP = re.compile(r"\b(?:keep(?:ing)?|hold(?:ing)?)\b(?P<what>.*)$")
_PLACES = re.compile(
    rf"\b(?:dic?es?\s+)?(?P<places>(?:[1-5]|{'|'.join(_COUNTS[:DICE])})(?:\s*(?:,|and|&)?\s*(?:[1-5]|{'|'.join(_COUNTS[:DICE])}))*)\b"
)
_TOPICS: tuple[tuple[Topic, re.Pattern[str]], ...] = (
    ("death", re.compile(r"\b(?:dead|die[ds]?|death|killed|killer|loot\w*|eliminat\w*|out of the game)\b")),
    ("end", re.compile(r"\b(?:w[io]n(?:s|ner)?|victor\w*|game (?:over|end\w*)|the end)\b")),
    ("ranking", re.compile(r"\b(?:rank\w*|leads?|leading|first|second|third|ahead|behind|standings?|places?)\b")),
    ("hearts", re.compile(r"\bhearts?|lives|life|hp\b")),
    ("gold", re.compile(r"\b(?:gold|money|coins?)\b")),
    ("banners", re.compile(r"\bbanners?\b")),
    ("attack", re.compile(r"\b(?:attack\w*|hits?|damage\w*|blows?|swords?|struck|strikes?|wound\w*)\b")),
)
"""What a question is about, the first that is named."""
_LOST = re.compile(r"\b(?:los[est]\w*|gone|less|fewer|pa(?:y|id)|down|drop\w*|miss\w*|took|taken)\b")
_ME = frozenset({"i", "me", "my", "mine", "myself"})


def parse_question(view: TableView, player: int | None, text: str) -> Question | Odds | Problem:
    """What a player (None: the public) asks about this table, or what is unclear about it."""
    asked = " ".join(text[:LONGEST].split())
    plain = " ".join(normalise(text[:LONGEST]).text.split())
    found = _odds_in(plain) if _ODDS.search(plain) else _question_in(plain, view, player)
    if isinstance(found, str):
        return Problem(found, facts={"asked": asked})
    return found


def _number(text: str) -> int:
    return _NUMBERS[text] if text in _NUMBERS else int(text)


# ------------------------------------------------------------------------------------------------ odds
def _odds_in(plain: str) -> Odds | str:
    kept = _KEEP.search(plain)
    wanted = plain if kept is None else plain[: kept.start()]
    face = next((face for face, pattern in _FACES if pattern.search(wanted)), None)
    if face is None:
        return "not-understood"
    number = re.search(rf"\b({_NUMBER})\b", wanted)
    count = _number(number[1]) if number is not None else 1
    if not 1 <= count <= DICE:
        return "not-understood"
    return Odds(face, count, None if kept is None else _places_in(kept["what"]))


def _places_in(text: str) -> tuple[int, ...] | None:
    """The dice named by their places; None for `these`, or none at all."""
    if re.match(r"\W*(?:none|nothing|no dice)\b", text):
        return ()
    found = _PLACES.search(text)
    if found is None:
        return None
    words = re.findall(rf"[1-5]|{'|'.join(_COUNTS[:DICE])}", found["places"])
    return tuple(sorted({_number(word) for word in words}))


# ------------------------------------------------------------------------------------------------ the past
def _question_in(plain: str, view: TableView, player: int | None) -> Question | str:
    turn, number = _TURN.search(plain), _ROUND.search(plain)
    at_turn = None if turn is None else _number(turn["number"])
    at_round = None if number is None else _number(number["number"])
    relative = _RELATIVE.search(plain)
    if relative is not None and turn is None and number is None:
        back = int(relative["last"] is not None)
        if relative["what"] == "turn":
            at_turn = view.turns - back
        else:
            at_round = view.round - back
    if (at_turn is not None and not 1 <= at_turn <= view.turns) or (at_round is not None and not 1 <= at_round <= view.round):
        return "no-such-turn"
    topic = next((topic for topic, pattern in _TOPICS if pattern.search(plain)), None)
    if topic is None and at_turn is not None:
        topic = "turn"
    if topic is None and at_round is not None:
        topic = "round"
    if topic is None:
        return "not-understood"
    return Question(topic, _player_in(plain, view, player), at_turn, at_round, lost=bool(_LOST.search(plain)))


def _player_in(plain: str, view: TableView, player: int | None) -> int | None:
    """Who is asked about: by name, by hero, or `I`; the first that is named."""
    names: dict[str, int] = {}
    for held in view.players:
        names[" ".join(normalise(held.name).text.split())] = held.number
        if held.hero is not None:
            card = all_heroes()[held.hero]
            names |= {held.hero: held.number, card.name.casefold(): held.number}
    names |= dict.fromkeys(_ME, player) if player is not None else {}
    found = [
        (place.start(), -len(name), number)
        for name, number in names.items()
        if (place := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", plain))
    ]
    return min(found)[2] if found else None
