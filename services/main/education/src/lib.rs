//! Educational content: themes, quizzes, articles and glossary terms.
//!
//! The content is Markdown files with typed heads below `content/`, whose README describes the
//! format. [`Content::read`] reads a whole folder and rejects an inconsistent one, so a [`Content`]
//! contains no quiz without an answer and no link without a target.

pub mod content;

pub use content::Content;
