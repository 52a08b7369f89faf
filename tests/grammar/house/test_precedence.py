"""What a message is read as where it could be several things: press, a word of the house, an answer,
a note, orders.
"""

from pbem.grammar.addressees import Member, Roll
from pbem.grammar.house.commands import word_of
from pbem.grammar.house.message import Context, read_message
from pbem.grammar.house.statements import Press, left_of
from pbem.grammar.press import Press as PressPiece
from tests.played import PLAYED, spoken
from tests.rows import each_row

ROLL = Roll((Member(1, "Anna"), Member(2, "Bartek")), 1)
HEARD = spoken(PLAYED).heard[0]
ORDER = HEARD.orders[0]

TABLE = (
    ("status?", "status"),
    ("Status, please!", "status"),
    ("LIST", "status"),
    ("list", "status"),
    ("Could I have the status", "status"),
    ("please show me the map", "map"),
    ("/map", "map"),
    ("* map", "map"),
    ("Hello, players?", "players"),
    ("who has not sent orders yet?", "status"),
    ("is everybody waiting?", "status"),
    ("statsu", "status"),
    ("playrs", "players"),
    ("storder", "-"),
    ("state of the game", "-"),
    ("the map is nice", "-"),
    ("I like the map", "-"),
    ("show me the map please thanks", "map"),
    ("status of the game?", "-"),
    ("What's the deadline?", "deadlines"),
    ("when does it close", "deadlines"),
    ("Hi Greta, when is the deadline for orders?", "deadlines"),
    ("what are my orders?", "orders"),
    ("what are your orders?", "-"),
    ("what did I order?", "orders"),
    ("Could you tell me who plays?", "players"),
    ("how do I see the map?", "map"),
    ("Could I see the board again, please?", "map"),
    ("who is winning?", "status"),
    ("can I get a day more?", "more time"),
    ("I'm off on holiday until Friday", "away"),
    ("I'm off to bed", "-"),
    ("my zone Oslo", "zone"),
    ("{order}. When is the deadline?", "deadlines, order"),
    ("{order}. who plays?", "players, order"),
    ("LIST heron", "-"),
    ("LIST full", "status"),
    ("WHOIS Bartek", "profile"),
    ("infoplayer", "profile"),
    ("SET WAIT", "wait"),
    ("set wait", "wait"),
    ("GET FILES", "veterans"),
    ("Password", "veterans"),
    ("veterans", "veterans"),
    ("orders", "orders"),
    ("orders:", "-"),
    ("{order}", "order"),
    ("orders\n{order}", "orders, order"),
    ("orders:\n{order}", "order"),
    ("{order}\nstatus", "status, order"),
    ("{order}. status", "order"),
    ("status, {order}", "order"),
    ("show my orders please", "orders"),
    ("preview", "preview"),
    ("what if {order}?", "what-if"),
    ("preview of my orders?", "preview"),
    ("yes", "yes"),
    ("yes 2", "yes 2"),
    ("yes, 1 and 3, please", "yes 1 3"),
    ("ja 2", "yes 2"),
    ("yes 1, {order}", "yes 1, order"),
    ("yes but not now", "no-not-understood"),
    ("2", "no-not-understood"),
    ("no", "-"),
    ("no 2", "-"),
    ("GM: please wait", "note"),
    ("to the GM: status", "note"),
    ("note to gm:\nstatus\n\nmap", "status, map"),
    ("Dear GM, status please", "status"),
    ("GM status", "-"),
    ("press to Bartek: status", "press"),
    ("press to Bartek:\nhello\nstatus\n\nmap", "press"),
    ("PRESS TO Bartek\nSET WAIT\nENDPRESS\nstatus", "press, status"),
    ("to Bartek: hello", "press"),
    ("to Nobody: hello", "unsent"),
    ("press", "press"),
    ("press list", "press list"),
    ("press to", "unsent"),
    ("to Bartek: hello\n{order}", "press"),
    ("press by mail", "settings"),
    ("press digest daily", "digest"),
    ("mute Bartek", "mute"),
    ("mute Bartek, Anna", "-"),
    ("unmute all", "unmute"),
    ("help", "help"),
    ("help me", "help"),
    ("help orders", "help orders"),
    ("help P1", "order"),
    ("rules", "help"),
    ("rules 7.8", "rule"),
    ("rule PR-7.8", "rule"),
    ("rule: 7.8", "rule"),
    ("rule of thumb", "-"),
    ("explain 7.8", "rule"),
    ("explain P6", "why"),
    ("why P6?", "why"),
    ("why", "why"),
    ("why not", "-"),
    ("how was P6 decided?", "why"),
    ("history", "history"),
    ("history 3", "history"),
    ("history of the world", "-"),
    ("my time zone is Oslo", "zone"),
    ("time zone", "time zone"),
    ("zone cet", "zone"),
    ("my zone is my business", "zone"),
    ("my time zone is -5", "zone"),
    ("my language is German", "language"),
    ("language", "my language"),
    ("away from 3 to 10 July", "away"),
    ("I am away until Monday", "away"),
    ("away", "absences"),
    ("away with the fairies", "-"),
    ("I'm on holiday", "-"),
    ("back", "back"),
    ("I am back!", "back"),
    ("back in heron", "back"),
    ("more time", "more time"),
    ("more time until Friday 18:00", "more time"),
    ("extend the deadline by a day", "more time"),
    ("extend my deepest thanks", "-"),
    ("vote yes 3", "vote"),
    ("vote pause", "vote"),
    ("I vote yes", "vote"),
    ("propose a draw", "draw"),
    ("concede to Bartek", "concede"),
    ("vote for me", "-"),
    ("ready", "ready"),
    ("I am ready", "ready"),
    ("ready or not", "-"),
    ("final", "order"),
    ("wait", "wait"),
    ("wait for me", "wait"),
    ("wait a minute", "-"),
    ("don't wait", "nowait"),
    ("settings", "settings"),
    ("no bulletins", "settings"),
    ("turns by mail", "settings"),
    ("turns by pigeon", "settings"),
    ("quiet 22-7", "settings"),
    ("it is quiet here", "-"),
    ("digest daily", "digest"),
    ("digest it", "digest"),
    ("profile", "profile"),
    ("profile of Chloé", "profile"),
    ("my profile is none of your business, is it?", "-"),
    ("hall of fame", "hall of fame"),
    ("resign", "resign"),
    ("I want to leave the game", "leaving"),
    ("ich steige aus", "leaving"),
    ("{order}. I quit after this turn", "leaving, order"),
    ("Count me out, friends.\n{order}", "leaving, order"),
    ("if you attack me, I quit the game", "no-not-understood"),
    ("leave me alone", "-"),
    ("quit", "leave"),
    ("Dora plays for me until Friday", "stand in"),
    ("observers", "observers"),
    ("audit log", "log"),
    ("forget me", "forget me"),
    ("observe heron", "observe"),
    ("join", "join"),
    ("telegram", "telegram"),
    ("unlink", "unlink telegram"),
    ("record", "record"),
    ("resend", "resend"),
    ("what happened?", "happened"),
    ("deadline?", "deadlines"),
    ('"status"', "status"),
    ("> status", "-"),
    ("~~status~~", "-"),
    ("status map", "-"),
    ("status\nmap\n\nhistory", "status, map, history"),
)
"""A message, and all that it is read as (`-`: nothing, so that it goes to the game master)."""


def told(text: str) -> str:
    """All that it comes to, in the order in which the house reads: `press, status, order`."""
    text = text.replace("{order}", ORDER)
    statements = read_message(text, Context(ROLL))
    sent = [one.piece for one in statements if isinstance(one, Press)]
    found = ["press" if isinstance(piece, PressPiece) else "unsent" for piece in sent]
    said = left_of(text, statements)
    if not said.text.strip():
        return ", ".join(found)
    found += map(word_of, said.commands)
    found += ["leaving"] * bool(said.leaving)
    if said.answers is not None:
        found.append(" ".join(["yes", *map(str, said.answers)]))
    for item in HEARD.read(said.text).items:
        found.append(
            "order"
            if item.texts
            else "asked"
            if item.suggestion is not None
            else "-".join(["no"] + [p.code for p in item.problems])
        )
    if said.note is not None:
        found.append("note")
    return ", ".join(found).replace("no-no-order", "-")


@each_row(("text", "meant"), TABLE)
def test_what_comes_first_is_as_the_table_says(text: str, meant: str) -> None:
    assert told(text) == meant
