"""`configure`, `check`, the jar and the doctor, each in a JVM of its own where it matters."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyspark
import pytest
import shedjoin
from pyspark.sql import SparkSession
from shedjoin import ShedJoinError, _doctor, _jar, _jvm, _session

Program = Callable[..., subprocess.CompletedProcess[str]]

START = """
import shedjoin
from pyspark.sql import SparkSession
def plain():
    return SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
"""


def last(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


def test_check_passes_in_a_session_that_was_configured(spark: SparkSession) -> None:
    shedjoin.check(spark)
    found = _jvm.installation(spark)
    assert found is not None
    assert found.active
    assert found.version == _jar.find().version


def test_configure_appends_and_never_twice(spark: SparkSession) -> None:  # noqa: ARG001 (the session runs)
    builder = SparkSession.builder.config("spark.jars", "a.jar,b.jar").config("spark.sql.extensions", "x.Y")
    options = _session.configure(_session.configure(builder))._options
    assert options["spark.jars"] == f"a.jar,b.jar,{_jar.find().path}"
    assert options["spark.sql.extensions"] == f"x.Y,{_session.EXTENSION}"


def test_a_session_that_runs_without_shedjoin_is_told_the_line_that_mends_it(program: Program) -> None:
    done = program(
        START
        + """
spark = plain().getOrCreate()
stream = spark.readStream.format("rate").load()
for attempt in (lambda: shedjoin.check(spark), lambda: shedjoin.configure(SparkSession.builder),
                lambda: shedjoin.join(stream, stream, on="value")):
    try:
        attempt()
        print("no error")
    except shedjoin.ShedJoinError as e:
        print(e)
spark.stop(); spark = shedjoin.configure(SparkSession.builder).getOrCreate()
shedjoin.check(spark)
print("mended")
"""
    )
    assert last(done) == "mended"
    told = [line for line in done.stdout.splitlines() if line.startswith(("[", "no error"))]
    assert (
        told
        == [
            "[SHEDJOIN_NOT_LOADED] This Spark session runs without the jar of shedjoin, so Spark would run its own "
            "join. Run: spark.stop(); spark = shedjoin.configure(SparkSession.builder).getOrCreate()"
        ]
        * 3
    )


def test_jars_given_to_spark_submit_stay(program: Program, tmp_path: Path) -> None:
    other = tmp_path / "other.jar"
    other.write_bytes(b"PK\x05\x06" + bytes(18))
    done = program(
        START
        + """
spark = shedjoin.configure(plain()).getOrCreate()
shedjoin.check(spark)
print(spark.sparkContext.getConf().get("spark.jars"), spark.sparkContext.getConf().get("spark.sql.extensions"))
""",
        PYSPARK_SUBMIT_ARGS=f"--jars {other} --conf spark.sql.extensions=x.Y pyspark-shell",
    )
    jars, extensions = last(done).split()
    assert [Path(jar).name for jar in jars.split(",")] == ["other.jar", _jar.find().path.name]
    assert extensions == f"x.Y,{_session.EXTENSION}"


def test_settings_in_spark_defaults_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "spark-defaults.conf").write_text("# a comment\nspark.jars  a.jar\nspark.sql.extensions=x.Y\n\n")
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert _session._defaults() == {"spark.jars": "a.jar", "spark.sql.extensions": "x.Y"}


def test_the_jar_alone_is_enough(program: Program) -> None:
    done = program(
        START + "spark = plain().getOrCreate(); shedjoin.check(spark); print('loaded')",
        PYSPARK_SUBMIT_ARGS=f"--jars {_jar.find().path} pyspark-shell",
    )
    assert last(done) == "loaded"


def test_a_jar_for_another_spark_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    jar = tmp_path / "shedjoin_spark-3.5_2.13-0.1.0.jar"
    jar.touch()
    monkeypatch.setenv(_jar.OVERRIDE, str(jar))
    with pytest.raises(ShedJoinError) as refused:
        shedjoin.configure(SparkSession.builder)
    assert str(refused.value) == (
        f"[SHEDJOIN_NOT_LOADED] pyspark is {pyspark.__version__}, but shedjoin has "
        "shedjoin_spark-3.5_2.13-0.1.0.jar for Spark 3.5. "
        'Run: pip install "pyspark==3.5.*"'
    )
    monkeypatch.setenv(_jar.OVERRIDE, str(tmp_path / "nothing.jar"))
    with pytest.raises(ShedJoinError, match=r"SHEDJOIN_NOT_LOADED. The environment variable SHEDJOIN_JAR is .*nothing"):
        _jar.find()


def test_spark_connect_is_told_what_needs_the_jvm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_REMOTE", "sc://localhost")
    with pytest.raises(ShedJoinError) as refused:
        _session.configure(SparkSession.builder)
    assert str(refused.value) == (
        "[SHEDJOIN_NEEDS_JVM] shedjoin.configure needs Spark's JVM, which Spark Connect does not give. "
        "Start the Connect server with --jars and shedjoin's jar."
    )


def test_the_doctor_finds_nothing_wrong_and_names_a_wrong_jar(program: Program) -> None:
    run = "import sys; from shedjoin import _doctor; sys.exit(_doctor.main())"
    well = program(run)
    assert last(well) == "nothing is wrong"
    for line in (f"pyspark     {pyspark.__version__}, ", "extension   active", f"jar         {_jar.find().path}"):
        assert line in well.stdout
    assert "warning" not in well.stdout
    ill = program(run, SHEDJOIN_JAR="no.jar")
    assert ill.returncode == 1
    assert "wrong       [SHEDJOIN_NOT_LOADED] The environment variable SHEDJOIN_JAR is no.jar" in ill.stdout


def test_the_doctor_warns_of_more_memory_than_the_heap_holds(program: Program, tmp_path: Path) -> None:
    (tmp_path / "spark-defaults.conf").write_text("spark.driver.memory 600m\nspark.shedjoin.memory 320m\n")
    run = "import sys; from shedjoin import _doctor; sys.exit(_doctor.main())"
    done = program(run, SPARK_CONF_DIR=str(tmp_path))
    assert last(done) == "nothing is wrong"
    (warning,) = (line for line in done.stdout.splitlines() if line.startswith("warning"))
    given, heap, safe, often = (mib * 2**20 for mib in (320, 600, 200, 400))
    assert f"memory is {given} bytes; of the heap of {heap} bytes that spark.driver.memory gives" in warning
    assert f"{safe} bytes are safe whatever the rows, and {often} bytes where none is longer than 512 KiB" in warning


def test_the_doctor_says_which_patches_of_spark_are_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jar, "TESTED", ("4.2.0", "4.2.1"))
    assert _doctor._tested("4.2.1") == "tested with 4.2.0 and 4.2.1"
    assert _doctor._tested("4.2.9") == "not tested with it, but with 4.2.0 and 4.2.1"


def test_the_patches_that_are_called_tested_are_those_that_tests_run_on() -> None:
    root = Path(__file__).parents[2]
    built = re.search(r'val spark = "(.*)"', (root / "project" / "Versions.scala").read_text())
    pinned = re.search(r"^pyspark==(.*)$", (root / "python" / "requirements-dev.txt").read_text(), re.MULTILINE)
    assert built
    assert pinned
    assert (built[1], pinned[1]) == _jar.TESTED
    assert pyspark.__version__ in _jar.TESTED
