"""What people would use, and what we would have them use.

Each method: (set, labelled rows, rows to choose by or None, seed, the set to predict on) → a class for every row of the
last. Labels of other rows than the first two are never looked at. The networks are PyTorch Geometric's, with the
settings that their papers print; nothing is tuned here except by the rows to choose by.
"""

import os
import subprocess
import tempfile
import time
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from scipy import sparse
from scipy.sparse.linalg import eigsh
from sklearn.linear_model import LogisticRegression
from torch.nn import functional as F
from torch_geometric.nn import APPNP as Propagation
from torch_geometric.nn import CorrectAndSmooth, GATConv, GCNConv, SGConv, SSGConv

import sets

torch.set_num_threads(1)


def row_shares(X):
    """Rows that sum to 1, as PyTorch Geometric's NormalizeFeatures has it; negative values are left alone."""
    if X.nnz and X.data.min() < 0:
        return X
    sums = np.asarray(X.sum(1)).ravel()
    return sparse.diags(1 / np.where(sums > 0, sums, 1)) @ X


def unit_rows(X):
    if X.nnz and X.data.min() < 0:
        return X
    lengths = np.sqrt(np.asarray(X.multiply(X).sum(1)).ravel())
    return sparse.diags(1 / np.where(lengths > 0, lengths, 1)) @ X


def walk(A, loops):
    """D^-½ W D^-½, W with loops or without."""
    A = A + sparse.identity(A.shape[0]) if loops else A
    d = np.asarray(A.sum(1)).ravel()
    D = sparse.diags(np.where(d > 0, d, 1) ** -0.5)
    return sparse.csr_matrix(D @ A @ D)


# -- networks ------------------------------------------------------------------------------------


def tensor(M):
    M = sparse.csr_matrix(M, dtype=np.float32)
    parts = (torch.from_numpy(a.astype(np.int64)) for a in (M.indptr, M.indices))
    return torch.sparse_csr_tensor(*parts, torch.from_numpy(M.data), M.shape)


class Columns:
    """Features as a network wants them: dense, or sparse where less than a fifth is there, which is faster."""

    def __init__(self, X):
        X = sparse.csr_matrix(X, dtype=np.float32)
        self.sparse = X.nnz < 0.2 * X.shape[0] * X.shape[1]
        self.shape = X.shape
        if self.sparse:
            self.parts = [torch.from_numpy(a.astype(np.int64)) for a in (X.indptr, X.indices)]
            back = sparse.csr_matrix((np.arange(X.nnz), X.indices, X.indptr), X.shape).T.tocsr()
            self.back = [torch.from_numpy(a.astype(np.int64)) for a in (back.indptr, back.indices)]
            self.order = torch.from_numpy(back.data.astype(np.int64))
        self.values = torch.from_numpy(X.data if self.sparse else X.toarray())

    def dropped(self, share, training):
        """Dropout of the entries; zeros stay zeros either way."""
        values = F.dropout(self.values, share, training)
        if not self.sparse:
            return values
        there = torch.sparse_csr_tensor(*self.parts, values, self.shape)
        return there, torch.sparse_csr_tensor(*self.back, values[self.order], self.shape[::-1])


class Times(torch.autograd.Function):
    """Sparse times dense; the transposed is at hand for the way back."""

    @staticmethod
    def forward(ctx, there, back, W):
        ctx.back = back
        return there @ W

    @staticmethod
    def backward(ctx, gradient):
        return None, None, ctx.back @ gradient.contiguous()


class Product(torch.nn.Module):
    """X W for dense or sparse X."""

    def __init__(self, columns, out):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(columns, out))
        torch.nn.init.xavier_uniform_(self.weight)

    def forward(self, X, share, training):
        X = X.dropped(share, training)
        return Times.apply(*X, self.weight) if isinstance(X, tuple) else X @ self.weight


class Graph:
    """The graph as the layers want it."""

    def __init__(self, A):
        self.S = tensor(walk(A, loops=True))
        self.links = torch.from_numpy(np.stack(A.nonzero()).astype(np.int64))


# Each network multiplies the features by its first weights itself, so that they may be sparse; the layer after that
# gets the product and has no weights of its own.


