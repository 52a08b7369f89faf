"""The changes of docs/changing.md, made in a copy of the tree."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "changing.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", PAGE, re.MULTILINE))
STEP = re.compile(
    r"^In `([^`]+)`, (above|below|in place of) (`{1,2})(.+?)\3:\n\n((?:    .*\n|\n(?=    |\n))+\n?)",
    re.MULTILINE,
)


def make_change(section: str, most_files: int, tree: Path, check: str) -> None:
    """Make the change of a section in a copy of the tree, in as many files as it says, and run what
    has to be so after it.
    """
    steps = STEP.findall(SECTIONS[section])
    assert 1 <= len({path for path, *_ in steps}) <= most_files
    for folder in ("pbem", "engine", "templates", "docs"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tree / folder, ignore=ignored)
    for path, where, ticks, line, block in steps:
        changed, found = tree / path, line if ticks == "`" else line.strip()
        changed.write_text(with_block(changed.read_text("utf-8"), block, where, found), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", check],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def with_block(text: str, block: str, where: str, line: str) -> str:
    """The file with the block above, below or in place of that line, indented as it is."""
    found = re.search(rf"^{re.escape(line)}(?=\W).*\n", f"{text}\n", re.MULTILINE)
    assert found is not None, line
    indent = line[: len(line) - len(line.lstrip())]
    code = re.sub(r"^    ", indent, block.rstrip("\n") + "\n", flags=re.MULTILINE)
    blank = block.count("\n") - block.rstrip("\n").count("\n") - 1
    code += "\n" * (blank if where == "above" else 0)
    start = found.end() if where == "below" else found.start()
    end = found.start() if where == "above" else found.end()
    return text[:start] + code + text[end:]
