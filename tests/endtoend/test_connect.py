"""A client of Spark Connect, whose server has the jar: joins are taken, and what needs Spark's JVM says so."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyspark
import pytest
from two_streams import expected, sink, streams, write

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
STARTING_SECONDS = 120


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a Connect server with shedjoin's jar."""
    (jar,) = (ROOT / "python" / "shedjoin" / "jars").glob("*.jar")
    home = Path(pyspark.__file__).parent
    port = free_port()
    conf = {
        "spark.connect.grpc.binding.port": str(port),
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.enabled": "false",
    }
    command = [str(home / "bin" / "spark-submit"), "--master", "local[2]", "--jars", str(jar)]
    command += [part for key, value in conf.items() for part in ("--conf", f"{key}={value}")]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
    environment = os.environ | {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    with (tmp_path / "server.log").open("w") as log:
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + STARTING_SECONDS
        while not answers(port):
            is_starting = process.poll() is None and time.monotonic() < deadline
            assert is_starting, (tmp_path / "server.log").read_text()[-4000:]
            time.sleep(0.2)
        yield f"sc://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def test_a_client_of_a_server_with_the_jar(server: str, tmp_path: Path) -> None:
    sides = streams()
    write(sides, tmp_path)
    done = subprocess.run(
        [sys.executable, str(HERE / "connect_app.py"), server, str(tmp_path)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "python")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert sink(tmp_path / "out") == expected(sides)
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["operators"] == ["shedJoin"]
    assert report["configure"] == (
        "[SHEDJOIN_NEEDS_JVM] shedjoin.configure needs Spark's JVM, which Spark Connect does not give. "
        "Start the Connect server with --jars and shedjoin's jar."
    )
    assert report["state"].startswith("[SHEDJOIN_NEEDS_JVM] shedjoin.state needs Spark's JVM")
    assert "[SHEDJOIN_INVALID_OPTION] The argument memory of shedjoin.join is 'lots'" in report["option"]
