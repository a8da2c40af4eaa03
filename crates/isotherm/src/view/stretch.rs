//! Where a plane's coordinates go on a page.

use super::plane::Plane;

/// The part of the samples that a page is fitted to; the others stand at its edge.
const WITHIN: f64 = 0.995;

impl Plane {
    /// A place in the unit square for every sample shown, the second number upward.
    ///
    /// Along each axis a place is half the sample's value, between the ends that hold 99.5 % of
    /// the samples, and half its rank `(#{below} + #{below or equal}) / 2n`: smooth functions
    /// crowd most samples into a few places, and ranks alone would lose every gap. The order along
    /// an axis is kept. Samples aside stay within the square. Cost: O(n log n).
    pub fn stretched(&self) -> Vec<[f64; 2]> {
        let scales = [Scale::new(self, 0), Scale::new(self, 1)];
        let place = |p: &[f64; 2]| [scales[0].share(p[0]), scales[1].share(p[1])];
        self.positions.iter().map(place).collect()
    }
}

/// One coordinate.
struct Scale {
    range: (f64, f64),
    /// All its values, ascending.
    sorted: Vec<f64>,
}

impl Scale {
    fn new(plane: &Plane, axis: usize) -> Self {
        let mut sorted: Vec<f64> = plane.positions.iter().map(|p| p[axis]).collect();
        sorted.sort_by(f64::total_cmp);
        Self {
            range: range(plane, axis),
            sorted,
        }
    }

    /// From 0 to 1.
    fn share(&self, v: f64) -> f64 {
        let (low, high) = self.range;
        // Halves first: the span of two large numbers may be more than there is.
        let straight = ((v / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)).clamp(0.0, 1.0);
        let below = self.sorted.partition_point(|w| *w < v);
        let upto = self.sorted.partition_point(|w| *w <= v);
        let rank = (below + upto) as f64 / (2 * self.sorted.len()).max(1) as f64;
        0.5 * (straight + rank)
    }
}

/// From where to where a coordinate goes, but for a few samples far out.
fn range(plane: &Plane, axis: usize) -> (f64, f64) {
    let placed = || plane.positions.iter().map(|p| p[axis]).zip(&plane.aside);
    let mut values: Vec<f64> = (placed().filter(|(_, aside)| !**aside))
        .map(|(v, _)| v)
        .collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let last = values.len().saturating_sub(1);
        values.get((share * last as f64).round() as usize).copied()
    };
    let tail = (1.0 - WITHIN) / 2.0;
    let ends = (at(tail).unwrap_or(-1.0), at(1.0 - tail).unwrap_or(1.0));
    // Samples placed aside are always shown.
    let aside = placed().filter(|(_, aside)| **aside);
    let (low, high) = aside.fold(ends, |(l, h), (v, _)| (l.min(v), h.max(v)));
    if high > low {
        (low, high)
    } else {
        (low - 1.0, high + 1.0)
    }
}
