use super::*;
use serde_json::{Value, json};

fn cache() -> Arc<PriceCache> {
    let cache = PriceCache::new(1);
    for number in 0..400 {
        cache.slot(&format!("C{number}"), Destination::Coin);
    }
    cache.slot("005930", Destination::Stock);
    Arc::new(cache)
}

fn put(cache: &PriceCache, code: &str, tick_seq: i64) {
    let slot = cache.find(code).unwrap();
    cache.update(&slot, (tick_seq, 0), tick_seq.to_string().into());
}

fn subscribe(codes: impl IntoIterator<Item = usize>) -> String {
    let codes: Vec<String> = codes
        .into_iter()
        .map(|number| format!("C{number}"))
        .collect();
    json!({"type": "SUBSCRIBE", "destination": "/coin/realData", "codes": codes}).to_string()
}

/// The frames that are due; answers their ping.
fn frames(client: &mut Client, now: Instant) -> Vec<Value> {
    match client.next_action(now) {
        Action::SendFrames(frames, ping) => {
            client.on_pong(&ping, now).unwrap();
            frames
                .iter()
                .map(|text| serde_json::from_str(text).unwrap())
                .collect()
        }
        Action::WaitUntil(_) => Vec::new(),
        Action::LoadDefaults => panic!("defaults"),
        Action::Close(close) => panic!("{close:?}"),
    }
}

const STEP: Duration = Duration::from_millis(200);

#[test]
fn a_snapshot_comes_first_and_then_the_latest_values() {
    let cache = cache();
    let start = Instant::now();
    let mut client = Client::new(cache.clone(), Timing::default(), start);
    put(&cache, "C1", 5);
    assert_eq!(client.on_text(&subscribe([1, 2]), start), Ok(Reply::None));
    let first = frames(&mut client, start);
    assert_eq!(
        first,
        [json!({"destination": "/coin/realData", "seq": 1, "snapshot": true, "payload": [5]})]
    );

    put(&cache, "C1", 6);
    put(&cache, "C1", 7);
    put(&cache, "C2", 1);
    client.mark_changed();
    assert!(
        frames(&mut client, start).is_empty(),
        "five updates a second at most"
    );
    let second = frames(&mut client, start + STEP);
    assert_eq!(second[0]["payload"], json!([7]));
    assert_eq!(second[0]["snapshot"], false);
    assert_eq!(second[1]["payload"], json!([1]));
    assert_eq!(second[1]["snapshot"], true, "the first value of this code");
    client.mark_changed();
    assert!(
        frames(&mut client, start + STEP * 2).is_empty(),
        "nothing is sent twice"
    );
}

#[test]
fn one_group_is_in_flight_and_a_stalled_client_is_let_go() {
    let cache = cache();
    let start = Instant::now();
    let mut client = Client::new(cache.clone(), Timing::default(), start);
    put(&cache, "C1", 1);
    client.on_text(&subscribe([1]), start).unwrap();
    let Action::SendFrames(_, ping) = client.next_action(start) else {
        panic!()
    };
    for tick_seq in 2..1_000 {
        put(&cache, "C1", tick_seq);
    }
    client.mark_changed();
    assert!(matches!(
        client.next_action(start + STEP),
        Action::WaitUntil(_)
    ));
    client.on_pong(b"anything else", start + STEP).unwrap();
    assert!(matches!(
        client.next_action(start + STEP),
        Action::WaitUntil(_)
    ));
    let late = start + Duration::from_secs(4);
    client.on_pong(&ping, late).unwrap();
    assert_eq!(
        frames(&mut client, late)[0]["payload"],
        json!([999]),
        "only the newest"
    );

    put(&cache, "C1", 1_000);
    client.mark_changed();
    let Action::SendFrames(..) = client.next_action(late + STEP) else {
        panic!()
    };
    let limit = late + STEP + Duration::from_secs(5);
    assert_eq!(client.next_action(limit), Action::Close(Close::TooSlow));
}

#[test]
fn limits_close_the_socket() {
    let cache = cache();
    let start = Instant::now();
    let mut client = Client::new(cache.clone(), Timing::default(), start);
    for (first, second) in [(0, 1), (100, 2), (200, 3)] {
        let now = start + Duration::from_secs(second);
        assert_eq!(
            client.on_text(&subscribe(first..first + 100), now),
            Ok(Reply::None)
        );
    }
    let again = client.on_text(&subscribe(0..100), start + Duration::from_secs(4));
    assert_eq!(again, Ok(Reply::None), "the same codes are no more codes");
    let more = client.on_text(&subscribe([300]), start + Duration::from_secs(5));
    assert_eq!(more, Err(Close::TooManyCodes));

    let mut client = Client::new(cache, Timing::default(), start);
    for number in 0..10 {
        assert_eq!(client.on_text("ping", start), Ok(Reply::Pong), "{number}");
    }
    assert_eq!(client.on_text("ping", start), Err(Close::TooFast));
}

#[test]
fn five_frames_a_second_can_go_on_for_ever() {
    let start = Instant::now();
    let mut client = Client::new(cache(), Timing::default(), start);
    for number in 0..1_000 {
        assert!(client.on_text("ping", start + STEP * number).is_ok());
    }
}

