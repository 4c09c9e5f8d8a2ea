//! The words of posts and comments in columns.

/// What a post is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    Free,
    Stock,
    Coin,
    Product,
    Study,
    /// Written by the operator alone.
    Notice,
}

impl Category {
    pub const ALL: [Self; 6] = [
        Self::Free,
        Self::Stock,
        Self::Coin,
        Self::Product,
        Self::Study,
        Self::Notice,
    ];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Free => "FREE",
            Self::Stock => "STOCK",
            Self::Coin => "COIN",
            Self::Product => "PRODUCT",
            Self::Study => "STUDY",
            Self::Notice => "NOTICE",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publication {
    Published,
    /// Waits for a decision; only its author sees it.
    Held,
    /// After reports; only its author sees it.
    Hidden,
}

impl Publication {
    const ALL: [Self; 3] = [Self::Published, Self::Held, Self::Hidden];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Published => "PUBLISHED",
            Self::Held => "HELD",
            Self::Hidden => "HIDDEN",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

/// An instrument that a post is about.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct Tag {
    pub code: String,
    pub is_held: bool,
}

pub const MAX_TAGS: usize = 5;
const MAX_CODE: usize = 20;

/// Whether the tags could be instruments: few, different, and with codes as the markets have them.
#[must_use]
pub fn are_tags(tags: &[Tag]) -> bool {
    let is_code = |code: &str| {
        let is_mark = |byte: u8| byte.is_ascii_alphanumeric() || b"-._=^".contains(&byte);
        (1..=MAX_CODE).contains(&code.len()) && code.bytes().all(is_mark)
    };
    let mut codes: Vec<&str> = tags.iter().map(|tag| tag.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    tags.len() <= MAX_TAGS && codes.len() == tags.len() && codes.iter().all(|code| is_code(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(codes: &[&str]) -> Vec<Tag> {
        let tag = |code: &&str| Tag {
            code: (*code).to_owned(),
            is_held: false,
        };
        codes.iter().map(tag).collect()
    }

    #[test]
    fn tags_are_few_different_codes() {
        for good in [&[][..], &["005930"], &["KRW-BTC", "BRK.B", "GC=F"]] {
            assert!(are_tags(&tags(good)), "{good:?}");
        }
        for bad in [
            &["005930", "005930"][..],
            &[""],
            &["삼성전자"],
            &["0059 30"],
            &["A23456789012345678901"],
            &["1", "2", "3", "4", "5", "6"],
        ] {
            assert!(!are_tags(&tags(bad)), "{bad:?}");
        }
    }
}
