"""Free words cut out of a sentence before it is judged: names and descriptions of technologies with
their effects (SS-7.2), and why somebody objects (SS-10.3).
"""

import itertools
import re
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.sovereigns.reading.inventions import building_code, effect_at
from pbem.games.sovereigns.reading.pieces import BUILDING_KINDS, DO, HEADS, JOINTS, TRADE
from pbem.games.sovereigns.reading.words import ATTRIBUTE_OF
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.rings import Judged
from pbem.grammar.kit.slots import SILENT

_ARTICLES = re.compile(
    r"(?:(?:hopefully|after|the|a|an|our|my|because|since|of|is|are|shall be|will be|:)\s+)+",
    re.IGNORECASE,
)
_ENDS_NAME = set_of(
    "SEASONNOW COMMA COLON LPAR RPAR AND ALLOWS CODE GROWN WITH NUM SPEND WHICH FOR REASON BUT "
    "CUE DEPLETE FROM CALM BAR SEMI CALLED BOON CONDITION COND NEG ALL HALF TO IN"
)


_NOT_TALK = frozenset({"NUM", "AR", "AM", "AH", "WHO", "ALL"})
"""Next to these, a code without a word for proposing does not belong to a proposal."""
_NO_NAME = frozenset(
    {"SEASONNOW", "AR", "AM", "AH", "POINTS", "DEPLETED", "FRESH", "ACTION", "SPEND", "OF"}
)


def carved(lexemes: Sequence[Lexeme], plain: Plain, *, invents: bool) -> list[Lexeme]:
    """The sentence with its free words as one lexeme each; `invents`: a discovery waits for a
    name.
    """
    found = _objection(list(lexemes), plain)
    if any(x.kind == "OBJECT" for x in found):
        return found
    kinds = {x.kind for x in found}
    if kinds & TRADE and not kinds & {"RESEARCH", "PROPOSE", "TRYING"}:
        return found
    found = _with_effects(found)
    if any(x.kind == "NEG" and y.kind in {"CODE", "EFFECT"} for x, y in itertools.pairwise(found)):
        return found  # `no, not +1 on military`
    kinds = {x.kind for x in found}
    if not kinds & {"RESEARCH", "PROPOSE"} and not (invents and kinds & {"CODE", "ALLOWS"}):
        return found
    cue = next(
        (i for i, x in enumerate(found) if x.kind == "CUE" and i and _is_behind(found, i)),
        len(found),
    )
    return [*_named(found[:cue], plain), *_with_buildings(found[cue:], None)]


def _is_behind(lexemes: Sequence[Lexeme], cue: int) -> bool:
    """Whether a cue stands behind an effect, and not in a description: `better swords`."""
    behind = any(x.kind in {"CODE", *BUILDING_KINDS} for x in lexemes[:cue])
    return behind and not any(x.kind == "CODE" for x in lexemes[cue + 1 : cue + 2])


# ---------------------------------------------------------------------------------- objections
def _objection(lexemes: list[Lexeme], plain: Plain) -> list[Lexeme]:
    """`I object to action 14: ...`: all behind the number is why."""
    at = next((i for i, x in enumerate(lexemes) if x.kind == "OBJECT"), None)
    if at is None:
        return lexemes
    number = next((i for i in range(at + 1, len(lexemes)) if lexemes[i].kind == "NUM"), None)
    if number is None or any(
        x.kind not in {"ACTION", "TO", "COLON", "AGAINST", "FILLER"}
        for x in lexemes[at + 1 : number]
    ):
        return lexemes
    rest = [x for x in lexemes[number + 1 :] if x.start >= lexemes[number].end]
    told = bool(rest) and rest[0].kind == "COLON"
    while rest and rest[0].kind in JOINTS:
        rest = rest[1:]
    if not rest:
        return lexemes[: number + 1]
    if rest[0].kind in {"COND", "TURN", "HEDGE", "NEG", "WITHDRAW", "DECLINE"} and not told:
        return lexemes  # `unless Ben explains`
    return [*lexemes[: number + 1], words_of("WHY", rest, plain)]


