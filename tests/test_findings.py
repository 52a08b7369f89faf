"""The findings of all examinations: each is made somewhere, and says what to do."""

import ast
from pathlib import Path

import pytest

from pbem.findings import Grade, load_findings

ROOT = Path(__file__).parents[1]


def words_of(package: str) -> set[str]:
    """Every text in the code of a package which is a code of a finding, or may become one."""
    trees = [ast.parse(file.read_text("utf-8")) for file in (ROOT / package).glob("*.py")]
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@pytest.mark.parametrize("package", ["pbem/doctor", "pbem/conformance"])
def test_each_finding_is_made_somewhere_and_has_a_mend_unless_it_is_well(package: str) -> None:
    findings, words = load_findings(package.replace("/", ".")), words_of(package)
    assert {code.removeprefix("well-") for code in findings} <= words | {"well"}
    assert all(bool(one.mend) != (one.grade is Grade.OK) for one in findings.values())
