"""Orders that are only told of, put off, said to others or taken back, and the same words where
they order (SS-13).
"""

from tests.games.sovereigns.reading.tables import read
from tests.rows import each_row

HELD = (
    # what governs the action
    *("postpone the expedition with 2", "skip the attack on Borland with 3"),
    *("call off the attack on Borland with 3", "quell the revolt in Borland with 2"),
    *("fondant revolt in Borland with 2", "delay research with 2", "await the expedition with 2"),
    *("I'm afraid to attack Borland with 3", "we need 4 military to attack Borland"),
    *("in case Ben attacks me, security with 2", "Defend against Borland's attack with 3"),
    # what would be, what others say
    *("attacking Borland with 3 would be suicide", "The attack on Borland with 3 failed"),
    *("attack Borland with 3, he says", "headline: attack Borland with 3"),
    *("my advisors say: accept offer 1", "I think I accept offer 1"),
    *("Attack Borland with 3, but not this year", "rule by fear costs too much"),
    # said to others
    *("Ben, could you attack Cyrene with 3 for me?", "Ben, attack Cyrene with 3"),
    *("Dear Ben, please accept my offer", "Ben, accept offer 2", "Ben, claim victory"),
    *("Ben, vote no on my claim", "Chloé, I accept", "I accept, Chloé", "Deal, Chloé!"),
    *("Dear Chloé,\nI accept your offer.", "vote yes on Borland, Chloé!"),
    *("claim victory, Ben, and see what happens", "withdraw your army, Chloé"),
    # one word more
    *("accepted, conditional on peace", "accept, with 2 instead of 1", "claim victory next year"),
    *("accept 1 resource from Ben", "cancel all meetings", "accept my thanks, Ben"),
    *("I withdraw my objection to action 14", "It's a deal for Borland, not for us"),
    *("forget every season ticket", "I claim victory over the winter"),
    # taken back behind it
    *("I accept Borland's offer. No I don't!", "give Cyrene 1 resource permanently. Joke!"),
    *("claim victory. Oops, wrong chat", "Claim victory! shouted my army"),
    *("Offer Ben 1 resource. Expires in 12 hours.", "Give Ben steel. And we get sails."),
    # parts that fit nowhere
    *("Attack Borland with 3, to Cyrene", "ES: Exp 2", "use the hospital", "raise taxes with 2"),
    *("build hospital, 2 military", "expedition, leave one at home", "Burn Borland's camp"),
    *("Send the army to Borland", "Protect us from Cyrene's missionaries with 2"),
    *("Every season expedition with 2, except Winter", "harmny thre"),
)


@each_row("text", HELD)
def test_nothing_stands_of_what_is_told(text: str) -> None:
    assert read(text)[0] == []


@each_row(
    ("text", "order"),
    [
        ("all our troops against Cyrene", "Attack Chloé: all M"),
        ("Attack Borland with 3, eh, Cyrene", "Attack Chloé: 3M"),
        ("Use the boon! Attack Borland with 3.", "Attack Ben: 3M, boon"),
        ("The army will attack Borland with 3", "Attack Ben: 3M"),
        ("Our plan is to attack Borland with 3", "Attack Ben: 3M"),
        ("increase\nmilitary\nwith 2", "Increase M: 2R"),
        ("Fom Borland 2 boon", "Foment Ben: 2H, boon"),
        ("Thanks, deal!", "Accept offer 1"),
        ("Deal, Ben!", "Accept offer 1"),
        ("Ben: I accept offer 1", "Accept offer 1"),
        ("We gladly accept offer 1.", "Accept offer 1"),
        ("I claim victory, who could stop me?", "Claim victory"),
        (
            "We offer Borland 2 military and we would like 1 resource, permanently, in return.",
            "Offer Ben: 2M until year end against 1R permanent",
        ),
        (
            "Research with 2. We want siege towers: tall ones. +2 whenever we attack.",
            "Research: 2R, siege towers = STAT-ACT Attack",
        ),
        (
            "Attack Cyrene with 3. Should they be gone by then, go for Borland with 2 instead.",
            "Attack Chloé: 3M else Attack Ben: 2M",
        ),
    ],
)
def test_the_same_words_where_they_order(text: str, order: str) -> None:
    assert read(text) == ([order], ())


@each_row(
    "text",
    [
        *(
            "accept offer 1; instead decline it",
            "Claim victory for Borland",
            "vote yes on my claim",
        ),
        "offer Cyrene 1 resource for 1 soldier, sorry, Borland 2 soldiers",
        *("ask Cyrene for 1 of Borland's soldiers", "attack Borland with 2. I mean, 1 and 2"),
        *(
            "We offer Ben steel, or sails to Chloé",
            "unless Borland has 3 soldiers, attack it with 2",
        ),
        *(
            "Two effects: +1 on military rolls and +1 on harmony rolls: propose x",
            "expedition with 2 or fear",
        ),
    ],
)
def test_what_was_taken_by_mistake_is_asked_about(text: str) -> None:
    stands, codes = read(text)
    assert stands == []
    assert codes


@each_row(
    ("text", "order"),
    [
        ("attack Borland with 3. Scratch that, expedition with 2.", "Expedition: 2M"),
        ("Instead of Cyrene attack Borland with 2", "Attack Ben: 2M"),
        ("attack player 2 with 2", "Attack Ben: 2M"),
        ("research with 2, sorry, use the works", "Research: 2R, works"),
        ("research with 2. Sorry, deplete 1.", "Research: 2R + 1 depleted"),
        (
            "for 1 soldier we give Cyrene 1 resource",
            "Offer Chloé: 1R until year end against 1M until year end",
        ),
        (
            "offer Cyrene 1 resource for 1 soldier, both for 3 seasons",
            "Offer Chloé: 1R for 3 seasons against 1M for 3 seasons",
        ),
        (
            "propose windmills: +1 on all resources rolls, grown from steel",
            "Propose windmills = STAT-ROLL R from steel",
        ),
    ],
)
def test_what_is_said_again_or_ahead(text: str, order: str) -> None:
    assert read(text) == ([order], ())
