//! What entrants of an event bought, and how far they fell: what a process has read of it, so that it need
//! not read all of it every minute. It is read slice by slice, and a step that took too long is gone on with.

use std::collections::HashMap;

use chrono::NaiveDate;
use kernel::AccountId;
use sea_orm::{ConnectionTrait, DbErr};

use super::competition::Competition;
use super::portfolios;
use super::ranking::Activity;
use super::valuation::{self, ACCOUNTS_PER_QUERY, Fall};

/// More fills than are ever numbered and not committed at a time.
const IN_FLIGHT: i64 = 100_000;

#[derive(Default)]
pub(super) struct EntrantHistory {
    pub(super) activity: HashMap<AccountId, Activity>,
    pub(super) falls: HashMap<AccountId, Fall>,
    /// All fills up to this number are in `activity`.
    mark: Option<i64>,
    /// All ends of days up to this one are in `falls`.
    falls_until: Option<NaiveDate>,
    reading_activity: Option<Reading<i64>>,
    reading_falls: Option<Reading<Days>>,
}

/// Days whose ends are read: those after `after` and before `before`, which are all until `until`.
#[derive(Clone, Copy)]
struct Days {
    after: Option<NaiveDate>,
    before: NaiveDate,
    until: NaiveDate,
}

/// Accounts that are read, and what is known when all of them are.
struct Reading<T> {
    accounts: Vec<AccountId>,
    /// How many of them have been read.
    read: usize,
    goal: T,
}

impl<T> Reading<T> {
    fn new(accounts: Vec<AccountId>, goal: T) -> Self {
        Self {
            accounts,
            read: 0,
            goal,
        }
    }

    /// The next accounts; none at the end.
    fn slice(&self) -> &[AccountId] {
        let left = self.accounts.get(self.read..).unwrap_or_default();
        left.get(..ACCOUNTS_PER_QUERY).unwrap_or(left)
    }
}

impl EntrantHistory {
    /// Reads what has happened since the last time. Whoever drops the call, or meets an error, goes on by
    /// another one.
    pub(super) async fn read_on(
        &mut self,
        connection: &impl ConnectionTrait,
        competition: &Competition,
    ) -> Result<(), DbErr> {
        self.go_on(connection, competition).await?;
        let (closed, newest) = valuation::progress(connection).await?;
        let mut changed = match self.mark {
            // All accounts of a small event cost less than the newest fills of everybody.
            Some(mark) if competition.most_entrants.is_none() => {
                valuation::bought_since(connection, competition.id, mark).await?
            }
            Some(_) | None => portfolios::accounts(connection, competition.id).await?,
        };
        changed.retain(|account| {
            let known = self.activity.get(account);
            // Nobody will have bought less.
            known.is_none_or(|known| !known.reaches(&Activity::ENOUGH))
        });
        let mark = newest.saturating_sub(IN_FLIGHT);
        self.reading_activity = Some(Reading::new(changed, mark));
        let after = self.falls_until;
        if let Some(until) = closed.filter(|newest| after.is_none_or(|day| day < *newest)) {
            let accounts = portfolios::accounts(connection, competition.id).await?;
            // Nobody who has joined since had an end of an earlier day.
            let before = until.succ_opt().unwrap_or(until);
            let days = Days {
                after,
                before: before.min(competition.day_after()),
                until,
            };
            self.reading_falls = Some(Reading::new(accounts, days));
        }
        self.go_on(connection, competition).await
    }

    /// Reads what has been begun. A slice counts as read when it is added, with nothing awaited in between:
    /// an end of a day must not be added twice.
    async fn go_on(
        &mut self,
        connection: &impl ConnectionTrait,
        competition: &Competition,
    ) -> Result<(), DbErr> {
        while let Some(reading) = &mut self.reading_activity {
            let slice = reading.slice();
            if slice.is_empty() {
                self.mark = Some(reading.goal);
                self.reading_activity = None;
                break;
            }
            let active = valuation::activity(connection, slice).await?;
            reading.read += slice.len();
            self.activity.extend(active);
        }
        while let Some(reading) = &mut self.reading_falls {
            let slice = reading.slice();
            let Days {
                after,
                before,
                until,
            } = reading.goal;
            if slice.is_empty() {
                self.falls_until = Some(until);
                self.reading_falls = None;
                break;
            }
            let ends = valuation::day_ends(connection, slice, (after, before)).await?;
            reading.read += slice.len();
            valuation::add_ends(&mut self.falls, &ends, competition.start_cash_won);
        }
        Ok(())
    }
}
