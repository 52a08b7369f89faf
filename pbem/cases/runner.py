"""Run cases: load the position, read the orders as if they had come by mail, close the phase, and
compare.
"""

import hashlib
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from engine.chance import Chance
from engine.positions import PositionError, PositionPart, format_path
from engine.ruleset import Actor, Checked, Outcome, Ruleset, Standing, known_state
from pbem.cases.compare import (
    Difference,
    compare,
    compare_codes,
    compare_events,
    compare_quoted,
    compare_texts,
    show,
)
from pbem.cases.document import MASTER, Case, CaseError, Document, Step, load_documents, parse_case
from pbem.cases.report import write_json, write_line, write_sum
from pbem.cases.results import Ran, Reached, Read
from pbem.game import Cases, Game, Games, ReadMessage
from pbem.grammar.house.parsing import hear
from pbem.grammar.house.reading import lines_offered, read_alone, read_lines, warnings_at_once
from pbem.grammar.kit.reading import UNUSED
from pbem.record.replay import is_another_phase

LINE_REFUSED = "line-refused"
"""The kind of event by which a game tells, with a player and a code, that something that stood did
not at the close.
"""
MORE_KEYS = ("problems", "means", "events")
"""What `expect` may name apart from a part of a position."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A case whose position, players and expectations were read without fault."""

    case: Case
    game: Game
    cases: Cases
    state: Any
    standings: Mapping[int, Standing[Any]]
    expected: tuple[Mapping[str, object], ...]

    @property
    def rules(self) -> Ruleset[Any, Any]:
        return self.game.ruleset


def run_files(
    paths: Sequence[Path], games: Games, json: bool, out: TextIO, err: TextIO | None = None
) -> int:
    """Run every case of these files; 0 if all passed, 1 if any failed, 2 if a file or a case could
    not be read.

    A case that cannot be read is told on `err` (the standard error stream if not given) and does
    not stop the others.
    """
    failures = err or sys.stderr
    passed = failed = unreadable = 0
    for found in load_cases(paths, games):
        if isinstance(found, CaseError):
            unreadable += 1
            failures.write(f"{found}\n")
            continue
        ran = run_case(found)
        if json:
            write_json(out, ran)
        else:
            write_line(out, ran)
        passed, failed = (
            passed + ran.is_passed,
            failed + (ran.broken is not None if json else not ran.is_passed),
        )
    if not json:
        write_sum(out, passed, failed)
    return 2 if unreadable else 1 if failed else 0


def load_cases(paths: Sequence[Path], games: Games) -> Iterator[Prepared | CaseError]:
    """The cases of these files in order, each prepared; what cannot be read comes as its error. An
    id is used once in a file.
    """
    for path in paths:
        seen: set[str] = set()
        for document in load_documents(path):
            if isinstance(document, CaseError):
                yield document
                continue
            prepared = _load_case(document, games, seen)
            if isinstance(prepared, Prepared):
                seen.add(prepared.case.id)
            yield prepared


def _load_case(document: Document, games: Games, seen: AbstractSet[str]) -> Prepared | CaseError:
    try:
        case = parse_case(document)
        if case.id in seen:
            return document.error(PositionError(("id",), f"{case.id} is used twice in this file"))
        return prepare(case, games)
    except PositionError as wrong:
        return document.error(wrong)
    except CaseError as wrong:
        return wrong


def prepare(case: Case, games: Games) -> Prepared:
    """Read everything a case names. PositionError if something does not fit."""
    if case.ruleset not in games:
        raise PositionError(("ruleset",), f"no game {case.ruleset!r}; known are {', '.join(games)}")
    cases = games[case.ruleset].cases
    if cases is None:
        raise PositionError(("ruleset",), f"{case.ruleset} brings no reader of cases")
    state = cases.parse_position(case.position, case.options, case.id)
    names = cases.names_of(state)
    for i, text in enumerate(case.reads):
        _check_player(text.reader, names, ("read", i, "as"))
    for step in case.steps:
        for key, texts in (("orders", step.orders), ("canonical", step.canonical)):
            for player in texts:
                _check_player(player, names, (*step.path, key, player))
        for act in step.acts:
            if act.sender != MASTER:
                _check_player(act.sender, names, (*act.path, "from"))
    expected = tuple(_expected(step.expect, cases, state, names) for step in case.steps)
    return Prepared(
        case,
        games[case.ruleset],
        cases,
        state,
        cases.parse_standings(case.position, state),
        expected,
    )


