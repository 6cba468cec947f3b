"""What Python does with the rows of a batch in `foreachBatch`, compared with Spark's own join used likewise."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

if TYPE_CHECKING:
    import pyarrow as pa

Batches = list[tuple[int, list[Row]]]

ROWS_A_SIDE = 4_000
FILES = 2
FRAME_ROWS = 100
"""So few that a function which takes one frame leaves most of its partition."""


def stops_early(frames: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield next(frames)


def fails(frames: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield next(frames)
    raise ValueError("the second frame")


def mapped(function: Callable[[Iterator[Any]], Iterator[Any]]) -> Callable[[DataFrame], None]:
    def use(rows: DataFrame) -> None:
        with contextlib.suppress(PySparkException):
            rows.mapInArrow(function, rows.schema).collect()

    return use


def of_partitions(rows: DataFrame) -> None:
    rows.rdd.mapPartitions(lambda partition: islice(partition, 5)).count()


def local_iterator(rows: DataFrame) -> None:
    list(islice(rows.toLocalIterator(), 5))


def failing_udf(rows: DataFrame) -> None:
    def check(value: int) -> int:
        if value > 1_000:
            raise ValueError(f"id {value}")
        return value

    with contextlib.suppress(PySparkException):
        rows.select(F.udf(check, "long")("n")).collect()


def all_rows(rows: DataFrame) -> None:
    rows.mapInArrow(lambda frames: frames, rows.schema).count()


USES = {
    "a function that stops early": mapped(stops_early),
    "a function that fails": mapped(fails),
    "a function of partitions that stops early": of_partitions,
    "an iterator that is left": local_iterator,
    "a udf that fails": failing_udf,
    "a function that reads all": all_rows,
}


@pytest.fixture(scope="module")
def folders(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Both sides as files, one of each a batch."""
    folder = tmp_path_factory.mktemp("sides")
    for side, number in (("left", "n"), ("right", "m")):
        for file in range(FILES):
            first = file * ROWS_A_SIDE
            rows = spark.range(first, first + ROWS_A_SIDE).selectExpr(
                "CAST(id * 7 % 500 AS INT) AS k", f"id AS {number}"
            )
            rows.coalesce(1).write.mode("append").parquet(str(folder / side))
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", FRAME_ROWS)
    yield folder
    for key in ("spark.shedjoin.enabled", "spark.sql.execution.arrow.maxRecordsPerBatch"):
        spark.conf.unset(key)


def side(spark: SparkSession, folder: Path, number: str, time: str) -> DataFrame:
    read = spark.readStream.schema(f"k INT, {number} LONG").option("maxFilesPerTrigger", 1).parquet(str(folder))
    seconds = F.timestamp_millis(F.col(number) * 10)
    return read.withColumn(time, seconds).withWatermark(time, "5 seconds")


def run(
    spark: SparkSession, folders: Path, checkpoint: Path, enabled: bool, use: Callable[[DataFrame], None]
) -> Batches:
    """The rows of each batch, taken after a use of it."""
    spark.conf.set("spark.shedjoin.enabled", enabled)
    left = side(spark, folders / "left", "n", "t")
    right = side(spark, folders / "right", "m", "u").withColumnRenamed("k", "rk")
    bounds = F.expr("k = rk AND u BETWEEN t - INTERVAL 3 SECONDS AND t + INTERVAL 8 SECONDS")
    batches: Batches = []

    def take(rows: DataFrame, batch: int) -> None:
        use(rows)
        batches.append((batch, sorted(rows.collect(), key=str)))

    writer = left.join(right, bounds, "left").select("k", "n", "m").writeStream.foreachBatch(take)
    query = writer.option("checkpointLocation", str(checkpoint)).trigger(availableNow=True).start()
    query.awaitTermination()
    operators = {operator["operatorName"] for operator in query.recentProgress[-1]["stateOperators"]}
    assert operators == {"shedJoin" if enabled else "symmetricHashJoin"}
    return batches


@pytest.fixture(scope="module")
def expected(spark: SparkSession, folders: Path, tmp_path_factory: pytest.TempPathFactory) -> Batches:
    """What Spark's join gives whose batches are only collected."""
    return run(spark, folders, tmp_path_factory.mktemp("sparks"), False, lambda _: None)


@pytest.mark.parametrize("name", USES)
def test_a_batch_gives_what_sparks_join_gives_after(
    spark: SparkSession, folders: Path, expected: Batches, tmp_path: Path, name: str
) -> None:
    assert [len(rows) > 2 * FRAME_ROWS for _, rows in expected[:FILES]] == [True] * FILES
    assert run(spark, folders, tmp_path / "checkpoint", True, USES[name]) == expected
