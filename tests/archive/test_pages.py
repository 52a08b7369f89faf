"""The pages of an archive beside its index: whole markup, links that lead somewhere, everything that
is public and nothing that is not.
"""

import hashlib
import hmac
import posixpath
from dataclasses import replace
from functools import cache
from itertools import groupby

import pytest
from markupsafe import Markup

from engine.chance import Draw
from pbem.archive.model import Archive
from pbem.archive.packing import unpack
from pbem.archive.pages import pages_of, player_pages, press_page, turn_pages, verify_page
from pbem.archive.pictures import picture_path
from pbem.archive.site import FILM, files_of
from pbem.archive.templates import menu_of, with_minus
from tests.archive.markup import Found, read_markup
from tests.archive.played import played, record_of

BESIDE = {"index.html"}
"""What lies in the same folder and is made elsewhere."""
GAMES = (("over", (1, 5, 60)), ("running", (1, 5, 7)))


@cache
def texts(seed: int, players: int, closes: int) -> dict[str, str]:
    made = pages_of(played(seed, players, closes))
    return {path: raw.decode() for path, raw in made.items()}


def markup(game: tuple[int, int, int]) -> dict[str, Found]:
    return {
        path: read_markup(text) for path, text in texts(*game).items() if path.endswith(".html")
    }


@pytest.mark.parametrize(("_name", "game"), GAMES)
def test_every_page_is_whole_markup_with_one_heading_of_the_first_rank(
    _name: str, game: tuple[int, int, int]
) -> None:
    for path, found in markup(game).items():
        assert found.faults == [], path
        assert len(found.all("h1")) == 1, path
        assert len(found.all("title")) >= 1, path


@pytest.mark.parametrize(("_name", "game"), GAMES)
def test_every_link_leads_to_a_page_or_place_that_is_there(
    _name: str, game: tuple[int, int, int]
) -> None:
    archive, found = played(*game), markup(game)
    files = {*texts(*game), *BESIDE, archive.proof.record_name}
    files |= {picture_path(step) for step in archive.steps}
    keys = {step.key for step in archive.steps}
    for path, page in found.items():
        targets = [given["href"] for given in (*page.all("a"), *page.all("link"))]
        targets += [
            given["src"] for given in (*page.all("img"), *page.all("script")) if "src" in given
        ]
        for target in targets:
            file, _, part = target.partition("#")
            there = (
                posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
            )
            assert there in files, (path, target)
            if part and there in found:
                assert part in found[there].ids, (path, target)
            elif part:
                assert part in keys


@pytest.mark.parametrize(("_name", "game"), GAMES)
def test_every_image_has_its_size_and_says_what_it_shows(
    _name: str, game: tuple[int, int, int]
) -> None:
    for path, page in markup(game).items():
        for image in page.all("img"):
            assert int(image["width"]) > 0, path
            assert int(image["height"]) > 0, path
            assert len(image["alt"]) > 40, path


def test_no_page_asks_for_anything_outside_its_folder() -> None:
    for path, text in texts(1, 5, 60).items():
        if path.endswith(".html"):
            assert "http" not in text.replace("http://www.w3.org", ""), path


def test_a_turn_has_all_its_boards_its_news_with_sums_and_the_orders_that_counted() -> None:
    archive = played(1)
    pages = turn_pages(archive)
    for (turn, group), text in zip(
        groupby(archive.steps, key=lambda step: step.turn), pages.values(), strict=True
    ):
        steps = list(group)
        found = read_markup(text)
        assert [image["src"] for image in found.all("img")] == [
            f"../{picture_path(step)}" for step in steps
        ]
        said = " ".join(" ".join(found.text).split())
        for step in steps:
            for one in step.news:
                assert with_minus(one.told) in said, turn
                assert all(with_minus(" ".join(line.split())) in said for line in one.why)
            for orders in step.all_orders.values():
                assert all(order in said for order in orders), turn


