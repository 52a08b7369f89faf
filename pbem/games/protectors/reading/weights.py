"""The orders of a ledger weighed against each other and against the position: what is unclear takes
along what it may speak of, two orders for one thing are both asked, the rest is the engine's word.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.protectors import orders as o
from engine.protectors.state import State
from engine.ruleset import Checked, Problem, Standing
from pbem.games.protectors.reading.dialect import lexicon
from pbem.games.protectors.reading.judgement import build
from pbem.games.protectors.reading.ledger import LedgerEntry, OrderLedger
from pbem.games.protectors.reading.position import Position, Unclear, named_by
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.likeness import nearest_word
from pbem.grammar.kit.slots import Slots

Check = Callable[[State, int, Standing[o.Order], Sequence[o.Order]], Checked[o.Order]]
_RULES = ("PR-6.19",)
_SLOTS = {
    **dict.fromkeys(("unknown-player",), "who"),
    **dict.fromkeys(("too-few-units", "out-of-range", "cannot-afford", "supply-limit"), "number"),
    **dict.fromkeys(("no-gold-in-bracket", "second-golden"), "golden"),
    "not-neighbours": "target",
    **dict.fromkeys(("not-your-province", "no-units", "unknown-province"), "province"),
}
"""Which slot a refusal of the engine points at; else the order word."""
_ADVERBS = frozenset({"as last turn", "like last turn"})
_ELSEWHERE: dict[str, o.Order] = {
    **dict.fromkeys(("MARCH", "ATTACK"), o.March(1, 1, 2)),
    "FORTIFY": o.Fortify(1),
    "WORK": o.Work(1),
    "HOLD": o.Hold(1),
}
"""An order of each kind that is said in one window alone."""


@dataclass(slots=True)
class Weighed:
    """An entry, its orders (with those that were refused, by index) and its problems."""

    entry: LedgerEntry
    orders: list[o.Order] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    caret: Lexeme | None = None

    @property
    def standing(self) -> tuple[o.Order, ...]:
        return tuple(order for i, order in enumerate(self.orders) if i not in self.refused)

    def ask(self, code: str, caret: Lexeme | None = None) -> None:
        self.orders, self.caret = [], caret
        self.problems.append(Problem(code, rules=_RULES))


def weigh(
    ledger: OrderLedger, position: Position, check: Check
) -> tuple[list[Weighed], Checked[o.Order] | None]:
    """What becomes of every entry, in order, and the engine's word on what was sent."""
    unclear = _first_look(ledger, position)
    found = [Weighed(entry) for entry in ledger.entries if not entry.gone]
    for weighed in found:
        entry = weighed.entry
        if id(entry) in unclear:
            why = unclear[id(entry)]
            weighed.problems.append(_problem_of(why))
            weighed.caret = why.at or entry.slots.verb
        elif entry.why:
            at = next(iter((*entry.slots.turns, *entry.slots.loose)), None)
            weighed.ask(entry.why, at)
            weighed.problems[-1] = _problem_of(Unclear(entry.why, at))
        else:
            weighed.orders = build(entry.slots, position)
    _add_to_standing(found, position)
    found = [weighed for weighed in found if not weighed.entry.gone]
    _withhold_rest(found)
    _part_clashes(found, chooses=ledger.chooses or ledger.corrected)
    found = [weighed for weighed in found if weighed.orders or weighed.problems]
    _withhold_whole(found)
    _tell_windows(found, position, check)
    return found, _checked(found, position, check, open_end=ledger.open)


def _problem_of(why: Unclear) -> Problem:
    """With the command word nearest to an unknown word, if one is near."""
    facts = dict(why.facts)
    if why.code == "not-understood" and not facts and why.at is not None and why.at.kind == "WORD":
        near = nearest_word(why.at.text, lexicon().slips)
        facts["word"] = why.at.text
        if near is not None:
            facts["nearest"] = near
    return Problem(why.code, _RULES, facts)


def _tell_windows(found: Sequence[Weighed], position: Position, check: Check) -> None:
    """For an order of another window, we say that first, and not that its number or place does not
    fit (PR-2.1).
    """
    said: dict[o.Order, tuple[Problem, ...]] = {}
    for weighed in found:
        sample = _ELSEWHERE.get(weighed.entry.slots.kind)
        told = weighed.entry.talk or weighed.entry.slots.turns
        if sample is None or weighed.orders or not weighed.problems or told:
            continue
        if sample not in said:
            said[sample] = check(position.state, position.player, Standing(), (sample,)).problems
        problems = said[sample]
        if problems and problems[0].code == "not-now":
            weighed.problems = [problems[0]]
            weighed.caret = weighed.entry.slots.verb


