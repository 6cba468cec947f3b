"""`python -m shedjoin demo`."""

import sys

from shedjoin import demo

if __name__ == "__main__":
    if sys.argv[1:] != ["demo"]:
        sys.exit("usage: python -m shedjoin demo")
    sys.exit(demo.main())
