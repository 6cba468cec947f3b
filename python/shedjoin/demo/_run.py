"""One run of the query by one join, watched to its end."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from shedjoin._terminal import Line
from shedjoin.demo import _input

SECONDS_A_LOOK = 0.5
ENGINES = ("Spark", "shedjoin")
OPERATOR = "shedJoin"


@dataclass(frozen=True)
class Batch:
    """What the progress of a query says of one batch."""

    rows_in: int
    seconds: float
    rows_joined: int
    fingerprint: tuple[object, ...]
    operator: str
    state_rows: int
    state_bytes: int


@dataclass(frozen=True)
class Run:
    """What one run of the query gave; the seconds are those from its start to its end."""

    engine: str
    seconds: float
    batches: Sequence[Batch]

    @property
    def rows_in(self) -> int:
        return sum(batch.rows_in for batch in self.batches)

    @property
    def rows_joined(self) -> int:
        return sum(batch.rows_joined for batch in self.batches)

    @property
    def rows_a_second(self) -> float:
        return self.rows_in / self.seconds

    @property
    def batch_p50(self) -> float:
        return statistics.median(batch.seconds for batch in self.batches if batch.rows_in)

    @property
    def state_rows(self) -> int:
        return max(batch.state_rows for batch in self.batches)

    @property
    def state_bytes(self) -> int:
        return max(batch.state_bytes for batch in self.batches)


def run(spark: SparkSession, folder: Path, engine: str, batches: int, line: Line, label: str = "") -> Run:
    """Runs the query over all files of a folder."""
    spark.conf.set("spark.shedjoin.enabled", "true" if engine == "shedjoin" else "false")
    writer = fingerprinted(_input.joined(spark, folder)).writeStream.format("noop")
    started = time.monotonic()
    query = writer.option("checkpointLocation", f"{folder}/{engine}").trigger(availableNow=True).start()
    ended = False
    try:
        while not ended:
            ended = bool(query.awaitTermination(SECONDS_A_LOOK))  # type: ignore[arg-type]  # takes parts of a second
            seen = Run(engine, time.monotonic() - started, batches_of(query.recentProgress))
            (line.end if ended else line.show)(label + text(seen, batches))
    except Exception:
        query.stop()
        raise
    return seen


def fingerprinted(rows: DataFrame) -> DataFrame:
    """The same rows; Spark counts and hashes those of each batch, in any order, as they leave the join."""
    hashed = F.xxhash64(*rows.columns)
    return rows.observe(
        "joined",
        F.count(F.lit(1)).alias("rows"),
        F.bit_xor(hashed).alias("xor"),
        F.sum(hashed.cast("decimal(20)")).alias("sum"),
    )


def batches_of(progress: Sequence[Any]) -> list[Batch]:
    """The batches that ran."""
    return [batch(dict(one)) for one in progress if one["stateOperators"]]


def batch(progress: dict[str, Any]) -> Batch:
    operators, result = progress["stateOperators"], progress["observedMetrics"].get("joined")
    return Batch(
        rows_in=progress["numInputRows"],
        seconds=progress["batchDuration"] / 1000,
        rows_joined=result["rows"] if result else 0,
        fingerprint=tuple(result) if result else (),
        operator=operators[0]["operatorName"],
        state_rows=sum(operator["numRowsTotal"] for operator in operators),
        state_bytes=sum(operator["memoryUsedBytes"] for operator in operators),
    )


def text(run: Run, batches: int) -> str:
    """How far a run is, in one line."""
    done = sum(1 for batch in run.batches if batch.rows_in)
    state = run.batches[-1].state_bytes if run.batches else 0
    return (
        f"{run.engine:8}  batch {done:2} of {batches}  {run.rows_in:>9,} rows  {run.rows_a_second:>7,.0f} rows/s  "
        f"state {state / 2**20:5,.0f} MiB  {run.seconds:3.0f} s"
    )
