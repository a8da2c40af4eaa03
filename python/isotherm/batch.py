"""A model as a function of batches, for engines that bring rows to code."""

import os

from ._columns_out import answered, check_one_label, with_columns


class BatchPredictor:
    """Adds a model's answers to batches of rows; made for Ray's ``map_batches``.

    It can be pickled, and the file is read once in a process, when the first batch comes. Give
    engines the class and the path, or the object: both work.

    Parameters
    ----------
    path : str or path-like
        A model file, which every worker can read.
    n_jobs : int, default=1
        Threads of one call; engines run one call on each processor already.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> import pandas as pd
    >>> from isotherm import LaplacianClassifier, Tikhonov
    >>> from isotherm.batch import BatchPredictor
    >>> rows = pd.DataFrame({"x": [0.0, 0.1, 0.2, 5.0, 5.1, 5.2]})
    >>> y = ["a", None, None, "b", None, None]
    >>> model = LaplacianClassifier(bandwidth=1.0, filter=Tikhonov(1e-2)).fit(rows, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.iso")
    ...     model.save(path)
    ...     out = BatchPredictor(path)({"id": np.array([7, 8]), "x": np.array([0.3, 4.9])})
    >>> out["id"].tolist(), out["iso_label"].tolist()
    ([7, 8], ['a', 'b'])
    """

    def __init__(self, path, n_jobs=1):
        self.path = os.fspath(path)
        self.n_jobs = n_jobs
        self._model = None

    def __call__(self, batch):
        """Answers beside the rows.

        Parameters
        ----------
        batch : dict of arrays, pyarrow table or record batch, pandas or polars frame
            Rows; features are found by the names of the fit, other columns are kept.

        Returns
        -------
        same kind as ``batch``
            With ``iso_label`` (strings for classes, floats for values; missing where no label
            reaches), ``iso_confidence`` (classes only) and ``iso_reached``.
        """
        return with_columns(batch, answered(self._loaded(), batch))

    def _loaded(self):
        if self._model is None:
            self._model = loaded(self.path, self.n_jobs)
        return self._model

    def __getstate__(self):
        return {"path": self.path, "n_jobs": self.n_jobs, "_model": None}


#: Estimators read in this process, by path, age and threads.
_LOADED = {}


def loaded(path, n_jobs):
    """The estimator in a file, read once in a process unless the file changes."""
    from ._persist import load

    found = os.stat(path)
    key = (os.path.abspath(path), found.st_mtime_ns, found.st_size, n_jobs)
    if key not in _LOADED:
        estimator = check_one_label(load(path))
        estimator.n_jobs = n_jobs
        _LOADED.clear()
        _LOADED[key] = estimator
    return _LOADED[key]
