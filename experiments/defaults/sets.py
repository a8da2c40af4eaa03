"""The bank of data sets: each one a `Set` as a careful person would hand it to scikit-learn.

Categories are one-hot, missing numbers are the median (and a column says where, if more than 5 % were missing), texts
are tf-idf rows or their latent semantic embedding. Nothing is standardised here. `python sets.py` lists the bank.
"""

import hashlib
import zlib
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.preprocessing import normalize

import sources as src

ROWS, TERMS, LEAST = 1_200, 2_000, 25  # rows at most, terms at most, rows of a class at least


@dataclass
class Set:
    name: str
    kind: str  # numbers, mixed, signals, images, texts
    X: np.ndarray
    y: np.ndarray  # 0, 1, … or numbers
    task: str  # classes or values


def half(name):
    """`decide` or `report`. A set and its embedding (`cora`, `cora.lsa`) fall in the same half."""
    return "decide" if hashlib.sha256(name.split(".")[0].encode()).digest()[0] % 2 == 0 else "report"


def seed(*parts):
    return zlib.crc32("/".join(map(str, parts)).encode())


# -- preparing -----------------------------------------------------------------------------------


def table(frame):
    """Numbers with medians for gaps, categories as 0/1 columns; levels past the 30 commonest share one column."""
    out = []
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            gaps = column.isna()
            if gaps.all():
                continue
            out.append(column.fillna(column.median()).to_numpy(dtype=np.float64)[:, None])
            if gaps.mean() > 0.05:
                out.append(gaps.to_numpy(dtype=np.float64)[:, None])
        else:
            column = column.astype(object).where(column.notna(), "missing").astype(str).str.strip()
            common = column.value_counts().index[:30]
            hot = pd.get_dummies(column.where(column.isin(common), "other")).to_numpy(dtype=np.float64)
            out.append(hot[:, :1] if hot.shape[1] == 2 else hot)
    return np.hstack(out)


def tfidf(texts, characters=False):
    if sparse.issparse(texts):  # counted already
        often = np.sort(np.argsort(-np.asarray((texts > 0).sum(0)).ravel(), kind="stable")[:TERMS])
        texts = texts[:, often]
        if (texts.data % 1).any():  # and weighed
            return normalize(texts).toarray()
        return TfidfTransformer(sublinear_tf=True).fit_transform(texts).toarray()
    units = {"analyzer": "char_wb", "ngram_range": (1, 3)} if characters else {"stop_words": None}
    return TfidfVectorizer(sublinear_tf=True, min_df=2, max_features=TERMS, **units).fit_transform(texts).toarray()


def lsa(X):
    """100 latent semantic coordinates of every row, scaled to length 1."""
    return normalize(TruncatedSVD(100, random_state=0).fit_transform(X))


def load(name):
    """Reads, draws at most ROWS rows (seeded by the name), drops rare classes and constant columns."""
    kind, task, read, features = BANK[name]
    raw, y = read()
    y = pd.Series(np.asarray(y))
    known = np.flatnonzero(y.notna())
    rows = np.sort(np.random.default_rng(seed(name.split(".")[0])).permutation(known)[:ROWS])
    y = y.iloc[rows]
    if task == "classes":
        frequent = y.map(y.value_counts()) >= LEAST
        rows, y = rows[frequent.to_numpy()], y[frequent]
        y = np.unique(y.to_numpy().astype(str), return_inverse=True)[1]
    else:
        y = y.to_numpy(dtype=np.float64)
    if isinstance(raw, pd.DataFrame):
        raw = raw.iloc[rows]
    else:
        raw = [raw[i] for i in rows] if isinstance(raw, list) else raw[rows]
    X = features(raw)
    return Set(name, kind, np.ascontiguousarray(X[:, X.std(0) > 1e-12]), y, task)


# -- the bank ------------------------------------------------------------------------------------

BANK = {}


def add(name, kind, read, *how, task="classes", features=table, **named):
    BANK[name] = (kind, task, partial(read, *how, **named), features)


def add_text(name, read, *how, embed=False, characters=False, **named):
    add(name, "texts", read, *how, features=partial(tfidf, characters=characters), **named)
    if embed:
        kind, task, read, words = BANK[name]
        BANK[f"{name}.lsa"] = (kind, task, read, lambda raw: lsa(words(raw)))


def add_values(name, kind, read, *how, **named):
    add(name, kind, read, *how, task="values", **named)


# Numbers.
for file in ("wine", "breast_cancer", "letter"):
    add(file, "numbers", src.shared, file)
for file in ("banana", "bupa", "iris", "magic", "pima", "spambase", "twonorm", "vehicle"):
    add(file, "numbers", src.keel, file)
