"""`shedjoin.join`, `hint` and conf, on real streams."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
import shedjoin
from pyspark.errors import AnalysisException, StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from shedjoin import ShedJoinError, Within

Stream = Callable[..., DataFrame]
Result = Callable[[DataFrame], tuple[list[tuple[object, ...]], list[str]]]

OURS, SPARKS = ["shedJoin"], ["symmetricHashJoin"]


@pytest.fixture(autouse=True)
def _no_conf_is_left(spark: SparkSession) -> Iterator[None]:
    yield
    for key in ("enabled", "memory"):
        spark.conf.unset(f"spark.shedjoin.{key}")


def plan(frame: DataFrame) -> str:
    """What `explain` prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        frame.explain()
    return printed.getvalue()


def test_a_join_by_call_gives_the_rows_of_sparks_join(stream: Stream, result: Result) -> None:
    left, right = stream("left", [(1, 10), (2, 20)]), stream("right", [(1, 11), (3, 31)], "u", "m")
    called = shedjoin.join(left, right, on="k", memory="64mb", name="bids").select("k", "n", "m")
    assert result(called) == ([(1, 10, 11)], OURS)
    assert result(left.join(right, "k").select("k", "n", "m")) == ([(1, 10, 11)], SPARKS)


def test_hint_sql_and_conf_take_the_join_too(spark: SparkSession, stream: Stream, result: Result) -> None:
    left, right = stream("left", [(1, 10)], None), stream("right", [(1, 11)], None, "m")
    left.createOrReplaceTempView("l")
    right.createOrReplaceTempView("r")
    sql = spark.sql("SELECT /*+ SHED_JOIN('memory=64mb') */ l.k, n, m FROM l JOIN r ON l.k = r.k")
    assert result(left.join(right, "k").hint("shed_join", "memory=64mb")) == ([(1, 10, 11)], OURS)
    assert result(sql) == ([(1, 10, 11)], OURS)
    spark.conf.set("spark.shedjoin.enabled", "true")
    assert result(left.join(right, "k")) == ([(1, 10, 11)], OURS)


def test_the_plan_shows_the_join_and_its_options_and_a_call_goes_before_a_hint(stream: Stream) -> None:
    left, right = stream("left", [(1, 10)]), stream("right", [(1, 11)])
    joined = shedjoin.join(left, right, on=["k"], within="1 minute", memory=1024 * 1024, on_pressure="fail")
    hinted = joined.hint("shed_join", "memory=64mb", "name=bids")
    assert "ShedJoin [name=bids, memory=1048576 bytes, onPressure=fail, askedBy=call]" in plan(hinted)


@pytest.mark.parametrize("how", ["inner", "left", "right", "full_outer", "left_semi"])
def test_within_bounds_the_event_times_and_keeps_sparks_columns(stream: Stream, result: Result, how: str) -> None:
    left = stream("left", [(1, 100), (2, 100), (9, 9000)])
    right = stream("right", [(1, 40), (1, 105), (1, 111), (8, 9000)], "u", "m")
    joined = shedjoin.join(left, right, on="k", within=("1 minute", timedelta(seconds=10)), how=how)
    assert joined.columns == left.join(right, "k", how).columns
    bounds = F.expr("l.k = r.k AND u >= t - INTERVAL 60 SECONDS AND u <= t + INTERVAL 10 SECONDS")
    sparks = left.alias("l").join(right.alias("r"), bounds, how)
    numbers = ["n"] if how == "left_semi" else ["n", "m"]
    rows, operators = result(joined.select(*numbers).na.fill(-1))
    assert operators == OURS
    assert rows == result(sparks.select(*numbers).na.fill(-1))[0]


def test_within_can_name_the_columns(stream: Stream, result: Result) -> None:
    left, right = stream("left", [(1, 100)], None), stream("right", [(1, 105), (1, 111)], None, "m")
    left, right = (side.withColumn("at", F.timestamp_seconds(n)) for side, n in ((left, "n"), (right, "m")))
    bounds = Within("0 seconds", "10 seconds", left_time="at", right_time="at")
    assert result(shedjoin.join(left, right, on="k", within=bounds).select("n", "m")) == ([(100, 105)], OURS)


