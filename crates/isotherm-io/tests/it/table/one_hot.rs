//! Columns of words: which become features, and what new words do.

use isotherm_io::{Features, Unfit};

use crate::support::{column, csv, hint, message, table};

const DATA: &str = "id,colour,size,note,place,flag\n\
                    1, red,1,a,x,NA\n2,blue,2,a,x,\n3,,3,a,x,NA\n4,red,4,,x,\n";

#[test]
fn a_text_column_of_a_few_words_is_one_feature_a_word() {
    let data = csv(DATA).unwrap();
    let plan = Features::automatic().except("id").plan(&data).unwrap();
    assert_eq!(plan.names(), ["colour=blue", "colour=red", "size"]);
    let left: Vec<_> = plan
        .left_out()
        .iter()
        .map(|l| (l.column.as_str(), l.why))
        .collect();
    assert_eq!(
        left,
        [
            ("note", Unfit::OneWord),
            ("place", Unfit::OneWord),
            ("flag", Unfit::NoWord)
        ]
    );
    let (points, unseen) = plan.points(&data).unwrap();
    // White space is no part of a word, and a blank cell is none of them.
    let rows: Vec<Vec<f64>> = (0..4).map(|i| points.row(i).to_vec()).collect();
    assert_eq!(
        rows,
        [
            [0.0, 1.0, 1.0],
            [1.0, 0.0, 2.0],
            [0.0, 0.0, 3.0],
            [0.0, 1.0, 4.0]
        ]
    );
    assert!(unseen.is_empty());
}

#[test]
fn twenty_words_are_features_and_twenty_one_only_where_they_are_asked_for() {
    let text = |n: usize| {
        let rows: String = (0..60).map(|i| format!("{i},w{:02}\n", i % n)).collect();
        format!("x,word\n{rows}")
    };
    let twenty = csv(text(20)).unwrap();
    assert_eq!(Features::automatic().plan(&twenty).unwrap().len(), 21);
    let more = csv(text(21)).unwrap();
    let plan = Features::automatic().plan(&more).unwrap();
    assert_eq!(plan.names(), ["x"]);
    assert_eq!(plan.left_out()[0].why, Unfit::TooMany(Some(21)));
    let asked = Features::automatic()
        .categorical("word")
        .plan(&more)
        .unwrap();
    assert_eq!(asked.len(), 22);
    assert!(asked.left_out().is_empty());
    let named = || Features::named(["word"]).plan(&more);
    assert_eq!(
        message(named()),
        "data.csv: column \"word\" cannot be one feature a value: 21 different values"
    );
    assert!(hint(named()).starts_with("pass --categorical word"));
}

#[test]
fn a_thousand_words_are_the_most_that_can_be_asked_for() {
    let data = |n: i64| table(vec![column("n", (0..n).collect::<Vec<_>>())]);
    let choice = Features::numeric().categorical("n");
    assert_eq!(choice.plan(&data(1000)).unwrap().len(), 1000);
    assert_eq!(
        message(choice.plan(&data(1001))),
        "memory: column \"n\" cannot be one feature a value: more than 1000 different values"
    );
}

#[test]
fn numbers_and_truth_values_are_words_only_when_asked() {
    let data = csv("code,ok\n10,true\n20,false\n10,true\n").unwrap();
    let typed = table(vec![
        column("code", vec![10.0, 20.0, 10.0]),
        column("ok", vec![true, false, true]),
    ]);
    let choice = Features::automatic().categorical("code");
    assert_eq!(
        choice.plan(&typed).unwrap().names(),
        ["code=10", "code=20", "ok"]
    );
    // Truth values are 0 and 1 in text files, too.
    let plan = choice.plan(&data).unwrap();
    assert_eq!(plan.names(), ["code=10", "code=20", "ok"]);
    assert_eq!(
        plan.points(&data).unwrap().0.row(1).to_vec(),
        [0.0, 1.0, 0.0]
    );
    assert_eq!(
        Features::automatic().plan(&typed).unwrap().names(),
        ["code", "ok"]
    );
}

#[test]
fn what_we_wrote_ourselves_is_not_learned_from() {
    let data = csv("x,iso_label\n1,a\n2,b\n").unwrap();
    let plan = Features::automatic().plan(&data).unwrap();
    assert_eq!(plan.names(), ["x"]);
    assert!(plan.left_out().is_empty());
}

#[test]
fn a_model_finds_its_words_again_and_says_which_are_new() {
    let names = ["size", "colour=blue", "colour=red"];
    let new = csv("colour,size\ngreen,1\nred,2\nviolet,3\n,4\n").unwrap();
    let plan = Features::of_model(names).plan(&new).unwrap();
    assert_eq!(plan.names(), names);
    let (points, unseen) = plan.points(&new).unwrap();
    let rows: Vec<Vec<f64>> = (0..4).map(|i| points.row(i).to_vec()).collect();
    assert_eq!(
        rows,
        [
            [1.0, 0.0, 0.0],
            [2.0, 0.0, 1.0],
            [3.0, 0.0, 0.0],
            [4.0, 0.0, 0.0]
        ]
    );
    assert_eq!(unseen.len(), 1);
    assert_eq!((unseen[0].column.as_str(), unseen[0].rows), ("colour", 2));
    assert_eq!(unseen[0].example, "green");
}

#[test]
fn a_column_of_the_features_own_name_wins_and_then_the_longest_name() {
    let new = csv("a,a=b,a=b=c\nb=c,c,7\nx,y,8\n").unwrap();
    let points = |name: &str| {
        let plan = Features::of_model([name]).plan(&new).unwrap();
        let (points, _) = plan.points(&new).unwrap();
        [points.row(0).to_vec()[0], points.row(1).to_vec()[0]]
    };
    assert_eq!(points("a=b=c"), [7.0, 8.0]);
    assert_eq!(points("a=b=y"), [0.0, 1.0]);
    assert_eq!(points("a=x"), [0.0, 1.0]);
    let gone = Features::of_model(["colour=red"]).plan(&new);
    assert_eq!(message(gone), "data.csv: there is no column \"colour\"");
}
