"""What the check of a game finds; `findings.words` has each finding in words."""

from pbem.findings import Findings

found = Findings("pbem.conformance")
