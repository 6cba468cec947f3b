"""`python -m shedjoin doctor` and `python -m shedjoin demo`."""

import sys

from shedjoin import _doctor, demo

_COMMANDS = {"doctor": _doctor.main, "demo": demo.main}

if __name__ == "__main__":
    command = _COMMANDS.get(" ".join(sys.argv[1:]))
    if command is None:
        sys.exit("usage: python -m shedjoin doctor|demo")
    sys.exit(command())
