//! Columns of words: which become features, and what new words do.

use isotherm_io::{FeatureKind, Features, Unfit};

use crate::support::{column, csv, message, table};

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
fn of_more_than_twenty_values_the_frequent_ones_are_kept() {
    let text = |n: usize| {
        let rows: String = (0..160).map(|i| format!("{i},w{:02}\n", i % n)).collect();
        format!("x,word\n{rows}")
    };
    let twenty = csv(text(20)).unwrap();
    assert_eq!(Features::automatic().plan(&twenty).unwrap().len(), 21);
    let fifty = csv(text(50)).unwrap();
    assert_eq!(Features::automatic().plan(&fifty).unwrap().len(), 51);
    let more = csv(text(60)).unwrap();
    let plan = Features::automatic().plan(&more).unwrap();
    // 160 = 2 × 60 + 40: w00 to w39 occur three times, w40 to w59 twice.
    assert_eq!(plan.len(), 1 + 40 + 1);
    assert_eq!(plan.names()[40], "word=w39");
    assert_eq!(plan.names()[41], "word is another value");
    let (points, unseen) = plan.points(&more).unwrap();
    assert_eq!((points.row(39)[40], points.row(39)[41]), (1.0, 0.0));
    assert_eq!((points.row(40)[40], points.row(40)[41]), (0.0, 1.0));
    assert!(unseen.is_empty());
    // A value that was never seen is another value, too.
    let new = csv("x,word\n1,new\n2,\n").unwrap();
    let model = Features::of_model(plan.names()).encoded_by(&plan.encoding());
    let (points, _) = model.plan(&new).unwrap().points(&new).unwrap();
    assert_eq!((points.row(0)[41], points.row(1)[41]), (1.0, 0.0));
    let asked = Features::automatic()
        .categorical("word")
        .plan(&more)
        .unwrap();
    assert_eq!(asked.len(), 61);
    assert!(asked.left_out().is_empty());
}

#[test]
fn values_that_are_all_different_name_rows_and_are_left_out() {
    let rows: String = (0..40).map(|i| format!("{i},C-{i:03}\n")).collect();
    let data = csv(format!("x,code\n{rows}")).unwrap();
    let plan = Features::automatic().plan(&data).unwrap();
    assert_eq!(plan.names(), ["x"]);
    assert_eq!(plan.left_out()[0].why, Unfit::Names);
    assert_eq!(Features::named(["code"]).plan(&data).unwrap().len(), 40);
    // So are numbers whose column's name says it, unless they are asked for.
    let data = csv("id,x\n7,1\n8,2\n9,3\n").unwrap();
    assert_eq!(Features::automatic().plan(&data).unwrap().names(), ["x"]);
    assert_eq!(Features::named(["id", "x"]).plan(&data).unwrap().len(), 2);
    let number = Features::automatic().read_as("id", FeatureKind::Number);
    assert_eq!(number.plan(&data).unwrap().names(), ["id", "x"]);
}

#[test]
fn a_thousand_values_are_the_most_that_can_be_asked_for() {
    let data = |n: i64| table(vec![column("n", (0..n).collect::<Vec<_>>())]);
    let choice = Features::numeric().categorical("n");
    assert_eq!(choice.plan(&data(1000)).unwrap().len(), 1000);
    assert_eq!(
        message(choice.plan(&data(1001))),
        "memory: column \"n\" cannot be one feature a value: 1001 different values, none of them frequent"
    );
    // Of more than a thousand the frequent ones are kept.
    let mut values: Vec<i64> = (0..1001).collect();
    values.extend([5, 5, 7, 7]);
    let plan = choice.plan(&table(vec![column("n", values)])).unwrap();
    assert_eq!(plan.names(), ["n=5", "n=7", "n is another value"]);
}

#[test]
fn yes_and_no_are_truth_values_as_true_and_false_are() {
    let choice = Features::automatic();
    let rows = |text: &str| {
        let data = csv(text).unwrap();
        let plan = choice.plan(&data).unwrap();
        assert_eq!(plan.names(), ["age", "member"]);
        let points = plan.points(&data).unwrap().0;
        (0..3).map(|i| points.row(i).to_vec()).collect::<Vec<_>>()
    };
    let said = rows("age,member\n30,yes\n40,no\n50,yes\n");
    assert_eq!(said, [[30.0, 1.0], [40.0, 0.0], [50.0, 1.0]]);
    assert_eq!(said, rows("age,member\n30,YES\n40,No\n50,Yes\n"));
    assert_eq!(said, rows("age,member\n30,true\n40,FALSE\n50,True\n"));
    // Another word makes a category of the column.
    let data = csv("age,member\n30,yes\n40,no\n50,maybe\n").unwrap();
    let plan = choice.plan(&data).unwrap();
    assert!(plan.names().contains(&"member=maybe".to_owned()));
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
