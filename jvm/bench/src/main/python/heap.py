"""Which part of a JVM's heap `memory` may be, for rows with a text of 200 bytes: `heap.py 200 600m 1g 4g`.

Joins fill until they are full. One that ends with [SHEDJOIN_OUT_OF_MEMORY], twice as it is started again, was safe; one
that ends with Java's OutOfMemoryError, or that is still at it after MOST_SECONDS, was not. Bisects the share between.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time

STEPS = 5
MOST_SECONDS = 400
MIB = 1 << 20


def fill(heap: str, memory_mib: int, row_bytes: int) -> None:
    """Runs in a process of its own; says how the join ended."""
    import shedjoin
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql import functions as F

    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", heap)
    builder = builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")
    spark = shedjoin.configure(builder.config("spark.log.level", "OFF")).getOrCreate()

    def side(name: str) -> DataFrame:
        rows = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", memory_mib * MIB // row_bytes // 40)
        columns = [F.col("value").alias(f"{name}k"), F.col("timestamp").alias(f"{name}t")]
        text = F.lpad(F.col("value").cast("string"), row_bytes, "-").alias(f"{name}text")
        return rows.load().select(*columns, text).withWatermark(f"{name}t", "1 second")

    on = F.col("lk") == F.col("rk")
    joined = shedjoin.join(side("l"), side("r"), on=on, within="1000 hours", memory=f"{memory_mib}mb")
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            query = joined.writeStream.format("noop").option("checkpointLocation", folder).start()
            try:
                query.awaitTermination()
            except Exception as ended:
                known = [what for what in ("SHEDJOIN_OUT_OF_MEMORY", "OutOfMemoryError") if what in str(ended)]
                print(*known or [str(ended)[:200]], flush=True)


def is_safe(heap: str, memory_mib: int, row_bytes: int) -> bool:
    command = [sys.executable, __file__, "fill", heap, str(memory_mib), str(row_bytes)]
    before = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        said = process.communicate(timeout=MOST_SECONDS)[0].split()
    except subprocess.TimeoutExpired:
        process.kill()
        said = ["still", "at", "it"]
    print(f"  {memory_mib} MiB, {row_bytes} bytes: {' '.join(said)} ({time.monotonic() - before:.0f} s)", flush=True)
    return said == 2 * ["SHEDJOIN_OUT_OF_MEMORY"]


def bisect(heap: str, row_bytes: int) -> None:
    number, unit = int(heap[:-1]), heap[-1].lower()
    whole = number * {"m": 1, "g": 1024}[unit]
    least, most = 0.2, 1.0
    for _ in range(STEPS):
        share = (least + most) / 2
        if is_safe(heap, int(share * whole), row_bytes):
            least = share
        else:
            most = share
    print(f"heap {whole} MiB: safe to {least * whole:.0f} MiB ({least:.0%}), not at {most * whole:.0f} MiB", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "fill":
        fill(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        for given in sys.argv[2:]:
            bisect(given, int(sys.argv[1]))
