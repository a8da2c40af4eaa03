//! The harness: a directory, files in it, and the binary run there.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Said {
    /// Checks that it went well and said these things on standard error.
    #[track_caller]
    pub(crate) fn fine(self, says: &[&str]) -> Self {
        assert_eq!(self.code, 0, "{self:?}");
        self.says(says)
    }

    #[track_caller]
    pub(crate) fn says(self, parts: &[&str]) -> Self {
        let err = uncoded(&self.err);
        for part in parts {
            assert!(err.contains(part), "no {part:?} in {self:?}");
        }
        assert!(!self.err.contains("panicked"), "{self:?}");
        self
    }

    /// Standard output as one JSON object of schema 1.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.out.lines().count(), 1, "{self:?}");
        let value: serde_json::Value = serde_json::from_str(&self.out).expect(&self.out);
        assert_eq!(value["schema"], 1);
        value
    }
}

/// A text without the numbers of its errors and warnings, which `codes.rs` checks:
/// `error[ISO103]:` as `error:`.
pub(crate) fn uncoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[ISO") {
        out.push_str(before);
        rest = after.split_once(']').map_or("", |(_, tail)| tail);
    }
    out + rest
}

/// Says why a test is left out; where everything is required it fails instead.
#[track_caller]
#[allow(clippy::print_stdout)]
pub(crate) fn skip(why: &str) {
    assert!(
        std::env::var_os("ISOTHERM_REQUIRE_ALL").is_none_or(|v| v != "1"),
        "ISOTHERM_REQUIRE_ALL=1, and {why}"
    );
    println!("skipped: {why}");
}

/// Waits until a child that says nothing yet has set its handler of Ctrl-C.
#[cfg(unix)]
#[track_caller]
pub(crate) fn wait_for_handler(child: &std::process::Child) {
    let status = format!("/proc/{}/status", child.id());
    let started = std::time::Instant::now();
    while started.elapsed() < std::time::Duration::from_secs(60) {
        let Ok(told) = std::fs::read_to_string(&status) else {
            // Without /proc a while has to do.
            std::thread::sleep(std::time::Duration::from_secs(2));
            return;
        };
        let caught = told.lines().find_map(|l| l.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        // SIGINT is 2, and so the second bit.
        if caught.is_some_and(|mask| mask >> 1 & 1 == 1) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("a minute, and no handler");
}

/// Reads what a command says until a line that begins so; the handler of signals is set before
/// anything is said.
#[track_caller]
pub(crate) fn until(said: &mut impl std::io::BufRead, start: &str) {
    let mut line = String::new();
    while !line.starts_with(start) {
        line.clear();
        assert_ne!(said.read_line(&mut line).unwrap(), 0, "it ended by itself");
    }
}

/// A directory that goes away, in which commands run.
pub(crate) struct Room(tempfile::TempDir);

impl Room {
    pub(crate) fn new() -> Self {
        crate::network::deny();
        Self(tempfile::tempdir().unwrap())
    }

    /// A room with one file.
    pub(crate) fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let room = Self::new();
        room.file(name, bytes);
        room
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    #[track_caller]
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect(name)
    }

    /// Everything in the directory, with its contents.
    pub(crate) fn everything(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        entries
            .map(|e| e.unwrap())
            .map(|e| {
                let bytes = std::fs::read(e.path()).unwrap_or_default();
                (e.file_name().into_string().unwrap(), bytes)
            })
            .collect()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.everything().into_keys().collect()
    }

    /// The binary, about to run here with these words.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isotherm"));
        command.args(words);
        self.settle(&mut command);
        command
    }

    /// A shell, in which `$isotherm` is the binary.
    pub(crate) fn shell(&self, script: &str) -> Said {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command.env("isotherm", env!("CARGO_BIN_EXE_isotherm"));
        self.settle(&mut command);
        finish(command, "")
    }

    fn settle(&self, command: &mut Command) {
        let ours = std::env::vars_os().map(|(name, _)| name);
        let ours = ours.filter(|n| n.to_string_lossy().starts_with("ISOTHERM_"));
        let others = ["NO_COLOR", "CLICOLOR_FORCE"].map(Into::into);
        for name in ours.chain(others) {
            command.env_remove(name);
        }
        // Help is wrapped for a screen of the usual width.
        command.env("COLUMNS", "80");
        // Without $SHELL bash asks the system who it is, and that is a socket; a language that
        // is not installed it complains about.
        command.env("SHELL", "/bin/sh").env("LC_ALL", "C");
        command.current_dir(self.0.path());
    }

    /// Runs a command line; no word of it has a space.
    pub(crate) fn run(&self, line: &str) -> Said {
        self.words(&line.split_whitespace().collect::<Vec<_>>())
    }

    pub(crate) fn words(&self, words: &[&str]) -> Said {
        finish(self.command(words), "")
    }

    pub(crate) fn fed(&self, line: &str, input: &str) -> Said {
        let words: Vec<&str> = line.split_whitespace().collect();
        finish(self.command(&words), input)
    }

    /// Runs a command line that must be refused: these words on standard
    /// error, nothing on standard output, nothing changed in the directory.
    #[track_caller]
    pub(crate) fn refuses(&self, line: &str, code: i32, says: &[&str]) {
        let before = self.everything();
        let said = self.run(line).says(says);
        assert_eq!(said.code, code, "{said:?}");
        assert_eq!(said.out, "", "{said:?}");
        assert!(
            self.everything() == before,
            "files changed: {:?}",
            self.names()
        );
    }
}

fn finish(mut command: Command, input: &str) -> Said {
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped());
    command.stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that refuses early does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let done = child.wait_with_output().unwrap();
    Said {
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
        code: done.status.code().unwrap_or(-1),
    }
}

/// A number between 0 and 1 from a seed; SplitMix64.
pub(crate) fn chance(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) as f64 / u64::MAX as f64
}

/// Two clusters of 20 rows, far apart, three labels each: `name,a,b,y`.
pub(crate) fn clusters() -> String {
    let mut seed = 7;
    let mut text = String::from("name,a,b,y\n");
    for row in 0..40 {
        let far = 6.0 * (row % 2) as f64;
        let (a, b) = (far + chance(&mut seed), far + chance(&mut seed));
        let label = match (row < 6, row % 2) {
            (true, 0) => "near",
            (true, _) => "far",
            _ => "",
        };
        text.push_str(&format!("r{row},{a:.3},{b:.3},{label}\n"));
    }
    text
}

/// The column of a CSV text without quotes.
#[track_caller]
pub(crate) fn column(text: &str, name: &str) -> Vec<String> {
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    let at = header.split(',').position(|c| c == name).expect(name);
    lines
        .map(|l| l.split(',').nth(at).unwrap().to_owned())
        .collect()
}

/// Whether `a` is a table of which `b` kept every column and row.
pub(crate) fn keeps(input: &str, output: &str) -> bool {
    let pairs = input.lines().zip(output.lines());
    input.lines().count() == output.lines().count()
        && pairs.into_iter().all(|(i, o)| o.starts_with(i))
}

/// Whether a path leads to a file.
pub(crate) fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| m.is_file() && m.len() > 0)
}
