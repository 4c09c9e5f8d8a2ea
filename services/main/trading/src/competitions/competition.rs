//! An event: its period, its terms and its status by the clock.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use kernel::{MemberId, Won};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};

use crate::contracts::{day_of, midnight};
use crate::named::named;
use crate::refusal::Refusal;
use crate::store::sql;

named! {
    pub enum CompetitionKind {
        /// Held by an operator.
        Official = "OFFICIAL",
        /// Held by a member, for those who are invited.
        League = "LEAGUE",
        /// One a calendar month, for everybody.
        Practice = "PRACTICE",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompetitionStatus {
    Scheduled,
    Ongoing,
    Ended,
}

/// Times are of the market.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct Competition {
    pub id: i64,
    kind: String,
    pub title: String,
    /// Empty for none.
    pub prize: String,
    pub starts_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    pub join_from: DateTime<Utc>,
    pub join_until: DateTime<Utc>,
    pub start_cash_won: Won,
    /// `None` without a bound.
    pub most_entrants: Option<i32>,
    /// Leagues alone have one.
    pub host_member_id: Option<MemberId>,
    pub invite_code: Option<String>,
    pub is_joining_closed: bool,
    pub is_canceled: bool,
    /// To those who see the board.
    pub shows_holdings: bool,
    pub closing_at: Option<DateTime<Utc>>,
    pub closed_at: Option<DateTime<Utc>>,
    /// `None` without prizes, and before every account has its result.
    pub award_at: Option<DateTime<Utc>>,
    /// By the clock of the process.
    pub awarded_at: Option<DateTime<Utc>>,
}

impl Competition {
    #[must_use]
    pub fn kind(&self) -> CompetitionKind {
        let mut kinds = CompetitionKind::ALL.iter().copied();
        let found = kinds.find(|kind| kind.as_str() == self.kind);
        found.unwrap_or(CompetitionKind::Official)
    }

    #[must_use]
    pub fn status(&self, now: DateTime<Utc>) -> CompetitionStatus {
        if self.closing_at.is_some() || now >= self.ends_at {
            CompetitionStatus::Ended
        } else if now < self.starts_at {
            CompetitionStatus::Scheduled
        } else {
            CompetitionStatus::Ongoing
        }
    }

    /// Whether one may join, but for its bound.
    #[must_use]
    pub fn takes_entrants(&self, now: DateTime<Utc>) -> bool {
        let in_time = self.join_from <= now && now < self.join_until;
        in_time && !self.is_joining_closed && !self.is_canceled && self.closing_at.is_none()
    }

    /// From when on an entrant is ranked: at once, but from the day after where the event has begun.
    #[must_use]
    pub fn ranked_from(&self, joined_at: DateTime<Utc>) -> DateTime<Utc> {
        if joined_at < self.starts_at {
            return self.starts_at;
        }
        match self.kind() {
            CompetitionKind::Practice => joined_at,
            CompetitionKind::Official | CompetitionKind::League => {
                let day = day_of(joined_at);
                midnight(day.succ_opt().unwrap_or(day))
            }
        }
    }

    /// Whether one may object to its results.
    #[must_use]
    pub fn takes_objections(&self, now: DateTime<Utc>) -> bool {
        self.awarded_at.is_none() && self.award_at.is_some_and(|award| now < award)
    }

    /// Korean days that it lasts.
    #[must_use]
    pub fn length_days(&self) -> i64 {
        (self.last_day() - day_of(self.starts_at)).num_days() + 1
    }

    /// The first day whose end does not count: at midnight after it the event is over.
    #[must_use]
    pub fn day_after(&self) -> NaiveDate {
        day_of(self.ends_at)
    }

    #[must_use]
    pub fn last_day(&self) -> NaiveDate {
        day_of(self.ends_at - TimeDelta::microseconds(1))
    }
}

/// An event, whoever may see it.
pub(crate) async fn find(
    connection: &impl ConnectionTrait,
    id: i64,
) -> Result<Option<Competition>, DbErr> {
    let read = sql("select * from competition where id = $1", [id.into()]);
    Competition::find_by_statement(read).one(connection).await
}

pub(crate) fn not_found() -> Refusal {
    Refusal::not_found("COMPETITION_NOT_FOUND", "대회를 찾을 수 없어요.")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn sample(kind: CompetitionKind) -> Competition {
        let at = |text: &str| text.parse().unwrap();
        Competition {
            id: 1,
            kind: kind.as_str().to_owned(),
            title: "첫 대회".to_owned(),
            prize: String::new(),
            starts_at: at("2026-11-19T15:00:00Z"),
            ends_at: at("2026-11-29T15:00:00Z"),
            join_from: at("2026-11-10T15:00:00Z"),
            join_until: at("2026-11-24T15:00:00Z"),
            start_cash_won: Won(10_000_000),
            most_entrants: None,
            host_member_id: None,
            invite_code: None,
            is_joining_closed: false,
            is_canceled: false,
            shows_holdings: false,
            closing_at: None,
            closed_at: None,
            award_at: None,
            awarded_at: None,
        }
    }

    #[test]
    fn the_clock_decides_the_status() {
        let competition = sample(CompetitionKind::Official);
        let status = |at: DateTime<Utc>| competition.status(at);
        let moment = TimeDelta::microseconds(1);
        assert_eq!(
            status(competition.starts_at - moment),
            CompetitionStatus::Scheduled
        );
        assert_eq!(status(competition.starts_at), CompetitionStatus::Ongoing);
        assert_eq!(
            status(competition.ends_at - moment),
            CompetitionStatus::Ongoing
        );
        assert_eq!(status(competition.ends_at), CompetitionStatus::Ended);
        assert_eq!(competition.length_days(), 10);
        assert_eq!(
            Some(competition.day_after()),
            competition.last_day().succ_opt()
        );
    }

    #[test]
    fn late_entrants_are_ranked_from_the_next_day() {
        let official = sample(CompetitionKind::Official);
        let early = official.starts_at - TimeDelta::days(1);
        assert_eq!(official.ranked_from(early), official.starts_at);
        let late: DateTime<Utc> = "2026-11-20T14:59:59Z".parse().unwrap();
        let next_day: DateTime<Utc> = "2026-11-20T15:00:00Z".parse().unwrap();
        assert_eq!(official.ranked_from(late), next_day);
        assert_eq!(sample(CompetitionKind::Practice).ranked_from(late), late);
    }

    #[test]
    fn objections_are_taken_until_the_prizes() {
        let mut competition = sample(CompetitionKind::Official);
        let award: DateTime<Utc> = "2026-12-02T15:00:00Z".parse().unwrap();
        assert!(!competition.takes_objections(award));
        competition.award_at = Some(award);
        assert!(competition.takes_objections(award - TimeDelta::microseconds(1)));
        assert!(!competition.takes_objections(award));
        competition.awarded_at = Some(award);
        assert!(!competition.takes_objections(award - TimeDelta::days(1)));
    }

    #[test]
    fn entrants_come_in_their_time() {
        let competition = sample(CompetitionKind::Official);
        let moment = TimeDelta::microseconds(1);
        assert!(!competition.takes_entrants(competition.join_from - moment));
        assert!(competition.takes_entrants(competition.join_from));
        assert!(competition.takes_entrants(competition.join_until - moment));
        assert!(!competition.takes_entrants(competition.join_until));
        let mut closed = competition.clone();
        closed.is_joining_closed = true;
        assert!(!closed.takes_entrants(closed.join_from));
    }
}
