"""What is said of orders without ordering, and what holds an order back: it is asked about or left
alone, and nothing of it stands (SS-13). What takes effect at once cannot be taken back.
"""

from tests.games.sovereigns.reading.tables import read
from tests.rows import each_row

AT_ONCE = (
    *("I would accept if you add 1", "I would accept offer 1", "maybe I'll claim victory"),
    *("I could claim victory next year", "I might accept your offer", "I accept. Not.", "deal?"),
    *("Should I accept offer 1?", "If you attack Cyrene, I accept offer 1"),
    *("I'd accept offer 1 for another resource", "accept offer 1 tomorrow"),
    *("accept offer 1 only if steel stays ours", "I wanted to accept offer 1"),
    *("We accepted offer 1 last year", "Ben accepts offer 1", "I will never accept offer 1"),
    *("I vote yes if Chloé does", "vote yes on Borland tomorrow", "Borland has won", "I win"),
    *("offer Cyrene 1 resource? no way", "I offered Cyrene 1 resource"),
    *("Ben offers Cyrene 1 resource", "give Cyrene 1 resource next season"),
    *("give Cyrene 2 resources and Borland 1 resource", "lend Cyrene 2"),
    "lend Cyrene 2 military for 2 seasons... hold on, we need them ourselves",
    *("if I lose I abdicate", "I would rather abdicate than lose"),
    *("Long live the king, I abdicate in spring", "I object to action 14 unless Ben explains"),
    "Dear Dmitri, winter is near",
)
HELD = (
    "attack Borland with 3 next season",
    "we do not want our standing order for the seasons any longer",
    "attack Borland with 3, but ask Chloé first",
    "I'd love to attack Borland with 3, but my wife won't let me",
    *("attack Borland with 3 fewer than all", "attack Borland with more than 3"),
    *("attack Borland with about 3", "attack Borland with 2 or 3"),
    *("attack Borland or Cyrene with 2", "attack Borland and Cyrene with 2"),
    *("attack not Borland but Cyrene with 2", "attack Borland with 3 and Cyrene with 2"),
    *("attack the friends of Borland with 2", "attack Borland's friends with 2"),
    *("attack Borland with all my friends", "Borland attacks Cyrene with 3"),
    *("Cyrene wants me to attack Borland with 3", "they told me to attack Borland with 3"),
    *("attack Borland with 3 unless they apologise", "attack Borland with 3 once they are weak"),
    *("attack Borland with 3\n4 not 3", "increase harmony or military with 2"),
    "every second season expedition with 2",
    *("Every season attack Borland with 2 and research with 1", "harmony 3 or fear"),
    *("Pass me the salt", "do not pass", "Cancel the attack on Borland"),
    "Build the vault. Scrap the hospital.",
    *("attack Borland with 3. Cancel the attack on Cyrene.", "The attack on Borland is off"),
    *("attack Borland with tree", "Ben and Chloé laughed at me. Attack them with 3."),
    *("increase both military and harmony with 2", "train 2 soldiers", "research 2 + 1d"),
    *("We fear nothing", "Nothing is fine", "Research shows that cats rule"),
    "we offer Cyrene 1 resource; she gives us 1 soldier",
    *("I was thinking: attack Borland with 3", "Everyone expects me to attack Borland with 3"),
    *("Next season: attack Borland with 3", "Our spies report that Borland has 3 military"),
)


@each_row("text", [*AT_ONCE, *HELD])
def test_nothing_of_it_stands(text: str) -> None:
    stands, codes = read(text)
    assert stands == []
    assert codes


@each_row(
    ("text", "texts"),
    [
        (
            "attack Borland with 3; if they are gone, expedition with 2",
            "Attack Ben: 3M else Expedition: 2M",
        ),
        ("attack Borland. With 3.", "Attack Ben: 3M"),
        ("Attack Borland with 3. Spare their buildings.", "Attack Ben: 3M, spare buildings"),
        (
            "Attack Borland with 3. Burn the vault if we crush them.",
            "Attack Ben: 3M, burn BLD-VAULT",
        ),
        ("expedition with 2, every season", "Every season: Expedition: 2M"),
        ("lend Cyrene 1 military, 2 seasons", "Offer Chloé: 1M for 2 seasons against nothing"),
        ("attack Borland with 3 (sorry, 4)", "Attack Ben: 4M"),
        ("2 res + deplete 1 for research", "Research: 2R + 1 depleted"),
    ],
)
def test_parts_that_belong_together(text: str, texts: str) -> None:
    assert read(text) == ([texts], ())


@each_row(
    ("text", "texts"),
    [
        ("attack seat 2 with 1", "Attack Ben: 1M"),
        ("attack the second seat with 1", "Attack Ben: 1M"),
        ("attack Bor with 1", "Attack Ben: 1M"),
        ("attack Borlnad with 1", "Attack Ben: 1M"),
        ("attack CHLOE with 1", "Attack Chloé: 1M"),
        ("attack Ben's kingdom with 1", "Attack Ben: 1M"),
    ],
)
def test_kingdoms_by_every_name(text: str, texts: str) -> None:
    """SS-13."""
    assert read(text) == ([texts], ())
