"""Words that mean something else in the open window than elsewhere, settled before sentences."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.protectors.reading.again import with_all_again
from pbem.games.protectors.reading.dialect import DIALECT, IN_PLACE, MARCHING, lexicon
from pbem.games.protectors.reading.garrisons import settle_keeping, settle_ordinal
from pbem.games.protectors.reading.layout import with_headings, with_tables
from pbem.games.protectors.reading.manners import settle_manners
from pbem.games.protectors.reading.position import Position
from pbem.games.protectors.reading.shorthand import spelt_out, with_cells
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.lexicon import read_lexemes
from pbem.grammar.kit.senses import settle
from pbem.grammar.kit.sentences import ENDS
from pbem.grammar.kit.slots import SILENT, TURNS

_GOES_WITH = re.compile(
    r"\b(?:go|going|goes) (?:with|for)(?= (?:cenarion|kalu|hodir|iron ?light|lannuvar))"
)
_CRUSADES = frozenset({"crusade", "crusades"})
_BUYING = frozenset({"consolidation", "bidding", "rebid", "bank"})
_MORE = frozenset({"another", "additional", "extra", "further", "more"})
_FREE = frozenset({"consolidation", "dragon"})
"""Where no unit goes from one province to another."""
_BOUGHT = frozenset({"BID", "UPGRADE", "FINAL", "BURN"})
_COUNTED_THERE = ["PLACE", "DASH", "NUM"]
_MOVES = IN_PLACE | MARCHING | {"SUPPORT"}
_AS = frozenset({"as", "being", "playing"})
_NAMING = frozenset({"name", "report", "betray", "sell", "give", "hand", "denounce", "rat out"})
_FIGHTING = frozenset({"fight", "fights", "fighting"})
_ANDS = frozenset({"und", "et", "y", "en", "och", "og", "e"})
_PAUSES = ENDS | {"COMMA", "AND", "BUT", "RPAR", "ALSO"}
_SIGNS = frozenset({"ARROW", "DASH", "RANGE"})
_WAYS = _SIGNS | {"TO"}
_COUNTED = frozenset({"UNITS", "THEUNITS", "MONEY", "COMMON", "WORD"})
_COURTESIES = frozenset(
    {"thanks to", "thanks for", "greetings", "regards", "best wishes", "wishes"}
)
_KINDS = _MOVES | set_of("GIVE SEND KEEP FINE HOLD PIRATES FACTION DASH")
_ORDINALS = frozenset({"first", "second", "third", "fourth"})

_WORDS = _CRUSADES | _MORE | _AS | _FIGHTING | _ANDS | _ORDINALS | set_of("on about put is are and")
_WORDS |= set_of("nothing thanks greetings regards best wishes")
"""Kinds, and first words, of what means something else here; all others mean the same."""


def lexemes_here(text: str, position: Position) -> list[Lexeme]:
    """A bid is for the next turn; other orders are for this one."""
    turn, stage = position.state.turn, position.state.stage
    turns = frozenset({None, turn, turn + (stage != "orders")})
    lexemes = settle(read_lexemes(_spelt(text), lexicon(), position.people), text, turns)
    return settle_here(lexemes, position)


def _spelt(text: str) -> str:
    """Names of factions as others write them, and who goes with one, at the same length."""
    text = text.replace("kalu-ak", "kalu'ak").replace("iron-light", "iron light")
    return _GOES_WITH.sub(lambda found: "faction".ljust(len(found[0])), text)


def settle_here(  # noqa: C901 - one case a word
    lexemes: Sequence[Lexeme], position: Position
) -> list[Lexeme]:
    """The lexemes of a message, settled by the window: a team-mate who gives lends, `7 to 8` are
    provinces.
    """
    stage = position.state.stage
    lexemes = with_all_again(lexemes, position)
    settled = with_headings(with_tables(lexemes, position))
    settled = with_cells(spelt_out(settled, position))
    settle_manners(settled, position)
    settled = _with_paths(settled, position) if stage == "orders" else settled
    for i, lexeme in enumerate(settled):
        if lexeme.kind not in _KINDS and lexeme.text.partition(" ")[0] not in _WORDS:
            continue
        before = settled[i - 1] if i else None
        after = settled[i + 1] if i + 1 < len(settled) else None
        taken = before is not None and before.kind in DIALECT.takers
        if lexeme.text in _CRUSADES and stage == "orders" and not taken:
            settled[i] = replace(lexeme, kind="GOLD")  # a Crusade's March is golden (PR-11.6)
        elif lexeme.kind in {"GIVE", "SEND"} and stage in _BUYING:
            mate = before is not None and before.kind == "WHO" and before.value != position.player
            if mate and not position.fights_dragon:
                settled[i] = replace(lexeme, kind="LEND")
        elif lexeme.text == "on" and after is not None and after.kind in IN_PLACE:
            settled[i] = replace(lexeme, kind="FILLER")  # `put P2 on work`
        elif lexeme.kind == "KEEP":
            settle_keeping(settled, i)
        elif lexeme.kind == "FINE":
            settled[i] = replace(lexeme, kind=_fine(settled, i))
        elif lexeme.kind == "HOLD" and _of_orders(settled, i):
            settled[i] = replace(lexeme, kind="FINE")  # `the rest of my orders stands`
        elif lexeme.kind == "PIRATES":
            _settle_pirates(settled, i)
        elif lexeme.text == "about" and after is not None and after.kind == "PLACE":
            settled[i] = replace(lexeme, kind="IN")  # `changed my mind about P1, it should work`
        elif lexeme.kind in _MOVES and _last_solid(settled, i) == "CANCEL":
            settled[i] = replace(lexeme, kind="FILLER")  # `cancel the march from P2`
        elif _settle_talk(settled, i, position) or _settle_ends(settled, i, position):
            pass
        elif lexeme.text == "put" and after is not None and after.kind == "THEM":
            settled[i] = replace(lexeme, kind="MARCH" if stage == "orders" else lexeme.kind)
        elif lexeme.text in _MORE and before is not None and stage == "consolidation":
            if before.kind == "BUY" or (before.kind == "NUM" and _counts_units(settled, i)):
                settled[i] = replace(lexeme, kind="ALSO")
        elif stage in _FREE and [x.kind for x in settled[i - 1 : i + 2]] == _COUNTED_THERE:
            settled[i] = replace(lexeme, kind="BAR")  # `P4 - 1`
        elif lexeme.text in _AS and after is not None and after.kind == "FACTIONNAME":
            settled[i] = replace(lexeme, kind="FILLER")  # `bid 10 as Hodir`
    return settled


def _fine(lexemes: Sequence[Lexeme], i: int) -> str:
    """`P4 is fine` says that what stands there stands; elsewhere the words say nothing."""
    said = _last_solid(lexemes, i)
    after = lexemes[i + 1].kind if i + 1 < len(lexemes) else "NL"
    return "FINE" if said in {"PLACE", "ELSE"} and after in _PAUSES else "FILLER"


def _of_orders(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether what stands are orders: not said of provinces."""
    if i + 1 < len(lexemes) and lexemes[i + 1].kind not in _PAUSES:
        return False
    for lexeme in reversed(lexemes[max(i - 5, 0) : i]):
        if lexeme.kind == "FILLER" and lexeme.text.endswith("orders"):
            return True
        if lexeme.kind != "FILLER":
            return False
    return False


