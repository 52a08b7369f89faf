"""The words of the game masters: every phrase that means one, how it is written, an example, and
which are asked back.
"""

from collections.abc import Mapping

import msgspec


class Word(msgspec.Struct, frozen=True):
    """A word of the game masters: every phrase that means it (the old judges' included), how it is
    written, and an example; where these two show a game, `form_of` and `example_of` fill it in.

    `wraps`: its line may go on in the next one. `to_the_end`: whatever follows in the mail belongs
    to it. `keeps`: the word itself says what it is about. A `dangerous` one is asked back.
    """

    phrases: tuple[str, ...]
    form: str
    example: str
    dangerous: bool = False
    wraps: bool = False
    to_the_end: bool = False
    keeps: bool = False


ANY_GAME = "{game}"
"""Stands in a form for a game that the house runs: which, the house alone knows."""

WORDS: Mapping[str, Word] = {
    "new game": Word(
        (
            "new game",
            "new table",
            "open game",
            "open table",
            "create game",
            "create table",
            "create",
        ),
        f"new game NAME: {ANY_GAME}, 2 to 4 players, ...",
        f"new game Heron: {ANY_GAME}, 2 to 4 players, starts when full",
        wraps=True,
    ),
    "invite": Word(
        ("invite",),
        "invite NAME ADDRESS, NAME ADDRESS",
        "invite Anna anna@example.org, Ben ben@example.org",
        wraps=True,
    ),
    "option": Word(
        ("option", "options", "set option", "set options"),
        "option NAME=VALUE",
        "option version=grand",
        wraps=True,
    ),
    "press": Word(
        ("set press", "set the press", "press rules"),
        "set press CLAUSE, CLAUSE",
        "set press public only, grey, none during dragon",
        wraps=True,
    ),
    "team": Word(
        ("set team", "set the team", "team"),
        "set team PLAYER: TEAM, place NUMBER",
        "set team Anna: Red, place 2",
    ),
    "faction": Word(
        ("set faction", "set the faction", "faction"),
        "set faction PLAYER: FACTION",
        "set faction Anna: Hodir",
    ),
    "start": Word(
        ("start game", "start", "begin", "force begin", "force start"), "start", "start heron"
    ),
    "status": Word(("status", "summary", "state"), "status", "status heron"),
    "games": Word(("games", "list games", "list tables", "tables", "list"), "games", "games"),
    "notes": Word(("notes", "list notes"), "notes", "notes heron"),
    "extend": Word(
        ("extend", "postpone", "prolong"),
        "extend by 24h, or extend to 2026-11-23 18:00",
        "extend heron by 24h",
    ),
    "clock": Word(
        (
            "set clock",
            "set the clock",
            "set days",
            "set quiet",
            "set quiet hours",
            "set hours",
            "set graces",
            "set grace",
            "set absences",
            "set extensions",
            "set names",
            "set timing",
            "timing",
        ),
        "set clock 18:00, days -MTWTF-, quiet 22-7, orders 48h, graces 2 of 24h",
        "set clock 18:00, days -MTWTF-",
        keeps=True,
    ),
    "grant": Word(("grant", "grant request", "give more time"), "grant, or grant 12", "grant 12"),
    "refuse": Word(("refuse", "refuse request", "deny"), "refuse, or refuse 12", "refuse 12"),
    "shorten": Word(
        ("shorten",),
        "shorten by 12h, or shorten to 2026-11-23 18:00",
        "shorten heron by 12h",
        dangerous=True,
    ),
    "deadline": Word(
        ("set deadline", "set the deadline", "deadline"),
        "set deadline 2026-11-23 18:00",
        "set deadline of heron to 2026-11-23 18:00",
    ),
    "close": Word(
        ("close", "process", "adjudicate"),
        "close phase 5",
        "close phase 5 of heron",
        dangerous=True,
    ),
    "pause": Word(("pause",), "pause: REASON", "pause heron: summer holidays", wraps=True),
    "resume": Word(("resume", "unpause", "continue"), "resume", "resume heron"),
    "announce": Word(
        ("announce", "broadcast", "official"),
        "announce: TEXT",
        "announce: The next turn is a long one.",
        to_the_end=True,
    ),
    "write": Word(
        ("press to", "write to"),
        "press to PLAYER: TEXT",
        "press to Anna, Ben: Please settle it by Friday.",
        to_the_end=True,
    ),
    "answer": Word(
        ("answer note", "answer"),
        "answer 12: TEXT",
        "answer 12: Yes, both of them.",
        to_the_end=True,
    ),
    "dismiss": Word(("dismiss notes", "dismiss note", "dismiss"), "dismiss 12", "dismiss 12, 14"),
    "replace": Word(
        ("replace",),
        "replace PLAYER with NAME ADDRESS",
        "replace Ben with Frank frank@example.org",
        dangerous=True,
    ),
    "eject": Word(
        ("eject",),
        "eject PLAYER: REASON",
        "eject Ben: no word for three turns",
        dangerous=True,
        wraps=True,
    ),
    "substitute": Word(
        ("substitute",),
        "substitute PLAYER by NAME ADDRESS until DAY",
        "substitute Ben by Frank frank@example.org until 10 July",
        dangerous=True,
        wraps=True,
    ),
    "defaults": Word(
        ("default orders for", "default orders of", "defaults for", "defaults of", "defaults"),
        "defaults PLAYER, or defaults PLAYER off",
        "defaults Ben",
    ),
    "remove": Word(
        ("remove",),
        "remove PLAYER: REASON",
        "remove Ben: nobody takes the seat",
        dangerous=True,
        wraps=True,
    ),
    "people": Word(
        (
            "set people",
            "set the people",
            "set observers",
            "observers",
            "no observers",
            "set takeovers",
            "set takeover",
            "no takeovers",
            "set nmr",
            "set nonmr",
            "nmr",
            "nonmr",
            "no nmr",
            "set reliability",
            "set least reliability",
            "set resignations",
            "set resignation",
            "set draws",
        ),
        "set people CLAUSE, CLAUSE",
        "set people nmr 2 then substitute, takeovers by gm",
        keeps=True,
        wraps=True,
    ),
    "unlock": Word(("unlock orders of", "unlock"), "unlock PLAYER", "unlock Ben", dangerous=True),
    "strike": Word(
        ("strike",),
        "strike PLAYER: REASON",
        "strike Ben: showed his orders to Anna",
        dangerous=True,
        wraps=True,
    ),
    "pardon": Word(
        ("pardon", "take back the strike of", "take back the strike against"),
        "pardon PLAYER: REASON",
        "pardon Ben: it was somebody else",
        wraps=True,
    ),
    "correct": Word(
        (
            "correct",
            "set right",
            "set",
            "undo",
            "restore",
            "reinstate",
            "place",
            "card",
            "kill",
            "mode",
            "rule",
        ),
        "correct WHAT because REASON",
        "correct P3 units 5 because I mistyped the order",
        dangerous=True,
        wraps=True,
    ),
    "look": Word(
        ("look at the orders of", "look at", "look", "show orders of", "become"),
        "look at PLAYER's orders",
        "look at Ben's orders",
        dangerous=True,
    ),
    "predict": Word(
        ("predict", "foresee", "what would happen"), "predict", "predict heron", dangerous=True
    ),
    "promote": Word(
        ("promote", "invite game master", "invite gm", "gm invite"),
        "promote NAME ADDRESS",
        "promote Frank frank@example.org to heron",
        dangerous=True,
    ),
    "roll back": Word(
        ("roll back", "rollback", "go back"),
        "roll back to phase 5 (and reshuffle)",
        "roll back heron to phase 5",
        dangerous=True,
    ),
    "end": Word(
        ("end game", "end", "terminate"),
        "end: REASON",
        "end heron: three of us have moved away",
        dangerous=True,
        wraps=True,
    ),
    "zone": Word(
        ("my time zone is", "my time zone", "my zone is", "time zone", "zone"),
        "my time zone is ZONE",
        "my time zone is Europe/Oslo",
    ),
    "help": Word(("help", "commands", "get help"), "help", "help"),
}
"""Every word, in the order a game needs them."""

PHRASES: Mapping[str, str] = {
    phrase: word for word, entry in WORDS.items() for phrase in entry.phrases
}


def form_of(word: str, game: str) -> str:
    """How it is written, at a house that runs the game of this id."""
    return WORDS[word].form.replace(ANY_GAME, game)


def example_of(word: str, game: str) -> str:
    """An example of it, with the game of this id."""
    return WORDS[word].example.replace(ANY_GAME, game)
