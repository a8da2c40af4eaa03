"""The files that the guide's shell lines name, made to fit each line."""

import csv
import re

import numpy as np

ROWS = 600


def lay_out(line, folder):
    """Puts every input file that a line names into the folder; takes away what it would write."""
    for stale in (*folder.glob("out.*"), *folder.glob("*.out.csv*"), *folder.glob("todo.csv*")):
        stale.unlink(missing_ok=True)
    for written in re.findall(r"(?:-o|--plot|>) (\S+)", line):
        (folder / written).unlink(missing_ok=True)
        (folder / f"{written}.run.json").unlink(missing_ok=True)
    read = set(re.findall(r"[\w-]+\.(?:csv|parquet)", line)) - set(re.findall(r"-o (\S+)", line))
    for name in read:
        {
            "edges.csv": _edges,
            "new-edges.csv": _new_edges,
            "new-nodes.csv": _new_nodes,
            "nodes.csv": _nodes,
            "costs.csv": _costs,
            "todo.csv": _filled,
        }.get(name, _rows)(folder / name, line)


def _groups():
    """Two clouds of rows, and which each is from."""
    rng = np.random.default_rng(0)
    side = np.arange(ROWS) % 2
    return 6.0 * side[:, None] + rng.standard_normal((ROWS, 2)), side


def _rows(path, line):
    X, side = _groups()
    prefix = "emb_" if "emb_" in line else ""
    columns = {f"{prefix}a": X[:, 0], f"{prefix}b": X[:, 1]}
    if path.name != "new.csv":
        label = re.search(r"--label (\S+)", line)
        name = label[1] if label else "y"
        columns[name] = [
            _label(name, line, s, x) if i % 3 == 0 else ""
            for i, (s, x) in enumerate(zip(side, X[:, 0], strict=True))
        ]
        known = [value != "" for value in columns[name]]
        if "--label-weights" in line:
            columns["trust"] = [1 + i % 2 for i in range(ROWS)]
        if "--audit" in line:
            columns["iso_audit"] = [str(k and i % 2 == 0).lower() for i, k in enumerate(known)]
            columns["iso_pool"] = [ROWS - i // 3 if k else "" for i, k in enumerate(known)]
    _write(path, columns)


def _filled(path, line):
    """What ``next`` wrote of the rows of ``_rows``, with the labels filled in."""
    X, side = _groups()
    rows = [i for i in range(ROWS) if i % 3 == 1][:20]
    name = re.search(r"--label (\S+)", line)[1]
    columns = {
        "a": X[rows, 0],
        "b": X[rows, 1],
        name: [_label(name, line, side[i], X[i, 0]) for i in rows],
        "iso_row": [i + 1 for i in rows],
        "iso_audit": [str(k % 5 == 4).lower() for k in range(len(rows))],
        "iso_pool": [2 * ROWS // 3 - k for k in range(len(rows))],
    }
    _write(path, columns)


def _label(name, line, side, value):
    if "--priors" in line:
        return ("fraud", "fine")[side]
    return {
        "tags": ("red;round", "blue")[side],
        "order": ("tea>milk>juice", "juice>tea>milk")[side],
        "price": f"{value:.3f}",
    }.get(name, ("near", "far")[side])


def _write(path, columns):
    if path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        plain = {
            n: [None if isinstance(v, str) and v == "" else v for v in c]
            for n, c in columns.items()
        }
        pq.write_table(pa.table(plain), path)
        return
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def _nodes(path, line):
    labels = {0: "near", 2: "near", 4: "near", 20: "far", 22: "far", 24: "far"}
    _write(
        path, {"node": [f"n{i}" for i in range(40)], "y": [labels.get(i, "") for i in range(40)]}
    )


def _edges(path, line):
    # Two rings with chords, and one edge between them.
    pairs = [(r + i, r + (i + step) % 20) for r in (0, 20) for step in (1, 3) for i in range(20)]
    ends = [*pairs, (0, 20)]
    path.write_text("".join(f"n{a},n{b}\n" for a, b in ends))


def _new_nodes(path, line):
    _write(path, {"node": ["x"]})


def _new_edges(path, line):
    path.write_text("x,n1\nx,n2\n")


def _costs(path, line):
    _write(path, {"class": ["near", "far"], "treat": [0, 5], "wait": [1, 0]})
