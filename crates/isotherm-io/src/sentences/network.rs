//! Tokens through a transformer, by tract and tokenizers.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use tokenizers::{Tokenizer, TruncationParams};
use tract_onnx::prelude::*;

use super::settings::{Pooling, Settings, unusable};
use crate::error::{Error, Result, clean};

/// A network that reads the tokens of one text at a time.
///
/// Texts are not padded to one length and run together: a text's vector depends on the text
/// alone, to the last bit, and a processor is kept busy by several texts side by side.
pub(super) struct Network {
    path: PathBuf,
    tokenizer: Tokenizer,
    plan: Arc<TypedRunnableModel>,
    /// What each input of the network is.
    inputs: Vec<Given>,
    /// Which of its outputs has the vectors of the tokens.
    output: usize,
    pooling: Pooling,
    dim: usize,
}

/// What a network is given of every token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    Token,
    /// One, because no token is padding.
    Mask,
    /// Zero, because there is one sentence.
    Sentence,
    /// Where it stands.
    Position,
}

impl Given {
    fn of(name: &str) -> Option<Self> {
        match name {
            "input_ids" => Some(Self::Token),
            "attention_mask" => Some(Self::Mask),
            "token_type_ids" => Some(Self::Sentence),
            "position_ids" => Some(Self::Position),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("path", &self.path)
            .field("dim", &self.dim)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// A network from the bytes of its ONNX file and of its tokenizer.
    ///
    /// # Errors
    /// [`Error::Format`] when one of them is damaged, or not what is read here.
    pub(super) fn open(network: &[u8], tokenizer: &[u8], settings: &Settings) -> Result<Self> {
        let path = &settings.network;
        let tokenizer = tokens(tokenizer, settings)?;
        let refuse = |e: TractError| {
            unusable(
                path,
                format!(
                    "the network cannot be read: {}",
                    clean(&format!("{e:#}"), 300)
                ),
                "export the model to ONNX again, as 32-bit floats and in one file",
            )
        };
        let mut model = tract_onnx::onnx()
            .model_for_read(&mut Cursor::new(network))
            .map_err(refuse)?;
        let length = model.symbols.sym("tokens");
        let mut inputs = Vec::new();
        for at in 0..model.inputs.len() {
            let name = model.node(model.inputs[at].node).name.clone();
            let Some(given) = Given::of(&name) else {
                return Err(unusable(
                    path,
                    format!("the network has an input \"{}\"", clean(&name, 60)),
                    "its inputs can be input_ids, attention_mask, token_type_ids and position_ids",
                ));
            };
            let fact = InferenceFact::dt_shape(i64::datum_type(), [1.to_dim(), length.to_dim()]);
            model.set_input_fact(at, fact).map_err(refuse)?;
            inputs.push(given);
        }
        if !inputs.contains(&Given::Token) {
            return Err(unusable(
                path,
                "the network has no input \"input_ids\"",
                "export it as a model that reads tokens",
            ));
        }
        let named = |name: &str| {
            let label = |at: &OutletId| model.outlet_label(*at) == Some(name);
            model.outputs.iter().position(label)
        };
        let output = ["last_hidden_state", "token_embeddings"];
        let output = output.into_iter().find_map(named).unwrap_or(0);
        let plan = model.into_optimized().map_err(refuse)?;
        let plan = plan.into_runnable().map_err(refuse)?;
        let mut made = Self {
            path: path.clone(),
            tokenizer,
            plan,
            inputs,
            output,
            pooling: settings.pooling,
            dim: 0,
        };
        made.dim = made.embed("a")?.len();
        Ok(made)
    }

    /// Numbers of a vector.
    pub(super) fn dim(&self) -> usize {
        self.dim
    }

    /// The vector of a text, of unit length.
    pub(super) fn embed(&self, text: &str) -> Result<Vec<f32>> {
        let tokens = self.tokenizer.encode(text, true).map_err(|e| {
            self.failed(format!(
                "the tokenizer refused a text: {}",
                clean(&e.to_string(), 200)
            ))
        })?;
        let ids = tokens.get_ids();
        let inputs = self.inputs.iter().map(|given| -> TractResult<TValue> {
            let of = |(at, id): (usize, &u32)| match given {
                Given::Token => i64::from(*id),
                Given::Mask => 1,
                Given::Sentence => 0,
                Given::Position => at as i64,
            };
            let row: Vec<i64> = ids.iter().enumerate().map(of).collect();
            Ok(Tensor::from_shape(&[1, row.len()], &row)?.into_tvalue())
        });
        let failed = |e: TractError| self.failed(clean(&format!("{e:#}"), 300));
        let inputs: TVec<TValue> = inputs.collect::<TractResult<_>>().map_err(failed)?;
        let outputs = self.plan.run(inputs).map_err(failed)?;
        let vectors = outputs
            .get(self.output)
            .ok_or_else(|| self.failed("it has no output".to_owned()))?;
        let vectors = vectors.to_plain_array_view::<f32>().map_err(failed)?;
        let shape = vectors.shape().to_vec();
        let [1, rows, width] = shape[..] else {
            return Err(self.failed(format!(
                "its output has the shape {shape:?}, not one vector a token"
            )));
        };
        if rows != ids.len() || width == 0 {
            return Err(self.failed(format!(
                "its output has the shape {shape:?} for {} tokens",
                ids.len()
            )));
        }
        let taken = match self.pooling {
            Pooling::Mean => rows,
            Pooling::First => 1,
        };
        let mut sums = vec![0.0_f64; width];
        for ((_, row, column), value) in vectors
            .into_dimensionality::<tract_ndarray::Ix3>()
            .map_err(|e| self.failed(e.to_string()))?
            .indexed_iter()
        {
            if row < taken {
                sums[column] += f64::from(*value);
            }
        }
        let norm = sums.iter().map(|v| v * v).sum::<f64>().sqrt();
        if !norm.is_finite() {
            return Err(self.failed("it gave a number that is not finite".to_owned()));
        }
        // A vector of zeros has no direction and stays what it is.
        let scale = if norm > 0.0 { 1.0 / norm } else { 0.0 };
        Ok(sums.iter().map(|v| (v * scale) as f32).collect())
    }

    fn failed(&self, problem: String) -> Error {
        unusable(
            &self.path,
            format!("the network cannot be run: {problem}"),
            "export the model to ONNX again, with the last hidden state of every token as output",
        )
    }
}

/// The tokenizer, without padding and cut at the most tokens that the model reads.
fn tokens(bytes: &[u8], settings: &Settings) -> Result<Tokenizer> {
    let refuse = |e: tokenizers::Error| {
        unusable(
            &settings.tokenizer,
            format!(
                "the tokenizer cannot be read: {}",
                clean(&e.to_string(), 200)
            ),
            "copy the tokenizer.json of the model again",
        )
    };
    let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(refuse)?;
    tokenizer.with_padding(None);
    let truncation = TruncationParams {
        max_length: settings.longest,
        ..TruncationParams::default()
    };
    tokenizer
        .with_truncation(Some(truncation))
        .map_err(refuse)?;
    Ok(tokenizer)
}
