"""Who wants to leave, in whatever words, and what only sounds like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.grammar.kit.normalise import fold
from pbem.grammar.leaving import find_leaving, wants_to_leave
from tests.rows import each_row

LEAVING = (
    *("I want to leave the game", "please unsubscribe me", "unsubscribe", "I quit", "count me out"),
    *("stop sending me mails", "take me off the list", "I'd like to quit the game, please."),
    *("How do I leave?", "How can I get out of this game?", "I don't want to play any more"),
    *("I do not want to play anymore.", "I don’t want to be part of this game any longer"),
    *("I'm out", "I'm leaving the game.", "Please remove me from the game"),
    *("Sorry, I have to drop out.", "I can't go on playing", "I am done with this game"),
    *("Please stop these e-mails!", "no more mails please", "don't write to me any more"),
    *("I give up", "I am quitting", "let me out of this game", "cancel my subscription"),
    *("I no longer wish to receive these messages", "please cancel my participation"),
    *("I have no time for this any more. I'm dropping out.", "remove me from your mailing list"),
    *("opt out", "I want out!!", "Can I leave the table?"),
    "Hi Greta,\n\nI want to leave the game.\n\nSorry,\nAnna",
    *("I think I will have to leave the game, sorry", "UNSUBSCRIBE ME NOW"),
    *("I'd rather not play any more", "Is there a way to leave this game?"),
    "Unfortunately I have to leave the game because of my job.",
    *("I won't be playing any more, sorry everybody", "We moved house and I must stop playing."),
    *("ich steige aus", "Ich möchte leider aussteigen, weil ich umziehe.", "je quitte la partie"),
    *("j'arrête", "voglio uscire dal gioco", "quiero salir del juego", "gostaria de sair do jogo"),
    *("ik stop ermee", "chcę zrezygnować z gry", "jag vill sluta spela"),
    *("how do I get out of here?", "can someone else take my seat?", "I surrender"),
    *("I quit after this turn.", "Count me out, friends."),
)
STAYING = (
    *("P3 leaves", "leave 2 in P4", "leave the province", "I want to leave P3"),
    *("I want to leave the city", "leave, go to Kurull", "attack, then leave", "leave"),
    *("leave the battle", "I quit the fight in P3", "take my unit off P3", "take P4 off the list"),
    *("Dora wants to leave the game", "Has Dora left the game?", "Who has left the game?"),
    *("unsubscribe Dora", "count me in", "count me out of the attack on Dora"),
    *("I leave it to chance", "leave my orders as they are", "stop sending units to P3"),
    *("stop sending me gold", "I quit my job today, so I have more time now"),
    *("I don't want to play Iron Shield", "I don't want to play final yet", "I'm out of gold"),
    *("I'm out of town next week", "I'm leaving tomorrow for a week"),
    *("I leave for Spain on Friday", "Don't leave the game, Dora!", "if Dora quits, I quit"),
    *("remove me from P3", "I want to leave my army in P2", "I give up P3"),
    *("I give up 2 gold to Dora", "drop out of the auction", "no more bids", "stop reminders"),
    *("let me out of the prison", "I would never leave the game!"),
    *("I don't want to leave the game", "sign me up", "I am done with my orders"),
    *("I can't go on with the attack", "no more mails from Dora please"),
    *("I want to leave the game open until Friday", "ich steige aus dem Kampf um P3 aus"),
    *("je quitte P3", "wenn Ben aussteigt, steige ich aus", "voglio uscire da P3", "quit heron"),
)


@each_row("text", LEAVING)
def test_f28_who_wants_to_leave_is_understood(text: str) -> None:
    assert wants_to_leave(text)


@each_row("text", STAYING)
def test_f28_what_only_sounds_like_leaving_is_not_taken_for_it(text: str) -> None:
    assert not wants_to_leave(text)


@pytest.mark.parametrize("text", ["quit heron", "leave the Grey Heron", "I want to leave Heron"])
def test_a_table_is_left_by_its_name(text: str) -> None:
    assert list(find_leaving(fold(text), ("the grey heron", "heron")))


@given(
    st.lists(
        st.sampled_from([*LEAVING[:30], "march 2 to P3", "and", ",", "so", "hold", "-", "sorry"]),
        max_size=5,
    )
)
def test_f28_a_look_at_the_words_misses_nobody(pieces: list[str]) -> None:
    """With an `i` in front of it every text is read to its end."""
    text = fold(" ".join(pieces))
    read = [(start - 2, end - 2) for start, end in find_leaving(f"i;{text}")]
    assert list(find_leaving(text)) == read
