"""Batches of every kind → one array; labels in parts → one column."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from isotherm import LaplacianClassifier, LaplacianRegressor
from isotherm._batches import features_of, length, names_of, rows_of
from isotherm._column import Column

pa = pytest.importorskip("pyarrow")

COLUMNS = {
    "name": np.array(["a", "b", "c"]),
    "x": np.array([1.0, 2.0, 3.0]),
    "on": np.array([True, False, True]),
    "k": np.array([4, 5, 6]),
}
EXPECTED = np.array([[1.0, 1.0, 4.0], [2.0, 0.0, 5.0], [3.0, 1.0, 6.0]])


@pytest.mark.parametrize("made", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_numeric_columns_are_features(made):
    batch = made(COLUMNS)
    assert names_of(batch) == list(COLUMNS)
    assert length(batch) == 3
    assert features_of(batch) == ["x", "on", "k"]
    np.testing.assert_array_equal(rows_of(batch), EXPECTED)
    np.testing.assert_array_equal(rows_of(batch, ["k", "x"]), EXPECTED[:, [2, 0]])
    assert features_of(batch, without=("k",)) == ["x", "on"]
    with pytest.raises(ValueError, match="no column 'z'"):
        rows_of(batch, ["z"])
    with pytest.raises(ValueError, match="'name' does not hold numbers"):
        features_of(batch, ["name"])


def test_nulls_become_nan_for_the_core_to_name():
    arrow = pa.table({"x": pa.array([1.0, None]), "k": pa.array([1, None]), "b": [True, None]})
    nullable = arrow.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)
    nullable["b"] = nullable["b"].astype("boolean")
    for batch in (arrow, nullable, pl.from_arrow(arrow)):
        expected = [[1.0, 1.0, 1.0], [np.nan] * 3]
        np.testing.assert_array_equal(rows_of(batch), expected)


def test_nullable_types_keep_their_width():
    whole = pd.DataFrame({"x": pd.array([1.5, 2.5], dtype="Float64")})
    narrow = pd.DataFrame({"x": pd.array([1.5, 2.5], dtype="Float32")})
    arrow = pd.DataFrame({"x": pd.array([1.1, None], dtype=pd.ArrowDtype(pa.float64()))})
    assert rows_of(whole).dtype == np.float64
    assert rows_of(narrow).dtype == np.float32
    np.testing.assert_array_equal(rows_of(arrow), [[1.1], [np.nan]])


def test_vectors_beside_numbers():
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(np.arange(6.0)), 2)
    batch = pa.table({"v": vectors, "x": [7.0, 8.0, 9.0]})
    assert features_of(batch) == ["v[0]", "v[1]", "x"]
    np.testing.assert_array_equal(rows_of(batch), [[0, 1, 7], [2, 3, 8], [4, 5, 9]])
    np.testing.assert_array_equal(rows_of(batch.slice(1), ["v[0]", "v[1]"]), [[2, 3], [4, 5]])
    blocks = {"v": np.arange(6.0).reshape(3, 2), "x": np.ones(3)}
    assert features_of(blocks) == ["v[0]", "v[1]", "x"]
    with pytest.raises(ValueError, match="2 features, but 1 are needed"):
        rows_of(batch, ["v[0]"])
    gaps = pa.array([[1.0, 2.0], None], type=pa.list_(pa.float64(), 2))
    with pytest.raises(ValueError, match="vector in row 1 of a batch is null"):
        rows_of(pa.table({"v": gaps}))


def test_arrays_that_lie_askew_are_moved():
    askew = np.frombuffer(b"x" + EXPECTED.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    askew = askew.reshape(EXPECTED.shape)
    assert not askew.flags.aligned
    assert rows_of(askew).flags.aligned
    np.testing.assert_array_equal(rows_of(askew), EXPECTED)


def test_arrays_must_be_tables_of_numbers():
    with pytest.raises(ValueError, match="two dimensions"):
        rows_of(np.ones(3))
    with pytest.raises(ValueError, match="must hold numbers"):
        rows_of(np.array([["a", "b"]]))
    assert rows_of(np.ones((2, 2), dtype=np.float16)).dtype == np.float32
    assert rows_of(np.ones((2, 2), dtype=int)).dtype == np.float64


@pytest.mark.parametrize(
    ("parts", "classes", "kind"),
    [
        ([np.array([0, -1, 2]), np.array([-1, 0])], [0, 2], "i"),
        ([np.array([0.0, np.nan, 2.0]), np.array([np.nan, 0.0])], [0.0, 2.0], "f"),
        # As a table read whole would be: NaN makes a column of floats.
        ([np.array([0, -3, 2]), np.array([np.nan, 0.0])], [-3.0, 0.0, 2.0], "f"),
        ([pd.Series([0, None, 2], dtype="Int64"), pd.Series([0, 0], dtype="Int64")], [0, 2], "i"),
        ([np.array(["a", "", "c"]), np.array(["", "a"])], ["a", "c"], "U"),
        ([np.array(["a", None, "c"], dtype=object), np.array(["a"])], ["a", "c"], "O"),
        ([pd.Series(["a", None, "c"], dtype="category"), pd.Series([None, "a"])], ["a", "c"], "O"),
        ([pa.array(["a", None]), pa.array([None, "c"]).dictionary_encode()], ["a", "c"], "O"),
        ([pa.chunked_array([[0], [None, 2]]), pa.array([None, 0])], [0, 2], "i"),
        ([pl.Series(["a", None, "c"]), pl.Series([None, "a"])], ["a", "c"], "O"),
    ],
)
def test_parts_of_labels_are_one_column(parts, classes, kind):
    together = Column.joined([Column.of(part) for part in parts])
    told = together.encoded(LaplacianClassifier())
    assert told.classes.tolist() == classes
    assert told.classes.dtype.kind == kind
    assert told.names == [str(c) for c in classes]
    flat = [v for part in parts for v in (part.to_pylist() if hasattr(part, "to_pylist") else part)]
    for value, code in zip(flat, told.values, strict=True):
        if code < 0:
            assert pd.isna(value) or value in ("", -1)
        else:
            assert classes[code] == value


def test_values_keep_their_bits():
    values = np.array([0.1, np.nan, 1e300, -0.5, 0.1])
    told = Column.joined([Column.of(values[:2]), Column.of(values[2:])])
    np.testing.assert_array_equal(told.encoded(LaplacianRegressor()).values, values)


def test_rules_about_labels_hold_for_parts():
    model = LaplacianClassifier()
    with pytest.raises(ValueError, match="if it is a class, pass unlabeled=None"):
        Column.of(np.array([-1, 1, -1])).encoded(model)
    with pytest.raises(ValueError, match="all 3 rows are unlabelled"):
        Column.of(np.array([None, None, None])).encoded(model)
    with pytest.raises(ValueError, match="all 2 rows are unlabelled"):
        Column.of(np.array([np.nan, np.nan])).encoded(LaplacianRegressor())
    both = Column.of(np.array([-1, 1, -1])).encoded(LaplacianClassifier(unlabeled=None))
    assert both.classes.tolist() == [-1, 1]
    marked = Column.of(np.array(["?", "", "a"])).encoded(LaplacianClassifier(unlabeled="?"))
    assert marked.classes.tolist() == ["", "a"]
