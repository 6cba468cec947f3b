"""Ctrl-C ends every call of the Python API, and every command, within a second, and leaves nothing behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

PYTHON = Path(__file__).parents[2] / "python"
SECONDS = 1.0
"""What is promised, where the machine has a core to spare for it."""
MOMENTS = 3
MOST_SECONDS = 300
SEEDS = range(int(os.environ.get("SHEDJOIN_CTRL_C_SEEDS", "1")))

LOOP = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
{preparation}
for moment in range({moments}):
    try:
        print("go", flush=True)
        while True:
            {call}
    except KeyboardInterrupt:
        print("ended", flush=True)
print("go", flush=True)
while True:
    {call}
"""
SIM = """
import numpy as np
from shedjoin import sim
def keys(rows, of):
    return np.random.default_rng(1).integers(0, of, (2, rows))
def unsorted(rows):
    return {"time": np.random.default_rng(2).permutation(rows), "key": np.zeros(rows, np.int64)}
"""
SIM_CALLS = {
    "Trace": ("rows = unsorted(3_000_000)", "sim.Trace(rows, rows)"),
    "run": ("trace = sim.Trace(*keys(1_000_000, 5_000))", "sim.run(trace, memory_rows=9_999, policy='prob')"),
    "compare": ("trace = sim.Trace(*keys(1_000_000, 5_000))", "sim.compare(trace, within=500_000)"),
    "optimum": ("trace = sim.Trace(*keys(20_000, 500))", "sim.optimum(trace, memory_rows=500)"),
    "flowexpect": (
        "trace = sim.generate.walk()",
        "sim.optimum(trace, memory_rows=10, method='flowexpect', lookahead=20)",
    ),
    "cache": ("asked = keys(5_000_000, 99_999)[0]", "sim.cache(asked, rows=9_999)"),
    "generate": ("", "sim.generate.walk(steps=3_000_000)"),
    "policies": ("", "sim.policies()"),
}
SPARK = """
import shedjoin
from pyspark.sql import SparkSession, functions as F
from shedjoin import _session
builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
builder = builder.config("spark.log.level", "OFF").config("spark.sql.shuffle.partitions", "2")
spark = shedjoin.configure(builder).getOrCreate()
def side(name):
    rows = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 10).load()
    return rows.select(F.col("value").alias("k"), F.col("timestamp").alias(name)).withWatermark(name, "1 second")
left, right = side("l"), side("r")
joined = shedjoin.join(left, right, on="k", within="1 hour")
query = joined.writeStream.format("noop").option("checkpointLocation", "checkpoint").trigger(availableNow=True).start()
query.awaitTermination()
kept = []
"""
SPARK_CALLS = (
    "shedjoin.configure(SparkSession.builder)",
    "shedjoin.check(spark)",
    # Kept, as what is raised where user code lets go of an object of the JVM is lost, with Spark's own as with ours.
    "kept.append(shedjoin.join(left, right, on='k', within='1 hour'))",
    "kept.append(shedjoin.state(spark, 'checkpoint'))",
)


class Pressed:
    """A process to which Ctrl-C is sent, as a terminal does."""

    def __init__(self, command: list[str], folder: Path) -> None:
        env = {**os.environ, "PYTHONPATH": str(PYTHON), "TMPDIR": str(folder), "JAVA_TOOL_OPTIONS": ""}
        for key in ("PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET"):
            env.pop(key, None)
        env["_JAVA_OPTIONS"] = f"-Djava.io.tmpdir={folder} -XX:-UsePerfData"
        self._errors = (folder / "errors").open("w+")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self._errors, text=True, env=env, cwd=folder
        )
        # What hangs says nothing, and so is found out.
        self.watchdog = threading.Timer(MOST_SECONDS, self.process.kill)
        self.watchdog.start()

    def press(self, until: str | None = None) -> float:
        """Sends it; the seconds until the process says this, or ends."""
        self.process.send_signal(signal.SIGINT)
        before = time.monotonic()
        if until is None:
            self.process.wait()
        else:
            assert self.line() == until, self.errors()
        return time.monotonic() - before

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def errors(self) -> str:
        self._errors.seek(0)
        return self._errors.read()[-4000:]

    def children(self) -> list[int]:
        """Those of its process that live, and theirs."""
        parents = {int(stat.parent.name): _parent(stat) for stat in Path("/proc").glob("[0-9]*/stat")}
        found = [self.process.pid]
        for pid in found:
            found += [child for child, parent in parents.items() if parent == pid]
        return found[1:]


