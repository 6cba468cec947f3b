"""The figures of paper 3 (Xie, Yang and Chen, 2005): streams with a model, HEEB and the optimum."""

from __future__ import annotations

from functools import partial

import numpy as np

from shedjoin.sim import _jvm, generate
from shedjoin.sim._optimum import Method, optimum
from shedjoin.sim.experiments import _plot
from shedjoin.sim.experiments._bands import Band, Bands, Maker, along, compared, grouped, share
from shedjoin.sim.experiments._figure import Claim, Drawn, Effort, figure

STEPS = 5_000
WARMUP = 200
ROWS = 10
_SIZES = [1, 3, 5, 10, 15, 20, 30, 40, 50]
_POLICIES = {"HEEB": "heeb", "RAND": "random", "PROB": "prob", "LIFE": "life"}
_ON_WALK = {label: policy for label, policy in _POLICIES.items() if label != "LIFE"}
_MAKERS: dict[str, Maker] = {
    "TOWER": generate.tower,
    "ROOF": generate.roof,
    "FLOOR": generate.floor,
    "WALK": generate.walk,
}
LOOKAHEAD = 10
_BEST = 20
"""Seeds of OPT-offline."""
_PLANNED, _PLANNED_ON_WALK = 4, 10
"""Seeds of FLOWEXPECT, which plans anew at each step; on WALK runs differ most."""
STREAMS = "5,000 rows a side, results after a warm-up of 200 steps, bands of 95 %"


@figure(
    "paper3-fig6",
    "Paper 3, figure 6: precomputed h of a random walk with drift",
    """What HEEB thinks a cached row is worth by how far its value lies from the latest one: random walks with steps of
    deviation 1 and drifts of 0, 2 and 4, alpha 10. Of a cached row only the first reference counts; for a random
    walk that divides the curve of a join by a constant, 1 + h(0).""",
)
def fig6(effort: Effort) -> Drawn:  # noqa: ARG001
    low, high = -10, 40
    curves = {}
    for drift in (0, 2, 4):
        joining = np.array(_jvm.benefits_of_walk(drift, 10, low, high))
        curves[drift] = joining / (1 + joining[-low])
    plot, (axes,) = _plot.panels()
    offsets = np.arange(low, high + 1)
    for i, (drift, curve) in enumerate(curves.items()):
        axes.plot(offsets, curve, marker="osD"[i], markersize=3, label=f"drift {drift}")
    _plot.dressed(axes, "value - latest value", "h")
    axes.legend()
    still, slow, fast = curves.values()
    falls = bool((np.diff(still[-low:]) < 0).all() and (np.diff(still[: -low + 1]) > 0).all())
    right = [float(curve[offsets > 0].sum() / curve.sum()) for curve in curves.values()]
    peaks = [int(offsets[i]) for i in range(1, len(fast) - 1) if fast[i] > max(fast[i - 1], fast[i + 1])]
    return Drawn(
        plot,
        [
            Claim(
                "Without drift rows are ranked by their distance from the latest value, which is optimal.",
                falls,
                f"h falls from {still[-low]:.3f} at 0 to {still[-low + 5]:.3f} at 5, on both sides at each step",
            ),
            Claim(
                "A larger drift makes it more desirable to keep rows on the right.",
                right[0] < right[1] < right[2],
                "the right side has " + ", ".join(f"{share:.0%}" for share in right) + " of the area",
            ),
            Claim(
                "Values away by a multiple of the drift get some preference.",
                peaks[:2] == [4, 8],
                f"with drift 4 h has local maxima at {', '.join(map(str, peaks))} (drift 2: at "
                f"{int(offsets[int(np.argmax(slow))])} only)",
            ),
        ],
    )


