"""Many runs: which policy is best at which memory, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from shedjoin._errors import invalid
from shedjoin.sim import _jvm, _recall
from shedjoin.sim._settings import (
    Combine,
    Count,
    Memory,
    Order,
    PolicyLike,
    Span,
    Within,
    chosen,
    depends_on_seed,
    rows_in_all,
    settings,
)
from shedjoin.sim._trace import Trace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEFAULT_POLICIES = ("random", "oldest_first", "newest_first", "lru", "lfu", "prob", "life")
"""Those that need to be told nothing."""
_SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8)


class Needed(NamedTuple):
    """The memory that a recall takes, and the policy that reaches it with least."""

    rows: int
    policy: str


@dataclass(frozen=True)
class Comparison:
    """Policies beside each other."""

    table: pa.Table
    """A row for each policy and memory: `recall`, the mean over its `runs`, with a 95 % interval from `recall_low` to
    `recall_high`, and the means of the other figures. With a ledger: also the means of `recall_estimate` and of the
    ends of its intervals, `recall_estimate_low` and `recall_estimate_high`, and the share of runs that it calls
    `unreliable`."""
    runs: pa.Table
    """A row for each run."""

    def __str__(self) -> str:
        from shedjoin.sim import _text

        return _text.of_comparison(self)

    def __repr__(self) -> str:
        return f"Comparison({self.runs.num_rows} runs)"

    def plot(self) -> Figure:
        """Recall by memory, a line a policy, with the intervals as bands."""
        from shedjoin.sim import _plot

        return _plot.of_comparison(self)

    @property
    def policies(self) -> list[str]:
        return list(dict.fromkeys(self.table["policy"].to_pylist()))

    @property
    def memory_rows(self) -> list[int]:
        return sorted(set(self.table["memory_rows"].to_pylist()))

    @property
    def exact_rows(self) -> float:
        """How many rows an exact join stores at most, in the mean over the traces."""
        return float(np.mean(self.runs["exact_rows"].to_numpy()))

    def cell(self, policy: str, memory_rows: int) -> tuple[float, float, float]:
        """Recall, and its interval."""
        rows = self.table.to_pylist()
        found = next(row for row in rows if (row["policy"], row["memory_rows"]) == (policy, memory_rows))
        return found["recall"], found["recall_low"], found["recall_high"]

    def best(self, memory_rows: int) -> str:
        """The policy of the highest recall at a memory; of equals the one that was named first."""
        return max(self.policies, key=lambda policy: self.cell(policy, memory_rows)[0])

    def needed(self, recall: float) -> Needed | None:
        """About how much memory a recall takes: on the line between the two best runs around it; None beyond them."""
        before = (0, 0.0)
        for rows in self.memory_rows:
            policy = self.best(rows)
            now = (rows, self.cell(policy, rows)[0])
            if now[1] >= recall:
                return Needed(_between(before, now, recall), policy)
            before = now
        end = (round(self.exact_rows), 1.0)
        return Needed(_between(before, end, recall), policy) if end[0] > before[0] else None


def _between(low: tuple[int, float], high: tuple[int, float], recall: float) -> int:
    part = (recall - low[1]) / (high[1] - low[1])
    return round(low[0] + part * (high[0] - low[0]))


def compare(
    trace: Trace | Callable[..., Trace],
    *,
    policies: Sequence[PolicyLike] = DEFAULT_POLICIES,
    memory_rows: Sequence[Memory] | None = None,
    seeds: Iterable[int] = range(10),
    within: Within = None,
    warmup: Span = 0,
    order: Order = "probe_first",
    count: Count = "both",
    combine: Combine = "min",
    ledger: int | None = None,
) -> Comparison:
    """Runs policies with several memories on a trace, or on those that `trace(seed=...)` makes; as `run` does.

    Of one trace, policies that draw nothing run once, and the intervals say how far other streams like it may differ;
    of made-up traces the intervals are those of the mean over the seeds. Without `memory_rows`: shares, from 5 to 80 %,
    of what an exact join stores.
    """
    all_seeds = list(seeds)
    for name, given in (("policies", policies), ("seeds", all_seeds), ("memory_rows", memory_rows)):
        if given is not None and len(given) == 0:
            raise invalid(name, given, "at least one", "shedjoin.sim.compare")
    traces = [(seed, trace(seed=seed)) for seed in all_seeds] if callable(trace) else [(all_seeds[0], trace)]
    first = traces[0][1]

    def handle(of: Trace, policy: PolicyLike, memory: Memory, seed: int) -> _jvm.Handle:
        return settings(
            of,
            policy,
            memory,
            within=within,
            seed=seed,
            warmup=warmup,
            order=order,
            count=count,
            combine=combine,
            ledger=ledger,
        )

    memories = _shares(first, handle(first, "random", 0, 1)) if memory_rows is None else list(memory_rows)
    runs: list[tuple[_jvm.Handle, _jvm.Handle]] = []
    names: list[tuple[str, int, int]] = []
    for policy in policies:
        for memory in memories:
            for seed, of in traces:
                is_random = depends_on_seed(chosen(policy, of).name)
                for s in all_seeds if is_random and not callable(trace) else [seed]:
                    runs.append((of._handle, handle(of, policy, memory, s)))
                    names.append((str(policy), rows_in_all(memory), s))
    outcome = _jvm.run(runs, notes_rows=False)
    return _compared(_runs(names, outcome, estimates=ledger is not None), is_one_trace=not callable(trace))


def _shares(trace: Trace, how: _jvm.Handle) -> list[Memory]:
    """Round numbers of rows."""
    rows = _jvm.exact_rows(trace._handle, how)
    return list(dict.fromkeys(max(1, _round(share * rows)) for share in _SHARES))


def _round(rows: float) -> int:
    """To two digits."""
    return int(float(f"{rows:.1e}"))


_ESTIMATES = {
    "estimate": "recall_estimate",
    "estimate_low": "recall_estimate_low",
    "estimate_high": "recall_estimate_high",
    "unreliable": "unreliable",
}
"""The columns of a ledger, as the JVM and as we call them."""


def _runs(names: list[tuple[str, int, int]], outcome: _jvm.Outcome, estimates: bool) -> pa.Table:
    figures = outcome.results.drop_columns(list(_ESTIMATES))
    if estimates:
        for theirs, ours in _ESTIMATES.items():
            told = outcome.results[theirs]
            figures = figures.append_column(ours, told.cast(pa.bool_()) if ours == "unreliable" else told)
    counts = zip(figures["outputs"].to_pylist(), figures["exact"].to_pylist(), strict=True)
    recalls = [_recall.of(outputs, exact) for outputs, exact in counts]
    ends = np.searchsorted(outcome.timelines["run"].to_numpy(), np.arange(len(names) + 1))
    timelines = [outcome.timelines.slice(a, b - a) for a, b in pairwise(ends)]
    shed = figures["shed"].to_pylist()
    intervals = [_recall.interval(s, _recall.by_part(t)) for s, t in zip(shed, timelines, strict=True)]
    policy, memory, seed = zip(*names, strict=True)
    columns = {"policy": policy, "memory_rows": memory, "seed": seed, "recall": recalls}
    columns |= {"recall_low": [low for low, _ in intervals], "recall_high": [high for _, high in intervals]}
    return pa.table(
        {name: list(values) for name, values in columns.items()}
        | {name: figures[name] for name in figures.column_names}
    )


def _compared(runs: pa.Table, is_one_trace: bool) -> Comparison:
    figures = ["outputs", "exact", "shed", "share_left", "importance", "fairness"]
    figures += [name for name in _ESTIMATES.values() if name in runs.column_names]
    rows: list[dict[str, object]] = []
    groups: dict[tuple[str, int], list[dict[str, float]]] = {}
    for run in runs.to_pylist():
        groups.setdefault((run["policy"], run["memory_rows"]), []).append(run)
    for (policy, memory), of_both in groups.items():
        recalls = [run["recall"] for run in of_both]
        if is_one_trace or len(recalls) == 1:
            low, high = (float(np.mean([run[name] for run in of_both])) for name in ("recall_low", "recall_high"))
        else:
            low, high = _recall.mean_interval(recalls)
        means = {name: float(np.mean([run[name] for run in of_both])) for name in figures}
        recall = {"recall": float(np.mean(recalls)), "recall_low": low, "recall_high": high}
        rows.append({"policy": policy, "memory_rows": memory, "runs": len(recalls), **recall, **means})
    return Comparison(pa.Table.from_pylist(rows), runs)
