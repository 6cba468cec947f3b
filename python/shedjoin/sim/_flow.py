"""Flows of greatest gain, by HiGHS: the linear program of a network has whole numbers for its best corner."""

from __future__ import annotations

import atexit
import sys
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from shedjoin._errors import ShedJoinError
from shedjoin._interruptible import go_on, pause
from shedjoin._terminal import Line

_QUIET_SECONDS = 2
_WAIT_SECONDS = 0.05
_ENDING_SECONDS = 0.5

Numbers = npt.NDArray[np.int64]


def best(nodes: int, tails: Numbers, heads: Numbers, gains: Numbers, rooms: Numbers, units: int, sink: int) -> Numbers:
    """How much flows through each arc when `units` go from node 0 to `sink` and gain most; shows that it takes long."""
    highspy = _highspy()
    if len(tails) == 0 or units == 0:
        return np.zeros(len(tails), np.int64)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    # The simplex method ends in a corner.
    solver.setOptionValue("solver", "simplex")
    solver.passModel(_program(highspy, nodes, tails, heads, gains, rooms, units, sink))
    _solve(solver, len(tails))
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        status = solver.modelStatusToString(solver.getModelStatus())
        raise ShedJoinError("SHEDJOIN_SIM_FAILED", f"HiGHS did not find the optimum of {len(tails):,} arcs: {status}.")
    flows: npt.NDArray[np.float64] = np.asarray(solver.getSolution().col_value)
    whole: Numbers = np.rint(flows).astype(np.int64)
    assert np.allclose(flows, whole, atol=1e-6), "a corner of a network's program that is not whole"
    return whole


def _highspy() -> Any:
    try:
        import highspy
    except ImportError as missing:
        text = 'shedjoin.sim.optimum needs highspy. Run: pip install "shedjoin[sim]"'
        raise ShedJoinError("SHEDJOIN_SIM_NEEDS", text) from missing
    return highspy


def _program(
    highspy: Any, nodes: int, tails: Numbers, heads: Numbers, gains: Numbers, rooms: Numbers, units: int, sink: int
) -> Any:
    """What leaves a node is what comes to it, but for the source and the sink."""
    program = highspy.HighsLp()
    arcs = len(tails)
    program.num_col_, program.num_row_ = arcs, nodes
    program.col_cost_ = -gains.astype(float)
    program.col_lower_ = np.zeros(arcs)
    program.col_upper_ = rooms.astype(float)
    left = np.zeros(nodes)
    left[0] += units
    left[sink] -= units
    program.row_lower_ = program.row_upper_ = left
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = 2 * np.arange(arcs + 1, dtype=np.int32)
    program.a_matrix_.index_ = np.stack([tails, heads], 1).ravel().astype(np.int32)
    program.a_matrix_.value_ = np.tile([1.0, -1.0], arcs)
    return program


def _solve(solver: Any, arcs: int) -> None:
    """Solves in another thread, so that Ctrl-C ends it."""
    solver.HandleUserInterrupt = True
    line = Line(sys.stderr, seconds_a_line=10)
    started = time.monotonic()
    # HiGHS solves one program at a time in a process, and one that was given up takes its time to end.
    while solver.is_solver_running():
        pause(_WAIT_SECONDS)
    solver.startSolve()
    atexit.register(_let_end, solver)
    try:
        while not solver.wait(_WAIT_SECONDS)[0]:
            go_on()
            seconds = time.monotonic() - started
            if seconds >= _QUIET_SECONDS:
                line.show(f"shedjoin.sim: the optimum, a flow over {arcs:,} arcs, {seconds:,.0f} s so far")
    except BaseException:
        solver.cancelSolve()
        raise
    else:
        atexit.unregister(_let_end)
    finally:
        line.clear()


def _let_end(solver: Any) -> None:
    """A process that ends while HiGHS solves is aborted."""
    solver.cancelSolve()
    solver.wait(_ENDING_SECONDS)
