"""The closed world in three rings, for a plan. Inside an order every word has a slot. Next to it in
its sentence common English may stand, but no unknown word and none that turns a meaning. In a
sentence of its own any words may stand that give no order.
"""

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from pbem.games.realm_master.reading.parts import CONDITIONAL, FACES, VERBS, solid
from pbem.games.realm_master.reading.words import heroes_by_name
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.rings import POINTING, Judged, Ring, told_onward, without_reason
from pbem.grammar.kit.sentences import Clause, Sentence

NAMES = frozenset({"LAND", "CARD", "HERO", "BEST", "CHEAPEST", "RFACE"})
SAYING = (
    VERBS | NAMES | frozenset(FACES) | {"FIVE", "LONE", "REST", "SECOND", "LIFE", "FORLIFE", "HITS"}
)
"""A clause without any of these gives no order."""
TURNS = frozenset({"COND", "TURN", "NEG", "HEDGE", "LATER", "CONTRAST", "REFERS", "UNSETTLED"})
"""Kinds that turn the words around them and have no slot."""
_TELLS = frozenset({"PAST", "STATEMENT", "OTHER", "SPEECH", "QUOTE"})
_FILLING = frozenset({"COMMON", "WORD", "OTHER", "STATEMENT", "PAST"})
_OTHERS = frozenset({"he", "she", "they", "you", "u", "youre", "you're", "you'll", "your", "ya"})
_YOU, _I = frozenset({"you", "your", "u", "ya"}), frozenset({"i", "i'll", "i'd", "i'm", "my", "me"})
_PASSED = frozenset({"NOT", "NEG", "ALWAYS", "COMMON", "AND", "BOTH", "STATEMENT", "PAST", "TO"})
"""What may stand between a subject and its verb."""
_STANCES = frozenset({"STAY", "LEAVE", "BLEED"})
_ANSWERING = frozenset({"answer", "decision", "reply", "choice", "tonight", "summary", "short"})
"""What heads an answer, whatever that is about."""
_HEADING = 2
"""The most words of a heading."""
_PLACED = FACES.keys() - {"HEART", "GOLD", "BANNER"} | {"TO", "ARE", "NUM", "FIRST"}
_HANGING = frozenset({"IF", "UNLESS", "WHILE", "COND"})
_WHEN = frozenset({"after", "before", "during", "until", "till", "once", "by"})
_TIMES = frozenset({"ALWAYS", "ONCE", "NOW", "CAN", "EARLY", "HOPE", "WHENHIT", "OWNTURN", "TWICE"})
_FRAGMENT = frozenset({"NUM", "ALL", "NOTHING", "ONLY", "AGAIN", "YES", "ANY", "EXCEPT", "LEFT"})


def is_told(said: Sequence[Lexeme], me: int, mine: str) -> bool:
    """Whether the first order word tells what somebody else does: `Anna attacks`, `the elf
    stays`.
    """
    for i, lexeme in enumerate(said):
        if lexeme.kind in CONDITIONAL:
            return False
        acts = lexeme.kind in VERBS or lexeme.kind == "HITS"
        if acts and i and said[i - 1].kind != "HOPE":
            subject = next(
                (x for x in reversed(said[:i]) if x.kind not in _PASSED),
                None,
            )
            if subject is None or subject.text in {"i", "i'll"}:
                return False
            if subject.kind == "WHO":
                return subject.value != me
            named = heroes_by_name()[subject.text] if subject.kind == "HERO" else mine
            return subject.text in _OTHERS or named != mine
        if acts:
            return False
    return False


def ring_of(clause: Clause, me: int, mine: str) -> Ring:
    """The ring of one clause."""
    said = solid(clause.lexemes)
    kinds = {lexeme.kind for lexeme in said}
    if not said:
        return Ring.BESIDE
    fills = kinds & _FILLING
    if fills and kinds & {"ELSE", "THEN"} and not kinds & (SAYING | CONDITIONAL.keys()):
        return Ring.BINDS if "ELSE" in kinds else Ring.BESIDE
    if "PAST" in kinds and (not kinds & VERBS or "STATEMENT" in kinds):
        return Ring.TOLD
    if kinds & (VERBS | {"HITS"}) and is_told(said, me, mine):
        return Ring.BINDS if "COND" in kinds else Ring.TOLD  # `should Ben stay, attack`
    if "STATEMENT" in kinds and kinds & {"WHO", "HERO", "OTHER", "PAST"}:
        return Ring.BINDS if {"WAIT", "COND"} <= kinds else Ring.TOLD
    if kinds & CONDITIONAL.keys() or (kinds & {"ELSE", "THEN"} and not kinds & TURNS):
        return Ring.ORDER
    if kinds & VERBS:
        weak = not kinds & (SAYING - VERBS | {"FORGETALL"}) and "STATEMENT" in kinds
        return Ring.TOLD if weak else Ring.ORDER
    if kinds & SAYING:
        if fills and not kinds & NAMES and "WORD" not in kinds and "AGAIN" not in kinds:
            return Ring.BINDS if kinds & TURNS or _says_what(kinds) else Ring.BESIDE
        return Ring.ORDER
    return _ring_of_talk(clause, kinds)


