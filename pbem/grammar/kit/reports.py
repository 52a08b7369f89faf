"""An order in a sentence that only tells of it: what it would be, who says so, to whom; and
unexpected words around what takes effect at once.
"""

import itertools
from collections.abc import Sequence

from pbem.grammar.kit.holding import Manner, solid_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.rings import Judged, Ring

_SPEAKERS = frozenset({"OTHER", "COMMON", "WHO"})
_TALK = frozenset({"COMMON", "WORD", "STATEMENT"})
_TURNING = frozenset({"COND", "NEG", "HEDGE", "LATER", "UNSETTLED", "TURN", "ORELSE", "OR"})
_TIMES = frozenset({"THERE", "IN", "FOR", "AT", "OF", "TO", "ALWAYS"})
_WEAK = frozenset({"only", "just", "right"})
_LED = {"OR": 2, "ORELSE": 2, "UNSETTLED": 4, "LATER": 2}
"""The most words of a sentence that such a word only leads."""
_FEW = 3
"""Words of `I think`, `I guess so`."""


def told_by(judged: Sequence[Judged], manner: Manner) -> Lexeme | None:
    """The word that shows that the orders of a sentence are only told of."""
    return _predicate(judged, manner) or _report(judged, manner) or label_in(judged, manner)


def cued_by(judged: Sequence[Judged]) -> Lexeme | None:
    """A cue behind which nothing is ordered: `..., sorry, I have to ask Cara`."""
    told = (one.clause for one in judged[1:] if one.ring is not Ring.ORDER)
    return next((clause.at for clause in told if clause.cue and clause.lexemes), None)


def _predicate(judged: Sequence[Judged], manner: Manner) -> Lexeme | None:
    """`attacking Mordor with 3 would be suicide`, `4 military are too few`."""
    said = manner.said
    for one in judged:
        inside = one.clause.lexemes
        kinds = {x.kind for x in inside}
        if one.ring is not Ring.ORDER or kinds & manner.exempt:
            continue
        seen = acts = False
        for i, lexeme in enumerate(inside):
            text = lexeme.text
            before = inside[i - 1].text.split(" ")[-1] if i else ""
            own = before in said["SELF"] or before in {"it", "order", "orders", "that"}
            begins = not i and text in said["BEING"] and bool(kinds & ({"NUM"} | manner.strict))
            behind = acts if text == "will" else seen
            if begins or (behind and text.split(" ")[0] in said["PREDICATE"] and not own):
                return lexeme
            if text == "would" and not own:
                return lexeme
            has = text in {"have", "has"} and [x.kind for x in inside[i + 1 : i + 2]] == ["NUM"]
            if (has or text in said["NEEDING"]) and {"NUM", "TO"} <= kinds and kinds & manner.deeds:
                return lexeme
            kind = lexeme.kind
            acts |= kind in manner.deeds or kind in manner.strict
            seen |= acts or kind in manner.counted or kind == "NUM"
    return None


def _report(judged: Sequence[Judged], manner: Manner) -> Lexeme | None:
    """`attack Mordor with 3, he says`."""
    ordered = False
    for one in judged:
        inside = one.clause.lexemes
        if one.ring is Ring.ORDER:
            ordered |= bool(inside)
        elif ordered and inside:
            that = [x.text for x in inside[:2]]
            if that[0] in {"that would", "that what"} or that == ["that", "would"]:
                return inside[0]
            if inside[-1].text == "say" and inside[-2:-1] and inside[-2].kind in _SPEAKERS:
                return inside[-1]
            greets = inside[-1].text in manner.said["GREETING"]
            found = next((x for x in inside if x.text in manner.said["REPORT"]), None)
            if found is not None and not greets:
                return found
    return None


def label_in(judged: Sequence[Judged], manner: Manner) -> Lexeme | None:
    """`headline: attack Mordor with 3`, `pros of attack: ...`."""
    for one, after in itertools.pairwise(judged):
        if after.clause.joint == "COLON" and after.ring is Ring.ORDER:
            found = next((x for x in one.clause.lexemes if x.text in manner.said["LABEL"]), None)
            if found is not None:
                return found
    first = next((x for one in judged for x in solid_of(one.clause.lexemes)), None)
    return first if first is not None and first.text in manner.said["LISTED"] else None


