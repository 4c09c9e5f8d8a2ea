use super::*;
use serde_json::{Value, json};

fn board() -> Arc<Board> {
    let board = Board::new(1);
    for number in 0..400 {
        board.slot(&format!("C{number}"), Destination::Coin);
    }
    board.slot("005930", Destination::Stock);
    Arc::new(board)
}

fn put(board: &Board, code: &str, tick_seq: i64) {
    let slot = board.find(code).unwrap();
    board.put(&slot, tick_seq, tick_seq.to_string().into());
}

fn subscribe(codes: impl IntoIterator<Item = usize>) -> String {
    let codes: Vec<String> = codes
        .into_iter()
        .map(|number| format!("C{number}"))
        .collect();
    json!({"type": "SUBSCRIBE", "destination": "/coin/realData", "codes": codes}).to_string()
}

/// The frames that are due, with their pong answered.
fn frames(client: &mut Client, now: Instant) -> Vec<Value> {
    match client.due(now) {
        Due::Frames(frames, ping) => {
            client.hear_pong(&ping, now).unwrap();
            frames
                .iter()
                .map(|text| serde_json::from_str(text).unwrap())
                .collect()
        }
        Due::Nothing(_) => Vec::new(),
        Due::Defaults => panic!("defaults"),
        Due::Close(close) => panic!("{close:?}"),
    }
}

const STEP: Duration = Duration::from_millis(200);

#[test]
fn a_snapshot_comes_first_and_then_the_latest_values() {
    let board = board();
    let start = Instant::now();
    let mut client = Client::new(board.clone(), Timing::default(), start);
    put(&board, "C1", 5);
    assert_eq!(client.hear(&subscribe([1, 2]), start), Ok(Asked::Nothing));
    let first = frames(&mut client, start);
    assert_eq!(
        first,
        [json!({"destination": "/coin/realData", "seq": 1, "snapshot": true, "payload": [5]})]
    );

    put(&board, "C1", 6);
    put(&board, "C1", 7);
    put(&board, "C2", 1);
    client.note_news();
    assert!(
        frames(&mut client, start).is_empty(),
        "five updates a second at most"
    );
    let second = frames(&mut client, start + STEP);
    assert_eq!(second[0]["payload"], json!([7]));
    assert_eq!(second[0]["snapshot"], false);
    assert_eq!(second[1]["payload"], json!([1]));
    assert_eq!(second[1]["snapshot"], true, "the first value of this code");
    client.note_news();
    assert!(
        frames(&mut client, start + STEP * 2).is_empty(),
        "nothing is said twice"
    );
}

#[test]
fn one_group_is_in_flight_and_a_stalled_client_is_let_go() {
    let board = board();
    let start = Instant::now();
    let mut client = Client::new(board.clone(), Timing::default(), start);
    put(&board, "C1", 1);
    client.hear(&subscribe([1]), start).unwrap();
    let Due::Frames(_, ping) = client.due(start) else {
        panic!()
    };
    for tick_seq in 2..1_000 {
        put(&board, "C1", tick_seq);
    }
    client.note_news();
    assert!(matches!(client.due(start + STEP), Due::Nothing(_)));
    client.hear_pong(b"anything else", start + STEP).unwrap();
    assert!(matches!(client.due(start + STEP), Due::Nothing(_)));
    let late = start + Duration::from_secs(4);
    client.hear_pong(&ping, late).unwrap();
    assert_eq!(
        frames(&mut client, late)[0]["payload"],
        json!([999]),
        "only the newest"
    );

    put(&board, "C1", 1_000);
    client.note_news();
    let Due::Frames(..) = client.due(late + STEP) else {
        panic!()
    };
    let limit = late + STEP + Duration::from_secs(5);
    assert_eq!(client.due(limit), Due::Close(Close::TooSlow));
}

#[test]
fn limits_close_the_socket() {
    let board = board();
    let start = Instant::now();
    let mut client = Client::new(board.clone(), Timing::default(), start);
    for (first, second) in [(0, 1), (100, 2), (200, 3)] {
        let now = start + Duration::from_secs(second);
        assert_eq!(
            client.hear(&subscribe(first..first + 100), now),
            Ok(Asked::Nothing)
        );
    }
    let again = client.hear(&subscribe(0..100), start + Duration::from_secs(4));
    assert_eq!(
        again,
        Ok(Asked::Nothing),
        "the same codes are no more codes"
    );
    let more = client.hear(&subscribe([300]), start + Duration::from_secs(5));
    assert_eq!(more, Err(Close::TooManyCodes));

    let mut client = Client::new(board, Timing::default(), start);
    for number in 0..10 {
        assert_eq!(client.hear("ping", start), Ok(Asked::Pong), "{number}");
    }
    assert_eq!(client.hear("ping", start), Err(Close::TooFast));
}