def _says_what(kinds: set[str]) -> bool:
    """Whether dice, or what goes where, are among words of no order: `gold to Turtle`, `the other a
    half banner`; and not what somebody needs: `I need the gold`.
    """
    return bool(kinds & FACES.keys()) and bool(kinds & _PLACED)


def _ring_of_talk(clause: Clause, kinds: set[str]) -> Ring:
    """The ring of a clause without any part of an order."""
    fills = kinds & _FILLING
    if kinds & TURNS:
        return Ring.TOLD if kinds & {"OTHER", "STATEMENT"} - TURNS else Ring.BINDS
    if kinds == {"AGAIN"} and any(x.kind == "PROSE" for x in clause.lexemes):
        return Ring.BESIDE  # `I'm late again`
    if kinds == {"STATEMENT"}:
        return Ring.BINDS  # `attack, I think`
    if kinds & _TELLS:
        return Ring.TOLD
    if kinds == {"ALL"} and not clause.cue:
        return Ring.BESIDE  # `hi all`
    if kinds & (_TIMES | _FRAGMENT | {"NOT"}) and not fills:
        return Ring.ORDER
    if {"WORD", "NUM"} <= kinds:
        return Ring.ORDER
    if {"WHO", "TO"} <= kinds <= {"WHO", "TO", "ARE", "AND", "OR", "NOT"}:
        return Ring.ORDER  # `on Ben, on Dora`
    if kinds == {"WHO"}:
        return Ring.BESIDE
    if kinds & {"NOT", "WHENHIT", "OWNTURN"}:
        return Ring.BINDS
    return Ring.BESIDE


def judge(clauses: Sequence[Clause], me: int, mine: str) -> list[Judged]:
    """The clauses of a sentence in their rings, without their reasons."""
    judged: list[Judged] = []
    for clause in clauses:
        kept = replace(clause, lexemes=without_reason(clause.lexemes))
        judged.append(Judged(kept, ring_of(kept, me, mine)))
    judged = _told_on(told_onward(judged, VERBS))
    if _addresses(judged, me):
        return [replace(one, ring=Ring.TOLD) for one in judged]
    _keep_conditions(judged)
    mine_too = any(x.text.split()[0] in _I for clause in clauses for x in clause.lexemes)

    def orders_after(i: int) -> bool:
        return any(one.ring is Ring.ORDER for one in judged[i + 1 :])

    for i, one in enumerate(judged):
        said = solid(one.clause.lexemes)
        quoting = i + 1 < len(judged) and judged[i + 1].clause.joint == "COLON"
        if quoting and one.ring is Ring.TOLD and any(x.kind in _TELLS for x in said):
            judged[i] = Judged(one.clause, Ring.BINDS)  # `Mira wrote: I attack`
        elif i and said and one.ring is not Ring.ORDER and _limits(said):
            judged[i] = Judged(one.clause, Ring.BINDS)  # `but only after Ben has left`
        elif one.ring is Ring.BESIDE and "THEN" in {x.kind for x in said} and orders_after(i):
            judged[i] = Judged(one.clause, Ring.BINDS)  # `elf, then the necromancer, then the ...`
        elif i and one.ring is Ring.BESIDE and len(said) == 2 and said[-1].kind == "NUM":
            judged[i] = Judged(one.clause, Ring.BINDS)  # `trade 2 gold for life, better 3`
        elif one.ring is not Ring.ORDER and any(x.text in _YOU for x in said):
            if mine_too and said[0].text in _YOU and one.clause is not judged[-1].clause:
                continue  # `you win, I leave`
            judged[i] = Judged(one.clause, Ring.BINDS)  # `bleed, all of you`
        elif [x.kind for x in said] == ["WHO"] and said[0].value != me and not mine_too:
            told_to = i == len(judged) - 1 and _is_bare_stance(judged[:i])
            if (not i and one.clause.cue != "soft") or told_to:
                judged[i] = Judged(one.clause, Ring.BINDS)  # `Mona, attack`
    return judged


