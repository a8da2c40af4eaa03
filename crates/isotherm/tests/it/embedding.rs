//! Coordinates of rows and nodes, seen and new.

use isotherm::base::Normalisation;
use isotherm::data::{Graph, GraphBuilder, Links, Points};
use isotherm::embedding::{Embedding, EmbeddingParams};
use isotherm::estimator::laplacian::{BasisSpec, LaplacianParams};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::linalg::Mat;
use isotherm::model::parts::Array;
use isotherm::monitor::Quiet;
use isotherm::recipe::Scaling;
use isotherm::study::Input;
use isotherm::testing::operator::close;
use isotherm::testing::random;

fn table(rows: usize, seed: u64) -> Points {
    let values = random(rows, 3, seed);
    let cell = |k: usize| [1.0, 5.0, 0.3][k % 3] * values[(k / 3, k % 3)];
    Points::new((0..3 * rows).map(cell).collect(), rows, 3).unwrap()
}

fn stkr(kernel: Option<KernelSpec>, neighbours: Option<usize>) -> EmbeddingParams {
    EmbeddingParams::Stkr {
        kernel,
        neighbours,
        normalisation: None,
    }
}

fn gaussian() -> Option<KernelSpec> {
    Some(KernelSpec::Gaussian {
        bandwidth: Bandwidth::Auto,
    })
}

fn laplacian() -> EmbeddingParams {
    EmbeddingParams::Laplacian(LaplacianParams::default())
}

fn fit(params: &EmbeddingParams, points: &Points, dimensions: usize) -> Embedding {
    let input = Input::Table(points.clone());
    Embedding::fit(
        params,
        input,
        Scaling::Standardise,
        dimensions,
        0,
        &mut Quiet,
    )
    .unwrap()
}

fn ring(nodes: u32, parts: u32) -> Graph {
    let mut builder = GraphBuilder::new(Default::default()).with_nodes((nodes * parts) as usize);
    for part in 0..parts {
        for i in 0..nodes {
            let next = part * nodes + (i + 1) % nodes;
            builder.push(part * nodes + i, next, None).unwrap();
        }
    }
    builder.finish(&mut Quiet).unwrap().0
}

#[test]
fn a_row_has_the_same_coordinates_seen_and_new() {
    let points = table(120, 1);
    for params in [stkr(gaussian(), None), laplacian()] {
        let found = fit(&params, &points, 5);
        let again = found.transform(&points, &mut Quiet).unwrap();
        close("coordinates", &again, found.visible(), 1e-9).unwrap();
        // Mean square λ, large first, and the longest coordinate positive.
        for j in 0..5 {
            let column = found.visible().col(j);
            let square = column.squared_norm_l2() / 120.0;
            let value = found.eigenvalues()[j];
            assert!((square - value).abs() <= 1e-9 * value, "{square} {value}");
            let larger = |m: f64, v: &f64| if v.abs() > m.abs() { *v } else { m };
            assert!(column.iter().fold(0.0, larger) > 0.0);
        }
        assert!(found.eigenvalues().windows(2).all(|w| w[0] >= w[1]));
    }
}

/// `K v = Nλ v` written out: coordinates are √(Nλ) v of the kernel itself.
#[test]
fn the_encoder_is_the_papers() {
    let points = table(40, 2);
    let kernel = KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(1.5),
    };
    let params = stkr(Some(kernel), None);
    let input = Input::Table(points.clone());
    let found = Embedding::fit(&params, input, Scaling::None, 40, 0, &mut Quiet);
    // All 40 modes give the kernel back: Ψ Ψᵀ = K.
    let found = found.unwrap();
    let gram = Mat::from_fn(40, 40, |i, j| {
        let (here, there) = (points.row(i), points.row(j));
        let pairs = here.iter().zip(there.iter());
        let square: f64 = pairs.map(|(a, b)| (a - b) * (a - b)).sum();
        (-square / (2.0 * 1.5 * 1.5)).exp()
    });
    let psi = found.visible();
    close("K", &(psi * psi.transpose()), &gram, 1e-9).unwrap();
    // And at new rows it is the kernel between them and the rows seen.
    let new = table(9, 3);
    let cross = Mat::from_fn(9, 40, |i, j| {
        let (here, there) = (new.row(i), points.row(j));
        let pairs = here.iter().zip(there.iter());
        let square: f64 = pairs.map(|(a, b)| (a - b) * (a - b)).sum();
        (-square / (2.0 * 1.5 * 1.5)).exp()
    });
    let there = found.transform(&new, &mut Quiet).unwrap();
    close("K(new, seen)", &(&there * psi.transpose()), &cross, 1e-6).unwrap();
}

#[test]
fn the_order_of_the_rows_moves_the_rows_and_nothing_else() {
    let points = table(150, 4);
    let order: Vec<usize> = (0..150).map(|i| (7 * i + 3) % 150).collect();
    let moved = points.select(&order).unwrap();
    for params in [stkr(gaussian(), None), stkr(None, Some(12))] {
        let (here, there) = (fit(&params, &points, 4), fit(&params, &moved, 4));
        let expected = Mat::from_fn(150, 4, |i, j| here.visible()[(order[i], j)]);
        close("coordinates", there.visible(), &expected, 1e-7).unwrap();
    }
}

#[test]
fn threads_change_no_bit() {
    let points = table(200, 5);
    for params in [stkr(gaussian(), None), stkr(None, Some(10)), laplacian()] {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            pool.install(|| fit(&params, &points, 3).to_parts())
        };
        assert_eq!(with(1), with(3));
    }
}

