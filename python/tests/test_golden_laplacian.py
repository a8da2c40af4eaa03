"""All golden cases of kernel Laplacians, through Python."""

import numpy as np
import pytest
from golden import agree, read
from scipy.linalg import eigh

from isotherm import CutOff, GradientFlow, Heat, Landweber, LaplacianRegressor, Tikhonov


def problem(case):
    """X, y and new rows."""
    inputs = case["inputs"]
    X = np.array(inputs["X"])
    y = np.full(len(X), np.nan)
    y[: len(inputs["y"])] = inputs["y"]
    return X, y, np.array(inputs["X_test"])


def printed(inputs, **params):
    """Algorithm 1 as it is printed."""
    said = {
        "bandwidth": inputs["sigma"],
        "landmarks": np.arange(inputs["p"]) if "p" in inputs else None,
        "norm_share": inputs["mu"],
        "covariance": "all",
        "fit_intercept": False,
        "standardize": False,
    }
    return LaplacianRegressor("gaussian", **{**said, **params})


def filters(case):
    """The filter of each prediction; the case's λ is 1/t of a flow."""
    landweber = case["inputs"]["landweber"]
    out = {"g_landweber_T20": Landweber(landweber["T"], step=landweber["step"])}
    for name in ("1", "0.05"):
        strength = float(name)
        out[f"g_tikhonov_lambda{name}"] = Tikhonov(strength)
        out[f"g_cutoff_lambda{name}"] = CutOff(threshold=strength)
        out[f"g_flow_lambda{name}"] = GradientFlow(1 / strength)
        out[f"g_heat_lambda{name}"] = Heat(strength)
    return out


@pytest.mark.parametrize("route", ["auto", "panel", "gram"])
def test_11_filters(route):
    case = read("11_klap_filters")
    X, y, new = problem(case)
    said = filters(case)
    assert set(said) == {name for name in case["expected"] if name.startswith("g_")}
    for name, filter in said.items():
        model = printed(case["inputs"], filter=filter, route=route).fit(X, y)
        agree(name, model.predict(new), case["expected"][name], case["tolerance"])
    found = model.eigenvalues_
    agree("eigenvalues", found, case["expected"]["gen_eigenvalues"], case["tolerance"])
    # A = T*ΣT and L = T*LT, where T maps coefficients to functions, so that T*T = K_pp: the
    # eigenvalues of (A, L + μK_pp) are those above.
    A, L = np.array(case["expected"]["A"]), np.array(case["expected"]["L"])
    Z = X[: case["inputs"]["p"]]
    apart = ((Z[:, None] - Z[None]) ** 2).sum(axis=2)
    K = np.exp(-apart / (2 * case["inputs"]["sigma"] ** 2))
    pencil = eigh(A, L + case["inputs"]["mu"] * K, eigvals_only=True)
    agree("the pencil", pencil[::-1], found, case["tolerance"])


@pytest.mark.parametrize("covariance", ["all", "labelled"])
def test_12_constants_are_free(covariance):
    case = read("12_klap_centred")
    X, y, new = problem(case)
    model = printed(
        case["inputs"],
        filter=Tikhonov(case["inputs"]["lam"]),
        fit_intercept=True,
        covariance=covariance,
    ).fit(X, y)
    expected = case["expected"]["g_centred_" + covariance[:3]]
    agree("g", model.predict(new), expected, case["tolerance"])


@pytest.mark.parametrize("basis", ["exact", "derivatives"])
def test_13_exact_minimiser(basis):
    case = read("13_klap_exact_erm")
    X, y, new = problem(case)
    n, strength = len(case["inputs"]["y"]), case["inputs"]["lam"]
    said = {"filter": Tikhonov(strength), "covariance": "labelled"}
    if basis == "exact":
        model = printed(case["inputs"], features="exact", **said)
    else:
        rows = np.arange(len(X))
        model = printed(case["inputs"], derivatives=True, **{**said, "landmarks": rows})
    agree("g", model.fit(X, y).predict(new), case["expected"]["g_test"], case["tolerance"])
    # With unit labels g = K̃(K̃ + nλI)⁻¹ at the labels.
    units = np.full((len(X), n), np.nan)
    units[:n] = np.eye(n)
    hat = model.fit(X, units).predict(X[:n])
    kernel = n * strength * np.linalg.solve(np.eye(n) - hat, hat)
    agree("k̃", kernel, case["expected"]["ktilde_labelled"], case["tolerance"])


@pytest.mark.parametrize("route", ["auto", "panel"])
def test_14_nearly_singular(route):
    case = read("14_klap_illconditioned")
    X, y, new = problem(case)
    model = printed(case["inputs"], filter=Tikhonov(case["inputs"]["lam"]), route=route).fit(X, y)
    agree("g", model.predict(new), case["expected"]["g_test"], case["tolerance"])
