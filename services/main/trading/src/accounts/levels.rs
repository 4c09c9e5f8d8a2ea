//! Wealth levels as others see them: those of the last end of a day, which need no prices of now.

use kernel::wealth::WealthLevel;
use kernel::{AccountCode, MemberId, Won};
use sea_orm::ConnectionTrait;

use crate::error::TradingError;
use crate::store::{Store, sql};

impl Store {
    /// In no order; whoever has no account is left out, and an account without a day counts with its
    /// initial deposit.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn levels(
        &self,
        members: &[MemberId],
    ) -> Result<Vec<(MemberId, WealthLevel)>, TradingError> {
        let ids: Vec<i64> = members.iter().map(|id| id.0).collect();
        let read = sql(
            "select a.member_id, sum(coalesce(d.won, a.initial_deposit_won))::bigint as total \
             from account a left join lateral (select cash_won + holdings_won as won \
                from equity_day where account_id = a.id order by day desc limit 1) d on true \
             where a.member_id = any($1) and a.code <> $2 and a.closed_at is null \
             group by a.member_id",
            [ids.into(), AccountCode::Competition.as_str().into()],
        );
        let rows = self.db.query_all_raw(read).await?;
        let levels = rows.iter().map(|row| {
            let total = Won(row.try_get("", "total")?);
            Ok((row.try_get("", "member_id")?, WealthLevel::for_total(total)))
        });
        levels.collect()
    }
}
