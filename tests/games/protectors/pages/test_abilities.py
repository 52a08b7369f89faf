"""What mails say of factions, the Island, the Bank and teams: exact words that are understood, and
what others answered.
"""

import dataclasses

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors import ability_events as a
from engine.protectors import orders as o
from engine.protectors.abilities import ABILITIES
from engine.protectors.colours import COLOURS
from engine.protectors.events import GameWon
from engine.protectors.orders import FACTIONS, Faction
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Options, Peek, Province, State
from engine.protectors.view_of import view_of
from engine.ruleset import Event, Problem, Seat, Standing
from pbem.games.protectors.pages.abilities import abilities_of, counted_bid
from pbem.games.protectors.pages.cast import cast_of
from pbem.games.protectors.pages.letters import PAGES
from pbem.games.protectors.pages.receipt import reason_of
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.pages.page import ReceiptItem
from tests.games.protectors.pages.sample import ATTACK, heron, receipt_facts, table
from tests.pages.sample import NAMES, reader


def with_factions(*factions: Faction, **changes: object) -> State:
    """Heron, turn 6, with these factions from the first player on (the rest Cenarion)."""
    told = dict(enumerate(factions, start=1))
    players = tuple(
        replace(seat, faction=told.get(seat.number, "Cenarion")) for seat in heron().players
    )
    return heron(
        **({"options": Options(factions="choice", island=True), "players": players} | changes)
    )


def turn_mail(state: State, player: int = 1) -> str:
    """The same of the letter of a turn."""
    asked = reader(player, NAMES[player - 1])
    return " ".join(PAGES.turn(table(), asked, view_of(state, player), (), Standing()).text.split())


def status_mail(state: State, player: int = 1) -> str:
    """The words in one line, as it is read."""
    text = PAGES.status(
        table(), reader(player, NAMES[player - 1]), view_of(state, player), Standing()
    ).text
    return " ".join(text.split())


@pytest.mark.parametrize("faction", FACTIONS)
@pytest.mark.parametrize("stage", ["orders", "dragon", "consolidation"])
def test_every_ability_is_in_the_status_and_its_words_are_read_as_what_they_say(
    faction: Faction, stage: str
) -> None:
    board = (
        Province(owner=1, units=1),
        *heron().board[1:4],
        Province(owner=1, units=1, burnt=True),
        *heron().board[5:],
    )
    state = with_factions(
        faction,
        stage=stage,
        board=board,
        attack=ATTACK if stage == "dragon" else None,
        peeks=(Peek(1, "event", "Flood!"), Peek(1, "dragons", "Bloodlust!")),
    )
    mail, seen = status_mail(state), view_of(state, 1)
    turn = " ".join(PAGES.turn(table(), reader(), seen, (), Standing()).text.split())
    assert all(ability.name in mail for ability in ABILITIES if ability.faction == faction)
    assert seen.you is not None
    for use in seen.you.usable:
        assert use.words in mail
        if use.now:
            assert use.key == "gift" or f'"{use.words}"' in turn
            reading = read_alone(READER.read, state, 1, Standing(), use.words)
            assert reading.checked is not None, use.words
            assert [o.format_order(order, {}) for order in reading.checked.accepted] == [use.words]


def test_what_is_used_up_or_in_force_is_said_so_and_no_words_are_offered_for_it() -> None:
    state = with_factions("Cenarion", "Lannuvár")
    spent = tuple(
        replace(s, used=("fire", "bank"), effects=(("bank", 7),)) if s.number < 3 else s
        for s in state.players
    )
    state = replace(state, players=spent)
    mine = abilities_of(view_of(state, 1), cast_of(view_of(state, 1), 1))
    assert not mine.uses
    assert "Used up." in status_mail(state)
    assert "In force until the end of turn 7." in status_mail(state, 2)


def test_ashes_of_power_change_what_hiding_costs_and_how_often() -> None:
    state = with_factions("Kalu'Ak")
    assert "Once: not in the game for a Dragon Attack, for 25 $Realm a province." in status_mail(
        state
    )
    board = (*state.board[:4], Province(owner=1, units=1, burnt=True), *state.board[5:])
    burnt = replace(
        state,
        board=board,
        players=(replace(state.players[0], used=("nothing",)), *state.players[1:]),
    )
    mail = status_mail(burnt)
    assert "for 45 $Realm a province; as often as you like while you hold a burnt one." in mail
    assert "not only once. Used up." not in mail


