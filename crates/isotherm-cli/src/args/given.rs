//! Which parameters of the schema were given, by a flag or a setting.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use isotherm::recipe::schema::{self, Parameter};

/// The parameters that were given, in the schema's order. It has to be the first field of
/// what it is flattened into: the other fields take their values out of the matches.
#[derive(Debug, Clone, Default)]
pub(crate) struct GivenFlags(Vec<&'static Parameter>);

impl GivenFlags {
    /// Each of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static Parameter> {
        self.0.iter().copied()
    }

    /// Whether the parameter of this name was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.iter().any(|p| p.name == name)
    }
}

impl FromArgMatches for GivenFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |p: &&Parameter| {
            matches!(matches.try_contains_id(p.name), Ok(true))
                && matches.value_source(p.name) == Some(ValueSource::CommandLine)
        };
        Ok(Self(schema::parameters().iter().filter(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for GivenFlags {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// The flag of a parameter.
pub(crate) fn flag(parameter: &Parameter) -> String {
    format!("--{}", parameter.name.replace('_', "-"))
}
