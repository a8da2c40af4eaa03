//! What a column's values mean, and cells made of them.

use arrow_buffer::i256;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::ColumnDescriptor;

use crate::table::calendar::{date, time_of_day, timestamp};
use crate::table::cells::Cells;
use crate::table::numbers;

/// What a column's physical values mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Form {
    Bool,
    Signed,
    Unsigned,
    Float,
    /// Floats of 16 bits.
    Half,
    /// Integers, or bytes that are one, divided by ten to this power.
    Decimal(i32),
    Text,
    /// Bytes that nothing is said of; texts as far as they are UTF-8.
    Bytes,
    /// Days since 1970.
    Date,
    /// Units of which a second has this many, since midnight.
    Time(i64),
    /// Units of which a second has this many, since 1970; in UTC or local.
    Timestamp(i64, &'static str),
}

pub(super) fn form(column: &ColumnDescriptor) -> Option<Form> {
    let per_second = |unit: &TimeUnit| match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    };
    let decimal = |scale: i32| (0..=76).contains(&scale).then_some(Form::Decimal(scale));
    Some(match (column.physical_type(), column.logical_type_ref()) {
        (Physical::BOOLEAN, _) => Form::Bool,
        (Physical::FLOAT | Physical::DOUBLE, _) => Form::Float,
        (Physical::INT32 | Physical::INT64, Some(logical)) => match logical {
            LogicalType::Integer(t) if t.is_signed => Form::Signed,
            LogicalType::Integer(_) => Form::Unsigned,
            LogicalType::Decimal(t) => decimal(t.scale)?,
            LogicalType::Date => Form::Date,
            LogicalType::Time(t) => Form::Time(per_second(&t.unit)),
            LogicalType::Timestamp(t) => Form::Timestamp(
                per_second(&t.unit),
                if t.is_adjusted_to_u_t_c { "Z" } else { "" },
            ),
            LogicalType::Unknown => Form::Signed,
            _ => return None,
        },
        (Physical::INT32 | Physical::INT64, None) => match column.converted_type() {
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Form::Unsigned,
            ConvertedType::DATE => Form::Date,
            ConvertedType::TIME_MILLIS => Form::Time(1_000),
            ConvertedType::TIME_MICROS => Form::Time(1_000_000),
            ConvertedType::TIMESTAMP_MILLIS => Form::Timestamp(1_000, "Z"),
            ConvertedType::TIMESTAMP_MICROS => Form::Timestamp(1_000_000, "Z"),
            ConvertedType::DECIMAL => decimal(column.type_scale())?,
            _ => Form::Signed,
        },
        (Physical::INT96, _) => Form::Timestamp(1_000_000_000, ""),
        (Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Decimal(t))) => {
            decimal(t.scale)?
        }
        (Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY, None)
            if column.converted_type() == ConvertedType::DECIMAL =>
        {
            decimal(column.type_scale())?
        }
        (Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Float16)) => Form::Half,
        (
            Physical::BYTE_ARRAY,
            None | Some(LogicalType::String | LogicalType::Enum | LogicalType::Json),
        ) => match column.converted_type() {
            ConvertedType::NONE if column.logical_type_ref().is_none() => Form::Bytes,
            ConvertedType::NONE
            | ConvertedType::UTF8
            | ConvertedType::ENUM
            | ConvertedType::JSON => Form::Text,
            _ => return None,
        },
        _ => return None,
    })
}

/// What a type that is not read is called.
pub(super) fn type_name(column: &ColumnDescriptor) -> String {
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Uuid), _) => "UUID".into(),
        (Some(LogicalType::Bson), _) | (_, ConvertedType::BSON) => "BSON".into(),
        (_, ConvertedType::INTERVAL) => "interval".into(),
        (Some(LogicalType::Decimal(t)), _) => {
            format!("decimal({}, {})", t.precision, t.scale)
        }
        _ => match column.physical_type() {
            Physical::FIXED_LEN_BYTE_ARRAY | Physical::BYTE_ARRAY => "raw bytes".into(),
            other => other.to_string(),
        },
    }
}

