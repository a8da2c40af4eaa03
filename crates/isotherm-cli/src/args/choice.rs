//! Values that are names: parsers made from the library's own names.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use isotherm::recipe::schema;
use serde::de::value::Error;
use serde::de::{DeserializeOwned, IntoDeserializer as _};

/// The names that a parameter of the schema takes.
pub(crate) fn names(parameter: &str) -> PossibleValuesParser {
    let known = schema::find(parameter).map_or(&[][..], |p| p.values.names());
    PossibleValuesParser::new(known.iter().copied())
}

/// A value of the library, by the name that the schema and recipe files give it.
pub(crate) fn named<T>(parameter: &str) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    names(parameter).try_map(read::<T>)
}

/// The same, or `auto`.
pub(crate) fn named_or_auto<T>(parameter: &str) -> impl TypedValueParser<Value = Auto<T>>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    names(parameter).try_map(|name| match name.as_str() {
        "auto" => Ok(Auto(None)),
        _ => read(name).map(|value| Auto(Some(value))),
    })
}

/// One of these names, for what it stands for.
pub(crate) fn one_of<T>(
    choices: impl IntoIterator<Item = (&'static str, T)>,
) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let choices: Vec<(&str, T)> = choices.into_iter().collect();
    let known = PossibleValuesParser::new(choices.iter().map(|(name, _)| *name));
    known.try_map(move |name| {
        let found = choices.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone()).ok_or("no such name")
    })
}

/// `yes` or `no`.
pub(crate) fn yes_or_no() -> impl TypedValueParser<Value = bool> {
    one_of([("yes", true), ("no", false)])
}

fn read<T: DeserializeOwned>(name: String) -> Result<T, Error> {
    T::deserialize(name.into_deserializer())
}

/// A value, or nothing where it is to be found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Auto<T>(pub(crate) Option<T>);
