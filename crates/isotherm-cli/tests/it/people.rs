//! Tables as people have them go from a file to answers without a flag but `--label`.
//!
//! The tables are made here. They have what real ones have: names of rows, missing numbers, codes,
//! dates in local styles, truth values in capitals, notes, and columns that say nothing.

use crate::run::{Room, Said, chance};

/// A table and what its label should be, line by line without the header.
struct People {
    name: &'static str,
    header: &'static str,
    lines: Vec<String>,
    truth: Vec<String>,
}

const ROWS: usize = 240;
const GIVEN: usize = 60;

fn people(
    name: &'static str,
    header: &'static str,
    seed: u64,
    row: impl Fn(usize, &mut dyn FnMut() -> f64) -> (String, String),
) -> People {
    let mut state = seed;
    let mut draw = || chance(&mut state);
    let (lines, truth) = (0..ROWS).map(|i| row(i, &mut draw)).unzip();
    People {
        name,
        header,
        lines,
        truth,
    }
}

/// One of the words, by a number from 0 to 1.
fn pick<'a>(words: &[&'a str], at: f64) -> &'a str {
    words[((at * words.len() as f64) as usize).min(words.len() - 1)]
}

/// A cell that is blank now and then.
fn some(cell: String, draw: f64) -> String {
    if draw < 0.1 { String::new() } else { cell }
}

fn census() -> People {
    let jobs = ["clerk", "nurse", "farmer", "teacher", "driver"];
    people(
        "census.csv",
        "person_id,age,hours,job,citizen,born,income",
        1,
        |i, draw| {
            let (age, hours) = (18.0 + 60.0 * draw(), 60.0 * draw());
            let rich = hours > 30.0;
            let line = format!(
                "P{i:05},{},{},{},{},{:02}.{:02}.{}",
                some(format!("{age:.0}"), draw()),
                some(format!("{hours:.1}"), draw()),
                pick(&jobs, draw()),
                pick(&["TRUE", "FALSE"], draw()),
                1 + (28.0 * draw()) as usize,
                1 + (12.0 * draw()) as usize,
                1930 + (70.0 * draw()) as usize,
            );
            (line, if rich { "high" } else { "low" }.to_owned())
        },
    )
}

fn churn() -> People {
    people(
        "churn.csv",
        "customerID,contract,months,charges,zip,churn",
        2,
        |i, draw| {
            let contract = pick(&["month-to-month", "one year", "two years"], draw());
            let months = 72.0 * draw();
            let leaves = contract == "month-to-month" && months < 50.0;
            let line = format!(
                "{:04}-{}XYZ,{contract},{months:.0},{},{:05}",
                7 * i,
                pick(&["A", "B", "C"], draw()),
                some(format!("{:.2}", 20.0 + months * draw()), draw()),
                10_000 + (90_000.0 * draw()) as usize,
            );
            (line, if leaves { "yes" } else { "no" }.to_owned())
        },
    )
}

fn storms() -> People {
    people(
        "storms.csv",
        "name,seen,wind,pressure,diameter,status",
        3,
        |_, draw| {
            let wind = 20.0 + 120.0 * draw();
            let status = if wind > 64.0 { "hurricane" } else { "storm" };
            let line = format!(
                "{},2003-{:02}-{:02}T{:02}:00:00Z,{wind:.0},{:.0},{}",
                pick(&["Ana", "Bill", "Claudette", "Danny", "Erika"], draw()),
                6 + (5.0 * draw()) as usize,
                1 + (28.0 * draw()) as usize,
                6 * (4.0 * draw()) as usize,
                1010.0 - wind / 2.0,
                if draw() < 0.5 {
                    "NA".to_owned()
                } else {
                    format!("{:.0}", 2.0 * wind)
                },
            );
            (line, status.to_owned())
        },
    )
}

fn houses() -> People {
    people(
        "houses.csv",
        "order,area,quality,pool,garage,sold,price",
        4,
        |i, draw| {
            let (area, quality) = (50.0 + 200.0 * draw(), 1.0 + 9.0 * draw());
            let line = format!(
                "{},{area:.0},{quality:.0},,{},{}/{}/2010",
                i + 1,
                some(pick(&["attached", "detached"], draw()).to_owned(), draw()),
                1 + (12.0 * draw()) as usize,
                1 + (28.0 * draw()) as usize,
            );
            (line, format!("{:.0}", 1000.0 * area + 20_000.0 * quality))
        },
    )
}

