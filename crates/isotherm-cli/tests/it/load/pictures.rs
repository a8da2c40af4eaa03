//! Columns of paths to pictures, through the binary.

use crate::run::{Room, chance, column};

/// A folder of little pictures, upright bars and level ones at random places, and a table of
/// their paths beside a number that says nothing; labels in the first ten rows.
fn room() -> Room {
    let room = Room::new();
    std::fs::create_dir(room.path("img")).unwrap();
    let mut seed = 3;
    let mut text = String::from("path,x,y\n");
    for row in 0..60 {
        let upright = row % 2 == 0;
        let place = (12.0 * chance(&mut seed)) as usize;
        let mut pixels = vec![30_u8; 16 * 16];
        for (at, pixel) in pixels.iter_mut().enumerate() {
            let across = if upright { at % 16 } else { at / 16 };
            let bar = (place..place + 3).contains(&across);
            *pixel += if bar { 180 } else { 0 } + (20.0 * chance(&mut seed)) as u8;
        }
        let file = std::fs::File::create(room.path(&format!("img/{row}.png"))).unwrap();
        let mut encoder = png::Encoder::new(file, 16, 16);
        encoder.set_color(png::ColorType::Grayscale);
        encoder
            .write_header()
            .unwrap()
            .write_image_data(&pixels)
            .unwrap();
        let label = match (row < 10, upright) {
            (true, true) => "upright",
            (true, false) => "level",
            _ => "",
        };
        text += &format!("img/{row}.png,{:.3},{label}\n", chance(&mut seed));
    }
    room.file("data.csv", text);
    room
}

fn right(answers: &[String]) -> usize {
    let truth = |row: usize| {
        if row.is_multiple_of(2) {
            "upright"
        } else {
            "level"
        }
    };
    let right = answers
        .iter()
        .enumerate()
        .filter(|(row, answer)| *answer == truth(*row));
    right.count()
}

#[test]
fn pictures_go_through_every_command() {
    let room = room();
    let said = room.run("check data.csv --label y").fine(&[]);
    let line = said.out.lines().find(|line| line.contains("path")).unwrap();
    assert!(
        line.contains("picture") && line.contains("420 numbers a picture"),
        "{line}"
    );
    assert!(!said.out.contains("path picture"), "{}", said.out);
    room.run("label data.csv --label y -o out.csv")
        .fine(&["features: path (pictures, 420 numbers each), x"]);
    let answers = column(&room.read("out.csv"), "iso_label");
    assert!(right(&answers) >= 57, "{answers:?}");
    for command in [
        "evaluate data.csv --label y",
        "next data.csv --label y -n 3 -o next.csv",
        "report data.csv --label y -o report.html",
        "fit data.csv --label y --image path -o m.iso",
        "predict m.iso data.csv -o p.csv",
        "predict m.iso data.csv --stream -o s.csv",
    ] {
        room.run(command).fine(&[]);
    }
    let page = room.read("report.html");
    assert!(page.contains("<img alt=\"path of line ") && page.contains("data:image/png;base64,"));
    let predicted = column(&room.read("p.csv"), "iso_label");
    assert_eq!(predicted[10..], answers[10..]);
    assert_eq!(predicted, column(&room.read("s.csv"), "iso_label"));
}

#[test]
fn bad_and_blank_cells_of_pictures_are_told() {
    let room = room();
    let text = room.read("data.csv");
    room.file("gone.csv", text.replace("img/17.png", "img/none.png"));
    room.refuses(
        "label gone.csv --label y -o no.csv",
        1,
        &[
            "gone.csv line 19, column \"path\": the picture \"img/none.png\" is not there",
            "--exclude path",
        ],
    );
    room.file("blank.csv", text.replace("img/17.png", ""));
    room.run("label blank.csv --label y -o out.csv")
        .fine(&["missing pictures count as even grey ones: path (1 cell)"]);
    room.run("label gone.csv --label y --kind path=nothing -o out2.csv")
        .fine(&["features: x"]);
    room.refuses(
        "label data.csv --label y --image y -o no.csv",
        2,
        &["--image means nothing to \"y\", which --label names already"],
    );
}
