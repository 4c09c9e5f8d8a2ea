//! Pictures: what members upload is decoded, stripped of everything but its pixels and encoded
//! anew in two sizes ([`render`], on the threads of [`decoding`]), and kept in an object store ([`files`]).
//! [`upload`] does both; [`removal`] removes what no text has.

pub mod decoding;
pub mod files;
mod jpeg_check;
pub mod removal;
pub mod render;
pub mod upload;

/// A larger upload is refused while it arrives.
pub const MAX_BYTES: usize = 5 * 1024 * 1024;

/// The sizes in which a picture is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// At most [`render::FULL_SIDE`] pixels long.
    Full,
    /// At most [`render::THUMB_WIDTH`] pixels wide.
    Thumb,
}

impl Size {
    pub const ALL: [Self; 2] = [Self::Full, Self::Thumb];

    /// In the names of files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "1920",
            Self::Thumb => "446",
        }
    }
}

/// All files are JPEG, whatever was uploaded.
pub const CONTENT_TYPE: &str = "image/jpeg";