def test_conditions_and_self_joins(stream: Stream, result: Result) -> None:
    one = stream("one", [(1, 100), (2, 200)])
    other = stream("other", [(1, 100)], "u", "m").withColumnRenamed("k", "j")
    by_condition = shedjoin.join(one, other, on=one["k"] == other["j"], within="1 minute").select("n", "m")
    assert result(by_condition) == ([(100, 100)], OURS)
    twice = shedjoin.join(one, one, on="k", within="1 minute")
    assert result(twice.toDF("k", "n", "t", "n2", "t2").select("n", "n2")) == ([(100, 100), (200, 200)], OURS)


def test_a_python_function_over_both_sides(stream: Stream, result: Result) -> None:
    less = F.udf(lambda a, b: a < b, "boolean")
    left = stream("left", [(1, 10), (1, 12)], None)
    right = stream("right", [(1, 11)], None, "m").withColumnRenamed("k", "j")
    joined = shedjoin.join(left, right, on=(left["k"] == right["j"]) & less("n", "m"))
    assert result(joined.select("n", "m")) == ([(10, 11)], OURS)


def test_batch_joins_stay_sparks(spark: SparkSession) -> None:
    spark.conf.set("spark.shedjoin.enabled", "true")
    one = spark.createDataFrame([(1, 2)], "k INT, n INT")
    assert "ShedJoin" not in plan(one.join(one, "k"))


def test_unknown_options_are_refused_by_name(stream: Stream) -> None:
    left, right = stream("left", [(1, 10)]), stream("right", [(1, 11)])
    with pytest.raises(AnalysisException) as unknown:
        shedjoin.join(left, right, on="k", memroy="64mb")
    assert str(unknown.value).splitlines()[0] == (
        "[SHEDJOIN_UNKNOWN_OPTION] The argument memroy of shedjoin.join is not an option here; known are memory, "
        "onPressure, name. Correct or remove it."
    )
    assert unknown.value.getCondition() == "SHEDJOIN_UNKNOWN_OPTION"
    with pytest.raises(AnalysisException, match=r"SHEDJOIN_NOT_AVAILABLE_YET. The argument policy of shedjoin.join"):
        shedjoin.join(left, right, on="k", policy="prob")
    with pytest.raises(AnalysisException, match=r"SHEDJOIN_NOT_AVAILABLE_YET. The argument onPressure .* is 'shed'"):
        shedjoin.join(left, right, on="k", on_pressure="shed")  # type: ignore[arg-type]
    with pytest.raises(AnalysisException, match=r"SHEDJOIN_INVALID_OPTION. The argument memory .* is 'much'"):
        shedjoin.join(left, right, on="k", memory="much")


def test_a_join_that_can_not_be_taken_is_an_error_by_call(stream: Stream) -> None:
    left, right = stream("left", [(1, 10)]), stream("right", [(1, 11)], "u", "m")
    query = shedjoin.join(left, right, on=left["t"] < right["u"]).writeStream.format("noop").trigger(availableNow=True)
    with pytest.raises(StreamingQueryException, match="SHEDJOIN_JOIN_NOT_TAKEN"):
        query.start().awaitTermination()


def test_mistakes_in_on_and_within_say_what_is_allowed(stream: Stream) -> None:
    left, right = stream("left", [(1, 10)], None), stream("right", [(1, 11)], None)
    with pytest.raises(ShedJoinError, match=r"SHEDJOIN_INVALID_OPTION.*needs one event-time column a side.*left_time"):
        shedjoin.join(left, right, on="k", within="1 minute")
    with pytest.raises(ShedJoinError, match=r"The argument on of shedjoin.join is"):
        shedjoin.join(left, right, on=["k", left["k"] == right["k"]])  # type: ignore[arg-type]
    with pytest.raises(ShedJoinError, match=r"The argument on of shedjoin.join is \[\]; allowed is a column name"):
        shedjoin.join(left, right, on=[])
