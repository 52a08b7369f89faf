"""Questions about the past and about chances: what is asked is answered, and nothing else."""

from importlib.resources import files

from hypothesis import given
from hypothesis import strategies as st

from engine.ruleset import Problem
from engine.sovereigns.orders import Action, Way
from engine.sovereigns.questions import Odds, Question, chances_of
from engine.sovereigns.view import view_of
from pbem.games.sovereigns.reading.questions import parse_question
from pbem.grammar.house.commands import Why
from pbem.grammar.house.parsing import parse_commands
from pbem.grammar.kit.reading import LONGEST
from pbem.grammar.kit.vocabulary import parse_words
from tests.games.sovereigns.engine.playing import table
from tests.rows import each_row

STATE = table(
    {
        "Ann": {"R": 4, "M": 3, "H": 2, "name": "Aldermark", "ex": {"M": 1}},
        "Ben": {"R": 2, "M": 4, "H": 3, "name": "Borland"},
        "Cara": {"name": "Cyrene"},
        "Dan": {"name": "Bor Hills"},
        "Eve": {"name": "Xanth", "alive": False},
    },
    year=3,
)
VIEW = view_of(STATE, 1)
ANN, BEN, CARA, DAN = 1, 2, 3, 4


def attack(points: int | None, target: int = BEN, **more: bool) -> Action:
    return Action("Attack", "M", points, target=target, **more)  # type: ignore[arg-type]


@each_row(
    ("asked", "meant"),
    [
        ("odds of attacking Borland with 3", Odds(attack(3))),
        ("what are my odds of attacking Ben with three military?", Odds(attack(3))),
        ("odds if I attack Borland using 3 soldiers", Odds(attack(3))),
        ("odds against Borland if I attack with 3", Odds(attack(3))),
        ("odds of an attack on seat 2 with 3", Odds(attack(3))),
        ("odds that we march on Cyrene with everything", Odds(attack(2, CARA))),
        ("chance of attacking Borland", Odds(attack(None))),
        ("odds of attacking Cyr with 3 and the boon", Odds(attack(3, CARA, boon=True))),
        ("odds of attacking Cyrene with 3, using the works", Odds(attack(3, CARA, works=True))),
        ("odds of Borland attacking me with 3", Odds(attack(3, ANN), BEN)),
        ("my odds if Borland attacks me with 3", Odds(attack(3, ANN), BEN)),
        ("odds that Borland's attack on Cyrene with 4 succeeds", Odds(attack(4, CARA), BEN)),
        ("odds that Borland attacks Cyrene with everything", Odds(attack(4, CARA), BEN)),
        ("chances of research with 2 + 1 depleted", Odds(Action("Research", "R", 2, depleted=1))),
        ("chances of research with 2 and deplete 1", Odds(Action("Research", "R", 2, depleted=1))),
        ("odds of research with 1 depleted", Odds(Action("Research", "R", 0, depleted=1))),
        ("odds of studying with 2 resources", Odds(Action("Research", "R", 2))),
        (
            "odds of raising our army by one, spending 4",
            Odds(Action("Increase", "R", 4, raises="M")),
        ),
        ("odds to increase harmony with 3", Odds(Action("Increase", "R", 3, raises="H"))),
        (
            "odds of a military increase with 3 resources",
            Odds(Action("Increase", "R", 3, raises="M")),
        ),
        ("odds of an expedition with 2", Odds(Action("Expedition", "M", 2))),
        ("odds of spying on Ben with 1", Odds(Action("Espionage", "M", 1, target=BEN))),
        ("odds of robbing Cyrene with 2 men", Odds(Action("Theft", "M", 2, target=CARA))),
        ("odds of a security detail with 2", Odds(Action("Security", "M", 2))),
        ("odds of founding a faith with 2", Odds(Action("Found", "H", 2))),
        ("odds of preaching in Borland with 2", Odds(Action("Spread", "H", 2, target=BEN))),
        ("odds of fomenting revolt in Borland with 2", Odds(Action("Foment", "H", 2, target=BEN))),
        ("odds of contacting the supernatural with 2", Odds(Action("Contact", "H", 2))),
        ("odds of something else with 2 military", Odds(Action("Try", "M", 2))),
        (
            "odds of a free-form action against Borland with 2 harmony",
            Odds(Action("Try", "H", 2, target=BEN)),
        ),
        ("odds of research if we spend 1 die", Odds(Action("Research", "R", 1))),
        ("odds of indifference or better if I use 3", Odds(Way(points=3))),
        ("how likely is harmony 3", Odds(Way(points=3))),
        ("odds of full support with 3", Odds(Way(points=3))),
        ("odds of harmony with all", Odds(Way(points=2))),
        ("chance of a coup", Odds(Way())),
        ("odds of the year start with 1 harmony", Odds(Way(points=1))),
        ("odds of Borland's support with 3", Odds(Way(points=3), BEN)),
    ],
)
def test_chances_that_are_asked_for(asked: str, meant: Odds) -> None:
    assert parse_question(VIEW, ANN, asked) == meant


