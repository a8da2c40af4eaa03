"""Tables as people have them: columns of any kind become numbers, by the command line's encoder."""

import json
import os
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from estimators import CLASSIFIERS, OTHERS, REGRESSORS
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_diabetes

import isotherm
from isotherm import AutoClassifier, AutoRegressor, STKRClassifier, TableEncoder
from isotherm.exceptions import DataWarning


def mixed(n=240, seed=0):
    """Numbers with gaps, words, dates, texts and truth values that tell two classes apart."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, 2, n)
    job = np.where(truth == 1, "cook", "clerk").astype(object)
    job[draw.random(n) < 0.3] = "smith"
    words = ["good", "slow", "dear", "cheap", "quick", "late"]
    frame = pd.DataFrame(
        {
            "age": draw.normal(40, 10, n) + 5 * truth,
            "job": job,
            "joined": pd.Timestamp("2024-01-01")
            + pd.to_timedelta(draw.integers(0, 900, n), unit="D"),
            "member": draw.random(n) < 0.5,
            "note": [
                " ".join(draw.choice(words, 6)) + (" excellent" if t else " dreadful")
                for t in truth
            ],
            "zip": pd.Categorical(draw.integers(0, 4, n)),
        }
    )
    frame.loc[::7, "age"] = np.nan
    frame.loc[::11, "job"] = None
    return frame, truth


def test_every_kind_is_found_and_named():
    X, _ = mixed()
    encoder = TableEncoder().fit(X)
    assert encoder.kinds_ == {
        "age": "number",
        "job": "category",
        "joined": "date",
        "member": "number",
        "note": "text",
        "zip": "category",
    }
    assert encoder.filled_ == {"age": int(X["age"].isna().sum())}
    names = encoder.get_feature_names_out().tolist()
    assert {"job=cook", "job=clerk", "job=smith", "zip=3", "age is missing"} <= set(names)


def test_cells_are_what_they_should_be_one_by_one():
    X, _ = mixed()
    encoder = TableEncoder().fit(X)
    found = pd.DataFrame(encoder.transform(X), columns=encoder.get_feature_names_out())
    median = np.nanmedian(X["age"])
    for row in range(len(X)):
        age, job = X["age"][row], X["job"][row]
        assert found["age"][row] == (median if np.isnan(age) else age)
        assert found["age is missing"][row] == np.isnan(age)
        for word in ("cook", "clerk", "smith"):
            assert found[f"job={word}"][row] == (job == word)
        for code in range(4):
            assert found[f"zip={code}"][row] == (X["zip"][row] == code)
        assert found["member"][row] == X["member"][row]


def test_every_kind_of_frame_gives_the_same():
    X, _ = mixed()
    expected = TableEncoder().fit_transform(X)
    arrow = pa.Table.from_pandas(X)
    assert np.array_equal(TableEncoder().fit_transform(arrow), expected)
    polars = pl.from_pandas(X.assign(zip=X["zip"].astype(str)))
    encoder = TableEncoder(kinds={"zip": "category"}).fit(polars)
    assert np.array_equal(encoder.transform(polars), expected)
    objects = X.astype({"member": object, "age": object, "joined": object})
    assert np.array_equal(TableEncoder().fit_transform(objects), expected)


def test_zones_and_nullable_types_do_not_matter():
    X, _ = mixed()
    moments = X[["joined", "age"]]
    expected = TableEncoder().fit_transform(moments)
    zoned = moments.assign(joined=moments["joined"].dt.tz_localize("UTC"))
    assert np.array_equal(TableEncoder().fit_transform(zoned), expected)
    nullable = moments.assign(age=moments["age"].astype("Float64"))
    assert np.array_equal(TableEncoder().fit_transform(nullable), expected)


def test_the_command_line_makes_the_same_features(tmp_path):
    import subprocess

    binary = os.environ.get("ISOTHERM_BIN")
    if not binary or not Path(binary).exists():
        pytest.skip("set ISOTHERM_BIN to the command line to compare with it")
    X, truth = mixed()
    y = np.where(np.arange(len(X)) % 4 == 0, truth.astype(object), "")
    table = tmp_path / "table.csv"
    X.assign(y=y).to_csv(table, index=False)
    model = tmp_path / "model.iso"
    kind = ["--kind", "zip=category"]
    subprocess.run(
        [binary, "fit", table, "--label", "y", "-o", model, *kind], check=True, capture_output=True
    )
    theirs = isotherm.load(model)
    ours = TableEncoder(kinds={"zip": "category"}).fit(X)
    assert theirs.encoder_._core.names == ours._core.names
    assert np.array_equal(theirs.encoder_._core.transform(_cells(X)).values, ours.transform(X))
    assert theirs.predict(X).shape == (len(X),)


def _cells(X):
    from isotherm import _frame

    return _frame.columns(X)


def test_it_can_be_cloned_pickled_and_set_to_give_frames():
    X, _ = mixed()
    encoder = TableEncoder(kinds={"age": "nothing"}).fit(X)
    assert clone(encoder).get_params() == encoder.get_params()
    again = pickle.loads(pickle.dumps(encoder))
    assert np.array_equal(again.transform(X), encoder.transform(X))
    assert again.kinds_ == encoder.kinds_ and "age" not in again.kinds_
    frame = encoder.set_output(transform="pandas").transform(X)
    assert list(frame.columns) == encoder.get_feature_names_out().tolist()


def test_labels_and_other_rows_do_not_matter_to_a_fitted_encoder():
    X, truth = mixed()
    assert np.array_equal(
        TableEncoder().fit(X, truth).transform(X), TableEncoder().fit(X).transform(X)
    )
    encoder = TableEncoder().fit(X)
    assert np.array_equal(encoder.transform(X.iloc[:5]), encoder.transform(X)[:5])


def test_values_that_were_not_seen_are_told_with_their_column():
    X, _ = mixed()
    encoder = TableEncoder().fit(X)
    new = X.copy()
    new.loc[3, "job"] = "pilot"
    with pytest.warns(DataWarning, match="1 row has in column 'job'.*'pilot'") as told:
        found = encoder.transform(new)
    assert told[0].message.code == "ISO153"
    jobs = [k for k, n in enumerate(encoder.get_feature_names_out()) if n.startswith("job=")]
    assert not found[3, jobs].any()


def test_columns_that_say_nothing_are_left_out_and_told():
    X, _ = mixed(60)
    X["same"], X["blank"] = "one", None
    with pytest.warns(DataWarning, match="'same' \\(one value only\\)"):
        encoder = TableEncoder().fit(X)
    assert set(encoder.left_out_) == {"same", "blank"}
    with pytest.raises(ValueError, match="no column of X can be learned from: 'same'"):
        TableEncoder().fit(X[["same"]])


def test_a_wrong_cell_is_named_by_its_row_from_zero_and_its_column():
    X = pd.DataFrame({"size": ["1.5"] * 19 + ["large"], "b": np.arange(20.0)})
    with pytest.raises(ValueError, match='row 19, column "size".*large'):
        TableEncoder().fit_transform(X)
    with pytest.raises(ValueError, match="kinds are number, category"):
        TableEncoder(kinds={"size": "word"}).fit(X)


@pytest.mark.parametrize("frame", ["pandas", "polars"])
def test_a_mixed_table_is_learned_from(frame):
    X, truth = mixed()
    if frame == "polars":
        X = pl.from_pandas(X.assign(zip=X["zip"].astype(str)))
    y = np.where(np.arange(len(truth)) % 8 == 0, truth, -1)
    model = AutoClassifier().fit(X, y)
    assert (model.transduction_ == truth)[y == -1].mean() > 0.95
    assert model.n_features_in_ == 6
    assert model.feature_names_in_.tolist() == list(X.columns)
    assert model.encoder_.kinds_["note"] == "text"
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


def test_an_encoder_says_what_columns_are():
    X, truth = mixed()
    y = np.where(np.arange(len(truth)) % 8 == 0, truth, -1)
    encoder = TableEncoder(kinds={"zip": "nothing"})
    model = AutoClassifier(encoder=encoder).fit(X, y)
    assert not any("zip" in name for name in model.encoder_.get_feature_names_out())
    assert model.encoder_ is not encoder and not encoder.__sklearn_is_fitted__()
    without = AutoClassifier().fit(X.drop(columns="zip"), y)
    assert np.array_equal(model.label_distributions_, without.label_distributions_)
    assert np.array_equal(model.predict_proba(X), without.predict_proba(X.drop(columns="zip")))


def test_an_encoder_that_nothing_would_use_is_refused():
    model = AutoClassifier(encoder=TableEncoder())
    rows = sparse.csr_matrix(np.eye(6))
    with pytest.raises(ValueError, match="encoder must be left out, because sparse rows"):
        model.fit(rows, [0, 1, -1, -1, -1, -1])
    graph = sparse.csr_matrix(np.ones((6, 6)) - np.eye(6))
    with pytest.raises(ValueError, match="encoder must be left out, because there are no features"):
        AutoClassifier(graph=graph, encoder=TableEncoder()).fit(None, [0, 1, -1, -1, -1, -1])


def test_a_model_file_encodes_new_rows_as_its_model_did(tmp_path):
    X, truth = mixed()
    y = np.where(np.arange(len(truth)) % 8 == 0, truth, -1)
    model = AutoClassifier().fit(X, y)
    model.save(tmp_path / "model.iso")
    again = isotherm.load(tmp_path / "model.iso")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    with pytest.raises(ValueError, match='no column "job"'):
        again.predict(X.drop(columns="job"))


def test_topics_weigh_as_in_the_command_line():
    X, truth = mixed()
    y = np.where(np.arange(len(truth)) % 8 == 0, truth, -1)
    model = AutoClassifier().fit(X, y)
    assert model._blocks == [tuple(b) for b in model.encoder_._encode(_cells(X)).blocks] != []
    alone = AutoClassifier().fit(TableEncoder().fit_transform(X), y)
    assert not np.array_equal(alone.label_distributions_, model.label_distributions_)


def test_regression_on_real_columns_with_gaps():
    data = load_diabetes(as_frame=True, scaled=False)
    X, values = data.data.copy(), data.target.to_numpy()
    X["sex"] = np.where(X["sex"] == 1, "f", "m")
    X.loc[::9, "bmi"] = np.nan
    y = np.where(np.arange(len(values)) % 4 == 0, values, np.nan)
    model = AutoRegressor().fit(X, y)
    rest = np.isnan(y)
    error = np.mean((model.transduction_[rest] - values[rest]) ** 2)
    assert error < 0.7 * np.var(values[rest])
    assert model.encoder_.filled_ == {"bmi": len(X.loc[::9])}


def test_missing_numbers_of_an_array_are_filled():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(80, 3)) + np.repeat([[0], [4]], 40, axis=0)
    y = np.full(80, -1)
    y[[0, 1, 40, 41]] = [0, 0, 1, 1]
    holes = X.copy()
    holes[5, 1] = np.nan
    model = AutoClassifier().fit(holes, y)
    by_hand = holes.copy()
    by_hand[5, 1] = np.nanmedian(holes[:, 1])
    same = AutoClassifier().fit(by_hand, y)
    assert np.array_equal(model.label_distributions_, same.label_distributions_)
    # A fit without gaps fills those of new rows, too.
    whole = AutoClassifier().fit(X, y)
    filled = X.copy()
    filled[5, 1] = np.median(X[:, 1])
    assert np.array_equal(whole.predict_proba(holes), whole.predict_proba(filled))
    with pytest.raises(ValueError, match="row 7, column 2: inf"):
        AutoClassifier().fit(np.where(np.arange(240).reshape(80, 3) == 23, np.inf, X), y)


def test_columns_without_names_are_taken_by_their_place():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(60, 2)) + np.repeat([[0], [4]], 30, axis=0)
    X[::9, 1] = np.nan
    y = np.full(60, -1)
    y[[0, 1, 30, 31]] = [0, 0, 1, 1]
    named = AutoClassifier().fit(pd.DataFrame(X, columns=["a", "b"]), y)
    plain = AutoClassifier().fit(X, y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        found = named.predict_proba(X)
    assert np.array_equal(found, plain.predict_proba(X))


def test_categories_stay_categories_where_new_rows_have_their_codes():
    # Two columns in and two features out: one names rows, the other has two values.
    draw = np.random.default_rng(0)
    code = draw.integers(0, 2, 60)
    X = pd.DataFrame({"id": np.arange(60), "kind": pd.Categorical(code)})
    y = np.where(np.arange(60) % 6 == 0, code, -1)
    model = AutoClassifier().fit(X, y)
    assert model.encoder_.get_feature_names_out().tolist() == ["kind=0", "kind=1"]
    assert np.array_equal(model.predict_proba(X.astype({"kind": int})), model.predict_proba(X))


@pytest.mark.parametrize("kind", ["pandas", "arrow", "dictionary"])
def test_batches_of_mixed_columns_are_answered(tmp_path, kind):
    X, truth = mixed()
    y = np.where(np.arange(len(truth)) % 8 == 0, truth, -1)
    model = AutoClassifier().fit(X, y)
    model.save(tmp_path / "model.iso")
    batch = {
        "pandas": lambda: X[:20],
        "arrow": lambda: pa.Table.from_pandas(X[:20]),
        "dictionary": lambda: {n: X[n][:20].to_numpy() for n in X.columns},
    }[kind]()
    found = isotherm.BatchPredictor(tmp_path / "model.iso")(batch)
    labels = np.asarray(found["iso_label"])
    assert labels.astype(int).tolist() == model.predict(X[:20]).tolist()


def labels_for(cls, truth):
    """Labels of every eighth row, as the estimator takes them."""
    known = np.arange(len(truth)) % 8 == 0
    if cls in REGRESSORS:
        return np.where(known, truth + 0.5, np.nan)
    if cls is isotherm.MultiLabelClassifier:
        return np.where(known[:, None], np.stack([truth, 1 - truth], axis=1), -1)
    if cls is isotherm.LabelRanker:
        return np.where(known[:, None], np.stack([truth, 1 - truth], axis=1) + 1.0, np.nan)
    return np.where(known, truth, -1)


@pytest.mark.parametrize("cls", [*CLASSIFIERS, *REGRESSORS, *OTHERS])
def test_every_estimator_takes_gaps_and_columns_of_any_kind(cls, tmp_path):
    X, truth = mixed()
    X = X.drop(columns="note")
    model = cls().fit(X, labels_for(cls, truth))
    assert model.n_features_in_ == 5 and model.feature_names_in_.tolist() == list(X.columns)
    assert model.encoder_.kinds_["job"] == "category" and model.encoder_.filled_.keys() == {"age"}
    # By hand: the same numbers.
    rows = TableEncoder().fit_transform(X)
    by_hand = cls().fit(rows, labels_for(cls, truth))
    assert np.array_equal(model.transduction_, by_hand.transduction_)
    new = X[::-1].reset_index(drop=True)
    new.loc[3, "age"] = np.nan
    said = model.predict(new)
    assert np.array_equal(said, by_hand.predict(TableEncoder().fit(X).transform(new)))
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(new), said)
    model.save(tmp_path / "model.iso")
    loaded = cls.load(tmp_path / "model.iso")
    assert np.array_equal(loaded.predict(new), said)
    with pytest.raises(ValueError, match="job"):
        model.predict(X.drop(columns="job"))


@pytest.mark.parametrize("cls", [*CLASSIFIERS, *REGRESSORS, *OTHERS])
@pytest.mark.parametrize("named", [False, True])
def test_a_model_file_fills_what_is_missing_though_the_fit_had_no_gaps(cls, named, tmp_path):
    draw = np.random.default_rng(0)
    truth = np.repeat([0, 1], 60)
    X = draw.normal(size=(120, 3)) + 4 * truth[:, None]
    y = labels_for(cls, truth)
    given = pd.DataFrame(X, columns=["a", "b", "c"]) if named else X
    model = cls().fit(given, y)
    holes = X[:20].copy()
    holes[5, 1] = np.nan
    by_hand = holes.copy()
    by_hand[5, 1] = np.median(X[:, 1])
    if named:
        holes, by_hand = (pd.DataFrame(rows, columns=["a", "b", "c"]) for rows in (holes, by_hand))
    model.save(tmp_path / "model.iso")
    again = cls.load(tmp_path / "model.iso")
    assert hasattr(again, "feature_names_in_") == named and again.n_features_in_ == 3
    for one in (model, again, pickle.loads(pickle.dumps(again))):
        assert np.array_equal(one.predict(holes), model.predict(by_hand))


def test_rows_without_names_may_be_a_frame_later(tmp_path):
    draw = np.random.default_rng(0)
    truth = np.repeat([0, 1], 30)
    X = draw.normal(size=(60, 2)) + 4 * truth[:, None]
    model = STKRClassifier().fit(X, labels_for(STKRClassifier, truth))
    model.save(tmp_path / "model.iso")
    frame = pd.DataFrame(X[:10], columns=["left", "right"])
    with pytest.warns(UserWarning, match="fitted without feature names"):
        found = isotherm.load(tmp_path / "model.iso").predict(frame)
    assert np.array_equal(found, model.predict(X[:10]))
    frame.loc[3, "left"] = np.nan
    batch = isotherm.BatchPredictor(tmp_path / "model.iso")(frame)
    filled = frame.fillna({"left": np.median(X[:, 0])}).to_numpy()
    assert batch["iso_label"].astype(int).tolist() == model.predict(filled).tolist()


def test_coordinates_of_mixed_columns():
    X, _ = mixed()
    X = X.drop(columns="note")
    model = isotherm.SpectralEmbedding(random_state=0).fit(X)
    rows = TableEncoder().fit_transform(X)
    by_hand = isotherm.SpectralEmbedding(random_state=0).fit(rows)
    assert np.array_equal(model.embedding_, by_hand.embedding_)
    assert model.n_features_in_ == 5 and model.feature_names_in_.tolist() == list(X.columns)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.transform(X[:9]), by_hand.transform(rows[:9]))


def test_the_functions_around_a_model_take_mixed_tables():
    X, truth = mixed()
    y = np.where(np.arange(len(truth)) % 8 == 0, truth, -1)
    assert isotherm.estimate_accuracy(AutoClassifier(), X, y).value > 0.8
    assert (y[isotherm.suggest(AutoClassifier(), X, y).indices] == -1).all()


# ---- texts by a sentence model ----

SENTENCES = Path(__file__).parents[2] / "crates/isotherm-io/tests/fixtures/sentences"


def embeds():
    """Whether isotherm was built with sentence models; if not, it says how to get them."""
    encoder = TableEncoder(embed_with=SENTENCES, kinds={"t": "text"})
    try:
        encoder.fit(pd.DataFrame({"t": ["the cat", "oil"]}))
    except ValueError as refused:
        assert "built without sentence models" in str(refused)
        assert "--features embed" in str(refused)
        return False
    return True


def test_embeddings_are_those_that_numpy_computes_where_there_are_sentence_models():
    if not embeds():
        return
    expected = json.loads((SENTENCES / "expected.json").read_text())
    X = pd.DataFrame({"t": [one["text"] for one in expected]})
    encoder = TableEncoder(embed_with=SENTENCES, kinds={"t": "text"})
    found = encoder.fit_transform(X)
    np.testing.assert_allclose(found, [one["mean"] for one in expected], atol=1e-5)
    assert encoder.get_feature_names_out()[0] == "t embedding 1"
    assert encoder.kinds_ == {"t": "text"}
    again = pickle.loads(pickle.dumps(encoder))
    np.testing.assert_array_equal(again.transform(X[::-1]), found[::-1])


def test_an_encoder_refuses_another_sentence_model(tmp_path):
    if not embeds():
        return
    X = pd.DataFrame({"t": ["the cat sleeps", "the dog barks"]})
    fitted = TableEncoder(embed_with=SENTENCES, kinds={"t": "text"}).fit(X)
    encoder = pickle.loads(pickle.dumps(fitted))
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes((SENTENCES / name).read_bytes())
    encoder.embed_with = tmp_path
    with pytest.raises(ValueError, match="another sentence model"):
        encoder.transform(X)
    encoder.embed_with = None
    with pytest.raises(ValueError, match="embed_with"):
        encoder.transform(X)


def test_a_folder_without_a_sentence_model_is_refused(tmp_path):
    X = pd.DataFrame({"t": ["the cat sleeps", "the dog barks"]})
    with pytest.raises(ValueError, match=r"no model.onnx"):
        TableEncoder(embed_with=tmp_path).fit(X)


def pictures(folder, n=40, seed=0):
    """Paths of little pictures with upright or level bars, and which of the two they are."""
    pytest.importorskip("PIL")
    from PIL import Image

    draw = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    paths = []
    for row in range(n):
        pixels = draw.integers(0, 40, (12, 20))
        place = draw.integers(0, 8)
        pixels[:, place : place + 4] += 180
        if truth[row]:
            pixels = pixels.T
        paths.append(folder / f"{row}.png")
        Image.fromarray(pixels.astype(np.uint8)).save(paths[-1])
    return paths, truth


def test_pictures_are_found_by_their_paths_and_read(tmp_path, monkeypatch):
    paths, truth = pictures(tmp_path)
    X = pd.DataFrame({"path": [str(path) for path in paths], "x": np.arange(40.0) % 7})
    encoder = TableEncoder().fit(X)
    assert encoder.kinds_ == {"path": "picture", "x": "number"}
    names = encoder.get_feature_names_out()
    assert names[0] == "path picture 1" and names[-1] == "x"
    rows = encoder.transform(X)
    # Relative paths are relative to the working directory; pathlib's are paths, too.
    monkeypatch.chdir(tmp_path)
    named = X.assign(path=[path.name for path in paths])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(encoder)).transform(named), rows)
    np.testing.assert_array_equal(encoder.transform(X.assign(path=paths)), rows)
    labels = np.where(np.arange(40) < 8, np.where(truth, "level", "upright"), None)
    found = AutoClassifier().fit(X, labels).predict(X)
    assert np.mean((found == "level") == truth) > 0.9


def test_pictures_that_cannot_be_read_are_refused_and_missing_ones_counted(tmp_path):
    paths, _ = pictures(tmp_path)
    cells = [str(path) for path in paths]
    encoder = TableEncoder(kinds={"p": "picture"})
    encoder.fit(pd.DataFrame({"p": [None, *cells[1:]]}))
    assert encoder.filled_ == {"p": 1}
    bad = pd.DataFrame({"p": [*cells[:5], str(tmp_path / "none.png")]})
    with pytest.raises(ValueError, match=r"X row 5, column .p.: the picture .* is not there"):
        encoder.fit_transform(bad)
