"""Stream joins on Apache Spark that never outgrow their memory."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import SparkSession

__all__ = ["configure"]


def configure(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Adds shedjoin's jar and extension to those that the builder has already."""
    jar = next((Path(__file__).parent / "jars").glob("shedjoin_*.jar"))
    for key, value in {
        "spark.jars": str(jar),
        "spark.sql.extensions": "org.apache.spark.sql.shedjoin.ShedJoinExtensions",
    }.items():
        given = builder._options.get(key)
        builder = builder.config(key, f"{given},{value}" if given else value)
    return builder
