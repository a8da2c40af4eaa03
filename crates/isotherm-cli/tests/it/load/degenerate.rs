//! Degenerate inputs, one by one: each gives a good result or a refusal with a
//! code, never a panic, a NaN or a half-written file. What is said is committed.

use crate::run::{Room, Said, clusters};
use crate::snapshots::{compare, told};

/// Files, and the command that is run on them.
struct Case {
    name: &'static str,
    files: Vec<(&'static str, Vec<u8>)>,
    line: &'static str,
}

const LABEL: &str = "label data.csv --label y -o out.csv";
const GRAPH: &str = "label nodes.csv --label y --graph edges.csv -o out.csv";

fn table(name: &'static str, text: impl Into<Vec<u8>>) -> Case {
    on(name, text, LABEL)
}

fn on(name: &'static str, text: impl Into<Vec<u8>>, line: &'static str) -> Case {
    Case {
        name,
        files: vec![("data.csv", text.into())],
        line,
    }
}

fn graph(name: &'static str, nodes: &str, edges: &str) -> Case {
    Case {
        name,
        files: vec![("nodes.csv", nodes.into()), ("edges.csv", edges.into())],
        line: GRAPH,
    }
}

/// Two groups on a line with these two labels.
fn line(first: &str, second: &str) -> String {
    let mut text = String::from("a,y\n");
    for i in 0..10 {
        let (at, label) = if i < 5 { (0, first) } else { (50, second) };
        let label = if i % 5 == 0 { label } else { "" };
        text.push_str(&format!("{},{label}\n", at + i));
    }
    text
}

/// As many classes as this, one label each, and one row without.
fn many_classes(count: usize) -> String {
    let mut text = String::from("a,y\n");
    for i in 0..count {
        text.push_str(&format!("{i},c{i}\n"));
    }
    text + "0.25,\n"
}

fn tables() -> Vec<Case> {
    vec![
        table("no bytes", ""),
        table("blank lines only", "\n\n\n"),
        table("header only", "a,b,y\n"),
        table("header only, no line end", "a,b,y"),
        table("one row", "a,y\n1,u\n"),
        table("one blank row", "a,y\n1,\n"),
        table("two rows", "a,y\n1,u\n2,\n"),
        table("no feature", "y\nu\nv\n\n"),
        table("only words", "t,y\nfoo,u\nbar,v\nbaz,\n"),
        table("one feature", "a,y\n1,u\n2,\n8,v\n9,\n"),
        table("all rows equal", "a,b,y\n1,2,u\n1,2,v\n1,2,\n"),
        table("equal rows, same label", "a,y\n1,u\n1,u\n1,\n9,v\n9,\n"),
        table(
            "equal rows, different labels",
            "a,y\n1,u\n1,v\n1,\n4,\n5,u\n",
        ),
        table("constant column", "a,b,y\n1,7,u\n2,7,\n8,7,v\n9,7,\n"),
        on(
            "all-zero row under cosine",
            "a,b,y\n0,0,\n1,0,u\n0,1,v\n1,1,\n",
            "label data.csv --label y --method kernel-ridge --kernel cosine --scaling none -o out.csv",
        ),
        table("NaN in a feature", "a,y\n1,u\nNaN,\n8,v\n9,\n"),
        table("blank feature", "a,b,y\n1,1,u\n2,,\n8,8,v\n9,9,\n"),
        table("infinity in a feature", "a,y\n1,u\ninf,\n8,v\n9,\n"),
        table("minus infinity in a feature", "a,y\n1,u\n-inf,\n8,v\n9,\n"),
        table("1e308", "a,y\n1,u\n1e308,\n8,v\n9,\n"),
        table("beyond the largest number", "a,y\n1,u\n1e999,\n8,v\n9,\n"),
        table("1e-308", "a,y\n1,u\n1e-308,\n8,v\n9,\n"),
        table("subnormal", "a,y\n5e-324,u\n0,\n1e-323,v\n0,\n"),
        table(
            "truth values as features",
            "a,y\ntrue,u\nfalse,v\ntrue,\nfalse,\n",
        ),
        table("all unlabelled", "a,y\n1,\n2,\n8,\n9,\n"),
        table("all labelled", "a,y\n1,u\n2,u\n8,v\n9,v\n"),
        on(
            "all labelled, fitted",
            "a,y\n1,u\n2,u\n8,v\n9,v\n",
            "fit data.csv --label y -o m.iso",
        ),
        table("one class", "a,y\n1,u\n2,u\n8,\n9,\n"),
        table("one label in all", "a,y\n1,u\n2,\n8,\n9,\n"),
        table("one label per class", "a,y\n1,u\n2,\n8,v\n9,\n"),
        table("a thousand classes", many_classes(1000)),
        table("more classes than other rows", many_classes(3)),
        on(
            "k as large as the rows",
            line("u", "v"),
            "label data.csv --label y --neighbours 10 -o out.csv",
        ),
        on(
            "k above the rows",
            line("u", "v"),
            "label data.csv --label y --neighbours 99 -o out.csv",
        ),
        on(
            "more coordinates than rows",
            line("u", "v"),
            "embed data.csv --exclude y --dimensions 99 -o out.csv",
        ),
        on(
            "rank above the rows",
            line("u", "v"),
            "label data.csv --label y --rank 99 -o out.csv",
        ),
        on(
            "repeated eigenvalues",
            "a,b,y\n1,0,u\n-1,0,\n0,1,v\n0,-1,\n",
            "label data.csv --label y --kernel gaussian --rank 2 -o out.csv",
        ),
        on(
            "numbers beyond squares as labels",
            "a,y\n1,0.5\n2,\n3,1e200\n",
            LABEL,
        ),
        on(
            "infinite label",
            "a,y\n1,0.5\n2,\n3,inf\n4,1.5\n",
            "label data.csv --label y --task regress -o out.csv",
        ),
    ]
}

fn labels() -> Vec<Case> {
    let long = "x".repeat(10_000);
    vec![
        table("labels -1 and 1", line("-1", "1")),
        table("labels -1 and blank", line("-1", "")),
        table("quoted blank label", line("\"\"", "v")),
        table("label with a space in front", line(" a", "a")),
        table("label of spaces", line("\"   \"", "v")),
        table("label nan", line("nan", "v")),
        table("label -1 in quotes", line("\"-1\"", "v")),
        table("label emoji", line("🦊", "🐢")),
        table("label of 10 kB", line(&long, "short")),
        table("label with a line break", line("\"two\nlines\"", "one")),
        table(
            "label with control characters",
            line("\u{1b}[31mred\u{7}", "v"),
        ),
        table("label that looks like a formula", line("=1+1", "@x")),
        table("labels 0 and 00", line("0", "00")),
        table("labels true and false", line("true", "false")),
    ]
}

fn texts() -> Vec<Case> {
    let utf16 = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xFF, 0xFE].into_iter().chain(units).collect()
    };
    let plain = line("u", "v");
    vec![
        table("byte order mark", format!("\u{feff}{plain}")),
        table("UTF-16", utf16(&plain)),
        table("Latin-1", &b"a,y\n1,\xE9t\xE9\n2,\n3,v\n"[..]),
        table("CRLF", plain.replace('\n', "\r\n")),
        table("CR only", plain.replace('\n', "\r")),
        table("no final line end", plain.trim_end().to_owned() + "w"),
        table("line break in quotes", "t,a,y\n\"p\nq\",1,u\nr,2,\ns,8,v\n"),
        table("open quote", "a,y\n1,\"u\n2,\n8,v\n"),
        table("text after a quote", "a,y\n1,\"u\"x\n2,\n8,v\n"),
        table("short row", "a,b,y\n1,2,u\n3,4\n5,6,v\n"),
        table("long row", "a,b,y\n1,2,u\n3,4,v,9\n5,6,\n"),
        table("duplicate header", "a,a,y\n1,2,u\n3,4,v\n5,6,\n"),
        table("blank header", "a,,y\n1,2,u\n3,4,v\n5,6,\n"),
        table("NUL bytes", &b"a,y\n1,u\n\0\0,\n8,v\n"[..]),
        table("binary", (0..=255).cycle().take(4096).collect::<Vec<u8>>()),
        table("decimal commas", "a;b;y\n1,5;2;u\n2,5;3;v\n3,5;4;\n"),
        table("no header", "1,u\n2,\n8,v\n"),
        table("one word", "hello"),
        table("a thousand columns", {
            let names: Vec<String> = (0..1000).map(|j| format!("c{j}")).collect();
            let row = |v: &str, y: &str| format!("{}{y}\n", format!("{v},").repeat(1000));
            format!("{},y\n", names.join(",")) + &row("1", "u") + &row("2", "") + &row("8", "v")
        }),
    ]
}

