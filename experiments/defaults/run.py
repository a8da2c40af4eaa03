"""Runs methods on the bank, one row of the CSV for every set, budget, draw and method; what has a row is not run again.

python run.py --methods peers                       # all sets, five draws, into runs.csv
python run.py --methods auto --half decide --draws 3 --tag NAME --out x.csv
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # one core; also makes times comparable

import argparse
import csv
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
from sklearn.metrics import f1_score

import sets
from methods import OURS, PEERS

COLUMNS = "set kind task half budget draw method labels accuracy macro_f1 brier ece rmse relative seconds note".split()
BUDGETS = {
    "classes": ("2 per class", "5 per class", "20 per class", "30 random", "100 random"),
    "values": ("30 random", "100 random"),
}
HERE = Path(__file__).parent


def draw_labels(s, budget, draw):
    """Rows that are labelled; None where they would be more than a third of all."""
    rng = np.random.default_rng(sets.seed(s.name, budget, draw))
    count, how = int(budget.split()[0]), budget.split()[1]
    total = count if how == "random" else count * (s.y.max() + 1)
    if total > len(s.y) / 3:
        return None
    if how == "per":
        return np.concatenate([rng.permutation(np.flatnonzero(s.y == c))[:count] for c in range(s.y.max() + 1)])
    while True:  # a draw of a single class says nothing
        rows = rng.permutation(len(s.y))[:count]
        if s.task == "values" or len(np.unique(s.y[rows])) > 1:
            return rows


def renamed(s, budget, draw):
    """Class codes in another order for every draw: a method that cannot tell classes apart says the first one, and the
    first by name is often the commonest (`no` before `yes`)."""
    if s.task == "values":
        return s
    order = np.random.default_rng(sets.seed(s.name, budget, draw, "order")).permutation(s.y.max() + 1)
    return replace(s, y=order[s.y])


def calibration_error(p, y, bins=15):
    """Top-label ECE: mean gap between confidence and accuracy, over bins of equal width."""
    top, right = p.max(1), p.argmax(1) == y
    which = np.minimum((top * bins).astype(int), bins - 1)
    return sum(abs((top - right)[which == b].sum()) for b in range(bins)) / len(y)


def judge(s, labelled, said, p):
    """Figures on the unlabelled rows."""
    rest = np.setdiff1d(np.arange(len(s.y)), labelled)
    y, said = s.y[rest], said[rest]
    if s.task == "values":
        rmse = np.sqrt(np.mean((y - said) ** 2))
        return {"rmse": rmse, "relative": rmse / s.y.std()}
    out = {
        "accuracy": np.mean(y == said),
        "macro_f1": f1_score(y, said, labels=np.arange(s.y.max() + 1), average="macro", zero_division=0),
    }
    if p is not None:
        p = p[rest]
        out["brier"] = np.mean(((p - np.eye(p.shape[1])[y]) ** 2).sum(1))
        out["ece"] = calibration_error(p, y)
    return out


def run(method, s, labelled):
    start = time.perf_counter()
    try:
        said, p = method(s, labelled)
        seconds = time.perf_counter() - start
        return {**judge(s, labelled, said, p), "seconds": seconds}
    except Exception as err:  # the row says so, and the page counts them
        return {"note": f"{type(err).__name__}: {err}"[:200], "seconds": time.perf_counter() - start}


def chosen(task, names):
    known = {**PEERS[task], **OURS[task]}
    groups = {"peers": PEERS[task], "ours": OURS[task], "all": known}
    wanted = {}
    for name in names:
        wanted |= groups.get(name) or ({name: known[name]} if name in known else {})
    return wanted


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--methods", default="all", help="names, or peers, ours, all; commas between")
    ask.add_argument("--sets", help="names, commas between")
    ask.add_argument("--half", choices=("decide", "report"))
    ask.add_argument("--draws", type=int, default=5)
    ask.add_argument("--tag", help="written after the method's name, so that variants of ours stand side by side")
    ask.add_argument("--out", type=Path, default=HERE / "runs.csv")
    ask = ask.parse_args()
    warnings.simplefilter("ignore")
    os.environ["PYTHONWARNINGS"] = "ignore"

    names = ask.sets.split(",") if ask.sets else [n for n in sets.BANK if ask.half in (None, sets.half(n))]
    done = set()
    if ask.out.exists():
        with ask.out.open() as file:
            done = {(r["set"], r["budget"], r["draw"], r["method"]) for r in csv.DictReader(file)}
    with ask.out.open("a", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if file.tell() == 0:
            out.writeheader()
        for name in names:
            start, s = time.perf_counter(), None
            task = sets.BANK[name][1]
            for budget in BUDGETS[task]:
                for draw in range(ask.draws):
                    for method, call in chosen(task, ask.methods.split(",")).items():
                        called = f"{method}@{ask.tag}" if ask.tag else method
                        if (name, budget, str(draw), called) in done:
                            continue
                        s = s or sets.load(name)
                        labelled = draw_labels(s, budget, draw)
                        if labelled is None:
                            continue
                        row = {"set": name, "kind": s.kind, "task": task, "half": sets.half(name), "budget": budget}
                        row |= {"draw": draw, "method": called, "labels": len(labelled)}
                        found = run(call, renamed(s, budget, draw), labelled)
                        out.writerow(row | {k: f"{v:.5g}" if isinstance(v, float) else v for k, v in found.items()})
                    file.flush()
            print(
                f"{name}: {time.perf_counter() - start:.0f} s", flush=True
            )  # no figures: half of them are not to be seen yet


if __name__ == "__main__":
    main()
