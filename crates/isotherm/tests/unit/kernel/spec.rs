#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::kernel::{Bandwidth, KernelSpec, Smoothness};

fn parse(text: &str) -> Result<KernelSpec, String> {
    serde_json::from_str(text).map_err(|e| e.to_string())
}

fn all() -> Vec<KernelSpec> {
    let named = KernelSpec::NAMES.iter().map(|name| KernelSpec::named(name));
    named.map(|spec| spec.unwrap().resolved(1.5)).collect()
}

#[test]
fn every_kernel_has_a_name_and_a_row_in_the_guide() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/kernels.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    for name in KernelSpec::NAMES {
        let spec = KernelSpec::named(name).unwrap();
        let row = format!("| `{}` |", spec.name());
        assert!(guide.contains(&row), "{name} has no row in the guide");
        assert!(name.starts_with(spec.name()), "{name}");
        assert_eq!(spec.has_bandwidth(), spec.needs_bandwidth());
    }
    assert_eq!(KernelSpec::named("gauss"), None);
}

#[test]
fn what_is_written_is_read_back() {
    for spec in all().into_iter().chain([KernelSpec::default()]) {
        let text = serde_json::to_string(&spec).unwrap();
        assert_eq!(parse(&text).unwrap(), spec, "{text}");
        assert!(text.contains(&format!("\"kind\":\"{}\"", spec.name())));
    }
}

#[test]
fn bandwidth_is_auto_unless_said() {
    assert_eq!(
        parse(r#"{"kind":"gaussian"}"#).unwrap(),
        KernelSpec::default()
    );
    assert_eq!(
        parse(r#"{"kind":"gaussian","bandwidth":"auto"}"#).unwrap(),
        KernelSpec::default()
    );
    assert_eq!(
        parse(r#"{"kind":"matern","smoothness":"5/2","bandwidth":2}"#).unwrap(),
        KernelSpec::Matern {
            smoothness: Smoothness::FiveHalves,
            bandwidth: Bandwidth::Fixed(2.0)
        }
    );
}

#[test]
fn what_is_not_understood_is_refused() {
    for bad in [
        r#"{"kind":"gaussian","bandwith":1}"#,
        r#"{"kind":"linear","bandwidth":1}"#,
        r#"{"kind":"gauss"}"#,
        r#"{"kind":"gaussian","bandwidth":-1}"#,
        r#"{"kind":"gaussian","bandwidth":"wide"}"#,
        r#"{"kind":"matern","smoothness":"7/2"}"#,
    ] {
        assert!(parse(bad).is_err(), "{bad}");
    }
    let message = parse(r#"{"kind":"gaussian","bandwidth":-1}"#).unwrap_err();
    assert!(
        message.contains("bandwidth must be \"auto\" or a positive number, got -1.0"),
        "{message}"
    );
}

#[test]
fn auto_has_to_be_resolved_before_the_kernel_is_built() {
    let spec = KernelSpec::default();
    assert!(spec.needs_bandwidth());
    let message = spec.build().unwrap_err().to_string();
    assert!(
        message.starts_with("bandwidth must be a number by the time"),
        "{message}"
    );
    let spec = spec.resolved(0.7);
    assert!(!spec.needs_bandwidth());
    assert_eq!(
        spec,
        KernelSpec::Gaussian {
            bandwidth: Bandwidth::Fixed(0.7)
        }
    );
    spec.build().unwrap();
    // A bandwidth that was given stays.
    assert_eq!(spec.clone().resolved(3.0), spec);
}

#[test]
fn every_kernel_is_built_and_those_without_a_gradient_are_refused_for_it() {
    for spec in all() {
        assert!(!spec.needs_bandwidth());
        spec.build().unwrap();
        match spec.name() {
            name @ ("exponential" | "laplace" | "cosine") => {
                let message = spec.build_smooth().unwrap_err().to_string();
                let begins = format!("the {name} kernel has no gradient at ");
                assert!(message.starts_with(&begins), "{message}");
                // Those that have one.
                for other in all() {
                    let smooth = other.build_smooth().is_ok();
                    let mut words = message.split([' ', ',', ';', ':']);
                    let named = words.any(|word| word == other.name());
                    assert_eq!(named, smooth || other == spec, "{message}");
                }
            }
            _ => {
                let (smooth, plain) = (spec.build_smooth().unwrap(), spec.build().unwrap());
                assert_eq!(smooth.at(0.3), plain.at(0.3));
            }
        }
    }
}