def test_the_mountain_king_who_guards_already_is_offered_for_the_turn_after() -> None:
    board = (heron().board[0], Province(owner=1, units=1, level=3), *heron().board[2:])
    state = with_factions("Hodir", board=board, stage="consolidation")
    assert "He guards your one province of level III next turn." in status_mail(state)
    state = replace(
        state, players=(replace(state.players[0], effects=(("guard", 6),)), *state.players[1:])
    )
    assert "He already guards until the end of this turn; this is for the next." in status_mail(
        state
    )


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (
            Problem("not-now", ("PR-6.19", "PR-11.7"), {"phase": "dragon"}),
            "You have the Bank: you answer after all others.",
        ),
        (
            Problem(
                "not-now", ("PR-6.19", "PR-8.11"), {"phase": "rebid", "asked": ("Anna", "Emil")}
            ),
            "This phase is not for you: only Anna and Emil can answer the second bids.",
        ),
        (
            Problem("not-now", ("PR-6.19", "PR-6.17")),
            "You take it back in the same message, so the card stays where it is.",
        ),
    ],
)
def test_who_is_not_asked_reads_why(problem: Problem, words: str) -> None:
    seen = view_of(with_factions("Lannuvár"), 1)
    assert reason_of(problem, cast_of(seen, 1)).body.text == words


def test_a_faction_is_chosen_with_the_first_bid_from_a_list_of_all() -> None:
    seats = [Seat(i, NAMES[i - 1], COLOURS[i - 1]) for i in range(1, 5)]
    state = PROTECTORS.setup({"factions": "choice"}, seats, Chance(bytes(32))).state
    page = PAGES.turn(table(), reader(), view_of(state, 1), (), Standing())
    assert page.subject.startswith("Turn 1: faction and bids due")
    assert all(f"Faction {faction}" in page.text for faction in FACTIONS)
    assert "a faction is drawn for you" in " ".join(page.text.split())
    lacking = PAGES.reminder(table(), reader(), view_of(state, 1), Standing((o.Bid(3),))).text
    assert "Missing: faction. We draw one for you." in lacking
    said = PAGES.reminder(
        table(), reader(), view_of(state, 1), Standing((o.Bid(3), o.ChooseFaction("Hodir")))
    ).text
    assert "No faction" not in said


def test_the_bank_sees_what_the_others_bid_and_what_it_counts() -> None:
    state = with_factions("Lannuvár", "Lannuvár", stage="bank", bids=((2, 20), (4, 0)))
    state = replace(
        state,
        players=(
            replace(state.players[0], used=("bank",), effects=(("bank", 7),)),
            *state.players[1:],
        ),
    )
    mail = turn_mail(state)
    assert counted_bid(view_of(state, 1), 2, 20) == 35  # one province: 20 + 15
    assert "Bartek Bid 20 (counts 35)." in mail
    assert "Chloé Bid 0." in mail
    assert "ranking of turn 7" in mail
    assert "Commit" not in mail


def test_the_bank_sees_how_the_others_answer_the_dragon() -> None:
    attack = replace(ATTACK, answers=((2, (o.Commit(2, 3), o.Burn(3))), (4, (o.CommitNothing(),))))
    state = with_factions("Lannuvár", stage="bank", attack=attack)
    state = replace(
        state,
        players=(
            replace(state.players[0], used=("bank",), effects=(("bank", 6),)),
            *state.players[1:],
        ),
    )
    mail = turn_mail(state)
    assert "Bartek Commit 2 from P3. Burn P3." in mail
    assert "Chloé Commit nothing." in mail
    assert "A Wurm attacks with 11." in mail
    assert "Commit 2 from P1." in mail  # an example, as min.US is 2


def test_who_has_the_bank_is_asked_for_no_bid_in_consolidation() -> None:
    state = with_factions("Lannuvár", stage="consolidation")
    state = replace(
        state,
        players=(
            replace(state.players[0], used=("bank",), effects=(("bank", 7),)),
            *state.players[1:],
        ),
    )
    mail = turn_mail(state)
    assert "you bid 12 hours after you have seen the bids of the others" in mail
    assert "your bid is 0" not in mail
    text = PAGES.reminder(table(), reader(), view_of(state, 1), Standing((o.Buy(1, 2),))).text
    assert "No bid" not in text


def test_a_look_at_a_card_is_answered_in_the_receipt() -> None:
    state = with_factions("Kalu'Ak")
    item = ReceiptItem(1, "weather forecast", None, ("Weather forecast",))
    told = (Event(a.CardSeen(1, "event", "Flood!"), ("PR-11.2",), (1,)),)
    page = PAGES.receipt(
        table(),
        reader(),
        view_of(state, 1),
        receipt_facts(item, standing=(), standing_orders=(), offered=(), told=told),
    )
    words = " ".join(page.text.split())
    assert (
        "DONE AT ONCE Card You look at the top of the Event deck: Flood! No province borders another"
        in words
    )
    assert page.text.index("DONE AT ONCE") < page.text.index("WHAT WE UNDERSTOOD\n")