def _settle_pirates(settled: list[Lexeme], i: int) -> None:
    """`I name Echo to the pirates`."""
    solid = [j for j in range(max(i - 6, 0), i) if settled[j].kind != "FILLER"]
    if len(solid) > 1 and settled[solid[-1]].kind == "WHO":
        verb = settled[solid[-2]]
        if verb.text in _NAMING:
            settled[solid[-2]] = replace(verb, kind="SNITCH")
            settled[i] = replace(settled[i], kind="FILLER")
            return
    settled[i] = replace(settled[i], kind="COMMON")


def _with_paths(lexemes: Sequence[Lexeme], position: Position) -> list[Lexeme]:
    """`7 to 8`, `1-2 x2`, `6 -> 5 with two`: provinces without their letter, if one stands at the
    beginning and there is a way between them. `march 2 to 3` speaks of units.
    """
    settled, path = list(lexemes), False
    for i in range(1, len(settled) - 1):
        way, ahead = settled[i].kind, settled[i - 2].kind if i > 1 else "NL"
        path = path and ahead not in ENDS
        if way not in _WAYS or settled[i - 1].kind != "NUM":
            continue
        behind = settled[i + 2].kind if i + 2 < len(settled) else "NL"
        starts = ahead in ENDS or (path and ahead in {"COMMA", "AND"})
        starts = starts or (way in _SIGNS and ahead in {"NUM", "COMMA"} | DIALECT.flags)
        ends = [settled[i - 1], settled[i + 1]]
        bare = all(x.kind == "NUM" and x.text.isdigit() for x in ends)
        if not (bare and starts) or behind in _COUNTED | IN_PLACE:
            continue
        origin, target = (x.value or 0 for x in ends)
        if way == "TO" and _may_be_units(origin, target, position):
            continue
        if origin in position.manned and target in position.targets(origin):
            settled[i - 1], settled[i + 1] = (replace(x, kind="PLACE") for x in ends)
            settled[i] = replace(settled[i], kind="DASH" if way == "RANGE" else way)
            path = True
    return settled


