"""How the core is asked to work: threads, progress, seeds."""

import copy
import logging
import os
import sys

import numpy as np
from sklearn.utils import check_random_state

logger = logging.getLogger("isotherm")
logger.addHandler(logging.NullHandler())


def _say(text):
    if logger.isEnabledFor(logging.INFO):
        logger.info("%s", text)
    else:
        print(text, file=sys.stderr, flush=True)


class Working:
    """Parameters ``n_jobs``, ``verbose`` and ``random_state``; not public."""

    def _jobs(self):
        """``n_jobs`` as it was given."""
        return self.n_jobs

    def _threads(self):
        """Threads for the core: all there are for ``None``, else joblib's meaning."""
        n_jobs = self._jobs()
        if n_jobs is None:
            return None
        if n_jobs == 0:
            raise ValueError("n_jobs must be None or an integer other than 0, got 0")
        return int(n_jobs) if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))

    def _on_event(self):
        """What the core calls while it works: one line a phase where ``verbose`` asks.

        The lines go to the log ``isotherm`` where that shows them, else to standard error.
        """
        verbose = int(getattr(self, "verbose", 0))
        if not verbose:
            return None
        name = type(self).__name__

        def tell(kind, phase, done, steps):
            if kind == "phase":
                _say(f"{name}: {phase}")
            elif verbose > 1 and kind == "step":
                _say(f"{name}: {phase}, {done:.0f} of {'?' if steps is None else f'{steps:.0f}'}")
            elif verbose > 1:
                _say(f"{name}: {phase}, iteration {done:.0f}, residual {steps:.2e}")

        return tell

    def _on_steps(self, phase, steps):
        """What is called after each of so many steps: a line for every tenth of them.

        ``None`` where ``verbose`` asks for nothing.
        """
        if not int(getattr(self, "verbose", 0)):
            return None
        name = type(self).__name__
        _say(f"{name}: {phase}")

        def tell(done):
            if done * 10 // steps > (done - 1) * 10 // steps:
                _say(f"{name}: {phase}, {done} of {steps}")

        return tell

    def _seed(self):
        """An integer from ``random_state``; 0 for ``None``, so that fits can be repeated."""
        state = self.random_state
        if state is None:
            return 0
        if isinstance(state, (int, np.integer)):
            return int(state)
        # A generator is drawn from without being moved on: recipes are asked for often.
        return int(check_random_state(copy.deepcopy(state)).randint(np.iinfo(np.int32).max))
