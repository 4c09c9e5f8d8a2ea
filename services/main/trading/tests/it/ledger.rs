//! The ledger's own guarantees: what is posted is balanced, happens once, and leaves no balance
//! below zero.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use kernel::{AccountId, Clock, FixedClock, Won};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, SqlxPostgresConnector,
    TransactionTrait,
};
use sqlx::PgPool;
use trading::ledger::{
    self, Asset, Book, HoldChange, Journal, JournalKind, LedgerError, Posting, Source,
};

use crate::world::{World, morning};

const ME: i64 = 100_001;
/// The account of the first member who looks.
const MINE: AccountId = AccountId(1);
const OPENED: i64 = 5_000_000;

fn database(world: &World) -> DatabaseConnection {
    SqlxPostgresConnector::from_sqlx_postgres_pool(world.pool.clone())
}

async fn locked(db: &DatabaseConnection) -> DatabaseTransaction {
    let transaction = db.begin().await.unwrap();
    let lock = "select 1 from account where id = 1 for no key update";
    transaction.execute_unprepared(lock).await.unwrap();
    transaction
}

/// Won that an account gains from the book of corrections, or loses to it.
async fn correction(transaction: &DatabaseTransaction, source: i64, amount: i64) -> Journal {
    let ids = ledger::draw_ids(transaction, 1).await.unwrap();
    Journal {
        id: ids[0],
        kind: JournalKind::DividendPaid,
        source: Source::DividendShare(source),
        occurred_at: FixedClock::at(morning()).now(),
        postings: vec![
            Posting::to_account(MINE, Won(amount)),
            Posting::to_book(Book::Adjust, Won(-amount)),
        ],
    }
}

async fn journals(world: &World) -> i64 {
    world.count("select count(*) from journal").await
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_journal_of_one_kind_and_source_is_posted_once(pool: PgPool) {
    let world = World::new(pool).await;
    world.basic(ME).await;
    let db = database(&world);
    for round in 0..2 {
        let transaction = locked(&db).await;
        let journal = correction(&transaction, 7, 10).await;
        let posted = ledger::post(&transaction, &[journal], &[]).await;
        if round == 0 {
            posted.unwrap();
            transaction.commit().await.unwrap();
        } else {
            assert!(
                matches!(posted, Err(LedgerError::AlreadyPosted)),
                "{posted:?}"
            );
        }
    }
    assert_eq!(world.basic(ME).await.deposit_won, OPENED + 10);
    assert_eq!(journals(&world).await, 2);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_unbalanced_journal_does_not_reach_the_database(pool: PgPool) {
    let world = World::new(pool).await;
    world.basic(ME).await;
    let transaction = locked(&database(&world)).await;
    let mut journal = correction(&transaction, 7, 10).await;
    journal.postings[1].amount += 1;
    let refused = ledger::post(&transaction, &[journal.clone()], &[]).await;
    assert!(
        matches!(refused, Err(LedgerError::Unbalanced { .. })),
        "{refused:?}"
    );
    // The transaction goes on, and can post what is right.
    journal.postings[1].amount -= 1;
    ledger::post(&transaction, &[journal], &[]).await.unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(world.basic(ME).await.deposit_won, OPENED + 10);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_balance_falls_neither_below_zero_nor_below_what_is_held(pool: PgPool) {
    let world = World::new(pool).await;
    world.basic(ME).await;
    let db = database(&world);
    let hold = |amount| HoldChange {
        account: MINE,
        asset: Asset::Krw,
        amount,
    };
    for (amount, held) in [
        (-OPENED - 1, None),
        (-OPENED, Some(1)),
        (i64::MAX, None),
        (0, Some(OPENED + 1)),
        (0, Some(-1)),
    ] {
        let transaction = locked(&db).await;
        let journal = correction(&transaction, 7, amount).await;
        let holds: Vec<HoldChange> = held.map(hold).into_iter().collect();
        let refused = ledger::post(&transaction, &[journal], &holds).await;
        assert!(refused.is_err(), "{amount} and {held:?}");
    }
    // What is held and what is paid of it go together.
    let transaction = locked(&db).await;
    let journal = correction(&transaction, 7, -OPENED).await;
    ledger::post(&transaction, &[], &[hold(OPENED)])
        .await
        .unwrap();
    let paid = ledger::post(&transaction, &[journal], &[hold(-OPENED)]).await;
    paid.unwrap();
    transaction.commit().await.unwrap();
    let account = world.basic(ME).await;
    assert_eq!((account.deposit_won, account.held_won), (0, 0));
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_has_no_balance_is_not_posted(pool: PgPool) {
    let world = World::new(pool).await;
    let transaction = database(&world).begin().await.unwrap();
    let journal = correction(&transaction, 7, 10).await;
    let refused = ledger::post(&transaction, &[journal], &[]).await;
    assert!(
        matches!(refused, Err(LedgerError::NoBalance { missing: 1 })),
        "{refused:?}"
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn posts_on_one_account_at_once_all_count(pool: PgPool) {
    let world = World::new(pool).await;
    world.basic(ME).await;
    let db = database(&world);
    let posts = (1..=40).map(|source| {
        let db = db.clone();
        async move {
            let transaction = locked(&db).await;
            // Every second source is posted twice.
            let journal = correction(&transaction, source / 2, source).await;
            let posted = ledger::post(&transaction, &[journal], &[]).await;
            match posted {
                Ok(()) => {
                    transaction.commit().await.unwrap();
                    source
                }
                Err(LedgerError::AlreadyPosted) => 0,
                Err(error) => panic!("{error}"),
            }
        }
    });
    let posted: Vec<i64> = join_all(posts).await;
    assert_eq!(posted.iter().filter(|amount| **amount > 0).count(), 21);
    let sum: i64 = posted.iter().sum();
    assert_eq!(world.basic(ME).await.deposit_won, OPENED + sum);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_schema_knows_every_kind_book_and_asset(pool: PgPool) {
    let kinds: Vec<String> = sqlx::query_scalar("select kind from journal_kind")
        .fetch_all(&pool)
        .await
        .unwrap();
    let stored: BTreeSet<&str> = kinds.iter().map(String::as_str).collect();
    assert_eq!(
        stored,
        JournalKind::ALL.iter().map(|kind| kind.as_str()).collect()
    );
    let mut line = 0_i16;
    let both = Book::ALL
        .into_iter()
        .flat_map(|book| Asset::ALL.map(|asset| (book, asset)));
    sqlx::raw_sql(
        "insert into journal (id, kind, source_type, source_id, occurred_at) \
         values (1, 'DIVIDEND_PAID', 'DIVIDEND_SHARE', '1', now())",
    )
    .execute(&pool)
    .await
    .unwrap();
    for (book, asset) in both {
        line += 2;
        sqlx::query(
            "insert into entry (journal_id, line, book, asset, amount) \
             values (1, $1, $2, $3, 1), (1, $1 + 1, $2, $3, -1)",
        )
        .bind(line)
        .bind(book.as_str())
        .bind(asset.as_str())
        .execute(&pool)
        .await
        .unwrap();
    }
}
