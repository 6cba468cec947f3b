"""One run of a policy on a trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from shedjoin._interruptible import interruptible
from shedjoin.sim import _jvm, _recall
from shedjoin.sim._settings import Combine, Count, Memory, Order, PolicyLike, Span, Within, rows_in_all, settings
from shedjoin.sim._trace import Trace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FATES = ("expired", "shed", "stayed")


@dataclass(frozen=True)
class Result:
    """What a run came to."""

    policy: str
    memory_rows: int
    outputs: int
    """How many results were found, after the warm-up."""
    exact: int
    """How many an exact join finds."""
    exact_rows: int
    """How many rows an exact join stores at most."""
    recall: float
    recall_interval: tuple[float, float]
    """Where the recall of such streams lies, with 95 % confidence; [0, 1] where the run is too short to say."""
    shed: int
    """How many rows were shed before they expired."""
    share_left: float
    """The share of left rows among those stored, in the mean over the steps after the warm-up."""
    importance: float
    """How important the results are: each as its less important row, or as `combine` says."""
    fairness: float
    """Jain's index over the times that rows were stored."""
    recall_estimate: float | None
    """What the ghost ledger, which knows nothing of the exact results, takes the recall for; None without a ledger."""
    recall_estimate_interval: tuple[float, float] | None
    """Where the recall of this run lies by the ledger, with 95 % confidence."""
    unreliable: bool
    """Whether the ledger knows too little for its interval to be trusted."""
    kept: pa.Table
    """A row for each row of the trace: `side`, `row` (its place in the table that was given), `time`, `until` when it
    was stored, and its `fate`: expired, shed, or stayed to the end."""
    timeline: pa.Table
    """For each part of the time, from `time` on: `outputs`, `exact`, `recall`, `shed`, and at its end `stored_left` and
    `stored_right`."""

    def __str__(self) -> str:
        low, high = self.recall_interval
        told = "" if self.recall_estimate_interval is None else self._told(*self.recall_estimate_interval)
        return (
            f"{self.policy} with {self.memory_rows:,} rows: {self.outputs:,} of {self.exact:,} results, "
            f"recall {self.recall:.3f} [{low:.3f}, {high:.3f}], {self.shed:,} rows shed{told}"
        )

    def _told(self, low: float, high: float) -> str:
        doubt = ", unreliable" if self.unreliable else ""
        return f"; by the ledger {self.recall_estimate:.3f} [{low:.3f}, {high:.3f}]{doubt}"

    def __repr__(self) -> str:
        return f"Result({self})"

    def plot(self) -> Figure:
        """Recall, and the rows stored, over time."""
        from shedjoin.sim import _plot

        return _plot.of_run(self)


@interruptible
def run(
    trace: Trace,
    *,
    memory_rows: Memory,
    policy: PolicyLike,
    within: Within = None,
    seed: int = 1,
    warmup: Span = 0,
    order: Order = "probe_first",
    count: Count = "both",
    combine: Combine = "min",
    ledger: int | None = None,
) -> Result:
    """Joins a trace with room for `memory_rows` rows, or for so many of each side, and what `policy` sheds.

    The right row's time lies in [left's - before, left's + after]; `within` is (before, after), or one bound for both,
    in whole numbers or spans as the times of the trace are. Results of rows that come in the first `warmup` do not
    count, nor those whose later row is not of the side that `count` names. With `order="evict_first"` rows are stored,
    the store is cut, and what came and survived meets the others. How important a result is `combine` makes of the
    importances of its two rows. `ledger` is how many bytes a ghost ledger takes,
    which estimates the recall as a join that runs would: 2 % of the memory is usual, where a row takes some 112 bytes.
    """
    how = settings(
        trace,
        policy,
        memory_rows,
        within=within,
        seed=seed,
        warmup=warmup,
        order=order,
        count=count,
        combine=combine,
        ledger=ledger,
    )
    return of_settings(trace, how, str(policy), memory_rows, estimates=ledger is not None)


def of_settings(trace: Trace, how: _jvm.Handle, policy: str, memory_rows: Memory, *, estimates: bool = False) -> Result:
    """What a run with these settings comes to."""
    outcome = _jvm.run([(trace._handle, how)], notes_rows=True)
    figures = outcome.results.to_pylist()[0]
    estimate, *interval = (figures.pop(f"estimate{part}") for part in ("", "_low", "_high"))
    unreliable = bool(figures.pop("unreliable"))
    timeline = _recall.by_part(outcome.timelines)
    return Result(
        policy=policy,
        memory_rows=rows_in_all(memory_rows),
        recall=_recall.of(figures["outputs"], figures["exact"]),
        recall_interval=_recall.interval(figures["shed"], timeline),
        recall_estimate=estimate if estimates else None,
        recall_estimate_interval=(interval[0], interval[1]) if estimates else None,
        unreliable=unreliable,
        kept=pa.concat_tables([_kept(trace, side, fates) for side, fates in enumerate(outcome.fates)]),
        timeline=timeline.set_column(0, "time", trace._as_times(timeline["time"])),
        **figures,
    )


def _kept(trace: Trace, side: int, fates: pa.Table) -> pa.Table:
    rows = trace._rows[side]
    return pa.table(
        {
            "side": pa.DictionaryArray.from_arrays(np.full(len(rows), side, np.int8), ["left", "right"]),
            "row": rows,
            "time": trace._times[side].take(rows),
            "until": trace._as_times(fates["until"]),
            "fate": pa.DictionaryArray.from_arrays(fates["fate"].to_numpy(), list(_FATES)),
        }
    )
