"""The streams of the papers, made up: the same for the same seed.

A trace that was made here tells some policies how (`Trace.models`): `policy="heeb"` then is HEEB that knows the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from shedjoin._errors import invalid
from shedjoin.sim import _jvm
from shedjoin.sim._trace import Trace

Curve = Literal["INC", "DEC", "BELL"]
Correlation = Literal["DC", "IC", "UC"]
Kind = Literal["uniform", "zipf", "drift", "bursts"]

WINDOW = (0, 500_000)
"""The window of `ages` and `zipf`: 500 time units of 1,000 ticks, for left rows only."""
WINDOW_ROWS = 400
"""How many left rows of `ages` and `zipf` the window holds: gaps from 1/2 to 2 units have a mean of 1.25."""
WAN_WINDOW = (0, 120_000)
"""The window of `wan`: two minutes, in milliseconds, for left rows only."""
WAN_WINDOW_ROWS = 6_000
"""How many left rows of `wan` the window holds."""
IJOIN_WINDOW = 25
"""The window of `ijoin`, in steps."""
_TEMPERATURES = Path(__file__).parent / "data" / "melbourne-max-temperature-1981-1990.csv"


def tower(seed: int = 1, steps: int = 5_000) -> Trace:
    """Two linear trends, the left one a step behind, with narrow normal noise (paper 3); `heeb` knows the model."""
    return _made("tower", seed, steps)


def roof(seed: int = 1, steps: int = 5_000) -> Trace:
    """As `tower`, with wider noise."""
    return _made("roof", seed, steps)


def floor(seed: int = 1, steps: int = 5_000) -> Trace:
    """As `tower`, with uniform noise."""
    return _made("floor", seed, steps)


def trend(
    deviations: tuple[float, float] = (1, 1), lag: int = 0, bound: int = 10, seed: int = 1, steps: int = 5_000
) -> Trace:
    """As `tower`, with normal noises of these deviations, cut at `bound`, the left stream `lag` steps behind."""
    return _made("trend", float(deviations[0]), float(deviations[1]), bound, lag, seed, steps)


def walk(seed: int = 1, cache_rows: int = 10, steps: int = 5_000) -> Trace:
    """Two random walks (paper 3); `heeb` knows the model, for a memory of so many rows."""
    return _made("walk", seed, cache_rows, steps)


def ages(curve: Curve | Sequence[float], seed: int = 1, units: int = 6_000) -> Trace:
    """Left rows whose partners come by their age, more and more, fewer and fewer, or both (paper 1).

    Or by a curve of your own: how many partners come in each of equal parts of the window. Run it within `WINDOW`, with
    `count="right"`. `age` knows the curve.
    """
    if isinstance(curve, str):
        _check("curve", curve, get_args(Curve), "ages")
        return _made("ages", curve, units, seed)
    parts = [float(part) for part in curve]
    if not parts or min(parts) < 0 or sum(parts) <= 0:
        raise invalid("curve", curve, "INC, DEC, BELL, or numbers from 0 on that are not all 0", _in("ages"))
    return _made("ages", parts, units, seed)


def zipf(skew: float, seed: int = 1, units: int = 6_000, correlation: Correlation = "DC") -> Trace:
    """Fifty values by Zipf's law, on the right as common as on the left (DC), as rare (IC), or either (UC; paper 1).

    Run it within `WINDOW`, with `count="right"`. `prob` and `life` know the rates.
    """
    _check("correlation", correlation, get_args(Correlation), "zipf")
    return _made("zipf", float(skew), correlation, units, seed)


def wan(seed: int = 1, seconds: int = 2_400) -> Trace:
    """Two sources of 50 rows a second, one far away, whose rows match after a minute, in milliseconds (paper 1).

    Run it within `WAN_WINDOW`, with `count="right"`. `age` knows the curve.
    """
    return _made("wan", seed, seconds)


def ijoin(
    kind: Kind = "drift",
    seed: int = 1,
    steps: int = 500,
    domain: int = 100,
    weighted: bool = True,
    round_steps: int = 200,
) -> Trace:
    """Categories with an importance from 1 to 100 each, one row a side and second (paper 2).

    Uniform, by Zipf's law, normal around a centre that moves once round in `round_steps`, or with one common category
    every 10 to 30 seconds. With `weighted=False` all are of one importance. Run it within `IJOIN_WINDOW`.
    """
    _check("kind", kind, get_args(Kind), "ijoin")
    return _made("categories", kind, domain, weighted, round_steps, steps, seed)


def real() -> npt.NDArray[np.int64]:
    """The daily maximum temperatures of Melbourne from 1981 to 1990, in tenths of a degree (REAL of paper 3)."""
    degrees = np.loadtxt(_TEMPERATURES, delimiter=",", skiprows=1, usecols=1)
    return np.rint(10 * degrees).astype(np.int64)


def _check(argument: str, given: object, allowed: Sequence[str], function: str) -> None:
    if given not in allowed:
        raise invalid(argument, given, " or ".join(allowed), _in(function))


def _in(function: str) -> str:
    return f"shedjoin.sim.generate.{function}"


def _made(name: str, *arguments: object) -> Trace:
    return Trace._made(_jvm.generated(name, *arguments))
