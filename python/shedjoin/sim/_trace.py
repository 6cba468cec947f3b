"""Two streams, as tables or arrays, on their way to the simulator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from shedjoin._errors import ShedJoinError
from shedjoin._interruptible import interruptible
from shedjoin._policy import Policy
from shedjoin.sim import _jvm

Rows: TypeAlias = pa.Table | Mapping[str, Any] | npt.NDArray[Any] | Sequence[int]
_COLUMNS = ("time", "key", "value", "importance")
_UNITS = ("s", "ms", "us", "ns")
_MOST_ROWS = 2**31 - 1


class Trace:
    """The rows of two streams.

    A side is an Arrow table (or what `pyarrow.table` takes, or a matrix) with the columns `time`, `key` and, if wanted,
    `value`, the whole number that policies see instead of the key, and `importance`. Times are whole numbers or
    timestamps, in any order; keys are of any type that has an order, and rows without one match nothing. Rows come one
    after the other, of one time the left ones first. If both sides are arrays of whole numbers, these are the keys of
    one row a side and step. With `stepwise` the rows of one time come at once: they meet the stored rows, not each
    other.
    """

    @interruptible
    def __init__(self, left: Rows, right: Rows, *, stepwise: bool | None = None) -> None:
        tables = {"left": _table(left, "left"), "right": _table(right, "right")}
        self.left: pa.Table = tables["left"]
        self.right: pa.Table = tables["right"]
        self.stepwise = (
            all("time" not in side.column_names for side in tables.values()) if stepwise is None else stepwise
        )
        self.models: dict[str, Policy] = {}
        sides = [_with_time(side) for side in tables.values()]
        self._times = _same_times([side["time"] for side in sides])
        self.unit: str | None = self._times[0].type.unit if pa.types.is_timestamp(self._times[0].type) else None
        """The unit of the times, if these are timestamps."""
        self._origin, ticks = _ticks(self._times)
        keys = _key_numbers([side["key"] for side in sides])
        columns = [_numbers(side, t, k) for side, t, k in zip(sides, ticks, keys, strict=True)]
        sorted_columns = [_sorted(side) for side in columns]
        self._rows = [side["row"] for side in sorted_columns]
        """The rows as they come, by their places in the tables that were given."""
        left_rows, right_rows = (side.drop_columns(["row"]) for side in sorted_columns)
        self._handle = _jvm.load(left_rows, right_rows, self.stepwise)

    @classmethod
    def _made(cls, made: _jvm.Generated) -> Trace:
        """A trace that the JVM made."""
        trace = cls.__new__(cls)
        trace.left, trace.right = _jvm.sides(made.trace)
        trace.stepwise = made.stepwise
        trace.models = {name: Policy(name, settings) for name, settings in made.models.items()}
        trace.unit = None
        trace._times = [trace.left["time"], trace.right["time"]]
        trace._origin = 0
        trace._rows = [pa.chunked_array([np.arange(side.num_rows)]) for side in (trace.left, trace.right)]
        trace._handle = made.trace
        return trace

    def __repr__(self) -> str:
        return f"Trace({self.left.num_rows:,} left rows, {self.right.num_rows:,} right rows)"

    def _as_times(self, ticks: pa.ChunkedArray) -> pa.ChunkedArray:
        """Ticks of the simulator as times of the user."""
        return ticks if self.unit is None else pc.add(ticks, self._origin).cast(self._times[0].type)


def _table(rows: Rows, side: str) -> pa.Table:
    """The columns as they were given."""
    if isinstance(rows, pa.Table):
        table = rows
    elif isinstance(rows, Mapping):
        table = pa.table(dict(rows))
    else:
        array = np.asarray(rows)
        if array.ndim == 1 and (array.dtype.kind in "iu" or array.size == 0):
            return pa.table({"key": array.astype(np.int64)})
        if array.ndim != 2 or not 2 <= array.shape[1] <= len(_COLUMNS):
            given = f"an array of {array.dtype} of shape {array.shape}"
            raise _invalid(side, given, "a table, an array of whole numbers, or a matrix of 2 to 4 columns")
        table = pa.table({name: array[:, i] for i, name in enumerate(_COLUMNS[: array.shape[1]])})
    missing = [name for name in ("time", "key") if name not in table.column_names]
    if missing:
        raise _invalid(side, f"a table of {', '.join(table.column_names)}", f"one with the column {missing[0]}")
    if table.num_rows > _MOST_ROWS:
        raise _invalid(side, f"a table of {table.num_rows} rows", f"one of at most {_MOST_ROWS}")
    return table


def _with_time(table: pa.Table) -> pa.Table:
    if "time" in table.column_names:
        return table
    return table.append_column("time", pa.array(np.arange(table.num_rows)))


def _same_times(columns: list[pa.ChunkedArray]) -> list[pa.ChunkedArray]:
    """The times of both sides, of one type: 64-bit whole numbers, or timestamps of the finer unit."""
    types = [column.type for column in columns]
    for column in columns:
        if column.null_count:
            raise _invalid("time", f"a column with {column.null_count} nulls", "a column without nulls")
    stamps = [t for t in types if pa.types.is_timestamp(t)]
    if len(stamps) == len(types) and len({t.tz for t in stamps}) == 1:
        finer = max(stamps, key=lambda t: _UNITS.index(t.unit))
        return [column.cast(finer) for column in columns]
    if stamps:
        kinds = " and ".join(map(str, types))
        raise _invalid("time", f"columns of {kinds}", "timestamps of one time zone, or whole numbers, on both sides")
    return [_whole(column, "time", "whole numbers or timestamps, on both sides alike") for column in columns]


def _ticks(columns: list[pa.ChunkedArray]) -> tuple[int, list[npt.NDArray[np.int64]]]:
    """Times as whole numbers; timestamps count from the earliest on, since nanoseconds would be too large."""
    ticks = [column.cast(pa.int64()).to_numpy() for column in columns]
    origin = 0
    if pa.types.is_timestamp(columns[0].type):
        origin = min((int(side.min()) for side in ticks if side.size), default=0)
    return origin, [side - origin for side in ticks]


def _key_numbers(columns: list[pa.ChunkedArray]) -> list[pa.ChunkedArray]:
    """Keys as whole numbers: themselves, or their places in the order of all keys."""
    plain = [c.cast(c.type.value_type) if pa.types.is_dictionary(c.type) else c for c in columns]
    if all(pa.types.is_integer(column.type) for column in plain):
        return [_whole(column, "key", "whole numbers below 2**63") for column in plain]
    try:
        if _kind(plain[0].type) != _kind(plain[1].type):
            raise pa.ArrowInvalid("types that are not alike")
        both = pa.chunked_array([*plain[0].chunks, *plain[1].cast(plain[0].type).chunks], plain[0].type)
        encoded = both.combine_chunks().dictionary_encode()
        encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
        places = np.empty(len(encoded.dictionary), np.int64)
        places[pc.array_sort_indices(encoded.dictionary).to_numpy()] = np.arange(len(places))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as failed:
        kinds = " and ".join(str(column.type) for column in columns)
        raise _invalid("key", f"columns of {kinds}", "columns of one type, of numbers, strings or times") from failed
    numbers = pc.take(pa.array(places), encoded.indices)
    return [pa.chunked_array([numbers[: len(plain[0])]]), pa.chunked_array([numbers[len(plain[0]) :]])]


def _kind(of: pa.DataType) -> object:
    """What keys can be equal by."""
    is_text = pa.types.is_string(of) or pa.types.is_large_string(of)
    return "text" if is_text else "float" if pa.types.is_floating(of) else of


def _numbers(side: pa.Table, ticks: npt.NDArray[np.int64], keys: pa.ChunkedArray) -> pa.Table:
    """The columns that the JVM takes, with the places of the rows; without rows that have no key."""
    columns = {"time": pa.array(ticks), "key": keys, "row": pa.array(np.arange(len(ticks)))}
    if "value" in side.column_names:
        columns["value"] = _whole(side["value"], "value", "whole numbers")
    if "importance" in side.column_names:
        columns["importance"] = _finite(side["importance"])
    table = pa.table(columns)
    if keys.null_count:
        table = table.filter(pc.is_valid(table["key"]))
    for name in table.column_names:
        if table[name].null_count:
            raise _invalid(name, f"a column with {table[name].null_count} nulls", "a column without nulls")
    return table


def _sorted(table: pa.Table) -> pa.Table:
    """The rows as they come: by time, those of one time by what they are."""
    time = table["time"].to_numpy()
    if bool(np.all(time[1:] > time[:-1])):
        return table
    names = [name for name in ("importance", "key", "value", "time") if name in table.column_names]
    return table.take(pa.array(np.lexsort([table[name].to_numpy() for name in names])))


def _whole(column: pa.ChunkedArray, name: str, allowed: str) -> pa.ChunkedArray:
    try:
        return column.cast(pa.int64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as failed:
        raise _invalid(name, f"a column of {column.type}", allowed) from failed


def _finite(column: pa.ChunkedArray) -> pa.ChunkedArray:
    try:
        numbers = column.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        numbers = None
    if numbers is None or pc.all(pc.is_finite(numbers)).as_py() is False:
        raise _invalid("importance", f"a column of {column.type}", "finite numbers")
    return numbers


def _invalid(what: str, given: str, allowed: str) -> ShedJoinError:
    text = f"{what} of shedjoin.sim.Trace is {given}; allowed is {allowed}."
    return ShedJoinError("SHEDJOIN_INVALID_TRACE", text)
