//! Which method is chosen, and where the choice changes.

use crate::recipe::{Method, Recipe, Shape, Smoothing, Task};
use crate::resources::automatic::{
    Budget, MOST_LABELS, MOST_NODES, MOST_WORK, Wait, choose, told, wait,
};
use crate::resources::cost::{self, SampleKind, Sizes};

const AMPLE: Budget = Budget {
    used: 0,
    memory: u64::MAX,
    passing: false,
};

fn table(samples: usize, dim: usize) -> Sizes {
    Sizes {
        samples,
        labelled: 100,
        width: 5,
        kind: SampleKind::Table { dim },
    }
}

/// The first number of rows whose pairs exceed the bound, found by halving.
fn first_beyond(dim: usize) -> usize {
    let beyond = |n: usize| (n as u128 * n as u128 / 2) * (dim as u128 + 16) > MOST_WORK;
    let (mut low, mut high) = (1, 1 << 40);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if beyond(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[test]
fn small_tables_get_a_blend() {
    let sizes = table(1797, 64);
    let classes = choose(&sizes, Task::Classify, 3, &AMPLE);
    let usual = |task| Recipe::automatic(Shape::Table, task, 3);
    assert_eq!(classes.recipe, usual(Task::Classify));
    assert!(
        classes
            .reason
            .starts_with("blend on 6 kernels and 2 graphs of neighbours (1,797 rows × 64; about "),
        "{}",
        classes.reason
    );
    assert!(classes.because.is_none());
    let numbers = choose(&sizes, Task::Regress, 3, &AMPLE);
    assert_eq!(numbers.recipe, usual(Task::Regress));
}

#[test]
fn a_graph_of_few_rows_has_half_of_the_other_rows_as_neighbours() {
    let recipe = Recipe::on_graph(Task::Classify, 0);
    let line = told(&recipe, &table(9, 2), &AMPLE, None);
    assert!(line.contains("a graph of 4 neighbours"), "{line}");
}

#[test]
fn more_labels_than_a_blend_takes_get_landmarks() {
    let with = |labelled| Sizes {
        labelled,
        ..table(50_000, 10)
    };
    let name = |labelled| {
        let choice = choose(&with(labelled), Task::Classify, 0, &AMPLE);
        choice.recipe.method.name()
    };
    assert_eq!(name(MOST_LABELS), "blend");
    assert_eq!(name(MOST_LABELS + 1), "laplacian");
}

#[test]
fn the_work_bound_is_where_landmarks_begin() {
    for dim in [2, 50, 1000] {
        let first = first_beyond(dim);
        let last = choose(&table(first - 1, dim), Task::Classify, 0, &AMPLE);
        assert_eq!(last.recipe.method.name(), "blend", "{dim}");
        let next = choose(&table(first, dim), Task::Classify, 0, &AMPLE);
        assert_eq!(next.recipe.method.name(), "laplacian", "{dim}");
        let because = next.because.unwrap();
        assert!(because.contains("four minutes"), "{because}");
        assert!(
            next.reason.ends_with(&format!(", because {because}")),
            "{}",
            next.reason
        );
    }
}

#[test]
fn memory_is_the_other_bound_to_the_byte() {
    let sizes = table(100_000, 20);
    let usual = Recipe::automatic(Shape::Table, Task::Classify, 0);
    let needed = cost::memory(&usual, &sizes);
    let with = |memory| Budget {
        used: 1000,
        memory,
        ..AMPLE
    };
    let fits = choose(&sizes, Task::Classify, 0, &with(needed + 1000));
    assert_eq!(fits.recipe, usual);
    let tight = choose(&sizes, Task::Classify, 0, &with(needed + 999));
    assert_eq!(tight.recipe.method.name(), "laplacian");
    assert!(tight.because.unwrap().contains("are allowed"));
    // What was chosen does fit.
    assert!(cost::check(&tight.recipe, &sizes, 1000, needed + 999).is_ok());
}

#[test]
fn landmarks_are_halved_until_they_fit_and_the_recipe_works() {
    let sizes = table(2_000_000, 4);
    let functions = |recipe: &Recipe| match &recipe.method {
        Method::Laplacian(params) => params.functions(sizes.samples, 4),
        other => panic!("{other:?}"),
    };
    let ample = choose(&sizes, Task::Classify, 0, &AMPLE).recipe;
    assert_eq!(functions(&ample), 1000);
    let least = cost::memory(&ample, &sizes);
    let budget = Budget {
        memory: least - 1,
        ..AMPLE
    };
    let tight = choose(&sizes, Task::Classify, 0, &budget);
    assert_eq!(functions(&tight.recipe), 500);
    assert!(cost::memory(&tight.recipe, &sizes) <= budget.memory);
    assert!(tight.recipe.check(crate::recipe::Shape::Table).is_ok());
    assert!(tight.reason.contains("500 landmarks"), "{}", tight.reason);
}

#[test]
fn streams_never_get_a_graph() {
    for (memory, task) in [(u64::MAX, Task::Classify), (1, Task::Regress)] {
        let budget = Budget {
            used: 0,
            memory,
            passing: true,
        };
        let chosen = choose(&table(500, 3), task, 0, &budget);
        assert_eq!(
            chosen.recipe.method,
            Method::laplacian(task).clone_landmarks(&chosen.recipe)
        );
        assert!(
            chosen.reason.contains("a stream cannot"),
            "{}",
            chosen.reason
        );
    }
}

/// The same method with the number of landmarks that was chosen.
trait CloneLandmarks {
    fn clone_landmarks(self, like: &Recipe) -> Method;
}

impl CloneLandmarks for Method {
    fn clone_landmarks(self, like: &Recipe) -> Method {
        match (self, &like.method) {
            (Method::Laplacian(mut own), Method::Laplacian(other)) => {
                own.basis = other.basis.clone();
                Method::Laplacian(own)
            }
            (own, _) => own,
        }
    }
}

#[test]
fn nothing_that_fits_is_refused_as_the_usual_method() {
    let budget = Budget {
        memory: 1000,
        ..AMPLE
    };
    let sizes = table(5000, 2);
    let chosen = choose(&sizes, Task::Classify, 0, &budget);
    let usual = Recipe::automatic(Shape::Table, Task::Classify, 0);
    assert_eq!(chosen.recipe, usual);
    let refused = cost::check(&chosen.recipe, &sizes, 0, 1000).unwrap_err();
    assert!(
        refused.to_string().contains("blend on 5000 rows"),
        "{refused}"
    );
}

#[test]
fn a_given_graph_is_used_whatever_its_size() {
    let kind = SampleKind::Graph {
        edges: 1 << 40,
        weighted: true,
        features: 0,
        values: 0,
        relations: 0,
    };
    let sizes = Sizes {
        samples: 1 << 30,
        labelled: 10,
        width: 3,
        kind,
    };
    let budget = Budget { memory: 1, ..AMPLE };
    let chosen = choose(&sizes, Task::Classify, 0, &budget);
    assert_eq!(chosen.recipe.method.name(), "stkr");
    let line = chosen.reason;
    assert!(
        line.starts_with("stkr on the given graph, because there are 1,073,741,824 nodes"),
        "{line}"
    );
}

#[test]
fn what_is_told_follows_the_recipe_not_the_default() {
    let sizes = table(3000, 7);
    let mut recipe = Recipe::on_graph(Task::Classify, 0);
    recipe.neighbours = Some(25);
    let line = told(&recipe, &sizes, &AMPLE, None);
    assert!(
        line.starts_with("stkr on a graph of 25 neighbours (3,000 rows × 7; "),
        "{line}"
    );
    recipe.neighbours = None;
    recipe.kernel = Some(crate::kernel::KernelSpec::Linear {});
    let line = told(&recipe, &sizes, &AMPLE, None);
    assert!(
        line.starts_with("stkr on a kernel between all rows"),
        "{line}"
    );
}

#[test]
fn waiting_grows_with_rows_and_is_a_moment_for_small_tables() {
    let of = |rows, dim| {
        let sizes = table(rows, dim);
        wait(&choose(&sizes, Task::Classify, 0, &AMPLE).recipe, &sizes)
    };
    assert_eq!(of(1000, 64), Wait::Moment);
    let waits: Vec<Wait> = [1_000, 30_000, 100_000, 400_000, 1 << 30]
        .into_iter()
        .map(|rows| of(rows, 64))
        .collect();
    assert!(waits.is_sorted(), "{waits:?}");
    assert_eq!(waits.last(), Some(&Wait::Hours));
}

#[test]
fn many_labels_of_nodes_with_features_get_landmarks_of_smoothed_features() {
    let of = |labelled, features, samples| Sizes {
        samples,
        labelled,
        width: 5,
        kind: SampleKind::Graph {
            edges: 3 * samples,
            weighted: false,
            features,
            values: 20 * samples,
            relations: 0,
        },
    };
    let chosen = |sizes, memory| {
        let budget = Budget { memory, ..AMPLE };
        let chosen = choose(&sizes, Task::Classify, 0, &budget);
        (
            chosen.recipe.method.name(),
            chosen.recipe.smooth,
            chosen.reason,
        )
    };
    let (ample, smooth) = (u64::MAX, Some(Smoothing::Auto));
    let (name, none, _) = chosen(of(MOST_LABELS, 500, 20_000), ample);
    assert_eq!((name, none), ("blend", None));
    for sizes in [
        of(MOST_LABELS + 1, 500, 20_000),
        of(100, 500, MOST_NODES + 1),
    ] {
        let (name, found, line) = chosen(sizes, ample);
        assert_eq!((name, found), ("laplacian", smooth));
        assert!(
            line.starts_with(
                "laplacian on 1,000 landmarks, comparing 500 features averaged over the given \
                 graph, because there are "
            ),
            "{line}"
        );
    }
    assert_eq!(chosen(of(MOST_LABELS + 1, 0, 20_000), ample).0, "stkr");
    assert_eq!(chosen(of(MOST_LABELS + 1, 500, 20_000), 1 << 20).0, "stkr");
}
