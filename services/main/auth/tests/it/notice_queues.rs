//! What comes for many members at once has a queue of its own.

use auth::notifications::{consumer, rules};

#[test]
fn bulk_events_share_their_queue_with_nothing_else() {
    let bulk_events = [
        rules::STREAK_AT_RISK,
        rules::COMPETITION_STARTED,
        rules::COMPETITION_ENDED,
        rules::COMPETITION_RANKED,
    ];
    for spec in consumer::QUEUES {
        let is_bulk = |event: &&str| bulk_events.contains(event);
        let bulk = spec.bindings.iter().filter(|event| is_bulk(event)).count();
        assert!(bulk == 0 || bulk == spec.bindings.len(), "{spec:?}");
    }
    let mut events: Vec<&str> = consumer::QUEUES
        .iter()
        .flat_map(|spec| spec.bindings)
        .copied()
        .collect();
    events.sort_unstable();
    events.dedup();
    assert_eq!(events.len(), 17, "each event once, and every one");
}
