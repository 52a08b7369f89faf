"""What may be written about a seat before a game starts: a name, a colour, a time zone, votes,
leaving; several a mail, in any order.

Every line is cut at commas into pieces, and each piece is read whole or not at all. What is not
read is told with what may have been meant; nothing is guessed. A mail in which nothing is of this
kind is a note to the game master.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz.distance import OSA

from pbem.grammar.ballots import UnclearVote, read_bare_vote, read_vote
from pbem.grammar.consent import No, Yes, parse_plain_consent, read_consent
from pbem.grammar.house.commands import Command, Resign, Rule, Unclear
from pbem.grammar.house.commands import Leave as LeaveTable
from pbem.grammar.house.lines import parse_line
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.joining import drop_behind, drop_politeness
from pbem.grammar.kit.normalise import fold
from pbem.grammar.names import QUOTES, without_stop
from pbem.grammar.seat_wishes import (
    Accept,
    Colour,
    Colours,
    Decline,
    Faction,
    Leave,
    Mate,
    Name,
    SeatWish,
    Show,
    Team,
    Vote,
    Zone,
    format_lobby,
)
from pbem.grammar.signature import without_block
from pbem.grammar.veterans import alias_of
from pbem.grammar.zones import is_country, parse_zone
from pbem.later import Later

MOST_PIECES = 60
MOST_CHARACTERS = 400
MOST_NAMES = 3
"""The most words of a name where it must be told from other talk."""
_MAKE = Later("pbem.grammar.house.productions:make_command")
_KINDS = ("vote", "side", "mate", "team", "inside", "zone", "name", "agreed", "colour")
"""In this order a piece is tried as each; the grammar has a start for each."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A piece that cannot be done: a code, what was written, and what may have been meant (texts
    that could be sent instead).
    """

    code: str
    written: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _SignOff:
    """`Best wishes`: a name may follow, and nothing is made of it."""


Said = SeatWish | Trouble


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose at a table: words for colours (symbols too) with the colour, and the
    questions put to the vote; factions; and the names at a table, with whom one may play in a team
    where there are any.
    """

    colours: Mapping[str, str]
    ballot: Mapping[str, Sequence[str]]
    factions: Sequence[str] = ()
    people: Sequence[str] = ()
    has_teams: bool = False


@dataclass(frozen=True, slots=True)
class LobbyReading:
    """All of a message, piece by piece; `note` goes to the game master; `cut`: its end was not
    read.
    """

    said: tuple[Said, ...] = ()
    note: str | None = None
    cut: bool = False

    @property
    def wishes(self) -> tuple[SeatWish, ...]:
        return tuple(piece for piece in self.said if not isinstance(piece, Trouble))


_AS_NAME = re.compile(
    r"as\s+(?!(?:a|the|soon|agreed|you|discussed|always|well|before|usual|said|planned|i|we|it)\b)(?P<name>.{1,60}|\S+)",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(?:(?:(?:note )?(?:to|for) )?(?:the )?(?:gm|game ?master)|dear gm)\s*:\s*(?P<note>.*)",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?:press to|to|an)\s+[^:\n]{1,60}:\s*\S.*", re.IGNORECASE)
_BEHIND_NAME = ("in", "with", "and", "the", "colour", "color")
_KEYWORDS = (
    "name",
    "colour",
    "color",
    "time zone",
    "timezone",
    "vote",
    "leave",
    "players",
    "status",
    "help",
    "resign",
    "team",
    "place",
    "faction",
)


