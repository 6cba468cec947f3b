"""A streaming join of auctions with their bids, once by Spark and once by shedjoin, compared row by row.

Run as `python -m shedjoin demo`. The input is made up, the same at each run; each batch takes one file of each side.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import shedjoin

SEED = 20_260_101
BATCHES = 8
WARM_UP_BATCHES = 2
AUCTIONS_A_BATCH = 3_000
BIDS_A_BATCH = 30_000
SECONDS_A_BATCH = 120

AUCTIONS = "auction LONG, category INT, opened TIMESTAMP"
BIDS = "bid_auction LONG, bidder LONG, price DOUBLE, bid_at TIMESTAMP"


@dataclass(frozen=True)
class Run:
    """What one run of the query gave."""

    engine: str
    operator: str
    rows_in: int
    rows_out: int
    rows_a_second: float
    state_bytes: int


def make_input(spark: SparkSession, folder: Path, batches: int) -> None:
    """Writes one Parquet file a side and batch. Bids follow their auction by up to ten minutes, some by more."""
    for batch in range(batches):
        start = 1_767_225_600 + batch * SECONDS_A_BATCH
        first = batch * AUCTIONS_A_BATCH
        auctions = spark.range(first, first + AUCTIONS_A_BATCH, 1, 1).select(
            F.col("id").alias("auction"),
            (F.rand(SEED + batch) * 10).cast("int").alias("category"),
            F.timestamp_seconds(F.lit(start) + F.rand(SEED - batch) * SECONDS_A_BATCH).alias("opened"),
        )
        bids = spark.range(0, BIDS_A_BATCH, 1, 1).select(
            # Bids go to auctions of this batch and of the six before it, half of them to a tenth of the auctions.
            F.greatest(
                F.lit(0),
                F.lit(first + AUCTIONS_A_BATCH - 1)
                - (F.pow(F.rand(SEED + 7 * batch), 3) * AUCTIONS_A_BATCH * 7).cast("long"),
            ).alias("bid_auction"),
            (F.rand(SEED + 11 * batch) * 1_000).cast("long").alias("bidder"),
            F.round(F.rand(SEED + 13 * batch) * 500, 2).alias("price"),
            F.timestamp_seconds(F.lit(start) + F.rand(SEED + 17 * batch) * SECONDS_A_BATCH).alias("bid_at"),
        )
        auctions.write.mode("append").parquet(f"{folder}/auctions")
        bids.write.mode("append").parquet(f"{folder}/bids")
        progress(f"making the input: batch {batch + 1} of {batches}")


def joined(spark: SparkSession, folder: Path) -> DataFrame:
    """Each auction with the bids of its first ten minutes; auctions without any stay, with nulls."""

    def stream(name: str, schema: str) -> DataFrame:
        return spark.readStream.schema(schema).option("maxFilesPerTrigger", "1").parquet(f"{folder}/{name}")

    auctions = stream("auctions", AUCTIONS).withWatermark("opened", "30 seconds")
    bids = stream("bids", BIDS).withWatermark("bid_at", "30 seconds")
    within = F.expr("auction = bid_auction AND bid_at BETWEEN opened AND opened + INTERVAL 10 MINUTES")
    return auctions.join(bids, within, "left_outer")


def run(spark: SparkSession, folder: Path, engine: str, out: Path, batches: int) -> Run:
    """Runs the query to its end, with the result in Parquet files under `out`."""
    spark.conf.set("spark.shedjoin.enabled", "true" if engine == "shedjoin" else "false")
    query = (
        joined(spark, folder)
        .writeStream.format("parquet")
        .option("path", f"{out}/rows")
        .option("checkpointLocation", f"{out}/checkpoint")
        .trigger(availableNow=True)
        .start()
    )
    while query.isActive:
        last = query.lastProgress
        if last:
            progress(f"{engine}: batch {min(last['batchId'] + 1, batches)} of {batches}")
        time.sleep(0.2)
    query.awaitTermination()
    return measured(engine, [dict(p) for p in query.recentProgress], spark.read.parquet(f"{out}/rows").count())


def measured(engine: str, batches: list[dict[str, Any]], rows_out: int) -> Run:
    """The figures of a run; the rate leaves out the first batch, which sets up."""
    operators = [operator for batch in batches for operator in batch["stateOperators"]]
    later = [batch for batch in batches[1:] if batch["numInputRows"]]
    took = sum(batch["batchDuration"] for batch in later) / 1000
    return Run(
        engine=engine,
        operator=operators[0]["operatorName"],
        rows_in=sum(batch["numInputRows"] for batch in batches),
        rows_out=rows_out,
        rows_a_second=sum(batch["numInputRows"] for batch in later) / took,
        state_bytes=max(operator["memoryUsedBytes"] for operator in operators),
    )


def difference(spark: SparkSession, one: Path, other: Path) -> int:
    """How many rows are in one result and not in the other, as multisets."""
    signed = [
        spark.read.parquet(f"{out}/rows").withColumn("sign", F.lit(sign)) for out, sign in ((one, 1), (other, -1))
    ]
    rows = signed[0].unionByName(signed[1])
    surplus = rows.groupBy([c for c in rows.columns if c != "sign"]).agg(F.abs(F.sum("sign")).alias("surplus"))
    return int(surplus.agg(F.coalesce(F.sum("surplus"), F.lit(0))).collect()[0][0])


class Progress:
    """One line, rewritten in place on a terminal; elsewhere printed whenever it changes."""

    def __init__(self) -> None:
        self.last = ""

    def __call__(self, text: str) -> None:
        if sys.stdout.isatty():
            print(f"\r\x1b[K{text}", end="", flush=True)
        elif text and text != self.last:
            print(text, flush=True)
        self.last = text


progress = Progress()


def table(runs: list[Run], different: int) -> str:
    head = ("join", "operator", "rows in", "rows joined", "equal", "rows/s", "state")
    lines = [
        (
            r.engine,
            r.operator,
            f"{r.rows_in:,}",
            f"{r.rows_out:,}",
            "-" if r is runs[0] else ("yes" if different == 0 else f"NO: {different:,} rows"),
            f"{r.rows_a_second:,.0f}",
            f"{r.state_bytes / 2**20:,.1f} MiB",
        )
        for r in runs
    ]
    rows = [head, *lines]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    aligned = [[cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in cells(row, widths)] for row in rows]
    return "\n".join("  ".join(row) for row in aligned)


def cells(row: tuple[str, ...], widths: list[int]) -> Iterator[tuple[int, tuple[str, int]]]:
    return enumerate(zip(row, widths, strict=True))


def main() -> int:
    started = time.monotonic()
    print("Auctions with their bids: one streaming query, by Spark's own join and by shedjoin.")
    with tempfile.TemporaryDirectory(prefix="shedjoin-demo-") as root:
        builder = SparkSession.builder.master("local[2]").appName("shedjoin demo")
        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.log.level": "ERROR",
        }
        for key, value in settings.items():
            builder = builder.config(key, value)
        spark = shedjoin.configure(builder).getOrCreate()
        try:
            code = compare(spark, Path(root))
        finally:
            spark.stop()
    print(f"{time.monotonic() - started:.0f} s in all")
    return code


def compare(spark: SparkSession, root: Path) -> int:
    make_input(spark, root / "warm-up", WARM_UP_BATCHES)
    make_input(spark, root / "input", BATCHES)
    engines = ("Spark", "shedjoin")
    for engine in engines:
        run(spark, root / "warm-up", engine, root / f"warm-up-{engine}", WARM_UP_BATCHES)
    runs = [run(spark, root / "input", engine, root / engine, BATCHES) for engine in engines]
    progress("comparing the results")
    different = difference(spark, root / engines[0], root / engines[1])
    progress("")
    print(table(runs, different))
    if runs[0].operator == runs[1].operator:
        print(f"Both runs used the operator {runs[0].operator}: shedjoin did not take the join.")
        return 1
    return 0 if different == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
