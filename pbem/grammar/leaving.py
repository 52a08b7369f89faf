"""Who wants to leave, in whatever words: `I want to leave the game`, `please unsubscribe me`,
`count me out`. Nothing is done by such words; they are answered with what leaving means.

A sentence counts that is that and nothing else, but for politeness and a reason behind it: what is
said of a province or an army has other words in it. `is_leaving` knows whole lines that can say
nothing in any game (they name the game, the letters or playing itself); `wants_to_leave` knows
shorter ones too, for messages in which no order was found.
"""

import re
from collections.abc import Iterator

from pbem.grammar.joining import POLITE_BEFORE, drop_behind
from pbem.grammar.kit.normalise import fold

MOST_CHARACTERS = 200
MOST_SENTENCES = 60


def _any(*words: str) -> str:
    return f"(?:{'|'.join(words)})"


_NOT = _any("do not", "don't", "dont", "no longer", "would rather not", "'d rather not", "never")
_GAME = (
    r"(?:(?:the|this|your|our|that|my) )?"
    + _any("games?", "tables?", "match", "seat", "round of games", "club", "whole thing")
    + r"(?: of [\w' ]{1,30})?"
)
_MAILS = (
    r"(?:(?:the|these|those|this|your|all|any|more|such|me|of) ){0,3}"
    r"(?:e-?mail|mail|message|letter|notification|newsletter|post)s?"
    r"(?: from (?:you|here|the game|this game|this table))?"
)
_LIST = r"(?:(?:the|this|your|that|all) )?(?:(?:mailing|e-?mail|players?'?|game) )?(?:list|lists)"
_I = _any("i", "we")
_AM = _any("i am", "i'm", "im", "we are", "we're")
_HOW = _any(
    "how (?:do|can|could|may|would) (?:i|we|one)",
    "how to",
    "(?:is there|what is|what's) (?:a|any|the) way (?:for me )?to",
)
_WANT = _any(
    rf"{_I}(?: would|'d)? (?:really )?(?:want|like|love|prefer|wish|need) to",
    rf"{_I} (?:have|ought|intend|hope|had better) to",
    rf"{_I}(?: will|'ll)? (?:have|need) to",
    rf"{_I} (?:must|will|shall|should|better|may have to)",
    rf"{_I}'(?:ll|d rather|d better)",
    rf"{_I} would rather",
    rf"{_AM} (?:going|afraid i have|forced|sorry to have) to",
    rf"{_I}(?: have|'ve)? decided to",
    rf"{_I}(?: would|'d)? wanna",
    "(?:can|could|may|might) (?:i|we)",
    _HOW,
    "(?:please )?let (?:me|us)",
)
_GO = _any("leave", "quit", "exit", "abandon", "drop out of", "get out of", "withdraw from")
_GO += f"|{_any('step down from', 'pull out of', 'back out of', 'bow out of', 'sign off from')}"
_GO = f"(?:{_GO})"
_GOING = _any("leaving", "quitting", "abandoning", "dropping out of", "withdrawing from")
_OUT = _any("drop out", "opt out", "bow out", "pull out", "back out", "sign off", "step down")
_OUT = f"(?:{_OUT}|unsubscribe|stop playing|be (?:taken off|removed from) {_LIST})"
_ON = _any("go on playing", "continue playing", "keep(?: on)? playing", "continue to play")
_CANNOT = _any("can't", "cannot", "can not", "won't", "will not")
_DONT = _any("do not", "don't", "dont", "never")
_SEND = _any("mailing", "e-?mailing", "writing", "messaging", "spamming")
_END = (
    r"(?: (?:any ?more|any ?longer|now|at once|immediately|right away|altogether|completely|for"
    r" good|today|then|again|after all))*"
)
_WHY = r"(?: ?(?:because|due to|since|for (?:personal|family|health)|as i|as we|sorry)\b.{0,120})?"

