//! The private channel: tokens and fills.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, SystemClock};
use prost::Message as _;
use proto::common::v1::{Decimal, Envelope, Market};
use proto::trading::v1::{
    Fill, FillNotice, MemberFills, Order, OrderCategory, OrderFilled, OrderSide, OrderStatus,
};
use serde_json::{Value, json};
use testkit::keys;

use crate::rig::{Client, Rig};

pub(crate) const EXCHANGE: &str = "seedup.events";
pub(crate) const FILLED: &str = "trading.order.filled.v1";

pub(crate) fn now() -> DateTime<Utc> {
    SystemClock.now()
}

/// A member that no other test of this run uses.
pub(crate) fn new_member() -> i64 {
    let id = uuid::Uuid::new_v4().as_u128() % 1_000_000_000_000;
    i64::try_from(id).unwrap() + 100_000
}

fn decimal(text: &str) -> Option<Decimal> {
    let value = text.to_owned();
    Some(Decimal { value })
}

pub(crate) fn notice(member_id: i64, seq: i64) -> FillNotice {
    FillNotice {
        seq,
        member_id,
        order: Some(Order {
            order_id: seq,
            account_no: "000000000100".to_owned(),
            instrument_code: "BTC".to_owned(),
            instrument_name: "비트코인".to_owned(),
            market: Market::Coin.into(),
            side: OrderSide::Buy.into(),
            category: OrderCategory::Coin.into(),
            status: OrderStatus::Partial.into(),
            quantity: decimal("0.5"),
            filled_quantity: decimal("0.25"),
            remaining_quantity: decimal("0.25"),
            average_price: decimal("142000000"),
            placed_at_us: 1_795_219_385_000_000,
            ..Order::default()
        }),
        fill: Some(Fill {
            fill_id: seq,
            order_id: seq,
            event_time_us: 1_795_219_386_000_000,
            tick_price: decimal("142000000"),
            price: decimal("142000000"),
            quantity: decimal("0.25"),
            ..Fill::default()
        }),
    }
}

pub(crate) async fn publish(rig: &Rig, notice: FillNotice) {
    let notice = Some(notice);
    publish_event(rig, FILLED, &OrderFilled { notice }).await;
}

/// Publishes an event as the outbox does.
pub(crate) async fn publish_event(rig: &Rig, event_type: &str, body: &impl prost::Message) {
    let envelope = Envelope {
        event_id: uuid::Uuid::new_v4().to_string(),
        event_type: event_type.to_owned(),
        aggregate_id: "1".to_owned(),
        occurred_at_us: 1,
        body: body.encode_to_vec(),
    };
    publish_bytes(rig, EXCHANGE, event_type, &envelope.encode_to_vec()).await;
}

pub(crate) async fn publish_bytes(rig: &Rig, exchange: &str, routing_key: &str, bytes: &[u8]) {
    let link = rig.stream.amqp.channel().await;
    link.confirm_select(Default::default()).await.unwrap();
    link.basic_publish(
        exchange.into(),
        routing_key.into(),
        Default::default(),
        bytes,
        Default::default(),
    )
    .await
    .unwrap()
    .await
    .unwrap();
}

pub(crate) fn seqs(frame: &Value) -> Vec<i64> {
    let fills = frame["payload"].as_array().unwrap().iter();
    fills.map(|fill| fill["seq"].as_i64().unwrap()).collect()
}

pub(crate) async fn fills(client: &mut Client) -> Value {
    client
        .receive_until(|message| {
            message["destination"] == "/member/fills" && message["payload"].is_array()
        })
        .await
}

#[tokio::test]
async fn missed_fills_come_first_then_live_ones_each_once() {
    let rig = Rig::start().await;
    let member = new_member();
    let missed = MemberFills {
        notices: (1..=5).map(|seq| notice(member, seq)).collect(),
        last_seq: 5,
        gap: false,
    };
    rig.trading.fills.lock().insert(member, missed);
    let mut client = rig.connect().await;
    let token = keys::sise_token(member, now());
    client
        .send(json!({"type": "AUTH", "token": token, "lastFillSeq": 3}))
        .await;
    let ok = client
        .receive_until(|message| message["type"] == "AUTH_OK")
        .await;
    assert!(ok["expiresAt"].as_str().unwrap().ends_with("+09:00"));
    let first = fills(&mut client).await;
    assert_eq!(
        (seqs(&first), &first["snapshot"]),
        (vec![4, 5], &json!(true))
    );
    assert_eq!(first["payload"][0]["order"]["orderSid"], 4);
    assert_eq!(first["payload"][0]["fill"]["fillSid"], 4);

    publish(&rig, notice(member, 5)).await;
    publish(&rig, notice(new_member(), 6)).await;
    publish(&rig, notice(member, 6)).await;
    let live = fills(&mut client).await;
    assert_eq!((seqs(&live), &live["snapshot"]), (vec![6], &json!(false)));

    // A lost event: the next one makes the edge fetch it.
    let all = MemberFills {
        notices: (1..=8).map(|seq| notice(member, seq)).collect(),
        last_seq: 8,
        gap: false,
    };
    rig.trading.fills.lock().insert(member, all);
    publish(&rig, notice(member, 8)).await;
    assert_eq!(seqs(&fills(&mut client).await), [7, 8]);
}

