//! Columns of dates and of running text.

use std::f64::consts::TAU;

use isotherm_io::{ColumnUse, FeatureKind, Features};

use crate::support::{csv, message};

/// A plan's points, with a row for each row of the table.
fn rows(choice: &Features, text: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let data = csv(text).unwrap();
    let plan = choice.plan(&data).unwrap();
    let (points, _) = plan.points(&data).unwrap();
    let rows = (0..points.len()).map(|i| points.row(i).to_vec()).collect();
    (plan.names().to_vec(), rows)
}

#[test]
fn dates_of_all_styles_are_the_same_days() {
    let styles = [
        ["1970-01-02", "1970-01-05", "1970-01-13"],
        ["1970/1/2", "1970/1/5", "1970/1/13"],
        ["02.01.1970", "05.01.1970", "13.01.1970"],
        ["2/1/1970", "5/1/1970", "13/1/1970"],
        ["1/2/1970", "1/5/1970", "1/13/1970"],
        ["Jan 2 1970", "January 5 1970", "jan 13 1970"],
        ["2 Jan 1970", "5th January 1970", "13 jan. 1970"],
        [
            "1970-01-02T00:00Z",
            "1970-01-05 01:00+01:00",
            "1970-01-12T23:30:00-00:30",
        ],
    ];
    for style in styles {
        let text = format!("d\n{}\n", style.join("\n"));
        let (names, rows) = rows(&Features::automatic(), &text);
        assert_eq!(names, ["d as a day"], "{style:?}");
        assert_eq!(rows, [[1.0], [4.0], [12.0]], "{style:?}");
    }
}

#[test]
fn what_varies_decides_about_the_circles() {
    // 1970-01-01 was a Thursday; a column over three weeks has the week, at one time of day.
    let (names, found) = rows(
        &Features::automatic(),
        "d\n1970-01-01\n1970-01-08\n1970-01-24\n",
    );
    assert_eq!(names, ["d as a day", "d weekday sin", "d weekday cos"]);
    assert!((found[0][1] - found[1][1]).abs() < 1e-12);
    let angle = TAU * 2.0 / 7.0;
    assert!((found[2][1] - angle.sin()).abs() < 1e-12);
    assert!((found[2][2] - angle.cos()).abs() < 1e-12);
    let (names, found) = rows(
        &Features::automatic(),
        "d\n1970-01-01 06:00\n1970-01-01 6:00 pm\n1970-01-01 12:00 am\n",
    );
    assert_eq!(names, ["d as a day", "d hour sin", "d hour cos"]);
    assert!((found[0][1] - 1.0).abs() < 1e-12 && (found[1][1] + 1.0).abs() < 1e-12);
    assert_eq!(found[2], [0.0, 0.0, 1.0]);
    let (names, _) = rows(&Features::automatic(), "d\n1970-01-01\n1971-01-01\n");
    assert_eq!(names.len(), 5);
}

#[test]
fn a_time_without_a_date_is_a_time_of_day() {
    let (names, found) = rows(&Features::automatic(), "t\n00:00\n06:00:00\n6:00 pm\n");
    assert_eq!(names, ["t as a day", "t hour sin", "t hour cos"]);
    assert_eq!(found[0], [0.0, 0.0, 1.0]);
    assert_eq!(found[1][0], 0.25);
    assert!((found[1][1] - 1.0).abs() < 1e-12 && (found[2][1] + 1.0).abs() < 1e-12);
    assert_eq!(found[2][0], 0.75);
}

#[test]
fn a_missing_date_is_the_median_day_and_the_centre_of_the_circles() {
    let choice = Features::automatic();
    let (names, found) = rows(&choice, "d,x\n1970-01-01,1\n,2\n1970-01-31,3\n");
    assert_eq!(
        names,
        [
            "d as a day",
            "d weekday sin",
            "d weekday cos",
            "x",
            "d is missing"
        ]
    );
    assert_eq!(found[1], [15.0, 0.0, 0.0, 2.0, 1.0]);
    let data = csv("d,x\n1970-01-01,1\n,2\n1970-01-31,3\n").unwrap();
    let plan = choice.plan(&data).unwrap();
    let model = Features::of_model(plan.names()).encoded_by(&plan.encoding());
    let new = csv("d,x\n,5\n1970-01-03,6\n").unwrap();
    let (points, _) = model.plan(&new).unwrap().points(&new).unwrap();
    assert_eq!(points.row(0).to_vec(), [15.0, 0.0, 0.0, 5.0, 1.0]);
    assert_eq!(points.row(1)[0], 2.0);
    // A model reads dates as those it was fitted on.
    let other = csv("d,x\n03.01.1970,6\n").unwrap();
    let refused = message(model.plan(&other).unwrap().points(&other));
    assert!(
        refused.contains("\"03.01.1970\" is not a date like the others"),
        "{refused}"
    );
}

