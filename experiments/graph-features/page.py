"""Writes the page of one half from the CSV of run.py.

python page.py --half decide --out decide.md
python page.py --half decide --runs runs.csv,x.csv --compare auto,auto@NAME
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from methods import OURS, PEERS
from run import BUDGETS

KEY = ["set", "budget", "draw"]
HERE = Path(__file__).parent
ORDER = list(dict.fromkeys(["command", *OURS, *PEERS["features"], *PEERS["links"]]))

HEAD = """# Graphs with and without features: the `{half}` half

Accuracy is on the nodes that have no label, or on the 1,000 test nodes of the public splits. Every method sees the same
labels. A graph belongs to `decide` or `report` by its name (sha256 of what is before the dot, first byte even or odd):
decisions about the method look at `decide` only. Networks are PyTorch Geometric's layers with the settings that the
papers print, 200 epochs (SGC, SSGC: 100), the last one kept; one core, no graphics card. Nothing is tuned on a test
label. What is made of one graph counts once in a standard error over sets. The first runs of the peers shared their
machine with compilers: their seconds are upper bounds, up to three times too long.

```
python -m venv .venv && .venv/bin/pip install --no-deps -r experiments/graph-features/requirements.txt isotherm-*.whl
cd experiments/graph-features
ISOTHERM_DATA=... ../../.venv/bin/python run.py          # what has no row yet
../../.venv/bin/python page.py --half {half} --out {half}.md
```
"""

TITLES = {
    "public": "Public splits (140, 120, 60 labels)",
    "random": "Random splits, 20 labels a class, largest component",
    "random, no features": "The same on a graph without features",
    "movies": "Movies: neighbours are people, never movies",
    "blocks": "Synthetic graphs with features, from neighbours that agree to neighbours that differ",
    "links": "Graphs with their features removed",
    "small": "Real graphs without features, from packages",
    "roles": "Synthetic graphs whose labels follow structure",
}
NOTES = {
    "public": "The mean over starts, ± the deviation between starts; the split is one, so the standard error of 1,000\n"
    "test nodes (about 0.013) comes on top. With 500 labels to choose by, networks keep their best epoch, SGC and SSGC\n"
    "choose the decay too, correct-and-smooth its two α. OGC (86.9 on Cora) and GGP-X (84.7) train on the 500\n"
    "validation labels as well and are no anchors for 140.",
    "random": "± standard error over draws.",
    "blocks": "`blocks_80`: 80 % of the links stay within the class; 25 is chance, 0 never. `ring`: the other links go\n"
    "to the next class and the one before. Weak and strong: how much the features say.",
}


def read(paths, half):
    rows = pd.concat([pd.read_csv(p, dtype={"note": str}) for p in paths], ignore_index=True)
    rows = rows.drop_duplicates([*KEY, "method"], keep="last")
    return rows[rows["half"] == half]


def base(method):
    return method.split("@")[0].split("+")[0]


def in_order(methods):
    return sorted(methods, key=lambda m: (ORDER.index(base(m)) if base(m) in ORDER else -1, m))


def markdown(frame, digits=3):
    text = frame.map(lambda v: v if isinstance(v, str) else "" if pd.isna(v) else f"{v:.{digits}f}")
    lines = ["| " + " | ".join([str(frame.index.name or "")] + [str(c) for c in frame.columns]) + " |"]
    lines.append("|" + "---|" * (1 + frame.shape[1]))
    lines += ["| " + " | ".join([str(i), *row]) + " |" for i, row in zip(frame.index, text.to_numpy(), strict=True)]
    return "\n".join(lines) + "\n"


def complete(rows):
    """Draws that every method has, among the methods that ran on every set; and the methods that did not."""
    good = rows[rows["accuracy"].notna()]
    on = good.groupby("method")["set"].nunique()
    methods = in_order(on.index[on == good["set"].nunique()])
    some = in_order(set(on.index) - set(methods))
    good = good[good["method"].isin(methods)]
    counts = good.groupby(KEY)["method"].nunique()
    full = counts.index[counts == len(methods)]
    return good.set_index(KEY).loc[full].reset_index(), methods, some


def pm(values):
    values = values.dropna()
    if len(values) < 2:
        return f"{values.mean():.3f}" if len(values) else ""
    return f"{values.mean():.3f} ± {values.std(ddof=1) / np.sqrt(len(values)):.3f}"


def starts(values):
    return f"{values.mean():.3f} ± {values.std(ddof=1):.3f}" if len(values) > 1 else pm(values)


def over_sets(gap):
    """Mean over sets, with the standard error over graphs; `gap` has the name of the set in its index."""
    gap = gap.groupby("set").mean()
    stems = gap.groupby(gap.index.str.split(".").str[0]).mean()
    error = stems.std(ddof=1) / np.sqrt(len(stems)) if len(stems) > 1 else np.nan
    return gap.mean(), error


def by_set(good, methods, value, each=pm):
    """A row a method, a column a set, and the mean over sets."""
    table = good.pivot_table(index="method", columns="set", values=value, aggfunc=each).loc[methods]
    table["mean"] = good.groupby(["method", "set"])[value].mean().groupby("method").mean().map("{:.3f}".format)
    table.columns = [c.removesuffix(".public").removesuffix(".largest") for c in table.columns]
    return markdown(table)


def by_budget(good, methods, value):
    cells = good.groupby(["set", "budget", "method"])[value].mean().unstack("method")[methods]
    order = [b for b in BUDGETS[good["kind"].iloc[0]] if b in cells.index.get_level_values("budget")]
    table = cells.groupby("budget").mean().T[order]
    counts = cells.groupby("budget").size()
    table.columns = [f"{b} ({counts[b]})" for b in order]
    table["all"] = cells.mean()
    return markdown(table.rename_axis("method"))


def paired(good, subject, methods):
    """Differences on the same draws, and how many sets are won and lost by more than two standard errors."""
    out = {}
    for other in methods:
        if other == subject:
            continue
        row = {}
        for value, title in (("accuracy", "accuracy"), ("macro_f1", "macro-F1")):
            wide = good[good["method"].isin([subject, other])].pivot(index=KEY, columns="method", values=value)
            gap = (wide[subject] - wide[other]).dropna()
            row["sets"] = str(gap.groupby("set").ngroups)
            mean, error = over_sets(gap)
            row[title] = f"{mean:+.4f}" + ("" if np.isnan(error) else f" ± {error:.4f}")
            if value == "accuracy":
                one = gap.groupby("set")
                mean, error = one.mean(), one.std(ddof=1) / np.sqrt(one.size())
                row["won, tied, lost"] = (
                    f"{(mean > 2 * error).sum()}, {(mean.abs() <= 2 * error).sum()}, {(mean < -2 * error).sum()}"
                )
                row["worst set"] = f"{mean.idxmin()} {mean.min():+.3f}"
        out[other] = row
    return markdown(pd.DataFrame(out).T.rename_axis(f"{subject} against"))


def seconds(good, methods):
    big = good.groupby(["method", "set"])["seconds"].mean().unstack().loc[methods]
    table = pd.DataFrame({"median": good.groupby("method")["seconds"].median().loc[methods]})
    for name in ("cora", "pubmed", "coauthor_physics", "amazon_computers"):
        found = [c for c in big.columns if c.split(".")[0] == name]
        if found:
            table[name] = big[found[0]]
    return markdown(table.rename_axis("method"))


def new_nodes(rows):
    """Judged on the same nodes: absent from the fit, or present without a label."""
    rows = rows[rows["accuracy"].notna()]
    out = {}
    for method in in_order(rows["method"].unique()):
        wide = rows[rows["method"] == method].pivot_table(index=["set", "draw"], columns="budget", values="accuracy")
        line = {}
        for share in ("10 %", "50 %"):
            if {f"{share} new", f"{share} there"} <= set(wide):
                gap = wide[f"{share} new"] - wide[f"{share} there"]
                line[f"{share} absent"] = f"{wide[f'{share} new'].groupby('set').mean().mean():.3f}"
                line[f"{share} there"] = f"{wide[f'{share} there'].groupby('set').mean().mean():.3f}"
                mean, error = over_sets(gap)
                line[f"{share} difference"] = f"{mean:+.4f} ± {error:.4f}"
        out[method] = line
    names = ", ".join(sorted(s.removesuffix(".largest") for s in rows["set"].unique()))
    text = "## New nodes\n\nNodes that were absent from the fit, against the same nodes present without a label; "
    return text + f"20 labels a class ({names}).\n\n" + markdown(pd.DataFrame(out).T.rename_axis("method"))


def section(rows, kind, subject):
    rows = rows[rows["kind"] == kind]
    out = [f"## {TITLES[kind]}\n"]
    if kind in NOTES:
        out.append(NOTES[kind] + "\n")
    columns = [("", rows[rows["choosing"] == 0])]
    if kind == "public":
        columns = [("No label to choose by", columns[0][1]), ("500 labels to choose by", rows[rows["choosing"] > 0])]
    for title, part in columns:
        if part.empty:
            continue
        if title:
            out.append(f"### {title}\n")
        if kind == "public":  # a method without randomness differs only in how it breaks ties
            methods = in_order(part["method"].unique())
            out += [by_set(part, methods, "accuracy", starts)]
            out += ["Macro-F1:\n", by_set(part, methods, "macro_f1", lambda v: f"{v.mean():.3f}")]
            if subject in methods:
                means = part.groupby(["method", "set"])["accuracy"].mean().unstack()
                gap = (means.loc[subject] - means.drop(subject)).loc[[m for m in methods if m != subject]]
                gap.columns = [c.removesuffix(".public") for c in gap.columns]
                out += [f"`{subject}` less each:\n", markdown(gap.map("{:+.3f}".format).rename_axis("method"))]
            out += ["Seconds:\n", seconds(part, methods)]
            continue
        good, methods, some = complete(part)
        if some:
            out.append(f"Only on some sets, and so not in the means: {', '.join(some)}.\n")
        few = good["set"].nunique() <= 12
        if kind in ("random", "random, no features", "movies", "blocks", "roles"):
            for budget in [b for b in BUDGETS[kind] if b in set(good["budget"])]:
                these = good[good["budget"] == budget]
                each = pm if few and kind == "random" else lambda v: f"{v.mean():.3f}"
                out += [f"Accuracy, {budget}:\n", by_set(these, methods, "accuracy", each)]
            out += ["Macro-F1, mean over sets:\n", by_budget(good, methods, "macro_f1")]
        else:
            out += ["Accuracy, mean over sets (how many in brackets):\n", by_budget(good, methods, "accuracy")]
            out += ["Macro-F1:\n", by_budget(good, methods, "macro_f1")]
            out += ["Accuracy by set, mean over budgets:\n", sets_down(good, methods)]
        if subject in methods:
            every = part[part["accuracy"].notna()]
            out += ["On the same draws, all budgets:\n", paired(every, subject, in_order([*methods, *some]))]
        out += ["Seconds:\n", seconds(good, methods)]
    return "\n".join(out)


def sets_down(good, methods):
    table = good.groupby(["set", "budget", "method"])["accuracy"].mean().groupby(["set", "method"]).mean().unstack()
    return markdown(table[methods])


def page(rows, half, subject, only=None):
    out = [HEAD.format(half=half)]
    if only:
        rows = rows[rows["method"].isin(only)]
    new = rows["budget"].str.contains("%")
    usual = rows[~new]
    good = rows[rows["accuracy"].notna()]
    out.append(f"{good['set'].nunique()} sets, {len(good):,} rows.")
    failed = rows[rows["note"].notna()]
    if len(failed):
        counts = failed.groupby(["method", "note"]).size().items()
        out.append("Failures: " + "; ".join(f"{m}, {n} × {note}" for (m, note), n in counts))
    out.append("")
    for kind in TITLES:
        if (usual["kind"] == kind).any():
            out.append(section(usual, kind, subject))
        if kind == "random" and new.any():
            out.append(new_nodes(rows[new]))
    return "\n".join(out)


def compare(rows, a, b):
    """Paired differences b − a by kind and by budget, with standard errors over graphs."""
    out = [f"{b} less {a}; ± one standard error over graphs\n"]
    for value in ("accuracy", "macro_f1"):
        good = rows[rows["method"].isin([a, b]) & rows[value].notna()]
        wide = good.pivot(index=[*KEY, "kind"], columns="method", values=value)
        if a not in wide or b not in wide:
            continue
        gap = (wide[b] - wide[a]).dropna().groupby(["set", "kind", "budget"]).mean()
        lines = {}
        for what in ("kind", "budget"):
            for name, part in gap.groupby(what):
                mean, error = over_sets(part)
                lines[name] = {"difference": f"{mean:+.4f} ± {error:.4f}", "sets": str(part.groupby("set").ngroups)}
        out.append(markdown(pd.DataFrame(lines).T.rename_axis(value)))
        ends = gap.groupby("set").mean().sort_values()
        least, most = ends.head(6).items(), ends.tail(6)[::-1].items()
        out.append(
            "least: "
            + ", ".join(f"{s} {v:+.3f}" for s, v in least)
            + "; most: "
            + ", ".join(f"{s} {v:+.3f}" for s, v in most)
            + "\n"
        )
    return "\n".join(out)


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--half", choices=("decide", "report"), required=True)
    ask.add_argument("--runs", default=str(HERE / "runs.csv"), help="files of run.py, commas between; later rows win")
    ask.add_argument("--methods", help="only these, commas between")
    ask.add_argument("--subject", default="auto", help="the method whose differences are shown")
    ask.add_argument("--compare", help="two methods a,b: only their paired differences")
    ask.add_argument("--out", type=Path)
    ask = ask.parse_args()
    rows = read(ask.runs.split(","), ask.half)
    if ask.compare:
        text = compare(rows, *ask.compare.split(","))
    else:
        text = page(rows, ask.half, ask.subject, ask.methods and ask.methods.split(","))
    if ask.out:
        ask.out.write_text(text + "\n", encoding="utf-8")
    else:
        sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
