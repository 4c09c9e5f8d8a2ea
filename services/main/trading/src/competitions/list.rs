//! Events as members see them, each with the member's own part in it.

use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId, Won};
use rust_decimal::Decimal;
use sea_orm::FromQueryResult;

use super::competition::{self, Competition, CompetitionKind, CompetitionStatus, not_found};
use super::objection::Objection;
use super::prizes::{Award, OBJECTIONS_FOR, Prize};
use super::ranking::{Activity, rate, return_e4};
use super::valuation;
use crate::error::TradingError;
use crate::store::{Store, sql};

/// Events of a page.
const PAGE: i64 = 20;

/// An event for one member.
#[derive(Clone, Debug)]
pub struct CompetitionView {
    pub competition: Competition,
    pub status: CompetitionStatus,
    pub entrants: i64,
    pub can_join: bool,
    pub is_host: bool,
    pub entry: Option<Entry>,
    /// Filled for a single event.
    pub prizes: Prizes,
}

/// What an event's best receive, and the member's part in that.
#[derive(Clone, Debug, Default)]
pub struct Prizes {
    pub terms: Vec<Prize>,
    /// Market time from which prizes are awarded. Until the results are published it is the earliest that is
    /// left: it moves while an end is late.
    pub award_at: Option<DateTime<Utc>>,
    pub awards: Vec<Award>,
    pub can_object: bool,
    pub objection: Option<Objection>,
}

/// A member's part in an event.
#[derive(Clone, Debug)]
pub struct Entry {
    pub account_id: AccountId,
    pub account_no: String,
    pub joined_at: DateTime<Utc>,
    pub ranked_from: DateTime<Utc>,
    pub has_left: bool,
    /// At the latest prices, or as of the end of the event or the member's leaving.
    pub equity: Won,
    /// Percent.
    pub return_rate: Decimal,
    pub activity: Activity,
    pub needed: Activity,
}

#[derive(Clone, FromQueryResult)]
struct EntryRow {
    competition_id: i64,
    account_id: AccountId,
    account_no: String,
    joined_at: DateTime<Utc>,
    ranked_from: DateTime<Utc>,
    left_at: Option<DateTime<Utc>>,
    /// Equity at the end of the event, or when the member left.
    ended_won: Option<i64>,
    /// Of the result of the event.
    buys: Option<i32>,
    items: Option<i32>,
    days: Option<i32>,
}

impl EntryRow {
    /// What the result counted; `None` without one.
    fn counted(&self) -> Option<Activity> {
        Some(Activity {
            buys: self.buys?,
            items: self.items?,
            days: self.days?,
        })
    }
}

impl CompetitionView {
    /// Whether the member has joined and not left.
    #[must_use]
    pub fn takes_part(&self) -> bool {
        self.entry.as_ref().is_some_and(|entry| !entry.has_left)
    }
}

