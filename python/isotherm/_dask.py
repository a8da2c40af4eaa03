"""The same estimators on a cluster: dask collections in, dask arrays out.

``fit`` surveys every partition where it lies, settles on the client what is open, sums Σ̂ and
L̂ over every partition, merges the sums in a tree and solves on the client. Nothing but surveys,
sums and labels leaves a worker. Partitions are read twice: ``persist`` them if that is dear.
"""

import pickle
import warnings

import dask
import numpy as np
from dask.callbacks import Callback

from . import _dask_tasks as tasks
from ._column import Column
from ._stream import check_passes_by, features_asked, nameless, settle
from .streams import Rows

#: How many surveys or sums one task merges.
FAN = 8

#: A plan or a model is a constant of the graph, so that a worker's death cannot lose it.
_CONSTANTS = {"distributed.admin.large-graph-warning-threshold": "1GB"}


def fit_dask(estimator, X, y):
    """Fits a dask array or dataframe."""
    from . import _core

    check_passes_by(estimator, "a dask collection")
    table = Table(X, without=y if isinstance(y, str) else None)
    encoded, lengths = _labels(estimator, table, y)
    firsts = np.concatenate([[0], np.cumsum(lengths)])
    if len(encoded) != firsts[-1]:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {firsts[-1]} "
            f"rows and y has {len(encoded)} labels"
        )
    recipe = estimator._core_recipe(encoded.task, "table")
    labels = encoded.core()
    work = {"threads": estimator._threads(), "on_event": estimator._on_event()}
    survey = _core.Survey.from_bytes(_surveyed(estimator, table, firsts, labels, recipe))
    plan = _core.Plan.of(recipe, survey, labels, **work)
    sums = _core.Moments.from_bytes(plan, _summed(estimator, table, firsts, plan))
    model = plan.solve(sums, **work)
    return settle(estimator, model, encoded, table.features, table.dim)


class Table:
    """A dask collection of rows, as partitions."""

    def __init__(self, X, without=None):
        if hasattr(X, "chunks"):
            self._array(X, without)
        elif hasattr(X, "to_delayed") and hasattr(X, "columns"):
            self._frame(X, without)
        else:
            raise TypeError(
                f"X must be a dask array or dataframe, got {type(X).__name__}; make one of it"
            )

    def _array(self, X, without):
        if without is not None:
            raise ValueError(
                f"y names a column, {without!r}, but a dask array has no names; give y as an array"
            )
        if X.ndim != 2:
            raise ValueError(f"X must have two dimensions, got shape {X.shape}")
        self.features, self.dim = None, int(X.shape[1])
        self.labels = None
        # A row must be in one piece.
        X = X.rechunk({1: -1})
        self.parts = list(X.to_delayed().ravel())
        known = not any(np.isnan(n) for n in X.chunks[0])
        self.lengths = [int(n) for n in X.chunks[0]] if known else None

    def _frame(self, X, without):
        named = () if without is None else (without,)
        self.features, self.dim = Rows([X._meta_nonempty]).features(without=named)
        if without is not None and without not in list(X.columns):
            raise ValueError(
                f"there is no column {without!r} for the labels; the columns are {list(X.columns)}"
            )
        self.parts = list(X[self.features].to_delayed())
        self.labels = None if without is None else list(X[[without]].to_delayed())
        self.lengths = None


def _labels(estimator, table, y):
    """Labels of all rows, and how many rows each partition has."""
    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None; give "
            f"an array or a dask series, or the name of a column"
        )
    if isinstance(y, str):
        jobs = [dask.delayed(tasks.labels)(p, y) for p in table.labels]
        parts = dask.compute(
            *_watched(estimator, "reading the labels of partitions", jobs, here=True)
        )
        return Column.joined(parts).encoded(estimator), [len(p) for p in parts]
    jobs = [] if table.lengths else [dask.delayed(tasks.count)(p) for p in table.parts]
    if not dask.is_dask_collection(y):
        lengths = table.lengths or list(dask.compute(*jobs))
        return estimator._encode(y), lengths
    if getattr(y, "ndim", 1) != 1:
        values, *lengths = dask.compute(y, *jobs)
        return estimator._encode(values), table.lengths or lengths
    parts = [dask.delayed(tasks.labels)(p) for p in np.ravel(y.to_delayed())]
    parts = _watched(estimator, "reading the labels of partitions", parts, here=True)
    parts, lengths = dask.compute(parts, jobs)
    return Column.joined(parts).encoded(estimator), table.lengths or lengths


