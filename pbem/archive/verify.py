"""What a page needs to check a game in a browser alone: the record as a script."""

from pbem.archive.model import Proof

RECORD_SCRIPT = "record.js"
"""The record of a game as a plain script: a page that was opened from a disk may not fetch a file.
"""


def record_script(proof: Proof) -> str:
    """A script that hands the record to the page."""
    return f"window.RECORD = {proof.record.decode().strip()};\n"
