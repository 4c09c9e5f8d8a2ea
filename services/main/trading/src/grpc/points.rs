//! `PointService` and `CashService`: education points and cash of members.

use bootstrap::grpc::Reply;
use kernel::RequestId;
use kernel::wealth::WealthLevel;
use proto::convert::micros;
use proto::trading::v1 as wire;
use proto::trading::v1::cash_service_server::CashService;
use proto::trading::v1::point_service_server::PointService;
use tonic::{Request, Response};

use super::Service;
use super::call::{member, with_timeout};
use super::digest::digest;
use super::parse::{Page, account, page, request_id};
use crate::cash::exchange::ExchangeCash;
use crate::entity::point_change;
use crate::error::TradingError;
use crate::points::PointChangeKind;
use crate::points::history::PointChangePage;
use crate::points::overview::{DAY_CAP, PointOverview};
use crate::points::spend::SpendPoints;
use crate::points::transfer::MovePoints;

/// More than a member can ever have.
const MAX_AMOUNT: i64 = 1_000_000_000_000;
const LONGEST_REASON: usize = 40;

#[tonic::async_trait]
impl PointService for Service {
    async fn get_points(&self, request: Request<wire::GetPointsRequest>) -> Reply<wire::Points> {
        let member_id = member(request.into_inner().member_id)?;
        let store = self.store.clone();
        let overview = with_timeout(async move { store.point_overview(member_id).await });
        Ok(Response::new(points(&overview.await?)))
    }

    async fn list_point_changes(
        &self,
        request: Request<wire::ListPointChangesRequest>,
    ) -> Reply<wire::PointChanges> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let Page { before, size } = page(request.before_id, request.size);
        let store = self.store.clone();
        let page = with_timeout(async move {
            let page = store.point_changes(member_id, before, size.into());
            page.await
        });
        Ok(Response::new(changes(page.await?)))
    }

    async fn move_points(
        &self,
        request: Request<wire::MovePointsRequest>,
    ) -> Reply<wire::MovePointsReply> {
        let request = request.into_inner();
        let moved = MovePoints {
            member_id: member(request.member_id)?,
            request_id: request_id(&request.request_id)?,
            account: account(&request.account_no)?,
            points: counted(request.points, "points")?,
            digest: digest(&request),
        };
        let store = self.store.clone();
        let reply = with_timeout(async move { store.move_points(&moved).await });
        Ok(Response::new(reply.await?))
    }

    async fn spend_points(
        &self,
        request: Request<wire::SpendPointsRequest>,
    ) -> Reply<wire::SpendPointsReply> {
        let request = request.into_inner();
        let spent = SpendPoints {
            member_id: member(request.member_id)?,
            key: RequestId::parse(&request.key).map_err(|_shape| TradingError::Malformed("key"))?,
            points: counted(request.points, "points")?,
            reason: reason(&request.reason)?,
            digest: digest(&request),
        };
        let store = self.store.clone();
        let reply = with_timeout(async move { store.spend_points(&spent).await });
        Ok(Response::new(reply.await?))
    }

    async fn see_transfer_popup(
        &self,
        request: Request<wire::SeeTransferPopupRequest>,
    ) -> Reply<wire::SeeTransferPopupReply> {
        let member_id = member(request.into_inner().member_id)?;
        let store = self.store.clone();
        with_timeout(async move { store.see_transfer_popup(member_id).await }).await?;
        Ok(Response::new(wire::SeeTransferPopupReply {}))
    }
}

#[tonic::async_trait]
impl CashService for Service {
    async fn exchange_cash(
        &self,
        request: Request<wire::ExchangeCashRequest>,
    ) -> Reply<wire::ExchangeCashReply> {
        let request = request.into_inner();
        let exchanged = ExchangeCash {
            member_id: member(request.member_id)?,
            request_id: request_id(&request.request_id)?,
            cash: counted(request.cash, "cash")?,
            digest: digest(&request),
        };
        let store = self.store.clone();
        let reply = with_timeout(async move { store.exchange_cash(&exchanged).await });
        Ok(Response::new(reply.await?))
    }
}

/// At least one, and few enough that no product of it overflows.
fn counted(number: i64, field: &'static str) -> Result<i64, TradingError> {
    let counted = (1..=MAX_AMOUNT).contains(&number).then_some(number);
    counted.ok_or(TradingError::Malformed(field))
}

fn reason(text: &str) -> Result<String, TradingError> {
    let is_upper_snake = text
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    if is_upper_snake && (1..=LONGEST_REASON).contains(&text.len()) {
        Ok(text.to_owned())
    } else {
        Err(TradingError::Malformed("reason"))
    }
}

fn points(overview: &PointOverview) -> wire::Points {
    let WealthLevel {
        number,
        name,
        multiplier_tenths,
        ..
    } = overview.level;
    wire::Points {
        balance: overview.balance,
        earned: overview.earned,
        moved: overview.moved,
        spent: overview.spent,
        earned_today: overview.earned_today,
        day_cap: DAY_CAP,
        multiplier_tenths: multiplier_tenths.into(),
        level: number.into(),
        level_name: name.to_owned(),
        is_transfer_popup_seen: overview.is_transfer_popup_seen,
    }
}

fn changes(page: PointChangePage) -> wire::PointChanges {
    wire::PointChanges {
        changes: page.changes.into_iter().map(change).collect(),
        next_before_id: page.next.unwrap_or(0),
    }
}

fn change(row: point_change::Model) -> wire::PointChange {
    let mut kinds = PointChangeKind::ALL.iter().copied();
    let kind = match kinds.find(|kind| kind.as_str() == row.kind) {
        Some(PointChangeKind::Earned | PointChangeKind::Awarded) => wire::PointChangeKind::Earned,
        Some(PointChangeKind::Moved) => wire::PointChangeKind::Moved,
        Some(PointChangeKind::Spent) => wire::PointChangeKind::Spent,
        None => wire::PointChangeKind::Unspecified,
    };
    wire::PointChange {
        change_id: row.id,
        kind: kind.into(),
        points: row.points,
        reason: row.reason,
        won: row.won.0,
        multiplier_tenths: row.multiplier_tenths.map_or(0, i32::from),
        occurred_at_us: micros(row.occurred_at),
    }
}