def _surveyed(estimator, table, firsts, labels, recipe):
    """The survey of all rows, as bytes."""
    from . import _core

    keep = _core.rows_to_keep(recipe, labels)
    if len(keep) and keep[-1] >= firsts[-1]:
        raise ValueError(f"row {keep[-1]} cannot be a landmark: there are {firsts[-1]} rows")
    size = _core.sample_size(recipe, int(firsts[-1]))
    seed = recipe["seed"]
    cuts = np.searchsorted(keep, firsts)
    jobs = [
        dask.delayed(tasks.survey, pure=True)(
            part,
            table.features,
            int(firsts[k]),
            keep[cuts[k] : cuts[k + 1]] - firsts[k],
            size,
            seed,
        )
        for k, part in enumerate(table.parts)
    ]
    jobs = _watched(estimator, "looking through partitions", jobs)
    found = _tree(jobs, tasks.merge_surveys).compute()
    if found is None:
        raise ValueError("X has no rows; give at least two, one of them labelled")
    return found


def _summed(estimator, table, firsts, plan):
    """The sums over all rows, as bytes."""
    parcel = _constant(tasks.Parcel(plan.to_bytes()), "plan")
    jobs = [
        dask.delayed(tasks.moments, pure=True)(part, table.features, int(first), parcel)
        for part, first in zip(table.parts, firsts[:-1], strict=True)
    ]
    with dask.config.set(_CONSTANTS):
        jobs = _watched(estimator, "summing over partitions", jobs)
        return _tree(jobs, tasks.merge_moments, parcel).compute()


def _watched(estimator, phase, jobs, here=False):
    """The jobs, or where ``verbose`` asks for lines their results, once all of them are there.

    The lines are told on the client, whatever runs the jobs. Results stay on the workers unless
    they are wanted ``here``.
    """
    tell = estimator._on_steps(phase, len(jobs))
    if tell is None:
        return jobs
    client = getattr(dask.base.get_scheduler(), "__self__", None)
    if client is not None and hasattr(client, "scheduler_info"):
        from distributed import as_completed

        futures = client.compute(jobs)
        for done, _ in enumerate(as_completed(futures), 1):
            tell(done)
        return client.gather(futures) if here else futures
    done = _Done({job.key for job in jobs}, tell)
    with done:
        return list(dask.compute(*jobs))


class _Done(Callback):
    """Counts the tasks that a scheduler in this process has done."""

    def __init__(self, keys, tell):
        super().__init__(posttask=self._count)
        self.keys, self.tell, self.done = keys, tell, 0

    def _count(self, key, result, tasks, state, worker):
        if key in self.keys:
            self.done += 1
            self.tell(self.done)


def _tree(jobs, merge, *more):
    """Results merged ``FAN`` at a time, until one is left."""
    merge = dask.delayed(merge, pure=True)
    while True:
        jobs = [merge(jobs[k : k + FAN], *more) for k in range(0, len(jobs), FAN)]
        if len(jobs) == 1:
            return jobs[0]


def _constant(parcel, what):
    """A parcel as one key of the graph."""
    return dask.delayed(parcel, name=f"isotherm-{what}-{parcel.digest}", traverse=False)


def predict_dask(estimator, X, what):
    """The answers of method ``what`` as a dask array, block by block."""
    if estimator._shape != "table":
        raise ValueError(
            f"a model of kernel={estimator.kernel!r} predicts from links or similarities in "
            f"memory, not from a dask collection; call predict on parts of them"
        )
    X = _blocks(estimator, X)
    plain = nameless(estimator)
    plain.n_jobs = 1
    like = _like(plain, what)
    parcel = _constant(tasks.Parcel(pickle.dumps(plain)), "model")
    shape = {"drop_axis": 1} if like.ndim == 1 else {"chunks": (X.chunks[0], (like.shape[1],))}
    return X.map_blocks(
        tasks.answer, parcel=parcel, what=what, like=like, dtype=like.dtype, meta=like, **shape
    )


def _like(plain, what):
    """An empty answer, from one row of zeros that is thrown away."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(plain, what)(np.zeros((1, plain.n_features_in_)))[:0]


def _blocks(estimator, X):
    """X as a dask array whose rows are in one piece, features in the order of the fit."""
    if hasattr(X, "to_dask_array"):
        features = features_asked(estimator, Rows([X._meta_nonempty]))
        if features is None:
            features = Rows([X._meta_nonempty]).features()[0]
        absent = [name for name in features if name not in list(X.columns)]
        if absent:
            raise ValueError(
                f"there is no column {absent[0]!r}, which the features include; the columns are "
                f"{list(X.columns)}"
            )
        X = X[features].to_dask_array()
    if not hasattr(X, "map_blocks") or X.ndim != 2:
        raise ValueError("X must be a dask array of two dimensions or a dask dataframe")
    if X.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input"
        )
    if X.dtype.kind not in "biuf":
        raise ValueError(f"X must hold numbers, got {X.dtype}")
    return X.rechunk({1: -1})
