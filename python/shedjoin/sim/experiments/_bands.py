"""Means over seeds along an axis, with how far they may be off."""

from __future__ import annotations

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
    """A line, and what it is the mean of: at each x a value for each seed. Lines are compared seed by seed, since all
    policies see the same streams: where these differ much, as on WALK, the means of two lines are far less sure
    than their difference."""

    xs: list[float] = field(default_factory=list)
    runs: list[list[float]] = field(default_factory=list)

    @classmethod
    def plain(cls, xs: Sequence[float], ys: Sequence[float]) -> Band:
        """A line without seeds."""
        return cls(list(xs), [[y] for y in ys])

    def add(self, x: float, values: Sequence[float]) -> None:
        self.xs.append(x)
        self.runs.append(list(values))

    @property
    def means(self) -> list[float]:
        return [float(np.mean(values)) for values in self.runs]

    @property
    def reaches(self) -> list[float]:
        """The half of the 95 % interval of each mean."""
        return [_reach(values) for values in self.runs]

    def at(self, x: float) -> float:
        return self.means[self.xs.index(x)]

    def times(self, factor: float) -> Band:
        return Band(self.xs, [[factor * value for value in values] for values in self.runs])

    def wins(self, other: Band) -> list[float]:
        """Where this line lies above another one, with 95 % confidence."""
        return [x for x, a, b in zip(self.xs, self.runs, other.runs, strict=True) if _is_more(a, b)]

    def beats(self, other: Band) -> bool:
        """Above somewhere, below nowhere."""
        return bool(self.wins(other)) and not other.wins(self)

    def against(self, other: Band) -> str:
        """In words, where this line lies above another one and where below."""
        return f"above at {len(self.wins(other))} of {len(self.xs)} points, below at {len(other.wins(self))}"

    def rises(self) -> bool:
        """From the first point to the last."""
        return _is_more(self.runs[-1], self.runs[0])

    def falls(self) -> bool:
        return _is_more(self.runs[0], self.runs[-1])


def _is_more(these: Sequence[float], those: Sequence[float]) -> bool:
    """Whether the mean difference of the seeds that both have is above 0, with 95 % confidence."""
    differences = [a - b for a, b in zip(these, those, strict=False)]
    return float(np.mean(differences)) > _reach(differences)


def share(band: Band, of: Band, place: int) -> float:
    """How much of another line this one has at a point, on the seeds that both have."""
    paired = list(zip(band.runs[place], of.runs[place], strict=False))
    return sum(part for part, _ in paired) / sum(whole for _, whole in paired)


def _reach(values: Sequence[float]) -> float:
    return _recall.reach(values) if len(values) > 1 else 0.0


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
                line[label].add(x, band.runs[0])
    return lines


def grouped(found: Iterable[Bands], labels: Sequence[str]) -> Bands:
    """For bars: the first points of several comparisons as the points 0, 1, ... of a line for each label; 0 where
    there is none."""
    bands: Bands = {label: Band() for label in labels}
    for place, of in enumerate(found):
        for label in labels:
            bands[label].add(place, of[label].runs[0] if label in of else [0.0])
    return bands
