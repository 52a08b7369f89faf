import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.addressees import Member, Roll, To, Unsent
from pbem.grammar.gm.values import Unread
from pbem.grammar.press import (
    Held,
    Press,
    Split,
    format_press,
    opens_press,
    split_press,
    split_reply,
)
from pbem.grammar.press_rules import (
    PressChange,
    PressRules,
    apply_change,
    format_press_rules,
    parse_press_rules,
)
from tests.rows import each_row

ROLL = Roll(
    (
        Member(1, "Anna", ("red", "lion")),
        Member(2, "Ben", ("green", "eagle")),
        Member(3, "Chloé", ("blue", "rose")),
        Member(4, "Bartek", ("grey", "tower")),
        Member(5, "Tom, Dick and Harry", ("gold", "star")),
        Member(6, "Mei", ("white", "moon")),
    ),
    writer=1,
    team=(3, 6),
)


def only(text: str) -> Press | Held | Unsent:
    found = split_press(text, ROLL)
    assert not found.rest
    (piece,) = found.pieces
    return piece


def readers(text: str) -> To:
    piece = only(text)
    assert isinstance(piece, Press), piece
    return piece.to


def doubt(text: str) -> Unsent:
    piece = only(text)
    assert isinstance(piece, Unsent), piece
    return piece


@each_row(
    ("heading", "to"),
    [
        ("press to Ben: hi", To("private", (2,))),
        ("to Ben: hi", To("private", (2,))),
        ("To ben : hi", To("private", (2,))),
        ("PRESS TO BEN, CHLOE: hi", To("private", (2, 3))),
        ("to Ben and Chloé: hi", To("private", (2, 3))),
        ("to green & blue: hi", To("private", (2, 3))),
        ("to the eagle: hi", To("private", (2,))),
        ("to #2 and player 3: hi", To("private", (2, 3))),
        ("to Ch: hi", To("private", (3,))),
        ("an Ben: hallo", To("private", (2,))),
        ("to Tom, Dick and Harry, Ben: hi", To("private", (2, 5))),
        ("press to all: hi", To("public")),
        ("broadcast: hi", To("public")),
        ("BROADCAST\nhi\nENDBROADCAST", To("public")),
        ("press grey to all: hi", To("public", grey=True)),
        ("grey press to Ben: hi", To("private", (2,), grey=True)),
        ("press white to Ben: hi", To("private", (2,))),
        ("broadcast grey: hi", To("public", grey=True)),
        ("press to all but Ben: hi", To("private", (3, 4, 5, 6))),
        ("press to everybody except Ben and Chloé: hi", To("private", (4, 5, 6))),
        ("press to team: hi", To("team", (3, 6))),
        ("press to M\nhi", To("gm", gm=True)),
        ("press to GM: hi", To("gm", gm=True)),
        ("to Ben, GM: hi", To("private", (2,), gm=True)),
        ("press to O: hi", To("private", observers=True)),
        ("press to observers, Ben: hi", To("private", (2,), observers=True)),
        ("/press to Ben: hi", To("private", (2,))),
        ("PRESS TO Ben\n\nhi\n\nENDPRESS", To("private", (2,))),
        ("to Anna and Ben: hi", To("private", (2,))),
        ("to my team: hi", To("team", (3, 6))),
    ],
)
def test_readers_are_known_by_name_colour_symbol_number_or_beginning(heading: str, to: To) -> None:
    assert readers(heading) == to