def read_lobby(
    text: str, choices: Choices, *, joining: bool = False, signed_as: Sequence[str] = ()
) -> LobbyReading:
    """Read a message (new text alone). Never raises for what somebody wrote. Who is `joining` may
    say `as Bea`, `as Bea in green`. No note is what stands below one of the names `signed_as`.
    """
    said: list[Said | _SignOff] = []
    notes: list[str] = []
    cut = False
    inside = ""
    for line in text.replace("\r", "\n").split("\n"):
        if len(said) >= MOST_PIECES:
            cut = True
            break
        stripped = line.strip().strip("\N{ZERO WIDTH NO-BREAK SPACE}\N{ZERO WIDTH SPACE}")
        if not stripped or stripped.startswith(">"):
            inside = ""
        elif inside:
            notes += [stripped] if inside == "note" else []
        elif (note := _NOTE.fullmatch(stripped)) is not None:
            notes += [note["note"]] if note["note"] else []
            inside = "note"
        elif _LETTER.fullmatch(stripped) is not None:
            said.append(Trouble("no-press", _short(stripped)))
            inside = "letter"
        else:
            said += _read_line(
                (alias_of(stripped) or stripped)[: MOST_CHARACTERS * 4], choices, joining=joining
            )
    note_text = "\n".join(notes).strip() or None
    pieces = [piece for piece in said if not isinstance(piece, _SignOff)]
    unsigned = tuple(_without_signature(said))
    if (
        note_text is None
        and pieces
        and all(_is_unread(piece) for piece in pieces)
        and (unsigned or not joining)
    ):
        return LobbyReading((), without_block(text, signed_as) or None, cut)
    return LobbyReading(unsigned, note_text, cut)


def read_colours(text: str, colours: Mapping[str, str]) -> tuple[str, ...] | None:
    """`I'd like green or blue`, `SET PREFERENCE green blue`: colours in the order they are wished
    for; `*` wishes for none. None when the text says no such thing.
    """
    wished = _MAKE(_bare(" ".join(text.split())).strip(" .!?"), "seat_colours")
    if not isinstance(wished, Colours):
        return None
    known = tuple(colours.get(fold(word), "") for word in wished.colours)
    return tuple(dict.fromkeys(known)) if all(known) else None


def _is_unread(piece: Said | _SignOff) -> bool:
    return isinstance(piece, Trouble) and piece.code == "not-understood" and not piece.options


def _without_signature(said: Sequence[Said | _SignOff]) -> Iterator[Said]:
    """The pieces except a name below the `Best wishes`; a yes is said once."""
    signed = accepted = False
    for piece in said:
        if isinstance(piece, _SignOff):
            signed = True
        elif isinstance(piece, Accept):
            if not accepted:
                yield piece
            accepted = True
        elif not (
            signed
            and isinstance(piece, Trouble)
            and _is_unread(piece)
            and len(piece.written.split()) <= MOST_NAMES
        ):
            yield piece


def _read_line(line: str, choices: Choices, *, joining: bool) -> Iterator[Said | _SignOff]:
    wished = read_colours(line.strip(QUOTES), choices.colours)  # before commas cut it
    pieces = list(_pieces(line)) if wished is None else []
    if wished is not None:
        yield Colours(wished)
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        index += 1
        if parse_plain_consent(piece):
            yield Accept()
            continue
        bare = _bare(piece)
        if joining and (named := _AS_NAME.fullmatch(bare)) is not None:
            yield from _read_as(named["name"], choices)
            continue
        said = _read_piece(bare, choices)
        if isinstance(said, Name | Team | Mate) and not _is_sayable(said, choices):
            said = Trouble("not-understood", _short(bare))
        if _is_unread(said) and _talk().filler.fullmatch(plain := piece.strip(QUOTES + ".!")):
            if _talk().sign_off.fullmatch(plain):
                yield _SignOff()
            continue
        if index < len(pieces) and is_country(pieces[index]) and _is_zone(said):
            index += 1  # `time zone Oslo, Norway`
        yield from _each_mate(said, choices.people) if isinstance(said, Mate) else (said,)


def _is_sayable(said: Name | Team | Mate, choices: Choices) -> bool:
    """Whether its own line says the same again; who is called `please` or `none` cannot say so."""
    return _read_piece(_bare(format_lobby(said)), choices) == said


def _is_zone(said: Said) -> bool:
    return isinstance(said, Zone) or (isinstance(said, Trouble) and said.code.startswith("zone"))


@dataclass(frozen=True, slots=True)
class _Talk:
    """What stands between wishes: before a sentence, before a clause; talk, the end of a letter,
    and what is nobody to play with.
    """

    sentence: re.Pattern[str]
    clause: re.Pattern[str]
    filler: re.Pattern[str]
    sign_off: re.Pattern[str]
    nobody: re.Pattern[str]


