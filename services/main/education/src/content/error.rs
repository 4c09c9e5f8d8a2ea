use thiserror::Error;

#[derive(Debug, Error)]
pub enum ContentError {
    #[error("there is no file {0}")]
    NoFile(String),
    #[error("{0}: {1}")]
    In(String, Box<ContentError>),
    #[error("{0}: no head in a ```toml block")]
    NoHead(String),
    #[error("{0}: {1}")]
    Head(String, String),
    #[error("{0}: {1}")]
    Body(String, &'static str),
    #[error("{0} is there twice")]
    Twice(String),
    #[error("{piece}: there is no {kind} '{name}'")]
    Missing {
        piece: String,
        kind: &'static str,
        name: String,
    },
}

impl ContentError {
    pub(crate) fn missing(piece: &str, kind: &'static str, name: &str) -> Self {
        Self::Missing {
            piece: piece.to_owned(),
            kind,
            name: name.to_owned(),
        }
    }
}
