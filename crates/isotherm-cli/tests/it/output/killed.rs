//! Outputs under kill -9, rivals, full disks and directories that cannot be written.

#![cfg(unix)]

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use crate::run::{Room, chance, clusters, skip, wait_for_handler};

/// Two inputs of one column of long texts: quick to label, slow to write.
fn long_tables(room: &Room) {
    for (name, word) in [("a", "first"), ("b", "second")] {
        let mut text = String::from("x,t,y\n");
        for row in 0..6000 {
            let label = ["u", "v", ""][row.min(2)];
            text.push_str(&format!("{row},{},{label}\n", word.repeat(60)));
        }
        room.file(&format!("{name}.csv"), text);
    }
}

fn spawn(room: &Room, line: &str) -> Child {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut command = room.command(&words);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

const LABEL: &str = "--label y --features x --method kernel-ridge -q -f -o out.csv";

#[test]
fn two_hundred_kills_leave_the_old_table_or_the_new_and_never_half() {
    let room = Room::new();
    long_tables(&room);
    let run = |name: &str| format!("label {name}.csv {LABEL}");
    let whole = |name: &str| {
        room.run(&run(name)).fine(&[]);
        (room.bytes("out.csv"), room.bytes("out.csv.run.json"))
    };
    let (a, b) = (whole("a"), whole("b"));
    let started = Instant::now();
    whole("b");
    // How long a run lasts is known anew after each one, as other work comes and goes: one that
    // ended by itself was waited for too long, one that was killed perhaps not long enough.
    let mut lasts = started.elapsed();
    let mut seed = 11;
    let (mut killed, mut half, mut taken) = (0, 0, 0);
    let enough = |killed: usize, half: usize, taken: usize| killed > 100 && half > 0 && taken > 0;
    for round in 0..2000 {
        if round >= 200 && enough(killed, half, taken) {
            break;
        }
        let name = ["a", "b"][round % 2];
        let before = room.bytes("out.csv");
        let mut child = spawn(&room, &run(name));
        std::thread::sleep(lasts.mul_f64(1.1 * chance(&mut seed)));
        let _ = child.kill();
        let ended = child.wait().unwrap();
        let was_killed = ended.signal() == Some(9);
        killed += usize::from(was_killed);
        lasts = lasts.mul_f64(if was_killed { 1.02 } else { 0.9 });
        let table = room.bytes("out.csv");
        assert!(
            table == a.0 || table == b.0,
            "round {round}: {} bytes",
            table.len()
        );
        let aside = room.bytes("out.csv.run.json");
        assert!(aside == a.1 || aside == b.1, "round {round}");
        taken += usize::from(table != before);
        for name in room.names().iter().filter(|n| n.ends_with(".tmp")) {
            assert!(name.starts_with(".isotherm-"), "{name}");
            half += usize::from(!room.bytes(name).is_empty());
            std::fs::remove_file(room.path(name)).unwrap();
        }
        let names = ["a.csv", "b.csv", "out.csv", "out.csv.run.json"];
        assert_eq!(room.names(), names);
    }
    // The test means something only if kills came before, during and after the writing.
    assert!(killed > 100, "{killed} killed");
    assert!(half > 0, "no kill came while the table was written");
    assert!(taken > 0, "no run got as far as the table");
}

#[test]
fn of_two_runs_to_one_output_one_wins_whole_and_the_other_is_told() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y -o expected.csv")
        .fine(&[]);
    for round in 0..10 {
        let line = |seed| format!("label data.csv --label y --seed {seed} -o out.csv");
        let rivals = [1, 2].map(|seed| (seed, spawn(&room, &line(seed))));
        let mut won = Vec::new();
        for (seed, child) in rivals {
            let done = child.wait_with_output().unwrap();
            let err = String::from_utf8(done.stderr).unwrap();
            match done.status.code() {
                Some(0) => won.push(seed),
                code => {
                    assert_eq!(code, Some(1), "{err}");
                    assert!(err.contains("already exists\n"), "{err}");
                }
            }
        }
        assert_eq!(won.len(), 1, "round {round}");
        assert_eq!(room.bytes("out.csv"), room.bytes("expected.csv"));
        // The provenance is the winner's.
        let told: serde_json::Value = serde_json::from_str(&room.read("out.csv.run.json")).unwrap();
        assert_eq!(told["provenance"]["seed"], won[0]);
        for name in ["out.csv", "out.csv.run.json"] {
            std::fs::remove_file(room.path(name)).unwrap();
        }
        assert!(!room.names().iter().any(|n| n.ends_with(".tmp")));
    }
}