impl Store {
    /// Official events, and the leagues and practice leagues that the member has joined: running ones
    /// first, then those to come, then what is over. `has_next` says whether there is another page.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn competitions(
        &self,
        member_id: MemberId,
        status: Option<CompetitionStatus>,
        page: i32,
    ) -> Result<(Vec<CompetitionView>, bool), TradingError> {
        let now = self.market_time_or_clock();
        let wanted = status.map(|status| match status {
            CompetitionStatus::Ongoing => 0,
            CompetitionStatus::Scheduled => 1,
            CompetitionStatus::Ended => 2,
        });
        let read = sql(
            "select * from (select c.*, case when c.closing_at is not null or c.ends_at <= $2 then 2 \
                when c.starts_at > $2 then 1 else 0 end as phase \
             from competition c where not c.is_canceled and c.id in ( \
                select id from competition where kind = 'OFFICIAL' \
                union select competition_id from competition_entry where member_id = $1)) c \
             where $3::integer is null or phase = $3 \
             order by phase, case phase when 2 then -extract(epoch from ends_at) \
                else extract(epoch from starts_at) end, id \
             limit $4 offset $5",
            [
                member_id.into(),
                now.into(),
                wanted.into(),
                (PAGE + 1).into(),
                (i64::from(page) * PAGE).into(),
            ],
        );
        let mut found = Competition::find_by_statement(read).all(&self.db).await?;
        let size = usize::try_from(PAGE).unwrap_or(usize::MAX);
        let has_next = found.len() > size;
        found.truncate(size);
        Ok((self.views(member_id, found, now).await?, has_next))
    }

    /// An event that the member may see: a league is seen by its members, and with its invite code.
    ///
    /// # Errors
    /// [`TradingError`]: there is none, or of the database.
    pub async fn competition(
        &self,
        member_id: MemberId,
        id: i64,
        invite_code: Option<&str>,
    ) -> Result<CompetitionView, TradingError> {
        let found = competition::find(&self.db, id).await?;
        let found = found.filter(|found| !found.is_canceled);
        let found = found.ok_or_else(not_found)?;
        let is_open = found.kind() != CompetitionKind::League
            || invite_code.is_some() && found.invite_code.as_deref() == invite_code;
        let now = self.market_time_or_clock();
        let view = self.views(member_id, vec![found], now).await?.pop();
        let mut view = view.ok_or_else(not_found)?;
        if !is_open && !view.takes_part() {
            return Err(not_found().into());
        }
        view.prizes = self.member_prizes(member_id, &view, now).await?;
        Ok(view)
    }

    /// An event whose board the member may see.
    ///
    /// # Errors
    /// [`TradingError`]: there is none, or of the database.
    pub async fn competition_of_board(
        &self,
        member_id: MemberId,
        id: i64,
    ) -> Result<Competition, TradingError> {
        let read = sql(
            "select c.* from competition c where c.id = $1 and not c.is_canceled \
             and (c.kind <> 'LEAGUE' or exists (select from competition_entry e \
                where e.competition_id = c.id and e.member_id = $2 and e.left_at is null))",
            [id.into(), member_id.into()],
        );
        let found = Competition::find_by_statement(read).one(&self.db).await?;
        Ok(found.ok_or_else(not_found)?)
    }

    async fn member_prizes(
        &self,
        member_id: MemberId,
        view: &CompetitionView,
        now: DateTime<Utc>,
    ) -> Result<Prizes, TradingError> {
        let competition = &view.competition;
        let terms = self.prizes(competition.id).await?;
        if terms.is_empty() {
            return Ok(Prizes::default());
        }
        let objection = self.objection(competition.id, member_id).await?;
        let expected = competition.ends_at.max(now) + OBJECTIONS_FOR;
        Ok(Prizes {
            terms,
            award_at: Some(competition.award_at.unwrap_or(expected)),
            awards: self.awards(competition.id, member_id).await?,
            can_object: view.takes_part()
                && objection.is_none()
                && competition.takes_objections(now),
            objection,
        })
    }

    async fn views(
        &self,
        member_id: MemberId,
        found: Vec<Competition>,
        now: DateTime<Utc>,
    ) -> Result<Vec<CompetitionView>, TradingError> {
        let ids: Vec<i64> = found.iter().map(|one| one.id).collect();
        let read = sql(
            "select e.competition_id, e.account_id, a.account_no, e.joined_at, e.ranked_from, \
                e.left_at, case when e.last_journal is not null then b.amount + coalesce((select \
                    sum(value_won)::bigint from ended_holding where account_id = e.account_id), 0) \
                    end as ended_won, r.buys, r.items, r.days \
             from competition_entry e join account a on a.id = e.account_id \
             join balance b on b.account_id = a.id and b.asset = 'KRW' \
             left join competition_result r on r.competition_id = e.competition_id \
                and r.member_id = e.member_id \
             where e.member_id = $1 and e.competition_id = any($2)",
            [member_id.into(), ids.into()],
        );
        let entries = EntryRow::find_by_statement(read).all(&self.db).await?;
        let uncounted = entries.iter().filter(|row| row.counted().is_none());
        let accounts: Vec<AccountId> = uncounted.map(|row| row.account_id).collect();
        let active = valuation::activity(&self.db, &accounts).await?;
        let values = if entries.is_empty() {
            Vec::new()
        } else {
            self.account_values(&self.db, member_id).await?
        };
        let present = |account: AccountId| {
            let value = values.iter().find(|one| one.account.account.id == account);
            value.map(|one| one.account.won.amount + one.holdings_value.0)
        };
        let mut views = Vec::with_capacity(found.len());
        for competition in found {
            let mine = entries
                .iter()
                .find(|row| row.competition_id == competition.id);
            let entry = mine.map(|row| {
                let equity = row.ended_won.or_else(|| present(row.account_id));
                let equity = Won(equity.unwrap_or_default());
                let so_far = || active.get(&row.account_id).copied();
                let activity = row.counted().or_else(so_far).unwrap_or_default();
                Entry {
                    account_id: row.account_id,
                    account_no: row.account_no.clone(),
                    joined_at: row.joined_at,
                    ranked_from: row.ranked_from,
                    has_left: row.left_at.is_some(),
                    equity,
                    return_rate: rate(return_e4(equity, competition.start_cash_won)),
                    activity,
                    needed: Activity::needed(&competition, now),
                }
            });
            // The number may be older than the member's own entry.
            let mine = i64::from(entry.as_ref().is_some_and(|entry| !entry.has_left));
            let entrants = self.entrants(competition.id).await?.max(mine);
            let is_full = competition
                .most_entrants
                .is_some_and(|most| entrants >= i64::from(most));
            views.push(CompetitionView {
                status: competition.status(now),
                can_join: entry.is_none() && competition.takes_entrants(now) && !is_full,
                is_host: competition.host_member_id == Some(member_id),
                entrants,
                entry,
                prizes: Prizes::default(),
                competition,
            });
        }
        Ok(views)
    }
}
