"""Every example in a docstring runs and says what it says."""

import ast
import doctest
import importlib
import importlib.util
import inspect
import pkgutil
import re
import warnings
from pathlib import Path

import pytest
from estimators import EVERY, PAIRS

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


def sources():
    """The syntax tree of every module, by name."""
    for name in modules():
        path = importlib.util.find_spec(name).origin
        yield name, ast.parse(Path(path).read_text(encoding="utf-8"))


def literal(cls, tree):
    """The docstring of a class's constructor, as an editor reads it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
            made = [n for n in node.body if getattr(n, "name", None) == "__init__"]
            return ast.get_docstring(made[0]) if made else None
    return None


@pytest.mark.parametrize("cls", EVERY)
def test_an_editor_shows_every_parameter(cls):
    """Docstrings are literals in the source, of the class or of its one constructor."""
    trees = dict(sources())
    owner = next(base for base in cls.__mro__ if "__init__" in vars(base))
    shown = (literal(owner, trees[owner.__module__]) or "") + "\n" + inspect.getdoc(cls)
    for name in inspect.signature(cls).parameters:
        assert re.search(rf"^{name} : ", shown, re.M), f"{cls.__name__} does not say what {name} is"
    assert "<<" not in shown


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0].__name__)
def test_a_pair_has_one_constructor(pair):
    first, second = pair
    assert first.__init__ is second.__init__
    assert list(first().get_params(deep=False)) == list(second().get_params(deep=False))
