//! Arrays into cells.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    Decimal256Type, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayAccessor, ArrayRef, OffsetSizeTrait};
use arrow_buffer::i256;
use arrow_schema::{DataType, Field, TimeUnit};

use crate::columnar::reading::Reading;
use crate::error::{Error, Place, Result, clean, leave_out};
use crate::table::calendar;
use crate::table::cells::{Cells, Nullable, TextCells};
use crate::table::lists::ListCells;
use crate::table::numbers;

/// One column under construction.
pub(super) struct Building {
    pub(super) name: String,
    pub(super) cells: Cells,
}

/// Why an array does not become cells.
enum Refusal {
    /// The value of this row, and what it is.
    Value(usize, String),
    /// The array is not of the column's type.
    Type,
}

impl Building {
    /// A column of a type that is read.
    pub(super) fn new(field: &Field, reading: &Reading<'_>) -> Result<Self> {
        let name = field.name().clone();
        let cells = empty(field.data_type()).ok_or_else(|| {
            let shown = clean(&name, 60);
            Error::format_as(
                "column-type",
                reading.path,
                None,
                format!(
                    "column \"{shown}\" has the type {}, which is not read",
                    clean(&field.data_type().to_string(), 60)
                ),
                format!(
                    "write it as numbers, texts or lists of numbers; {}",
                    leave_out(&name)
                ),
            )
        })?;
        Ok(Self { name, cells })
    }

    /// Adds an array; `bytes` counts what texts and lists take.
    pub(super) fn add(
        &mut self,
        array: &dyn Array,
        before: u64,
        bytes: &mut u64,
        reading: &Reading<'_>,
    ) -> Result<()> {
        let limit = reading.options.limits.expanded(reading.length);
        let pushed = match &mut self.cells {
            Cells::Text(c) => texts(array, c, bytes, limit),
            Cells::Float(c) => floats(array, &mut |v| c.push(v)),
            Cells::Integer(c) => integers(array, c),
            Cells::Bool(c) => truths(array, c),
            Cells::List(c) => lists(array, c, bytes, limit),
        };
        match pushed {
            Ok(()) => reading.check_size("the size of the texts and lists in bytes", *bytes),
            Err(Refusal::Type) => Err(reading.damaged("a column changes its type")),
            Err(Refusal::Value(row, value)) => Err(Error::Cell {
                path: reading.path.to_owned(),
                place: Place::Row(before + row as u64 + 1),
                column: clean(&self.name, 60),
                problem: format!("{value} cannot be used").into(),
                value,
                hint: format!(
                    "integers must fit 63 bits, and 53 in a list; texts must be at most 4 GiB; {}",
                    leave_out(&self.name)
                )
                .into(),
            }),
        }
    }
}

/// Whether a type that is read can have a value that is not.
pub(super) fn is_doubtful(of: &DataType) -> bool {
    match of {
        DataType::UInt64 => true,
        DataType::Dictionary(_, values) => is_doubtful(values),
        DataType::List(entry) | DataType::LargeList(entry) | DataType::FixedSizeList(entry, _) => {
            matches!(entry.data_type(), DataType::Int64 | DataType::UInt64)
        }
        _ => false,
    }
}

/// The cells a type becomes; `None` for types that are not read.
fn empty(of: &DataType) -> Option<Cells> {
    use DataType as T;
    Some(match of {
        T::Boolean => Cells::Bool(Nullable::default()),
        t if t.is_integer() => Cells::Integer(Nullable::default()),
        T::Float16 | T::Float32 | T::Float64 => Cells::Float(Nullable::default()),
        T::Decimal32(..) | T::Decimal64(..) | T::Decimal128(..) | T::Decimal256(..) => {
            Cells::Float(Nullable::default())
        }
        T::Null | T::Utf8 | T::LargeUtf8 | T::Utf8View => Cells::Text(TextCells::default()),
        T::Date32 | T::Date64 | T::Time32(_) | T::Time64(_) | T::Timestamp(..) => {
            Cells::Text(TextCells::default())
        }
        T::Dictionary(_, values) => match values.as_ref() {
            T::Dictionary(..) | T::Null => return None,
            other => match empty(other)? {
                Cells::List(_) => return None,
                cells => cells,
            },
        },
        T::List(entry) | T::LargeList(entry) | T::FixedSizeList(entry, _) => {
            let of = entry.data_type();
            let numbers = of.is_integer() || of.is_floating() || *of == T::Boolean;
            numbers.then(|| Cells::List(ListCells::default()))?
        }
        _ => return None,
    })
}

