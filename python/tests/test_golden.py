"""All golden cases of spectrally transformed kernels and graphs, through Python."""

import numpy as np
import pytest
from golden import agree, folder, read
from scipy.sparse import csr_array

from isotherm import (
    HarmonicRegressor,
    InverseLaplacian,
    LabelPropagation,
    Polynomial,
    Power,
    Reciprocal,
    STKRClassifier,
    STKRRegressor,
    Truncation,
)

#: The papers' own form.
PRINTED = {"center_labels": False, "repair": "allow", "tol": 1e-13}
#: Its bandwidth is in the units of the rows.
GAUSSIAN = {"kernel": "gaussian", "bandwidth": 1.0, "standardize": False}


def one_hot(labels, classes, total):
    """One column a class; NaN beyond the labels."""
    y = np.full((total, classes), np.nan)
    y[: len(labels)] = np.eye(classes)[labels]
    return y


def table():
    """X, y and new rows of case 02."""
    inputs = read("02_stkr_poly_gauss")["inputs"]
    X = np.array(inputs["X"])
    y = one_hot(inputs["labels"], inputs["n_classes"], len(X))
    return X, y, np.array(inputs["X_test"])


def adjacency(inputs):
    """The graph of a case, each edge once."""
    n, edges = inputs["n_nodes"], np.array(inputs["edges"])
    half = csr_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n))
    return csr_array(half + half.T)


def blocks():
    """The graph of case 06 and its labels."""
    inputs = read("06_stkr_graph_poly")["inputs"]
    n = inputs["n"]
    return adjacency(inputs), one_hot(inputs["labels"][:n], inputs["n_classes"], inputs["n_nodes"])


def gaussian(**params):
    return STKRRegressor(**{**GAUSSIAN, **PRINTED, **params})


def test_there_are_seventeen_cases_and_each_is_here():
    names = sorted(path.stem for path in folder().glob("*.json"))
    assert len(names) == 17, f"found {len(names)} golden cases in {folder()}"
    with (
        open(__file__) as first,
        open(__file__.replace("golden.py", "golden_laplacian.py")) as more,
    ):
        text = first.read() + more.read()
    assert [name for name in names if f'"{name}"' not in text] == []


def test_01_label_propagation():
    case = read("01_label_prop")
    inputs = case["inputs"]
    y = np.array(inputs["labels"])
    y[inputs["n"] :] = -1
    for name, expected in case["expected"].items():
        eta = float(name.split("_")[2])
        steps = 8 if name.endswith("T8") else None
        model = LabelPropagation(eta, kernel="graph", steps=steps)
        with pytest.warns(UserWarning, match="reach"):  # the isolated node
            model.fit(adjacency(inputs), y)
        agree(name, model.decision_, expected, case["tolerance"])


SOLVERS = ["auto", "label-block", "cg", "minres", "direct", "richardson"]


@pytest.mark.parametrize("solver", SOLVERS)
def test_02_polynomial(solver):
    case = read("02_stkr_poly_gauss")
    X, y, new = table()
    step = read("03_stkr_richardson_trace")["inputs"]["gamma"] if solver == "richardson" else None
    transform = Polynomial(case["inputs"]["pi"])
    model = gaussian(transform=transform, ridge=1e-2, solver=solver, step_size=step).fit(X, y)
    agree("f", model.predict(new), case["expected"]["f_test"], case["tolerance"])
    agree("α", model.dual_coef_, case["expected"]["alpha"], case["tolerance"])


@pytest.mark.parametrize("steps", [1, 2, 4, 8, 16, 32])
def test_03_richardson(steps):
    case = read("03_stkr_richardson_trace")
    X, y, _ = table()
    inputs = case["inputs"]
    model = gaussian(
        transform=Polynomial(inputs["pi"]),
        ridge=inputs["beta"],
        solver="richardson",
        steps=steps,
        step_size=inputs["gamma"],
        tol=1e-10,
    ).fit(X, y)
    expected = case["expected"][f"alpha_T{steps}"]
    agree("α", model.dual_coef_, expected, case["tolerance"])


