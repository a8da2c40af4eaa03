//! Whole or not at all, whatever fails.

use isotherm_io::atomic::{check_destination, write_atomically};
use isotherm_io::{Error, Overwrite};

use crate::support::{Room, hint, message, refusal};

fn io_error() -> Error {
    Error::Core(isotherm::Error::data("the disk is on fire", "run"))
}

#[test]
fn an_existing_file_is_kept_unless_told() {
    let room = Room::new();
    let path = room.file("out.csv", "old");
    let refused =
        write_atomically::<isotherm_io::Error>(&path, Overwrite::Refuse, |_| panic!("never asked"));
    assert_eq!(message(refused), "out.csv already exists");
    let again = check_destination(&path, Overwrite::Refuse);
    assert_eq!(hint(again), "choose another name, or pass --force");
    write_atomically::<isotherm_io::Error>(&path, Overwrite::Replace, |out| {
        out.write_all(b"new").unwrap();
        Ok(())
    })
    .unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
    assert_eq!(room.names(), ["out.csv"]);
}

#[test]
fn a_failure_at_any_byte_leaves_the_old_file_and_nothing_else() {
    let room = Room::new();
    let path = room.file("out.csv", "old");
    let fresh = room.path("fresh.csv");
    let bytes = vec![b'x'; 600_000]; // longer than the buffer in between
    for n in (0..bytes.len()).step_by(7919) {
        for (target, overwrite) in [(&path, Overwrite::Replace), (&fresh, Overwrite::Refuse)] {
            let failed = write_atomically::<isotherm_io::Error>(target, overwrite, |out| {
                out.write_all(&bytes[..n]).unwrap();
                Err(io_error())
            });
            assert_eq!(refusal(failed).code(), "data");
        }
        assert_eq!(room.names(), ["out.csv"], "after {n} bytes");
        assert_eq!(std::fs::read(&path).unwrap(), b"old", "after {n} bytes");
    }
}

#[test]
fn a_panic_while_writing_leaves_nothing() {
    let room = Room::new();
    let path = room.path("out.csv");
    let caught = std::panic::catch_unwind(|| {
        write_atomically::<isotherm_io::Error>(&path, Overwrite::Refuse, |out| {
            out.write_all(&[0; 400_000]).unwrap();
            std::panic::resume_unwind(Box::new("a bug"))
        })
    });
    assert!(caught.is_err());
    assert!(room.names().is_empty());
}

#[test]
fn a_file_that_appears_meanwhile_is_not_overwritten() {
    let room = Room::new();
    let path = room.path("out.csv");
    let raced = write_atomically::<isotherm_io::Error>(&path, Overwrite::Refuse, |out| {
        out.write_all(b"ours").unwrap();
        std::fs::write(&path, "theirs").unwrap();
        Ok(())
    });
    assert!(matches!(refusal(raced), Error::Exists { .. }));
    assert_eq!(std::fs::read(&path).unwrap(), b"theirs");
    assert_eq!(room.names(), ["out.csv"]);
}

#[test]
fn a_missing_directory_is_refused_before_any_work() {
    let room = Room::new();
    let path = room.path("no/out.csv");
    let refused =
        write_atomically::<isotherm_io::Error>(&path, Overwrite::Refuse, |_| panic!("never asked"));
    let text = refusal(refused).to_string();
    assert!(text.starts_with("cannot write into "), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_with_a_way_out() {
    let path = std::path::Path::new("/dev/full");
    if !path.exists() {
        return;
    }
    // So little that only the last flush finds out.
    let refused = write_atomically::<isotherm_io::Error>(path, Overwrite::Refuse, |out| {
        out.write_all(b"a,b").unwrap();
        Ok(())
    });
    let refused = refusal(refused);
    assert_eq!(refused.code(), "disk-full");
    let way_out = "free some space, or write to another disk";
    assert_eq!(refused.hint().as_deref(), Some(way_out));
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_kept() {
    use std::os::unix::fs::PermissionsExt;
    let room = Room::new();
    let real = room.file("real.csv", "old");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = room.path("link.csv");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    write_atomically::<isotherm_io::Error>(&link, Overwrite::Replace, |out| {
        out.write_all(b"new").unwrap();
        Ok(())
    })
    .unwrap();
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(std::fs::read(&real).unwrap(), b"new");
    let mode = real.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(room.names(), ["link.csv", "real.csv"]);
}

/// Makes a file look as if it was written so many minutes ago.
fn age(path: &std::path::Path, minutes: u64) -> std::fs::File {
    let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    let then = std::time::SystemTime::now() - std::time::Duration::from_secs(60 * minutes);
    file.set_modified(then).unwrap();
    file
}

#[test]
fn what_a_killed_run_left_goes_with_the_next_and_nothing_else_does() {
    let room = Room::new();
    let write = |name: &str| {
        let path = room.path(name);
        write_atomically::<isotherm_io::Error>(&path, Overwrite::Refuse, |out| {
            out.write_all(b"x").unwrap();
            Ok(())
        })
        .unwrap();
    };
    age(&room.file(".isotherm-old.tmp", "half"), 61);
    age(&room.file(".isotherm-young.tmp", "half"), 50);
    age(&room.file(".isotherm-old.csv", "a user's"), 61);
    age(&room.file("isotherm-old.tmp", "a user's"), 61);
    std::fs::create_dir(room.path(".isotherm-dir.tmp")).unwrap();
    // Somebody is still at it, slowly.
    let busy = age(&room.file(".isotherm-busy.tmp", "half"), 61);
    busy.try_lock().unwrap();
    write("a.csv");
    let mut left = vec![
        ".isotherm-busy.tmp",
        ".isotherm-dir.tmp",
        ".isotherm-old.csv",
        ".isotherm-young.tmp",
        "a.csv",
        "isotherm-old.tmp",
    ];
    assert_eq!(room.names(), left);
    drop(busy);
    write("b.csv");
    left.remove(0);
    left.insert(4, "b.csv");
    assert_eq!(room.names(), left);
}

#[test]
fn a_file_that_is_being_written_is_locked() {
    let room = Room::new();
    let path = room.path("out.csv");
    write_atomically::<isotherm_io::Error>(&path, Overwrite::Refuse, |out| {
        out.write_all(b"x").unwrap();
        let name = room.names().remove(0);
        let other = std::fs::File::open(room.path(&name)).unwrap();
        assert!(other.try_lock().is_err(), "{name} is anybody's");
        Ok(())
    })
    .unwrap();
    assert_eq!(room.names(), ["out.csv"]);
}