fn graphs() -> Vec<Case> {
    let nodes = "node,y\na,red\nb,\nc,\nd,blue\n";
    vec![
        graph("a plain graph", nodes, "a,b\nb,c\nc,d\n"),
        graph("no edges", nodes, ""),
        graph(
            "disconnected",
            "node,y\na,red\nb,\nc,\nd,blue\n",
            "a,b\nc,d\n",
        ),
        graph(
            "part without a label",
            "node,y\na,red\nd,blue\ne,\nf,\n",
            "a,b\nb,d\ne,f\n",
        ),
        graph(
            "isolated node with a label",
            "node,y\na,red\nd,blue\nz,red\n",
            "a,b\nb,d\n",
        ),
        graph(
            "isolated node without one",
            "node,y\na,red\nd,blue\nz,\n",
            "a,b\nb,d\n",
        ),
        graph("self-loops", nodes, "a,a\na,b\nb,b\nb,c\nc,d\n"),
        graph("only self-loops", nodes, "a,a\nb,b\nc,c\nd,d\n"),
        graph("negative weight", nodes, "a,b,1\nb,c,-1\nc,d,1\n"),
        graph("NaN weight", nodes, "a,b,1\nb,c,NaN\nc,d,1\n"),
        graph("infinite weight", nodes, "a,b,1\nb,c,inf\nc,d,1\n"),
        graph("zero weight", nodes, "a,b,1\nb,c,0\nc,d,1\n"),
        graph("huge weight", nodes, "a,b,1\nb,c,1e300\nc,d,1\n"),
        graph(
            "both ways, different weights",
            nodes,
            "a,b,1\nb,a,2\nb,c,1\nc,d,1\n",
        ),
        graph("edges twice", nodes, "a,b\na,b\nb,c\nc,d\n"),
        graph("blank node in an edge", nodes, "a,b\nb,\nc,d\n"),
        graph("four cells in an edge", nodes, "a,b,1,2\nb,c,1,2\n"),
        graph("one cell in an edge", nodes, "a\nb\n"),
        graph(
            "node labelled twice",
            "node,y\na,red\na,blue\nb,\n",
            "a,b\n",
        ),
        graph("node without a name", "node,y\na,red\n,blue\nb,\n", "a,b\n"),
        graph("all nodes labelled", "node,y\na,red\nb,blue\n", "a,b\n"),
        graph("no node labelled", "node,y\na,\nb,\n", "a,b\n"),
    ]
}

