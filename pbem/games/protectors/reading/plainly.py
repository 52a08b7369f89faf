"""Turns of phrase put into the words that clauses are read by, at the same length, so that every
place in the text stays where it was.

`Anna pays 40 of it` is `40 from Anna`, `with 75 from Anna` is `, 75 from Anna`, and `the whole
council` is all nine Highmagisters.
"""

import re
from collections.abc import Callable, Sequence

_BEFORE = r"(?P<before>^|[,.;:(]\s*+|\n[^\S\n]*+|\band\s++|\bwith\s++)"
_AFTER = r"(?=\s*(?:$|[,.;)!\n]|\band\b|\bplease\b))"
_AMOUNT = (
    r"(?P<amount>\d{1,6}|half|(?:a )?(?:third|quarter)|the (?:rest|other"
    r" half)|some|everything|all|ten|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|(?:one|a) hundred)"
)
_MONEY = r"(?:\s*(?:\$\s?realm|\$|realm|coins?|gold))?"
_OF_IT = r"(?:\s+(?:of|for|towards|to)\s+(?:it|that|this|them|my bid|the bid|the total|mine|me))?"
_PASS = re.compile(
    r"(?m)^(?P<before> *(?:(?:i|we)(?:'ll| will)? )?)pass(?=(?: please| this turn)?[ .!]*$)"
)
_PAYS = (
    r"(?:pays?|lends?|gives?|covers?|adds?|provides?|contributes?|puts? in|chips? in|will pay|is"
    r" paying|would pay)(?:\s+me)?(?:\s+with)?"
)
_COUNCIL = re.compile(
    r"(?P<call>\b(?:(?:i |we )?(?:call|summon|bring|ask|get|send)(?: in| for| up)?\s+)?)"
    r"(?:(?P<whole>(?:the )?(?:whole|entire|full|complete|all of the)"
    r" (?:council|highmagisters|magisters)|"
    r"all (?:the |nine |9 |of the )?(?:highmagisters|magisters)|(?<=[a-z] )all (?:nine|9)(?: of"
    r" them)?)|"
    r"(?<=[a-z] )(?P<some>[1-9]|one|two|three|four|five|six|seven|eight|nine)"
    r" (?:highmagisters?|magisters?)|"
    r"(?<=[a-z] )(?P<bare>the council))\b"
)


_FACTION = r"(?:cenarion|kalu'?ak|hodir|iron ?light|lannuvar)(?![\w'])"
_NAMED = re.compile(_FACTION)
_SPELT = re.compile(r"\b(?:kalu[ -]ak|iron-light)\b")
_CHOSEN = re.compile(
    rf"(?:(?:please |pls )?(?:(?:give|make|let) me(?: be| have| play)?"
    rf"|(?:i|we)(?:'d| would)? (?:like|love|prefer|want|pick|take)(?: to (?:be|play|have|take))?)"
    rf"(?: as)?(?: the)?(?: faction)? )(?={_FACTION})"
)
_BEFORE_BID = re.compile(
    rf"(?P<name>\b{_FACTION})(?P<gap> +(?:with |for |at |and )?)(?=(?:(?:i|my|a)"
    r" )?(?:bid|bids|bidding|offer)\b|\d)"
)
_BEHIND_BID = re.compile(
    rf"(?P<amount>\d)(?P<gap>(?: *\$? ?realm| *\$)? +(?:(?:as|with|for|on|playing|playing as|being)"
    rf" +)?(?:the +|faction +)?)"
    rf"(?={_FACTION})"
)


def put_factions(text: str, names: Sequence[str]) -> str:
    """A faction beside a bid with nothing that parts them: `hodir bid 10`, `bid 10 as hodir`, `give
    me hodir`. No player is called so.
    """

    def part(found: re.Match[str]) -> str:
        named = _NAMED.search(found.string, found.start())
        if named is None or named[0] in names:
            return found[0]
        first = found.group(1) if found.re is not _CHOSEN else ""
        return (first + ("," if first else " ")).ljust(len(found[0]))

    text = _SPELT.sub(lambda found: "kalu'ak" if found[0][0] == "k" else "iron light", text)
    for pattern in (_CHOSEN, _BEFORE_BID, _BEHIND_BID):
        text = pattern.sub(part, text)
    return text


def put_loans(text: str, names: Sequence[str]) -> str:
    """Money of team-mates, as people speak of it, in the words `40 from Anna`. Text and names are
    folded.
    """
    named = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    if not named:
        return text
    pays = re.compile(rf"{_BEFORE}(?P<who>{named})\s+{_PAYS}\s+{_AMOUNT}{_MONEY}{_OF_IT}{_AFTER}")
    part = re.compile(
        rf"{_BEFORE}{_AMOUNT}{_MONEY}\s+of\s+(?:it|that|this|which|them)\s+from\s+(?P<who>{named})\b"
    )
    owned = re.compile(
        rf"(?P<before>[^\s,.;:(]\s++)(?:with|using)\s+{_AMOUNT}{_MONEY}\s+(?:from|of|by)\s+(?P<who>{named})(?:'?s"
        rf" money)?{_AFTER}"
    )
    for pattern, comma in ((pays, False), (part, False), (owned, True)):
        text = pattern.sub(_loan(comma=comma), text)
    return text


def _loan(*, comma: bool) -> Callable[[re.Match[str]], str]:
    def put(found: re.Match[str]) -> str:
        before = found["before"]
        if comma:
            lead = f"{before},".ljust(found.start("amount") - found.start())
            return _padded(f"{lead}{found['amount']} from ", found["who"], found[0])
        lead = before if before.strip() != "with" else "," + " " * (len(before) - 1)
        return _padded(f"{lead}{found['amount']} from ", found["who"], found[0])

    return put


def _padded(first: str, last: str, whole: str) -> str:
    """The first and the last part with so much room between them that they are as long as what they
    stand for.
    """
    room = len(whole) - len(first) - len(last)
    return whole if room < 0 else first + " " * room + last


def put_pass(text: str) -> str:
    """`I pass` on a line of its own is an answer that buys nothing."""
    return _PASS.sub(lambda found: found["before"] + "none", text)


def put_council(text: str) -> str:
    """Highmagisters by the number: the whole council are all nine (PR-11.1); the council alone says
    no number, and is asked about.
    """

    def put(found: re.Match[str]) -> str:
        number = "9" if found["whole"] else found["some"] or ""
        return _padded("summon ", number, found[0]) if number else "summon".ljust(len(found[0]))

    return _COUNCIL.sub(put, text)
