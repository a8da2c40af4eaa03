"""Runs methods on the bank, one row of the CSV for every set, budget, draw and method; what has a row is not run again.

python run.py                                        # all sets, into runs.csv
python run.py --methods auto --half decide --tag NAME --out x.csv
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
from methods import CHOOSERS, NEW, OURS, PEERS

COLUMNS = "set kind half budget draw method labels choosing judged accuracy macro_f1 seconds note".split()
FEW = ("2 per class", "5 per class", "20 per class", "30 random", "100 random")
BUDGETS = {
    "public": ("public",),
    "random": ("20 per class", "10 % new", "10 % there", "50 % new", "50 % there"),
    "random, no features": ("20 per class",),
    "links": FEW,
    "small": FEW,
    "movies": ("5 per class", "20 per class", "100 random"),
    "blocks": ("5 per class", "20 per class"),
    "roles": ("5 per class", "20 per class"),
}
DRAWS = {"small": 10, "roles": 10, "random": 5, "links": 5, "public": 5, "blocks": 5, "movies": 5}
LARGE, FEWER = 10_000, 3  # draws of sets with more nodes
CELLS = 20_000_000  # of a table; more is not made dense
ABSENT = ("cora.largest", "citeseer.largest", "pubmed.largest", "amazon_photo.largest")  # for new nodes
HERE = Path(__file__).parent


def drawn(s, budget, draw):
    """Labelled rows, and the nodes that are absent from the fit or (`there`) the same nodes but present."""
    if budget == "public":
        return s.split[0], None
    absent = None
    known = s.y >= 0
    if budget.split()[1] == "%":
        share = budget.split()[0]
        rng = np.random.default_rng(sets.seed(s.name, share, draw))
        absent = np.sort(rng.permutation(len(s.y))[: len(s.y) * int(share) // 100])
        known[absent] = False
        count, how = 20, "per"
    else:
        rng = np.random.default_rng(sets.seed(s.name, budget, draw))
        count, how = int(budget.split()[0]), budget.split()[1]
    if how == "random":
        if count > known.sum() / 3:
            return None, None
        while True:  # a draw of a single class says nothing
            rows = rng.permutation(np.flatnonzero(known))[:count]
            if len(np.unique(s.y[rows])) > 1:
                return rows, absent
    if count * (s.classes) > known.sum() / 3:
        return None, None
    of = [rng.permutation(np.flatnonzero(known & (s.y == c))) for c in range(s.classes)]
    return np.concatenate([rows[: min(count, len(rows) // 2)] for rows in of]), absent


def renamed(s, budget, draw):
    """Class codes in another order for every draw, so that a method that cannot tell classes apart gains nothing."""
    order = np.random.default_rng(sets.seed(s.name, budget, draw, "order")).permutation(s.classes)
    return replace(s, y=np.where(s.y >= 0, order[s.y], -1))


def without(s, absent):
    """The set as it was before those nodes came, and where its nodes are in the whole."""
    rows = np.setdiff1d(np.arange(len(s.y)), absent)
    part = replace(s, A=s.A[rows][:, rows].tocsr(), X=None if s.X is None else s.X[rows], y=s.y[rows])
    return part, rows


def run(method, s, budget, draw, choosing):
    labelled, absent = drawn(s, budget, draw)
    choose = s.split[1] if choosing else None
    judged = np.setdiff1d(np.flatnonzero(s.y >= 0), labelled)
    if s.split is not None:
        judged = np.intersect1d(s.split[2], judged)
    elif absent is not None:
        judged = np.intersect1d(absent, judged)
    out = {"labels": len(labelled), "choosing": 0 if choose is None else len(choose), "judged": len(judged)}
    s = renamed(s, budget, draw)
    fit, train = s, labelled
    if budget.endswith("new"):
        fit, rows = without(s, absent)
        train = np.searchsorted(rows, labelled)
    shown = train if choose is None else np.concatenate([train, choose])
    fit = replace(fit, y=np.where(np.isin(np.arange(len(fit.y)), shown), fit.y, -1))  # nothing else is handed on
    then = fit if fit.A is s.A else replace(s, y=np.full(len(s.y), -1), old=rows)
    start = time.perf_counter()
    try:
        said = method(fit, train, choose, sets.seed(s.name, budget, draw), then)
        seconds = time.perf_counter() - start
        if isinstance(said, tuple):  # work that is kept from one draw to the next
            said, more = said
            seconds += more
        y, said = s.y[judged], said[judged]
        f1 = f1_score(y, said, labels=np.arange(s.classes), average="macro", zero_division=0)
        return {**out, "accuracy": np.mean(y == said), "macro_f1": f1, "seconds": seconds}
    except Exception as err:  # the row says so, and the page counts them
        return {**out, "note": f"{type(err).__name__}: {err}"[:200], "seconds": time.perf_counter() - start}


def calls(s, budget, names):
    """Methods that make sense here: name → (method, whether it may look at the choosing rows)."""
    peers = PEERS["links" if s.X is None else "features"]
    if "%" in budget:
        peers = {name: peers[name] for name in NEW}
    if s.X is None and len(s.y) > 13_000:  # a column a node
        peers = {name: call for name, call in peers.items() if name != "gcn_identity"}
    out = {name: (call, False) for name, call in peers.items()}
    if budget == "public":
        out |= {f"{name}+500": (peers[name], True) for name in CHOOSERS}
    mine = {name: (call, False) for name, call in OURS.items() if name in ("auto", "stkr") or "%" not in budget}
    if s.X is None:
        mine.pop("auto_table", None)
    elif s.X.shape[0] * s.X.shape[1] > CELLS:
        mine.pop("auto_table", None)
        mine.pop("command", None)
    groups = {"peers": out, "ours": mine}
    known = groups["peers"] | groups["ours"]
    wanted = {}
    for name in names:
        wanted |= groups.get(name) or ({name: known[name]} if name in known else known if name == "all" else {})
    return wanted


def draws_of(s, most):
    most = min(most, DRAWS.get(s.kind, 5))
    return min(most, FEWER) if len(s.y) > LARGE and s.kind != "public" else most


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--methods", default="all", help="names, or peers, ours, all; commas between")
    ask.add_argument("--sets", help="names, commas between")
    ask.add_argument("--kinds", help="kinds of sets, / between")
    ask.add_argument("--half", choices=("decide", "report"))
    ask.add_argument("--draws", type=int, default=10, help="at most; large sets have fewer")
    ask.add_argument("--again", action="store_true", help="also what has a row; the later row counts")
    ask.add_argument("--tag", help="written after the method's name, so that variants of ours stand side by side")
    ask.add_argument("--out", type=Path, default=HERE / "runs.csv")
    ask = ask.parse_args()
    warnings.simplefilter("ignore")

    names = ask.sets.split(",") if ask.sets else [n for n in sets.BANK if ask.half in (None, sets.half(n))]
    if ask.kinds:
        names = [n for n in names if sets.BANK[n][0] in ask.kinds.split("/")]
    done = set()
    if ask.out.exists() and not ask.again:
        with ask.out.open() as file:
            done = {(r["set"], r["budget"], r["draw"], r["method"]) for r in csv.DictReader(file)}
    with ask.out.open("a", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if file.tell() == 0:
            out.writeheader()
        for draw in range(ask.draws):  # the first draw of everything before the second of anything
            for name in names:
                start, s = time.perf_counter(), sets.load(name)
                if draw >= draws_of(s, ask.draws):
                    continue
                for budget in BUDGETS[s.kind]:
                    if "%" in budget and name not in ABSENT:
                        continue
                    for method, (call, choosing) in calls(s, budget, ask.methods.split(",")).items():
                        called = f"{method}@{ask.tag}" if ask.tag else method
                        if (name, budget, str(draw), called) in done or drawn(s, budget, draw)[0] is None:
                            continue
                        row = {"set": name, "kind": s.kind, "half": sets.half(name), "budget": budget, "draw": draw}
                        row |= {"method": called, **run(call, s, budget, draw, choosing)}
                        out.writerow({k: f"{v:.5g}" if isinstance(v, float) else v for k, v in row.items()})
                        file.flush()
                # no figures: half of them are not to be seen yet
                print(f"{name}, draw {draw}: {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
