"""A clause of Protectors as the phrases fill it in: the draft of an order, still without what the
position must add.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pbem.games.protectors.reading.clauses import Dialect
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.parsing import Phrase

VERBS = frozenset(
    [
        "FORTIFY",
        "MARCH",
        "ATTACK",
        "SUPPORT",
        "WORK",
        "HOLD",
        "SEND",
        "GIVE",
        "UNSEND",
        "SNITCH",
        "SAME",
        "CANCEL",
        "CANCELALL",
        "FINAL",
        "BUY",
        "UPGRADE",
        "CAPITOL",
        "BID",
        "NOBID",
        "USE",
        "COMMIT",
        "BURN",
        "HIDDEN",
        "FIRE",
        "NOTHINGTOSEE",
        "BANK",
        "FAITH",
        "KING",
        "FORECAST",
        "READDRAGONS",
        "BOTTOM",
        "PLACEDRAGON",
        "FACTION",
        "PALANTIR",
        "REFRESH",
        "TAKE",
    ]
)
DIALECT = Dialect(
    verbs=VERBS,
    helpers=frozenset({"USE"}),
    weak=frozenset(
        {
            "WORK",
            "MARCH",
            "SEND",
            "GIVE",
            "USE",
            "TAKE",
            "HOLD",
            "FINAL",
            "FORECAST",
            "BANK",
            "FAITH",
            "BOTTOM",
            "FACTION",
            "CAPITOL",
            "HIDDEN",
            "UPGRADE",
        }
    ),
    takers=frozenset({"REFRESH", "TAKE"}),
    echoes=frozenset({"FIRE", "BID", "CAPITOL", "FACTION", "UPGRADE", "SAME"}),
    standing=frozenset({"FACTIONNAME"}),
    closing=frozenset({"FINAL"}),
    spreading=frozenset({"FORTIFY", "WORK", "HOLD", "BURN", "UPGRADE", "CANCEL"}),
    named=frozenset({"FIRE", "NOTHINGTOSEE", "BANK", "FAITH", "KING", "FORECAST"}),
)
_QUANTITIES = frozenset({"ALL", "ELSE", "BOTH", "HALF", "THEUNITS", "NOTHING"})
_MODIFIERS = frozenset({"golden", "delayed", "sacrifice"})


@dataclass(slots=True)
class Draft:
    """What a clause says, by role. Lexemes keep where they stand, so that a caret can point at
    them.

    `before` and `after` are provinces without a preposition, before and after the verb. `quantity`
    is a word for how many or for which provinces (all, both, half, the rest); `scattered` tells
    that it stands for places (`in all`).
    """

    verb: Lexeme | None = None
    before: list[Lexeme] = field(default_factory=list)
    after: list[Lexeme] = field(default_factory=list)
    origin: Lexeme | None = None
    target: Lexeme | None = None
    at: Lexeme | None = None
    dash: Lexeme | None = None
    who: Lexeme | None = None
    lender: Lexeme | None = None
    numbers: list[Lexeme] = field(default_factory=list)
    quantity: Lexeme | None = None
    scattered: bool = False
    golden: Lexeme | None = None
    delayed: Lexeme | None = None
    sacrifice: tuple[Lexeme, ...] = ()
    excepted: list[Lexeme] = field(default_factory=list)
    all_but: Lexeme | None = None
    marks: dict[str, Lexeme] = field(default_factory=dict)
    ability: Lexeme | None = None
    unknown: list[Lexeme] = field(default_factory=list)
    surplus: Lexeme | None = None

    @property
    def kind(self) -> str:
        return self.verb.kind if self.verb else ""

    @property
    def places(self) -> list[Lexeme]:
        return [*self.before, *self.after, *([self.at] if self.at else [])]

    @property
    def subject_first(self) -> bool:
        return bool(self.before)

    def is_only(self, *roles: str) -> bool:
        """Whether nothing but these roles is said, and at least one of them."""
        said = self.said()
        return bool(said) and said <= set(roles)

    def said(self) -> set[str]:
        """The roles that are filled."""
        roles = {
            "verb": self.verb,
            "place": self.before or self.after,
            "origin": self.origin,
            "target": self.target,
            "at": self.at,
            "dash": self.dash,
            "who": self.who,
            "lender": self.lender,
            "number": self.numbers,
            "quantity": self.quantity or self.all_but,
            "golden": self.golden,
            "delayed": self.delayed,
            "sacrifice": self.sacrifice,
            "excepted": self.excepted,
            "ability": self.ability,
            "unknown": self.unknown,
            "surplus": self.surplus,
            "marks": set(self.marks) - {"UNITS", "REALM", "WHICH", "PLAYER", "ALSO"},
        }
        return {role for role, filled in roles.items() if filled}

    def copy(self) -> "Draft":
        return replace(
            self,
            before=list(self.before),
            after=list(self.after),
            numbers=list(self.numbers),
            excepted=list(self.excepted),
            marks=dict(self.marks),
            unknown=list(self.unknown),
        )


def draft_of(phrases: Iterable[Phrase]) -> Draft:
    """Fill in a draft. What would fill a role twice is kept as surplus: such a clause is not
    understood.
    """
    draft = Draft()
    for phrase in phrases:
        _fill(draft, phrase)
    return draft


def _fill(draft: Draft, phrase: Phrase) -> None:  # noqa: C901 - one line a phrase
    first, last = phrase.lexemes[0], phrase.lexemes[-1]
    match phrase.kind:
        case "verb":
            if draft.verb is None:
                draft.verb = first
            elif draft.verb.kind != first.kind:
                draft.surplus = first
        case "place":
            (draft.after if draft.verb else draft.before).append(first)
        case "from_place":
            _once(draft, "origin", last)
        case "to_place":
            _once(draft, "target", last)
        case "in_place":
            _once(draft, "at", last)
        case "dash_place":
            _once(draft, "dash", last)
        case "who" | "to_who" | "on_who":
            _once(draft, "who", last)
        case "from_who":
            _once(draft, "lender", last)
        case "number":
            draft.numbers.append(first)
        case "golden" | "delayed":
            setattr(draft, phrase.kind, first)
        case "sacrifice":
            draft.sacrifice = phrase.lexemes
        case "except_place":
            draft.excepted.append(last)
        case "except_number":
            _once(draft, "all_but", last)
        case "scattered":
            draft.scattered = True
            if last.kind == "EACH":
                draft.marks["EACH"] = last
            else:
                _once(draft, "quantity", last)
        case "amount" if first.kind in _QUANTITIES:
            _once(draft, "quantity", first)
        case "unknown":
            draft.unknown.append(first)
        case "ability":
            _once(draft, "ability", first)
        case "dragon":
            draft.marks["DRAGON"] = last
        case _:
            draft.marks[last.kind] = last


def _once(draft: Draft, role: str, lexeme: Lexeme) -> None:
    if getattr(draft, role) is None:
        setattr(draft, role, lexeme)
    elif (
        role == "quantity"
        and draft.quantity is not None
        and {draft.quantity.kind, lexeme.kind} <= {"ALL", "THEUNITS", "BOTH"}
    ):
        draft.quantity = lexeme if lexeme.kind == "BOTH" else draft.quantity
    else:
        draft.surplus = lexeme


def may_name(draft: Draft) -> bool:
    """Whether the one word that means nothing to us may be a player's name."""
    return (
        draft.kind in {"SUPPORT", "SEND", "GIVE", "SNITCH"}
        and len(draft.unknown) == 1
        and draft.who is None
    )


