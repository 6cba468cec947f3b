"""A streaming join in plain PySpark, which knows nothing of shedjoin: `plain_join_app.py FOLDER`.

Joins the files under FOLDER/left and FOLDER/right, writes the rows to FOLDER/out, and the plan of the last batch and
the number of executors to FOLDER/report.json.
"""

import json
import sys
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, expr
from pyspark.sql.streaming.query import StreamingQuery


def side(spark: SparkSession, folder: Path, prefix: str) -> DataFrame:
    rows = spark.readStream.schema("k INT, at TIMESTAMP, id BIGINT").option("maxFilesPerTrigger", 1).json(str(folder))
    named = rows.select(*[col(c).alias(prefix + c) for c in rows.columns])
    return named.withWatermark(f"{prefix}at", "10 seconds")


def run(joined: DataFrame, folder: Path) -> StreamingQuery:
    query = (
        joined.select("lk", "lid", "rid")
        .writeStream.format("json")
        .option("path", str(folder / "out"))
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    return query


def main(folder: Path) -> None:
    spark = SparkSession.builder.getOrCreate()
    within = expr("lk = rk AND rat BETWEEN lat - INTERVAL 15 SECONDS AND lat + INTERVAL 20 SECONDS")
    joined = side(spark, folder / "left", "l").join(side(spark, folder / "right", "r"), within, "leftOuter")
    query = run(joined, folder)
    plan = query._jsq.explainInternal(False)
    executors = spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos()
    report = {"plan": plan, "executors": len(executors) - 1}
    (folder / "report.json").write_text(json.dumps(report))
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