/// The modes of a ring of N nodes are its waves: λ = cos(2πk/N), each twice.
#[test]
fn a_ring_is_embedded_as_a_circle() {
    let graph = Input::Graph(ring(24, 1));
    let params = stkr(None, None);
    let found = Embedding::fit(&params, graph, Scaling::None, 2, 0, &mut Quiet).unwrap();
    let value = (2.0 * std::f64::consts::PI / 24.0).cos();
    for v in found.eigenvalues() {
        assert!((v - value).abs() < 1e-10, "{v} {value}");
    }
    // All at one distance from the centre: √(2λ).
    for i in 0..24 {
        let (x, y) = (found.visible()[(i, 0)], found.visible()[(i, 1)]);
        assert!((x.hypot(y) - (2.0 * value).sqrt()).abs() < 1e-9);
    }
    // A new node between two neighbours lies between them.
    let links = Links::new(1, 24, &[(0, 3, 1.0), (0, 4, 1.0)]).unwrap();
    let new = found.transform_nodes(&links, &mut Quiet).unwrap();
    let (a, b) = (found.visible().row(3), found.visible().row(4));
    let middle = Mat::from_fn(1, 2, |_, j| a[j] + b[j]);
    let turn = new[(0, 0)] * middle[(0, 1)] - new[(0, 1)] * middle[(0, 0)];
    let along = new[(0, 0)] * middle[(0, 0)] + new[(0, 1)] * middle[(0, 1)];
    assert!(turn.abs() < 1e-9 && along > 0.0, "{turn} {along}");
    assert!(found.transform(&table(2, 1), &mut Quiet).is_err());
}

#[test]
fn what_cannot_be_embedded_says_why() {
    let say = |params: &EmbeddingParams, input: Input, dimensions: usize| {
        let found = Embedding::fit(params, input, Scaling::None, dimensions, 0, &mut Quiet);
        found.unwrap_err().to_string()
    };
    let rows = || Input::Table(table(20, 1));
    let plain = stkr(None, None);
    let apart = say(&plain, Input::Graph(ring(5, 3)), 1);
    assert!(apart.contains("3 components"), "{apart}");
    // A ring of 8 has cosines 1, ±0.7, 0, −1: two modes beside the constant are positive.
    let many = say(&plain, Input::Graph(ring(8, 1)), 3);
    assert!(many.contains("at most 2"), "{many}");
    let many = say(&stkr(gaussian(), None), rows(), 21);
    assert!(many.contains("at most"), "{many}");
    assert!(say(&plain, rows(), 0).contains("at least 1"));
    assert!(say(&laplacian(), Input::Graph(ring(5, 1)), 1).contains("need rows"));
    assert!(say(&stkr(gaussian(), None), Input::Graph(ring(5, 1)), 1).contains("its own"));
    assert!(say(&stkr(gaussian(), Some(3)), rows(), 1).contains("not joined"));
    let flat = Input::Table(Points::new(vec![1.0; 12], 4, 3).unwrap());
    assert!(say(&plain, flat, 1).contains("all 4 rows are equal"));
    let narrow = fit(&stkr(gaussian(), None), &table(20, 1), 1);
    let wrong = Points::new(vec![1.0], 1, 1).unwrap();
    assert!(narrow.transform(&wrong, &mut Quiet).is_err());
    let links = Links::new(1, 20, &[(0, 3, 1.0)]).unwrap();
    assert!(narrow.transform_nodes(&links, &mut Quiet).is_err());
}

#[test]
fn an_embedding_survives_its_parts() {
    let (points, new) = (table(90, 1), table(11, 2));
    let waves = EmbeddingParams::Laplacian(LaplacianParams {
        basis: BasisSpec::Fourier { count: 30 },
        ..LaplacianParams::default()
    });
    let lazy = EmbeddingParams::Stkr {
        kernel: None,
        neighbours: Some(9),
        normalisation: Some(Normalisation::Lazy),
    };
    let (mut refused, mut read) = (0, 0);
    for params in [stkr(gaussian(), None), lazy, laplacian(), waves] {
        let found = fit(&params, &points, 3);
        let parts = found.to_parts();
        let again = Embedding::from_parts(parts.clone()).unwrap();
        assert_eq!(again.to_parts(), parts);
        assert_eq!(
            again.transform(&new, &mut Quiet).unwrap(),
            found.transform(&new, &mut Quiet).unwrap()
        );
        // Spoilt, it is refused or makes sense, and never panics.
        for name in parts.tensors.keys() {
            for value in [f64::NAN, -1.0, 0.0, 1e300] {
                let mut other = parts.clone();
                match &mut other.tensors.get_mut(name).unwrap().array {
                    Array::F64(v) => v[0] = value,
                    Array::U64(v) => v[0] = value as u64,
                    Array::U32(v) => v[0] = value as u32,
                    _ => continue,
                }
                match Embedding::from_parts(other) {
                    Err(_) => refused += 1,
                    Ok(other) => {
                        read += 1;
                        let _ = other.transform(&new, &mut Quiet);
                    }
                }
            }
            let mut gone = parts.clone();
            gone.tensors.remove(name);
            assert!(Embedding::from_parts(gone).is_err(), "{name}");
        }
        for name in parts.metadata.keys() {
            for text in ["", "{}", "7"] {
                let mut other = parts.clone();
                other.metadata.insert(name.clone(), text.into());
                refused += usize::from(Embedding::from_parts(other).is_err());
            }
        }
    }
    assert!(refused > 50 && read > 10, "{refused} {read}");
}