/// One column under construction. Each `push` returns the bytes of text that
/// were added, or what could not be.
pub(super) struct Decoder {
    pub(super) name: String,
    pub(super) optional: bool,
    /// Definition levels of a list that has an entry, and of an entry that has
    /// a value.
    pub(super) list: Option<(i16, i16)>,
    pub(super) form: Form,
    pub(super) cells: Cells,
}

impl Decoder {
    pub(super) fn push_bool(&mut self, value: Option<&bool>) -> std::result::Result<u64, String> {
        if let Cells::Bool(cells) = &mut self.cells {
            cells.push(value.copied());
        }
        Ok(0)
    }

    pub(super) fn push_float(&mut self, value: Option<f64>) -> std::result::Result<u64, String> {
        if let Cells::Float(cells) = &mut self.cells {
            cells.push(value);
        }
        Ok(0)
    }

    pub(super) fn push_integer(&mut self, value: Option<i64>) -> std::result::Result<u64, String> {
        let Some(v) = value else {
            return match &mut self.cells {
                Cells::Integer(cells) => {
                    cells.push(None);
                    Ok(0)
                }
                Cells::Float(_) => self.push_float(None),
                _ => self.push_text(None),
            };
        };
        match self.form {
            Form::Decimal(scale) => {
                let value = numbers::decimal(i256::from_i128(i128::from(v)), scale);
                self.push_float(Some(value))
            }
            Form::Date => self.push_text(Some(&date(v))),
            Form::Time(unit) => self.push_text(Some(&time_of_day(v, unit))),
            Form::Timestamp(unit, zone) => self.push_text(Some(&timestamp(v, unit, zone))),
            Form::Unsigned if v < 0 => Err((v as u64).to_string()),
            _ => {
                if let Cells::Integer(cells) = &mut self.cells {
                    cells.push(value);
                }
                Ok(0)
            }
        }
    }

    pub(super) fn push_bytes(&mut self, value: Option<&[u8]>) -> std::result::Result<u64, String> {
        let number = match self.form {
            Form::Decimal(scale) => value.map(|bytes| {
                let value = big_endian(bytes).ok_or("a decimal of more than 32 bytes")?;
                Ok(numbers::decimal(value, scale))
            }),
            Form::Half => value.map(|bytes| half(bytes).ok_or("a float that is not 2 bytes")),
            _ => {
                return match value.map(std::str::from_utf8).transpose() {
                    Ok(text) => self.push_text(text),
                    Err(_) => Err("a text that is not UTF-8".into()),
                };
            }
        };
        let number = number.transpose().map_err(|e: &str| e.to_owned())?;
        self.push_float(number)
    }

    pub(super) fn push_text(&mut self, value: Option<&str>) -> std::result::Result<u64, String> {
        if let Cells::Text(cells) = &mut self.cells {
            match value {
                Some(text) if cells.push(text) => return Ok(text.len() as u64),
                Some(_) => return Err("a text".into()),
                None => cells.push_missing(),
            }
        }
        Ok(0)
    }
}

/// A whole number from its bytes in two's complement, the highest first.
fn big_endian(bytes: &[u8]) -> Option<i256> {
    let negative = bytes.first().is_some_and(|b| *b >= 0x80);
    let mut all = [if negative { 0xFF } else { 0 }; 32];
    let before = all.len().checked_sub(bytes.len())?;
    all[before..].copy_from_slice(bytes);
    Some(i256::from_be_bytes(all))
}

/// A float of 16 bits from its bytes, the lowest first.
pub(super) fn half(bytes: &[u8]) -> Option<f64> {
    let bytes = bytes.try_into().ok()?;
    Some(numbers::half(u16::from_le_bytes(bytes)))
}

/// The old 96-bit timestamp: nanoseconds of the day, Julian day.
pub(super) fn int96(words: &[u32]) -> String {
    let word = |at: usize| i64::from(words.get(at).copied().unwrap_or(0));
    let nanos = (word(1) << 32) | word(0);
    let day = 86_400_000_000_000;
    let days = word(2) - 2_440_588 + nanos.div_euclid(day);
    let time = time_of_day(nanos.rem_euclid(day), 1_000_000_000);
    format!("{}T{time}", date(days))
}