def _check_player(name: str, names: Mapping[str, int], path: tuple[str | int, ...]) -> None:
    if name not in names:
        raise PositionError(path, f"no player {name!r}; players are {', '.join(names)}")


def _expected(
    part: PositionPart, cases: Cases, state: object, names: Mapping[str, int]
) -> Mapping[str, object]:
    wanted = cases.parse_expectation(part, state, MORE_KEYS)
    told = dict(part.pairs())
    for key in {"problems", "means"} & {*told}:
        for player, texts in told[key].pairs():
            if player != MASTER:
                _check_player(player, names, texts.path)
        wanted[key] = {
            player: tuple(text.text() for text in texts.parts())
            for player, texts in told[key].pairs()
        }
    if "events" in told:
        wanted["events"] = tuple(_event(event, names) for event in told["events"].parts())
    return wanted


def _event(part: PositionPart, names: Mapping[str, int]) -> Mapping[str, object]:
    """A kind, or a mapping that is part of the event; a `player` stands by name."""
    if isinstance(part.value, str):
        return {"kind": part.value}
    return {key: one.one_of(names) if key == "player" else one.value for key, one in part.pairs()}


def run_case(prepared: Prepared) -> Ran:
    """Run one case; what chance or the rules do not let happen breaks it."""
    return _run_steps(prepared) if prepared.case.steps else _run_reads(prepared)


def _run_reads(prepared: Prepared) -> Ran:
    rules, names = prepared.rules, prepared.cases.names_of(prepared.state)
    found: list[Read] = []
    differences: list[Difference] = []
    for i, text in enumerate(prepared.case.reads):
        number = names[text.reader]
        standing = prepared.standings.get(number, Standing())
        reading = prepared.cases.read(
            known_state(rules, prepared.state, number), number, standing, hear(text.text)
        )
        accepted = reading.checked.accepted if reading.checked is not None else ()
        means = tuple(rules.format_order(prepared.state, order) for order in accepted)
        refused, warned = problem_codes(reading)
        offer = after_one_yes(prepared.game, prepared.state, number, standing, text.text)
        unused = tuple(
            item.quote for item in reading.items if any(x.code == UNUSED for x in item.problems)
        )
        found.append(Read(means, tuple(dict.fromkeys((*refused, *warned))), offer, unused))
        if text.means is not None:
            differences += compare_texts(f"read[{i}].means", text.means, found[-1].means)
        if text.problems is not None:
            differences += compare_texts(
                f"read[{i}].problems", tuple(dict.fromkeys(text.problems)), found[-1].problems
            )
    return Ran(prepared.case, read=tuple(found), differences=tuple(differences))


def refused_lines(reading: ReadMessage) -> tuple[str, ...]:
    """One code for each line refused: first lines that stood before, then those of the text."""
    told = [problem for item in reading.items for problem in item.problems if not problem.warning]
    checked = reading.checked.problems if reading.checked is not None else ()
    here = Counter(problem.code for problem in told)
    before: list[str] = []
    behind: list[str] = []
    for problem in checked:
        if problem.warning:
            continue
        if here[problem.code]:
            here[problem.code] -= 1
        else:
            (before if problem.order is None else behind).append(problem.code)
    return (*before, *(problem.code for problem in told), *behind)


def after_one_yes(
    game: Game, state: Any, player: int, standing: Standing[Any], text: str
) -> tuple[str, ...]:
    """The canonical texts that stand of a message after a plain yes to all that it was offered; ():
    nothing was.
    """
    rules = game.ruleset
    known = known_state(rules, state, player)
    reading = read_alone(game.read, known, player, standing, text)
    offers = lines_offered(reading, partial(rules.format_order, state))
    offered = [line for _, lines in offers for line in lines]
    if not offered:
        return ()
    before = reading.checked or Checked((), standing)
    lasting = tuple(x for x in before.standing.orders if rules.act_of(x) is None)
    after = Standing(lasting, before.standing.final)
    taken = read_lines(game.read_canonical, rules, known, player, after, offered).checked
    if taken is None:
        return ()
    stands = [order for order in before.accepted if order not in taken.replaced]
    return tuple(rules.format_order(state, order) for order in (*stands, *taken.accepted))


