"""Flink's interval join on the CSV files of the workload `files`, beside what shedjoin made of them just before.

Usage: flink_join.py FOLDER_OF_THE_BENCHMARK PAGE ROUNDS
"""

import datetime
import re
import shutil
import statistics
import sys
import time
from importlib.metadata import version
from pathlib import Path

from pyflink.table import EnvironmentSettings, TableEnvironment

JOIN = """
    FROM left_rows AS l JOIN right_rows AS r
    ON l.k = r.k AND r.t BETWEEN l.t - INTERVAL '10' MINUTE AND l.t + INTERVAL '10' MINUTE
"""


def main(bench: Path, page: Path, rounds: int) -> None:
    shed_rows_a_second, results = shedjoins(bench / "benchmarks.md")
    data = bench / "data" / "files"
    folder = bench / "flink"
    rows = sum(joined_end_to_end(data / side, folder / side) for side in ("left", "right"))
    seconds = []
    for number in range(1, rounds + 1):
        seconds.append(run(folder))
        speed = f"{rows / seconds[-1]:,.0f} rows/s"
        print(f"  round {number} of {rounds}  flink  {seconds[-1]:7.2f} s  {speed}", flush=True)
    found = count(folder)
    if found != results:
        sys.exit(f"Flink's join gave {found:,} rows, shedjoin's {results:,}")
    flink = rows / statistics.median(seconds)
    text = f"""<!-- Written by `make bench-flink`. -->
# Beside Flink's interval join

`make bench-flink`, {datetime.date.today()}: the workload `files` of [benchmarks.md](benchmarks.md), {rows:,} rows from
the same CSV files, two cores, {found:,} results in both. Flink {version("apache-flink")} by its SQL API, state on the
heap, parallelism 2, results thrown away, the whole job timed; it reads the files of a side joined end to end, for it
takes several in no order of time, and its watermarks allow the minute by which rows of a file are out of order. Flink
takes no checkpoints here; shedjoin commits each batch. {rounds} runs of each, shedjoin's before Flink's.

|  | rows/s, median | times Flink |
| --- | --- | --- |
| Flink | {flink:,.0f} | 1.00 |
| shedjoin | {shed_rows_a_second:,.0f} | {shed_rows_a_second / flink:.2f} |
"""
    page.write_text(text)
    print(f"\n{text}\nWritten to {page}")


def shedjoins(report: Path) -> tuple[float, int]:
    """What StreamBench wrote of shedjoin: rows a second, and how many results there were."""
    text = report.read_text()
    speed = re.search(r"^\| shedjoin \| ([\d,]+) ", text, re.MULTILINE)
    results = re.search(r"([\d,]+) results", text)
    if not speed or not results:
        sys.exit(f"{report} does not tell of the workload `files`: run `make bench-flink`")
    return number_of(speed), number_of(results)


def number_of(match: re.Match[str]) -> int:
    return int(match[1].replace(",", ""))


def joined_end_to_end(parts: Path, whole: Path) -> int:
    """Writes the files of a folder, in the order of their names, into one, and returns how many rows there are."""
    whole.parent.mkdir(parents=True, exist_ok=True)
    with whole.open("wb") as out:
        for part in sorted(parts.glob("[0-9]*.csv")):
            with part.open("rb") as rows:
                shutil.copyfileobj(rows, out)
    with whole.open("rb") as rows:
        return sum(1 for _ in rows)


def tables(folder: Path) -> TableEnvironment:
    env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    env.get_config().set("parallelism.default", "2")
    env.get_config().set("table.local-time-zone", "UTC")
    for side in ("left", "right"):
        env.execute_sql(f"""
            CREATE TABLE {side}_rows (
              k BIGINT, ms BIGINT, v BIGINT, t AS TO_TIMESTAMP_LTZ(ms, 3), WATERMARK FOR t AS t - INTERVAL '1' MINUTE
            ) WITH ('connector' = 'filesystem', 'path' = '{(folder / side).resolve()}', 'format' = 'csv')""")
    return env


def run(folder: Path) -> float:
    """Seconds that the whole join takes."""
    env = tables(folder)
    env.execute_sql("""
        CREATE TABLE nowhere (
          lk BIGINT, lt TIMESTAMP_LTZ(3), lv BIGINT, rk BIGINT, rt TIMESTAMP_LTZ(3), rv BIGINT
        ) WITH ('connector' = 'blackhole')""")
    times = "CAST({0}.t AS TIMESTAMP_LTZ(3))"
    before = time.monotonic()
    env.execute_sql(
        f"INSERT INTO nowhere SELECT l.k, {times.format('l')}, l.v, r.k, {times.format('r')}, r.v {JOIN}"
    ).wait()
    return time.monotonic() - before


def count(folder: Path) -> int:
    """How many results there are, not timed."""
    env = tables(folder)
    for key, value in {"enabled": "true", "allow-latency": "5 s", "size": "100000"}.items():
        env.get_config().set(f"table.exec.mini-batch.{key}", value)
    with env.execute_sql(f"SELECT COUNT(*) {JOIN}").collect() as counts:
        return max(int(row[0]) for row in counts)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