@each_row(
    ("text", "code", "written", "options"),
    [
        ("to Bn: hi", "unknown", "Bn", ("Ben",)),
        ("to Zorro: hi", "unknown", "Zorro", ()),
        ("press to B: hi", "ambiguous", "B", ("Ben", "Bartek", "Chloé")),
        ("press to Ben, Zorro: hi", "unknown", "Zorro", ()),
        ("press to all but Zorro: hi", "unknown", "Zorro", ()),
        ("press to: hi", "nobody", "", ()),
        ("press: hi", "nobody", "", ()),
        ("press grey: hi", "nobody", "", ()),
        ("press to m: hi", "ambiguous", "m", ("GM", "Mei", "Mei")),
        ("to me: hi", "yourself", "me", ()),
        ("to Anna: hi", "yourself", "Anna", ()),
        ("press fake to Ben: hi", "fake", "press fake to Ben: hi", ()),
        ("press to Ben hello there", "unknown", "Ben hello there", ()),
        ("broadcast that we attack", "form", "broadcast that we attack", ()),
        ("to Ben:\n\n", "empty", "", ()),
        ("fortify P1\nENDPRESS", "end-without-press", "ENDPRESS", ()),
        (
            "press to Ben\nsecret\npress to Chloé\nother\nENDPRESS",
            "where-it-ends",
            "press to Ben",
            (),
        ),
    ],
)
def test_in_doubt_nothing_is_sent_and_nothing_is_read_otherwise(
    text: str, code: str, written: str, options: tuple[str, ...]
) -> None:
    found = doubt(text)
    assert (found.code, found.written) == (code, written)
    assert set(found.options) == set(options)


def test_orders_stand_before_and_what_follows_is_press_and_never_an_order() -> None:
    found = split_press("fortify P1\nwork P2\n\nto Ben: I hold P1.\n\nmarch 2 to P3\nstatus", ROLL)
    assert found == Split(
        (Press(To("private", (2,)), "I hold P1.\n\nmarch 2 to P3\nstatus"),), "fortify P1\nwork P2"
    )


def test_orders_may_follow_the_end_mark() -> None:
    found = split_press("press to Ben\nmarch 2 to P3\nENDPRESS\nfortify P1", ROLL)
    assert found.rest == "fortify P1"
    assert found.pieces == (Press(To("private", (2,)), "march 2 to P3", closed=True),)


def test_several_in_one_message_go_each_to_its_own_readers() -> None:
    found = split_press(
        "to Ben: let us take Chloé.\nto Chloé: beware of Ben!\n\nbroadcast: peace", ROLL
    )
    assert [(piece.to, piece.text) for piece in found.pieces if isinstance(piece, Press)] == [
        (To("private", (2,)), "let us take Chloé."),
        (To("private", (3,)), "beware of Ben!"),
        (To("public"), "peace"),
    ]


def test_a_note_to_the_game_master_stays_one_and_ends_a_press() -> None:
    found = split_press("to GM: I am away\n\nfortify P1", ROLL)
    assert found == Split((), "to GM: I am away\n\nfortify P1")
    found = split_press("to Ben: peace\nGM: I lie to Ben", ROLL)
    assert found == Split((Press(To("private", (2,)), "peace"),), "\nGM: I lie to Ben".strip())


def test_a_misspelt_name_inside_a_press_does_not_let_its_words_slip_to_the_first_reader() -> None:
    found = split_press("to Chloé: peace\nto Bn: Chloé is next", ROLL)
    assert found.pieces == (Press(To("private", (3,)), "peace"), Unsent("unknown", "Bn", ("Ben",)))


def test_a_sentence_that_begins_with_to_is_none() -> None:
    found = split_press(
        "to Ben: hello.\nTo be clear: I come in peace.\nto our friendship: cheers\n> to Chloé: quoted",
        ROLL,
    )
    (piece,) = found.pieces
    assert isinstance(piece, Press)
    assert "To be clear" in piece.text
    assert "cheers" in piece.text
    assert split_press("to P3: 2\nto be safe: fortify P1\nan attack: P3", ROLL).pieces == ()
    assert split_press("press on with it", ROLL).pieces == ()
    assert opens_press("to Mark: hi")
    assert not opens_press("to P3: 2")
    assert not opens_press("to Mark I offer: 2 resources")
    assert opens_press("to Mark I say: hi")


@pytest.mark.parametrize(
    ("text", "is_all", "words"),
    [
        ("reply all\nhi", True, "hi"),
        ("Reply to all: hi", True, "hi"),
        ("reply: hi", False, "hi"),
        ("hi all", False, "hi all"),
        ("reply soon", False, "reply soon"),
    ],
)
def test_an_answer_is_for_the_writer_unless_it_says_for_all(
    text: str, is_all: bool, words: str
) -> None:
    found = split_reply(text)
    assert (found.for_all, found.text) == (is_all, words)
    assert found.explicit is (words != text)


