"""Figures 15 and 16 of paper 3: a cache of a relation's rows, and memory between two streams."""

from __future__ import annotations

from functools import partial

from shedjoin.sim import generate
from shedjoin.sim._cache import cache
from shedjoin.sim.experiments import _plot
from shedjoin.sim.experiments._bands import Band, Bands, compared
from shedjoin.sim.experiments._figure import Claim, Drawn, Effort, figure
from shedjoin.sim.experiments.paper3 import ROWS, STEPS, STREAMS, WARMUP


@figure(
    "paper3-fig15",
    "Paper 3, figure 15: REAL",
    """Melbourne's daily maximum temperatures from 1981 to 1990 in tenths of a degree (3,650 references of which all
    count), asking for the rows of a relation through a cache. HEEB with the AR(1) model of the paper and alpha the
    size of the cache; LFD is the optimum. One run, but 10 of RAND.""",
)
def fig15(effort: Effort) -> Drawn:
    references = generate.real()[: effort.length(3_650)]
    sizes = effort.thin([10, 25, 50, 75, 100, 150, 200, 250, 300])
    bands: Bands = {label: Band() for label in ("LFD", "HEEB", "LRU", "LFU", "RAND")}
    for rows in sizes:
        model = f"heeb(model=ar1, left_phi=0.72, left_constant=55.9, left_deviation=42.2, alpha={rows})"
        policies = {"LFD": "lfd", "HEEB": model, "LRU": "lru", "LFU": "lfu"}
        for label, policy in policies.items():
            bands[label].add(rows, [float(cache(references, rows=rows, policy=policy).hits)])
        random = [float(cache(references, rows=rows, policy="random", seed=s).hits) for s in effort.seeds(10)]
        bands["RAND"].add(rows, random)
    plot, (axes,) = _plot.panels()
    _plot.lines(axes, bands, "cache, rows", "hits")
    heeb, others = bands["HEEB"], ("LRU", "LFU", "RAND")
    ahead = {other: [a / b - 1 for a, b in zip(heeb.means, bands[other].means, strict=True)] for other in others}
    most = {other: max(shares) for other, shares in ahead.items()}
    return Drawn(
        plot,
        [
            Claim(
                "All heuristics do reasonably well, with HEEB leading the pack.",
                all(min(shares) >= 0 for shares in ahead.values()),
                "; ".join(
                    f"against {other} HEEB has {min(s):+.1%} to {max(s):+.1%} hits" for other, s in ahead.items()
                ),
                "The model has one level for the whole year, and the temperatures have seasons: in winter HEEB keeps "
                "values that it expects to come back to soon, while a small LRU follows the season.",
            ),
            Claim(
                "HEEB beats LRU and LFU by as much as 20 % for certain sizes.",
                max(most["LRU"], most["LFU"]) >= 0.15,
                ", ".join(
                    f"at most {most[other]:.1%} more hits than {other} (with "
                    f"{sizes[ahead[other].index(most[other])]} rows)"
                    for other in ("LRU", "LFU")
                ),
            ),
        ],
    )


@figure(
    "paper3-fig16",
    "Paper 3, figure 16: memory between two streams",
    f"""The share of a cache of 10 rows that HEEB gives to R: both streams with a linear trend and normal noise of
    deviation 1, R lagging behind S, or S with a larger deviation; {STREAMS}; 10 seeds.""",
)
def fig16(effort: Effort) -> Drawn:
    lags = {"no lag": (1, 0), "lag 2": (1, 2), "lag 4": (1, 4)}
    deviations = {"deviation x 2": (2, 0), "deviation x 4": (4, 0)}
    cases = {**lags, **deviations}
    shares: dict[str, Band] = {}
    for case, (times, lag) in cases.items():
        make = partial(generate.trend, (1, times), lag, steps=effort.length(STEPS))
        (bands,) = compared(make, {"R": "heeb"}, {0.0: ROWS}, effort.seeds(10), ["share_left"], warmup=WARMUP)
        shares[case] = bands["R"]
    plot, (axes,) = _plot.panels()
    of_r = Band([float(i) for i in range(len(cases))], [share.times(100).runs[0] for share in shares.values()])
    _plot.bars(axes, list(cases), {"R": of_r}, "rows of R, % of the cache")
    axes.axhline(50, color="grey", linewidth=0.8, linestyle="--")
    mean = {case: share.means[0] for case, share in shares.items()}
    return Drawn(
        plot,
        [
            Claim(
                "HEEB gives less memory to a stream that lags behind.",
                mean["no lag"] > mean["lag 2"] > mean["lag 4"],
                f"R has {mean['no lag']:.1%} without a lag, {mean['lag 2']:.1%} lagging 2 and {mean['lag 4']:.1%} "
                f"lagging 4 steps",
            ),
            Claim(
                "HEEB gives less memory to a stream of larger deviation.",
                mean["no lag"] < mean["deviation x 2"] < mean["deviation x 4"],
                f"S has {1 - mean['deviation x 2']:.1%} with twice R's deviation and {1 - mean['deviation x 4']:.1%} "
                f"with four "
                "times",
            ),
        ],
    )