def problem_codes(reading: ReadMessage) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The codes of what was refused and of what was only warned of, each once."""
    problems = [problem for item in reading.items for problem in item.problems]
    problems += reading.checked.problems if reading.checked is not None else ()
    refused = tuple(dict.fromkeys(problem.code for problem in problems if not problem.warning))
    return refused, tuple(dict.fromkeys(problem.code for problem in problems if problem.warning))


def _run_steps(prepared: Prepared) -> Ran:
    case, state = prepared.case, prepared.state
    seed = hashlib.sha256(case.id.encode()).digest()
    place, standings = 0, dict(prepared.standings)
    reached: list[Reached] = []
    differences: list[Difference] = []
    for step, expected in zip(case.steps, prepared.expected, strict=True):
        chance = Chance(seed, place, step.chance)
        playing = Playing(prepared, state, standings, chance)
        try:
            after = playing.play(step)
        except ValueError as impossible:
            return Ran(case, tuple(reached), (), tuple(differences), f"{_prefix(step)}{impossible}")
        if chance.unused:
            return Ran(
                case,
                (*reached, after),
                (),
                tuple(differences),
                f"{_prefix(step)}chance: left over {list(chance.unused)}",
            )
        place, state, standings = chance.place, playing.state, playing.standings
        reached.append(after)
        differences += [
            Difference(_prefix(step) + found.path, found.text)
            for found in (
                *_differences(expected, after, prepared),
                *_misquoted(after),
            )
        ]
    return Ran(case, tuple(reached), (), tuple(differences))


def _prefix(step: Step) -> str:
    return f"{format_path(step.path)}." if step.path else ""


@dataclass(slots=True)
class Playing:
    """A case on its way: the state, the standing orders, and the result of the step so far."""

    prepared: Prepared
    state: Any
    standings: dict[int, Standing[Any]]
    chance: Chance
    refused: dict[str, tuple[str, ...]] = field(default_factory=dict)
    warned: dict[str, tuple[str, ...]] = field(default_factory=dict)
    means: dict[str, tuple[str, ...]] = field(default_factory=dict)
    events: list[dict[str, object]] = field(default_factory=list)
    quotes: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)

    @property
    def rules(self) -> Ruleset[Any, Any]:
        return self.prepared.rules

    def play(self, step: Step) -> Reached:
        """Read what everybody sends, at its hour; then close the open phase once."""
        cases = self.prepared.cases
        for player, text in step.texts.items():
            told = self._retold(player, step.canonical.get(player, ()))
            stands = self._say(player, text)
            self.means |= {player: stands} if stands else {}
            self.quotes.append((f"means.{player}", told, stands))
        self._judge_silent(step)
        for act in step.acts:
            if act.at is not None:
                self._let_pass(act.at)
            told = self._retold(act.sender, act.canonical)
            stands = self._say(act.sender, act.text)
            self.quotes.append((format_path((*act.path, "canonical")), told, stands))
        if step.until is not None:
            self._let_pass(step.until)
        else:
            self._close()
        position = cases.format_position(self.state, self.standings)
        return Reached(
            position,
            self.refused,
            self.warned,
            self.means,
            tuple(self.events),
            tuple(quote for quote in self.quotes if quote[1]),
        )

    def _retold(self, sender: str, canonical: Sequence[str]) -> tuple[str, ...]:
        """The canonical texts told, each as it is quoted where it stands: `Attack B` leaves out
        what the rules fill in.
        """
        if sender == MASTER:
            return ()
        cases, number = self.prepared.cases, self.prepared.cases.names_of(self.state)[sender]
        texts: list[str] = []
        for text in canonical:
            reading = cases.read(
                known_state(self.rules, self.state, number), number, Standing(), hear(text)
            )
            accepted = reading.checked.accepted if reading.checked is not None else ()
            one = len(accepted) == 1
            texts.append(self.rules.format_order(self.state, accepted[0]) if one else text)
        return tuple(texts)

    def _say(self, sender: str, text: str) -> tuple[str, ...]:
        """The canonical texts of what stands of it."""
        if sender == MASTER:
            for command in text.replace("\n", "; ").split("; "):
                self._command(command.strip())
            return ()
        cases, rules = self.prepared.cases, self.rules
        number = cases.names_of(self.state)[sender]
        standing = self.standings.get(number, Standing())
        self._do(number, [rules.act_of_message(self.state, number, stands=False)])
        reading = cases.read(known_state(rules, self.state, number), number, standing, hear(text))
        texts: tuple[str, ...] = ()
        warnings = problem_codes(reading)[1]
        if reading.checked is not None:
            accepted = reading.checked.accepted
            self.standings[number] = reading.checked.standing
            texts = tuple(rules.format_order(self.state, order) for order in accepted)
            at_once = warnings_at_once(rules, self.state, number, accepted)
            warnings = (*warnings, *(problem.code for _, problem in at_once))
            acts = [rules.act_of(order) for order in accepted]
            if acts:
                acts.insert(0, rules.act_of_message(self.state, number, stands=True))
            self._do(number, acts)
        self._refuse(sender, *refused_lines(reading), *(warnings if cases.whole_problems else ()))
        if warnings:
            told = (*self.warned.get(sender, ()), *warnings)
            self.warned[sender] = tuple(dict.fromkeys(told))
        return texts

    def _judge_silent(self, step: Step) -> None:
        """What stood before of those who send nothing, and stands no longer."""
        names = self.prepared.cases.names_of(self.state)
        asked = self.rules.phase(self.state).asked
        for name in (who for who, number in names.items() if number in asked):
            if name not in step.texts:
                standing = self.standings.get(names[name], Standing())
                found = self.rules.check(self.state, names[name], standing, ()).problems
                self._refuse(name, *(problem.code for problem in found if not problem.warning))

    def _command(self, text: str) -> None:
        try:
            act = self.prepared.cases.read_command(self.state, self.standings, text)
            self._do("gm", [act])
        except ValueError as wrong:
            if not (code := getattr(wrong, "code", "")):
                raise
            self._refuse(MASTER, code)

    def _refuse(self, sender: str, *codes: str) -> None:
        if codes:
            self.refused[sender] = (*self.refused.get(sender, ()), *codes)

    def _let_pass(self, hour: int) -> None:
        self._do("gm", [self.rules.act_of_hour(self.state, hour)])

    def _close(self) -> None:
        """At the deadline, wherever that moves until then."""
        while (act := self._act_of_deadline()) is not None:
            self._do("gm", [act])
        is_answer = bool(self.events or self.refused)  # also to what is said after the end
        if self.rules.phase(self.state).over is None or not is_answer:
            orders = {n: told.orders for n, told in self.standings.items() if told.orders}
            self._take(self.rules.adjudicate(self.state, orders, self.chance))
        self.standings = {}

    def _act_of_deadline(self) -> Mapping[str, object] | None:
        return self.rules.act_of_hour(self.state, self.rules.phase(self.state).hours)

    def _do(self, actor: Actor, acts: Sequence[Mapping[str, object] | None]) -> None:
        """What takes effect at once, as when the message comes in."""
        for act in acts:
            if act is None:
                continue
            before = self.rules.phase(self.state)
            self._take(self.rules.act(self.state, actor, act, self.chance))
            if is_another_phase(before, self.rules.phase(self.state)):
                self.standings = {}

    def _take(self, outcome: Outcome[Any]) -> None:
        self.state = outcome.state
        names = self.prepared.cases.names_of(self.state)
        for event in outcome.events:
            self.events.append(self.prepared.cases.tell_event(event, self.state))
            if event.kind == LINE_REFUSED:
                facts: Any = event.facts
                who = next(name for name, number in names.items() if number == facts.player)
                self._refuse(who, facts.code)


def _differences(
    expected: Mapping[str, object], after: Reached, prepared: Prepared
) -> list[Difference]:
    cases = prepared.cases
    found: list[Difference] = []
    for key, wanted in expected.items():
        if key == "problems" and isinstance(wanted, Mapping) and cases.whole_problems:
            told = {who: sorted(set(codes)) for who, codes in wanted.items() if codes}
            got = {who: sorted(set(codes)) for who, codes in after.refused.items()}
            found += (
                [] if told == got else [Difference(key, f"expected {show(told)}, got {show(got)}")]
            )
        elif key == "problems" and isinstance(wanted, Mapping):
            for player, codes in wanted.items():
                found += compare_codes(
                    f"problems.{player}",
                    codes,
                    after.refused.get(player, ()),
                    after.warned.get(player, ()),
                )
        elif key == "means":
            found += compare(wanted, after.means, "means")
        elif key == "events" and isinstance(wanted, tuple):
            names = {number: name for name, number in cases.names_of(prepared.state).items()}
            found += compare_events(wanted, [_by_name(event, names) for event in after.events])
        else:
            found += compare(wanted, after.position.get(key), key, cases.unordered)
    return found


def _by_name(event: Mapping[str, object], names: Mapping[int, str]) -> Mapping[str, object]:
    """An event with its player by name, as expectations have it."""
    player = event.get("player")
    return {**event, "player": names.get(player)} if isinstance(player, int) else event


def _misquoted(after: Reached) -> list[Difference]:
    """Texts that stand and are not in the case's canonical form."""
    return [found for quote in after.quotes for found in compare_quoted(*quote)]
