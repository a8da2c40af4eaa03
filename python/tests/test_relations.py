"""Several kinds of edges between the same nodes, and edges whose direction is kept."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from isotherm import AutoClassifier

N = 200


def labels(n=N):
    """Two classes by turns; the first 24 nodes have a label."""
    truth = np.arange(n) % 2
    return np.where(np.arange(n) < 24, truth, -1), truth


def matrix(sources, targets, n):
    found = sparse.csr_array((np.ones(len(sources)), (sources, targets)), shape=(n, n))
    found.setdiag(0)
    found.eliminate_zeros()
    found.data[:] = 1.0
    return found


def kinds(seed=0):
    """Friends have the same class nine times of ten, four times as many others meet at random."""
    draw = np.random.default_rng(seed)
    nodes = np.repeat(np.arange(N), 2)
    same = draw.random(len(nodes)) < 0.9
    other = 2 * draw.integers(0, N // 2, len(nodes)) + (nodes + ~same) % 2
    friends = matrix(nodes, other, N)
    many = np.repeat(np.arange(N), 8)
    others = matrix(many, draw.integers(0, N, len(many)), N)
    return friends.maximum(friends.T), others.maximum(others.T)


def hubs(seed=0):
    """Class 0 links to the first twenty hubs and is linked from the others, class 1 the other way."""
    draw = np.random.default_rng(seed)
    nodes = np.repeat(np.arange(N), 4)
    to = N + 20 * (nodes % 2) + draw.integers(0, 20, len(nodes))
    since = N + 20 * (1 - nodes % 2) + draw.integers(0, 20, len(nodes))
    return matrix(np.r_[nodes, since], np.r_[to, nodes], N + 40)


def right(model, truth, until=N):
    return (model.transduction_ == truth)[24:until].mean()


@pytest.mark.parametrize("form", [list, tuple, dict])
def test_the_kind_that_follows_the_labels_carries_the_weight(form):
    friends, others = kinds()
    y, truth = labels()
    names = ("friends", "others") if form is dict else ("graph[0]", "graph[1]")
    given = dict(zip(names, (friends, others), strict=True)) if form is dict else form([friends, others])
    model = AutoClassifier(graph=given).fit(None, y)
    together = AutoClassifier(graph=friends + others).fit(None, y)
    assert right(model, truth) > right(together, truth)
    weight = [sum(w for name, w in model.blend_.items() if f"({kind})" in name) for kind in names]
    assert weight[0] > weight[1]


def test_new_nodes_say_of_which_kind_their_links_are():
    friends, others = kinds()
    y, truth = labels()
    model = AutoClassifier(graph={"friends": friends, "others": others}).fit(None, y)
    new = sparse.vstack([friends[[40]], friends[[41]]])
    for links in ({"friends": new}, [new, sparse.csr_array((2, N))]):
        assert model.predict(links=links).tolist() == truth[[40, 41]].tolist()
    for links, said in [
        (new, "links must be a list or a dict, .* friends, others"),
        ([new], "links must have one entry for each kind of edges, friends, others, got 1"),
        ({"enemies": new}, "which the model knows, got 'enemies'"),
        ({"friends": new, "others": new[[0]]}, "one row for each new node in every kind"),
    ]:
        with pytest.raises(ValueError, match=said):
            model.predict(links=links)


@pytest.mark.parametrize("direction", ["out", "in", "both"])
def test_a_direction_that_is_kept_tells_apart_what_is_alike_without(direction):
    A = hubs()
    y, truth = labels(N + 40)
    ignored = AutoClassifier(graph=A.maximum(A.T)).fit(None, y)
    model = AutoClassifier(graph=A, direction=direction).fit(None, y)
    assert right(ignored, truth) < 0.7
    assert right(model, truth) > 0.95
    # A new node of each class by its links.
    out = sparse.csr_array((np.ones(6), ([0] * 3 + [1] * 3, [N, N + 1, N + 2, N + 20, N + 21, N + 22])), (2, N + 40))
    into = out[[1, 0]]
    assert model.predict(links=(out, into)).tolist() == [0, 1]
    with pytest.raises(ValueError, match="links must be a pair"):
        model.predict(links=out)
    with pytest.raises(ValueError, match="links must be a pair"):
        model.predict(links=(None, None))
    with pytest.raises(ValueError, match="in both directions, got 2 and 1"):
        model.predict(links=(out, into[[0]]))


def test_directed_edges_in_other_forms_are_the_same_edges():
    A = hubs()
    y, _ = labels(N + 40)
    one = AutoClassifier(graph=A, direction="both").fit(None, y)
    index = np.array(A.tocoo().coords)
    for form in (index, index.T, np.column_stack([index.T, np.ones(index.shape[1])]), A.toarray()):
        other = AutoClassifier(graph=form, direction="both").fit(None, y)
        np.testing.assert_array_equal(one.label_distributions_, other.label_distributions_)
    data = SimpleNamespace(edge_index=index, x=None, y=None, num_nodes=N + 40)
    other = AutoClassifier(direction="both").fit(data, y)
    np.testing.assert_array_equal(one.label_distributions_, other.label_distributions_)


def test_what_cannot_be_is_told():
    A = hubs()
    y, _ = labels(N + 40)
    for call, said in [
        (lambda: AutoClassifier(graph=[]).fit(None, y), "at least one graph, got none"),
        (lambda: AutoClassifier(direction="out").fit(np.eye(30), y[:30]), "direction must be left out"),
        (lambda: AutoClassifier(graph=A, direction="up").fit(None, y), "direction"),
        (lambda: AutoClassifier(graph=[A, A[:5]], direction="out").fit(None, y), "graph must be square"),
        (
            lambda: AutoClassifier(graph=np.array([[0, 1], [2, 999]]).T, direction="out").fit(None, y),
            "graph must name nodes from 0 to 239, got 0 to 999",
        ),
    ]:
        with pytest.raises(ValueError, match=said):
            call()
