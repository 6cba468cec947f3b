"""The join of two streams, asked for by a call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Literal

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from shedjoin import _session
from shedjoin._errors import ShedJoinError, invalid
from shedjoin._interruptible import ends_first
from shedjoin._within import Bound, Within
from shedjoin._within import within as parsed_within

_CALL_HINT = "shed_join_call"
_LEFT, _RIGHT = "__shedjoin_left", "__shedjoin_right"
_WATERMARK = "spark.watermarkDelayMs"

On = str | Column | Sequence[str] | Sequence[Column]


@ends_first
def join(
    left: DataFrame,
    right: DataFrame,
    *,
    on: On,
    within: Bound | tuple[Bound, Bound] | Within | None = None,
    how: str = "inner",
    memory: str | int | None = None,
    name: str | None = None,
    on_pressure: Literal["fail"] | None = None,
    **unknown: object,
) -> DataFrame:
    """Joins two streams as `left.join(right, on, how)` does, by shedjoin.

    `on` is a column name, several, or conditions. `within` bounds how far the event times may lie apart: one span
    ("10 minutes", a timedelta), a pair (before, after), or a `Within` that names the event-time columns too.
    `memory` ("64mb", or bytes) is what the state of this join may take over all its partitions. The arguments go
    before those of a hint, and these before the session's conf. In a self-join with conditions, alias both sides
    and put the time bounds into the conditions.
    """
    _session.check(left.sparkSession)
    names = _names(on)
    if within is None:
        joined = left.join(right, on if names is None else names, how)  # type: ignore[arg-type]
    elif names is None:
        joined = _join_on_conditions(left, right, _conditions(on), parsed_within(within), how)
    else:
        joined = _join_on_names(left, right, names, parsed_within(within), how)
    options = {"memory": memory, "name": name, "on_pressure": on_pressure, **unknown}
    return joined.hint(_CALL_HINT, *(f"{key}={value}" for key, value in options.items() if value is not None))


def _names(on: On) -> list[str] | None:
    """The key columns, where all of `on` is names."""
    given = [on] if isinstance(on, str | Column) else list(on)
    if not given or not all(isinstance(item, str | Column) for item in given):
        raise invalid("on", on, "a column name, a condition, or a list of either")
    names = [item for item in given if isinstance(item, str)]
    if names and len(names) != len(given):
        raise invalid("on", on, "a column name, a condition, or a list of either, not both")
    return names or None


def _conditions(on: On) -> list[Column]:
    given = [on] if isinstance(on, str | Column) else list(on)
    return [item for item in given if isinstance(item, Column)]


def _join_on_conditions(left: DataFrame, right: DataFrame, on: list[Column], bounds: Within, how: str) -> DataFrame:
    near = _near(left[_time(left, bounds.left_time, "left")], right[_time(right, bounds.right_time, "right")], bounds)
    return left.join(right, reduce(Column.__and__, [*on, near]), how)


def _join_on_names(left: DataFrame, right: DataFrame, on: list[str], bounds: Within, how: str) -> DataFrame:
    """Keeps each key once, as Spark's join on names does, though the condition holds more than equalities."""
    kind = how.lower().replace("_", "")
    left_time, right_time = _time(left, bounds.left_time, "left"), _time(right, bounds.right_time, "right")
    near = _near(_of(_LEFT, left_time), _of(_RIGHT, right_time), bounds)
    equal = [_of(_LEFT, key) == _of(_RIGHT, key) for key in on]
    joined = left.alias(_LEFT).join(right.alias(_RIGHT), reduce(Column.__and__, [*equal, near]), how)
    keys = [_key(kind, key).alias(key) for key in on]
    rights = [] if kind in ("semi", "leftsemi") else _rest(right, on, _RIGHT)
    return joined.select(*keys, *_rest(left, on, _LEFT), *rights)


def _near(left_time: Column, right_time: Column, bounds: Within) -> Column:
    before, after = bounds.bounds
    return (right_time >= left_time - F.lit(before)) & (right_time <= left_time + F.lit(after))


def _key(kind: str, key: str) -> Column:
    if kind in ("right", "rightouter"):
        return _of(_RIGHT, key)
    if kind in ("full", "fullouter", "outer"):
        return F.coalesce(_of(_LEFT, key), _of(_RIGHT, key))
    return _of(_LEFT, key)


def _rest(side: DataFrame, on: list[str], alias: str) -> list[Column]:
    keys = {key.lower() for key in on}
    return [_of(alias, column) for column in side.columns if column.lower() not in keys]


def _of(alias: str, column: str) -> Column:
    escaped = column.replace("`", "``")
    return F.col(f"{alias}.`{escaped}`")


def _time(side: DataFrame, named: str | None, which: str) -> str:
    """The event-time column of a side: the named one, else the watermarked one."""
    if named is not None:
        return named
    found = [field.name for field in side.schema.fields if _WATERMARK in field.metadata]
    if len(found) == 1:
        return found[0]
    have = f"{' and '.join(found)} have" if found else "no column has"
    raise ShedJoinError(
        "SHEDJOIN_INVALID_OPTION",
        f"The argument within of shedjoin.join needs one event-time column a side, but on the {which} side {have} a "
        "watermark. Call withWatermark on that side, or name the column: "
        f"within=shedjoin.Within(..., {which}_time=...).",
    )
