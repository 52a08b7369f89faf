"""The section of docs/changing.md about an order of this game does what it says."""

from pathlib import Path

from tests.changes import make_change

ADDED = """
import random
import re
from pathlib import Path

from engine.chance import Chance
from engine.fortresses import orders as o
from engine.fortresses.phases.instructions import Advice
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.units import Units
from engine.ruleset import Seat, Standing
from pbem.games.fortresses.game import GAME
from pbem.grammar.house.reading import read_alone
from pbem.play import Seen

seats = [Seat(1, "Anna", "green"), Seat(2, "Ben", "purple")]
state = FORTRESSES.setup({}, seats, Chance(bytes(32))).state
while state.stage != "attack":
    state = FORTRESSES.adjudicate(state, {}, Chance(bytes(32))).state
(player,) = FORTRESSES.phase(state).asked
view, legal, share = FORTRESSES.view(state, player), tuple(FORTRESSES.legal(state, player)), o.Share("")
assert {share, o.Always(share)} <= {*legal}
shown = re.search("`(spread .+)` . (.+) .", Path("docs/games/fortresses/orders.md").read_text())
for written, meant in (("Please share all losses.", "Share the losses"), shown.groups(),
                       ("always: spread losses", "Always: Share the losses")):
    read = read_alone(GAME.read, state, player, Standing(), written)
    assert [*map(o.format_order, read.checked.accepted)] == [meant], (written, read)
    assert o.format_order(o.parse_order(meant)) == meant
assert Advice("Syria", [share], []).losses(Units(L=4, K=3), 3) == Units(L=2, K=1)
assert Advice("Syria", [], []).losses(Units(L=4, K=3), 3) == Units(L=3)
told = FORTRESSES.check(state, player, Standing((share,)), (o.Share("Syria"), share))
assert told.standing.orders == (o.Share("Syria"), share), told
assert GAME.menu.way_to("Share the losses", view, legal) == ("Instructions", "Share the losses")
assert GAME.play.word(Seen(player, view, legal), (share,), random.Random(1)) == ["Share the losses"]
"""
"""What is so after the change."""


def test_an_order_kind_is_added_in_four_files(tmp_path: Path) -> None:
    make_change("Add an order kind", 4, tmp_path, ADDED)
