//! Each kind of file keeps its provenance.

use isotherm::model::parts::Parts;
use isotherm::monitor::Quiet;
use isotherm_io::embedded::{self, ResultKind, find, html_block, into_png, into_svg, into_toml};
use isotherm_io::{
    Destination, Overwrite, Provenance, WriteOptions, write_model, write_model_of, write_table_with,
};

use crate::provenance::record::of;
use crate::support::{Room, message, refusal, table, texts};

/// Words that would end the place they are kept in, if they were not spelled out.
fn hostile() -> Provenance {
    of(&[
        "label",
        "</script><script>alert(1)</script>",
        "</metadata>&lt;&amp;]]>",
        "a\nb\u{0}\u{7f}\u{ffff}\r",
        "# provenance {}",
        "\"'\\",
    ])
}

/// A picture of one pixel, as any encoder writes it.
fn png() -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |name: &[u8], data: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(name);
        crc.update(data);
        out.extend((data.len() as u32).to_be_bytes());
        out.extend([name, data].concat());
        out.extend(crc.sum().to_be_bytes());
    };
    chunk(b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
    chunk(b"IDAT", b"\x78\x9c\x63\x60\x00\x00\x00\x02\x00\x01");
    chunk(b"IEND", b"");
    out
}

fn some_table() -> isotherm_io::Table {
    table(vec![texts("a", &[Some("x"), Some("=y")])])
}

fn options(provenance: &Provenance) -> WriteOptions {
    WriteOptions {
        provenance: Some(provenance.clone()),
        sidecar: true,
        ..WriteOptions::default()
    }
}

#[test]
fn every_kind_of_file_gives_back_its_provenance() {
    let room = Room::new();
    for provenance in [of(&["label", "data.csv"]), hostile()] {
        let put = |name: &str, bytes: &[u8]| room.file(name, bytes);
        let svg = "<?xml version=\"1.0\"?>\n<svg width=\"1\">\n<rect/>\n</svg>\n";
        let page = format!(
            "<!doctype html>\n<p>{}</p>\n<svg></svg>",
            html_block(&provenance)
        );
        let answer = serde_json::json!({ "schema": 1, "provenance": provenance }).to_string();
        let model = room.path("m.iso");
        let parts = Parts::default();
        write_model_of(&model, &parts, Some(&provenance), Overwrite::Replace).unwrap();
        let parquet = room.path("t.parquet");
        let replace = WriteOptions {
            overwrite: Overwrite::Replace,
            ..options(&provenance)
        };
        let arrow = room.path("t.arrow");
        for path in [&parquet, &arrow] {
            let to = Destination::from(path);
            write_table_with(&some_table(), &to, &replace, &mut Quiet).unwrap();
        }
        for (path, picture) in [
            (put("x.svg", into_svg(svg, &provenance).as_bytes()), true),
            (put("x.png", &into_png(png(), &provenance)), true),
            (put("x.html", page.as_bytes()), false),
            (
                put("x.toml", into_toml("a = 1\n", &provenance).as_bytes()),
                false,
            ),
            (model, false),
            (parquet, false),
            (arrow, false),
        ] {
            let found = find(&path).unwrap();
            assert_eq!(found.provenance, provenance, "{path:?}");
            assert_eq!(found.kind == ResultKind::Picture, picture, "{path:?}");
        }
        let found = find(&put("x.json", answer.as_bytes())).unwrap();
        assert_eq!(found.provenance, provenance);
        assert!(matches!(found.kind, ResultKind::Answer(_)));
    }
    // These have a place of their own, so nothing stands beside them.
    assert!(!room.names().iter().any(|name| name.ends_with(".run.json")));
}

#[test]
fn nothing_in_a_provenance_ends_the_place_it_is_kept_in() {
    let provenance = hostile();
    let block = html_block(&provenance);
    assert_eq!(block.matches("</script").count(), 1);
    assert_eq!(block.matches('<').count(), 2);
    let svg = into_svg("<svg>\n</svg>", &provenance);
    assert_eq!(svg.matches('<').count(), 4);
    assert!(!svg.contains(|c: char| c.is_control() && c != '\n' || c == '\u{ffff}'));
    let text = into_toml("[a]\nb = 1\n", &provenance);
    assert!(text.ends_with("\n\n[a]\nb = 1\n"));
    let comments = text.lines().filter(|line| line.starts_with('#')).count();
    assert_eq!(comments, 2);
}

#[test]
fn a_picture_stays_a_picture() {
    let marked = into_png(png(), &of(&["tune"]));
    // Every chunk has the length and the checksum it says, and IEND is the last.
    let mut at = 8;
    let mut names = Vec::new();
    while at < marked.len() {
        let size = u32::from_be_bytes(marked[at..at + 4].try_into().unwrap()) as usize;
        let mut crc = flate2::Crc::new();
        crc.update(&marked[at + 4..at + 8 + size]);
        let told = &marked[at + 8 + size..at + 12 + size];
        assert_eq!(told, crc.sum().to_be_bytes());
        names.push(String::from_utf8(marked[at + 4..at + 8].to_vec()).unwrap());
        at += 12 + size;
    }
    assert_eq!(names, ["IHDR", "IDAT", "iTXt", "IEND"]);
    let svg = into_svg("<svg a=\"b\">\n<rect/></svg>", &of(&["tune"]));
    assert!(
        svg.starts_with("<svg a=\"b\">\n<metadata id=\"isotherm\">{"),
        "{svg}"
    );
    assert!(svg.ends_with("}</metadata>\n<rect/></svg>"), "{svg}");
}

