//! Where a result came from: enough to check it and to make it again.
//!
//! The same run gives the same provenance, so it gives the same bytes: there is
//! no time, no user and no machine in it. [`crate::embedded`] says where each
//! kind of file keeps it.

pub mod embedded;
pub mod hashing;
pub mod sidecar;

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use crate::error::{clean, steers};
use crate::provenance::hashing::FileHash;

/// The layout of [`Provenance`] that this build writes, and the newest it reads.
pub const SCHEMA: u32 = 1;

/// The key under which files that have keys keep a provenance.
pub const KEY: &str = "isotherm";

/// Longest provenance that is read, in bytes of JSON: 4 MiB, some 20,000 inputs.
pub const LONGEST: usize = 4 << 20;

/// Where a result came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The layout of this object.
    pub schema: u32,
    /// The version of isotherm that made the result.
    pub version: String,
    /// The words of the command line, without the program's name; paths as
    /// they were given.
    pub command: Vec<String>,
    /// Whether some word was not UTF-8, so that `command` only resembles it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inexact: bool,
    /// The seed of every random choice, where there is one.
    pub seed: Option<u64>,
    /// The recipe that was followed, every choice spelled out.
    pub recipe: Option<serde_json::Value>,
    /// Every file that was read, in the order of reading.
    pub inputs: Vec<FileHash>,
}

impl Provenance {
    /// The provenance of a command line that has read nothing yet, by this version.
    pub fn of(command: impl IntoIterator<Item = OsString>) -> Self {
        let mut inexact = false;
        let words = command.into_iter().map(|word| {
            word.into_string().unwrap_or_else(|word| {
                inexact = true;
                word.to_string_lossy().into_owned()
            })
        });
        Self {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: words.collect(),
            inexact,
            seed: None,
            recipe: None,
            inputs: Vec::new(),
        }
    }

    /// One line of JSON, of characters that XML and TOML comments can hold.
    pub fn to_json(&self) -> String {
        // Strings, numbers and values that were JSON before: this cannot fail.
        let json = serde_json::to_string(self).unwrap_or_default();
        json.replace('\u{7f}', "\\u007f")
            .replace('\u{fffe}', "\\ufffe")
            .replace('\u{ffff}', "\\uffff")
    }

    /// Reads what [`Self::to_json`] wrote.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the text.
    pub fn from_json(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!(
                "its provenance has {} bytes, the limit is {LONGEST}",
                text.len()
            ));
        }
        #[derive(Deserialize)]
        struct Schema {
            schema: u32,
        }
        let unread = |e: serde_json::Error| {
            format!(
                "its provenance cannot be read ({})",
                clean(&e.to_string(), 200)
            )
        };
        match serde_json::from_str::<Schema>(text) {
            Ok(Schema { schema }) if schema > SCHEMA => Err(format!(
                "its provenance has layout {schema}, this isotherm reads up to {SCHEMA}"
            )),
            _ => serde_json::from_str::<Self>(text).map_err(unread)?.sound(),
        }
    }

    /// Refuses hashes that are none, so that they can be shown and compared.
    fn sound(self) -> Result<Self, String> {
        let digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        let hash = |text: &String| text.len() == 64 && text.chars().all(digit);
        if (self.inputs.iter()).all(|input| input.sha256.as_ref().is_none_or(hash)) {
            Ok(self)
        } else {
            Err("its provenance has a hash that is no SHA-256".to_owned())
        }
    }

    /// Keys and values for formats that have such metadata (Parquet, Arrow).
    pub fn to_pairs(&self) -> [(String, String); 1] {
        [(KEY.to_owned(), self.to_json())]
    }

    /// The command as a shell takes it, the program's name first.
    pub fn shell_line(&self) -> String {
        let words = self.command.iter().map(|word| quoted(word));
        std::iter::once("isotherm".to_owned())
            .chain(words)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// A word as a shell reads it back, whatever it holds. Characters that would
/// steer a terminal are spelled out, which bash, zsh and ksh understand.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if !word.chars().any(steers) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut out = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            c if steers(c) => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}
