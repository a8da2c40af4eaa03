//! The interval of the mean of numbers that have a bound, such as shares of wrong tags.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::interval::{Interval, check_level};
use crate::error::{Error, Refusal, Result};

/// Orders that a game is played in; its capital is their mean.
const ORDERS: usize = 12;

/// The share of the capital that a bet may lose.
const CAUTION: f64 = 0.9;

/// The interval of the mean of numbers between 0 and `bound`, for any number of them and
/// also where they are all equal, which a bootstrap cannot do: eight losses of zero do not
/// say that the mean is zero.
///
/// Whoever bets fairly that the mean is not m multiplies their capital by
/// `1 + λᵢ(xᵢ − m)` at number i, λᵢ chosen from the numbers before it; were m the mean, it
/// would reach 1/α with probability α at most. The interval is all m at which neither the
/// bet on more nor the bet on less reaches 2/(1 − level). Bets are as large as the variance
/// so far calls for, so numbers that differ little have a short interval. Capitals are
/// averaged over a dozen drawn orders, which keeps the promise (it is one of their means)
/// and makes the order of the numbers matter little. `spread` stretches it about the mean, 1 for the mean of all numbers there
/// could be. O(n) for each of some hundred m.
///
/// [Waudby-Smith and Ramdas 2024, *Estimating means of bounded random variables by
/// betting*]
///
/// # Errors
/// As [`check_level`]; [`Error::Refused`] without numbers; [`Error::Parameter`] when one lies
/// outside.
pub(crate) fn of_bounded_mean(
    values: &[f64],
    bound: f64,
    level: f64,
    spread: f64,
    seed: u64,
) -> Result<Interval> {
    check_level(level)?;
    if values.is_empty() {
        return Err(Error::refused(
            Refusal::TooFewLabels,
            "no row can be judged",
            "label more rows",
        ));
    }
    // Rounding may carry a loss past its bound.
    let slack = 1e-9 * bound.abs();
    if let Some(out) = (values.iter()).find(|v| !(**v >= -slack && **v <= bound + slack)) {
        return Err(Error::parameter(
            "values",
            format!("between 0 and {bound}"),
            out,
        ));
    }
    if bound <= 0.0 {
        return Ok(Interval {
            low: 0.0,
            high: 0.0,
            level,
        });
    }
    let mut games: Vec<Game> = Vec::with_capacity(ORDERS);
    let mut order: Vec<f64> = (values.iter())
        .map(|v| (v / bound).clamp(0.0, 1.0))
        .collect();
    let mean = order.iter().sum::<f64>() / order.len() as f64;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let tail = (1.0 - level) / 2.0;
    for _ in 0..ORDERS {
        for i in 0..order.len() {
            order.swap(i, random.random_range(i..values.len()));
        }
        games.push(Game::new(&order, tail));
    }
    // Bets on more win the less the larger m, bets on less the more: bisection.
    let lost = |won: &dyn Fn(&Game) -> f64| {
        let sum: f64 = games.iter().map(won).sum();
        sum / (ORDERS as f64) < 1.0 / tail
    };
    let (mut low, mut in_low) = (0.0, mean);
    let (mut in_high, mut high) = (mean, 1.0);
    for _ in 0..50 {
        let m = 0.5 * (low + in_low);
        if lost(&|g| g.on_more(m)) {
            in_low = m;
        } else {
            low = m;
        }
        let m = 0.5 * (in_high + high);
        if lost(&|g| g.on_less(m)) {
            in_high = m;
        } else {
            high = m;
        }
    }
    let stretch = |end: f64| bound * (mean + spread * (end - mean)).clamp(0.0, 1.0);
    Ok(Interval {
        low: stretch(low),
        high: stretch(high),
        level,
    })
}

/// Numbers in an order, and how much is bet on each.
struct Game(Vec<(f64, f64)>);

impl Game {
    /// λᵢ = √(2 ln(1/α) / nσ²ᵢ₋₁), σ² the variance so far, begun with that of a coin.
    fn new(order: &[f64], tail: f64) -> Self {
        let n = order.len() as f64;
        let (mut sum, mut square) = (0.5, 0.25);
        let bets = (1_u32..).zip(order).map(|(i, &x)| {
            let seen = f64::from(i);
            let bet = (2.0 * (1.0 / tail).ln() * seen / (n * square)).sqrt();
            sum += x;
            square += (x - sum / (seen + 1.0)).powi(2);
            (x, bet)
        });
        Self(bets.collect())
    }

    /// What a bet that the mean is above m comes to.
    fn on_more(&self, m: f64) -> f64 {
        let one = |&(x, bet): &(f64, f64)| 1.0 + bet.min(CAUTION / m) * (x - m);
        self.0.iter().map(one).product()
    }

    /// What a bet that it is below comes to.
    fn on_less(&self, m: f64) -> f64 {
        let one = |&(x, bet): &(f64, f64)| 1.0 + bet.min(CAUTION / (1.0 - m)) * (m - x);
        self.0.iter().map(one).product()
    }
}
