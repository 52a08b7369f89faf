"""From the engine's public view and the last public events to the scene of a picture of the
court.
"""

from collections.abc import Iterator, Mapping, Sequence

from engine.ruleset import Event
from engine.sovereigns.seasons.actions import USUAL
from engine.sovereigns.view import KingdomView, TableView
from pbem.board.board import TableFacts
from pbem.board.heading import due_lines, phase_words
from pbem.games.sovereigns.board.scene import Kingdom, Notice, Scene
from pbem.games.sovereigns.board.told import Tale
from pbem.games.sovereigns.board.words import say


def build_scene(view: TableView, events: Sequence[Event], about: TableFacts) -> Scene:
    """The scene of this view. `events` are those of the last closes and of the open phase; only
    public ones are shown, and not `you` (SS-1.9).
    """
    tale = Tale(view, events)
    places = {number: i for i, number in enumerate(view.seating)}
    return Scene(
        table=about.title,
        year=view.year,
        stage=view.stage,
        season=view.season,
        phase=phase_words(about, say, view.season),
        due=due_lines(about, say),
        chronicle=about.chronicle,
        is_first=about.is_first,
        kingdoms=tuple(
            _kingdom(view, view.kingdom(number), places, tale.falls) for number in view.seating
        ),
        rolls=tuple(tale.rolls),
        traces=tuple(tale.traces),
        told=tale.told,
        notices=tuple(
            notice
            for notice in _notices(view, places, tale)
            if notice.kind == "ruling" or about.chronicle is None
        ),
        next_expedition=USUAL + view.expeditions,
        ended_by=view.ended_by,
        last_year=view.options.max_years,
        hypothesis=about.hypothesis,
    )


def _kingdom(
    view: TableView, held: KingdomView, places: Mapping[int, int], falls: Mapping[int, str]
) -> Kingdom:
    return Kingdom(
        name=held.name,
        ruler=held.ruler,
        colour=held.colour.casefold(),
        resources=held.total.R,
        military=held.total.M,
        harmony=held.total.H,
        support=held.support,
        tech=held.tech,
        buildings=held.buildings,
        faith=held.faith,
        converted_by=tuple(places[number] for number in held.converted_by),
        security=held.security,
        flat=held.rest + sum(mod.flat for mod in held.mods),
        dice=sum(mod.die for mod in held.mods),
        open_discoveries=sum(not discovery.name for discovery in held.discoveries),
        alive=held.alive,
        fell=held.fell,
        how=falls.get(held.number, ""),
        winner=held.number in view.winners,
    )


def _notices(view: TableView, places: Mapping[int, int], tale: Tale) -> Iterator[Notice]:
    """What is open, the most urgent first."""
    if view.undone is not None:
        yield Notice(
            kind="redo",
            kingdom=places[view.undone.player],
            number=view.undone.action,
            hours=view.undone.left,
        )
    for objection in view.objections:
        yield Notice(
            kind="objection",
            kingdom=places[objection.by],
            number=objection.action,
            what=objection.why,
            hours=objection.left,
        )
    for claimant, left in view.claims:
        yield Notice(kind="ballot", kingdom=places[claimant], hours=left)
    for number in view.seating:
        for discovery in view.kingdom(number).discoveries:
            if discovery.name:
                yield Notice(
                    kind="proposal",
                    kingdom=places[number],
                    what=discovery.name,
                    code=discovery.code,
                    hours=discovery.left,
                )
    for text in reversed(tale.rulings):
        yield Notice(kind="ruling", what=text)
