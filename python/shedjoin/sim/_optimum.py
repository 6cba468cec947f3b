"""The best that any policy could do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt

from shedjoin._errors import invalid
from shedjoin._interruptible import interruptible
from shedjoin._policy import Policy
from shedjoin.sim import _flow, _jvm
from shedjoin.sim._run import Result, of_settings
from shedjoin.sim._settings import Count, Memory, PolicyLike, Span, Within, chosen, settings
from shedjoin.sim._trace import Trace

Method = Literal["offline", "flowexpect"]


@interruptible
def optimum(
    trace: Trace,
    *,
    memory_rows: Memory,
    within: Within = None,
    warmup: Span = 0,
    count: Count = "both",
    method: Method = "offline",
    lookahead: int = 10,
    model: PolicyLike = "heeb",
) -> Result:
    """Joins a trace with room for `memory_rows` rows, or for so many of each side, and the best choice of rows.

    `offline` knows the whole trace: no policy finds more. It takes a second for some 10,000 rows, and memory in
    proportion to them; rows of one side and key that do not expire in the order in which they come take more.
    `flowexpect` (paper 3, section 4) knows how likely what comes is, by the settings that `model`, the policy `heeb`,
    has, and sheds by the best fixed plan for the next `lookahead` steps; the trace must be stepwise, a row a side and
    step. The other arguments are those of `run`; rows probe first.
    """
    if method not in ("offline", "flowexpect"):
        raise invalid("method", method, "'offline' or 'flowexpect'", "shedjoin.sim.optimum")
    how = settings(trace, "random", memory_rows, within=within, seed=1, warmup=warmup, order="probe_first", count=count)
    if method == "offline":
        return of_settings(trace, _jvm.optimum(trace._handle, how, _flows), "optimum", memory_rows)
    expecting = _jvm.flow_expect(how, _known(trace, model), _steps(trace, lookahead))
    return of_settings(trace, expecting, f"flowexpect(lookahead={lookahead})", memory_rows)


def _flows(network: _jvm.Network) -> npt.NDArray[np.int64]:
    tails, heads, gains, rooms = (network.arcs[name].to_numpy() for name in ("tail", "head", "gain", "room"))
    rooms = np.minimum(rooms, network.units)
    return _flow.best(network.nodes, tails, heads, gains, rooms, network.units, network.sink)


def _known(trace: Trace, model: PolicyLike) -> Mapping[str, str]:
    policy: Policy = chosen(model, trace)
    if policy.name != "heeb" or not policy.settings:
        allowed = "the policy heeb with a model, such as shedjoin.policy('heeb', model='trend', ...)"
        raise invalid("model", str(policy), allowed, "shedjoin.sim.optimum")
    return policy.settings


def _steps(trace: Trace, lookahead: int) -> int:
    if not trace.stepwise:
        raise invalid("trace", trace, "a stepwise one for flowexpect", "shedjoin.sim.optimum")
    if isinstance(lookahead, bool) or not isinstance(lookahead, int) or not 1 <= lookahead <= 10_000:
        raise invalid("lookahead", lookahead, "a whole number from 1 to 10000", "shedjoin.sim.optimum")
    return lookahead
