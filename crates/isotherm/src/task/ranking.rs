//! Rankings of K items by the Kendall embedding.
//!
//! φ(y)ᵢⱼ = sign(yⱼ − yᵢ)/√P over the P = K(K − 1)/2 pairs i < j, so that ‖φ‖ = 1 for
//! a ranking without ties; a tied pair is 0. Decoding is the linear ordering problem
//! ([`linear_order`]): `argmax_z ⟨φ(z), g⟩`.

use super::linear_order::{self, Ordered, Precedence, Wishes};
use super::{Checked, Codec, check_width};
use crate::error::Reason;
use crate::error::{Error, Result};

/// Rankings as positions: `label[j]` is the place of item j, 0 the first; items that
/// tie share a place. Only the order of the places counts. A decoded ranking has no
/// ties.
///
/// The loss is Kendall's distance as a share of all pairs: a pair in opposite orders
/// counts 1, a pair tied in one ranking only counts ½, so that against a ranking z
/// without ties it is `(1 − ⟨φ(y), φ(z)⟩)/2` whatever ties y has.
///
/// ```
/// use isotherm::task::{Codec, Ranking};
/// let codec = Ranking::new(3)?;
/// let mut row = [0.0; 3];
/// codec.encode(&vec![2, 0, 1], &mut row); // item 1 first, then 2, then 0
/// assert!(row[0] < 0.0 && row[1] < 0.0 && row[2] > 0.0);
/// assert_eq!(codec.decode(&row), [2, 0, 1]);
/// assert_eq!(codec.loss(&vec![0, 1, 2], &vec![2, 1, 0]), 1.0);
/// assert_eq!(codec.loss(&vec![0, 0, 0], &vec![2, 1, 0]), 0.5);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranking {
    items: usize,
}

impl Ranking {
    /// Of so many items.
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than two.
    pub fn new(items: usize) -> Result<Self> {
        if items < 2 {
            return Err(Error::parameter("items", "at least 2", items));
        }
        Ok(Self { items })
    }

    /// Items there are.
    pub fn items(&self) -> usize {
        self.items
    }

    /// K(K − 1)/2.
    fn pairs(&self) -> usize {
        self.items * (self.items - 1) / 2
    }

    /// The best order that keeps what has to be kept, with its worth and bound.
    pub(crate) fn order(&self, scores: &[f64], kept: &Precedence) -> Ordered {
        linear_order::order(&Wishes::from_pairs(self.items, scores), kept)
    }

    /// How good [`Codec::decode`] is for sure: ⟨φ(z), g⟩ over Σ|gᵢⱼ|/√P, which no
    /// ranking exceeds; 1 where all scores are 0.
    pub fn bound(&self, scores: &[f64]) -> f64 {
        self.order(scores, &Precedence::none(self.items)).bound
    }

    /// The place of each item in an order of the items.
    pub fn positions(order: &[usize]) -> Vec<u32> {
        let mut places = vec![0; order.len()];
        for (place, item) in order.iter().enumerate() {
            places[*item] = u32::try_from(place).unwrap_or(u32::MAX);
        }
        places
    }

    /// sign(yⱼ − yᵢ) for each pair i < j.
    fn signs<'l>(&self, label: &'l [u32]) -> impl Iterator<Item = f64> + 'l {
        let place = move |item: usize| label.get(item).copied().unwrap_or(0);
        let items = self.items;
        (0..items)
            .flat_map(move |i| (i + 1..items).map(move |j| (place(i), place(j))))
            .map(|(i, j)| match i.cmp(&j) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Greater => -1.0,
            })
    }
}

impl Codec for Ranking {
    type Label = Vec<u32>;

    fn width(&self) -> usize {
        self.pairs()
    }

    fn check(&self, label: &Vec<u32>) -> Checked {
        let hint = "give one for each, or give what is known as a partial order";
        check_width("positions", label.len(), self.items)
            .map_err(|reason| Reason::new(reason.what, hint))
    }

    fn encode(&self, label: &Vec<u32>, out: &mut [f64]) {
        let scale = 1.0 / (self.pairs() as f64).sqrt();
        for (slot, sign) in out.iter_mut().zip(self.signs(label)) {
            *slot = scale * sign;
        }
    }

    fn decode(&self, scores: &[f64]) -> Vec<u32> {
        Self::positions(&self.order(scores, &Precedence::none(self.items)).order)
    }

    fn loss(&self, truth: &Vec<u32>, guess: &Vec<u32>) -> f64 {
        let pairs = self.signs(truth).zip(self.signs(guess));
        pairs.map(|(y, z)| 0.5 * (y - z).abs()).sum::<f64>() / self.pairs() as f64
    }
}
