"""The binding: arrays in, arrays out. Everything else is Python or Rust, not here.

Every function that may run long takes ``threads`` (``None``: all there are) and
``on_event``, called a few times a second with ``(kind, name, done, steps)``:
``("phase", name, 0, steps or None)``, ``("step", name, done, steps or None)``,
``("residual", name, iteration, relative)``. An exception raised by it, or Ctrl-C,
stops the work and is what the caller sees. The GIL is released while Rust works.

Recipes, reports and estimates are dicts of plain Python values, the ``TypedDict`` classes below;
they exist for type checkers only and cannot be imported at run time.

Errors: ``ValueError`` for parameters, shapes, labels, cells, edges and data,
``numpy.linalg.LinAlgError`` for indefinite systems and overflow, ``MemoryError``,
``OSError`` for files.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

Event = Callable[[str, str, float, float | None], None]
Floats = NDArray[np.float64] | NDArray[np.float32]

Shape = Literal["table", "graph", "gram"]

__version__: str

# ---- what crosses as dicts ----

class Recipe(TypedDict):
    """What is to be fitted; parameters of the method are beside its ``kind``."""

    method: dict[str, Any]
    task: str
    seed: int
    scaling: NotRequired[Literal["standardise", "none"] | None]
    neighbours: NotRequired[int | None]
    kernel: NotRequired[dict[str, Any] | None]
    normalisation: NotRequired[str | None]
    thresholds: NotRequired[Literal["micro", "macro", "samples"] | None]

class SolveReport(TypedDict):
    """How a system was solved; what does not apply is None or left out."""

    solver: str
    size: int
    iterations: int
    residual: float | None
    error_estimate: NotRequired[float | None]
    condition: NotRequired[float | None]
    outcome: str
    smallest: NotRequired[float | None]
    choice: NotRequired[str | None]

class Warned(TypedDict):
    """A warning of a fit, and its own numbers beside these."""

    kind: str
    text: str
    code: str

class Settled(TypedDict):
    """How labels known in part were chosen."""

    samples: int
    objective: list[float]
    converged: bool

class ModelInfo(TypedDict):
    recipe: Recipe
    task: str
    method: str
    shape: Shape
    classes: list[str] | None
    names: list[str]
    features: list[str]
    anchors: int
    labelled: int
    dim: int | None
    """Columns of the rows or of the nodes' features; None for similarities and for graphs without
    features."""
    relations: list[tuple[str, bool, bool]]
    """Kinds of edges that are told apart, with the directions that are kept: out, in."""
    kernel: dict[str, Any] | None
    """With the bandwidth that was used."""
    report: SolveReport | None
    warnings: list[Warned]
    calibrated_on: int | None
    settled: Settled | None
    class_shares: FoundShares | None
    recall: list[float] | None
    """Of approximate neighbours: its estimate and standard error."""

class FoundShares(TypedDict):
    classes: list[str]
    labels: list[float]
    unlabelled: list[float]
    rows: int
    iterations: int
    converged: bool

class SharesEffect(FoundShares):
    used: bool
    moved: int
    accuracy: float
    accuracy_with: float

class EmbeddingInfo(TypedDict):
    params: dict[str, Any]
    kernel: dict[str, Any] | None
    dim: int | None
    report: SolveReport | None

class GraphReport(TypedDict):
    nodes: int
    edges: int
    duplicates: int
    loops: int
    zero_weights: int
    asymmetric: int
    isolated: int

class Interval(TypedDict):
    low: float
    high: float
    level: float

class MeasureDict(TypedDict):
    name: str
    higher_is_better: bool
    estimand: Literal["new-row", "unlabelled"]
    value: float
    interval: Interval | None
    no_interval: NotRequired[str]
    rows: int

class Baseline(TypedDict):
    name: str
    value: float
    better: int
    worse: int
    chance: float
    count_chance: float
    gain: float
    verdict: Literal["helped", "hurt", "split", "open"]

class Confusion(TypedDict):
    classes: list[str]
    counts: list[list[int]]
    """``counts[given][predicted]``; the last column counts rows that no other label reaches."""

class Suspect(TypedDict):
    sample: int
    given: str
    suggested: str
    strength: float

class Evaluation(TypedDict):
    task: str
    labels: int
    samples: int
    audits_only: bool
    level: float
    measures: list[MeasureDict]
    baseline: Baseline | None
    confusion: Confusion | None
    suspects: list[Suspect]
    class_shares: SharesEffect | None
    notes: list[str]

class Bin(TypedDict):
    low: float
    high: float
    rows: int
    right: int
    confidence: float
    accuracy: float
    interval: Interval

class Reliability(TypedDict):
    rows: int
    accuracy: float
    confidence: float
    bins: list[Bin]
    calibration_error: float
    interval: Interval
    by_chance: float
    """The error that a calibrated model with these confidences would show on average."""
    chance: float

class Band(TypedDict):
    mean: float
    low: float
    high: float

class CurvePoint(TypedDict):
    labels: int
    method: Band
    baseline: Band
    gain: Band

class LearningCurve(TypedDict):
    measure: str
    higher_is_better: bool
    labels: int
    used: int
    held_out: int
    repeats: int
    level: float
    baseline_name: str
    points: list[CurvePoint]

class SuggestedRow(TypedDict):
    row: int
    score: float
    reason: str
    audit: float | None
    """Of an audit row, the probability with which it was drawn."""
    pool: int

class Suggested(TypedDict):
    rows: list[SuggestedRow]
    note: str
    unlabelled: int

class Cell(TypedDict):
    """One cell of a grid: ``transform`` and ``ridge``, or ``bandwidth``, ``norm_share``, ``filter``."""

    score: float | None
    transform: NotRequired[dict[str, Any]]
    ridge: NotRequired[float]
    bandwidth: NotRequired[float | None]
    norm_share: NotRequired[float]
    filter: NotRequired[dict[str, Any]]

class Tuned(TypedDict):
    recipe: Recipe
    best: int
    cells: list[Cell]
    metric: Literal["accuracy", "squared-error"]

class Range(TypedDict):
    low: float
    closed: bool
    high: float | None
    closed_above: bool

class Values(TypedDict):
    """The values of a parameter; what its kind does not have is left out."""

    kind: Literal["switch", "yes-no", "name", "count", "number", "numbers", "classes", "shares",
                  "costs"]
    names: NotRequired[list[str]]
    least: NotRequired[int]
    range: NotRequired[Range]
    word: NotRequired[str | None]

class Parameter(TypedDict):
    name: str
    doc: str
    values: Values
    default: str | None
    read_by: list[dict[str, Any]]
    shapes: list[Any]
    tasks: list[Any]

class Kernel(TypedDict):
    name: str
    recipe: dict[str, Any]
    smooth: bool

# ---- what crosses as objects ----

class Graph:
    """Undirected weighted graph; entry (i, j) and (j, i) are one edge."""

    @staticmethod
    def from_csr(
        starts: NDArray[np.int64], columns: NDArray[np.int64], weights: NDArray[np.float64] | None
    ) -> Graph:
        """A square adjacency matrix in CSR form. It must be symmetric, or hold each edge once;
        self-loops are dropped (``report()`` tells). Weights ``None``: all one."""
    @staticmethod
    def from_edges(
        n_nodes: int | None,
        sources: NDArray[np.int64],
        targets: NDArray[np.int64],
        weights: NDArray[np.float64] | None,
    ) -> Graph: ...
    @property
    def n_nodes(self) -> int: ...
    def to_csr(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64] | None]:
        """Both directions of every edge, rows sorted."""
    def report(self) -> GraphReport | None:
        """What was found in the edges; None for a graph that was not read from edges."""

class Links:
    """New nodes by their links to the N nodes of a graph: CSR rows with N columns."""

    def __init__(
        self,
        starts: NDArray[np.int64],
        columns: NDArray[np.int64],
        weights: NDArray[np.float64] | None,
        n_known: int,
    ) -> None: ...

class SparseRows:
    """Rows of which only the numbers that are not zero are kept, as in CSR form. Taken wherever
    rows are; read fast by blends of nodes only."""

    def __init__(
        self,
        starts: NDArray[np.int64],
        columns: NDArray[np.int64],
        values: NDArray[np.float64],
        dim: int,
    ) -> None: ...

class Nodes:
    """A graph whose nodes have features, one row each."""

    def __init__(self, graph: Graph, features: Floats | Blocks | SparseRows) -> None: ...
    @staticmethod
    def of_relations(
        relations: list[tuple[str, Graph, Links | None, Links | None]],
        features: Floats | Blocks | SparseRows | None = None,
    ) -> Nodes:
        """Several kinds of edges: name, edges, links that lead away and links that come in."""
    @property
    def n_nodes(self) -> int: ...
    @property
    def has_features(self) -> bool: ...

class NewNodes:
    """New nodes by their links, and their features, one row each."""

    def __init__(self, links: Links, features: Floats | Blocks | SparseRows) -> None: ...
    @staticmethod
    def of_relations(
        relations: list[tuple[str, Links, Links | None, Links | None]],
        features: Floats | Blocks | SparseRows | None = None,
    ) -> NewNodes:
        """Links by kind of edges, as :meth:`Nodes.of_relations`."""

class Gram:
    """A similarity matrix: N×N to fit (symmetric), or m×N rows K(new, known) to predict."""

    def __init__(self, values: NDArray[np.float64]) -> None: ...

class Labels:
    """What is known of each sample. Missing is missing, never a class."""

    @staticmethod
    def classes(codes: NDArray[np.int64], names: Sequence[str]) -> Labels:
        """``codes[i]`` indexes ``names``; −1 is unlabelled. Order of names = order of columns."""
    @staticmethod
    def values(values: NDArray[np.float64]) -> Labels:
        """NaN is unlabelled."""
    @staticmethod
    def numbers(values: NDArray[np.float64], names: Sequence[str]) -> Labels:
        """Several numbers a row; a row of NaN is unlabelled, a row with some NaN is refused."""
    @staticmethod
    def flags(values: NDArray[np.int8], names: Sequence[str]) -> Labels:
        """1 yes, 0 no, −1 missing; a row of −1 is unlabelled."""
    @staticmethod
    def orders(labels: Sequence[Sequence[Sequence[int]] | None], names: Sequence[str]) -> Labels:
        """Groups of item numbers, the most preferred first; ``None`` is unlabelled."""
    @staticmethod
    def sets(labels: Sequence[Sequence[int] | None], names: Sequence[str]) -> Labels:
        """Candidate class numbers; ``None`` is unlabelled."""
    @staticmethod
    def shares(values: NDArray[np.float64], names: Sequence[str]) -> Labels:
        """Rows that sum to one; a row of NaN is unlabelled."""
    @staticmethod
    def ranges(values: NDArray[np.float64]) -> Labels:
        """n×2, low and high, ends may be infinite; NaN is unlabelled."""
    def __len__(self) -> int: ...

Data = Floats | Graph | Nodes | Gram
"""Rows (C or F order, read-only or a memmap: looked at in place), a graph, its nodes with features,
or a Gram matrix."""

class Answer:
    """What a model says of some samples; arrays are handed over without a copy."""

    @property
    def scores(self) -> NDArray[np.float64]:
        """n × width, as the method gives them. Numbers' offset is NOT in here."""
    @property
    def reached(self) -> NDArray[np.bool_]: ...
    @property
    def labels(self) -> NDArray[np.int64] | None:
        """Class (or decision) numbers, −1 where not reached; classes only."""
    @property
    def probabilities(self) -> NDArray[np.float64] | None:
        """Classes only; uniform where not reached."""
    @property
    def values(self) -> NDArray[np.float64] | None:
        """n × 1 for one number, n × k for several, offset included; NaN where not reached."""
    @property
    def flags(self) -> NDArray[np.int8] | None:
        """n × tags, −1 where not reached."""
    @property
    def orders(self) -> NDArray[np.int64] | None:
        """n × items, item numbers, the most preferred first; −1 where not reached."""