def test_while_a_game_runs_its_pages_have_the_public_orders_alone_and_neither_seed_nor_record() -> (
    None
):
    """LEAK: no order of a close that did not reveal it, no seed, no record."""
    archive, whole = played(1, 5, 7), played(1, 5, 60)
    public = {
        order for step in archive.steps for orders in step.orders.values() for order in orders
    }
    secret = {
        order
        for step in whole.steps[:8]
        for orders in step.all_orders.values()
        for order in orders
        if order.startswith("Bid ")
    } - public
    assert secret
    for path, text in texts(1, 5, 7).items():
        assert whole.proof.seed not in text, path
        if path != "rules.html":  # it has examples of its own
            assert not [order for order in secret if order in text], path
    assert "record.js" not in texts(1, 5, 7)
    assert archive.proof.commitment in texts(1, 5, 7)["verify.html"]


def test_a_player_has_orders_fights_won_and_lost_and_a_place_for_letters_only_if_there_are_any() -> (
    None
):
    archive = played(1)
    pages = player_pages(archive, {2: Markup("<p>A letter</p>")})
    assert list(pages) == [f"players/{person.slug}.html" for person in archive.people]
    first, second = list(pages.values())[:2]
    assert 'id="letters"' not in first
    assert "<p>A letter</p>" in second
    for person, text in zip(archive.people, pages.values(), strict=True):
        for step in archive.steps:
            for order in step.all_orders.get(person.number, ()):
                assert order in text.replace("&#39;", "'")
        won = text.split("<h2>Won</h2>")[1].split("<h2>Lost</h2>")
        for step in archive.steps:
            for one in step.news:
                if one.mark in ("taken", "entered") and one.players[0] == person.number:
                    assert one.told in won[0]
                if one.mark == "out" and one.players[0] == person.number:
                    assert one.told in won[1].split("<h2>Orders</h2>")[0]


def test_press_is_told_by_turn_and_what_people_wrote_is_no_markup() -> None:
    archive = played(1)
    text = press_page(archive)
    assert "<b>us</b>" not in text
    assert "&lt;b&gt;us&lt;/b&gt;" in text
    assert "Without a name" in text
    assert text.index("Good luck") < text.index("betray")
    assert "Nobody has written" in press_page(replace(archive, press=()))


def test_a_rule_is_searched_for_before_the_chapters_which_are_folded() -> None:
    page = texts(1, 5, 60)["rules.html"]
    assert page.index('type="search"') < page.index("<details><summary>") < page.index("<article")


def test_the_menu_names_the_page_one_is_on() -> None:
    found = markup((1, 5, 60))
    for name, path, _ in menu_of(played(1)):
        if path in found:
            here = [given for given in found[path].all("a") if given.get("aria-current") == "page"]
            assert any(given["href"].endswith(path.rpartition("/")[2]) for given in here), name


# ------------------------------------------------------------------------------------------ verify
def below(seed: bytes, bound: int, place: int, label: str, step: int) -> int:
    """As the page that checks a game describes it."""
    limit, block = 2**64 // bound * bound, 0
    while True:
        message = f"{place}/{label}/{step}.{block}".encode()
        mac = hmac.new(seed, message, hashlib.sha256).digest()
        words = (int.from_bytes(mac[at : at + 8], "big") for at in range(0, 32, 8))
        fitting = next((word for word in words if word < limit), None)
        if fitting is not None:
            return fitting % bound
        block += 1


def drawn(seed: bytes, draw: Draw) -> object:
    if isinstance(draw.of, int):
        return 1 + below(seed, draw.of, draw.place, draw.label, 0)
    if not isinstance(draw.result, tuple):
        return draw.of[below(seed, len(draw.of), draw.place, draw.label, 0)]
    order = list(draw.of)
    for i in range(len(order) - 1, 0, -1):
        j = below(seed, i + 1, draw.place, draw.label, i)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


