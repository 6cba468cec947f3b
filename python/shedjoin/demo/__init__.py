"""`python -m shedjoin demo`: a streaming join of auctions with their bids, by Spark and by shedjoin, compared."""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import SparkSession

from shedjoin import _jvm, _session
from shedjoin._errors import ShedJoinError
from shedjoin._terminal import Line
from shedjoin.demo import _input, _report, _run

SETTINGS = {
    "spark.driver.memory": "4g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.shuffle.partitions": "2",
    # Spark's default forks a process for each file of a checkpoint on a local disk.
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
    ),
    # Each minute by default: once in all, in the run of either join, or while the folder is removed.
    "spark.sql.streaming.stateStore.maintenanceInterval": "1h",
}


def main(arguments: Sequence[str] = ()) -> int:
    """Runs the demo; 0 where both joins gave the same rows."""
    parser = argparse.ArgumentParser(
        "python -m shedjoin demo", description="Spark's join and shedjoin on the same data."
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw state and seconds a batch into this picture")
    parser.add_argument("--quick", action="store_true", help="little data: whether it works, not how fast")
    given = parser.parse_args(arguments)
    size = _input.QUICK if given.quick else _input.FULL
    started = time.monotonic()
    if given.plot:
        from shedjoin.demo import _plot  # matplotlib is wanted here only

        _plot.check(given.plot)
    with tempfile.TemporaryDirectory(prefix="shedjoin-demo-", ignore_cleanup_errors=True) as folder:
        check_disk(Path(folder), size)
        with _jvm.owned(session(folder)) as spark:
            runs = compare(spark, Path(folder), size)
    print(_report.table(runs))
    print(f"{_report.setting(SETTINGS)}; {time.monotonic() - started:.0f} s in all")
    if given.plot:
        _plot.draw(runs, given.plot)
        print(f"drawn: {given.plot}")
    problem = _report.problem(runs)
    if problem:
        print(problem)
    return 1 if problem else 0


def compare(spark: SparkSession, root: Path, size: _input.Size) -> list[_run.Run]:
    """Both joins on the same files, one after the other, after a short run of each to warm up."""
    line = Line()
    line.show("making auctions and bids")
    warm_up, data = root / "warm-up", root / "data"
    _input.write(spark, data, warm_up, size)
    for engine in _run.ENGINES:
        _run.run(spark, warm_up, engine, size.warm_up, line, "warm-up: ")
    return [_run.run(spark, data, engine, size.batches, line) for engine in _run.ENGINES]


def session(folder: str) -> SparkSession.Builder:
    """For a session of its own, for heap and class path are settled when the JVM starts."""
    if SparkSession.getActiveSession() is not None:
        raise ShedJoinError(
            "SHEDJOIN_DEMO_CAN_NOT_RUN",
            "A Spark session runs already in this process, with its own memory and partitions; the demo needs "
            f"spark.driver.memory={SETTINGS['spark.driver.memory']} from the start. Run: python -m shedjoin demo",
        )
    builder = SparkSession.builder.master("local[2]").appName("shedjoin demo").config("spark.local.dir", folder)
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    return _session.configure(builder)


def check_disk(folder: Path, size: _input.Size) -> None:
    """Raises where the input and the two checkpoints would not fit."""
    free = shutil.disk_usage(folder).free
    if free < size.disk_mib * 2**20:
        raise ShedJoinError(
            "SHEDJOIN_DEMO_CAN_NOT_RUN",
            f"{folder.parent} has {free / 2**20:,.0f} MiB free; the demo needs {size.disk_mib:,} MiB. "
            "Free some, or set TMPDIR to a folder with more.",
        )
