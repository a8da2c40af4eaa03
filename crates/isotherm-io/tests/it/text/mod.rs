mod csv;
mod detection;
mod formulas;
mod json_lines;
mod plain_columns;
mod workbook;