@each_row(
    ("asked", "meant"),
    [
        ("action 14", Question("action", number=14)),
        ("action #14", Question("action", number=14)),
        ("14", Question("action", number=14)),
        ("did action 3 fail", Question("action", number=3)),
        ("attack", Question("action", action="Attack")),
        ("did my attack on Borland fail", Question("action", (BEN, ANN), action="Attack")),
        ("did Borland's research fail", Question("action", (BEN,), action="Research")),
        ("did I lose a military point", Question("lost", (ANN,), attribute="M")),
        (
            "did I lose 2 resources in Spring",
            Question("lost", (ANN,), attribute="R", season="Spring"),
        ),
        ("did Ben take my resource", Question("lost", (BEN, ANN), attribute="R")),
        ("did Cara gain harmony", Question("gained", (CARA,), attribute="H")),
        ("is my support so low", Question("support", (ANN,))),
        ("the rebellion in year 2", Question("support", year=2)),
        ("is my harmony so low", Question("lost", (ANN,), attribute="H")),
        ("is Borland's harmony so high", Question("gained", (BEN,), attribute="H")),
        ("last season", Question("all")),
        ("year 2", Question("all", year=2)),
        ("last year", Question("all", year=2)),
        ("Winter of year 1", Question("all", year=1, season="Winter")),
        ("the start of year 2", Question("support", year=2, season="start")),
        ("season 2 of this year", Question("all", year=3, season="Summer")),
        ("did Xanth fall", Question("fall", (5,))),
        ("did Xanth die", Question("fall", (5,))),
        ("did offer 3 expire", Question("trade", number=3)),
        ("was the proposal refused", Question("technology")),
        ("was my hospital destroyed", Question("building", (ANN,))),
        ("the vote failed", Question("vote")),
        ("who won the game", Question("end")),
    ],
)
def test_the_past_that_is_asked_for(asked: str, meant: Question) -> None:
    assert parse_question(VIEW, ANN, asked) == meant


@each_row(
    ("asked", "code"),
    [
        ("", "not-understood"),
        ("bananas", "unknown-word"),
        ("odds of attacking Atlantis with 3", "unknown-word"),
        ("odds of attacking Bor with 3", "which-kingdom"),
        ("odds of attacking with 3", "which-target"),
        ("odds that Borland attacks with 3", "which-target"),
        ("odds that Borland is attacked by me with 3", "not-understood"),
        ("odds of Cyrene revolt if I foment with 2", "which-target"),
        ("odds of attacking Borland and Cyrene with 3", "not-understood"),
        ("odds of not attacking Borland", "not-understood"),
        ("odds of attacking Borland with 3 or research with 2", "several-actions"),
        ("odds of attacking Borland with 3 or 4", "how-many"),
        ("odds of attacking Borland with all 3", "how-many"),
        ("odds of research, deplete", "how-many"),
        ("odds of research with depleted", "how-many-depleted"),
        ("odds of theft from Borland with 2 harmony", "wrong-attribute"),
        ("odds of research on Borland with 2", "not-understood"),
        ("odds of an increase with 3", "which-attribute"),
        ("odds of success", "which-roll"),
        ("odds of 0 harmony", "how-many"),
        ("odds of harmony 2 + deplete 1", "not-understood"),
        ("odds of research in year 2", "not-understood"),
        ("year 4", "no-such-year"),
        ("year 0", "no-such-year"),
        ("not", "not-understood"),
        ("military", "not-understood"),
        ("my harmony", "not-understood"),
        ("season 5", "not-understood"),
        ("123456789", "unknown-word"),
        ("x" * 5000, "unknown-word"),
    ],
)
def test_what_is_unclear_is_asked_about(asked: str, code: str) -> None:
    found = parse_question(VIEW, ANN, asked)
    assert isinstance(found, Problem)
    assert found.code == code


