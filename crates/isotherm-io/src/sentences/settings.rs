//! The files of a sentence model, and what they say of pooling and lengths.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::{Error, Result, clean};

/// Where the ONNX file may be in the folder, the first that is there.
const NETWORKS: [&str; 2] = ["model.onnx", "onnx/model.onnx"];

/// Tokens of a text that are read where nothing says how many.
const LONGEST: usize = 512;

/// How the vectors of tokens become the vector of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pooling {
    /// Their mean.
    Mean,
    /// The vector of the first one.
    First,
}

impl Pooling {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::First => "first",
        }
    }
}

/// A folder with a sentence model.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) network: PathBuf,
    pub(crate) tokenizer: PathBuf,
    pub(crate) pooling: Pooling,
    /// Most tokens of a text that are read.
    pub(crate) longest: usize,
}

/// A sentence model that cannot be used.
pub(crate) fn unusable(path: &Path, problem: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::format_as("sentence-model", path, None, problem, hint)
}

impl Settings {
    /// Finds the files and reads what they say.
    ///
    /// # Errors
    /// [`Error::Format`] where a file is missing, or asks for what is not done here.
    pub(crate) fn of(dir: &Path) -> Result<Self> {
        let about = std::fs::metadata(dir).map_err(|e| Error::io(dir, "open", e))?;
        if !about.is_dir() {
            return Err(unusable(
                dir,
                "a sentence model is a folder, and this is a file",
                "give the folder that holds model.onnx and tokenizer.json",
            ));
        }
        let there = |name: &&str| dir.join(name).is_file();
        let Some(network) = NETWORKS.iter().find(|name| there(name)) else {
            return Err(unusable(
                dir,
                format!("the folder has no {}", NETWORKS.join(" and no ")),
                "export the model to ONNX, for example with `optimum-cli export onnx`, or give \
                 the folder that holds the ONNX file and tokenizer.json",
            ));
        };
        let tokenizer = dir.join("tokenizer.json");
        if !tokenizer.is_file() {
            return Err(unusable(
                dir,
                "the folder has no tokenizer.json",
                "copy the tokenizer.json of the same model into the folder",
            ));
        }
        check_modules(dir)?;
        Ok(Self {
            network: dir.join(network),
            tokenizer,
            pooling: pooling(dir)?,
            longest: longest(dir)?,
        })
    }
}

/// A JSON file of the folder, if it is there.
fn json(dir: &Path, name: &str) -> Result<Option<Value>> {
    let path = dir.join(name);
    if !path.is_file() {
        return Ok(None);
    }
    let bytes = std::fs::read(&path).map_err(|e| Error::io(&path, "read", e))?;
    serde_json::from_slice(&bytes).map(Some).map_err(|e| {
        unusable(
            &path,
            format!("the file is not JSON: {}", clean(&e.to_string(), 200)),
            "copy the model's folder again",
        )
    })
}

/// Refuses a model with a layer after the pooling other than to unit length.
fn check_modules(dir: &Path) -> Result<()> {
    let modules = json(dir, "modules.json")?;
    let kinds = (modules
        .iter()
        .flat_map(|m| m.as_array().into_iter().flatten()))
    .filter_map(|module| module["type"].as_str()?.rsplit('.').next());
    for kind in kinds {
        if !["Transformer", "Pooling", "Normalize"].contains(&kind) {
            return Err(unusable(
                &dir.join("modules.json"),
                format!("the model has a layer of the kind \"{}\"", clean(kind, 60)),
                "use a model of a transformer, a pooling and a normalisation, such as \
                 all-MiniLM-L6-v2",
            ));
        }
    }
    Ok(())
}

fn pooling(dir: &Path) -> Result<Pooling> {
    const FILE: &str = "1_Pooling/config.json";
    let Some(said) = json(dir, FILE)? else {
        return Ok(Pooling::Mean);
    };
    let on = |mode: &str| said[mode].as_bool() == Some(true);
    let known = [
        ("pooling_mode_mean_tokens", Pooling::Mean),
        ("pooling_mode_cls_token", Pooling::First),
    ];
    let modes = said.as_object().into_iter().flatten();
    let chosen: Vec<&String> = modes
        .filter(|(name, value)| name.starts_with("pooling_mode_") && **value == Value::Bool(true))
        .map(|(name, _)| name)
        .collect();
    match known.into_iter().find(|(mode, _)| on(mode)) {
        Some((_, pooling)) if chosen.len() == 1 => Ok(pooling),
        _ => Err(unusable(
            &dir.join(FILE),
            "the model pools neither by the mean nor by the first token alone",
            "use a model that does, such as all-MiniLM-L6-v2",
        )),
    }
}

/// How many tokens the model reads: what sentence-transformers was told, or what the network
/// has positions for.
fn longest(dir: &Path) -> Result<usize> {
    let says = [
        ("sentence_bert_config.json", "max_seq_length"),
        ("config.json", "max_position_embeddings"),
    ];
    for (file, key) in says {
        let said = json(dir, file)?.and_then(|said| said[key].as_u64());
        match said.map(|n| usize::try_from(n).unwrap_or(usize::MAX)) {
            Some(n @ 8..) => return Ok(n.min(LONGEST)),
            Some(n) => {
                return Err(unusable(
                    &dir.join(file),
                    format!("\"{key}\" is {n}, and texts need at least 8 tokens"),
                    "copy the model's folder again",
                ));
            }
            None => {}
        }
    }
    Ok(LONGEST)
}
