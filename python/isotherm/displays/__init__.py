"""Plots of what a fit found; matplotlib is needed to draw them, not to import this.

Each display has ``from_estimator``, some ``from_predictions``; ``plot(ax=None)`` draws
again, ``ax_`` and ``figure_`` are what was drawn on.
"""

from .confusion import ConfusionDisplay
from .decision_map import DecisionMapDisplay
from .eigenfunction import EigenfunctionDisplay
from .embedding import EmbeddingDisplay
from .learning_curve import LearningCurveDisplay
from .reliability import ReliabilityDisplay
from .spectrum import SpectrumDisplay
from .tuning import TuningDisplay

__all__ = [
    "ConfusionDisplay",
    "DecisionMapDisplay",
    "EigenfunctionDisplay",
    "EmbeddingDisplay",
    "LearningCurveDisplay",
    "ReliabilityDisplay",
    "SpectrumDisplay",
    "TuningDisplay",
]
