"""Made data has a seed and hides labels; files are plain arrays."""

import os

import numpy as np
import pytest

from isotherm import datasets


@pytest.mark.parametrize(
    ("make", "classes"),
    [
        (lambda s: datasets.make_circles(300, labels_per_class=2, random_state=s), 4),
        (lambda s: datasets.make_moons(300, labels_per_class=2, random_state=s), 2),
        (lambda s: datasets.make_gaussians(300, labels_per_class=2, random_state=s), 3),
    ],
)
def test_made_data_hides_all_labels_but_those_asked_for(make, classes):
    X, y, full = make(0)
    assert X.shape == (300, 2) and np.isfinite(X).all()
    assert set(full) == set(range(classes))
    known = y >= 0
    assert np.bincount(y[known]).tolist() == [2] * classes
    assert np.array_equal(y[known], full[known])
    assert np.array_equal(make(0).X, X)
    assert not np.array_equal(make(1).X, X)


def test_circles_have_their_radii():
    X, _, full = datasets.make_circles(400, noise=0.0, random_state=0)
    assert np.allclose(np.hypot(*X.T), full + 1)
    # Rows fall to circles in proportion to their length.
    assert np.bincount(full).tolist() == [40, 80, 120, 160]


def test_moons_lie_on_two_half_circles():
    X, _, full = datasets.make_moons(200, noise=0.0, random_state=0)
    upper, lower = X[full == 0], X[full == 1]
    assert np.allclose(np.hypot(*upper.T), 1) and (upper[:, 1] >= 0).all()
    assert np.allclose(np.hypot(*(lower - [1, 0.5]).T), 1) and (lower[:, 1] <= 0.5).all()


def test_gaussians_have_unit_variance_about_their_centres():
    X, _, full = datasets.make_gaussians(6000, n_features=3, random_state=0)
    for label in range(3):
        own = X[full == label]
        # 2000 rows: the standard error of a variance is √(2/2000) ≈ 0.03.
        assert np.allclose(own.var(axis=0), 1.0, atol=0.15)
        assert np.linalg.norm(own.mean(axis=0)) == pytest.approx(4.0, abs=0.15)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: datasets.make_circles(3), "n_samples must be at least 4"),
        (lambda: datasets.make_moons(10, labels_per_class=9), "at most 5, the rows of class"),
        (lambda: datasets.make_gaussians(n_features=0), "n_features must be at least 1, got 0"),
        (lambda: datasets.make_circles(n_circles=0), "n_circles must be at least 1, got 0"),
    ],
)
def test_impossible_data_is_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_a_table_and_a_graph_are_loaded(tmp_path, monkeypatch):
    np.savez(
        tmp_path / "rows.npz", X=np.ones((3, 2)), y=np.array([0, 1, 0]), test_start=np.array([2])
    )
    found = datasets.load(tmp_path / "rows.npz")
    assert found.data.shape == (3, 2) and found.target.tolist() == [0, 1, 0]
    assert found.graph is None and found.test_start.tolist() == [2]
    np.savez(
        tmp_path / "nodes.npz",
        edges=np.array([[0, 2]]),
        labels=np.array([1, 0, 1]),
        feat_data=np.array([5.0]),
        feat_indices=np.array([1]),
        feat_indptr=np.array([0, 1, 1, 1]),
        feat_shape=np.array([3, 4]),
    )
    monkeypatch.setenv("ISOTHERM_DATA", str(tmp_path))
    found = datasets.load("nodes")
    assert found.graph.toarray().tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert found.data.shape == (3, 4) and found.data[0, 1] == 5.0


def test_pickles_are_not_read_and_other_files_are_refused(tmp_path):
    np.savez(tmp_path / "pickled.npz", X=np.array([{}], dtype=object), y=np.array([0]))
    with pytest.raises(ValueError, match="cannot be read as plain arrays"):
        datasets.load(tmp_path / "pickled.npz")
    np.savez(tmp_path / "other.npz", z=np.zeros(3))
    with pytest.raises(ValueError, match=r"has the arrays \['z'\]"):
        datasets.load(tmp_path / "other.npz")


def test_a_missing_file_says_where_it_was_looked_for(tmp_path, monkeypatch):
    monkeypatch.delenv("ISOTHERM_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match="set ISOTHERM_DATA"):
        datasets.load("nowhere")
    monkeypatch.setenv("ISOTHERM_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="nowhere.npz"):
        datasets.load("nowhere")


# The data sets are not ours to ship, so a machine may lack them; `.ci/run` stops without them.
@pytest.mark.skipif(
    not os.path.isdir(os.environ.get("ISOTHERM_DATA", "")),
    reason="ISOTHERM_DATA does not name a folder",
)
def test_real_files_have_their_published_sizes():
    cora = datasets.load("cora")
    assert cora.graph.shape == (2708, 2708) and cora.graph.nnz == 10556
    assert cora.data.shape == (2708, 1433)
    digits = datasets.load("digits")
    assert digits.data.shape == (1797, 64) and set(digits.target) == set(range(10))
