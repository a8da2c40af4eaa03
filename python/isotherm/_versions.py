"""What a bug report needs."""

from __future__ import annotations

import platform
import sys
from importlib import metadata

_NEEDED = ("numpy", "scipy", "scikit-learn", "joblib")
_OPTIONAL = ("pandas", "polars", "pyarrow", "matplotlib", "dask", "distributed")


def show_versions() -> None:
    """Print versions of isotherm, Python and the packages around it.

    Examples
    --------
    >>> from isotherm import show_versions
    >>> show_versions()  # doctest: +ELLIPSIS
    isotherm: ...
    """
    print("\n".join(f"{name}: {value}" for name, value in versions().items()))  # noqa: T201


def versions() -> dict[str, str]:
    """The same as a dictionary.

    Returns
    -------
    found : dict of str
    """
    import os

    from . import _core

    found = {
        "isotherm": _core.__version__,
        "python": sys.version.replace("\n", " "),
        "executable bits": platform.architecture()[0],
        "machine": platform.platform(),
        "cores": str(os.cpu_count()),
    }
    for name in _NEEDED + _OPTIONAL:
        found[name] = _version(name)
    return found


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
