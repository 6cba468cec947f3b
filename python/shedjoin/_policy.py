"""A shedding policy, by name, with its settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from shedjoin._errors import ShedJoinError

Setting = str | float | Iterable[float]

_TEXT = re.compile(r"\s*(?P<name>\w+)\s*(?:\((?P<settings>.*)\))?\s*", re.DOTALL)


@dataclass(frozen=True)
class Policy:
    """Which stored row goes when memory is full; made by `shedjoin.policy`."""

    name: str
    settings: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        settings = ", ".join(f"{name}={_short(value)}" for name, value in self.settings.items())
        return f"{self.name}({settings})" if settings else self.name


def policy(name: str, **settings: Setting) -> Policy:
    """The policy of this name with these settings: numbers, words, or several numbers in an iterable.

    `shedjoin.sim.policies()` lists the names and what can be set.
    """
    return Policy(name, {key: _text(value) for key, value in settings.items()})


def parsed(text: str) -> Policy:
    """The policy that a text means: `prob`, or `heeb(alpha=50, model=stationary)`."""
    match = _TEXT.fullmatch(text)
    settings = [part.partition("=") for part in (match["settings"] or "").split(",") if part.strip()] if match else []
    if match is None or not all(equals for _, equals, _ in settings):
        raise ShedJoinError(
            "SHEDJOIN_POLICY_UNKNOWN",
            f"The policy is {text!r}; allowed is a name such as 'prob', or one with settings such as 'heeb(alpha=50)'.",
        )
    return Policy(match["name"], {key.strip(): value.strip() for key, _, value in settings})


def _text(value: Setting) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return " ".join(str(float(number)) for number in value)
    return str(value)


def _short(text: str) -> str:
    """A setting as it is shown: of many numbers the first."""
    numbers = text.split()
    return text if len(numbers) <= 4 else f"{numbers[0]} ... ({len(numbers)} numbers)"
