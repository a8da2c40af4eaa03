"""What people would type, and what we would have them type.

Each method: (set, labelled rows) → classes and probabilities, or numbers, for every row of the set.
"""

from functools import partial

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.svm import SVC


def scaled(s):
    """Columns of mean 0 and variance 1 over all rows; texts stay rows of length 1, as a careful person leaves them."""
    return s.X if s.kind == "texts" else StandardScaler().fit_transform(s.X)


def marked(s, labelled):
    """y with the marker of an unlabelled row everywhere else."""
    y = np.full(len(s.y), -1 if s.task == "classes" else np.nan, dtype=s.y.dtype)
    y[labelled] = s.y[labelled]
    return y


def spread(probabilities, classes, s):
    """One column for every class of the set, also those that no label shows."""
    out = np.zeros((len(s.y), s.y.max() + 1))
    out[:, classes] = np.nan_to_num(probabilities, nan=1 / len(classes))
    return out


def supervised(make, s, labelled, scale=True):
    X = scaled(s) if scale else s.X
    model = make().fit(X[labelled], s.y[labelled])
    if s.task == "values":
        return model.predict(X), None
    if not hasattr(model, "predict_proba"):
        return model.predict(X), None
    p = model.predict_proba(X)
    return model.classes_[p.argmax(1)], spread(p, model.classes_, s)


def spreading(s, labelled):
    model = LabelSpreading(kernel="knn").fit(scaled(s), marked(s, labelled))
    return model.transduction_, spread(model.label_distributions_, model.classes_, s)


def self_training(s, labelled):
    X = scaled(s)
    model = SelfTrainingClassifier(LogisticRegression(max_iter=1000)).fit(X, marked(s, labelled))
    p = model.predict_proba(X)
    return model.classes_[p.argmax(1)], spread(p, model.classes_, s)


def kernel_rbf(s, labelled):
    """scikit-learn's kernel ridge has no intercept: the mean of the labels is taken off and added again."""
    X, mean = scaled(s), s.y[labelled].mean()
    model = KernelRidge(kernel="rbf", gamma=1 / X.shape[1]).fit(X[labelled], s.y[labelled] - mean)
    return model.predict(X) + mean, None


def ours(name, s, labelled, **parameters):
    import isotherm  # absent while only peers run

    model = getattr(isotherm, name)(n_jobs=1, **parameters).fit(s.X, marked(s, labelled))
    if s.task == "values":
        return model.transduction_, None
    return model.transduction_, spread(model.label_distributions_, model.classes_, s)


PEERS = {
    "classes": {
        "spreading": spreading,
        "nearest": partial(supervised, partial(KNeighborsClassifier, 1)),
        "forest": partial(supervised, partial(RandomForestClassifier, random_state=0), scale=False),
        "logistic": partial(supervised, partial(LogisticRegression, max_iter=1000)),
        "self_training": self_training,
        "svc": partial(supervised, SVC),
        "boosting": partial(supervised, partial(HistGradientBoostingClassifier, random_state=0), scale=False),
        "majority": partial(supervised, DummyClassifier),
    },
    "values": {
        "ridge": partial(supervised, RidgeCV),
        "forest": partial(supervised, partial(RandomForestRegressor, random_state=0), scale=False),
        "neighbours": partial(supervised, KNeighborsRegressor),
        "kernel_rbf": kernel_rbf,
        "mean": partial(supervised, DummyRegressor),
    },
}

OURS = {
    "classes": {
        "kernel_ridge": partial(ours, "KernelRidgeClassifier", standardize=True),
        "stkr": partial(ours, "STKRClassifier", standardize=True),
        "auto": partial(ours, "AutoClassifier"),
    },
    "values": {
        "kernel_ridge": partial(ours, "KernelRidge", standardize=True),
        "auto": partial(ours, "AutoRegressor"),
    },
}
