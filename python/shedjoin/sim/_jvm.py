"""The one place that talks to the simulator's JVM: it starts with the first call and ends with Python."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from subprocess import Popen, TimeoutExpired
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyspark
from py4j.java_gateway import GatewayClient, GatewayParameters, JavaGateway, launch_gateway
from py4j.protocol import Py4JError, Py4JJavaError

from shedjoin import _jar
from shedjoin._errors import ShedJoinError
from shedjoin._interruptible import go_on, interruptible, pause
from shedjoin.sim._progress import Progress

HEAP = "SHEDJOIN_SIM_HEAP"
_OPTIONS = ["--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true"]
# Of Spark's jars, what Arrow and we need: with all of them the start takes a second more.
_JARS = ("arrow-", "flatbuffers-", "jackson-", "netty-buffer-", "netty-common-", "scala-library-", "slf4j-api-")
_ROWS_A_BATCH = 1 << 20
_WAIT_SECONDS = 0.2

Handle = Any
"""An object of the JVM."""


class Outcome(NamedTuple):
    """What runs came to: a row a run; the timelines of all runs below each other; what became of the rows."""

    results: pa.Table
    timelines: pa.Table
    fates: list[pa.Table]


class Network(NamedTuple):
    """A flow graph, whose source is node 0."""

    nodes: int
    sink: int
    units: int
    arcs: pa.Table


class Generated(NamedTuple):
    """A trace that the JVM made, and the settings of the policies that know how."""

    trace: Handle
    stepwise: bool
    models: dict[str, dict[str, str]]


@interruptible
def load(left: pa.Table, right: pa.Table, stepwise: bool) -> Handle:
    """Takes a trace to the JVM."""
    with _folder() as folder, _told():
        paths = [str(folder / name) for name in ("left", "right")]
        for path, table in zip(paths, (left, right), strict=True):
            with pa.ipc.new_stream(path, table.schema) as writer:
                writer.write_table(table, max_chunksize=_ROWS_A_BATCH)
        return _entry().trace(*paths, stepwise)


@interruptible
def sides(trace: Handle) -> tuple[pa.Table, pa.Table]:
    """The rows of a trace."""
    left, right = (_table(partial(_entry().writeSide, trace, i)) for i in range(2))
    return left, right


@interruptible
def settings(texts: Mapping[str, str], parameters: Mapping[str, str]) -> Handle:
    """The settings of a run, checked."""
    with _told():
        return _entry().settings(dict(texts), dict(parameters))


@interruptible
def exact_rows(trace: Handle, run_settings: Handle) -> int:
    """How many rows an exact join stores at most."""
    with _told():
        return int(_entry().exactRows(_living(trace), run_settings))


@interruptible
def policies() -> list[list[str]]:
    """A policy and one of its parameters a row, as `SimEntry.policies` says."""
    with _told():
        return [line.split("\t") for line in _entry().policies().split("\n")]


@interruptible
def generated(name: str, *arguments: object) -> Generated:
    """A made-up trace."""
    with _told():
        made = getattr(_package().Generators, name)(*arguments)
        trace = made.trace()
        models = {policy: dict(made.model(policy)) for policy in made.modelled()}
        return Generated(trace, bool(trace.isStepwise()), models)


@interruptible
def split(alloc: bool, curves: Sequence[Handle], rows: int) -> list[int]:
    """The rows of each join, by ALLOC or else by PROP; each has a curve of `recall_curve` or `age_curve`."""
    with _told():
        return [int(given) for given in _package().Splits.split(alloc, list(curves), rows)]


@interruptible
def recall_curve(stored: Sequence[float], partners: Sequence[float]) -> Handle:
    """The recall of PROB by rows: by how many rows of each value the window holds, and how often its partners come."""
    with _told():
        return _package().Splits.ofFrequencies([float(n) for n in stored], [float(n) for n in partners])


@interruptible
def age_curve(parts: Sequence[float], window: int, rows_a_tick: float) -> Handle:
    """The recall of AGE by rows: how many partners come in each of equal parts of the window."""
    with _told():
        return _package().Splits.ofAge([float(part) for part in parts], window, float(rows_a_tick))


@interruptible
def benefits_of_walk(drift: int, alpha: float, low: int, high: int) -> list[float]:
    """HEEB's worths of rows from `low` to `high` above the latest value of a random walk."""
    with _told():
        return list(_package().Benefits.walk(drift, float(alpha), low, high))


