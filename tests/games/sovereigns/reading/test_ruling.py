"""What a game master rules at a table of States & Sovereigns, as it is written; nothing is guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.chance import Chance
from engine.sovereigns.codes import ACTIONS, COSTS
from engine.sovereigns.gm_wording import parse_command
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import Objection
from pbem.games.sovereigns.reading.rulings import FORMS, read_ruling
from pbem.grammar.gm.values import Unread
from tests.games.sovereigns.engine.playing import sound, table
from tests.games.sovereigns.reading.mastering import (
    FEAST,
    STATE,
    TECHNOLOGIES,
    TRIED,
    TRY,
    amend,
    bare,
    judged,
    renamed,
    rule,
    standing,
    tech,
    verdict,
)
from tests.rows import each_row


@each_row(
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
        ("make it STAT-DEF M, please", tech("gears", "amend", "STAT-DEF M")),
        ("uphold 1", verdict(1, upheld=True)),
        ("I uphold the objection", verdict(1, upheld=True)),
        ("objection 1 is rejected", verdict(1, upheld=False)),
        ("refuse the objection", verdict(1, upheld=False)),
        ("gm verdict 1 uphold", verdict(1, upheld=True)),
        ("objection 1 upheld", verdict(1, upheld=True)),
        ("the objection is upheld", verdict(1, upheld=True)),
        ("deny", verdict(1, upheld=False)),
        ("objection 7 is dismissed", verdict(7, upheld=False)),
        ("rule Anna stands", rule(1, contest="R")),
        ("rule: the action of Aldermark shall stand", rule(1, contest="R")),
        ("remove Ben", {"act": "remove", "player": 2}),
        ("keep Ben", {"act": "keep", "player": 2}),
    ],
)
def test_the_same_may_be_said_in_several_ways(text: str, meant: dict[str, object]) -> None:
    assert bare(read_ruling(STATE, TRIED, text)) == meant


@each_row(
    ("text", "kind", "what", "nearest"),
    [
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
        ("Anna: effect +100 M", "invalid", "number", ()),  # F-111: no "Did you mean eject?"
        ("Anna: effect they lose their river", "invalid", "correction", FORMS),
        ("Anna: effect +2 M, difficulty 9 for Ben", "invalid", "correction", FORMS),
        ("objection upheld and denied", "invalid", "correction", FORMS),
        ("approve gears" + " and" * 1000, "invalid", "correction", FORMS),
        ("Aldermark stands", "ambiguous", "correction", FORMS),
        ("stands", "ambiguous", "correction", FORMS),
        ("remove", "invalid", "correction", FORMS),
        ("give Ben steel", "invalid", "correction", FORMS),
        ("draw", "invalid", "correction", FORMS),
    ],
)
def test_what_is_unknown_missing_or_ambiguous_is_told_apart(
    text: str, kind: str, what: str, nearest: tuple[str, ...]
) -> None:
    with pytest.raises(Unread) as unread:
        read_ruling(STATE, TRIED, text)
    told = unread.value
    assert (told.kind, told.what, told.nearest) == (kind, what, nearest)


def test_what_is_open_more_than_once_must_be_named() -> None:
    two = standing(Anna=TRY, Ben=FEAST)
    assert read_ruling(STATE, two, "Ben: difficulty 5").text == "rule Borland: difficulty 5"
    many = replace(STATE, objections=(*STATE.objections, Objection(2, 1, 2, 20)))
    for state, told, text in ((STATE, two, "difficulty 5"), (many, TRIED, "uphold")):
        with pytest.raises(Unread) as unread:
            read_ruling(state, told, text)
        assert unread.value.kind == "ambiguous"
    for text in ("contest", "difficulty 5", "uphold", "approve", "stands", "keep", "Anna: contest"):
        with pytest.raises(Unread) as unread:
            read_ruling(table({"Anna": {}, "Ben": {}}), {}, text)
        assert unread.value.kind == "invalid"


QUIET = replace(
    STATE,
    objections=(),
    kingdoms=(replace(STATE.kingdoms[0], discoveries=()), *STATE.kingdoms[1:]),
)
"""The same with nothing that waits."""
ANSWERED = {
    "try": (QUIET, standing(Anna=TRY)),
    "feast": (QUIET, standing(Ben=FEAST)),
    "technology": (replace(STATE, objections=()), {}),
    "objection": (replace(QUIET, objections=STATE.objections), {}),
    "silence": (
        replace(QUIET, kingdoms=(*QUIET.kingdoms[:3], replace(QUIET.kingdoms[3], missed=8))),
        {},
    ),
}


@each_row(
    ("what", "text", "meant"),
    [
        ("try", "diff 9", rule(1, difficulty=9)),
        ("try", "Difficulty 9.", rule(1, difficulty=9)),
        ("try", "contest M", rule(1, contest="M")),
        ("try", "diff 9, effect +2 M", rule(1, difficulty=9, effect="+2 M")),
        ("try", "stands", rule(1, contest="R")),
        ("feast", "It stands.", rule(2, difficulty=7)),
        ("feast", "default", rule(2, difficulty=7)),
        ("technology", "Approved!", tech("gears", "approve")),
        ("technology", "refuse", tech("gears", "refuse")),
        ("technology", "amend STAT-DEF M", tech("gears", "amend", "STAT-DEF M")),
        ("technology", "stands", tech("gears", "approve")),
        ("objection", "uphold", verdict(1, upheld=True)),
        ("objection", "deny", verdict(1, upheld=False)),
        ("objection", "the action stands", verdict(1, upheld=False)),
        ("silence", "remove", {"act": "remove", "player": 4}),
        ("silence", "keep", {"act": "keep", "player": 4}),
        ("silence", "stands", {"act": "keep", "player": 4}),
    ],
)
def test_where_one_thing_waits_a_word_is_enough(
    what: str, text: str, meant: dict[str, object]
) -> None:
    state, standings = ANSWERED[what]
    correction = read_ruling(state, standings, text)
    assert bare(correction) == meant
    assert read_ruling(state, standings, correction.text) == correction
    outcome = sound(SOVEREIGNS.act(state, "gm", dict(correction.act), Chance(bytes(32))))
    assert outcome.state != state
    assert not SOVEREIGNS.ruling_requests(outcome.state, standings)


@each_row("form", FORMS)
def test_every_form_is_read(form: str) -> None:
    correction = read_ruling(STATE, TRIED, form)
    assert read_ruling(STATE, TRIED, correction.text) == correction


@pytest.mark.parametrize("text", ["rule Ben: difficulty 9", "objection 7 upheld"])
def test_what_there_is_nothing_of_is_refused_by_the_rules(text: str) -> None:
    act = dict(read_ruling(STATE, TRIED, text).act)
    with pytest.raises(Refused, match="waits for a word"):
        SOVEREIGNS.act(STATE, "gm", act, Chance(bytes(32)))


def test_who_is_kept_is_asked_about_anew_after_four_more_seasons() -> None:
    """SS-11.9."""
    state, _ = ANSWERED["silence"]
    told = dict(read_ruling(state, {}, "keep Dot").act)
    assert SOVEREIGNS.act(state, "gm", told, Chance(bytes(32))).state.kingdom(4).missed == 0


# ------------------------------------------------------------------------------ names of all kinds
@each_row(
    "name",
    [
        *("steel", "military", "no", "approve", "harmony rolls", "new year's rites", "A-b 3"),
        "“odd” one",
    ],
)
def test_every_answer_that_is_offered_is_read(name: str) -> None:
    """A technology and a ruler may be called like our words; buttons send these texts."""
    discovery = replace(STATE.kingdoms[0].discoveries[0], name=name)
    anna, ben, *others = STATE.kingdoms
    state = replace(
        STATE,
        technologies={},
        kingdoms=(
            replace(anna, discoveries=(discovery,), tech=()),
            replace(ben, ruler=name, tech=()),
            *others,
        ),
    )
    standings = {2: standing(Ben=FEAST)[2], 1: standing(Anna=TRY)[1]}
    requests = SOVEREIGNS.ruling_requests(state, standings)
    assert {request.kind for request in requests} == {"try", "technology", "objection"}
    for request in requests:
        for answer in request.answers:
            correction = read_ruling(state, standings, answer)
            assert correction.act.get("player") == (
                request.facts["player"] if request.kind == "try" else None
            )
            assert correction.act.get("name", name) == name
            assert read_ruling(state, standings, correction.text) == correction
            judged(correction, state)


def test_an_offered_answer_that_means_something_else_too_is_asked_about() -> None:
    """The name of a technology must not turn a command."""
    discovery = replace(STATE.kingdoms[0].discoveries[0], name="steel as STAT-DEF M")
    anna = replace(STATE.kingdoms[0], discoveries=(discovery,))
    state = replace(STATE, kingdoms=(anna, *STATE.kingdoms[1:]))
    with pytest.raises(Unread) as unread:
        read_ruling(state, {}, "approve steel as STAT-DEF M")
    assert unread.value.kind == "ambiguous"
    assert read_ruling(state, {}, unread.value.nearest[0]).act["name"] == "steel as STAT-DEF M"


def test_technologies_that_differ_in_case_are_told_apart_in_quotes() -> None:
    state = renamed(Steel="STAT-ROLL H")
    for name in ("steel", "Steel"):
        for text in (f'refuse "{name}"', f"refuse {name}"):
            correction = read_ruling(state, {}, text)
            assert (correction.act["name"], correction.text) == (name, f'refuse "{name}"')
    for text in ('refuse "STEEL"', "refuse STEEL"):
        with pytest.raises(Unread) as unread:
            read_ruling(state, {}, text)
        assert unread.value.kind == "ambiguous"
    state = renamed(hospital="BLD-HOSPITAL")
    assert read_ruling(state, {}, "approve hospital").text == 'approve "hospital"'
    with pytest.raises(Unread) as unread:
        read_ruling(state, {}, "amend hospital")
    assert unread.value.kind == "ambiguous"


# ------------------------------------------------------------------------- the one spelling
_static = [
    *(f"STAT-{sort} {attribute}" for sort in ("ROLL", "DEF") for attribute in "RMH"),
    *(f"STAT-ACT {action}" for action in ACTIONS),
    *("STAT-YEAR", "STAT-CALM", "STAT-DEPL"),
]
_codes = st.sampled_from(
    [*_static, *COSTS, *(f"ANA-CHEAP {code}" for code in COSTS), "ANA-DIE H"]
) | st.builds("ANA-DOUBLE {} + {}".format, st.sampled_from(_static), st.sampled_from(_static))
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
)


@given(_commands)
def test_the_commands_of_cases_mean_the_same_and_have_one_spelling(text: str) -> None:
    correction = read_ruling(STATE, TRIED, text)
    orders = {player: told.orders for player, told in TRIED.items()}
    assert dict(correction.act) == parse_command(STATE, text, orders)
    assert read_ruling(STATE, TRIED, correction.text) == correction
    judged(correction)


_said = st.sampled_from(
    "Anna Ben Borland Aldermark gears steel attack STAT-DEF BLD-HOSPITAL M H military 1 -1 +2 9"
    ' approve refuse amend gives difficulty contest effect repercussion "x" uphold deny objection'
    " action stands all rolls die rule that the on no , : remove keep".split()
)


@given(
    st.sampled_from(list(ANSWERED)),
    st.lists(_said, max_size=7).map(" ".join) | st.text(max_size=60),
)
def test_whatever_is_written_is_read_or_asked_about(what: str, text: str) -> None:
    state, standings = ANSWERED[what]
    try:
        correction = read_ruling(state, standings, text)
    except Unread:
        return
    assert read_ruling(state, standings, correction.text) == correction
    judged(correction, state)
