"""A model as a function of batches: without the engines, and with them where they install."""

import pickle
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from passing import SAID, classifier, clouds

from isotherm import LaplacianRegressor, STKRClassifier
from isotherm.batch import BatchPredictor
from isotherm.spark import predict_in_arrow, schema_with

pa = pytest.importorskip("pyarrow")

X, Y, TRUTH = clouds(n=400, labels=20)
NAMES = ["f0", "f1", "f2", "f3"]
OURS = ["iso_label", "iso_confidence", "iso_reached"]


@pytest.fixture(scope="module")
def told():
    """The model's classes of all rows, by the estimator itself."""
    model = classifier().fit(pd.DataFrame(X, columns=NAMES), Y)
    return model, model.predict(pd.DataFrame(X, columns=NAMES))


@pytest.fixture
def path(told, tmp_path):
    place = tmp_path / "model.iso"
    told[0].save(place)
    return place


def table():
    """Features in another order, other columns between them."""
    columns = {n: X[:, j] for j, n in reversed(list(enumerate(NAMES)))}
    return {"who": np.arange(len(X)), **columns}


@pytest.mark.parametrize(
    "made",
    [
        dict,
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda columns: pa.RecordBatch.from_pydict({n: pa.array(v) for n, v in columns.items()}),
    ],
    ids=["dict", "pandas", "polars", "table", "record batch"],
)
def test_answers_come_beside_the_rows_in_the_kind_of_the_batch(path, told, made):
    batch = made(table())
    out = BatchPredictor(path)(batch)
    assert type(out) is type(batch)
    if hasattr(out, "to_pydict"):
        out = out.to_pydict()
    assert list(out if isinstance(out, dict) else out.columns) == [*table(), *OURS]
    assert np.asarray(out["iso_label"]).tolist() == told[1].tolist()
    assert np.asarray(out["iso_reached"]).all()
    confidence = np.asarray(out["iso_confidence"], dtype=float)
    expected = told[0].predict_proba(pd.DataFrame(X, columns=NAMES)).max(axis=1)
    np.testing.assert_array_equal(confidence, expected)


def test_a_predictor_travels_as_a_path(path, told):
    predictor = BatchPredictor(path)
    predictor(table())
    sent = pickle.dumps(predictor)
    assert len(sent) < 1000
    assert pickle.loads(sent)(table())["iso_label"].tolist() == told[1].tolist()


def test_a_file_is_read_once_in_a_process(path, told, monkeypatch):
    from isotherm import _persist, batch

    batch._LOADED.clear()
    reads = []
    monkeypatch.setattr(_persist, "load", lambda p, load=_persist.load: reads.append(p) or load(p))
    for _ in range(3):
        BatchPredictor(path)(table())
    assert len(reads) == 1


def test_values_have_no_confidence(tmp_path):
    values = np.where(Y == None, np.nan, X[:, 0])  # noqa: E711
    model = LaplacianRegressor(**SAID).fit(pd.DataFrame(X, columns=NAMES), values)
    model.save(tmp_path / "model.iso")
    out = BatchPredictor(tmp_path / "model.iso")(table())
    assert "iso_confidence" not in out
    np.testing.assert_array_equal(out["iso_label"], model.predict(pd.DataFrame(X, columns=NAMES)))
    schema = schema_with("who long", tmp_path / "model.iso")
    assert schema == "who long, iso_label double, iso_reached boolean"


def test_rows_that_no_label_reaches_have_no_label(tmp_path):
    far = np.vstack([X[:50], X[:50] + 1000.0])
    y = [None if v is None else v for v in Y[:50]] + [None] * 50
    y[0], y[1] = "up", "down"
    model = STKRClassifier(kernel="knn", n_neighbors=3).fit(pd.DataFrame(far, columns=NAMES), y)
    reached = model.reached_
    assert not reached.all() and reached.any()
    model.save(tmp_path / "model.iso")
    out = BatchPredictor(tmp_path / "model.iso")(
        pa.table(dict(zip(NAMES, far.T.copy(), strict=True)))
    )
    missing = out.column("iso_label").is_null().to_numpy()
    np.testing.assert_array_equal(missing, ~out.column("iso_reached").to_numpy())
    assert missing.any()


def test_no_rows_give_no_answers_of_the_same_types(path):
    full = BatchPredictor(path)(pa.table(table()))
    assert BatchPredictor(path)(pa.table(table()).slice(0, 0)).schema.types == full.schema.types


def test_what_cannot_be_is_said(path):
    with pytest.raises(TypeError, match="must have named columns, got ndarray"):
        BatchPredictor(path)(X)
    with pytest.raises(ValueError, match='no column "f0", which the encoder'):
        BatchPredictor(path)({"f1": X[:, 1]})
    with pytest.raises(ValueError, match="a column 'iso_reached' already"):
        BatchPredictor(path)({**table(), "iso_reached": TRUTH})


def test_spark_gets_batches_one_by_one(path, told):
    cut = [slice(0, 150), slice(150, 400)]
    batches = (
        pa.RecordBatch.from_pydict({n: pa.array(v[s]) for n, v in table().items()}) for s in cut
    )
    predict = pickle.loads(pickle.dumps(predict_in_arrow(path)))
    out = list(predict(batches))
    assert [b.num_rows for b in out] == [150, 250]
    labels = [v for b in out for v in b.column("iso_label").to_pylist()]
    assert labels == told[1].tolist()
    types = [str(out[0].schema.field(n).type) for n in OURS]
    assert types == ["string", "double", "bool"]


def test_ray_maps_batches(path, told):
    ray = pytest.importorskip("ray")
    data = pytest.importorskip("ray.data")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        rows = data.from_pandas(pd.DataFrame(table()))
        out = rows.map_batches(BatchPredictor(path), batch_size=100).to_pandas()
        out = out.sort_values("who")
        assert out["iso_label"].tolist() == told[1].tolist()
    finally:
        ray.shutdown()


def test_spark_maps_in_arrow(path, told, monkeypatch):
    sql = pytest.importorskip("pyspark.sql")
    # Spark's workers are to be this Python, not the first on the path.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    spark = sql.SparkSession.builder.master("local[1]").getOrCreate()
    try:
        rows = spark.createDataFrame(pd.DataFrame(table()))
        columns = ", ".join(f"{n} {'long' if n == 'who' else 'double'}" for n in table())
        schema = schema_with(columns, path)
        out = rows.mapInArrow(predict_in_arrow(path), schema).toPandas().sort_values("who")
        assert out["iso_label"].tolist() == told[1].tolist()
    finally:
        spark.stop()
