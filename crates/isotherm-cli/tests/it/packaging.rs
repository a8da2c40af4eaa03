//! The tarball and the Debian package, made of the binary under test.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory that goes away. Not a `Room`: packagers may ask the system who owns a file, and
/// some systems answer through a socket.
struct Room(tempfile::TempDir);

impl Room {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[track_caller]
fn pack(room: &Room, out: &str) {
    let script = root().join("packaging/package.sh");
    let done = Command::new("sh")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_isotherm"))
        .arg(room.path(out))
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
}

#[track_caller]
fn shell(room: &Room, script: &str) -> String {
    let mut command = Command::new("sh");
    let done = command.args(["-c", script]).current_dir(room.0.path());
    let done = done.output().unwrap();
    assert!(done.status.success(), "{script}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn the_tarball_holds_a_binary_that_runs_with_its_pages_and_completions() {
    let room = Room::new();
    pack(&room, "one");
    shell(
        &room,
        "mkdir in && tar xzf one/*.tar.gz -C in --strip-components=1",
    );
    let version = shell(&room, "env -i in/bin/isotherm --version");
    assert_eq!(
        version.trim(),
        concat!("isotherm ", env!("CARGO_PKG_VERSION"))
    );
    for file in [
        "in/share/man/man1/isotherm.1",
        "in/share/man/man1/isotherm-label.1",
        "in/share/man/man1/isotherm-report.1",
        "in/share/bash-completion/completions/isotherm",
        "in/share/zsh/site-functions/_isotherm",
        "in/share/fish/vendor_completions.d/isotherm.fish",
        "in/share/doc/isotherm/LICENSE-MIT",
    ] {
        assert!(crate::run::is_file(&room.path(file)), "{file}");
    }
    shell(
        &room,
        "bash -n in/share/bash-completion/completions/isotherm",
    );
    // Nobody else may write what was unpacked.
    let open = shell(&room, "find in -perm /022 -not -type l");
    assert_eq!(open, "");
}

#[test]
fn the_same_binary_gives_the_same_packages() {
    let room = Room::new();
    pack(&room, "one");
    pack(&room, "two");
    shell(&room, "diff -r one two");
}

#[test]
fn the_debian_package_installs_what_the_tarball_holds() {
    let room = Room::new();
    pack(&room, "out");
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        // Where Debian's tool is not there the tarball is all there is.
        assert_eq!(shell(&room, "ls out | grep -c deb || true").trim(), "0");
        return;
    }
    let about = shell(
        &room,
        "dpkg-deb --field out/*.deb Package Version Architecture Depends",
    );
    assert!(about.contains("Package: isotherm"), "{about}");
    shell(&room, "dpkg-deb --extract out/*.deb in");
    let version = shell(&room, "env -i in/usr/bin/isotherm --version");
    assert!(version.starts_with("isotherm "), "{version}");
    shell(&room, "gzip -t in/usr/share/man/man1/isotherm.1.gz");
    let owners = shell(
        &room,
        "dpkg-deb --contents out/*.deb | awk '{print $2}' | sort -u",
    );
    assert_eq!(owners.trim(), "root/root");
}

#[test]
fn a_packer_that_fails_leaves_no_archive() {
    let room = Room::new();
    std::fs::create_dir(room.path("bin")).unwrap();
    shell(
        &room,
        "printf '#!/bin/sh\\nexit 3\\n' > bin/tar; chmod +x bin/tar",
    );
    let path = std::env::var("PATH").unwrap();
    let done = Command::new("sh")
        .arg(root().join("packaging/package.sh"))
        .arg(env!("CARGO_BIN_EXE_isotherm"))
        .arg(room.path("out"))
        .env("PATH", format!("{}:{path}", room.path("bin").display()))
        .output()
        .unwrap();
    assert!(!done.status.success(), "{done:?}");
    assert_eq!(shell(&room, "find out -name '*.gz'"), "");
}