#[test]
fn a_client_that_repeats_a_refused_auth_with_doubling_pauses_stays_connected() {
    const AUTH: &str = r#"{"type":"AUTH","token":"t"}"#;
    let start = Instant::now();
    let mut client = Client::new(cache(), Timing::default(), start);
    // The shortest pauses of our client: half a second, doubling up to half a minute.
    let pauses_ms = (0..100_u32).map(|retry| 500 * 2_u64.pow(retry.min(6)));
    let mut now = start;
    for pause_ms in pauses_ms.map(|pause_ms| pause_ms.min(30_000)) {
        assert!(client.on_text(AUTH, now).is_ok(), "{:?}", now - start);
        now += Duration::from_millis(pause_ms);
    }
    for _ in 0..AUTH_BURST {
        assert!(client.on_text(AUTH, now).is_ok());
        now += STEP;
    }
    assert_eq!(client.on_text(AUTH, now), Err(Close::TooManyAuths));
}

#[test]
fn silence_ends_the_connection_and_pongs_do_not_count() {
    let start = Instant::now();
    let mut client = Client::new(cache(), Timing::default(), start);
    assert_eq!(
        client.next_action(start + Duration::from_secs(3)),
        Action::LoadDefaults
    );
    client.subscribe_defaults(Vec::new());
    client
        .on_text("ping", start + Duration::from_secs(30))
        .unwrap();
    client
        .on_pong(&[0; 8], start + Duration::from_secs(31))
        .unwrap();
    let limit = start + Duration::from_secs(105);
    assert_eq!(
        client.next_action(limit - Duration::from_millis(1)),
        Action::WaitUntil(limit)
    );
    assert_eq!(client.next_action(limit), Action::Close(Close::Idle));
}

#[test]
fn who_asks_for_nothing_gets_the_popular_items_until_it_asks() {
    let cache = cache();
    let start = Instant::now();
    let mut client = Client::new(cache.clone(), Timing::default(), start);
    put(&cache, "C9", 1);
    put(&cache, "C1", 1);
    let later = start + Duration::from_secs(3);
    assert_eq!(client.next_action(later), Action::LoadDefaults);
    client.subscribe_defaults(vec![cache.find("C9").unwrap()]);
    assert!(client.is_subscribed_to(Destination::Coin));
    assert_eq!(frames(&mut client, later).len(), 1);
    client.on_text(&subscribe([1]), later).unwrap();
    put(&cache, "C9", 2);
    let frames = frames(&mut client, later + STEP);
    assert_eq!(frames.len(), 1);
    assert_eq!(frames[0]["snapshot"], true);

    let mut explicit = Client::new(cache.clone(), Timing::default(), start);
    explicit.on_text(&subscribe([1]), start).unwrap();
    explicit.subscribe_defaults(vec![cache.find("C9").unwrap()]);
    assert_eq!(
        self::frames(&mut explicit, later).len(),
        1,
        "its own choice alone"
    );
}

#[test]
fn codes_of_another_destination_or_none_are_ignored_and_unsubscribing_works() {
    let cache = cache();
    let start = Instant::now();
    let mut client = Client::new(cache.clone(), Timing::default(), start);
    put(&cache, "005930", 1);
    put(&cache, "C1", 1);
    let text = json!({"type": "SUBSCRIBE", "destination": "/coin/realData",
        "codes": ["005930", "C1", "", "가".repeat(30), "NEW"]});
    client.on_text(&text.to_string(), start).unwrap();
    let first = frames(&mut client, start);
    assert_eq!(first.len(), 1);
    assert_eq!(first[0]["payload"], json!([1]));

    // The code that nobody knew is listed, and everything begins with a snapshot again.
    cache.slot("NEW", Destination::Coin);
    put(&cache, "NEW", 3);
    cache.invalidate();
    client.mark_changed();
    let again = frames(&mut client, start + STEP);
    assert_eq!(again[0]["payload"], json!([1, 3]));
    assert_eq!(again[0]["snapshot"], true);

    let text =
        json!({"type": "UNSUBSCRIBE", "destination": "/coin/realData", "codes": ["C1", "NEW"]});
    client.on_text(&text.to_string(), start + STEP).unwrap();
    assert!(!client.is_subscribed_to(Destination::Coin));
}

#[test]
fn the_first_value_of_a_new_epoch_is_a_snapshot() {
    let cache = cache();
    let start = Instant::now();
    let mut client = Client::new(cache.clone(), Timing::default(), start);
    put(&cache, "C1", 900);
    client.on_text(&subscribe(1..2), start).unwrap();
    assert_eq!(frames(&mut client, start)[0]["snapshot"], true);

    // The connection is woken by a tick of the epoch before everything is invalidated.
    cache.begin_epoch();
    put(&cache, "C1", 1);
    client.mark_changed();
    let first = frames(&mut client, start + STEP);
    assert_eq!(first[0]["payload"], json!([1]));
    assert_eq!(first[0]["snapshot"], true);

    put(&cache, "C1", 2);
    client.mark_changed();
    assert_eq!(frames(&mut client, start + 2 * STEP)[0]["snapshot"], false);
}

#[test]
fn many_codes_go_in_groups_and_each_has_its_turn() {
    let cache = cache();
    let start = Instant::now();
    let mut client = Client::new(cache.clone(), Timing::default(), start);
    for number in 0..120 {
        put(&cache, &format!("C{number}"), number + 1);
    }
    client.on_text(&subscribe(0..100), start).unwrap();
    client.on_text(&subscribe(100..120), start).unwrap();
    let mut seen = Vec::new();
    let mut groups = 0;
    loop {
        let group = frames(&mut client, start);
        if group.is_empty() {
            break;
        }
        groups += 1;
        for frame in group {
            let values = frame["payload"].as_array().unwrap().clone();
            assert!(values.len() <= 50);
            seen.extend(values.iter().map(|value| value.as_i64().unwrap()));
        }
    }
    assert_eq!(groups, 3);
    assert_eq!(seen, (1..=120).collect::<Vec<i64>>());
}
