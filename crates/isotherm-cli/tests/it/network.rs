//! The binary opens no connection, ever: every test of this suite runs it where any socket is
//! death, and this file checks that the trap is set.

use crate::run::Room;

/// From here on this thread, and whatever it starts, is killed by the kernel when it asks for a
/// socket of any family. Does nothing but on Linux.
#[cfg(target_os = "linux")]
pub(crate) fn deny() {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
    thread_local!(static DENIED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) });
    if DENIED.replace(true) {
        return;
    }
    let calls = [
        libc::SYS_socket,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_sendto,
        libc::SYS_sendmsg,
        libc::SYS_io_uring_setup,
    ];
    let filter = SeccompFilter::new(
        calls.into_iter().map(|call| (call, Vec::new())).collect(),
        SeccompAction::Allow,
        SeccompAction::KillProcess,
        std::env::consts::ARCH.try_into().unwrap(),
    );
    let program: BpfProgram = filter.unwrap().try_into().unwrap();
    apply_filter(&program).unwrap();
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn deny() {}

#[cfg(target_os = "linux")]
#[test]
fn who_asks_for_a_socket_is_killed() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    let room = Room::new();
    let bash = |script: &str| {
        let mut bash = Command::new("bash");
        let bash = bash.args(["-c", script]).current_dir(room.path("."));
        bash.env("SHELL", "/bin/sh").status().unwrap()
    };
    assert!(bash("true").success());
    let status = bash("exec 3<>/dev/tcp/127.0.0.1/9");
    assert_eq!(status.signal(), Some(libc::SIGSYS), "{status:?}");
    room.run("--version").fine(&[]);
}

#[test]
fn a_whole_round_of_work_needs_no_network() {
    let room = Room::with("data.csv", crate::run::clusters());
    for line in [
        "label data.csv --label y -o out.csv",
        "fit data.csv --label y -o model.iso",
        "predict model.iso data.csv -o pred.csv",
        "inspect model.iso",
        "evaluate data.csv --label y",
        "next data.csv --label y -o todo.csv",
        "tune data.csv --label y -o recipe.toml --plot grid.png",
        "embed data.csv --exclude y -o plane.csv",
        "demo",
    ] {
        room.run(line).fine(&[]);
    }
}
