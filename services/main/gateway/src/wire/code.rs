//! Codes of instruments, account numbers and search texts, checked when they are deserialized.

use std::collections::HashSet;

use kernel::{AccountCode, AccountNo};
use serde::Deserialize;
use utoipa::ToSchema;

macro_rules! text_parameter {
    ($(#[$doc:meta])* $name:ident($($schema:tt)*), $message:literal, $accepts:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
        #[serde(try_from = "String")]
        #[schema(value_type = String, $($schema)*)]
        pub(crate) struct $name(String);

        impl $name {
            pub(crate) fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = &'static str;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                let accepts: fn(&str) -> bool = $accepts;
                let read = Self(text);
                if accepts(read.as_str()) { Ok(read) } else { Err($message) }
            }
        }

        impl From<$name> for String {
            fn from(read: $name) -> Self {
                read.0
            }
        }
    };
}

pub(crate) use text_parameter;

text_parameter!(
    /// An instrument's code, for example `005930`, `AAPL`, `KRW-BTC`.
    Code(pattern = "^[A-Za-z0-9.-]{1,20}$"),
    "종목 코드가 올바르지 않아요",
    |text| (1..=20).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
);

text_parameter!(
    /// Codes of instruments with commas between them: at most 100, each once.
    Codes(pattern = "^[A-Za-z0-9.-]{1,20}(,[A-Za-z0-9.-]{1,20}){0,99}$"),
    "종목 코드는 서로 다른 것으로 100개까지 쉼표로 나눠 보내 주세요",
    |text| {
        let codes: Vec<&str> = text.split(',').collect();
        let distinct: HashSet<&str> = codes.iter().copied().collect();
        let are_codes = codes.iter().all(|code| Code::try_from((*code).to_owned()).is_ok());
        are_codes && codes.len() <= 100 && distinct.len() == codes.len()
    }
);

text_parameter!(
    /// An account: twelve digits, or `00` for one's basic and `99` for one's competition account.
    Acno(pattern = "^(00|99|[0-9]{12})$"),
    "계좌번호가 올바르지 않아요",
    |text| {
        let short = AccountCode::parse(text);
        matches!(short, Some(AccountCode::Basic | AccountCode::Competition))
            || AccountNo::parse(text).is_ok()
    }
);

text_parameter!(
    /// An account to transfer to: as an account number, or the bare code of a sub-account (`01`
    /// stocks, `02` coins, `05` CMA, `06` commodities).
    TargetAcno(pattern = "^(00|01|02|05|06|99|[0-9]{12})$"),
    "계좌번호가 올바르지 않아요",
    |text| {
        AccountCode::parse(text).is_some_and(AccountCode::is_sub_account)
            || Acno::try_from(text.to_owned()).is_ok()
    }
);

text_parameter!(
    /// What lets a member into a league.
    InviteCode(pattern = "^[A-Z2-9]{8}$"),
    "초대 코드가 올바르지 않아요",
    |text| {
        let is_known = |byte: u8| byte.is_ascii_uppercase() || (b'2'..=b'9').contains(&byte);
        text.len() == 8 && text.bytes().all(is_known)
    }
);

text_parameter!(
    /// What is searched for: at most 50 characters.
    SearchText(max_length = 50),
    "검색어는 50자까지예요",
    |text| text.chars().count() <= 50 && !text.contains('\0')
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_every_market_are_accepted() {
        for good in ["005930", "AAPL", "BRK.B", "KRW-BTC", "04020000", "0000D0"] {
            assert!(Code::try_from(good.to_owned()).is_ok(), "{good}");
        }
        for bad in [
            "",
            "a/b",
            "a b",
            "삼성전자",
            "';--",
            "\0",
            "A".repeat(21).as_str(),
        ] {
            assert!(Code::try_from(bad.to_owned()).is_err(), "{bad:?}");
        }
    }
}