add("haberman", "numbers", src.keel, "haberman", part="imbalanced")
add("ecoli", "numbers", src.common, "ecoli/ecoli.data.txt", sep=r"\s+", drop=[0])
add("yeast", "numbers", src.common, "yeast/yeast.data.txt", sep=r"\s+", drop=[0])
add("glass", "numbers", src.common, "glass/glass.data.txt", drop=[0])
add("page_blocks", "numbers", src.common, "page-blocks/page-blocks.dat")
add("newthyroid", "numbers", src.common, "newthyroid/newthyroid.dat")
add("balance", "numbers", src.common, "balance/balance.dat")
add("software_defects", "numbers", src.common, "kc1/kc1.arff.txt")
add(
    "wine_quality",
    "numbers",
    src.numbers_of,
    "winequality_white/winequality-white.csv",
    sep=";",
    header=0,
    target="quality",
)
add(
    "maternal_risk",
    "numbers",
    src.numbers_of,
    "maternal_health_risk/Maternal Health Risk Data Set.csv",
    header=0,
    target="RiskLevel",
)
add("crabs", "numbers", src.crabs)
add("olive", "numbers", src.r, "dslabs", "olive", "area", drop=["region"])
add("body", "numbers", src.r, "openintro", "bdims", "sex")
add("tissue_genes", "numbers", src.r, "dslabs", "tissue_gene_expression", "y")
add("liver_injury", "numbers", src.r, "modeldata", "hepatic_injury_qsar", "class")
add("caravan", "numbers", src.r, "ISLR", "Caravan", "Purchase")
add("personality_sex", "numbers", src.r, "psych", "bfi", "gender")

# Mixed: categories, one-hot columns, missing values.
add("german_credit", "mixed", src.keel, "german")
add("house_votes", "mixed", src.keel, "housevotes")
add("chess", "mixed", src.keel, "chess")
add("mushroom", "mixed", src.keel, "mushroom")
add("tic_tac_toe", "mixed", src.keel, "tic-tac-toe")
add("breast_recurrence", "mixed", src.keel, "breast")
add("sa_heart", "mixed", src.keel, "saheart")
add("contraceptive", "mixed", src.keel, "contraceptive", categories=[6])
add("marketing", "mixed", src.keel, "marketing", categories=[1, 4, 6, 10, 11, 12])
add("led_digits", "mixed", src.keel, "led7digit")
add("monk2", "mixed", src.keel, "monk-2", categories=range(6))
add("dna", "mixed", src.shared, "dna")
add("car", "mixed", src.common, "car/car.dat")
add("nursery", "mixed", src.common, "nursery/nursery.dat")
add("dermatology", "mixed", src.common, "dermatology/dermatology.dat")
add("flare", "mixed", src.common, "flare/flare.dat", categories=range(11))
add("hypothyroid", "mixed", src.common, "hypothyroid/hypothyroid.data.txt", target=0)
add("automobile", "mixed", src.common, "automobile/automobile.dat")
add("accidents", "mixed", src.common, "fars/fars.dat")
add("cleveland", "mixed", src.common, "cleveland/cleveland.dat", categories=[2, 6, 12])
add("penguins", "mixed", src.r, "palmerpenguins", "penguins", "species", drop=["year"])
add("hawks", "mixed", src.r, "Stat2Data", "Hawks", "Species", drop=["CaptureTime", "ReleaseTime", "BandNumber", "Day"])
add("credit_status", "mixed", src.r, "modeldata", "credit_data", "Status")
add("attrition", "mixed", src.r, "modeldata", "attrition", "Attrition")
add("computing_jobs", "mixed", src.r, "modeldata", "hpc_data", "class")
add("telecom_churn", "mixed", src.r, "modeldata", "wa_churn", "churn")
add("alzheimer", "mixed", src.r, "modeldata", "ad_data", "Class")
add("spam_mail", "mixed", src.r, "openintro", "email", "spam", drop=["time"])
add("cirrhosis", "mixed", src.r, "survival", "pbc", "status", drop=["id", "time"])
add("chile_vote", "mixed", src.r, "carData", "Chile", "vote")
add("british_vote", "mixed", src.r, "carData", "BEPS", "vote")
add("mortgage_denied", "mixed", src.r, "AER", "HMDA", "deny", categories=["chist", "mhist"])
add("rodents", "mixed", src.r, "ratdat", "surveys", "species_id", drop=["record_id", "day"], categories=["plot_id"])
add("storms", "mixed", src.r, "dplyr", "storms", "status", drop=["name", "category", "wind"])
add("orange_juice", "mixed", src.r, "ISLR", "OJ", "Purchase", categories=["StoreID", "STORE"])
add("diamond_cut", "mixed", src.r, "ggplot2", "diamonds", "cut")

# Signals.
add("sonar", "signals", src.keel, "sonar")
add("ionosphere", "signals", src.keel, "ionosphere")
add("phoneme", "signals", src.keel, "phoneme")
add("pen_digits", "signals", src.keel, "penbased")
add("vowel", "signals", src.shared, "vowel")
add("brain_computer", "signals", src.shared, "ssl_bci")
add("birdsong", "signals", src.shared, "pl_birdsong")
add("music_quiet", "signals", src.shared, "ml_emotions", label=3)
add("parkinson_speech", "signals", src.r, "modeldata", "pd_speech", "class")
add("heart_scan", "signals", src.common, "spectfheart/spectfheart.dat")
for problem in ("ArrowHead", "OSULeaf", "GunPoint", "ItalyPowerDemand"):
    add(problem, "signals", src.series, problem)
