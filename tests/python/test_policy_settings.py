"""The page of the policies' settings is what the registry says; with SHEDJOIN_WRITE_DOCS=1 it is made anew."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import numpy as np
import shedjoin
from shedjoin import Policy, sim

PAGE = Path(__file__).parents[2] / "docs" / "policy-settings.md"
HEAD = """<!-- Made from PolicyRegistry by `SHEDJOIN_WRITE_DOCS=1 pytest tests/python/test_policy_settings.py`. -->
# The settings of the policies

Which policy is for which stream is told in [policies.md](policies.md). A setting is given as in `"heeb(alpha=50)"` or
`shedjoin.Heeb(alpha=50)`, the same as `shedjoin.policy("heeb", alpha=50)`; what can not be is refused, with what may.
Settings that are times are in ticks: the unit of the time column. `sim.policies()` is this page as an Arrow table.
"""


def page() -> str:
    rows = sim.policies().to_pylist()
    parts = [HEAD]
    for (policy, doc), of_policy in groupby(rows, key=lambda row: (row["policy"], row["doc"])):
        parts.append(f"## `{policy}`\n\n{doc}\n\n| setting | what it may be | default | meaning |\n|---|---|---|---|")
        for row in of_policy:
            default = f"`{row['default']}`" if row["default"] else "empty"
            parts[-1] += f"\n| `{row['setting']}` | {row['allowed']} | {default} | {row['setting_doc']} |"
        parts[-1] += "\n"
    return "\n".join(parts)


def test_the_page_of_settings_is_what_the_registry_says() -> None:
    if os.environ.get("SHEDJOIN_WRITE_DOCS"):
        PAGE.write_text(page())
    assert PAGE.read_text() == page(), "Make it anew, by the command in its first line."


def types() -> dict[str, Callable[[], Policy]]:
    made = [of for of in vars(shedjoin).values() if isinstance(of, type) and issubclass(of, Policy)]
    return {cast(Any, of)().name: cast(Any, of) for of in made if of is not Policy}


def test_every_policy_is_a_type_whose_arguments_are_its_settings() -> None:
    rows = sim.policies().to_pylist()
    docs = {row["policy"]: row["doc"] for row in rows}
    assert {name: of.__doc__ for name, of in types().items()} == docs
    for name, of in types().items():
        arguments = list(inspect.signature(of).parameters.values())
        assert [a.name for a in arguments] == [row["setting"] for row in rows if row["policy"] == name]
        assert all(a.kind is a.KEYWORD_ONLY and a.default is None for a in arguments)
        assert of().settings == {}


def test_a_type_is_the_policy_of_its_name() -> None:
    curve = shedjoin.Age(left_window=60, left_curve=[3, 2, 1], split=0.5)
    named = shedjoin.policy("age", left_window=60, left_curve=[3, 2, 1], split=0.5)
    assert (curve.name, curve.settings, str(curve)) == (named.name, named.settings, str(named))
    trace = sim.Trace([1, 2, 3, 1], [2, 1, 3, 3])
    runs = [sim.run(trace, memory_rows=2, policy=of) for of in (shedjoin.Lru(), "lru")]
    assert runs[0].kept.equals(runs[1].kept)
    assert shedjoin.Heeb(alpha="learned", model="walk", left_step=np.array([0.5, 0, 0.5])).settings == {
        "model": "walk",
        "alpha": "learned",
        "left_step": "0.5 0.0 0.5",
    }


def test_every_policy_and_setting_has_a_doc_and_what_it_may_be() -> None:
    rows = sim.policies().to_pylist()
    assert {row["policy"] for row in rows} == {
        *("random", "oldest_first", "newest_first", "hottest_key", "lru", "lfu", "prob", "life", "age"),
        *("greedy", "size", "ijoin", "heeb", "hist"),
    }
    for row in rows:
        assert row["doc"].endswith("."), row
        assert row["setting_doc"].endswith("."), row
        assert row["allowed"], row
