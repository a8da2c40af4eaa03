//! What comes out: formats, provenance, and files that are whole or not there.

mod killed;
mod provenance;
mod table_formats;
mod whole_or_nothing;
