"""The peers of read.rs: best time of each reader on one file, as JSON.

Usage: read.py FILE floats|texts THREADS

With `floats` the answer is a row-major array of doubles, what a model is fitted on; with
`texts` it is the reader's own table.
"""

import json
import os
import sys
import time

path, what, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.environ["POLARS_MAX_THREADS"] = str(threads)
os.environ["OMP_NUM_THREADS"] = str(threads)

import numpy as np  # noqa: E402


def polars():
    import polars as pl

    def work():
        table = pl.read_csv(path)
        return table.to_numpy(order="c") if what == "floats" else table

    return pl.__version__, work


def pyarrow():
    import pyarrow as pa
    from pyarrow import csv

    pa.set_cpu_count(threads)
    parse = csv.ParseOptions(newlines_in_values=what == "texts")

    def work():
        table = csv.read_csv(path, parse_options=parse)
        if what == "texts":
            return table
        out = np.empty((table.num_rows, table.num_columns))
        for j, column in enumerate(table.columns):
            out[:, j] = column.to_numpy()
        return out

    return pa.__version__, work


def duckdb():
    import duckdb as db

    def work():
        link = db.connect(config={"threads": threads})
        table = link.sql(f"select * from read_csv('{path}')")
        if what == "texts":
            return table.to_arrow_table()
        columns = table.fetchnumpy()
        return np.ascontiguousarray(np.column_stack([np.asarray(c) for c in columns.values()]))

    return db.__version__, work


def pandas():
    import pandas as pd

    def work():
        table = pd.read_csv(path)
        return np.ascontiguousarray(table.to_numpy()) if what == "floats" else table

    return pd.__version__, work


def measured(reader):
    version, work = reader()
    best, answer = float("inf"), None
    for _ in range(4):
        answer = None
        start = time.perf_counter()
        answer = work()
        best = min(best, time.perf_counter() - start)
    total = float(answer.sum()) if what == "floats" else None
    return {"name": f"{reader.__name__} {version}", "seconds": best, "sum": total}


if __name__ == "__main__":
    found = []
    for reader in (polars, pyarrow, duckdb, pandas):
        try:
            found.append(measured(reader))
        except ImportError as error:
            print(f"not measured: {error}", file=sys.stderr)
    print(json.dumps(found))
