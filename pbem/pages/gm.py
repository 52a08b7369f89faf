"""Short mails between the house and its game masters, and what a game master's command tells the table. Alike for every game."""


class GmPages:
    """One method a mail; every one takes the table and the reader first."""