def points_back(judged: Sequence[Judged]) -> bool:
    """`That would be stupid.`, `That's what Ben wants me to write.`"""
    inside = [x for one in judged for x in one.clause.lexemes]
    told = [*" ".join(x.text for x in inside[:3]).split(" "), "", "", ""]
    what = told[1] in {"what", "would"} or told[2] == "what"
    return told[0] == "that" and (what or any(x.kind == "PAST" for x in inside))


def doubts(judged: Sequence[Judged], manner: Manner) -> bool:
    """`Would you like that?`, `Or better not?`, `should I?`: a question about the order before."""
    solid = [x for one in judged for x in solid_of(one.clause.lexemes)]
    inside = [x for one in judged for x in one.clause.lexemes]
    talks = sum(x.kind == "COMMON" for x in solid)
    points = any(x.text in manner.said["POINTS"] for x in inside) and len(solid) <= _FEW
    points = points and talks < 2 and all(x.kind != "WHO" for x in solid)
    return points or (len(solid) <= _FEW and any(x.text in manner.said["DOUBTS"] for x in inside))


def takes_back(judged: Sequence[Judged], manner: Manner) -> bool:
    """Whether a sentence behind what takes effect at once has it taken back, or told by others:
    `No I don't!`, `Joke!`, `shouted my army`.
    """
    inside = [x for one in judged for x in one.clause.lexemes]
    solid = solid_of(inside)
    cues = {one.clause.cue for one in judged} - {"", "soft"}
    denies = any(x.kind == "NEG" and x.text.startswith(("don't", "do not")) for x in solid[:2])
    denies &= all(x.kind in {"NEG", "CUE", "TURN"} for x in solid)
    reports = bool(solid) and solid[0].text in manner.said["REPORT"]
    tells = reports or any(x.text in {"is", "would", "is what"} for x in (*inside[:1], *solid[:1]))
    return bool(cues) or denies or tells or any(x.text in manner.said["TAKEN"] for x in inside)


def undoes(judged: Sequence[Judged], manner: Manner) -> bool:
    """Whether a sentence right behind an order, which orders nothing itself, makes it doubtful:
    `Perhaps.`, `If Ben agrees.`, `Not now.`, `That would be stupid.`, `I think.`, `Rubbish!`.
    """
    judged = _behind_label(judged)
    inside = [x for one in judged for x in one.clause.lexemes]
    solid = solid_of(inside)
    turning = _TURNING | manner.later
    turns = [x for x in solid if x.kind in turning and x.text != "may"]
    times = _TIMES | manner.times
    plain = [x for x in solid if x not in turns and x.kind not in times and x.text != "me"]
    bare = bool(turns) and not plain and all(x.text != "again" for x in inside)
    sorry = any(one.clause.cue == "soft" for one in judged[:1])  # `Sorry if that is dull.`
    begins = turns[:1] == solid[:1] != []
    led = begins and _leads(solid, manner, sorry=sorry)
    put_off = " ".join(x.text for x in inside).removeprefix("but ") in manner.said["PUTOFF"]
    return bare or led or put_off or _unsays(inside, manner) or points_back(judged)


def _behind_label(judged: Sequence[Judged]) -> Sequence[Judged]:
    """Without a label of talk: `PS: not before winter`."""
    labelled = len(judged) > 1 and judged[1].clause.joint == "COLON" and not judged[0].clause.cue
    talks = labelled and all(x.kind in _TALK for x in solid_of(judged[0].clause.lexemes))
    return judged[1:] if talks else judged


