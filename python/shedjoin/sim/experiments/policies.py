"""The figures of docs/policies.md: which policy for which stream."""

from __future__ import annotations

from functools import partial
from typing import Any

from shedjoin.sim import generate
from shedjoin.sim._settings import Memory
from shedjoin.sim.experiments import _plot
from shedjoin.sim.experiments._bands import Bands, along, compared, grouped, share
from shedjoin.sim.experiments._figure import Claim, Drawn, Effort, figure

_SHARES = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8]
_SYNTHETIC: dict[str, Any] = {"within": generate.WINDOW, "count": "right", "warmup": 1_000_000}
_PLAIN = {
    "random": "random",
    "oldest_first": "oldest_first",
    "newest_first": "newest_first",
    "lru": "lru",
    "lfu": "lfu",
}
_OF_IMPORTANCE = {
    "ijoin": "ijoin",
    "greedy": "greedy",
    "size": "size",
    "oldest_first": "oldest_first",
    "random": "random",
}
_MEMORY = "memory, % of what an exact join stores"
_WINDOWED = """Left rows are stored for 500 time units, right rows look for them. 5,000 units after a warm-up of 1,000,
10 seeds, bands of 95 %."""


def _recalls(bands: Bands, x: float, form: str = ".3f") -> str:
    ranked = sorted(bands, key=lambda label: -bands[label].at(x))
    return ", ".join(f"{label} {bands[label].at(x):{form}}" for label in ranked)


def _windowed(make: Any, policies: dict[str, str], effort: Effort) -> Bands:
    memories: dict[float, Memory] = {100 * s: (round(s * generate.WINDOW_ROWS), 1) for s in effort.thin(_SHARES)}
    return compared(make, policies, memories, effort.seeds(10), **_SYNTHETIC)[0]


