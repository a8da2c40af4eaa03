//! `report`: what the page holds, and what it never does. `browser/` looks at it in a browser.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::run::{Room, chance, clusters};

const SECTIONS: [&str; 13] = [
    "answer",
    "map",
    "balance",
    "confusion",
    "curve",
    "reliability",
    "next",
    "suspects",
    "unreached",
    "spectrum",
    "tuning",
    "warnings",
    "made",
];

/// What stands between two marks.
#[track_caller]
fn between<'a>(text: &'a str, open: &str, close: &str) -> &'a str {
    let rest = text.split_once(open).expect(open).1;
    rest.split_once(close).expect(close).0
}

/// The markup of one section.
#[track_caller]
fn section<'a>(page: &'a str, id: &str) -> &'a str {
    between(page, &format!("<section id=\"{id}\""), "</section>")
}

#[test]
fn a_report_has_every_section_and_nothing_to_fetch() {
    let room = Room::with("data.csv", clusters());
    room.run("report data.csv --label y -o page.html")
        .fine(&["wrote page.html"]);
    assert_eq!(room.names(), ["data.csv", "page.html"]);
    let page = room.read("page.html");
    for id in SECTIONS {
        assert!(section(&page, id).contains("<h2"), "{id}");
        assert!(id == "answer" || page.contains(&format!("href=\"#{id}\"")));
    }
    // Names of XML's own vocabularies are no addresses; provenance and pictures have some.
    let addresses = page.replace("http://www.w3.org/", "");
    for address in ["http://", "https://", " src=", "url(", "@import", " style="] {
        assert!(!addresses.contains(address), "{address}");
    }
    let lead = between(&page, "<p class=\"lead\">", "</p>");
    for part in [
        "40 rows",
        "6 have a label",
        "other 34",
        "95\u{a0}% interval",
    ] {
        assert!(lead.contains(part), "no {part:?} in {lead}");
    }
}

