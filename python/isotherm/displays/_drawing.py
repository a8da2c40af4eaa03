"""What the displays share: matplotlib when it is there, axes, colours."""

from __future__ import annotations

from typing import Any

import numpy as np

# Okabe and Ito's colours, told apart by colour-blind readers too.
_HUES = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#8C6D00",
    "#5E3C99",
)
BLANK = "#9A9A9A"
INK = "#222222"


def matplotlib_for(display: str) -> Any:
    """``matplotlib.pyplot``, or an ``ImportError`` that says what to do."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f"{display} draws with matplotlib, which is not installed; pip install matplotlib"
        ) from error
    return plt


def axes_for(display: str, ax: Any, size: tuple[float, float]) -> tuple[Any, Any]:
    """The axes that were given, or new ones of this size, and their figure."""
    plt = matplotlib_for(display)
    if ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    return ax, ax.figure


def hues(count: int) -> np.ndarray:
    """``count`` colours as rows of red, green and blue."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgb

    if count <= len(_HUES):
        return np.array([to_rgb(c) for c in _HUES[:count]])
    return mpl.colormaps["turbo"](np.linspace(0.05, 0.95, count))[:, :3]


def faded(colours: np.ndarray, strength: np.ndarray) -> np.ndarray:
    """Colours mixed with white: strength 1 is the colour, 0 is nearly white."""
    keep = 0.15 + 0.85 * np.clip(strength, 0.0, 1.0)[..., None]
    return 1.0 - keep * (1.0 - colours)


def quiet(ax: Any) -> None:
    """No frame above and to the right."""
    ax.spines[["top", "right"]].set_visible(False)


def class_names(classes: Any, longest: int = 18) -> list[str]:
    """Names short enough for an axis, with nothing that mathtext would read."""
    names = [str(c).replace("$", r"\$") for c in classes]
    return [n if len(n) <= longest else n[: longest - 1] + "…" for n in names]
