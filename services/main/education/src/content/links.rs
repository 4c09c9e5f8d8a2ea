//! References in a text: `[[term]]`, `[[term|as shown]]` and `{{rule name argument}}`.

/// A reference to a value of the product's tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference<'a> {
    /// `rule`, `rate`, `fact` or `calc`.
    pub table: &'a str,
    pub name: &'a str,
    pub arguments: Vec<&'a str>,
}

/// The linked glossary terms, in order.
pub fn terms(text: &str) -> impl Iterator<Item = &str> {
    between(text, "[[", "]]").map(|link| link.split_once('|').map_or(link, |(word, _)| word))
}

/// The referenced table values, in order.
pub fn references(text: &str) -> impl Iterator<Item = Reference<'_>> {
    between(text, "{{", "}}").map(|inner| {
        let mut words = inner.split_whitespace();
        Reference {
            table: words.next().unwrap_or_default(),
            name: words.next().unwrap_or_default(),
            arguments: words.collect(),
        }
    })
}

fn between<'a>(text: &'a str, open: &'a str, close: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(open)
        .skip(1)
        .filter_map(move |rest| Some(rest.split_once(close)?.0))
}
