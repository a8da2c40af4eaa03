"""Kernel Laplacian regularisation.  [KLAP]"""

from ._laplacian import Laplacian
from ._linked import LinkedClassifier, LinkedRegressor


class LaplacianClassifier(Laplacian, LinkedClassifier):
    """Classes by kernel Laplacian regularisation.

    ``ĝ = argmin ‖g − Y‖²_labels + λ(‖∇g‖²_all + μ‖g‖²)`` over functions of a kernel, for Tikhonov;
    other filters ψ act on the pencil ``(Σ̂, L̂ + μ)`` alike.  [KLAP Eqs 5 and 7]

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import LaplacianClassifier, Tikhonov
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> y = ["a", "", "", "b", "", ""]
    >>> model = LaplacianClassifier(bandwidth=1.0, filter=Tikhonov(1e-2)).fit(X, y)
    >>> model.predict([[0.15], [5.15]]).tolist()
    ['a', 'b']
    """

    _counts_numbers = False


class LaplacianRegressor(Laplacian, LinkedRegressor):
    """Values by kernel Laplacian regularisation.

    ``ĝ = argmin ‖g − y‖²_labels + λ(‖∇g‖²_all + μ‖g‖²)`` over functions of a kernel, for Tikhonov;
    with ``fit_intercept=False`` that is exactly what ``predict`` returns.  [KLAP Eqs 5 and 7]

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import LaplacianRegressor, Tikhonov
    >>> X = np.linspace(0, 1, 12)[:, None]
    >>> y = np.full(12, np.nan)
    >>> y[[0, 11]] = 0.0, 1.0
    >>> model = LaplacianRegressor(bandwidth=0.3, filter=Tikhonov(1e-3)).fit(X, y)
    >>> bool(model.predict([[0.1]])[0] < model.predict([[0.9]])[0])
    True
    """

    _counts_numbers = True
