"""`spark-submit --jars` into a cluster, with the flag alone and an application that knows nothing of shedjoin."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pyspark
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FILES = 6
SEED = 5
ORIGIN = datetime(2026, 1, 1, tzinfo=timezone.utc)

Row = tuple[int, int, int]  # key, event time in seconds, id


def streams() -> dict[str, list[list[Row]]]:
    """Both sides, file by file; the last file ends every window."""
    random_ = random.Random(SEED)
    sides = {}
    for side in ("left", "right"):
        files = [
            [(random_.randrange(15), 10 * f + random_.randrange(10), 100 * f + n) for n in range(12)]
            for f in range(FILES - 1)
        ]
        sides[side] = [*files, [(-len(side), 1_000_000, 0)]]
    return sides


def write(sides: dict[str, list[list[Row]]], folder: Path) -> None:
    for side, files in sides.items():
        (folder / side).mkdir()
        for place, rows in enumerate(files):
            file = folder / side / f"{place}.json"
            lines = [
                json.dumps({"k": k, "at": (ORIGIN + timedelta(seconds=s)).isoformat(), "id": i}) for k, s, i in rows
            ]
            file.write_text("\n".join(lines))
            os.utime(file, (1_700_000_000 + place,) * 2)


def expected(sides: dict[str, list[list[Row]]]) -> Counter[tuple[int, int, int | None]]:
    """The left outer join, by hand, but for the last rows, whose windows never end."""
    left, right = ([row for file in sides[side][:-1] for row in file] for side in ("left", "right"))
    rows: Counter[tuple[int, int, int | None]] = Counter()
    for k, s, i in left:
        partners: list[int | None] = [ri for rk, rs, ri in right if rk == k and s - 15 <= rs <= s + 20]
        rows.update((k, i, partner) for partner in partners or [None])
    return rows


def sink(folder: Path) -> Counter[tuple[int, int, int | None]]:
    lines = [line for file in folder.glob("part-*.json") for line in file.read_text().splitlines()]
    rows = [json.loads(line) for line in lines]
    return Counter((row["lk"], row["lid"], row.get("rid")) for row in rows)


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
