//! Events, each with the caller's own part in it.

use actix_web::web;
use proto::convert::{InvalidField, to_required_decimal};
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::EventPath;
use super::prizes::{CompetitionAward, CompetitionObjection, CompetitionPrize};
use crate::authentication::Caller;
use crate::error::ApiError;
use crate::extract::{Path, Query};
use crate::routes::{Reply, State};
use crate::wire::code::InviteCode;
use crate::wire::item::non_empty;
use crate::wire::number::Exact;
use crate::wire::rows::decode_rows;
use crate::wire::time::kst;
use crate::wire::variants::{from_proto, to_proto};

#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum CompetitionStatus {
    Scheduled,
    Ongoing,
    Ended,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ListQuery {
    /// Absent = all.
    #[param(inline)]
    status: Option<CompetitionStatus>,
    /// From 0.
    #[param(minimum = 0, maximum = 999)]
    page: Option<i32>,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct InviteQuery {
    /// Of a league that the caller has not joined.
    #[param(inline)]
    invite_code: Option<InviteCode>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Competitions {
    competitions: Vec<Competition>,
    has_next: bool,
}

/// An event. Times are those of the market.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Competition {
    sid: i64,
    /// OFFICIAL, LEAGUE (by invitation) or PRACTICE (one a month).
    kind: &'static str,
    title: String,
    /// What the best receive; null for nothing.
    prize: Option<String>,
    status: CompetitionStatus,
    starts_at: String,
    ends_at: String,
    join_from: String,
    join_until: String,
    /// Won that every account begins with.
    start_cash: i64,
    /// Who takes part; a few seconds old.
    entrants: i64,
    /// Null without a bound.
    most_entrants: Option<i32>,
    can_join: bool,
    /// The league is the caller's own.
    is_host: bool,
    /// For members of the league.
    invite_code: Option<String>,
    /// Nobody can join the league any more.
    is_joining_closed: bool,
    /// Whether those who see the board see what users own.
    shows_holdings: bool,
    /// Null for who does not take part.
    entry: Option<CompetitionEntry>,
    /// From here on of a single event: what places receive.
    prizes: Vec<CompetitionPrize>,
    /// When they receive it at the earliest; null without prizes.
    award_at: Option<String>,
    is_awarded: bool,
    awards: Vec<CompetitionAward>,
    can_object: bool,
    /// Null for none.
    objection: Option<CompetitionObjection>,
}

/// The caller's part in an event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompetitionEntry {
    acno: String,
    account_sid: i64,
    joined_at: String,
    /// When the ranking counts the caller at the earliest.
    ranked_from: String,
    has_left: bool,
    /// Won of cash and holdings: now, or at the end of the event.
    equity: i64,
    /// (equity / startCash − 1) × 100.
    return_rt: Exact,
    activity: CompetitionActivity,
    /// What a rank requires.
    needed: CompetitionActivity,
}

#[derive(Debug, Serialize, ToSchema)]
struct CompetitionActivity {
    /// Purchases that were filled.
    buys: i32,
    /// Of how many items.
    items: i32,
    /// On how many days.
    days: i32,
}

/// Official events, and the leagues and practice leagues that the caller has joined; running ones first.
#[utoipa::path(get, path = "/api/v1/competition/list", tag = "competition", params(ListQuery),
    responses((status = 200, description = "The events.", body = Competitions)))]
pub(super) async fn competitions(
    state: State,
    caller: Caller,
    Query(query): Query<ListQuery>,
) -> Reply<Competitions> {
    let page = query.page.unwrap_or(0);
    if !(0..1_000).contains(&page) {
        return Err(ApiError::field("page", "쪽 번호가 올바르지 않아요"));
    }
    let status = query.status.map_or(
        trading::CompetitionStatus::Unspecified,
        CompetitionStatus::to_proto,
    );
    let request = trading::ListCompetitionsRequest {
        member_id: caller.member_id.0,
        status: status.into(),
        page,
    };
    let listed = state
        .competitions
        .call_idempotent(async |mut competitions| competitions.list_competitions(request).await)
        .await?;
    Ok(web::Json(Competitions {
        competitions: decode_rows(listed.competitions),
        has_next: listed.has_next,
    }))
}