def merge(first: Draft, more: Draft, *, corrects: bool) -> Draft:
    """The first draft with what the other says: what it lacked, or (in a correction) in place of
    what it said.
    """
    merged = first.copy()
    for role in (
        "origin",
        "target",
        "at",
        "dash",
        "who",
        "lender",
        "golden",
        "delayed",
        "ability",
        "all_but",
    ):
        lexeme = getattr(more, role)
        if lexeme is not None:
            setattr(merged, role, lexeme)
    if more.numbers:
        merged.numbers, merged.quantity = list(more.numbers), None
    if more.quantity or more.all_but:
        merged.quantity = more.quantity or merged.quantity
        merged.numbers = []
    if more.sacrifice:
        merged.sacrifice = more.sacrifice
    merged.excepted += more.excepted
    merged.marks.update(more.marks)
    merged.surplus = more.surplus or first.surplus
    bare = [*more.before, *more.after]
    if bare and more.target is not None and more.origin is None and len(bare) == 1:
        merged.origin, bare = bare[0], []  # `I mean P1 to P10`
    if bare:
        _place_bare(merged, bare, corrects=corrects)
    return merged


def _place_bare(draft: Draft, bare: list[Lexeme], *, corrects: bool) -> None:
    """Put provinces without a preposition where such a clause has its own: a March's corrected
    province is where it goes.
    """
    if (
        len(bare) == 1
        and draft.kind in {"MARCH", "ATTACK", "SEND", "", "SUPPORT"}
        and (draft.target or draft.dash)
        and corrects
    ):
        draft.target, draft.dash = bare[0], None
    elif draft.at is not None and not draft.places[:-1]:
        draft.at = bare[0]
        draft.surplus = bare[1] if len(bare) > 1 else draft.surplus
    elif draft.origin is not None and draft.kind in {"COMMIT", "SEND", "MARCH", "ATTACK"}:
        draft.origin = bare[0]
        draft.surplus = bare[1] if len(bare) > 1 else draft.surplus
    elif draft.after and not draft.before:
        draft.after = bare
    else:
        draft.before = bare
