//! `isotherm report`: one page that a person can send.
//!
//! The page is one file: nothing is fetched, and its policy forbids fetching. Text from data is
//! written by templates that escape it ([`text`] bounds it first), and the script sets text, never
//! markup. Without the script every section is there, the map as a picture.
//!
//! | file | what it holds |
//! |---|---|
//! | `findings.rs` | everything that was found, or why it was not |
//! | `study.rs` | data → findings, from one preparation |
//! | `text.rs` | text from data, and numbers, as a page shows them |
//! | `page.rs` | the document: policy, style, script, order of sections |
//! | `answer.rs` | the answer in plain words |
//! | `map.rs`, `packed.rs` | the map: its frame, and its points as bytes |
//! | `charts.rs` | pictures with their numbers as tables |
//! | `classes.rs` | balance and confusion |
//! | `lists.rs` | rows to label next, not reached, contradicted |
//! | `made.rs` | warnings, and how to make it again |

mod answer;
mod charts;
mod classes;
mod findings;
mod lists;
mod made;
mod map;
mod packed;
mod page;
mod study;
mod text;

pub(crate) use findings::Findings;
pub(crate) use page::page;
pub(crate) use study::{Wishes, study};
