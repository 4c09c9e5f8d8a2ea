//! A piece of content: a head in a ```` ```toml ```` block, followed by Markdown.

use serde::de::DeserializeOwned;

use super::ContentError;

const OPEN: &str = "```toml\n";
const CLOSE: &str = "\n```";

/// Splits a file in which each piece starts with `## NAME`.
pub(crate) fn sections(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let text = text
        .strip_prefix("## ")
        .or_else(|| Some(text.split_once("\n## ")?.1));
    text.into_iter()
        .flat_map(|text| text.split("\n## "))
        .map(|section| section.split_once('\n').unwrap_or((section, "")))
        .map(|(name, body)| (name.trim(), body))
}

/// Splits a piece into head and text.
pub(crate) fn split<'a, T: DeserializeOwned>(
    name: &str,
    piece: &'a str,
) -> Result<(T, &'a str), ContentError> {
    let head = piece
        .split_once(OPEN)
        .and_then(|(_, rest)| rest.split_once(CLOSE));
    let (head, body) = head.ok_or_else(|| ContentError::NoHead(name.to_owned()))?;
    let head = toml::from_str(head)
        .map_err(|error| ContentError::Head(name.to_owned(), error.to_string()))?;
    Ok((head, body.trim()))
}