/// Whether a run is a good end: done without a NaN, or refused with a code.
fn good(room: &Room, before: &[String], said: &Said) -> Result<(), &'static str> {
    if said.err.contains("panicked") || said.err.contains("ISO999") {
        return Err("a bug");
    }
    if said.err.chars().any(|c| c.is_control() && c != '\n') {
        return Err("control characters reach the terminal");
    }
    match said.code {
        0 => {
            let text = if room.names().contains(&"out.csv".to_owned()) {
                room.read("out.csv")
            } else {
                String::new()
            };
            let numbers = |t: &str| {
                t.lines().skip(1).any(|l| {
                    let cells = l.split(',').skip(2);
                    cells.into_iter().any(|c| c == "NaN" || c == "inf")
                })
            };
            if numbers(&text) {
                Err("a NaN was written")
            } else {
                Ok(())
            }
        }
        1 if !said.err.contains("error[ISO") => Err("refused without a code"),
        1 if !said.err.contains("  help: ") => Err("refused without a way out"),
        1 if room.names() != before => Err("something was left behind"),
        1 => Ok(()),
        _ => Err("an exit code that was not expected"),
    }
}

/// A label of 10 kB need not be committed.
fn short(text: &str) -> String {
    let lines = text.lines().map(|l| match l.chars().count() {
        n if n > 300 => format!(
            "{}… ({n} characters)\n",
            l.chars().take(300).collect::<String>()
        ),
        _ => format!("{l}\n"),
    });
    lines.collect()
}