@cache
def _talk() -> _Talk:
    either = load_words().either
    greeting, signed, filler = map(either, ("greeting", "sign off", "filler"))
    talk = rf"{greeting}\b[^:]{{0,40}}|{signed}\b.{{0,60}}|(?:so |i am |i'm )?sorry\b.{{0,30}}"
    patterns = (
        rf"[.!]\s+(?={either('clause', 'sentence')}\b)",
        rf"(?<!\s)\s++(?:and|but)\s++(?={either('clause')}\b)",
        rf"{talk}|{filler}",
        rf"{signed}\b.*",
        rf"\b{either('nobody')}\b",
    )
    return _Talk(*(re.compile(pattern, re.IGNORECASE) for pattern in patterns))


def _pieces(line: str) -> Iterator[str]:
    begun = read_consent(line)
    if isinstance(begun, Yes) and begun.rest and begun.is_apart:
        yield line.removesuffix(begun.rest)
        line = begun.rest
    for sentence in _talk().sentence.split(line):
        for clause in re.split(r"[,;]|(?<=\w)\s+/\s+(?=\w)", sentence):
            for piece in _talk().clause.split(clause):
                if (
                    _bare(piece)
                    or parse_plain_consent(piece) is not None
                    or _talk().sign_off.fullmatch(piece.strip(QUOTES + ".!"))
                ):
                    yield piece


def _bare(piece: str) -> str:
    bare = drop_politeness(piece.strip(QUOTES), *load_words().lists["if free"]).rstrip(" !")
    return (without_stop(bare) if bare.endswith(".") else bare).strip(QUOTES)


def _read_piece(piece: str, choices: Choices) -> Said:
    if len(piece) > MOST_CHARACTERS:
        return Trouble("not-understood", _short(piece))
    said, plain = " ".join(piece.split()), " ".join(fold(piece).split()).strip(" .!?'\"")
    command = parse_line(plain)
    if isinstance(command, LeaveTable | Resign):
        return Leave()
    is_word = isinstance(command, Rule) or plain in load_words().lines
    if is_word and isinstance(command, Command):
        return Show(command)
    answer = read_consent(piece)
    if isinstance(answer, No) and not answer.rest:
        return Decline()
    agreed = isinstance(answer, Yes)
    answered = _MAKE(answer.rest if agreed else said, "seat_answer")
    if isinstance(answered, Accept) or (agreed and not answer.rest):
        return Accept()
    if isinstance(answered, Leave) and not agreed:
        return answered
    if plain in choices.colours:
        return Colour(choices.colours[plain])
    if (wished := read_colours(piece, choices.colours)) is not None:
        return Colours(wished)
    if (vote := read_bare_vote(plain, choices.ballot)) is not None:
        return Vote(*vote)
    word = _key(_MAKE(said, "seat_faction") or said)
    for name in choices.factions:
        if word == _key(name):
            return Faction(name)
    for kind in _KINDS:
        told = _at_table(_MAKE(said, f"seat_{kind}"), said, choices)
        is_other = (kind == "inside" and not choices.has_teams) or (
            kind == "agreed" and isinstance(told, Trouble)
        )
        if told is not None and not is_other:
            return told
    if "/" in said and " " not in said and isinstance(bare := parse_zone(said), str):
        return Zone(bare)
    return _unread(piece)


def _at_table(wish: SeatWish | Unclear | None, piece: str, choices: Choices) -> Said | None:
    """What a wish, as it was written, is at this table; None: no wish."""
    match wish:
        case Unclear(written=written, code=code, suggestions=zones):
            return Trouble(code, _short(written), tuple(format_lobby(Zone(zone)) for zone in zones))
        case Vote(answer=body):
            return _read_vote(body, choices, piece)
        case Faction(name=str(name)) if name:
            return find_faction(name, choices.factions)
        case Mate(name=name):
            return wish if _is_name(name, choices) else None
        case Colour(colour=written):
            known = _colour_of(written, choices)
            if known is not None:
                return Colour(known)
            if re.search("colo|farbe", piece, re.IGNORECASE):
                return Trouble("unknown-colour", _short(written), _near_colours(written, choices))
            return None
    return wish


