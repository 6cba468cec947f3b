"""The simulator from Python: against a join by brute force, the figures of the papers, and what users get wrong."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shedjoin
from matplotlib.lines import Line2D
from shedjoin import sim
from shedjoin.sim import _cli, _jvm, _progress

EVERYTHING = 1_000

COMBINED = {"min": np.minimum, "max": np.maximum, "sum": np.add, "product": np.multiply}


def side(random: np.random.Generator, rows: int) -> pa.Table:
    columns = {"time": random.integers(0, 60, rows), "key": random.integers(0, 6, rows)}
    return pa.table({**columns, "importance": random.integers(1, 5, rows).astype(float)})


def pairs(
    left: pa.Table, right: pa.Table, before: int, after: int, stepwise: bool, warmup: int, count: str
) -> npt.NDArray[np.bool_]:
    """Every pair, looked at: whether it is a result that counts."""
    times = left["time"].to_numpy()[:, None], right["time"].to_numpy()[None, :]
    equal = left["key"].to_numpy()[:, None] == right["key"].to_numpy()[None, :]
    near = (times[1] - times[0] <= after) & (times[0] - times[1] <= before)
    counted = {"both": True, "left": times[0] > times[1], "right": times[0] <= times[1]}[count]
    first = min(t.min() for t in times)
    found: npt.NDArray[np.bool_] = equal & near & counted & (np.maximum(*times) - first >= warmup)
    return found & (times[0] != times[1]) if stepwise else found


@pytest.mark.seeds(40)
def test_with_memory_for_all_rows_a_run_finds_what_a_join_by_brute_force_does(seed: int) -> None:
    random = np.random.default_rng(seed)
    left, right = side(random, int(random.integers(1, 80))), side(random, int(random.integers(1, 80)))
    before, after, warmup = (int(n) for n in random.integers(0, 30, 3))
    stepwise, count = bool(random.integers(2)), str(random.choice(["both", "left", "right"]))
    found = pairs(left, right, before, after, stepwise, warmup, count)
    trace = sim.Trace(left, right, stepwise=stepwise)
    arguments: dict[str, Any] = {"within": (before, after), "warmup": warmup, "count": count}
    result = sim.run(trace, memory_rows=EVERYTHING, policy="prob", **arguments)
    assert (result.outputs, result.exact, result.shed) == (found.sum(), found.sum(), 0)
    assert (result.recall, result.recall_interval) == (1, (1, 1))
    worths = left["importance"].to_numpy()[:, None], right["importance"].to_numpy()[None, :]
    assert result.importance == np.minimum(*worths)[found].sum()
    name = str(random.choice(list(COMBINED)))
    combined = sim.run(trace, memory_rows=EVERYTHING, policy="prob", **{**arguments, "combine": name})
    assert combined.importance == COMBINED[name](*worths)[found].sum()
    less = sim.run(trace, memory_rows=5, policy="prob", **arguments)
    assert less.outputs <= less.exact == result.exact


@pytest.mark.seeds(5)
def test_keys_of_any_type_times_of_any_unit_and_rows_in_any_order_are_the_same_stream(seed: int) -> None:
    random = np.random.default_rng(seed)
    left, right = side(random, 70), side(random, 50)
    plain = sim.run(sim.Trace(left, right), within=(7, 3), memory_rows=9, policy="lru")

    def dressed(table: pa.Table, unit: str) -> pa.Table:
        keys = pa.array([None, *(f"key {key}" for key in table["key"].to_pylist())])
        seconds = pa.array([1_700_000_000, *(1_700_000_000 + t for t in table["time"].to_pylist())], pa.timestamp("s"))
        importance = pa.array([1.0, *table["importance"].to_pylist()])
        columns = {"time": seconds.cast(pa.timestamp(unit)), "key": keys, "importance": importance}
        return pa.table(columns).take(random.permutation(len(keys)))

    trace = sim.Trace(dressed(left, "s"), dressed(right, "ns"))
    again = sim.run(trace, within=("7 s", timedelta(seconds=3)), memory_rows=9, policy="lru")
    assert (again.outputs, again.shed, again.importance) == (plain.outputs, plain.shed, plain.importance)
    assert again.kept.num_rows == 120
    assert again.kept["time"].type == again.kept["until"].type == again.timeline["time"].type == pa.timestamp("ns")


@pytest.mark.parametrize("policy", ["oldest_first", "lru", "lfu", "prob", "life", "ijoin", "hottest_key"])
def test_sides_changed_over_a_stepwise_run_finds_the_same(policy: str) -> None:
    random = np.random.default_rng(11)
    left, right = (random.integers(0, 9, 300) for _ in range(2))
    runs = [
        sim.run(sim.Trace(*sides), within=20, memory_rows=(6, 6), policy=policy)
        for sides in ((left, right), (right, left))
    ]
    assert runs[0].outputs == runs[1].outputs
    assert runs[0].share_left == pytest.approx(1 - runs[1].share_left)


def test_the_timeline_and_the_rows_kept_add_up_to_the_run() -> None:
    random = np.random.default_rng(5)
    left, right = side(random, 400), side(random, 300)
    result = sim.run(sim.Trace(left, right), within=9, memory_rows=20, policy="random", seed=3)
    for name in ("outputs", "exact", "shed"):
        assert sum(result.timeline[name].to_pylist()) == getattr(result, name)
    kept = result.kept.to_pandas()
    assert (kept["fate"] == "shed").sum() == result.shed > 0
    assert (kept["until"] >= kept["time"]).all()
    assert (kept["until"] <= kept["time"] + 10).all()
    for name, table in (("left", left), ("right", right)):
        rows = kept[kept["side"] == name]
        assert sorted(rows["row"]) == list(range(table.num_rows))
        assert (table["time"].to_numpy()[rows["row"]] == rows["time"]).all()


def test_rows_are_joined_by_key_and_judged_by_value() -> None:
    sides = [
        np.array([[t, key, value] for t, (key, value) in enumerate(rows)]) for rows in ([(1, 5)] * 2, [(2, 5)] * 2)
    ]
    assert sim.run(sim.Trace(*sides), memory_rows=10, policy="prob").exact == 0


def test_tables_2_to_4_of_ijoin() -> None:
    worth = dict(zip("abcd", (1.0, 2.0, 3.0, 4.0), strict=True))

    def rows(text: str) -> dict[str, Any]:
        return {"time": range(1, 9), "key": list(text), "importance": [worth[letter] for letter in text]}

    trace = sim.Trace(rows("abcddbac"), rows("babbccda"), stepwise=True)
    found = {
        policy: sim.run(trace, within=7, memory_rows=memory, policy=policy, order="evict_first").importance
        for policy, memory in (("oldest_first", (2, 2)), ("greedy", (2, 2)), ("lru", (100, 100)))
    }
    assert found == {"oldest_first": 6, "greedy": 13, "lru": 36}


@pytest.mark.parametrize(
    ("make", "random", "heeb"), [(sim.generate.roof, 2337, 3494), (sim.generate.floor, 1794, 1910)]
)
def test_hits_of_paper_3(make: Callable[..., sim.Trace], random: int, heeb: int) -> None:
    compared = sim.compare(make, policies=["random", "heeb"], memory_rows=[10], seeds=range(1, 11), warmup=200)
    for policy, figure in (("random", random), ("heeb", heeb)):
        hits = compared.runs.filter(pa.compute.equal(compared.runs["policy"], policy))["outputs"].to_numpy()
        assert abs(hits.mean() - figure) <= 3 * np.sqrt(2 * hits.var(ddof=1) / len(hits)), policy
    assert compared.best(10) == "heeb"


def test_age_finds_at_half_the_memory_what_paper_1_says() -> None:
    compared = sim.compare(
        partial(sim.generate.ages, "BELL"),
        policies=["age", "oldest_first"],
        memory_rows=[(sim.generate.WINDOW_ROWS // 2, 1)],
        within=sim.generate.WINDOW,
        count="right",
        warmup=1_000_000,
        seeds=range(1, 6),
    )
    rows = compared.table.to_pylist()
    assert [round(row["recall"], 2) for row in rows] == [pytest.approx(0.668, abs=0.01), pytest.approx(0.572, abs=0.01)]
    assert all(row["recall_low"] < row["recall"] < row["recall_high"] for row in rows)


def test_a_comparison_says_what_is_best_and_how_much_memory_it_takes() -> None:
    random = np.random.default_rng(2)
    keys = [np.minimum(random.zipf(1.5, 4_000), 200) for _ in range(2)]
    trace = sim.Trace(*keys)
    compared = sim.compare(trace, policies=["random", "prob"], seeds=range(3), within=100)
    assert compared.table.group_by("policy").aggregate([("runs", "max")]).to_pydict()["runs_max"] == [3, 1]
    assert compared.exact_rows == 200
    assert compared.memory_rows == [10, 20, 40, 60, 80, 120, 160]
    recalls = [compared.cell("prob", rows)[0] for rows in compared.memory_rows]
    assert recalls == sorted(recalls)
    assert all(compared.best(rows) == "prob" for rows in compared.memory_rows)
    needed = compared.needed(0.9)
    assert needed is not None
    assert sim.run(trace, within=100, memory_rows=needed.rows, policy="prob").recall == pytest.approx(0.9, abs=0.03)
    assert f"90% of the results take about {needed.rows} rows (prob)" in str(compared)
    assert compared.needed(1.0) == (200, "prob")


def test_names_and_defaults_are_those_that_others_call() -> None:
    defaults = {
        name: {p.name: p.default for p in inspect.signature(getattr(sim, name)).parameters.values()}
        for name in ("run", "compare", "optimum", "cache")
    }
    assert defaults["run"].items() >= {"within": None, "warmup": 0, "order": "probe_first", "count": "both"}.items()
    assert {"memory_rows", "policy", "seed"} <= defaults["run"].keys()
    assert defaults["compare"]["seeds"] == range(10)
    assert {"policies", "memory_rows"} <= defaults["compare"].keys()
    assert defaults["optimum"]["method"] == "offline"
    assert {"rows", "policy"} <= defaults["cache"].keys()
    result = sim.run(sim.Trace([1, 2], [2, 1]), memory_rows=1, policy=shedjoin.policy("heeb", alpha=9))
    named = "outputs exact recall recall_interval shed share_left importance fairness kept timeline"
    assert all(hasattr(result, name) for name in named.split())
    assert isinstance(result.kept, pa.Table)
    assert isinstance(result.timeline, pa.Table)


def drawn(line: Line2D) -> list[float]:
    return [float(y) for y in np.asarray(line.get_ydata())]


def test_plots_show_the_run_and_the_comparison_with_its_bands() -> None:
    trace = sim.Trace(*np.random.default_rng(3).integers(0, 40, (2, 3_000)))
    result = sim.run(trace, within=100, memory_rows=50, policy="random")
    recall, stored = result.plot().axes
    line, mean = (drawn(of) for of in recall.get_lines())
    assert len(line) == result.timeline.num_rows
    assert mean == [result.recall] * 2
    legend = stored.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["left", "right"]
    compared = sim.compare(trace, policies=["random", "lru"], memory_rows=[20, 60], seeds=range(2), within=100)
    (axes,) = compared.plot().axes
    assert len(axes.get_lines()) == len(axes.collections) == 2
    for policy, line_of, band in zip(compared.policies, axes.get_lines(), axes.collections, strict=True):
        cells = [compared.cell(policy, rows) for rows in compared.memory_rows]
        assert drawn(line_of) == [found for found, _, _ in cells]
        edges = set(np.asarray(band.get_paths()[0].vertices)[:, 1].tolist())
        assert edges == {end for _, low, high in cells for end in (low, high)}
        assert all(low < found < high for found, low, high in cells)


def test_the_interval_of_a_recall_covers_that_of_longer_runs() -> None:
    random = np.random.default_rng(8)

    def recall(rows: int) -> sim.Result:
        trace = sim.Trace(random.integers(0, 50, rows), random.integers(0, 50, rows))
        return sim.run(trace, within=200, memory_rows=100, policy="random", warmup=400)

    truth = recall(200_000).recall
    covered = [low <= truth <= high for low, high in (recall(8_000).recall_interval for _ in range(40))]
    assert sum(covered) >= 34


@pytest.mark.parametrize(
    ("call", "error_id", "told"),
    [
        (
            lambda t: sim.run(t, memory_rows=1, policy="best"),
            "SHEDJOIN_POLICY_UNKNOWN",
            "The policies are: age, greedy",
        ),
        (lambda t: sim.run(t, memory_rows=1, policy="heeb(alpha"), "SHEDJOIN_POLICY_UNKNOWN", "'heeb(alpha'"),
        (
            lambda t: sim.run(t, memory_rows=1, policy=shedjoin.policy("heeb", alpha=-1)),
            "SHEDJOIN_POLICY_SETTING",
            "alpha of the policy heeb is '-1'; it must be a number from 0.001",
        ),
        (lambda t: sim.run(t, memory_rows=1, policy="lru(a=1)"), "SHEDJOIN_POLICY_SETTING", "Its settings are: split"),
        (lambda t: sim.run(t, memory_rows=-1, policy="lru"), "SHEDJOIN_INVALID_OPTION", "a whole number from 0"),
        (lambda t: sim.run(t, memory_rows="1", policy="lru"), "SHEDJOIN_INVALID_OPTION", "memory_rows"),  # type: ignore[arg-type]
        (lambda t: sim.run(t, memory_rows=1, policy="lru", within="5 min"), "SHEDJOIN_INVALID_OPTION", "times of the"),
        (lambda t: sim.run(t, memory_rows=1, policy="lru", within=(1, -2)), "SHEDJOIN_INVALID_OPTION", "0 or more"),
        (lambda t: sim.run(t, memory_rows=1, policy="lru", count="1"), "SHEDJOIN_INVALID_OPTION", "'both' or"),  # type: ignore[arg-type]
        (lambda t: sim.compare(t, policies=[]), "SHEDJOIN_INVALID_OPTION", "at least one"),
        (lambda _: sim.Trace({"key": [1]}, {"key": [1]}), "SHEDJOIN_INVALID_TRACE", "one with the column time"),
        (lambda _: sim.Trace([[1.5, 2.0]], [[1, 2]]), "SHEDJOIN_INVALID_TRACE", "whole numbers or timestamps"),
        (
            lambda _: sim.Trace({"time": [1], "key": ["a"]}, {"time": [1], "key": [1]}),
            "SHEDJOIN_INVALID_TRACE",
            "string and int64; allowed is columns of one type",
        ),
        (lambda _: sim.generate.ages("UP"), "SHEDJOIN_INVALID_OPTION", "INC or DEC or BELL"),  # type: ignore[arg-type]
    ],
)
def test_errors_say_what_was_given_and_what_is_allowed(
    call: Callable[[sim.Trace], object], error_id: str, told: str
) -> None:
    with pytest.raises(shedjoin.ShedJoinError) as refused:
        call(sim.Trace([1, 2, 3], [3, 2, 1]))
    assert refused.value.id == error_id
    assert told in str(refused.value)


def test_the_command_line_answers_which_policy_and_how_much_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(4)
    for name, time_column in (("l", "opened"), ("r", "bid_at")):
        seconds = pa.array(np.sort(random.integers(0, 20_000, 3_000)), pa.timestamp("s"))
        keys = [f"k{key}" for key in np.minimum(random.zipf(1.3, 3_000), 300)]
        pq.write_table(pa.table({time_column: seconds, "k": keys, "rest": keys}), tmp_path / f"{name}.parquet")
    common = ["--left", str(tmp_path / "l.parquet"), "--right", str(tmp_path / "r.parquet"), "--key", "k"]
    common += ["--time", "opened=bid_at", "--within", "10min"]
    assert _cli.main(["simulate", *common, "--memory-rows", "50", "--policy", "prob"]) == 0
    assert capsys.readouterr().out.startswith("prob with 50 rows: ")
    assert _cli.main(["compare", *common, "--policies", "random,heeb(alpha=99),prob"]) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[0].split() == ["rows", "of", "exact", "random", "heeb(alpha=99)", "prob"]
    assert "99% of the results take about" in told
    assert told.endswith("\nThe plot is in compare.png.\n")
    assert (tmp_path / "compare.png").stat().st_size > 10_000
    refused = _cli.main(["simulate", *common[:-1], "ten", "--memory-rows", "50", "--policy", "prob"])
    assert str(refused).startswith("[SHEDJOIN_INVALID_OPTION] The argument within of shedjoin.sim.run is 'ten'")


def test_the_command_of_the_handbook_answers_with_a_table_and_a_plot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(6)
    for name in ("l", "r"):
        times = pa.array(np.sort(random.integers(0, 7_200_000, 2_000)), pa.timestamp("ms"))
        _parquet(tmp_path / f"{name}.parquet", k=random.integers(0, 50, 2_000), t=times)
    command = "compare --left l.parquet --right r.parquet --key k --time t --within 10min"
    monkeypatch.setenv("PYTHONPATH", str(Path(shedjoin.__file__).parents[1]))
    told = subprocess.run(
        [sys.executable, "-m", "shedjoin", *command.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    lines = told.stdout.splitlines()
    assert lines[0].split()[:3] == ["rows", "of", "exact"]
    assert lines.index("") == 8
    assert lines[-1] == "The plot is in compare.png."
    assert (tmp_path / "compare.png").read_bytes()[:4] == b"\x89PNG"


def _parquet(path: Path, **columns: object) -> str:
    pq.write_table(pa.table(columns), path)
    return str(path)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"--left": "nowhere.parquet"}, "There is no nowhere.parquet. Give --left and --right Parquet files."),
        ({"--left": "{text}"}, "can not be read as Parquet: "),
        ({"--left": "{none}"}, "can not be read as Parquet: "),
        ({"--left": "{empty}"}, "has no rows. Give one with the rows of a stream."),
        ({"--key": "id"}, "has no column 'id'; its columns are: k, t, w, d. Correct --key, or write --key LEFT=RIGHT"),
        ({"--key": "k=w"}, "key of shedjoin.sim.Trace is columns of int64 and string; allowed is columns of one type"),
        ({"--time": "w"}, "time of shedjoin.sim.Trace is a column of string; allowed is whole numbers or timestamps"),
        ({"--time": "t=d"}, "time of shedjoin.sim.Trace is columns of int64 and timestamp[ms]; allowed is timestamps"),
        ({"--importance": "w"}, "importance of shedjoin.sim.Trace is a column of string; allowed is finite numbers"),
        ({"--within": "-5"}, "The argument within of shedjoin.sim.run is -5; allowed is 0 or more"),
        ({"--within": "5min"}, "'5min'; allowed is a whole number, as the times of the trace are numbers"),
        ({"--time": "d", "--warmup": "long"}, "The argument warmup of shedjoin.sim.run is 'long'; allowed is a span"),
        ({"--memory-rows": "-1"}, "'-1'; allowed is a whole number of rows from 0 on, or several with commas"),
        ({"--memory-rows": "many"}, "The argument --memory-rows of python -m shedjoin is 'many'"),
        ({"--memory-rows": "1,2,3"}, "'1,2,3'; allowed is a number of rows, or L,R for each side"),
        ({"--policy": "best"}, "The policies are: age, "),
        ({"--plot": "out.txt"}, "'out.txt'; allowed is a file in a folder that exists, with a name that ends in .png"),
    ],
)
def test_the_command_line_says_what_is_wrong_and_what_to_do(options: dict[str, str], told: str, tmp_path: Path) -> None:
    rows = {"k": [1, 2], "t": [1, 2], "w": ["a", "b"], "d": pa.array([1, 2], pa.timestamp("ms"))}
    good = _parquet(tmp_path / "good.parquet", **rows)
    bad = {"text": tmp_path / "rows.csv", "none": tmp_path / "none.parquet"}
    bad["text"].write_text("k,t\n1,1\n")
    bad["none"].touch()
    empty = _parquet(tmp_path / "empty.parquet", k=pa.array([], pa.int64()), t=pa.array([], pa.int64()))
    given = {"--left": good, "--right": good, "--key": "k", "--time": "t", "--memory-rows": "1", "--policy": "lru"}
    given |= {name: value.format(empty=empty, **bad) for name, value in options.items()}
    refused = _cli.main(["simulate", *(f"{name}={value}" for name, value in given.items())])
    assert str(refused).startswith("[SHEDJOIN_")
    assert told in str(refused)


def test_without_memory_nothing_is_found() -> None:
    compared = sim.compare(sim.Trace([1, 1], [1, 1]), policies=["lru", "random", "prob"], memory_rows=[0])
    assert compared.table["recall"].to_pylist() == [0, 0, 0]
    assert str(compared).splitlines()[0].split()[-1] == "prob"


def test_long_runs_say_how_far_they_are(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(_progress, "_QUIET_SECONDS", 0)
    monkeypatch.setattr(_jvm, "_WAIT_SECONDS", 0.01)
    trace = sim.Trace(*np.random.default_rng(1).integers(0, 5_000, (2, 200_000)))
    sim.compare(trace, policies=["lru", "prob"], memory_rows=[1_000], within=5_000)
    told = re.findall(r"shedjoin.sim: ([\d,]+) of 800,000 rows", capsys.readouterr().err)
    done = [int(rows.replace(",", "")) for rows in told]
    assert done
    assert done == sorted(done)


def test_a_ledger_estimates_the_recall_and_changes_nothing_else() -> None:
    random = np.random.default_rng(3)
    keys = random.integers(0, 200, (2, 20_000))
    trace = sim.Trace(*keys)
    arguments: dict[str, Any] = {"within": 500, "memory_rows": 400, "policy": "random", "warmup": 1_000}
    plain, told = sim.run(trace, **arguments), sim.run(trace, ledger=20_000, **arguments)
    assert (plain.outputs, plain.recall_estimate, plain.recall_estimate_interval) == (told.outputs, None, None)
    assert told.recall_estimate is not None
    assert told.recall_estimate_interval is not None
    assert not told.unreliable
    low, high = told.recall_estimate_interval
    assert low <= told.recall <= high <= low + 0.1
    assert low <= told.recall_estimate <= high
    assert "by the ledger" in str(told)
    everything = sim.run(trace, ledger=20_000, **{**arguments, "memory_rows": 10_000})
    assert (everything.recall_estimate, everything.recall_estimate_interval) == (1, (1, 1))


def test_a_comparison_keeps_what_a_ledger_says() -> None:
    trace = sim.Trace(*np.random.default_rng(3).integers(0, 200, (2, 6_000)))
    arguments: dict[str, Any] = {"within": 500, "memory_rows": [200, 400], "policies": ["random", "lru"], "seeds": [1]}
    plain, told = sim.compare(trace, **arguments), sim.compare(trace, ledger=20_000, **arguments)
    added = ["recall_estimate", "recall_estimate_low", "recall_estimate_high", "unreliable"]
    for name in ("runs", "table"):
        before, after = getattr(plain, name), getattr(told, name)
        assert after.column_names == [*before.column_names, *added]
        assert after.drop_columns(added) == before
    for of in told.runs.to_pylist():
        alone = sim.run(trace, policy=of["policy"], memory_rows=of["memory_rows"], within=500, seed=1, ledger=20_000)
        assert alone.recall_estimate_interval == (of["recall_estimate_low"], of["recall_estimate_high"])
        assert (alone.recall_estimate, alone.unreliable) == (of["recall_estimate"], of["unreliable"])
    assert all(of["unreliable"] == 0 and of["recall_estimate"] > 0 for of in told.table.to_pylist())


def test_a_ledger_that_can_not_be_is_refused() -> None:
    trace = sim.Trace(np.arange(5), np.arange(5))
    with pytest.raises(shedjoin.ShedJoinError, match="ledger"):
        sim.run(trace, memory_rows=1, policy="random", ledger=100)
    with pytest.raises(shedjoin.ShedJoinError, match="ledger"):
        sim.run(trace, memory_rows=1, policy="random", ledger=10_000, order="evict_first")