class Blocks:
    """Rows some of whose columns are one thing together, such as the topics of a text, as pairs
    of a first column and the one after the last. Taken wherever rows are."""
    def __init__(self, data: Floats, blocks: Sequence[tuple[int, int]]) -> None: ...

def check_rows(data: Floats, *, first: int = 0, names: Sequence[str] | None = None) -> None:
    """Refuses a number that cannot be used, by its row (the first one is ``first``) and the name
    of its column."""

Cells = NDArray[np.float64] | NDArray[np.int64] | NDArray[np.bool_] | list[str | None]

class Encoder:
    """How the columns of a table become features."""
    @staticmethod
    def learn(columns: Sequence[tuple[str, Cells]], kinds: Sequence[tuple[str, str]], *,
              embed_with: str | None = None, threads: int | None = None,
              on_event: Event | None = None) -> Encoder: ...
    @staticmethod
    def numbers(names: Sequence[str], fills: Sequence[float]) -> Encoder:
        """Of numbers only, each with what takes the place of a missing one."""
    def transform(self, columns: Sequence[tuple[str, Cells]], *,
                  embed_with: str | None = None, threads: int | None = None,
                  on_event: Event | None = None) -> Encoded: ...
    def to_bytes(self) -> bytes:
        """The features only: ``columns``, ``kinds``, ``filled`` and ``left_out`` are empty in
        what is read of them."""
    @staticmethod
    def from_bytes(data: bytes) -> Encoder: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def kinds(self) -> list[tuple[str, str, int]]:
        """Column, kind and number of features."""
    @property
    def filled(self) -> list[tuple[str, int]]: ...
    @property
    def left_out(self) -> list[tuple[str, str, bool]]:
        """Column, why, and whether that is usual."""

