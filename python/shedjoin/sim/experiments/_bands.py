"""Means over seeds along an axis, with how far they may be off."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shedjoin.sim import _recall
from shedjoin.sim._compare import compare
from shedjoin.sim._settings import Memory, rows_in_all
from shedjoin.sim._trace import Trace

Maker = Callable[..., Trace]


@dataclass(frozen=True)
class Band:
    """A line: the mean at each x, and the half of its 95 % interval."""

    xs: list[float] = field(default_factory=list)
    means: list[float] = field(default_factory=list)
    reaches: list[float] = field(default_factory=list)

    def add(self, x: float, values: Sequence[float]) -> None:
        self.xs.append(x)
        self.means.append(float(np.mean(values)))
        self.reaches.append(_recall.reach(values) if len(values) > 1 else 0.0)

    def at(self, x: float) -> float:
        return self.means[self.xs.index(x)]

    def wins(self, other: Band) -> list[float]:
        """Where this line lies above another one by more than both may be off."""
        both = zip(self.xs, self.means, other.means, self.reaches, other.reaches, strict=True)
        return [x for x, mine, its, a, b in both if mine - its > math.hypot(a, b)]

    def beats(self, other: Band) -> bool:
        """Above somewhere, below nowhere."""
        return bool(self.wins(other)) and not other.wins(self)

    def against(self, other: Band) -> str:
        """In words, where this line lies above another one and where below."""
        return f"above at {len(self.wins(other))} of {len(self.xs)} points, below at {len(other.wins(self))}"

    def rises(self) -> bool:
        """From the first point to the last, by more than both may be off."""
        return self.means[-1] - self.means[0] > math.hypot(self.reaches[0], self.reaches[-1])

    def falls(self) -> bool:
        return self.means[0] - self.means[-1] > math.hypot(self.reaches[0], self.reaches[-1])


Bands = dict[str, Band]
"""Lines by their labels."""


def compared(
    make: Maker,
    policies: Mapping[str, str],
    memories: Mapping[float, Memory],
    seeds: Iterable[int],
    columns: Sequence[str] = ("recall",),
    **how: Any,
) -> list[Bands]:
    """For each column of `sim.compare`'s runs, a line for each policy (by its label) along the memories."""
    comparison = compare(
        make, policies=list(policies.values()), memory_rows=list(memories.values()), seeds=seeds, **how
    )
    runs = comparison.runs.to_pylist()
    found: list[Bands] = []
    for column in columns:
        bands: Bands = {label: Band() for label in policies}
        for label, policy in policies.items():
            for x, memory in memories.items():
                of = (policy, rows_in_all(memory))
                bands[label].add(x, [run[column] for run in runs if (run["policy"], run["memory_rows"]) == of])
        found.append(bands)
    return found


def along(points: Iterable[tuple[float, list[Bands]]]) -> list[Bands]:
    """Joins comparisons of a single memory, made one for each x, to lines along x."""
    lines: list[Bands] = []
    for x, columns in points:
        lines = lines or [{label: Band() for label in bands} for bands in columns]
        for line, bands in zip(lines, columns, strict=True):
            for label, band in bands.items():
                line[label].xs.append(x)
                line[label].means.append(band.means[0])
                line[label].reaches.append(band.reaches[0])
    return lines
