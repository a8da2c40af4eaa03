//! Every way a command can end badly, and how it is told.

use std::process::ExitCode;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    /// A stable short word a program can match on.
    pub(crate) code: &'static str,
    /// What, where, the value.
    pub(crate) message: String,
    /// The way out.
    pub(crate) hint: Option<String>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Refused,
    Usage,
    Cancelled,
    Silent,
}

/// A command's result.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// The data or the run failed: exit code 1.
    pub(crate) fn refused(
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            code,
            message: message.into(),
            hint: Some(hint.into()),
            kind: Kind::Refused,
        }
    }

    /// The words on the command line do not fit together: exit code 2.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            kind: Kind::Usage,
            ..Self::refused("usage", message, hint)
        }
    }

    /// 1 refused, 2 usage, 130 cancelled; a closed pipe is no failure.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self.kind {
            Kind::Refused => ExitCode::from(1),
            Kind::Usage => ExitCode::from(2),
            Kind::Cancelled => ExitCode::from(130),
            Kind::Silent => ExitCode::SUCCESS,
        }
    }

    /// Whether there is nobody left to tell.
    pub(crate) fn is_silent(&self) -> bool {
        self.kind == Kind::Silent
    }

    fn cancelled() -> Self {
        Self {
            code: "cancelled",
            message: "stopped; nothing was written".to_owned(),
            hint: None,
            kind: Kind::Cancelled,
        }
    }
}

impl From<isotherm::Error> for Failure {
    fn from(error: isotherm::Error) -> Self {
        use isotherm::Error as E;
        let code = match &error {
            E::Cancelled { .. } => return Self::cancelled(),
            E::Parameter { .. } => "parameter",
            E::Shape { .. } => "shape",
            E::Data { .. } => "data",
            E::Value { .. } => "value",
            E::Label { .. } => "label",
            E::Edge { .. } => "edge",
            E::Indefinite { .. } => "indefinite",
            E::NotFinite { .. } => "not-finite",
            E::Memory { .. } => "memory",
            _ => "refused",
        };
        // The library's messages end in their way out, after the last semicolon.
        let text = error.to_string();
        match text.rsplit_once("; ") {
            Some((message, hint)) => Self::refused(code, message, hint),
            None => Self {
                hint: None,
                ..Self::refused(code, text, "")
            },
        }
    }
}

impl From<isotherm_io::Error> for Failure {
    fn from(error: isotherm_io::Error) -> Self {
        match error {
            isotherm_io::Error::Cancelled { .. } => Self::cancelled(),
            isotherm_io::Error::BrokenPipe { .. } => Self {
                kind: Kind::Silent,
                ..Self::refused("broken-pipe", "", "")
            },
            isotherm_io::Error::Core(error) => error.into(),
            other => Self {
                code: other.code(),
                message: other.to_string(),
                hint: other.hint(),
                kind: Kind::Refused,
            },
        }
    }
}
