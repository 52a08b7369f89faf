"""A small game of the tests' own: rows on a shelf, told by forms alone."""

from collections.abc import Sequence

from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.lexicon import load_lexicon, read_lexemes
from pbem.grammar.kit.normalise import Plain, normalise
from pbem.grammar.kit.people import People
from pbem.grammar.kit.reading import Propose
from pbem.grammar.kit.sentences import sentences_of
from pbem.reading.forms import Form, FormRow, FormTable
from pbem.reading.items import Tongue, Value
from pbem.reading.offers import Offering

SHELVES = range(1, 6)
JARS = ("honey", "salt", "tea")
MOST = 3
CARRY = Form(
    "Carry {n:num} {jar:jar} from {o:shelf} to {to:shelf}",
    set_of("CARRY"),
    {"o": set_of("from of behind head"), "to": set_of("to object")},
    (("shelf", "o", "jar"),),
    guess=frozenset({"o"}),
    heads=frozenset({"to"}),
)
DUST = Form(
    "Dust {o:shelf}",
    set_of("DUST"),
    {"o": set_of("object in head subject")},
    (("dust", "o"),),
    set_of("DUST"),
    spreads="o",
)
_NAMES = (
    ("CARRY", ("carry", "carries", "bring", "brings")),
    ("DUST", ("dust", "dusts")),
    *((f"JAR{i}", (jar, f"{jar}s")) for i, jar in enumerate(JARS)),
)


def tables() -> tuple[FormTable, ...]:
    """Three jars of each kind on every shelf, but of tea on the first alone."""
    rows = [
        FormRow({"jar": jar, "o": f"S{o}", "to": f"S{to}"}, {"n": (1, MOST)})
        for jar in JARS
        for o in SHELVES
        for to in SHELVES
        if o != to and (jar != "tea" or o == 1)
    ]
    return FormTable(CARRY, rows), FormTable(DUST, [FormRow({"o": f"S{o}"}) for o in SHELVES])


def _values(lexeme: Lexeme, plain: Plain) -> Sequence[Value]:
    if lexeme.kind == "PLACE":
        return (Value("shelf", f"S{lexeme.value}"),)
    if lexeme.kind.startswith("JAR"):
        return (Value("jar", JARS[int(lexeme.kind[3:])]),)
    return ()


TONGUE = Tongue(_values, set_of("CARRY DUST"), nouns=frozenset({"jar"}))


def lexemes_in(text: str) -> list[Lexeme]:
    return read_lexemes(text, load_lexicon(names=_NAMES), People((), None))


def offering_of(
    text: str, alone: Sequence[str] = (), propose: Propose | None = None
) -> tuple[str, ...]:
    """What is offered to a message of which nothing was taken."""
    plain = normalise(text)
    lexemes = lexemes_in(plain.text)
    sentences = sentences_of(plain, lexemes, TONGUE.verbs, frozenset())
    offering = Offering(plain, lexemes, TONGUE, tables, str, alone=lambda _: alone)
    return offering.whole(sentences, [], [(0, len(plain.text))], propose)
