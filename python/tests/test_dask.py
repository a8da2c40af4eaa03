"""The same estimators on a cluster of two processes that talk over TCP."""

import os
import time

import numpy as np
import pandas as pd
import pytest
from passing import SAID, classifier, clouds, frame

from isotherm import LaplacianClassifier, LaplacianRegressor, STKRClassifier, Tikhonov

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402

#: More rows than a sample holds, so that sums are what is solved with.
X, Y, TRUTH = clouds(n=24_000, labels=60)
NAMES = ["f0", "f1", "f2", "f3"]


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes, restarted if they die."""
    paths = os.pathsep.join([os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")])
    with (
        dask.config.set({"distributed.nanny.environ.PYTHONPATH": paths}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            protocol="tcp://",
            dashboard_address=None,
            memory_limit=0,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert client.scheduler.address.startswith("tcp://")
        yield client


@pytest.fixture(scope="module")
def here():
    """The fit on one machine, all rows in memory."""
    return classifier().fit(X, Y)


def table():
    return frame(X, Y).to_pandas()


@pytest.mark.parametrize("parts", [1, 2, 8])
def test_a_frame_is_fitted_as_on_one_machine(cluster, here, parts):
    rows = dd.from_pandas(table(), npartitions=parts)
    model = classifier().fit(rows, "label")
    assert list(model.feature_names_in_) == NAMES
    assert model.classes_.tolist() == ["down", "up"]
    assert model.report_["rows"] == len(X)
    expected = here.predict_proba(X)
    plain = model.decision_function(pd.DataFrame(X, columns=NAMES))
    np.testing.assert_allclose(plain, here.decision_function(X), rtol=0, atol=1e-8)
    scores = model.decision_function(rows)
    assert isinstance(scores, da.Array)
    np.testing.assert_allclose(scores.compute(), here.decision_function(X), rtol=0, atol=1e-8)
    shares = model.predict_proba(rows)
    np.testing.assert_allclose(shares.compute(), expected, rtol=0, atol=1e-8)
    assert (model.predict(rows).compute() == here.predict(X)).all()


def test_a_number_that_cannot_be_used_is_named_by_its_row_among_all(cluster):
    bad = X.copy()
    row = len(X) - 7
    bad[row, 1] = np.nan
    with pytest.raises(ValueError, match=f"row {row}, column 1: NaN"):
        classifier().fit(da.from_array(bad, chunks=(len(X) // 8, 3)), Y)


@pytest.mark.parametrize("parts", [1, 2, 8])
def test_an_array_is_fitted_as_on_one_machine(cluster, here, parts):
    rows = da.from_array(X, chunks=(len(X) // parts, 3))
    model = classifier().fit(rows, Y)
    assert not hasattr(model, "feature_names_in_")
    scores = model.decision_function(rows)
    assert scores.chunks[0] == rows.chunks[0]
    np.testing.assert_allclose(scores.compute(), here.decision_function(X), rtol=0, atol=1e-8)


def test_few_rows_with_everything_open_are_fitted_as_in_memory(cluster):
    x, y = X[:3000], Y[:3000]
    expected = LaplacianClassifier().fit(x, y)
    model = LaplacianClassifier().fit(da.from_array(x, chunks=(700, 4)), y)
    assert model.bandwidth_ == pytest.approx(expected.bandwidth_, rel=1e-12)
    got = model.decision_function(x)
    np.testing.assert_allclose(got, expected.decision_function(x), rtol=0, atol=1e-8)


def test_many_rows_with_much_open_are_fitted_as_in_memory(cluster):
    said = {"landmarks": 60, "filter": Tikhonov(1e-3), "standardize": True}
    expected = LaplacianClassifier(**said).fit(X, Y)
    model = LaplacianClassifier(**said).fit(da.from_array(X, chunks=(5000, 4)), Y)
    assert model.bandwidth_ == pytest.approx(expected.bandwidth_, rel=1e-12)
    got = model.decision_function(X[:2000])
    np.testing.assert_allclose(got, expected.decision_function(X[:2000]), rtol=0, atol=1e-8)


@pytest.mark.parametrize("kind", ["array", "series", "dask array", "dask series", "integers"])
def test_labels_come_in_any_form(cluster, here, kind):
    numbers = np.where(Y == "up", 1, np.where(Y == "down", 0, -1))
    labels = {
        "array": Y,
        "series": pd.Series(Y),
        "dask array": da.from_array(numbers, chunks=5000),
        "dask series": dd.from_pandas(pd.Series(Y, name="label"), npartitions=3),
        "integers": numbers,
    }[kind]
    model = classifier().fit(da.from_array(X, chunks=(6000, 4)), labels)
    got = model.decision_function(X)
    np.testing.assert_allclose(got, here.decision_function(X), rtol=0, atol=1e-8)


def test_partitions_may_be_empty_and_their_lengths_unknown(cluster, here):
    rows = dd.from_pandas(table(), npartitions=4)
    gaps = dd.concat([rows.partitions[[0, 1]], rows[rows["f0"] > 1e9], rows.partitions[[2, 3]]])
    model = classifier().fit(gaps, "label")
    got = model.decision_function(gaps).compute()
    np.testing.assert_allclose(got, here.decision_function(X), rtol=0, atol=1e-8)
    unknown = rows[NAMES].to_dask_array()
    assert np.isnan(unknown.chunks[0]).all()
    got = classifier().fit(unknown, Y).decision_function(X)
    np.testing.assert_allclose(got, here.decision_function(X), rtol=0, atol=1e-8)


def test_landmarks_that_are_named_are_kept(cluster):
    chosen = np.arange(0, len(X), 600)
    expected = classifier(landmarks=chosen).fit(X, Y).decision_function(X[:500])
    model = classifier(landmarks=chosen).fit(da.from_array(X, chunks=(7000, 4)), Y)
    np.testing.assert_allclose(model.decision_function(X[:500]), expected, rtol=0, atol=1e-8)
    with pytest.raises(ValueError, match="row 24000 cannot be a landmark"):
        classifier(landmarks=[0, len(X)]).fit(da.from_array(X, chunks=(7000, 4)), Y)


def test_values_are_fitted_one_or_several(cluster):
    values = np.full(len(X), np.nan)
    values[::400] = X[::400, 0]
    rows = da.from_array(X, chunks=(6000, 4))
    expected = LaplacianRegressor(**SAID).fit(X, values).predict(X)
    model = LaplacianRegressor(**SAID).fit(rows, values)
    np.testing.assert_allclose(model.predict(rows).compute(), expected, rtol=0, atol=1e-8)
    two = np.column_stack([values, 2 * values])
    both = LaplacianRegressor(**SAID).fit(rows, da.from_array(two, chunks=(6000, 2)))
    answers = both.predict(rows)
    assert answers.shape == (len(X), 2)
    np.testing.assert_allclose(
        answers.compute(), np.column_stack([expected, 2 * expected]), rtol=0, atol=1e-7
    )


def killing(part, first, folder, kill):
    """A partition, whose worker dies once, after the first pass and in the middle of the second."""
    seen = os.path.join(folder, f"seen-{first}")
    if os.path.exists(seen) and kill and not os.path.exists(os.path.join(folder, "killed")):
        open(os.path.join(folder, "killed"), "w").close()
        os._exit(9)
    open(seen, "w").close()
    return part


def test_a_worker_that_dies_loses_nothing(cluster, here, tmp_path):
    before = {w["pid"] for w in cluster.run(lambda: {"pid": os.getpid()}).values()}
    parts = [X[k : k + 3000] for k in range(0, len(X), 3000)]
    rows = da.concatenate(
        [
            da.from_delayed(
                dask.delayed(killing)(part, k, str(tmp_path), k == 5), part.shape, part.dtype
            )
            for k, part in enumerate(parts)
        ]
    )
    model = classifier().fit(rows, Y)
    assert (tmp_path / "killed").exists()
    deadline = time.monotonic() + 30
    while len(cluster.scheduler_info()["workers"]) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    after = {w["pid"] for w in cluster.run(lambda: {"pid": os.getpid()}).values()}
    assert before - after, "a worker process should be gone"
    got = model.decision_function(X)
    np.testing.assert_allclose(got, here.decision_function(X), rtol=0, atol=1e-8)


def test_every_estimator_predicts_blocks(cluster):
    y = np.where(Y == "up", 1, np.where(Y == "down", 0, -1))
    model = STKRClassifier(kernel="knn").fit(X[:2000], y[:2000])
    rows = da.from_array(X[2000:4000], chunks=(700, 2))
    np.testing.assert_array_equal(model.predict(rows).compute(), model.predict(X[2000:4000]))
    assert model.predict(rows).dtype == model.classes_.dtype


def test_a_model_is_read_once_in_a_process(cluster):
    from isotherm._dask_tasks import _READ, Parcel

    reads = []
    for _ in range(3):
        Parcel(b"once").read(lambda data: reads.append(data) or data)
    assert reads == [b"once"]
    for k in range(10):
        Parcel(bytes([k])).read(lambda data: data)
    assert len(_READ) <= 4


def test_without_a_cluster_threads_do(here):
    with dask.config.set(scheduler="threads"):
        model = classifier().fit(da.from_array(X, chunks=(6000, 4)), Y)
    np.testing.assert_allclose(
        model.decision_function(X), here.decision_function(X), rtol=0, atol=1e-8
    )


def test_what_cannot_be_is_said(here):
    rows = da.from_array(X, chunks=(6000, 4))
    with pytest.raises(ValueError, match="STKRClassifier needs all rows at once.*dask.*Laplacian"):
        STKRClassifier(kernel="knn").fit(rows, Y)
    with pytest.raises(ValueError, match="a dask array has no names; give y as an array"):
        classifier().fit(rows, "label")
    with pytest.raises(ValueError, match="X has 24000 rows and y has 23999 labels"):
        classifier().fit(rows, Y[:-1])
    with pytest.raises(ValueError, match="y to be passed"):
        classifier().fit(rows)
    frames = dd.from_pandas(table().head(100), npartitions=2)
    with pytest.raises(ValueError, match="no column 'kind' for the labels"):
        classifier().fit(frames, "kind")
    with pytest.raises(ValueError, match="X has 3 features.*expecting 4"):
        here.predict(rows[:, :3])
    labels = ["up" if v > 0 else "down" for v in X[:500, 0]]
    named = classifier().fit(pd.DataFrame(X[:500], columns=NAMES), labels)
    with pytest.raises(ValueError, match="no column 'f3', which the features include"):
        named.predict(frames[["f0", "f1", "f2"]])


@pytest.mark.parametrize("where", ["cluster", "threads"])
def test_a_fit_tells_on_the_client_how_far_it_is(where, cluster, here, capsys):
    rows = dd.from_pandas(table(), npartitions=4)
    with dask.config.set(scheduler="threads" if where == "threads" else cluster):
        model = classifier().set_params(verbose=1).fit(rows, "label")
        said = capsys.readouterr().err
        silent = classifier().fit(rows, "label")
        assert capsys.readouterr().err == ""
    for phase in ("reading the labels of", "looking through", "summing over"):
        lines = [line for line in said.splitlines() if f"LaplacianClassifier: {phase}" in line]
        assert len(lines) == 5, said
        assert lines[-1].endswith("partitions, 4 of 4")
    assert np.array_equal(model._model.to_bytes(), silent._model.to_bytes())
