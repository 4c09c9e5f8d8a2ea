//! Events of a newer version.

use std::time::Duration;

use lapin::options::BasicPublishOptions;
use messaging::Event;
use messaging::consumer;
use prost::Message;
use proto::common::v1::Envelope;
use proto::trading::v1::OrderChanged;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{amqp, delete, queue_of, unique};

const SOON: Duration = Duration::from_secs(30);

/// Publishes a message and returns whether it was routed.
async fn published(routing_key: &str, bytes: &[u8]) -> bool {
    let channel = amqp().channel().await;
    channel.confirm_select(Default::default()).await.unwrap();
    let options = BasicPublishOptions {
        mandatory: true,
        ..BasicPublishOptions::default()
    };
    let sending = channel.basic_publish(
        "seedup.events".into(),
        routing_key.into(),
        options,
        bytes,
        Default::default(),
    );
    let confirmation = sending.await.unwrap().await.unwrap();
    confirmation.is_ack() && confirmation.take_message().is_none()
}

#[tokio::test]
async fn unknown_fields_of_an_event_are_ignored() {
    let event_type = unique("test.order.changed.v1");
    let queue = unique("test.newer");
    let spec = queue_of(queue, event_type, 4);
    let (sender, mut handled) = tokio::sync::mpsc::unbounded_channel();
    let handler = move |event: Event| {
        let sender = sender.clone();
        async move {
            let changed = OrderChanged::decode(event.body.clone())?;
            sender.send((event, changed)).unwrap();
            Ok::<(), prost::DecodeError>(())
        }
    };
    let stop = CancellationToken::new();
    tokio::spawn(consumer::run(amqp(), spec, handler, stop.clone()));

    let said = OrderChanged {
        member_id: 100_000,
        order: None,
    };
    let envelope = Envelope {
        event_id: Uuid::now_v7().to_string(),
        event_type: event_type.to_owned(),
        aggregate_id: "7".to_owned(),
        occurred_at_us: 1_795_219_385_000_000,
        body: testkit::newer::message(&said),
    };
    let bytes = testkit::newer::message(&envelope);
    testkit::eventually(SOON, async || published(event_type, &bytes).await).await;
    let (event, changed) = tokio::time::timeout(SOON, handled.recv())
        .await
        .unwrap()
        .unwrap();
    assert_eq!((event.aggregate_id.as_str(), changed), ("7", said));

    // The next version has its own routing key: it is not delivered to this consumer and is
    // returned to the outbox until a consumer exists.
    let next = event_type.replace(".v1", ".v2");
    assert!(!published(&next, &bytes).await);
    assert!(handled.try_recv().is_err());
    stop.cancel();
    delete(&[queue]).await;
}
