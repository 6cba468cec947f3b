"""Figures 13 and 14 of paper 3: HEEB learned in histograms."""

from __future__ import annotations

from functools import partial

from shedjoin.sim import generate
from shedjoin.sim.experiments import _plot
from shedjoin.sim.experiments._bands import compared, share
from shedjoin.sim.experiments._figure import Claim, Drawn, Effort, figure
from shedjoin.sim.experiments.paper3 import STEPS, STREAMS, WARMUP

_NOISY = f"""HEEB that knows the model, HIST that learns it (10 buckets), and RAND, on two linear trends without lag
and with normal noise; {STREAMS}; 10 seeds."""


@figure(
    "paper3-fig13",
    "Paper 3, figure 13: histograms with noise of low variance",
    f"{_NOISY} Deviation 1, cut at 4.",
)
def fig13(effort: Effort) -> Drawn:
    return _by_histogram(1, effort, "HIST is almost as good as computed HEEB, and much better than RAND.", 0.9)


@figure(
    "paper3-fig14",
    "Paper 3, figure 14: histograms with noise of high variance",
    f"{_NOISY} Deviation 8, cut at 32.",
)
def fig14(effort: Effort) -> Drawn:
    return _by_histogram(8, effort, "HIST is better than RAND and no worse than roughly 90 % of computed HEEB.", 0.88)


def _by_histogram(deviation: int, effort: Effort, said: str, least: float) -> Drawn:
    sizes = effort.thin([2, 5, 10, 15, 20, 30, 40, 50])
    make = partial(generate.trend, (deviation, deviation), 0, 4 * deviation, steps=effort.length(STEPS))
    policies = {"HEEB": "heeb", "HIST": "hist", "RAND": "random"}
    memories = {float(rows): rows for rows in sizes}
    (bands,) = compared(make, policies, memories, effort.seeds(10), ["outputs"], warmup=WARMUP)
    plot, (axes,) = _plot.panels()
    _plot.lines(axes, bands, "cache, rows", "results", f"noise of deviation {deviation}")
    heeb, hist, random = bands.values()
    shares = [share(hist, heeb, place) for place in range(len(sizes))]
    return Drawn(
        plot,
        [
            Claim(
                said,
                min(shares) >= least and hist.beats(random),
                f"HIST finds {min(shares):.0%} to {max(shares):.0%} of what HEEB does, and lies "
                f"{hist.against(random)} of RAND",
            )
        ],
    )
