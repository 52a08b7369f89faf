"""From orders to a letter as a person writes it: a greeting, some talk, the orders in a layout of one's own, a closing."""

import random
from collections.abc import Mapping, Sequence

from engine.protectors import orders as o
from pbem.demo.cast import Layout, Person, small_talk
from pbem.demo.phrasing import Named, phrase_all


def write_letter(
    person: Person,
    orders: Sequence[o.Order],
    names: Mapping[int, Named],
    rng: random.Random,
    *,
    lead: str = "",
    wordings: Sequence[str] = (),
) -> str:
    """The new text of a mail. `wordings` go before the worded orders; `lead` opens instead of small talk."""
    talk = small_talk()
    greeting, closing = rng.choice(talk.greetings), rng.choice(talk.closings)
    chat = lead or (rng.choice(talk.chat) if rng.random() < person.talk else "")
    said = lay_out([*wordings, *phrase_all(orders, names, rng)], person.layout)
    chat_first = bool(lead) or rng.random() < 0.6
    blocks = [
        greeting,
        chat if chat_first else "",
        said,
        "" if chat_first else chat,
        f"{closing}\n{person.name}" if closing else person.name,
    ]
    return "\n\n".join(block for block in blocks if block)


def lay_out(lines: Sequence[str], layout: Layout) -> str:
    """Lines, a list, a numbered list, or one line with semicolons."""
    if layout == "list":
        return "\n".join(f"- {line}" for line in lines)
    if layout == "numbered":
        return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))
    if layout == "flow":
        return "; ".join(line.rstrip(".") for line in lines) + "." if lines else ""
    return "\n".join(lines)
