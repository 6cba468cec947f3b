"""Spans of time, without Spark."""

from __future__ import annotations

from datetime import timedelta

import pytest
from shedjoin import ShedJoinError, Within
from shedjoin._within import span, within


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("10 minutes", 600),
        ("1 minute", 60),
        ("interval 1 HOUR 30 minutes", 5400),
        ("250 milliseconds", 0.25),
        ("2days", 172_800),
        ("1 week", 604_800),
        ("-5 seconds", -5),
    ],
)
def test_spans_are_read_as_spark_reads_intervals(text: str, seconds: float) -> None:
    assert span(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "10", "minutes", "1 month", "1 year", "ten minutes", "1 minutess", "5 s"])
def test_what_has_no_fixed_length_is_refused(text: str) -> None:
    with pytest.raises(ShedJoinError) as refused:
        span(text)
    assert str(refused.value) == (
        f"[SHEDJOIN_INVALID_OPTION] The argument within of shedjoin.join is {text!r}; allowed is a span such as "
        "'10 minutes', a timedelta, a pair (before, after) of them, or a shedjoin.Within; spans are in microsecond, "
        "millisecond, second, minute, hour, day, week, or their plurals. Correct it."
    )


def test_one_bound_holds_on_both_sides_and_two_may_differ() -> None:
    minute, hour = timedelta(minutes=1), timedelta(hours=1)
    assert within("1 minute").bounds == (minute, minute)
    assert within(("1 minute", hour)).bounds == (minute, hour)
    assert within(Within(minute, left_time="at")).left_time == "at"


@pytest.mark.parametrize("given", [5, ("1 minute",), ("1 minute", 3), ["1 minute", "2 minutes"]])
def test_other_values_are_refused(given: object) -> None:
    with pytest.raises(ShedJoinError, match=r"SHEDJOIN_INVALID_OPTION. The argument within"):
        within(given)


def test_an_empty_interval_is_refused() -> None:
    with pytest.raises(ShedJoinError, match="an interval that is not empty"):
        _ = within(("-2 minutes", "1 minute")).bounds
