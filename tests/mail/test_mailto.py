"""Links that begin a mail, read back to the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.mailto import Mailto, format_mailto, parse_mailto

words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=40
)
bodies = st.lists(words, max_size=4).map("\n".join).filter(lambda text: not text.endswith("\n"))


@given(words.map(lambda local: f"{local}@house.example"), words, bodies)
def test_a_link_is_read_back_to_the_mail_that_it_begins(to: str, subject: str, body: str) -> None:
    link = format_mailto(Mailto(to, subject, body))
    assert link.isascii()
    assert " " not in link
    assert parse_mailto(link) == Mailto(to, subject, body)


def test_what_has_a_meaning_in_the_link_is_escaped_and_a_plus_in_the_address_stays() -> None:
    link = format_mailto(
        Mailto("orders+o1-0-abc@house.example", "Re: [A & B] 100 %?", "yes\nplease")
    )
    assert (
        link
        == "mailto:orders+o1-0-abc@house.example?subject=Re%3A%20%5BA%20%26%20B%5D%20100%20%25%3F&body=yes%0D%0Aplease"
    )


def test_another_link_begins_no_mail() -> None:
    with pytest.raises(ValueError, match="no link"):
        parse_mailto("https://house.example")