class Encoded:
    @property
    def values(self) -> NDArray[np.float64]: ...
    @property
    def blocks(self) -> list[tuple[int, int]]: ...
    @property
    def unseen(self) -> list[tuple[str, int, str]]:
        """Column, rows, and an example of values that no feature stands for."""

def median(values: NDArray[np.float64]) -> float | None:
    """Of the numbers that are not NaN."""

class Model:
    def predict(self, data: Floats | Blocks | Links | NewNodes | Gram, *, threads: int | None = None,
                on_event: Event | None = None) -> Answer: ...
    def visible(self) -> Answer | None:
        """Of the samples it was fitted to, where the method solves for them (stkr, label
        propagation, harmonic); ``None`` for kernel ridge and laplacian: predict them."""
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Model: ...
    def save(self, path: str, *, overwrite: bool = True) -> None: ...
    @staticmethod
    def load(path: str) -> Model: ...
    def set_features(self, names: Sequence[str]) -> None: ...
    def set_encoder(self, encoder: Encoder, *, named: bool) -> None: ...
    def encoder(self) -> Encoder | None:
        """How new rows become features, if the model knows more than their names."""
    def info(self) -> ModelInfo: ...
    @property
    def blend(self) -> list[tuple[str, float]]:
        """What a blend is made of: names and shares, the largest first."""

    @property
    def dual(self) -> NDArray[np.float64] | None:
        """α̂ over the labelled samples, in the order of the rows (stkr, kernel ridge); not in the
        file, so ``None`` after ``load``."""