add("JapaneseVowels", "signals", src.series, "JapaneseVowels", stem="JapaneseVowels_eq")
add("coffee", "signals", src.coffee)
add("trace", "signals", src.trace)
add("watch", "signals", src.watch)

# Images.
for name, file in {
    "digits": "digits", "mnist": "mnist", "fashion": "fashion_mnist_20k", "usps": "usps", "coil20": "coil20",
    "segment": "segment", "satimage": "satimage", "ssl_digit1": "ssl_digit1", "ssl_usps": "ssl_usps",
    "ssl_coil": "ssl_coil", "msrcv2": "pl_msrcv2", "lost_faces": "pl_lost", "face_ages": "pl_fgnet",
}.items():  # fmt: skip
    add(name, "images", src.shared, file)
add("scene_beach", "images", src.shared, "ml_scene", label=0)
add("texture", "images", src.keel, "texture")
add("faces", "images", src.faces)
add("cells", "images", src.r, "modeldata", "cells", "class", drop=["case"])
add("leaves", "images", src.r, "modeldata", "leaf_id_flavia", "species")

# Texts: tf-idf, and for some also their embedding (`.lsa`).
for file in ("citeseer", "dblp", "coauthor_physics", "amazon_computers", "ssl_text"):
    add_text(file, src.words, file)
for file in ("cora", "pubmed", "coauthor_cs", "amazon_photo"):
    add_text(file, src.words, file, embed=True)
add_text(
    "tweets",
    src.r_text,
    "dslabs",
    "trump_tweets",
    "text",
    "source",
    ["Twitter for Android", "Twitter for iPhone"],
    embed=True,
)
add_text("fine_foods", src.r_text, "modeldata", "training_data", "review", "score", at_least=1, embed=True)
add_text("art_titles", src.r_text, "modeldata", "tate_text", "title", "artist", at_least=50)
add_text("bird_strikes", src.r_text, "openintro", "birds", "remarks", "phase_of_flt", at_least=2_000, embed=True)
add_text("chat_topics", src.chat_topics)
add_text("languages", src.chat_languages, characters=True)
add_text("bible_books", src.bible, embed=True)
add_text("chinese_reviews", src.chinese_reviews, characters=True, embed=True)

# Numbers to predict.
for file in ("diabetes", "abalone", "concrete", "california"):
    add_values(file, "numbers", src.shared, f"{file}_reg")
add_values("airfoil", "numbers", src.numbers_of, "airfoil/airfoil_self_noise.dat.txt", sep=r"\s+")
add_values("fuel", "numbers", src.numbers_of, "autoMPG6/autoMPG6.dat")
add_values(
    "red_wine", "numbers", src.numbers_of, "winequality_red/winequality-red.csv", sep=";", header=0, target="quality"
)
add_values("insurance", "mixed", src.numbers_of, "insurance/insurance.csv", header=0, target="charges")
add_values("laser", "signals", src.numbers_of, "laser/laser.dat")
add_values("fish_toxicity", "numbers", src.numbers_of, "qsar-fish-toxicity/qsar_fish_toxicity.csv", sep=";")
add_values(
    "skillcraft",
    "mixed",
    src.numbers_of,
    "skillcraft1/SkillCraft1_Dataset.csv",
    header=0,
    target="LeagueIndex",
    drop=["GameID"],
)
add_values("yacht", "numbers", src.numbers_of, "yacht_hydrodynamics/yacht_hydrodynamics.data.txt", sep=r"\s+")
add_values("communities", "mixed", src.numbers_of, "communities/communities.data", drop=[0, 1, 2, 3, 4])
add_values("proteins", "numbers", src.numbers_of, "casp/CASP.csv", header=0, target="RMSD")
add_values("puma", "numbers", src.numbers_of, "puma32h/puma32h.dat")
add_values("processor", "numbers", src.numbers_of, "compactiv/compactiv.dat")
add_values(
    "bikes",
    "mixed",
    src.numbers_of,
    "boom_bikes/day.csv",
    header=0,
    target="cnt",
    drop=["instant", "dteday", "casual", "registered"],
    categories=["season", "weathersit"],
)
add_values("meat_fat", "signals", src.r, "modeldata", "meats", "fat", drop=["water", "protein"])
add_values("ames", "mixed", src.r, "modeldata", "ames", "Sale_Price")
add_values("sacramento", "mixed", src.r, "modeldata", "Sacramento", "price", drop=["zip"])
add_values("boston", "numbers", src.r, "MASS", "Boston", "medv")


if __name__ == "__main__":
    for name in BANK:
        s = load(name)
        sizes = np.bincount(s.y) if s.task == "classes" else [0]
        shape = f"{s.X.shape[0]:5} × {s.X.shape[1]:4}  {len(sizes):3} classes, {max(sizes) / len(s.y):.2f} the largest"
        print(f"{name:20} {half(name):7} {s.task:8} {s.kind:8} {shape}")