class GCN(torch.nn.Module):
    """Kipf and Welling 2017."""

    dropout, rate, decay = 0.5, 0.01, 5e-4

    def __init__(self, columns, out, hidden):
        super().__init__()
        how = {"normalize": False, "add_self_loops": False}  # done once, in Graph
        self.product, self.first = Product(columns, hidden), GCNConv(hidden, hidden, **how)
        self.first.lin = torch.nn.Identity()
        self.second = GCNConv(hidden, out, **how)

    def forward(self, X, graph):
        h = self.first(self.product(X, self.dropout, self.training), graph.S).relu()
        return self.second(F.dropout(h, self.dropout, self.training), graph.S)

    def decayed(self):
        return [*self.product.parameters(), *self.first.parameters()]


class GAT(torch.nn.Module):
    """Veličković 2018: 8 heads of 8, then one; decay on every weight."""

    dropout, rate, decay = 0.6, 0.005, 5e-4

    def __init__(self, columns, out, hidden):
        super().__init__()
        self.product, self.first = Product(columns, 64), GATConv(64, 8, heads=8, dropout=self.dropout)
        self.first.lin = torch.nn.Identity()
        self.second = GATConv(64, out, concat=False, dropout=self.dropout)

    def forward(self, X, graph):
        h = F.elu(self.first(self.product(X, self.dropout, self.training), graph.links))
        return self.second(F.dropout(h, self.dropout, self.training), graph.links)

    def decayed(self):
        return list(self.parameters())


class APPNP(torch.nn.Module):
    """Gasteiger 2019: 64 hidden, 10 steps, α 0.1."""

    dropout, rate, decay = 0.5, 0.01, 5e-3

    def __init__(self, columns, out, hidden):
        super().__init__()
        self.product, self.second = Product(columns, 64), torch.nn.Linear(64, out)
        self.bias = torch.nn.Parameter(torch.zeros(64))
        self.steps = Propagation(K=10, alpha=0.1, normalize=False, add_self_loops=False)

    def forward(self, X, graph):
        h = (self.product(X, self.dropout, self.training) + self.bias).relu()
        return self.steps(self.second(F.dropout(h, self.dropout, self.training)), graph.S)

    def decayed(self):
        return [*self.product.parameters(), self.bias]


def trained(module, optimiser, epochs, loss, chosen, y):
    """The last epoch, or the one with the most of the choosing rows right (the least loss among equals)."""
    best, kept = (-1, 0), None
    for _ in range(epochs):
        module.train()
        optimiser.zero_grad()
        loss().backward()
        optimiser.step()
        if chosen is not None:
            module.eval()
            with torch.no_grad():
                out = chosen()
                now = ((out.argmax(1) == y).float().mean().item(), -F.cross_entropy(out, y).item())
            if now > best:
                best, kept = now, {k: v.clone() for k, v in module.state_dict().items()}
    if kept is not None:
        module.load_state_dict(kept)
    module.eval()
    return best


def network(Net, s, train, choose, seed, then, identity=False):
    torch.manual_seed(seed)
    X = Columns(sparse.identity(len(s.y), format="csr") if identity else row_shares(s.X))
    graph, y = Graph(s.A), torch.from_numpy(s.y)
    net = Net(X.shape[1], s.classes, hidden=64 if s.name.startswith(("amazon", "coauthor")) else 16)
    decayed = net.decayed()
    others = [p for p in net.parameters() if all(p is not q for q in decayed)]
    groups = [{"params": decayed, "weight_decay": net.decay}, {"params": others, "weight_decay": 0}]
    trained(
        net,
        torch.optim.Adam([g for g in groups if g["params"]], lr=net.rate),
        200,
        lambda: F.cross_entropy(net(X, graph)[train], y[train]),
        None if choose is None else lambda: net(X, graph)[choose],
        None if choose is None else y[choose],
    )
    if then is not s:
        X, graph = Columns(row_shares(then.X)), Graph(then.A)
    with torch.no_grad():
        return net(X, graph).argmax(1).numpy()


