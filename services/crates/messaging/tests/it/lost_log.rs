//! A tick log that is lost, truncated, or expired at the reader's offset.

use std::time::Duration;

use fault_proxy::{FaultProxy, Faults};
use messaging::Amqp;
use messaging::ticks::{
    Delivered, LogOffset, PublishError, Publisher, ReadFrom, Reader, StreamSpec, declare,
};
use proto::market::v1::TickBatch;
use testkit::TempStream;

use crate::behind;

/// Time for readers to continue.
const SOON: Duration = Duration::from_secs(30);

fn batch(epoch: i64, batch_seq: i64) -> TickBatch {
    TickBatch {
        producer: "test".to_owned(),
        epoch,
        batch_seq,
        closed_at_us: batch_seq,
        records: Vec::new(),
    }
}

fn batches(epoch: i64, numbers: std::ops::RangeInclusive<i64>) -> Vec<TickBatch> {
    numbers.map(|number| batch(epoch, number)).collect()
}

async fn next(reader: &mut Reader) -> (i64, i64, u64) {
    let Delivered {
        batch,
        missed_batches,
        ..
    } = tokio::time::timeout(SOON, reader.next())
        .await
        .expect("a batch arrives");
    (batch.epoch, batch.batch_seq, missed_batches)
}

fn publisher(stream: &TempStream) -> Publisher {
    Publisher::new(stream.amqp.clone(), stream.spec.clone())
}

fn read(stream: &TempStream, epoch: i64, next: u64) -> Reader {
    let from = ReadFrom::Offset(LogOffset { epoch, next });
    Reader::open(stream.amqp.clone(), stream.spec.clone(), from, 8)
}

async fn delete(stream: &TempStream) {
    let channel = stream.amqp.channel().await;
    let name = stream.spec.name.as_str().into();
    channel
        .queue_delete(name, Default::default())
        .await
        .unwrap();
}

async fn redeclare(stream: &TempStream) {
    delete(stream).await;
    let channel = stream.amqp.channel().await;
    declare(&channel, &stream.spec).await.unwrap();
}

/// Closes every connection and refuses new ones.
fn lose(network: &FaultProxy) {
    network.set(Faults {
        refuses_connections: true,
        ..Faults::default()
    });
    network.reset();
}

