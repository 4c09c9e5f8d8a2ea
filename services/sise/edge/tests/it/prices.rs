//! Prices from the log to the client.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use proto::common::v1::Market;
use proto::market::v1::session_record::Kind;
use proto::market::v1::tick_record::Record;
use proto::market::v1::{DayBase, SessionRecord, Tick, Venue};
use serde_json::json;
use tokio::time::timeout;

use crate::rig::{EPOCH, Rig, SOON, bitcoin, snapshot, tick};

#[tokio::test]
async fn a_snapshot_comes_first_then_the_log() {
    let rig = Rig::start().await;
    let mut client = rig.connect().await;
    client
        .subscribe("/stock/realData", &["005930", "069500", "NOBODY"])
        .await;
    let first = client.prices("/stock/realData").await;
    assert_eq!(first["snapshot"], true);
    let mut codes: Vec<&str> = first["payload"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tick| tick["isu_srt_cd"].as_str().unwrap())
        .collect();
    codes.sort_unstable();
    assert_eq!(codes, ["005930", "069500"]);

    rig.publish(vec![
        tick("005930", Market::Kospi, 11, 1_100),
        tick("005930", Market::Kospi, 12, 1_200),
        tick("AAPL", Market::Global, 11, 9_999),
    ])
    .await;
    let live = client.prices("/stock/realData").await;
    assert_eq!(live["snapshot"], false);
    let ticks = live["payload"].as_array().unwrap();
    assert_eq!(ticks.len(), 1, "only what is subscribed, only the newest");
    assert_eq!(ticks[0]["trd_prc"], 1_200);
    assert_eq!(ticks[0]["chg_rt"], json!(20));
    assert_eq!(ticks[0]["isu_kor_nm"], "삼성전자");
    assert_eq!(ticks[0]["tick_seq"], 12);
    assert!(live["seq"].as_u64() > first["seq"].as_u64());
}

#[tokio::test]
async fn duplicates_old_ticks_and_invalid_ticks_are_not_sent() {
    let rig = Rig::start().await;
    let mut client = rig.connect().await;
    client.subscribe("/coin/realData", &["BTC"]).await;
    client.prices("/coin/realData").await;
    let invalid = vec![
        bitcoin(11, 0),
        bitcoin(12, -7),
        Tick {
            price_scale: 4_000,
            ..bitcoin(13, 1)
        },
        Tick {
            event_time_us: i64::MIN,
            ..bitcoin(14, 1)
        },
        Tick {
            currency: 99,
            ..bitcoin(15, 1)
        },
        tick("UNLISTED", Market::Coin, 16, 5),
        bitcoin(10, 4_444),
        bitcoin(9, 5_555),
    ];
    rig.publish(invalid).await;
    rig.publish(vec![bitcoin(20, 1_234)]).await;
    let next = client.prices("/coin/realData").await;
    assert_eq!(next["payload"][0]["trd_prc"], 1_234);
    rig.publish(vec![bitcoin(20, 9_999), bitcoin(21, 1_235)])
        .await;
    let next = client.prices("/coin/realData").await;
    assert_eq!(next["payload"][0]["trd_prc"], 1_235);
}

#[tokio::test]
async fn a_new_epoch_begins_with_a_snapshot_again() {
    let rig = Rig::start().await;
    let mut client = rig.connect().await;
    client.subscribe("/coin/realData", &["BTC"]).await;
    client.prices("/coin/realData").await;
    let before = rig.market.0.snapshots.load(Ordering::SeqCst);
    let mut next_epoch = snapshot(EPOCH + 1);
    next_epoch.ticks = vec![bitcoin(1, 777)];
    *rig.market.0.snapshot.lock() = next_epoch;
    rig.publish_records(EPOCH + 1, vec![Record::Tick(bitcoin(2, 778))])
        .await;
    let first = client.prices("/coin/realData").await;
    assert_eq!(first["snapshot"], true);
    assert!(rig.market.0.snapshots.load(Ordering::SeqCst) > before);
    // The batch of the new epoch is read again after the snapshot. Its tick arrives in a frame of
    // its own, or replaces the snapshot's value before that is sent.
    let mut newest = first;
    if newest["payload"][0]["tick_seq"] == 1 {
        assert_eq!(newest["payload"][0]["trd_prc"], 777);
        newest = client.prices("/coin/realData").await;
    }
    assert_eq!(newest["payload"][0]["tick_seq"], 2);
    assert_eq!(newest["payload"][0]["trd_prc"], 778);
}

