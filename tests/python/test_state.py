"""`shedjoin.state`, on the checkpoint of a real query."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import shedjoin
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

Stream = Callable[..., DataFrame]


def test_the_state_of_a_query_is_a_table(spark: SparkSession, stream: Stream, tmp_path: Path) -> None:
    left, right = stream("left", [(1, 100), (2, 101)]), stream("right", [(1, 102), (3, 103)], "u", "m")
    joined = shedjoin.join(left, right, on="k", within="5 seconds", how="left")
    checkpoint = tmp_path / "checkpoint"
    query = (
        joined.writeStream.format("noop")
        .option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    table = shedjoin.state(spark, checkpoint, operator=0)
    rows = {(row.side, row.key[0], row.matched) for row in table.collect()}
    assert rows == {("left", 1, True), ("left", 2, False), ("right", 1, False), ("right", 3, False)}
    assert shedjoin.state(spark, str(checkpoint)).where("left.n = 100").count() == 1


def test_a_folder_without_a_join_is_refused_by_name(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(AnalysisException, match=r"\[SHEDJOIN_NO_STATE\] The checkpoint .* holds no committed state"):
        shedjoin.state(spark, tmp_path)
