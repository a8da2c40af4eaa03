//! Columns of paths to pictures.

use image::{DynamicImage, ImageBuffer, Luma, RgbImage, Rgba};
use isotherm::picture::Picture;
use isotherm_io::{ColumnUse, Error, FeatureKind, Features, Table, thumbnail};
use std::path::Path;

use crate::support::{Room, hint, message, read, refusal};

/// A picture of one colour, written as what its name says.
fn put(room: &Room, name: &str, (width, height): (u32, u32), colour: [u8; 3]) {
    let picture = RgbImage::from_pixel(width, height, image::Rgb(colour));
    picture.save(room.path(name)).unwrap();
}

/// A table in the room with these lines, and its features.
fn points(room: &Room, lines: &[&str]) -> isotherm_io::Result<(Vec<String>, Vec<Vec<f64>>)> {
    let table = table(room, lines);
    let choice = Features::automatic().read_as("p", FeatureKind::Picture);
    let plan = choice.plan(&table)?;
    let (points, _) = plan.points(&table)?;
    assert_eq!(plan.blocks()[0].len(), Picture::FEATURES);
    let rows = (0..points.len()).map(|i| points.row(i).to_vec()).collect();
    Ok((plan.names().to_vec(), rows))
}

fn table(room: &Room, lines: &[&str]) -> Table {
    read(&room.file("data.csv", lines.join("\n") + "\n")).unwrap()
}

/// The last number of a picture: blue minus brightness, from a colour's corner.
fn blue(row: &[f64]) -> f64 {
    row[Picture::FEATURES - 1]
}

#[test]
fn paths_of_pictures_are_found_beside_other_columns() {
    let room = Room::new();
    put(&room, "a.png", (20, 30), [250, 10, 10]);
    put(&room, "b.JPG", (9, 9), [10, 10, 250]);
    let lines = ["p,x", "a.png,1", "b.JPG,2", ",3", "a.png,4"];
    let found = table(&room, &lines);
    let plan = Features::automatic().plan(&found).unwrap();
    let used = plan.uses().next().unwrap();
    let expected = ColumnUse {
        column: "p",
        kind: FeatureKind::Picture,
        features: Picture::FEATURES + 1,
        embedded: false,
    };
    assert_eq!(used, expected);
    let (names, rows) = points(&room, &lines).unwrap();
    assert_eq!(names[0], "p picture 1");
    assert_eq!(names[Picture::FEATURES..], ["x", "p is missing"]);
    assert_eq!(plan.filled(), [("p".to_owned(), 1)]);
    assert_eq!(rows[0][..Picture::FEATURES], rows[3][..Picture::FEATURES]);
    assert!(blue(&rows[0]) < -0.2 && blue(&rows[1]) > 0.8, "{rows:?}");
    assert!(rows[2][..Picture::FEATURES].iter().all(|v| *v == 0.0));
    let missing: Vec<f64> = rows.iter().map(|row| row[Picture::FEATURES + 1]).collect();
    assert_eq!(missing, [0.0, 0.0, 1.0, 0.0]);
    // A model reads new rows by the names of its features and what it keeps beside them.
    let kept = Features::of_model(plan.names().to_vec()).encoded_by(&plan.encoding());
    let new = table(&room, &["x,p", "7,b.JPG", "8,"]);
    let again = kept.plan(&new).unwrap();
    assert_eq!(again.filled_in(&new).unwrap(), [("p".to_owned(), 1)]);
    let (read, _) = again.points(&new).unwrap();
    assert_eq!(
        read.row(0)[..Picture::FEATURES],
        rows[1][..Picture::FEATURES]
    );
    let mut other = plan.encoding();
    other.pictures.insert("p".to_owned(), Picture::VERSION + 1);
    let newer = Features::of_model(plan.names().to_vec()).encoded_by(&other);
    assert!(message(newer.plan(&new)).contains("other numbers"));
}

