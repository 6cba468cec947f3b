"""The optimum of a trace: against all choices tried, against the figures of paper 3, and what users get wrong."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import shedjoin
from shedjoin import sim
from shedjoin.sim import _flow


def best(left: list[int], right: list[int], room: int, within: int, warmup: int) -> int:
    """The most results of all choices of what to store; a row is its side, time and value."""
    steps = len(left)

    @cache
    def after(step: int, stored: frozenset[tuple[int, int, int]]) -> int:
        if step == steps:
            return 0
        came = {(0, step, left[step]), (1, step, right[step])}
        found = sum(
            side != other and value == theirs and step - since <= within
            for side, since, value in stored
            for other, _, theirs in came
        )
        candidates = sorted(stored | came)
        choices = combinations(candidates, min(room, len(candidates)))
        return (found if step >= warmup else 0) + max(after(step + 1, frozenset(choice)) for choice in choices)

    return after(0, frozenset())


@pytest.mark.seeds(60)
def test_the_optimum_is_what_the_best_of_all_choices_finds(seed: int) -> None:
    random = np.random.default_rng(seed)
    steps, room, within, warmup = (int(random.integers(*of)) for of in ((1, 8), (0, 4), (1, 8), (0, 3)))
    left, right = (random.integers(0, int(random.integers(1, 5)), steps) for _ in range(2))
    result = sim.optimum(sim.Trace(left, right), memory_rows=room, within=within, warmup=warmup)
    assert result.outputs == best(left.tolist(), right.tolist(), room, within, warmup)
    assert (
        result.timeline["stored_left"].to_numpy().max() + result.timeline["stored_right"].to_numpy().max() <= 2 * room
    )


@pytest.mark.parametrize("memory", [7, (2, 9)])
def test_no_policy_finds_more_and_with_room_for_all_rows_the_optimum_is_exact(memory: Any) -> None:
    random = np.random.default_rng(3)
    sides = [
        pa.table({"time": random.integers(0, 500, 600), "key": random.zipf(1.3, 600).clip(max=40)}) for _ in range(2)
    ]
    trace = sim.Trace(*sides)
    arguments: dict[str, Any] = {"within": (30, 20), "warmup": 40, "count": "right"}
    found = sim.optimum(trace, memory_rows=memory, **arguments)
    assert str(found).startswith("optimum with ")
    for policy in ("random", "oldest_first", "lru", "prob", "life", "ijoin"):
        run = sim.run(trace, memory_rows=memory, policy=policy, **arguments)
        assert run.outputs <= found.outputs < found.exact == run.exact, policy
    assert sim.optimum(trace, memory_rows=1200, **arguments).recall == 1
    assert sim.optimum(trace, memory_rows=0, **arguments).outputs == 0
    assert found.kept.num_rows == 1200
    assert sum(found.timeline["outputs"].to_pylist()) == found.outputs


FIGURES = [
    (sim.generate.tower, 4061),
    (sim.generate.roof, 4492),
    (sim.generate.floor, 4412),
    (sim.generate.walk, 3447),
]


@pytest.mark.parametrize(("make", "figure"), FIGURES)
def test_the_optimum_of_the_streams_of_paper_3(make: Callable[..., sim.Trace], figure: int) -> None:
    seeds = range(1, 11)
    started = time.monotonic()
    found = [sim.optimum(make(seed=seed), memory_rows=10, warmup=200).outputs for seed in seeds]
    error = np.std(found, ddof=1) / np.sqrt(len(found))
    print(f"{np.mean(found):.0f} +- {error:.0f}, {(time.monotonic() - started) / len(found):.1f} s a trace")
    # The figure is itself a mean of as many runs.
    assert abs(np.mean(found) - figure) < 3 * np.sqrt(2) * error + 0.5


@pytest.mark.seeds(5)
def test_with_the_lookahead_and_the_knowledge_to_do_so_flowexpect_finds_the_optimum(seed: int) -> None:
    # One value only, which always comes: all is known.
    random = np.random.default_rng(seed)
    left, right = np.zeros(30, int), np.zeros(30, int)
    trace = sim.Trace(left, right)
    model = shedjoin.policy("heeb", left_rates=[1], right_rates=[1])
    arguments: dict[str, Any] = {"memory_rows": int(random.integers(1, 6)), "within": int(random.integers(1, 9))}
    flow = sim.optimum(trace, method="flowexpect", lookahead=30, model=model, **arguments)
    assert flow.outputs == sim.optimum(trace, **arguments).outputs > 0
    assert flow.policy == "flowexpect(lookahead=30)"


def test_flowexpect_knows_the_model_of_made_up_streams_and_finds_no_more_than_the_optimum() -> None:
    trace = sim.generate.floor(seed=4)
    flow = sim.optimum(trace, memory_rows=10, warmup=200, method="flowexpect")
    heeb = sim.run(trace, memory_rows=10, warmup=200, policy="heeb")
    assert heeb.outputs < flow.outputs < sim.optimum(trace, memory_rows=10, warmup=200).outputs


def test_a_flow_that_takes_long_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(_flow, "_QUIET_SECONDS", 0)
    monkeypatch.setattr(_flow, "_WAIT_SECONDS", 0.001)
    sim.optimum(sim.generate.roof(seed=2), memory_rows=10)
    assert "the optimum, a flow over" in capsys.readouterr().err


def test_what_can_not_be_is_refused() -> None:
    steps = sim.Trace([1, 2], [2, 1])
    timed = sim.Trace(*[pa.table({"time": [1, 2], "key": [1, 2]})] * 2)
    heeb = shedjoin.policy("heeb", left_rates=[1], right_rates=[1])
    refused: list[tuple[sim.Trace, dict[str, Any], str]] = [
        (steps, {"method": "best"}, "method"),
        (steps, {"method": "flowexpect"}, "model"),
        (steps, {"method": "flowexpect", "model": "prob"}, "model"),
        (steps, {"method": "flowexpect", "model": "heeb(alpha=3)"}, "left_rates"),
        (steps, {"method": "flowexpect", "model": "heeb(alpha=-3)"}, "alpha"),
        (steps, {"method": "flowexpect", "model": heeb, "lookahead": 0}, "lookahead"),
        (steps, {"method": "flowexpect", "model": heeb, "memory_rows": (1, 1)}, "one number of rows"),
        (timed, {"method": "flowexpect", "model": heeb}, "stepwise"),
        (steps, {"memory_rows": -1}, "memory_rows"),
    ]
    for trace, arguments, text in refused:
        with pytest.raises(shedjoin.ShedJoinError, match=text):
            sim.optimum(trace, **{"memory_rows": 3, **arguments})
