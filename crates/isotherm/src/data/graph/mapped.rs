//! Arrays that the system has back the moment they are dropped.
//!
//! An allocator may keep what is freed to it; between two phases of a build
//! that is memory a large graph cannot spare. These lie in maps of their own.

use std::marker::PhantomData;
use std::ops::Deref;

use bytemuck::Pod;
use memmap2::MmapMut;

use crate::error::{Error, Result};

/// A read-only array in a map of its own.
pub(super) struct Mapped<T> {
    map: Option<MmapMut>,
    len: usize,
    kind: PhantomData<T>,
}

impl<T: Pod> Mapped<T> {
    /// A copy of `values`.
    pub(super) fn copy_of(values: &[T]) -> Result<Self> {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let map = if bytes.is_empty() {
            None
        } else {
            let mut map = room(bytes.len())?;
            map[..bytes.len()].copy_from_slice(bytes);
            Some(map)
        };
        Ok(Self {
            map,
            len: values.len(),
            kind: PhantomData,
        })
    }
}

impl<T> Default for Mapped<T> {
    fn default() -> Self {
        Self {
            map: None,
            len: 0,
            kind: PhantomData,
        }
    }
}

impl<T: Pod> Deref for Mapped<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.map {
            Some(map) => &bytemuck::cast_slice(map)[..self.len],
            None => &[],
        }
    }
}

/// A map of so many bytes, zero.
pub(super) fn room(bytes: usize) -> Result<MmapMut> {
    // A map is never empty, and holds whole things of 8 bytes.
    let bytes = bytes.max(1).next_multiple_of(8);
    MmapMut::map_anon(bytes).map_err(|_| Error::no_memory("sorting the edges", bytes as u64))
}

/// A vector of zeros, or the refusal the system gave.
pub(super) fn zeros<T: Clone + Default>(len: usize, what: &'static str) -> Result<Vec<T>> {
    let mut values = Vec::new();
    values
        .try_reserve_exact(len)
        .map_err(|_| Error::no_memory(what, (len as u64).saturating_mul(size_of::<T>() as u64)))?;
    values.resize(len, T::default());
    Ok(values)
}