def find_faction(written: str, factions: Sequence[str]) -> Faction | Trouble:
    """The faction of these that is meant, or those that may be; any, where none are told."""
    word = _key(written)
    known = {_key(name): name for name in factions}
    begins = [name for key, name in known.items() if len(word) > 2 and key.startswith(word)]
    if word in known or len(begins) == 1 or not factions:
        return Faction(known.get(word, begins[0] if begins else written))
    near = [name for key, name in known.items() if OSA.distance(word, key, score_cutoff=2) <= 2]
    options = tuple(format_lobby(Faction(name)) for name in near or factions)
    return Trouble("unknown-faction", written[:60], options)


def _is_name(text: str, choices: Choices) -> bool:
    """Whether it may be one to play with; of somebody who is not there only where there are
    teams.
    """
    key = _key(text)
    if key and any(_key(name).startswith(key) for name in choices.people):
        return True
    return choices.has_teams and len(text.split()) <= MOST_NAMES and not _talk().nobody.search(text)


def _each_mate(mate: Mate, people: Sequence[str]) -> Iterator[Mate]:
    """`with Chloé and Anna`: each of them, unless it is the name of one."""
    if any(_key(name).startswith(_key(mate.name)) for name in people):
        yield mate
        return
    parts = re.split(r"(?<!\s)\s++(?:and|&|\+)\s++", mate.name, flags=re.IGNORECASE)
    yield from (Mate(part) for part in dict.fromkeys(parts) if part)


def _key(text: str) -> str:
    """Letters alone: `Kalu'Ak` is `kaluak`, `Lannuvár` is `lannuvar`."""
    return "".join(letter for letter in fold(text) if letter.isalnum())


def _read_as(text: str, choices: Choices) -> Iterator[Said]:
    """`as Bea`, `as Bea in green`, `as green`."""
    colour = _colour_of(text, choices)
    if colour is None:
        before, _, last = text.rpartition(" ")
        name = drop_behind(before, _BEHIND_NAME)
        worn = _colour_of(last, choices) if name and name != before else None
        yield Name(" ".join((name if worn is not None else text).strip(QUOTES).split()))
        colour = worn
    if colour is not None:
        yield Colour(colour)


def _colour_of(text: str, choices: Choices) -> str | None:
    words = " ".join(fold(text).split()).strip(" .!?'\"")
    return choices.colours.get(re.sub(r"^(?:the |colou?r )+| (?:one|colou?r)$", "", words))


def _near_colours(text: str, choices: Choices) -> tuple[str, ...]:
    word = " ".join(fold(text).split()).strip(" .!?'\"")
    near = {
        colour
        for known, colour in choices.colours.items()
        if OSA.distance(word, known, score_cutoff=2) <= (1 if len(word) < 5 else 2)
    }
    return tuple(
        format_lobby(Colour(colour))
        for colour in dict.fromkeys(choices.colours.values())
        if colour in near
    )


def _read_vote(body: str, choices: Choices, piece: str) -> Said:
    """`version: grand`, `grand`, `no factions` behind the word vote."""
    if not choices.ballot:
        return Trouble("nothing-to-vote", _short(piece))
    vote = read_vote(fold(body), choices.ballot)
    if isinstance(vote, UnclearVote):
        return Trouble(
            "vote-ambiguous" if vote.ambiguous else "unknown-vote",
            _short(body),
            tuple(format_lobby(Vote(*option)) for option in vote.options),
        )
    return Vote(*vote)


def _unread(piece: str) -> Trouble:
    """A piece that we do not know; with the word that was perhaps meant."""
    first, _, rest = piece.partition(" ")
    word = fold(first).strip(" :.!?")
    near = [
        known
        for known in _KEYWORDS
        if len(word) > 3 and OSA.distance(word, known, score_cutoff=1) <= 1
    ]
    return Trouble(
        "not-understood", _short(piece), tuple(f"{known} {rest}".strip() for known in near[:1])
    )


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
