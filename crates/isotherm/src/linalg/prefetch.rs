//! Asking for a cache line before it is needed.

/// Hints that `slice[index..]` will be read soon; does nothing out of range or
/// on processors without the instruction.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(value) = slice.get(index) {
        // SAFETY: a prefetch reads nothing and cannot fault; the address is
        // that of an element in range all the same.
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(
                std::ptr::from_ref(value).cast(),
            );
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}
