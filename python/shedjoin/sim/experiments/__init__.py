"""The figures of papers 1 to 3, redrawn with the engine's policies: `make experiments`.

Each figure is one function, with what the paper claims and the check of it beside: `paper1`, `paper2`, `paper3`, and
`policies` for those of docs/policies.md.
"""

from __future__ import annotations

# Their order is that of the pages.
from shedjoin.sim.experiments import paper1  # isort: skip
from shedjoin.sim.experiments import paper2  # isort: skip
from shedjoin.sim.experiments import paper3  # isort: skip
from shedjoin.sim.experiments import paper3_hist  # isort: skip
from shedjoin.sim.experiments import paper3_memory  # isort: skip
from shedjoin.sim.experiments import policies  # isort: skip
from shedjoin.sim.experiments._figure import FIGURES, FULL, QUICK, TINY, Claim, Drawn, Effort, Figure

__all__ = [
    "FIGURES",
    "FULL",
    "QUICK",
    "TINY",
    "Claim",
    "Drawn",
    "Effort",
    "Figure",
    "paper1",
    "paper2",
    "paper3",
    "paper3_hist",
    "paper3_memory",
    "policies",
]
