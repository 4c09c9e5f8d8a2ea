//! `trading.order.filled.v1`, heard by every edge, handed to the sockets of the member.

use std::sync::Arc;

use messaging::Amqp;
use messaging::consumer::{self, Broadcast};
use prost::Message;
use proto::trading::v1::OrderFilled;
use tokio_util::sync::CancellationToken;

use crate::fill_json;
use crate::fills::{FillHub, FillPush};

const EVENTS: &[&str] = &["trading.order.filled.v1"];

/// Listens until `shutdown`.
pub(crate) async fn run(amqp: Amqp, hub: Arc<FillHub>, shutdown: CancellationToken) {
    let handler = move |told: Broadcast| {
        deliver(&hub, told);
        std::future::ready(())
    };
    consumer::run_broadcast(amqp, EVENTS, handler, shutdown).await;
}

fn deliver(hub: &FillHub, told: Broadcast) {
    let event = match told {
        Broadcast::Connected => {
            // Whatever happened while nobody listened is fetched by rpc.
            hub.tell_missed();
            return;
        }
        Broadcast::Event(event) => event,
    };
    match OrderFilled::decode(event.body) {
        Ok(OrderFilled {
            notice: Some(notice),
        }) => {
            metrics::counter!("edge_fills_total").increment(1);
            let push = FillPush {
                seq: notice.seq,
                json: fill_json::notice(&notice).into(),
            };
            hub.push(notice.member_id, &push);
        }
        Ok(OrderFilled { notice: None }) => {
            tracing::error!(event_id = %event.event_id, "A fill event carries no notice");
        }
        Err(error) => {
            tracing::error!(event_id = %event.event_id, %error, "A fill event cannot be read");
        }
    }
}