def simple(conv, s, train, choose, seed, then):
    """SGC, SSGC: the columns are filtered once, then logistic regression by Adam (rate 0.2, 100 epochs); decay 5e-6,
    the default of the authors' code, or the best of four by the choosing rows."""

    def filtered(s, layer):
        X = torch.from_numpy(row_shares(s.X).toarray().astype(np.float32))
        with torch.no_grad():
            layer(X, tensor(s.A))
        return layer._cached_x if hasattr(layer, "_cached_x") else layer._cached_h

    torch.manual_seed(seed)
    y = torch.from_numpy(s.y)
    layer = conv(s.X.shape[1], s.classes, cached=True)
    Z = filtered(s, layer)
    lin, best = layer.lin, ((-1, 0), None)
    for decay in (5e-6,) if choose is None else (5e-3, 5e-4, 5e-5, 5e-6):
        layer.reset_parameters()
        found = trained(
            lin,
            torch.optim.Adam(lin.parameters(), lr=0.2, weight_decay=decay),
            100,
            lambda: F.cross_entropy(lin(Z[train]), y[train]),
            None if choose is None else lambda: lin(Z[choose]),
            None if choose is None else y[choose],
        )
        if best[1] is None or found > best[0]:
            best = found, {k: v.clone() for k, v in lin.state_dict().items()}
    lin.load_state_dict(best[1])
    if then is not s:
        Z = filtered(then, conv(then.X.shape[1], s.classes, cached=True))
    with torch.no_grad():
        return lin(Z).argmax(1).numpy()


def correct_and_smooth(s, train, choose, seed, then):
    """Huang 2021 on logistic regression of the features; 50 steps, both α 0.8, or the best of nine pairs."""
    model = LogisticRegression(max_iter=1000).fit(unit_rows(s.X)[train], s.y[train])
    soft = torch.from_numpy(spread(model.predict_proba(unit_rows(s.X)), model.classes_, s)).float()
    S, mask = tensor(walk(s.A, loops=False)), torch.zeros(len(s.y), dtype=torch.bool)
    mask[train] = True
    known = torch.from_numpy(s.y)[mask]
    best = -1, None
    pairs = [(0.8, 0.8)] if choose is None else [(a, b) for a in (0.5, 0.8, 0.95) for b in (0.5, 0.8, 0.95)]
    for a, b in pairs:
        post = CorrectAndSmooth(50, a, 50, b, autoscale=True)
        out = post.smooth(post.correct(soft, known, mask, S), known, mask, S).argmax(1).numpy()
        right = 0 if choose is None else np.mean(out[choose] == s.y[choose])
        if right > best[0]:
            best = right, out
    return best[1]


# -- without training a network ------------------------------------------------------------------


def spread(p, known, s):
    """One column for every class of the set, also those that no label shows."""
    out = np.zeros((len(p), s.classes))
    out[:, known] = p
    return out


def one_hot(s, train):
    Y = np.zeros((len(s.y), s.classes))
    Y[train, s.y[train]] = 1
    return Y


def said(H, s, train):
    """The largest column; the commonest class where no label reaches."""
    return np.where(H.max(1) > 0, H.argmax(1), np.bincount(s.y[train]).argmax())


def logistic(s, train, choose, seed, then):
    """The features alone."""
    model = LogisticRegression(max_iter=1000).fit(unit_rows(s.X)[train], s.y[train])
    return model.predict(unit_rows(then.X))


def spreading(s, train, choose, seed, then):
    """Zhou 2004 as networkx has it: α 0.99, 30 steps."""
    S, Y = walk(s.A, loops=False), one_hot(s, train)
    H = Y
    for _ in range(30):
        H = 0.99 * (S @ H) + 0.01 * Y
    return said(H, s, train)


def harmonic(s, train, choose, seed, then):
    """Zhu 2003: the mean of the neighbours, labels held; until nothing moves, at most 1,000 steps."""
    d = np.asarray(s.A.sum(1)).ravel()
    P, Y = sparse.diags(1 / np.where(d > 0, d, 1)) @ s.A, one_hot(s, train)
    H = Y
    for _ in range(1000):
        before, H = H, P @ H
        H[train] = Y[train]
        if np.abs(H - before).max() < 1e-6:
            break
    return said(H, s, train)


@cache
def leading(name):
    """64 leading eigenvectors of D^-½ W D^-½ times their eigenvalues, scaled to N rows; and the seconds they took."""
    start = time.perf_counter()
    S = walk(sets.load(name).A, loops=False)
    if S.shape[0] <= 2_000:
        values, vectors = np.linalg.eigh(S.toarray())
        values, vectors = values[-64:], vectors[:, -64:]
    else:
        values, vectors = eigsh(S, 64, which="LA", tol=1e-6, v0=np.ones(S.shape[0]))
    return vectors * values * np.sqrt(S.shape[0]), time.perf_counter() - start