type Pushed = std::result::Result<(), Refusal>;

/// Rows of a primitive array, missing ones as `None`.
fn rows<T: ArrowPrimitiveType>(
    array: &dyn Array,
) -> std::result::Result<impl Iterator<Item = Option<T::Native>>, Refusal> {
    let array = array.as_primitive_opt::<T>().ok_or(Refusal::Type)?;
    Ok(array.iter())
}

/// The rows of a dictionary's array, each by its key.
fn keys(array: &dyn Array) -> Option<(Vec<Option<usize>>, &dyn Array)> {
    let dictionary = array.as_any_dictionary_opt()?;
    if dictionary.values().is_empty() {
        // Then no key means anything.
        return Some((vec![None; array.len()], dictionary.values().as_ref()));
    }
    let keys = dictionary.normalized_keys();
    let missing = |(row, key)| (!dictionary.keys().is_null(row)).then_some(key);
    let keys = keys.into_iter().enumerate().map(missing).collect();
    Some((keys, dictionary.values().as_ref()))
}

fn integers(array: &dyn Array, into: &mut Nullable<i64>) -> Pushed {
    macro_rules! push {
        ($type:ty) => {
            for value in rows::<$type>(array)? {
                into.push(value.map(i64::from));
            }
        };
    }
    match array.data_type() {
        DataType::Int8 => push!(Int8Type),
        DataType::Int16 => push!(Int16Type),
        DataType::Int32 => push!(Int32Type),
        DataType::Int64 => push!(Int64Type),
        DataType::UInt8 => push!(UInt8Type),
        DataType::UInt16 => push!(UInt16Type),
        DataType::UInt32 => push!(UInt32Type),
        DataType::UInt64 => {
            for (row, value) in rows::<UInt64Type>(array)?.enumerate() {
                let fits = value.map(i64::try_from).transpose();
                let large = |_| Refusal::Value(row, format!("{}", value.unwrap_or_default()));
                into.push(fits.map_err(large)?);
            }
        }
        DataType::Dictionary(..) => {
            let (keys, values) = keys(array).ok_or(Refusal::Type)?;
            let mut all = Nullable::default();
            integers(values, &mut all)?;
            keys.into_iter()
                .for_each(|key| into.push(key.and_then(|k| all.get(k))));
        }
        _ => return Err(Refusal::Type),
    }
    Ok(())
}

fn truths(array: &dyn Array, into: &mut Nullable<bool>) -> Pushed {
    if let Some((keys, values)) = keys(array) {
        let values = values.as_boolean_opt().ok_or(Refusal::Type)?;
        let value = |k: usize| (!values.is_null(k)).then(|| values.value(k));
        keys.into_iter()
            .for_each(|key| into.push(key.and_then(value)));
        return Ok(());
    }
    let array = array.as_boolean_opt().ok_or(Refusal::Type)?;
    array.iter().for_each(|value| into.push(value));
    Ok(())
}

