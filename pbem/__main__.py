"""`python -m pbem`: the command line, where its script is not on the path."""

from pbem.cli import main

main()
