//! A file of PNG or JPEG → pixels of red, green and blue.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use image::codecs::jpeg::JpegDecoder;
use image::codecs::png::PngDecoder;
use image::io::Limits;
use image::{DynamicImage, ImageDecoder, ImageFormat, RgbImage, guess_format};

use super::room::{MOST, Room, Taken};
use crate::error::clean;

/// Bytes that decoding one picture may take beside its pixels.
const ALLOCATED: u64 = 512 << 20;

/// Whether a text ends as the name of a picture does.
pub(crate) fn is_name(text: &str) -> bool {
    let end = text.trim().rsplit_once('.').map(|(_, end)| end);
    let known = |end: &str| {
        ["png", "jpg", "jpeg"]
            .iter()
            .any(|k| end.eq_ignore_ascii_case(k))
    };
    end.is_some_and(known)
}

/// What is wrong with a file, and what would help.
pub(super) type Refused = (String, &'static str);

const MEND: &str = "write the picture again as PNG or JPEG, or blank the cell";

/// The pixels of a picture, what is transparent over white, and the room that they take.
pub(super) fn pixels<'r>(path: &Path, room: &'r Room) -> Result<(RgbImage, Taken<'r>), Refused> {
    let unread = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::NotFound => (
            "is not there".to_owned(),
            "correct the path, which is relative to the folder of the table, or blank the cell",
        ),
        _ => (
            format!("cannot be read: {e}"),
            "make it readable, or blank the cell",
        ),
    };
    // Nothing waits for a pipe, and a device has no end.
    if !path.metadata().map_err(unread)?.is_file() {
        let hint = "name a file of PNG or JPEG, or blank the cell";
        return Err(("is no file".to_owned(), hint));
    }
    let mut file = BufReader::new(File::open(path).map_err(unread)?);
    let start = file.fill_buf().map_err(unread)?;
    let format = guess_format(start).ok();
    file.seek(SeekFrom::Start(0)).map_err(unread)?;
    // The decoders are not ours: a panic in one is a picture that cannot be read.
    let decode = AssertUnwindSafe(|| match format {
        Some(ImageFormat::Png) => decoded(PngDecoder::with_limits(file, limits()), room),
        Some(ImageFormat::Jpeg) => decoded(JpegDecoder::new(file), room),
        _ => Err(("is neither PNG nor JPEG".to_owned(), MEND)),
    });
    catch_unwind(decode).unwrap_or_else(|_| Err(("cannot be decoded".to_owned(), MEND)))
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(ALLOCATED);
    limits
}

fn decoded<'a, 'r>(
    decoder: image::ImageResult<impl ImageDecoder<'a>>,
    room: &'r Room,
) -> Result<(RgbImage, Taken<'r>), Refused> {
    let damaged = |e: image::ImageError| {
        let why = clean(&e.to_string(), 200);
        (format!("cannot be decoded: {why}"), MEND)
    };
    let decoder = decoder.map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let count = u64::from(width) * u64::from(height);
    if count > MOST {
        return Err((
            format!("has {width} × {height} pixels, more than {MOST}"),
            "make the picture smaller, or blank the cell",
        ));
    }
    let taken = room.take(count);
    let picture = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    let rgb = if picture.color().has_alpha() {
        over_white(&picture)
    } else {
        picture.into_rgb8()
    };
    Ok((rgb, taken))
}

fn over_white(picture: &DynamicImage) -> RgbImage {
    let mut out = RgbImage::new(picture.width(), picture.height());
    for (to, from) in out.pixels_mut().zip(picture.to_rgba8().pixels()) {
        let [colours @ .., alpha] = from.0;
        let mix =
            |c: u8| (u16::from(c) * u16::from(alpha) + 255 * (255 - u16::from(alpha)) + 127) / 255;
        to.0 = colours.map(|c| mix(c) as u8);
    }
    out
}
