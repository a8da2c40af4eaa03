"""Descriptions of parameters and attributes that several estimators share."""

import inspect
import re

TEXTS = {
    "rows_kernel": """kernel : str, default="<<kernel>>"
    How rows are compared: ``"gaussian"``, ``"matern32"``, ``"matern52"``,
    ``"rational-quadratic"``, ``"exponential"``, ``"polynomial"``, ``"linear"`` or ``"cosine"``.""",
    "bandwidth": """bandwidth : float or "auto", default="auto"
    Length scale of the kernel; ``"auto"`` takes it from the data. Kept as ``bandwidth_``.""",
    "kernel_params": """kernel_params : dict, default=None
    Further numbers of the kernel: ``shape`` of the rational quadratic; ``degree``, ``scale``
    and ``offset`` of the polynomial.""",
    "n_neighbors": """n_neighbors : int, default=None
    Neighbours that join rows into a graph; ``None`` means 10, or half of the other rows
    where these are fewer. For nearest neighbours only.""",
    "stopping": """tol : float, default=<<tol>>
    Relative residual of iterative solves.
max_iter : int, default=10000
    Iterations allowed; a ``ConvergenceWarning`` says when they did not suffice.""",
    "standardize": """standardize : bool, default=False
    Whether columns are brought to mean 0 and variance 1 first. Tables only.""",
    "standardize_auto": """standardize : bool or "auto", default="auto"
    Whether columns are brought to mean 0 and variance 1 first. ``"auto"``: where neither
    ``bandwidth`` nor ``filter`` is given; one that is given is in the units of X.""",
    "unlabeled": """unlabeled : "auto", None or a value, default="auto"
    What marks a row without a label. ``"auto"``: −1 among integers; NaN, ``None``,
    ``pandas.NA`` or ``""`` among anything else. ``None``: every row is labelled.""",
    "common": """random_state : int, RandomState or None, default=None
    Seed of every random choice; ``None`` is the seed 0, so a fit can be repeated.
n_jobs : int, default=None
    Threads; ``None`` and −1 mean all, −2 all but one. Results do not depend on it.
verbose : int, default=0
    1 logs a line for each phase under ``isotherm``, 2 also progress within them.""",
    "weights": """Labels may be weighed: a weight of 2 is a row that stands twice, a weight of 0 a
row that is absent. Both hold by construction: rows of weight 0 leave before the fit, and labelled
rows that are equal, label and all, become one with the sum of their weights. That is done without
weights too, and needs a copy of X where such rows are found. The weight of an unlabelled row
matters only if it is 0. On a graph or a precomputed kernel nothing is merged, and a weight of 0
takes the label away.""",
    "laplacian": """<<rows_kernel>> The last
    two have no gradient everywhere and are refused.
<<bandwidth>> With labels enough it is chosen
    by leave-one-out.
<<kernel_params>>
landmarks : int or array of int, default=None
    How many rows carry functions ``k_z``, or which; ``None``: √n·log n, at least 50 and at most
    1000. With ``features="random"`` the number of waves, 1000 for ``None``.
landmark_rule : {"uniform", "leverage", "pivoted", "kmeans++"}, default="uniform"
    How landmarks are chosen.
derivatives : bool, default=False
    Whether ``∂ₐk_z`` are functions too.
features : {"landmarks", "random", "exact"}, default="landmarks"
    What the predictor is a sum of: ``k_z`` of landmarks, random Fourier features, or everything
    that the minimiser is made of, which is for small data.
filter : filter or None, default=None
    ψ: ``Tikhonov``, ``CutOff``, ``GradientFlow``, ``Landweber`` or ``Heat``; ``None``: Tikhonov
    with its strength chosen by leave-one-out.
norm_share : float or "auto", default="auto"
    μ of the penalty ``‖∇g‖² + μ‖g‖²``; ``"auto"``: 1/n.
covariance : {"labelled", "all"}, default="labelled"
    The rows that Σ̂ is over.
fit_intercept : bool or "auto", default="auto"
    Whether constants are free; ``"auto"``: for values, not for classes.
route : {"auto", "panel", "gram"}, default="auto"
    How L̂ is brought into coordinates: accurately for any μ, or fast.
precision : {"double", "single"}, default="double"
    In which numbers tiles are summed.""",
    "classifier_attributes": """classes_ : ndarray of shape (n_classes,)
    Classes, sorted.
transduction_ : ndarray of shape (n_samples,)
    Classes of the rows of the fit, labelled or not.
label_distributions_ : ndarray of shape (n_samples, n_classes)
    Their probabilities; uniform where no label reaches.
decision_ : ndarray of shape (n_samples, n_classes)
    Their scores, as the method gives them.
confidence_ : ndarray of shape (n_samples,)
    Their largest probability.""",
    "regressor_attributes": """transduction_ : ndarray of shape (n_samples[, n_targets])
    Values of the rows of the fit, labelled or not.""",
    "attributes": """reached_ : ndarray of bool, shape (n_samples,)
    Whether any label reaches a row of the fit.
dual_coef_ : ndarray or None
    α̂ over the labelled rows, in their order, where the method has such coefficients.
eigenvalues_ : ndarray
    Leading eigenvalues, at most 100, descending: of the base kernel ``S = G_K/N`` or of the modes
    kept (STKR), of ``(Σ̂, L̂ + μ)`` (Laplacian). Computed when first asked for.
bandwidth_ : float or None
    The kernel's length scale, if it has one.
report_ : FitReport
    How the fit went: solver, residual, warnings.
n_iter_ : int
    Iterations of the solver, at least 1.
n_features_in_ : int
    Columns of X.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Their names, if all are strings.""",
}


def documented(**values):
    """Fills ``<<name>>`` in a class's docstring with a value or the shared text of that name."""

    def text_of(match):
        name = match.group(1)
        return filled(str(values.get(name, TEXTS.get(name))))

    def filled(text):
        return re.sub(r"<<(\w+)>>", text_of, text)

    def fill(cls):
        cls.__doc__ = filled(inspect.cleandoc(cls.__doc__))
        return cls

    return fill
