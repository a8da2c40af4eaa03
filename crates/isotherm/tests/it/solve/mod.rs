//! Solvers against factorisations of dense matrices.

mod resolvent;
