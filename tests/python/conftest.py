"""One session with shedjoin for all tests that need one, and streams to join."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shedjoin
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

PYTHON = Path(__file__).parents[2] / "python"
Stream = Callable[..., DataFrame]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Gives a test with the mark `seeds(n)` the seeds 0 to n - 1; in a soak new ones and more; or the one asked for."""
    mark = metafunc.definition.get_closest_marker("seeds")
    if mark is None:
        return
    alone, first = os.environ.get("SHEDJOIN_SEED"), os.environ.get("SHEDJOIN_SEEDS_FROM")
    (count,) = mark.args
    seeds = range(count) if first is None else range(int(first), int(first) + 5 * count)
    metafunc.parametrize("seed", seeds if alone is None else [int(alone)])


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").appName("shedjoin tests")
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        "spark.log.level": "ERROR",
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = shedjoin.configure(builder).getOrCreate()
    yield session
    session.stop()


@pytest.fixture
def stream(spark: SparkSession, tmp_path: Path) -> Stream:
    """Makes a stream of (key, number), and event times in seconds where these are named, from rows in a file."""

    def make(name: str, rows: list[tuple[int, int]], time: str | None = "t", number: str = "n") -> DataFrame:
        folder = tmp_path / name
        schema = f"k INT, {number} LONG"
        spark.createDataFrame(rows, schema).coalesce(1).write.mode("append").parquet(str(folder))
        read = spark.readStream.schema(schema).parquet(str(folder))
        if time is None:
            return read
        return read.withColumn(time, F.timestamp_seconds(number)).withWatermark(time, "10 seconds")

    return make


@pytest.fixture
def result(tmp_path: Path) -> Callable[[DataFrame], tuple[list[tuple[object, ...]], list[str]]]:
    """Runs a query over all its input: the rows it gives, sorted, and the names of its stateful operators."""

    def run(frame: DataFrame) -> tuple[list[tuple[object, ...]], list[str]]:
        rows: list[tuple[object, ...]] = []

        def take(batch: DataFrame, _: int) -> None:
            rows.extend(tuple(row) for row in batch.collect())

        checkpoint = str(tmp_path / f"checkpoint{len(list(tmp_path.iterdir()))}")
        writer = frame.writeStream.foreachBatch(take).option("checkpointLocation", checkpoint)
        query = writer.trigger(availableNow=True).start()
        query.awaitTermination()
        progress = query.recentProgress[-1]
        return sorted(rows), [operator["operatorName"] for operator in progress["stateOperators"]]

    return run


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a program of its own, for a JVM of its own."""

    def run(text: str, **env: str) -> subprocess.CompletedProcess[str]:
        file = tmp_path / "program.py"
        file.write_text(text)
        everything = {**os.environ, "PYTHONPATH": str(PYTHON), **env}
        for key in ("PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET"):
            everything.pop(key, None)
        return subprocess.run(
            [sys.executable, str(file)], env=everything, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    return run
