"""The seeded cases: where they are, and how results are compared with them."""

import json
import os
from pathlib import Path

import numpy as np


def folder():
    """ISOTHERM_GOLDEN, or where the library's own tests have them."""
    own = Path(__file__).parents[2] / "crates" / "isotherm" / "tests" / "golden"
    return Path(os.environ.get("ISOTHERM_GOLDEN", own))


def read(name):
    """A case with the inputs it refers to."""
    path = folder() / f"{name}.json"
    if not path.is_file():
        raise AssertionError(
            f"{path} is missing: the golden cases are looked for in ISOTHERM_GOLDEN, or among the "
            f"library's tests"
        )
    case = json.loads(path.read_text())
    if "case" in case["inputs"]:
        case["inputs"] = {**read(case["inputs"]["case"])["inputs"], **case["inputs"]}
    return case


def agree(what, found, expected, tolerance):
    """max|a − b| / max|b| is within the case's own tolerance."""
    found, expected = np.asarray(found), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape, f"{what}: {found.shape} is not {expected.shape}"
    gap = np.abs(found - expected).max() / np.abs(expected).max()
    assert gap <= tolerance, f"{what}: off by {gap:.1e}, more than {tolerance:.0e}"