/// An event. A league is found by its members, and by who has its invite code.
#[utoipa::path(get, path = "/api/v1/competition/{eventSid}", tag = "competition",
    params(EventPath, InviteQuery),
    responses((status = 200, description = "The event.", body = Competition),
        (status = 404, description = "There is no such event for the caller.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
pub(super) async fn competition(
    state: State,
    caller: Caller,
    path: Path<EventPath>,
    Query(query): Query<InviteQuery>,
) -> Reply<Competition> {
    let request = trading::GetCompetitionRequest {
        member_id: caller.member_id.0,
        competition_id: path.0.event()?,
        invite_code: query.invite_code.map(String::from).unwrap_or_default(),
    };
    let found = state
        .competitions
        .call_idempotent(async |mut competitions| {
            competitions.get_competition(request.clone()).await
        })
        .await?;
    Ok(web::Json(found.try_into()?))
}

to_proto!(CompetitionStatus => trading::CompetitionStatus { Scheduled, Ongoing, Ended });
from_proto!(trading::CompetitionStatus => CompetitionStatus {
    Scheduled, Ongoing, Ended
}, "status");

impl TryFrom<trading::Competition> for Competition {
    type Error = InvalidField;

    fn try_from(found: trading::Competition) -> Result<Self, InvalidField> {
        Ok(Self {
            kind: match found.kind() {
                trading::CompetitionKind::Unspecified => return Err(InvalidField("kind")),
                trading::CompetitionKind::Official => "OFFICIAL",
                trading::CompetitionKind::League => "LEAGUE",
                trading::CompetitionKind::Practice => "PRACTICE",
            },
            status: found.status().try_into()?,
            sid: found.competition_id,
            title: found.title,
            prize: non_empty(found.prize),
            starts_at: kst(found.starts_at_us, "starts_at_us")?,
            ends_at: kst(found.ends_at_us, "ends_at_us")?,
            join_from: kst(found.join_from_us, "join_from_us")?,
            join_until: kst(found.join_until_us, "join_until_us")?,
            start_cash: found.start_cash_won,
            entrants: found.entrants,
            most_entrants: (found.most_entrants > 0).then_some(found.most_entrants),
            can_join: found.can_join,
            is_host: found.is_host,
            invite_code: non_empty(found.invite_code),
            is_joining_closed: found.is_joining_closed,
            shows_holdings: found.shows_holdings,
            entry: found.entry.map(CompetitionEntry::try_from).transpose()?,
            prizes: decode_rows(found.prizes),
            award_at: Some(found.award_at_us)
                .filter(|at| *at != 0)
                .map(|at| kst(at, "award_at_us"))
                .transpose()?,
            is_awarded: found.is_awarded,
            awards: decode_rows(found.awards),
            can_object: found.can_object,
            objection: found
                .objection
                .map(CompetitionObjection::try_from)
                .transpose()?,
        })
    }
}

impl TryFrom<trading::CompetitionEntry> for CompetitionEntry {
    type Error = InvalidField;

    fn try_from(entry: trading::CompetitionEntry) -> Result<Self, InvalidField> {
        let return_rate = to_required_decimal(entry.return_rate.as_ref(), "return_rate")?;
        Ok(Self {
            acno: entry.account_no,
            account_sid: entry.account_id,
            joined_at: kst(entry.joined_at_us, "joined_at_us")?,
            ranked_from: kst(entry.ranked_from_us, "ranked_from_us")?,
            has_left: entry.has_left,
            equity: entry.equity_won,
            return_rt: Exact(return_rate),
            activity: CompetitionActivity {
                buys: entry.buys,
                items: entry.items,
                days: entry.days,
            },
            needed: CompetitionActivity {
                buys: entry.needed_buys,
                items: entry.needed_items,
                days: entry.needed_days,
            },
        })
    }
}
