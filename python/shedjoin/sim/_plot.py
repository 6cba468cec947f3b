"""Plots, by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shedjoin._errors import ShedJoinError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from shedjoin.sim._cache import CacheResult
    from shedjoin.sim._compare import Comparison
    from shedjoin.sim._run import Result


def of_run(result: Result) -> Figure:
    """Recall, and the rows stored, over time."""
    figure, (recall, stored) = _subplots(2)
    time = result.timeline["time"].to_numpy()
    recall.plot(time, result.timeline["recall"].to_numpy(), linewidth=1)
    recall.axhline(result.recall, color="grey", linewidth=0.8, linestyle="--")
    recall.set(ylabel="recall", ylim=(0, 1.05), title=str(result))
    left, right = (result.timeline[f"stored_{side}"].to_numpy() for side in ("left", "right"))
    stored.stackplot(time, left, right, labels=["left", "right"], alpha=0.7)
    stored.set(ylabel="rows stored", xlabel="time")
    stored.legend(loc="lower right")
    return figure


def of_comparison(comparison: Comparison) -> Figure:
    """Recall by memory, a line a policy."""
    figure, (axes,) = _subplots(1)
    for policy in comparison.policies:
        cells = [comparison.cell(policy, rows) for rows in comparison.memory_rows]
        recall, low, high = zip(*cells, strict=True)
        (line,) = axes.plot(comparison.memory_rows, recall, marker="o", markersize=3, label=policy)
        if any((a, b) != (0.0, 1.0) for a, b in zip(low, high, strict=True)):
            axes.fill_between(comparison.memory_rows, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set(xlabel="rows of memory", ylabel="recall", ylim=(0, 1.05))
    axes.set_xlim(left=0)
    axes.grid(alpha=0.3)
    axes.legend()
    return figure


def of_cache(result: CacheResult) -> Figure:
    """The hit rate over time."""
    figure, (axes,) = _subplots(1)
    axes.plot(result.timeline["reference"].to_numpy(), result.timeline["hit_rate"].to_numpy(), linewidth=1)
    axes.axhline(result.hit_rate, color="grey", linewidth=0.8, linestyle="--")
    axes.set(xlabel="reference", ylabel="hit rate", ylim=(0, 1.05), title=str(result))
    return figure


def _subplots(rows: int) -> tuple[Figure, list[Any]]:
    try:
        from matplotlib import pyplot
    except ImportError as missing:
        raise ShedJoinError(
            "SHEDJOIN_SIM_NEEDS", 'Plots need matplotlib. Run: pip install "shedjoin[sim]"'
        ) from missing
    size = (8, 2.5 + 2 * rows)
    figure, axes = pyplot.subplots(rows, 1, squeeze=False, sharex=True, figsize=size, layout="constrained")
    return figure, list(axes[:, 0])
