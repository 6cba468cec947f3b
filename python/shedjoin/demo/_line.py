"""The progress line."""

from __future__ import annotations

import shutil
import sys
import time

SECONDS_A_LINE = 5.0


class Line:
    """One line rewritten in place on a terminal; elsewhere a line every few seconds."""

    def __init__(self) -> None:
        self._in_place = sys.stdout.isatty()
        self._printed = float("-inf")

    def show(self, text: str) -> None:
        """Shows where things are."""
        if self._in_place:
            fitting = text[: shutil.get_terminal_size().columns - 1]
            print(f"\r\x1b[K{fitting}", end="", flush=True)
        elif time.monotonic() - self._printed >= SECONDS_A_LINE:
            self._print(text)

    def end(self, text: str) -> None:
        """Leaves a line that stays."""
        self._print(f"\r\x1b[K{text}" if self._in_place else text)

    def _print(self, text: str) -> None:
        print(text, flush=True)
        self._printed = time.monotonic()