_CLEAR = re.compile(
    _any(
        rf"{_WANT} (?:{_GO} {_GAME}|{_OUT}(?: (?:of|from) (?:{_GAME}|{_MAILS}|{_LIST}))?)",
        rf"{_HOW} (?:leave|quit|exit)",
        rf"{_AM} {_GOING} {_GAME}",
        rf"{_AM} (?:done|finished|through|fed up) (?:with|playing) (?:{_GAME}|it all)",
        rf"{_I} {_NOT} (?:want|wish|like|care|intend) to (?:(?:play|take part|{_ON})(?: in)?"
        rf"(?: {_GAME})?|be (?:part of|in) {_GAME}|(?:receive|get) {_MAILS})",
        rf"{_I}(?:'d| would) rather not (?:play|take part|{_ON})",
        rf"{_I} {_CANNOT} (?:be playing|play)(?: {_GAME})? (?:any ?more|any ?longer)",
        rf"{_I} {_CANNOT} {_ON}(?: {_GAME})?",
        rf"{_I} (?:must|have to|will|'ll)(?: have to)? stop playing(?: {_GAME})?",
        rf"(?:i )?unsubscribe(?: me)?(?: from (?:{_GAME}|{_MAILS}|{_LIST}|everything|all))?",
        rf"opt (?:me )?out(?: of (?:{_GAME}|{_MAILS}))?",
        rf"(?:{_WANT} )?cancel my (?:subscription|participation|registration|membership|place|seat)"
        rf"(?: (?:in|at|to|for) {_GAME})?",
        rf"(?:{_WANT} )?stop (?:(?:sending|writing) )?(?:to )?(?:me )?{_MAILS}(?: to me)?",
        rf"stop {_SEND}(?: to)? (?:me|us)",
        rf"no more {_MAILS}(?: to me)?",
        rf"{_DONT} (?:write|mail|e-?mail|message|send)(?: to)? me(?: {_MAILS})?"
        r" (?:any ?more|any ?longer|again)",
        rf"{_DONT} send me {_MAILS}",
        rf"(?:{_WANT} )?(?:take|remove|delete|strike|drop|cut|get) (?:me|us|my name|my address)"
        rf" (?:off|from|out of|off of) (?:{_GAME}|{_LIST})",
        rf"let (?:me|us) out of {_GAME}",
        rf"{_I} (?:want|would like) (?:to be )?out of {_GAME}",
        rf"{_AM} out of {_GAME}",
        rf"{_I} (?:quit|leave|give up) {_GAME}",
    )
    + _END
    + _WHY
)
"""These name the game, its letters or playing."""

_SHORT = re.compile(
    _any(
        "(?:you (?:can|may) )?count me out",
        rf"{_AM} (?:out|quitting|dropping out|resigning|opting out|pulling out|leaving)",
        rf"{_I} (?:quit|resign|give up|drop out|opt out|withdraw|want out)",
        rf"{_WANT} (?:quit|{_OUT}|give up|resign|leave)",
        "let me out",
        "sign me (?:off|out)",
    )
    + _END
    + _WHY
)
"""In a game some of these may be orders: they count where no order was found."""

_SENTENCE = re.compile(r"[.!?;\n\r]+")
_CLAUSE = re.compile(r",|(?<!\s)\s-+\s|\b(?:and|so|but|therefore|hence)\b")
_HELD_BACK = re.compile(
    r"\b(?:if|when|whenever|unless|until|till|once|before|would never|not leave)\b"
)
_AHEAD = re.compile(
    r"(?:(?:sorry|unfortunately|sadly|alas|regrettably|honestly|actually|really|now|just|today|i"
    r" think|i guess|i fear|i am afraid|i'm afraid|i am sorry|i'm sorry|well|ok|hello|hi|that|to be"
    r" honest)[ ,:]+)*+"
)
_AFTER = ("please", "pls", "sorry", "thanks", "thank you", "everybody", "everyone", "all", "thx")


def is_leaving(line: str) -> bool:
    """Whether a line says that its writer wants to leave the game, in words that are of no game."""
    said = [_bare(piece) for piece in _SENTENCE.split(fold(line[: MOST_CHARACTERS + 1]))]
    heard = [piece for piece in said if piece]
    return (
        len(line) <= MOST_CHARACTERS
        and bool(heard)
        and all(_CLEAR.fullmatch(piece) is not None for piece in heard)
    )


def wants_to_leave(text: str) -> bool:
    """Whether a message (new text alone) in which no order was found says that its writer wants to
    leave: one of its sentences, or a clause of one.
    """
    return any(
        pattern.fullmatch(piece) is not None
        for piece in _pieces(text)
        for pattern in (_CLEAR, _SHORT)
    )


def _pieces(text: str) -> Iterator[str]:
    """Its sentences and their clauses, without politeness; none of a sentence with a condition."""
    for sentence in _SENTENCE.split(fold(text))[:MOST_SENTENCES]:
        if len(sentence) > MOST_CHARACTERS:
            continue
        whole = _bare(sentence)
        if _CLEAR.fullmatch(whole) is not None:
            yield whole
        elif _HELD_BACK.search(whole) is None:
            yield from (_bare(clause) for clause in (sentence, *_CLAUSE.split(sentence)))


def _bare(piece: str) -> str:
    plain = POLITE_BEFORE.sub("", " ".join(piece.split()).strip(" \"'*/()"))
    return drop_behind(POLITE_BEFORE.sub("", _AHEAD.sub("", plain, count=1)), _AFTER).strip(
        " ,:'\""
    )