def _told_on(judged: Sequence[Judged]) -> list[Judged]:
    """What somebody else does besides: `Ben attacks and enters Jerum`."""
    found: list[Judged] = []
    for one in judged:
        first = next(iter(solid(one.clause.lexemes)), None)
        third = first is not None and first.end - first.start > len(first.text)
        acts = first is not None and first.kind in VERBS and third
        told = found and found[-1].ring is Ring.TOLD and one.clause.joint == "AND"
        found.append(replace(one, ring=Ring.TOLD) if told and acts else one)
    return found


def _is_bare_stance(judged: Sequence[Judged]) -> bool:
    """Whether it is only `give way`, so that a name behind it says whose turn it is."""
    said = [x.kind for one in judged for x in one.clause.lexemes]
    return len(judged) == 1 and said in (["LEAVE"], ["STAY"])


def _addresses(judged: Sequence[Judged], me: int) -> bool:
    """`To Anna: leave and I let you live`: said to somebody else."""
    first = solid(judged[0].clause.lexemes) if judged else []
    named = [x.kind for x in first] == ["TO", "WHO"] and first[1].value != me
    rest = [x for one in judged[1:] for x in one.clause.lexemes]
    talks = not any(x.kind in SAYING for x in rest) or any(x.text in _YOU for x in rest)
    return named and len(judged) > 1 and judged[1].clause.joint == "COLON" and talks


def is_small_talk(sentence: Sentence) -> bool:
    """Whether a condition hangs on what somebody says of himself, and neither is of the game:
    `forgive me if I am short`, `I am off to town until Sunday`.
    """
    said = [x for x in sentence.lexemes if x.kind not in {"HESITATION", "ALSO", "SEEMS"}]
    if any(clause.cue not in {"", "soft"} for clause in sentence.clauses):
        return False
    at = next((i for i, x in enumerate(said) if x.kind in _HANGING), 0)
    main = said[:at]
    own = any(x.text.split()[0] in _I for x in main)
    told = sum(1 + (x.kind == "PROSE") for x in main if x.kind in {"COMMON", "PROSE"})
    kinds = {x.kind for x in said[:at] + said[at + 1 :]}
    return (
        own
        and told > 1
        and kinds <= {"COMMON", "PROSE", "FILLER", "OTHER", "ANY", "THERE", "TO", "HAVE", "FIRST"}
        and not any(x.text in POINTING for x in said)
    )


def unknown_headings(judged: Sequence[Judged]) -> list[Lexeme]:
    """Words that head staying or leaving and do not say when it is: `ultimate: leave`."""
    found = []
    for one, after in pairwise(judged):
        heading, kinds = solid(one.clause.lexemes), {x.kind for x in after.clause.lexemes}
        heads = {x.kind for x in heading} <= {"COMMON", "WORD"} and len(heading) <= _HEADING
        stance = kinds & _STANCES and not kinds & {"WHENHIT", "OWNTURN", "ULTIMATUM"}
        if after.clause.joint == "COLON" and heads and stance:
            known = {x.text for x in heading} & (POINTING | _ANSWERING)
            found += [] if known else heading[:1]
    return found


def _limits(said: Sequence[Lexeme]) -> bool:
    """Whether a clause says when, or what alone."""
    return said[0].text in _WHEN or bool({x.kind for x in said} & {"ONLY", "EXCEPT", "ALWAYS"})


def _keep_conditions(judged: list[Judged]) -> None:
    """What is joined to a condition is a part of it; of a sentence without an order it is talk."""
    saying = any(x.kind in SAYING for one in judged for x in one.clause.lexemes)
    conditional = leads = False
    for i, one in enumerate(judged):
        kinds = {x.kind for x in solid(one.clause.lexemes)}
        if kinds & CONDITIONAL.keys():
            conditional, leads = True, leads or not kinds & VERBS
            if not saying and kinds & {"OTHER"}:
                judged[i] = Judged(one.clause, Ring.TOLD)  # `if you want to talk, call me`
            elif one.ring is Ring.TOLD and saying:  # `attack if Ben has attacked me`
                judged[i] = Judged(one.clause, Ring.ORDER)
        elif kinds and one.ring is not Ring.ORDER and saying:
            if (conditional and one.clause.joint in {"AND", "BUT"}) or leads:
                judged[i] = Judged(one.clause, Ring.ORDER)
        leads = leads and not kinds & VERBS


def unknown_beside(judged: Sequence[Judged]) -> list[Lexeme]:
    """Unknown words next to an order in its sentence."""
    return [
        lexeme
        for one in judged
        if one.ring is not Ring.ORDER
        for lexeme in one.clause.lexemes
        if lexeme.kind == "WORD" and len(lexeme.text) > 1
    ]
