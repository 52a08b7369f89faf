"""Letters to game masters: every command, refusal and status has its words."""

from collections.abc import Callable
from datetime import timedelta

from pbem.grammar.gm.words import WORDS, example_of, form_of
from pbem.pages.gm import (
    Answer,
    CommandsAnswered,
    ConfirmationAsked,
    MasterInvited,
    NotConfirmed,
    NoteStatus,
    Result,
    SeatStatus,
    TableLine,
    TableStatus,
    Value,
    WordHelp,
    unread_text,
)
from pbem.pages.notice import notice_page
from pbem.pages.page import Page, Reader
from tests.pages.sample import NOW, table
from tests.rows import each_row

GAME = "herons"
GRETA = Reader(None, "Greta", "Europe/Oslo", code="g1-2-abcdefghijklmnopqrstuvwxyz")
SOON = NOW + timedelta(days=2)
SEATS = (
    SeatStatus(
        1,
        "Anna",
        "red",
        "anna@players.example",
        "confirmed",
        "active",
        True,
        False,
        False,
        2,
        ("P2", "P5"),
    ),
    SeatStatus(
        2, "Bartek", "blue", "bartek@players.example", "suspended", "active", True, True, True, 1
    ),
    SeatStatus(
        3,
        "Chloé",
        "green",
        "chloe@players.example",
        "confirmed",
        "eliminated",
        False,
        None,
        None,
        0,
    ),
)
NOTE = NoteStatus(
    12, "Anna", "Could we have a day more? I am on a train without any net until Tuesday."
)
HERON = TableStatus(
    "heron",
    "Heron",
    GAME,
    "running",
    5,
    "orders",
    2,
    SOON,
    None,
    None,
    0,
    SEATS,
    (NOTE,),
    1,
    {"queued": 3, "refused": 1},
    "Europe/Berlin",
)
SWAN = TableStatus(
    "swan",
    "Swan",
    GAME,
    "open",
    0,
    "",
    0,
    None,
    None,
    None,
    0,
    SEATS[:2],
    (),
    0,
    {"queued": 0},
    "Europe/Berlin",
    seats_least=5,
    seats_most=9,
    votes={"version": 1},
    join_code="swan-k7m2qd",
    expires_at=NOW + timedelta(days=12),
    starts="full",
)
RESULTS = (
    Result(
        "heron: extend by 24h",
        "done",
        "extend",
        {"table": "Heron", "phase": 5, "old": NOW + timedelta(days=1), "new": SOON},
    ),
    Result(
        "exend swan by 24h",
        "unread",
        "unknown",
        {"what": "word", "written": "exend", "nearest": ("extend",)},
        form_of("extend", GAME),
    ),
    Result("close now", "asked", "asked"),
    Result(
        "strike Bertek: told",
        "refused",
        "unknown-player",
        {
            "table": "Heron",
            "written": "Bertek",
            "nearest": "Bartek",
            "players": ("Anna", "Bartek", "Chloé"),
        },
        form_of("strike", GAME),
    ),
)
PHASE: dict[str, Value] = {
    "table": "Heron",
    "phase": 5,
    "phase_name": "orders",
    "turn": 2,
    "turn_word": "turn",
    "deadline": SOON,
}
WORD_LIST = tuple(
    WordHelp(word, form_of(word, GAME), entry.dangerous) for word, entry in WORDS.items()
)
LISTED = (
    TableLine("heron", "Heron", "running", 5, "orders", SOON),
    TableLine("swan", "Swan", "open", 0, "", None),
)
MAILS: dict[str, Callable[[], Page]] = {
    "gm_answer": lambda: notice_page(
        CommandsAnswered(Answer(RESULTS, (HERON, SWAN))), table(code=""), GRETA
    ),
    "gm_told": lambda: notice_page(
        CommandsAnswered(Answer((), (), LISTED, (NOTE,), WORD_LIST)), table(code=""), GRETA
    ),
    "gm_confirm": lambda: notice_page(
        ConfirmationAsked(
            (
                Result("close now", "asked", "close", PHASE),
                Result(
                    "roll back to phase 3",
                    "asked",
                    "roll back",
                    {"table": "Heron", "phase": 3, "open_phase": 5, "reshuffle": True},
                ),
            ),
            NOW + timedelta(days=1),
            proven=True,
        ),
        table(code=""),
        GRETA,
        "c7-0-abcdefghijklmnopqrstuvwxyz",
    ),
    "gm_not_confirmed": lambda: notice_page(NotConfirmed("over"), table(code=""), GRETA),
    "gm_invitation": lambda: notice_page(
        MasterInvited((), WORD_LIST, example_of("new game", GAME)),
        table(title="Post Office", game_title="Post Office", code=""),
        GRETA,
    ),
}