@figure(
    "paper3-fig8",
    "Paper 3, figure 8: all configurations with a cache of 10",
    f"""TOWER, ROOF, FLOOR and WALK; {STREAMS}; 20 seeds. HEEB knows the model; RAND, PROB and LIFE know when a row
    can match nothing more. OPT-offline is the optimum by min-cost flow; FLOWEXPECT looks {LOOKAHEAD} steps ahead
    ({_PLANNED} seeds, on WALK {_PLANNED_ON_WALK}).""",
)
def fig8(effort: Effort) -> Drawn:
    found = {
        name: {
            "OPT-offline": _optima(name, ROWS, effort, _BEST, "offline"),
            "FLOWEXPECT": _optima(name, ROWS, effort, _PLANNED_ON_WALK if name == "WALK" else _PLANNED, "flowexpect"),
            **_hits(name, ROWS, effort, 20),
        }
        for name in _MAKERS
    }
    names = list(found)
    labels = ["OPT-offline", "FLOWEXPECT", "HEEB", "RAND", "PROB", "LIFE"]
    plain = ("RAND", "PROB", "LIFE")
    bands = grouped(found.values(), labels)
    plot, (axes,) = _plot.panels()
    _plot.bars(axes, names, bands, "results")
    best = {name: all(of["HEEB"].beats(of[other]) for other in plain if other in of) for name, of in found.items()}
    flow = {name: of["HEEB"].beats(of["FLOWEXPECT"]) for name, of in found.items()}
    return Drawn(
        plot,
        [
            Claim(
                "HEEB beats RAND, PROB and LIFE consistently.",
                all(best.values()),
                "; ".join(f"{name}: " + _numbers(of) for name, of in found.items()),
            ),
            Claim(
                "HEEB beats even FLOWEXPECT in most cases.",
                sum(flow.values()) > 2,
                f"it does on {', '.join(name for name in names if flow[name]) or 'none'}; FLOWEXPECT beats HEEB on "
                + (", ".join(name for name in names if found[name]["FLOWEXPECT"].beats(found[name]["HEEB"])) or "none")
                + f" (lookahead of {LOOKAHEAD} steps)",
                "The paper does not tell how far its FLOWEXPECT looks ahead; with 10 steps a plan sees as far as rows "
                "stay in this cache.",
            ),
            Claim(
                "OPT-offline is the winner across the board.",
                all(not of[other].wins(of["OPT-offline"]) for of in found.values() for other in of),
                "HEEB finds "
                + ", ".join(
                    f"{share(of['HEEB'], of['OPT-offline'], 0):.0%} of it on {name}" for name, of in found.items()
                ),
            ),
            Claim(
                "PROB and LIFE do not work well with a trend; RAND is fairly competitive.",
                all(found[name]["RAND"].beats(found[name][other]) for name in names[:3] for other in ("PROB", "LIFE")),
                "RAND finds "
                + ", ".join(
                    f"{found[name]['RAND'].means[0] / found[name]['PROB'].means[0]:.1f} times what PROB and "
                    f"{found[name]['RAND'].means[0] / found[name]['LIFE'].means[0]:.1f} times what LIFE finds on {name}"
                    for name in names[:3]
                ),
            ),
            Claim(
                "HEEB has a huge advantage on TOWER, which diminishes towards FLOOR as the future becomes less "
                "predictable.",
                all(_gain(found["TOWER"], other) > _gain(found["FLOOR"], other) for other in ("RAND", "PROB", "LIFE")),
                "; ".join(
                    f"{name}: "
                    + ", ".join(f"{_gain(found[name], other):.2f} times {other}" for other in ("RAND", "PROB", "LIFE"))
                    for name in names[:3]
                ),
            ),
        ],
    )


def _gain(bands: Bands, other: str) -> float:
    return bands["HEEB"].means[0] / bands[other].means[0]


def _numbers(bands: Bands, at: int = 0) -> str:
    return ", ".join(f"{label} {band.means[at]:,.0f} ± {band.reaches[at]:,.0f}" for label, band in bands.items())


