//! A picture of any size as a small square.

/// Which of `from` pixels make each of `to`, the first of them and their shares: a triangle
/// as wide as the larger of the two pixels, so that shrinking averages and growing interpolates.
fn shares(from: usize, to: usize) -> Vec<(usize, Vec<f64>)> {
    let ratio = from as f64 / to as f64;
    let reach = ratio.max(1.0);
    let one = |i: usize| {
        let centre = (i as f64 + 0.5) * ratio;
        let first = (centre - reach - 0.5).floor().max(0.0) as usize;
        let last = ((centre + reach - 0.5).ceil() as usize).min(from - 1);
        let share = |j: usize| (1.0 - (j as f64 + 0.5 - centre).abs() / reach).max(0.0);
        let mut weights: Vec<f64> = (first..=last).map(share).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|w| *w /= sum);
        (first, weights)
    };
    (0..to).map(one).collect()
}

/// The picture stretched to `side × side` pixels of three numbers from 0 to 1, row by row.
///
/// Cost: one pass over the pixels; two rows of the result are under way at a time.
pub(crate) fn squared(rgb: &[u8], (width, height): (usize, usize), side: usize) -> Vec<[f64; 3]> {
    let (across, down) = (shares(width, side), shares(height, side));
    let mut out = vec![[0.0; 3]; side * side];
    let mut line = vec![[0.0; 3]; side];
    for (y, row) in rgb.chunks_exact(3 * width).enumerate() {
        for (sum, (first, weights)) in line.iter_mut().zip(&across) {
            *sum = [0.0; 3];
            let pixels = row[3 * first..].chunks_exact(3);
            for (pixel, weight) in pixels.zip(weights) {
                for (s, p) in sum.iter_mut().zip(pixel) {
                    *s += weight * f64::from(*p);
                }
            }
        }
        for (to, (first, weights)) in out.chunks_exact_mut(side).zip(&down) {
            let Some(weight) = y.checked_sub(*first).and_then(|at| weights.get(at)) else {
                continue;
            };
            for (t, s) in to.iter_mut().flatten().zip(line.iter().flatten()) {
                *t += weight * s / 255.0;
            }
        }
    }
    out
}
