"""The one spelling of each word of the house; `parse_commands` reads it back to the same."""

from pbem.grammar.gm.commands import Span, WallTime
from pbem.grammar.house import commands as c
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.kit.normalise import fold
from pbem.grammar.languages import language_name, parse_language
from pbem.grammar.people import Wish, format_wish
from pbem.grammar.settings import Unclear as UnclearSetting
from pbem.grammar.settings import format_setting
from pbem.grammar.times import USUAL, Absence, format_absence, format_more_time, format_vote
from pbem.grammar.veterans import spell_old


def format_command(command: c.AnyCommand) -> str:
    """The line (of several settings: lines; of a letter: all of it) that says it."""
    match command:
        case Wish():
            return format_wish(command)
        case c.WhatIf(question=question):
            return f"what if {question}"
        case c.Why(question=question):
            return f"why {question}".strip()
        case c.History(turn=int(turn)):
            return f"history {turn}"
        case c.Rule(id=rule):
            return f"rule {rule}"
        case c.Veterans(old=str(old)) if old:
            return spell_old(old)
        case c.Profile(name=str(name)) if name:
            return f"profile of {name}"
        case c.Settings(choices=choices) if choices:
            return "\n".join(
                choice.written if isinstance(choice, UnclearSetting) else format_setting(choice)
                for choice in choices
            )
        case c.Letter(text=text):
            return text
        case c.Vote(ballot=ballot):
            return f"vote {ballot if isinstance(ballot, str) else format_vote(ballot)}"
        case c.Mute(whom=whom) | c.Unmute(whom=whom):
            return f"{c.word_of(command)} {whom}"
    return _with_value(command)


def _with_value(command: c.AnyCommand) -> str:
    """Of a word whose value may be unclear, which is spelled as it was written."""
    match command:
        case c.Zone(zone=value):
            word, said = "my time zone is", value
        case c.Language(code=value):
            word, said = "my language is", _language(value) if isinstance(value, str) else value
        case c.Digest(when=value):
            word, said = "digest is" if isinstance(value, c.Unclear) else "digest", value
        case c.Away(when=value):
            word, said = "away", format_absence(value) if isinstance(value, Absence) else value
        case c.MoreTime(until=value) if value != USUAL:
            word = "more time"
            said = format_more_time(value) if isinstance(value, Span | WallTime) else value
        case _:
            word = c.word_of(command)
            return next((line for line, said in load_words().lines.items() if said == word), word)
    return f"{word} {said.written if isinstance(said, c.Unclear) else said}"


def _language(code: str) -> str:
    """By its name, where that means no other; some codes are names of others (`ga`)."""
    name = fold(language_name(code))
    is_clear = "'" not in name and parse_language(name) == code
    return language_name(code) if is_clear else code.replace("_", "-")