def flat(text: str) -> str:
    return " ".join(text.split())


@each_row("word", [word for word in WORDS if word not in ("status", "games", "notes", "help")])
def test_every_command_has_words_for_what_it_did(word: str) -> None:
    facts: dict[str, Value] = {
        "table": "Heron",
        "player": "Ben",
        "colour": "red",
        "options": "grand",
        "players": 5,
        "phase": 5,
        "old": NOW,
        "new": SOON,
        "address": "x@example.org",
        "name": "Frank",
        "note": 12,
        "texts": (),
        "new_phase": 9,
        "reshuffle": True,
        "zone": "Europe/Oslo",
        "code": "heron-k7m2qd",
        "request": 12,
        "phase_name": "orders",
        "turn": 2,
        "turn_word": "turn",
        "deadline": SOON,
        "open_phase": 5,
        "what": "P3 units 5",
        "told": ("P3 has 5 units, not 2.",),
        "reason": "I mistyped",
    }
    said = flat(
        notice_page(
            CommandsAnswered(Answer((Result(example_of(word, GAME), "done", word, facts),))),
            table(),
            GRETA,
        ).text
    )
    assert "Done." not in said
    asked = notice_page(
        ConfirmationAsked(
            (Result(example_of(word, GAME), "asked", word, facts),), SOON, proven=True
        ),
        table(),
        GRETA,
        "c1-0-x",
    )
    assert word == "zone" or "You get an answer." not in asked.text


@each_row(
    "code",
    [
        *("which-table", "no-table", "unknown-table", "unknown-player", "unknown-note"),
        *("not-an-option", "later", "x"),
    ],
)
def test_every_refusal_is_a_sentence(code: str) -> None:
    facts: dict[str, Value] = {
        "tables": ("heron", "swan"),
        "any": False,
        "written": "hreon",
        "nearest": "heron",
        "table": "Heron",
        "players": ("Anna",),
        "note": 3,
        "waiting": ("1", "2"),
        "words": "it cannot be",
        "deadline": SOON,
    }
    text = flat(
        notice_page(
            CommandsAnswered(Answer((Result("line", "refused", code, facts),))), table(), GRETA
        ).text
    )
    assert "NOTHING DONE" in text
    assert "{" not in text


def test_what_a_player_wrote_is_escaped_in_the_screen() -> None:
    status = TableStatus(
        "heron",
        "Heron",
        GAME,
        "running",
        5,
        "orders",
        2,
        SOON,
        SOON,
        None,
        2,
        SEATS,
        (NoteStatus(1, "<b>", "<script>x</script>"),),
        0,
        {},
        "UTC",
        hides_answers=True,
    )
    page = notice_page(CommandsAnswered(Answer((), (status,))), table(), GRETA)
    assert "<script>x" not in page.html
    assert "You play here" in page.text
    assert "The close has waited since" in flat(page.text)
    assert "The close failed 2 times" in flat(page.text)


def test_a_clause_that_says_nothing_is_answered_with_all_that_can_be_said() -> None:
    facts: dict[str, Value] = {
        "what": "press-clause",
        "written": "foo",
        "nearest": ("all", "public only", "grey"),
    }
    said = unread_text(Result("set press foo", "unread", "invalid", facts))
    assert (
        said
        == '"foo" is not a rule about press. Write these, with commas between: all, public only and grey.'
    )