#[test]
fn five_frames_a_second_can_go_on_for_ever() {
    let start = Instant::now();
    let mut client = Client::new(board(), Timing::default(), start);
    for number in 0..1_000 {
        assert!(client.hear("ping", start + STEP * number).is_ok());
    }
}

#[test]
fn silence_ends_the_connection_and_pongs_do_not_count() {
    let start = Instant::now();
    let mut client = Client::new(board(), Timing::default(), start);
    assert_eq!(client.due(start + Duration::from_secs(3)), Due::Defaults);
    client.use_defaults(Vec::new());
    client
        .hear("ping", start + Duration::from_secs(30))
        .unwrap();
    client
        .hear_pong(&[0; 8], start + Duration::from_secs(31))
        .unwrap();
    let limit = start + Duration::from_secs(105);
    assert_eq!(
        client.due(limit - Duration::from_millis(1)),
        Due::Nothing(limit)
    );
    assert_eq!(client.due(limit), Due::Close(Close::Silent));
}

#[test]
fn who_asks_for_nothing_gets_the_popular_items_until_it_asks() {
    let board = board();
    let start = Instant::now();
    let mut client = Client::new(board.clone(), Timing::default(), start);
    put(&board, "C9", 1);
    put(&board, "C1", 1);
    let later = start + Duration::from_secs(3);
    assert_eq!(client.due(later), Due::Defaults);
    client.use_defaults(vec![board.find("C9").unwrap()]);
    assert!(client.watches(Destination::Coin));
    assert_eq!(frames(&mut client, later).len(), 1);
    client.hear(&subscribe([1]), later).unwrap();
    put(&board, "C9", 2);
    let frames = frames(&mut client, later + STEP);
    assert_eq!(frames.len(), 1);
    assert_eq!(frames[0]["snapshot"], true);

    let mut choosy = Client::new(board.clone(), Timing::default(), start);
    choosy.hear(&subscribe([1]), start).unwrap();
    choosy.use_defaults(vec![board.find("C9").unwrap()]);
    assert_eq!(
        self::frames(&mut choosy, later).len(),
        1,
        "its own choice alone"
    );
}

#[test]
fn codes_of_another_destination_or_none_are_ignored_and_unsubscribing_works() {
    let board = board();
    let start = Instant::now();
    let mut client = Client::new(board.clone(), Timing::default(), start);
    put(&board, "005930", 1);
    put(&board, "C1", 1);
    let text = json!({"type": "SUBSCRIBE", "destination": "/coin/realData",
        "codes": ["005930", "C1", "", "가".repeat(30), "NEW"]});
    client.hear(&text.to_string(), start).unwrap();
    let first = frames(&mut client, start);
    assert_eq!(first.len(), 1);
    assert_eq!(first[0]["payload"], json!([1]));

    // The code that nobody knew is listed, and everything begins with a snapshot again.
    board.slot("NEW", Destination::Coin);
    put(&board, "NEW", 3);
    board.announce_all();
    client.note_news();
    let again = frames(&mut client, start + STEP);
    assert_eq!(again[0]["payload"], json!([1, 3]));
    assert_eq!(again[0]["snapshot"], true);

    let text =
        json!({"type": "UNSUBSCRIBE", "destination": "/coin/realData", "codes": ["C1", "NEW"]});
    client.hear(&text.to_string(), start + STEP).unwrap();
    assert!(!client.watches(Destination::Coin));
}

#[test]
fn many_codes_go_in_groups_and_each_has_its_turn() {
    let board = board();
    let start = Instant::now();
    let mut client = Client::new(board.clone(), Timing::default(), start);
    for number in 0..120 {
        put(&board, &format!("C{number}"), number + 1);
    }
    client.hear(&subscribe(0..100), start).unwrap();
    client.hear(&subscribe(100..120), start).unwrap();
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
