"""The package itself: names, stubs, cost of the import."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import isotherm

ROOM = Path(isotherm.__file__).parent


def test_the_stub_has_every_name():
    stub = (ROOM / "__init__.pyi").read_text()
    listed = set(re.findall(r"import (\w+) as \1", stub))
    assert listed == {*isotherm.__all__, "__version__"}
    for name in isotherm.__all__:
        assert getattr(isotherm, name) is not None
    assert set(isotherm.__all__) <= set(dir(isotherm))
    assert (ROOM / "py.typed").exists()


def test_the_import_loads_nothing_heavy():
    code = (
        "import sys; import isotherm; assert not {'numpy', 'scipy', 'sklearn'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOM.parent)


def test_every_public_name_has_an_example():
    for name in isotherm.__all__:
        value = getattr(isotherm, name)
        if not inspect.ismodule(value):
            assert ">>> " in value.__doc__, name


def test_hard_dependencies_only():
    """Nothing but numpy, scipy and scikit-learn is loaded by a fit and a prediction."""
    code = """
import sys
import numpy as np
import sklearn.base, sklearn.metrics, sklearn.utils.validation
before = {name.split(".")[0] for name in sys.modules}
import isotherm
X = np.random.default_rng(0).normal(size=(40, 2))
y = np.where(np.arange(40) < 10, np.arange(40) % 2, -1)
for cls in (isotherm.STKRClassifier, isotherm.LaplacianClassifier):
    cls().fit(X, y).predict(X)
after = {name.split(".")[0] for name in sys.modules}
new = after - before - {"isotherm"} - set(sys.stdlib_module_names)
assert not new, new
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOM.parent)
