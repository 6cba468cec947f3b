"""`python -m shedjoin simulate` and `python -m shedjoin compare`: policies on streams that lie in Parquet files."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.dataset as ds

from shedjoin._errors import ShedJoinError, invalid
from shedjoin._files import write
from shedjoin._interruptible import interruptible
from shedjoin.sim._compare import DEFAULT_POLICIES, compare
from shedjoin.sim._run import run
from shedjoin.sim._settings import Memory, Span
from shedjoin.sim._trace import Trace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PLOTS = (".png", ".svg", ".pdf")
_ELSEWHERE = "In Python, shedjoin.sim also finds the optimum of two streams (sim.optimum) and runs caches (sim.cache)."


def main(arguments: Sequence[str]) -> int | str:
    """Runs one of both commands: 0, or the error that a user can mend."""
    given = _parser().parse_args(arguments)
    try:
        memory = _memory(given.memory_rows) if given.memory_rows else None
        _check_plot(given.plot)
        trace = _trace(given)
        window = _window(given.within) if given.within else None
        if given.command == "simulate":
            _simulate(given, trace, window, memory or [])
        else:
            _compare(given, trace, window, memory)
    except (ShedJoinError, OSError) as failed:
        return str(failed)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m shedjoin", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    simulate = commands.add_parser("simulate", help="one policy, one memory", epilog=_ELSEWHERE)
    simulate.add_argument("--memory-rows", required=True, help="N, or L,R for each side")
    simulate.add_argument("--policy", required=True, help='a name, or one with settings: "heeb(alpha=50)"')
    simulate.add_argument("--seed", type=int, default=1)
    several = commands.add_parser("compare", help="which policy, how much memory?", epilog=_ELSEWHERE)
    several.add_argument("--memory-rows", help="N,N,...; without: shares of what an exact join stores")
    several.add_argument("--policies", default=",".join(DEFAULT_POLICIES), help="names, with commas (%(default)s)")
    several.add_argument("--seeds", type=int, default=10, help="runs of a random policy (%(default)s)")
    for command in (simulate, several):
        command.add_argument("--left", required=True, help="a Parquet file or folder")
        command.add_argument("--right", required=True, help="a Parquet file or folder")
        command.add_argument("--key", required=True, help="the column of the join key, or LEFT=RIGHT")
        command.add_argument("--time", required=True, help="the column of the time, or LEFT=RIGHT")
        command.add_argument("--importance", help="the column of the importance, or LEFT=RIGHT")
        command.add_argument("--within", help="10min, or BEFORE,AFTER: right in [left - before, left + after]")
        command.add_argument("--warmup", default="0", help="how long results do not count at the start")
    plot = f"a file for the plot, {' or '.join(_PLOTS)}"
    simulate.add_argument("--plot", help=plot)
    several.add_argument("--plot", default="compare.png", help=f"{plot} (%(default)s)")
    return parser


def _simulate(given: argparse.Namespace, trace: Trace, window: tuple[Span, Span] | None, memory: Sequence[int]) -> None:
    if not 1 <= len(memory) <= 2:
        raise _invalid("--memory-rows", given.memory_rows, "a number of rows, or L,R for each side")
    result = run(
        trace,
        memory_rows=memory[0] if len(memory) == 1 else (memory[0], memory[1]),
        policy=given.policy,
        within=window,
        seed=given.seed,
        warmup=_span(given.warmup),
    )
    print(result)
    if given.plot:
        _save(result.plot(), given.plot)


def _compare(
    given: argparse.Namespace, trace: Trace, window: tuple[Span, Span] | None, memory: Sequence[Memory] | None
) -> None:
    comparison = compare(
        trace,
        policies=_split(given.policies),
        memory_rows=memory,
        seeds=range(given.seeds),
        within=window,
        warmup=_span(given.warmup),
    )
    print(comparison)
    _save(comparison.plot(), given.plot)
    print(f"\nThe plot is in {given.plot}.")


@interruptible
def _trace(given: argparse.Namespace) -> Trace:
    sides = []
    for i, path in enumerate((given.left, given.right)):
        columns = {
            name: getattr(given, name).split("=", 1)[i if "=" in getattr(given, name) else 0]
            for name in ("time", "key", "importance")
            if getattr(given, name)
        }
        table = _read(path, columns)
        sides.append(pa.table({name: table[column] for name, column in columns.items()}))
    return Trace(*sides)


def _read(path: str, columns: dict[str, str]) -> pa.Table:
    """The columns that are asked for, by option, of a file or folder."""
    if not Path(path).exists():
        raise ShedJoinError("SHEDJOIN_INVALID_TRACE", f"There is no {path}. Give --left and --right Parquet files.")
    try:
        rows = ds.dataset(path, format="parquet")
        for option, column in columns.items():
            if column not in rows.schema.names:
                raise ShedJoinError(
                    "SHEDJOIN_INVALID_TRACE",
                    f"{path} has no column {column!r}; its columns are: {', '.join(rows.schema.names)}. "
                    f"Correct --{option}, or write --{option} LEFT=RIGHT where the sides differ.",
                )
        table = rows.to_table(columns=list(dict.fromkeys(columns.values())))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as failed:
        raise ShedJoinError(
            "SHEDJOIN_INVALID_TRACE", f"{path} can not be read as Parquet: {failed}. Give a Parquet file or folder."
        ) from failed
    if table.num_rows == 0:
        raise ShedJoinError("SHEDJOIN_INVALID_TRACE", f"{path} has no rows. Give one with the rows of a stream.")
    return table


def _split(policies: str) -> list[str]:
    """At the commas that are not between parentheses."""
    parts, depth = [""], 0
    for letter in policies:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _memory(text: str) -> list[int]:
    if not re.fullmatch(r"\s*\d+\s*(,\s*\d+\s*)*", text):
        raise _invalid("--memory-rows", text, "a whole number of rows from 0 on, or several with commas")
    return [int(rows) for rows in text.split(",")]


def _save(plot: Figure, path: str) -> None:
    drawn = BytesIO()
    plot.savefig(drawn, format=Path(path).suffix[1:].lower())
    write(Path(path), drawn.getvalue())


def _check_plot(path: str | None) -> None:
    """Before minutes go by."""
    if path is not None and not (path.lower().endswith(_PLOTS) and Path(path).absolute().parent.is_dir()):
        raise _invalid("--plot", path, f"a file in a folder that exists, with a name that ends in {', '.join(_PLOTS)}")


def _invalid(option: str, given: object, allowed: str) -> ShedJoinError:
    return invalid(option, given, allowed, "python -m shedjoin")


def _window(text: str) -> tuple[Span, Span]:
    before, _, after = text.partition(",")
    return _span(before), _span(after or before)


def _span(text: str) -> Span:
    """A number where the text is one."""
    return int(text) if re.fullmatch(r"\s*-?\d+\s*", text) else text
