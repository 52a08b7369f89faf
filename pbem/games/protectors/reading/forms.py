"""What may be ordered, as forms with rows, and what words name: for offers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace as replace_form
from functools import partial

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import FIRE_COST, MOST_MAGISTERS
from engine.protectors.asked import asked_players
from engine.protectors.checking.purchase import supply_room
from pbem.games.protectors.reading.dialect import DIALECT
from pbem.games.protectors.reading.position import Position
from pbem.games.protectors.reading.wording import MANNER
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain, fold
from pbem.reading.forms import Form, FormRow, FormTable
from pbem.reading.items import CUES, Tongue, Value

_FROM = set_of("from of subject head in behind object")
_AT = {"o": set_of("in of subject head for behind object to from")}
_OF_PROVINCE = (("order", "o"),)
_MOVING = set_of("MARCH ATTACK TAKE")


def _staying(text: str, verb: str) -> Form:
    return Form(text, frozenset({verb}), _AT, _OF_PROVINCE, frozenset({verb}), spreads="o")


def _plain(text: str, verbs: str) -> Form:
    return Form(text, set_of(verbs), needs=set_of(verbs))


def _of_place(text: str, verb: str) -> Form:
    return Form(text, frozenset({verb}), _AT, ((verb, "o"),), frozenset({verb}), spreads="o")


FORTIFY = _staying("{gold?Golden }Fortify! {o:place}", "FORTIFY")
WORK = _staying("{gold?Golden }Work, work! {o:place}", "WORK")
HOLD = _staying("Hold {o:place}", "HOLD")
MARCH = Form(
    "{delay?Delayed }{gold?Golden }March! {n:num_units} from {o:place} to {to:place}",
    _MOVING,
    {"o": _FROM, "to": set_of("to object"), "foe": set_of("object of owner")},
    _OF_PROVINCE,
    hidden={"foe": "who"},
    guess=frozenset({"o"}),
    heads=frozenset({"to"}),
    ways=frozenset({"to"}),
)
SUPPORT = Form(
    "{gold?Golden }Support! {who:who} in {to:place} from {o:place}",
    frozenset({"SUPPORT"}),
    {
        "o": set_of("from of subject head with"),
        "to": set_of("in to behind of"),
        "who": set_of("object for to of owner"),
    },
    _OF_PROVINCE,
    frozenset({"SUPPORT"}),
    guess=frozenset({"o"}),
)
SEND = Form(
    "Send {n:num_realm} to {who:who}",
    set_of("SEND GIVE"),
    {"who": set_of("to for object head")},
    (("send", "who"),),
)
SNITCH = Form("Snitch on {who:who}", set_of("SNITCH"), needs=set_of("SNITCH"))
BUY = Form(
    "Buy {n:num_units} in {o:place}",
    set_of("BUY GET"),
    {"o": set_of("in for to behind head of object")},
    (("buy", "o"),),
    spreads="o",
)
UPGRADE = _of_place("Upgrade {o:place}", "UPGRADE")
CAPITOL = _of_place("Capitol {o:place}", "CAPITOL")
BURN = replace_form(_of_place("Burn {o:place}", "BURN"), spreads="")
BID = Form("Bid {n:num_realm}", set_of("BID"), needs=set_of("BID"), keys=(("bid",),))
COMMIT = Form(
    "Commit {n:num_units} from {o:place}[ (sac {sac:num_units})]",
    set_of("COMMIT SEND"),
    {"o": _FROM, "sac": set_of("sac")},
    (("commit", "o"),),
    heads=frozenset({"o"}),
)
FIRE = Form("Fight fire with fire: {n:num_units}", set_of("FIRE"), needs=set_of("FIRE"))
FACTION = Form("Faction {of:faction}", set_of("FACTION TAKE"), keys=(("faction",),), mute=0.4)
PLAIN = (
    _plain(o.UseBank.form, "BANK"),
    _plain(o.UseFaith.form, "FAITH"),
    _plain(o.HireKing.form, "KING"),
    _plain("Weather forecast", "FORECAST"),
    _plain("Nothing to see here!", "NOTHINGTOSEE"),
)
NOTHING = {
    "dragon": _plain("Commit nothing", "HIDDEN"),
    "consolidation": _plain("Buy nothing", "PASS"),
}
"""What says that nothing is done, where that is an order."""
NO_BID = _plain("Bid 0", "NOBID")
_TURNS = set_of(
    "CANCEL CANCELALL UNSEND SAME KEEP LEND LEFT ALLBUT USE OR SACALL"
    " PALANTIR REFRESH READDRAGONS BOTTOM PLACEDRAGON NOGOLD NODELAY FINE"
)
"""What such words say is not offered."""
NEVER = (o.Final, o.Cancel, o.AtOnce, o.Use)


def _values(position: Position, lexeme: Lexeme, plain: Plain) -> Sequence[Value]:
    match lexeme.kind:
        case "PLACE" if lexeme.value is not None:
            return (Value("place", o.format_province(lexeme.value)),)
        case "WHO" if lexeme.value != position.player:
            known = any(lexeme.value == seat.number for seat in position.people.persons)
            name = position.people.name_of(lexeme.value) if lexeme.value and known else ""
            return (Value("who", name or lexeme.text),)
        case "TOTAL":
            return (Value("total", lexeme.value),)
        case "GOLD":
            return (Value("gold", "Golden "),)
        case "DELAY":
            return (Value("delay", "Delayed "),)
        case "FACTIONNAME":
            return (Value("faction", _faction(lexeme.text)),)
    return ()


def _faction(text: str) -> str:
    """The faction by its name, however that is spelt."""
    bare = text.replace(" ", "").replace("'", "")
    known = {fold(name).replace(" ", "").replace("'", ""): name for name in o.FACTIONS}
    return known.get(bare, text)


def tongue(position: Position) -> Tongue:
    """What words name at this table."""
    return Tongue(
        partial(_values, position),
        DIALECT.verbs - _TURNS - {"FINAL"},
        {"SEND": set_of("SEND MARCH COMMIT"), "GIVE": set_of("GIVE MARCH")},
        set_of("GET TAKE HOLD"),
        cues={**CUES, "SAC": "sac"},
        counted={"UNITS": "num_units", "THEUNITS": "num_units", "MONEY": "num_realm"},
        numbers=("num_units", "num_realm"),
        turns=_TURNS,
        plain=set_of("REQUEST UNITS THEUNITS DASH ARROW MONEY") | {MANNER},
    )


def space(position: Position) -> Iterator[FormTable]:
    """All that may be ordered in this window, by form."""
    state, player = position.state, position.player
    if player not in asked_players(state):
        return
    if state.stage == "orders":
        yield from _of_window(position)
    elif position.fights_dragon:
        units = ((p, state.board[p].units) for p in numbers.provinces_of(state, player))
        yield FormTable(
            COMMIT, (FormRow({"o": _place(p)}, {"n": (1, n), "sac": (0, n)}) for p, n in units if n)
        )
        yield FormTable(
            BURN, (FormRow({"o": _place(p)}) for p in numbers.green_provinces(state, player))
        )
        most = min(MOST_MAGISTERS, position.purse // FIRE_COST)
        yield FormTable(FIRE, [FormRow({}, {"n": (1, most)})] if most else [])
    else:
        yield from _of_purse(position)
    if position.fights_dragon or state.stage in NOTHING:
        stage = "dragon" if position.fights_dragon else state.stage
        yield FormTable(NOTHING[stage], [FormRow({})])
    yield from (FormTable(form, [FormRow({})]) for form in PLAIN)


def _of_window(position: Position) -> Iterator[FormTable]:
    state = position.state
    held = [*position.manned, *([o.ISLAND] if position.units(o.ISLAND) else [])]
    for form in (FORTIFY, WORK, HOLD):
        yield FormTable(form, (FormRow({"o": _place(p)}) for p in held))
    yield FormTable(
        MARCH,
        (
            FormRow(_march(position, p, target), {"n": (1, position.units(p))})
            for p in held
            for target in position.targets(p)
        ),
    )
    names = position.people.name_of
    yield FormTable(
        SUPPORT,
        (
            FormRow({"o": _place(p), "to": _place(target), "who": names(other)})
            for p in position.manned
            for target in numbers.support_targets(state, p, golden=True)
            for other in state.ranking
        ),
    )
    others = [other for other in state.ranking if other != position.player]
    yield FormTable(
        SEND, (FormRow({"who": names(other)}, {"n": (1, position.purse)}) for other in others)
    )
    yield FormTable(SNITCH, (FormRow({"who": names(other)}) for other in others))


def _march(position: Position, origin: int, target: int) -> dict[str, object]:
    row: dict[str, object] = {"o": _place(origin), "to": _place(target)}
    owner = position.state.board[target].owner
    return (
        row
        if owner is None or owner == position.player
        else {**row, "foe": position.people.name_of(owner)}
    )


def _of_purse(position: Position) -> Iterator[FormTable]:
    state, player, purse = position.state, position.player, position.purse
    yield FormTable(BID, [FormRow({}, {"n": (0, purse)}, 1)], purse)
    yield FormTable(NO_BID, [FormRow({})])
    if state.stage == "bidding":
        yield FormTable(FACTION, (FormRow({"of": name}) for name in o.FACTIONS))
    if state.stage != "consolidation":
        return
    own = numbers.provinces_of(state, player)
    most = purse // numbers.UNIT_COST
    room = ((p, min(most, supply_room(state, player, p))) for p in own)
    price = numbers.UNIT_COST
    yield FormTable(
        BUY, (FormRow({"o": _place(p)}, {"n": (1, n)}, price) for p, n in room if n > 0), purse
    )
    yield FormTable(
        UPGRADE, (FormRow({"o": _place(p)}, price=numbers.UPGRADE_COST) for p in own), purse
    )
    yield FormTable(CAPITOL, (FormRow({"o": _place(p)}) for p in own))


def _place(province: int) -> str:
    return o.format_province(province)