@figure("policies-age", "Partners come by the age of a row", f"{_WINDOWED} Age curves BELL and DEC.", page="policies")
def by_age(effort: Effort) -> Drawn:
    policies = {"age": "age", **_PLAIN}
    bell, dec = (
        _windowed(partial(generate.ages, curve, units=effort.length(6_000)), policies, effort)
        for curve in ("BELL", "DEC")
    )
    plot, axes = _plot.panels(2)
    _plot.lines(axes[0], bell, _MEMORY, "recall", "most partners come at middle age (BELL)")
    _plot.lines(axes[1], dec, _MEMORY, "recall", "most partners come early (DEC)", legend=False)
    x = bell["age"].xs[len(bell["age"].xs) // 2 - 1]
    others = [label for label in bell if label != "age"]
    return Drawn(
        plot,
        [
            Claim(
                "`age`, given the curve, is the best.",
                all(not bands[other].wins(bands["age"]) for bands in (bell, dec) for other in others),
                f"with {x:.0f} % of the memory, BELL: {_recalls(bell, x)}; DEC: {_recalls(dec, x)}",
            ),
            Claim(
                "Where most partners come early, `oldest_first` is as good as `age`.",
                not dec["age"].wins(dec["oldest_first"]),
                f"`age` lies above it at {len(dec['age'].wins(dec['oldest_first']))} of {len(dec['age'].xs)} points",
            ),
        ],
    )


@figure(
    "policies-frequency",
    "Values differ in how common they are",
    f"{_WINDOWED} Zipf's law of exponent 1.",
    page="policies",
)
def by_frequency(effort: Effort) -> Drawn:
    policies = {
        "prob": "prob",
        "life": "life",
        "lfu": "lfu",
        "lru": "lru",
        "random": "random",
        "hottest_key": "hottest_key",
    }
    kinds: dict[generate.Correlation, str] = {"DC": "common on both sides (DC)", "IC": "common here, rare there (IC)"}
    found = {
        kind: _windowed(lambda seed, kind=kind: generate.zipf(1, seed, effort.length(6_000), kind), policies, effort)
        for kind in kinds
    }
    plot, axes = _plot.panels(2)
    for panel, (kind, title) in zip(axes, kinds.items(), strict=True):
        _plot.lines(panel, found[kind], _MEMORY, "recall", title, legend=panel is axes[0])
    dc, ic = found["DC"], found["IC"]
    x = dc["prob"].xs[len(dc["prob"].xs) // 2 - 1]
    return Drawn(
        plot,
        [
            Claim(
                "`prob`, given the frequencies, is the best, or no worse than the best.",
                all(not bands[other].wins(bands["prob"]) for bands in (dc, ic) for other in bands if other != "prob"),
                f"with {x:.0f} % of the memory, DC: {_recalls(dc, x)}; IC: {_recalls(ic, x)}",
            ),
            Claim(
                "Shedding the key with most rows (`hottest_key`) is worse than shedding at random where common "
                "values match most.",
                dc["random"].beats(dc["hottest_key"]),
                f"DC with {x:.0f} %: {dc['hottest_key'].at(x):.3f} against {dc['random'].at(x):.3f}; IC: "
                f"{ic['hottest_key'].at(x):.3f} against {ic['random'].at(x):.3f}",
            ),
        ],
    )


@figure(
    "policies-trend",
    "Values move",
    """A linear trend with noise (ROOF) and two random walks (WALK); results of 5,000 steps after a warm-up of 200, 10
    seeds, bands of 95 %.""",
    page="policies",
)
def by_trend(effort: Effort) -> Drawn:
    plain = {"oldest_first": "oldest_first", "lru": "lru", "prob": "prob", "random": "random"}
    learning = {"ROOF": "hist", "WALK": "hist(model=walk)"}
    steps = effort.length(5_000)
    sizes = {float(rows): rows for rows in effort.thin([2, 5, 10, 20, 30])}
    makers = {"ROOF": partial(generate.roof, steps=steps), "WALK": partial(generate.walk, steps=steps)}
    found = {
        name: compared(make, {"heeb": "heeb", "hist": learning[name], **plain}, sizes, effort.seeds(10), warmup=200)[0]
        for name, make in makers.items()
    }
    shares = [share(found["ROOF"]["hist"], found["ROOF"]["heeb"], place) for place in range(len(sizes))]
    plot, axes = _plot.panels(2)
    for panel, (name, bands) in zip(axes, found.items(), strict=True):
        _plot.lines(panel, bands, "memory, rows", "recall", name, legend=panel is axes[0])
    x = max(x for x in sizes if x <= 10)
    return Drawn(
        plot,
        [
            Claim(
                "`heeb`, given the model, is the best.",
                all(bands["heeb"].beats(bands[other]) for bands in found.values() for other in ("hist", *plain)),
                "; ".join(f"{name} with {x:.0f} rows: {_recalls(bands, x)}" for name, bands in found.items()),
            ),
            Claim(
                "Told only that there is a trend, `hist` finds at least 85 % of that, and more than any other.",
                min(shares) >= 0.85 and all(found["ROOF"]["hist"].beats(found["ROOF"][other]) for other in plain),
                f"on ROOF {100 * min(shares):.0f} to {100 * max(shares):.0f} % of what `heeb` finds",
            ),
            Claim(
                "`prob`, which looks at the past frequency of a value only, is worse than shedding at random under a "
                "trend, where memory is small.",
                x in found["ROOF"]["random"].wins(found["ROOF"]["prob"]),
                f"ROOF with {x:.0f} rows: {found['ROOF']['prob'].at(x):.3f} against "
                f"{found['ROOF']['random'].at(x):.3f}",
            ),
        ],
    )


@figure(
    "policies-recent",
    "A key is common for a while",
    """100 categories, half of all rows of one of them that changes every 10 to 30 steps (`sim.generate.ijoin`, bursts),
    all of one importance; 2,000 steps, window 25, 20 seeds, bands of 95 %.""",
    page="policies",
)
def by_recency(effort: Effort) -> Drawn:
    policies = {name: name for name in ("lru", "oldest_first", "prob", "lfu", "random")}
    sizes = {float(rows): rows for rows in effort.thin([4, 8, 12, 16, 24, 32])}
    make = partial(generate.ijoin, "bursts", steps=effort.length(2_000), weighted=False)
    (bands,) = compared(make, policies, sizes, effort.seeds(20), within=generate.IJOIN_WINDOW)
    plot, (axes,) = _plot.panels()
    _plot.lines(axes, bands, "memory, rows", "recall")
    x = max(x for x in sizes if x <= 12)
    return Drawn(
        plot,
        [
            Claim(
                "`lru` is the best.",
                all(bands["lru"].beats(bands[other]) for other in policies if other != "lru"),
                f"with {x:.0f} rows: {_recalls(bands, x)}",
            ),
        ],
    )


@figure(
    "policies-importance",
    "Results differ in importance",
    """100 categories with importances from 1 to 100; importance found, in per cent of the exact join's, with 10 rows
    of memory, by how the categories come (`sim.generate.ijoin`); 2,000 steps, window 25, 20 seeds, intervals of 95
    %.""",
    page="policies",
)
def by_importance(effort: Effort) -> Drawn:
    kinds: tuple[generate.Kind, ...] = ("uniform", "zipf", "drift", "bursts")
    found = {kind: _importance(kind, _OF_IMPORTANCE, effort) for kind in kinds}
    best = {
        kind: [label for label in _OF_IMPORTANCE if all(of[label].beats(of[o]) for o in _OF_IMPORTANCE if o != label)]
        for kind, of in found.items()
    }
    shares = grouped(found.values(), list(_OF_IMPORTANCE))
    plot, (axes,) = _plot.panels()
    _plot.bars(axes, list(kinds), shares, "importance, % of the exact join's")

    def told(kind: str) -> str:
        place = kinds.index(kind)
        ranked = sorted(shares, key=lambda label: -shares[label].means[place])
        return ", ".join(f"{label} {shares[label].means[place]:.1f}" for label in ranked)

    return Drawn(
        plot,
        [
            Claim(
                "Where the common values drift slowly (once round in 200 steps) `greedy` wins.",
                best["drift"] == ["greedy"],
                told("drift"),
            ),
            Claim("`ijoin` wins where values come in bursts.", best["bursts"] == ["ijoin"], told("bursts")),
            Claim("With uniform values `greedy` wins.", best["uniform"] == ["greedy"], told("uniform")),
            Claim("With stationary Zipf values `size` wins.", best["zipf"] == ["size"], told("zipf")),
        ],
    )


def _importance(kind: generate.Kind, policies: dict[str, str], effort: Effort, round_steps: int = 200) -> Bands:
    """In per cent of the exact join's; all policies see the same streams."""
    make = partial(generate.ijoin, kind, steps=effort.length(2_000), round_steps=round_steps)
    (found,) = compared(make, policies, {10.0: 10}, effort.seeds(20), ["importance"], within=generate.IJOIN_WINDOW)
    (exact,) = compared(
        make, {"exact": "lru"}, {0.0: 10_000}, effort.seeds(20), ["importance"], within=generate.IJOIN_WINDOW
    )
    whole = exact["exact"].means[0] / 100
    return {label: band.times(1 / whole) for label, band in found.items()}


@figure(
    "policies-drift",
    "How fast the common values drift",
    """100 categories with importances from 1 to 100, the common ones moving once round in so many steps: importance
    found, in per cent of the exact join's, with 10 rows of memory; 2,000 steps, window 25, 20 seeds, bands of 95 %.""",
    page="policies",
)
def by_drift(effort: Effort) -> Drawn:
    rounds = effort.thin([800, 400, 200, 100, 50])
    (bands,) = along((r, [_importance("drift", _OF_IMPORTANCE, effort, r)]) for r in rounds)
    plot, (axes,) = _plot.panels()
    _plot.lines(
        axes, bands, "steps that the drift takes once round (fast on the left)", "importance, % of the exact join's"
    )
    axes.set_xscale("log")
    axes.set_xticks(rounds, [str(r) for r in rounds])
    axes.minorticks_off()
    slow, fast = rounds[0], rounds[-1]
    return Drawn(
        plot,
        [
            Claim(
                "Where the drift is fast, `ijoin` is better than `greedy`, `size` and `random`.",
                all(fast in bands["ijoin"].wins(bands[other]) for other in ("greedy", "size", "random")),
                f"{fast} steps: {_recalls(bands, fast, '.1f')}",
            ),
            Claim(
                "`ijoin` is no worse than `oldest_first` whatever the drift, and better where it is slow.",
                bands["ijoin"].beats(bands["oldest_first"]) and slow in bands["ijoin"].wins(bands["oldest_first"]),
                f"it lies {bands['ijoin'].against(bands['oldest_first'])}",
            ),
            Claim(
                "Where the drift is slow, `greedy` is the best.",
                all(slow in bands["greedy"].wins(bands[other]) for other in bands if other != "greedy"),
                f"{slow} steps: {_recalls(bands, slow, '.1f')}",
            ),
        ],
    )