#[test]
fn an_output_that_appears_while_it_is_computed_is_kept() {
    // The output is looked at before the edges are opened, which wait in a pipe.
    let room = Room::with("nodes.csv", "id,y\na,u\nd,v\nb,\nc,\n");
    let said = room.shell(
        "mkfifo edges.csv
         \"$isotherm\" label nodes.csv --label y --graph edges.csv -o out.csv &
         exec 3> edges.csv
         printf precious > out.csv
         printf 'a,b\\nb,c\\nc,d\\n' >&3
         exec 3>&-
         wait $!; code=$?; rm edges.csv; exit $code",
    );
    assert_eq!(said.code, 1, "{said:?}");
    said.says(&["error: out.csv already exists\n"]);
    assert_eq!(room.read("out.csv"), "precious");
    assert_eq!(room.names(), ["nodes.csv", "out.csv"]);
}

/// Runs a script with a small file system of its own at `small`, where that is allowed.
fn on_a_small_disk(room: &Room, options: &str, script: &str) -> Option<crate::run::Said> {
    std::fs::create_dir_all(room.path("small")).unwrap();
    let mounted = format!("mount -t tmpfs -o {options} none small");
    let outer = |inner: &str| format!("unshare --user --map-root-user --mount sh -c '{inner}'");
    if room.shell(&outer(&mounted)).code != 0 {
        skip("this system lets nobody mount a file system of their own");
        return None;
    }
    Some(room.shell(&outer(&format!("{mounted}; {script}"))))
}

#[test]
fn a_disk_that_fills_up_is_told_and_keeps_what_was_there() {
    let room = Room::new();
    long_tables(&room);
    for output in ["out.csv", "out.jsonl", "out.parquet", "m.iso"] {
        let line = match output {
            "m.iso" => "fit a.csv --label y --features x --method stkr".to_owned(),
            _ => format!("label a.csv {}", LABEL.replace("-f -o out.csv", "")),
        };
        let script = format!(
            "printf precious > small/{output}; \"$isotherm\" {line} -f -o small/{output}; \
             echo \"code $?\"; ls -A small; cat small/{output}"
        );
        let Some(said) = on_a_small_disk(&room, "size=16k", &script) else {
            return;
        };
        assert_eq!(said.out, format!("code 1\n{output}\nprecious"), "{said:?}");
        said.says(&["No space left on device", "help: free some space"]);
    }
}

#[test]
fn a_disk_that_cannot_be_written_is_found_out_before_the_data_is_read() {
    let room = Room::with("data.csv", clusters());
    for line in [
        "label none.csv --label y -o small/o.csv",
        "fit none.csv --label y -o small/m.iso",
    ] {
        let script = format!("\"$isotherm\" {line}; echo \"code $?\"");
        let Some(said) = on_a_small_disk(&room, "ro", &script) else {
            return;
        };
        assert_eq!(said.out, "code 1\n", "{said:?}");
        said.says(&["Read-only file system", "help: write to another disk\n"]);
    }
}

#[test]
fn a_directory_without_permission_is_found_out_before_the_data_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let room = Room::new();
    let closed = room.path("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o555)).unwrap();
    let line = "label none.csv --label y -o closed/out.csv";
    let says = ["Permission denied", "help: check the permissions"];
    if std::fs::write(closed.join("probe"), "").is_err() {
        return room.refuses(line, 1, &says);
    }
    // This user may write everywhere; nobody may not, if we can become nobody.
    std::fs::remove_file(closed.join("probe")).unwrap();
    std::fs::set_permissions(room.path("."), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_isotherm"), room.path("isotherm")).unwrap();
    let mut nobody = Command::new(room.path("isotherm"));
    nobody.args(line.split(' ')).current_dir(room.path("."));
    let Ok(done) = nobody.uid(65534).gid(65534).output() else {
        return skip("this user may write everywhere, and can become no other");
    };
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(says.iter().all(|part| said.contains(part)), "{said}");
}

#[test]
fn a_table_without_room_for_its_sidecar_says_so() {
    // The table fits, what tells of it does not.
    let room = Room::with("data.csv", "a,y\n1,u\n2,v\n3,\n");
    let line = "label data.csv --label y --method kernel-ridge -o small/out.csv";
    let script = format!("\"$isotherm\" {line}; echo \"code $?\"; ls small");
    let Some(said) = on_a_small_disk(&room, "size=4k", &script) else {
        return;
    };
    assert_eq!(said.out, "code 1\nout.csv\n", "{said:?}");
    said.says(&["cannot write small/out.csv.run.json: No space left"]);
}

#[test]
fn a_request_to_terminate_is_like_ctrl_c() {
    // Waits for edges that never come, with the table read.
    let room = Room::with("nodes.csv", "id,y\na,u\nd,v\nb,\n");
    let line = "label nodes.csv --label y --graph - -o out.csv";
    let words: Vec<&str> = line.split_whitespace().collect();
    for signal in ["-TERM", "-HUP", "-INT"] {
        let mut child = room
            .command(&words)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _open = child.stdin.take();
        wait_for_handler(&child);
        assert!(child.try_wait().unwrap().is_none(), "{signal}");
        let id = child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(room.names(), ["nodes.csv"]);
    }
}
