//! Watchers of prices in processes of their own, over a real tick log.

use std::sync::Arc;
use std::time::Duration;

use kernel::Clock;
use market_data::alerts::leader::AlertWatch;
use market_data::alerts::recent::WatchProgress;
use messaging::ticks::Publisher;
use proto::market::v1 as wire;
use proto::market::v1::tick_record::Record;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use testkit::TempStream;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::alerts::above;
use crate::world::{World, noon};

/// Killed when it is dropped.
struct Watching(Option<Runtime>);

impl Watching {
    fn start(world: &World, pool: &PgPool, stream: &TempStream) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let options = (*pool.connect_options()).clone();
        let clock: Arc<dyn Clock> = Arc::new(world.clock.clone());
        let catalogue = world.board.catalogue().clone();
        let (amqp, spec) = (stream.amqp.clone(), stream.spec.clone());
        runtime.spawn(async move {
            let pool = PgPoolOptions::new().max_connections(3);
            let watch = AlertWatch {
                pool: pool.connect_with(options).await.unwrap(),
                amqp,
                stream: spec,
                catalogue,
                clock,
                start: WatchProgress::default(),
            };
            watch.run(CancellationToken::new()).await;
        });
        Self(Some(runtime))
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

fn batch(seq: i64, price: i64) -> wire::TickBatch {
    let tick = wire::Tick {
        code: "005930".to_owned(),
        tick_seq: seq,
        trading_day: 20_261_120,
        event_time_us: noon().timestamp_micros() + seq,
        price_units: price,
        prev_close_units: 68_000,
        ..wire::Tick::default()
    };
    wire::TickBatch {
        producer: "test".to_owned(),
        epoch: 1,
        batch_seq: seq,
        closed_at_us: noon().timestamp_micros() + seq,
        records: vec![wire::TickRecord {
            record: Some(Record::Tick(tick)),
        }],
    }
}

async fn fired(pool: &PgPool) -> Vec<i64> {
    sqlx::query_scalar("select aggregate_id::bigint from outbox order by id")
        .fetch_all(pool)
        .await
        .unwrap()
}

async fn create(world: &World, request: wire::CreateAlertRequest) -> i64 {
    let mut alerts = world.alerts.clone();
    let reply = alerts.create_alert(request).await.unwrap().into_inner();
    reply.alert.unwrap().alert_id
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn one_of_two_processes_watches_and_the_other_goes_on(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    world.trade(&[("005930", 68_000, 70_000, 10)]);
    let stream = TempStream::create().await;
    let log = Publisher::new(stream.amqp.clone(), stream.spec.clone());
    let mut expected = Vec::new();
    let mut processes = vec![
        Watching::start(&world, &pool, &stream),
        Watching::start(&world, &pool, &stream),
    ];
    for seq in 2..8_i64 {
        let level = 70_000 + seq * 100;
        expected.push(create(&world, above(&format!("n{seq}"), &level.to_string())).await);
        if seq % 2 == 0 {
            // Any of the two may be the one that watches; the tick comes while nobody may.
            processes.remove(0);
            processes.push(Watching::start(&world, &pool, &stream));
        }
        log.publish(&batch(seq, level)).await.unwrap();
        testkit::eventually(Duration::from_secs(30), async || {
            fired(&pool).await.len() >= expected.len()
        })
        .await;
        assert_eq!(fired(&pool).await, expected);
    }
    let locks: i64 = sqlx::query_scalar(
        "select count(*) from pg_locks l join pg_database d on d.oid = l.database \
         where l.locktype = 'advisory' and l.granted and d.datname = current_database()",
    )
    .fetch_one(&pool)
    .await
    .unwrap();
    assert_eq!(locks, 1);
}
