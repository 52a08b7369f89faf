"""What may be written about a seat before a game starts: a name, a colour, a time zone, votes,
leaving; several a mail, in any order.

Every line is cut at commas into pieces, and each piece is read whole or not at all. What is not
read is told with what may have been meant; nothing is guessed. A mail in which nothing is of this
kind is a note to the game master.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from pbem.grammar.ballots import UnclearVote, read_bare_vote, read_vote
from pbem.grammar.consent import No, Yes, format_consent, parse_plain_consent, read_consent
from pbem.grammar.house.commands import Command, Resign, Rule
from pbem.grammar.house.commands import Leave as LeaveTable
from pbem.grammar.house.formatting import format_command
from pbem.grammar.house.lines import parse_line
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.joining import POLITE_BEFORE, drop_behind
from pbem.grammar.kit.normalise import fold
from pbem.grammar.names import without_stop
from pbem.grammar.people import format_colours, read_colours
from pbem.grammar.sides import (
    Faction,
    Mate,
    Side,
    UnknownFaction,
    each_mate,
    format_side,
    read_side,
)
from pbem.grammar.veterans import alias_of
from pbem.grammar.zones import ZoneRefused, is_country, parse_zone

MOST_PIECES = 60
MOST_CHARACTERS = 400
MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class Name:
    """To be called so at the table; not yet looked at."""

    name: str


@dataclass(frozen=True, slots=True)
class Colour:
    colour: str


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours in the order they are wished for; none takes the wishes back."""

    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Zone:
    """An IANA name."""

    zone: str


@dataclass(frozen=True, slots=True)
class Vote:
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Accept:
    """Yes to an invitation."""


@dataclass(frozen=True, slots=True)
class Decline:
    """A bare no: to an invitation, if one is open."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The seat is given back."""


@dataclass(frozen=True, slots=True)
class Show:
    """A word of the table: `status`, `players`, `help`, `rule` with its number."""

    command: Command


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


Wish = Name | Colour | Colours | Zone | Side | Vote | Accept | Decline | Leave | Show
Said = Wish | Trouble


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
    def wishes(self) -> tuple[Wish, ...]:
        return tuple(piece for piece in self.said if not isinstance(piece, Trouble))