def _may_be_units(number: int, target: int, position: Position) -> bool:
    """Whether `2 to 3` may also be two units that stand elsewhere."""
    elsewhere = (p for p in position.marching_to(target) if p != number)
    return any(position.units(p) >= number for p in elsewhere)


def _settle_talk(settled: list[Lexeme], i: int, position: Position) -> bool:
    """Words that only say how an order is given, or are no order words here; whether one was."""
    lexeme, stage = settled[i], position.state.stage
    idle = stage == "orders" and lexeme.text in _FIGHTING
    wishes = lexeme.kind == "FACTION" and not _names_faction(settled, i)
    idle = idle or (wishes and stage != "bidding" and "faction" in lexeme.text)
    if idle:
        settled[i] = replace(lexeme, kind="COMMON")
    elif wishes and "faction" not in lexeme.text:
        settled[i] = replace(lexeme, kind="FILLER")  # `I'll go with fourteen`
    elif _tells_how_it_is(settled, i):
        settled[i] = replace(lexeme, kind="STATEMENT")  # `work in P2 is hard`
    elif lexeme.text.startswith("nothing from me") and position.fights_dragon:
        settled[i] = replace(lexeme, kind="HIDDEN")
    elif lexeme.text in _ANDS and _joins(settled, i):
        settled[i] = replace(lexeme, kind="AND")
    return settled[i] is not lexeme


