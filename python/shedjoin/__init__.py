"""Stream joins on Apache Spark that never outgrow their memory."""

from __future__ import annotations

from shedjoin._errors import ShedJoinError
from shedjoin._join import join
from shedjoin._policies import (
    Age,
    Greedy,
    Heeb,
    Hist,
    HottestKey,
    IJoin,
    Lfu,
    Life,
    Lru,
    NewestFirst,
    OldestFirst,
    Prob,
    Random,
    Size,
)
from shedjoin._policy import Policy, policy
from shedjoin._session import check, configure
from shedjoin._state import state
from shedjoin._within import Within

__all__ = [
    "Age",
    "Greedy",
    "Heeb",
    "Hist",
    "HottestKey",
    "IJoin",
    "Lfu",
    "Life",
    "Lru",
    "NewestFirst",
    "OldestFirst",
    "Policy",
    "Prob",
    "Random",
    "ShedJoinError",
    "Size",
    "Within",
    "check",
    "configure",
    "join",
    "policy",
    "state",
]
