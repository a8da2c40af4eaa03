//! Which columns are features.

use isotherm_io::{FeatureKind, Features, Unfit};

use crate::support::{csv, hint, message};

const DATA: &str = "id,emb_0,emb_1,age,name\n1,2,3,4,a\n2,3,4,5,b\n";

#[test]
fn the_default_is_every_numeric_column_but_the_excluded() {
    let data = csv(DATA).unwrap();
    let (names, _) = data.features(&Features::numeric().except("id")).unwrap();
    assert_eq!(names, ["emb_0", "emb_1", "age"]);
}

#[test]
fn patterns_choose_and_exclude() {
    let data = csv(DATA).unwrap();
    let choice = Features::named(["age", "emb_*", "age"]).except("*_1");
    assert_eq!(data.features(&choice).unwrap().0, ["age", "emb_0"]);
    let all = Features::named(["*"]).except("n*e");
    assert_eq!(
        data.features(&all).unwrap().0,
        ["id", "emb_0", "emb_1", "age"]
    );
}

#[test]
fn a_pattern_that_matches_nothing_is_refused() {
    let data = csv(DATA).unwrap();
    for choice in [
        Features::named(["agee"]),
        Features::numeric().except("agee"),
    ] {
        assert_eq!(
            message(data.features(&choice)),
            "data.csv: there is no column \"agee\""
        );
        assert_eq!(hint(data.features(&choice)), "did you mean \"age\"?");
    }
    assert_eq!(
        message(data.features(&Features::named(["x*"]))),
        "data.csv: there is no column \"x*\""
    );
}

#[test]
fn no_feature_at_all_is_refused() {
    let data = csv("a,b\nx,y\n").unwrap();
    assert_eq!(
        message(data.features(&Features::numeric())),
        "none of the 2 columns is a feature; name the feature columns; by default they are the \
         numeric ones"
    );
}

#[test]
fn columns_that_number_the_rows_are_left_out_unless_they_are_named() {
    let data = csv("Unnamed: 0,__index_level_0__,a,Unnamed: x\n0,0,1,3\n1,1,2,4\n").unwrap();
    let plan = Features::automatic().plan(&data).unwrap();
    assert_eq!(plan.names(), ["a", "Unnamed: x"]);
    let left: Vec<_> = plan.left_out().iter().map(|l| l.column.as_str()).collect();
    assert_eq!(left, ["Unnamed: 0", "__index_level_0__"]);
    let named = Features::named(["Unnamed: 0"]).plan(&data).unwrap();
    assert_eq!(named.names(), ["Unnamed: 0"]);
}

#[test]
fn a_column_is_dates_where_all_its_cells_are() {
    let is_date = |first: &str, second: &str| {
        let data = csv(format!("d,a\n{first},1\n{second},2\n{first},3\n,4\n")).unwrap();
        let plan = Features::automatic().plan(&data).unwrap();
        let asked = Features::automatic().categorical("d").plan(&data).unwrap();
        assert_eq!(asked.len(), 3);
        plan.uses().any(|u| u.kind == FeatureKind::Date)
    };
    for (first, second) in [
        ("2024-01-31", "2024-02-01"),
        ("2024-01-31T12:30", "2024-02-01 12:30:15"),
        ("2024-01-31T12:30:15.5Z", "2024-02-01T12:30:15+01:00"),
    ] {
        assert!(is_date(first, second), "{first}");
    }
    for (first, second) in [
        ("2024-13-01", "2024-02-01"),
        ("2024-02-30", "2024-02-01"),
        ("2024-01-31", "soon"),
        ("2024-01-31", "31.01.2024"),
        ("2024-01-31x", "2024-02-01"),
        ("2024-01-31T25:00", "2024-02-01T10:00"),
        ("1.2.3", "1.2.4"),
    ] {
        assert!(!is_date(first, second), "{first} {second}");
    }
}

