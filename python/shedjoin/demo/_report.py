"""What the runs gave, side by side."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import pyspark

from shedjoin import _jar, _terminal
from shedjoin.demo._run import OPERATOR, Run

HEAD = ("join", "rows in", "rows joined", "equal", "rows/s", "times", "batch p50", "rows of state", "state, most")


def table(runs: Sequence[Run]) -> str:
    """A line a run; the first is what the others are compared with."""
    first = runs[0]
    rows: list[Sequence[str]] = [HEAD]
    for run in runs:
        equal = "" if run is first else "yes" if same(first, run) else "NO"
        rows.append(
            (
                run.engine,
                f"{run.rows_in:,}",
                f"{run.rows_joined:,}",
                equal,
                f"{run.rows_a_second:,.0f}",
                f"{run.rows_a_second / first.rows_a_second:.1f}",
                f"{run.batch_p50 * 1000:,.0f} ms",
                f"{run.state_rows:,}",
                f"{run.state_bytes / 2**20:,.0f} MiB",
            )
        )
    return _terminal.table(rows)


def same(one: Run, other: Run) -> bool:
    """Whether both gave the same rows, batch by batch."""
    return [b.fingerprint for b in one.batches] == [b.fingerprint for b in other.batches]


def problem(runs: Sequence[Run]) -> str | None:
    """What is wrong with the comparison, if anything is."""
    spark, shed = runs
    operators = [{batch.operator for batch in run.batches} for run in runs]
    if operators[1] != {OPERATOR} or OPERATOR in operators[0]:
        return f"The operators were {operators[0]} and {operators[1]}: not Spark's join and shedjoin's."
    if not same(spark, shed):
        return f"The rows are NOT the same: {spark.rows_joined:,} by Spark, {shed.rows_joined:,} by shedjoin."
    return None


def setting(settings: Mapping[str, str]) -> str:
    """Where the figures come from."""
    return (
        f"Spark {pyspark.__version__} on {os.cpu_count()} cores with a heap of {settings['spark.driver.memory']}, "
        f"shedjoin {_jar.find().version}"
    )
