"""Algorithm 2 of paper 2 as it stands there, with its three schemes of recomputing priorities (section 4.8).

The engine's `ijoin` has the priorities of the moment at O(log n) a victim, so it has no use for the two schemes that
save computations. Here every row is looked at at every decision.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Literal, NamedTuple

from shedjoin.sim._trace import Trace

Scheme = Literal["successive", "k-successive", "adaptive"]
EVERY = 10
"""The k of k-successive."""
EPSILON = 0.1
"""Adaptive recomputes when the importance found in the last `SPAN` steps has moved by this part of itself."""
SPAN = 10
_MATURITY, _PATIENCE, _PENALTY, _DECAY = 2, 3, 1.0, 0.5


class Quality(NamedTuple):
    """What a run came to."""

    importance: float
    outputs: int
    fairness: float
    invocations: int
    """How often the priorities were computed."""


@dataclass
class _Row:
    side: int
    key: int
    importance: float
    arrival: int
    matches: float
    last_match: int
    priority: float = 0.0

    def meet(self, now: int) -> None:
        self.matches = self.matches * math.exp(-_DECAY * (now - self.last_match)) + 1
        self.last_match = now

    def rate(self, now: int) -> None:
        """Importance x decayed matches / age, less a penalty if it met nothing for long (sections 4.3 to 4.6)."""
        decayed = self.matches * math.exp(-_DECAY * (now - self.last_match))
        unmatched = now - self.last_match
        penalty = _PENALTY * unmatched if unmatched >= _PATIENCE else 0.0
        self.priority = self.importance * decayed / max(1, now - self.arrival) - penalty

    def rank(self, now: int) -> tuple[bool, float, int]:
        """Mature rows go first, of those the one of least priority; of rows that are not mature the newcomer."""
        mature = now - self.arrival > _MATURITY
        return (not mature, self.priority if mature else -self.arrival, self.arrival)


class _Timer:
    """When to compute the priorities."""

    def __init__(self, scheme: Scheme) -> None:
        self._scheme = scheme
        self._decisions = 0
        self._found: deque[float] = deque([0.0] * SPAN, SPAN)
        self._at_last = 0.0

    def next_step(self, importance: float) -> None:
        self._found.append(importance)

    def is_due(self) -> bool:
        """Asked once for each decision."""
        self._decisions += 1
        if self._scheme == "k-successive":
            return self._decisions % EVERY == 1
        quality = sum(self._found)
        due = self._scheme == "successive" or abs(quality - self._at_last) > EPSILON * max(self._at_last, 1e-9)
        if due:
            self._at_last = quality
        return due


def run(trace: Trace, memory_rows: int, window: int, scheme: Scheme) -> Quality:
    """Joins a trace of one row a side and step. O(memory) a row."""
    sides = [
        list(zip(s["key"].to_pylist(), s["importance"].to_pylist(), strict=True)) for s in (trace.left, trace.right)
    ]
    rows: list[_Row] = []
    stays: list[int] = []
    timer = _Timer(scheme)
    importance, outputs, invocations = 0.0, 0, 0
    for now, newcomers in enumerate(zip(*sides, strict=True)):
        before, coming = importance, []
        for side, (key, valued) in enumerate(newcomers):
            partners = [row for row in rows if row.side != side and row.key == key]
            for row in partners:
                row.meet(now)
                importance += min(row.importance, valued)
            outputs += len(partners)
            coming.append(_Row(side, key, valued, now, float(len(partners)), now))
        timer.next_step(importance - before)
        stays += [window for row in rows if row.arrival + window <= now]
        rows = [row for row in rows if row.arrival + window > now] + coming
        for row in coming:
            row.rate(now)
        while len(rows) > memory_rows:
            if timer.is_due():
                invocations += 1
                for row in rows:
                    row.rate(now)
            victim = min(rows, key=lambda row: row.rank(now))
            rows.remove(victim)
            stays.append(now - victim.arrival)
    stays += [len(sides[0]) - 1 - row.arrival for row in rows]
    return Quality(importance, outputs, _jain(stays), invocations)


def _jain(stays: list[int]) -> float:
    """Equation 4."""
    squares = sum(stay * stay for stay in stays)
    return sum(stays) ** 2 / (len(stays) * squares) if squares else 1.0
