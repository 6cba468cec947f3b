"""Two streams as files, their left outer join by hand, and how it is read from a sink of files."""

import json
import os
import random
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

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
