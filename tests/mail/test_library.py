"""Python's own mail library: its fixes are looked for, and our letters do not rest on them
(F-47).
"""

import sys

import pytest

from pbem.doctor.machine import check_python
from pbem.findings import Grade
from pbem.mail.composer import check_head
from pbem.mail.library import FIXED_IN, FIXES, describe, missing_fixes
from pbem.mail.ports import WireError

FIRST_FIXED = {
    tuple(map(int, text.split(".")[:2])): tuple(map(int, text.split(".")))
    for text in FIXED_IN.replace(" or ", ", ").split(", ")
}


def test_f47_a_python_of_the_named_patch_level_has_every_fix() -> None:
    """What is looked for is what the fixes brought; on an older one some may be missing, and the
    doctor says which.
    """
    first = FIRST_FIXED.get(sys.version_info[:2])
    if first is None or sys.version_info[:3] >= first:
        assert missing_fixes() == ()
    assert set(missing_fixes()) <= set(FIXES)


def test_f47_the_doctor_names_the_fixes_that_are_missing_and_the_patch_level() -> None:
    finding = check_python()
    missing = missing_fixes()
    assert finding.grade is (Grade.WARNING if missing else Grade.OK)
    assert all(name in finding.words for name in missing)
    if missing:
        assert FIXED_IN in finding.mend
    assert "CVE-2024-6923" in describe(("CVE-2024-6923",))
    assert FIXED_IN in describe(("CVE-2024-6923",))


@pytest.mark.parametrize(
    "raw",
    [
        b"From: a\r\nSubject: b\r\nBcc: evil@example.org\r\n\r\ntext\r\n",
        b"From: a\r\nSubject: b\r\nSubject: c\r\n\r\ntext\r\n",
        b"Subject: b\r\nFrom: a\r\n\r\ntext\r\n",
        b"From: a\r\nSubject: b\r\nno field\r\n\r\ntext\r\n",
        b"From: a\r\n\r\nSubject: b\r\n\r\ntext\r\n",
    ],
)
def test_f47_a_head_that_is_not_the_one_we_wrote_never_leaves(raw: bytes) -> None:
    with pytest.raises(WireError, match="none of ours"):
        check_head(raw, ["From", "Subject"])
    check_head(
        b"From: a\r\n b: c\r\nSubject: b\r\n\tBcc: x\r\n\r\nBcc: text\r\n", ["From", "Subject"]
    )
