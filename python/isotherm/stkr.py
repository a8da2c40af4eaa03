"""Spectrally transformed kernel regression.  [STKR]"""

from ._linked import LinkedClassifier, LinkedRegressor
from ._stkr import STKR


class STKRClassifier(STKR, LinkedClassifier):
    """Classes by spectrally transformed kernel regression.

    ``f = Kₛ(·, X_l) α̂`` with ``(G_{Kₛ,n} + nβI) α̂ = Y``, where ``Kₛ = Σᵢ s(λᵢ) ψᵢψᵢᵀ`` transforms
    the spectrum of a base kernel over all rows, labelled or not.  [STKR Eqns 4–5]

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import STKRClassifier
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> y = [0, -1, -1, 1, -1, -1]
    >>> model = STKRClassifier(n_neighbors=2).fit(X, y)
    >>> model.transduction_.tolist()
    [0, 0, 0, 1, 1, 1]
    >>> model.predict([[0.15], [5.15]]).tolist()
    [0, 1]
    """


class STKRRegressor(STKR, LinkedRegressor):
    """Values by spectrally transformed kernel regression.

    ``f = Kₛ(·, X_l) α̂`` with ``(G_{Kₛ,n} + nβI) α̂ = y``; with ``center_labels=False`` that is
    exactly what ``predict`` returns, else labels are fitted about their mean.  [STKR Eqns 4–5]

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import STKRRegressor
    >>> X = np.linspace(0, 1, 12)[:, None]
    >>> y = np.full(12, np.nan)
    >>> y[[0, 11]] = 0.0, 1.0
    >>> model = STKRRegressor("gaussian", bandwidth=0.3).fit(X, y)
    >>> bool(model.predict([[0.1]])[0] < model.predict([[0.9]])[0])
    True
    """