@pytest.mark.parametrize("solver", SOLVERS)
def test_04_inverse_laplacian(solver):
    case = read("04_stkr_lap_gauss")
    inputs, expected, tolerance = case["inputs"], case["expected"], case["tolerance"]
    X, y, new = table()
    transform = InverseLaplacian(inputs["eta"])
    model = gaussian(transform=transform, ridge=inputs["beta"], solver=solver).fit(X, y)
    agree("f of all", model.transduction_, expected["f_all"], tolerance)
    agree("f of new", model.predict(new), expected["f_test"], tolerance)
    agree("α", model.dual_coef_, expected["alpha"], tolerance)
    # θ are the coefficients of the expansion: f = K(·, X) θ.
    apart = ((new[:, None] - X[None]) ** 2).sum(axis=2)
    agree("Kθ", np.exp(-apart / 2) @ np.array(expected["theta"]), model.predict(new), tolerance)


@pytest.mark.parametrize("solver", ["auto", "label-block", "cg", "direct", "richardson"])
def test_05_reciprocal_of_order_two(solver):
    case = read("05_stkr_general_r2")
    inputs, expected, tolerance = case["inputs"], case["expected"], case["tolerance"]
    X, y, new = table()
    transform = Reciprocal(inputs["xi"], order=inputs["r"])
    model = gaussian(
        transform=transform, ridge=inputs["beta"], solver=solver, max_iter=200_000
    ).fit(X, y)
    agree("f of all", model.transduction_, expected["f_all"], tolerance)
    agree("f of new", model.predict(new), expected["f_test"], tolerance)


def on_blocks(transform, ridge, **params):
    graph, y = blocks()
    model = STKRRegressor("graph", transform=transform, ridge=ridge, **{**PRINTED, **params})
    with pytest.warns(UserWarning, match="reach"):  # two isolated nodes
        return model.fit(graph, y)


@pytest.mark.parametrize("degree", [2, 8])
@pytest.mark.parametrize("beta", ["10", "0.01", "1e-06"])
def test_06_powers_on_a_graph(degree, beta):
    case = read("06_stkr_graph_poly")
    model = on_blocks(Power(degree), float(beta))
    expected = case["expected"][f"f_poly{degree}_beta{beta}"]
    agree("f", model.transduction_, expected, case["tolerance"])


@pytest.mark.parametrize("eta", ["0.7", "0.99", "0.999999"])
@pytest.mark.parametrize("beta", ["1000", "1", "0.0001"])
def test_07_inverse_laplacian_on_a_graph(eta, beta):
    case = read("07_stkr_graph_lap")
    model = on_blocks(InverseLaplacian(float(eta)), float(beta))
    expected = case["expected"][f"f_eta{eta}_beta{beta}"]
    agree("f", model.transduction_, expected, case["tolerance"])


@pytest.mark.parametrize("name", ["lap", "poly8", "krr"])
def test_08_new_nodes(name):
    case = read("08_stkr_inductive")
    inputs = case["inputs"]
    graph, y = blocks()
    hidden = np.array(inputs["hidden"])
    known = np.setdiff1d(np.arange(len(y)), hidden)
    transform = {"lap": InverseLaplacian(inputs["eta"]), "poly8": Power(8), "krr": Power(1)}[name]
    model = STKRRegressor("graph", transform=transform, ridge=inputs["beta"], **PRINTED)
    links = graph[hidden][:, known]
    lonely = np.diff(links.indptr) == 0
    assert lonely.any()
    with pytest.warns(UserWarning, match="reach"):
        f = model.fit(graph[known][:, known], y[known]).predict(links)
    agree("f", f, case["expected"][f"f_hidden_{name}"], case["tolerance"])
    assert (f[lonely] == 0).all()


def test_09_kernel_pca():
    case = read("09_kernel_pca")
    inputs, expected, tolerance = case["inputs"], case["expected"], case["tolerance"]
    X, y, new = table()
    model = gaussian(transform=Truncation(inputs["d"], encoder="unlabelled"), ridge=inputs["beta"])
    agree("f", model.fit(X, y).predict(new), expected["f_test"], tolerance)
    agree("λ̃", model.eigenvalues_, expected["lambda_tilde"], tolerance)
    # With unit labels α = (Ψ Ψᵀ + nβI)⁻¹.
    n = inputs["n"]
    units = np.full((len(X), n), np.nan)
    units[:n] = np.eye(n)
    inverse = model.fit(X, units).dual_coef_
    gram = np.linalg.inv(inverse) - n * inputs["beta"] * np.eye(n)
    agree("ΨΨᵀ", gram, expected["psi_gram_labelled"], tolerance)


