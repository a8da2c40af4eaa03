//! Pictures with what they show in words, and their numbers as tables.

use isotherm::estimator::stkr::Ridge;
use isotherm::recipe::{Method, Recipe, Task};
use isotherm::study::Tuned;
use maud::{Markup, PreEscaped, html};

use super::answer::reached;
use super::findings::{Findings, Tuning};
use super::page::Section;
use super::text::{chance, counted, measured, number, percent, rough, whole};
use crate::failure::Outcome;
use crate::figures::Picture;
use crate::figures::heat::Heat;
use crate::figures::spectrum::Spectrum;
use crate::model_text;

/// A picture of ours in the page: text in it is escaped where it is drawn.
pub(super) fn picture(svg: &str) -> Markup {
    html! { figure.chart { div.scroll tabindex="0" role="group" aria-label="Picture" { (PreEscaped(svg)) } } }
}

fn numbers(body: Markup) -> Markup {
    html! { details { summary { "The numbers" } div.scroll tabindex="0" role="group" aria-label="Numbers, table" { (body) } } }
}

/// Accuracy against labels.
pub(super) fn curve(found: &Findings) -> Outcome<Section> {
    let (id, title) = ("curve", "Would more labels help?");
    let says = html! {
        "How good the method is with fewer labels, judged on labels held out, beside what the labels "
        "alone would give on the same splits."
    };
    let curve = match &found.curve {
        Ok(curve) => curve,
        Err(missing) => return Ok(Section::missing(id, title, says, missing)),
    };
    let share = curve.higher_is_better;
    let band = |b: &isotherm::study::learning_curve::Band| {
        html! { td.n { (measured(b.mean, share)) } td.n { (measured(b.low, share)) " – " (measured(b.high, share)) } }
    };
    let table = html! { table {
        caption {
            (curve.measure) " on " (whole(curve.held_out)) " labels held out, "
            (counted(curve.repeats, "repeat", "repeats")) "; ranges hold " (percent(curve.level)) " of them"
        }
        thead { tr {
            th.n scope="col" { "labels" } th.n scope="col" { "this method" } th.n scope="col" { "range" }
            th.n scope="col" { (curve.baseline_name) } th.n scope="col" { "range" }
        } }
        tbody { @for point in &curve.points {
            tr { th.n scope="row" { (whole(point.labels)) } (band(&point.method)) (band(&point.baseline)) }
        } }
    } };
    Ok(Section {
        id,
        title,
        says,
        body: html! { (picture(&curve.svg()?)) (numbers(table)) },
        advice: html! {
            "If the curve still rises at its right end, another batch of labels pays; if it is flat, better "
            "features or fewer classes will do more than labels."
        },
    })
}

/// Whether 0.9 means nine in ten.
pub(super) fn reliability(found: &Findings) -> Outcome<Section> {
    let (id, title) = ("reliability", "Can confidences be believed?");
    let says = html! {
        "Labels grouped by how sure the method was of them when it did not see them, beside how many of "
        "each group it got right."
    };
    let lost = (found.evaluation.as_ref().ok())
        .and_then(|e| e.confusion.as_ref())
        .map_or(0, |c| reached(c).0);
    let found = match &found.reliability {
        Ok(found) => found,
        Err(missing) => return Ok(Section::missing(id, title, says, missing)),
    };
    let table = html! { table {
        caption { (counted(found.rows, "label", "labels")) " in " (counted(found.bins.len(), "group", "groups")) }
        thead { tr {
            th scope="col" { "confidence" } th.n scope="col" { "labels" } th.n scope="col" { "said" }
            th.n scope="col" { "right" } th.n scope="col" { "interval" }
        } }
        tbody { @for bin in &found.bins {
            tr {
                th scope="row" { (percent(bin.low)) " – " (percent(bin.high)) }
                td.n { (whole(bin.rows)) } td.n { (percent(bin.confidence)) } td.n { (percent(bin.accuracy)) }
                td.n { (percent(bin.interval.low)) " – " (percent(bin.interval.high)) }
            }
        } }
    } };
    Ok(Section {
        id,
        title,
        says,
        body: html! {
            p {
                "Of " (counted(found.rows, "label", "labels")) ", the method was " (percent(found.confidence))
                " sure on average and right in " (percent(found.accuracy)) "."
                @if lost > 0 {
                    " " (counted(lost, "label", "labels")) " that the others cannot reach "
                    @match lost { 1 => "has no confidence and is", _ => "have no confidence and are" }
                    " not among them; the first number of this page counts "
                    @match lost { 1 => "it", _ => "them" } " as wrong."
                }
                " Between what was said and what came true lie " (rough(100.0 * found.error))
                " percentage points (the expected calibration error); chance alone would put "
                (rough(100.0 * found.by_chance)) " there for a method whose confidences are all true, and as much "
                "as here with probability " (chance(found.chance)) "."
            }
            (picture(&found.svg()?)) (numbers(table))
        },
        advice: html! {
            "Where the points lie below the diagonal, take a confidence for less than it says; with few labels "
            "in a group the intervals, not the points, are what is known."
        },
    })
}

