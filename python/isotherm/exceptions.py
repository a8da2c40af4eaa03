"""Warnings that a fit or a prediction may raise.

A warning has the number of its page as ``code``, and so has an exception that the library
raises, beside its word as ``name``; ``isotherm explain ISO350`` on a command line shows the page.
"""

from sklearn.exceptions import ConvergenceWarning

__all__ = ["ConvergenceWarning", "DataWarning", "UnreachedRowsWarning"]

_UNREACHED = "ISO350"
_LEFT_OUT = "ISO152"
_UNSEEN = "ISO153"


def _coded(category, text, code):
    """A warning that knows the number of its page."""
    warning = category(text)
    warning.code = code
    return warning


class UnreachedRowsWarning(UserWarning):
    """Some rows have no label within reach.

    They get uniform probabilities and are marked in ``reached_``; what ``predict`` says of
    them is a stand-in that the message names, not a prediction. Its ``code`` is ``"ISO350"``.

    Examples
    --------
    >>> import warnings
    >>> from isotherm.exceptions import UnreachedRowsWarning
    >>> warnings.simplefilter("error", UnreachedRowsWarning)  # to be sure of every row
    >>> warnings.resetwarnings()
    """


class DataWarning(UserWarning):
    """The data holds something that is probably not meant.

    Columns with one value, equal rows with different labels and the like: the fit went
    through, and the message says what was found.

    Examples
    --------
    >>> import warnings
    >>> from isotherm.exceptions import DataWarning
    >>> warnings.simplefilter("ignore", DataWarning)
    >>> warnings.resetwarnings()
    """
