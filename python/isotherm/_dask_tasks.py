"""What workers do with a partition. Every function takes and returns what can be sent.

Surveys, plans and sums travel as bytes. A plan, or an estimator, is read once in a process and
found again by the digest of its bytes. Dask runs one task on each thread of a worker, so the
core is told to use one.
"""

import hashlib
import pickle
from functools import reduce
from threading import Lock

import numpy as np

from . import _batches
from ._column import Column

#: Things read in this process, by digest; the newest last.
_READ = {}
_LOCK = Lock()
#: How many are remembered: a fit and the predictions around it need one each.
REMEMBERED = 4


class Parcel:
    """Bytes with their digest, to be read once in every process that they reach."""

    def __init__(self, data):
        self.data = data
        self.digest = hashlib.sha256(data).hexdigest()

    def __dask_tokenize__(self):
        return ("isotherm-parcel", self.digest)

    def read(self, reader):
        """What ``reader`` makes of the bytes, or made of them before."""
        with _LOCK:
            found = _READ.pop(self.digest, None)
            found = reader(self.data) if found is None else found
            _READ[self.digest] = found
            while len(_READ) > REMEMBERED:
                del _READ[next(iter(_READ))]
        return found


def rows_of(part, features):
    """A partition as the core reads it; ``None`` if it has no rows."""
    return _batches.rows_of(part, features) if _batches.length(part) else None


def count(part):
    """Rows of a partition."""
    return _batches.length(part)


def labels(part, name=None):
    """Labels of a partition: of the column of that name, or the partition itself."""
    return Column.of(part if name is None else part[name])


def survey(part, features, first, places, size, seed):
    """What one pass over a partition finds; ``None`` if it has no rows."""
    from . import _core

    rows = rows_of(part, features)
    if rows is None:
        return None
    places = np.require(places, np.int64, "CA")
    try:
        return _core.Survey.of(rows, first, places, size, seed).to_bytes()
    except ValueError:
        # The partition's own numbers of rows mean nothing to the caller.
        _core.check_rows(rows, first=first, names=features)
        raise


def merge_surveys(parts):
    """One survey of several."""
    from . import _core

    found = [_core.Survey.from_bytes(p) for p in parts if p is not None]
    return reduce(lambda a, b: a.merge(b), found).to_bytes() if found else None


def _plan(parcel):
    from . import _core

    return parcel.read(_core.Plan.from_bytes)


def moments(part, features, first, parcel):
    """Sums over a partition; ``None`` if it has no rows."""
    rows = rows_of(part, features)
    if rows is None:
        return None
    return _plan(parcel).moments(rows, first, threads=1).to_bytes()


def merge_moments(parts, parcel):
    """One set of sums of several."""
    from . import _core

    plan = _plan(parcel)
    found = [_core.Moments.from_bytes(plan, p) for p in parts if p is not None]
    return reduce(lambda a, b: a.merge(b), found).to_bytes() if found else None


def answer(block, parcel, what, like):
    """The answer of method ``what`` to a block; ``like`` is an empty one."""
    block = np.require(block, requirements="A")
    if block.shape[0] == 0:
        return like
    return getattr(parcel.read(pickle.loads), what)(block)
