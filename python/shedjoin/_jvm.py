"""The one place that talks to Spark's JVM."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from py4j.java_gateway import JavaPackage
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession

_PACKAGE = "org.apache.spark.sql.shedjoin"


@dataclass(frozen=True)
class Installation:
    """What of shedjoin the JVM of a session has."""

    version: str
    built_for_spark: str
    running_spark: str
    running_scala: str
    active: bool


def is_connect(spark: SparkSession) -> bool:
    """Whether a session is one of Spark Connect."""
    return not hasattr(spark, "_jsparkSession")


def installation(spark: SparkSession) -> Installation | None:
    """What the JVM has; None where the jar is not on its class path."""
    found = _class(spark._jvm, "ShedJoinInstallation")
    if found is None:
        return None
    told = found.of(spark._jsparkSession)
    return Installation(
        version=told.version(),
        built_for_spark=told.builtForSpark(),
        running_spark=told.runningSpark(),
        running_scala=told.runningScala(),
        active=told.active(),
    )


def state(spark: SparkSession, checkpoint: str, operator: int | None) -> DataFrame:
    """The table of a join's stored rows."""
    reader = _class(spark._jvm, "StateReader")
    return DataFrame(reader.readNumbered(spark._jsparkSession, checkpoint, operator), spark)


def running_conf(key: str) -> str | None:
    """What the conf of a JVM that runs already says; None where no JVM runs, or where it says nothing."""
    if SparkContext._jvm is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        return None
    SparkContext._ensure_initialized()
    value: str | None = _jvm().org.apache.spark.SparkConf(True).get(key, None)
    return value


def add_to_class_path(jar: Path) -> None:
    """Brings a jar onto the class path of a JVM that runs already, where it is not yet there.

    Without this, `spark.jars` reaches the executors only, when the JVM is older than the session.
    """
    if SparkContext._jvm is None or _class(SparkContext._jvm, "ShedJoinExtensions") is not None:
        return
    thread = _jvm().java.lang.Thread.currentThread()
    loader = thread.getContextClassLoader()
    url = jar.resolve().as_uri()
    if hasattr(loader, "addURL"):
        loader.addURL(_jvm().java.net.URI(url).toURL())


def _jvm() -> Any:
    return SparkContext._jvm


def _class(jvm: Any, name: str) -> Any:
    found = getattr(jvm, f"{_PACKAGE}.{name}")
    return None if isinstance(found, JavaPackage) else found
