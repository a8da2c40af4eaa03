//! Several kernels at once, weighed by what the labels say of each.
//!
//! Each member is ridge regression with a kernel of its own and a constant that is not
//! penalised: kernels of differently scaled rows, and the kernel `(D − ηW)⁻¹` of rows joined
//! to their neighbours, which is where the unlabelled rows speak. The ridge of each member and
//! the weights of the members follow from closed-form leave-one-out predictions, so nothing is
//! chosen by the labels a member was fitted to.
//!
//! | file | holds |
//! |---|---|
//! | `params.rs` | the members, and what else can be said |
//! | `member.rs` | one member: a similarity or a sum of several |
//! | `term.rs` | one similarity on its rows: its kernel between labels, and its fit at all rows |
//! | `label_ridge.rs` | ridge regression with a free constant between labels; which ridge |
//! | `stack.rs` | the weights of the members |
//! | `tuned.rs` | every member's ridge and weight for one set of labels |
//! | `prepared.rs` | the members ready for any labels; a fit to some |
//! | `linear.rs` | leave-one-out, influences and fits to some of the labels |
//! | `spectral.rs` | the blend as a prior, for choosing rows |

mod label_ridge;
mod linear;
mod member;
mod params;
mod prepared;
mod spectral;
pub mod stack;
mod term;
mod tuned;

pub(crate) use params::Blend;
pub use params::{BlendParams, MemberSpec};
pub(crate) use prepared::{NEIGHBOURS, PreparedBlend};
