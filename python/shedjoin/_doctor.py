"""`python -m shedjoin doctor`: versions, jar, conf, and what is wrong."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Callable

import pyspark
from pyspark.sql import SparkSession

from shedjoin import _jar, _jvm, _session


def main() -> int:
    """Prints what is found; 0 where nothing is wrong."""
    wrong: list[str] = []
    print(f"python      {platform.python_version()}")
    print(f"pyspark     {pyspark.__version__}, {_tested(pyspark.__version__)}")
    print(f"java        {_attempt(_java, wrong)}")
    print(f"jar         {_attempt(lambda: str(_jar.find().path), wrong)}")
    if not wrong:
        _attempt(_session_report, wrong)
    for problem in wrong:
        print(f"wrong       {problem}")
    print("nothing is wrong" if not wrong else "shedjoin will not run until this is mended")
    return 1 if wrong else 0


def _attempt(find: Callable[[], str], wrong: list[str]) -> str:
    """What is found, or a dash and the problem in `wrong`."""
    try:
        return find()
    except Exception as problem:  # whatever it is, the doctor's work is to show it
        wrong.append(str(problem))
        return "-"


def _tested(running: str) -> str:
    """Which releases are known to work, and whether this is one of them."""
    known = " and ".join(_jar.TESTED)
    if running in _jar.TESTED:
        return f"tested with {known}"
    return f"not tested with it, but with {known}"


def _java() -> str:
    java = shutil.which("java")
    if java is None:
        raise RuntimeError("No java is on the PATH. Install a JDK, 17 or later.")
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=True)
    return (told.stderr or told.stdout).splitlines()[0]


def _session_report() -> str:
    """Starts the session that a program would get, and prints what it has."""
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    with _jvm.owned(_session.configure(builder)) as spark:
        found = _jvm.installation(spark)
        if found is not None:
            print(f"spark       {found.running_spark}, Scala {found.running_scala}")
            print(f"shedjoin    {found.version} for Spark {found.built_for_spark}")
            print(f"extension   {'active' if found.active else 'not active'}")
        for key, value in sorted(_settings(spark).items()):
            print(f"conf        {key}={value}")
        warning = None if found is None else _jvm.memory_warning(spark)
        if warning:
            print(f"warning     {warning}")
        _session.check(spark)
    return "ok"


def _settings(spark: SparkSession) -> dict[str, str]:
    shown = (_session.JARS, _session.EXTENSIONS)
    conf = spark.conf.getAll
    return {key: value for key, value in conf.items() if key in shown or key.startswith("spark.shedjoin.")}