#[track_caller]
fn check(group: &str, cases: Vec<Case>) {
    let mut wrong = Vec::new();
    let mut text = String::new();
    for case in cases {
        let room = Room::new();
        for (name, bytes) in &case.files {
            room.file(name, bytes);
        }
        let before = room.names();
        let said = room.run(case.line);
        if let Err(why) = good(&room, &before, &said) {
            wrong.push(format!("{}: {why}: {said:?}", case.name));
        }
        text.push_str(&format!("# {}\n", case.name));
        text.push_str(&short(&told(&format!("isotherm {}", case.line), &said)));
        if room.names().contains(&"out.csv".to_owned()) {
            let out = room.read("out.csv");
            let (rows, columns) = (
                out.lines().count() - 1,
                out.lines().next().unwrap_or_default(),
            );
            if columns.len() < 300 {
                text.push_str(&format!("--- out.csv, {rows} lines\n{columns}\n"));
            }
        }
        text.push('\n');
    }
    if let Err(differs) = compare(&format!("degenerate/{group}.txt"), &text) {
        wrong.push(differs);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn degenerate_tables_end_well() {
    check("tables", tables());
}

#[test]
fn degenerate_labels_end_well() {
    check("labels", labels());
}

#[test]
fn degenerate_texts_end_well() {
    check("texts", texts());
}

#[test]
fn degenerate_graphs_end_well() {
    check("graphs", graphs());
}

#[test]
fn degenerate_tables_end_well_under_every_method() {
    let mut wrong = Vec::new();
    for method in [
        "stkr",
        "laplacian",
        "kernel-ridge",
        "label-propagation",
        "harmonic",
    ] {
        for case in tables().into_iter().filter(|c| c.line == LABEL) {
            // A thousand classes are tried once, above.
            if case.files[0].1.len() > 5000 {
                continue;
            }
            let room = Room::new();
            room.file("data.csv", &case.files[0].1);
            let before = room.names();
            let said = room.run(&format!("{LABEL} --method {method}"));
            if let Err(why) = good(&room, &before, &said) {
                wrong.push(format!("{method}, {}: {why}: {said:?}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_refuses_a_directory_and_a_file_that_is_not_there() {
    let room = Room::with("data.csv", clusters());
    std::fs::create_dir(room.path("dir.csv")).unwrap();
    room.run("fit data.csv --label y --exclude name -o m.iso")
        .fine(&[]);
    for line in [
        "label @ --label y -o out.csv",
        "fit @ --label y -o out.iso",
        "evaluate @ --label y",
        "next @ --label y",
        "tune @ --label y",
        "embed @ -o out.csv",
        "predict m.iso @ -o out.csv",
        "predict @ data.csv -o out.csv",
        "inspect @",
        "label data.csv --label y --graph @ -o out.csv",
        "label data.csv --label y --recipe @ -o out.csv",
        "label data.csv --label y --losses @ -o out.csv",
    ] {
        let directory = room.run(&line.replace('@', "dir.csv"));
        assert_eq!(directory.code, 1, "{directory:?}");
        assert!(
            directory.err.contains("error[ISO012]: "),
            "{line}: {directory:?}"
        );
        let absent = room.run(&line.replace('@', "none.csv"));
        assert_eq!(absent.code, 1, "{absent:?}");
        assert!(absent.err.contains("error[ISO010]: "), "{line}: {absent:?}");
    }
    for line in [
        "label data.csv --label y -o @",
        "fit data.csv --label y -o @",
    ] {
        let said = room.run(&line.replace('@', "dir.csv"));
        assert!(said.err.contains("error[ISO012]: "), "{line}: {said:?}");
        let said = room.run(&line.replace('@', "none/out.csv"));
        assert!(said.err.contains("error[ISO010]: "), "{line}: {said:?}");
    }
}
