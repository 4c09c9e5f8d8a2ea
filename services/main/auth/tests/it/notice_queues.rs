//! What comes in floods has a queue of its own, also where it had none before.

use std::time::Duration;

use auth::notifications::{consumer, rules};
use messaging::Amqp;
use messaging::amqp::EVENTS_EXCHANGE;
use messaging::consumer::{ConsumerSpec, move_bindings};
use tokio_util::sync::CancellationToken;

#[test]
fn floods_share_their_queue_with_nothing_else() {
    let floods = [
        rules::ORDER_ENDED,
        rules::STREAK_AT_RISK,
        rules::COMPETITION_ENDED,
        rules::COMPETITION_RANKED,
    ];
    for spec in consumer::QUEUES {
        let of_floods = |event: &&str| floods.contains(event);
        let are_floods = spec
            .bindings
            .iter()
            .filter(|event| of_floods(event))
            .count();
        assert!(
            are_floods == 0 || are_floods == spec.bindings.len(),
            "{spec:?}"
        );
    }
    let mut events: Vec<&str> = consumer::QUEUES
        .iter()
        .flat_map(|spec| spec.bindings)
        .copied()
        .collect();
    events.sort_unstable();
    events.dedup();
    assert_eq!(events.len(), 12, "each event once, and every one");
}

#[tokio::test]
async fn events_move_to_another_queue_and_none_is_lost() {
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    let event: &'static str = testkit::unique("auth-test.moved").leak();
    let kept: &'static str = testkit::unique("auth-test.kept").leak();
    let old = testkit::unique("auth.old-notices");
    let spec = ConsumerSpec {
        queue: testkit::unique("auth.new-notices").leak(),
        bindings: vec![event].leak(),
        prefetch: 1,
    };
    let shutdown = CancellationToken::new();
    let channel = amqp.channel().await;
    // An installation that begins now has no old queue yet.
    move_bindings(&amqp, &old, &[event], spec, &shutdown).await;

    channel
        .queue_declare(old.as_str().into(), Default::default(), Default::default())
        .await
        .unwrap();
    for key in [event, kept] {
        let (queue, options) = (old.as_str().into(), Default::default());
        channel
            .queue_bind(
                queue,
                EVENTS_EXCHANGE.into(),
                key.into(),
                options,
                Default::default(),
            )
            .await
            .unwrap();
    }
    for _repeated in 0..2 {
        move_bindings(&amqp, &old, &[event], spec, &shutdown).await;
    }
    for key in [event, kept] {
        channel
            .basic_publish(
                EVENTS_EXCHANGE.into(),
                key.into(),
                Default::default(),
                key.as_bytes(),
                Default::default(),
            )
            .await
            .unwrap()
            .await
            .unwrap();
    }
    for (queue, expected) in [(spec.queue, event), (old.as_str(), kept)] {
        testkit::eventually(Duration::from_secs(10), async || {
            let got = channel.basic_get(queue.into(), Default::default()).await;
            got.unwrap()
                .is_some_and(|message| message.data == expected.as_bytes())
        })
        .await;
        let next = channel.basic_get(queue.into(), Default::default()).await;
        assert!(next.unwrap().is_none(), "{queue}");
        let _gone = channel.queue_delete(queue.into(), Default::default()).await;
    }
}
