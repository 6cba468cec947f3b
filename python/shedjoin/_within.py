"""How far the event times of two joined rows may lie apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

from shedjoin._errors import invalid

Bound = str | timedelta

_ALLOWED = "a span such as '10 minutes', a timedelta, a pair (before, after) of them, or a shedjoin.Within"
_UNITS = {
    unit: timedelta(microseconds=micros)
    for unit, micros in {
        "microsecond": 1,
        "millisecond": 1_000,
        "second": 1_000_000,
        "minute": 60_000_000,
        "hour": 3_600_000_000,
        "day": 86_400_000_000,
        "week": 604_800_000_000,
    }.items()
}
_SPAN = re.compile(r"(?:interval\s+)?(?P<parts>(?:-?\d+\s*[a-z]+\s*)+)", re.IGNORECASE)
_PART = re.compile(r"(?P<number>-?\d+)\s*(?P<unit>[a-z]+?)s?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Within:
    """The right row's event time lies in [left's - before, left's + after].

    The columns are the watermarked ones of each side where they are not named; `after` is `before` where not given.
    """

    before: Bound
    after: Bound | None = None
    left_time: str | None = None
    right_time: str | None = None

    @property
    def bounds(self) -> tuple[timedelta, timedelta]:
        """Before and after, as spans of time."""
        after = self.before if self.after is None else self.after
        bounds = span(self.before), span(after)
        if bounds[0] + bounds[1] < timedelta(0):
            raise invalid("within", f"({self.before}, {after})", "an interval that is not empty")
        return bounds


def within(given: object) -> Within:
    """What `within` of a join means."""
    if isinstance(given, Within):
        return given
    if isinstance(given, str | timedelta):
        return Within(given)
    if isinstance(given, tuple) and len(given) == 2 and all(isinstance(bound, str | timedelta) for bound in given):
        return Within(*given)
    raise invalid("within", given, _ALLOWED)


def span(bound: Bound, of: str = "shedjoin.join", argument: str = "within") -> timedelta:
    """A span of time of a fixed length: months and years have none."""
    if isinstance(bound, timedelta):
        return bound
    match = _SPAN.fullmatch(bound.strip())
    parts = list(_PART.finditer(match["parts"])) if match else []
    if not parts or any(part["unit"].lower() not in _UNITS for part in parts):
        units = ", ".join(_UNITS)
        raise invalid(argument, bound, f"{_ALLOWED}; spans are in {units}, or their plurals", of)
    return sum((int(part["number"]) * _UNITS[part["unit"].lower()] for part in parts), timedelta(0))
