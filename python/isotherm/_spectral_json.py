"""Transform and filter objects to the core's JSON and back, by their own parameters."""

from __future__ import annotations

import re
from typing import Any

TRANSFORMS = ("InverseLaplacian", "Polynomial", "Power", "Diffusion", "Reciprocal", "Truncation")
FILTERS = ("Tikhonov", "CutOff", "GradientFlow", "Landweber", "Heat")


def to_json(what: Any, allowed: tuple[str, ...]) -> dict[str, Any]:
    """``InverseLaplacian(eta=0.9)`` → ``{"kind": "inverse-laplacian", "eta": 0.9}``."""
    name = type(what).__name__
    if name not in allowed or not hasattr(what, "get_params"):
        raise ValueError(f"a cell of the grid must be one of {', '.join(allowed)}; got {what!r}")
    params = {k: _plain(v) for k, v in what.get_params(deep=False).items() if v is not None}
    kind = re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
    if name == "CutOff" and "rank" in params:
        kind = "leading"
    return {"kind": kind, **params}


def from_json(found: dict[str, Any]) -> Any:
    """The object that a JSON transform or filter stands for."""
    import isotherm

    params = {k: v for k, v in found.items() if k != "kind"}
    kind = "cut-off" if found["kind"] == "leading" else found["kind"]
    name = "".join(part.capitalize() for part in kind.split("-"))
    return getattr(isotherm, name)(**params)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value
