"""What may be ordered, as forms with rows, and what words name: for offers."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from engine.sovereigns import orders as o
from engine.sovereigns.codes import COSTS, Attribute
from engine.sovereigns.seasons.trades import MOST_SEASONS
from engine.sovereigns.wording import name_of
from pbem.games.sovereigns.reading.holding import MANNER
from pbem.games.sovereigns.reading.pieces import AIMED, HEADS
from pbem.games.sovereigns.reading.position import Position
from pbem.games.sovereigns.reading.words import BUILDINGS
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain
from pbem.reading.forms import Form, FormRow, FormTable
from pbem.reading.items import Tongue, Value

_AIM = set_of("to from in object of head on at")
_ACTION = (("action",),)
_ATTRIBUTES: dict[str, Attribute] = {"AR": "R", "AM": "M", "AH": "H"}
_GIVING = set_of("GIVE LEND FREELY OFFER SELL")


_AGAIN = "[ + {d:num_d} depleted]"
_EXTRA = "{boon?, boon}{works?, works}"


def _alone(action: str, attribute: Attribute, more: str = "") -> Form:
    verb = action.upper()
    text = f"{action}: {{n:num_{attribute}}}{attribute}{more}{_EXTRA}"
    return Form(text, set_of(verb), keys=_ACTION, needs=set_of(verb))


def _against(action: str, attribute: Attribute, more: str = "") -> Form:
    return Form(
        f"{action} {{x:who}}: {{n:num_{attribute}}}{attribute}{more}{_EXTRA}",
        set_of(action.upper()),
        {"x": _AIM, "b": set_of("burn")},
        _ACTION,
        set_of(action.upper()),
    )


ALONE = {
    _alone("Expedition", "M"): "M",
    _alone("Security", "M"): "M",
    _alone("Found", "H"): "H",
    _alone("Contact", "H"): "H",
}
RESEARCH = _alone("Research", "R", _AGAIN)
AGAINST = {
    _against("Attack", "M", "[, burn {b:building}]{spare?, spare buildings}"): "M",
    _against("Espionage", "M", "[, seek {t:tech}]"): "M",
    _against("Theft", "M"): "M",
    _against("Spread", "H"): "H",
    _against("Foment", "H"): "H",
}
INCREASE = Form(
    f"Increase {{at:attribute}}: {{n:num_R}}R{_AGAIN}{_EXTRA}",
    set_of("INCREASE"),
    keys=_ACTION,
    needs=set_of("INCREASE"),
)
HARMONY = Form(
    "Harmony: {n:num_H}H[, rebellion {r:num_M}M][, coup {c:num_M}M]",
    set_of("AH ROLL"),
    {"n": set_of("of"), "r": set_of("rebellion"), "c": set_of("coup")},
    (("year",),),
    mute=0.2,
)
BUILD = Form("Build {b:building}", set_of("BUILD"), keys=_ACTION, needs=set_of("BUILD"))
PASS = Form(o.Pass.form, set_of("PASS"), keys=_ACTION, needs=set_of("PASS"))
GIVE = {
    (attribute, term): Form(
        f"Offer {{x:who}}: {{n:num_{attribute}}}{attribute} {term} against nothing",
        _GIVING,
        {"x": _AIM},
        (("offer", "x"),),
        set_of("GIVE LEND FREELY"),
    )
    for attribute in _ATTRIBUTES.values()
    for term in ("{term:term}", "for {k:num_seasons} seasons")
}
BARGAIN = {
    attribute: Form(
        f"Offer {{x:who}}: {{n:num_{attribute}}}{attribute} {{term:term}} against tech {{t:tech}}",
        _GIVING | {"AGAINST"},
        {"x": _AIM, "t": set_of("for against with")},
        (("offer", "x"),),
        _GIVING,
    )
    for attribute in _ATTRIBUTES.values()
}
SPLIT = Form("Split {r:num_R}/{m:num_M}/{h:num_H}", keys=(("split",),))
VOTING = Form(
    "Vote {way:way} on {x:who}",
    set_of("VOTE"),
    keys=(("vote", "x"),),
    needs=set_of("VOTE"),
    guess=frozenset({"x"}),
)
_UNTOLD = set_of(
    "ORELSE ALIVE FALLEN ATLEAST ATMOST MOREOF FEWER ORMORE ORLESS HASMORE EVERYYEAR EVERYSEASON"
    " ALWAYS FORGETS REDO TRYING PROPOSE SPENTALL SPENTONE KEEPBACK CALLED"
    " SUPPORTING WITHIN HOURS INTEREST TRIBUTE NEXTYEAR HALF SAMENUMBERS WITHDRAW CANCELALL"
    " OBJECT NEITHER EXPENDED FORYEAR BORROW ASKFOR GROWN ALLOWS"
    " CODE QUOTE EXACT DOUBLE ROLLS BOTHOF YEARSTART CALM DEPLETION DEFENCE ACCEPT DECLINE"
    " EACH FEAR"
)
"""What such words say no form here tells."""
_TURNS = set_of("NEXTYEAR ABDICATE CLAIM REDO BUT")
"""What such words say is not offered."""
NEVER = (o.Abdicate, o.Done, o.Claim, o.Object, o.Propose, o.Redo)


_NAMED = {
    "BOON": Value("boon", ", boon"),
    "SPARE": Value("spare", ", spare buildings"),
    "YES": Value("way", "yes"),
    "VNO": Value("way", "no"),
}


def _values(position: Position, lexeme: Lexeme, plain: Plain) -> Sequence[Value]:
    kind = lexeme.kind
    if kind == "YES" and not position.state.ballots:
        return ()
    if kind == "WHO" and lexeme.value != position.me:
        known = lexeme.value if lexeme.value and lexeme.value > 0 else None
        return (Value("who", name_of(position.state, known) if known else lexeme.text),)
    if kind in _ATTRIBUTES:
        return (Value("attribute", _ATTRIBUTES[kind]), Value("", None))
    if kind in BUILDINGS:
        works = [Value("works", ", works")] * (kind == "BWORKS")
        return (Value("building", BUILDINGS[kind]), *works)
    if kind == "TECH":
        names = tuple(position.state.technologies)
        return (Value("tech", names[lexeme.value] if lexeme.value is not None else lexeme.text),)
    if kind in _NAMED:
        return (_NAMED[kind],)
    if kind in {"KEEPS", "YEAREND"}:
        return (Value("term", "permanent" if kind == "KEEPS" else "until year end"),)
    return ()


def tongue(position: Position) -> Tongue:
    """What words name at this council."""
    return Tongue(
        partial(_values, position),
        HEADS | set_of("FREELY WON CLAIMNOUN"),
        dict.fromkeys(("WON", "CLAIMNOUN"), frozenset({"VOTE"})),
        units=frozenset(_ATTRIBUTES),
        cues={
            "FROM": "from",
            "TO": "to",
            "IN": "in",
            "AT": "at",
            "WITH": "with",
            "FOR": "for",
            "AGAINST": "against",
            "BURN": "burn",
            "REBELLION": "rebellion",
            "COUP": "coup",
        },
        counted={
            **{kind: f"num_{attribute}" for kind, attribute in _ATTRIBUTES.items()},
            **dict.fromkeys(("DEPLETE", "DEPLETED"), "num_d"),
            "FORSEASONS": "num_seasons",
        },
        trails={"REBELLION": "rebellion", "COUP": "coup"},
        numbers=("num_R", "num_M", "num_H"),
        turns=_TURNS,
        untold=_UNTOLD,
    )


def is_beyond(me: int, lexemes: Sequence[Lexeme]) -> bool:
    """Whether no form tells all of a message: it speaks of what is done to its writer, names
    something, or bids others vote.
    """
    pairs = pairwise(lexemes)
    votes = any(x.kind == "VOTE" for x in lexemes)
    bids = (x.text in MANNER.said["CALLED"] or x.text.startswith("i beg") for x in lexemes)
    done = (x.kind in AIMED and y.kind == "WHO" and y.value == me for x, y in pairs)
    names = any(x.kind == "CALLED" for x in lexemes)
    return names or any(done) or (votes and any(bids))


def space(position: Position) -> Iterator[FormTable]:
    """All that may be ordered now, by form."""
    state, own = position.state, position.own
    if not own.alive or state.undone is not None:
        return
    if state.stage == "setup":
        yield FormTable(SPLIT, [FormRow({}, dict.fromkeys("rmh", (1, 7)))])
    if state.stage == "year-start":
        ranges = {"n": (1, own.total.H), "r": (1, own.total.M), "c": (1, own.total.M)}
        yield FormTable(HARMONY, [FormRow({}, ranges)])
    if state.stage == "season":
        yield from _actions(position)
    if any(ballot.claimant != position.me for ballot in state.ballots):
        claims = {ballot.claimant for ballot in state.ballots}
        rows = (
            FormRow({"way": way, "x": name_of(state, x)}) for x in claims for way in ("yes", "no")
        )
        yield FormTable(VOTING, rows)


def _actions(position: Position) -> Iterator[FormTable]:
    state = position.state
    others = [name_of(state, number) for number in position.others]

    def free(attribute: str) -> dict[str, tuple[int, int]]:
        return {"n": (1, position.free(_attribute(attribute)))}

    for form, attribute in ALONE.items():
        yield FormTable(form, [FormRow({}, free(attribute))])
    yield FormTable(RESEARCH, [FormRow({}, free("R"))])
    for form, attribute in AGAINST.items():
        yield FormTable(form, [FormRow({"x": other}, free(attribute)) for other in others])
    yield FormTable(INCREASE, (FormRow({"at": at}, free("R")) for at in "MH"))
    yield FormTable(BUILD, (FormRow({"b": building}) for building in COSTS))
    yield FormTable(PASS, [FormRow({})])
    terms = ("permanent", "until year end")
    theirs = [name for name in state.technologies if name not in position.own.tech]
    for (at, _), form in GIVE.items():
        told = [{"term": term} for term in terms] if "term" in form.slots else [{}]
        ranges = {**free(at), "k": (1, MOST_SEASONS)}
        yield FormTable(form, [FormRow({"x": x, **term}, ranges) for x in others for term in told])
    for at, form in BARGAIN.items():
        yield FormTable(
            form,
            [
                FormRow({"x": x, "term": term, "t": tech}, free(at))
                for x in others
                for term in terms
                for tech in theirs
            ],
        )


def _attribute(letter: str) -> Attribute:
    return next(one for one in _ATTRIBUTES.values() if one == letter)
