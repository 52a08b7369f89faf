"""What somebody says of his own hero: `Brundir walks over to Jerum` is `walk over to Jerum`."""

import re
from functools import lru_cache

from pbem.games.realm_master.reading.lexer import lexicon
from pbem.games.realm_master.reading.parts import VERBS
from pbem.games.realm_master.reading.words import heroes_by_name
from pbem.grammar.kit.normalise import fold

_FAR = 120
"""Characters of its sentence that are looked at."""
_HIM = re.compile(r"[^.!?;\n]*\b(?:he|him|his|himself|she|her|hers|herself)\b")
_HIGHNESS = ("her highness", "her royal highness")
_WOMEN = frozenset({"elf", "princess"})
_WILL = r"(?:will|shall|elects to|chooses to|decides to|wants to|wishes to)"


@lru_cache(maxsize=256)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """His name at the beginning of a sentence or a clause, and the word behind it."""
    named = "|".join(map(re.escape, names))
    return re.compile(
        r"(?:^|(?<=[.!?;:,\n])|(?<=\band)|(?<=\bso)|(?<=\bthen))[ \t]*+"
        rf"(?P<who>(?:the |my )?(?:{named}))(?:, [^,.;:!?\n]{{2,60}},)? "
        rf"(?:(?P<will>{_WILL}) |(?P<not>does not|doesn't) )?(?P<does>[a-z]{{2,12}})(?![\w'])"
    )


def in_first_person(text: str, hero: str, name: str, *, also: bool = False) -> str:
    """A folded text without the name of the speaker's hero, or his own, before what it does; every
    other place stays where it was. `also`: a `he` or `she` behind that name is the hero too.
    """
    titles = [title for title, key in heroes_by_name().items() if hero and key == hero]
    both = [f"{one} {other}" for one in titles for other in titles if one != other]
    own = _HIGHNESS if hero == "princess" else ()
    names = tuple(sorted({fold(name), *titles, *both, *own} - {""}, key=len, reverse=True))
    if not names:
        return text
    told = _pattern(names).sub(_without_name, text)
    first = re.search(rf"\b(?:{'|'.join(map(re.escape, names))})\b", text) if also else None
    if first is None:
        return told
    others = "|".join(title for title, key in heroes_by_name().items() if key != hero)
    other = re.search(rf"\b(?:{others})\b", text[first.end() :])
    end = first.end() + other.start() if other is not None else len(text)
    own_too = _pattern(("she" if hero in _WOMEN else "he",))
    return told[: first.end()] + own_too.sub(_without_name, told[first.end() : end]) + told[end:]


def _without_name(found: re.Match[str]) -> str:
    does, will = found["does"], found["will"]
    forms = [does] if will or found["not"] else [does.removesuffix("s"), does.removesuffix("es")]
    rest = found.string[found.end() : found.end() + _FAR]
    base = will or found["not"]
    told = next((form for form in forms if (base or form != does) and _is_verb(form, rest)), None)
    if told is None or _HIM.match(rest):
        return found[0]
    lead = found[0][: found.start("who") - found.start()]
    gone = found.start("does") - found.start("who")
    denied = " " * (found.start("not") - found.start("who")) + "do not" if found["not"] else ""
    return lead + denied.ljust(gone) + told.ljust(len(does))


def _is_verb(word: str, rest: str) -> bool:
    """Whether it is an order of the game, together with what follows."""
    begun = lexicon().phrases.get(word, ())
    behind = f"{rest} "
    return any(
        kind in VERBS and behind.startswith("".join(f" {one}" for one in words[1:]) + " ")
        for words, kind in begun
        if len(words) > 1
    ) or any(kind in VERBS for words, kind in begun if len(words) == 1)
