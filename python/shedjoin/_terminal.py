"""What the commands print: a progress line, and tables."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Sequence
from typing import TextIO


class Line:
    """One line rewritten in place on a terminal; elsewhere a line every few seconds."""

    def __init__(self, stream: TextIO | None = None, seconds_a_line: float = 5.0) -> None:
        self._stream = stream or sys.stdout
        self._in_place = self._stream.isatty()
        self._seconds_a_line = seconds_a_line
        self._printed = float("-inf")

    def show(self, text: str) -> None:
        """Shows where things are."""
        if self._in_place:
            fitting = text[: shutil.get_terminal_size().columns - 1]
            self._print(f"\r\x1b[K{fitting}", end="")
        elif time.monotonic() - self._printed >= self._seconds_a_line:
            self._print(text)

    def end(self, text: str) -> None:
        """Leaves a line that stays."""
        self._print(f"\r\x1b[K{text}" if self._in_place else text)

    def clear(self) -> None:
        """Leaves nothing on a terminal."""
        if self._in_place and self._printed > float("-inf"):
            self._print("\r\x1b[K", end="")

    def _print(self, text: str, end: str = "\n") -> None:
        print(text, end=end, file=self._stream, flush=True)
        self._printed = time.monotonic()


def table(rows: Sequence[Sequence[str]]) -> str:
    """The rows below each other, each column aligned on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
