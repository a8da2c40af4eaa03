"""Every example in a docstring runs and says what it says."""

import doctest
import importlib
import pkgutil
import warnings

import pytest

import isotherm


def modules():
    for found in pkgutil.walk_packages(isotherm.__path__, "isotherm."):
        if not found.name.endswith("._core"):
            yield found.name


@pytest.mark.parametrize("name", modules())
def test_examples(name):
    module = importlib.import_module(name)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    with warnings.catch_warnings():
        failed, _ = doctest.testmod(module, optionflags=flags)
    assert failed == 0


def test_examples_were_found():
    finder = doctest.DocTestFinder(recurse=True)
    examples = 0
    for name in modules():
        found = finder.find(importlib.import_module(name))
        examples += sum(len(test.examples) for test in found)
    assert examples > 100