def _parent(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


@pytest.fixture
def pressed(tmp_path: Path) -> Iterator[Callable[..., Pressed]]:
    started: list[Pressed] = []

    def start(*arguments: str) -> Pressed:
        started.append(Pressed([sys.executable, *arguments], tmp_path))
        return started[-1]

    yield start
    for one in started:
        one.watchdog.cancel()
        one.process.kill()
        one.process.wait()


def patience() -> float:
    """A loaded machine may take a small multiple of a second."""
    waiting = os.getloadavg()[0] / (os.cpu_count() or 1)
    return SECONDS * min(4.0, max(1.0, waiting))


def in_a_loop(pressed: Callable[..., Pressed], program: str, seed: int) -> None:
    moments = random.Random(seed)
    one = pressed("-c", program)
    for _ in range(MOMENTS):
        assert one.line() == "go", one.errors()
        time.sleep(moments.uniform(0.05, 1.5))
        assert one.press(until="ended") <= patience(), f"seed {seed}: {one.errors()}"
    assert one.line() == "go", one.errors()
    time.sleep(moments.uniform(0.05, 1.5))
    children = one.children()
    assert one.press() <= patience(), f"seed {seed}: {one.errors()}"
    ended(children)
    assert one.errors().rstrip().endswith("KeyboardInterrupt"), one.errors()


def ended(children: list[int]) -> None:
    """A JVM may take some time to clear up."""
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith("shedjoin-")]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SIM_CALLS)
def test_a_call_of_the_simulator(pressed: Callable[..., Pressed], tmp_path: Path, name: str, seed: int) -> None:
    preparation, call = SIM_CALLS[name]
    in_a_loop(pressed, LOOP.format(preparation=SIM + preparation, call=call, moments=MOMENTS), seed)
    assert leftovers(tmp_path) == []


def test_a_call_beside_spark_that_does_not_end(pressed: Callable[..., Pressed]) -> None:
    preparation = "import time; from shedjoin._interruptible import ends_first"
    in_a_loop(pressed, LOOP.format(preparation=preparation, call="ends_first(time.sleep)(60)", moments=MOMENTS), seed=1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_call_beside_spark(pressed: Callable[..., Pressed], seed: int) -> None:
    calls = "\n            ".join(SPARK_CALLS)
    loop = LOOP.format(preparation=SPARK, call="calls()", moments=MOMENTS)
    in_a_loop(pressed, loop.replace("for moment", f"def calls():\n            {calls}\nfor moment"), seed)


@pytest.fixture
def parquet(tmp_path: Path) -> list[str]:
    """The options of `simulate` and `compare` for a stream in a file."""
    keys = np.random.default_rng(1).integers(0, 5_000, 2_000_000)
    pq.write_table(pa.table({"t": np.arange(keys.size), "k": keys}), tmp_path / "rows.parquet")
    return ["--left", "rows.parquet", "--right", "rows.parquet", "--time", "t", "--key", "k"]


COMMAND = """
import signal, sys
from shedjoin.__main__ import main
signal.signal(signal.SIGINT, signal.default_int_handler)
print("go", flush=True)
sys.exit(main(sys.argv[1:]))
"""
COMMANDS = {"doctor": 5.0, "demo": 12.0, "experiments --only paper3 --out figures": 6.0, "compare": 4.0}
"""What is done in so many seconds differs."""


@pytest.mark.parametrize("part", range(3))
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command(
    pressed: Callable[..., Pressed], parquet: list[str], tmp_path: Path, command: str, seed: int, part: int
) -> None:
    """At a moment in each third of its time."""
    moment = COMMANDS[command] / 3 * (part + random.Random(seed).random())
    one = pressed("-c", COMMAND, *command.split(), *(parquet if command == "compare" else []))
    assert one.line() == "go", one.errors()
    time.sleep(moment)
    children = one.children()
    took = one.press()
    assert took <= patience(), f"{took:.1f} s, pressed after {moment:.2f} s: {one.errors()}"
    assert one.process.returncode == 1, one.errors()
    assert "stopped" in one.errors().splitlines(), one.errors()
    assert "Traceback" not in one.errors(), one.errors()
    ended(children)
    assert leftovers(tmp_path) == []