_AFTER = (
    "please",
    "pls",
    "plz",
    "thanks",
    "thank you",
    "thx",
    "cheers",
    "then",
    "too",
    "now",
    "if possible",
    "if it is free",
    "if free",
)
_FILLER = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|day)|greetings|hallo|moin)\b[^:]{0,40}|(?:many"
    r" )?(?:thanks|thank you|thx|cheers|regards|"
    r"best(?: wishes| regards)?|kind regards|yours|see you|looking"
    r" forward)\b.{0,60}|great|super|perfect|nice|"
    r"gladly|of course|with pleasure|if (?:possible|free|it is free)|"
    r"(?:so |i am |i'm )?sorry\b.{0,30}",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"[.!]\s+(?=(?:my|i|i'd|call|count|colou?r|name|time"
    r" ?zone|vote|team|place|faction|with|please|thanks|thank|best|kind|"
    r"cheers|regards|yes|sure|looking)\b)",
    re.IGNORECASE,
)
_AND = re.compile(
    r"(?<!\s)\s++(?:and|but)\s++(?=(?:my|i|i'd|call me|colou?r|name|the name|the colou?r|time"
    r" ?zone|vote|team|place|faction|with|in)\b)",
    re.IGNORECASE,
)
_SIGN_OFF = re.compile(
    r"(?:many )?(?:thanks|thank you|thx|cheers|regards|best(?: wishes| regards)?|kind"
    r" regards|yours|see you|looking forward)\b.*",
    re.IGNORECASE,
)
_IS = r"(?:\s*+[:=]\s*+|\s++(?:(?:is|be|to|should be|shall be|will be|as)\s++)?)"
_NAME = re.compile(
    rf"(?:(?:(?:my|the|set|change(?= my)|player) )*+name{_IS}|call me\s++|"
    r"rename(?: me)?(?: to| as)?\s++|(?:i am|i'm) called\s++)(?P<name>.+)",
    re.IGNORECASE,
)
_AS_NAME = re.compile(
    r"as\s+(?!(?:a|the|soon|agreed|you|discussed|always|well|before|usual|said|planned|i|we|it)\b)(?P<name>.{1,60})",
    re.IGNORECASE,
)
_IN_COLOUR = re.compile(
    r"^(?P<name>.*?\S)\s++(?:in|with|and)\s++(?:(?:the )?colou?r\s++)?(?P<colour>[^\s]+)$",
    re.IGNORECASE,
)
_COLOUR = re.compile(
    r"(?:(?:(?:my|the|set|change(?= my)|favou?rite|player)"
    rf" )*+(?:colou?r|farbe){_IS}|(?:in|as)\s++|"
    r"(?:can i|could i|may"
    r" i|i)\s*+(?:(?:'d|'ll)\s*+)?(?:would|want|will|take|like|choose|pick|prefer|be|have|play|am)"
    r"(?:\s++(?:like|to|be|have|take|play|as|in)){0,6}\s++|"
    r"(?:make|give) me\s++)(?:the colou?r\s++)?(?P<colour>.+)",
    re.IGNORECASE,
)
_IS_FINE = (
    r"(?:'s| (?:is|would be|will be|sounds|looks|seems|works|suits|goes|does|would do|will do))"
    r"(?: (?:just|quite|perfectly|totally|really|absolutely|very))?"
    r"(?: (?:fine|good|great|ok|okay|perfect|nice|lovely|wonderful|excellent|all"
    r" right|alright|well|cool))?(?: (?:with|by|for) (?:me|us)| me| us)?"
)
_HAPPY = (
    r"(?:(?:i(?: am|'m| would be|'d be)|we are) )?(?:(?:quite|perfectly|very|also) )?"
    r"(?:fine|happy|ok|okay|good|content|pleased) (?:with|to (?:be|have|take|play|get)|as|in)"
)
_NO_MATTER = (
    r"i (?:do not|don't|would not|wouldn't) mind(?: (?:being|having|taking|playing|playing as))?"
)
_COLOUR_FINE = re.compile(
    rf"(?:the colou?r )?(?P<colour>\w{{1,20}})(?: one)?{_IS_FINE}"
    rf"|(?:{_HAPPY}|{_NO_MATTER})(?: the colou?r)? (?P<other>\w{{1,20}})",
    re.IGNORECASE,
)
"""`yellow is fine with me`: they take the colour that they were offered, or are to be given."""
_ZONE = re.compile(
    rf"(?:(?:(?:my|the|set|change(?= my)) )*+(?:time ?zone|tz|zone){_IS}|(?:i live|i am|i'm|i"
    r" play|we are) (?:in|at)\s++)(?P<zone>.+)",
    re.IGNORECASE,
)
_VOTE = re.compile(
    r"(?:(?:i|we) )?(?:(?:my )?votes?|would vote|stimme)(?:\s++(?:is|goes"
    r" to|for))?(?:\s*+[:=]\s*+|\s++)(?P<vote>.+)",
    re.IGNORECASE,
)
_LEAVE = re.compile(
    r"(?:sorry[ ,]*)?(?:(?:i|we)(?:'d like to| would like to| want to| have to| must| will|'ll| am|"
    r" 'm)? ?)?"
    r"(?:leave|leaving|quit|resign|withdraw|sign ?off|drop out|step back|unjoin|"
    r"(?:cannot|can't|can not|won't|will not) (?:play|join|take part))"
    r"(?: (?:from )?(?:the |this |my )?(?:table|game|seat|time))?|count me out|take me off(?: the"
    r" (?:list|table))?",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(?:(?:(?:note )?(?:to|for) )?(?:the )?(?:gm|game ?master)|dear gm)\s*:\s*(?P<note>.*)",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?:press to|to|an)\s+[^:\n]{1,60}:\s*\S.*", re.IGNORECASE)
_EAGER = re.compile(
    r"i(?:'m| am) in|i (?:accept|play|will play|will come)|i'll play|accept(?:ed)?|count me in|(?:i"
    r" )?(?:am |'m )?happy to(?: play| join)?|"
    r"(?:i(?: would|'d) )?(?:love|like|be (?:happy|glad)) to(?: play| join(?: in)?| come| take"
    r" part)?",
    re.IGNORECASE,
)
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
_QUOTES = " \t\"'“”„‘’«»<>()[]"


