"""The history of a world of States & Sovereigns, year by year: who discovered what, who built, who
fought whom, who converted whom, who fell. Made of what everybody may know, and of nothing else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine.ruleset import Facts
from engine.sovereigns import events as e
from engine.sovereigns.view import TableView
from pbem.games.sovereigns.pages.cast import cast_of
from pbem.games.sovereigns.pages.seasons import START, seasons_of
from pbem.pages.gallery import PlayerCard
from pbem.pages.page import PhaseEvents
from pbem.pages.rendering import environments

TEMPLATE = "sovereigns/chronicle.j2"
THEMES = ("support", "discoveries", "buildings", "wars", "deeds", "faith", "council", "falls")
"""The events of a year, in this order."""
_NO_DEEDS = ("support", "council")
"""What no action brings about."""
_WARS = ("Attack", "Theft", "Foment", "Espionage")
_THEME_OF: dict[type[Facts], str] = {
    e.SupportRolled: "support",
    e.RebellionRolled: "support",
    e.CoupRolled: "support",
    e.FearRuled: "support",
    e.TechnologyGot: "discoveries",
    e.TechnologyChanged: "discoveries",
    e.Built: "buildings",
    e.FaithFounded: "faith",
    e.Converted: "faith",
    e.BallotClosed: "council",
    e.RolledBack: "council",
    e.Ruled: "council",
    e.Corrected: "council",
    e.Fallen: "falls",
    e.GameOver: "falls",
}
_WORDS = (e.RolledBack, e.Ruled)
"""What is said while an action waits to be done again, and is not said again with it."""
_SPOILS = (e.PointLost, e.PointSaved, e.PointsGained, e.Captured, e.Destroyed)


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that happened, and what an action brought about; `season` is empty at a year's
    start.
    """

    year: int
    season: str
    theme: str
    facts: Facts
    spoils: list[Facts] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return str(self.facts.__struct_config__.tag).replace("-", "_")


@dataclass(frozen=True, slots=True)
class Invention:
    """A technology: what it does in the end, who found it when, and who has it from them."""

    name: str
    code: str
    finder: int
    year: int
    season: str
    heirs: tuple[int, ...]


def history(past: Sequence[PhaseEvents]) -> tuple[Told, ...]:
    """What a chronicle tells, in order."""
    return tuple(one for one in whole_history(past) if one.theme)


def whole_history(past: Sequence[PhaseEvents]) -> tuple[Told, ...]:
    """All that counts, in order, of no theme too: what was done again takes the place of what was
    taken back (SS-10.5), and is of the season that it was first done in.
    """
    told: list[Told] = []
    began: dict[int, tuple[int, tuple[int, str]]] = {}
    seasons = seasons_of((phase.kind, phase.is_undone) for phase in past)
    for phase, season in zip(past, seasons, strict=True):
        own = when = (max(phase.turn, 1), "" if season == START else season)
        for event in phase.events:
            facts = event.facts
            if isinstance(facts, e.ReResolved):
                _take_back(told, began, facts.action)
            elif isinstance(facts, e.ActionResolved | e.ActionVoid):
                _, when = began.get(facts.n, (0, own))
                began[facts.n] = len(told), when
                told += _action(facts, when)
            elif isinstance(facts, _SPOILS):
                if told:
                    told[-1].spoils.append(facts)
            elif type(facts) in _THEME_OF:
                theme = _THEME_OF[type(facts)]
                told.append(Told(*(own if theme in _NO_DEEDS else when), theme, facts))
    return tuple(told)


def _take_back(
    told: list[Told], began: dict[int, tuple[int, tuple[int, str]]], action: int
) -> None:
    """Nothing since this action counts but what was said of it."""
    at, _ = began.get(action, (len(told), (0, "")))
    told[at:] = [one for one in told[at:] if isinstance(one.facts, _WORDS)]


def _action(facts: e.ActionResolved | e.ActionVoid, when: tuple[int, str]) -> Iterator[Told]:
    """An action without a theme of its own is kept for its spoils until the end of the history."""
    theme = ""
    if isinstance(facts, e.ActionResolved):
        is_won = facts.result in ("success", "great")
        if facts.action in _WARS:
            theme = "wars"
        elif facts.action == "Try" or (facts.action in ("Expedition", "Increase") and is_won):
            theme = "deeds"
    yield Told(*when, theme, facts)


def inventions(told: Sequence[Told]) -> tuple[Invention, ...]:
    """In the order they were found, without those that the game master took from everybody."""
    found: dict[str, Invention] = {}
    for one in told:
        match one.facts:
            case e.TechnologyGot(kingdom, name, code) if name not in found:
                found[name] = Invention(name, code, kingdom, one.year, one.season, ())
            case e.TechnologyGot(kingdom, name):
                found[name] = replace(found[name], heirs=(*found[name].heirs, kingdom))
            case e.TechnologyChanged(name, "") if name in found:
                del found[name]
            case e.TechnologyChanged(name, code) if name in found:
                found[name] = replace(found[name], code=code)
    return tuple(found.values())


def render_chronicle(
    outcome: str,
    players: Sequence[PlayerCard],
    view: TableView,
    past: Sequence[PhaseEvents],
) -> str:
    """What the page says, as HTML to be set in the frame of an archive."""
    told = history(past)
    found = inventions(told)
    years = [
        (
            year,
            [
                (theme, lines)
                for theme in THEMES
                if (lines := [one for one in told if (one.year, one.theme) == (year, theme)])
            ],
        )
        for year in sorted({one.year for one in told})
    ]
    values = {
        "outcome": outcome,
        "players": players,
        "years": years,
        "inventions": found,
        "found": {(one.name, one.finder) for one in found},
        "c": cast_of(view, None),
    }
    return environments()[0].get_template(TEMPLATE).render(values)
