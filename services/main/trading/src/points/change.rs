//! Rows of changes and their sums.

use chrono::{DateTime, Utc};
use kernel::{AccountId, Won, clock::KST};
use sea_orm::{ActiveModelTrait, ConnectionTrait, DatabaseTransaction, DbErr, Set};

use crate::domain::day::yyyymmdd;
use crate::entity::point_change;
use crate::ledger::{Asset, Book, Party, Posting};
use crate::named::named;
use crate::store::sql;

named! {
    /// Why a member's points changed.
    pub enum PointChangeKind {
        /// Education credited them.
        Earned = "EARNED",
        /// A prize.
        Awarded = "AWARDED",
        /// They became won of the BASIC account.
        Moved = "MOVED",
        /// Another service took them for something it gives.
        Spent = "SPENT",
    }
}

/// The kinds of earned points that count toward the cap of a day.
const CAPPED: [&str; 4] = ["QUIZ", "SET", "ARTICLE", "SURVEY"];

/// A change that is about to be written. The account is locked.
pub(super) struct NewChange {
    pub(super) account: AccountId,
    pub(super) kind: PointChangeKind,
    /// Signed.
    pub(super) points: i64,
    pub(super) source_key: Option<String>,
    pub(super) reason: String,
    pub(super) won: Won,
    pub(super) multiplier_tenths: Option<i16>,
    pub(super) occurred_at: DateTime<Utc>,
}

impl NewChange {
    /// A change without won.
    pub(super) fn new(
        account: AccountId,
        kind: PointChangeKind,
        points: i64,
        occurred_at: DateTime<Utc>,
    ) -> Self {
        Self {
            account,
            kind,
            points,
            source_key: None,
            reason: String::new(),
            won: Won::ZERO,
            multiplier_tenths: None,
            occurred_at,
        }
    }

    /// Both sides of its journal; the points go to the book of education or come from it, and so do
    /// the won. Prizes come from the book of issue.
    pub(super) fn postings(&self) -> Vec<Posting> {
        let book = match self.kind {
            PointChangeKind::Earned | PointChangeKind::Moved | PointChangeKind::Spent => Book::Edu,
            PointChangeKind::Awarded => Book::Issue,
        };
        let points = |party, amount| Posting {
            party,
            asset: Asset::EducationPoint,
            amount,
        };
        vec![
            points(Party::Account(self.account), self.points),
            points(Party::Book(book), -self.points),
            Posting::to_account(self.account, self.won),
            Posting::to_book(book, Won(-self.won.0)),
        ]
    }

    /// Writes the row and the sums of its account, and returns the id of the row.
    pub(super) async fn write(&self, transaction: &DatabaseTransaction) -> Result<i64, DbErr> {
        self.add_to_totals(transaction).await?;
        let row = point_change::ActiveModel {
            account_id: Set(self.account),
            kind: Set(self.kind.as_str().to_owned()),
            points: Set(self.points),
            source_key: Set(self.source_key.clone()),
            reason: Set(self.reason.clone()),
            won: Set(self.won),
            multiplier_tenths: Set(self.multiplier_tenths),
            occurred_at: Set(self.occurred_at),
            ..Default::default()
        };
        Ok(row.insert(transaction).await?.id)
    }

    async fn add_to_totals(&self, transaction: &DatabaseTransaction) -> Result<(), DbErr> {
        let of_kind = |kind| {
            if self.kind == kind {
                self.points.abs()
            } else {
                0
            }
        };
        let learned = of_kind(PointChangeKind::Earned);
        let earned = learned + of_kind(PointChangeKind::Awarded);
        let is_capped = CAPPED.contains(&self.reason.as_str());
        let (day, on_day) = if learned > 0 && is_capped {
            (kst_day(self.occurred_at), learned)
        } else {
            (0, 0)
        };
        // Nothing is shown any more of a day before the newest.
        let add = sql(
            "insert into point_total as t (account_id, earned, moved, spent, day, earned_on_day) \
             values ($1, $2, $3, $4, $5, $6) on conflict (account_id) do update set \
             earned = t.earned + excluded.earned, moved = t.moved + excluded.moved, \
             spent = t.spent + excluded.spent, day = greatest(t.day, excluded.day), \
             earned_on_day = case when excluded.day > t.day then excluded.earned_on_day \
                when excluded.day = t.day then t.earned_on_day + excluded.earned_on_day \
                else t.earned_on_day end",
            [
                self.account.into(),
                earned.into(),
                of_kind(PointChangeKind::Moved).into(),
                of_kind(PointChangeKind::Spent).into(),
                day.into(),
                on_day.into(),
            ],
        );
        transaction.execute_raw(add).await?;
        Ok(())
    }
}

/// The KST day of an instant as yyyymmdd.
pub(super) fn kst_day(instant: DateTime<Utc>) -> i32 {
    yyyymmdd(instant.with_timezone(&KST).date_naive())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::{Journal, JournalKind, Source};

    #[test]
    fn points_and_won_balance_and_zero_won_are_no_entry() {
        let moved = NewChange {
            won: Won(1_300),
            ..NewChange::new(
                AccountId(7),
                PointChangeKind::Moved,
                -1,
                DateTime::UNIX_EPOCH,
            )
        };
        let journal = Journal {
            id: 1,
            kind: JournalKind::PointsMoved,
            source: Source::PointChange(1),
            occurred_at: DateTime::UNIX_EPOCH,
            postings: moved.postings(),
        };
        assert!(journal.is_balanced());
    }

    #[test]
    fn a_day_begins_at_midnight_in_seoul() {
        assert_eq!(kst_day("2026-11-20T14:59:59Z".parse().unwrap()), 20_261_120);
        assert_eq!(kst_day("2026-11-20T15:00:00Z".parse().unwrap()), 20_261_121);
    }
}
