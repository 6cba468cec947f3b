"""Sessions that can run shedjoin: how they are made, and the check that one can."""

from __future__ import annotations

import itertools
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import pyspark
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from shedjoin import _jar, _jvm
from shedjoin._errors import needs_jvm, not_loaded
from shedjoin._interruptible import ends_first

EXTENSION = "org.apache.spark.sql.shedjoin.ShedJoinExtensions"
JARS = "spark.jars"
EXTENSIONS = "spark.sql.extensions"
_SUBMIT_ARGS = "PYSPARK_SUBMIT_ARGS"


@ends_first
def configure(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Adds shedjoin's jar and extension to what the builder, or the conf of Spark, has already.

    Raises where a session runs already without shedjoin, for `getOrCreate` would give that one.
    """
    if "spark.remote" in builder._options or "SPARK_REMOTE" in os.environ:
        raise needs_jvm("shedjoin.configure", "Start the Connect server with --jars and shedjoin's jar.")
    jar = _jar.find()
    session = SparkSession.getActiveSession()
    if session is not None:
        check(session)
    _jvm.add_to_class_path(jar.path)
    for key, value in ((JARS, str(jar.path)), (EXTENSIONS, EXTENSION)):
        builder = builder.config(key, _appended(_given(builder, key), value))
    _append_to_submit_args("--jars", JARS, str(jar.path))
    _append_to_submit_args(None, EXTENSIONS, EXTENSION)
    return builder


@ends_first
def check(spark: SparkSession) -> None:
    """Raises [SHEDJOIN_NOT_LOADED], with the line that mends it, unless the session can run shedjoin."""
    if _jvm.is_connect(spark):
        _check_connect(spark)
        return
    found = _jvm.installation(spark)
    if found is None:
        raise not_loaded("This Spark session runs without the jar of shedjoin, so Spark would run its own join.")
    if _jar.minor(found.running_spark) != found.built_for_spark:
        raise not_loaded(
            f"The jar of shedjoin is for Spark {found.built_for_spark}, but Spark {found.running_spark} runs.",
            f'Run: pip install "pyspark=={found.built_for_spark}.*", and restart the session.',
        )
    if _jar.minor(pyspark.__version__) != _jar.minor(found.running_spark):
        raise not_loaded(
            f"pyspark is {pyspark.__version__}, but the JVM runs Spark {found.running_spark}.",
            f'Run: pip install "pyspark=={found.running_spark}", and restart the session.',
        )
    if not found.active:
        raise not_loaded("This Spark session was started without the extension, so Spark would run its own join.")


def _check_connect(spark: SparkSession) -> None:
    """Asks a server by a hint that shedjoin refuses, and that Spark alone would only warn of."""
    try:
        _ = spark.range(1).hint("shed_join", "are_you_there=1").schema
    except PySparkException as refused:
        if "SHEDJOIN_UNKNOWN_OPTION" in str(refused):
            return
        raise
    raise not_loaded("The Spark Connect server runs without shedjoin.", "Start the server with --jars and its jar.")


def _appended(given: str | None, value: str) -> str:
    entries = [entry.strip() for entry in (given or "").split(",") if entry.strip()]
    return ",".join(entries if value in entries else [*entries, value])


def _given(builder: SparkSession.Builder, key: str) -> str | None:
    """What is set already: in the builder, else for the JVM that runs or is to be, else in spark-defaults.conf."""
    if key in builder._options:
        return str(builder._options[key])
    return _jvm.running_conf(key) or _submitted(key) or _defaults().get(key)


def _submitted(key: str) -> str | None:
    """What PYSPARK_SUBMIT_ARGS says."""
    words = shlex.split(os.environ.get(_SUBMIT_ARGS, ""))
    for option, value in itertools.pairwise(words):
        if option == "--jars" and key == JARS:
            return value
        if option in ("--conf", "-c") and value.startswith(f"{key}="):
            return value.split("=", 1)[1]
    return None


def _defaults() -> dict[str, str]:
    folder = os.environ.get("SPARK_CONF_DIR") or os.path.join(os.environ.get("SPARK_HOME", ""), "conf")
    file = Path(folder) / "spark-defaults.conf"
    lines = file.read_text().splitlines() if file.is_file() else []
    return dict(_settings(lines))


def _settings(lines: list[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        words = line.strip().replace("=", " ", 1).split(None, 1)
        if len(words) == 2 and not words[0].startswith("#"):
            yield words[0], words[1].strip()


def _append_to_submit_args(option: str | None, key: str, value: str) -> None:
    """Appends where PYSPARK_SUBMIT_ARGS has the setting, for it would win over the builder's."""
    words = shlex.split(os.environ.get(_SUBMIT_ARGS, ""))
    for i in range(1, len(words)):
        if option is not None and words[i - 1] == option:
            words[i] = _appended(words[i], value)
        elif words[i - 1] in ("--conf", "-c") and words[i].startswith(f"{key}="):
            words[i] = f"{key}={_appended(words[i].split('=', 1)[1], value)}"
    if words:
        os.environ[_SUBMIT_ARGS] = shlex.join(words)
