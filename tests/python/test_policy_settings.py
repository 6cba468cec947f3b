"""The page of the policies' settings is what the registry says; with SHEDJOIN_WRITE_DOCS=1 it is made anew."""

from __future__ import annotations

import os
from itertools import groupby
from pathlib import Path

from shedjoin import sim

PAGE = Path(__file__).parents[2] / "docs" / "policy-settings.md"
HEAD = """<!-- Made from PolicyRegistry by `SHEDJOIN_WRITE_DOCS=1 pytest tests/python/test_policy_settings.py`. -->
# The settings of the policies

Which policy is for which stream is told in [policies.md](policies.md). A setting is given as in `"heeb(alpha=50)"` or
`shedjoin.policy("heeb", alpha=50)`; what can not be is refused with what is allowed. Settings that are times are in ticks: the unit
of the time column. `sim.policies()` is this page as an Arrow table.
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


def test_every_policy_and_setting_has_a_doc_and_what_it_may_be() -> None:
    rows = sim.policies().to_pylist()
    assert {row["policy"] for row in rows} == {
        *("random", "oldest_first", "newest_first", "hottest_key", "lru", "lfu", "prob", "life", "age"),
        *("greedy", "size", "ijoin", "heeb", "hist"),
    }
    for row in rows:
        assert row["doc"].endswith(".")
        assert row["setting_doc"].endswith("."), row
        assert row["allowed"], row
