"""What may be written about a seat before a game starts: a name, a colour, a time zone, votes, leaving; several a mail, in any order.

Every line is cut at commas into pieces, and each piece is read whole or not at all. What is not read is told with what may have been
meant; nothing is guessed. A mail in which nothing is of this kind is a note to the game master.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from pbem.grammar.commands import WORDS
from pbem.grammar.consent import NO, YES
from pbem.grammar.normalise import fold
from pbem.grammar.zones import ZoneRefused, is_country, parse_zone

MOST_PIECES = 60
MOST_CHARACTERS = 400
CODE_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""What join codes end in: no vowel, and nothing that is mistaken for something else."""
CODE_LENGTH = 6


@dataclass(frozen=True, slots=True)
class Name:
    """To be called so at the table; not yet looked at."""

    name: str


@dataclass(frozen=True, slots=True)
class Colour:
    colour: str


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
    """A table word: `status`, `players`, `help`, `rule` with its number."""

    word: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A piece that cannot be done: a code, what was written, and what may have been meant (texts that could be sent instead)."""

    code: str
    written: str
    options: tuple[str, ...] = ()


Wish = Name | Colour | Zone | Vote | Accept | Decline | Leave | Show
Said = Wish | Trouble


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose at a table: words for colours (symbols too) with the colour, and the questions put to the vote."""

    colours: Mapping[str, str]
    ballot: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class LobbyReading:
    """All of a message, piece by piece; `note` goes to the game master; `cut`: its end was not read."""

    said: tuple[Said, ...] = ()
    note: str | None = None
    cut: bool = False

    @property
    def wishes(self) -> tuple[Wish, ...]:
        return tuple(piece for piece in self.said if not isinstance(piece, Trouble))


_BEFORE = re.compile(
    r"^(?:[-*•·]\s*|(?:please|pls|plz|kindly|hi|hello|hey|ok|okay|and|also|then|well|so|but|dear gm|thanks|great)\b[ ,:!]*)+", re.IGNORECASE
)
_AFTER = re.compile(
    r"(?:[ ,]+(?:please|pls|plz|thanks|thank you|thx|cheers|then|too|now|if possible|if it is free|if free))*[ .!]*$", re.IGNORECASE
)
_FILLER = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|day)|greetings|hallo|moin)\b[^:]{0,40}|(?:many )?(?:thanks|thank you|thx|cheers|regards|"
    r"best(?: wishes| regards)?|kind regards|yours|see you|looking forward)\b.{0,60}|great|super|perfect|nice|"
    r"gladly|of course|with pleasure|if (?:possible|free|it is free)|"
    r"(?:so |i am |i'm )?sorry\b.{0,30}",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!]\s+(?=(?:my|i|i'd|call|colou?r|name|time ?zone|vote|please|thanks|thank)\b)", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|but)\s+(?=(?:my|i|i'd|call me|colou?r|name|the name|the colou?r|time ?zone|vote|in)\b)", re.IGNORECASE)