/// Any numbers as floats; an integer that is not exact as one is refused.
fn floats(array: &dyn Array, push: &mut dyn FnMut(Option<f64>)) -> Pushed {
    macro_rules! push {
        ($type:ty, $float:expr) => {
            for value in rows::<$type>(array)? {
                push(value.map($float));
            }
        };
    }
    match array.data_type() {
        DataType::Float16 => push!(Float16Type, f64::from),
        DataType::Float32 => push!(Float32Type, f64::from),
        DataType::Float64 => push!(Float64Type, |v| v),
        DataType::Decimal32(_, s) => push!(Decimal32Type, |v| decimal(i128::from(v), *s)),
        DataType::Decimal64(_, s) => push!(Decimal64Type, |v| decimal(i128::from(v), *s)),
        DataType::Decimal128(_, s) => push!(Decimal128Type, |v| decimal(v, *s)),
        DataType::Decimal256(_, s) => {
            push!(Decimal256Type, |v| numbers::decimal(v, i32::from(*s)))
        }
        DataType::Dictionary(..) => {
            let (keys, values) = keys(array).ok_or(Refusal::Type)?;
            let mut all = Nullable::default();
            floats(values, &mut |v| all.push(v))?;
            keys.into_iter()
                .for_each(|key| push(key.and_then(|k| all.get(k))));
        }
        DataType::Boolean => {
            let mut all = Nullable::default();
            truths(array, &mut all)?;
            (0..all.len()).for_each(|row| push(all.get(row).map(|v| f64::from(u8::from(v)))));
        }
        _ => {
            let mut all = Nullable::default();
            integers(array, &mut all)?;
            for row in 0..all.len() {
                let value = all.get(row);
                let inexact = value.filter(|v| !numbers::is_exact(i128::from(*v)));
                if let Some(v) = inexact {
                    return Err(Refusal::Value(row, v.to_string()));
                }
                push(value.map(|v| v as f64));
            }
        }
    }
    Ok(())
}

fn decimal(value: i128, scale: i8) -> f64 {
    numbers::decimal(i256::from_i128(value), i32::from(scale))
}

/// Adds texts until they are more than the limit, which the caller tells of.
struct Texts<'a> {
    into: &'a mut TextCells,
    bytes: &'a mut u64,
    limit: u64,
}

impl Texts<'_> {
    fn push(&mut self, row: usize, text: Option<&str>) -> Pushed {
        let Some(text) = text else {
            self.into.push_missing();
            return Ok(());
        };
        *self.bytes = self.bytes.saturating_add(text.len() as u64);
        if *self.bytes > self.limit {
            return Ok(());
        }
        if self.into.push(text) {
            Ok(())
        } else {
            Err(Refusal::Value(row, "a text".into()))
        }
    }

    fn all<'s>(&mut self, array: impl ArrayAccessor<Item = &'s str>) -> Pushed {
        for row in 0..array.len() {
            let text = (!array.is_null(row)).then(|| array.value(row));
            self.push(row, text)?;
        }
        Ok(())
    }

    fn made<T: ArrowPrimitiveType>(
        &mut self,
        array: &dyn Array,
        text: impl Fn(T::Native) -> String,
    ) -> Pushed {
        for (row, value) in rows::<T>(array)?.enumerate() {
            self.push(row, value.map(&text).as_deref())?;
        }
        Ok(())
    }
}

