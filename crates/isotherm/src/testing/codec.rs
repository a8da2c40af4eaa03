//! What every codec has to do.

use crate::task::Codec;

/// Checks that every label survives being encoded and decoded, and fills its width.
///
/// # Errors
/// A sentence saying what does not hold.
pub fn check<C: Codec>(codec: &C, labels: &[C::Label]) -> Result<(), String>
where
    C::Label: PartialEq + std::fmt::Debug,
{
    for label in labels {
        let mut row = vec![f64::NAN; codec.width()];
        codec.encode(label, &mut row);
        if let Some(place) = row.iter().position(|v| !v.is_finite()) {
            return Err(format!("encoding {label:?} leaves place {place} unwritten"));
        }
        let back = codec.decode(&row);
        if back != *label {
            return Err(format!("{label:?} comes back as {back:?}"));
        }
    }
    Ok(())
}
