"""The front door of the runner."""

import os
import sys

from runner.cli import main

if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    # A model call in flight cannot be interrupted, and a usual exit would wait for it.
    os._exit(code)
