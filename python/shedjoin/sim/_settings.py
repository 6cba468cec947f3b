"""The arguments of a run, checked and put into the texts that the JVM takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Literal, cast

import pyarrow as pa

from shedjoin._errors import ShedJoinError, invalid
from shedjoin._policy import Policy, parsed
from shedjoin._within import span
from shedjoin.sim import _jvm
from shedjoin.sim._trace import Trace

Span = int | str | timedelta
Within = Span | tuple[Span, Span] | None
Memory = int | tuple[int, int]
PolicyLike = str | Policy
Order = Literal["probe_first", "evict_first"]
Count = Literal["both", "left", "right"]
Combine = Literal["min", "max", "sum", "product"]

_MOST_ROWS = 2**31 - 1
_LEAST_LEDGER = 8 << 10
_UNITS = {"ms": "milliseconds", "s": "seconds", "sec": "seconds", "min": "minutes", "h": "hours", "d": "days"}
_SHORT = re.compile(rf"(?<=[\d ])({'|'.join(_UNITS)})\b", re.IGNORECASE)
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def policies() -> pa.Table:
    """The policies: a row for each and its settings, with what they may be."""
    names = ["policy", "doc", "random", "setting", "allowed", "default", "setting_doc"]
    rows = _jvm.policies()
    return pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)})


@cache
def depends_on_seed(policy: str) -> bool:
    """Whether runs of a policy on one trace differ by their seeds."""
    return any(row[0] == policy and row[2] == "true" for row in _jvm.policies())


def chosen(given: PolicyLike, trace: Trace) -> Policy:
    """The policy that is meant; a name alone has the settings that the trace's maker knows for it, if any."""
    if isinstance(given, Policy):
        return given
    if not isinstance(given, str):
        raise _invalid("policy", given, "a name, such as 'prob', or what shedjoin.policy gives")
    named = parsed(given)
    return named if named.settings else trace.models.get(named.name, named)


def settings(
    trace: Trace,
    policy: PolicyLike,
    memory_rows: Memory,
    *,
    within: Within,
    seed: int,
    warmup: Span,
    order: str,
    count: str,
    combine: str = "min",
    ledger: int | None = None,
) -> _jvm.Handle:
    """The settings of a run in the JVM."""
    named = chosen(policy, trace)
    texts = {
        "policy": named.name,
        **_memory(memory_rows),
        **_window(trace, within),
        **_ledger(ledger, order),
        "order": _one_of("order", order, ("probe_first", "evict_first")),
        "count": _one_of("count", count, ("both", "left", "right")),
        "combine": _one_of("combine", combine, ("min", "max", "sum", "product")),
        "warmup": str(_ticks(trace, "warmup", warmup)),
        "seed": str(_whole("seed", seed, -(2**63), 2**63 - 1)),
    }
    return _jvm.settings(texts, named.settings)


def rows_in_all(memory_rows: Memory) -> int:
    """How many rows fit."""
    return sum(_memory_parts(memory_rows))


def _memory(given: Memory) -> dict[str, str]:
    parts = _memory_parts(given)
    names = ("rows",) if len(parts) == 1 else ("left_rows", "right_rows")
    return {name: str(rows) for name, rows in zip(names, parts, strict=True)}


def _memory_parts(given: Memory) -> tuple[int, ...]:
    parts = given if isinstance(given, tuple) else (given,)
    if len(parts) not in (1, 2):
        raise _invalid("memory_rows", given, "a number of rows, or a pair (left, right) of them")
    return tuple(_whole("memory_rows", rows, 0, _MOST_ROWS) for rows in parts)


def _ledger(given: int | None, order: str) -> dict[str, str]:
    if given is None:
        return {}
    if order != "probe_first":
        raise _invalid("ledger", given, 'None with order="evict_first": a ledger learns from rows that probe first')
    return {"ledger": str(_whole("ledger", given, _LEAST_LEDGER, _MOST_ROWS))}


def _window(trace: Trace, given: Within) -> dict[str, str]:
    if given is None:
        return {}
    bounds = given if isinstance(given, tuple) else (given, given)
    if len(bounds) != 2:
        raise _invalid("within", given, "one bound, or a pair (before, after) of them")
    before, after = (str(_ticks(trace, "within", bound)) for bound in bounds)
    return {"before": before, "after": after}


def _ticks(trace: Trace, argument: str, given: Span) -> int:
    """A span of time in the unit of the trace's times."""
    if trace.unit is not None and isinstance(given, str | timedelta):
        spelled = _SHORT.sub(lambda unit: _UNITS[unit[0].lower()], given) if isinstance(given, str) else given
        long = span(spelled, "shedjoin.sim.run", argument)
        ticks = (long // timedelta(microseconds=1)) * _PER_SECOND[trace.unit] // 10**6
    elif isinstance(given, int) and not isinstance(given, bool) and (trace.unit is None or given == 0):
        ticks = given
    else:
        times, wanted = (
            ("numbers", "a whole number") if trace.unit is None else ("timestamps", "a span such as '10 minutes'")
        )
        raise _invalid(argument, given, f"{wanted}, as the times of the trace are {times}")
    if not 0 <= ticks < 2**60:
        raise _invalid(argument, given, "0 or more, and less than 2**60")
    return ticks


def _one_of(argument: str, given: str, allowed: Sequence[str]) -> str:
    if given not in allowed:
        raise _invalid(argument, given, " or ".join(map(repr, allowed)))
    return given


def _whole(argument: str, given: object, least: int, most: int) -> int:
    is_whole = hasattr(given, "__index__") and not isinstance(given, bool)
    number = cast(int, given).__index__() if is_whole else least - 1
    if not least <= number <= most:
        raise _invalid(argument, given, f"a whole number from {least} to {most}")
    return number


def _invalid(argument: str, given: object, allowed: str) -> ShedJoinError:
    return invalid(argument, given, allowed, "shedjoin.sim.run")
