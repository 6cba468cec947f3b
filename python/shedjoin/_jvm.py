"""The one place that talks to Spark's JVM."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any

from py4j.java_gateway import JavaPackage
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession

from shedjoin._interruptible import interruptible

_PACKAGE = "org.apache.spark.sql.shedjoin"
_ENDING_SECONDS = 0.4


@dataclass(frozen=True)
class Installation:
    """What of shedjoin the JVM of a session has."""

    version: str
    built_for_spark: str
    running_spark: str
    running_scala: str
    active: bool


@contextmanager
def owned(builder: SparkSession.Builder) -> Iterator[SparkSession]:
    """A session in a JVM of this process, for a command; Ctrl-C ends that JVM at once, whatever it does."""
    # What py4j logs on Ctrl-C, Python prints where nobody takes it.
    logging.getLogger().addHandler(logging.NullHandler())
    try:
        # In the main thread Spark would leave alone a JVM that it has just started. It would also handle Ctrl-C itself,
        # by a call that cancels the jobs, once the call that runs has ended.
        spark = interruptible(builder.getOrCreate)()
        try:
            yield spark
        except Exception:
            spark.stop()
            raise
        spark.stop()
    except KeyboardInterrupt:
        _end()
        raise


def _end() -> None:
    """Ends the JVM; one that only starts yet ends when this process does, as its stdin does then."""
    process = getattr(SparkContext._gateway, "proc", None)
    if process is not None:
        process.terminate()
        with suppress(TimeoutExpired):
            process.wait(_ENDING_SECONDS)
        process.kill()


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


def memory_warning(spark: SparkSession) -> str | None:
    """What is to be said of the memory that a session gives its joins, if anything."""
    told = _class(spark._jvm, "ShedJoinLimits").warning(spark._jsparkSession)
    return str(told.get()) if told.isDefined() else None


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
