//! Integration tests with a real RabbitMQ and a real PostgreSQL.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop where it stands"
)]

mod at_once;
mod channels;
mod cutter;
mod dead_letters;
mod events;
mod hung;
mod lost_channels;
mod lost_log;
mod newer;
mod one_pool;
mod partition;
mod stream;

use std::time::Duration;

use fault_proxy::FaultProxy;
use kernel::SystemClock;
use messaging::consumer::ConsumerSpec;
use messaging::outbox;
use messaging::{Amqp, NewEvent};
use proto::trading::v1::OrderChanged;
use sea_orm::{DatabaseConnection, SqlxPostgresConnector, TransactionTrait};
use sqlx::PgPool;
use testkit::schema;
use uuid::Uuid;

const EFFECT: &str = "create table effect (event_id uuid not null, aggregate_id text not null)";

/// Generous, for a busy machine.
const LATER: Duration = Duration::from_secs(60);

async fn database(pool: &PgPool) -> DatabaseConnection {
    for table in [schema::OUTBOX, schema::INBOX, EFFECT] {
        sqlx::raw_sql(table).execute(pool).await.unwrap();
    }
    SqlxPostgresConnector::from_sqlx_postgres_pool(pool.clone())
}

fn amqp() -> Amqp {
    Amqp::new(&testkit::amqp_url()).unwrap()
}

/// The broker behind a fault proxy. `query` is appended to its URL.
async fn behind(query: &str) -> (FaultProxy, Amqp) {
    let url = format!("{}{query}", testkit::amqp_url());
    let (proxy, url) = FaultProxy::for_url(&url).await.unwrap();
    (proxy, Amqp::new(&url).unwrap())
}

/// A `'static` name that no other test uses.
fn unique(prefix: &str) -> &'static str {
    testkit::unique(prefix).leak()
}

/// A queue of one type of event.
fn queue_of(queue: &'static str, event_type: &'static str, prefetch: u16) -> ConsumerSpec {
    ConsumerSpec {
        queue,
        bindings: Box::leak(Box::new([event_type])),
        prefetch,
    }
}

/// Appends an event in its own transaction.
async fn append(database: &DatabaseConnection, event_type: &'static str, aggregate: &str) -> Uuid {
    let body = OrderChanged {
        member_id: 100_000,
        order: None,
    };
    let event = NewEvent::new(event_type, aggregate.to_owned(), &body, &SystemClock);
    let event_id = event.event_id();
    let transaction = database.begin().await.unwrap();
    outbox::append(&transaction, event).await.unwrap();
    transaction.commit().await.unwrap();
    event_id
}

async fn waiting(pool: &PgPool) -> i64 {
    sqlx::query_scalar("select count(*) from outbox")
        .fetch_one(pool)
        .await
        .unwrap()
}

async fn delete(queues: &[&str]) {
    let channel = amqp().channel().await;
    for queue in queues {
        let _gone = channel
            .queue_delete((*queue).into(), Default::default())
            .await;
    }
}
