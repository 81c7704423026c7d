"""`python -m coldseek` is `coldseek`."""

import sys

from coldseek.cli import main

if __name__ == "__main__":
    sys.exit(main())
