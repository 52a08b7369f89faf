"""All pages: both forms whole, nothing leaks, nothing breaks out of its place."""

import re
from html.parser import HTMLParser

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.protectors.lands import generate_land
from engine.protectors.orders import FACTIONS
from engine.protectors.state import Deck, Options, Peek, Province
from engine.protectors.view_of import view_of
from engine.ruleset import Standing
from pbem.games.protectors.pages.letters import PAGES
from pbem.pages.kit.arms import ARMS
from pbem.pages.kit.columns import WIDTH, columns
from tests.games.protectors.pages.every_page import every_page
from tests.games.protectors.pages.sample import ATTACK, crowd, happened, heron, table, view
from tests.pages.sample import NAMES, reader
from tests.rings import at_length

LEAKS = re.compile(
    r"\{\{|\}\}|\{%|%\}|\bNone\b|Undefined|\[\]|<bound|object at 0x|\bTrue\b|\bFalse\b|dict\("
)
CROWDS = (2, 3, 16)


class Skeleton(HTMLParser):
    """The tags of a page in order, and that they close."""

    VOID = frozenset({"meta", "img", "br"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.alts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "img":
            self.alts.append(dict(attrs).get("alt") or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def skeleton(html: str) -> Skeleton:
    parser = Skeleton()
    parser.feed(html)
    parser.close()
    assert not parser.open
    return parser


def boards_of(tree: Skeleton) -> list[str]:
    """What pictures say that are no arms."""
    return [alt for alt in tree.alts if alt not in {arms.symbol for arms in ARMS.values()}]


def shown(html: str) -> str:
    return re.sub(r"<(style|title).*?</\1>", "", html, flags=re.DOTALL)


@pytest.mark.parametrize("count", [*CROWDS, 7])
def test_every_page_is_whole_in_both_forms(count: int) -> None:
    state = heron() if count == 7 else crowd([f"Player {i}" for i in range(1, count + 1)])
    events = happened() if count == 7 else ()
    for name, page in every_page(state, events=events):
        assert page.subject.startswith("[Heron] ") or re.search(r" \[Heron \d+\]$", page.subject)
        assert not LEAKS.search(page.text), (name, LEAKS.search(page.text))
        assert not LEAKS.search(re.sub(r"None of yours", "", shown(page.html))), name
        assert all(columns(line) <= WIDTH for line in page.text.splitlines()), name
        assert "\n-- \n" in page.text, name
        assert "\n\n\n" not in page.text, name
        assert "cid:board" not in page.text
        tree = skeleton(page.html)
        assert tree.tags.count("h1") == 1, name
        assert all(len(alt) > 40 for alt in boards_of(tree)), name


def test_the_picture_has_an_alt_text_that_names_every_province() -> None:
    page = PAGES.turn(table(), reader(), view(), (), Standing())
    [alt] = boards_of(skeleton(page.html))
    assert all(f"P{number}" in alt for number in range(1, 8))
    assert "P4 burnt, nobody's." in alt
    assert "Dragon 8 of 10" in alt
    assert 'src="cid:board"' in page.html


def test_without_a_picture_the_realm_is_a_table() -> None:
    page = PAGES.turn(table(has_picture=False), reader(), view(), (), Standing())
    assert boards_of(skeleton(page.html)) == []
    assert "The realm" in page.html


def test_long_names_stay_within_the_lines_and_in_their_columns() -> None:
    names = ["W" * 40, "Ж" * 40, "漢" * 40, *NAMES[3:]]
    for name, page in every_page(crowd(names)):
        assert all(columns(line) <= WIDTH for line in page.text.splitlines()), name


def test_links_to_rules_appear_only_where_a_place_for_them_is_configured() -> None:
    plain = PAGES.bulletin(table(), view(None), happened())
    linked = PAGES.bulletin(table(rules_url="https://rules.example/guide"), view(None), happened())
    assert "<a " not in plain.html
    assert 'href="https://rules.example/guide#PR-7.7"' in linked.html
    assert plain.text == linked.text


def test_dates_are_never_figures_alone() -> None:
    for name, page in every_page(heron()):
        assert not re.search(r"\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b", page.text), name
    assert (
        "Monday 23 November, 18:00 your time (in 3 days; 17:00 UTC)"
        in PAGES.turn(table(), reader(), view(), (), Standing()).text
    )
    tokyo = PAGES.turn(table(), reader(zone="Asia/Tokyo"), view(), (), Standing()).text.replace(
        "\n", " "
    )
    assert "Tuesday 24 November, 02:00 your time (in 3 days; Mon 23 Nov, 17:00 UTC)" in tokyo


def test_nobody_is_told_who_has_not_answered_yet() -> None:
    before = PAGES.turn(table(), reader(), view(), (), Standing())
    assert "answered" not in before.text


def test_nothing_public_and_nothing_of_others_depends_on_cards_looked_at_or_the_order_of_decks() -> (
    None
):
    """Public pages are those of the bare view; who looked sees the card, and nobody else."""
    island = (Province(owner=4, units=1), *heron().board[1:])
    options = Options(factions="choice", island=True)
    players = tuple(
        msgspec.structs.replace(seat, faction=FACTIONS[seat.number % 5]) for seat in heron().players
    )
    bare = heron(options=options, players=players, board=island)
    secret = msgspec.structs.replace(
        bare,
        peeks=(Peek(4, "event", "Black Swan"),),
        event=Deck(("Black Swan", "Winter Storms"), ("Flood!",)),
        players=tuple(
            msgspec.structs.replace(seat, realm=seat.realm + 60 * (seat.number == 4))
            for seat in players
        ),
    )
    assert list(every_page(bare)) == list(every_page(secret))
    assert view_of(bare, None) == view_of(secret, None)
    own = PAGES.turn(table(), reader(4, "Chloé"), view_of(secret, 4), (), Standing()).text
    assert "next of the Event deck is Black Swan." in own


def test_the_page_of_a_player_does_not_depend_on_what_only_others_know() -> None:
    other = msgspec.structs.replace(heron().players[3], realm=77)
    players = (*heron().players[:3], other, *heron().players[4:])
    mine, theirs = list(every_page(heron())), list(every_page(heron(players=players)))
    assert mine == theirs


HOSTILE = st.text(
    st.sampled_from("<>&\"'{}%/\\`=ab \u202e\u2066\u200f\x07\x1b漢é"), min_size=1, max_size=24
)
MARKUP = st.sampled_from(
    [
        *("<script>alert(1)</script>", "{{ 7*7 }}", "{% raw %}", "</title><b>", "\u202egnp.exe"),
        *('" onload="x', "&amp;", "<!--", "]]>", "%(x)s", "\r\nBcc: x@y"),
    ]
)


@settings(max_examples=at_length(4, 12))
@given(st.lists(HOSTILE | MARKUP, min_size=3, max_size=3))
def test_names_are_escaped_on_every_page(names: list[str]) -> None:
    """The tags of a page are those of the same page with tame names: nothing of a name becomes
    markup.
    """
    tame = ["Anna", "Bartek", "Emil"]
    hostile = [f"{name}x{i}" for i, name in enumerate(names)]
    pages = zip(
        every_page(crowd(tame), events=()),
        every_page(crowd(hostile), events=(), gm_name=hostile[2]),
        strict=True,
    )
    for (kind, good), (_, bad) in pages:
        assert skeleton(good.html).tags == skeleton(bad.html).tags, kind
        assert not re.search(
            "[\u202a-\u202e\u2066-\u2069\u200e\u200f\x07\x1b]", bad.html + bad.text + bad.subject
        ), kind
        assert "\n" not in bad.subject, kind
        assert "\r" not in bad.subject + bad.text + bad.html, kind
        assert "49" not in bad.subject, kind


def test_who_is_out_may_still_ask_how_things_stand() -> None:
    seen, who = view(3), reader(3, "Emil")
    for page in (
        PAGES.status(table(), who, seen, Standing()),
        PAGES.map_page(table(), who, seen),
        PAGES.help(table(), who, seen),
        PAGES.orders(table(), who, seen, Standing(), []),
    ):
        assert not LEAKS.search(page.text)
    assert "You have nothing to answer now." in PAGES.status(table(), who, seen, Standing()).text


def test_f30_who_has_no_unit_is_not_asked_for_one_by_the_dragon_question() -> None:
    bare = tuple(
        msgspec.structs.replace(held, units=0) if held.owner == 1 else held
        for held in heron().board
    )
    asked = PAGES.turn(
        table(), reader(), view(stage="dragon", attack=ATTACK, board=bare), (), Standing()
    ).text
    assert (
        "You have no unit to send. You can say which of your provinces burn if the Dragon wins."
        in " ".join(asked.split())
    )
    assert (
        "no unit to send"
        not in PAGES.turn(
            table(), reader(), view(stage="dragon", attack=ATTACK), (), Standing()
        ).text
    )


def test_before_the_first_bids_are_counted_there_is_no_ranking() -> None:
    before = PAGES.status(table(), reader(), view(stage="bidding"), Standing()).text
    assert "Grand Protector" not in before
    assert "RANKING" not in before
    assert "THE PLAYERS" in before


def test_a_crowded_table_cuts_names_and_nothing_else() -> None:
    names = ["A very long name of nearly forty letters", *NAMES[1:4]]
    state = crowd(
        names,
        land=generate_land(4, 52),
        board=(Province(), *(Province(owner=1 if i == 1 else None) for i in range(1, 53))),
    )
    text = PAGES.status(table(), reader(), view_of(state, 1), Standing()).text
    assert "P1 P2 P3 P26 P36 P37 P38" in text
    assert "March, Support, Fortify, Work" in text
