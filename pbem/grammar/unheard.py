"""Lines of a message of which nothing came, next to others of which something did: their writer is
told of them.

Greetings, thanks, a signature and what stands below a closing word are no such lines. Next to
orders small talk is not told either, only a line of a few words. The game's own reader refuses
what only looks like an order.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from pbem.grammar.house.statements import Said, Unclear
from pbem.grammar.kit.normalise import normalise
from pbem.grammar.kit.reading import Reading
from pbem.grammar.signature import block_below_name

MOST_TOLD = 5
FEW_WORDS = 3
MOST_NAMES = 3
_GREETING = re.compile(
    r"(?:hi|hello|hey|hiya|dear|hallo|moin|servus|salut|bonjour|hola|ciao|good"
    r" (?:morning|evening|afternoon|day)|greetings)\b"
    r"[^:@?]{0,40}",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:(?:many |with )?thanks|thank"
    r" you|thx|ty|please|sorry|danke|merci|gracias|ok(?:ay)?|great|good luck|have fun|see you)\b"
    r"[^:@?]{0,40}",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:(?:many )?thanks(?: and)?|thank you|thx|cheers|regards|(?:(?:all the )?best|kind|warm|with"
    r" kind)(?: (?:regards|wishes))?"
    r"|yours(?: \w++)?|sincerely|love|ciao|bye|lg|vg|mfg|(?:viele |liebe |sch[öo]ne |beste"
    r" )?gr[üu](?:ß|ss)e?|gru(?:ß|ss)|danke|salut"
    r"|bises|cordialement|merci|gracias|saludos|groet(?:en|jes)|pozdrawiam|pozdrowienia|hilsen|mvh)["
    r" ,.!–-]*(?:[^\W\d_]++[.! ]*+){0,2}",
    re.IGNORECASE,
)


def unheard_lines(said: Said, reading: Reading, names: Collection[str]) -> tuple[str, ...]:
    """The lines of a message that came to nothing, the first few. `names` are
    those it may be signed or greeted with.
    """
    known = {word for name in names for word in name.casefold().split()}
    lines = [
        (line, is_heard)
        for line, is_heard in _lines(said, reading)
        if is_heard or any(letter.isalnum() for letter in line)
    ]
    signature = _signature(said.text, lines, known)
    left = [line for line, is_heard in lines[: len(lines) - len(signature)] if not is_heard]
    last = _last_paragraph(said.text)
    told = []
    for line in left:
        if _CLOSING.fullmatch(line):
            break
        words = re.findall(r"\w+", line.casefold())
        is_name = len(words) <= MOST_NAMES and known.issuperset(words)
        is_signature = line == last and len(words) < MOST_NAMES and line[:1].isupper()
        if is_name or is_signature or _GREETING.fullmatch(line) or _POLITE.fullmatch(line):
            continue
        if reading.items and (len(words) > FEW_WORDS or line[-1] in ":?!"):
            continue
        told.append(line)
    return tuple(told[:MOST_TOLD])


def _lines(said: Said, reading: Reading) -> Iterator[tuple[str, bool]]:
    """Each line as it was written, and whether it had a result."""
    plain = normalise(said.text)
    numbers = {one.span for one in said.house if one == Unclear(one.span, "number")}
    spans = said.without(numbers).taken(plain)
    quotes = {
        piece.strip()
        for item in reading.items
        for piece in item.quote.splitlines()
        if piece.strip()
    }
    at = 0
    for folded in plain.text.split("\n"):
        start, end = at, at + len(folded)
        at = end + 1
        line = plain.quote(start, end).strip() if folded.strip() else ""
        if line:
            yield (
                line,
                any(a < end and start < b for a, b in spans)
                or any(quote in line or line in quote for quote in quotes),
            )


def _signature(
    text: str, lines: Sequence[tuple[str, bool]], known: Collection[str]
) -> Sequence[str]:
    """The lines at the end that are somebody's signature."""
    below: list[str] = []
    for line, is_heard in reversed(lines):
        if is_heard:
            break
        below.insert(0, line)
    blocks = [block.strip() for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n"))]
    begins = {block.partition("\n")[0].strip() for block in [b for b in blocks if b][1:]}
    return block_below_name(below, known, begins)


def _last_paragraph(text: str) -> str:
    """The last paragraph, where it is a single line behind others."""
    paragraphs = [
        block.strip()
        for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n"))
        if block.strip()
    ]
    return paragraphs[-1] if len(paragraphs) > 1 else ""
