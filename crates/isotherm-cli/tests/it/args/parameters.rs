//! The reference page of parameters is made from the schema.

use std::path::Path;

use isotherm::recipe::schema::{Parameter, Values, parameters};

use crate::snapshots::updating;

const START: &str = "<!-- parameters -->\n";
const END: &str = "<!-- end -->\n";

/// One row of the table.
fn row(parameter: &Parameter) -> String {
    let flag = format!("--{}", parameter.name.replace('_', "-"));
    let values = match parameter.values {
        Values::Name { names } => format!("`{}`", names.join("`, `")),
        other => other.told(),
    };
    let readers: Vec<String> = (parameter.read_by.iter())
        .map(|reader| match reader.under {
            Some(choice) => format!(
                "{} (`{}` {})",
                reader.method,
                choice.parameter,
                choice.values.join(", ")
            ),
            None => reader.method.to_owned(),
        })
        .collect();
    let readers = if readers.len() == 6 {
        "every method".to_owned()
    } else {
        readers.join(", ")
    };
    let tasks: Vec<&str> = parameter.tasks.iter().map(|t| t.name()).collect();
    let tasks = if tasks.len() == 7 {
        String::new()
    } else {
        format!("; task {}", tasks.join(", "))
    };
    format!(
        "| `{flag}` | {} | {values} | {} | {readers}{tasks} |\n",
        parameter.doc,
        parameter.default.unwrap_or("–"),
    )
}

#[test]
fn the_reference_page_lists_every_parameter_as_the_schema_has_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/parameters.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let before = text.split_once(START).expect(START).0;
    let mut table =
        String::from("| flag | what it is | values | default | read by |\n|---|---|---|---|---|\n");
    parameters().iter().for_each(|p| table.push_str(&row(p)));
    let now = format!("{before}{START}\n{table}\n{END}");
    if updating() {
        std::fs::write(&path, &now).unwrap();
    } else {
        assert!(now == text, "UPDATE_SNAPSHOTS=1 writes the table anew");
    }
}
