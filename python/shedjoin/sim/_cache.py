"""A cache of the rows of a table in a database, which a stream of references asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from shedjoin._errors import ShedJoinError, invalid
from shedjoin._interruptible import interruptible
from shedjoin._policy import Policy, parsed
from shedjoin.sim import _jvm
from shedjoin.sim._settings import PolicyLike

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_PARTS = 200


@dataclass(frozen=True)
class CacheResult:
    """What a cache came to."""

    policy: str
    rows: int
    references: int
    """How many references count: those after the warm-up."""
    distinct: int
    """How many different rows all references ask for."""
    hits: int
    misses: int
    hit_rate: float
    timeline: pa.Table
    """For each part of the references, from the one numbered `reference` on: `references`, `hits` and `hit_rate`."""

    def __str__(self) -> str:
        return (
            f"{self.policy} with {self.rows:,} rows: {self.hits:,} hits of {self.references:,} references, "
            f"hit rate {self.hit_rate:.3f}, {self.distinct:,} different rows"
        )

    def __repr__(self) -> str:
        return f"CacheResult({self})"

    def plot(self) -> Figure:
        """The hit rate over time."""
        from shedjoin.sim import _plot

        return _plot.of_cache(self)


@interruptible
def cache(references: Any, *, rows: int, policy: PolicyLike = "lru", seed: int = 1, warmup: int = 0) -> CacheResult:
    """Runs a stream of references, an array of keys, through a cache with room for `rows` rows of a table.

    What is not there is fetched, and cached if `policy` has it so. Policies are those of joins, told of the references
    as of a left stream, of hits as of matches, and of a row that is fetched by how often it was asked for so far; and
    `a0(probabilities=...)`, which sheds what is least likely, and `lfd`, which knows all references: no policy has more
    hits. `heeb` with a model ranks rows by what their first use brings. The first `warmup` references do not count.
    """
    keys = _keys(references)
    for name, given in (("rows", rows), ("warmup", warmup)):
        if isinstance(given, bool) or not hasattr(given, "__index__") or not 0 <= given < 2**31:
            raise _invalid(name, given, "a whole number of 0 or more")
    if not isinstance(policy, str | Policy):
        raise _invalid("policy", policy, "a name, such as 'lru', or what shedjoin.policy gives")
    named = parsed(policy) if isinstance(policy, str) else policy
    table = pa.table({"value": keys})
    hits = _jvm.cache(table, int(rows), named.name, named.settings, int(seed))["hit"].to_numpy().astype(np.int64)
    counted = hits[warmup:]
    found = int(counted.sum())
    return CacheResult(
        policy=str(named),
        rows=int(rows),
        references=len(counted),
        distinct=int(np.unique(keys).size),
        hits=found,
        misses=len(counted) - found,
        hit_rate=found / len(counted) if len(counted) else 0.0,
        timeline=_timeline(hits),
    )


def _timeline(hits: npt.NDArray[np.int64]) -> pa.Table:
    width = max(1, -(-len(hits) // _MOST_PARTS))
    starts = np.arange(0, len(hits), width)
    found = np.add.reduceat(hits, starts) if len(hits) else hits
    sizes = np.minimum(starts + width, len(hits)) - starts
    return pa.table({"reference": starts, "references": sizes, "hits": found, "hit_rate": found / np.maximum(sizes, 1)})


def _keys(references: Any) -> npt.NDArray[np.int64]:
    """Whole numbers as they are; other keys as their places in the order of all."""
    try:
        column = references if isinstance(references, pa.Array | pa.ChunkedArray) else pa.array(references)
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        if len(column) and column.null_count:
            raise _invalid("references", f"an array with {column.null_count} nulls", "an array of keys without nulls")
        if pa.types.is_integer(column.type) or len(column) == 0:
            return np.asarray(column.cast(pa.int64()).to_numpy(zero_copy_only=False))
        return np.asarray(pc.rank(column, tiebreaker="min").cast(pa.int64()).to_numpy(zero_copy_only=False))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as failed:
        raise _invalid("references", f"{type(references).__name__}", "an array of keys of one type") from failed


def _invalid(argument: str, given: object, allowed: str) -> ShedJoinError:
    return invalid(argument, given, allowed, "shedjoin.sim.cache")
