//! A panel of right-hand sides: row-major, each row on its own cache lines.
//!
//! A graph product gathers whole rows of the panel, so a row of 8 columns must
//! be exactly one cache line, and a large panel should sit on huge pages.
//! [`Block`] is that storage and nothing more; arithmetic takes the
//! [`MatRef`] view, or the column-wise sums and updates below, which run over
//! fixed chunks of rows so that their bits do not depend on the thread count.

use faer::{MatMut, MatRef};
use memmap2::MmapMut;
use rayon::prelude::*;

use crate::error::{Error, Result};

/// Rows in one chunk of a parallel sum or update.
const CHUNK: usize = 2048;

/// Panels at least this large are mapped on huge pages where the system offers them.
const PAGES_FROM: usize = 4 << 20;

/// Eight numbers on one 64-byte cache line.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Line([f64; 8]);

enum Store {
    Lines(Vec<Line>),
    Pages(MmapMut),
}

/// An n × k panel, row-major; rows are padded with zeros to 1, 2, 4 or a
/// multiple of 8 columns and start on a cache line once they fill one.
pub struct Block {
    store: Store,
    rows: usize,
    cols: usize,
    stride: usize,
}

/// The padded width of a row of `cols` numbers.
pub(crate) fn padded(cols: usize) -> usize {
    match cols {
        0 | 1 => 1,
        2 => 2,
        3 | 4 => 4,
        _ => cols.next_multiple_of(8),
    }
}

impl Block {
    /// An n × k panel of zeros.
    ///
    /// # Errors
    /// [`Error::Memory`] when the system refuses the allocation.
    pub fn zeros(rows: usize, cols: usize) -> Result<Self> {
        let stride = padded(cols);
        let refuse = || {
            Error::no_memory(
                format!("a panel of {rows} rows and {cols} columns"),
                (rows as u64).saturating_mul(stride as u64 * 8),
            )
        };
        let len = rows.checked_mul(stride).ok_or_else(refuse)?;
        let size = len.checked_mul(8).ok_or_else(refuse)?;
        let store = if size >= PAGES_FROM {
            let map = MmapMut::map_anon(size).map_err(|_| refuse())?;
            // A hint only: without huge pages the panel is merely slower.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            Store::Pages(map)
        } else {
            let lines = len.div_ceil(8);
            let mut store = Vec::new();
            store.try_reserve_exact(lines).map_err(|_| refuse())?;
            store.resize(lines, Line([0.0; 8]));
            Store::Lines(store)
        };
        Ok(Self {
            store,
            rows,
            cols,
            stride,
        })
    }

    /// A copy of `values`.
    ///
    /// # Errors
    /// As [`Block::zeros`].
    pub fn copy_of(values: MatRef<'_, f64>) -> Result<Self> {
        let mut block = Self::zeros(values.nrows(), values.ncols())?;
        let stride = block.stride;
        for (i, row) in block.as_slice_mut().chunks_mut(stride).enumerate() {
            for (j, slot) in row.iter_mut().enumerate().take(values.ncols()) {
                *slot = values[(i, j)];
            }
        }
        Ok(block)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns, padding not counted.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Distance between the starts of two rows, in numbers.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// All rows with their padding, one after the other.
    pub fn as_slice(&self) -> &[f64] {
        let len = self.rows * self.stride;
        match &self.store {
            Store::Lines(lines) => &bytemuck::cast_slice(lines)[..len],
            Store::Pages(map) => &bytemuck::cast_slice(map)[..len],
        }
    }

    /// All rows with their padding, one after the other.
    pub fn as_slice_mut(&mut self) -> &mut [f64] {
        let len = self.rows * self.stride;
        match &mut self.store {
            Store::Lines(lines) => &mut bytemuck::cast_slice_mut(lines)[..len],
            Store::Pages(map) => &mut bytemuck::cast_slice_mut(map)[..len],
        }
    }

    /// Row `i` without its padding.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.as_slice()[i * self.stride..i * self.stride + self.cols]
    }

