"""Auctions and bids, made up from a fixed seed, and the query that joins them."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

SEED = 20_260_101
START = 1_767_225_600  # seconds since 1970
SECONDS_A_BATCH = 60
FILES_A_BATCH = 2  # of each side, one for each core of local[2]

AUCTIONS = "auction LONG, category INT, opened TIMESTAMP"
BIDS = "bid_auction LONG, bidder LONG, price DOUBLE, bid_at TIMESTAMP"


@dataclass(frozen=True)
class Size:
    """How much data: rows are those of a batch, and a batch is a minute of events."""

    batches: int
    warm_up: int
    auctions: int
    bids: int
    disk_mib: int


FULL = Size(batches=16, warm_up=3, auctions=12_500, bids=137_500, disk_mib=2_000)
QUICK = Size(batches=4, warm_up=1, auctions=300, bids=3_000, disk_mib=100)


def write(spark: SparkSession, folder: Path, warm_up: Path, size: Size) -> None:
    """Writes the Parquet files of each side and batch, and copies the first ones for the warm-up.

    The files' times, by which Spark reads them, are in the order of the batches.
    """
    files = size.batches * FILES_A_BATCH
    batch = F.floor(F.spark_partition_id() / FILES_A_BATCH)
    auctions = spark.range(0, size.batches * size.auctions, 1, files).select(
        F.col("id").alias("auction"),
        (F.rand(SEED) * 10).cast("int").alias("category"),
        event_time(batch, SEED + 1).alias("opened"),
    )
    # Bids go to auctions of the last twelve minutes, half of them to an eighth of these.
    back = F.floor(F.pow(F.rand(SEED + 2), 3) * (12 * size.auctions))
    bids = spark.range(0, size.batches * size.bids, 1, files).select(
        F.greatest(F.lit(0), (batch + 1) * size.auctions - 1 - back).alias("bid_auction"),
        F.floor(F.rand(SEED + 3) * 100_000).alias("bidder"),
        F.round(F.rand(SEED + 4) * 500, 2).alias("price"),
        event_time(batch, SEED + 5).alias("bid_at"),
    )
    for name, rows in (("auctions", auctions), ("bids", bids)):
        rows.write.parquet(str(folder / name))
        (warm_up / name).mkdir(parents=True)
        for number, file in enumerate(sorted((folder / name).glob("*.parquet"))):
            os.utime(file, (START + number, START + number))
            if number < size.warm_up * FILES_A_BATCH:
                shutil.copy2(file, warm_up / name)


def event_time(batch: Column, seed: int) -> Column:
    """A time in the batch's minute; few rows come minutes late, and some too late."""
    late = F.pow(F.rand(seed + 20), 16) * 600
    return F.timestamp_seconds(START + (batch + F.rand(seed + 10)) * SECONDS_A_BATCH - late)


def joined(spark: SparkSession, folder: Path) -> DataFrame:
    """Each auction with the bids of its first ten minutes; auctions without any stay, with nulls."""

    def stream(name: str, schema: str) -> DataFrame:
        return spark.readStream.schema(schema).option("maxFilesPerTrigger", FILES_A_BATCH).parquet(str(folder / name))

    auctions = stream("auctions", AUCTIONS).withWatermark("opened", "5 minutes")
    bids = stream("bids", BIDS).withWatermark("bid_at", "5 minutes")
    within = F.expr("auction = bid_auction AND bid_at BETWEEN opened AND opened + INTERVAL 10 MINUTES")
    return auctions.join(bids, within, "left_outer")
