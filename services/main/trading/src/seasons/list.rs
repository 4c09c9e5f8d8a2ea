//! The seasons of a member with their final returns, and when the next reset is possible.

use chrono::{DateTime, Utc};
use kernel::{MemberId, Won};
use rust_decimal::Decimal;
use sea_orm::FromQueryResult;

use super::reset::{next_free, tickets};
use crate::accounts::account::profit_rate;
use crate::error::TradingError;
use crate::store::{Store, sql};

#[derive(Clone, Debug)]
pub struct Seasons {
    pub present: i32,
    /// Latest first.
    pub past: Vec<Season>,
    /// When a reset without a ticket is possible; `None` at once.
    pub next_free: Option<DateTime<Utc>>,
    /// Unused tickets.
    pub tickets: i32,
    /// What a new season begins with.
    pub deposit: Won,
}

/// A season that has ended.
#[derive(Clone, Debug, FromQueryResult)]
pub struct Season {
    pub season: i32,
    pub began_at: DateTime<Utc>,
    pub ended_at: DateTime<Utc>,
    /// Cash and holdings at the end.
    pub total_won: Won,
    pub base_won: Won,
}

impl Season {
    /// (total/base − 1)·100; `None` when the base is not positive.
    #[must_use]
    pub fn profit_rate(&self) -> Option<Decimal> {
        profit_rate(self.total_won, self.base_won)
    }
}

impl Store {
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn seasons(&self, member_id: MemberId) -> Result<Seasons, TradingError> {
        let (basic, _) = self.open_basic_account(member_id).await?;
        // Transfers between the member's accounts are none of the base of all of them.
        let read = sql(
            "select season, began_at, ended_at, cash_won + holdings_won as total_won, \
                initial_deposit_won + education_deposit_won + bought_deposit_won \
                    - purchased_items_won as base_won \
             from past_season where member_id = $1 order by season desc",
            [member_id.into()],
        );
        let past = Season::find_by_statement(read).all(&self.db).await?;
        let newest = past.first().map_or(0, |season| season.season);
        let now = self.clock.now();
        let tickets = tickets(&self.db, basic).await?;
        Ok(Seasons {
            present: newest + 1,
            past,
            next_free: next_free(&self.db, member_id, now).await?,
            tickets: tickets.iter().map(|(_, unused)| unused).sum(),
            deposit: self.policy.initial_deposit,
        })
    }
}