def words_of(kind: str, lexemes: Sequence[Lexeme], plain: Plain) -> Lexeme:
    """Lexemes as one, with what the player wrote there as its text."""
    start, end = lexemes[0].start, lexemes[-1].end
    written = " ".join(plain.quote(start, end).split())
    bare = _ARTICLES.sub("", written, count=1) if _ARTICLES.match(written) else written
    return Lexeme(kind, (bare or written).strip(" \"'.,;:!"), start, end)


# ---------------------------------------------------------------------------------- inventions
def _with_effects(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """Effects as codes: `+1 on all military rolls`, `so that we may build a hospital`."""
    found: list[Lexeme] = []
    at = 0
    while at < len(lexemes):
        effect = effect_at(lexemes, at)
        if effect is not None:
            code, count = effect
            last = lexemes[at + count - 1]
            kind = "CODE" if code[:1].isalpha() else "EFFECT"
            found.append(Lexeme(kind, code, lexemes[at].start, last.end))
            at += count
            continue
        found.append(lexemes[at])
        at += 1
    return found


def _named(lexemes: list[Lexeme], plain: Plain) -> list[Lexeme]:
    """A proposal's name and code; what stands between them describes it, and is left out."""
    research = next((i for i, x in enumerate(lexemes) if x.kind == "RESEARCH"), None)
    lexemes = _with_buildings(lexemes, research)
    codes = [i for i, x in enumerate(lexemes) if x.kind == "CODE"]
    head = next((i for i, x in enumerate(lexemes) if x.kind in {"RESEARCH", "PROPOSE"}), None)
    if not codes:
        if research is not None:
            return _vague(lexemes, research, plain)
        return _unsure(lexemes, head, plain)
    done: list[Lexeme] = []
    start = 0
    double = next((i for i, x in enumerate(lexemes) if x.kind == "DOUBLE"), None)
    if double is not None and len(codes) == 2:
        both = f"ANA-DOUBLE {lexemes[codes[0]].text} + {lexemes[codes[1]].text}"
        whole = Lexeme("CODE", both, lexemes[double].start, lexemes[codes[1]].end)
        lexemes = [*lexemes[:double], whole, *lexemes[codes[1] + 1 :]]
        codes = [double]
    for number, code in enumerate(codes):
        part = lexemes[start : code + 1]
        if any(x.text in {"since", "because"} for x in part):
            return lexemes  # `since Borland has +1 on military rolls`
        if number and research is not None:
            return lexemes  # two effects of one discovery
        done += _proposal(part, plain, again=bool(number))
        start = code + 1
    rest = lexemes[start:]
    if any(x.kind == "CALLED" for x in rest):
        return lexemes  # `+1 on harmony rolls; name it songs`
    origin = _origin(rest)
    if origin:
        done.append(origin)
        rest = [x for x in rest if x.kind not in {"GROWN", "FROM", "TECH"}]
    return [*done, *rest]


def _with_buildings(lexemes: Sequence[Lexeme], research: int | None) -> list[Lexeme]:
    """What allows a building: `lets us build a vault`, `for a temple`."""
    found: list[Lexeme] = []
    head = next((i for i, x in enumerate(lexemes) if x.kind in {"RESEARCH", "PROPOSE"}), -1)
    past = 0
    for i, lexeme in enumerate(lexemes):
        if lexeme.start < past:
            continue
        if lexeme.kind in BUILDING_KINDS and i > head:
            behind = list(lexemes[i + 1 : i + 8])
            before = [x for x in found[-6:] if x.kind not in SILENT - {"COLON"}]
            led = any(x.kind == "ALLOWS" for x in before)
            led |= (
                bool(before)
                and before[-1].kind in {"FOR", "COLON", "COMMA", "BUILD"}
                and (
                    before[-1].kind != "BUILD"
                    or any(x.kind in {"ALLOWS", "REASON"} for x in before)
                )
            )
            if led:
                while found and found[-1].kind in SILENT | {
                    "FOR",
                    "ALLOWS",
                    "BUILD",
                    "REASON",
                    "TO",
                }:
                    found.pop()
                code = building_code([lexeme, *behind], lexeme)
                end = lexeme.end
                if code.startswith("ANA"):
                    stop = next((j for j, x in enumerate(behind) if x.kind in HEADS), len(behind))
                    end = past = behind[stop - 1].end if stop else end
                elif lexeme.kind == "BWORKS":
                    end = past = next((x.end for x in behind[:3] if x.kind in ATTRIBUTE_OF), end)
                found.append(Lexeme("CODE", code, lexeme.start, end))
                continue
        found.append(lexeme)
    return found


def _origin(lexemes: Sequence[Lexeme]) -> Lexeme | None:
    for before, lexeme in itertools.pairwise(lexemes):
        if lexeme.kind == "TECH" and before.kind in {"GROWN", "FROM"}:
            return Lexeme("ORIGIN", lexeme.text, lexeme.start, lexeme.end, lexeme.value)
    return None


def _is_of_orders(lexeme: Lexeme) -> bool:
    return lexeme.kind in _NOT_TALK and lexeme.text not in {"everyone", "everybody"}


def _proposal(part: list[Lexeme], plain: Plain, *, again: bool) -> list[Lexeme]:
    """A head, a name and a code of lexemes that end with the code."""
    code = part[-1]
    head = next((i for i, x in enumerate(part) if x.kind in {"RESEARCH", "PROPOSE"}), None)
    origin = _origin(part)
    if head is None and not again and any(_is_of_orders(x) for x in part[:-1]):
        return part
    name = _name(part[:-1], head, plain)
    theirs = (
        head is not None and part[head].kind == "PROPOSE" and any(x.kind == "WHO" for x in part)
    )
    if theirs or (name is not None and name.text.startswith("for ")):
        return part  # `the invention of Borland: ...`
    lead = part[: head + 1] if head is not None else []
    if head is None:
        joint = [Lexeme("AND", "", part[0].start, part[0].start)]
        lead = (
            [*joint, Lexeme("PROPOSE", "", code.start, code.start)]
            if again
            else [Lexeme("PROPOSE", "", part[0].start, part[0].start)]
        )
    kept = lead
    if head is not None and part[head].kind == "RESEARCH":
        kept = [*lead, *_spent(part[head + 1 : -1], name)]
        kept = [x for x in kept if not (name and name.start <= x.start < name.end)]
    return [*kept, *([name] if name else []), code, *([origin] if origin else [])]


def _spent(lexemes: Sequence[Lexeme], name: Lexeme | None) -> list[Lexeme]:
    """Of what stands behind `research`: all up to the name; behind it points alone, the rest
    describes what is invented.
    """
    kept: list[Lexeme] = []
    described = [x for x in lexemes if name is not None and x.start >= name.end]
    lexemes = [x for x in lexemes if x not in described]
    for part in _chunks(described):
        if any(x.kind in {"NUM", "DEPLETE", "ALL"} for x in part):
            kept += part
    kept, tail = [], kept
    kinds = {"NUM", "AR", "AM", "AH", "DEPLETE", "DEPLETED", "ALL", "HALF", "POINTS", "WITH", "AND"}
    kinds |= {"FRESH", "OF", "EXCEPT", "SPENTALL", "SPENTONE", "BOON", "BWORKS", "SPEND", "BOTHOF"}
    for lexeme in lexemes:
        if lexeme.kind in kinds | JOINTS | SILENT:
            kept.append(lexeme)
        elif name is not None and name.end <= lexeme.start:
            pass
        elif name is None or not name.start <= lexeme.start < name.end:
            kept.append(lexeme)
    return [*kept, *tail]


def _chunks(lexemes: Sequence[Lexeme]) -> list[list[Lexeme]]:
    """Parted at joints, each with the joint before it."""
    found: list[list[Lexeme]] = []
    for lexeme in lexemes:
        if lexeme.kind in JOINTS or not found:
            found.append([])
        found[-1].append(lexeme)
    return found


def _name(lexemes: Sequence[Lexeme], head: int | None, plain: Plain) -> Lexeme | None:
    """The name in what stands before a code: behind `called`, behind the head, or in the first part
    that is made of words.
    """
    start = head + 1 if head is not None else 0
    called = next((i for i, x in enumerate(lexemes) if x.kind == "CALLED" and i >= start), None)
    if called is not None:
        rest = lexemes[called + 1 :]
        found = _run(rest[1:] if [x.kind for x in rest[:1]] == ["COLON"] else rest)
        return words_of("NAME", found, plain) if found else None
    if head is None:
        return _last_name(lexemes, plain)
    start = head + 1
    for i in range(start, len(lexemes)):
        if i > start and lexemes[i - 1].kind not in JOINTS | {"POINTS", "AR", "AM", "AH", "NUM"}:
            continue
        if lexemes[i].kind in _NO_NAME:
            continue
        found = _run(lexemes[i:])
        behind = lexemes[i + len(found)].kind if i + len(found) < len(lexemes) else ""
        if found and (found[0].kind == "ASKING" or behind == "ALL"):
            return None  # `how to attack better`, `accept all`
        if found and any(x.kind not in SILENT | {"OF", "OTHER"} for x in found):
            return words_of("NAME", found, plain)
    return None


def _last_name(lexemes: Sequence[Lexeme], plain: Plain) -> Lexeme | None:
    """Without a head: the words right before the code."""
    words: list[Lexeme] = []
    for lexeme in reversed(lexemes):
        if lexeme.kind in JOINTS | {"FOR"} and words:
            break
        if lexeme.kind not in JOINTS | {"FOR", "WHICH", "BAR", "ALLOWS"}:
            words.insert(0, lexeme)
    while words and words[0].kind in SILENT | {"NUM"}:
        words = words[1:]
    plainly = words and all(x.kind in {"COMMON", "WORD", "OF", "TECH"} for x in words)
    if not plainly or words[0].text in {"code", "effect"}:
        return None
    return words_of("NAME", words, plain)


_TOPICS = frozenset({"topic", "goal", "aim", "subject", "idea", "project", "field", "we want"})


def topic_of(judged: Sequence[Judged], plain: Plain) -> Lexeme | None:
    """What a research may be after, told in a sentence of its own: `Masonry.`, `We want siege
    towers.` Its effect must follow.
    """
    kind = "NAME"
    for one in judged:
        words = [x for x in one.clause.lexemes if x.kind not in SILENT]
        while words and (words[0].text in _TOPICS or words[0].kind == "CALLED"):
            words, kind = words[1:], "NAMED"
        if words and all(x.kind in {"COMMON", "WORD"} for x in words):
            name = words_of("NAME", words, plain)
            small = name.text[1:].islower()  # the first letter is large for its sentence
            name = replace(name, kind=kind, text=name.text.lower() if small else name.text)
            return name if len(words) <= _TOPIC else None
        if words:
            return None
    return None


_TOPIC = 4
"""Words of such a topic."""


def _run(lexemes: Sequence[Lexeme], through: frozenset[str] = frozenset()) -> list[Lexeme]:
    """The words up to where a name ends; it goes `through` these."""
    found: list[Lexeme] = []
    for lexeme in lexemes:
        if lexeme.kind in _ENDS_NAME - through or (lexeme.kind in DO and found):
            break
        found.append(lexeme)
    while found and found[0].kind in SILENT and found[0].text != "new":
        found = found[1:]
    return found


def _vague(lexemes: list[Lexeme], research: int, plain: Plain) -> list[Lexeme]:
    """`research with 2: something with boats`."""
    colon = next((i for i, x in enumerate(lexemes) if x.kind == "COLON" and i > research), None)
    counted = any(x.kind in {"NUM", "ALL", "HALF"} for x in lexemes[:colon])
    run = _run(lexemes[colon + 1 :], through=frozenset({"WITH", "FOR"})) if colon else []
    if colon is None or not counted or not run:
        return lexemes
    if any(x.kind not in {"COMMON", "WORD", "WITH", "FOR", *SILENT} for x in run):
        return lexemes
    return [*lexemes[: colon + 1], words_of("VAGUE", run, plain), *lexemes[colon + 1 + len(run) :]]


def _unsure(lexemes: list[Lexeme], head: int | None, plain: Plain) -> list[Lexeme]:
    """A proposal without an effect."""
    if head is None:
        return lexemes
    through = frozenset({"WITH", "FOR", "COLON"})
    run = _run(lexemes[head + 1 :], through=through)
    called = next((i for i, x in enumerate(lexemes) if x.kind == "CALLED" and i > head), None)
    if called is not None:
        run = _run(lexemes[called + 1 :], through=through)  # `for the discovery: name: iron`
    while run and run[0].kind in {"COLON", *SILENT}:
        run = run[1:]
    return [*lexemes[: head + 1], *([words_of("NAME", run, plain)] if run else [])]
