"""The picture of the runs: state and seconds, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from shedjoin._errors import ShedJoinError
from shedjoin.demo._run import Batch, Run

try:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator
except ImportError as missing:
    raise ShedJoinError(
        "SHEDJOIN_DEMO_CAN_NOT_RUN", '--plot needs matplotlib. Run: pip install "shedjoin[plot]", or leave --plot out.'
    ) from missing

COLOURS = ("#d9622b", "#1f6f8b")


def check(file: Path) -> None:
    """Raises where the picture could not be written, before the minute that the runs take."""
    kinds = Figure().canvas.get_supported_filetypes()
    if not file.parent.is_dir() or file.suffix[1:] not in kinds:
        raise ShedJoinError(
            "SHEDJOIN_DEMO_CAN_NOT_RUN",
            f"--plot is {file}; allowed is a file in a folder that exists, named .{', .'.join(sorted(kinds))}. "
            "Correct it.",
        )


def draw(runs: Sequence[Run], file: Path) -> None:
    """Draws the runs into a file."""
    figure = Figure(figsize=(10, 3.8), layout="constrained")
    state, seconds = figure.subplots(1, 2)
    panel(state, runs, "State in memory as the joins report it, MiB", lambda batch: batch.state_bytes / 2**20)
    panel(seconds, runs, "Seconds a batch", lambda batch: batch.seconds)
    figure.savefig(file, dpi=120)


def panel(axes: Axes, runs: Sequence[Run], title: str, figure_of: Callable[[Batch], float]) -> None:
    """One figure over the batches with data, a line a run, named at its end."""
    for run, colour in zip(runs, COLOURS, strict=True):
        heights = [figure_of(batch) for batch in run.batches if batch.rows_in]
        numbers = range(1, len(heights) + 1)
        axes.plot(numbers, heights, color=colour, linewidth=2, marker="o", markersize=3.5)
        axes.annotate(
            run.engine,
            (numbers[-1], heights[-1]),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontweight="bold",
        )
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xlabel("batch")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
