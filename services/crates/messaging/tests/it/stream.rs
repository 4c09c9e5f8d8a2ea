use std::time::Duration;

use messaging::Amqp;
use messaging::ticks::{Delivered, LogOffset, Publisher, ReadFrom, Reader, StreamSpec};
use proto::market::v1::{Tick, TickBatch, TickRecord, tick_record::Record};
use testkit::TempStream;

use crate::cutter::Cutter;

const SOON: Duration = Duration::from_secs(20);

fn batch(batch_seq: i64) -> TickBatch {
    let tick = Tick {
        code: "005930".to_owned(),
        tick_seq: batch_seq,
        ..Tick::default()
    };
    TickBatch {
        producer: "test".to_owned(),
        epoch: 1,
        batch_seq,
        closed_at_us: batch_seq,
        records: vec![TickRecord {
            record: Some(Record::Tick(tick)),
        }],
    }
}

async fn next(reader: &mut Reader) -> Delivered {
    tokio::time::timeout(SOON, reader.next())
        .await
        .expect("a batch arrives")
}

#[tokio::test]
async fn reading_resumes_at_a_stored_offset() {
    let stream = TempStream::create().await;
    let publisher = Publisher::new(stream.amqp.clone(), stream.spec.clone());
    let batches: Vec<TickBatch> = (0..100).map(batch).collect();
    publisher.publish_many(&batches).await.unwrap();

    let mut first = Reader::open(stream.amqp.clone(), stream.spec.clone(), ReadFrom::First, 8);
    let mut stored = 0;
    for expected in 0..40 {
        let delivered = next(&mut first).await;
        assert_eq!(
            (delivered.batch.batch_seq, delivered.missed_batches),
            (expected, 0)
        );
        stored = delivered.offset;
    }
    drop(first);

    let from = ReadFrom::Offset(LogOffset {
        epoch: 1,
        next: stored + 1,
    });
    let mut second = Reader::open(stream.amqp.clone(), stream.spec.clone(), from, 8);
    for expected in 40..100 {
        assert_eq!(next(&mut second).await.batch, batch(expected));
    }

    let mut live = Reader::open(stream.amqp.clone(), stream.spec.clone(), ReadFrom::Next, 8);
    // `next` starts with the subscription, which is not observable.
    tokio::time::sleep(Duration::from_millis(500)).await;
    publisher.publish(&batch(100)).await.unwrap();
    assert_eq!(next(&mut live).await.batch.batch_seq, 100);
    assert_eq!(next(&mut second).await.batch.batch_seq, 100);
}

#[tokio::test]
async fn duplicates_are_delivered_and_gaps_are_counted() {
    let stream = TempStream::create().await;
    let publisher = Publisher::new(stream.amqp.clone(), stream.spec.clone());
    let batches: Vec<TickBatch> = [1, 2, 2, 1, 3, 7].into_iter().map(batch).collect();
    publisher.publish_many(&batches).await.unwrap();
    let mut reader = Reader::open(stream.amqp.clone(), stream.spec.clone(), ReadFrom::First, 8);
    let mut seen = Vec::new();
    for _ in 0..6 {
        let delivered = next(&mut reader).await;
        seen.push((delivered.batch.batch_seq, delivered.missed_batches));
    }
    assert_eq!(seen, [(1, 0), (2, 0), (2, 0), (1, 0), (3, 0), (7, 3)]);
}

#[tokio::test]
async fn invalid_messages_are_skipped() {
    let stream = TempStream::create().await;
    let channel = stream.amqp.channel().await;
    for garbage in [&b"\xff\xff\xff"[..], b"{\"price\":-1}", b"\x00"] {
        channel
            .basic_publish(
                "".into(),
                stream.spec.name.as_str().into(),
                Default::default(),
                garbage,
                Default::default(),
            )
            .await
            .unwrap()
            .await
            .unwrap();
    }
    let publisher = Publisher::new(stream.amqp.clone(), stream.spec.clone());
    publisher.publish(&batch(1)).await.unwrap();
    let mut reader = Reader::open(stream.amqp.clone(), stream.spec.clone(), ReadFrom::First, 8);
    assert_eq!(next(&mut reader).await.batch, batch(1));
}

#[tokio::test]
async fn lost_connections_lose_no_confirmed_batch() {
    const BATCHES: i64 = 300;
    let stream = TempStream::create().await;
    let cutter = Cutter::start().await;
    let flaky = Amqp::new(&cutter.url).unwrap();
    let publisher = Publisher::new(flaky.clone(), stream.spec.clone());
    let mut reader = Reader::open(flaky, stream.spec.clone(), ReadFrom::First, 16);
    let reading = tokio::spawn(async move {
        let mut newest = -1;
        let mut last_offset = None;
        while newest < BATCHES - 1 {
            let delivered = next(&mut reader).await;
            assert!(last_offset < Some(delivered.offset), "offsets rise");
            last_offset = Some(delivered.offset);
            assert!(
                delivered.batch.batch_seq <= newest + 1,
                "nothing is skipped"
            );
            newest = newest.max(delivered.batch.batch_seq);
        }
    });
    for number in 0..BATCHES {
        if number % 100 == 50 {
            cutter.cut();
        }
        // An unconfirmed batch is published again.
        while publisher.publish(&batch(number)).await.is_err() {}
    }
    reading.await.unwrap();
}

#[tokio::test]
async fn publishing_without_a_broker_fails() {
    let nowhere = Amqp::new("amqp://guest:guest@127.0.0.1:1/%2f").unwrap();
    let publisher = Publisher::new(nowhere.clone(), messaging::ticks::StreamSpec::ticks());
    assert!(publisher.publish(&batch(1)).await.is_err());
    assert!(nowhere.check().await.is_err());
    assert!(crate::amqp().check().await.is_ok());
    let healthy = crate::amqp();
    for _ in 0..3 {
        healthy.check().await.unwrap();
    }
}

#[tokio::test]
async fn an_offset_that_does_not_exist_yet_is_waited_for() {
    let stream = TempStream::create().await;
    let publisher = Publisher::new(stream.amqp.clone(), stream.spec.clone());
    let mut reader = Reader::open(
        stream.amqp.clone(),
        stream.spec.clone(),
        ReadFrom::Offset(LogOffset::default()),
        8,
    );
    tokio::time::sleep(Duration::from_millis(500)).await;
    for number in 0..3 {
        publisher.publish(&batch(number)).await.unwrap();
        assert_eq!(next(&mut reader).await.batch.batch_seq, number);
    }
}

#[tokio::test]
async fn a_reader_uses_the_existing_stream_or_waits_for_one() {
    let stream = TempStream::create().await;
    let other_retention = StreamSpec::named(stream.spec.name.clone());
    let publisher = Publisher::new(stream.amqp.clone(), stream.spec.clone());
    publisher.publish(&batch(1)).await.unwrap();
    let mut reader = Reader::open(stream.amqp.clone(), other_retention, ReadFrom::First, 8);
    assert_eq!(next(&mut reader).await.batch, batch(1));

    let channel = stream.amqp.channel().await;
    channel
        .queue_delete(stream.spec.name.as_str().into(), Default::default())
        .await
        .unwrap();
    // Everything in a stream that is declared later is new.
    let from = ReadFrom::Next;
    let mut early = Reader::open(stream.amqp.clone(), stream.spec.clone(), from, 8);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let publisher = Publisher::new(stream.amqp.clone(), stream.spec.clone());
    publisher.publish(&batch(2)).await.unwrap();
    assert_eq!(next(&mut early).await.batch, batch(2));
}
