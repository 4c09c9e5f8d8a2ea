//! What becomes of a member's accounts other than the BASIC one when a season ends.

use std::collections::BTreeSet;

use kernel::{AccountId, Won};
use sea_orm::ConnectionTrait;

use super::settle::SeasonSettlement;
use crate::contracts::close::payout_postings;
use crate::contracts::day_of;
use crate::error::TradingError;
use crate::ledger::{JournalKind, Source};
use crate::store::once::Books;
use crate::store::write_set::{BaseChange, TransferRow};
use crate::store::{numbers, sql};

impl SeasonSettlement<'_> {
    /// Pays contracts out without interest that is not booked yet; returns how much.
    pub(super) async fn close_contracts(
        &self,
        books: &mut Books<'_>,
        accounts: &BTreeSet<AccountId>,
    ) -> Result<i64, TradingError> {
        let today = day_of(self.store.market_time()?);
        let close = sql(
            "update contract set due_at = null, closed_on = $2, \
                status = case status when 'ACTIVE' then 'EARLY_CLOSED' else status end \
             where account_id = any($1) and closed_on is null returning account_id",
            [numbers(accounts).into(), today.into()],
        );
        let mut moved = 0;
        for row in books.transaction.query_all_raw(close).await? {
            let id: AccountId = row.try_get("", "account_id")?;
            let payout = Won(books.account(id)?.won.amount);
            books
                .post(
                    JournalKind::ContractClosed,
                    Source::Contract(id),
                    payout_postings(id, self.basic, payout),
                )
                .await?;
            self.moved_out(books, id, payout);
            moved += payout.0;
        }
        Ok(moved)
    }

    /// Moves what is left of the sub-accounts into the BASIC one and closes all others; returns how
    /// much was moved.
    pub(super) async fn close_sub_accounts(
        &self,
        books: &mut Books<'_>,
        accounts: &BTreeSet<AccountId>,
    ) -> Result<i64, TradingError> {
        let others: BTreeSet<AccountId> = accounts
            .iter()
            .copied()
            .filter(|id| *id != self.basic)
            .collect();
        let mut moved = 0;
        for id in &others {
            let amount = Won(books.account(*id)?.won.amount);
            if amount > Won::ZERO {
                self.transfer(books, *id, amount).await?;
                moved += amount.0;
            }
        }
        let close = sql(
            "update account set closed_at = $2 where id = any($1)",
            [numbers(&others).into(), books.now.into()],
        );
        books.transaction.execute_raw(close).await?;
        Ok(moved)
    }

    async fn transfer(
        &self,
        books: &mut Books<'_>,
        from: AccountId,
        amount: Won,
    ) -> Result<(), TradingError> {
        let number = books.draw().await?;
        let source = Source::Transfer(number);
        let postings = payout_postings(from, self.basic, amount);
        books.post_numbered(number, JournalKind::Transferred, source, postings);
        self.moved_out(books, from, amount);
        let row = TransferRow {
            id: number,
            member_id: self.member_id,
            from_account_id: from,
            to_account_id: self.basic,
            amount_won: amount,
            from_balance_won: Won(books.account(from)?.won.amount),
            to_balance_won: Won(books.account(self.basic)?.won.amount),
            request_id: String::new(),
            created_at: books.now,
        };
        books.writes.transfer(row);
        Ok(())
    }

    /// Takes it from the base of an account; that of the BASIC one is archived with it.
    fn moved_out(&self, books: &mut Books<'_>, from: AccountId, amount: Won) {
        let change = BaseChange {
            transferred: Won(-amount.0),
            ..BaseChange::default()
        };
        books.writes.base_change(from, change);
    }
}