#[test]
fn names_with_commas_and_spaces_after_commas_are_understood() {
    let data = csv("\"a,1\",f,g\n1,2,3\n4,5,6\n").unwrap();
    let split = |names: &str| names.split(',').map(str::to_owned).collect::<Vec<_>>();
    let named = |names: &str| {
        let choice = Features::named(split(names));
        data.features(&choice).map(|(names, _)| names)
    };
    assert_eq!(named("a,1").unwrap(), ["a,1"]);
    assert_eq!(named("g, f").unwrap(), ["g", "f"]);
    assert_eq!(named("g,a,1").unwrap(), ["g", "a,1"]);
    let without = split("a,1").into_iter();
    let without = without.fold(Features::numeric(), Features::except);
    assert_eq!(data.features(&without).unwrap().0, ["f", "g"]);
    // Where the pieces are columns, they are meant.
    let data = csv("\"a,b\",a,b\n1,2,3\n").unwrap();
    let choice = Features::named(["a", "b"]);
    assert_eq!(data.features(&choice).unwrap().0, ["a", "b"]);
}

#[test]
fn one_entry_of_a_list_is_refused_with_its_column() {
    let data = csv("emb;a\n[1, 2, 3];1\n[4, 5, 6];2\n").unwrap();
    let choice = Features::named(["emb[0]", "emb[1]"]);
    assert_eq!(
        hint(data.features(&choice)),
        "a column of lists is used whole: pass --features emb"
    );
}

#[test]
fn a_plan_of_some_columns_has_the_numbers_of_the_whole_plan() {
    let data = csv("a,w,b\n1,x,5\n2,y,6\n3,x,7\n").unwrap();
    let plan = Features::automatic().plan(&data).unwrap();
    let (whole, _) = plan.points(&data).unwrap();
    for keep in [&["w", "b"][..], &["a"], &["a", "w", "b"], &[]] {
        let keep: Vec<String> = keep.iter().map(|c| (*c).to_owned()).collect();
        let some = plan.only(&keep);
        assert_eq!(some.columns(), keep);
        if keep.is_empty() {
            assert!(some.is_empty());
            continue;
        }
        let (points, _) = some.points(&data).unwrap();
        for (j, name) in some.names().iter().enumerate() {
            let at = plan.names().iter().position(|n| n == name).unwrap();
            for row in 0..3 {
                assert_eq!(points.row(row)[j], whole.row(row)[at], "{name}");
            }
        }
    }
}

/// Twelve rows: one number of `a` is missing in three, all of `b` are there.
const HOLES: &str = "a,b\n1,10\n,20\n3,30\nNA,40\n5,50\n,60\n7,70\n8,80\n9,90\n20,5\n30,6\n40,7\n";

#[test]
fn missing_numbers_become_the_median_and_common_ones_a_feature() {
    let data = csv(HOLES).unwrap();
    let plan = Features::automatic().plan(&data).unwrap();
    assert_eq!(plan.names(), ["a", "b", "a is missing"]);
    // 1 3 5 7 8 9 20 30 40 are there: the fifth of nine. b: 30 and 40 are in the middle.
    assert_eq!(plan.encoding().fills, [8.0, 35.0, 0.0]);
    assert_eq!(plan.filled(), [("a".to_owned(), 3)]);
    let (points, _) = plan.points(&data).unwrap();
    assert_eq!(points.row(0).to_vec(), [1.0, 10.0, 0.0]);
    assert_eq!(points.row(1).to_vec(), [8.0, 20.0, 1.0]);
    assert_eq!(points.row(3).to_vec(), [8.0, 40.0, 1.0]);
}

#[test]
fn a_model_fills_with_what_it_learned_and_refuses_where_it_learned_nothing() {
    let plan = Features::automatic().plan(&csv(HOLES).unwrap()).unwrap();
    let new = csv("b,a\n,\n1,100\n").unwrap();
    let model = Features::of_model(plan.names());
    let filled = model
        .clone()
        .encoded_by(&plan.encoding())
        .plan(&new)
        .unwrap();
    let (points, _) = filled.points(&new).unwrap();
    assert_eq!(points.row(0).to_vec(), [8.0, 35.0, 1.0]);
    assert_eq!(points.row(1).to_vec(), [100.0, 1.0, 0.0]);
    let both = [("a".to_owned(), 1), ("b".to_owned(), 1)];
    assert_eq!(filled.filled_in(&new).unwrap(), both);
    assert_eq!(
        message(model.plan(&new).unwrap().points(&new)),
        "data.csv line 2, column \"a\": the cell is blank"
    );
}

