"""The buttons below a game master's answer in a chat: the next step of each line, to be tapped
instead of written.
"""

from collections.abc import Sequence

import msgspec

from pbem.desk.chat.buttons import Command, Holder, Keyboard, in_lines
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.ports import Services
from pbem.pages.gm import TableStatus

WIDTH = 2
MOST_BUTTONS = 24
ASKING_STEPS = frozenset({"notes"})
"""The steps that change nothing."""


def with_buttons(
    services: Services,
    letter: NewLetter,
    person_id: int,
    tables: Sequence[tuple[int, TableStatus]],
    serial: str,
) -> NewLetter:
    """The same letter with them. A button stands for its words, which are read and carried out like
    any while the phase of its table (given with the game's id) is open; `serial` makes it a new
    one.
    """
    keyboard = Keyboard(services.key, Holder(person_id))
    for game_id, status in tables:
        keyboard.holder = Holder(person_id, game_id, phase_number=status.phase_number)
        name = status.slug if len(tables) > 1 else ""
        steps = [step for step in status.steps if step.is_whole]
        buttons = [
            (
                services.gm_pages.button(step, table=name),
                Command(step.words, serial, step.code in ASKING_STEPS),
            )
            for step in steps
        ]
        for line in in_lines(buttons, WIDTH):
            if len(keyboard.made) < MOST_BUTTONS:
                keyboard.line(*line)
    return (
        msgspec.structs.replace(letter, buttons=keyboard.rows, taps=keyboard.taps)
        if keyboard.made
        else letter
    )
