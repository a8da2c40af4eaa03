"""Every snippet of the documentation runs: Python, a page in one namespace; shell with a binary.

``<!-- needs: ray -->`` before a block skips it where ray is not installed. Shell blocks run when
ISOTHERM_BIN names the binary: after ``<!-- run -->`` as they stand, others line by line among
files that ``guide_files`` makes for the reader's own.
"""

import importlib
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import guide_files
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])
_FENCE = re.compile(
    r"(?:^<!-- (?P<mark>needs: [^>]*?|run) -->\n)?^```(?P<kind>python|sh)\n(?P<body>.*?)^```",
    re.M | re.S,
)


@dataclass
class Block:
    """One fenced block of a page."""

    kind: str
    body: str
    mark: str
    line: int

    @property
    def needs(self):
        return self.mark.removeprefix("needs: ").split() if self.mark.startswith("needs") else []


def blocks(page):
    text = page.read_text(encoding="utf-8")
    return [
        Block(m["kind"], m["body"], m["mark"] or "", text.count("\n", 0, m.start("body")) + 1)
        for m in _FENCE.finditer(text)
    ]


def of(kind):
    return [page for page in PAGES if any(b.kind == kind for b in blocks(page))]


def name(page):
    return str(page.relative_to(ROOT))


def installed(module):
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("page", of("python"), ids=name)
def test_python_snippets_run(page, tmp_path, monkeypatch):
    if installed("matplotlib"):
        importlib.import_module("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    # Spark's workers would take the first Python on the path, which need not be this one.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    namespace = {"__name__": "__page__"}
    ran, skipped = 0, []
    for block in (b for b in blocks(page) if b.kind == "python"):
        missing = [m for m in block.needs if not installed(m)]
        if missing:
            skipped.append(f"line {block.line}: {', '.join(missing)}")
            continue
        # Lines as on the page, so that a traceback leads there.
        code = compile("\n" * (block.line - 1) + block.body, str(page), "exec")
        exec(code, namespace)
        ran += 1
    if not ran:
        pytest.skip(f"nothing of {name(page)} could run: {'; '.join(skipped)}")


def shell(command, folder):
    binary = Path(os.environ["ISOTHERM_BIN"]).resolve()
    assert binary.is_file(), f"ISOTHERM_BIN={binary} is no file"
    (folder / "bin").mkdir(exist_ok=True)
    if not (folder / "bin" / "isotherm").exists():
        (folder / "bin" / "isotherm").symlink_to(binary)
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-e", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{command}\n{done.stderr}"


# A wheel brings no command line. `make test` gives its path, and takes a skip here for a failure.
@pytest.mark.skipif("ISOTHERM_BIN" not in os.environ, reason="ISOTHERM_BIN does not name a binary")
# The tutorial is one story, whose lines follow from each other: the Rust tests run it.
@pytest.mark.parametrize("page", [p for p in of("sh") if p.name != "tutorial.md"], ids=name)
def test_shell_snippets_run(page, tmp_path):
    if any("parquet" in b.body for b in blocks(page)):
        pytest.importorskip("pyarrow")
    ran = 0
    for block in (b for b in blocks(page) if b.kind == "sh"):
        if block.mark == "run":
            shell(block.body, tmp_path)
            ran += 1
            continue
        for line in block.body.splitlines():
            if line.startswith("isotherm "):
                guide_files.lay_out(line, tmp_path)
                shell(line, tmp_path)
                ran += 1
    assert ran > 0


def test_there_are_snippets_and_the_quick_start_has_its_lines():
    pages = [name(page) for page in of("python")]
    for needed in ("index", "python", "does-unlabelled-data-help", "how-many-labels", "migration"):
        assert f"docs/{needed}.md" in pages
    shell, python = blocks(ROOT / "docs" / "index.md")
    assert len(shell.body.strip().splitlines()) == 8
    assert len([line for line in python.body.splitlines() if line.strip()]) == 6


def test_every_name_of_the_reference_exists():
    names = re.findall(
        r"^::: (\S+)$", "".join(p.read_text() for p in (ROOT / "docs/api").glob("*.md")), re.M
    )
    assert len(names) > 30
    for full in names:
        module, _, attribute = full.rpartition(".")
        found = getattr(importlib.import_module(module), attribute)
        assert (found.__doc__ or "").strip(), f"{full} has no docstring"


def test_pages_of_the_site_are_all_there():
    wanted = re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text())
    assert len(wanted) > 20
    for page in wanted:
        # Pages of codes are part of the binary; the site mounts them (docs/site_links.py).
        codes = page.removeprefix("codes/")
        place = "docs" if codes == page else "crates/isotherm-cli/pages"
        assert (ROOT / place / codes).is_file(), f"mkdocs.yml names {page}, which is not there"
