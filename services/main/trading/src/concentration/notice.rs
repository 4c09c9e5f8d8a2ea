//! One step: the next fills, the totals of who bought, and an event for what is noticed.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{MemberId, Won};
use messaging::outbox;
use proto::convert::{decimal, micros};
use proto::trading::v1::ConcentrationNoticed;
use rust_decimal::Decimal;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, IsolationLevel, TransactionTrait,
};

use crate::accounts::summary::OwnedItem;
use crate::error::TradingError;
use crate::events;
use crate::store::{Store, once, sql};

/// Percent of the total; an item with more is noticed.
const MOST_PERCENT: Decimal = Decimal::from_parts(40, 0, 0, false, 0);
/// Between two notices to a member.
const EVERY: TimeDelta = TimeDelta::days(7);
/// Most members of one step, whose accounts are valued one after the other.
const MEMBERS: usize = 100;
/// Most purchases of one step.
const PURCHASES: i64 = 5_000;
/// Fills further back are passed over: a notice long after a purchase explains nothing, and a step
/// that cannot keep up must not fall ever further behind.
const MOST_BEHIND: i64 = 50_000;
/// One process at a time; "conc" in ASCII.
const NOTICING: i64 = 0x636f_6e63;

#[derive(FromQueryResult)]
struct Purchase {
    id: i64,
    member_id: MemberId,
    instrument_code: String,
}

/// What the purchases of some members were, and the last fill among them.
struct Batch {
    bought: BTreeMap<MemberId, BTreeSet<String>>,
    through: i64,
}

impl Store {
    /// Looks at the next fills up to `settled`, below which no fill is written any more, and returns
    /// how many members are told of a concentration. None while another process looks.
    ///
    /// # Errors
    /// [`TradingError`] of the database: nobody was told.
    pub async fn notice_concentrations(&self, settled: i64) -> Result<usize, TradingError> {
        // Reads one instant, so that what a fill took from the cash is in what it added to the holdings.
        let isolation = Some(IsolationLevel::RepeatableRead);
        let transaction = self.db.begin_with_config(isolation, None).await?;
        let noticed = self.notice_in(&transaction, settled).await;
        once::end(transaction, noticed).await
    }

    async fn notice_in(
        &self,
        transaction: &DatabaseTransaction,
        settled: i64,
    ) -> Result<usize, TradingError> {
        let Some(checked_to) = begin(transaction).await? else {
            return Ok(0);
        };
        let from = checked_to.max(settled.saturating_sub(MOST_BEHIND));
        if from >= settled {
            return Ok(0);
        }
        let Batch { bought, through } = next_batch(transaction, from, settled).await?;
        let now = self.clock.now();
        let told = told_since(transaction, bought.keys(), now - EVERY).await?;
        let mut noticed = 0;
        for (member, codes) in bought.iter().filter(|(member, _)| !told.contains(member)) {
            match self.concentration(transaction, *member, codes, now).await {
                Ok(None) => {}
                Ok(Some(concentration)) => {
                    note(transaction, *member, now).await?;
                    let clock = self.clock.as_ref();
                    let event = events::concentration_noticed(&concentration, clock);
                    outbox::append(transaction, event).await?;
                    noticed += 1;
                }
                // After an error of the database the statement below fails, and the step with it.
                Err(error) => tracing::error!(%member, %error, "A member could not be valued"),
            }
        }
        let advance = sql(
            "update concentration_progress set checked_to = $1",
            [through.into()],
        );
        transaction.execute_raw(advance).await?;
        Ok(noticed)
    }

    /// The largest of these items, if it is more than 40 % of what the member has.
    async fn concentration(
        &self,
        transaction: &DatabaseTransaction,
        member_id: MemberId,
        codes: &BTreeSet<String>,
        now: DateTime<Utc>,
    ) -> Result<Option<ConcentrationNoticed>, TradingError> {
        let (totals, items) = self.owned_items(transaction, member_id).await?;
        let bought = items.into_iter().filter(|(code, _)| codes.contains(code));
        let largest = bought.max_by_key(|(_, item)| item.value);
        let concentration = largest.and_then(|(instrument_code, OwnedItem { name, value })| {
            let percent = percent_of(value, totals.total).filter(|share| *share > MOST_PERCENT)?;
            Some(ConcentrationNoticed {
                member_id: member_id.0,
                instrument_code,
                instrument_name: name,
                percent: Some(decimal(percent.round_dp(1))),
                value_won: value.0,
                total_won: totals.total.0,
                noticed_at_us: micros(now),
            })
        });
        Ok(concentration)
    }
}

/// `None` without a total.
fn percent_of(value: Won, total: Won) -> Option<Decimal> {
    let hundredfold = Decimal::from(value.0).checked_mul(Decimal::ONE_HUNDRED)?;
    hundredfold.checked_div(Decimal::from(total.0))
}

/// The last fill that was looked at; `None` while another process looks.
async fn begin(transaction: &DatabaseTransaction) -> Result<Option<i64>, DbErr> {
    let mine = sql(
        "select pg_try_advisory_xact_lock($1) as mine",
        [NOTICING.into()],
    );
    let row = transaction.query_one_raw(mine).await?;
    if !row.map_or(Ok(false), |row| row.try_get("", "mine"))? {
        return Ok(None);
    }
    let progress = sql("select checked_to from concentration_progress", []);
    let row = transaction.query_one_raw(progress).await?;
    row.map(|row| row.try_get("", "checked_to")).transpose()
}

/// The next purchases after `from`, of as many members as one step values.
async fn next_batch(
    transaction: &DatabaseTransaction,
    from: i64,
    settled: i64,
) -> Result<Batch, DbErr> {
    let next = sql(
        "select id, member_id, instrument_code from fill \
         where id > $1 and id <= $2 and side = 'BUY' order by id limit $3",
        [from.into(), settled.into(), PURCHASES.into()],
    );
    let purchases = Purchase::find_by_statement(next).all(transaction).await?;
    let is_all = purchases.len() < usize::try_from(PURCHASES).unwrap_or(usize::MAX);
    let mut batch = Batch {
        bought: BTreeMap::new(),
        through: from,
    };
    for purchase in purchases {
        let is_full = batch.bought.len() == MEMBERS;
        if is_full && !batch.bought.contains_key(&purchase.member_id) {
            return Ok(batch);
        }
        batch.through = purchase.id;
        let codes = batch.bought.entry(purchase.member_id).or_default();
        codes.insert(purchase.instrument_code);
    }
    if is_all {
        batch.through = settled;
    }
    Ok(batch)
}

/// Those of `members` who were told since `since`.
async fn told_since(
    transaction: &DatabaseTransaction,
    members: impl Iterator<Item = &MemberId>,
    since: DateTime<Utc>,
) -> Result<BTreeSet<MemberId>, DbErr> {
    let members: Vec<i64> = members.map(|member| member.0).collect();
    let told = sql(
        "select member_id from concentration_notice \
         where member_id = any($1) and noticed_at > $2",
        [members.into(), since.into()],
    );
    let rows = transaction.query_all_raw(told).await?;
    rows.iter()
        .map(|row| row.try_get("", "member_id"))
        .collect()
}

async fn note(
    transaction: &DatabaseTransaction,
    member: MemberId,
    now: DateTime<Utc>,
) -> Result<(), DbErr> {
    let note = sql(
        "insert into concentration_notice (member_id, noticed_at) values ($1, $2) \
         on conflict (member_id) do update set noticed_at = excluded.noticed_at",
        [member.into(), now.into()],
    );
    transaction.execute_raw(note).await?;
    Ok(())
}
