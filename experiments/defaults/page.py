"""Writes the page of one half from the CSV of run.py.

python page.py --half decide --out decide.md
python page.py --half decide --runs runs.csv,x.csv --compare auto,auto@NAME
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

import sets
from methods import OURS, PEERS
from run import BUDGETS

KEY = ["set", "budget", "draw"]
HERE = Path(__file__).parent

HEAD = """# The default beside what people would type instead: the `{half}` half

Accuracy is on the unlabelled rows. Every method sees the same labels. A set belongs to `decide` or `report` by its name
(sha256, first byte even or odd; `x.lsa`, the embedding of the text set `x`, by `x`): decisions about the method look at
`decide` only. At most {rows:,} rows of a set, classes of at least {least}; budgets above a third of the rows are
left out. Peers are scikit-learn's, with its defaults, on standardised columns (trees as they are, texts as tf-idf rows of length 1).

```
python -m venv .venv && .venv/bin/pip install --no-deps -r experiments/defaults/requirements.txt isotherm-*.whl
ISOTHERM_DATA=... .venv/bin/python experiments/defaults/run.py            # what has no row yet
ISOTHERM_DATA=... .venv/bin/python experiments/defaults/page.py --half {half} --out experiments/defaults/{half}.md
```
"""


def read(paths, half):
    rows = pd.concat([pd.read_csv(p, dtype={"note": str}) for p in paths], ignore_index=True)
    rows = rows.drop_duplicates([*KEY, "method"], keep="last")
    return rows[rows["half"] == half]


def complete(rows, methods):
    """Keys that every method has, and what was left out."""
    rows = rows[rows["method"].isin(methods)]
    good = rows[rows["accuracy"].notna() | rows["rmse"].notna()]
    counts = good.groupby(KEY)["method"].nunique()
    full = counts.index[counts == len(methods)]
    missing = {m: len(counts) - int((good["method"] == m).sum()) for m in methods}
    return (
        good.set_index(KEY).loc[full].reset_index(),
        {m: n for m, n in missing.items() if n},
        rows[rows["note"].notna()],
    )


def in_order(names, known):
    """Ours first, then peers, as in methods.py; variants after the method they vary."""
    order = list(known)
    return sorted(names, key=lambda n: (order.index(n.split("@")[0]), n))


def markdown(frame, digits=3):
    text = frame.map(lambda v: v if isinstance(v, str) else "" if pd.isna(v) else f"{v:.{digits}f}")
    lines = ["| " + " | ".join([str(frame.index.name or "")] + [str(c) for c in frame.columns]) + " |"]
    lines.append("|" + "---|" * (1 + frame.shape[1]))
    lines += ["| " + " | ".join([str(i), *row]) + " |" for i, row in zip(frame.index, text.to_numpy(), strict=True)]
    return "\n".join(lines) + "\n"


def over_draws(rows, value):
    """One figure for every set and budget: rows (set, kind, budget), columns methods."""
    return rows.pivot_table(
        index=["set", "kind", "budget"], columns="method", values=value, aggfunc="mean", dropna=False
    ).dropna(how="all")


def mean_and_error(values):
    """Mean over sets; its standard error counts a text and its embedding as one."""
    stems = values.groupby(values.index.get_level_values("set").str.split(".").str[0]).mean()
    return values.mean(), stems.std(ddof=1) / np.sqrt(len(stems)) if len(stems) > 1 else np.nan


def by_budget(cells, methods, task, digits=3):
    out = cells.groupby("budget")[methods].mean().T
    out = out[[b for b in BUDGETS[task] if b in out]]
    out["all"] = cells[methods].mean()
    counts = cells.groupby("budget").size()
    out.columns = [f"{c} ({counts[c]})" if c in counts else c for c in out.columns]
    return markdown(out.rename_axis("method"), digits)


def by_kind(cells, methods):
    kinds = [k for k in ("numbers", "mixed", "signals", "images", "texts") if k in cells.index.get_level_values("kind")]
    sizes = cells.reset_index().groupby("kind")["set"].nunique()
    out = cells.groupby("kind")[methods].mean().T[kinds]
    return markdown(out.rename(columns=lambda k: f"{k} ({sizes[k]} sets)").rename_axis("method"))


def wins(rows, subject, others, value="accuracy"):
    """Sets won, tied and lost: the mean difference over all draws against two of its standard errors."""
    wide = rows.pivot(index=KEY, columns="method", values=value)
    out = {}
    for other in others:
        gap = (wide[subject] - wide[other]).groupby("set")
        mean, error = gap.mean(), gap.std(ddof=1) / np.sqrt(gap.size())
        won, lost = (mean > 2 * error) & (mean > 0), (mean < -2 * error) & (mean < 0)
        m, e = mean_and_error(gap.mean().rename_axis("set"))
        out[other] = {
            "wins": str(won.sum()),
            "ties": str((~won & ~lost).sum()),
            "losses": str(lost.sum()),
            "mean difference": f"{m:+.4f} ± {e:.4f}",
        }
    return markdown(pd.DataFrame(out).T.rename_axis(f"{subject} against"))


def regret(cells, subject, methods, peers):
    """Best peer of the set and budget, known only afterwards, less each method."""
    best = cells[peers].max(axis=1)
    table = by_budget(cells[methods].rsub(best, axis=0), methods, "classes", 4)
    gap = (
        pd.DataFrame({"regret": best - cells[subject], "best peer": best, subject: cells[subject]})
        .groupby(["set", "kind"])
        .mean()
    )
    usual = cells[peers].groupby(["set", "kind"]).mean().idxmax(axis=1)
    worst = gap.sort_values("regret", ascending=False).head(10)
    worst["which peer on average"] = usual.loc[worst.index]
    worst.index = [f"{s} ({k})" for s, k in worst.index]
    return table + "\nThe ten worst sets, mean over budgets:\n\n" + markdown(worst.rename_axis("set"))


def values_page(rows, methods, peers, subject):
    cells = over_draws(rows, "rmse")
    ratio = np.log(cells.div(cells[peers].min(axis=1), axis=0))
    table = np.exp(ratio.groupby("budget")[methods].mean()).T
    table["all"] = np.exp(ratio[methods].mean())
    plain = over_draws(rows, "relative").groupby("budget")[methods].mean().T
    n = rows["set"].nunique()
    out = f"## Numbers to predict ({n} sets)\n\nRMSE over that of the best peer of the set and budget, geometric mean; "
    out += "below 1 is better than every peer.\n\n"
    out += (
        markdown(table.rename_axis("method"))
        + "\nRMSE over the standard deviation of the target, mean:\n\n"
        + markdown(plain.rename_axis("method"))
    )
    if subject in methods:
        out += f"\nSets won by `{subject}`; the difference is of -log RMSE:\n\n"
        out += wins(rows.assign(rmse=-np.log(rows["rmse"])), subject, [m for m in methods if m != subject], "rmse")
    return out


def page(rows, half, subject, only=None):
    out = [HEAD.format(half=half, rows=sets.ROWS, least=sets.LEAST)]
    for task in ("classes", "values"):
        mine = rows[rows["task"] == task]
        known = {**OURS[task], **PEERS[task]}
        methods = in_order([m for m in mine["method"].unique() if not only or m in only], known)
        if not methods:
            continue
        peers = [m for m in methods if m in PEERS[task]]
        good, missing, failed = complete(mine, methods)
        out.append(f"{good['set'].nunique()} sets, {len(good) // len(methods):,} draws that every method has ({task}).")
        if missing:
            out.append(f"Not counted because a method lacks them: {missing}.")
        if len(failed):
            out.append(
                "Failures: "
                + "; ".join(f"{m}, {n} × {note}" for (m, note), n in failed.groupby(["method", "note"]).size().items())
            )
        if task == "values":
            out.append(values_page(good, methods, peers, subject))
            continue
        cells = over_draws(good, "accuracy")
        out += ["## Accuracy\n\nMean over sets (how many in brackets).\n", by_budget(cells, methods, task)]
        out += ["## Macro-F1\n", by_budget(over_draws(good, "macro_f1"), methods, task)]
        out += [
            "## Accuracy by kind\n",
            by_kind(cells, methods),
            "Macro-F1 by kind:\n",
            by_kind(over_draws(good, "macro_f1"), methods),
        ]
        if subject in methods:
            out += [
                f"## `{subject}` against each, set by set\n\nAccuracy, all budgets and draws of a set paired; "
                "a difference within two standard errors is a tie.\n"
            ]
            out += [wins(good, subject, [m for m in methods if m != subject]), "The same for macro-F1:\n"]
            out += [wins(good, subject, [m for m in methods if m != subject], "macro_f1")]
            out += [
                "## Regret\n\nAccuracy of the best peer of each set and budget (picked afterwards, so no peer has "
                "regret 0) less the method's.\n"
            ]
            out += [regret(cells, subject, methods, peers)]
        for name, value in (("Brier score", "brier"), ("Calibration error (ECE, 15 bins)", "ece")):
            found = over_draws(good, value)
            out += [
                f"## {name}\n\nSmaller is better.\n",
                by_budget(found, [m for m in methods if m in found and found[m].notna().any()], task),
            ]
        times = good.groupby("method")["seconds"].describe(percentiles=[0.5, 0.95]).loc[methods, ["50%", "95%", "max"]]
        out += [
            "## Seconds, one core\n",
            markdown(times.rename(columns={"50%": "median", "95%": "95 %"}).rename_axis("method")),
        ]
    return "\n".join(out)


def compare(rows, a, b):
    """Paired differences b − a: by budget and by kind, with standard errors over sets."""
    out = [f"{b} less {a}; ± one standard error over sets\n"]
    for value in ("accuracy", "macro_f1", "brier", "ece", "rmse"):
        good = rows[rows["method"].isin([a, b]) & rows[value].notna()]
        if value == "rmse":
            good = good.assign(rmse=np.log(good["rmse"]))
        wide = good.pivot(index=[*KEY, "kind"], columns="method", values=value)
        if a not in wide or b not in wide or wide.dropna().empty:
            continue
        gap = (wide[b] - wide[a]).dropna().groupby(["set", "kind", "budget"]).mean()
        lines = {}
        for what in ("budget", "kind"):
            order = {b: i for i, b in enumerate(BUDGETS["classes"])}
            for name, part in sorted(gap.groupby(what), key=lambda g: order.get(g[0], 0)):
                m, e = mean_and_error(part.groupby("set").mean())
                lines[f"{name}"] = {
                    "difference": f"{m:+.4f} ± {e:.4f}",
                    "sets": str(part.reset_index()["set"].nunique()),
                }
        m, e = mean_and_error(gap.groupby("set").mean())
        lines["all"] = {"difference": f"{m:+.4f} ± {e:.4f}", "sets": str(gap.reset_index()["set"].nunique())}
        title = "log rmse" if value == "rmse" else value
        out.append(markdown(pd.DataFrame(lines).T.rename_axis(title)))
        ends = gap.groupby("set").mean().sort_values()
        out.append(
            "least: "
            + ", ".join(f"{s} {v:+.3f}" for s, v in ends.head(6).items())
            + "; most: "
            + ", ".join(f"{s} {v:+.3f}" for s, v in ends.tail(6)[::-1].items())
            + "\n"
        )
    return "\n".join(out)


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--half", choices=("decide", "report"), required=True)
    ask.add_argument("--runs", default=str(HERE / "runs.csv"), help="files of run.py, commas between; later rows win")
    ask.add_argument("--methods", help="only these, commas between")
    ask.add_argument("--subject", default="auto", help="the method whose wins and regret are shown")
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
