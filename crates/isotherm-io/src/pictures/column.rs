//! The pictures of a column.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{ImageOutputFormat, imageops};
use isotherm::monitor::Monitor;
use isotherm::picture::Picture;
use rayon::prelude::*;

use super::decode::{Refused, pixels};
use super::room::Room;
use crate::error::{Error, Result, clean};
use crate::features::Vectors;
use crate::progress::Progress;
use crate::table::{Column, Table, one_hot};

/// Pictures that each thread reads between two looks at the monitor.
const EACH: usize = 4;

/// Cells that are looked at to see whether their pictures are there.
const LOOKED_AT: usize = 100;

/// The file that a cell names.
fn file(table: &Table, row: usize, cell: &str) -> PathBuf {
    let folder = table.origin().file(row).parent();
    folder.unwrap_or(Path::new("")).join(cell)
}

/// Whether one of the first cells names a file that is there.
pub(crate) fn are_some_there(table: &Table, column: &Column) -> bool {
    let cells = (0..table.rows()).filter_map(|row| Some((row, one_hot::word(&column.cells, row)?)));
    (cells.take(LOOKED_AT)).any(|(row, cell)| file(table, row, &cell).is_file())
}

/// The vectors of the pictures of a column; a picture of several rows is read once.
///
/// # Errors
/// [`Error::Cell`] naming the first row whose picture cannot be read; [`Error::Cancelled`].
pub(crate) fn all_vectors(
    table: &Table,
    column: &Column,
    monitor: &mut dyn Monitor,
) -> Result<Vectors> {
    let mut vectors = Vectors {
        dim: Picture::FEATURES,
        of: Vec::with_capacity(table.rows()),
        values: Vec::new(),
    };
    let mut places: HashMap<PathBuf, u32> = HashMap::new();
    let mut files: Vec<(usize, PathBuf)> = Vec::new();
    for row in 0..table.rows() {
        let path = one_hot::word(&column.cells, row).map(|cell| file(table, row, &cell));
        vectors.of.push(path.map(|path| match places.entry(path) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let place = files.len() as u32;
                files.push((row, free.key().clone()));
                *free.insert(place)
            }
        }));
    }
    let steps = Some(files.len() as u64);
    let mut progress = Progress::begin(monitor, "reading the pictures", steps)?;
    let room = Room::new();
    let mut done = 0;
    for some in files.chunks(EACH * rayon::current_num_threads()) {
        let read = some.par_iter().map(|(row, path)| {
            let refuse = |(what, hint)| refused(table, column, *row, what, hint);
            let (rgb, _taken) = pixels(path, &room).map_err(refuse)?;
            let (width, height) = (rgb.width() as usize, rgb.height() as usize);
            Ok(Picture::new(width, height, &rgb)?.features())
        });
        // Waits for all of them, so that the error names the first bad row on any number of threads.
        for vector in read.collect::<Vec<Result<_>>>() {
            vectors.values.extend_from_slice(&vector?);
        }
        done += some.len() as u64;
        progress.step(done)?;
    }
    progress.end(done)?;
    Ok(vectors)
}

/// The picture of a row as a PNG file of at most `side` pixels each way; `None` where there is
/// none.
///
/// # Errors
/// [`Error::Column`] when there is no such column; [`Error::Cell`] when the picture cannot be read.
pub fn thumbnail(table: &Table, column: &str, row: usize, side: u32) -> Result<Option<Vec<u8>>> {
    let column = table.column(column)?;
    let Some(cell) = one_hot::word(&column.cells, row) else {
        return Ok(None);
    };
    let refuse = |(what, hint): Refused| refused(table, column, row, what, hint);
    let room = Room::new();
    let (rgb, _taken) = pixels(&file(table, row, &cell), &room).map_err(refuse)?;
    let largest = rgb.width().max(rgb.height());
    let small = if largest > side {
        let scaled = |of: u32| (u64::from(of) * u64::from(side) / u64::from(largest)).max(1) as u32;
        imageops::thumbnail(&rgb, scaled(rgb.width()), scaled(rgb.height()))
    } else {
        rgb
    };
    let mut bytes = Cursor::new(Vec::new());
    let written = small.write_to(&mut bytes, ImageOutputFormat::Png);
    written.map_err(|e| refuse((format!("cannot be made small: {e}"), "blank the cell")))?;
    Ok(Some(bytes.into_inner()))
}

fn refused(table: &Table, column: &Column, row: usize, what: String, hint: &str) -> Error {
    let cell = one_hot::word(&column.cells, row).unwrap_or_default();
    Error::Cell {
        path: table.origin().file(row).to_owned(),
        place: table.origin().place(row),
        column: clean(&column.name, 60),
        problem: format!("the picture \"{}\" {what}", clean(&cell, 200)).into(),
        value: clean(&cell, 1000),
        hint: hint.into(),
    }
}
