"""`python -m shedjoin simulate` and `python -m shedjoin compare`: policies on streams that lie in Parquet files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from shedjoin._errors import ShedJoinError
from shedjoin.sim._compare import DEFAULT_POLICIES, compare
from shedjoin.sim._run import run
from shedjoin.sim._settings import Memory, Span
from shedjoin.sim._trace import Trace

_ELSEWHERE = "In Python, shedjoin.sim also finds the optimum of two streams (sim.optimum) and runs caches (sim.cache)."


def main(arguments: Sequence[str]) -> int | str:
    """Runs one of both commands: 0, or the error that a user can mend."""
    given = _parser().parse_args(arguments)
    try:
        trace = _trace(given)
        window = _window(given.within) if given.within else None
        if given.command == "simulate":
            _simulate(given, trace, window)
        else:
            _compare(given, trace, window)
    except (ShedJoinError, OSError, pa.ArrowInvalid) as failed:
        return str(failed)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m shedjoin", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    simulate = commands.add_parser("simulate", help="one policy, one memory", epilog=_ELSEWHERE)
    simulate.add_argument("--memory-rows", type=_memory, required=True, help="N, or L,R for each side")
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
        command.add_argument("--plot", help="a file for the plot, such as out.png")
    return parser


def _simulate(given: argparse.Namespace, trace: Trace, window: tuple[Span, Span] | None) -> None:
    result = run(
        trace,
        memory_rows=given.memory_rows,
        policy=given.policy,
        within=window,
        seed=given.seed,
        warmup=_span(given.warmup),
    )
    print(result)
    if given.plot:
        result.plot().savefig(given.plot)


def _compare(given: argparse.Namespace, trace: Trace, window: tuple[Span, Span] | None) -> None:
    comparison = compare(
        trace,
        policies=_split(given.policies),
        memory_rows=[int(rows) for rows in given.memory_rows.split(",")] if given.memory_rows else None,
        seeds=range(given.seeds),
        within=window,
        warmup=_span(given.warmup),
    )
    print(comparison)
    if given.plot:
        comparison.plot().savefig(given.plot)


def _trace(given: argparse.Namespace) -> Trace:
    sides = []
    for i, path in enumerate((given.left, given.right)):
        columns = {
            name: getattr(given, name).split("=", 1)[i if "=" in getattr(given, name) else 0]
            for name in ("time", "key", "importance")
            if getattr(given, name)
        }
        table = pq.read_table(path, columns=list(dict.fromkeys(columns.values())))
        missing = [column for column in columns.values() if column not in table.column_names]
        if missing:
            raise ShedJoinError("SHEDJOIN_INVALID_TRACE", f"{path} has no column {', '.join(missing)}.")
        sides.append(pa.table({name: table[column] for name, column in columns.items()}))
    return Trace(*sides)


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


def _memory(text: str) -> Memory:
    left, _, right = text.partition(",")
    return (int(left), int(right)) if right else int(left)


def _window(text: str) -> tuple[Span, Span]:
    before, _, after = text.partition(",")
    return _span(before), _span(after or before)


def _span(text: str) -> Span:
    """A number where the text is one."""
    return int(text) if text.strip().isdigit() else text