fn reviews() -> People {
    let food = ["soup", "waiter", "kitchen", "dessert", "menu", "table"];
    let sport = ["goal", "keeper", "penalty", "league", "match", "referee"];
    people("reviews.csv", "product,review,stars,about", 5, |i, draw| {
        let eats = draw() < 0.5;
        let words = if eats { food } else { sport };
        let mut word = || pick(&words, draw());
        let text = format!(
            "\"The {} and the {}, with a {} 🙂\"",
            word(),
            word(),
            word()
        );
        let line = format!(
            "SKU-{i:04},{text},{}",
            pick(&["1", "2", "3", "4", "5"], draw())
        );
        (line, if eats { "food" } else { "sport" }.to_owned())
    })
}

impl People {
    /// The table with labels in rows `given`.
    fn table(&self, given: impl Fn(usize) -> bool) -> String {
        let mut text = format!("{}\n", self.header);
        for (row, (line, label)) in self.lines.iter().zip(&self.truth).enumerate() {
            text += &format!("{line},{}\n", if given(row) { label } else { "" });
        }
        text
    }

    fn label(&self) -> &str {
        self.header.rsplit(',').next().unwrap()
    }
}

/// The cells of a column of JSON lines.
fn cells(text: &str, name: &str) -> Vec<serde_json::Value> {
    let rows = text.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row[name].clone()
    });
    rows.collect()
}

/// check → label → evaluate → report → next → merge → fit → predict.
fn walk(people: &People) {
    let room = Room::with(people.name, people.table(|row| row < GIVEN));
    let (data, y) = (people.name, people.label());
    let fine = |line: String| -> Said { room.run(&line).fine(&[]) };
    fine(format!("check {data} --label {y}"));
    fine(format!("label {data} --label {y} -o labelled.jsonl"));
    let answers = cells(&room.read("labelled.jsonl"), "iso_label");
    let held = || (GIVEN..ROWS).map(|row| (row, &answers[row]));
    if y == "price" {
        let number = |text: &str| text.parse::<f64>().unwrap();
        let truth: Vec<f64> = people.truth.iter().map(|t| number(t)).collect();
        let mean = truth.iter().sum::<f64>() / truth.len() as f64;
        let ours: f64 = held()
            .map(|(i, a)| (a.as_f64().unwrap() - truth[i]).powi(2))
            .sum();
        let plain: f64 = held().map(|(i, _)| (mean - truth[i]).powi(2)).sum();
        // The price is nearly a sum of two columns.
        assert!(ours < 0.1 * plain, "{ours} {plain}");
    } else {
        let right = held()
            .filter(|(i, a)| a.as_str() == Some(&people.truth[*i]))
            .count();
        // One column decides, up to the rows where it is missing; a tenth of the cells are.
        let rate = right as f64 / (ROWS - GIVEN) as f64;
        assert!(rate > 0.85, "{data}: {rate}");
    }
    fine(format!("evaluate {data} --label {y}"));
    fine(format!("report {data} --label {y} -o report.html"));
    fine(format!("next {data} --label {y} -n 8 -o todo.jsonl"));
    let mut filled = String::new();
    for line in room.read("todo.jsonl").lines() {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
        let at = row["iso_row"].as_u64().unwrap() as usize - 1;
        row[y] = people.truth[at].as_str().into();
        filled += &format!("{row}\n");
    }
    room.file("filled.jsonl", filled);
    fine(format!(
        "merge {data} filled.jsonl --label {y} -o merged.csv"
    ));
    fine(format!("evaluate merged.csv --label {y}"));
    fine(format!("fit merged.csv --label {y} -o model.iso"));
    room.file("new.csv", people.table(|_| false));
    fine("predict model.iso new.csv -o new.jsonl".to_owned());
    let reached = cells(&room.read("new.jsonl"), "iso_reached");
    assert!(reached.iter().all(|r| r == true), "{data}");
}

#[test]
fn a_census_goes_through_all_commands() {
    walk(&census());
}

