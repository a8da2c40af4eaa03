"""Semi-supervised learning: labels for all rows, a model for new ones, an accuracy to trust.

Names are loaded when they are first used, so that ``import isotherm`` costs nothing.
"""

import importlib

#: Every public name, and the room it lives in.
_ROOMS = {
    "auto": ("AutoClassifier", "AutoRegressor"),
    "stkr": ("STKRClassifier", "STKRRegressor"),
    "laplacian": ("LaplacianClassifier", "LaplacianRegressor"),
    "propagation": ("LabelPropagation",),
    "harmonic": ("HarmonicClassifier", "HarmonicRegressor"),
    "ridge": ("KernelRidge", "KernelRidgeClassifier"),
    "embedding": ("SpectralEmbedding",),
    "encoding": ("TableEncoder",),
    "partial": ("PartialLabelClassifier",),
    "multilabel": ("MultiLabelClassifier",),
    "ranking": ("LabelRanker",),
    "_transforms": (
        "Diffusion",
        "InverseLaplacian",
        "Polynomial",
        "Power",
        "Reciprocal",
        "Truncation",
    ),
    "_filters": ("CutOff", "GradientFlow", "Heat", "Landweber", "Tikhonov"),
    "_persist": ("load",),
    "batch": ("BatchPredictor",),
    "model_selection": ("SemiSupervisedSplit", "select_parameters"),
    "trust": ("conformal_sets", "estimate_accuracy"),
    "active": ("suggest",),
    "graphs": ("knn_graph",),
    "_versions": ("show_versions",),
    "_core": ("__version__",),
}

#: Public modules.
_MODULES = (
    "batch",
    "datasets",
    "displays",
    "exceptions",
    "model_selection",
    "spark",
    "streams",
    "testing",
)

_PLACES = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = sorted([*(n for n in _PLACES if n != "__version__"), *_MODULES])


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name not in _PLACES:
        raise AttributeError(f"module 'isotherm' has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_PLACES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *__all__, "__version__"])
