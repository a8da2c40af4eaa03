mod embedded;
mod hashing;
pub(crate) mod record;