const DAY: i32 = 20_261_121;
const NEXT_DAY: i32 = 20_261_122;

#[tokio::test]
async fn a_new_day_and_a_split_are_seen_before_the_first_trade() {
    let rig = Rig::start().await;
    let mut client = rig.connect().await;
    client
        .subscribe("/stock/realData", &["005930", "069500"])
        .await;
    client.prices("/stock/realData").await;
    let traded = Tick {
        trading_day: DAY,
        bid_units: 1_090,
        ask_units: 1_100,
        volume_units: 3,
        acc_volume_units: 70,
        has_volume: true,
        ..tick("005930", Market::Kospi, 11, 1_100)
    };
    rig.publish(vec![traded.clone()]).await;
    let last = client.prices("/stock/realData").await;
    assert_eq!(last["payload"][0]["acc_vol"], 70);

    let split = SessionRecord {
        kind: Kind::Split.into(),
        venue: Venue::Krx.into(),
        code: "005930".to_owned(),
        trading_day: NEXT_DAY,
        split_numerator: 5,
        split_denominator: 1,
        ..SessionRecord::default()
    };
    let open = SessionRecord {
        kind: Kind::Open.into(),
        venue: Venue::Krx.into(),
        trading_day: NEXT_DAY,
        bases: vec![DayBase {
            code: "005930".to_owned(),
            base_units: 220,
            ..DayBase::default()
        }],
        ..SessionRecord::default()
    };
    let records = [split, open.clone()].map(Record::Session);
    rig.publish_records(EPOCH, records.into()).await;
    let begun = client.prices("/stock/realData").await;
    let ticks = begun["payload"].as_array().unwrap();
    assert_eq!(ticks.len(), 1, "{begun}");
    for (field, value) in [
        ("isu_srt_cd", json!("005930")),
        ("tick_seq", json!(11)),
        ("trd_prc", json!(220)),
        ("prev_dd_prc", json!(220)),
        ("opn_prc", json!(220)),
        ("hg_prc", json!(220)),
        ("lw_prc", json!(220)),
        ("chg_rt", json!(0)),
        ("acc_vol", json!(0)),
        ("trd_vol", json!(0)),
        ("bid_prc", json!(null)),
        ("ask_prc", json!(null)),
    ] {
        assert_eq!(ticks[0][field], value, "{field}");
    }

    // Batches may be sent twice.
    rig.publish_records(EPOCH, vec![Record::Tick(traded), Record::Session(open)])
        .await;
    let first = Tick {
        trading_day: NEXT_DAY,
        prev_close_units: 220,
        ..tick("005930", Market::Kospi, 12, 231)
    };
    rig.publish(vec![first]).await;
    let next = client.prices("/stock/realData").await;
    assert_eq!(next["payload"][0]["tick_seq"], 12);
    assert_eq!(next["payload"][0]["chg_rt"], json!(5));
}

#[tokio::test]
async fn a_day_whose_begin_the_log_lost_comes_with_the_next_snapshot() {
    let rig = Rig::start().await;
    let mut client = rig.connect().await;
    client.subscribe("/coin/realData", &["BTC"]).await;
    client.prices("/coin/realData").await;
    let traded = Tick {
        trading_day: DAY,
        ..bitcoin(11, 1_100)
    };
    rig.publish(vec![traded.clone()]).await;
    assert_eq!(
        client.prices("/coin/realData").await["payload"][0]["trd_prc"],
        1_100
    );

    let mut later = snapshot(EPOCH);
    later.ticks = vec![Tick {
        trading_day: NEXT_DAY,
        price_units: 220,
        ..traded
    }];
    later.next_offset = 2;
    *rig.market.0.snapshot.lock() = later;
    rig.lose_batch();
    rig.publish(vec![tick("005930", Market::Kospi, 11, 1_000)])
        .await;
    let begun = client.prices("/coin/realData").await;
    assert_eq!(begun["payload"][0]["tick_seq"], 11);
    assert_eq!(begun["payload"][0]["trd_prc"], 220);
}

