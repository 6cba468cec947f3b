"""The state of a join, read from the checkpoint of its query."""

from __future__ import annotations

import os

from pyspark.sql import DataFrame, SparkSession

from shedjoin import _jvm, _session
from shedjoin._errors import needs_jvm
from shedjoin._interruptible import ends_first


@ends_first
def state(spark: SparkSession, checkpoint: str | os.PathLike[str], operator: int | None = None) -> DataFrame:
    """Reads the rows that a join holds after the last committed batch of a query.

    One row for each stored row: partition, side, event_time, matched, key, and the row itself under `left` or `right`.
    `operator` says which join, by the number of its folder in the checkpoint's state; needed where there are several.
    """
    if _jvm.is_connect(spark):
        raise needs_jvm("shedjoin.state", "Call it in a session of its own, beside the Connect server.")
    _session.check(spark)
    return _jvm.state(spark, os.fspath(checkpoint), operator)
