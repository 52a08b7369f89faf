"""What the doctor finds; `findings.words` has each finding in words."""

from pbem.findings import Findings

found = Findings("pbem.doctor")