/// Publishes until it is confirmed; returns the epoch.
async fn publish(publisher: &Publisher, mut epoch: i64, batch_seq: i64) -> i64 {
    loop {
        match publisher.publish(&batch(epoch, batch_seq)).await {
            Ok(()) => return epoch,
            Err(PublishError::Lost(_)) => epoch += 1,
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

#[tokio::test]
async fn after_a_deletion_readers_continue_in_the_next_log() {
    let stream = TempStream::create().await;
    let publisher = publisher(&stream);
    publisher.publish_many(&batches(1, 1..=10)).await.unwrap();
    let mut live = read(&stream, 0, 0);
    for number in 1..=10 {
        assert_eq!(next(&mut live).await, (1, number, 0));
    }
    delete(&stream).await;
    let epoch = publish(&publisher, 1, 11).await;
    assert_eq!(epoch, 2);
    assert_eq!(next(&mut live).await, (2, 11, 0));
    // A reader that was down has missed an unknown number of batches.
    let mut late = read(&stream, 1, 10);
    assert_eq!(next(&mut late).await, (2, 11, 1));
    let mut far_behind = read(&stream, 1, 4);
    assert_eq!(next(&mut far_behind).await, (2, 11, 1));
    // The new log is as long as the old one, but a different one.
    publisher.publish_many(&batches(2, 12..=30)).await.unwrap();
    let mut later = read(&stream, 1, 10);
    assert_eq!(next(&mut later).await.1, 11);
    for number in 12..=30 {
        assert_eq!(next(&mut later).await, (2, number, 0));
        assert_eq!(next(&mut live).await, (2, number, 0));
    }
}

#[tokio::test]
async fn a_log_created_again_before_its_epoch_begins_is_read_from_its_start() {
    let stream = TempStream::create().await;
    let publisher = publisher(&stream);
    publisher.publish_many(&batches(1, 1..=3)).await.unwrap();
    // All epochs up to 4 count as read: epoch 5 begins behind this log, or in the one that replaces it.
    let mut reader = read(&stream, 4, 3);
    redeclare(&stream).await;
    publish(&publisher, 5, 4).await;
    assert_eq!(next(&mut reader).await, (5, 4, 1));
    publisher.publish_many(&batches(5, 5..=9)).await.unwrap();
    let mut late = read(&stream, 4, 3);
    for number in 4..=9 {
        assert_eq!(next(&mut late).await.1, number);
    }
}

#[tokio::test]
async fn a_broker_that_lost_its_data_or_its_end_is_detected() {
    let stream = TempStream::create().await;
    let (network, amqp) = behind("").await;
    let publisher = Publisher::new(amqp.clone(), stream.spec.clone());
    let from = ReadFrom::Offset(LogOffset::default());
    let mut reader = Reader::open(amqp, stream.spec.clone(), from, 8);
    publisher.publish_many(&batches(1, 1..=10)).await.unwrap();
    for number in 1..=10 {
        assert_eq!(next(&mut reader).await, (1, number, 0));
    }
    // All data is lost, and another client has declared the queue.
    lose(&network);
    redeclare(&stream).await;
    network.clear();
    let epoch = publish(&publisher, 1, 11).await;
    assert_eq!(epoch, 2);
    assert_eq!(next(&mut reader).await, (2, 11, 0));
    publisher.publish_many(&batches(2, 12..=15)).await.unwrap();
    for number in 12..=15 {
        assert_eq!(next(&mut reader).await, (2, number, 0));
    }
    // The last three batches are lost.
    lose(&network);
    redeclare(&stream).await;
    let restored = Publisher::new(stream.amqp.clone(), stream.spec.clone());
    restored.publish_many(&batches(2, 11..=12)).await.unwrap();
    network.clear();
    let epoch = publish(&publisher, 2, 16).await;
    assert_eq!(epoch, 3);
    assert_eq!(next(&mut reader).await, (3, 16, 0));
}

#[tokio::test]
async fn a_lost_connection_starts_no_epoch() {
    let stream = TempStream::create().await;
    let (network, amqp) = behind("").await;
    let publisher = Publisher::new(amqp, stream.spec.clone());
    for number in 1..=5 {
        assert_eq!(publish(&publisher, 1, number).await, 1);
        network.reset();
    }
    let after = Publisher::new(stream.amqp.clone(), stream.spec.clone()).after((1, 5));
    after.publish(&batch(1, 6)).await.unwrap();
    let ahead = Publisher::new(stream.amqp.clone(), stream.spec.clone()).after((1, 7));
    let lost = ahead.publish(&batch(1, 8)).await.unwrap_err();
    assert!(matches!(lost, PublishError::Lost(_)), "{lost}");
}

#[tokio::test]
async fn expired_batches_are_counted_as_missed() {
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    let stream = TempStream {
        spec: StreamSpec {
            max_bytes: 2_000_000,
            segment_bytes: 500_000,
            ..StreamSpec::named(testkit::unique("test-ticks"))
        },
        amqp,
    };
    let publisher = publisher(&stream);
    publisher.publish_many(&batches(1, 1..=10)).await.unwrap();
    let mut number = 10;
    let mut first = 1;
    // Until the first segment has expired.
    while first == 1 {
        let large = TickBatch {
            producer: "x".repeat(100_000),
            ..batch(1, number + 1)
        };
        publisher.publish(&large).await.unwrap();
        number += 1;
        if number % 20 == 0 {
            let mut oldest = read(&stream, 0, 0);
            first = next(&mut oldest).await.1;
        }
        assert!(number < 500, "nothing goes");
    }
    let mut reader = read(&stream, 1, 5);
    let (epoch, seq, missed) = next(&mut reader).await;
    assert_eq!(epoch, 1);
    // Offsets have gaps, so the count is at least the number of missed batches.
    assert!(
        missed >= u64::try_from(seq - 6).unwrap(),
        "{missed} before {seq}"
    );
    assert!(seq >= first);
    assert_eq!(next(&mut reader).await, (1, seq + 1, 0));
}

#[tokio::test]
async fn batches_of_a_superseded_writer_are_ignored() {
    let stream = TempStream::create().await;
    let publisher = publisher(&stream);
    let mut reader = read(&stream, 0, 0);
    for (epoch, number) in [(1, 1), (1, 2), (5, 3), (1, 3), (1, 4), (5, 4)] {
        publisher.publish(&batch(epoch, number)).await.unwrap();
    }
    for expected in [(1, 1, 0), (1, 2, 0), (5, 3, 0), (5, 4, 0)] {
        assert_eq!(next(&mut reader).await, expected);
    }
}