def spectral(s, train, choose, seed, then):
    Z, seconds = leading(s.name)
    return LogisticRegression(max_iter=1000).fit(Z[train], s.y[train]).predict(Z), seconds


def majority(s, train, choose, seed, then):
    return np.full(len(then.y), np.bincount(s.y[train]).argmax())


# -- ours ----------------------------------------------------------------------------------------


def marked(s, train):
    y = np.full(len(s.y), -1)
    y[train] = s.y[train]
    return y


def ours(A, X, y_marked):
    import isotherm  # absent while only peers run

    return isotherm.AutoClassifier(graph=A, n_jobs=1).fit(X, y_marked)


def everywhere(model, then, predict):
    """Classes of the nodes of the fit, and of those that came later by their links to them."""
    if then.old is None:
        return model.transduction_
    new = np.setdiff1d(np.arange(len(then.y)), then.old)
    out = np.empty(len(then.y), dtype=np.int64)
    out[then.old] = model.transduction_
    out[new] = predict(new, then.A[new][:, then.old].tocsr())
    return out


def auto(s, train, choose, seed, then):
    """Links and features, whatever there is."""
    model = ours(s.A, s.X, marked(s, train))
    return everywhere(model, then, lambda new, links: model.predict(then.X[new], links=links))


def command(s, train, choose, seed, then):
    """`isotherm label nodes.csv --label y --graph edges.csv`, as the variable ISOTHERM_BIN names the program. Its
    seconds include writing and reading the files."""
    with tempfile.TemporaryDirectory() as folder:
        nodes, edges, out = (Path(folder) / name for name in ("nodes.csv", "edges.csv", "out.csv"))
        table = pd.DataFrame({"node": [f"n{i}" for i in range(len(s.y))]})
        if s.X is not None:
            columns = [f"x{j}" for j in range(s.X.shape[1])]
            table = pd.concat([table, pd.DataFrame(s.X.toarray(), columns=columns)], axis=1)
        y = marked(s, train)
        table["y"] = [f"c{c}" if c >= 0 else "" for c in y]
        table.to_csv(nodes, index=False, float_format="%.6g")
        upper = sparse.triu(s.A, 1).tocoo()
        links = pd.DataFrame({"from": upper.row, "to": upper.col, "weight": upper.data})
        for end in ("from", "to"):
            links[end] = "n" + links[end].astype(str)
        links.to_csv(edges, index=False)
        call = [os.environ["ISOTHERM_BIN"], "label", nodes, "--label", "y", "--graph", edges, "--id", "node"]
        call += ["--isolated", "keep", "--force", "-o", out]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().replace("\n", " ")[-180:])
        found = pd.read_csv(out, usecols=["node", "iso_label"], dtype=str).set_index("node")["iso_label"]
        found = found.reindex(table["node"]).fillna(f"c{np.bincount(y[train]).argmax()}")
        return found.str[1:].astype(int).to_numpy()


def stkr(s, train, choose, seed, then):
    """Links alone."""
    import isotherm

    model = isotherm.STKRClassifier(kernel="graph", n_jobs=1).fit(s.A, marked(s, train))
    return everywhere(model, then, lambda new, links: model.predict(links))


def table(s, train, choose, seed, then):
    """Features alone."""
    import isotherm

    return isotherm.AutoClassifier(n_jobs=1).fit(s.X.toarray(), marked(s, train)).transduction_


NETWORKS = {
    "gcn": partial(network, GCN),
    "gat": partial(network, GAT),
    "appnp": partial(network, APPNP),
    "sgc": partial(simple, partial(SGConv, K=2)),
    "ssgc": partial(simple, partial(SSGConv, alpha=0.05, K=16)),
    "correct_smooth": correct_and_smooth,
}
LINKS = {"spreading": spreading, "harmonic": harmonic, "spectral": spectral}
PEERS = {
    "features": {**NETWORKS, "logistic": logistic, **LINKS, "majority": majority},
    "links": {**LINKS, "gcn_identity": partial(network, GCN, identity=True), "majority": majority},
}
OURS = {"auto": auto, "auto_table": table, "stkr": stkr}
if "ISOTHERM_BIN" in os.environ:
    OURS["command"] = command
CHOOSERS = tuple(NETWORKS)  # those that can use rows to choose by
NEW = ("gcn", "logistic")  # tried on nodes that were absent from the fit
