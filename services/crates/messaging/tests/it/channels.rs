//! Channels that the broker closes after a protocol error.

use lapin::options::QueueDeclareOptions;
use lapin::types::FieldTable;
use messaging::consumer;
use messaging::outbox::Relay;
use messaging::ticks::{Publisher, ReadFrom, Reader};
use proto::market::v1::TickBatch;
use sqlx::PgPool;
use testkit::TempStream;
use tokio_util::sync::CancellationToken;

use crate::events::{effects, into_effects};
use crate::{LATER, amqp, append, behind, database, delete, queue_of, unique, waiting};

/// `basic.ack` on the first channel for a delivery that does not exist.
const UNKNOWN_ACK: [u8; 21] = [
    1, 0, 1, 0, 0, 0, 13, 0, 60, 0, 80, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0xce,
];

#[sqlx::test]
async fn an_unknown_acknowledgement_closes_the_channel_and_loses_no_event(pool: PgPool) {
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.closed");
    let stop = CancellationToken::new();
    let (before_relay, relaying) = behind("").await;
    let (before_consumer, consuming) = behind("").await;
    tokio::spawn(Relay::new(pool.clone(), relaying, "test").run(stop.clone()));
    let spec = queue_of(queue, event_type, 8);
    let handler = into_effects(&database);
    tokio::spawn(consumer::run(consuming, spec, handler, stop.clone()));

    for round in 0..4 {
        append(&database, event_type, &round.to_string()).await;
        testkit::eventually(LATER, async || {
            effects(&pool).await.len() == round + 1 && waiting(&pool).await == 0
        })
        .await;
        for proxy in [&before_relay, &before_consumer] {
            let connections = proxy.connections();
            proxy.inject(&UNKNOWN_ACK);
            // An idle relay notices too and reconnects.
            testkit::eventually(LATER, async || proxy.connections() > connections).await;
        }
    }
    append(&database, event_type, "last").await;
    testkit::eventually(LATER, async || effects(&pool).await.len() == 5).await;
    assert_eq!(effects(&pool).await, ["0", "1", "2", "3", "last"]);
    stop.cancel();
    delete(&[queue]).await;
}

#[tokio::test]
async fn the_tick_log_continues_after_its_channels_were_closed() {
    let stream = TempStream::create().await;
    let (before_publisher, publishing) = behind("").await;
    let (before_reader, reading) = behind("").await;
    let publisher = Publisher::new(publishing, stream.spec.clone());
    let mut reader = Reader::open(reading, stream.spec.clone(), ReadFrom::First, 8);
    for batch_seq in 0..4 {
        let batch = TickBatch {
            producer: "test".to_owned(),
            epoch: 1,
            batch_seq,
            ..TickBatch::default()
        };
        // An unconfirmed batch is published again and may then be in the log twice.
        testkit::eventually(LATER, async || publisher.publish(&batch).await.is_ok()).await;
        let next = async {
            loop {
                let delivered = reader.next().await;
                assert_eq!(delivered.missed_batches, 0);
                if delivered.batch.batch_seq == batch_seq {
                    return;
                }
            }
        };
        tokio::time::timeout(LATER, next).await.unwrap();
        before_publisher.inject(&UNKNOWN_ACK);
        let connections = before_reader.connections();
        before_reader.inject(&UNKNOWN_ACK);
        testkit::eventually(LATER, async || before_reader.connections() > connections).await;
    }
    assert!(before_publisher.connections() > 1);
}

#[sqlx::test]
async fn a_queue_with_other_arguments_is_declared_until_it_matches(pool: PgPool) {
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.mismatch");
    let stop = CancellationToken::new();
    let durable = QueueDeclareOptions {
        durable: true,
        ..QueueDeclareOptions::default()
    };
    let channel = amqp().channel().await;
    // Not a quorum queue: declaring it as one is refused and closes the channel.
    channel
        .queue_declare(queue.into(), durable, FieldTable::default())
        .await
        .unwrap();
    let (proxy, consuming) = behind("").await;
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    let spec = queue_of(queue, event_type, 8);
    let handler = into_effects(&database);
    tokio::spawn(consumer::run(consuming, spec, handler, stop.clone()));
    append(&database, event_type, "patient").await;
    testkit::eventually(LATER, async || proxy.connections() > 3).await;
    assert!(effects(&pool).await.is_empty());
    assert_eq!(waiting(&pool).await, 1, "no queue took it");

    delete(&[queue]).await;
    testkit::eventually(LATER, async || effects(&pool).await == ["patient"]).await;
    stop.cancel();
    delete(&[queue]).await;
}
