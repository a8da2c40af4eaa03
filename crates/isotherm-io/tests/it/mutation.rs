//! A seeded mutation harness over every reader.
//!
//! Valid seeds, then random bit flips, byte edits, truncations, splices,
//! insertions and edits of length fields. Whatever comes out, a reader must
//! return `Ok` or a typed error that names the file: no panic may escape.
//!
//! Memory is bounded in two ways. The limits given here are small (16 MB), so
//! a reader that trusts a declared size is refused by `Limits`; and a counting
//! allocator is not needed, because on Linux the whole harness runs in a child
//! process whose address space is capped (`ulimit -v`): a reader that reserves
//! what a header declares aborts the child, and the test fails.
//!
//! `ISOTHERM_MUTATIONS=1000000 cargo test -p isotherm-io mutation` runs more
//! than the default of 12,000 cases.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use isotherm::monitor::Quiet;
use isotherm_io::model_file::{from_bytes, to_bytes};
use isotherm_io::{
    Destination, EdgeOptions, Limits, ListCells, Overwrite, ReadOptions, Source, collect_edges,
    read_table, write_table,
};
use npyz::Order;
use zip::CompressionMethod;

use crate::support::{Room, column, table, texts};

/// A small generator of our own: the sequence never changes under us.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.roll() % n.max(1) as u64) as usize
    }
}

/// Numbers that length fields are edited to.
const AWKWARD: [u64; 10] = [
    0,
    1,
    0x7F,
    0xFF,
    0x7FFF_FFFF,
    0xFFFF_FFFF,
    1 << 40,
    1 << 62,
    u64::MAX / 2,
    u64::MAX,
];