#[tokio::test]
async fn what_is_too_old_is_a_gap_and_no_last_seq_means_from_now_on() {
    let rig = Rig::start().await;
    let member = new_member();
    let listed = MemberFills {
        notices: (101..=200).map(|seq| notice(member, seq)).collect(),
        last_seq: 200,
        gap: true,
    };
    rig.trading.fills.lock().insert(member, listed);
    let token = keys::sise_token(member, now());
    let mut client = rig.connect().await;
    client
        .send(json!({"type": "AUTH", "token": token, "lastFillSeq": 0}))
        .await;
    let gap = client
        .receive_until(|message| message["type"] == "GAP")
        .await;
    assert_eq!((&gap["from"], &gap["to"]), (&json!(1), &json!(100)));
    assert_eq!(seqs(&fills(&mut client).await).len(), 100);

    let mut other = rig.connect().await;
    other.send(json!({"type": "AUTH", "token": token})).await;
    other
        .receive_until(|message| message["type"] == "AUTH_OK")
        .await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    publish(&rig, notice(member, 201)).await;
    assert_eq!(seqs(&fills(&mut other).await), [201]);
    assert_eq!(seqs(&fills(&mut client).await), [201]);
}

#[tokio::test]
async fn a_client_that_claims_a_later_fill_gets_a_gap_and_then_new_fills() {
    let rig = Rig::start().await;
    let member = new_member();
    let listed = MemberFills {
        notices: (1..=3).map(|seq| notice(member, seq)).collect(),
        last_seq: 3,
        gap: false,
    };
    rig.trading.fills.lock().insert(member, listed);
    let mut client = rig.connect().await;
    let token = keys::sise_token(member, now());
    client
        .send(json!({"type": "AUTH", "token": token, "lastFillSeq": 900}))
        .await;
    let gap = client
        .receive_until(|message| message["type"] == "GAP")
        .await;
    assert_eq!((&gap["from"], &gap["to"]), (&json!(4), &json!(900)));
    publish(&rig, notice(member, 4)).await;
    assert_eq!(seqs(&fills(&mut client).await), [4]);
}

#[tokio::test]
async fn invalid_tokens_are_refused() {
    let rig = Rig::start().await;
    let good = keys::sise_claims(100_000, now());
    let expired = keys::Claims {
        exp: (now() - TimeDelta::seconds(61)).timestamp(),
        ..good.clone()
    };
    let leeway = keys::Claims {
        exp: (now() - TimeDelta::seconds(30)).timestamp(),
        ..good.clone()
    };
    let early = keys::Claims {
        nbf: (now() + TimeDelta::minutes(5)).timestamp(),
        ..good.clone()
    };
    let foreign = keys::Claims {
        iss: "seedup".to_owned(),
        ..good.clone()
    };
    let elsewhere = keys::Claims {
        aud: vec!["seedup-main".to_owned()],
        ..good.clone()
    };
    let nobody = keys::Claims {
        sub: "0".to_owned(),
        ..good.clone()
    };
    let unbound = keys::Claims {
        sid: None,
        ..good.clone()
    };
    let misbound = keys::Claims {
        sid: Some("mine".to_owned()),
        ..good.clone()
    };
    let signed = keys::sign("sise+jwt", &good);
    let unsigned = format!("{}.", signed.rsplit_once('.').unwrap().0);
    let cases = [
        (keys::sign("sise+jwt", &expired), 1203),
        // As the previous release signs it: no session, so it could not be revoked.
        (keys::sign("sise+jwt", &unbound), 1203),
        (keys::sign("sise+jwt", &misbound), 1205),
        (keys::sign("sise+jwt", &early), 1205),
        (keys::sign("sise+jwt", &foreign), 1205),
        (keys::sign("sise+jwt", &elsewhere), 1205),
        (keys::sign("sise+jwt", &nobody), 1205),
        (keys::sign("at+jwt", &good), 1205),
        (keys::access_token(100_000, now()), 1205),
        (unsigned, 1205),
        ("가.나.다".to_owned(), 1205),
        (String::new(), 1205),
    ];
    for (token, code) in cases {
        let mut client = rig.connect().await;
        client.send(json!({"type": "AUTH", "token": token})).await;
        let refusal = client
            .receive_until(|message| message["type"] == "AUTH_ERROR")
            .await;
        assert_eq!(refusal["code"], code, "{token}");
    }
    let mut client = rig.connect().await;
    client
        .send(json!({"type": "AUTH", "token": keys::sign("sise+jwt", &leeway)}))
        .await;
    client
        .receive_until(|message| message["type"] == "AUTH_OK")
        .await;
}

#[tokio::test]
async fn the_channel_ends_with_the_token() {
    let rig = Rig::start().await;
    let member = new_member();
    let claims = keys::sise_claims(member, now());
    // Valid for two more seconds, including the minute of leeway.
    let claims = keys::Claims {
        exp: (now() - TimeDelta::seconds(58)).timestamp(),
        ..claims
    };
    let mut client = rig.connect().await;
    client
        .send(json!({"type": "AUTH", "token": keys::sign("sise+jwt", &claims)}))
        .await;
    client
        .receive_until(|message| message["type"] == "AUTH_OK")
        .await;
    let over = client
        .receive_until(|message| message["type"] == "AUTH_ERROR")
        .await;
    assert_eq!(over["code"], 1203);
    publish(&rig, notice(member, 1)).await;
    client.subscribe("/coin/realData", &["BTC"]).await;
    let next = client
        .receive_until(|message| message["destination"].is_string())
        .await;
    assert_eq!(
        next["destination"], "/coin/realData",
        "prices go on, fills do not"
    );
}
