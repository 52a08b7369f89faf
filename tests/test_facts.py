"""Every number and name in headline, subject, caption, strip, table and story of a step comes from
the same facts, in whole games of every kind.

What the texts claim is read in plain English and compared with the events and states of the game
(`tests/claims.py`), and with one another.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from pbem.archive.model import Archive, Step
from pbem.archive.pages import player_pages
from pbem.archive.reader import keys_of
from pbem.archive.share import share_svg
from pbem.archive.story import paragraphs_of, points_of
from pbem.pages.archive import Figures
from tests.archive.played import archive_of
from tests.claims import (
    NAME,
    Claim,
    Claims,
    Happened,
    claims_of,
    course_claims,
    tables_of,
)
from tests.moments import NAMES, Moment, Whole, whole
from tests.pages.sample import table
from tests.played import GAMES
from tests.rings import at_length
from tests.rows import each_row

GAMES_EACH = at_length(1, 10)
KINDS = tables_of(GAMES)
TABLES = [
    (game, claims_of(game).seed + more)
    for game in KINDS
    for more in range(min(GAMES_EACH, claims_of(game).seeds))
]


@cache
def played(game: str, seed: int) -> tuple[Claims, Whole, Archive]:
    """A whole game, with its last board drawn."""
    claims = claims_of(game)
    name = game.partition("/")[0]
    found = whole(name, seed, claims.players, claims.closes, claims.options, claims.acts)
    assert found.is_over, "a table that comes to an end"
    return claims, found, archive_of(found, seed, drawn=1)


def happened(found: Whole, number: int, story: int = 0) -> Happened:
    closes = found.closes
    moment = found.moments[number]
    before = closes[found.before(number).number].view
    later = [close.view for close in closes[number + 1 :]]
    return Happened(moment, before, closes[number].view, story, found.moments[:number], later)


def wrong(claims: Mapping[str, Claim], text: str, whens: list[Happened]) -> Iterator[str]:
    """What of a text is true at none of these closes."""
    for pattern, is_true in claims.items():
        for found in re.finditer(pattern, text):
            if not any(is_true(at, found) for at in whens):
                yield f"{found[0]!r} in {text!r}"


def plain(text: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", text).replace("\N{NO-BREAK SPACE}", " ").split())


def step_texts(step: Step) -> list[str]:
    """The texts of a step of the archive: headline, sentence, news."""
    told = [text for one in step.news for text in (one.short, one.told)]
    return [step.lead.headline, step.lead.sentence, *told]


def bulletin_texts(found: Whole, number: int) -> list[str]:
    """The subject of the bulletin of a close, and its chat."""
    close = found.closes[number]
    page = found.game.pages.bulletin(table(), close.view, close.events)
    return [page.subject, *map(plain, page.chat.splitlines())]


def numbers_of(found: Whole, step: Step) -> list[int]:
    """The closes that a step tells."""
    keys = keys_of(found.closes)
    return [keys.index(key) for key in (step.key, *step.also)]


@each_row(("game", "seed"), TABLES)
def test_what_a_step_tells_has_happened_in_it(game: str, seed: int) -> None:
    claims, found, archive = played(game, seed)
    faults = []
    for step in archive.steps[1:]:
        closes = [happened(found, number) for number in numbers_of(found, step)]
        faults += [one for text in step_texts(step) for one in wrong(claims.claims, text, closes)]
        said = " ".join(one.told for one in step.news)
        faults += [f"not told: {one}" for at in closes for one in claims.missing(at, said)]
    for number in range(1, len(found.moments)):
        texts, at = bulletin_texts(found, number), happened(found, number)
        faults += [one for text in texts for one in wrong(claims.claims, text, [at])]
    assert faults == []


@each_row("game", KINDS)
def test_every_claim_is_found_somewhere(game: str) -> None:
    """A pattern that nothing matches would prove nothing; what must not be said is left out."""
    texts = [
        text
        for kind, seed in TABLES
        if kind == game
        for _, found, archive in (played(game, seed),)
        for text in (
            *(text for step in archive.steps for text in step_texts(step)),
            *(
                text
                for number in range(len(found.moments))
                for text in bulletin_texts(found, number)
            ),
            *end_texts(found, archive),
        )
    ]
    found_patterns = sum(
        any(re.search(pattern, text) for text in texts) for pattern in claims_of(game).claims
    )
    assert found_patterns >= len(claims_of(game).claims) // 2


TOLD_EACH = at_length(1, 20)
STORIES = [
    (game, claims_of(game).seed + more)
    for game in KINDS
    for more in range(min(TOLD_EACH, claims_of(game).seeds))
]


SENTENCE = re.compile(r"(?<=\.) (?=[A-Z0-9])")


def turn_of(found: Whole, turn: int) -> Happened:
    """All closes of a turn that count, as one."""
    mine = [one for one in found.moments if one.turn == turn and one.number not in found.undone]
    first, last = mine[0], mine[-1]
    events = tuple(event for one in mine for event in one.events)
    moment = Moment(last.number, turn, last.kind, last.state, last.orders, events)
    before = found.closes[found.before(first.number).number].view
    later = [close.view for close in found.closes[last.number + 1 :]]
    earlier = found.moments[: first.number]
    return Happened(moment, before, found.closes[last.number].view, turn, earlier, later)


@each_row(("game", "seed"), STORIES)
def test_every_sentence_of_the_story_holds(game: str, seed: int) -> None:
    """THIRD A16, F.5: each sentence claims something, and all that it claims has happened in its turn;
    so a bid that was opened in the last close of the turn before is told in the turn that it ranks.
    """
    claims, found, archive = played(game, seed)
    patterns = {**claims.claims, **claims.narrated, **course_claims(claims)}
    faults = []
    for paragraph in paragraphs_of(archive):
        turn = paragraph.turn
        near = [
            happened(found, number, turn)
            for number, moment in enumerate(found.moments)
            if turn - 1 <= moment.turn <= turn and number not in found.undone
        ]
        for sentence in SENTENCE.split(paragraph.text):
            faults += list(wrong(patterns, sentence, [turn_of(found, turn), *near]))
            is_told = sentence in archive.turns[turn]
            if is_told and not any(re.search(pattern, sentence) for pattern in patterns):
                faults.append(f"claims nothing: {sentence}")
    assert faults == []


@each_row(("game", "seed"), STORIES)
def test_a_turn_is_told_in_up_to_four_sentences_never_two_alike_running(
    game: str, seed: int
) -> None:
    _, _, archive = played(game, seed)
    paragraphs = [one.text for one in paragraphs_of(archive)]
    shapes = [list(map(shape, SENTENCE.split(text))) for text in paragraphs]
    assert all(len(told) <= 4 for told in shapes), shapes
    assert all(len(text.split()) <= 60 for text in paragraphs), paragraphs
    running = [one for told in shapes for one in told]
    assert [one for one, other in pairwise(running) if one == other] == []
    for told in shapes:
        assert len(set(told)) == len(told), told


def shape(sentence: str) -> str:
    """A sentence without what it is about: names, places and numbers."""
    return re.sub(r"[A-ZÉ][\wé]*|\d+", "_", sentence)


@each_row(("game", "seed"), STORIES)
def test_every_sentence_of_a_turning_point_holds(game: str, seed: int) -> None:
    """THIRD A9, F.5: each sentence claims something, and all that it claims has happened."""
    claims, found, archive = played(game, seed)
    patterns = {**claims.narrated, **course_claims(claims)}
    faults = []
    for point in points_of(archive, ""):
        at = happened(found, point.step.number)
        faults += list(wrong(claims.claims, point.short, [at]))
        for sentence in SENTENCE.split(point.told):
            faults += list(wrong(patterns, sentence, [at]))
            if not any(re.search(pattern, sentence) for pattern in patterns):
                faults.append(f"claims nothing: {sentence}")
    assert faults == []


@each_row(("game", "seed"), STORIES)
def test_turning_points_are_few_and_differ_and_are_about_the_winners(game: str, seed: int) -> None:
    """THIRD A9: three to five, two of them about the winners, at most two players out; no heading and
    no sentence twice, no two told in the same form; and nothing that the game master took back.
    """
    claims, found, archive = played(game, seed)
    points = archive.points
    winners = set(claims.winners(found.closes[-1].view))
    assert 3 <= len(points) <= 5
    assert not {archive.steps[one.place].number for one in points} & found.undone
    assert sum(one.news.mark == "out" for one in points) <= 2
    assert not winners or sum(bool(winners & {*one.news.players}) for one in points) >= 2
    headings = [one.news.short for one in points]
    assert len(set(headings)) == len(headings)
    sentences = [one for point in points for one in SENTENCE.split(point.told)]
    assert len(set(sentences)) == len(sentences)
    forms = [shape(point.told) for point in points]
    assert len(set(forms)) == len(forms), forms


def end_texts(found: Whole, archive: Archive) -> list[str]:
    """The texts of the end: the letter, the first page, the table of players, the last board."""
    last = found.closes[-1]
    page = found.game.pages.ending(table(), last.view, last.events, "0" * 64, "1" * 64)
    board = archive.steps[-1].drawing
    return [
        page.subject,
        *map(plain, page.text.split("\n\n")),
        *map(plain, page.chat.splitlines()),
        archive.lead.headline,
        archive.lead.sentence,
        archive.outcome,
        *(person.fate for person in archive.people),
        *re.split(r"(?<=\.) ", board.alt),
        board.alt,
    ]


@each_row(("game", "seed"), TABLES)
def test_all_texts_of_the_end_agree(game: str, seed: int) -> None:
    """THIRD A2, A3, A22: who won, with how many, in which round; on the last board as in the letter
    and in the table of players.
    """
    claims, found, archive = played(game, seed)
    at = happened(found, len(found.moments) - 1)
    faults = [one for text in end_texts(found, archive) for one in wrong(claims.claims, text, [at])]
    assert faults == []
    winners = {NAMES[number - 1] for number in claims.winners(at.view)}
    for text in end_texts(found, archive):
        for said in re.findall(rf"((?:{NAME})(?:(?:, | and )(?:{NAME}))*) wins?\b", text):
            assert set(re.findall(NAME, said)) <= winners, text
    for person in archive.people:
        assert ("wins" in person.fate) == (person.name in winners), person.fate


@each_row(("game", "seed"), TABLES)
def test_places_and_figures_are_the_same_on_board_page_letter_and_picture(
    game: str, seed: int
) -> None:
    """THIRD A2: place and points of a player are told alike wherever they are told."""
    claims, found, archive = played(game, seed)
    view = found.closes[-1].view
    figures = dict(claims.figures(view))
    last = archive.steps[-1]
    placed = [person for person in archive.people if person.place and person.number in figures]
    for person in placed:
        assert re.search(rf"\b{figures[person.number]}\b", person.fate), person.fate
    for chip in last.chips:
        if chip.player in figures and chip.figures and not chip.is_out:
            assert str(figures[chip.player]) in [value for _, value in chip.figures]
    for number, (place, figure) in strip_of(archive).items():
        person = archive.person(number)
        alive = [one.number for one in sorted(placed, key=lambda one: one.place or 0)]
        assert (alive.index(person.number) + 1, figures[number]) == (place, figure)


def strip_of(archive: Archive) -> dict[int, tuple[int, int]]:
    """Place and points that the strip of the last board tells, by player; none where it has no
    places.
    """
    svg = archive.steps[-1].drawing.svg
    margins = svg[svg.index('class="margins"') :] if 'class="margins"' in svg else ""
    found = {}
    for person in archive.people:
        for group in re.findall(
            rf'<g data-colour="{person.arms.colour}">(.*?)</g>\s*(?=<g|$|</g>)', margins, re.DOTALL
        ):
            texts = [plain(one) for one in re.findall(r"<text[^>]*>(.*?)</text>", group, re.DOTALL)]
            head = next((re.match(rf"(\d+) {person.name}$", text) for text in texts), None)
            if head:
                found[person.number] = (int(head[1]), int(texts[-1]))
    return found


@each_row(("game", "seed"), TABLES)
def test_the_page_of_a_player_lists_every_battle_that_the_table_counts(
    game: str, seed: int
) -> None:
    """THIRD A5: battles are listed as battles, not as lands."""
    claims, found, archive = played(game, seed)
    counted = claims.battles(found)
    if counted is None:
        return
    (rows,) = [dict(plot.rows) for plot in archive.plots if isinstance(plot, Figures)]
    for person, page in zip(archive.people, player_pages(archive).values(), strict=True):
        body = page.split("<h2>Won</h2>")[1]
        won, lost = body.split("<h2>Lost</h2>")
        listed = tuple(items_of(part) for part in (won, lost.split("<h2>Orders</h2>")[0]))
        assert counted[person.number] == claims.shown(rows[person.number]) == listed, person.name


def items_of(part: str) -> int:
    """How many battles a part of a page lists, which must be as many as it says."""
    found = re.search(r"<h3>In battles: (\d+)</h3>\s*<ul>(.*?)</ul>", part, re.DOTALL)
    if not found:
        return 0
    assert int(found[1]) == found[2].count("<li>")
    return int(found[1])


@each_row(("game", "seed"), TABLES)
def test_the_picture_to_share_has_the_headline(game: str, seed: int) -> None:
    _, _, archive = played(game, seed)
    drawn = plain(share_svg(archive))
    assert all(word in drawn for word in archive.lead.headline.split())