    /// Row `i` without its padding.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let (start, cols) = (i * self.stride, self.cols);
        &mut self.as_slice_mut()[start..start + cols]
    }

    /// The panel as a matrix.
    pub fn as_mat(&self) -> MatRef<'_, f64> {
        MatRef::from_row_major_slice_with_stride(self.as_slice(), self.rows, self.cols, self.stride)
    }

    /// The panel as a matrix to write into.
    pub fn as_mat_mut(&mut self) -> MatMut<'_, f64> {
        let (rows, cols, stride) = (self.rows, self.cols, self.stride);
        // Not `from_row_major_slice_with_stride_mut`: faer 0.24.4 swaps its strides.
        MatMut::from_column_major_slice_with_stride_mut(self.as_slice_mut(), cols, rows, stride)
            .transpose_mut()
    }

    /// The chosen columns as a panel of their own.
    ///
    /// # Errors
    /// As [`Block::zeros`].
    pub fn select(&self, columns: &[usize]) -> Result<Self> {
        let mut out = Self::zeros(self.rows, columns.len())?;
        let (from, to) = (self.stride, out.stride);
        let source = self.as_slice();
        out.as_slice_mut()
            .par_chunks_mut(to * CHUNK)
            .zip(source.par_chunks(from * CHUNK))
            .for_each(|(out, source)| {
                for (out, source) in out.chunks_mut(to).zip(source.chunks(from)) {
                    for (slot, &c) in out.iter_mut().zip(columns) {
                        *slot = source[c];
                    }
                }
            });
        Ok(out)
    }

    /// Copies column `from` of `source` into column `to` of this panel.
    pub fn copy_column(&mut self, to: usize, source: &Self, from: usize) {
        let (stride, other) = (self.stride, source.stride);
        self.as_slice_mut()
            .par_chunks_mut(stride * CHUNK)
            .zip(source.as_slice().par_chunks(other * CHUNK))
            .for_each(|(out, source)| {
                for (out, source) in out.chunks_mut(stride).zip(source.chunks(other)) {
                    out[to] = source[from];
                }
            });
    }

    /// Column-wise inner products `Σᵢ aᵢc bᵢc`, one number a column.
    pub fn dots(&self, other: &Self) -> Vec<f64> {
        let stride = self.stride;
        let partial: Vec<Vec<f64>> = self
            .as_slice()
            .par_chunks(stride * CHUNK)
            .zip(other.as_slice().par_chunks(stride * CHUNK))
            .map(|(a, b)| column_dots(a, b, stride))
            .collect();
        let mut sums = sum_in_order(partial, stride);
        sums.truncate(self.cols);
        sums
    }

    /// `self ← self + x·diag(a)`, returning nothing; columns scale separately.
    pub fn add_scaled(&mut self, a: &[f64], x: &Self) {
        let a = widen(a, self.stride);
        let stride = self.stride;
        self.as_slice_mut()
            .par_chunks_mut(stride * CHUNK)
            .zip(x.as_slice().par_chunks(stride * CHUNK))
            .for_each(|(y, x)| {
                for (y, x) in y.chunks_exact_mut(stride).zip(x.chunks_exact(stride)) {
                    for ((y, &x), &a) in y.iter_mut().zip(x).zip(&a) {
                        *y += a * x;
                    }
                }
            });
    }

    /// `self ← x + self·diag(b)`.
    pub fn scale_add(&mut self, b: &[f64], x: &Self) {
        let b = widen(b, self.stride);
        let stride = self.stride;
        self.as_slice_mut()
            .par_chunks_mut(stride * CHUNK)
            .zip(x.as_slice().par_chunks(stride * CHUNK))
            .for_each(|(y, x)| {
                for (y, x) in y.chunks_exact_mut(stride).zip(x.chunks_exact(stride)) {
                    for ((y, &x), &b) in y.iter_mut().zip(x).zip(&b) {
                        *y = x + b * *y;
                    }
                }
            });
    }

    /// `self ← self + a·x` and the column-wise `Σ self²` after it, in one pass.
    pub fn add_scaled_and_square(&mut self, a: &[f64], x: &Self) -> Vec<f64> {
        let a = widen(a, self.stride);
        let stride = self.stride;
        let cols = self.cols;
        let partial: Vec<Vec<f64>> = self
            .as_slice_mut()
            .par_chunks_mut(stride * CHUNK)
            .zip(x.as_slice().par_chunks(stride * CHUNK))
            .map(|(y, x)| {
                let mut sum = vec![0.0; stride];
                for (y, x) in y.chunks_exact_mut(stride).zip(x.chunks_exact(stride)) {
                    for (((y, &x), &a), s) in y.iter_mut().zip(x).zip(&a).zip(&mut sum) {
                        *y += a * x;
                        *s += *y * *y;
                    }
                }
                sum
            })
            .collect();
        let mut sums = sum_in_order(partial, stride);
        sums.truncate(cols);
        sums
    }
}

impl Clone for Block {
    /// # Panics
    /// When the system refuses the memory, as cloning a `Vec` does.
    fn clone(&self) -> Self {
        let store = match &self.store {
            Store::Lines(lines) => Store::Lines(lines.clone()),
            Store::Pages(map) => match Self::zeros(self.rows, self.cols) {
                Ok(mut copy) => {
                    copy.as_slice_mut()
                        .copy_from_slice(&bytemuck::cast_slice(map)[..self.rows * self.stride]);
                    copy.store
                }
                Err(_) => Store::Lines(bytemuck::cast_slice::<u8, Line>(map).to_vec()),
            },
        };
        Self {
            store,
            rows: self.rows,
            cols: self.cols,
            stride: self.stride,
        }
    }
}

impl std::fmt::Debug for Block {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Block({} × {})", self.rows, self.cols)
    }
}

fn widen(values: &[f64], stride: usize) -> Vec<f64> {
    let mut wide = values.to_vec();
    wide.resize(stride, 0.0);
    wide
}

fn column_dots(a: &[f64], b: &[f64], stride: usize) -> Vec<f64> {
    let mut sum = vec![0.0; stride];
    for (a, b) in a.chunks_exact(stride).zip(b.chunks_exact(stride)) {
        for ((s, &a), &b) in sum.iter_mut().zip(a).zip(b) {
            *s += a * b;
        }
    }
    sum
}

fn sum_in_order(partial: Vec<Vec<f64>>, stride: usize) -> Vec<f64> {
    partial
        .into_iter()
        .fold(vec![0.0; stride], |mut total, part| {
            for (t, p) in total.iter_mut().zip(part) {
                *t += p;
            }
            total
        })
}