@each_row(
    ("asked", "code"),
    [
        ("odds of attacking Xanth with 2", "bad-target"),
        ("odds of attacking Aldermark with 2", "bad-target"),
        ("odds of Xanth attacking Borland with 2", "bad-target"),
        ("odds of a contact with 2 and the boon", "no-boon"),
        ("odds of research with 2 and the works", "no-building"),
        ("odds of research with 999", "too-many-dice"),
        ("odds of research with 0", "min-one"),
        ("odds of an expedition with 2 and deplete 1", "depletes-resources-alone"),
        ("odds of harmony 99", "too-many-dice"),
    ],
)
def test_what_is_never_rolled_has_no_chances(asked: str, code: str) -> None:
    found = parse_question(VIEW, ANN, asked)
    assert isinstance(found, Odds)
    told = chances_of(VIEW, found)
    assert isinstance(told, Problem)
    assert told.code == code


def test_chances_of_any_points_and_of_each() -> None:
    """Points need not be free; where none are told there is a line for each that is."""
    for asked, points in (
        ("odds of attacking Borland with 9", [9]),
        ("odds of attacking Borland", [1, 2]),
        ("odds of Borland attacking me", [1, 2, 3, 4]),
        ("odds of 5 harmony", [5]),
        ("odds of harmony", [1, 2]),
    ):
        found = parse_question(VIEW, ANN, asked)
        assert isinstance(found, Odds)
        told = chances_of(VIEW, found)
        assert not isinstance(told, Problem)
        assert [odds.points for odds in told] == points
    found = parse_question(VIEW, ANN, "odds of Borland attacking me with 2")
    assert isinstance(found, Odds)
    told = chances_of(VIEW, found)
    assert not isinstance(told, Problem)
    # one's own free points are no secret
    assert [case.free for case in told[0].cases] == [2]  # type: ignore[union-attr]


def test_the_public_may_ask_of_kingdoms_that_it_names() -> None:
    view = view_of(STATE, None)
    found = parse_question(view, None, "odds of Borland attacking Cyrene with 2")
    assert isinstance(found, Odds)
    assert not isinstance(chances_of(view, found), Problem)
    found = parse_question(view, None, "odds of attacking Cyrene with 2")
    assert isinstance(found, Odds)
    assert chances_of(view, found) == Problem("whose-odds", ("SS-13.0",))
    all_of = parse_question(view, None, "odds of attacking Cyrene with everything")
    assert isinstance(all_of, Problem)
    last = table({"Ann": {}, "Ben": {}}, season="Winter", options={"max_years": 1})
    assert chances_of(view_of(last, 1), Odds(Way(points=1))) == Problem(
        "no-next-year", ("SS-11.8",)
    )
    setup = table({"Ann": {}, "Ben": {}}, phase="setup")
    asked = parse_question(view_of(setup, 1), 1, "odds of research with 2")
    assert isinstance(asked, Odds)
    assert chances_of(view_of(setup, 1), asked) == Problem(
        "not-now", ("SS-2.1",), {"phase": "setup"}
    )


@each_row(
    "text",
    [
        *("why action 14?", "Why did I lose a military point?", "why is my support so low"),
        *("why last season", "why attack", "odds of attacking Borland with 3"),
        "chances of research with 2 + 1 depleted",
        "how likely is it that I attack Borland with 3",
        "what are my odds of attacking Ben with 3?",
    ],
)
def test_the_house_opens_questions(text: str) -> None:
    (command,) = parse_commands(text)
    assert isinstance(command, Why)
    assert not isinstance(parse_question(VIEW, ANN, command.question), Problem)


def test_no_phrase_means_two_things() -> None:
    text = files("pbem.games.sovereigns.reading").joinpath("questions.words").read_text("utf-8")
    phrases = [phrase for _, phrases in parse_words(text) for phrase in phrases]
    assert len(phrases) == len(set(phrases))


WORDS = (
    "odds chances of attack Borland Bor Cyrene me I with 3 17 two all deplete depleted military"
    " harmony resources research increase boon works year season last Spring lost gained support"
    " action not and by seat offer ? , 's"
).split()


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(max_size=LONGEST + 9))
def test_nothing_that_is_written_breaks_it(text: str) -> None:
    for view, player in ((VIEW, ANN), (view_of(STATE, None), None)):
        found = parse_question(view, player, text)
        if isinstance(found, Odds):
            chances_of(view, found)
