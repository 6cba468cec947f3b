"""What a figure is: a picture, and what is claimed of it beside what was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Plot

T = TypeVar("T")


@dataclass(frozen=True)
class Claim:
    """What a paper, or our own docs, say, and what came out."""

    said: str
    holds: bool
    measured: str
    """The numbers, as the end of a sentence."""
    why: str = ""
    """What we take it to come of where it does not hold: a sentence."""


@dataclass(frozen=True)
class Drawn:
    """A figure, redrawn."""

    plot: Plot
    claims: Sequence[Claim]


@dataclass(frozen=True)
class Effort:
    """How much is run for a figure."""

    name: str
    most_seeds: int
    points: int
    """How many of the values on the axis."""
    share: float
    """Of the length of a stream."""

    @property
    def note(self) -> str:
        """To be said where less was run than a figure's setting says."""
        if self.share == 1 and self.most_seeds >= FULL.most_seeds:
            return ""
        return f" (This time with {self.most_seeds} seeds and {self.points} points at most.)"

    def seeds(self, full: int) -> range:
        return range(1, min(full, self.most_seeds) + 1)

    def thin(self, values: Sequence[T]) -> list[T]:
        """Some of the values, from the first to the last."""
        if len(values) <= self.points:
            return list(values)
        return [values[round(i * (len(values) - 1) / (self.points - 1))] for i in range(self.points)]

    def length(self, full: int) -> int:
        return round(full * self.share)


FULL = Effort("full", most_seeds=50, points=100, share=1)
QUICK = Effort("quick", most_seeds=4, points=5, share=1)
TINY = Effort("tiny", most_seeds=2, points=2, share=0.25)
"""For tests: says nothing about the claims."""


@dataclass(frozen=True)
class Figure:
    """A figure that can be drawn."""

    id: str
    title: str
    setting: str
    """What is run."""
    page: str
    """The page of the docs that shows it."""
    draw: Callable[[Effort], Drawn]


FIGURES: dict[str, Figure] = {}
"""All of them by id, in the order of the pages."""


def figure(
    figure_id: str, title: str, setting: str, page: str = "experiments"
) -> Callable[[Callable[[Effort], Drawn]], Callable[[Effort], Drawn]]:
    """Puts a function that draws among the figures."""

    def noted(draw: Callable[[Effort], Drawn]) -> Callable[[Effort], Drawn]:
        FIGURES[figure_id] = Figure(figure_id, title, " ".join(setting.split()), page, draw)
        return draw

    return noted
