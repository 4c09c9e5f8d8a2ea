//! What the accounts of competitions have and have ordered, for the orders of a transaction.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kernel::day::date_of;
use kernel::{AccountId, Currency, Quantity, Won};
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, QueryResult};

use super::filled::Filled;
use super::rules::CompetitionState;
use crate::accounts::profit;
use crate::contracts::midnight;
use crate::domain::market::MarketView;
use crate::entity::account;
use crate::market_cache::MarketCache;
use crate::store::lock::Accounts;
use crate::store::{Store, sql};

/// Holdings, open orders, and fills by item and trading day: of some accounts all since a day, of others
/// those after the member's fill that is known. The latter are found by their member alone: by their
/// accounts the planner might read all that these ever filled.
const READ: &str = "
    select account_id, instrument_code, currency, quantity, cost_won, 0::numeric as waiting,
        0::bigint as held_won, 0::numeric as filled, 0 as trading_day, 0::bigint as fills,
        0::bigint as last_seq
    from holding where account_id = any($1) and quantity > 0
    union all
    select o.account_id, o.instrument_code, '', 0, 0, o.quantity - o.filled_quantity,
        coalesce(h.amount_won, 0), 0, 0, 0, 0
    from trade_order o left join hold h on h.order_id = o.id
    where o.member_id = any($2) and o.account_id = any($1)
        and o.status in ('QUEUED', 'ACCEPTED', 'PARTIAL')
    union all
    select account_id, instrument_code, '', 0, 0, 0, 0, sum(quantity), trading_day, count(*),
        max(member_seq)
    from fill where account_id = any($3) and event_time >= $5 and trading_day >= $4
    group by account_id, instrument_code, trading_day
    union all
    select known.account_id, f.instrument_code, '', 0, 0, 0, 0,
        coalesce(sum(f.quantity) filter (where f.account_id = known.account_id), 0),
        f.trading_day, 0, max(f.member_seq)
    from unnest($6::bigint[], $7::bigint[], $8::bigint[]) as known (account_id, member_id, last_seq)
    join fill f on f.member_id = known.member_id and f.member_seq > known.last_seq
    group by known.account_id, f.instrument_code, f.trading_day";

/// By account; accounts of other kinds have none.
#[derive(Default)]
pub(crate) struct CompetitionFacts(BTreeMap<AccountId, AccountFacts>);

struct AccountFacts {
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    is_closing: bool,
    items: BTreeMap<String, ItemFacts>,
    filled: Filled,
}

#[derive(Default)]
struct ItemFacts {
    /// With its cost, for while no price is known.
    owned: Option<(Quantity, Won, Currency)>,
    waiting: Quantity,
    held: Won,
}

impl CompetitionFacts {
    /// Those of locked accounts.
    pub(crate) async fn load(
        store: &Store,
        transaction: &DatabaseTransaction,
        accounts: &Accounts,
    ) -> Result<Self, DbErr> {
        let competing = accounts.values().map(|locked| &locked.account);
        let competing: Vec<&account::Model> = competing
            .filter(|row| row.is(kernel::AccountCode::Competition))
            .collect();
        if competing.is_empty() {
            return Ok(Self::default());
        }
        let ids: Vec<i64> = competing.iter().map(|row| row.id.0).collect();
        let members: Vec<i64> = competing.iter().map(|row| row.member_id.0).collect();
        let mut all = Self::events(transaction, &ids).await?;
        let since = store.market_cache.oldest_day();
        // All fills while no venue is known, which may come before the orders are decided.
        let begun = date_of(since).map_or(DateTime::UNIX_EPOCH, midnight);
        let mut unread: Vec<i64> = Vec::new();
        let (mut known, mut known_members, mut last_seqs) = (Vec::new(), Vec::new(), Vec::new());
        for row in competing {
            let filled = Filled::known(&store.filled, row.id, since).await;
            match filled.last_seq() {
                None => unread.push(row.id.0),
                Some(last_seq) => {
                    known.push(row.id.0);
                    known_members.push(row.member_id.0);
                    last_seqs.push(last_seq);
                }
            }
            if let Some(facts) = all.0.get_mut(&row.id) {
                facts.filled = filled;
            }
        }
        let read = sql(
            READ,
            [
                ids.into(),
                members.into(),
                unread.into(),
                since.into(),
                begun.into(),
                known.into(),
                known_members.into(),
                last_seqs.into(),
            ],
        );
        for row in transaction.query_all_raw(read).await? {
            let account: AccountId = row.try_get("", "account_id")?;
            if let Some(facts) = all.0.get_mut(&account) {
                facts.add(&row)?;
            }
        }
        for (account, facts) in &all.0 {
            facts.filled.keep(&store.filled, *account).await;
        }
        Ok(all)
    }

