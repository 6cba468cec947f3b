"""`spark-submit --jars` into a cluster, with the flag alone and an application that knows nothing of shedjoin."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest
from two_streams import expected, sink, streams, write

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.mark.parametrize("flag", [True, False])
def test_an_unchanged_app_in_a_cluster(tmp_path: Path, flag: bool) -> None:
    sides = streams()
    write(sides, tmp_path)
    (jar,) = (ROOT / "python" / "shedjoin" / "jars").glob("*.jar")
    home = Path(pyspark.__file__).parent
    conf = {
        "spark.shedjoin.enabled": str(flag).lower(),
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.enabled": "false",
    }
    command = [str(home / "bin" / "spark-submit"), "--master", "local-cluster[2,1,1024]", "--jars", str(jar)]
    command += [part for key, value in conf.items() for part in ("--conf", f"{key}={value}")]
    environment = os.environ | {
        "SPARK_HOME": str(home),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(tmp_path / "work"),
    }
    done = subprocess.run(
        [*command, str(HERE / "plain_join_app.py"), str(tmp_path)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    report = json.loads((tmp_path / "report.json").read_text())
    assert ("ShedJoin" in report["plan"]) == flag
    assert ("StreamingSymmetricHashJoin" in report["plan"]) != flag
    assert report["executors"] == 2
    assert sink(tmp_path / "out") == expected(sides)
