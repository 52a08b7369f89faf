"""Short mails about tables that have not begun: joining, seats, votes, what becomes of the table. Alike for every game."""


class LobbyPages:
    """One method a mail; every one takes the table and the reader first."""
