//! Consumes `trading.order.filled.v1` in every edge and delivers it to the member's sockets.

use std::sync::Arc;

use messaging::Amqp;
use messaging::consumer::{self, Broadcast};
use prost::Message;
use proto::trading::v1::OrderFilled;
use tokio_util::sync::CancellationToken;

use crate::fill_json;
use crate::fills::{FillHub, FillPush};

const EVENTS: &[&str] = &["trading.order.filled.v1"];

pub(crate) async fn run(amqp: Amqp, hub: Arc<FillHub>, shutdown: CancellationToken) {
    let handler = move |message: Broadcast| {
        deliver(&hub, message);
        std::future::ready(())
    };
    consumer::run_broadcast(amqp, EVENTS, handler, shutdown).await;
}

fn deliver(hub: &FillHub, message: Broadcast) {
    let event = match message {
        Broadcast::Connected => {
            // Events were lost while disconnected; the sockets fetch them from trading.
            hub.notify_missed();
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
            tracing::error!(event_id = %event.event_id, "Fill event without a notice");
        }
        Err(error) => {
            tracing::error!(event_id = %event.event_id, %error, "Fill event could not be decoded");
        }
    }
}