@interruptible
def run(runs: Sequence[tuple[Handle, Handle]], notes_rows: bool) -> Outcome:
    """Runs traces with settings; shows how far it is when that takes long, and ends what runs on Ctrl-C."""
    with _told():
        job = _entry().start([_package().SimRun(_living(trace), how, notes_rows) for trace, how in runs])
        try:
            with Progress(int(job.rowsInAll())) as progress:
                wait = 0.001
                while not job.hasEnded(0):
                    pause(wait)
                    wait = min(2 * wait, _WAIT_SECONDS)
                    progress.show(int(job.rowsDone()))
        except BaseException:
            with suppress(Exception):
                job.cancel()
            raise
        fates = [_table(partial(job.writeFates, i)) for i in range(2)] if notes_rows else []
        return Outcome(_table(job.writeResults), _table(job.writeTimelines), fates)


@interruptible
def optimum(trace: Handle, run_settings: Handle, flow: Callable[[Network], npt.NDArray[np.int64]]) -> Handle:
    """The settings of the best run, by what `flow` says: the amounts that go through the arcs of a network."""
    with _told():
        entry = _package().OptimumEntry
        graph = entry.graph(_living(trace), run_settings)
        flows = []
        for number in range(int(entry.graphs(graph))):
            arcs = _table(partial(entry.writeArcs, graph, number))
            nodes, sink, units = (int(of(graph, number)) for of in (entry.nodes, entry.sink, entry.room))
            flows.append(flow(Network(nodes, sink, units, arcs)))
        with _sent(pa.table({"flow": np.concatenate(flows)})) as path:
            return entry.planned(graph, path)


@interruptible
def flow_expect(run_settings: Handle, model: Mapping[str, str], lookahead: int) -> Handle:
    """The settings of a run of FLOWEXPECT."""
    with _told():
        return _package().OptimumEntry.flowExpect(run_settings, dict(model), lookahead)


@interruptible
def cache(references: pa.Table, rows: int, policy: str, parameters: Mapping[str, str], seed: int) -> pa.Table:
    """Whether each reference is a hit; shows how far it is when that takes long."""
    with _told(), _sent(references) as path:
        entry = _package().CacheEntry
        run = entry.run(path, rows, policy, dict(parameters), seed)
        with Progress(references.num_rows) as progress:
            while run.referencesDone() < references.num_rows:
                go_on()
                run.run(int(1000 * _WAIT_SECONDS))
                progress.show(int(run.referencesDone()))
        return _table(partial(entry.writeHits, run))


@contextmanager
def _sent(table: pa.Table) -> Iterator[str]:
    """A file that the JVM can read, with a table."""
    with _folder() as folder:
        path = str(folder / "sent")
        with pa.ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=_ROWS_A_BATCH)
        yield path


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="shedjoin-sim-") as folder:
        yield Path(folder)


def _table(write: Callable[[str], None]) -> pa.Table:
    """What the JVM writes."""
    with _folder() as folder, _told():
        path = str(folder / "table")
        write(path)
        with pa.OSFile(path) as file, pa.ipc.open_stream(file) as reader:
            return reader.read_all()


@contextmanager
def _told() -> Iterator[None]:
    """Makes errors of the JVM ours."""
    try:
        yield
    except Py4JJavaError as failed:
        raise _ours(failed.java_exception) from failed
    except Py4JError as failed:
        # py4j says many things about a JVM that has ended.
        if _running is not None and _running.ends_soon():
            _running.leave()
            raise _gone() from failed
        raise


def _gone() -> ShedJoinError:
    text = "The JVM that had this trace has ended. Make the trace again; the next call starts another JVM."
    return ShedJoinError("SHEDJOIN_SIM_JVM_GONE", text)


def _living(trace: Handle) -> Handle:
    """A trace of the JVM that runs: in another one its handle would mean something else."""
    if trace._gateway_client is not _gateway()._gateway_client:
        raise _gone()
    return trace