#[test]
fn seconds_since_1970_are_dates_where_the_name_says_so() {
    let text = "seen_at,n\n1700000000,1700000000\n1700086400,1700000001\n";
    let (names, found) = rows(&Features::automatic(), text);
    assert_eq!(names, ["seen_at as a day", "n"]);
    assert_eq!(found[1][0] - found[0][0], 1.0);
    let (names, _) = rows(&Features::automatic().read_as("n", FeatureKind::Date), text);
    assert_eq!(names[..2], ["seen_at as a day", "n as a day"]);
    let refused = message(
        Features::automatic()
            .read_as("n", FeatureKind::Date)
            .plan(&csv("n\n1\n2\n").unwrap()),
    );
    assert!(refused.contains("cannot be a date"), "{refused}");
}

const SUBJECTS: [&str; 2] = [
    "the soup was cold and the waiter slow",
    "the goalkeeper saved a late penalty",
];

/// Forty sentences on two subjects.
fn sentences() -> String {
    let rows = (0..40).map(|i| {
        let words: Vec<&str> = SUBJECTS[i % 2].split(' ').collect();
        let shown: Vec<&str> = words
            .iter()
            .cycle()
            .skip(i % 5)
            .step_by(1 + i % 2)
            .take(4)
            .copied()
            .collect();
        format!("{} number{i},{i}\n", shown.join(" "))
    });
    format!("review,x\n{}", rows.collect::<String>())
}

#[test]
fn sentences_become_topics_that_tell_their_subjects_apart() {
    let text = sentences();
    let data = csv(text.as_str()).unwrap();
    let plan = Features::automatic().plan(&data).unwrap();
    let text = |use_: &ColumnUse<'_>| use_.kind == FeatureKind::Text;
    let topics = plan.uses().find(text).unwrap();
    assert_eq!(topics.column, "review");
    assert_eq!(plan.names()[0], "review topic 1");
    let (points, _) = plan.points(&data).unwrap();
    let block = 0..topics.features;
    assert_eq!(points.blocks(), std::slice::from_ref(&block));
    let dot = |i: usize, j: usize| -> f64 {
        (0..topics.features)
            .map(|t| points.row(i)[t] * points.row(j)[t])
            .sum()
    };
    let mut hits = 0;
    for i in 0..40 {
        let near = (0..40)
            .filter(|j| *j != i)
            .max_by(|a, b| dot(i, *a).total_cmp(&dot(i, *b)));
        hits += usize::from(near.is_some_and(|j| j % 2 == i % 2));
        assert!((dot(i, i) - 1.0).abs() < 1e-6, "{i}");
    }
    assert!(hits >= 38, "{hits}");
    // New rows are placed by what was learned; unknown words give no direction.
    let model = Features::of_model(plan.names()).encoded_by(&plan.encoding());
    let new = csv("x,review\n1,the soup was slow\n2,zzz qqq\n3,\n").unwrap();
    let (points, _) = model.plan(&new).unwrap().points(&new).unwrap();
    assert!(points.row(0).iter().any(|v| *v != 0.0));
    assert!(points.row(1)[..topics.features].iter().all(|v| *v == 0.0));
    assert!(points.row(2)[..topics.features].iter().all(|v| *v == 0.0));
}

#[test]
fn the_kind_can_be_said() {
    let text = sentences();
    let data = csv(text.as_str()).unwrap();
    let nothing = Features::automatic().read_as("review", FeatureKind::Nothing);
    assert_eq!(nothing.plan(&data).unwrap().names(), ["x"]);
    let refused = message(
        Features::automatic()
            .read_as("x", FeatureKind::Text)
            .plan(&data),
    );
    assert!(
        refused.contains("cannot be text: no word is in several texts"),
        "{refused}"
    );
    let short = csv("a,b\nred car,1\nred bike,2\nblue car,3\nblue bike,4\n").unwrap();
    let plan = Features::automatic()
        .read_as("a", FeatureKind::Text)
        .plan(&short)
        .unwrap();
    let texts = plan.uses().filter(|u| u.kind == FeatureKind::Text);
    assert_eq!(texts.count(), 1);
}