#[test]
fn names_of_files_that_are_not_there_are_no_pictures_unless_it_is_said() {
    let room = Room::new();
    let names: Vec<String> = (0..30).map(|k| format!("img/{k}.png,{}", k % 4)).collect();
    let lines: Vec<&str> = ["p,x"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    let plan = Features::automatic().plan(&table(&room, &lines)).unwrap();
    assert_eq!(plan.names(), ["x"]);
    let refused = refusal(points(&room, &lines));
    assert_eq!(refused.code(), "cell");
    assert!(
        refused
            .to_string()
            .contains("line 2, column \"p\": the picture \"img/0.png\" is not there"),
        "{refused}"
    );
    assert!(
        refused
            .hint()
            .unwrap()
            .contains("relative to the folder of the table")
    );
    assert!(message(points(&room, &["p,x", ",1", ",2"])).contains("all blank"));
}

#[test]
fn every_sort_of_png_and_jpeg_is_the_same_colour() {
    let room = Room::new();
    put(&room, "plain.png", (16, 12), [255, 0, 0]);
    let half = |v: u16| ImageBuffer::from_pixel(16, 12, image::Rgb([65535, v, v]));
    DynamicImage::ImageRgb16(half(0))
        .save(room.path("deep.png"))
        .unwrap();
    // Half of black over white is grey; what cannot be seen has no colour.
    let clear = |alpha| ImageBuffer::from_pixel(8, 8, Rgba([0_u8, 0, 0, alpha]));
    DynamicImage::ImageRgba8(clear(128))
        .save(room.path("clear.png"))
        .unwrap();
    DynamicImage::ImageRgba8(clear(0))
        .save(room.path("none.png"))
        .unwrap();
    DynamicImage::ImageLuma8(ImageBuffer::from_pixel(1, 1, Luma([255])))
        .save(room.path("one.png"))
        .unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pictures");
    for file in ["cmyk_red.jpg", "red.jpg"] {
        std::fs::copy(fixtures.join(file), room.path(file)).unwrap();
    }
    let lines = [
        "p",
        "plain.png",
        "deep.png",
        "red.jpg",
        "cmyk_red.jpg",
        "clear.png",
        "none.png",
        "one.png",
    ];
    let (_, rows) = points(&room, &lines).unwrap();
    for row in &rows[1..4] {
        for (a, b) in row.iter().zip(&rows[0]) {
            // JPEG and inks lose a few of 255 steps.
            assert!((a - b).abs() < 0.02, "{a}, expected {b}");
        }
    }
    assert_eq!(rows[5], rows[6], "nothing over white is white");
    assert!(
        rows[4].iter().all(|v| v.abs() < 0.002),
        "half of white is grey"
    );
}

/// The header of a PNG file and nothing else.
fn header(side: u32) -> Vec<u8> {
    let mut chunk = b"IHDR".to_vec();
    chunk.extend(side.to_be_bytes().into_iter().chain(side.to_be_bytes()));
    chunk.extend([8, 2, 0, 0, 0]);
    let mut sum = flate2::Crc::new();
    sum.update(&chunk);
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    bytes.extend(chunk.into_iter().chain(sum.sum().to_be_bytes()));
    bytes.extend(b"\0\0\0\x01IDAT\x78");
    bytes
}

#[test]
fn what_is_no_picture_is_refused_with_its_row_and_a_way_out() {
    let room = Room::new();
    put(&room, "good.png", (8, 8), [1, 2, 3]);
    put(&room, "good.jpg", (64, 64), [1, 2, 3]);
    room.file("huge.png", header(20_000));
    room.file("text.png", "not a picture");
    room.file("empty.png", "");
    std::fs::create_dir(room.path("folder.png")).unwrap();
    for name in ["good.png", "good.jpg"] {
        let bytes = std::fs::read(room.path(name)).unwrap();
        room.file(&name.replace("good", "cut"), &bytes[..bytes.len() * 2 / 3]);
    }
    let cases = [
        (
            "huge.png",
            "has 20000 × 20000 pixels, more than 50000000",
            "smaller",
        ),
        ("text.png", "is neither PNG nor JPEG", "blank the cell"),
        ("empty.png", "is neither PNG nor JPEG", "blank the cell"),
        ("folder.png", "is no file", "blank the cell"),
        ("cut.png", "cannot be decoded", "write the picture again"),
        ("cut.jpg", "cannot be decoded", "write the picture again"),
        ("gone.png", "is not there", "correct the path"),
    ];
    for (name, what, way_out) in cases {
        let lines = ["p", "good.png", "", name, "later.png"];
        let refused = message(points(&room, &lines));
        let start = format!("line 4, column \"p\": the picture \"{name}\" {what}");
        assert!(refused.contains(&start), "{refused}");
        assert!(hint(points(&room, &lines)).contains(way_out));
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("good.png", room.path("link.png")).unwrap();
        let (_, rows) = points(&room, &["p", "good.png", "link.png"]).unwrap();
        assert_eq!(rows[0], rows[1]);
        std::os::unix::fs::symlink("round.png", room.path("round.png")).unwrap();
        assert!(message(points(&room, &["p", "round.png"])).contains("cannot be read"));
    }
}

#[test]
fn numbers_do_not_depend_on_threads_and_reading_can_be_stopped() {
    let room = Room::new();
    let mut lines = vec!["p".to_owned()];
    for k in 0..40_u8 {
        put(
            &room,
            &format!("{k}.png"),
            (1 + u32::from(k), 17),
            [k, 3 * k, 255 - k],
        );
        lines.push(format!("{k}.png"));
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let by = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| points(&room, &lines).unwrap())
    };
    assert_eq!(by(1), by(3));
    let table = table(&room, &lines);
    let plan = Features::automatic().plan(&table).unwrap();
    let mut stop = |_: isotherm::monitor::Event| std::ops::ControlFlow::Break(());
    let stopped = refusal(plan.points_watched(&table, &mut stop));
    assert!(matches!(stopped, Error::Cancelled { .. }), "{stopped}");
}

#[test]
fn thumbnails_are_small_and_keep_their_shape() {
    let room = Room::new();
    put(&room, "wide.png", (300, 100), [9, 9, 9]);
    put(&room, "thin.png", (1, 5000), [9, 9, 9]);
    put(&room, "small.png", (5, 4), [9, 9, 9]);
    let table = table(
        &room,
        &["p,x", "wide.png,1", "thin.png,2", "small.png,3", ",4"],
    );
    let size = |row| {
        let png = thumbnail(&table, "p", row, 64).unwrap()?;
        let picture = image::load_from_memory(&png).unwrap();
        Some((picture.width(), picture.height()))
    };
    let sizes = [Some((64, 21)), Some((1, 64)), Some((5, 4)), None];
    assert_eq!([0, 1, 2, 3].map(size), sizes);
}
