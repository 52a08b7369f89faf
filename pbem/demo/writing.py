"""From worded orders to what a person writes: a letter with a greeting, some talk and a layout of
one's own, or a chat message.
"""

import random
from collections.abc import Callable, Sequence

from pbem.demo.cast import small_talk
from pbem.play import Layout, Person

Write = Callable[[Person, Sequence[str], random.Random, str], str]
"""How lines become a message, behind a lead that opens instead of small talk."""


def write_letter(person: Person, lines: Sequence[str], rng: random.Random, lead: str = "") -> str:
    """The new text of a mail."""
    talk = small_talk()
    greeting, closing = rng.choice(talk.greetings), rng.choice(talk.closings)
    chat = lead or (rng.choice(talk.chat) if rng.random() < person.talk else "")
    said = lay_out(lines, person.layout)
    chat_first = bool(lead) or rng.random() < 0.6
    blocks = [
        greeting,
        chat if chat_first else "",
        said,
        "" if chat_first else chat,
        f"{closing}\n{person.name}" if closing else person.name,
    ]
    return "\n\n".join(block for block in blocks if block)


def write_chat(person: Person, lines: Sequence[str], rng: random.Random, lead: str = "") -> str:
    """A chat message: no greeting, no name, and seldom a word besides."""
    return "\n".join([*([lead] if lead else []), *lines])


def lay_out(lines: Sequence[str], layout: Layout) -> str:
    """Lines, a list, a numbered list, or one line with semicolons."""
    if layout == "list":
        return "\n".join(f"- {line}" for line in lines)
    if layout == "numbered":
        return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))
    if layout == "flow":
        return "; ".join(line.rstrip(".") for line in lines) + "." if lines else ""
    return "\n".join(lines)
