"""`python -m shedjoin doctor`, `demo`, `simulate` and `compare`."""

import sys

from shedjoin import _doctor, demo

_COMMANDS = {"doctor": _doctor.main, "demo": demo.main}

if __name__ == "__main__":
    if sys.argv[1:2] in (["simulate"], ["compare"]):
        from shedjoin.sim import _cli

        sys.exit(_cli.main(sys.argv[1:]))
    command = _COMMANDS.get(" ".join(sys.argv[1:]))
    if command is None:
        sys.exit("usage: python -m shedjoin doctor|demo|simulate|compare")
    sys.exit(command())
