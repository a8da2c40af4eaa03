//! Labels beside what was predicted without them.

/// Class labels and predictions of some rows; `None` is a row that nothing reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    truth: Vec<u32>,
    predicted: Vec<Option<u32>>,
    classes: usize,
}

impl Judged {
    /// One entry a row; a prediction that is missing is wrong.
    pub fn new(truth: Vec<u32>, predicted: Vec<Option<u32>>, classes: usize) -> Self {
        Self {
            truth,
            predicted,
            classes,
        }
    }

    /// How many rows.
    pub(crate) fn len(&self) -> usize {
        self.truth.len().min(self.predicted.len())
    }

    /// Whether row i is right.
    pub(crate) fn is_right(&self, i: usize) -> bool {
        self.predicted[i] == Some(self.truth[i])
    }

    /// How many rows are right.
    pub(crate) fn right(&self) -> usize {
        (0..self.len()).filter(|&i| self.is_right(i)).count()
    }

    /// The share of rows that are right.
    pub fn accuracy(&self) -> f64 {
        self.right() as f64 / self.len() as f64
    }

    /// Chosen rows, repeats allowed.
    #[must_use]
    pub fn pick(&self, rows: &[usize]) -> Self {
        Self {
            truth: rows.iter().map(|&i| self.truth[i]).collect(),
            predicted: rows.iter().map(|&i| self.predicted[i]).collect(),
            classes: self.classes,
        }
    }

    /// Rows of class a predicted as class b, `confusion[a][b]`; the last column counts
    /// rows without a prediction.
    pub fn confusion(&self) -> Vec<Vec<usize>> {
        let mut table = vec![vec![0; self.classes + 1]; self.classes];
        for (t, p) in self.truth.iter().zip(&self.predicted) {
            let column = p.map_or(self.classes, |p| p as usize);
            if let Some(cell) = table
                .get_mut(*t as usize)
                .and_then(|row| row.get_mut(column))
            {
                *cell += 1;
            }
        }
        table
    }

    /// The mean over classes of `2·right/(rows + predicted)`, over the classes that
    /// occur among labels or predictions.
    pub(crate) fn macro_f1(&self) -> f64 {
        let table = self.confusion();
        let mut sum = 0.0;
        let mut occur = 0;
        for (c, row) in table.iter().enumerate() {
            let rows: usize = row.iter().sum();
            let predicted: usize = table.iter().map(|other| other[c]).sum();
            if rows + predicted > 0 {
                occur += 1;
                sum += 2.0 * row[c] as f64 / (rows + predicted) as f64;
            }
        }
        match occur {
            0 => 0.0,
            n => sum / f64::from(n),
        }
    }
}
