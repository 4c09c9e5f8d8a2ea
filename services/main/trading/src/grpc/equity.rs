//! `EquityService`: what accounts were worth day by day.

use bootstrap::grpc::Reply;
use proto::convert::decimal;
use proto::trading::v1 as wire;
use proto::trading::v1::equity_service_server::EquityService;
use tonic::{Request, Response};

use super::Service;
use super::call::{member, with_timeout};
use super::parse;
use super::profits::window;
use crate::domain::day::yyyymmdd;
use crate::equity::{EquityDay, EquityFilter, EquityHistory};

#[tonic::async_trait]
impl EquityService for Service {
    async fn get_equity(&self, request: Request<wire::GetEquityRequest>) -> Reply<wire::Equity> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let filter = EquityFilter {
            window: window(request.window()),
            account: parse::optional_account(&request.account_no)?,
            season: parse::season(request.season)?,
        };
        let store = self.store.clone();
        let history = with_timeout(async move { store.equity(member_id, &filter).await });
        Ok(Response::new(view(history.await?)))
    }
}

fn view(history: EquityHistory) -> wire::Equity {
    let series = history.series;
    wire::Equity {
        season: history.season,
        from_day: history.from.map_or(0, yyyymmdd),
        to_day: yyyymmdd(history.to),
        days: series.days.into_iter().map(day).collect(),
        return_rate: series.return_rate.map(|rate| decimal(rate.normalize())),
        drawdown_rate: series.drawdown_rate.map(|rate| decimal(rate.normalize())),
    }
}

fn day(one: EquityDay) -> wire::EquityDay {
    wire::EquityDay {
        day: yyyymmdd(one.day),
        equity_won: one.equity,
        base_won: one.base,
        flow_won: one.flow,
    }
}