def parameters() -> list[Parameter]:
    """The library's table of parameters, in the library's names."""

def kernels() -> list[Kernel]:
    """The library's kernels: how a recipe writes each with its usual numbers, and whether it has
    a gradient everywhere."""

def check_recipe(recipe: Recipe, shape: Shape) -> None:
    """ValueError for anything that can be seen without data."""

def fit(recipe: Recipe, data: Data, labels: Labels, *, weights: NDArray[np.float64] | None = None,
        function: Callable[[float], float] | None = None, threads: int | None = None,
        on_event: Event | None = None) -> Model:
    """``weights``: one a sample, read where it is labelled. ``function``: s(λ) for stkr, used
    instead of the recipe's transform (which must then be ``{"kind": "custom"}``)."""

def leave_one_out(recipe: Recipe, data: Data, labels: Labels, *,
                  weights: NDArray[np.float64] | None = None,
                  function: Callable[[float], float] | None = None, threads: int | None = None,
                  on_event: Event | None = None
                  ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
    """Labelled rows, their scores from the fit to the other labels (same scale as
    ``Answer.scores``; for numbers with the offset added), and which of them another label
    reaches."""

def spectrum(recipe: Recipe, data: Data, labels: Labels, count: int, *,
             function: Callable[[float], float] | None = None, threads: int | None = None,
             on_event: Event | None = None) -> NDArray[np.float64]:
    """Leading eigenvalues, descending, at most ``count``: of S = G_K/N for stkr, of the modes kept
    for a truncation, of (Σ̂, L̂ + μ) for laplacian (all of them, then cut). ValueError else."""

def evaluate(recipe: Recipe, data: Data, labels: Labels, *, level: float, suspects: int,
             weights: NDArray[np.float64] | None = None, audit: NDArray[np.bool_] | None = None,
             pool: NDArray[np.int64] | None = None, threads: int | None = None,
             on_event: Event | None = None) -> Evaluation:
    """Every label predicted by the fit to the others. ``audit`` and ``pool`` have one entry a row
    and are read where there is a label; ``suspects`` are listed at most."""

def reliability(recipe: Recipe, data: Data, labels: Labels, *, level: float,
                weights: NDArray[np.float64] | None = None, audit: NDArray[np.bool_] | None = None,
                pool: NDArray[np.int64] | None = None, threads: int | None = None,
                on_event: Event | None = None) -> Reliability:
    """Confidences of the labels, each from the fit to the others, beside what is true."""

def reliability_of(confidence: NDArray[np.float64], right: NDArray[np.bool_], *, level: float,
                   seed: int = 0) -> Reliability:
    """Given confidences beside whether they were right; ten rows or more."""

def learning_curve(recipe: Recipe, data: Data, labels: Labels, *, level: float, repeats: int,
                   points: int, audit: NDArray[np.bool_] | None = None,
                   pool: NDArray[np.int64] | None = None, threads: int | None = None,
                   on_event: Event | None = None) -> LearningCurve:
    """Fits to fewer labels, judged on labels that are held out. Labels are not weighed."""

def suggest(recipe: Recipe, data: Data, labels: Labels, *, count: int, strategy: str,
            audit_every: int | None = None, modes: int, classes: Sequence[str],
            weights: NDArray[np.float64] | None = None, threads: int | None = None,
            on_event: Event | None = None) -> Suggested:
    """Rows to label next. ``classes``: those that may occur, beside those of the labels."""

def fit_with_sets(recipe: Recipe, data: Data, labels: Labels, level: float, *,
                  weights: NDArray[np.float64] | None = None, threads: int | None = None,
                  on_event: Event | None = None
                  ) -> tuple[Model, NDArray[np.bool_] | NDArray[np.float64]]:
    """Sets of classes as n × classes booleans, or intervals as n × 2."""

def tune(recipe: Recipe, data: Data, labels: Labels, grid: dict[str, Any] | None = None, *,
         weights: NDArray[np.float64] | None = None, threads: int | None = None,
         on_event: Event | None = None) -> Tuned:
    """``grid``: ``transforms`` and ``ridges`` for stkr; ``bandwidths``, ``norm_shares`` and
    ``filters`` for laplacian; None for the default grid. ``best`` is a place in ``cells``."""

def knn_graph(x: Floats | SparseRows, n_neighbors: int, *, directions: bool = False,
              seed: int = 0, exact: bool = False, threads: int | None = None,
              on_event: Event | None = None) -> Graph: ...

class Embedding:
    """Modes of the data, for rows it saw and new ones."""

    @staticmethod
    def fit(params: dict[str, Any], data: Floats | Graph, n_components: int, *,
            standardize: bool = True, seed: int = 0, threads: int | None = None,
            on_event: Event | None = None) -> Embedding:
        """``params``: {"kind": "stkr", kernel | neighbours | normalisation} or
        {"kind": "laplacian", …}, as a recipe's method."""
    @property
    def eigenvalues(self) -> NDArray[np.float64]: ...
    def visible(self) -> NDArray[np.float64]:
        """Coordinates of the rows it was fitted to."""
    def transform(self, data: Floats | Links, *, threads: int | None = None,
                  on_event: Event | None = None) -> NDArray[np.float64]: ...
    def info(self) -> EmbeddingInfo: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Embedding: ...

# ---- bigger than memory, bigger than a machine: kernel Laplacians only ----

def fit_streamed(recipe: Recipe, source: Any, dim: int, labels: Labels, *, threads: int | None = None,
                 on_event: Event | None = None) -> Model:
    """``source.rewind()`` and ``source.next() -> Floats | None``, called twice over the rows."""

def sample_size(recipe: Recipe, rows: int) -> int:
    """How many rows a survey for this recipe draws."""

def rows_to_keep(recipe: Recipe, labels: Labels) -> NDArray[np.int64]:
    """The rows of the whole table that surveys must keep: labelled ones and named landmarks."""

class Survey:
    """What one light pass over a part of the rows found; parts merge in any order."""

    @staticmethod
    def of(x: Floats, first: int, labelled: NDArray[np.int64], size: int, seed: int) -> Survey:
        """Rows ``first …`` of the whole table; ``labelled``: places *within* x to keep (those of
        ``rows_to_keep`` that lie in this part);
        ``size``: rows of the whole table to sample. The sample follows from the seed and the row
        numbers, not from how rows were dealt to parts."""
    def merge(self, other: Survey) -> Survey: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Survey: ...
    @property
    def count(self) -> int: ...

class Plan:
    """A recipe with its basis and open parameters settled from a survey: what workers need."""

    @staticmethod
    def of(recipe: Recipe, survey: Survey, labels: Labels, *,
           weights: NDArray[np.float64] | None = None, threads: int | None = None,
           on_event: Event | None = None) -> Plan:
        """``labels``: one entry for each row of the whole table."""
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Plan: ...
    @property
    def needs_sums(self) -> bool:
        """Whether ``solve`` reads sums: not where the sample held all rows (they are counted)."""
    def moments(self, x: Floats, first: int, *, threads: int | None = None) -> Moments:
        """Sums over rows ``first …`` of the whole table."""
    def solve(self, moments: Moments, *, threads: int | None = None,
              on_event: Event | None = None) -> Model: ...

class Moments:
    """Σ̂, L̂ and counts over a part of the rows; add and merge in any order."""

    def merge(self, other: Moments) -> Moments: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(plan: Plan, data: bytes) -> Moments: ...
    @property
    def count(self) -> int: ...

# ---- predictions that others made of rows held back ----

class Judgement(TypedDict):
    measures: list[MeasureDict]
    confusion: list[list[int]] | None

def judge_classes(truth: NDArray[np.int64], predicted: NDArray[np.int64], *, classes: int,
                  rows: int, level: float, audit: NDArray[np.bool_] | None = None,
                  pool: NDArray[np.int64] | None = None) -> Judgement:
    """Classes of labelled rows beside those predicted without them; ``rows`` counts all rows."""

def judge_values(errors: NDArray[np.float64], *, rows: int, level: float,
                 audit: NDArray[np.bool_] | None = None) -> Judgement:
    """Squared errors of labelled rows, each predicted without its label."""

def split_classes(held: Floats, truth: NDArray[np.int64], rows: Floats,
                  level: float) -> NDArray[np.bool_]:
    """For each of ``rows`` (scores) which classes cannot be excluded."""

def split_values(held: NDArray[np.float64], truth: NDArray[np.float64],
                 predictions: NDArray[np.float64], level: float) -> NDArray[np.float64]:
    """Ends of an interval about each prediction."""