#[test]
fn the_policy_names_the_script_and_the_style_that_are_there() {
    let room = Room::with("data.csv", clusters());
    room.run("report data.csv --label y -o page.html").fine(&[]);
    let page = room.read("page.html");
    let policy = between(
        &page,
        "http-equiv=\"Content-Security-Policy\" content=\"",
        "\">",
    );
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    let script = hash(between(&page, "<script>", "</script>"));
    let style = hash(between(&page, "<style>", "</style>"));
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    for part in [
        format!("script-src 'sha256-{script}';"),
        format!("style-src 'sha256-{style}';"),
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'".to_owned(),
    ] {
        assert!(policy.contains(&part), "no {part:?} in {policy}");
    }
    for word in [
        "unsafe",
        "innerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
    ] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn the_same_run_gives_the_same_page_whatever_the_threads() {
    let room = Room::with("data.csv", clusters());
    room.run("report data.csv --label y -o page.html").fine(&[]);
    let first = room.read("page.html");
    room.run("report data.csv --label y -o page.html --force")
        .fine(&[]);
    let strip = |page: &str| page.replace(" --force", "").replace(",\"--force\"", "");
    assert_eq!(strip(&first), strip(&room.read("page.html")));
    let without_words = |page: &str| {
        let words = between(page, "id=\"provenance\">", "</script>");
        let command = between(page, "aria-label=\"Command\">", "</pre>");
        page.replace(words, "").replace(command, "")
    };
    room.run("report data.csv --label y -o page.html -f --threads 1")
        .fine(&[]);
    assert_eq!(
        without_words(&first),
        without_words(&room.read("page.html"))
    );
}

#[test]
fn a_report_can_be_run_again() {
    let room = Room::with("data.csv", clusters());
    room.run("report data.csv --label y -o page.html").fine(&[]);
    let value = room.run("rerun page.html --json").fine(&[]).json();
    assert_eq!(value["same"], true, "{value}");
}

#[test]
fn text_from_data_is_never_markup() {
    let evil = "<img src=x onerror=alert(1)>";
    let text = clusters()
        .replace("near", &format!("\"{evil}\""))
        .replace("far", "\u{202e}</script><script>alert(2)</script>")
        .replacen("name,a,b,y", &format!("{evil},<b>,</title>,y"), 1)
        .replace("r7,", "\"</td>\u{1}<svg onload=alert(3)>\",");
    let room = Room::with("<i>.csv", text);
    room.words(&[
        "report",
        "<i>.csv",
        "--label",
        "y",
        "--id",
        evil,
        "--title",
        evil,
        "-o",
        "page.html",
    ])
    .fine(&[]);
    let page = room.read("page.html");
    for markup in [
        "<img",
        "<svg onload",
        "<i>",
        "<b>",
        "alert(2)</script>",
        "\u{202e}",
        "\u{1}",
    ] {
        assert!(!page.contains(markup), "{markup:?}");
    }
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    assert_eq!(page.matches("<script").count(), 3);
}

#[test]
fn a_cell_of_a_megabyte_is_bounded() {
    let long = "x".repeat(1_000_000);
    let room = Room::with("data.csv", clusters().replace("r9,", &format!("{long},")));
    room.run("report data.csv --label y --id name -o page.html")
        .fine(&[]);
    assert!(room.bytes("page.html").len() < 600_000);
}

#[test]
fn a_section_that_cannot_be_had_says_why() {
    let mut seed = 3;
    let mut text = String::from("a,b,y\n");
    for i in 0..60 {
        let (a, b) = (chance(&mut seed), chance(&mut seed));
        let label = if i < 20 {
            format!("{}", 2.0 * a + b)
        } else {
            String::new()
        };
        text.push_str(&format!("{a},{b},{label}\n"));
    }
    let room = Room::with("data.csv", text);
    room.run("report data.csv --label y --task regress -o page.html")
        .fine(&[]);
    let page = room.read("page.html");
    assert!(between(&page, "<p class=\"lead\">", "</p>").contains("mean squared error"));
    for id in [
        "balance",
        "confusion",
        "reliability",
        "suspects",
        "spectrum",
        "tuning",
    ] {
        assert!(section(&page, id).contains("Not shown: "), "{id}");
    }
    assert!(section(&page, "curve").contains("<svg"));
    // One label a class: nothing can be judged, but the page is there.
    let few: String = clusters()
        .lines()
        .enumerate()
        .map(|(k, line)| {
            let blank = k > 2 && line.rsplit_once(',').is_some();
            let (row, _) = line.rsplit_once(',').unwrap();
            if blank {
                format!("{row},\n")
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    room.file("few.csv", few);
    room.run("report few.csv --label y -o few.html").fine(&[]);
    let page = room.read("few.html");
    for id in ["curve", "reliability"] {
        assert!(section(&page, id).contains("Not shown: "), "{id}");
    }
}

#[test]
fn a_report_tells_what_evaluate_and_next_tell() {
    let room = Room::with("data.csv", clusters());
    let told = room
        .run("report data.csv --label y -n 5 -o page.html --json")
        .fine(&[])
        .json();
    let evaluated = room
        .run("evaluate data.csv --label y --json")
        .fine(&[])
        .json();
    assert_eq!(told["evaluation"]["measures"], evaluated["measures"]);
    assert_eq!(told["evaluation"]["baseline"], evaluated["baseline"]);
    let next = room
        .run("next data.csv --label y -n 5 --json")
        .fine(&[])
        .json();
    for k in 0..5 {
        assert_eq!(told["next"]["rows"][k]["row"], next["rows"][k]["row"]);
        assert!(next["rows"][k]["row"].as_u64().is_some_and(|row| row > 0));
    }
    assert!(told["next"]["rows"][5].is_null());
}

#[test]
fn a_page_has_the_name_of_a_page_and_is_not_overwritten() {
    let room = Room::with("data.csv", clusters());
    room.refuses(
        "report data.csv --label y -o page.pdf",
        2,
        &["a report is a page", ".html"],
    );
    room.file("page.html", "mine");
    room.refuses(
        "report data.csv --label y -o page.html",
        1,
        &["page.html", "--force"],
    );
    room.run("report data.csv --label y -o page.html --force")
        .fine(&[]);
    let said = room.run("report data.csv --label y -o -").fine(&[]);
    assert!(said.out.starts_with("<!DOCTYPE html>"));
}

#[test]
fn a_grid_is_shown_when_it_is_asked_for() {
    let room = Room::with("data.csv", clusters());
    room.run("report data.csv --label y --method stkr --tune -o page.html")
        .fine(&[]);
    let page = room.read("page.html");
    assert!(section(&page, "tuning").contains("Best of 96"));
    assert!(section(&page, "tuning").contains("<svg"));
    // All six labels are right in the best cell: one label less is not told from it.
    let text = plain(section(&page, "tuning"));
    assert!(text.contains("accuracy 100.0 %"), "{text}");
    let own = ["is the best cell", "it cannot be told from the best"];
    assert!(own.iter().any(|said| text.contains(said)), "{text}");
}

/// Text without markup.
fn plain(markup: &str) -> String {
    let mut out = String::new();
    for piece in markup.split('<') {
        let text = piece.split_once('>').map_or(piece, |(_, text)| text);
        out.push_str(text);
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Clouds far apart with these labels for their first rows, twenty rows each: `a,b,y`.
fn clouds(labels: &[&[&str]]) -> String {
    let mut seed = 5;
    let mut text = String::from("a,b,y\n");
    for (k, labels) in labels.iter().enumerate() {
        for i in 0..20 {
            let a = 100.0 * k as f64 + chance(&mut seed);
            let b = 100.0 * (k * k % 7) as f64 + chance(&mut seed);
            text.push_str(&format!("{a:.4},{b:.4},{}\n", labels.get(i).unwrap_or(&"")));
        }
    }
    text
}

#[test]
fn what_is_not_reached_is_neither_filled_in_nor_in_the_shares() {
    let room = Room::with(
        "data.csv",
        clouds(&[&["u", "u", "u"], &["v", "v", "v"], &[], &[]]),
    );
    room.run("report data.csv --label y --method stkr --neighbours 10 -o page.html")
        .fine(&[]);
    let page = room.read("page.html");
    let lead = plain(between(&page, "<p class=\"lead\">", "</p>"));
    assert!(lead.contains("34 of the other 74 were filled in"), "{lead}");
    let table = section(&page, "balance");
    let shares: Vec<f64> = (table.match_indices("\u{a0}% of those filled in"))
        .map(|(at, _)| table[..at].rsplit('"').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(shares.len(), 2, "{shares:?}");
    assert!(
        (shares.iter().sum::<f64>() - 100.0).abs() < 0.11,
        "{shares:?}"
    );
    // The static map has the same marks as the other: rows to label next are diamonds in both.
    assert!(section(&page, "map").contains("to label next: "));
    assert!(!section(&page, "map").contains("dashed"));
}

#[test]
fn labels_that_others_do_not_reach_are_said_to_count_as_wrong() {
    // The last cloud has one label, which no other reaches.
    let many: Vec<&str> = vec!["u"; 14];
    let more: Vec<&str> = vec!["v"; 14];
    let room = Room::with("data.csv", clouds(&[&many, &more, &["u"]]));
    room.run("report data.csv --label y --method stkr --neighbours 5 -o page.html")
        .fine(&[]);
    let page = room.read("page.html");
    let lead = plain(between(&page, "<p class=\"lead\">", "</p>"));
    let said = "1 label that the others cannot reach counts as wrong; of the 28 that can be \
                reached, 28 (100.0 %) are right";
    assert!(lead.contains(said), "{lead}");
    let text = plain(section(&page, "reliability"));
    assert!(
        text.contains("has no confidence and is not among them"),
        "{text}"
    );
    let answer = plain(section(&page, "answer"));
    for part in ["as drawn at random from all rows", "macro-F1"] {
        assert!(answer.contains(part), "{answer}");
    }
}

#[test]
fn every_label_given_leaves_nothing_to_fill_in_and_three_give_no_single_number() {
    let (all, other) = (vec!["u"; 20], vec!["v"; 20]);
    let room = Room::with("data.csv", clouds(&[&all, &other]));
    room.run("report data.csv --label y -o page.html").fine(&[]);
    let page = room.read("page.html");
    let lead = plain(between(&page, "<p class=\"lead\">", "</p>"));
    assert!(
        lead.contains("all have a label: there is nothing to fill in"),
        "{lead}"
    );
    assert!(!lead.contains("other 0"), "{lead}");
    room.file("few.csv", clouds(&[&["u", "u"], &["v"]]));
    room.run("report few.csv --label y -o few.html").fine(&[]);
    let page = room.read("few.html");
    let tiles = plain(between(&page, "<dl class=\"figures\">", "</dl>"));
    assert!(!tiles.contains("labels alone"), "{tiles}");
    let lead = plain(between(&page, "<p class=\"lead\">", "</p>"));
    assert!(lead.contains("too few for a single number"), "{lead}");
    assert!(!lead.contains("comes to"), "{lead}");
}

#[test]
fn table_and_map_mark_the_same_labels() {
    let mut labels = vec!["u"; 12];
    labels[3] = "v";
    let other = vec!["v"; 12];
    let room = Room::with("data.csv", clouds(&[&labels, &other]));
    room.run("report data.csv --label y --neighbours 5 -o page.html")
        .fine(&[]);
    let page = room.read("page.html");
    let listed = section(&page, "suspects")
        .matches("<th scope=\"row\">")
        .count();
    assert!(listed > 0);
    let said = format!("others contradict: {listed}");
    assert!(section(&page, "map").contains(&said), "{said}");
    let text = plain(section(&page, "suspects"));
    assert!(text.contains("an order to look in"), "{text}");
    assert!(!text.contains("2 and more"), "{text}");
    let json = room
        .run("plot map data.csv --label y --neighbours 5 --json")
        .fine(&[])
        .json();
    assert_eq!(json["doubted"].as_array().unwrap().len(), listed);
}

#[test]
fn names_that_begin_alike_stay_apart_on_the_page() {
    let long = |k: usize| {
        format!("Department of very long administrative names {k}, subsection of others and more")
    };
    let names: Vec<String> = (0..12).map(long).collect();
    let each: Vec<Vec<&str>> = names.iter().map(|n| vec![n.as_str(); 3]).collect();
    let all: Vec<&[&str]> = each.iter().map(Vec::as_slice).collect();
    let text = clouds(&all)
        .replace("Dep", "\"Dep")
        .replace("more\n", "more\"\n");
    let room = Room::with("data.csv", text);
    room.run("report data.csv --label y -o page.html").fine(&[]);
    let page = room.read("page.html");
    let head = between(section(&page, "confusion"), "<thead>", "</thead>");
    let heads: std::collections::BTreeSet<String> = (head.split("</th>"))
        .map(plain)
        .filter(|h| h.contains('…'))
        .collect();
    assert_eq!(heads.len(), 12, "{heads:?}");
    assert!(head.contains(&format!("title=\"{}\"", names[3])), "{head}");
    // Every class can be pressed, and reasons name two that differ.
    assert_eq!(section(&page, "map").matches("data-class=").count(), 12);
    let why = section(&page, "next");
    for row in why
        .split("<td class=\"why\">")
        .skip(1)
        .filter(|r| r.contains("between "))
    {
        let told = plain(row.split("</td>").next().unwrap());
        let pair = told
            .split_once("between ")
            .and_then(|t| t.1.split_once(" and "));
        assert!(pair.is_some_and(|(a, b)| a != b), "{row}");
    }
}

#[test]
fn tasks_without_classes_are_told_the_truth_and_have_a_grey_map() {
    let mut seed = 9;
    let mut text = String::from("a,b,y\n");
    for i in 0..60 {
        let (a, b) = (chance(&mut seed), chance(&mut seed));
        let tags = ["red;blue", "red", "blue", "red;blue"][i % 4];
        text.push_str(&format!(
            "{a:.4},{b:.4},{}\n",
            if i < 30 { tags } else { "" }
        ));
    }
    let room = Room::with("data.csv", text);
    room.run("report data.csv --label y --task tags -o page.html")
        .fine(&[]);
    let page = room.read("page.html");
    let map = section(&page, "map");
    assert!(between(map, "id=\"still\"", "</figure>").contains("<svg"));
    assert!(plain(map).contains("Points are grey, since these labels are tags"));
    for id in ["reliability", "suspects", "confusion", "balance"] {
        let text = plain(section(&page, id));
        assert!(!text.contains("Use the task classify"), "{id}: {text}");
        assert!(!text.contains("the labels are classes"), "{id}: {text}");
    }
}
