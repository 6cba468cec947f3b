"""What a client of Spark Connect does with shedjoin: `connect_app.py URL FOLDER`.

Joins the files under FOLDER/left and FOLDER/right, writes the rows to FOLDER/out, and what it was told to
FOLDER/report.json.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import shedjoin
from plain_join_app import run, side
from pyspark.sql import SparkSession
from pyspark.sql.functions import col


def refusal(call: Callable[[], object]) -> str:
    try:
        call()
    except Exception as refused:
        return str(refused)
    return "nothing was refused"


def main(url: str, folder: Path) -> None:
    spark = SparkSession.builder.remote(url).getOrCreate()
    shedjoin.check(spark)
    left, right = side(spark, folder / "left", "l"), side(spark, folder / "right", "r")
    within = ("15 seconds", "20 seconds")
    joined = shedjoin.join(left, right, on=col("lk") == col("rk"), within=within, how="leftOuter", memory="64mb")
    query = run(joined, folder)
    progress = query.lastProgress
    assert progress is not None
    report = {
        "operators": [operator["operatorName"] for operator in progress["stateOperators"]],
        "configure": refusal(lambda: shedjoin.configure(SparkSession.builder.remote(url))),
        "state": refusal(lambda: shedjoin.state(spark, str(folder / "checkpoint"))),
        "option": refusal(lambda: shedjoin.join(left, right, on=col("lk") == col("rk"), memory="lots").schema),
    }
    (folder / "report.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
