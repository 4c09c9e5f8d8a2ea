//! Account codes and numbers (`actTcd`, `acno`).

use serde::{Deserialize, Serialize};

use crate::code::AssetKind;
use crate::text::checked_text;

/// The kind of an account: the last two digits of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AccountCode {
    /// 기본: every member has one; trades every kind of asset.
    #[serde(rename = "00")]
    Basic,
    /// Stocks only.
    #[serde(rename = "01")]
    Stock,
    /// Coins only.
    #[serde(rename = "02")]
    Coin,
    /// One deposit contract.
    #[serde(rename = "03")]
    Deposit,
    /// One savings contract.
    #[serde(rename = "04")]
    Save,
    /// CMA: daily interest.
    #[serde(rename = "05")]
    Cma,
    /// Gold only.
    #[serde(rename = "06")]
    Commodity,
    /// One competition event.
    #[serde(rename = "99")]
    Competition,
}

impl AccountCode {
    pub const ALL: [Self; 8] = [
        Self::Basic,
        Self::Stock,
        Self::Coin,
        Self::Deposit,
        Self::Save,
        Self::Cma,
        Self::Commodity,
        Self::Competition,
    ];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Basic => "00",
            Self::Stock => "01",
            Self::Coin => "02",
            Self::Deposit => "03",
            Self::Save => "04",
            Self::Cma => "05",
            Self::Commodity => "06",
            Self::Competition => "99",
        }
    }

    /// Whether an account of this kind may trade the kind of asset.
    #[must_use]
    pub fn may_hold(self, kind: AssetKind) -> bool {
        match self {
            Self::Basic => true,
            Self::Stock | Self::Competition => matches!(kind, AssetKind::Stock | AssetKind::Etf),
            Self::Coin => kind == AssetKind::Coin,
            Self::Commodity => kind == AssetKind::Gold,
            Self::Deposit | Self::Save | Self::Cma => false,
        }
    }

    /// Whether it is opened by the first transfer to it, at most one at a time for each member.
    #[must_use]
    pub fn is_sub_account(self) -> bool {
        matches!(self, Self::Stock | Self::Coin | Self::Cma | Self::Commodity)
    }

    /// `None` for unknown digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == text)
    }
}

/// A twelve-digit account number: a ten-digit sequence, then its [`AccountCode`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AccountNo(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("acno must be 12 digits that end in an account code")]
pub struct InvalidAccountNo;

impl AccountNo {
    /// # Errors
    /// [`InvalidAccountNo`] for anything else.
    pub fn parse(text: &str) -> Result<Self, InvalidAccountNo> {
        let digits = text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit());
        let code = text.get(10..).and_then(AccountCode::parse);
        if digits && code.is_some() {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidAccountNo)
        }
    }

    /// `sequence` is 1 to 9,999,999,999.
    ///
    /// # Errors
    /// [`InvalidAccountNo`] for any other sequence.
    pub fn number(sequence: i64, code: AccountCode) -> Result<Self, InvalidAccountNo> {
        if (1..=9_999_999_999).contains(&sequence) {
            Ok(Self(format!("{sequence:010}{}", code.as_str())))
        } else {
            Err(InvalidAccountNo)
        }
    }

    /// The kind of the account.
    #[must_use]
    pub fn code(&self) -> AccountCode {
        // The digits were checked when the number was made.
        let code = self.0.get(10..).and_then(AccountCode::parse);
        code.unwrap_or(AccountCode::Basic)
    }
}

checked_text!(AccountNo, InvalidAccountNo);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_in_its_code() {
        let number = AccountNo::number(42, AccountCode::Basic).unwrap();
        assert_eq!(number.as_str(), "000000004200");
        assert_eq!(AccountNo::parse("000000004200"), Ok(number.clone()));
        assert_eq!(number.code(), AccountCode::Basic);
        let gold = AccountNo::number(42, AccountCode::Commodity).unwrap();
        assert_eq!(
            (gold.as_str(), gold.code()),
            ("000000004206", AccountCode::Commodity)
        );
    }

    #[test]
    fn other_texts_are_no_account_numbers() {
        for text in [
            "",
            "00",
            "00000000420",
            "000000004277",
            "00000000420a",
            "０００００００００４２００",
            "0000000042000",
        ] {
            assert_eq!(AccountNo::parse(text), Err(InvalidAccountNo), "{text:?}");
        }
        assert_eq!(
            AccountNo::number(0, AccountCode::Basic),
            Err(InvalidAccountNo)
        );
        assert_eq!(
            AccountNo::number(10_000_000_000, AccountCode::Basic),
            Err(InvalidAccountNo)
        );
    }
}
