"""The set-up (SS-1.3): how nine points are split, and what the kingdom is called."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from engine.sovereigns.codes import ATTRIBUTES
from engine.sovereigns.setup import MOST_NAME
from pbem.games.sovereigns.reading.entries import OrderEntry
from pbem.games.sovereigns.reading.holding import MANNER
from pbem.games.sovereigns.reading.pieces import JOINTS, Parts
from pbem.games.sovereigns.reading.position import Position
from pbem.games.sovereigns.reading.words import ATTRIBUTE_OF, reserved_words, vocabulary
from pbem.grammar.called import NameRefused, parse_name
from pbem.grammar.kit.lexemes import Lexeme, lexemes_of, set_of
from pbem.grammar.kit.normalise import Plain, fold
from pbem.grammar.kit.rings import TURNING
from pbem.grammar.kit.slots import SILENT

_ENDS = frozenset({"NUM", "TRIPLE", "BAR", "CALLED", *JOINTS, *ATTRIBUTE_OF})
_WE = set_of("i we i'd we'd")
_NO_NAME = frozenset({"TO", "OF", "FOR", "IN", "OTHER"})
_BETWEEN = ({"SLASH"}, {"RANGE"}, {"COMMA", "AND"})
"""What may stand between the three numbers of a split."""
_MOST_PLAIN = 4
"""Words of a name in small letters."""
_WORDS = frozenset({"WORD", "COMMON", "WHO", "TECH"})


def counts_of(parts: Parts, lexemes: Sequence[Lexeme]) -> dict[str, int] | Lexeme | None:
    """The numbers by attribute; the word that is too much, or None if there are none."""
    numbers = [x for x in lexemes if x.kind == "NUM"]
    triple = parts.marks.get("TRIPLE")
    if triple is not None and any(one.bare for one in parts.amounts):
        return triple  # `4/3/2 in the order harmony/military/resources`
    if triple is not None:
        if numbers:
            return numbers[-1]
        told = [int(number) for number in triple.text.split("/")]
        return dict(zip(ATTRIBUTES, told, strict=True))
    if parts.loose:
        return parts.loose[0]
    found: dict[str, int] = {}
    for amount in parts.amounts:
        if amount.bare:
            continue
        if amount.attribute is None or amount.count is None or amount.attribute in found:
            return amount.lexeme
        found[amount.attribute] = amount.count
    return found or None


def with_triple(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """`4/3/2`, `4 3 2`, `4, 3 and 2` as one lexeme, if these are all the numbers there are."""
    at = [i for i, x in enumerate(lexemes) if x.kind == "NUM"]
    if len(at) != len(ATTRIBUTES):
        return list(lexemes)
    first, last = at[0], at[-1]
    joints = [{x.kind for x in lexemes[i + 1 : j]} for i, j in pairwise(at)]
    if not any(all(joint <= fine for joint in joints) for fine in _BETWEEN):
        return list(lexemes)
    text = "/".join(str(lexemes[i].value or 0) for i in at)
    whole = Lexeme("TRIPLE", text, lexemes[first].start, lexemes[last].end)
    return [*lexemes[:first], whole, *lexemes[last + 1 :]]


def name_in(lexemes: Sequence[Lexeme], plain: Plain, *, alone: bool) -> tuple[str, list[Lexeme]]:
    """The kingdom's new name, behind `call us` or where a name stands alone (`alone`: if it may),
    and the rest without it.
    """
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind == "CALLED":
            start = i + 1
            while start < len(lexemes) and _leads_to_name(lexemes[start]):
                start += 1
            run = _run(lexemes[start:], plain) or list(lexemes[start : i + 3])[:1]
            name = _text(run, plain)
            if run and _tells_no_name(run[0]):
                continue
            if not run and (run := _named_before(lexemes[:i])):
                return _text(run, plain), []  # `Foo is our name`
            large = any(plain.quote(x.start, x.end)[:1].isupper() for x in run)
            opens = bool(run) and run[0].kind not in _NO_NAME
            told = large or (opens and any(x.kind not in _NO_NAME | SILENT for x in run))
            told = told or len(name) > MOST_NAME
            if name and told:  # and not `name to follow`
                rest = [*lexemes[:i], *lexemes[start + len(run) :]]
                return name, rest
    thanks = bool(lexemes) and lexemes[0].kind in SILENT and lexemes[0].text not in {"the", "a"}
    thanks &= not any(x.kind in {"NUM", "TRIPLE"} for x in lexemes)
    for i, lexeme in enumerate(lexemes) if alone and not thanks else ():
        before = lexemes[i - 1].kind if i else ""
        behind_split = before == "COMMA" and i > 1 and lexemes[i - 2].kind == "TRIPLE"
        if behind_split and _is_plain(lexemes[i:], plain):
            return _text(lexemes[i:], plain).title(), list(lexemes[:i])
        behind = lexemes[i + 1].kind if i + 1 < len(lexemes) else ""
        if behind == "COLON" and lexeme.text in MANNER.said["SHORTLY"]:
            return "", list(lexemes)  # `PS: ...`
        if behind == "COLON" and lexeme.kind == "WORD" and not i:
            if any(x.kind in {"NUM", "TRIPLE"} for x in lexemes):  # `Cyrene: 2 harmony, ...`
                return _text([lexeme], plain), list(lexemes[2:])
            return _text(_run(lexemes[i + 2 :], plain), plain), []
        if before not in {
            "",
            "NUM",
            "TRIPLE",
            "RPAR",
            *ATTRIBUTE_OF,
            *JOINTS,
        } or lexeme.kind not in _WORDS - {"WHO"}:
            continue
        run = _run(lexemes[i:], plain)
        name = _text(run, plain)
        capital = name.replace("The ", "")[:1].isupper()
        behind_it = [x.kind for x in lexemes[i + len(run) :]]  # `Cyrene it is`
        end = "" if SILENT.issuperset(behind_it) else behind_it[0]
        if end and end not in {"NUM", "TRIPLE", *JOINTS, *ATTRIBUTE_OF}:
            continue
        if name and capital and all(x.kind in _WORDS | {"OF", "FILLER"} for x in run):
            if all(plain.quote(x.start, x.end)[:1].isupper() or x.kind == "OF" for x in run):
                return name, [*lexemes[:i], *lexemes[i + len(run) :]]
    return "", list(lexemes)


_LEADS = frozenset(
    {"shall", "shall be", "will", "will be", "is", "be", "should", "to be", "must be"}
)
_NOT_YET = set_of("tbd tba follows later tomorrow pending unknown none coming undecided")


def _named_before(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """The words before `is our`."""
    for i, lexeme in enumerate(lexemes):
        if lexeme.text in {"is", "is our", "is my"}:
            return [x for x in lexemes[:i] if x.kind in _WORDS]
    return []


def _run(lexemes: Sequence[Lexeme], plain: Plain) -> list[Lexeme]:
    """The words of a name: `the Free Cities`, `Aldermark the Great`."""
    run: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        behind = lexemes[i + 1] if i + 1 < len(lexemes) else None
        large = behind is not None and plain.quote(behind.start, behind.end)[:1].isupper()
        article = lexeme.text in {"the", "a"} and (not run or large)
        article = article or (
            (bool(run) or large) and plain.quote(lexeme.start, lexeme.end)[:1].isupper()
        )
        if lexeme.kind in _ENDS or (lexeme.kind in SILENT and not article):
            break
        if lexeme.kind in {"WITH", "ALSO"}:
            break
        run.append(lexeme)
    return run


def _is_plain(run: Sequence[Lexeme], plain: Plain) -> bool:
    """Words in small letters that end a sentence and mean nothing else: `split 4/3/2, aldermark`,
    `4/3/2, the free cities`.
    """
    kinds = [x.kind for x in run if x.kind != "OF"]
    article = run[0].text == "the" and len(run) > 1 and kinds[-1] in {"WORD", "COMMON"}
    return (
        len(run) <= _MOST_PLAIN
        and plain.quote(run[0].start, run[-1].end).islower()
        and not any(x.kind in _ENDS for x in run)
        and (article or (kinds[0] == "WORD" and set(kinds) <= {"WORD", "FILLER"}))
    )


def _leads_to_name(lexeme: Lexeme) -> bool:
    """`my kingdom is to be called: ...`, `the name of my kingdom shall be ...`."""
    return lexeme.kind in {"COLON", "CUE", "CALLED"} or lexeme.text in _LEADS


def _tells_no_name(first: Lexeme) -> bool:
    """`call us later`, `for our kingdom we would like ...`."""
    begins = first.text.split(" ")[0] in _WE
    return begins or first.text in _NOT_YET or first.kind in TURNING


def _text(run: Sequence[Lexeme], plain: Plain) -> str:
    if not run:
        return ""
    name = " ".join(plain.quote(run[0].start, run[-1].end).split()).strip("\"'.,;:!")
    return name.removeprefix("of ")


def judge_name(entry: OrderEntry, position: Position) -> None:
    """A kingdom is not called by words of the house or of the game, or as an office (F-56), nor
    after another ruler; and its name is no longer than it may be (F-111).
    """
    order = entry.order
    if not isinstance(order, o.Split) or not order.name:
        return
    why = "name-taken" if position.names.get(fold(order.name), position.me) != position.me else ""
    said = [x.kind for x in lexemes_of(fold(order.name), vocabulary(), position.people)]
    if len(said) == 1 and said[0] in MANNER.heads:
        why = "name-reserved"
    try:
        parse_name(order.name, frozenset(reserved_words()))
    except NameRefused as refused:
        why = refused.code
    if why:
        entry.order = replace(order, name="")
        facts = {"name": order.name[:MOST_NAME], "why": why}
        entry.warnings.append(Problem("bad-name", ("SS-1.3",), facts, warning=True))


def split_of(counts: Mapping[str, int], name: str) -> o.Split | None:
    """The split, if it has all three numbers."""
    if len(counts) < len(ATTRIBUTES):
        return None
    return o.Split(counts["R"], counts["M"], counts["H"], name)