#[test]
fn a_sidecar_tells_of_its_table_even_when_that_has_gone() {
    let room = Room::new();
    let provenance = of(&["label", "data.csv"]);
    for name in ["a.csv", "a.tsv.zst", "a.jsonl.gz"] {
        let path = room.path(name);
        let to = Destination::from(&path);
        write_table_with(&some_table(), &to, &options(&provenance), &mut Quiet).unwrap();
        let aside = room.path(&format!("{name}.run.json"));
        let expected = isotherm_io::FileHash {
            path: name.to_owned(),
            ..isotherm_io::FileHash::of(&path).unwrap()
        };
        for gone in [false, true] {
            if gone {
                std::fs::remove_file(&path).unwrap();
            }
            for asked in [&path, &aside] {
                let found = embedded::find(asked).unwrap();
                assert_eq!(found.provenance, provenance);
                let kind = ResultKind::Beside {
                    table: path.clone(),
                    output: expected.clone(),
                };
                assert_eq!(found.kind, kind, "{asked:?}");
            }
        }
    }
}

#[test]
fn a_sidecar_is_kept_unless_told_otherwise_like_its_table() {
    let room = Room::new();
    room.file("a.csv.run.json", "precious");
    let to = Destination::from(room.path("a.csv"));
    let mut options = options(&of(&["label"]));
    let refused = options.check(&to);
    assert_eq!(message(refused), "a.csv.run.json already exists");
    options.overwrite = Overwrite::Replace;
    write_table_with(&some_table(), &to, &options, &mut Quiet).unwrap();
    assert!(find(&room.path("a.csv")).is_ok());
    options.sidecar = false;
    let other = Destination::from(room.path("b.csv"));
    write_table_with(&some_table(), &other, &options, &mut Quiet).unwrap();
    assert_eq!(room.names(), ["a.csv", "a.csv.run.json", "b.csv"]);
}

#[test]
fn files_that_tell_nothing_are_refused_by_name() {
    let room = Room::new();
    let plain = room.path("plain.iso");
    write_model(&plain, &Parts::default(), Overwrite::Refuse).unwrap();
    for (name, bytes) in [
        ("a.csv", b"a,b\n1,2\n".to_vec()),
        ("a.jsonl", b"{\"a\":1}\n{\"a\":2}\n".to_vec()),
        ("a.json", b"{\"a\":1}".to_vec()),
        ("a.svg", b"<svg></svg>".to_vec()),
        ("a.html", b"<html></html>".to_vec()),
        ("a.toml", b"# a comment\na = 1\n# provenance {}\n".to_vec()),
        ("a.png", png()),
        ("cut.png", b"\x89PNG\r\n\x1a\n\0\0\0\x09iTXtisoth".to_vec()),
        ("empty", Vec::new()),
        ("odd", b"\xFF\xFE\x00".to_vec()),
    ] {
        let refused = message(find(&room.file(name, bytes)));
        assert_eq!(
            refused,
            format!("{name}: it does not tell which run made it")
        );
    }
    assert_eq!(refusal(find(&plain)).code(), "provenance");
    assert_eq!(refusal(find(&room.path("none"))).code(), "not-found");
    assert_eq!(refusal(find(&room.path("."))).code(), "directory");
}

#[test]
fn a_damaged_provenance_is_an_error_and_never_a_panic() {
    let room = Room::new();
    let provenance = hostile();
    let to = Destination::from(room.path("t.csv"));
    write_table_with(&some_table(), &to, &options(&provenance), &mut Quiet).unwrap();
    let parquet = Destination::from(room.path("t.parquet"));
    write_table_with(&some_table(), &parquet, &options(&provenance), &mut Quiet).unwrap();
    let model = room.path("m.iso");
    write_model_of(
        &model,
        &Parts::default(),
        Some(&provenance),
        Overwrite::Refuse,
    )
    .unwrap();
    let seeds = [
        into_svg("<svg></svg>", &provenance).into_bytes(),
        into_png(png(), &provenance),
        html_block(&provenance).into_bytes(),
        into_toml("a = 1", &provenance).into_bytes(),
        std::fs::read(room.path("t.csv.run.json")).unwrap(),
        std::fs::read(room.path("t.parquet")).unwrap(),
        std::fs::read(model).unwrap(),
    ];
    let mut state = 1_u64;
    let mut draw = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % n
    };
    for (at, seed) in seeds.iter().enumerate() {
        let name = if at == 4 { "x.csv.run.json" } else { "x" };
        let mut refused = 0;
        for _ in 0..200 {
            let mut bytes = seed.clone();
            for _ in 0..1 + draw(4) {
                let place = draw(bytes.len());
                bytes[place] = draw(256) as u8;
            }
            bytes.truncate(1 + draw(2 * bytes.len()));
            refused += usize::from(find(&room.file(name, &bytes)).is_err());
        }
        assert!(refused > 50, "seed {at}: {refused} of 200");
    }
}
