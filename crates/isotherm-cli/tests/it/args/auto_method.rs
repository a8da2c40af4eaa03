//! `--method auto`: what is chosen is said once, repeated for machines, and reproducible.

use crate::run::{Room, clusters};

#[test]
fn the_choice_is_one_line_and_in_json_and_a_comment_of_the_recipe() {
    let room = Room::with("data.csv", clusters());
    let said = room.run("label data.csv --label y -v -o out.csv").fine(&[]);
    let lines: Vec<&str> = said
        .err
        .lines()
        .filter(|l| l.starts_with("auto: "))
        .collect();
    let [line] = lines.as_slice() else {
        panic!("{said:?}");
    };
    assert!(
        line.starts_with(
            "auto: blend on 6 kernels and 2 graphs of neighbours (40 rows × 2; about "
        ),
        "{line}"
    );
    let reason = line.strip_prefix("auto: ").unwrap();
    let json = room
        .run("label data.csv --label y -f -o out.csv --json")
        .fine(&[])
        .json();
    // Memory in use differs from run to run, the estimate does not.
    assert_eq!(json["auto"], reason);
    for command in ["label", "fit", "evaluate", "next"] {
        let said = room
            .run(&format!("{command} data.csv --label y --print-recipe"))
            .fine(&[]);
        assert!(
            said.out.starts_with(&format!("# auto: {reason}\n")),
            "{command}: {}",
            said.out
        );
        room.file("recipe.toml", &said.out);
        let output = match command {
            "label" | "fit" => format!("-f -o out.{command}.iso.csv"),
            _ => String::new(),
        };
        let again = room.run(&format!(
            "{command} data.csv --label y --recipe recipe.toml {output} -v"
        ));
        assert_eq!(again.code, 0, "{command}: {again:?}");
        assert!(!again.err.contains("auto: "), "{command}: {again:?}");
    }
    let said = room.run("tune data.csv --label y --print-recipe").fine(&[]);
    room.file("recipe.toml", &said.out);
    room.run("tune data.csv --label y --recipe recipe.toml")
        .fine(&["best: "]);
    // A method that was named is not chosen.
    let said = room
        .run("label data.csv --label y --method stkr -v -f -o out.csv")
        .fine(&[]);
    assert!(!said.err.contains("auto: "), "{said:?}");
}

#[test]
fn numbers_graphs_flags_and_streams_are_told_as_they_are() {
    let room = Room::with("data.csv", clusters());
    let line = |words: &str| {
        let said = room.run(&format!("{words} -v")).fine(&[]);
        let found = said.err.lines().find_map(|l| l.strip_prefix("auto: "));
        found.expect(&said.err).to_owned()
    };
    assert!(
        line("label data.csv --label y --neighbours 3 -f -o o.csv")
            .starts_with("blend on 6 kernels and 2 graphs of neighbours (40 rows × 2; about ")
    );
    // Flags of one graph keep one graph.
    assert!(
        line("label data.csv --label y --eta 0.9 -f -o o.csv")
            .starts_with("stkr on a graph of 10 neighbours (40 rows × 2; about ")
    );
    assert!(
        line("label data.csv --label y --degree 2 --neighbours 3 -f -o o.csv")
            .starts_with("stkr on a graph of 3 neighbours (40 rows × 2; about ")
    );
    assert!(
        line("label data.csv --label y --kernel gaussian -f -o o.csv")
            .starts_with("stkr on a kernel between all rows")
    );
    room.file("numbers.csv", "a,y\n1,1.5\n2,2.5\n3,\n4,\n");
    assert!(
        line("label numbers.csv --label y -f -o o.csv")
            .starts_with("blend on 6 kernels and 2 graphs of neighbours (4 rows × 1; about ")
    );
    room.file("nodes.csv", "node,y\na,u\nb,v\nc,\n");
    room.file("edges.csv", "a,c\nb,c\nc,a\n");
    assert_eq!(
        line("label nodes.csv --label y --graph edges.csv -f -o o.csv"),
        "blend on the given graph"
    );
    room.file("measured.csv", "node,y\na,1.5\nb,2.5\nc,\n");
    assert_eq!(
        line("label measured.csv --label y --graph edges.csv -f -o o.csv"),
        "blend on the given graph"
    );
    room.run("label data.csv --label y --exclude name -f -o table.parquet")
        .fine(&[]);
    let told = line("fit table.parquet --label y --features a,b --stream -f -o m.iso");
    assert!(told.starts_with("laplacian on "), "{told}");
    assert!(
        told.contains("because a stream cannot be joined to its nearest rows"),
        "{told}"
    );
}

#[test]
fn verbose_tells_the_time_of_each_phase() {
    let room = Room::with("data.csv", clusters());
    let said = room.run("label data.csv --label y -v -o out.csv").fine(&[
        " s in all",
        " s reading the table",
        " s writing the table",
    ]);
    let phases = |text: &str| text.lines().filter(|l| l.contains(" s ")).count();
    let more = room
        .run("label data.csv --label y -vv -f -o out.csv")
        .fine(&[" s in all"]);
    assert!(phases(&more.err) > phases(&said.err), "{more:?}");
    let said = room.run("label data.csv --label y -v -q -f -o out.csv");
    assert_eq!(said.code, 2, "{said:?}");
}
