pub(crate) mod npy;
pub(crate) mod npz;
