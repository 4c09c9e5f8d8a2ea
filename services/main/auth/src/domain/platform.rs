//! The client a member joined with.

/// `ios`, `android` or `web`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    Ios,
    Android,
    Web,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownPlatform;

impl Platform {
    /// `None` for an empty value.
    ///
    /// # Errors
    /// [`UnknownPlatform`] for any other value.
    pub fn parse(text: &str) -> Result<Option<Self>, UnknownPlatform> {
        if text.is_empty() {
            return Ok(None);
        }
        [Self::Ios, Self::Android, Self::Web]
            .into_iter()
            .find(|platform| platform.as_str() == text)
            .map(Some)
            .ok_or(UnknownPlatform)
    }

    /// The value on the wire and in the column.
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
    fn only_the_three_kinds_and_nothing_are_read() {
        assert_eq!(Platform::parse("ios"), Ok(Some(Platform::Ios)));
        assert_eq!(Platform::parse("android"), Ok(Some(Platform::Android)));
        assert_eq!(Platform::parse("web"), Ok(Some(Platform::Web)));
        assert_eq!(Platform::parse(""), Ok(None));
        for other in ["unknown", "iOS", "web ", "ios\0"] {
            assert_eq!(Platform::parse(other), Err(UnknownPlatform), "{other:?}");
        }
    }
}
