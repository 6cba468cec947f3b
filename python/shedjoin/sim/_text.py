"""A comparison in words: a table for a terminal, and what follows from it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from shedjoin import _terminal

if TYPE_CHECKING:
    from shedjoin.sim._compare import Comparison

_RECALLS = (0.9, 0.99)
_SEEN = 0.0005
"""Recalls that differ by less look the same."""


def of_comparison(comparison: Comparison) -> str:
    """The table, and one sentence."""
    return f"{_table(comparison)}\n\n{sentence(comparison)}"


def _table(comparison: Comparison) -> str:
    """A line a memory, a column a policy: recall in per cent, with how far it may be off; the best with a star."""
    lines = [["rows", "of exact", *comparison.policies]]
    for rows in comparison.memory_rows:
        best = _best(comparison, rows)
        cells = [_cell(*comparison.cell(policy, rows), policy == best) for policy in comparison.policies]
        share = rows / comparison.exact_rows if comparison.exact_rows else 1.0
        lines.append([f"{rows:,}", f"{share:.0%}", *cells])
    return _terminal.table(lines)


def _best(comparison: Comparison, rows: int) -> str:
    """The best policy, where it matters."""
    recalls = [comparison.cell(policy, rows)[0] for policy in comparison.policies]
    return comparison.best(rows) if max(recalls) - min(recalls) >= _SEEN else "any"


def _cell(recall: float, low: float, high: float, is_best: bool) -> str:
    off = "?" if (low, high) == (0.0, 1.0) else f"{50 * (high - low):.1f}"
    return f"{'*' if is_best else ''}{100 * recall:.1f} ±{off}"


def sentence(comparison: Comparison) -> str:
    """Which policy is best at which memory, and how much memory most of the results take."""
    best = [(rows, _best(comparison, rows)) for rows in comparison.memory_rows]
    parts = []
    for policy, group in groupby(best, key=lambda row: row[1]):
        sizes = [rows for rows, _ in group]
        parts.append(f"{policy} with {_span(sizes)} rows")
    needs = []
    for recall in _RECALLS:
        needed = comparison.needed(recall)
        needs.append(
            f"{recall:.0%} of the results take more rows than were tried"
            if needed is None
            else f"{recall:.0%} of the results take about {needed.rows:,} rows ({needed.policy})"
        )
    exact = f"an exact join stores up to {round(comparison.exact_rows):,}"
    return f"Best is {', '.join(parts)}; {'; '.join(needs)}; {exact}."


def _span(sizes: list[int]) -> str:
    return f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
