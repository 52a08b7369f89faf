"""Reads what a player supposes: `I march 2 from P1 to P2 and Ben marches 3 from P3 to P2`, `Ben and
Chloé attack P2`, `blue holds`.

Each player's clauses are read by the grammar of orders, as if that player had written them; others'
orders are checked against what the one who asks knows of them. What is not understood is never left
out: a part of a question is another question.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from msgspec import structs

from engine.protectors import orders as o
from engine.protectors.acts import act_of
from engine.protectors.state import State
from engine.protectors.suppositions import BOTTOMLESS, checked_as
from engine.ruleset import Problem, Standing
from pbem.games.protectors.reading.dialect import DIALECT, lexicon
from pbem.games.protectors.reading.reader import READER, people_of
from pbem.games.protectors.reading.subjects import Clause, clauses_of
from pbem.grammar.kit.lexemes import set_of
from pbem.grammar.kit.lexicon import read_lexemes
from pbem.grammar.kit.normalise import Plain, normalise
from pbem.grammar.kit.people import People
from pbem.grammar.kit.reading import Item, SupposedItem, Supposition, supposition_of, unread
from pbem.grammar.kit.slots import SILENT
from pbem.reading.items import BREAKS

_PAST = dict(
    told.split(">")
    for told in (
        "marched>march attacked>attack moved>move fortified>fortify worked>work helped>help"
        " supported>support held>hold sent>send took>take went>go gave>give stayed>stay paid>pay"
        " invaded>invade defended>defend backed>back advanced>advance retreated>retreat"
        " snitched>snitch"
    ).split()
)
_PAST_WORDS = re.compile(rf"(?<!\w)(?:{'|'.join(_PAST)})(?!\w)")
_SMALL = re.compile(
    r"(?<!\w)(?:if|would|could|should|might|may|maybe|perhaps|possibly|probably|suddenly|really|his|her|their|"
    r"(?:that )?(?:he|she|they|it|i|we) (?:has|have|had|got)|(?:were|was|is|are|am) (?:going )?to|"
    r"(?:decide|choose|want|happen|trie)[sd]? to|as i (?:think|fear|guess|expect|hope))(?!\w)"
)
_MINE = re.compile(r"(?<=\w )my (?:only )?(?:province|land|home|castle)(?!\w| *#? *\d)")
_EACH = re.compile(r"(?<!\w)(?:each|apiece|together|both)(?!\w)")
_SILENT = SILENT | BREAKS | {"QUOTE", "DASH", "BUT"}
_WEIGHTY = DIALECT.verbs | set_of("PLACE NUM GOLD DELAY NEG COND OR UNITS ALL ELSE HALF EXCEPT")
"""What makes a stretch of words more than a thank-you."""


def read_supposition(
    state: State, player: int, standing: Standing[o.Order], text: str
) -> Supposition:
    """What this player supposes, in addition to their orders that stand. Never raises for what a
    player wrote.
    """
    return supposition_of(text, partial(_read, state, player, standing, text))


def _read(state: State, player: int, standing: Standing[o.Order], text: str) -> Supposition:
    plain = normalise(text)
    people = people_of(state, player)
    clauses = clauses_of(plain.text, read_lexemes(plain.text, lexicon(), people), people, state)
    folded = _plainly(plain.text, people)
    items = [
        SupposedItem(None, _item(plain, clause.said, clause.end, clause.problem))
        for clause in clauses
        if clause.problem is not None
    ]
    orders: dict[int, tuple[o.Order, ...]] = {}
    understood = [clause for clause in clauses if clause.problem is None]
    says_something = any(clause.named for clause in understood) or any(
        not clause.players for clause in understood
    )
    for number in dict.fromkeys(number for clause in understood for number in clause.players):
        theirs = [clause for clause in understood if number in clause.players]
        own = Standing(standing.orders) if number == player else Standing[o.Order]()
        seen = checked_as(state, player, number)
        part = READER.read_part(seen, number, own, people, plain, _only(folded, theirs))
        items += [SupposedItem(number, _judged(item)) for item in part.items]
        says_something = says_something or bool(part.heard)
        items += [
            SupposedItem(number, item)
            for item in _left_over(plain, folded, theirs, part.heard, people)
        ]
        given = part.checked.standing.orders if part.checked is not None else own.orders
        orders[number] = tuple(
            order for order in given if not isinstance(order, o.Final | o.Cancel)
        )
    if not items and not says_something:
        return unread(text, Problem("nothing-supposed"))
    stored = player not in orders
    if stored:
        orders[player] = standing.orders
    return Supposition(
        {number: given for number, given in sorted(orders.items()) if given},
        tuple(_once(items)),
        stored,
    )


def _item(plain: Plain, start: int, end: int, problem: Problem) -> Item:
    return Item(quote=plain.quote(start, end).strip(" \n,.;?!"), problems=(problem,))


def _once(items: Iterable[SupposedItem]) -> Iterator[SupposedItem]:
    """The problem of a clause that several players share appears once."""
    seen: list[tuple[str, tuple[Problem, ...]]] = []
    for supposed in items:
        key = supposed.item.quote, supposed.item.problems
        if supposed.item.orders or key not in seen:
            yield supposed
        seen.append(key)


def _judged(item: Item) -> Item:
    """Nobody can suppose a look at a card, nor all the money in a secret purse. `final` settles
    nothing here, and the page says so.
    """
    if any(act_of(order) is not None for order in item.orders):
        return _refused(item, Problem("hidden-card", rules=("PR-1.8",)))
    if any(problem.facts.get("number") == BOTTOMLESS for problem in item.problems):
        return _refused(item, Problem("hidden-purse", rules=("PR-1.9",)))
    said = zip(item.orders, item.texts, strict=True)
    kept = [(order, text) for order, text in said if not isinstance(order, o.Final)]
    if len(kept) == len(item.orders):
        return item
    final = Problem("final-in-question", rules=("PR-1.10",), warning=True)
    orders, texts = (tuple(pair[i] for pair in kept) for i in (0, 1))
    return structs.replace(item, orders=orders, texts=texts, problems=(*item.problems, final))


def _refused(item: Item, problem: Problem) -> Item:
    return structs.replace(item, orders=(), texts=(), problems=(problem,))


# ------------------------------------------------------------------------------- what is read of it
def _plainly(text: str, people: People) -> str:
    """The folded text without the small words of supposing, every character in its place: no
    `would`, no past tense, no question mark. A player may be called May.
    """
    text = _PAST_WORDS.sub(
        lambda found: _PAST[found[0]].ljust(len(found[0])), text.replace("?", ".")
    )
    text = _MINE.sub(lambda found: "me".ljust(len(found[0])), text)
    return _SMALL.sub(lambda found: found[0] if people.knows(found[0]) else _blank(found), text)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _only(text: str, clauses: Sequence[Clause]) -> str:
    """The text with everything but these clauses blanked, each of them a sentence of its own."""
    kept = ["\n" if sign == "\n" else " " for sign in text]
    for clause in clauses:
        body = text[clause.start : clause.end]
        several = len(clause.players) > 1
        kept[clause.start : clause.end] = _EACH.sub(_blank, body) if several else body
        if clause.start and kept[clause.start - 1] != "\n":
            kept[clause.start - 1] = ";"
    return "".join(kept)


def _left_over(
    plain: Plain,
    text: str,
    clauses: Sequence[Clause],
    heard: Sequence[tuple[int, int]],
    people: People,
) -> Iterator[Item]:
    """The words of each clause without effect, unless they are only friendly."""
    lexemes = read_lexemes(_only(text, clauses), lexicon(), people)
    said = [lexeme for lexeme in lexemes if lexeme.kind not in _SILENT]
    not_read = Problem("not-understood", rules=("PR-6.19",))
    for clause in clauses:
        came = [span for span in heard if span[0] < clause.end and clause.start < span[1]]
        lost = [
            x
            for x in said
            if clause.start <= x.start < clause.end
            and not any(start <= x.start < end for start, end in came)
        ]
        weighs = any(x.kind in _WEIGHTY or (x.kind == "WHO" and x.value != people.me) for x in lost)
        if clause.named and not came:
            yield _item(plain, clause.said, clause.end, not_read)
        elif weighs:
            yield _item(plain, lost[0].start, lost[-1].end, not_read)
