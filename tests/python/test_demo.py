"""The demo: its figures and what it says of them, and small runs of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from shedjoin import ShedJoinError, _terminal, demo
from shedjoin.demo import _input, _report, _run

Program = Callable[..., subprocess.CompletedProcess[str]]

QUICK = """
import sys
from shedjoin.__main__ import main
from shedjoin.demo import _input
{change}
sys.exit(main(["demo", "--quick"]))
"""
# Spark's join runs first in each round, of warm-up and data.
ONE_ROW_LESS = """
honest, asked = _input.joined, []
def joined(spark, folder):
    asked.append(folder)
    rows = honest(spark, folder)
    return rows.where("auction <> 5") if len(asked) % 2 == 0 else rows
_input.joined = joined
"""


def batch(rows: int, seconds: float, state: int, joined: int = 1, operator: str = _run.OPERATOR) -> _run.Batch:
    return _run.Batch(rows, seconds, joined, (joined, 7, 7), operator, state, state * 2**20)


def runs(*shed: _run.Batch) -> list[_run.Run]:
    spark = [batch(10, 0.4, 9, operator="symmetricHashJoin"), batch(20, 0.2, 5, operator="symmetricHashJoin")]
    return [_run.Run("Spark", 3.0, spark), _run.Run("shedjoin", 1.0, shed or [batch(10, 0.1, 2), batch(20, 0.1, 3)])]


def test_a_run_adds_rows_up_and_takes_the_most_of_the_state() -> None:
    run = _run.Run("shedjoin", 2.0, [batch(10, 9.0, 5), batch(20, 0.1, 9), batch(30, 0.3, 8), batch(0, 0.7, 7)])
    assert (run.rows_in, run.rows_joined, run.rows_a_second) == (60, 4, 30.0)
    assert (run.batch_p50, run.state_rows, run.state_bytes) == (0.3, 9, 9 * 2**20)


def test_the_table_has_a_line_a_run() -> None:
    lines = _report.table(runs()).splitlines()
    assert lines[1].split() == ["Spark", "30", "2", "10", "1.0", "300", "ms", "9", "9", "MiB"]
    assert lines[2].split() == ["shedjoin", "30", "2", "yes", "30", "3.0", "100", "ms", "3", "3", "MiB"]
    assert len({len(line) for line in lines}) == 1


def test_equal_runs_of_the_two_joins_are_no_problem() -> None:
    assert _report.problem(runs()) is None


def test_rows_that_come_in_another_batch_are_not_the_same() -> None:
    other = runs(batch(10, 0.1, 2, joined=2), batch(20, 0.1, 3, joined=0))
    assert "NO" in _report.table(other)
    assert "NOT the same: 2 by Spark, 2 by shedjoin" in str(_report.problem(other))


def test_two_runs_of_one_join_are_a_problem() -> None:
    spark = runs()[0]
    assert "not Spark's join and shedjoin's" in str(_report.problem([spark, spark]))


def test_progress_is_one_line_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    line = _terminal.Line()
    for text in ("one", "two" * 20):
        line.show(text)
    line.end("done")
    assert capsys.readouterr().out == f"\r\x1b[Kone\r\x1b[K{('two' * 20)[:19]}\r\x1b[Kdone\n"


def test_progress_elsewhere_is_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    line = _terminal.Line()
    for text in ("one", "two"):
        line.show(text)
    line.end("done")
    assert capsys.readouterr().out == "one\ndone\n"


def test_a_full_disk_is_told_before_the_runs(tmp_path: Path) -> None:
    huge = _input.Size(batches=1, warm_up=1, auctions=1, bids=1, disk_mib=2**40)
    with pytest.raises(ShedJoinError, match=r"SHEDJOIN_DEMO_CAN_NOT_RUN.*set TMPDIR"):
        demo.check_disk(tmp_path, huge)


@pytest.mark.usefixtures("spark")
def test_a_session_that_runs_already_is_refused() -> None:
    assert SparkSession.getActiveSession() is not None
    with pytest.raises(ShedJoinError, match=r"SHEDJOIN_DEMO_CAN_NOT_RUN.*A Spark session runs already"):
        demo.main(["--quick"])


def test_a_picture_that_can_not_be_written_is_refused_before_the_runs(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for file in (tmp_path / "nowhere" / "demo.png", tmp_path / "demo.doc"):
        with pytest.raises(ShedJoinError, match=r"SHEDJOIN_DEMO_CAN_NOT_RUN.*allowed is"):
            demo.main(["--quick", "--plot", str(file)])


def test_the_runs_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from shedjoin.demo import _plot

    _plot.draw(runs(), tmp_path / "demo.png")
    assert (tmp_path / "demo.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_without_matplotlib_says_what_to_install(program: Program) -> None:
    ran = program(
        "import sys; sys.modules['matplotlib'] = None; from shedjoin.__main__ import main\n"
        "sys.exit(main(['demo', '--plot', 'demo.png']))"
    )
    assert ran.returncode == 1
    assert "--plot needs matplotlib. Run: pip install" in ran.stderr


def test_both_joins_give_the_same_rows(program: Program) -> None:
    ran = program(QUICK.format(change=""))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    spark, shed = (line.split() for line in ran.stdout.splitlines()[-3:-1])
    assert (spark[0], shed[0], shed[3]) == ("Spark", "shedjoin", "yes")
    assert spark[1:3] == shed[1:3]


def test_rows_that_differ_fail_the_command(program: Program) -> None:
    ran = program(QUICK.format(change=ONE_ROW_LESS))
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "The rows are NOT the same" in ran.stdout
