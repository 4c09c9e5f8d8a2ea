//! How a client reaches the product.

use rust_decimal::Decimal;

use crate::dice::Dice;
use crate::inside::Inside;
use crate::phone::Phone;
use crate::wish::{Cost, Outcome, Sheet, Wish};

/// One of the two ways in.
pub(crate) enum Door {
    /// Straight to trading, for any of these members: first number and count.
    Inside(Box<Inside>, u64, u64),
    /// Through the gateway, for the member of the phone.
    Public(Box<Phone>),
}

impl Door {
    /// For whom the next order is.
    pub(crate) fn member(&self, dice: &mut Dice) -> i64 {
        match self {
            Self::Inside(_, first, count) => {
                i64::try_from(first + dice.below(*count)).unwrap_or(i64::MAX)
            }
            Self::Public(phone) => phone.member_id(),
        }
    }

    pub(crate) async fn ask(&self, wish: &Wish) -> Outcome {
        match self {
            Self::Inside(inside, ..) => inside.ask(wish).await,
            Self::Public(phone) => phone.ask(wish).await,
        }
    }

    pub(crate) async fn sheet(&self, member_id: i64, code: &str) -> Option<Sheet> {
        match self {
            Self::Inside(inside, ..) => inside.sheet(member_id, code).await,
            Self::Public(phone) => phone.sheet(code).await,
        }
    }

    pub(crate) async fn owned(&self, member_id: i64) -> Option<Vec<(String, Decimal)>> {
        match self {
            Self::Inside(inside, ..) => inside.owned(member_id).await,
            Self::Public(phone) => phone.owned().await,
        }
    }

    pub(crate) async fn preview(&self, wish: &Wish) -> Option<Cost> {
        match self {
            Self::Inside(inside, ..) => inside.preview(wish).await,
            Self::Public(phone) => phone.preview(wish).await,
        }
    }
}
