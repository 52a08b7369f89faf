"""What a game master rules and sets right at a table of States & Sovereigns, as it is written;
nothing is guessed.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import Plea
from engine.sovereigns.codes import ACTIONS, COSTS
from engine.sovereigns.events import Ruled
from engine.sovereigns.gm_wording import parse_command
from engine.sovereigns.orders import Do, Order
from engine.sovereigns.reading import parse_order
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import Discovery, Objection, State
from pbem.games.sovereigns.reading.correcting import FORMS, read_correction, read_ruling
from pbem.games.sovereigns.reading.gm_parts import MOST_CHARACTERS
from pbem.games.sovereigns.reading.ruling import read_answer
from pbem.grammar.gm.commands import Correct, Lexicon
from pbem.grammar.gm.lines import parse_gm
from pbem.grammar.gm.values import Unread
from pbem.grammar.kit.reading import Correction
from tests.games.sovereigns.engine.playing import Play, sound, table

TECHNOLOGIES = {
    "steel": "STAT-ROLL M",
    "iron ploughs": "STAT-ROLL R",
    "attack": "STAT-ACT Attack",
    "military drill": "STAT-DEF M",
}
KINGDOMS = {
    "Anna": {"name": "Aldermark", "tech": ["steel"]},
    "Ben": {"name": "Borland", "tech": ["attack", "military drill"]},
    "J. of Arc.": {"name": "Cyrene"},
    "Dot": {"name": "Harmony"},
}


def _played() -> State:
    """In Summer: actions 1 and 2 were played in Spring, and Cyrene objects to the second."""
    game = Play(table(KINGDOMS, technologies=TECHNOLOGIES))
    game.say("Anna", "Expedition: 1M")
    game.say("Ben", "Expedition: 1M")
    game.close()
    game.say("J. of Arc.", "Object to action 2: how?")
    anna = replace(
        game.state.kingdom(1), discoveries=(Discovery(name="gears", code="STAT-ROLL R", left=9),)
    )
    return replace(game.state, kingdoms=(anna, *game.state.kingdoms[1:]))


STATE = _played()
TRY = 'Try: 3R against Ben "divert their river"'
FEAST = 'Try: 2H "a feast"'
STANDING: dict[int, tuple[Order, ...]] = {1: (parse_order(STATE, TRY),)}


def read(text: str) -> dict[str, Any]:
    act = dict(read_ruling(STATE, text, STANDING).act)
    if act["act"] == "rule" and "order" in act:
        assert act.pop("order")["ways"][0]["kind"] == "Try"
    return act


def rule(player: int, **parts: object) -> dict[str, object]:
    return {"act": "rule", "player": player, **parts}


def tech(name: str, verdict: str, code: str = "") -> dict[str, object]:
    return {"act": "tech", "name": name, "verdict": verdict, "code": code}


def amend(code: str) -> dict[str, object]:
    return tech("steel", "amend", code)


def points(player: int, attribute: str, total: int, **ex: int) -> dict[str, object]:
    return {"act": "set", "player": player, "attribute": attribute, "total": total, **ex}


def mod(player: int, until: str, **amount: int) -> dict[str, object]:
    return {"act": "mod", "player": player, "until": until, **amount}


def give(player: int, name: str) -> dict[str, object]:
    return {"act": "give", "player": player, "technology": name}


def verdict(number: int, *, upheld: bool) -> dict[str, object]:
    return {"act": "verdict", "objection": number, "upheld": upheld}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("rule Anna diff 9", rule(1, difficulty=9)),
        ("gm rule Anna diff 9", rule(1, difficulty=9)),
        ("Anna's action: difficulty 9, effect +2 M", rule(1, difficulty=9, effect="+2 M")),
        ("Aldermark: difficulty nine", rule(1, difficulty=9)),
        ("the action of Aldermark needs 12", rule(1, difficulty=12)),
        ("contest H", rule(1, contest="H")),
        ("Aldermark: contested with Harmony", rule(1, contest="H")),
        ("rule Anna: contest", rule(1, contest="R")),
        (
            "Anna: on success -2 on the target's next roll, on a disaster -3",
            rule(1, effect="-2", repercussion="-3"),
        ),
        (
            'rule Anna attribute M effect +2 M repercussion "shame"',
            rule(1, attribute="M", effect="+2 M", repercussion="shame"),
        ),
        (
            "Anna: effect “their river runs dry; they lose a point”",
            rule(1, effect="their river runs dry; they lose a point"),
        ),
        ("approve gears", tech("gears", "approve")),
        ("approve", tech("gears", "approve")),
        ("the technology gears is approved", tech("gears", "approve")),
        ("gears: refuse", tech("gears", "refuse")),
        ('gm tech "gears" refuse', tech("gears", "refuse")),
        ("refuse attack", tech("attack", "refuse")),
        ("refuse military drill", tech("military drill", "refuse")),
        ("amend STAT-DEF M", tech("gears", "amend", "STAT-DEF M")),
        ("amend steel to STAT-DEF M", amend("STAT-DEF M")),
        ('gm tech "steel" amend STAT-DEF M', amend("STAT-DEF M")),
        ("approve steel as stat-def m", amend("STAT-DEF M")),
        ("steel gives +2 on military defence", amend("STAT-DEF M")),
        ("steel gives +2 on all defence rolls of Military", amend("STAT-DEF M")),
        ("steel gives +1 on all military rolls", amend("STAT-ROLL M")),
        ("steel: +2 on attacks", amend("STAT-ACT Attack")),
        ("steel: +1 on the year start roll", amend("STAT-YEAR")),
        ("steel gives plus one die on all harmony rolls", amend("ANA-DIE H")),
        ("steel allows a hospital", amend("BLD-HOSPITAL")),
        ("steel allows works of Military", amend("BLD-WORKS M")),
        ("steel: ANA-CHEAP BLD-WORKS R", amend("ANA-CHEAP BLD-WORKS R")),
        (
            "amend steel to ANA-DOUBLE STAT-CALM + STAT-ROLL M",
            amend("ANA-DOUBLE STAT-CALM + STAT-ROLL M"),
        ),
        ("uphold 1", verdict(1, upheld=True)),
        ("gm verdict 1 uphold", verdict(1, upheld=True)),
        ("objection 1 upheld", verdict(1, upheld=True)),
        ("the objection is upheld", verdict(1, upheld=True)),
        ("deny", verdict(1, upheld=False)),
        ("objection 7 is dismissed", verdict(7, upheld=False)),
        ("roll back action 2", {"act": "rollback", "action": 2}),
        ("gm rollback 2", {"act": "rollback", "action": 2}),
        ("Aldermark has 3 military (1 expended)", points(1, "M", 3, ex=1)),
        ("Aldermark has 3 military, 2 of them free", points(1, "M", 3, ex=1)),
        ("Aldermark has no resources", points(1, "R", 0)),
        ("Borland: harmony 4", points(2, "H", 4)),
        ("Ben's military is 3", points(2, "M", 3)),
        ("set Anna M 3 ex 1", points(1, "M", 3, ex=1)),
        ("gm set Anna M -1", points(1, "M", -1)),
        ("mod Anna -1 flat until year", mod(1, "year", flat=-1)),
        ("Borland: -1 on all rolls until the year ends", mod(2, "year", flat=-1)),
        ("Borland: minus 1 on all rolls for the rest of the season", mod(2, "season", flat=-1)),
        ("+2 dice for Borland this year", mod(2, "year", die=2)),
        ("give Ben steel", give(2, "steel")),
        ('gm give Ben tech "steel"', give(2, "steel")),
        ("give steel to Borland", give(2, "steel")),
        ("Cyrene gets the iron ploughs", give(3, "iron ploughs")),
        ("Cyrene has attack", give(3, "attack")),
        ("remove Ben", {"act": "remove", "player": 2}),
        ("keep Ben", {"act": "keep", "player": 2}),
        ("end: Anna wins", {"act": "end", "winner": 1}),
        ("gm end J. of Arc.", {"act": "end", "winner": 3}),
        ("Cyrene and Borland win", {"act": "agree", "winners": [3, 2]}),
        ("draw", {"act": "end", "winner": None}),
        ("the game ends in a draw", {"act": "end", "winner": None}),
        (
            "ruling: a bridge is no building",
            rule_text := {"act": "rule", "text": "a bridge is no building"},
        ),
        ("rule that a bridge is no building", rule_text),
        ("rule “a bridge is no building”", rule_text),
        ("rule: Anna: difficulty 9", rule(1, difficulty=9)),
        ("ruling: approve gears", tech("gears", "approve")),
        ("Dot has 2 harmony", points(4, "H", 2)),
    ],
)
def test_the_same_may_be_said_in_several_ways(text: str, meant: dict[str, object]) -> None:
    assert read(text) == meant


@pytest.mark.parametrize(
    ("text", "kind", "what", "nearest"),
    [
        ("", "invalid", "correction", FORMS),
        ("make it nicer for everybody", "invalid", "correction", FORMS),
        ("Aldermark", "invalid", "correction", FORMS),
        ("approve gears unless Ben objects", "invalid", "correction", FORMS),
        ("do not approve gears", "invalid", "correction", FORMS),
        ("approve gears, refuse steel", "invalid", "correction", FORMS),
        ("approve STAT-DEF M", "invalid", "correction", FORMS),
        ("gears", "invalid", "correction", FORMS),
        ("STAT-DEF M", "invalid", "correction", FORMS),
        ("amend attack", "invalid", "correction", FORMS),
        ("steel gives +3 on military defence", "invalid", "number", ("+2",)),
        ("steel gives a die on military rolls", "invalid", "correction", FORMS),
        ("steel gives -1 on military rolls", "invalid", "number", ("+1",)),
        ("Anna: difficulty", "invalid", "correction", FORMS),
        ("Anna: difficulty 9, difficulty 8", "ambiguous", "correction", FORMS),
        ("Anna: difficulty 9, contest H", "ambiguous", "correction", FORMS),
        ("Anna: contest H, attribute M", "ambiguous", "correction", FORMS),
        ("Anna: effect -2 M", "invalid", "correction", FORMS),
        ("Anna: effect +2", "invalid", "correction", FORMS),
        ("Anna: effect +100 M", "invalid", "number", ()),
        ("Anna: effect they lose their river", "invalid", "correction", FORMS),
        ('Anna: effect "they lose', "invalid", "correction", FORMS),
        ("Anna: effect +2 M, difficulty 9 for Ben", "invalid", "correction", FORMS),
        ("objection upheld and denied", "invalid", "correction", FORMS),
        ("roll back action", "invalid", "correction", FORMS),
        ("roll back 2 and 3", "invalid", "correction", FORMS),
        ("Aldermark has 3 military and 2 harmony", "invalid", "correction", FORMS),
        ("Aldermark: -1 military", "ambiguous", "correction", FORMS),
        ("Aldermark has +1 military", "ambiguous", "correction", FORMS),
        ("Aldermark has 3 military, 4 free", "invalid", "number", ()),
        ("Aldermark and Borland have 3 military", "invalid", "correction", FORMS),
        ("give Ben 3 military", "invalid", "correction", FORMS),
        ("Borland: -1 until the year ends", "invalid", "correction", FORMS),
        ("Borland: -1 on all military rolls until the year ends", "invalid", "correction", FORMS),
        ("Borland: -1 on all rolls until next year", "invalid", "correction", FORMS),
        (
            "Borland: -1 on all rolls",
            "missing",
            "time",
            ("until the season ends", "until the year ends"),
        ),
        ("give Ben wheels", "invalid", "correction", FORMS),
        ("give steel", "invalid", "correction", FORMS),
        ("give Ben tech “seel”", "invalid", "no-such", ("steel",)),
        ("Bordland wins", "invalid", "no-such", ("Borland",)),
        ("Anna and Ben draw", "invalid", "correction", FORMS),
        ("stands", "invalid", "correction", FORMS),
        ("Harmony has 2 military", "invalid", "correction", FORMS),
        ("ruling:", "missing", "text", ()),
        ("ruling: " + "x" * 2001, "invalid", "text", ()),
        ("approve gears" + " and" * 1000, "invalid", "correction", FORMS),
    ],
)
def test_what_is_unknown_missing_or_ambiguous_is_told_apart(
    text: str, kind: str, what: str, nearest: tuple[str, ...]
) -> None:
    with pytest.raises(Unread) as unread:
        read(text)
    told = unread.value
    assert (told.kind, told.what, told.nearest) == (kind, what, nearest)


def test_what_is_open_more_than_once_must_be_named() -> None:
    two = {**STANDING, 2: (parse_order(STATE, FEAST),)}
    assert read_ruling(STATE, "Ben: difficulty 5", two).text == "rule Borland: difficulty 5"
    many = replace(STATE, objections=(*STATE.objections, Objection(2, 3, 2, 20)))
    for state, standing, text in ((STATE, two, "difficulty 5"), (many, STANDING, "uphold")):
        with pytest.raises(Unread, match="correction") as unread:
            read_ruling(state, text, standing)
        assert unread.value.kind == "ambiguous"
    for text in ("contest", "difficulty 5", "uphold", "approve"):
        with pytest.raises(Unread, match="correction") as unread:
            read_correction(table({"Anna": {}, "Ben": {}}), text)
        assert unread.value.kind == "invalid"


@pytest.mark.parametrize("form", FORMS)
def test_every_form_that_is_offered_is_read_by_the_house_too(form: str) -> None:
    correction = read_correction(STATE, form.replace("steel", "gears"))
    assert read_correction(STATE, correction.text) == correction
    (line,) = parse_gm(f"gm correct {form} because I mistyped it", Lexicon({}))
    assert isinstance(line.command, Correct)
    assert line.command.reason == "I mistyped it"
    assert read(line.command.what) == read(form)


# ------------------------------------------------------------------------------------- names
def renamed(*names: str, **technologies: str) -> State:
    kingdoms = tuple(
        replace(kingdom, name=name) for kingdom, name in zip(STATE.kingdoms, names, strict=False)
    )
    told = {name.replace("_", " "): code for name, code in technologies.items()}
    return replace(
        STATE,
        kingdoms=(*kingdoms, *STATE.kingdoms[len(kingdoms) :]),
        technologies={**STATE.technologies, **told},
    )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Anna has 3 military", "Anna has 3 Military"),
        ("player 2 has 3 military", "Ben has 3 Military"),
        ("J. of Arc. has 3 military", "the Old Kingdom 3 has 3 Military"),
    ],
)
def test_a_name_that_would_say_something_else_is_never_used(text: str, meant: str) -> None:
    """A kingdom may be called as its ruler likes, and a name must not turn a command."""
    state = renamed("draw", "Anna has", "the Old Kingdom 3", "Anna:")
    correction = read_correction(state, text)
    assert correction.text == meant
    assert read_correction(state, meant) == correction


def test_names_that_are_the_same_are_asked_about_and_told_by_number() -> None:
    state = renamed("Ben", "Twin", "twin")
    with pytest.raises(Unread) as unread:
        read_correction(state, "Ben wins")
    assert unread.value.nearest == ("player 1", "player 2")
    assert read_correction(state, "player 2 wins").text == "player 2 wins"
    state = renamed("gears")
    with pytest.raises(Unread) as unread:
        read_correction(state, "approve gears")
    assert unread.value.nearest == ("player 1", '"gears"')
    assert read_correction(state, 'approve "gears"').text == 'approve "gears"'


def test_technologies_that_differ_in_case_are_told_apart_in_quotes() -> None:
    state = renamed(Steel="STAT-ROLL H")
    for name in ("steel", "Steel"):
        correction = read_correction(state, f'refuse "{name}"')
        assert (correction.act["name"], correction.text) == (name, f'refuse "{name}"')
    state = renamed(hospital="BLD-HOSPITAL")
    assert read_correction(state, "approve hospital").text == 'approve "hospital"'
    with pytest.raises(Unread) as unread:
        read_correction(state, "amend hospital")
    assert unread.value.kind == "ambiguous"


# ------------------------------------------------------------------------- done by the rules
@pytest.mark.parametrize(
    "text",
    [
        "rule Anna: difficulty 9, effect +2 M",
        "approve gears",
        "amend steel to STAT-DEF M",
        "objection 1 denied",
        "Aldermark has 3 Military (2 expended)",
        "Borland has -1 Harmony",
        "Borland: -1 on all rolls until the year ends",
        "give Borland steel",
        "remove Borland",
        "Borland wins",
        "Aldermark and Borland win",
        "draw",
    ],
)
def test_what_is_read_is_done_by_the_rules(text: str) -> None:
    told = dict(read_ruling(STATE, text, STANDING).act) | {"reason": "I mistyped it"}
    outcome = sound(SOVEREIGNS.act(STATE, "gm", told, Chance(bytes(32))))
    assert outcome.state != STATE
    assert outcome.events


def test_a_ruling_in_free_words_changes_nothing() -> None:
    correction = read_correction(STATE, "ruling: a bridge is no building")
    assert correction.is_said
    outcome = sound(SOVEREIGNS.act(STATE, "gm", dict(correction.act), Chance(bytes(32))))
    assert outcome.state == STATE
    assert [event.facts for event in outcome.events] == [Ruled("a bridge is no building")]


@pytest.mark.parametrize(
    "text", ["rule Ben: difficulty 9", "objection 7 upheld", "roll back action 9"]
)
def test_what_there_is_nothing_of_is_refused_by_the_rules(text: str) -> None:
    act = dict(read_ruling(STATE, text, STANDING).act)
    with pytest.raises(Refused, match="no-action"):
        SOVEREIGNS.act(STATE, "gm", act, Chance(bytes(32)))


def test_who_is_kept_is_asked_about_anew_after_four_more_seasons() -> None:
    """SS-11.9."""
    state = replace(STATE, kingdoms=(replace(STATE.kingdoms[0], missed=4), *STATE.kingdoms[1:]))
    told = dict(read_correction(state, "keep Anna").act)
    outcome = sound(SOVEREIGNS.act(state, "gm", told, Chance(bytes(32))))
    assert outcome.state.kingdom(1).missed == 0


# --------------------------------------------------------------------------------- letters
PLEAS = {
    "try": Plea("1", "try", {"player": 1, "order": TRY}, answers=("diff 9", "stands")),
    "feast": Plea("2", "try", {"player": 2, "order": FEAST}),
    "technology": Plea("3", "technology", {"technology": "gears"}, answers=("approve", "refuse")),
    "objection": Plea("4", "objection", {"objection": 1}),
    "replacement": Plea("5", "replacement", {"player": 2}),
}


@pytest.mark.parametrize(
    ("plea", "text", "meant"),
    [
        ("try", "diff 9", rule(1, difficulty=9)),
        ("try", "Difficulty 9.", rule(1, difficulty=9)),
        ("try", "contest M", rule(1, contest="M")),
        ("try", "diff 9, effect +2 M", rule(1, difficulty=9, effect="+2 M")),
        ("try", "stands", rule(1, contest="R")),
        ("feast", "It stands.", rule(2, difficulty=7)),
        ("feast", "default", rule(2, difficulty=7)),
        ("technology", "approve", tech("gears", "approve")),
        ("technology", "Approved!", tech("gears", "approve")),
        ("technology", "approve gears", tech("gears", "approve")),
        ("technology", "refuse", tech("gears", "refuse")),
        ("technology", "amend STAT-DEF M", tech("gears", "amend", "STAT-DEF M")),
        ("technology", "stands", tech("gears", "approve")),
        ("objection", "uphold", verdict(1, upheld=True)),
        ("objection", "deny", verdict(1, upheld=False)),
        ("objection", "stands", verdict(1, upheld=False)),
        ("replacement", "remove", {"act": "remove", "player": 2}),
        ("replacement", "keep", {"act": "keep", "player": 2}),
        ("replacement", "stands", {"act": "keep", "player": 2}),
    ],
)
def test_an_answer_to_a_letter_is_a_word(plea: str, text: str, meant: dict[str, object]) -> None:
    act = dict(read_answer(STATE, PLEAS[plea], text))
    if "order" in act:
        act.pop("order")
    assert act == meant


@pytest.mark.parametrize(
    ("plea", "text", "kind"),
    [
        ("technology", "approve steel", "ambiguous"),
        ("technology", "uphold", "invalid"),
        ("technology", "yes, but not before winter", "invalid"),
        ("technology", "give Ben steel", "invalid"),
        ("try", "Ben: difficulty 9", "ambiguous"),
        ("try", "approve", "invalid"),
        ("objection", "uphold 2", "ambiguous"),
        ("objection", "approve", "invalid"),
        ("objection", "the objection stands", "invalid"),
        ("replacement", "remove Anna", "ambiguous"),
        ("replacement", "draw", "invalid"),
    ],
)
def test_an_answer_that_speaks_of_something_else_is_asked_about(
    plea: str, text: str, kind: str
) -> None:
    with pytest.raises(Unread) as unread:
        read_answer(STATE, PLEAS[plea], text)
    assert (unread.value.kind, unread.value.nearest) == (kind, PLEAS[plea].answers)


@pytest.mark.parametrize(
    "plea",
    [Plea("1", "taxes"), Plea("2", "try"), Plea("3", "try", {"player": 1, "order": "Pass"})],
)
def test_a_plea_of_another_kind_is_no_letter_of_this_game(plea: Plea) -> None:
    with pytest.raises(ValueError, match="no such plea"):
        read_answer(STATE, plea, "approve")


# ------------------------------------------------------------------------- the one spelling
_static = [
    *(f"STAT-{sort} {attribute}" for sort in ("ROLL", "DEF") for attribute in "RMH"),
    *(f"STAT-ACT {action}" for action in ACTIONS),
    *("STAT-YEAR", "STAT-CALM", "STAT-DEPL"),
]
_codes = st.sampled_from(
    [*_static, *COSTS, *(f"ANA-CHEAP {code}" for code in COSTS), "ANA-DIE H"]
) | st.builds("ANA-DOUBLE {} + {}".format, st.sampled_from(_static), st.sampled_from(_static))
_who = st.sampled_from(["Anna", "Ben", "J. of Arc.", "Dot", "Aldermark", "Borland", "Cyrene"])
_attribute = st.sampled_from("RMH")
_words = st.from_regex(r"[a-zé,;: ]{0,30}[a-zé]", fullmatch=True).map(
    lambda text: " ".join(text.split())
)
_how = st.builds("diff {}".format, st.integers(0, 99)) | st.builds("contest {}".format, _attribute)
_effect = (
    st.builds("effect +{} {}".format, st.integers(1, 99), _attribute)
    | st.builds("effect -{}".format, st.integers(1, 99))
    | st.builds('effect "{}"'.format, _words)
)
_after = st.builds("repercussion -{}".format, st.integers(1, 99)) | st.builds(
    'repercussion "{}"'.format, _words
)
_parts = st.builds(
    lambda *parts: " ".join(part for part in parts if part),
    _how,
    st.just("") | _effect,
    st.just("") | _after,
)
_titles = st.sampled_from([*TECHNOLOGIES, "gears"])
_commands = st.one_of(
    st.builds("gm rule Anna {}".format, _parts),
    st.builds('gm tech "{}" {}'.format, _titles, st.sampled_from(["approve", "refuse"])),
    st.builds('gm tech "{}" amend {}'.format, _titles, _codes),
    st.builds("gm verdict {} {}".format, st.integers(1, 99), st.sampled_from(["uphold", "deny"])),
    st.builds("gm rollback {}".format, st.integers(1, 999)),
    st.builds("gm set {} {} {}".format, _who, _attribute, st.integers(-9, 999)),
    st.builds("gm set {} {} 9 ex {}".format, _who, _attribute, st.integers(0, 99)),
    st.builds(
        "gm mod {} {}{} {} until {}".format,
        _who,
        st.sampled_from("+-"),
        st.integers(1, 20),
        st.sampled_from(["flat", "die"]),
        st.sampled_from(["season", "year"]),
    ),
    st.builds('gm give {} tech "{}"'.format, _who, _titles),
    st.builds("gm end {}".format, _who | st.just("draw")),
)


def judged(correction: Correction) -> None:
    """What is read is done or refused, and leaves a state that a game can come to."""
    try:
        outcome = SOVEREIGNS.act(STATE, "gm", dict(correction.act), Chance(bytes(32)))
    except ValueError:
        return
    sound(outcome)


@given(_commands)
def test_the_commands_of_cases_mean_the_same_and_have_one_spelling(text: str) -> None:
    correction = read_ruling(STATE, text, STANDING)
    assert dict(correction.act) == parse_command(STATE, text, STANDING)
    assert read_ruling(STATE, correction.text, STANDING) == correction
    judged(correction)


_said = st.sampled_from(
    "Anna Ben Borland Aldermark gears steel attack STAT-DEF BLD-HOSPITAL M H military harmony 1 -1 +2"
    ' 9 approve refuse amend gives difficulty contest effect repercussion "x" uphold deny objection'
    " roll back action has expended free all rolls die flat until year season give wins draw end rule"
    " ruling: that the on no , : remove keep".split()
)


@given(st.lists(_said, max_size=9).map(" ".join) | st.text(max_size=80))
def test_whatever_is_written_is_read_or_asked_about(text: str) -> None:
    try:
        correction = read_ruling(STATE, text, STANDING)
    except Unread:
        return
    assert read_ruling(STATE, correction.text, STANDING) == correction
    judged(correction)


@given(st.sampled_from(list(PLEAS)), st.lists(_said, max_size=5).map(" ".join))
def test_every_answer_is_an_act_or_asked_about(plea: str, text: str) -> None:
    try:
        act = read_answer(STATE, PLEAS[plea], text)
    except Unread:
        return
    judged(Correction(act, ""))


_names = st.text(max_size=12) | st.lists(_said, min_size=1, max_size=3).map(" ".join)


@given(
    st.lists(_names, min_size=4, max_size=4),
    st.lists(_commands.map(lambda text: text.replace("Ben", "player 2")), max_size=3),
)
def test_whatever_kingdoms_are_called_one_spelling_means_one_act(
    names: list[str], commands: list[str]
) -> None:
    state = renamed(*names)
    for text in commands:
        try:
            correction = read_ruling(state, text, STANDING)
        except Unread:
            continue
        assert read_ruling(state, correction.text, STANDING) == correction


def test_a_long_line_is_read_in_a_moment() -> None:
    for text in ("Anna's " * 300, '"' * MOST_CHARACTERS, "Anna: " + "difficulty 9, " * 170):
        with pytest.raises(Unread):
            read(text)
    assert isinstance(STANDING[1][0], Do)
