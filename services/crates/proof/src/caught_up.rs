//! Waits until the matcher has read what was in the tick log when the load ended: before that,
//! the books do not show yet what a close or a split has done.

use std::time::{Duration, Instant};

use messaging::amqp::Amqp;
use messaging::ticks::{ReadFrom, Reader, StreamSpec};
use sqlx::PgPool;

/// How long a broker and a matcher may take that were killed under load, on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(500);
const PREFETCH: u16 = 10;

/// A sentence about shards that are behind for longer than the matcher may take, or about a log
/// to which nothing is added.
pub(crate) async fn wait(pool: &PgPool, amqp_url: &str) -> anyhow::Result<Option<String>> {
    let mut log = Reader::open(
        Amqp::new(amqp_url)?,
        StreamSpec::ticks(),
        ReadFrom::Next,
        PREFETCH,
    );
    let Ok(newest) = tokio::time::timeout(PATIENCE, log.next()).await else {
        return Ok(Some("the tick log stands still".to_owned()));
    };
    let offset = i64::try_from(newest.offset)?;
    let began = Instant::now();
    loop {
        let behind: i64 = sqlx::query_scalar(
            "select count(*) from matcher_offset where (epoch, next_offset) <= ($1, $2)",
        )
        .bind(newest.batch.epoch)
        .bind(offset)
        .fetch_one(pool)
        .await?;
        let waited = began.elapsed();
        if behind == 0 {
            println!("waited: {} ms for the matcher", waited.as_millis());
            return Ok(None);
        }
        if waited > PATIENCE {
            let sentence = format!("{behind} shards have not read batch {offset} after {waited:?}");
            return Ok(Some(sentence));
        }
        tokio::time::sleep(PAUSE).await;
    }
}