    async fn events(transaction: &DatabaseTransaction, ids: &[i64]) -> Result<Self, DbErr> {
        let read = sql(
            "select e.account_id, c.starts_at, c.ends_at, \
                c.closing_at is not null or c.is_canceled as is_closing \
             from competition_entry e join competition c on c.id = e.competition_id \
             where e.account_id = any($1)",
            [ids.to_vec().into()],
        );
        let mut facts = Self::default();
        for row in transaction.query_all_raw(read).await? {
            let found = AccountFacts {
                starts_at: row.try_get("", "starts_at")?,
                ends_at: row.try_get("", "ends_at")?,
                is_closing: row.try_get("", "is_closing")?,
                items: BTreeMap::new(),
                filled: Filled::default(),
            };
            facts.0.insert(row.try_get("", "account_id")?, found);
        }
        Ok(facts)
    }

    /// The end of the event, when its orders end too.
    pub(crate) fn ends_at(&self, account: AccountId) -> Option<DateTime<Utc>> {
        Some(self.0.get(&account)?.ends_at)
    }

    /// Whether the event of an account takes orders; `None` for accounts of other kinds.
    pub(crate) fn is_ongoing(&self, account: AccountId, now: DateTime<Utc>) -> Option<bool> {
        Some(self.0.get(&account)?.is_ongoing(now))
    }

    /// `None` for accounts of other kinds.
    pub(crate) fn state(
        &self,
        locked: &account::WithWon,
        view: &MarketView,
        market_cache: &MarketCache,
    ) -> Option<CompetitionState> {
        let facts = self.0.get(&locked.account.id)?;
        let holdings = facts.items.iter();
        let holdings = holdings.map(|(code, item)| item.value(code, market_cache).0);
        let item = facts.items.get(&view.listing.code);
        let value = item.map_or(Won::ZERO, |item| {
            item.value(&view.listing.code, market_cache)
        });
        let day = view.quote.as_ref().map_or(0, |quote| quote.trading_day);
        let waiting = item.map_or(Decimal::ZERO, |item| item.waiting.0);
        let filled = facts.filled.of(&view.listing.code, day);
        Some(CompetitionState {
            is_ongoing: facts.is_ongoing(view.now),
            equity: Won(locked.won.amount.saturating_add(holdings.sum())),
            exposure: Won(value.0 + item.map_or(0, |item| item.held.0)),
            ordered: Quantity(waiting + filled.0),
        })
    }

    /// An order that was accepted in the transaction, or with negative sums one that is taken back.
    pub(crate) fn ordered(&mut self, account: AccountId, code: &str, more: (Quantity, Won)) {
        if let Some(facts) = self.0.get_mut(&account) {
            let item = facts.items.entry(code.to_owned()).or_default();
            item.waiting.0 += more.0.0;
            item.held.0 += more.1.0;
        }
    }
}

impl AccountFacts {
    fn add(&mut self, row: &QueryResult) -> Result<(), DbErr> {
        let code: String = row.try_get("", "instrument_code")?;
        let last_seq: i64 = row.try_get("", "last_seq")?;
        if last_seq > 0 {
            let of_day = (code, row.try_get("", "trading_day")?);
            let quantity = Quantity(row.try_get("", "filled")?);
            let counted = (row.try_get("", "fills")?, last_seq);
            self.filled.add(of_day, quantity, counted);
            return Ok(());
        }
        let item = self.items.entry(code).or_default();
        let currency: String = row.try_get("", "currency")?;
        if let Some(currency) = Currency::parse(&currency) {
            let cost = Won(row.try_get("", "cost_won")?);
            item.owned = Some((Quantity(row.try_get("", "quantity")?), cost, currency));
        }
        let waiting: Decimal = row.try_get("", "waiting")?;
        item.waiting.0 += waiting;
        item.held.0 += row.try_get::<i64>("", "held_won")?;
        Ok(())
    }

    fn is_ongoing(&self, now: DateTime<Utc>) -> bool {
        self.starts_at <= now && now < self.ends_at && !self.is_closing
    }
}

impl ItemFacts {
    fn value(&self, code: &str, market_cache: &MarketCache) -> Won {
        let Some((quantity, cost, currency)) = self.owned else {
            return Won::ZERO;
        };
        let quote = market_cache.quote(code);
        let value =
            quote.and_then(|quote| profit::value(quote.last, quantity, currency, quote.fx_rate));
        value.unwrap_or(cost)
    }
}
