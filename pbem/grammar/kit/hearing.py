"""A message on its way, sentence by sentence: orders, words that turn orders or take them back,
talk, and what one sentence leaves to the next.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.grammar.kit.apart import governs_itself
from pbem.grammar.kit.holding import Manner, asks, is_material, solid_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.rings import Judged, shades
from pbem.grammar.kit.sentences import Sentence

MOST_SENTENCES = 400
REVISING = frozenset({"correct", "soft", "instead", "retract"})


@dataclass(slots=True)
class Hearing(ABC):
    """One message; `text` is what of it is the game's."""

    manner: ClassVar[Manner]

    plain: Plain
    text: str
    shade: bool = False
    """A heading turns the lines below it."""
    pending: str = ""
    """A cue that nothing has followed yet."""
    lost: bool = False
    """The message says itself that it does not count."""
    later: bool = False
    """The sentence before tells of a later time: `Next year will be different. Then ...`"""

    def hear_all(self, sentences: Sequence[Sentence]) -> bool:
        """Take in the sentences; whether there are too many, and the last ones were not read."""
        for number, sentence in enumerate(sentences[:MOST_SENTENCES]):
            self.sentence(sentence, number)
        self.close()
        return len(sentences) > MOST_SENTENCES

    def hear(
        self, sentence: Sentence, judged: Sequence[Judged], turn: Callable[[], Lexeme | None]
    ) -> None:
        """Take in one sentence by its clauses; `turn`: what turns its orders."""
        material = is_material(judged)
        self.lost |= any(one.clause.cue == "draft" for one in judged)
        turned = turn() if material else None
        said = [x for one in judged for x in one.clause.lexemes]
        if material and self.later and said and said[0].text == "then":
            turned = turned or said[0]
        self.later = not material and any(x.kind == "LATER" for x in said)
        if asks(sentence, judged, self.manner):
            self.ask(sentence, judged)
        elif material and (self.shade or turned is not None):
            self.hold(sentence, judged, turned)
        elif material:
            self.order(sentence, judged)
        else:
            self.talk(sentence, judged)
        last = judged[-1].clause if judged else None
        if last is not None and last.cue not in {"", "soft"} and not solid_of(last.lexemes):
            self.pending = last.cue if self.stands() else ""
        if shades(sentence, judged) and not governs_itself(sentence.clauses):
            self.shade = True
        elif sentence.ended == "PARA":
            self.shade = False

    def parts(
        self,
        judged: Sequence[Judged],
        goes_on: Callable[[Sequence[Judged], str], bool] = lambda part, cue: False,
    ) -> Iterator[tuple[list[Judged], str]]:
        """The clauses of a sentence, parted where one corrects what was said and does not continue
        with it; each part with its cue.
        """
        part, cue = list[Judged](), self.pending
        self.pending = ""
        for one in judged:
            if one.clause.cue in REVISING and not goes_on(part, one.clause.cue):
                yield part, cue
                part, cue = [], one.clause.cue
            part.append(one)
        yield part, cue

    def close(self) -> None:
        """The end of the message: what hangs in the air takes back what was said."""
        if self.pending or self.lost:
            self.ask_all()

    @abstractmethod
    def sentence(self, sentence: Sentence, number: int) -> None:
        """Take one sentence in."""

    @abstractmethod
    def stands(self) -> bool:
        """Whether any order stands so far."""

    @abstractmethod
    def ask_all(self) -> None:
        """Nothing that was said so far is taken."""

    @abstractmethod
    def ask(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        """A question."""

    @abstractmethod
    def hold(self, sentence: Sentence, judged: Sequence[Judged], turn: Lexeme | None) -> None:
        """Orders that something turns."""

    @abstractmethod
    def order(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        """Orders."""

    @abstractmethod
    def talk(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        """What orders nothing may take back what was said, or hang a condition on it."""
