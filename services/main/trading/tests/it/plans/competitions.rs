//! What an order of a competition reads (holdings, what waits, and the fills of the day), and what finds
//! one of many events.

use bootstrap::redis::Redis;
use proto::trading::v1 as wire;
use proto::trading::v1::competition_service_client::CompetitionServiceClient;
use trading::competitions::LiveBoards;

use crate::competitions::in_competition;
use crate::equity::closes::Closes;
use crate::world::{SAMSUNG, World, buy};

use super::ME;

/// The statement that sums what an account has filled of a day.
pub(super) const FILLS_OF_DAY: &str = "instrument_code = any($3) and event_time >= $5";

/// Indexes by which statements find a few of many events.
pub(super) const INDEXED: [(&str, &str); 3] = [
    ("competition_of_host", "count(*) as leagues"),
    ("competition_to_value", "update competition set valued_at"),
    (
        "competition_to_cancel",
        "where is_canceled and closed_at is null",
    ),
];

pub(super) async fn compete(world: &mut World) {
    let mut client = CompetitionServiceClient::connect(world.served.url.clone())
        .await
        .unwrap();
    let league = wire::CreateLeagueRequest {
        member_id: ME,
        request_id: "league-no-1".to_owned(),
        title: "우리끼리".to_owned(),
        days: 7,
        start_cash_won: 1_000_000,
        most_entrants: 2,
        shows_holdings: false,
    };
    client.create_league(league).await.unwrap();
    let mut set_mode = async |is_on| {
        let request = wire::SetCompetitionModeRequest {
            member_id: ME,
            is_on,
            competition_id: 0,
        };
        client.set_competition_mode(request).await.unwrap();
    };
    set_mode(true).await;
    for _ in 0..2 {
        world
            .placed(in_competition(buy(ME, SAMSUNG, "", "1")))
            .await;
        world.trade(SAMSUNG, "71600", 1_000).await;
    }
    set_mode(false).await;
    let closes = Closes::new().await;
    let mut worker = closes.competitions(world, LiveBoards::new(Redis::absent()));
    worker.step().await.unwrap();
}
