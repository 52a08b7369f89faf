"""What a game master sets right at a table of Realm-Master, as it is written; nothing is guessed
(RM-11.10).
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.chance import Chance
from engine.realm_master.cards import all_buy_cards
from engine.realm_master.events import Corrected, RulingGiven, TakenBack
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from pbem.games.realm_master.reading.corrections import FORMS, read_correction
from pbem.grammar.gm.commands import Correct, Lexicon, Unread
from pbem.grammar.gm.lines import parse_gm
from tests.games.realm_master.engine.playing import act, close, table
from tests.rows import each_row

PLAYERS = {
    "Anna": {"hero": "elf", "hgb": "7/2/1", "at": "JER", "cards": ["B01"]},
    "Annabel": {"hero": "barbarian", "hgb": "8/0/0", "at": "out"},
    "Chloé": {"hero": "dwarf", "hgb": "9/3/0", "at": "out", "cards": ["B08"]},
}
LANDS = {"JER": "1/1/2", "ARU": "0/3/1", "SAL": "2/1/0", "MER": "1/2/2"}


def position() -> State:
    return table(
        PLAYERS, lands=LANDS, row=["B02", "B12", "B05"], deck=["B03", "B04", "B06"], turns=7
    )


STATE = position()


def read(text: str) -> dict[str, object]:
    return dict(read_correction(STATE, text).act)


def hero(player: int, what: str, amount: int) -> dict[str, object]:
    return {"act": "set-hero", "player": player, "what": what, "amount": amount}


def land(key: str, hearts: int, gold: int, banners: int) -> dict[str, object]:
    return {"act": "set-land", "land": key, "hearts": hearts, "gold": gold, "banners": banners}


def place(player: int, key: str | None) -> dict[str, object]:
    return {"act": "place", "player": player, "land": key}


@each_row(
    ("text", "meant"),
    [
        ("Elf hearts 5", hero(1, "hearts", 5)),
        ("the elf's hearts to 5", hero(1, "hearts", 5)),
        ("set Ryllae hearts = 5", hero(1, "hearts", 5)),
        ("Anna has 5 hearts", hero(1, "hearts", 5)),
        ("Jerum has 3 gold", land("JER", 1, 3, 2)),
        ("Chloé has the War Horn", {"act": "card-give", "player": 3, "card": "B09"}),
        ("hearts of Anna: 5", hero(1, "hearts", 5)),
        ("Warrior gold 3", hero(2, "gold", 3)),
        ("red banners 9", hero(1, "banners", 9)),
        ("player 3 gold 12", hero(3, "gold", 12)),
        ("Chloe gold 12", hero(3, "gold", 12)),
        ("Jerum 1/2/0", land("JER", 1, 2, 0)),
        ("set Jerum 1 2 0", land("JER", 1, 2, 0)),
        ("Arub Desert: 0 / 6 / 0", land("ARU", 0, 6, 0)),
        ("Jerum gold 3", land("JER", 1, 3, 2)),
        ("Saltmere 0 hearts and 3 banners", land("SAL", 0, 1, 3)),
        ("place the elf in Jerum", place(1, "JER")),
        ("Jarek to Kingdom of Mertle", place(2, "MER")),
        ("place Anna out", place(1, None)),
        ("the dwarf stands outside", place(3, None)),
        ("card give Iron Shield to the dwarf", {"act": "card-give", "player": 3, "card": "B01"}),
        ("Annabel gets the War Horn", {"act": "card-give", "player": 2, "card": "B09"}),
        ("card take B01 from the elf", {"act": "card-take", "player": 1, "card": "B01"}),
        ("card row Whetted Blade 1", {"act": "card-row", "card": "B02", "place": 1}),
        ("put Toll Writ in the row at place 2", {"act": "card-row", "card": "B06", "place": 2}),
        ("kill the elf", {"act": "kill", "player": 1}),
        ("undo turn 7", {"act": "undo", "turn": 7}),
        ("undo the last turn", {"act": "undo", "turn": 7}),
        ("undo round", {"act": "undo", "round": True}),
        ("mode interactive", {"act": "mode", "mode": "interactive"}),
        ("mode: standing", {"act": "mode", "mode": "standing"}),
        ("winner Annabel", {"act": "end", "winner": 2}),
        ("the dwarf wins", {"act": "end", "winner": 3}),
        ("end draw", {"act": "end", "winner": None}),
        ('rule "A shield counts once"', {"act": "rule", "text": "A shield counts once"}),
        (
            "ruling: the Elf's 5 hearts stand, and no more",
            {"act": "rule", "text": "the Elf's 5 hearts stand, and no more"},
        ),
    ],
)
def test_the_same_may_be_said_in_several_ways(text: str, meant: dict[str, object]) -> None:
    assert read(text) == meant


@each_row(
    ("text", "kind", "what", "nearest"),
    [
        ("", "invalid", "correction", FORMS),
        ("make it nicer for everybody", "invalid", "correction", FORMS),
        ("Elf 5", "invalid", "correction", FORMS),
        ("Elf hearts", "missing", "number", FORMS),
        ("hearts 5", "missing", "player", FORMS),
        ("Jerum", "missing", "number", FORMS),
        ("1/2/3", "missing", "correction", FORMS),
        ("place Elf", "missing", "correction", FORMS),
        ("give Iron Shield", "missing", "player", FORMS),
        ("put Iron Shield in the row", "missing", "number", FORMS),
        ("kill", "missing", "player", FORMS),
        ("mode", "missing", "correction", FORMS),
        ("winner", "missing", "player", FORMS),
        ("rule", "missing", "text", ()),
        ("Elf hearts 5 and gold 3", "ambiguous", "correction", FORMS),
        ("Elf and dwarf hearts 5", "ambiguous", "correction", FORMS),
        ("Elf hearts 5 6", "ambiguous", "correction", FORMS),
        ("Jerum 1/2", "invalid", "correction", FORMS),
        ("Jerum 1/2/3 and 4", "ambiguous", "correction", FORMS),
        ("place Elf in Jerum, Arub", "ambiguous", "correction", FORMS),
        ("place Elf in Jerum outside", "ambiguous", "correction", FORMS),
        ("undo turn 7 and the round", "ambiguous", "correction", FORMS),
        ("undo", "invalid", "correction", FORMS),
        ("kill the elf in Jerum", "ambiguous", "correction", FORMS),
        ("give Elf 5 gold", "ambiguous", "correction", FORMS),
        ("Elf hearts -5", "invalid", "number", ()),
        ("Princess hearts 5", "invalid", "no-such", ("Elf", "Barbarian", "Dwarf")),
        ("place Elf in Kurull", "invalid", "no-such", ("Jerum", "Arub", "Saltmere", "Mertle")),
        ("Anabel hearts 5", "invalid", "no-such", ("Barbarian",)),
        ("give Iron Sheild to Elf", "invalid", "no-such", ("Iron Shield",)),
    ],
)
def test_what_is_unknown_missing_or_ambiguous_is_told_apart(
    text: str, kind: str, what: str, nearest: tuple[str, ...]
) -> None:
    with pytest.raises(Unread) as unread:
        read_correction(STATE, text)
    assert (unread.value.kind, unread.value.what) == (kind, what)
    assert set(unread.value.nearest) == set(nearest)


@each_row("form", FORMS)
def test_every_form_that_is_offered_is_read_and_is_its_own_spelling(form: str) -> None:
    assert read_correction(STATE, form).text == form


@each_row(
    ("line", "act"),
    [
        ("gm set Elf hearts 5 because I mistyped it", hero(1, "hearts", 5)),
        ("gm set Jerum 1/2/0: I mistyped it", land("JER", 1, 2, 0)),
        ("gm place the elf in Jerum because I mistyped it", place(1, "JER")),
        (
            "gm card row Toll Writ 2 because I mistyped it",
            {"act": "card-row", "card": "B06", "place": 2},
        ),
        ("gm kill the elf because Anna is gone", {"act": "kill", "player": 1}),
        ("gm undo turn 7 because the shield was forgotten", {"act": "undo", "turn": 7}),
        ("gm undo round because the shield was forgotten", {"act": "undo", "round": True}),
        ("gm mode interactive because all want it", {"act": "mode", "mode": "interactive"}),
        (
            "gm rule a shield counts once because Ben asked",
            {"act": "rule", "text": "a shield counts once"},
        ),
    ],
)
def test_the_words_of_the_rules_are_those_of_the_house(line: str, act: dict[str, object]) -> None:
    (read_line,) = parse_gm(line, Lexicon({}))
    assert isinstance(read_line.command, Correct)
    assert read_line.command.reason
    assert read(read_line.command.what) == act


def test_a_name_that_may_mean_two_players_is_asked_about_and_never_the_one_spelling() -> None:
    players = tuple(
        replace(player, name="Elf" if player.number == 3 else player.name)
        for player in STATE.players
    )
    state = replace(STATE, players=players)
    with pytest.raises(Unread) as unread:
        read_correction(state, "kill the elf")
    assert unread.value.kind == "ambiguous"
    assert read_correction(state, "kill Anna").text == "kill Anna"
    assert read_correction(state, "kill the dwarf").text == "kill Dwarf"
    assert read_correction(state, "kill Dwarf").act == {"act": "kill", "player": 3}


@pytest.mark.parametrize(
    "text",
    [
        *("Elf hearts 5", "Jerum 0/2/0", "place Elf outside", "give Toll Writ to Dwarf"),
        "take Iron Shield from Elf",
    ],
)
def test_what_is_read_is_done_by_the_rules_and_told_with_its_reason(text: str) -> None:
    told = dict(read_correction(STATE, text).act) | {"reason": "I mistyped it"}
    events = act(STATE, "gm", told).events
    assert [event.facts.reason for event in events if isinstance(event.facts, Corrected)] == [
        "I mistyped it"
    ]


def test_a_turn_is_taken_back_a_hero_killed_and_a_ruling_given_with_a_reason() -> None:
    state = close(position(), {}, [1] * 30).state
    told = dict(read_correction(state, f"undo turn {state.turns}").act) | {
        "reason": "the shield was forgotten"
    }
    assert any(isinstance(event.facts, TakenBack) for event in act(state, "gm", told).events)
    killed = dict(read_correction(STATE, "kill the elf").act) | {"reason": "gone for good"}
    assert not act(STATE, "gm", killed).state.players[0].alive
    ruling = read_correction(STATE, "rule: a shield counts once")
    outcome = REALM_MASTER.act(
        STATE, "gm", dict(ruling.act) | {"reason": "asked by Anna"}, Chance(bytes(32))
    )
    assert ruling.is_said
    assert [event.facts for event in outcome.events] == [RulingGiven("a shield counts once")]


_heroes = st.sampled_from(["Elf", "Barbarian", "Dwarf"])
_lands = st.sampled_from(["Jerum", "Arub", "Saltmere", "Mertle"])
_cards = st.sampled_from(sorted(card.name for card in all_buy_cards().values()))
_counts = st.integers(0, 9999)
_canonical = st.one_of(
    st.builds("{} {} {}".format, _heroes, st.sampled_from(["hearts", "gold", "banners"]), _counts),
    st.builds("{} {}/{}/{}".format, _lands, _counts, _counts, _counts),
    st.builds("place {} in {}".format, _heroes, _lands),
    st.builds("place {} outside".format, _heroes),
    st.builds("give {} to {}".format, _cards, _heroes),
    st.builds("take {} from {}".format, _cards, _heroes),
    st.builds("put {} in the row at place {}".format, _cards, _counts),
    st.builds("kill {}".format, _heroes),
    st.builds("undo turn {}".format, _counts),
    st.sampled_from(["undo the round", "mode standing", "mode interactive", "draw"]),
    st.builds("winner {}".format, _heroes),
    st.builds(
        "rule: {}".format,
        st.from_regex(r"[a-z][a-z ,]{0,60}[a-z]", fullmatch=True).map(
            lambda text: " ".join(text.split())
        ),
    ),
)


@given(_canonical)
def test_the_one_spelling_is_read_back_to_itself(text: str) -> None:
    assert read_correction(STATE, text).text == text


@given(
    st.lists(
        st.sampled_from(
            [
                *("Elf", "Anna", "hearts", "5", "1/2/0", "Jerum", "place", "out", "Iron Shield"),
                *("give", "row", "kill", "undo", "turn", "?", "mode"),
            ]
        ),
        max_size=8,
    ).map(" ".join)
    | st.text(max_size=80)
)
def test_whatever_is_written_is_read_or_asked_about(text: str) -> None:
    try:
        correction = read_correction(STATE, text)
    except Unread:
        return
    assert read_correction(STATE, correction.text) == correction