def read_lobby(text: str, choices: Choices, *, joining: bool = False) -> LobbyReading:
    """Read a message (new text alone). Never raises for what somebody wrote. Who is `joining` may
    say `as Bea`, `as Bea in green`.
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
        return LobbyReading((), text.strip(), cut)
    return LobbyReading(unsigned, note_text, cut)


def format_lobby(wish: Wish) -> str:
    """The one spelling of a wish."""
    match wish:
        case Name(name=said):
            return f"name: {said}"  # whatever it begins with
        case Colour(colour=said):
            return f"colour {said}"
        case Colours(colours=colours):
            return format_colours(colours)
        case Zone(zone=said):
            return f"time zone {said}"
        case Vote(question=question, answer=answer):
            return f"vote {question}: {answer}"
        case Show(command=command):
            return format_command(command)
        case Accept():
            return format_consent(Yes())
        case Decline():
            return format_consent(No())
        case Leave():
            return "leave"
    return format_side(wish)


def _is_unread(piece: Said | _SignOff) -> bool:
    return isinstance(piece, Trouble) and piece.code == "not-understood" and not piece.options


def _without_signature(said: Sequence[Said | _SignOff]) -> Iterator[Said]:
    """The pieces but for a name below the `Best wishes`; a yes is said once."""
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
    wished = read_colours(line.strip(_QUOTES), choices.colours)  # before commas cut it
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
        if (
            isinstance(said, Trouble)
            and said.code == "not-understood"
            and not said.options
            and _FILLER.fullmatch(plain := piece.strip(_QUOTES + ".!"))
        ):
            if _SIGN_OFF.fullmatch(plain):
                yield _SignOff()
            continue
        if (
            isinstance(said, Zone | Trouble)
            and _ZONE.fullmatch(bare)
            and index < len(pieces)
            and is_country(pieces[index])
        ):
            index += 1  # `time zone Oslo, Norway`
        yield from each_mate(said, choices.people) if isinstance(said, Mate) else (said,)


def _pieces(line: str) -> Iterator[str]:
    begun = read_consent(line)
    if isinstance(begun, Yes) and begun.rest and begun.is_apart:
        yield line.removesuffix(begun.rest)
        line = begun.rest
    for sentence in _SENTENCE.split(line):
        for clause in re.split(r"[,;]|(?<=\w)\s+/\s+(?=\w)", sentence):
            for piece in _AND.split(clause):
                if (
                    _bare(piece)
                    or parse_plain_consent(piece) is not None
                    or _SIGN_OFF.fullmatch(piece.strip(_QUOTES + ".!"))
                ):
                    yield piece


def _bare(piece: str) -> str:
    bare = drop_behind(POLITE_BEFORE.sub("", piece.strip(_QUOTES)), _AFTER).rstrip(" !")
    return (without_stop(bare) if bare.endswith(".") else bare).strip(_QUOTES)


def _read_piece(piece: str, choices: Choices) -> Said:
    if len(piece) > MOST_CHARACTERS:
        return Trouble("not-understood", _short(piece))
    plain = " ".join(fold(piece).split()).strip(" .!?'\"")
    command = parse_line(plain)
    if isinstance(command, LeaveTable | Resign):
        return Leave()
    is_word = isinstance(command, Rule) or plain in load_words().lines
    if is_word and isinstance(command, Command):
        return Show(command)
    answer = read_consent(piece)
    if _EAGER.fullmatch(piece) or (
        isinstance(answer, Yes) and (not answer.rest or _EAGER.fullmatch(answer.rest))
    ):
        return Accept()
    if isinstance(answer, No) and not answer.rest:
        return Decline()
    if _LEAVE.fullmatch(piece):
        return Leave()
    if plain in choices.colours:
        return Colour(choices.colours[plain])
    if (wished := read_colours(piece, choices.colours)) is not None:
        return Colours(wished)
    return _read_setting(piece, plain, choices) or _unread(piece)


def _read_setting(piece: str, plain: str, choices: Choices) -> Said | None:
    if (vote := _VOTE.fullmatch(piece)) is not None:
        return _read_vote(vote["vote"], choices, piece)
    if (bare_vote := read_bare_vote(plain, choices.ballot)) is not None:
        return Vote(*bare_vote)
    side = read_side(
        piece, factions=choices.factions, people=choices.people, has_teams=choices.has_teams
    )
    if isinstance(side, UnknownFaction):
        return Trouble(
            "unknown-faction", side.written, tuple(format_side(Faction(name)) for name in side.near)
        )
    if side is not None:
        return side
    if (zone := _ZONE.fullmatch(piece)) is not None:
        named = parse_zone(zone["zone"])
        about = "zone" in plain or "tz" in plain.split()
        if isinstance(named, str):
            return Zone(named)
        return _zone_trouble(named) if about or named.suggestions else None
    if (name := _NAME.fullmatch(piece)) is not None:
        return Name(" ".join(name["name"].strip(_QUOTES).split()))
    if (colour := _COLOUR.fullmatch(piece)) is not None:
        known = _colour_of(colour["colour"], choices)
        if known is not None:
            return Colour(known)
        if "colo" in plain or "farbe" in plain:
            return Trouble(
                "unknown-colour", _short(colour["colour"]), _near_colours(colour["colour"], choices)
            )
    if (fine := _COLOUR_FINE.fullmatch(fold(piece))) is not None:
        known = _colour_of(fine["colour"] or fine["other"], choices)
        if known is not None:
            return Colour(known)
    if "/" in piece and " " not in piece and isinstance(bare := parse_zone(piece), str):
        return Zone(bare)
    return None


def _read_as(text: str, choices: Choices) -> Iterator[Said]:
    """`as Bea`, `as Bea in green`, `as green`."""
    found = _IN_COLOUR.match(text)
    colour = _colour_of(found["colour"] if found is not None else text, choices)
    if found is None and colour is not None:
        yield Colour(colour)
        return
    yield Name(
        " ".join(
            (found["name"] if found is not None and colour is not None else text)
            .strip(_QUOTES)
            .split()
        )
    )
    if colour is not None:
        yield Colour(colour)


def _colour_of(text: str, choices: Choices) -> str | None:
    words = " ".join(fold(text).split()).strip(" .!?'\"")
    return choices.colours.get(re.sub(r"^(?:the|colou?r) | (?:one|colou?r)$", "", words))


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


def _zone_trouble(refused: ZoneRefused) -> Trouble:
    return Trouble(
        refused.code,
        _short(refused.written),
        tuple(format_lobby(Zone(zone)) for zone in refused.suggestions),
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
    """A piece that is none of ours; with the word that was perhaps meant."""
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
