"""What is still allowed, and may only fall: budgets of findings and of long sentences, one number a
folder, page or room, in `budget.txt`, `long_sentences.txt` and `docstrings_budget.txt`.

    python -m tests.prose.budgets    # lowers every number that can be lower; raises none
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.prose.finding import (
    ROOT,
    Finding,
    findings_in,
    load_patterns,
    modules_of_house,
    prose_of_comments,
    prose_of_house,
    prose_of_page,
    room_of,
)
from tests.prose.measure import Sentence, too_long

HERE = Path(__file__).parent
FINDINGS = HERE / "budget.txt"
COMMENTS = HERE / "docstrings_budget.txt"
SENTENCES = HERE / "long_sentences.txt"
MOST_WORDS = 25


def read_budget(file: Path) -> Mapping[str, int]:
    """The numbers by name; a name that does not stand there has none."""
    rows = (line.split() for line in file.read_text("utf-8").splitlines())
    return {row[1]: int(row[0]) for row in rows if row and row[0] != "#"}


def faults(found: Mapping[str, Sequence[object]], budget: Mapping[str, int]) -> Iterator[str]:
    """A line for each name that has more than its budget, with every place; and one for each that
    has less, so that the number follows.
    """
    for name in sorted({*found, *budget}):
        count, allowed = len(found.get(name, ())), budget.get(name, 0)
        if count > allowed:
            yield f"{name}: {count}, and {allowed} are allowed"
            yield from (f"  {one}" for one in found[name])
        elif count < allowed:
            yield f"{name}: lower the budget to {count} (python -m tests.prose.budgets)"


def all_findings() -> dict[str, list[Finding]]:
    """Every finding in the house, by folder."""
    found: dict[str, list[Finding]] = {}
    for file, prose in prose_of_house().items():
        for finding in findings_in(prose, file):
            found.setdefault(finding.folder, []).append(finding)
    return found


def findings_in_comments() -> dict[str, list[Finding]]:
    """Every finding in docstrings and comments, by room."""
    patterns = load_patterns("docstrings.txt")
    found: dict[str, list[Finding]] = {}
    for file, text in modules_of_house().items():
        told = " ".join(text.split())
        some = tuple(one for one in patterns if one.expression.search(told))
        for finding in findings_in(prose_of_comments(text), file, some) if some else ():
            found.setdefault(room_of(file), []).append(finding)
    return found


def pages() -> list[Path]:
    """The pages in Markdown that are measured."""
    return sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])


def long_sentences() -> dict[str, list[str]]:
    """The sentences of more than `MOST_WORDS` words, by page."""
    found: dict[str, list[str]] = {}
    for page in pages():
        name = page.relative_to(ROOT).as_posix()
        for sentence in too_long(prose_of_page(page.read_text("utf-8")), MOST_WORDS):
            found.setdefault(name, []).append(shown(name, sentence))
    return found


def shown(name: str, sentence: Sentence) -> str:
    return f"{name}:{sentence.line}: {sentence.words} words: {sentence.text}"


def _lower(file: Path, found: Mapping[str, Sequence[object]]) -> None:
    heading = [line for line in file.read_text("utf-8").splitlines() if line.startswith("#")]
    counts = Counter({name: len(places) for name, places in found.items()})
    lowered = {name: min(count, counts[name]) for name, count in read_budget(file).items()}
    rows = [f"{count:4} {name}" for name, count in sorted(lowered.items()) if count]
    file.write_text("\n".join([*heading, *rows]) + "\n", "utf-8")


if __name__ == "__main__":
    _lower(FINDINGS, all_findings())
    _lower(SENTENCES, long_sentences())
    _lower(COMMENTS, findings_in_comments())
