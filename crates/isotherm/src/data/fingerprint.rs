//! Telling one set of numbers from another by a single number.

/// A running 64-bit hash (FNV-1a), the same on every machine.
///
/// It tells what was mixed up by accident, not what was forged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    /// Of something of this kind.
    pub(crate) fn new(kind: &str) -> Self {
        Self(0xcbf2_9ce4_8422_2325).text(kind)
    }

    /// With a text.
    #[must_use]
    pub(crate) fn text(self, text: &str) -> Self {
        self.number(text.len() as u64).bytes(text.as_bytes())
    }

    /// With a number.
    #[must_use]
    pub(crate) fn number(self, number: u64) -> Self {
        self.bytes(&number.to_le_bytes())
    }

    /// With floats, by their bits.
    #[must_use]
    pub(crate) fn floats(self, values: &[f64]) -> Self {
        let start = self.number(values.len() as u64);
        values
            .iter()
            .fold(start, |hash, v| hash.bytes(&v.to_bits().to_le_bytes()))
    }

    fn bytes(self, bytes: &[u8]) -> Self {
        let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        Self(bytes.iter().fold(self.0, mix))
    }

    /// The hash.
    pub(crate) fn value(self) -> u64 {
        self.0
    }
}
