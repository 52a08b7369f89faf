"""Whatever is said of a seat, of addresses, or in answer has one spelling, which is read back."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.grammar import seat_wishes as said
from pbem.grammar.addresses import (
    AddAddress,
    AddressWish,
    ForgetAddress,
    ListAddresses,
    format_address_wish,
    parse_address_wish,
)
from pbem.grammar.consent import No, Yes, format_consent, read_consent
from pbem.grammar.house.commands import Help, Players, Rule, Status
from pbem.grammar.house.lines import parse_wish
from pbem.grammar.house.parsing import parse_commands
from pbem.grammar.lobby import Choices, read_lobby
from pbem.grammar.seat_wishes import SeatWish, format_lobby
from tests.grammar.house.test_house import zones
from tests.grammar.test_people import REAL, names
from tests.grammar.test_sides import BALLOT, COLOURS, FACTIONS
from tests.rings import at_length
from tests.rows import each_row

CHOICES = Choices(
    COLOURS, {"version": ("normal", "grand"), **BALLOT}, FACTIONS, ("Anna", *REAL), has_teams=True
)
KINDS: dict[type[SeatWish], st.SearchStrategy[SeatWish]] = {
    said.Name: st.builds(said.Name, names | st.sampled_from([*FACTIONS, "Team Rocket"])),
    said.Colour: st.builds(said.Colour, st.sampled_from(list(COLOURS))),
    said.Colours: st.builds(
        said.Colours, st.lists(st.sampled_from(list(COLOURS)), unique=True).map(tuple)
    ),
    said.Zone: st.builds(said.Zone, st.sampled_from(zones)),
    said.Vote: st.sampled_from(list(CHOICES.ballot)).flatmap(
        lambda question: st.builds(
            said.Vote, st.just(question), st.sampled_from(CHOICES.ballot[question])
        )
    ),
    said.Accept: st.builds(said.Accept),
    said.Decline: st.builds(said.Decline),
    said.Leave: st.builds(said.Leave),
    said.Show: st.builds(
        said.Show, st.sampled_from([Status(), Players(), Help(), Rule("PR-7.8"), Rule("7.8")])
    ),
    said.Team: st.builds(said.Team, st.just("") | names),
    said.Mate: st.builds(said.Mate, names),
    said.Place: st.builds(said.Place, st.integers(0, 999)),
    said.Faction: st.builds(said.Faction, st.sampled_from(["", *FACTIONS])),
}


def test_no_kind_is_without_an_example() -> None:
    assert set(KINDS) == set(SeatWish.__subclasses__())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=at_length(30, 200))
@given(st.data())
def test_every_wish_of_the_lobby_is_read_back(kind: type[SeatWish], data: st.DataObject) -> None:
    wish = data.draw(KINDS[kind])
    assert read_lobby(format_lobby(wish), CHOICES).said == (wish,)


PIECES = (
    *("name", "my", "is", "colour", "in", "with", "and", "team", "faction", "place", "no", "yes"),
    *("vote", "grand", "time zone", "i am in", "i play", "call me", "as", "leave", "please", ","),
    *("Bea", "Anna", "green", "oak", "Oslo", "Hodir", "2", "second", ":", "=", "'", '"', "'s", "."),
    *("by chance", "red or blue", "status", "rule 7.8", "\n", "i'd like to be", "the", "none"),
)
texts = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join) | st.text(max_size=80)


@settings(max_examples=at_length(80, 2000))
@example("in . ' team")
@example("name please ' please")
@example("team ' none")
@given(texts)
def test_whatever_is_read_in_the_lobby_is_read_back(text: str) -> None:
    for wish in read_lobby(text, CHOICES).wishes:
        assert read_lobby(format_lobby(wish), CHOICES).said == (wish,)


addresses = st.from_regex(
    r"[a-z0-9+_-]{1,9}(?:\.[a-z]{1,5})?@[a-z]{1,9}\.[a-z]{2,5}", fullmatch=True
)


@given(
    st.builds(AddAddress, addresses)
    | st.builds(ForgetAddress, addresses)
    | st.builds(ListAddresses)
)
def test_every_wish_about_addresses_is_read_back(wish: AddressWish) -> None:
    assert parse_address_wish(format_address_wish(wish)) == wish


@given(
    st.lists(
        st.sampled_from(
            [
                *("my address is also", "add address", "<", ">", "mailto:", "A@b", "a@b.example"),
                *(".", '"'),
            ]
        ),
        max_size=7,
    ).map(" ".join)
    | st.lists(st.sampled_from('add my address :<>"@.!ab'), max_size=40).map("".join)
)
def test_whatever_is_read_about_addresses_is_read_back(text: str) -> None:
    wish = parse_address_wish(text)
    if wish is not None:
        assert parse_address_wish(format_address_wish(wish)) == wish


ANSWERS = (
    *("yes", "no", "ok", "y", "ja", "nein", "sure", "please", "thanks", "2", "3", "to", "and"),
    *(",", ".", "\n", "-", "Bea", "take it", "but", "name Bea", "not now", "(", "2nd"),
)


@settings(max_examples=at_length(80, 2000))
@given(st.lists(st.sampled_from(ANSWERS), max_size=8).map(" ".join) | st.text(max_size=60))
def test_every_answer_is_read_back(text: str) -> None:
    answer = read_consent(text)
    assert read_consent(format_consent(answer)) == answer


@given(st.lists(st.integers(1, 999), unique=True, max_size=4).map(tuple))
def test_yes_to_some_of_what_was_asked_is_read_back(numbers: tuple[int, ...]) -> None:
    for answer in (Yes(numbers=numbers), No()):
        assert read_consent(format_consent(answer)) == answer


ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "players.md").read_text("utf-8")
TABLE = GUIDE.partition("\n## Before the start")[2].partition("\n## ")[0]
HELP = (ROOT / "templates" / "mail" / "lobby.j2").read_text("utf-8")
HELP = HELP.partition("{% macro may_write")[2].partition("{% endmacro %}")[0]
TOLD = sorted(
    {
        line
        for row in re.findall(r"^\| (`[^|]+) \|", TABLE, re.MULTILINE)
        for line in re.findall(r"`([^`]+)`", row)
    }
    | {line for line in re.findall(r"""\(\(?"([^"]+)",? ?["~]""", HELP) if not line.endswith(" ")}
)
"""What the guide and the letters tell that can be written before the start."""


@each_row("line", TOLD)
def test_every_line_that_is_told_of_the_lobby_is_read(line: str) -> None:
    reading = read_lobby(line, CHOICES)
    assert reading.wishes or reading.note == "..." or parse_commands(line)


def test_every_kind_of_wish_is_told_of() -> None:
    told = {type(wish) for line in TOLD for wish in read_lobby(line, CHOICES).wishes}
    assert set(KINDS) - told == {said.Accept, said.Decline}  # these answer an invitation


@pytest.mark.sample(8)
@pytest.mark.parametrize("sign", [*" \n,.:;'\"<>@-=/&+*a1é😀", "as ", "no ", "my ", "a@", "i'm "])
def test_no_length_of_any_sign_is_too_much(sign: str) -> None:
    text = (sign * 20_000)[:20_000]
    for longer in (text, f"name {text}", f"i'd like to be{text}", f"no {text}"):
        read_lobby(longer, CHOICES, joining=True)
        parse_address_wish(longer)
        parse_wish(longer)
        parse_commands(longer)
        read_consent(longer)
