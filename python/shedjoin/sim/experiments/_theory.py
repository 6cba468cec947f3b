"""What the papers' formulas say of recall, to draw beside what is measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def best_age(parts: Sequence[float]) -> int:
    """In how many parts of the window a row that is kept alone meets most partners a tick (paper 1's k_opt)."""
    cumulated = np.cumsum(parts)
    return int(np.argmax(cumulated / np.arange(1, len(parts) + 1))) + 1


def age_recall(parts: Sequence[float], share: float) -> float:
    """The recall of AGE with memory for a share of the window (paper 1, equation 3)."""
    cumulated = np.concatenate([[0.0], np.cumsum(parts)])
    kept = share * len(parts)
    best = best_age(parts)
    met = kept * cumulated[best] / best if kept <= best else np.interp(kept, np.arange(len(cumulated)), cumulated)
    return float(met / cumulated[-1])
