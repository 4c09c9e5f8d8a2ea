//! Waits until the matcher has read the tick log up to the end of the load: before that, the
//! effects of a close or a split may be missing from the database.

use std::time::{Duration, Instant};

use messaging::amqp::Amqp;
use messaging::ticks::{ReadFrom, Reader, StreamSpec};
use sqlx::PgPool;

/// Allows for a broker and a matcher that were killed under load, on a slow machine.
const TIMEOUT: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(500);
const PREFETCH: u16 = 10;

/// Returns a sentence if shards are still behind after the timeout, or if the log does not grow.
pub(crate) async fn wait(pool: &PgPool, amqp_url: &str) -> anyhow::Result<Option<String>> {
    let mut log = Reader::open(
        Amqp::new(amqp_url)?,
        StreamSpec::ticks(),
        ReadFrom::Next,
        PREFETCH,
    );
    let Ok(newest) = tokio::time::timeout(TIMEOUT, log.next()).await else {
        return Ok(Some("the tick log does not grow".to_owned()));
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
        if waited > TIMEOUT {
            let sentence = format!("{behind} shards have not read batch {offset} after {waited:?}");
            return Ok(Some(sentence));
        }
        tokio::time::sleep(PAUSE).await;
    }
}
