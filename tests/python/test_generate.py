"""The made-up streams against their definitions in the papers: chi-square and means at 99.9 %, on fixed seeds."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt
import pytest
import shedjoin
from shedjoin import sim

Numbers = npt.NDArray[np.float64]
UNIT = 1_000
Z = 3.29
"""Of 99.9 %, two-sided."""


def keys(side: object) -> npt.NDArray[np.int64]:
    return np.asarray(side["key"])  # type: ignore[index]


def fits(counts: Numbers, expected: Numbers) -> bool:
    """Whether counts come from these expectations; categories with fewer than 5 are taken together."""
    rare = expected < 5
    if rare.any():
        counts = np.append(counts[~rare], counts[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    freedom = len(expected) - 1
    quantile = freedom * (1 - 2 / (9 * freedom) + 3.09 * math.sqrt(2 / (9 * freedom))) ** 3
    return float(((counts - expected) ** 2 / np.maximum(expected, 1e-9)).sum()) < quantile


def zipf_law(skew: float) -> Numbers:
    weights = np.arange(1, 51) ** -skew
    return np.asarray(weights / weights.sum())


def test_gaps_lie_between_half_and_two_over_the_rate_so_the_real_rate_is_four_fifths() -> None:
    trace = sim.generate.zipf(1.0, seed=3)
    for side, rate in ((trace.left, 1), (trace.right, 5)):
        gaps = np.diff(side["time"].to_numpy()) / UNIT
        assert gaps.min() >= 0.5 / rate - 1 / UNIT
        assert gaps.max() <= 2 / rate + 1 / UNIT
        error = (1.5 / rate) / math.sqrt(12 * len(gaps))
        assert abs(gaps.mean() - 1.25 / rate) < Z * error
        bins = np.histogram(gaps, bins=10, range=(0.5 / rate, 2 / rate))[0]
        assert fits(bins.astype(float), np.full(10, bins.sum() / 10))
    assert abs(len(trace.left) * sim.generate.WINDOW[1] / (6_000 * UNIT) - sim.generate.WINDOW_ROWS) < 20


@pytest.mark.parametrize("skew", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("correlation", ["DC", "IC", "UC"])
def test_zipf_values_are_as_common_as_the_law_says(skew: float, correlation: sim.generate.Correlation) -> None:
    trace = sim.generate.zipf(skew, seed=5, correlation=correlation)
    law = zipf_law(skew)
    left, right = (np.bincount(keys(side), minlength=50).astype(float) for side in (trace.left, trace.right))
    assert fits(left, left.sum() * law)
    if correlation == "UC":
        told = np.array([float(rate) for rate in trace.models["prob"].settings["left_rates"].split()])
        assert sorted(told) == pytest.approx(sorted(law))
        assert fits(right, right.sum() * told)
    else:
        assert fits(right, right.sum() * (law if correlation == "DC" else law[::-1]))


def test_uncorrelated_means_that_the_orders_have_nothing_to_do_with_each_other() -> None:
    correlations = []
    for seed in range(100):
        trace = sim.generate.zipf(1.0, seed=seed, units=2, correlation="UC")
        rates = np.array([float(rate) for rate in trace.models["prob"].settings["left_rates"].split()])
        correlations.append(np.corrcoef(np.arange(50), np.argsort(np.argsort(-rates)))[0, 1])
    assert abs(np.mean(correlations)) < Z / math.sqrt(49 * 100)
    assert np.std(correlations) == pytest.approx(1 / math.sqrt(49), rel=0.3)


@pytest.mark.parametrize("curve", ["INC", "DEC", "BELL", [1.0, 3.0, 0.0, 2.0]])
def test_partners_come_at_the_ages_of_the_curve(curve: sim.generate.Curve | list[float]) -> None:
    trace = sim.generate.ages(curve, seed=2)
    k = np.arange(1.0, 21.0)
    shapes = {"INC": k**2, "DEC": (20 - k) ** 2, "BELL": np.where(k <= 10, k**2, (20 - k) ** 2)}
    parts = np.array(curve) if isinstance(curve, list) else shapes[curve]
    window = sim.generate.WINDOW[1]
    late = trace.right["time"].to_numpy() > window
    at, key = trace.right["time"].to_numpy()[late], keys(trace.right)[late]
    assert (key >= 0).all()
    ages = at - trace.left["time"].to_numpy()[key]
    part = np.minimum((ages - 1) * len(parts) // window, len(parts) - 1)
    assert fits(np.bincount(part, minlength=len(parts)).astype(float), len(part) * parts / parts.sum())


def test_wan_rows_match_a_minute_apart_and_most_of_them_63_seconds_after_they_came() -> None:
    trace = sim.generate.wan(seed=1, seconds=600)
    sent = trace.left["time"].to_numpy()
    assert (np.diff(sent) == 20).all()
    at, key = trace.right["time"].to_numpy(), keys(trace.right)
    per_left = np.bincount(key, minlength=len(sent))
    whole = sent <= sent[-1] - 60_100
    assert (per_left[whole] == 11).all()
    # A right row that was sent 59.9 to 60.1 s after each of its left rows has a delay of this law.
    delays = at[key >= 10] - sent[key[key >= 10]] - 60_000
    middle = np.log(np.maximum(delays, 1) / 3_000)
    assert abs(np.median(middle) - 0.445**2) < 0.03
    assert np.std(middle) == pytest.approx(0.445, abs=0.02)
    curve = np.array([float(part) for part in trace.models["age"].settings["left_curve"].split()])
    assert len(curve) == 1_200
    assert curve.sum() == pytest.approx(11, abs=0.05)
    seen = sent <= sent[-1] - 120_000
    ages = at[seen[key]] - sent[key[seen[key]]]
    counted = np.bincount((ages // 100).astype(int), minlength=1_200)[:1_200] / seen.sum()
    assert curve == pytest.approx(counted)
    smooth = np.convolve(curve, np.ones(9) / 9, "same")
    assert 0.1 * smooth.argmax() == pytest.approx(63, abs=1)
    assert 0.1 * (1 + (np.cumsum(curve) / np.arange(1, 1_201)).argmax()) == pytest.approx(68.8, abs=1)


@pytest.mark.parametrize("side", ["left", "right"])
def test_categories_are_uniform_or_by_zipfs_law(side: str) -> None:
    uniform, zipf = (sim.generate.ijoin(kind, seed=4, steps=20_000, domain=40) for kind in ("uniform", "zipf"))
    assert fits(np.bincount(keys(getattr(uniform, side)), minlength=40).astype(float), np.full(40, 500.0))
    law = 1 / np.arange(1, 41)
    counts = np.bincount(keys(getattr(zipf, side)), minlength=40).astype(float)
    order = np.argsort(-np.bincount(keys(zipf.left), minlength=40) - np.bincount(keys(zipf.right), minlength=40))
    assert fits(counts[order], 20_000 * law / law.sum())
    assert list(order) != sorted(order)


def test_categories_drift_round_the_domain_in_200_steps() -> None:
    trace = sim.generate.ijoin("drift", seed=4, steps=4_000, domain=60)
    for side in (trace.left, trace.right):
        centre = 60 * (np.arange(4_000) % 200) / 200
        off = (keys(side) - centre + 30) % 60 - 30
        assert abs(off.mean()) < Z * 5 / math.sqrt(4_000) + 0.05
        assert off.std() == pytest.approx(5, rel=0.05)


def test_in_a_burst_half_of_the_rows_of_both_sides_are_of_one_category() -> None:
    trace = sim.generate.ijoin("bursts", seed=4, steps=4_000, domain=1_000)
    both = np.stack([keys(trace.left), keys(trace.right)])
    common = []
    for start in range(0, 4_000, 10):
        values, counts = np.unique(both[:, start : start + 10], return_counts=True)
        common.append(values[counts.argmax()])
    # Ten steps lie in one burst or two, and a burst lasts twenty in the mean.
    changes = np.count_nonzero(np.diff(common))
    assert 150 < changes < 250
    assert 0.35 < np.mean([np.mean(both[:, 10 * i : 10 * i + 10] == hot) for i, hot in enumerate(common)]) < 0.6


def test_categories_have_an_importance_from_1_to_100_each_or_all_the_same() -> None:
    trace = sim.generate.ijoin("uniform", seed=4, steps=3_000)
    worth = dict(zip(keys(trace.left).tolist(), trace.left["importance"].to_pylist(), strict=True))
    assert all(1 <= given <= 100 for given in worth.values())
    assert len(set(worth.values())) > 90
    told = zip(keys(trace.right).tolist(), trace.right["importance"].to_pylist(), strict=True)
    assert all(worth[key] == given for key, given in told)
    alike = sim.generate.ijoin("uniform", seed=4, weighted=False)
    assert len(set(alike.left["importance"].to_pylist())) == 1


def test_real_is_the_series_whose_model_paper_3_states() -> None:
    degrees = sim.generate.real() / 10
    assert len(degrees) == 3_650
    slope, start = np.polyfit(degrees[:-1], degrees[1:], 1)
    residual = degrees[1:] - slope * degrees[:-1] - start
    assert (round(slope, 2), round(start, 2)) == (0.72, 5.59)
    assert residual.std() == pytest.approx(4.22, abs=0.01)


def test_trends_have_the_noise_and_the_lag_that_were_asked_for() -> None:
    trace = sim.generate.trend((1, 4), lag=3, seed=6)
    steps = np.arange(5_000)
    offsets = np.arange(-10, 11)
    for side, deviation, mean in ((trace.left, 1, steps - 3), (trace.right, 4, steps)):
        law = np.exp(-(offsets**2) / (2 * deviation**2))
        counts = np.bincount(keys(side) - mean + 10, minlength=21).astype(float)
        assert fits(counts, 5_000 * law / law.sum())


def test_the_same_seed_makes_the_same_stream_and_others_make_others() -> None:
    makers: list[Callable[..., sim.Trace]] = [
        partial(sim.generate.tower, steps=100),
        partial(sim.generate.walk, steps=100),
        partial(sim.generate.wan, seconds=100),
        partial(sim.generate.ijoin, "drift", steps=100),
    ]
    for make in makers:
        first, again, other = (make(seed=seed) for seed in (7, 7, 8))
        assert first.right.equals(again.right)
        assert not first.right.equals(other.right)


def test_errors_of_generators_say_what_is_allowed() -> None:
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: sim.generate.ages([]), "numbers from 0 on that are not all 0"),
        (lambda: sim.generate.zipf(1, correlation="XX"), "DC or IC or UC"),  # type: ignore[arg-type]
        (lambda: sim.generate.ijoin("up"), "uniform or zipf or drift or bursts"),  # type: ignore[arg-type]
    ]
    for call, told in calls:
        with pytest.raises(shedjoin.ShedJoinError, match=told):
            call()