#[test]
fn customers_who_leave_go_through_all_commands() {
    walk(&churn());
}

#[test]
fn storms_go_through_all_commands() {
    walk(&storms());
}

#[test]
fn house_prices_go_through_all_commands() {
    walk(&houses());
}

#[test]
fn short_texts_go_through_all_commands() {
    walk(&reviews());
}

#[test]
fn rows_are_called_by_their_names() {
    let people = churn();
    let room = Room::with(people.name, people.table(|row| row < GIVEN));
    let said = room.run("next churn.csv --label churn -n 3").fine(&[]);
    for line in said.out.lines() {
        let (name, rest) = line.split_once(" (line ").unwrap();
        assert!(name.ends_with("XYZ"), "{line}");
        let at: usize = rest.split_once(')').unwrap().0.parse().unwrap();
        // The header is line 1.
        assert!(people.lines[at - 2].starts_with(name), "{line}");
    }
    let said = room.run("check churn.csv --label churn").fine(&[]);
    assert!(said.out.contains("customerID  identifier"), "{}", said.out);
}

#[test]
fn a_row_without_any_value_gets_no_answer() {
    let people = storms();
    let mut text = people.table(|row| row < GIVEN);
    text += ",,,,,\n";
    let room = Room::with("storms.csv", text);
    room.run("label storms.csv --label status -o out.jsonl")
        .fine(&["1 row has no value in any feature column and gets no answer"]);
    let out = room.read("out.jsonl");
    let last = |name: &str| cells(&out, name).pop().unwrap();
    assert_eq!(
        (last("iso_label"), last("iso_reached")),
        (serde_json::Value::Null, false.into())
    );
    room.run("fit storms.csv --label status -o model.iso")
        .fine(&[]);
    room.run("predict model.iso storms.csv -o new.jsonl")
        .fine(&[]);
    let reached = cells(&room.read("new.jsonl"), "iso_reached");
    assert_eq!(reached.iter().filter(|r| **r == false).count(), 1);
    assert_eq!(reached.last(), Some(&false.into()));
}

/// Sixty rows of one odd column beside a number that tells the class.
fn odd(cell: impl Fn(usize) -> String) -> String {
    let row = |i: usize| {
        let label = if i < 20 { ["a", "b"][i % 2] } else { "" };
        format!("{},{},{label}\n", 10 * (i % 2) + i % 5, cell(i))
    };
    let rows: String = (0..60).map(row).collect();
    format!("x,odd,y\n{rows}")
}

#[test]
fn odd_columns_do_not_keep_a_table_from_being_answered() {
    let long = "word ".repeat(300_000);
    type Cell = Box<dyn Fn(usize) -> String>;
    let tables: [(&str, Cell); 8] = [
        ("all missing", Box::new(|_| String::new())),
        ("one value", Box::new(|_| "same".to_owned())),
        (
            "as good as constant",
            Box::new(|i| format!("{}", 1.0 + 1e-15 * i as f64)),
        ),
        ("all different", Box::new(|i| format!("v{i}"))),
        (
            "right to left",
            Box::new(|i| format!("שלום עולם {}", ["אחד", "שתיים"][i % 2])),
        ),
        ("pictures", Box::new(|i| ["🙂", "🙃👩‍👩‍👧‍👦"][i % 2].to_owned())),
        (
            "long",
            Box::new(move |i| {
                if i == 7 {
                    long.clone()
                } else {
                    "a short text here".to_owned()
                }
            }),
        ),
        (
            "mixed",
            Box::new(|i| ["1", "x", "2024-01-01", "TRUE", ""][i % 5].to_owned()),
        ),
    ];
    for (what, cell) in tables {
        let room = Room::with("odd.csv", odd(cell));
        let said = room.run("label odd.csv --label y -o out.jsonl");
        assert_eq!(said.code, 0, "{what}: {said:?}");
        let answers = cells(&room.read("out.jsonl"), "iso_label");
        for (i, answer) in answers.iter().enumerate() {
            assert_eq!(answer, ["a", "b"][i % 2], "{what}, row {i}");
        }
        let said = room.run("check odd.csv --label y");
        assert_eq!(said.code, 0, "{what}: {said:?}");
    }
}
