"""What a user meets first: the wheel and its own dependencies, nothing else.

Run by ``make clean-environment`` with the interpreter of an environment that holds only the
wheel; it is no pytest module because there is no pytest there.
"""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

MOST_BYTES = 15_000_000
OPTIONAL = ("pandas", "polars", "pyarrow", "matplotlib", "dask")
PAGES = ("README.md", "docs/index.md")


def main(wheels: Path) -> None:
    (wheel,) = wheels.glob("isotherm-*.whl")
    assert "-abi3-" in wheel.name, f"{wheel.name} is for one version of Python only"
    size = wheel.stat().st_size
    assert size < MOST_BYTES, f"the wheel has {size} bytes, more than {MOST_BYTES}"
    for name in OPTIONAL:
        assert importlib.util.find_spec(name) is None, f"{name} is here: the test says nothing"

    # Importing must not drag in scikit-learn's estimators before somebody asks for one.
    light = "import sys, isotherm; assert 'sklearn' not in sys.modules, 'import isotherm is heavy'"
    subprocess.run([sys.executable, "-c", light], check=True)

    import isotherm

    for name in isotherm.__all__:
        getattr(isotherm, name)
    isotherm.show_versions()

    root = Path(__file__).resolve().parents[2]
    for page in PAGES:
        blocks = re.findall(r"^```python\n(.*?)^```", (root / page).read_text(), re.M | re.S)
        assert blocks, f"{page} has no Python to try"
        space: dict = {}
        for block in blocks:
            exec(compile(block, page, "exec"), space)
        print(f"{page}: {len(blocks)} snippets ran")
    print(f"{wheel.name}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
