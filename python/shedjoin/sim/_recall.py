"""How much of the exact result was found, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_BATCHES = 20
# Of Student's t, by degrees of freedom: 97.5 %.
_QUANTILES = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]
_QUANTILES += [2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093]


def of(outputs: int, exact: int) -> float:
    """Nothing is lost where there is nothing to find."""
    return outputs / exact if exact else 1.0


def by_part(cumulated: pa.Table) -> pa.Table:
    """The timeline of a run, with the counts of each part of the time."""
    counts = {name: np.diff(cumulated[name].to_numpy(), prepend=0) for name in ("outputs", "exact", "shed")}
    recall = pc.divide(pa.array(counts["outputs"], pa.float64()), pa.array(counts["exact"], pa.float64()))
    return pa.table(
        {
            "time": cumulated["time"],
            "outputs": counts["outputs"],
            "exact": counts["exact"],
            "recall": pc.if_else(pa.array(counts["exact"] > 0), recall, None),
            "shed": counts["shed"],
            "stored_left": cumulated["stored_left"],
            "stored_right": cumulated["stored_right"],
        }
    )


def interval(shed: int, timeline: pa.Table) -> tuple[float, float]:
    """The 95 % interval of a ratio, by the means of batches of parts of the time."""
    if shed == 0:
        return 1.0, 1.0
    outputs, exact = (timeline[name].to_numpy().astype(float) for name in ("outputs", "exact"))
    counting = np.flatnonzero(exact)
    if counting.size < _BATCHES:
        return 0.0, 1.0
    since = int(counting[0])
    batches = np.array_split(np.arange(since, len(exact)), _BATCHES)
    found = np.array([outputs[batch].sum() for batch in batches])
    there = np.array([exact[batch].sum() for batch in batches])
    recall = found.sum() / there.sum()
    off = found - recall * there
    error = math.sqrt(_BATCHES / (_BATCHES - 1) * float(off @ off)) / float(there.sum())
    return _within_0_and_1(float(recall), _quantile(_BATCHES) * error)


def mean_interval(recalls: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of a mean of independent runs."""
    return _within_0_and_1(float(np.mean(recalls)), reach(recalls))


def reach(values: Sequence[float]) -> float:
    """How far, with 95 % confidence, the mean of independent runs may be off."""
    return _quantile(len(values)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))


def _quantile(runs: int) -> float:
    return _QUANTILES[min(runs - 1, len(_QUANTILES)) - 1]


def _within_0_and_1(middle: float, reach: float) -> tuple[float, float]:
    return max(0.0, middle - reach), min(1.0, middle + reach)
