//! Sheets of workbooks, from files that are put together here.

use std::io::Write;

use isotherm::monitor::Quiet;
use isotherm_io::{Cells, Limits, Place, ReadOptions, Result, Source, Table, read_table};
use zip::write::SimpleFileOptions;

use crate::support::{Room, cells, hint, message, read, refusal};

fn archive(entries: &[(&str, String)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A workbook whose sheets hold these rows of cells, as XML.
fn xlsx(sheets: &[(&str, String)]) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const LINKS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let (mut list, mut links) = (String::new(), String::new());
    let mut entries = vec![(
        "xl/styles.xml".to_owned(),
        // Style 1 is a date, style 2 a date with a time.
        format!(
            "<styleSheet xmlns=\"{MAIN}\"><cellXfs count=\"3\"><xf numFmtId=\"0\"/>\
             <xf numFmtId=\"14\"/><xf numFmtId=\"22\"/></cellXfs></styleSheet>"
        ),
    )];
    for (at, (name, rows)) in sheets.iter().enumerate() {
        let n = at + 1;
        list += &format!("<sheet name=\"{name}\" sheetId=\"{n}\" r:id=\"rId{n}\"/>");
        links += &format!(
            "<Relationship Id=\"rId{n}\" Type=\"{LINKS}/worksheet\" Target=\"worksheets/sheet{n}.xml\"/>"
        );
        entries.push((
            format!("xl/worksheets/sheet{n}.xml"),
            format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>"),
        ));
    }
    links += &format!("<Relationship Id=\"rId99\" Type=\"{LINKS}/styles\" Target=\"styles.xml\"/>");
    entries.push((
        "xl/workbook.xml".to_owned(),
        format!(
            "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{LINKS}\"><sheets>{list}</sheets></workbook>"
        ),
    ));
    entries.push((
        "xl/_rels/workbook.xml.rels".to_owned(),
        format!("<Relationships xmlns=\"{PACKAGE}\">{links}</Relationships>"),
    ));
    entries.push((
        "_rels/.rels".to_owned(),
        format!(
            "<Relationships xmlns=\"{PACKAGE}\"><Relationship Id=\"rId1\" \
             Type=\"{LINKS}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
        ),
    ));
    let named: Vec<(&str, String)> = entries
        .iter()
        .map(|(n, t)| (n.as_str(), t.clone()))
        .collect();
    archive(&named)
}

fn word(at: &str, text: &str) -> String {
    format!("<c r=\"{at}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>")
}

fn number(at: &str, text: &str) -> String {
    format!("<c r=\"{at}\"><v>{text}</v></c>")
}

fn styled(at: &str, style: u8, text: &str) -> String {
    format!("<c r=\"{at}\" s=\"{style}\"><v>{text}</v></c>")
}

fn row(n: u32, cells: &[String]) -> String {
    format!("<row r=\"{n}\">{}</row>", cells.concat())
}

/// Texts that mean something in a CSV file, dates, a formula, truth values, blanks, an error.
fn visits() -> String {
    [
        row(
            2,
            &[
                word("B2", "name"),
                word("C2", "day"),
                word("D2", "at"),
                word("E2", "n"),
                word("F2", "old"),
                word("G2", "twice"),
            ],
        ),
        row(
            3,
            &[
                word("B3", "a, \"b\"\nc"),
                styled("C3", 1, "45443"),
                styled("D3", 2, "45443.5"),
                number("E3", "0.1"),
                "<c r=\"F3\" t=\"b\"><v>1</v></c>".to_owned(),
                "<c r=\"G3\"><f>E3*2</f><v>0.2</v></c>".to_owned(),
            ],
        ),
        row(4, &[word("B4", " ")]),
        row(
            6,
            &[
                word("B6", "#x"),
                styled("C6", 1, "1"),
                number("E6", "1E-3"),
                "<c r=\"F6\" t=\"b\"><v>0</v></c>".to_owned(),
                "<c r=\"G6\" t=\"e\"><v>#DIV/0!</v></c>".to_owned(),
            ],
        ),
    ]
    .concat()
}

fn some(texts: &[&str]) -> Vec<Option<String>> {
    texts.iter().map(|t| Some((*t).to_owned())).collect()
}

#[test]
fn values_dates_and_formulas_come_as_texts() {
    let room = Room::new();
    let path = room.file("visits.xlsx", xlsx(&[("Visits", visits())]));
    let table = read(&path).unwrap();
    assert_eq!(table.names(), ["name", "day", "at", "n", "old", "twice"]);
    assert!(
        table
            .columns()
            .iter()
            .all(|c| matches!(c.cells, Cells::Text(_)))
    );
    let last = table.rows() - 1;
    let ends = |name: &str| {
        let all = cells(&table, name);
        [all[0].clone(), all[last].clone()]
    };
    assert_eq!(ends("name").to_vec(), some(&["a, \"b\"\nc", "#x"]));
    assert_eq!(ends("day").to_vec(), some(&["2024-05-31", "1900-01-01"]));
    assert_eq!(ends("at").to_vec(), some(&["2024-05-31T12:00:00", ""]));
    assert_eq!(ends("n").to_vec(), some(&["0.1", "0.001"]));
    assert_eq!(ends("old").to_vec(), some(&["true", "false"]));
    assert_eq!(ends("twice").to_vec(), some(&["0.2", ""]));
    // Places are rows of the sheet, whatever is blank or broken into lines before.
    assert_eq!(table.origin().place(0), Place::Line(3));
    assert_eq!(table.origin().place(last), Place::Line(6));
}

fn sheet(path: &std::path::Path, name: &str) -> Result<Table> {
    let options = ReadOptions {
        sheet: Some(name.to_owned()),
        ..ReadOptions::default()
    };
    read_table(&Source::from(path), &options, &mut Quiet)
}

#[test]
fn a_sheet_is_chosen_by_its_name() {
    let room = Room::new();
    let rows = |value: &str| row(1, &[word("A1", "a")]) + &row(2, &[number("A2", value)]);
    let book = xlsx(&[("First", rows("1")), ("Second", rows("2"))]);
    let path = room.file("book.xlsx", book);
    assert_eq!(cells(&read(&path).unwrap(), "a"), some(&["1"]));
    assert_eq!(cells(&sheet(&path, "Second").unwrap(), "a"), some(&["2"]));
    let refused = sheet(&path, "Secnd");
    assert_eq!(
        message(refused),
        "book.xlsx: there is no sheet \"Secnd\"; there are \"First\", \"Second\""
    );
    assert_eq!(hint(sheet(&path, "Secnd")), "did you mean \"Second\"?");
}

#[test]
fn an_open_document_sheet_is_the_same_table() {
    const OFFICE: &str = "urn:oasis:names:tc:opendocument:xmlns";
    let cell = |kind: &str, value: &str, text: &str| {
        format!(
            "<table:table-cell office:value-type=\"{kind}\"{value}><text:p>{text}</text:p></table:table-cell>"
        )
    };
    let word = |text: &str| cell("string", "", text);
    let rows = [
        [word("name"), word("day"), word("n")].concat(),
        [
            word("u"),
            cell("date", " office:date-value=\"2024-05-31\"", "31/05/24"),
            cell("float", " office:value=\"0.1\"", "0,1"),
        ]
        .concat(),
    ];
    let rows: String = rows
        .iter()
        .map(|r| format!("<table:table-row>{r}</table:table-row>"))
        .collect();
    let content = format!(
        "<?xml version=\"1.0\"?><office:document-content xmlns:office=\"{OFFICE}:office:1.0\" \
         xmlns:table=\"{OFFICE}:table:1.0\" xmlns:text=\"{OFFICE}:text:1.0\"><office:body>\
         <office:spreadsheet><table:table table:name=\"One\">{rows}</table:table>\
         </office:spreadsheet></office:body></office:document-content>"
    );
    let mimetype = "application/vnd.oasis.opendocument.spreadsheet".to_owned();
    let manifest = format!(
        "<manifest:manifest xmlns:manifest=\"{OFFICE}:manifest:1.0\"><manifest:file-entry \
         manifest:full-path=\"/\" manifest:media-type=\"{mimetype}\"/></manifest:manifest>"
    );
    let room = Room::new();
    let path = room.file(
        "book.ods",
        archive(&[
            ("mimetype", mimetype),
            ("META-INF/manifest.xml", manifest),
            ("content.xml", content),
        ]),
    );
    let table = read(&path).unwrap();
    assert_eq!(table.names(), ["name", "day", "n"]);
    assert_eq!(cells(&table, "day"), some(&["2024-05-31"]));
    assert_eq!(cells(&table, "n"), some(&["0.1"]));
    assert!(message(sheet(&path, "Two")).contains("there are \"One\""));
}

#[test]
fn damaged_and_empty_workbooks_are_refused() {
    let room = Room::new();
    let whole = xlsx(&[("Visits", visits())]);
    for cut in [1, 10, whole.len() / 2, whole.len() - 5] {
        let path = room.file("cut.xlsx", &whole[..cut]);
        assert_eq!(refusal(read(&path)).code(), "workbook", "{cut}");
    }
    let path = room.file("text.xlsx", "a,b\n1,2\n");
    assert!(message(read(&path)).contains("the workbook cannot be read"));
    let path = room.file("nothing.xlsx", xlsx(&[("Blank", String::new())]));
    assert_eq!(refusal(read(&path)).code(), "empty");
    let path = room.file("empty.xlsx", "");
    assert_eq!(refusal(read(&path)).code(), "empty");
}

fn limited(path: &std::path::Path, limits: Limits) -> Result<Table> {
    let options = ReadOptions {
        limits,
        ..ReadOptions::default()
    };
    read_table(&Source::from(path), &options, &mut Quiet)
}

#[test]
fn a_workbook_that_unpacks_to_more_than_is_allowed_is_refused() {
    let room = Room::new();
    let long = row(1, &[word("A1", &"x".repeat(5_000_000))]);
    let path = room.file("bomb.xlsx", xlsx(&[("Bomb", long)]));
    assert!(std::fs::metadata(&path).unwrap().len() < 50_000);
    let memory = Limits {
        memory: 1_000_000,
        ..Limits::default()
    };
    let refused = limited(&path, memory);
    assert_eq!(refusal(refused).code(), "memory");
    let told = refusal(limited(&path, memory));
    assert!(told.to_string().contains("bomb.xlsx"), "{told}");
    let isotherm_io::Error::Core(told) = told else {
        panic!("{told:?}");
    };
    assert!(told.hint().unwrap().contains("--memory"), "{told:?}");
    let ratio = Limits {
        floor: 1_000,
        ratio: 10,
        ..Limits::default()
    };
    assert_eq!(refusal(limited(&path, ratio)).code(), "limit");
}

/// Two cells that lie far apart span more cells than any machine holds.
#[test]
fn two_cells_far_apart_do_not_fill_the_memory() {
    let room = Room::new();
    let rows =
        row(1, &[word("A1", "a"), word("XFD1", "b")]) + &row(1_048_576, &[number("A1048576", "1")]);
    let path = room.file("wide.xlsx", xlsx(&[("Wide", rows)]));
    let memory = Limits {
        memory: 20_000,
        ..Limits::default()
    };
    assert_eq!(refusal(limited(&path, memory)).code(), "memory");
    // Of the blank columns between them none has a name.
    assert_eq!(refusal(read(&path)).code(), "column-unnamed");
}
