mod file_version;
mod format;
mod input;
