"""The estimators that tests go through."""

import isotherm

CLASSIFIERS = [
    isotherm.AutoClassifier,
    isotherm.STKRClassifier,
    isotherm.LaplacianClassifier,
    isotherm.LabelPropagation,
    isotherm.HarmonicClassifier,
    isotherm.KernelRidgeClassifier,
    isotherm.PartialLabelClassifier,
]
REGRESSORS = [
    isotherm.AutoRegressor,
    isotherm.STKRRegressor,
    isotherm.LaplacianRegressor,
    isotherm.HarmonicRegressor,
    isotherm.KernelRidge,
]
OTHERS = [isotherm.MultiLabelClassifier, isotherm.LabelRanker]
TRANSFORMERS = [isotherm.SpectralEmbedding]
#: Those that do not learn from numbers alone.
ENCODERS = [isotherm.TableEncoder]
EVERY = [*CLASSIFIERS, *REGRESSORS, *OTHERS, *TRANSFORMERS]
#: Estimators that are the same method for classes and for values.
PAIRS = [
    (isotherm.AutoClassifier, isotherm.AutoRegressor),
    (isotherm.STKRClassifier, isotherm.STKRRegressor),
    (isotherm.LaplacianClassifier, isotherm.LaplacianRegressor),
    (isotherm.HarmonicClassifier, isotherm.HarmonicRegressor),
    (isotherm.KernelRidgeClassifier, isotherm.KernelRidge),
]