def _ours(thrown: Handle) -> ShedJoinError:
    kind, text = thrown.getClass().getName(), str(thrown.getMessage())
    if text.startswith("[SHEDJOIN_"):
        error_id, _, told = text[1:].partition("] ")
        return ShedJoinError(error_id, told)
    if kind == "java.lang.OutOfMemoryError":
        return ShedJoinError(
            "SHEDJOIN_SIM_OUT_OF_MEMORY",
            f"The simulator's JVM has too little memory ({text}). Set the environment variable {HEAP} to more, such as "
            "8g, before the first call.",
        )
    return ShedJoinError("SHEDJOIN_SIM_FAILED", f"{kind}: {text}")


class _Client(GatewayClient):  # type: ignore[misc]  # py4j has no types
    """Frees objects of the JVM in a thread of its own, as py4j loses what Ctrl-C raises where it frees one."""

    def __init__(self, parameters: GatewayParameters) -> None:
        super().__init__(gateway_parameters=parameters)
        self._freed: SimpleQueue[str | None] = SimpleQueue()
        threading.Thread(target=self._free, name="shedjoin frees", daemon=True).start()

    def garbage_collect_object(self, target_id: str) -> None:
        self._freed.put(target_id)

    def leave(self) -> None:
        """To be called where the JVM is gone: tells it nothing more."""
        self.is_connected = False
        self._freed.put(None)

    def _free(self) -> None:
        for target_id in iter(self._freed.get, None):
            super().garbage_collect_object(target_id)


class _Jvm(NamedTuple):
    """A JVM, and the process that started it."""

    gateway: JavaGateway
    process: Popen[bytes]
    starter: int

    def is_ours(self) -> bool:
        """Whether it runs, and was started by this process, not by one that this one was forked from."""
        return self.starter == os.getpid() and self.process.poll() is None

    def ends_soon(self) -> bool:
        try:
            self.process.wait(1)
        except TimeoutExpired:
            return False
        return True

    def leave(self) -> None:
        """Keeps py4j from telling a JVM that is not there which of its objects are needed no longer."""
        self.gateway._gateway_client.leave()


_running: _Jvm | None = None
_starting = threading.Lock()


def _gateway() -> JavaGateway:
    """The way to the JVM, which starts where none runs."""
    global _running
    with _starting:
        if _running is not None and not _running.is_ours():
            _running.leave()
            _running = None
        if _running is None:
            _running = _started()
        return _running.gateway


def _package() -> Any:
    return _gateway().jvm.shedjoin.sim.serve


def _entry() -> Any:
    return _package().SimEntry


def _started() -> _Jvm:
    """Starts a JVM that ends when its stdin does, so whichever way this process ends."""
    jars = _spark_jars()
    needed = [jar for jar in sorted(jars.iterdir()) if jar.name.startswith(_JARS)]
    heap = os.environ.get(HEAP)
    with tempfile.TemporaryFile("w+") as said:
        try:
            port, token, process = launch_gateway(
                jarpath=str(next(jars.glob("py4j-*.jar"))),
                classpath=os.pathsep.join(map(str, [_jar.find().path, *needed])),
                javaopts=[*_OPTIONS, *([f"-Xmx{heap}"] if heap else [])],
                die_on_exit=True,
                redirect_stderr=said,
                java_path=_java(),
                create_new_process_group=True,
                enable_auth=True,
                return_proc=True,
            )
            parameters = GatewayParameters(port=port, auth_token=token, auto_convert=True)
            gateway = JavaGateway(gateway_client=_Client(parameters), gateway_parameters=parameters)
            gateway.jvm.shedjoin.sim.serve.SimEntry.isThere()
        except Exception as failed:
            said.seek(0)
            raise ShedJoinError(
                "SHEDJOIN_SIM_NO_JVM",
                f"The simulator's JVM did not start: {said.read().strip() or failed}. It needs Java 17 or later; "
                "see java -version.",
            ) from failed
    return _Jvm(gateway, process, os.getpid())


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(os.path.join(home, "bin", "java") if home else "java")
    if java is None:
        where = f"in JAVA_HOME, which is {home}," if home else "on the PATH"
        raise ShedJoinError(
            "SHEDJOIN_SIM_NO_JVM", f"There is no java {where} for the simulator. Install Java 17 or later there."
        )
    return java


def _spark_jars() -> Path:
    jars = Path(pyspark.__file__).parent / "jars"
    if not any(jars.glob("py4j-*.jar")):
        raise ShedJoinError(
            "SHEDJOIN_SIM_NO_JVM", f"pyspark has no jars in {jars}. Run: pip install --force-reinstall pyspark"
        )
    return jars
