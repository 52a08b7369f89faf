"""The pages of an archive apart from its index, as text: turns, players, public press, how to check
the game, and its rules. Each works without a script.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from markupsafe import Markup

from pbem.archive.model import Archive, Person, Step
from pbem.archive.packing import RECORD_SCRIPT, pack
from pbem.archive.pictures import Image, image_of
from pbem.archive.plots import render_plots
from pbem.archive.templates import coats_of, menu_of, player_path, render, turn_path
from pbem.pages.kit.rules import sections
from pbem.pages.news import News, ordered
from pbem.pages.press import Piece

_UP = "../"
_MOST_BESIDE = 6
"""The most words in the heading of a list of orders (`Silver (Anna)'s orders for Attack`)."""
_NOTHING: Mapping[int, Markup] = {}


def pages_of(archive: Archive, letters: Mapping[int, Markup] = _NOTHING) -> Mapping[str, bytes]:
    """All of them by their paths in the folder of the game; `letters` are what players wrote and
    were written, as parts of their pages.
    """
    texts = {
        **turn_pages(archive),
        **player_pages(archive, letters),
        "press.html": press_page(archive),
        "verify.html": verify_page(archive),
        "rules.html": rules_page(archive),
    }
    if archive.chronicle:
        texts["chronicle.html"] = chronicle_page(archive)
    if archive.proof.record:
        texts[RECORD_SCRIPT] = pack("RECORD", archive.proof.record).decode()
    return {path: text.encode() for path, text in texts.items()}


def page_of(archive: Archive, template: str, here: str, root: str, **values: object) -> str:
    """A page of the archive, with its menu; `root` leads to the folder of the game."""
    return str(
        render(
            template,
            archive=archive,
            menu=menu_of(archive),
            here=here,
            root=root,
            coats=coats_of(archive),
            **values,
        )
    )


def chronicle_page(archive: Archive) -> str:
    """The history that a game tells, in the frame of its archive."""
    told = Markup(archive.chronicle)  # noqa: S704 - made by the game's own template
    return page_of(archive, "chronicle.html.j2", "chronicle", "", told=told)


# ------------------------------------------------------------------------------------------- turns
@dataclass(frozen=True, slots=True)
class TurnPage:
    """A close on the page of its turn. `orders` are those that counted, as far as they are public;
    `facts` what is not told among the news.
    """

    step: Step
    image: Image
    orders: tuple[tuple[Person, tuple[str, ...]], ...]
    news: tuple[News, ...]
    facts: tuple[str, ...]


def turn_pages(archive: Archive) -> Mapping[str, str]:
    """A page a turn: its boards, its orders, what happened and why."""
    turns = [
        (turn, tuple(steps)) for turn, steps in groupby(archive.steps, key=lambda step: step.turn)
    ]
    paths = [turn_path(archive, turn) for turn, _ in turns]
    found = {}
    for place, (turn, steps) in enumerate(turns):
        greatest = max(steps, key=_weight)
        found[paths[place]] = page_of(
            archive,
            "turn.html.j2",
            "turns",
            _UP,
            turn=turn,
            lead=greatest.lead,
            is_told=any(greatest.lead.sentence == one.told for one in greatest.news),
            scenes=[_scene(archive, step) for step in steps],
            chips=steps[-1].chips,
            turns=[(number, path) for (number, _), path in zip(turns, paths, strict=True)],
            before=paths[place - 1] if place else "",
            after=paths[place + 1] if place + 1 < len(paths) else "",
        )
    return found


def _weight(step: Step) -> tuple[int, int]:
    first = next(iter(ordered(step.news)), None)
    return (first.weight, first.size) if first is not None else (0, 0)


def _scene(archive: Archive, step: Step) -> TurnPage:
    given = given_in(step)
    return TurnPage(
        step,
        image_of(step, _UP),
        tuple((archive.person(number), texts) for number, texts in sorted(given.items())),
        step.news,
        tuple(_untold(archive, step, given)),
    )


def _untold(archive: Archive, step: Step, given: Mapping[int, tuple[str, ...]]) -> Iterator[str]:
    """The lines that say more than the news and the orders do."""
    told = [_plain(line) for one in step.news for line in (*one.why, one.told)]
    shorts = {one.short for one in step.news}
    orders = [text for texts in given.values() for text in texts]
    for line in step.lines:
        plain = _plain(line)
        body = (plain.partition(": ")[2] or plain).rstrip(".")
        is_told = any(one in plain or one.startswith(body) for one in told)
        is_told = is_told or body.partition(",")[0] in shorts
        is_done = any(
            _is_done(body, archive.person(number).name, texts) for number, texts in given.items()
        )
        if not is_told and not is_done and not _lists(plain, orders):
            yield line


def _is_done(body: str, name: str, orders: Sequence[str]) -> bool:
    """Whether a sentence says of a player only that they did as they had ordered: its verb is that
    of an order, and its numbers and names are theirs (THIRD A21).
    """
    verb, _, rest = body.removeprefix(f"{name} ").partition(" ")
    heads = {
        word for text in orders for word in re.split(r"\W|\d", text.lower().split(" from ")[0])
    }
    given = set(re.findall(r"\w+", " ".join(orders)))
    return (
        body.startswith(f"{name} ")
        and bool({verb.removesuffix("s"), verb.removesuffix("es")} & heads)
        and "(" not in rest
        and set(re.findall(r"\b[A-Z0-9]\w*", rest)) <= given
    )


def _lists(line: str, orders: Sequence[str]) -> bool:
    """Whether a line is a list of orders, with no more than whose they are and for what: one that
    names a single order says what became of it, unless there was only this one.
    """
    named = [text for text in orders if text in line]
    rest = line
    for text in sorted(named, key=len, reverse=True):
        rest = rest.replace(text, "")
    is_list = len(named) > 1 and len(re.findall(r"\w[\w']*", rest)) <= _MOST_BESIDE
    return bool(named) and (is_list or len(named) == len(orders))


def _plain(line: str) -> str:
    return " ".join(line.split())


def given_in(step: Step) -> Mapping[int, tuple[str, ...]]:
    """The orders of a close as far as they are public: all that counted once the game is over."""
    given = step.all_orders or step.orders
    return {number: texts for number, texts in given.items() if texts}


# ----------------------------------------------------------------------------------------- players
def player_pages(archive: Archive, letters: Mapping[int, Markup] = _NOTHING) -> Mapping[str, str]:
    """A page a player: their lands and points among the others', orders, and fights."""
    found = {}
    for person in archive.people:
        won, lost = _fights(archive, person.number)
        found[player_path(person)] = page_of(
            archive,
            "player.html.j2",
            "players",
            _UP,
            person=person,
            plots=render_plots(archive, person.number),
            won=won,
            lost=lost,
            orders=[
                (step, turn_path(archive, step.turn), texts)
                for step in archive.steps
                if (texts := given_in(step).get(person.number, ()))
            ],
            letters=letters.get(person.number, Markup()),
        )
    return found