def _first_look(ledger: OrderLedger, position: Position) -> dict[int, Unclear]:
    """Entries of which no order can be made; what they may speak of is asked with them."""
    unclear: dict[int, Unclear] = {}
    position.named = named_by(ledger.entries)
    told: list[o.Order] = []
    for entry in sorted(ledger.standing, key=_is_of_the_rest):
        if _is_of_the_rest(entry) and position.spent is None:
            position.spent = position.cost_of(told)
        try:
            told += build(entry.slots, position)
        except Unclear as why:
            unclear[id(entry)] = why
    bare = [e for e in ledger.standing if e.spreads and e.slots.filled() == {"verb"}]
    if len(bare) > 1 and any(id(entry) in unclear for entry in bare):
        for entry in bare:
            unclear.pop(id(entry), None)
            entry.ask()  # `1. work`, `2. hold`: of which province?
    for entry in list(ledger.entries):
        if id(entry) in unclear and unclear[id(entry)].code == "not-understood":
            ledger.doubt(entry.slots, entry.number)
    for entry in list(ledger.entries):
        turned = entry.gone or entry.aside or entry.slots.turns
        if entry.why and entry.slots.kind and not turned:
            ledger.ask_about(entry.provinces())  # of two orders for one, which?
    return unclear


def _is_of_the_rest(entry: LedgerEntry) -> bool:
    """`bid the rest`: of what the message leaves."""
    slots = entry.slots
    return slots.kind == "BID" and ("LEFT" in slots.marks or slots.quantity is not None)


def _withhold_rest(found: Sequence[Weighed]) -> None:
    """`fill up P1, bid the rest`: how much is left hangs on what was not understood."""
    if any(weighed.problems and not weighed.entry.aside for weighed in found):
        for weighed in found:
            bids = any(isinstance(order, o.Bid) and order.amount for order in weighed.orders)
            if bids and _is_of_the_rest(weighed.entry):
                weighed.ask("not-understood", weighed.entry.slots.verb)


def _add_to_standing(found: Sequence[Weighed], position: Position) -> None:
    """`also buy 1 in P2`, if it is the message's first purchase: a purchase names the whole list
    (PR-1.10), so that what stands of it is said again.
    """
    buying = [w for w in found if any(isinstance(order, o.Buy) for order in w.orders)]
    if not buying or not _adds(buying[0].entry.slots):
        return
    told = [order for w in buying for order in w.orders if isinstance(order, o.Buy)]
    wanted: dict[int, int] = {}
    for buy in (*(x for x in position.standing.orders if isinstance(x, o.Buy)), *told):
        wanted[buy.province] = wanted.get(buy.province, 0) + buy.units
    for weighed in buying:
        weighed.orders, weighed.entry.gone = [], True
    buying[0].orders = [o.Buy(units, province) for province, units in wanted.items()]
    buying[0].entry.gone = False


def _adds(slots: Slots) -> bool:
    said = slots.verb.text if slots.verb is not None else ""
    return "ALSO" in slots.marks or said.startswith("add")


def _part_clashes(found: Sequence[Weighed], *, chooses: bool) -> None:
    """Two clauses that say different things of one: nobody knows which of them is meant."""
    gone = {order.province for w in found for order in w.orders if isinstance(order, o.Cancel)}
    ordered = {_place(order) for weighed in found for order in weighed.orders}
    for weighed in found if gone & ordered else ():
        said = {order.province for order in weighed.orders if isinstance(order, o.Cancel)}
        if said & ordered or any(_place(order) in gone for order in weighed.orders):
            weighed.ask("not-understood")  # taken back, or before it?
    _drop_echoes(found)
    _part_nothing(found)
    by_key: dict[object, tuple[Weighed, o.Order]] = {}
    clashing: dict[int, tuple[Weighed, str]] = {}
    for weighed in found:
        for order in weighed.orders:
            key = _key(order)
            held = by_key.setdefault(key, (weighed, order)) if key is not None else None
            if held is None or held[0] is weighed or held[1] == order:
                continue
            plain = not (held[0].entry.spreads or weighed.entry.spreads)
            beside = weighed.entry.slots.joint != "SLASH" and not chooses
            near = weighed.entry.number - held[0].entry.number <= 1
            refuses = (key == "ability" and near) or key is o.Palantir
            refuses = refuses or (isinstance(key, tuple) and key[0] in {"province", "commit"})
            if plain and beside and refuses:
                continue  # the first stands, and the engine says so of the second
            for other in (held[0], weighed):
                clashing[id(other)] = (other, "second-order" if plain else "not-understood")
    for weighed, code in clashing.values():
        weighed.ask(code)


