//! Services and a log of a newer version, as during a rolling update.

use proto::common::v1::Envelope;
use proto::market::v1::{SessionRecord, TickBatch, Venue};
use proto::trading::v1::{MemberFills, OrderFilled};
use serde_json::json;
use testkit::keys;
use testkit::newer::{inside, message, unknown_fields};

use crate::private::{EXCHANGE, FILLED, fills, new_member, notice, now, publish_bytes, seqs};
use crate::rig::{EPOCH, Rig, bitcoin};

#[tokio::test]
async fn unknown_fields_and_records_of_a_newer_log_are_ignored() {
    let rig = Rig::start_with_newer_services().await;
    let mut client = rig.connect().await;
    client.subscribe("/coin/realData", &["BTC"]).await;
    // The snapshot has unknown fields already.
    assert_eq!(client.prices("/coin/realData").await["snapshot"], true);

    let head = TickBatch {
        producer: "later".to_owned(),
        epoch: EPOCH,
        batch_seq: 1,
        closed_at_us: 1,
        records: Vec::new(),
    };
    let session = SessionRecord {
        kind: 4_711,
        venue: Venue::Coin.into(),
        session_seq: 1,
        ..SessionRecord::default()
    };
    let records = [
        inside(2, &message(&session)),
        // A record of an unknown kind.
        inside(3, b"tomorrow"),
        inside(1, &message(&bitcoin(11, 1_100))),
    ];
    let records = records.map(|record| inside(5, &[record, unknown_fields()].concat()));
    let batch = [message(&head), records.concat()].concat();
    publish_bytes(&rig, "", &rig.stream.spec.name, &batch).await;
    let live = client.prices("/coin/realData").await;
    let shown = &live["payload"][0];
    assert_eq!(
        (&shown["tick_seq"], &shown["trd_prc"], &shown["session"]),
        (&json!(11), &json!(1_100), &json!("OPEN"))
    );
}

#[tokio::test]
async fn fills_of_a_newer_trading_reach_their_member() {
    let rig = Rig::start_with_newer_services().await;
    let member = new_member();
    let missed = MemberFills {
        notices: vec![notice(member, 1)],
        last_seq: 1,
        gap: false,
    };
    rig.trading.fills.lock().insert(member, missed);
    let mut client = rig.connect().await;
    let token = keys::sise_token(member, now());
    client
        .send(json!({"type": "AUTH", "token": token, "lastFillSeq": 0}))
        .await;
    assert_eq!(seqs(&fills(&mut client).await), [1]);

    let event = |event_type: &str, seq| {
        let filled = OrderFilled {
            notice: Some(notice(member, seq)),
        };
        let envelope = Envelope {
            event_id: uuid::Uuid::new_v4().to_string(),
            event_type: event_type.to_owned(),
            aggregate_id: "1".to_owned(),
            occurred_at_us: 1,
            body: message(&filled),
        };
        message(&envelope)
    };
    // Another version of the event is not for this consumer.
    let newer = "trading.order.filled.v2";
    publish_bytes(&rig, EXCHANGE, newer, &event(newer, 2)).await;
    publish_bytes(&rig, EXCHANGE, FILLED, &event(FILLED, 2)).await;
    let live = fills(&mut client).await;
    assert_eq!((seqs(&live), &live["snapshot"]), (vec![2], &json!(false)));
}