Told = tuple[Step, str, News]
"""Something that happened: when, the page of its turn, and what."""


@dataclass(slots=True)
class Record:
    """What somebody won, or lost: in battles, and without any."""

    battles: list[Told] = field(default_factory=list)
    others: list[Told] = field(default_factory=list)


def _fights(archive: Archive, number: int) -> tuple[Record, Record]:
    """What a player won, and what they lost: every battle, and what else changed hands."""
    won, lost = Record(), Record()
    for step in archive.steps:
        for one in step.news:
            told = (step, turn_path(archive, step.turn), one)
            if number in one.won:
                won.battles.append(told)
            elif number in one.lost:
                lost.battles.append(told)
            elif one.mark in ("battle", "taken", "entered", "out") and number in one.players:
                (won if _is_won(one, number) else lost).others.append(told)
    return won, lost


def _is_won(one: News, number: int) -> bool:
    """The people of an event that was not a battle of theirs: its doer first, but an eliminated
    player before those who did it.
    """
    return (one.players[0] == number) != (one.mark == "out")


# ------------------------------------------------------------------------------------------- press
def press_page(archive: Archive) -> str:
    """What was said to everybody, by the turn in which it was said."""
    return page_of(
        archive,
        "press.html.j2",
        "press",
        "",
        turns=[(turn, list(pieces)) for turn, pieces in groupby(_dated(archive), lambda e: e[0])],
        writers={person.name: person for person in archive.people},
    )


def _dated(archive: Archive) -> Iterator[tuple[int, Piece]]:
    """Each piece with its turn: that of the close that came next, or else of the last one."""
    for piece in sorted(archive.press, key=lambda piece: piece.at):
        later = (step.turn for step in archive.steps if step.at > piece.at)
        yield next(later, archive.steps[-1].turn), piece


# ------------------------------------------------------------------------------------------ verify
def verify_page(archive: Archive) -> str:
    """How anybody can check that nobody knew or changed the draws."""
    return page_of(
        archive, "verify.html.j2", "verify", "", proof=archive.proof, script=RECORD_SCRIPT
    )


# ------------------------------------------------------------------------------------------- rules
def rules_page(archive: Archive) -> str:
    """The rules of the game in short, with an anchor for each ID."""
    book = archive.book
    return page_of(
        archive, "rules.html.j2", "rules", "", sections=sections(book), prefix=book.prefix
    )
