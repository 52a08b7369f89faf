"""Why something done at once is refused: a code, as problems have them."""


class Refused(ValueError):
    """The act is not possible now; `code` is that of the problem (SF-4)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
