"""F-82: a web or mail address, a telephone number or a postcode says one thing, and none of its
words or numbers are read as an order.
"""

from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.kit.contacts import contacts_in
from pbem.grammar.kit.normalise import normalise
from tests.rows import each_row

CONTACTS = (
    *("www.example.org", "https://www.linkedin.com/in/karl-weber-4711/"),
    *("<https://go.microsoft.com/fwlink/?LinkId=550986>", "karl.weber@example.com"),
    *("Work: +49 30 1234567", "Home 0171/2345678", "Office (030) 99 88 77 - 12", "Fax 0351-4412-7"),
    *("cell. 347 1234567", "tel. 020 7946 0958", "+33 6 12 34 56 78", "P1 3AB", "EH1 2NG"),
    *("March & Sons Ltd", "Hold & Reinforce GmbH", "Bid Brothers Inc."),
)
OTHERS = (
    *("away until 01.12.2026", "away 24/12/2026 to 02.01.2027", "attack Flanders with 10 200 3000"),
    *("bid 10000000", "Split 4/4/1", "P1 2, P2 3", "0 0 0 1 2 3 4", "Work: P1", "Work: 1 2 3"),
    *("P1.de", "by 18:00 01.12.", "march 1-2 to P3", "march to Hold & Sons Ltd", "March & Sons"),
    "limited",
)


@each_row("text", CONTACTS)
def test_a_contact_is_no_word_of_a_game(text: str) -> None:
    assert not normalise(text).text.strip()
    beside = normalise(f"fortify P1\n{text}").text
    assert beside.strip() == "fortify p1"


@each_row("text", OTHERS)
def test_dates_and_rows_of_numbers_are_no_contacts(text: str) -> None:
    assert list(contacts_in(text)) == []


def test_signs_between_contacts_go_with_them() -> None:
    written = "Mobile 0171 2345678 / Office (030) 99 88 77"
    assert not normalise(written).text.strip()


@given(st.lists(st.sampled_from(["P1", "march", "2", "to", "3", "0", "12", "work", ":", "/", "-"])))
def test_no_order_of_short_numbers_is_taken_for_a_contact(words: list[str]) -> None:
    assert list(contacts_in(" ".join(words))) == []


@given(st.text(max_size=200))
def test_every_place_stays_where_it_was(text: str) -> None:
    plain = normalise(text)
    assert len(plain.where) == len(plain.text) + 1
    assert list(plain.where) == sorted(plain.where)


@given(st.text("abdgixp 0123456789,!?'\n", max_size=60))
def test_plain_words_need_no_look_for_signs(text: str) -> None:
    """A `#` behind them makes the reader look for all."""
    plain, whole = normalise(text), normalise(f"{text}#")
    assert (f"{plain.text}#", plain.where) == (whole.text, whole.where[:-1])