@pytest.mark.parametrize("seed", [1, 3])
def test_the_draws_of_a_record_come_out_the_same_by_what_the_page_says_of_them(seed: int) -> None:
    record = record_of(played(seed))
    key = bytes.fromhex(record.seed)
    draws = [*record.start.draws, *(draw for phase in record.phases for draw in phase.draws)]
    assert draws
    assert all(drawn(key, draw) == draw.result for draw in draws)
    assert hashlib.sha256(key).hexdigest() == record.commitment


def test_the_page_to_check_a_game_begins_with_commitment_seed_and_what_to_run() -> None:
    archive = played(1)
    said = " ".join(" ".join(read_markup(verify_page(archive)).text).split())
    places = [
        said.index(words)
        for words in (archive.proof.commitment, archive.proof.seed, "pbem verify heron-record.json")
    ]
    assert places == sorted(places)
    script = pages_of(archive)["record.js"].decode()
    assert script.startswith('window.RECORD = "')
    assert unpack(script.encode()) == archive.proof.record


def test_a_list_of_orders_is_told_once_and_what_became_of_one_is_told() -> None:
    orders = (
        "Attack France with 3L from Aquitaine",
        "Attack Saxony with 1L from Denmark",
        "Then: Done",
    )
    archive = played(1)
    step = archive.steps[1]
    told = f'Anna\'s orders for Attack: "{orders[0]}"; "{orders[1]}".'
    void = f'Anna\'s "{orders[1]}" had no effect.'
    changed = replace(step, lines=(told, void), news=(), orders={1: orders}, all_orders={1: orders})
    pages = turn_pages(replace(archive, steps=(archive.steps[0], changed)))
    text = next(text for path, text in pages.items() if path.endswith(f"{changed.turn:02}.html"))
    assert "orders for Attack" not in text
    assert "had no effect" in text


def test_the_index_leads_to_what_lies_apart_if_anything_does() -> None:
    archive = played(1, 5, 7)
    for apart in ("", "stage/index.html"):
        index = files_of(archive, {}, apart=apart)["index.html"].decode()
        assert ("How the post went" in index) == bool(apart)
        assert ('href="stage/index.html"' in index) == bool(apart)
        assert index.count(">The story<") == index.count(">The course of the game<") == 1


def test_the_index_says_what_this_is_and_shows_the_winner_first() -> None:
    running, archive = played(1, 5, 7), won_by(4)
    index = files_of(running, {})["index.html"].decode()
    assert "A board game for five, played by e-mail and Telegram." in index
    over = index_of(archive)
    assert "A board game for five, played by e-mail and Telegram in twelve days." in over
    found = read_markup(over)
    chips = [given["data-player"] for given in found.all("button") if "data-player" in given]
    assert chips == ["4", "1", "2", "3", "5"]
    heading = over.split("<h1>")[1].split("</h1>")[0]
    assert 'href="#arms-4"' in heading
    assert over.count('href="#icon-crown"') == 1


def test_who_plays_together_is_shown_together_the_winners_first() -> None:
    page = index_of(replace(won_by(4), sides=(("Team A", (1, 2)), ("Team B", (3, 4, 5)))))
    assert page.index("<p>Team B</p>") < page.index("<p>Team A</p>")


def won_by(number: int) -> Archive:
    """A game that was over early."""
    running = played(1, 5, 7)
    people = (replace(one, won=one.number == number) for one in running.people)
    return replace(running, status="over", people=tuple(people))


def index_of(archive: Archive) -> str:
    """The index of a game that is over; nobody looks at its film."""
    return files_of(archive, {FILM: b""})["index.html"].decode()


def test_sums_have_a_real_minus() -> None:
    """THIRD A35: not the hyphen of mails; words and dates keep theirs."""
    assert with_minus("2 units - 1 for the snow (-1)") == "2 units − 1 for the snow (−1)"
    assert with_minus("t7-orders on 2026-11-16, a half-won 3-2") == (
        "t7-orders on 2026-11-16, a half-won 3-2"
    )
