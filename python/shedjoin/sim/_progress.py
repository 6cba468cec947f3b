"""How far long runs are."""

from __future__ import annotations

import sys
import time


class Progress:
    """A line on stderr, from two seconds on: rewritten in place on a terminal, elsewhere a new one now and then."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.started = self.last = time.monotonic()
        self.is_shown = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_shown and sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def show(self, done: int) -> None:
        now = time.monotonic()
        is_terminal = sys.stderr.isatty()
        if now - self.started < 2 or (not is_terminal and now - self.last < 10):
            return
        line = f"shedjoin.sim: {done:,} of {self.rows:,} rows, {done / (now - self.started):,.0f} a second"
        print(f"\r\x1b[K{line}" if is_terminal else line, end="" if is_terminal else "\n", file=sys.stderr, flush=True)
        self.last, self.is_shown = now, True
