"""Streams and policies, simulated: which policy, and how much memory, for a stream? No Spark session is needed.

trace = sim.Trace(left, right)
result = sim.run(trace, within=(0, 500), memory_rows=100, policy="prob")
print(result.recall, sim.compare(trace, policies=["random", "prob"], memory_rows=[50, 100]))
"""

from __future__ import annotations

from importlib.util import find_spec

from shedjoin._errors import ShedJoinError

for _needed in ("numpy", "pyarrow"):
    if find_spec(_needed) is None:
        raise ShedJoinError("SHEDJOIN_SIM_NEEDS", f'shedjoin.sim needs {_needed}. Run: pip install "shedjoin[sim]"')

from shedjoin.sim import generate  # noqa: E402
from shedjoin.sim._cache import CacheResult, cache  # noqa: E402
from shedjoin.sim._compare import Comparison, compare  # noqa: E402
from shedjoin.sim._optimum import optimum  # noqa: E402
from shedjoin.sim._run import Result, run  # noqa: E402
from shedjoin.sim._settings import policies  # noqa: E402
from shedjoin.sim._trace import Trace  # noqa: E402

__all__ = [
    "CacheResult",
    "Comparison",
    "Result",
    "Trace",
    "cache",
    "compare",
    "generate",
    "optimum",
    "policies",
    "run",
]
