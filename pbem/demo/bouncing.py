"""One address that stops working late in the game: somebody who is out has closed the mailbox."""

from pbem.demo.stage import Moment, Stage
from pbem.play import Person

_PHASES_LATER = 2


class Closed:
    """Closes the mailbox of the first player who is eliminated, some phases later, so that one
    bulletin bounces.
    """

    def __init__(self, stage: Stage, spared: Person) -> None:
        """`spared` keeps the mailbox: the gallery shows it."""
        self._stage = stage
        self._spared = spared.name
        self._out_since: dict[int, int] = {}
        self._done = False

    async def look(self, moment: Moment) -> None:
        """Told of every new phase."""
        for player in self._stage.correspondents:
            if (
                player.number in self._stage.play.fallen(moment.view)
                and player.person.name != self._spared
            ):
                since = self._out_since.setdefault(player.number, moment.phase_number)
                if not self._done and moment.phase_number >= since + _PHASES_LATER:
                    self._done = True
                    self._stage.mail.kill_mailbox(player.sender.address)
