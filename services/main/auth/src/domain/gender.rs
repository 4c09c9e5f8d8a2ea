//! The gender a member may give.

/// `M` or `F`; it may also be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gender {
    Male,
    Female,
}

/// The text is neither `M`, `F` nor empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidGender;

impl Gender {
    /// Reads the letter; nothing for an empty text.
    ///
    /// # Errors
    /// [`InvalidGender`] for any other text.
    pub fn parse(text: &str) -> Result<Option<Self>, InvalidGender> {
        match text {
            "" => Ok(None),
            "M" => Ok(Some(Self::Male)),
            "F" => Ok(Some(Self::Female)),
            _ => Err(InvalidGender),
        }
    }

    /// The letter on the wire and in the column.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Male => "M",
            Self::Female => "F",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_letters_or_nothing_are_read() {
        assert_eq!(Gender::parse(""), Ok(None));
        assert_eq!(Gender::parse("M"), Ok(Some(Gender::Male)));
        assert_eq!(Gender::parse("F"), Ok(Some(Gender::Female)));
        for text in ["m", "W", "MF", "남", "\0"] {
            assert_eq!(Gender::parse(text), Err(InvalidGender), "{text:?}");
        }
    }
}
