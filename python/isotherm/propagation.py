"""Label propagation on graphs and neighbours."""

from typing import Any

from ._classifier import ClassifierBase
from ._constraints import any_of, integers, reals, words
from ._docs import documented
from ._typing import ArrayLike, Labels, RandomState, Samples, Self
from ._walk import CONSTRAINTS, Walk

#: Where labels travel well: between the rows of a table, and along a given graph.
ETAS = {"table": 0.99, "graph": 0.9}


@documented(tol="1e-12")
class LabelPropagation(Walk, ClassifierBase):
    """Classes by label propagation, ``F = (I − ηS)⁻¹ Y``.  [Zhou et al. 2003; STKR Eqn 22]

    ``S = D^-½ W D^-½`` of a graph, or of the nearest neighbours of a table's rows.

    <<weights>>

    Parameters
    ----------
    eta : float or "auto", default="auto"
        How far labels travel, 0 ≤ η < 1; ``"auto"``: 0.99 between rows, 0.9 along a graph.
    kernel : {"auto", "knn", "graph"}, default="auto"
        As in :class:`STKRClassifier`.
    <<n_neighbors>>
    steps : int, default=None
        Exactly so many steps ``F ← ηSF + Y`` from zero instead of the solution.
    center_labels : bool, default=False
        Whether the labels' mean and the modes that are constant on a part of the graph are taken
        off; scores then do not depend on η much.
    <<stopping>>
    <<standardize>>
    <<unlabeled>>
    <<common>>

    Attributes
    ----------
    <<classifier_attributes>>
    <<attributes>>

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import LabelPropagation
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> LabelPropagation(n_neighbors=2).fit(X, [0, -1, -1, 1, -1, -1]).transduction_.tolist()
    [0, 0, 0, 1, 1, 1]
    """

    _parameter_constraints = {
        **CONSTRAINTS,
        "eta": any_of(words("auto"), reals(0, 1, "left")),
        "steps": any_of(integers(1), None),
        "center_labels": any_of("boolean"),
        "unlabeled": "no_validation",
    }

    def __init__(
        self,
        eta: float | str = "auto",
        *,
        kernel: str = "auto",
        n_neighbors: int | None = None,
        steps: int | None = None,
        center_labels: bool = False,
        tol: float = 1e-12,
        max_iter: int = 10_000,
        standardize: bool = False,
        unlabeled: Any = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.eta = eta
        self.kernel = kernel
        self.n_neighbors = n_neighbors
        self.steps = steps
        self.center_labels = center_labels
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _method(self, task, shape, reduced=None):
        centred = bool(self.center_labels)
        return {
            "kind": "label-propagation",
            "eta": ETAS[shape] if isinstance(self.eta, str) else self.eta,
            "steps": self.steps,
            "tolerance": self.tol,
            "iterations": self.max_iter,
            "centre_labels": centred,
            "trivial_mode": "remove" if centred else "keep",
        }

    @classmethod
    def _read_params(cls, recipe, info):
        method = recipe["method"]
        return {
            **cls._read_walk(recipe, info),
            "eta": method["eta"],
            "steps": method.get("steps"),
            "center_labels": method["centre_labels"],
        }

    def fit(self, X: Samples, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Fits labelled and unlabelled rows or nodes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All rows, or a graph.
        y : array-like of shape (n_samples,)
            Classes; see ``unlabeled`` for rows without one.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each label counts.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)
