"""What the clauses of a message come to, one by one, before the position is asked."""

from dataclasses import dataclass

from pbem.grammar.drafts import Draft
from pbem.grammar.lexemes import Lexeme


@dataclass(slots=True)
class Entry:
    """What one clause (or a few that belong together) came to: a draft, or why it is none."""

    start: int
    end: int
    line: int
    draft: Draft | None = None
    trouble: str = ""
    at: Lexeme | None = None
    suggests: bool = True
    glued: bool = False
    from_question: bool = False
