//! What the audit sees of points, cash and items.

use std::collections::BTreeSet;

use proto::education::v1::FreezesChanged;
use sqlx::PgPool;
use trading::audit;
use uuid::Uuid;

use super::{ANY_AGE, names, tamper};
use crate::world::World;
use crate::{cash, items, points};

const LEDGER: &str = "the ledger says of points, cash and items what their rows say";
const POINTS: &str = "a member's points are those earned less those moved and spent";
const BROUGHT: &str = "an account's base has the won that its points brought";
const CASH: &str = "a member's cash is that granted less that exchanged and paid for items";
const BASE: &str = "an account's base has what cash, packs and items changed of it";
const BOUGHT: &str = "every purchase is in the ledger, and its refund if there was one";
const OWNED: &str = "a member owns what was bought";
const SOLD: &str = "as many of a limited item are sold as were bought";

/// What is done to the books, the check that must see it and how its finding begins.
pub(crate) const TAMPERINGS: [(&str, &str, &str); 21] = [
    (
        "update point_change set points = points + 1 where kind = 'EARNED'",
        LEDGER,
        "journal ",
    ),
    (
        "update point_change set won = won + 1 where kind = 'MOVED'",
        LEDGER,
        "journal ",
    ),
    (
        "update point_change set multiplier_tenths = 18 where kind = 'MOVED'",
        LEDGER,
        "journal ",
    ),
    (
        "delete from point_change where kind = 'SPENT'",
        LEDGER,
        "journal ",
    ),
    (
        "update journal set kind = 'POINTS_SPENT' where kind = 'POINTS_EARNED'",
        LEDGER,
        "journal ",
    ),
    (
        "update cash_change set cash = cash + 1 where kind = 'GRANTED'",
        LEDGER,
        "journal ",
    ),
    (
        "update purchase set spent = spent - 1 where currency = 'KRW'",
        LEDGER,
        "journal ",
    ),
    (
        "update purchase set spent = spent - 1 where currency = 'CASH'",
        LEDGER,
        "journal ",
    ),
    (
        "insert into point_change (account_id, kind, points, source_key, occurred_at) \
         values (1, 'EARNED', 5, 'invented', now())",
        POINTS,
        "account 1",
    ),
    (
        "update point_total set earned = earned + 1",
        POINTS,
        "account 1",
    ),
    (
        "update point_total set moved = moved + 1",
        POINTS,
        "account 1",
    ),
    (
        "update point_total set spent = spent - 1",
        POINTS,
        "account 1",
    ),
    (
        "update account set education_deposit_won = education_deposit_won + 1 where id = 1",
        BROUGHT,
        "account 1",
    ),
    (
        "insert into cash_change (account_id, kind, cash, occurred_at) \
         values (1, 'GRANTED', 5, now())",
        CASH,
        "account 1",
    ),
    (
        "update account set bought_deposit_won = bought_deposit_won + 1 where id = 1",
        BASE,
        "account 1",
    ),
    (
        "update account set purchased_items_won = purchased_items_won - 1 where id = 1",
        BASE,
        "account 1",
    ),
    (
        "update purchase set status = 'COMPLETED', refunded_at = null where status = 'REFUNDED'",
        BOUGHT,
        "purchase ",
    ),
    (
        "delete from entry where journal_id in (select id from journal where kind = 'ITEM_BOUGHT'); \
         delete from journal where kind = 'ITEM_BOUGHT'",
        BOUGHT,
        "purchase ",
    ),
    (
        "update member_item set quantity = quantity + 1 where item_id = 13",
        OWNED,
        "item 13 ",
    ),
    (
        "delete from member_item where item_id = 10",
        OWNED,
        "item 10 ",
    ),
    (
        "update item set sold = sold + 1 where id = 13",
        SOLD,
        "item 13",
    ),
];

/// Points earned, moved and spent, cash granted and exchanged, a pack, items, and a refund.
async fn busy_world(pool: PgPool) -> World {
    let world = items::shop_of_everything(pool).await;
    points::earn(&world, points::ME, "quiz-1", 100).await;
    points::transfer(&world, 20, "transfer-1").await.unwrap();
    points::spend(&world, 50, "repair-1").await.unwrap();
    cash::grant(&world, points::ME, 30, None).await.unwrap();
    cash::exchange(&world, 3, "exchange-1").await.unwrap();
    items::buy(&world, 3, 1, "a-pack-1").await.unwrap();
    items::buy(&world, 10, 1, "a-frame-1").await.unwrap();
    let cheap = "update item set price = 1000 where id = 13";
    sqlx::query(cheap).execute(&world.pool).await.unwrap();
    items::buy(&world, 13, 1, "diamond-1").await.unwrap();
    let freeze = items::buy(&world, 4, 1, "freeze-1").await.unwrap();
    let refused = FreezesChanged {
        member_id: points::ME,
        held: 2,
        version: 1,
        purchase_id: freeze.purchase_id,
        is_refused: true,
    };
    let told = world.store.note_freezes(Uuid::new_v4(), &refused);
    told.await.unwrap();
    world
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn falsified_points_cash_and_items_are_named(pool: PgPool) {
    let world = busy_world(pool).await;
    world.audit().await;
    world.keep().await;
    let mut unseen = BTreeSet::new();
    for (tampering, check, row) in TAMPERINGS {
        tamper(&world, tampering).await;
        let report = audit::run(&world.pool, ANY_AGE).await.unwrap();
        if !names(&report, check, row) {
            unseen.insert(format!("{check}: {row}: {tampering}: {report}"));
        }
        world.restore().await;
    }
    assert!(unseen.is_empty(), "{unseen:#?}");
    world.audit().await;
}