_JOIN = re.compile(
    rf"\s*(?:{_BEFORE.pattern[1:]})?(?:i(?: would like|'d like| want| wish)? to )?(?:join|sign ?on)(?: (?:the )?(?:table|game))?[ :]+"
    rf"[\"'<(]?(?P<code>[a-z][a-z0-9-]{{0,30}}-[{CODE_LETTERS}]{{{CODE_LENGTH}}})(?![a-z0-9-])[\"'>)]?[ .,;:!]*",
    re.IGNORECASE,
)
_IS = r"(?:\s*[:=]\s*|\s+(?:is|be|to|should be|shall be|will be|as)\s+|\s+)"
_NAME = re.compile(
    rf"(?:(?:(?:my|the|set|change my|player|set my) )*(?:player )?name{_IS}|call me\s+|"
    r"rename(?: me)?(?: to| as)?\s+|(?:i am|i'm) called\s+)(?P<name>.+)",
    re.IGNORECASE,
)
_AS_NAME = re.compile(
    r"as\s+(?!(?:a|the|soon|agreed|you|discussed|always|well|before|usual|said|planned|i|we|it)\b)(?P<name>.{1,60})", re.IGNORECASE
)
_IN_COLOUR = re.compile(r"^(?P<name>.+?)\s+(?:in|with|and)\s+(?:(?:the )?colou?r\s+)?(?P<colour>[^\s]+)$", re.IGNORECASE)
_COLOUR = re.compile(
    rf"(?:(?:(?:my|the|set|change my|set my|favou?rite|player) )*(?:colou?r|farbe){_IS}|(?:in|as)\s+|"
    r"(?:can i|could i|may i|i)\s*(?:'d|'ll)?\s*(?:would|want|will|take|like|choose|pick|prefer|be|have|play|am)"
    r"(?:\s+(?:like|to|be|have|take|play|as|in))*\s+|"
    r"(?:make|give) me\s+)(?:the colou?r\s+)?(?P<colour>.+)",
    re.IGNORECASE,
)
_ZONE = re.compile(
    rf"(?:(?:(?:my|the|set|set my|change my) )*(?:time ?zone|tz|zone){_IS}|(?:i live|i am|i'm|i play|we are) (?:in|at)\s+)(?P<zone>.+)",
    re.IGNORECASE,
)
_VOTE = re.compile(
    r"(?:(?:i|we) )?(?:(?:my )?votes?|would vote|stimme)(?:\s+(?:is|goes to|for))?(?:\s*[:=]\s*|\s+)(?P<vote>.+)", re.IGNORECASE
)
_LEAVE = re.compile(
    r"(?:sorry[ ,]*)?(?:(?:i|we)(?:'d like to| would like to| want to| have to| must| will|'ll| am| 'm)? ?)?"
    r"(?:leave|leaving|quit|resign|withdraw|sign ?off|drop out|step back|unjoin|"
    r"(?:cannot|can't|can not|won't|will not) (?:play|join|take part))"
    r"(?: (?:from )?(?:the |this |my )?(?:table|game|seat|time))?|count me out|take me off(?: the (?:list|table))?",
    re.IGNORECASE,
)
_NOTE = re.compile(r"(?:(?:(?:note )?(?:to|for) )?(?:the )?(?:gm|game ?master)|dear gm)\s*:\s*(?P<note>.*)", re.IGNORECASE)
_LETTER = re.compile(r"(?:press to|to|an)\s+[^:\n]{1,60}:\s*\S.*", re.IGNORECASE)
_RULE = re.compile(r"(?:(?:show |get |explain )?rules?|regel|explain)\s+(?P<rule>(?:[a-z]{2}[- ]?)?\d+(?:\.\d+)?[a-z]?)", re.IGNORECASE)
_BARE_NO = re.compile(rf"(?:{'|'.join(sorted(NO))})(?:[ ,]+(?:thanks|thank you|thx|sorry|danke|merci))?", re.IGNORECASE)
_BARE_YES = re.compile(
    rf"(?:{'|'.join(sorted(YES))})(?:[ ,]+(?:i (?:will|do|am in|play)|i'll play|gladly|of course|count me in|"
    r"thanks|thank you))?|i(?:'m| am) in|"
    r"i (?:accept|play|will play|will come)|i'll play|accept(?:ed)?|count me in",
    re.IGNORECASE,
)
_KEYWORDS = ("name", "colour", "color", "time zone", "timezone", "vote", "leave", "players", "status", "help", "resign")
_QUOTES = " \t\"'“”„‘’«»<>()[]"


def parse_join(text: str) -> tuple[str, str] | None:
    """The join code that a text begins with, and what is written behind it; None when it is about something else."""
    found = _JOIN.match(text)
    return None if found is None else (found["code"].casefold(), text[found.end() :])


def without_consent(text: str) -> str:
    """What is written behind the yes (or no) that an answer begins with."""
    found = re.match(rf"\W*(?:{'|'.join(sorted(YES | NO, key=len, reverse=True))})\b[ ,.;:!-]*(?:please\b[ ,.;:!-]*)?", text, re.IGNORECASE)
    return text if found is None else text[found.end() :]


def read_lobby(text: str, choices: Choices, *, joining: bool = False) -> LobbyReading:
    """Read a message (new text alone). Never raises for what somebody wrote. Who is `joining` may say `as Bea`, `as Bea in green`."""
    said: list[Said] = []
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
            said += _read_line(stripped[: MOST_CHARACTERS * 4], choices, joining=joining)
    note_text = "\n".join(notes).strip() or None
    if (
        note_text is None
        and said
        and all(isinstance(piece, Trouble) and piece.code == "not-understood" and not piece.options for piece in said)
    ):
        return LobbyReading((), text.strip(), cut)
    return LobbyReading(tuple(said), note_text, cut)


def _read_line(line: str, choices: Choices, *, joining: bool) -> Iterator[Said]:
    pieces = list(_pieces(line))
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        index += 1
        bare = _bare(piece)
        if joining and (named := _AS_NAME.fullmatch(bare)) is not None:
            yield from _read_as(named["name"], choices)
            continue
        said = _read_piece(bare, choices)
        if (
            isinstance(said, Trouble)
            and said.code == "not-understood"
            and not said.options
            and _FILLER.fullmatch(piece.strip(_QUOTES + ".!"))
        ):
            continue
        if isinstance(said, Zone | Trouble) and _ZONE.fullmatch(bare) and index < len(pieces) and is_country(pieces[index]):
            index += 1  # `time zone Oslo, Norway`
        yield said


