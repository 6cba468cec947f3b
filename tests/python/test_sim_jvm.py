"""The JVM of the simulator: Ctrl-C, how it ends, and what is said without it."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shedjoin
from py4j.java_gateway import GatewayConnection
from shedjoin import sim
from shedjoin.sim import _jvm


@pytest.fixture(scope="module")
def long_trace() -> sim.Trace:
    return sim.Trace(*np.random.default_rng(1).integers(0, 5_000, (2, 1_000_000)))


@pytest.fixture(autouse=True)
def ctrl_c_raises() -> Iterator[None]:
    """As in a terminal: what is started in the background ignores SIGINT, and so would these tests."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


def minutes(trace: sim.Trace) -> None:
    """Runs for minutes."""
    sim.compare(trace, policies=["random"], memory_rows=[100_000], within=100_000, seeds=range(100))


@pytest.mark.parametrize("seconds", [0.5, 1])
def test_ctrl_c_ends_the_run_and_nothing_else(long_trace: sim.Trace, seconds: float) -> None:
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        minutes(long_trace)
    assert sim.run(sim.Trace([1], [1]), memory_rows=1, policy="lru").exact == 0
    assert _eventually(lambda: not any(name.startswith("shedjoin-sim") for name in _threads()))


@pytest.fixture
def ctrl_c_during(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], list[str]]]:
    """Sends SIGINT, once, when the JVM has got a command that begins so, and before py4j has its answer."""
    send = GatewayConnection.send_command
    # What earlier tests left is freed now, not at some moment of this one.
    gc.collect()
    gc.disable()

    def arm(beginning: str) -> list[str]:
        came: list[str] = []

        def sent(connection: GatewayConnection, command: str) -> Any:
            answer = send(connection, command)
            if not came and re.match(beginning, command):
                came.append(command)
                signal.raise_signal(signal.SIGINT)
            return answer

        monkeypatch.setattr(GatewayConnection, "send_command", sent)
        return came

    yield arm
    gc.enable()


FREES = "m\nd\n"


@pytest.mark.parametrize("beginning", [FREES, "c\n.*\nstart\n", "c\n.*\nhasEnded\n"])
def test_ctrl_c_is_not_lost_in_py4j(
    long_trace: sim.Trace, ctrl_c_during: Callable[[str], list[str]], beginning: str
) -> None:
    usual = signal.getsignal(signal.SIGINT)
    came = ctrl_c_during(beginning)
    with pytest.raises(KeyboardInterrupt):
        minutes(long_trace)
    assert came
    assert signal.getsignal(signal.SIGINT) is usual
    assert _eventually(lambda: not any(name.startswith("shedjoin-sim") for name in _threads()))


def test_ctrl_c_ends_a_cache(ctrl_c_during: Callable[[str], list[str]]) -> None:
    came = ctrl_c_during(FREES)
    with pytest.raises(KeyboardInterrupt):
        sim.cache([1, 2], rows=1, policy="lru")
    assert came


def test_a_users_own_ctrl_c_is_called_once_and_the_run_goes_on(ctrl_c_during: Callable[[str], list[str]]) -> None:
    called: list[int] = []

    def own(number: int, _: object) -> None:
        called.append(number)

    usual = signal.signal(signal.SIGINT, own)
    try:
        ctrl_c_during("c\n.*\nhasEnded\n")
        assert sim.run(sim.Trace([1, 2], [2, 1]), memory_rows=9, policy="lru").recall == 1
        assert called == [signal.SIGINT]
        assert signal.getsignal(signal.SIGINT) is own
    finally:
        signal.signal(signal.SIGINT, usual)


def test_a_run_in_another_thread_leaves_ctrl_c_alone() -> None:
    with ThreadPoolExecutor() as pool:
        assert pool.submit(sim.run, sim.Trace([1], [1]), memory_rows=1, policy="lru").result().exact == 0


def _threads() -> list[str]:
    return [thread.getName() for thread in _jvm._gateway().jvm.java.lang.Thread.getAllStackTraces().keySet()]


def _eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 10
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.1)
    return holds()


def test_the_jvm_ends_with_python_even_when_that_is_killed(
    program: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    told = program(
        "import os, signal\n"
        "from shedjoin import sim\n"
        "from shedjoin.sim import _jvm\n"
        "sim.Trace([1], [1])\n"
        "print(_jvm._gateway().jvm.java.lang.ProcessHandle.current().pid(), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert told.returncode == -signal.SIGKILL
    assert _eventually(lambda: not Path(f"/proc/{int(told.stdout)}").exists())


def test_a_trace_of_a_jvm_that_has_ended_is_refused() -> None:
    trace = sim.Trace([1], [1])
    os.kill(_jvm._gateway().jvm.java.lang.ProcessHandle.current().pid(), signal.SIGKILL)
    for _ in range(2):
        with pytest.raises(shedjoin.ShedJoinError, match="SHEDJOIN_SIM_JVM_GONE"):
            sim.run(trace, memory_rows=1, policy="lru")
    assert sim.run(sim.Trace([1], [1]), memory_rows=1, policy="lru").shed == 1


def test_no_java_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    with pytest.raises(shedjoin.ShedJoinError, match="There is no java in JAVA_HOME, which is /nowhere"):
        _jvm._java()
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(shedjoin.ShedJoinError, match="There is no java on the PATH"):
        _jvm._java()
