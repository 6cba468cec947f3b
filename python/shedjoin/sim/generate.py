"""The streams of the papers, made up: the same for the same seed.

A trace that was made here tells some policies how (`Trace.models`): `policy="heeb"` then is HEEB that knows the model.
"""

from __future__ import annotations

from typing import Literal, get_args

from shedjoin._errors import invalid
from shedjoin.sim import _jvm
from shedjoin.sim._trace import Trace

Curve = Literal["INC", "DEC", "BELL"]

WINDOW = (0, 500_000)
"""The window of `ages` and `zipf`: 500 time units of 1,000 ticks, for left rows only."""
WINDOW_ROWS = 400
"""How many left rows of `ages` and `zipf` the window holds."""


def tower(seed: int = 1) -> Trace:
    """Two linear trends, the left one a step behind, with narrow normal noise (paper 3); `heeb` knows the model."""
    return _made("tower", seed)


def roof(seed: int = 1) -> Trace:
    """As `tower`, with wider noise."""
    return _made("roof", seed)


def floor(seed: int = 1) -> Trace:
    """As `tower`, with uniform noise."""
    return _made("floor", seed)


def walk(seed: int = 1, cache_rows: int = 10) -> Trace:
    """Two random walks (paper 3); `heeb` knows the model, for a memory of so many rows."""
    return _made("walk", seed, cache_rows)


def ages(curve: Curve, seed: int = 1, units: int = 6_000) -> Trace:
    """Left rows whose partners come by their age, more and more, fewer and fewer, or both (paper 1).

    Run it within `WINDOW`, with `count="right"`. `age` knows the curve.
    """
    if curve not in get_args(Curve):
        raise invalid("curve", curve, " or ".join(get_args(Curve)), "shedjoin.sim.generate.ages")
    return _made("ages", curve, units, seed)


def zipf(skew: float, seed: int = 1, units: int = 6_000, inverse: bool = False) -> Trace:
    """Fifty values by Zipf's law, on the right as common as on the left, or as rare (paper 1).

    Run it within `WINDOW`, with `count="right"`. `prob` and `life` know the rates.
    """
    return _made("zipf", float(skew), inverse, units, seed)


def _made(name: str, *arguments: object) -> Trace:
    return Trace._made(_jvm.generated(name, *arguments))
