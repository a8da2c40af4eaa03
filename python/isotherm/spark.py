"""A model as a function for Spark's ``mapInArrow``."""

from .batch import BatchPredictor

#: What is added to a row, as Spark writes types: for classes and for values.
CLASSES = "iso_label string, iso_confidence double, iso_reached boolean"
VALUES = "iso_label double, iso_reached boolean"


class _InArrow:
    """Record batches → record batches with answers; can be pickled."""

    def __init__(self, path):
        self._predict = BatchPredictor(path)

    def __call__(self, batches):
        for batch in batches:
            yield self._predict(batch)


def predict_in_arrow(path):
    """A function for ``DataFrame.mapInArrow``.

    Parameters
    ----------
    path : str or path-like
        A model file, which every executor can read.

    Returns
    -------
    callable
        From an iterator of record batches to one of record batches with ``iso_label``,
        ``iso_confidence`` (classes only) and ``iso_reached`` added.

    Examples
    --------
    >>> import os, tempfile
    >>> import pandas as pd
    >>> import pyarrow as pa
    >>> from isotherm import LaplacianClassifier, Tikhonov
    >>> from isotherm.spark import predict_in_arrow
    >>> rows = pd.DataFrame({"x": [0.0, 0.1, 0.2, 5.0, 5.1, 5.2]})
    >>> y = ["a", None, None, "b", None, None]
    >>> model = LaplacianClassifier(bandwidth=1.0, filter=Tikhonov(1e-2)).fit(rows, y)
    >>> batch = pa.RecordBatch.from_pydict({"x": [0.3, 4.9]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.iso")
    ...     model.save(path)
    ...     [out] = predict_in_arrow(path)([batch])
    >>> out.column("iso_label").to_pylist()
    ['a', 'b']
    """
    return _InArrow(path)


def schema_with(schema, path):
    """The schema of the answers, as ``mapInArrow`` wants it.

    Parameters
    ----------
    schema : str
        The schema of the rows in Spark's words, such as ``"id long, x double"``.
    path : str or path-like
        The model file.

    Returns
    -------
    str
        The same with our columns.

    Examples
    --------
    >>> import os, tempfile
    >>> from isotherm import LaplacianRegressor
    >>> from isotherm.spark import schema_with
    >>> nan = float("nan")
    >>> model = LaplacianRegressor().fit([[0.0], [0.1], [0.2], [0.3]], [0.0, nan, nan, 1.0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.iso")
    ...     model.save(path)
    ...     schema_with("x double", path)
    'x double, iso_label double, iso_reached boolean'
    """
    from .batch import loaded

    classes = hasattr(loaded(path, 1), "classes_")
    return f"{schema}, {CLASSES if classes else VALUES}"
