"""The policies as types: what `policy` makes by name, with settings that editors and type checkers know.

What each setting means, may be and is if nothing is said: docs/policy-settings.md, or `shedjoin.sim.policies()`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, cast

from shedjoin._policy import Policy, Setting, policy


class _Typed(Policy):
    """A policy by its name and the arguments that its type was called with."""

    def __init__(self, name: str, arguments: Mapping[str, object]) -> None:
        given = {key: cast(Setting, arguments[key]) for key in arguments if key not in ("self", "__class__")}
        super().__init__(
            name, policy(name, **{key: value for key, value in given.items() if value is not None}).settings
        )


class Random(_Typed):
    """Any stored row goes, each as likely as any other."""

    def __init__(self, *, split: float | Literal["auto"] | None = None) -> None:
        super().__init__("random", locals())


class HottestKey(_Typed):
    """A row of the key with most stored rows goes, the one with least life left."""

    def __init__(self, *, split: float | Literal["auto"] | None = None) -> None:
        super().__init__("hottest_key", locals())


class OldestFirst(_Typed):
    """The row that came first goes (FIFO, RECENT)."""

    def __init__(self, *, split: float | Literal["auto"] | None = None) -> None:
        super().__init__("oldest_first", locals())


class NewestFirst(_Typed):
    """The row that came last goes, so that others stay until they expire."""

    def __init__(self, *, split: float | Literal["auto"] | None = None) -> None:
        super().__init__("newest_first", locals())


class Lru(_Typed):
    """The row that was matched least recently goes."""

    def __init__(self, *, split: float | Literal["auto"] | None = None) -> None:
        super().__init__("lru", locals())


class Lfu(_Typed):
    """The row that was matched least often goes."""

    def __init__(self, *, split: float | Literal["auto"] | None = None) -> None:
        super().__init__("lfu", locals())


class Greedy(_Typed):
    """The row of least importance goes."""

    def __init__(self, *, split: float | Literal["auto"] | None = None) -> None:
        super().__init__("greedy", locals())


class Prob(_Typed):
    """The row whose value comes least often on the other side goes (PROB)."""

    def __init__(
        self,
        *,
        left_rates: Iterable[float] | None = None,
        right_rates: Iterable[float] | None = None,
        first_value: int | None = None,
        weigh: Literal["both", "importance", "bytes", "nothing"] | None = None,
        sketch_width: int | Literal["auto"] | None = None,
        half_life: int | None = None,
        split: float | Literal["auto"] | None = None,
    ) -> None:
        super().__init__("prob", locals())


class Life(_Typed):
    """The row goes that expects fewest partners for the rest of its life, by rate x life left (LIFE)."""

    def __init__(
        self,
        *,
        left_rates: Iterable[float] | None = None,
        right_rates: Iterable[float] | None = None,
        first_value: int | None = None,
        weigh: Literal["both", "importance", "bytes", "nothing"] | None = None,
        sketch_width: int | Literal["auto"] | None = None,
        half_life: int | None = None,
        split: float | Literal["auto"] | None = None,
    ) -> None:
        super().__init__("life", locals())


class Size(_Typed):
    """The row whose value came least often on the other side goes (SIZE)."""

    def __init__(
        self,
        *,
        weigh: Literal["both", "importance", "bytes", "nothing"] | None = None,
        sketch_width: int | Literal["auto"] | None = None,
        half_life: int | None = None,
        split: float | Literal["auto"] | None = None,
    ) -> None:
        super().__init__("size", locals())


class Age(_Typed):
    """The row goes that can meet partners least fast from its age on (AGE)."""

    def __init__(
        self,
        *,
        left_window: int | None = None,
        right_window: int | None = None,
        left_curve: Iterable[float] | None = None,
        right_curve: Iterable[float] | None = None,
        weigh: Literal["both", "importance", "bytes", "nothing"] | None = None,
        split: float | Literal["auto"] | None = None,
    ) -> None:
        super().__init__("age", locals())


class Heeb(_Typed):
    """The row of least expected benefit goes, by a model of the streams (HEEB)."""

    def __init__(
        self,
        *,
        model: Literal["stationary", "trend", "walk", "ar1", "table"] | None = None,
        horizon: Literal["exp", "fixed", "inf", "inv"] | None = None,
        alpha: float | Literal["learned"] | None = None,
        horizon_steps: int | None = None,
        left_rates: Iterable[float] | None = None,
        right_rates: Iterable[float] | None = None,
        first_value: int | None = None,
        weigh: Literal["both", "importance", "bytes", "nothing"] | None = None,
        sketch_width: int | Literal["auto"] | None = None,
        half_life: int | None = None,
        ticks_a_step: int | None = None,
        left_slope: float | None = None,
        right_slope: float | None = None,
        left_start: float | None = None,
        right_start: float | None = None,
        left_noise: Iterable[float] | None = None,
        right_noise: Iterable[float] | None = None,
        left_step: Iterable[float] | None = None,
        right_step: Iterable[float] | None = None,
        left_drift: int | None = None,
        right_drift: int | None = None,
        left_phi: float | None = None,
        right_phi: float | None = None,
        left_constant: float | None = None,
        right_constant: float | None = None,
        left_deviation: float | None = None,
        right_deviation: float | None = None,
        ar1_memory: float | None = None,
        left_table: Iterable[float] | None = None,
        right_table: Iterable[float] | None = None,
        table_values: int | None = None,
        table_first: int | None = None,
        table_start: int | None = None,
        table_end: Literal["repeat", "nothing"] | None = None,
        split: float | Literal["auto"] | None = None,
    ) -> None:
        super().__init__("heeb", locals())


class Hist(_Typed):
    """The row goes that rows at its distance from the other stream brought least (HIST)."""

    def __init__(
        self,
        *,
        model: Literal["trend", "walk"] | None = None,
        buckets: int | None = None,
        period: int | None = None,
        trend_memory: float | None = None,
        split: float | Literal["auto"] | None = None,
    ) -> None:
        super().__init__("hist", locals())


class IJoin(_Typed):
    """The row goes that lately brought least importance for its age (IJOIN)."""

    def __init__(
        self,
        *,
        maturity: int | None = None,
        patience: int | None = None,
        penalty: float | None = None,
        decay: float | None = None,
        initial_priority: float | None = None,
        split: float | Literal["auto"] | None = None,
    ) -> None:
        super().__init__("ijoin", locals())