#[test]
fn some_columns_of_a_plan_keep_their_feature_of_missing_numbers() {
    let data = csv(HOLES).unwrap();
    let plan = Features::automatic().plan(&data).unwrap();
    let only = plan.only(&["a".to_owned()]);
    assert_eq!(only.names(), ["a", "a is missing"]);
    assert_eq!(only.points(&data).unwrap().0.row(1).to_vec(), [8.0, 1.0]);
}

#[test]
fn a_text_or_a_truth_value_among_numbers_is_still_refused() {
    for word in ["x", "true"] {
        let data = csv(format!("a\n1\n\"\"\n2\n{word}\n")).unwrap();
        let plan = Features::automatic().plan(&data).unwrap();
        assert!(
            message(plan.points(&data)).contains("is not a number"),
            "{word}"
        );
    }
}

/// The features of a table, and the columns that are left out.
fn split(text: &str) -> (Vec<String>, Vec<String>) {
    let plan = Features::automatic().plan(&csv(text).unwrap()).unwrap();
    let left = plan.left_out().iter().map(|left| left.column.clone());
    (plan.names().to_vec(), left.collect())
}

#[test]
fn columns_that_name_or_number_rows_are_left_out() {
    let line = |i: usize| {
        let order = (i * 7) % 30 + 1;
        format!("u{i:02},{},{order},{order},{}\n", 1000 + i * i, i % 3)
    };
    let rows: String = (0..30).map(line).collect();
    let (names, left) = split(&format!("userid,PID,order,rank,x\n{rows}"));
    // A rank is every number from the first to the last, too, and says something.
    assert_eq!(names, ["rank", "x"]);
    assert_eq!(left, ["userid", "PID", "order"]);
    // With a number left out it is an order of something else.
    let (names, _) = split("order,x\n1,0\n2,1\n4,1\n");
    assert_eq!(names, ["order", "x"]);
    // Texts in a column that is called id, though they repeat.
    let rows: String = (0..60)
        .map(|i| format!("B-{},{}\n", i / 2, i % 3))
        .collect();
    assert_eq!(split(&format!("id,x\n{rows}")).1, ["id"]);
    let kept = Features::automatic().read_as("id", FeatureKind::Category);
    let plan = kept.plan(&csv(format!("id,x\n{rows}")).unwrap()).unwrap();
    assert!(plan.left_out().is_empty());
}

#[test]
fn a_column_said_to_name_rows_does() {
    let choice = Features::automatic().read_as("name", FeatureKind::Identifier);
    let plan = choice.plan(&csv(DATA).unwrap()).unwrap();
    assert!(
        plan.left_out()
            .iter()
            .any(|l| l.column == "name" && l.why == Unfit::Names)
    );
    assert!(!plan.names().iter().any(|n| n.starts_with("name")));
    assert_eq!("identifier".parse(), Ok(FeatureKind::Identifier));
    let wrong = "word".parse::<FeatureKind>().unwrap_err();
    assert!(
        wrong.contains("the kinds are number, category, text, date"),
        "{wrong}"
    );
}

#[test]
fn rows_without_any_value_are_found() {
    let data = csv("a,b,c\n1,x,\n,,\nNA, ,\n,y,\n2,,\n").unwrap();
    let plan = Features::automatic().plan(&data).unwrap();
    assert_eq!(plan.blank_rows(&data).unwrap(), [1, 2]);
}

#[test]
fn rows_are_called_by_the_column_that_names_them() {
    let mut data = csv("who,x\nAnn,1\n,2\n").unwrap();
    assert_eq!(data.row_name(0), "line 2");
    data.name_rows_by("who");
    assert_eq!(data.row_name(0), "Ann (line 2)");
    assert_eq!(data.row_name(1), "line 3");
}
