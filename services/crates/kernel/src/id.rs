//! Typed row ids, so that an order id cannot be passed as a member id.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "db", derive(sea_orm::DeriveValueType))]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl From<i64> for $name {
            fn from(value: i64) -> Self {
                Self(value)
            }
        }
    };
}

id!(
    /// A member (`memberSid`). Members who join are numbered from 100000.
    MemberId
);
id!(
    /// A money account. Internal; members see the [`crate::AccountNo`].
    AccountId
);
id!(
    /// An order (`orderSid`).
    OrderId
);
id!(
    /// One execution of an order (`fillSid`).
    FillId
);

impl MemberId {
    /// The operator, shown as 운영자. Permissions come from a role, never from this id.
    pub const OPERATOR: Self = Self(23488);

    /// Sent by public routes in place of a member id when the caller is anonymous.
    pub const NOBODY: Self = Self(0);
}