def _hits(name: str, rows: int, effort: Effort, seeds: int) -> Bands:
    """How many results are found, by policy."""
    steps = effort.length(STEPS)
    make = partial(_MAKERS[name], steps=steps, **({"cache_rows": rows} if name == "WALK" else {}))
    policies = _ON_WALK if name == "WALK" else _POLICIES
    return compared(make, policies, {float(rows): rows}, effort.seeds(seeds), ["outputs"], warmup=WARMUP)[0]


def _optima(name: str, rows: int, effort: Effort, seeds: int, method: Method) -> Band:
    """How many results one finds who knows the whole streams, or the model and plans with it."""
    steps = effort.length(STEPS)
    make = partial(_MAKERS[name], steps=steps, **({"cache_rows": rows} if name == "WALK" else {}))
    found = [
        float(optimum(make(seed=seed), memory_rows=rows, warmup=WARMUP, method=method, lookahead=LOOKAHEAD).outputs)
        for seed in effort.seeds(seeds)
    ]
    return Band([float(rows)], [found])


def _by_size(name: str, effort: Effort) -> Drawn:
    """Figures 9 to 12: results by the size of the cache."""
    sizes = effort.thin(_SIZES)
    (bands,) = along(
        (
            rows,
            [{"OPT-offline": _optima(name, rows, effort, 10, "offline"), **_hits(name, rows, effort, 10)}],
        )
        for rows in sizes
    )
    plot, (axes,) = _plot.panels()
    _plot.lines(axes, bands, "cache, rows", "results", name)
    best, heeb = bands["OPT-offline"], bands["HEEB"]
    others = [label for label in bands if label not in ("HEEB", "OPT-offline")]
    reached = {label: _reaches(bands[label], best) for label in ("HEEB", *others)}
    claims = [
        Claim(
            f"On {name} HEEB is the best of those that do not see the future at each size of the cache.",
            all(heeb.beats(bands[other]) for other in others),
            "; ".join(f"against {other} {heeb.against(bands[other])}" for other in others),
        )
    ]
    told = ", ".join(f"{label} with {_rows(rows)}" for label, rows in reached.items())
    if name == "WALK":
        part = share(heeb, best, len(sizes) - 1)
        claims.append(
            Claim(
                "No online algorithm comes close to OPT-offline.",
                part < _CLOSE,
                f"HEEB finds {part:.0%} of it with {sizes[-1]} rows; {_CLOSE:.0%} are reached by {told}",
            )
        )
    else:
        claims.append(
            Claim(
                "With more memory all catch up with OPT-offline"
                + (", HEEB with much less than the others." if name != "FLOOR" else "."),
                all(reached.values())
                and (name == "FLOOR" or all((reached["HEEB"] or 0) < (reached[other] or 0) for other in others)),
                f"{_CLOSE:.0%} of it are reached by {told}",
            )
        )
    return Drawn(plot, claims)


_CLOSE = 0.95


def _reaches(band: Band, best: Band) -> float | None:
    """The least size of the cache with which a line is close to the optimum."""
    return next((x for place, x in enumerate(band.xs) if share(band, best, place) >= _CLOSE), None)


def _rows(rows: float | None) -> str:
    return "no size tried" if rows is None else f"{rows:.0f} rows"


_SIZES_SETTING = f"Caches of 1 to 50 rows; {STREAMS}; 10 seeds."


@figure("paper3-fig9", "Paper 3, figure 9: TOWER by the size of the cache", _SIZES_SETTING)
def fig9(effort: Effort) -> Drawn:
    return _by_size("TOWER", effort)


@figure("paper3-fig10", "Paper 3, figure 10: ROOF by the size of the cache", _SIZES_SETTING)
def fig10(effort: Effort) -> Drawn:
    return _by_size("ROOF", effort)


@figure("paper3-fig11", "Paper 3, figure 11: FLOOR by the size of the cache", _SIZES_SETTING)
def fig11(effort: Effort) -> Drawn:
    return _by_size("FLOOR", effort)


@figure("paper3-fig12", "Paper 3, figure 12: WALK by the size of the cache", _SIZES_SETTING)
def fig12(effort: Effort) -> Drawn:
    return _by_size("WALK", effort)
