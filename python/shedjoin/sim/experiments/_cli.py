"""`python -m shedjoin experiments`: draws figures and puts them into their pages."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from shedjoin._errors import ShedJoinError
from shedjoin.sim.experiments import FIGURES, FULL, QUICK, Figure, _page, _plot


def main(arguments: Sequence[str]) -> int | str:
    """0, or the error that a user can mend."""
    parser = argparse.ArgumentParser(prog="python -m shedjoin experiments", description=__doc__)
    parser.add_argument("--only", help="some figures, with commas: an id, or how ids begin, such as paper3")
    parser.add_argument("--quick", action="store_true", help="fewer seeds and points")
    parser.add_argument("--out", type=Path, default=Path("experiments"), help="the folder of the pages (%(default)s)")
    parser.add_argument("--list", action="store_true", help="only says which figures there are")
    given = parser.parse_args(arguments)
    try:
        chosen = _chosen(given.only)
    except ShedJoinError as error:
        return str(error)
    if given.list:
        print("\n".join(f"{figure.id:22} {figure.title}" for figure in chosen))
        return 0
    given.out.mkdir(parents=True, exist_ok=True)
    effort = QUICK if given.quick else FULL
    for number, figure in enumerate(chosen, start=1):
        print(f"[{number}/{len(chosen)}] {figure.id}: {figure.title}", file=sys.stderr, flush=True)
        started = time.monotonic()
        drawn = figure.draw(effort)
        _plot.save(drawn.plot, given.out / _page.IMAGES / f"{figure.id}.png")
        _page.fill(given.out, figure, drawn, effort)
        for claim in drawn.claims:
            print(f"  {'seen    ' if claim.holds else 'not seen'}  {claim.said} {claim.measured}")
        print(f"  {time.monotonic() - started:.0f} s", flush=True)
    return 0


def _chosen(only: str | None) -> list[Figure]:
    """The figures that are meant."""
    chosen = []
    for asked in only.split(",") if only else [""]:
        named = [FIGURES[asked]] if asked in FIGURES else [f for f in FIGURES.values() if f.id.startswith(asked)]
        if not named:
            raise ShedJoinError(
                "SHEDJOIN_INVALID_OPTION",
                f"There is no figure {asked!r}. The figures are: {', '.join(FIGURES)}. Correct --only.",
            )
        chosen += named
    return list(dict.fromkeys(chosen))