def _pieces(line: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(line):
        for clause in re.split(r"[,;]|(?<=\w)\s+/\s+(?=\w)", sentence):
            for piece in _AND.split(clause):
                if _bare(piece):
                    yield piece


def _bare(piece: str) -> str:
    return _AFTER.sub("", _BEFORE.sub("", piece.strip(_QUOTES))).strip(_QUOTES)


def _read_piece(piece: str, choices: Choices) -> Said:
    if len(piece) > MOST_CHARACTERS:
        return Trouble("not-understood", _short(piece))
    plain = " ".join(fold(piece).split()).strip(" .!?'\"")
    word = WORDS.get(plain)
    if word is not None:
        return Leave() if word in ("leave", "resign") else Show(word)
    if (rule := _RULE.fullmatch(piece)) is not None:
        return Show("rule", rule["rule"].upper())
    if _BARE_YES.fullmatch(piece):
        return Accept()
    if _BARE_NO.fullmatch(piece):
        return Decline()
    if _LEAVE.fullmatch(piece):
        return Leave()
    if plain in choices.colours:
        return Colour(choices.colours[plain])
    return _read_setting(piece, plain, choices) or _unread(piece)


def _read_setting(piece: str, plain: str, choices: Choices) -> Said | None:
    if (vote := _VOTE.fullmatch(piece)) is not None:
        return _read_vote(vote["vote"], choices, piece)
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
            return Trouble("unknown-colour", _short(colour["colour"]), _near_colours(colour["colour"], choices))
    if "/" in piece and " " not in piece and isinstance(bare := parse_zone(piece), str):
        return Zone(bare)
    return _read_bare_vote(plain, choices)


def _read_as(text: str, choices: Choices) -> Iterator[Said]:
    """`as Bea`, `as Bea in green`, `as green`."""
    found = _IN_COLOUR.match(text)
    colour = _colour_of(found["colour"] if found is not None else text, choices)
    if found is None and colour is not None:
        yield Colour(colour)
        return
    yield Name(" ".join((found["name"] if found is not None and colour is not None else text).strip(_QUOTES).split()))
    if colour is not None:
        yield Colour(colour)


def _colour_of(text: str, choices: Choices) -> str | None:
    words = " ".join(fold(text).split()).strip(" .!?'\"")
    return choices.colours.get(re.sub(r"^(?:the|colou?r) | (?:one|colou?r)$", "", words))


def _near_colours(text: str, choices: Choices) -> tuple[str, ...]:
    word = " ".join(fold(text).split()).strip(" .!?'\"")
    near = {colour for known, colour in choices.colours.items() if OSA.distance(word, known, score_cutoff=2) <= (1 if len(word) < 5 else 2)}
    return tuple(f"colour {colour}" for colour in dict.fromkeys(choices.colours.values()) if colour in near)


def _zone_trouble(refused: ZoneRefused) -> Trouble:
    return Trouble(refused.code, _short(refused.written), tuple(f"time zone {zone}" for zone in refused.suggestions))


def _read_vote(body: str, choices: Choices, piece: str) -> Said:
    """`version: grand`, `grand`, `no factions` behind the word vote."""
    if not choices.ballot:
        return Trouble("nothing-to-vote", _short(piece))
    plain = re.sub(r"\s*[:=]\s*|\s+", " ", fold(body)).strip(" .!?'\"")
    told = _told(plain, choices.ballot)
    if told is not None:
        return told
    words = re.sub(r"^(?:the|a|for) | (?:please|version|game|one|board)$", "", plain)
    meant = [question for question, answers in choices.ballot.items() if words in answers]
    if len(meant) == 1:
        return Vote(meant[0], words)
    if meant:
        return Trouble("vote-ambiguous", _short(body), tuple(f"vote {question}: {words}" for question in meant))
    return Trouble(
        "unknown-vote",
        _short(body),
        tuple(f"vote {question}: {answer}" for question, answers in choices.ballot.items() for answer in answers),
    )


def _told(plain: str, ballot: Mapping[str, Sequence[str]]) -> Vote | None:
    """A vote that names its question: `version grand`, `factions by chance`, `no team game`."""
    for question in sorted(ballot, key=len, reverse=True):
        for answer in ballot[question]:
            forms = {f"{question} {answer}", f"{question} is {answer}", f"{answer} {question}", f"{answer} for {question}"}
            forms |= {f"without {question}", f"no {question}"} if answer == "no" else {f"with {question}"} if answer == "yes" else set()
            if plain in forms:
                return Vote(question, answer)
    return None


def _read_bare_vote(plain: str, choices: Choices) -> Said | None:
    """A vote without the word: only where it can mean nothing else."""
    words = re.sub(r"\s*[:=]\s*", " ", plain)
    told = _told(words, choices.ballot)
    if told is not None:
        return told
    meant = [question for question, answers in choices.ballot.items() if words in answers]
    return Vote(meant[0], words) if len(meant) == 1 else None


def _unread(piece: str) -> Trouble:
    """A piece that is none of ours; with the word that was perhaps meant."""
    first, _, rest = piece.partition(" ")
    word = fold(first).strip(" :.!?")
    near = [known for known in _KEYWORDS if len(word) > 3 and OSA.distance(word, known, score_cutoff=1) <= 1]
    return Trouble("not-understood", _short(piece), tuple(f"{known} {rest}".strip() for known in near[:1]))


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
