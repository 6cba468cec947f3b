"""Caches of a relation's rows: against models of the standard library, and all choices tried."""

from __future__ import annotations

from collections import Counter, OrderedDict
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import shedjoin
from shedjoin import sim
from shedjoin.sim import _jvm
from shedjoin.sim._progress import Progress


def stream(seed: int, most: int = 400, values: int = 25) -> list[int]:
    random = np.random.default_rng(seed)
    return [int(key) for key in random.zipf(1.5, int(random.integers(1, most))).clip(max=values)]


@pytest.mark.seeds(20)
def test_lru_and_lfu_hit_as_their_models_do(seed: int) -> None:
    references, rows = stream(seed), 1 + seed % 7
    recent: OrderedDict[int, None] = OrderedDict()
    used: Counter[int] = Counter()
    cached: dict[int, int] = {}
    hits = {"lru": 0, "lfu": 0}
    for now, key in enumerate(references):
        hits["lru"] += key in recent
        recent[key] = None
        recent.move_to_end(key)
        if len(recent) > rows:
            recent.popitem(last=False)
        hits["lfu"] += key in cached
        used[key] += 1
        cached.setdefault(key, now)
        if len(cached) > rows:
            del cached[min(cached, key=lambda row: (used[row], cached[row]))]
    for policy, found in hits.items():
        assert sim.cache(references, rows=rows, policy=policy).hits == found


def best(references: list[int], rows: int) -> int:
    """The most hits of all choices of what to cache."""

    @cache
    def after(at: int, cached: frozenset[int]) -> int:
        if at == len(references):
            return 0
        candidates = sorted(cached | {references[at]})
        choices = combinations(candidates, min(rows, len(candidates)))
        return (references[at] in cached) + max(after(at + 1, frozenset(choice)) for choice in choices)

    return after(0, frozenset())


@pytest.mark.seeds(40)
def test_lfd_has_as_many_hits_as_the_best_of_all_choices(seed: int) -> None:
    references = stream(seed, most=15, values=5)
    assert sim.cache(references, rows=seed % 4, policy="lfd").hits == best(references, seed % 4)


@pytest.mark.seeds(5)
def test_lfd_is_the_optimum_of_the_join_that_the_cache_reduces_to(seed: int) -> None:
    references = stream(seed)
    seen: Counter[int] = Counter()
    left, right = [], []
    for key in references:
        left.append(1000 * key + seen[key])
        seen[key] += 1
        right.append(1000 * key + seen[key])
    found = sim.cache(references, rows=4, policy="lfd")
    assert found.hits == sim.optimum(sim.Trace(left, right), memory_rows=4).outputs


def test_keys_of_any_type_hit_alike_and_the_result_adds_up() -> None:
    references = stream(7, most=2_000)
    found = sim.cache(references, rows=5, policy="lru", warmup=100)
    assert found.hits + found.misses == found.references == len(references) - 100
    assert found.hit_rate == found.hits / found.references
    assert found.distinct == len(set(references))
    timeline = found.timeline.to_pydict()
    assert sum(timeline["references"]) == len(references)
    assert sum(timeline["hits"]) == sim.cache(references, rows=5, policy="lru").hits
    as_text: list[Any] = [pa.array([f"key {key}" for key in references]), np.array(references, float)]
    for other in as_text:
        assert sim.cache(other, rows=5, policy="lru", warmup=100).hits == found.hits
    assert str(found).startswith("lru with 5 rows: ")
    assert len(found.plot().axes) == 1
    assert sim.cache([], rows=5).hit_rate == 0


def test_a0_with_probabilities_beats_lru_and_lfd_beats_all() -> None:
    random = np.random.default_rng(1)
    weights = 1 / np.arange(1, 101)
    probabilities = weights / weights.sum()
    references = random.choice(100, 30_000, p=probabilities)
    a0 = sim.cache(references, rows=10, policy=shedjoin.policy("a0", probabilities=probabilities)).hits
    hits = {policy: sim.cache(references, rows=10, policy=policy).hits for policy in ("random", "lru", "lfu", "lfd")}
    assert hits["random"] < hits["lru"] < hits["lfu"] <= a0 * 1.01
    assert a0 < hits["lfd"]


def test_a_long_run_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    monkeypatch.setattr(Progress, "show", lambda _, done: told.append(done))
    monkeypatch.setattr(_jvm, "_WAIT_SECONDS", 0.01)
    references = np.random.default_rng(1).integers(0, 1000, 300_000)
    sim.cache(references, rows=100)
    assert len(told) > 1
    assert told == sorted(told)
    assert told[-1] == len(references)


def test_what_can_not_be_is_refused() -> None:
    refused: list[tuple[Any, dict[str, Any], str]] = [
        ([1, None], {}, "nulls"),
        ([1, "a"], {}, "one type"),
        ([1], {"rows": -1}, "rows"),
        ([1], {"warmup": "1"}, "warmup"),
        ([1], {"policy": "best"}, "best"),
        ([1], {"policy": "a0"}, "probabilities"),
        ([1], {"policy": "lfd(alpha=1)"}, "no setting"),
        ([1], {"policy": 3}, "policy"),
    ]
    for references, arguments, text in refused:
        with pytest.raises(shedjoin.ShedJoinError, match=text):
            sim.cache(references, **{"rows": 3, **arguments})
