//! What an order of a competition reads: holdings, what waits, and the fills of the day.

use proto::trading::v1 as wire;
use proto::trading::v1::competition_service_client::CompetitionServiceClient;

use crate::competitions::in_competition;
use crate::world::{SAMSUNG, World, buy};

use super::ME;

/// The statement that sums what an account has filled of a day.
pub(super) const FILLS_OF_DAY: &str = "instrument_code = any($3) and event_time >= $5";

pub(super) async fn compete(world: &mut World) {
    let mut client = CompetitionServiceClient::connect(world.served.url.clone())
        .await
        .unwrap();
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
}
