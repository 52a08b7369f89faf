"""Questions about a game of Realm-Master: `why did I lose 4 hearts`, `why turn 7`, `odds of
reaching 5 swords if I keep these`.

Pure, and never raises for what a player wrote. What is unclear is a problem with one of these
codes: `not-understood`, `no-such-turn`.
"""

import re
from collections.abc import Mapping

from engine.realm_master.cards import all_heroes
from engine.realm_master.conditions import Face
from engine.realm_master.questions import TOPICS, Odds, Question
from engine.realm_master.view import TableView
from engine.ruleset import Problem
from pbem.grammar.kit.normalise import normalise
from pbem.grammar.kit.reading import Unclear, question_of
from pbem.reading.terms import spotted_words

DICE = 5

_COUNTS = "one two three four five six seven eight nine ten eleven twelve".split()
_NUMBERS: Mapping[str, int] = {word: number for number, word in enumerate(_COUNTS, start=1)}
_NUMBER = rf"(?:\d{{1,4}}|{'|'.join(_COUNTS)})"
_NUMBERED = re.compile(
    rf"\b(?P<what>turn|round)\s*+(?:(?:no\.?|number|#)\s*+)?(?P<number>{_NUMBER})\b"
)
_RELATIVE = re.compile(r"\b(?:(?P<last>last|previous)|this|current)\s+(?P<what>turn|round)\b")
_WORDS = spotted_words(__package__, "questions.words")
_FACES: tuple[tuple[Face, int, str], ...] = (
    ("b", 1, r"half banners?|halves|half"),
    ("b", 2, r"banners?"),
    ("s", 1, r"swords?"),
    ("c", 1, r"coins?|gold"),
    ("h", 1, r"hearts?"),
    ("-", 1, r"blanks?"),
    ("R", 1, r"r'?s?"),
)
"""The faces, how many dice of it make one of what is named, and its names: two half banners are a
banner (RM-3.7).
"""
_ASKED = re.compile(
    rf"(?:(?:at least|a minimum of) )?(?:(?P<count>{_NUMBER}|an?|any|another|some) )?(?:or more"
    r" )?(?:more )?"
    rf"(?P<face>{'|'.join(f'(?:{names})' for _, _, names in _FACES)})(?: dice| die)?(?: or more| or"
    r" better| at least| and more)?"
)
"""A number of a face, or more: the odds where the question asks for no others."""
_KEEP = re.compile(
    r"\b(?:if|when|and|,)?\s*(?:i|we)?\s*(?P<verb>keep(?:ing)?|hold(?:ing)?|re-?roll(?:ing)?|throw(?:ing)?"
    r" again)\b(?P<what>.*)$"
)
_PLACE = rf"(?:[1-5]|{'|'.join(_COUNTS[:DICE])})"
_PLACES = re.compile(
    rf"(?:the )?(?:dice |dies? |die |places? |numbers? )?(?P<places>{_PLACE}(?:(?: ?, ?(?:and )?|"
    rf" and | ?& ?| ){_PLACE})*)"
)
_THESE = re.compile(r"(?:these|those|them|what i have|this|all of (?:them|these|those)|mine)?")
_NONE = re.compile(r"(?:none|nothing|no dice|none of (?:them|these))")
_ALL = re.compile(r"(?:all|everything|all dice|all (?:five|5)(?: dice)?|all of them|the lot)")
_ME = frozenset({"i", "me", "my", "mine", "myself"})


def parse_question(view: TableView, player: int | None, text: str) -> Question | Odds | Problem:
    """What a player (None: the public) asks about this table, or what is unclear about it."""

    def read(asked: str) -> Question | Odds:
        plain = " ".join(normalise(asked).text.split())
        if _WORDS["ODDS"].search(plain):
            return _odds_in(plain)
        return _question_in(plain, view, player)

    return question_of(text, read)


def _number(text: str) -> int:
    return _NUMBERS[text] if text in _NUMBERS else int(text)


# --------------------------------------------------------------------------------------------- odds
def _odds_in(plain: str) -> Odds:
    """`Odds of 3 swords if I keep 1 and 2`. Every word counts: of what is said otherwise the odds
    would be those of another question.
    """
    plain = plain.strip(" ?!.")
    kept = _KEEP.search(plain)
    wanted = " ".join((plain if kept is None else plain[: kept.start()]).replace(",", " ").split())
    found = next((found for found in _ASKED.finditer(wanted) if found.end() == len(wanted)), None)
    if found is None or (found.start() and wanted[found.start() - 1] != " "):
        raise Unclear("not-understood")
    if not all(map(_WORDS["LEADING"].fullmatch, wanted[: found.start()].split())):
        raise Unclear("not-understood")
    face, dice = next(
        (face, dice) for face, dice, names in _FACES if re.fullmatch(names, found["face"])
    )
    said = found["count"]
    count = dice * (1 if said is None or not re.fullmatch(_NUMBER, said) else _number(said))
    if not 1 <= count <= DICE or said in ("another", "some"):
        raise Unclear("not-understood")
    if kept is None:
        return Odds(face, count)
    is_kept = kept["verb"].startswith(("keep", "hold"))
    return Odds(face, count, _places_in(kept["what"].strip(" ,"), face, is_kept=is_kept))


def _places_in(text: str, face: Face, *, is_kept: bool) -> tuple[int, ...] | None:
    """The dice that are kept, by their places; None for those that show what is wanted: `these`, or
    its very name.
    """
    names = next(names for one, _, names in _FACES if one == face)
    if is_kept and (
        _THESE.fullmatch(text)
        or re.fullmatch(rf"(?:all )?(?:the |my |these |those )?(?:{names})", text)
    ):
        return None
    is_none, is_all = _NONE.fullmatch(text), _ALL.fullmatch(text)
    if is_none or is_all:
        return () if bool(is_none) == is_kept else tuple(range(1, DICE + 1))
    found = _PLACES.fullmatch(text)
    if found is None:
        raise Unclear("not-understood")
    named = {_number(word) for word in re.findall(_PLACE, found["places"])}
    return tuple(place for place in range(1, DICE + 1) if (place in named) is is_kept)


# ----------------------------------------------------------------------------------------- the past
def _question_in(plain: str, view: TableView, player: int | None) -> Question:
    now = {"turn": view.turns, "round": view.round}
    at = {hit["what"]: _number(hit["number"]) for hit in reversed([*_NUMBERED.finditer(plain)])}
    relative = _RELATIVE.search(plain)
    if relative is not None and not at:
        at[relative["what"]] = now[relative["what"]] - (relative["last"] is not None)
    if any(not 1 <= number <= now[what] for what, number in at.items()):
        raise Unclear("no-such-turn")
    kinds = [kind.lower() for kind, words in _WORDS.items() if words.search(plain)]
    named = [*kinds, *(what for what in now if what in at)]
    topic = next((topic for kind in named for topic in TOPICS if topic == kind), None)
    if topic is None and _WORDS["LINES"].search(plain):
        topic, at["round"] = "round", max(1, view.round - (view.stage == "round"))
    if topic is None:
        raise Unclear("not-understood")
    whose, lost = _player_in(plain, view, player), _WORDS["LOST"].search(plain) is not None
    return Question(topic, whose, at.get("turn"), at.get("round"), lost=lost)


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
