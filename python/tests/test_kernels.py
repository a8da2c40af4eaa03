"""Kernels are those of the library's table, and come back from a recipe by their names."""

import pytest

from isotherm import _core, _recipe

KERNELS = {row["name"]: row["recipe"] for row in _core.kernels()}


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_comes_back_from_its_recipe(name):
    numbers = {key: 2 * n for key, n in KERNELS[name].items() if not isinstance(n, str)}
    bandwidth = 0.5 if "bandwidth" in KERNELS[name] else "auto"
    written = _recipe.kernel(name, bandwidth, numbers)
    assert written.items() >= numbers.items()
    read = _recipe.read_kernel(written)
    assert read == {"kernel": name, "bandwidth": bandwidth, "kernel_params": numbers or None}


def test_a_parameter_of_another_kernel_is_refused():
    with pytest.raises(ValueError, match="no parameter 'degree'; it has shape"):
        _recipe.kernel("rational-quadratic", "auto", {"degree": 2})
    with pytest.raises(ValueError, match="the cosine kernel has none"):
        _recipe.kernel("cosine", 1.0, None)
