"""One thing in the place of another of its class: `Enter Jerum. No, Arub.`"""

from collections.abc import Iterable, Sequence

from pbem.games.realm_master.reading.entries import CLASSES, PieceEntry, class_of, thing_of
from pbem.games.realm_master.reading.parts import Piece
from pbem.grammar.kit.lexemes import Lexeme

_LINKS = frozenset({"AND", "OR"})


def exchanges(
    last: PieceEntry, said: Sequence[Lexeme], denied: Sequence[int], *, only: bool
) -> Iterable[list[Piece]]:
    """The pieces of an entry with the words of a fragment in the one place where they fit."""
    new = list(said)
    if denied:  # `Arub, not Jerum`
        i = denied[0]
        if len(denied) > 1 or len(new) != 3 or i + 1 == len(new):
            return
        old, put = new[i + 1], next(x for j, x in enumerate(new) if j not in (i, i + 1))
        places = [x for x in last.lexemes if thing_of(x) == thing_of(old)]
        if len(places) == 1 and class_of(old) == class_of(put):
            yield exchanged(last, places, [put])
        return
    pattern = [class_of(x) for x in new]
    if len(new) > 1 and not any(x.kind in _LINKS for x in new):
        windows = [
            piece.lexemes[at : at + len(new)]
            for piece in last.pieces
            for at in range(len(piece.lexemes) - len(new) + 1)
            if [class_of(x) for x in piece.lexemes[at : at + len(new)]] == pattern
        ]
        if len(windows) == 1:
            yield exchanged(last, windows[0], new)
        return
    classes = {class_of(x) for x in new if x.kind not in _LINKS}
    if len(classes) != 1 or not classes <= {*CLASSES.values()}:
        return
    wanted = classes.pop()
    runs = [run for piece in last.pieces for run in _runs(piece.lexemes, wanted)]
    if len(runs) != 1:
        return
    run = runs[0]
    if len(run) > 1 and len(new) == 1 and not only:
        return  # which of them?
    yield exchanged(last, run, new)


def _runs(lexemes: Sequence[Lexeme], wanted: str) -> list[list[Lexeme]]:
    """Lists of things of a class: `blanks and coins`."""
    runs: list[list[Lexeme]] = []
    open_run: list[Lexeme] = []
    for lexeme in (*lexemes, Lexeme("END", "", 0, 0)):
        if class_of(lexeme) == wanted or (open_run and lexeme.kind in _LINKS):
            open_run.append(lexeme)
            continue
        while open_run and open_run[-1].kind in _LINKS:
            open_run.pop()
        if open_run:
            runs.append(open_run)
        open_run = []
    return runs


def exchanged(last: PieceEntry, old: Sequence[Lexeme], new: Sequence[Lexeme]) -> list[Piece]:
    gone = {id(x) for x in old}
    told = []
    for piece in last.pieces:
        lexemes: list[Lexeme] = []
        for x in piece.lexemes:
            if x is old[0]:
                lexemes += new
            elif id(x) not in gone:
                lexemes.append(x)
        told.append(Piece(piece.joiner, lexemes))
    return told
