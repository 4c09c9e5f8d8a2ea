#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consents {
    pub terms: bool,
    /// The collection and use of personal data.
    pub privacy: bool,
    /// "만 14세 이상이에요".
    pub age14: bool,
    /// Advertising; optional.
    pub marketing: bool,
}

/// A required consent is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConsentMissing;

impl Consents {
    /// Checks the required consents.
    ///
    /// # Errors
    /// [`ConsentMissing`] when one is missing.
    pub fn require(self) -> Result<Self, ConsentMissing> {
        if self.terms && self.privacy && self.age14 {
            Ok(self)
        } else {
            Err(ConsentMissing)
        }
    }

    /// The given consents, as stored in the `consent` table.
    #[must_use]
    pub fn given(self) -> Vec<&'static str> {
        [
            ("terms", self.terms),
            ("privacy", self.privacy),
            ("age14", self.age14),
            ("marketing", self.marketing),
        ]
        .into_iter()
        .filter_map(|(name, ticked)| ticked.then_some(name))
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_boxes_are_required_and_marketing_is_not() {
        let all = Consents {
            terms: true,
            privacy: true,
            age14: true,
            marketing: false,
        };
        assert_eq!(all.require(), Ok(all));
        assert_eq!(all.given(), ["terms", "privacy", "age14"]);
        for missing in [
            Consents {
                terms: false,
                ..all
            },
            Consents {
                privacy: false,
                ..all
            },
            Consents {
                age14: false,
                ..all
            },
        ] {
            assert_eq!(missing.require(), Err(ConsentMissing));
        }
    }
}