def _tells_how_it_is(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Behind an order and its place: is, and one word for what it is like."""
    if lexemes[i].text not in {"is", "are"}:
        return False
    ahead = next((j for j in range(i, 0, -1) if lexemes[j - 1].kind in ENDS), 0)
    kinds = [x.kind for x in lexemes[ahead:i]]
    behind = [x.kind for x in lexemes[i + 1 : i + 3]]
    ordered = kinds[-1:] == ["PLACE"] and any(kind in DIALECT.verbs for kind in kinds)
    return ordered and behind[:1] == ["FILLER"] and (len(behind) < 2 or behind[1] in ENDS)


def _names_faction(lexemes: Sequence[Lexeme], i: int) -> bool:
    return any(x.kind in {"FACTIONNAME", "ABILITY"} for x in lexemes[max(i - 3, 0) : i + 4])


def _joins(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`koop 1 in P6 en bied 12`: an `and` of another language between two parts of orders."""
    before = lexemes[i - 1].kind if i else ""
    after = lexemes[i + 1].kind if i + 1 < len(lexemes) else ""
    parts = {"PLACE", "NUM", "MONEY", "WHO"}
    if before in IN_PLACE and after == "PLACE":
        return True  # `P4 work et P5 work`
    return before in parts and (after in DIALECT.verbs or after in parts | DIALECT.flags)


def _settle_ends(settled: list[Lexeme], i: int, position: Position) -> bool:
    """Words between two parts of a message; whether one was."""
    lexeme, before = settled[i], settled[i - 1] if i else None
    after = settled[i + 1] if i + 1 < len(settled) else None
    if lexeme.text == "and so" and after is not None and after.text in {"does", "do"}:
        settled[i], settled[i + 1] = replace(lexeme, kind="AND"), replace(after, kind="SAME")
    elif lexeme.text in _ORDINALS and before is not None and before.text == "the":
        if after is not None and after.kind in DIALECT.verbs:
            settled[i] = replace(lexeme, kind="REFERS")  # `P2 and P3: the first fortifies`
        if _stays(settled, i):
            settle_ordinal(settled, i)
    elif position.state.stage != "orders" and _counts_courtesies(lexeme, before):
        settled[i] = replace(lexeme, kind="HEDGE")  # `100 thanks to Anna`, `1000 greetings`
    return settled[i] is not lexeme


def _stays(lexemes: list[Lexeme], i: int) -> bool:
    """Whether an ordinal is of a unit that stays: `the third stays`."""
    behind = (x.kind for x in lexemes[i + 1 : i + 6] if x.kind != "FILLER")
    return next(behind, "") == "HOLD"


def _counts_courtesies(lexeme: Lexeme, before: Lexeme | None) -> bool:
    many = before is not None and before.kind == "NUM" and (before.value or 0) > 1
    return many and lexeme.text in _COURTESIES


def _counts_units(lexemes: Sequence[Lexeme], i: int) -> bool:
    """`one more in P2`, `two more brave soldiers`: units are counted."""
    after = lexemes[i + 1 : i + 3]
    return any(x.kind in {"UNITS", "IN", "PLACE"} for x in after)


def _last_solid(lexemes: Sequence[Lexeme], i: int) -> str:
    return next((x.kind for x in reversed(lexemes[:i]) if x.kind != "FILLER"), "")


def without_contrast(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`work P1 instead of fortifying it`, `fortify P1 rather than P2`: what is not done is another
    order word or another province, and nothing more is said of it.
    """
    at = next(
        (i for i, x in enumerate(lexemes) if x.kind == "CONTRAST" and x.text != "instead"), None
    )
    if at is None:
        return lexemes
    denied = [x for x in lexemes[at + 1 :] if x.kind not in SILENT | {"THEM", "THERE"}]
    said = lexemes[:at]
    verbs = {x.kind for x in said if x.kind in DIALECT.verbs}
    places = {x.value for x in said if x.kind == "PLACE"}
    if len(denied) != 1 or (said and not (verbs and places)):
        return lexemes
    other = denied[0]
    another = other.kind in DIALECT.verbs - verbs or (
        bool(said) and other.kind == "PLACE" and other.value not in places
    )
    return said if another else lexemes


def without_sameness(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`P4 works like last turn`, which says the order itself: that it is the same is no order."""
    kinds = {x.kind for x in lexemes}
    told = {"PLACE"} <= kinds and bool(kinds & IN_PLACE)
    return [
        x
        for x in lexemes
        if not (told and x.kind == "SAME" and x.text.startswith(("as ", "like ")))
    ]


def loan_at(lexemes: Sequence[Lexeme], position: Position) -> int:
    """Where the money of a team-mate begins in a clause; 0 if nowhere."""
    if position.state.stage not in _BUYING or position.fights_dragon:
        return 0
    kinds = [lexeme.kind for lexeme in lexemes]
    for i, kind in enumerate(kinds):
        ahead = any(other not in SILENT for other in kinds[:i])
        if ahead and kind in {"WITH", "USE"} and "NUM" in kinds[i + 1 : i + 3]:
            for j in range(i + 2, len(kinds) - 1):
                if kinds[j] == "FROM" and kinds[j + 1] == "WHO":
                    return i
    return 0


def counts_in(lexemes: list[Lexeme], position: Position) -> list[list[Lexeme]]:
    """`1 P5 1 P6 bid 15`, where units are bought or sent without an order word: each count with its
    province, and what follows them.
    """
    if position.state.stage == "orders" or any(x.kind in TURNS for x in lexemes):
        return [lexemes]
    parts, begun, kinds = [], 0, list[str]()
    for i, lexeme in enumerate(lexemes):
        counted = 1 < len(kinds) <= 3 and kinds[0] == "NUM" and kinds[-1] == "PLACE"
        counted = counted and set(kinds[1:-1]) <= {"IN", "FROM", "FOR"}
        if counted and (lexeme.kind == "NUM" or lexeme.kind in _BOUGHT):
            parts.append(lexemes[begun:i])
            begun, kinds = i, []
        if lexeme.kind not in SILENT and lexeme.kind != "UNITS":
            kinds.append(lexeme.kind)
    return [*parts, lexemes[begun:]]
