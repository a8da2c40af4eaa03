//! How to go about it; the same for every command.

use clap::{Args, ValueEnum};

/// How to go about it; the same for every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Manner")]
pub(crate) struct Common {
    /// One JSON object on standard output instead of sentences
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Say nothing but errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Finish, but exit with 3 if there was any warning
    #[arg(long, global = true)]
    pub(crate) strict: bool,
    /// Tell more, and the time of each phase; -vv: as each ends
    #[arg(short, long, global = true, action = clap::ArgAction::Count, conflicts_with = "quiet")]
    pub(crate) verbose: u8,
    /// No progress bar (there is none unless standard error is a terminal)
    #[arg(long, global = true)]
    pub(crate) no_progress: bool,
    /// When to colour
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
    /// Threads to use; the result does not depend on it
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Memory allowed, e.g. 8GB; default 75 % of what is free
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<u64>,
    /// Neither isotherm.toml nor ISOTHERM_* variables
    #[arg(long, global = true)]
    pub(crate) no_config: bool,
    /// Print every value and where it came from, and stop
    #[arg(long, global = true)]
    pub(crate) print_config: bool,
    /// Print the common flags
    #[arg(short, long, global = true, action = clap::ArgAction::HelpShort)]
    pub(crate) help: Option<bool>,
    /// Print every flag
    #[arg(long, global = true, action = clap::ArgAction::HelpLong)]
    pub(crate) help_all: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

/// `8GB`, `500MB`, `1000000`.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        other => return Err(format!("\"{other}\" is not a unit; use kB, MB, GB or TB")),
    };
    match digits.trim().parse::<f64>() {
        Ok(n) if n > 0.0 && n.is_finite() => Ok((n * unit) as u64),
        _ => Err("give a positive size such as 8GB".to_owned()),
    }
}
