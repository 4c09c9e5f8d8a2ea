//! Transfers between a member's own accounts: moving won, opening sub-accounts by the first transfer
//! and closing empty ones, and the history of everything that moved cash without an order.

pub mod close;
pub mod movements;
pub mod sheet;
pub mod transfer;

use kernel::AccountCode;

use crate::accounts::open::AccountChoice;
use crate::error::TradingError;
use crate::refusal::Refusal;

/// The kinds of accounts that a member can transfer between, as a list shows them.
pub(crate) const TRANSFERABLE: [AccountCode; 5] = [
    AccountCode::Basic,
    AccountCode::Stock,
    AccountCode::Coin,
    AccountCode::Cma,
    AccountCode::Commodity,
];

/// # Errors
/// `TRANSFER_NOT_ALLOWED` for contracts and competitions.
fn check_kind(code: AccountCode) -> Result<(), TradingError> {
    if TRANSFERABLE.contains(&code) {
        return Ok(());
    }
    let message = "예금·적금 계좌와 대회 계좌로는 이체할 수 없어요.";
    Err(Refusal::new("TRANSFER_NOT_ALLOWED", message).into())
}

/// An account to transfer to: one that is there, or the sub-account of a code, whether or not it is
/// open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransferTarget {
    Account(AccountChoice),
    SubAccount(AccountCode),
}

impl TransferTarget {
    /// Parses "00", a number or the bare code of a sub-account.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match AccountCode::parse(text) {
            Some(code) if code.is_sub_account() => Some(Self::SubAccount(code)),
            _ if text.is_empty() => None,
            _ => AccountChoice::parse(text).map(Self::Account),
        }
    }

    fn code(&self) -> AccountCode {
        match self {
            Self::Account(choice) => choice.code(),
            Self::SubAccount(code) => *code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_code_names_a_sub_account_and_no_other() {
        let code = |text| TransferTarget::parse(text).map(|target| (target.code(), target));
        assert_eq!(
            code("05"),
            Some((
                AccountCode::Cma,
                TransferTarget::SubAccount(AccountCode::Cma)
            ))
        );
        assert_eq!(
            code("00"),
            Some((
                AccountCode::Basic,
                TransferTarget::Account(AccountChoice::Basic)
            ))
        );
        assert_eq!(code("000000004206").unwrap().0, AccountCode::Commodity);
        for other in ["", "03", "04", "1", "000000004277"] {
            assert_eq!(code(other), None, "{other}");
        }
    }
}
