//! The names of a graph's nodes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use crate::spelling::closest_name;

/// The nodes' names by number, and their numbers by name.
#[derive(Debug, Clone, Default)]
pub struct NodeNames {
    text: String,
    ends: Vec<usize>,
    /// Numbers by a hash of the name; the names themselves are stored once.
    by_hash: HashMap<u64, Bucket>,
    /// Seeded, so that no file can make its names collide; numbers do not
    /// depend on it.
    hasher: RandomState,
}

/// The nodes of one hash: nearly always one.
#[derive(Debug, Clone)]
enum Bucket {
    One(u32),
    Many(Vec<u32>),
}

impl Bucket {
    fn numbers(&self) -> &[u32] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

impl NodeNames {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of a node, if there is such a node.
    pub fn name(&self, node: u32) -> Option<&str> {
        let at = node as usize;
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).and_then(|b| self.ends.get(b));
        self.text.get(start.copied().unwrap_or(0)..end)
    }

    /// The names, in the nodes' order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).filter_map(|node| self.name(node))
    }

    /// The node of a name, if there is one.
    pub fn find(&self, name: &str) -> Option<u32> {
        let bucket = self.by_hash.get(&self.hasher.hash_one(name))?;
        let mut numbers = bucket.numbers().iter().copied();
        numbers.find(|node| self.name(*node) == Some(name))
    }

    /// The closest name, for "did you mean".
    pub fn near(&self, name: &str) -> Option<String> {
        closest_name(name, self.iter())
    }

    /// The node of a name, new or not; `None` beyond 2³² − 1 nodes.
    pub fn intern(&mut self, name: &str) -> Option<u32> {
        if let Some(node) = self.find(name) {
            return Some(node);
        }
        let node = u32::try_from(self.ends.len())
            .ok()
            .filter(|n| *n < u32::MAX)?;
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.by_hash
            .entry(self.hasher.hash_one(name))
            .and_modify(|bucket| {
                let mut many = bucket.numbers().to_vec();
                many.push(node);
                *bucket = Bucket::Many(many);
            })
            .or_insert(Bucket::One(node));
        Some(node)
    }
}
