//! What every codec has to do.

use crate::task::Codec;

/// Checks that every label is accepted, fills its width, survives being encoded and
/// decoded, and that the loss is 0 between a label and itself and finite and at least
/// 0 between any two.
///
/// Give labels that can be decided for: no ties in a ranking, a decision that has a
/// label of its own and costs nothing at it.
///
/// # Errors
/// A sentence saying what does not hold.
pub fn check<C: Codec>(codec: &C, labels: &[C::Label]) -> Result<(), String>
where
    C::Label: PartialEq + std::fmt::Debug,
{
    for label in labels {
        codec
            .check(label)
            .map_err(|reason| format!("{label:?} is refused: {reason}"))?;
        let mut row = vec![f64::NAN; codec.width()];
        codec.encode(label, &mut row);
        if let Some(place) = row.iter().position(|v| !v.is_finite()) {
            return Err(format!("encoding {label:?} leaves place {place} unwritten"));
        }
        let back = codec.decode(&row);
        if back != *label {
            return Err(format!("{label:?} comes back as {back:?}"));
        }
        for other in labels {
            let loss = codec.loss(label, other);
            if !(loss.is_finite() && loss >= 0.0) {
                return Err(format!("{other:?} costs {loss} at {label:?}"));
            }
            if label == other && loss != 0.0 {
                return Err(format!("{label:?} costs {loss} at itself"));
            }
        }
    }
    Ok(())
}
