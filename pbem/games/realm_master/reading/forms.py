"""What may be ordered, as forms with rows, and what words name: for offers. What hangs on something
is not among them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from engine.realm_master.cards import all_buy_cards, all_lands, all_turn_cards
from engine.realm_master.checking.legal import possible
from engine.realm_master.orders import Order
from engine.realm_master.plans import is_act, is_deed
from engine.realm_master.state import State
from engine.realm_master.wording import FORMS as FORMS_OF_ORDERS
from engine.realm_master.wording import format_order
from pbem.games.realm_master.reading.lexer import lexicon
from pbem.games.realm_master.reading.parts import VERBS
from pbem.games.realm_master.reading.words import cards_by_name, lands_by_name
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain
from pbem.reading.forms import Form, FormRow, FormTable
from pbem.reading.items import Tongue, Value
from pbem.reading.words import ByRule, slip_of

_TO = {"land": set_of("to object in at")}


def _line(text: str, verbs: str, *, key: str = "", mute: float = 0.0) -> Form:
    """A line of a plan; without `mute` one of its verbs must be said."""
    said = set_of(verbs)
    needs = frozenset[str]() if mute else said
    return Form(text, said, _TO, ((key or text.split("{")[0],),) if key else (), needs, mute=mute)


ENTER = _line("Enter: {land:land}", "ENTER", key="enter")
BUY = _line("Buy: {card:card}", "BUY TAKEIT")
PLAY = _line("Play: {card:card}", "PLAY", mute=0.4)
REROLL = _line("Reroll: reroll {faces:faces}", "REROLL AGAIN")
DIE = _line("Reroll: reroll die {die:num}", "REROLL AGAIN")
KEEP = _line("Reroll: keep {faces:faces}", "KEEP")
BECOMES = _line("R: {face:face}", "RFACE", key="r")
LIFE = _line("Life: {n:num}", "TRADE FORLIFE", key="life")
ATTACK = _line("Attack: yes", "ATTACK", key="attack")
TRIBUTE = Form(
    "Tribute: {what:what} to {land:land}",
    set_of("TRIBUTE"),
    {"land": set_of("to in at")},
    (("tribute", "what"),),
    strict=frozenset({"land"}),
    mute=0.3,
)
LOOT = _line("Loot: {card:card}", "LOOT")
OUT = _line("Enter: nothing", "STAYOUT", key="enter")
AUTO = (_line("Auto on", "AUTOON", key="auto"), _line("Auto off", "AUTOOFF", key="auto"))
FORMS = (ENTER, BUY, PLAY, REROLL, KEEP, BECOMES, ATTACK, LOOT, OUT, *AUTO)
_FACES = {"BLANK": "blanks", "HALF": "half banners", "SWORD": "swords", "COIN": "coins"}
_FACES |= {"HEART": "hearts", "REST": "the rest", "BANNER": "half banners"}
_FACE = {"BLANK": "blank", "HALF": "half banner", "SWORD": "sword", "COIN": "coin"}
_FACE |= {"HEART": "heart"}
_WHAT = {"BANNER": "banners", "GOLD": "gold", "COIN": "gold", "HEART": "hearts"}
_TURNS = set_of(
    "NOT IF UNLESS WHILE ONLYIF ONLY OR ELSE BUT BELOW LEAST MOST ABOVE EXACT MORE LESS COSTS CAN"
    " HOPE SECOND TWICE LONE LEFT FIVE HEROES DAMAGE NOTHING SAME WAIT CONCEDE CONCEDED FORGET"
    " FORGETALL SAVE MOVE COVER REVEAL HITS HAVE EXIST ANY BLEED ULTIMATUM "
    " ALWAYS EARLY NOW WHENHIT OWNTURN NO STAY LEAVE EXCEPT WANT CLAIM"
)


def _values(lexeme: Lexeme, plain: Plain) -> Sequence[Value]:
    kind = lexeme.kind
    match kind:
        case "LAND":
            return (Value("land", all_lands()[lands_by_name()[lexeme.text]].short),)
        case "BEST" | "CHEAPEST":
            best = "the richest land" if kind == "BEST" else "the cheapest land"
            return (Value("land", best),)
        case "CARD":
            return (Value("card", all_buy_cards()[cards_by_name()[lexeme.text]].name),)
        case "WORD":
            return _by_slip(lexeme.text)
        case "ALL":
            return (Value("faces", "the rest"), Value("", None))
    found = [Value("faces", _FACES[kind])] if kind in _FACES else []
    found += [Value("face", _FACE[kind])] if kind in _FACE else []
    found += [Value("what", _WHAT[kind])] if kind in _WHAT else []
    return found


@lru_cache(maxsize=4096)
def _by_slip(text: str) -> tuple[Value, ...]:
    """A land or card with letters wrong."""
    lands, cards = slip_of(text, lands_by_name()), slip_of(text, cards_by_name())
    found = [Value("land", all_lands()[key].short) for key in lands]
    found += [Value("card", all_buy_cards()[key].name) for key in cards]
    return (found[0],) if len(found) == 1 else ()


TONGUE = Tongue(
    _values,
    frozenset(VERBS) | {"AGAIN", "RFACE", "FORLIFE"} - _TURNS,
    weak=set_of("TAKEIT GOON"),
    cues={"TO": "to", "IN": "in", "ARE": "to", "FOR": "for", "FROM": "from"},
    turns=_TURNS,
    quantities=frozenset(),
)


def mended(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """The lexemes with order words that are cut short, or have a letter wrong."""
    return _spellings().mended(lexemes)


@lru_cache(maxsize=1)
def _spellings() -> ByRule:
    return ByRule(lexicon(), VERBS)


def space(state: State, player: int) -> Iterator[FormTable]:
    """All that may be ordered now without a condition, by form."""
    if state.stage == "over" or not state.players[player - 1].alive:
        return
    ways = _Ways(state, player)
    faces = [FormRow({"faces": face}) for face in dict.fromkeys(_FACES.values())]
    for form in FORMS:
        yield FormTable(form, faces if form in (REROLL, KEEP) else ways.rows(form))
    yield FormTable(DIE, [FormRow({}, {"die": (1, 5)})])
    yield FormTable(LIFE, ways.lives())
    yield FormTable(TRIBUTE, ways.owed())


@dataclass(frozen=True)
class _Ways:
    """What may be ordered now, told where a form is meant."""

    state: State
    player: int

    @cached_property
    def orders(self) -> Sequence[Order]:
        orders = possible(self.state, self.player)
        return [order for order in orders if not is_deed(order) and not is_act(order)]

    def texts(self, head: str) -> list[str]:
        """Those that begin so."""
        kinds = FORMS_OF_ORDERS.of_word(head.partition(" ")[0])
        told = (format_order(order) for order in self.orders if type(order) in kinds)
        return [text for text in told if text.startswith(head)]

    def rows(self, form: Form) -> Iterator[FormRow]:
        said = map(form.said_in, self.texts(form.text.partition("{")[0]))
        yield from (FormRow(one) for one in said if one is not None and _is_plain(one))

    def lives(self) -> Iterator[FormRow]:
        count = len(self.texts("Life: "))
        if count:
            yield FormRow({}, {"n": (1, count)})

    def owed(self) -> Iterator[FormRow]:
        card = all_turn_cards().get(self.state.card or "")
        if card is None or card.effect != "tribute":
            return
        lands = [text.rpartition(" to ")[2] for text in self.texts("Tribute: ")]
        yield from (
            FormRow({"what": what, "land": land}) for what in set(_WHAT.values()) for land in lands
        )


def _is_plain(values: dict[str, object]) -> bool:
    return all(" on " not in str(value) and "," not in str(value) for value in values.values())


def joined(texts: Sequence[str]) -> Sequence[str]:
    """Lines of one heading as one: `Reroll: reroll blanks, keep swords`."""
    found: dict[str, list[str]] = {}
    for text in texts:
        head, _, rest = text.partition(": ")
        found.setdefault(head, []).append(rest)
    return [
        f"{head}: {', '.join(sorted(rest, key=lambda x: x.endswith('the rest')))}".removesuffix(
            ": "
        )
        for head, rest in found.items()
    ]