def _leads(solid: Sequence[Lexeme], manner: Manner, *, sorry: bool) -> bool:
    """A condition of this game, or another time: `If Ben agrees.`, `Soon.`, `Or 3.`"""
    first = solid[0]
    when = 2 if first.kind in manner.times else 0
    if first.kind != "COND":
        return len(solid) <= (_LED["OR"] if first.text == "or" else _LED.get(first.kind, when))
    others = any(x.kind == "OTHER" and x.text[:3] != "you" for x in solid)
    few = sum(x.kind not in _TIMES | manner.times for x in solid) < _FEW
    ours = others or few or any(x.kind in {"WHO", "NUM"} for x in solid)
    return not sorry and (ours or first.text in manner.said["FIRM"])


def _unsays(inside: Sequence[Lexeme], manner: Manner) -> bool:
    """`Rubbish!`, `Only a thought.`, `So says Ben.`, `I need to think.`, `Not sure yet.`"""
    said, solid = manner.said, solid_of(inside)
    texts = {x.text for x in inside}
    if any(text in said["UNDONE"] for text in texts) or {"plan", "was"} <= texts:
        return True
    if texts - _WEAK and all(x.text in said["ALONE"] for x in solid or inside):
        return True
    if len(solid) > _FEW:
        return False
    named = "that" in texts or any(x.kind in {"WHO", "ASKING"} for x in solid)
    told = named and any(text in said["TOLDBY"] for text in texts)
    own = len(solid) < _FEW and any(text.split(" ")[0] in said["SELF"] for text in texts)
    thinks = own and any(text in said["THOUGHT"] for text in texts)
    return told or thinks or any(x.text.split(" ")[0] == "not" for x in solid)


# ------------------------------------------------------------------------ what takes effect at once
def doubted_by(judged: Sequence[Judged], me: int, manner: Manner) -> Lexeme | None:
    """What takes effect at once must be ordered without a doubt, without a no, and not to somebody
    else: not `I think I accept`, `my advisors say: accept`, `a deal for Borland, not for us`, `vote
    yes on the Free Cities, Mordor!`.
    """
    kinds = {x.kind for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes}
    hedged = _hedged(judged, manner) if kinds & manner.binding else None
    binds = kinds & (manner.binding | manner.strict)
    return hedged or (_called(judged, me, manner) if binds else None)


def _hedged(judged: Sequence[Judged], manner: Manner) -> Lexeme | None:
    said = manner.said
    for i, one in enumerate(judged):
        inside = one.clause.lexemes
        if one.ring is Ring.ORDER:
            head = next((j for j, x in enumerate(inside) if x.kind in manner.binding), 0)
            thinks = (x for x in inside[:head] if x.text.split(" ")[-1] in said["THINKING"])
            found = next(thinks, None)
        elif i + 1 < len(judged) and judged[i + 1].clause.joint == "COLON":
            found = next((x for x in inside if x.text in said["SAYING"]), None)
        else:
            first = next(iter(solid_of(inside)), None)
            told = bool(inside) and inside[0].text.split(" ")[0] in said["OWN"]
            told |= any(x.kind in _TALK for x in inside)  # `I'm not drunk`
            found = first if first is not None and first.kind == "NEG" and i and not told else None
        if found is not None:
            return found
    return None


def _called(judged: Sequence[Judged], me: int, manner: Manner) -> Lexeme | None:
    """Somebody is spoken to that it is not about: `Mordor and Iceland, vote no`."""
    ordered = [x for one in judged if one.ring is Ring.ORDER for x in one.clause.lexemes]
    named = {x.value for x in ordered if x.kind == "WHO"}
    own = any(x.text.split(" ")[0] in manner.said["SELF"] for x in ordered)
    answers = any(x.kind in manner.replies for x in ordered)
    seen, ahead = False, 0
    for one in judged:
        seen |= one.ring is Ring.ORDER and bool(one.clause.lexemes)
        solid = solid_of(one.clause.lexemes)
        if one.ring is Ring.ORDER or [x.kind for x in solid] != ["WHO"] or solid[0].value == me:
            continue
        ahead += not seen
        if ahead > 1 or (seen and not own and not answers and solid[0].value not in named):
            return solid[0]
    return None