def test_fire_and_the_island_count_in_what_is_sent_against_the_dragon() -> None:
    state = with_factions(
        "Cenarion",
        stage="dragon",
        attack=ATTACK,
        board=(Province(owner=1, units=1), *heron().board[1:]),
    )
    item = ReceiptItem(
        1, "1 from p1, fire 3", None, ("Commit 1 from P1", "Fight fire with fire: 3")
    )
    facts = receipt_facts(
        item, standing=item.texts, standing_orders=(o.Commit(1, 1), o.Fire(3)), offered=()
    )
    text = PAGES.receipt(table(), reader(), view_of(state, 1), facts).text
    assert "You send 5 (needed 2)." in text  # 1 unit + 3 Highmagisters + 1 for the Island
    hiding = dataclasses.replace(
        facts, standing=("Nothing to see here!",), standing_orders=(o.Hide(),)
    )
    assert (
        "asked of you"
        not in PAGES.receipt(table(), reader(), view_of(state, 1), hiding).text.partition(
            "WHAT COUNTS"
        )[2]
    )


def two_teams(**changes: object) -> State:
    """Heron with Anna, Bartek and Emil (who is out) against the other four."""
    players = tuple(replace(seat, team="A" if seat.number < 4 else "B") for seat in heron().players)
    return heron(**({"players": players, "options": Options(teams=2)} | changes))


def test_team_mates_their_money_and_the_warning_of_a_fight_are_told() -> None:
    state = two_teams(stage="consolidation")
    mail = turn_mail(state)
    assert "Team A, with Bartek." in mail
    assert '"Bid 25 (10 from Bartek)"' in mail
    item = ReceiptItem(1, "bid 150 (30 from bartek)", None, ("Bid 150", "Use 30 from Bartek"))
    facts = receipt_facts(
        item, standing=item.texts, standing_orders=(o.Bid(150), o.Use(30, 2)), offered=()
    )
    words = " ".join(PAGES.receipt(table(), reader(), view_of(state, 1), facts).text.split())
    assert "In all 150 (bid) of your 132 $Realm and 30 from Bartek. Your own goes first" in words
    problem = Problem(
        "fights-team-mate", ("PR-13.4",), {"province": 3, "player": "Bartek"}, warning=True
    )
    marched = ReceiptItem(1, "march 2 from p2 to p3", None, ("March! 2 from P2 to P3",), (problem,))
    words = " ".join(
        PAGES.receipt(
            table(), reader(), view_of(two_teams(), 1), receipt_facts(marched, offered=())
        ).text.split()
    )
    assert (
        "P3 is Bartek's, of your team. Team-mates in one province fight each other. We keep the order. [PR-13.4]"
        in words
    )


def test_the_ranking_tells_faction_and_team_and_a_team_wins_together() -> None:
    state = two_teams(stage="over", winners=(1, 2, 3), ended_by="times-up")
    facts = a_won_game(state)
    page = PAGES.ending(table(), view_of(state, None), facts, "12" * 32, "ab" * 32)
    assert page.subject.startswith("[Heron] Anna, Bartek and Emil win")
    words = " ".join(page.text.split())
    assert (
        "The time is up after 6 turns, and the most points win, those of a team together." in words
    )
    assert "1 A Anna, Bartek and Emil 14" in words
    status = PAGES.status(table(), reader(), view_of(two_teams(), 1), Standing()).text
    assert "  1  Anna    red heart    A     March" in status


def test_the_gallery_names_the_team_that_won() -> None:
    seen = view_of(two_teams(stage="over", winners=(1, 2, 3), ended_by="last-standing"), None)
    assert PAGES.outcome(seen) == "Team A (Anna, Bartek and Emil) wins: nobody else is left."
    assert [card.fate for card in PAGES.players(seen)][:2] == [
        "team A, wins, 9 points (3 tokens, 6 for land)",
        "team A, wins, 4 points (1 token, 3 for land)",
    ]


def a_won_game(state: State) -> tuple[Event, ...]:
    scores = tuple((seat.number, 1, 2, 0, 3, 1, 41, seat.number) for seat in state.players)
    return (
        Event(
            GameWon(
                "times-up",
                (1, 2, 3),
                scores,
                2500,
                1,
                1,
                (("A", 14, 9, 132, 1), ("B", 9, 6, 90, 2)),
            ),
            ("PR-14.3", "PR-13.3"),
        ),
    )