def _drop_echoes(found: Sequence[Weighed]) -> None:
    """`Buy 0 in P1, 2 in P2`: nothing is bought there alone."""
    buys = any(isinstance(order, o.Buy) for w in found for order in w.orders)
    for weighed in found if buys else ():
        if weighed.entry.slots.numbers and weighed.entry.slots.places:
            weighed.orders = [x for x in weighed.orders if not isinstance(x, o.BuyNothing)]


def _part_nothing(found: Sequence[Weighed]) -> None:
    """`nothing` next to something; `the same as last turn` next to anything else."""
    said = [w for w in found if w.orders and not isinstance(w.orders[0], o.Final)]
    for none, some in ((o.CommitNothing, o.Commit), (o.BuyNothing, o.Buy)):
        nothing = [w for w in said if any(isinstance(order, none) for order in w.orders)]
        things = [w for w in said if any(isinstance(order, some) for order in w.orders)]
        for weighed in (*nothing, *things) if nothing and things else ():
            weighed.ask("not-understood")


def _withhold_whole(found: Sequence[Weighed]) -> None:
    """`same as last turn, but don't send money`, `P1 works as last turn`: a part that was not
    understood may change the meaning of the whole. So may places in lines of their own: `P1` / `P2`
    / `Hold`.
    """
    named = [w for w in found if not w.orders and w.entry.slots.places]
    bare = any(w.entry.slots.verb is None for w in named)
    for weighed in found:
        entry = weighed.entry
        if bare and entry.spreads and entry.slots.quantity is None and weighed.orders:
            weighed.ask("not-understood")
        if entry.slots.kind not in {"SAME", "CANCELALL"} or not weighed.orders:
            continue
        others = [w for w in found if w is not weighed]
        denied = any(
            w.problems and (w.entry.slots.turns or w.entry.slots.kind == "UNSEND") for w in others
        )
        lost = any(w.problems and w.entry.number == entry.number for w in others)
        verb = entry.slots.verb
        adverb = verb is not None and verb.text in _ADVERBS and not entry.slots.places
        near = any(
            w.entry.number == entry.number and w.entry.slots.joint not in {"BUT", "EXCEPT"}
            for w in others
        )
        if denied or lost or entry.slots.joint == "RUN" or (adverb and near):
            weighed.ask("not-understood", verb)


def _key(order: o.Order) -> object:
    match order:
        case o.Send(to=player):
            return ("send", player)
        case o.Use(mate=player):
            return ("use", player)
        case o.Commit(province=p):
            return ("commit", p)
        case o.Take() | o.Refresh():
            return "ability"
        case o.Snitch() | o.Bid() | o.Palantir() | o.ChooseFaction() | o.Fire():
            return type(order)
    place = o.ordered_province(order)
    return None if place is None else ("province", place)


def _place(order: o.Order) -> int | None:
    if isinstance(order, o.Buy | o.Upgrade | o.Commit | o.Burn):
        return order.province
    return o.ordered_province(order) if o.ordered_province(order) is not None else -1


def _checked(
    found: Sequence[Weighed], position: Position, check: Check, *, open_end: bool
) -> Checked[o.Order] | None:
    """Ask the engine about all at once. `final` means all of a message, so that nothing is final
    while something of it is open (PR-1.10).
    """
    if open_end or any(weighed.problems for weighed in found):
        for weighed in found:
            if any(isinstance(order, o.Final) for order in weighed.orders):
                weighed.orders = []
                weighed.problems.append(Problem("final-held", rules=("PR-1.10",)))
    sent = [(weighed, i) for weighed in found for i in range(len(weighed.orders))]
    if not sent:
        return None
    checked = check(
        position.state,
        position.player,
        position.standing,
        [weighed.orders[i] for weighed, i in sent],
    )
    for problem in checked.problems:
        if problem.order is not None:
            weighed, i = sent[problem.order]
            weighed.problems.append(problem)
            if not problem.warning:
                weighed.refused.add(i)
            weighed.caret = weighed.caret or _pointed_at(
                weighed.entry.slots, _SLOTS.get(problem.code, "verb"), weighed.orders[i]
            )
    return checked


def _pointed_at(slots: Slots, name: str, order: o.Order) -> Lexeme | None:
    """The lexeme that fills a slot, else the order word."""
    place = o.ordered_province(order)
    found: Lexeme | None = None
    match name:
        case "who":
            found = next(iter(slots.who), None)
        case "number":
            found = next(iter(slots.numbers), slots.quantity)
        case "golden":
            found = slots.flags.get("GOLD")
        case "target":
            found = slots.target or slots.dash or next(iter(reversed(slots.places)), None)
        case "province":
            held = [x for x in slots.all_places if x.value == place]
            found = next(iter(held), next(iter(slots.all_places), None))
    return found or slots.verb
