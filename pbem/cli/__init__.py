"""The command line: `pbem --help` lists what there is."""

import sys

from pbem.cli.app import app
from pbem.cli.exits import EXIT_TEMPORARY, report_failure


def main() -> None:
    """Entry point of the console script; every expected failure becomes one line and an exit
    status.
    """
    try:
        app(standalone_mode=True)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(EXIT_TEMPORARY)
    except OSError as error:
        report_failure(str(error))
        sys.exit(EXIT_TEMPORARY)
