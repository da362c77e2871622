"""`python -m sinbin` is the command `sinbin`."""

from sinbin.cli import main

main()
