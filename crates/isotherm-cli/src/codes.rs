//! The page of every code, embedded, and how a terminal shows it.
//!
//! Numbers, words and titles are [`isotherm_codes`]; a new code needs
//! a line there and its number here.

use isotherm_codes::Code;

macro_rules! pages {
    ($($number:literal)*) => {
        &[$((
            $number,
            include_str!(concat!("../pages/ISO", $number, ".md")),
        )),*]
    };
}

/// The pages, by the digits of their numbers.
#[rustfmt::skip]
const PAGES: &[(&str, &str)] = pages![
    "001" "002" "003" "004" "005" "006" "010" "011" "012" "013" "020" "021" "022" "023" "024"
    "025" "026" "027" "028" "029" "030" "031" "032" "033" "034" "035" "036" "037" "038" "039" "040" "041" "050"
    "101" "102" "103" "104" "105" "106" "107" "108" "109" "110" "111" "112" "150" "151" "152" "153"
    "154" "155" "156"
    "201" "202" "203" "204" "205" "206" "207" "208" "209" "210" "211" "212" "213" "214" "215"
    "216" "217" "218" "219" "220" "250" "251" "252" "253" "254" "255" "256"
    "301" "302" "303" "304" "305" "306" "307" "350" "351" "352" "353"
    "401" "402" "403" "404" "405" "406" "407" "408" "409" "410" "411" "412" "413" "414" "415"
    "416" "450" "451" "452"
    "501" "502" "503" "504"
    "601" "602" "603" "604" "605" "606" "607" "608" "609" "610" "611" "650" "655"
    "901" "902" "999"
];

/// What every exit code means, and the list of all codes.
pub(crate) const INDEX: &str = include_str!("../pages/index.md");

/// The page of a code, as Markdown.
pub(crate) fn page(code: &Code) -> Option<&'static str> {
    let digits = format!("{:03}", code.number);
    let found = PAGES.iter().find(|(number, _)| *number == digits);
    found.map(|(_, text)| *text)
}

/// The part of a page under a heading of the second level, without the heading.
pub(crate) fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let start = format!("## {heading}\n");
    let after = page.split_once(start.as_str()).map_or("", |(_, a)| a);
    after.split("\n## ").next().unwrap_or_default().trim()
}

/// Markdown as a terminal shows it: no marks of headings, fences and links; code
/// stands four spaces in.
pub(crate) fn shown(page: &str) -> String {
    let mut out = String::new();
    let mut code = false;
    for line in page.lines() {
        if let Some(fence) = line.strip_prefix("```") {
            code = !code;
            let file = fence.split_once("title=\"").map(|(_, t)| t);
            if let (true, Some(name)) = (code, file) {
                out.push_str(&format!("  {}:\n", name.trim_end_matches('"')));
            }
            continue;
        }
        let line = if code {
            format!("    {line}")
        } else {
            unlinked(line.trim_start_matches('#').trim_start())
        };
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.trim_end().to_owned()
}

/// `[text](address)` as its text.
fn unlinked(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        let link = after
            .split_once("](")
            .and_then(|(text, tail)| Some((text, tail.split_once(')')?.1)));
        match link {
            Some((text, tail)) if !text.contains('[') => {
                out.push_str(text);
                rest = tail;
            }
            _ => {
                out.push('[');
                rest = after;
            }
        }
    }
    out + rest
}
