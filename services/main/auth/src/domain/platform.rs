//! The kind of client a member joined with.

/// `ios`, `android` or `web`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// The iOS shell.
    Ios,
    /// The Android shell.
    Android,
    /// A browser.
    Web,
}

impl Platform {
    /// Reads the word. What the client could not tell (`unknown`, empty) is nothing: it is worth
    /// knowing and never worth refusing a member for.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Ios, Self::Android, Self::Web]
            .into_iter()
            .find(|platform| platform.as_str() == text)
    }

    /// The word on the wire and in the column.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ios => "ios",
            Self::Android => "android",
            Self::Web => "web",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_not_known_is_nothing() {
        assert_eq!(Platform::parse("ios"), Some(Platform::Ios));
        assert_eq!(Platform::parse("android"), Some(Platform::Android));
        assert_eq!(Platform::parse("web"), Some(Platform::Web));
        assert_eq!(Platform::parse("unknown"), None);
        assert_eq!(Platform::parse(""), None);
    }
}