#[tokio::test]
async fn pongs_list_open_venues_and_a_silent_log_makes_prices_stale() {
    let rig = Rig::start().await;
    let mut client = rig.connect().await;
    client.send(json!({"type": "ping"})).await;
    // The edge has a snapshot, and no batch of the log.
    assert_eq!(
        client.receive().await,
        json!({"type": "STALE", "stale": true})
    );
    let pong = client.receive().await;
    assert_eq!(
        (&pong["type"], &pong["stale"]),
        (&json!("pong"), &json!(true))
    );
    assert_eq!(
        pong["open"],
        json!({"KRX": true, "US": false, "COIN": true, "GOLD": false})
    );

    let close = SessionRecord {
        kind: Kind::Close.into(),
        venue: Venue::Krx.into(),
        ..SessionRecord::default()
    };
    client.subscribe("/stock/realData", &["005930"]).await;
    assert_eq!(
        client.prices("/stock/realData").await["payload"][0]["session"],
        "OPEN"
    );
    rig.publish_records(EPOCH, vec![Record::Session(close)])
        .await;
    client
        .receive_until(|message| *message == json!({"type": "STALE", "stale": false}))
        .await;
    client.send(json!({"type": "ping"})).await;
    let mut seen = (false, false, false);
    while seen != (true, true, true) {
        let message = client.receive().await;
        seen.0 |= message["type"] == "pong" && message["open"]["KRX"] == false;
        seen.1 |= message["payload"][0]["session"] == "CLOSED";
        // The log is silent again.
        seen.2 |= message == json!({"type": "STALE", "stale": true});
    }
}

#[tokio::test]
async fn a_plain_client_gets_the_popular_items() {
    let rig = Rig::start().await;
    let mut client = rig.connect().await;
    let started = Instant::now();
    let first = client
        .receive_until(|message| message["payload"].is_array())
        .await;
    assert!(started.elapsed() >= Duration::from_secs(3));
    assert_eq!(first["snapshot"], true);
}

#[tokio::test]
async fn popular_items_that_could_not_be_fetched_are_fetched_again() {
    let everything = vec![Market::Kospi, Market::Global, Market::Coin, Market::Gold];
    for away in [everything, vec![Market::Coin]] {
        let rig = Rig::start_with(&["--ws-defaults-after-ms=50"]).await;
        let asked = || rig.market.0.popular_requests.load(Ordering::SeqCst);
        *rig.market.0.unlistable.lock() = away;
        let _early = rig.connect().await;
        let answered = async {
            while asked() < 4 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(SOON, answered).await.unwrap();
        rig.market.0.unlistable.lock().clear();
        // Later clients get prices well within half a minute.
        let later = async {
            loop {
                let mut client = rig.connect().await;
                let coins = client.prices("/coin/realData");
                if timeout(Duration::from_secs(2), coins).await.is_ok() {
                    break;
                }
            }
        };
        timeout(2 * SOON, later).await.unwrap();
        // A complete list is cached.
        let before = asked();
        let mut client = rig.connect().await;
        client.prices("/coin/realData").await;
        assert_eq!(asked(), before);
    }
}

#[tokio::test]
async fn without_conflation_each_value_is_sent() {
    let rig = Rig::start_with(&["--conflation-ms=0"]).await;
    let mut client = rig.connect().await;
    client.subscribe("/coin/realData", &["BTC"]).await;
    client.prices("/coin/realData").await;
    rig.publish((11..=40).map(|seq| bitcoin(seq, seq * 10)).collect())
        .await;
    let mut seen = Vec::new();
    while seen.len() < 30 {
        let frame = client.prices("/coin/realData").await;
        let ticks = frame["payload"].as_array().unwrap().clone();
        seen.extend(ticks.iter().map(|tick| tick["tick_seq"].as_i64().unwrap()));
    }
    assert_eq!(seen, (11..=40).collect::<Vec<i64>>());
}

#[tokio::test]
async fn a_code_is_updated_at_most_five_times_a_second_and_ends_at_the_final_value() {
    let rig = Rig::start().await;
    let mut client = rig.connect().await;
    client.subscribe("/coin/realData", &["BTC"]).await;
    client.prices("/coin/realData").await;
    let started = Instant::now();
    let publishing = async {
        for seq in 11..=110 {
            rig.publish(vec![bitcoin(seq, seq)]).await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let receiving = async {
        let mut frames = 0_u32;
        let mut last = 0;
        while last < 110 {
            let frame = client.prices("/coin/realData").await;
            let seq = frame["payload"][0]["tick_seq"].as_i64().unwrap();
            assert!(seq > last, "in order");
            last = seq;
            frames += 1;
        }
        frames
    };
    let ((), frames) = tokio::join!(publishing, receiving);
    let allowed = u32::try_from(started.elapsed().as_millis() / 200).unwrap() + 2;
    assert!(frames <= allowed, "{frames} frames, {allowed} allowed");
    assert!(started.elapsed() < SOON);
}
