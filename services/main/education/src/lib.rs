//! What members learn from: themes, quizzes, articles and glossary terms.
//!
//! The content is written as Markdown files with typed heads below `content/`, whose README gives
//! the format. [`Content::read`] reads a whole folder and refuses one that does not fit together,
//! so whoever holds a [`Content`] never meets a quiz without an answer or a link without a target.

pub mod content;

pub use content::Content;
