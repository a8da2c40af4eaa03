//! What stands for a network in a program that was built without the feature `embed`.

use super::settings::{Settings, unusable};
use crate::error::Result;

/// There is none.
#[derive(Debug)]
pub(super) enum Network {}

impl Network {
    pub(super) fn open(_: &[u8], _: &[u8], settings: &Settings) -> Result<Self> {
        Err(unusable(
            &settings.network,
            "this isotherm was built without sentence models",
            "build it with the cargo feature embed: cargo install --path crates/isotherm-cli \
             --features embed",
        ))
    }

    pub(super) fn dim(&self) -> usize {
        match *self {}
    }

    pub(super) fn embed(&self, _: &str) -> Result<Vec<f32>> {
        match *self {}
    }
}