fn texts(array: &dyn Array, into: &mut TextCells, bytes: &mut u64, limit: u64) -> Pushed {
    let mut out = Texts { into, bytes, limit };
    let time = |unit: i64| move |v: i64| calendar::time_of_day(v, unit);
    let zone = match array.data_type() {
        DataType::Timestamp(_, Some(_)) => "Z",
        _ => "",
    };
    let instant = |unit: i64| move |v: i64| calendar::timestamp(v, unit, zone);
    match array.data_type() {
        DataType::Null => (0..array.len()).try_for_each(|row| out.push(row, None)),
        DataType::Utf8 => out.all(array.as_string_opt::<i32>().ok_or(Refusal::Type)?),
        DataType::LargeUtf8 => out.all(array.as_string_opt::<i64>().ok_or(Refusal::Type)?),
        DataType::Utf8View => out.all(array.as_string_view_opt().ok_or(Refusal::Type)?),
        DataType::Date32 => out.made::<Date32Type>(array, |v| calendar::date(i64::from(v))),
        DataType::Date64 => {
            out.made::<Date64Type>(array, |v| calendar::date(v.div_euclid(86_400_000)))
        }
        DataType::Time32(TimeUnit::Second) => {
            out.made::<Time32SecondType>(array, |v| time(1)(i64::from(v)))
        }
        DataType::Time32(_) => {
            out.made::<Time32MillisecondType>(array, |v| time(1_000)(i64::from(v)))
        }
        DataType::Time64(TimeUnit::Microsecond) => {
            out.made::<Time64MicrosecondType>(array, time(1_000_000))
        }
        DataType::Time64(_) => out.made::<Time64NanosecondType>(array, time(1_000_000_000)),
        DataType::Timestamp(TimeUnit::Second, _) => {
            out.made::<TimestampSecondType>(array, instant(1))
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            out.made::<TimestampMillisecondType>(array, instant(1_000))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            out.made::<TimestampMicrosecondType>(array, instant(1_000_000))
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            out.made::<TimestampNanosecondType>(array, instant(1_000_000_000))
        }
        DataType::Dictionary(..) => {
            let (keys, values) = keys(array).ok_or(Refusal::Type)?;
            let (mut all, mut own) = (TextCells::default(), 0);
            texts(values, &mut all, &mut own, limit)?;
            if own > limit {
                *out.bytes = own;
                return Ok(());
            }
            for (row, key) in keys.into_iter().enumerate() {
                out.push(row, key.and_then(|k| all.get(k)))?;
            }
            Ok(())
        }
        _ => Err(Refusal::Type),
    }
}

fn lists(array: &dyn Array, into: &mut ListCells, bytes: &mut u64, limit: u64) -> Pushed {
    match array.data_type() {
        DataType::List(_) => ranges(
            array,
            offsets(array.as_list_opt::<i32>().ok_or(Refusal::Type)?),
            into,
            (bytes, limit),
        ),
        DataType::LargeList(_) => ranges(
            array,
            offsets(array.as_list_opt::<i64>().ok_or(Refusal::Type)?),
            into,
            (bytes, limit),
        ),
        DataType::FixedSizeList(..) => {
            let list = array.as_fixed_size_list_opt().ok_or(Refusal::Type)?;
            let width = usize::try_from(list.value_length()).map_err(|_| Refusal::Type)?;
            // The entries of such an array are cut with its rows.
            let bounds = (0..=list.len()).map(|row| row * width).collect();
            ranges(array, (list.values().clone(), bounds), into, (bytes, limit))
        }
        _ => Err(Refusal::Type),
    }
}

/// The entries of the lists, and where among them each list begins and the last ends. Some
/// rows of an array share the entries of all, so they are cut here.
fn offsets<O: OffsetSizeTrait>(list: &arrow_array::GenericListArray<O>) -> (ArrayRef, Vec<usize>) {
    let offsets = list.value_offsets();
    let at = |offset: Option<&O>| offset.map_or(0, |o| o.as_usize());
    let (first, end) = (at(offsets.first()), at(offsets.last()));
    let entries = list.values().slice(first, end - first);
    let bounds = offsets.iter().map(|offset| offset.as_usize() - first);
    (entries, bounds.collect())
}

fn ranges(
    array: &dyn Array,
    (entries, bounds): (ArrayRef, Vec<usize>),
    into: &mut ListCells,
    (bytes, limit): (&mut u64, u64),
) -> Pushed {
    let mut values = Vec::with_capacity(entries.len());
    let pushed = floats(entries.as_ref(), &mut |v| {
        values.push(v.unwrap_or(f64::NAN));
    });
    pushed.map_err(|refusal| match refusal {
        // The entry's row is that of the list it is in.
        Refusal::Value(at, value) => Refusal::Value(
            bounds.partition_point(|b| *b <= at).saturating_sub(1),
            value,
        ),
        other => other,
    })?;
    for (row, bound) in bounds.windows(2).enumerate() {
        if array.is_null(row) {
            into.push_missing();
            continue;
        }
        let items = values.get(bound[0]..bound[1]).ok_or(Refusal::Type)?;
        *bytes = bytes.saturating_add(8 * items.len() as u64);
        if *bytes > limit {
            return Ok(());
        }
        into.push(items);
    }
    Ok(())
}
