"""Why something done at once is refused: a code, as problems have them."""

from collections.abc import Mapping

_WHY: Mapping[str, str] = {
    "already-owned": "it is theirs already",
    "bad-target": "it needs another kingdom that it is against",
    "fallen": "that kingdom has fallen",
    "no-action": "nothing of that number, name or ruler waits for a word",
    "no-code": "no technology does that",
    "no-tech": "there is no such technology",
    "not-now": "the game is over",
    "out-of-range": "that number or text is too large or too small",
    "unknown-kingdom": "there is no such kingdom",
}


class Refused(ValueError):
    """The act is not possible now; `code` is that of the problem (SF-4), the text says it to a game
    master.
    """

    def __init__(self, code: str) -> None:
        super().__init__(_WHY.get(code, code))
        self.code = code