fn mutate(seed: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + dice.below(4) {
        let n = bytes.len();
        match dice.below(9) {
            0 | 1 if n > 0 => bytes[dice.below(n)] ^= 1 << dice.below(8),
            2 if n > 0 => bytes[dice.below(n)] = dice.roll() as u8,
            3 => bytes.truncate(dice.below(n + 1)),
            4 => {
                let at = dice.below(n + 1);
                let run = vec![dice.roll() as u8; dice.below(20)];
                bytes.splice(at..at, run);
            }
            5 => {
                let at = dice.below(n + 1);
                let from = dice.below(other.len() + 1);
                let to = from + dice.below(other.len() + 1 - from);
                let end = at + dice.below(n + 1 - at);
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            6 if n >= 8 => {
                // A length field near either end, or anywhere.
                let at = match dice.below(3) {
                    0 => dice.below(n.clamp(8, 64) - 7),
                    1 => n - 8 - dice.below(n.min(64) - 7),
                    _ => dice.below(n - 7),
                };
                let width = [1, 2, 4, 8][dice.below(4)];
                let value = AWKWARD[dice.below(AWKWARD.len())].to_le_bytes();
                bytes[at..at + width].copy_from_slice(&value[..width]);
            }
            7 if n > 1 => {
                let at = dice.below(n);
                let end = at + dice.below(n - at);
                bytes.drain(at..end);
            }
            _ => {
                // Any digit becomes another: numbers in text headers.
                let digits: Vec<usize> = (0..n).filter(|i| bytes[*i].is_ascii_digit()).collect();
                if !digits.is_empty() {
                    bytes[digits[dice.below(digits.len())]] = b'0' + dice.below(10) as u8;
                }
            }
        }
    }
    bytes
}

fn options() -> ReadOptions {
    ReadOptions {
        limits: Limits {
            record: 1 << 20,
            columns: 10_000,
            floor: 16 << 20,
            ratio: 100,
            memory: u64::MAX,
        },
        ..ReadOptions::default()
    }
}

/// A table with every kind of column.
fn seed(room: &Room, name: &str) -> Vec<u8> {
    let words = ["a", "bb", "ccc"];
    let cells: Vec<Option<&str>> = (0..200)
        .map(|n| (n % 7 > 0).then(|| words[n % 3]))
        .collect();
    let pair = [0.5, -1.0];
    let lists: ListCells = (0..200)
        .map(|n| (n % 11 > 0).then_some(&pair[..n % 3]))
        .collect();
    let data = table(vec![
        column(
            "f",
            (0..200).map(|n| f64::from(n) * 0.5).collect::<Vec<_>>(),
        ),
        column("i", (0..200i64).map(|n| n % 5).collect::<Vec<_>>()),
        column("b", (0..200).map(|n| n % 2 == 0).collect::<Vec<_>>()),
        texts("t", &cells),
        column("l", lists),
    ]);
    let path = room.path(name);
    let to = Destination::from(&path);
    write_table(&data, &to, None, Overwrite::Refuse, &mut Quiet).unwrap();
    std::fs::read(path).unwrap()
}

struct Target {
    name: &'static str,
    /// Share of the cases, out of 24 and more.
    share: usize,
    seeds: Vec<Vec<u8>>,
    read: fn(&[u8], &Path) -> isotherm_io::Result<()>,
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(crate::columnar::arrow::fixture(name)).unwrap()
}

fn as_file(bytes: &[u8], path: &Path) -> isotherm_io::Result<()> {
    std::fs::write(path, bytes).unwrap();
    read_table(&Source::from(path), &options(), &mut Quiet).map(|_| ())
}

fn as_edges(bytes: &[u8], path: &Path) -> isotherm_io::Result<()> {
    std::fs::write(path, bytes).unwrap();
    let options: EdgeOptions = options();
    collect_edges(&Source::from(path), &options, &mut Quiet).map(|_| ())
}

fn targets(room: &Room) -> Vec<Target> {
    use crate::arrays::npy::{assembled, written};
    let csv = "id,age,\"na me\",y\n1,2.5,\"a,\"\"b\"\"\n\",x\n2,NA,é☃,\n3,1e5,,y\n";
    let npy = vec![
        written(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[3, 2], Order::C),
        written(&[1i32, 2, 3, 4], &[2, 2], Order::Fortran),
        assembled(
            "{'descr': '<U3', 'fortran_order': False, 'shape': (1,), }\n",
            &[65, 0, 0, 0, 66, 0, 0, 0, 0, 0, 0, 0],
        ),
    ];
    let entries = [
        ("X.npy", npy[0].clone()),
        ("y.npy", written(&[1u8, 2, 3], &[3], Order::C)),
    ];
    vec![
        Target {
            name: "model",
            share: 6,
            seeds: vec![to_bytes(&crate::model_file::parts()).unwrap()],
            read: |bytes, path| from_bytes(bytes, path).map(|_| ()),
        },
        Target {
            name: "data.csv",
            share: 5,
            seeds: vec![
                csv.into(),
                csv.replace(',', ";").into(),
                "1\t2\r\n3\t4\r\n".into(),
            ],
            read: as_file,
        },
        Target {
            name: "data.npy",
            share: 3,
            seeds: npy,
            read: as_file,
        },
        Target {
            name: "data.npz",
            share: 3,
            seeds: vec![
                crate::arrays::npz::archive(&entries, CompressionMethod::Stored),
                crate::arrays::npz::archive(&entries, CompressionMethod::Deflated),
            ],
            read: as_file,
        },
        Target {
            name: "data.parquet",
            share: 4,
            seeds: vec![seed(room, "seed.parquet"), fixture("pyarrow-lists.parquet")],
            read: as_file,
        },
        Target {
            name: "data.arrow",
            share: 4,
            seeds: vec![
                seed(room, "seed.arrow"),
                fixture("pyarrow-uncompressed.feather"),
                fixture("pyarrow-zstd.feather"),
                fixture("polars.arrow"),
            ],
            read: as_file,
        },
        Target {
            name: "data.arrows",
            share: 4,
            seeds: vec![seed(room, "seed.arrows"), fixture("pyarrow.arrows")],
            read: as_file,
        },
        Target {
            name: "data.jsonl",
            share: 3,
            seeds: vec![
                seed(room, "seed.jsonl"),
                "{\"a\":1,\"b\":[1,2.5e3,null],\"c\":\"x\\u00e9\"}\n{\"b\":[],\"d\":true}\n".into(),
            ],
            read: as_file,
        },
        Target {
            name: "graph.txt",
            share: 3,
            seeds: vec![
                "# g\na b 1\nb c 0.5\n".into(),
                "from,to\n1,2\n2,3\n".into(),
                "a\tb\nb\tc\n".into(),
            ],
            read: as_edges,
        },
    ]
}

fn cases() -> usize {
    let told = std::env::var("ISOTHERM_MUTATIONS").ok();
    told.and_then(|n| n.parse().ok()).unwrap_or(12_000)
}

fn run_all() {
    let room = Room::new();
    let (mut accepted, mut refused) = (0, 0);
    for (which, target) in targets(&room).into_iter().enumerate() {
        let path: PathBuf = room.path(target.name);
        for (at, seed) in target.seeds.iter().enumerate() {
            let fine = (target.read)(seed, &path);
            assert!(
                fine.is_ok(),
                "seed {at} of {}: {:?}",
                target.name,
                fine.err()
            );
        }
        for case in 0..cases() * target.share / 24 {
            let mut dice = Dice(((which as u64) << 40) ^ case as u64);
            let seed = &target.seeds[dice.below(target.seeds.len())];
            let other = &target.seeds[dice.below(target.seeds.len())];
            let bytes = mutate(seed, other, &mut dice);
            let outcome = catch_unwind(AssertUnwindSafe(|| (target.read)(&bytes, &path)));
            let context = || format!("{} case {case}", target.name);
            match outcome {
                Ok(Ok(())) => accepted += 1,
                Ok(Err(e)) => {
                    refused += 1;
                    let named = e.path() == Some(path.as_path()) || e.code() == "core";
                    assert!(named, "{}: {e:?}", context());
                    assert!(!e.to_string().contains('\n'), "{}: {e}", context());
                }
                Err(_) => panic!("{} panicked", context()),
            }
        }
    }
    assert!(
        refused > accepted / 4,
        "{accepted} accepted, {refused} refused"
    );
}

#[test]
fn no_reader_panics_or_reserves_much_on_mutated_files() {
    if std::env::var_os("ISOTHERM_MUTATION_CHILD").is_some() || !cfg!(target_os = "linux") {
        return run_all();
    }
    // The same test in a process that may address 2 GB, half of it taken by
    // threads' arenas and the program itself.
    let program = std::env::current_exe().unwrap();
    let script = "ulimit -v 2000000 && exec \"$0\" --exact \
                  mutation::no_reader_panics_or_reserves_much_on_mutated_files --test-threads 1";
    let output = std::process::Command::new("sh")
        .arg("-c")
        .arg(script)
        .arg(program)
        .env("ISOTHERM_MUTATION_CHILD", "1")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && told.contains("1 passed"),
        "{told}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
