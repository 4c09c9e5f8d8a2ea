//! What ends with a season: orders, holdings, claims to dividends, contracts, sub-accounts and cash.

use std::collections::BTreeSet;

use kernel::{AccountId, MemberId, Won};
use sea_orm::ConnectionTrait;

use super::holdings::{Ended, LastNumbers, end_holdings};
use super::orders::cancel_orders;
use super::span::present_season;
use crate::accounts::account::opening_postings;
use crate::accounts::units::check_units;
use crate::contracts::day_of;
use crate::dividends::lapse::{SettledAt, lapse_shares};
use crate::entity::account;
use crate::error::TradingError;
use crate::ledger::{Book, JournalKind, PartOf, Posting, Source};
use crate::orders::order::end_reason;
use crate::store::once::Books;
use crate::store::{Store, lock, sql};

pub(super) struct SeasonSettlement<'a> {
    pub(super) store: &'a Store,
    pub(super) member_id: MemberId,
    pub(super) basic: AccountId,
}

/// The season that has begun.
pub(super) struct NewSeason {
    pub(super) season: i32,
    pub(super) deposit: Won,
}

/// The last numbers of a season.
struct Marks {
    order: i64,
    fill: i64,
    journal: i64,
}

impl<'a> SeasonSettlement<'a> {
    pub(super) fn new(store: &'a Store, member_id: MemberId, basic: AccountId) -> Self {
        Self {
            store,
            member_id,
            basic,
        }
    }

    /// Ends the season of these locked accounts, which are all open ones, and begins the next. What is
    /// owned is archived at its value, which must be known.
    pub(super) async fn end_season(
        &self,
        books: &mut Books<'_>,
        accounts: &BTreeSet<AccountId>,
        used_ticket: bool,
    ) -> Result<NewSeason, TradingError> {
        let season = present_season(books.transaction, self.member_id).await?;
        let held = lock::held_by(books.transaction, accounts).await?;
        let (transaction, now) = (books.transaction, books.now);
        let (locked, writes) = books.locked_and_writes();
        cancel_orders(
            self.store,
            transaction,
            writes,
            locked,
            (end_reason::RESET, now),
        )
        .await?;
        let values = self.store.values_of(transaction, &held).await?;
        let priced = held.iter().zip(values.iter().map(|value| value.basis));
        check_units(transaction, &priced.collect::<Vec<_>>()).await?;
        let valued = held.into_iter().zip(values);
        let holdings: Vec<Ended> = valued
            .map(|(row, value)| Ended::valued(row, value))
            .collect();
        let writes = &mut books.writes;
        let ended = end_holdings(self.store, transaction, writes, &holdings, Some(season));
        let LastNumbers { order, fill } = ended.await?;
        let times = SettledAt {
            clock: books.now,
            market: self.store.market_time()?,
        };
        lapse_shares(
            books.transaction,
            &[self.member_id].into(),
            accounts,
            &times,
        )
        .await?;
        let mut moved = self.close_contracts(books, accounts).await?;
        moved += self.close_sub_accounts(books, accounts).await?;
        let cash = Won(books.account(self.basic)?.won.amount);
        let closing = vec![
            Posting::to_account(self.basic, Won(-cash.0)),
            Posting::to_book(Book::Issue, cash),
        ];
        let source = Source::Season(PartOf(self.basic, season));
        let journal = books
            .post(JournalKind::SeasonClosed, source, closing)
            .await?;
        let marks = Marks {
            order,
            fill,
            journal,
        };
        let row = books.account(self.basic)?.account.clone();
        self.archive(books, (&row, moved), cash, &holdings, &marks, used_ticket)
            .await?;
        self.begin(books, season + 1).await
    }

    /// Gives the BASIC account what a new season begins with.
    async fn begin(&self, books: &mut Books<'_>, season: i32) -> Result<NewSeason, TradingError> {
        let deposit = self.store.policy.initial_deposit;
        let source = Source::Season(PartOf(self.basic, season));
        let postings = opening_postings(self.basic, deposit);
        books
            .post(JournalKind::SeasonOpened, source, postings)
            .await?;
        let begin = sql(
            "update account set season = $2, initial_deposit_won = $3, education_deposit_won = 0, \
                bought_deposit_won = 0, purchased_items_won = 0, net_transfers_won = 0 \
             where id = $1",
            [self.basic.into(), season.into(), deposit.into()],
        );
        books.transaction.execute_raw(begin).await?;
        Ok(NewSeason { season, deposit })
    }

    async fn archive(
        &self,
        books: &Books<'_>,
        (basic, moved): (&account::Model, i64),
        cash: Won,
        holdings: &[Ended],
        marks: &Marks,
        used_ticket: bool,
    ) -> Result<(), TradingError> {
        let sum = |of: fn(&Ended) -> Won| holdings.iter().map(|one| of(one).0).sum::<i64>();
        // A clock that was set back ends no season before it began.
        let insert = sql(
            "insert into past_season (member_id, season, account_id, began_at, ended_at, ended_on, \
                used_ticket, last_order, last_fill, last_journal, cash_won, holdings_won, \
                holdings_cost_won, initial_deposit_won, education_deposit_won, \
                bought_deposit_won, purchased_items_won, net_transfers_won) \
             select $1, $2, $3, b.began_at, greatest(b.began_at, $4), $5, $6, $7, $8, $9, $10, $11, \
                $12, $13, $14, $15, $16, $17 \
             from (select coalesce( \
                (select ended_at from past_season where member_id = $1 and season = $2 - 1), \
                (select opened_at from account where id = $3)) as began_at) b",
            [
                self.member_id.into(),
                basic.season.into(),
                self.basic.into(),
                books.now.into(),
                day_of(self.store.market_time()?).into(),
                used_ticket.into(),
                marks.order.into(),
                marks.fill.into(),
                marks.journal.into(),
                cash.into(),
                sum(|one| one.value).into(),
                sum(|one| one.row.cost_won).into(),
                basic.initial_deposit_won.into(),
                basic.education_deposit_won.into(),
                basic.bought_deposit_won.into(),
                basic.purchased_items_won.into(),
                (basic.net_transfers_won.0 + moved).into(),
            ],
        );
        books.transaction.execute_raw(insert).await?;
        Ok(())
    }
}
