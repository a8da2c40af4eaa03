"""How often the interval of `estimate_accuracy` for the default holds the true accuracy on the unlabelled rows.

python coverage.py --out coverage.csv        # random labels only: the interval assumes them
"""

import argparse
import csv
import warnings
from pathlib import Path

import numpy as np

import sets
from methods import marked
from run import draw_labels

HERE = Path(__file__).parent
COLUMNS = "set kind half budget draw value low high truth covered".split()


def judged(s, labelled):
    """The estimate with its interval, and the truth."""
    import isotherm

    y = marked(s, labelled)
    model = isotherm.AutoClassifier(n_jobs=1).fit(s.X, y)
    found = isotherm.estimate_accuracy(model, s.X, y)
    measure = next(m for m in found.measures if m.name == "accuracy" and "unlabelled" in m.estimand)
    rest = y < 0
    truth = np.mean(model.transduction_[rest] == s.y[rest])
    low, high = measure.interval
    return {"value": measure.value, "low": low, "high": high, "truth": truth, "covered": int(low <= truth <= high)}


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--draws", type=int, default=3)
    ask.add_argument("--out", type=Path, default=HERE / "coverage.csv")
    ask = ask.parse_args()
    warnings.simplefilter("ignore")
    done = []
    with ask.out.open("w", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        out.writeheader()
        for name in sets.BANK:
            if sets.BANK[name][1] != "classes":
                continue
            s = sets.load(name)
            for budget in ("30 random", "100 random"):
                for draw in range(ask.draws):
                    labelled = draw_labels(s, budget, draw)
                    if labelled is None:
                        continue
                    row = {"set": name, "kind": s.kind, "half": sets.half(name), "budget": budget, "draw": draw}
                    row |= {k: round(float(v), 5) for k, v in judged(s, labelled).items()}
                    out.writerow(row)
                    done.append((budget, row["covered"], row["high"] - row["low"]))
            file.flush()
    for budget in ("30 random", "100 random"):
        rows = [(covered, width) for b, covered, width in done if b == budget]
        covered, width = np.mean(rows, axis=0)
        print(f"{budget}: {100 * covered:.1f} % of {len(rows)} intervals hold the truth, mean width {width:.3f}")


if __name__ == "__main__":
    main()
