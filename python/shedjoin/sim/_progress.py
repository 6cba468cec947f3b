"""How far long runs are."""

from __future__ import annotations

import sys
import time

from shedjoin._terminal import Line

_QUIET_SECONDS = 2


class Progress:
    """A line on stderr, for runs that take longer than two seconds."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._started = time.monotonic()
        self._line = Line(sys.stderr, seconds_a_line=10)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.clear()

    def show(self, done: int) -> None:
        seconds = time.monotonic() - self._started
        if seconds >= _QUIET_SECONDS:
            self._line.show(f"shedjoin.sim: {done:,} of {self._rows:,} rows, {done / seconds:,.0f} a second")