NUMBERS = st.lists(st.sampled_from([2, 3, 4, 5, 6]), min_size=1, unique=True).map(
    lambda found: tuple(sorted(found))
)
READERS = st.one_of(
    st.builds(To, st.just("public"), grey=st.booleans()),
    st.builds(To, st.just("team"), st.just((3, 6)), grey=st.booleans()),
    st.builds(To, st.just("gm"), gm=st.just(True), grey=st.booleans()),
    st.builds(
        To,
        st.just("private"),
        NUMBERS,
        gm=st.booleans(),
        observers=st.booleans(),
        grey=st.booleans(),
    ),
)
LINES = st.lists(
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=30),
    min_size=1,
    max_size=4,
)


@given(READERS, LINES)
def test_what_is_written_out_reads_back_as_the_same_press(to: To, lines: list[str]) -> None:
    press = Press(to, "\n".join(line.rstrip() for line in lines).strip(), closed=True)
    try:
        written = format_press(press, ROLL)
    except ValueError:
        assert not press.text or any(
            ":" in line or "press" in line.casefold() or "broadcast" in line.casefold()
            for line in lines
        )
        return
    assert split_press(f"fortify P1\n{written}\nwork P2", ROLL) == Split(
        (press,), "fortify P1\n\nwork P2"
    )


@given(st.text(max_size=200))
def test_nothing_a_player_writes_raises(text: str) -> None:
    split_press(text, ROLL)
    split_press(f"press to {text}", ROLL)


@each_row(
    ("text", "change"),
    [
        ("all", PressChange(mode="all")),
        ("public only", PressChange(mode="public")),
        ("none", PressChange(mode="none")),
        ("no press", PressChange(mode="none")),
        ("grey", PressChange(grey=True)),
        ("gm reads private press", PressChange(gm_reads=True)),
        ("no grey press", PressChange(grey=False)),
        ("none during dragon", PressChange(closed_in=("dragon",))),
        ("no press while a dragon window is open", PressChange(closed_in=("dragon",))),
        ("none during dragon and bank", PressChange(closed_in=("dragon", "bank"))),
        ("during all phases", PressChange(closed_in=())),
        (
            "private only, grey on, eliminated off, observers off",
            PressChange("private", grey=True, eliminated=False, observers=False),
        ),
        (
            "after the end off, gm reads, groups off",
            PressChange(after_end=False, gm_reads=True, groups=False),
        ),
    ],
)
def test_the_rules_of_a_table_are_said_in_words(text: str, change: PressChange) -> None:
    assert parse_press_rules(text) == change


@pytest.mark.parametrize("text", ["", "purple", "all, purple"])
def test_rules_that_say_nothing_are_refused(text: str) -> None:
    with pytest.raises(Unread):
        parse_press_rules(text)


KINDS = st.lists(st.sampled_from(["dragon", "bank", "orders"]), unique=True).map(tuple)
RULES = st.builds(
    PressRules,
    st.sampled_from(["all", "public", "private", "team", "none"]),
    st.booleans(),
    KINDS,
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@given(RULES)
def test_rules_written_out_read_back_as_the_same(rules: PressRules) -> None:
    assert apply_change(PressRules(), parse_press_rules(format_press_rules(rules))) == rules


def test_f56_nobody_gets_what_is_for_two_others_by_the_name_of_both() -> None:
    roll = Roll(
        (Member(1, "Anna"), Member(2, "Bartek"), Member(3, "Anna and Bartek"), Member(4, "Dora")),
        writer=4,
    )
    assert split_press("To Anna and Bartek: hello", roll).pieces == (
        Unsent("ambiguous", "Anna and Bartek", ("#3",)),
    )
    assert split_press("press to #1, #2: hello", roll).pieces == (
        Press(To("private", (1, 2)), "hello"),
    )
