"""Stream joins on Apache Spark that never outgrow their memory."""

from __future__ import annotations

from shedjoin._errors import ShedJoinError
from shedjoin._join import join
from shedjoin._policy import Policy, policy
from shedjoin._session import check, configure
from shedjoin._state import state
from shedjoin._within import Within

__all__ = ["Policy", "ShedJoinError", "Within", "check", "configure", "join", "policy", "state"]
