"""Yes and no, as people answer a question of ours."""

import pytest

from pbem.grammar.consent import (
    No,
    Unsure,
    Yes,
    parse_consent,
    parse_plain_consent,
    parse_sure_consent,
    read_consent,
)
from tests.rows import each_row

PLAIN = """\
yes
Ja bitte
ok
okay, do it
sure
Yes please, take it
yes, that's what I meant
Yes please, count me in!
Oui, s'il vous plaît.
sí, por favor
sim, obrigado
tak, proszę
ja tack
graag
d'accord
volentieri
Hi, yes please
no problem""".splitlines()


@each_row("text", PLAIN)
def test_a_yes_with_politeness_around_it_is_plain_for_whoever_asks(text: str) -> None:
    assert parse_plain_consent(text) is parse_sure_consent(text) is parse_consent(text) is True


@pytest.mark.parametrize("text", ["no", "No, thanks", "nein danke", "of course not", "non merci"])
def test_so_is_a_no(text: str) -> None:
    assert parse_plain_consent(text) is parse_sure_consent(text) is parse_consent(text) is False


@each_row(
    "text",
    [
        *("yes, but not yet", "yes if Ben does", "ja, aber erst morgen", "oui mais pas maintenant"),
        *("yes\nno, wait", "ok, later perhaps"),
    ],
)
def test_what_turns_a_yes_makes_it_none(text: str) -> None:
    assert parse_consent(text) is parse_sure_consent(text) is parse_plain_consent(text) is None


@each_row(
    "text",
    [
        *("Yes, you are all out of your minds", "yes 2", "Da ich verreist bin, komme ich nicht"),
        *("Tak for din mail", "Si avvisa che il dottore non c'è"),
        "OK computer is my favourite record of all time",
    ],
)
def test_what_cannot_be_undone_wants_a_yes_alone(text: str) -> None:
    assert parse_sure_consent(text) is None


@each_row(
    ("text", "read"),
    [
        ("yes to 2 and 3 please", Yes(numbers=(2, 3))),
        ("yes 2, work P1", Yes("work P1", is_apart=True, numbers=(2,))),
        ("Yes!\nname Bea", Yes("name Bea", is_apart=True, is_below=True)),
        ("No. I cannot", No("I cannot", is_apart=True)),
        ("take it", Unsure("take it")),
        ("hm, what is this?", Unsure("hm, what is this?")),
    ],
)
def test_an_answer_is_read_into_what_it_says_and_what_else(
    text: str, read: Yes | No | Unsure
) -> None:
    assert read_consent(text) == read
