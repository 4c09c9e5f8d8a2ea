//! `SeasonService`: resets and past seasons.

use bootstrap::grpc::Reply;
use proto::convert::{decimal, micros};
use proto::trading::v1 as wire;
use proto::trading::v1::season_service_server::SeasonService;
use tonic::{Request, Response};

use super::Service;
use super::call::{member, with_timeout};
use super::digest::digest;
use super::parse;
use crate::seasons::{Reset, Season, Seasons};

#[tonic::async_trait]
impl SeasonService for Service {
    async fn reset(&self, request: Request<wire::ResetRequest>) -> Reply<wire::ResetReply> {
        let request = request.into_inner();
        let reset = Reset {
            member_id: member(request.member_id)?,
            request_id: parse::request_id(&request.request_id)?,
            use_ticket: request.use_ticket,
            season: parse::season(request.season)?,
            digest: digest(&request),
        };
        let store = self.store.clone();
        let reply = with_timeout(async move { store.reset(&reset).await });
        Ok(Response::new(reply.await?))
    }

    async fn list_seasons(
        &self,
        request: Request<wire::ListSeasonsRequest>,
    ) -> Reply<wire::Seasons> {
        let member_id = member(request.into_inner().member_id)?;
        let store = self.store.clone();
        let seasons = with_timeout(async move { store.seasons(member_id).await });
        Ok(Response::new(view(seasons.await?)))
    }
}

fn view(seasons: Seasons) -> wire::Seasons {
    wire::Seasons {
        present_season: seasons.present,
        past: seasons.past.into_iter().map(past).collect(),
        next_free_at_us: seasons.next_free.map_or(0, micros),
        tickets: seasons.tickets,
        deposit_won: seasons.deposit.0,
    }
}

fn past(season: Season) -> wire::PastSeason {
    let profit_rate = season.profit_rate();
    wire::PastSeason {
        season: season.season,
        began_at_us: micros(season.began_at),
        ended_at_us: micros(season.ended_at),
        total_won: season.total_won.0,
        base_won: season.base_won.0,
        profit_rate: profit_rate.map(|rate| decimal(rate.normalize())),
    }
}
