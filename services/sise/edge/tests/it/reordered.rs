//! Fill events that arrive out of order.

use proto::trading::v1::MemberFills;
use serde_json::json;
use testkit::keys;

use crate::private::{fills, new_member, notice, now, publish, seqs};
use crate::rig::Rig;

#[tokio::test]
async fn fills_reach_a_member_in_order_and_once_however_they_arrive() {
    let rig = Rig::start().await;
    let member = new_member();
    // What trading has committed at the time of the fetch.
    let committed = |last_seq: i64| MemberFills {
        notices: (1..=last_seq).map(|seq| notice(member, seq)).collect(),
        last_seq,
        gap: false,
    };
    rig.trading.fills.lock().insert(member, committed(1));
    let mut client = rig.connect().await;
    let token = keys::sise_token(member, now());
    client
        .send(json!({"type": "AUTH", "token": token, "lastFillSeq": 0}))
        .await;
    let mut seen = seqs(&fills(&mut client).await);
    for (arrives, last_seq) in [
        (3, 4),
        (2, 4),
        (1, 4),
        (4, 4),
        (5, 5),
        (9, 9),
        (7, 9),
        (8, 9),
        (6, 9),
        (5, 9),
        (10, 10),
        (4, 10),
        (12, 12),
        (11, 12),
        (13, 13),
    ] {
        rig.trading.fills.lock().insert(member, committed(last_seq));
        publish(&rig, notice(member, arrives)).await;
    }
    while seen.last() != Some(&13) {
        seen.extend(seqs(&fills(&mut client).await));
    }
    assert_eq!(seen, (1..=13).collect::<Vec<i64>>());
}
