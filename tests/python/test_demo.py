"""The figures of the demo, without Spark."""

from shedjoin import demo


def batch(rows: int, millis: int, state: int) -> dict[str, object]:
    operator = {"operatorName": "shedJoin", "memoryUsedBytes": state}
    return {"numInputRows": rows, "batchDuration": millis, "stateOperators": [operator]}


def test_the_rate_leaves_out_the_first_batch_and_those_without_data() -> None:
    run = demo.measured("shedjoin", [batch(10, 9_000, 5), batch(20, 100, 9), batch(0, 700, 7)], 3)
    assert (run.rows_in, run.rows_out, run.rows_a_second, run.state_bytes) == (30, 3, 200, 9)


def test_the_table_names_the_rows_that_differ() -> None:
    runs = [demo.Run(engine, engine, 1_000, 10, 5.0, 2**20) for engine in ("Spark", "shedjoin")]
    same, different = demo.table(runs, 0).splitlines(), demo.table(runs, 4).splitlines()
    assert same[2].split()[4] == "yes"
    assert "NO: 4 rows" in different[2]
    assert len({len(line) for line in same}) == 1
