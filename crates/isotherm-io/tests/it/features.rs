//! Which columns are features.

use isotherm_io::Features;

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