@pytest.mark.parametrize("name", ["krr", "lap0.9"])
@pytest.mark.parametrize("beta", ["0.001", "0.1"])
def test_10_indefinite_kernel(name, beta):
    case = read("10_indefinite_kernel")
    inputs, expected, tolerance = case["inputs"], case["expected"], case["tolerance"]
    graph = adjacency(inputs)
    y = one_hot(inputs["labels"], 2, inputs["n_nodes"])
    transform = Power(1) if name == "krr" else InverseLaplacian(0.9)
    model = STKRRegressor("graph", transform=transform, ridge=float(beta), **PRINTED).fit(graph, y)
    agree("α", model.dual_coef_, expected[f"alpha_{name}_beta{beta}"], tolerance)
    smallest = expected[f"min_eig_A_{name}_beta{beta}"]
    assert abs(model.report_["smallest_eigenvalue"] - smallest) <= 1e-9 * abs(smallest)
    # G at the labels, from A = G + nβI and unit labels.
    units = np.full((inputs["n_nodes"], 4), np.nan)
    units[:4] = np.eye(4)
    gram = np.linalg.inv(model.fit(graph, units).dual_coef_) - 4 * float(beta) * np.eye(4)
    agree("eigenvalues", np.linalg.eigvalsh(gram), sorted(expected[f"eig_G_{name}"]), tolerance)
    with pytest.raises(np.linalg.LinAlgError, match="lazy"):
        model.set_params(repair=None).fit(graph, y)
    model.set_params(repair="auto").fit(graph, y)
    assert np.isfinite(model.transduction_).all()


def test_15_harmonic():
    case = read("15_graph_harmonic")
    X, labels = np.array(case["inputs"]["X"]), case["inputs"]["y"]
    apart = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    weights = np.exp(-apart / (2 * case["inputs"]["sigma"] ** 2))
    np.fill_diagonal(weights, 0)
    y = np.full(len(X), np.nan)
    y[: len(labels)] = labels
    model = HarmonicRegressor("graph", tol=1e-12).fit(weights, y)
    f = model.transduction_
    agree("f", f[len(labels) :], case["expected"]["f_unlabelled"], case["tolerance"])
    assert f[: len(labels)].tolist() == labels


@pytest.mark.parametrize("beta", ["1", "0.01", "0.0001"])
@pytest.mark.parametrize("kind", ["values", "classes"])
def test_16_leave_one_out(beta, kind):
    case = read("16_loo_closed_form")
    graph, y = blocks()
    n = case["inputs"]["n"]
    params = {"transform": Power(8), "ridge": float(beta), **PRINTED}
    if kind == "values":
        model = STKRRegressor("graph", **params)
    else:
        model = STKRClassifier("graph", **params)
        y = np.r_[y[:n].argmax(axis=1), np.full(len(y) - n, -1)]
    with pytest.warns(UserWarning, match="reach"):
        left = model.fit(graph, y).leave_one_out()
    assert left.rows.tolist() == list(range(n))
    agree("f", left.scores, case["expected"][f"loo_f_beta{beta}"], case["tolerance"])


@pytest.mark.parametrize("beta", ["0.5", "3", "20"])
def test_17_psd_twin(beta):
    case = read("17_lap_psd_twin")
    inputs, expected, tolerance = case["inputs"], case["expected"], case["tolerance"]
    n, transform = inputs["n"], InverseLaplacian(inputs["eta"])
    off = expected[f"f_unlabelled_beta{beta}"]
    agree("f", on_blocks(transform, float(beta)).transduction_[n:], off, tolerance)
    twin = expected[f"beta_prime_beta{beta}"]
    if twin >= 0:
        model = on_blocks(transform, twin, repair="psd-twin")
        agree("the twin's f", model.transduction_[n:], off, tolerance)


def test_a_function_of_the_callers_own_is_the_same_as_its_name():
    X, y, new = table()
    named = gaussian(transform=Power(3), ridge=1e-2).fit(X, y)
    own = gaussian(transform=lambda s: s**3, ridge=1e-2).fit(X, y)
    agree("f", own.predict(new), named.predict(new), 1e-9)
    assert own._model.info()["recipe"]["method"]["transform"]["kind"] == "custom"