/// Eigenvalues, and what the method makes of them.
pub(super) fn spectrum(found: &Findings) -> Outcome<Section> {
    let (id, title) = ("spectrum", "What the method listens to");
    let says = html! {
        "The smoothest functions on the data, by their eigenvalues, and how much of each the method lets "
        "through; for readers who tune."
    };
    let curve = match &found.spectrum {
        Ok(curve) => curve,
        Err(missing) => return Ok(Section::missing(id, title, says, missing)),
    };
    let said = match (&curve.transform, &curve.filter) {
        (Some(transform), _) => format!("transform: {}", model_text::transform(transform)),
        (None, Some(filter)) => format!("filter: {}", crate::commands::filter_told(filter)),
        (None, None) => String::new(),
    };
    let table = html! { table {
        caption { "The first " (curve.eigenvalues.len()) " eigenvalues of " (counted(curve.samples, "sample", "samples")) }
        thead { tr {
            th.n scope="col" { "mode" } th.n scope="col" { "λ" } th.n scope="col" { (curve.function) ", relative" }
        } }
        tbody { @for (k, (value, gain)) in curve.eigenvalues.iter().zip(&curve.gains).enumerate() {
            tr { th.n scope="row" { (k + 1) } td.n { (small(*value)) } td.n { (small(*gain)) } }
        } }
    } };
    let drawn = Spectrum { curve, said };
    Ok(Section {
        id,
        title,
        says,
        body: html! { (picture(&drawn.svg()?)) (numbers(table)) },
        advice: html! {
            "Eigenvalues that drop sharply say how many groups the data have. If far more modes pass than there "
            "are groups, smooth more; if fewer, less."
        },
    })
}

/// A number of which what is next to nothing is not told to the digit.
fn small(v: f64) -> String {
    match v.abs() {
        a if a > 0.0 && a < 1e-4 => "below 0.0001".to_owned(),
        _ => number(v),
    }
}

/// A grid of settings.
pub(super) fn grid(found: &Findings) -> Section {
    let (id, title) = ("tuning", "Would other settings do better?");
    let says = html! {
        "What other settings score on the same labels, each label predicted from the others."
    };
    match &found.tuning {
        None => Section {
            id,
            title,
            says,
            body: html! {
                p.missing { strong { "Not shown: " } "it was not asked for, because it fits the data once for each setting." }
            },
            advice: html! { "Pass " code { "--tune" } " for it, or use " code { "isotherm tune" } "." },
        },
        Some(Err(missing)) => Section::missing(id, title, says, missing),
        Some(Ok(tuning)) => Section {
            id,
            title,
            says,
            body: html! {
                p { "Best of " (tuning.cells) ": " strong { (tuning.best) } ", " (tuning.score) ". " (tuning.own) }
                (picture(&tuning.svg))
            },
            advice: html! {
                "Cells with a frame cannot be told from the best on these labels: if the setting of this page is "
                "among them, or scores as they do, leave it."
            },
        },
    }
}

/// What a grid scored, drawn.
pub(super) fn tuning(tuned: &Tuned, task: Task, recipe: &Recipe) -> Outcome<Tuning> {
    let search = &tuned.search;
    let measure = match task {
        Task::Classify => "accuracy",
        _ => "squared error",
    };
    let cell = &search.cells[search.best];
    let place = own(search, recipe);
    let heat = Heat::of_transforms(search, task, format!("leave-one-label-out {measure}"));
    let heat = heat.with_own(place);
    let score = |s: f64| match task {
        Task::Classify => percent(s),
        _ => number(-s),
    };
    let close = search.close();
    let told = match place.and_then(|k| Some((k, search.cells[k].score?))) {
        Some((k, _)) if k == search.best => "The setting of this page is the best cell.".to_owned(),
        Some((k, s)) => format!(
            "The setting of this page (dashed) scores {}: {}.",
            score(s),
            if close.contains(&k) {
                "it cannot be told from the best on these labels"
            } else {
                "worse than the best by more than one standard error"
            }
        ),
        None => "The setting of this page is none of the cells.".to_owned(),
    };
    Ok(Tuning {
        svg: heat.svg()?,
        own: told,
        best: format!(
            "{}, ridge {:e}",
            model_text::transform(&search.grid.transforms[cell.transform]),
            search.grid.ridges[cell.ridge]
        ),
        score: match search.nested {
            Some((nested, _)) => format!("{measure} {}, nested", score(nested)),
            None => format!("{measure} {}, optimistic", score(search.score())),
        },
        cells: search.cells.len(),
    })
}

/// The cell that the page's own setting is, if it is one.
fn own(search: &isotherm::select::Search, recipe: &Recipe) -> Option<usize> {
    let Method::Stkr(params) = &recipe.method else {
        return None;
    };
    let Ridge::Fixed(ridge) = params.ridge else {
        return None;
    };
    search.cells.iter().position(|c| {
        search.grid.transforms[c.transform] == params.transform
            && search.grid.ridges[c.ridge] == ridge
    })
}
