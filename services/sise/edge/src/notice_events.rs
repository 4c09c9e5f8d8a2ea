//! Consumes `auth.notification.created.v1` in every edge and delivers it to the member's sockets. What
//! is lost while the broker is away is not fetched: clients read the number with every page they open.

use std::sync::Arc;

use messaging::Amqp;
use messaging::consumer::{self, Broadcast};
use prost::Message;
use proto::auth::v1::NotificationCreated;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::fills::FillHub;
use crate::json;

const EVENTS: &[&str] = &["auth.notification.created.v1"];

/// One element of a payload.
#[derive(Serialize)]
struct NoticeJson {
    r#type: &'static str,
    /// None where notifications were taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<i64>,
    unread: i32,
}

pub(crate) async fn run(amqp: Amqp, hub: Arc<FillHub>, shutdown: CancellationToken) {
    let handler = move |message: Broadcast| {
        if let Broadcast::Event(event) = message {
            match NotificationCreated::decode(event.body) {
                Ok(created) => hub.push_notice(created.member_id, &notice(&created).into()),
                Err(error) => {
                    let event_id = event.event_id;
                    tracing::error!(%event_id, %error, "Notification event could not be decoded");
                }
            }
        }
        std::future::ready(())
    };
    consumer::run_broadcast(amqp, EVENTS, handler, shutdown).await;
}

fn notice(created: &NotificationCreated) -> String {
    json::text(&NoticeJson {
        r#type: "NOTICE",
        sid: Some(created.notification_id).filter(|sid| *sid > 0),
        unread: created.unread,
    })
}
