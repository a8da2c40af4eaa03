"""scikit-learn's LabelSpreading on a table and several sets of labelled rows; prints JSON.

Usage: spread.py TABLE.npy CLASSES.npy SPLITS.json

Columns are standardised as ours are. One line: per cent wrong on the other rows, a number
a split, for kernel='knn' with everything else at its default.
"""

import json
import sys
import warnings

import numpy as np
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading

warnings.filterwarnings("ignore")


def main():
    x = StandardScaler().fit_transform(np.load(sys.argv[1]))
    y = np.load(sys.argv[2])
    out = []
    for split in json.load(open(sys.argv[3])):
        labels = np.full(len(y), -1)
        labels[split] = y[split]
        found = LabelSpreading(kernel="knn").fit(x, labels).transduction_
        rest = np.ones(len(y), bool)
        rest[split] = False
        out.append(float(100 * np.mean(found[rest] != y[rest])))
    print(json.dumps(out))


if __name__ == "__main__":
    main()
