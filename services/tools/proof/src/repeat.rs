//! Appends the newest batches of the tick log again, as a lost confirm or a second writer would.

use clap::Parser;
use messaging::amqp::Amqp;
use messaging::ticks::{LogOffset, Publisher, ReadFrom, Reader, StreamSpec};

const PREFETCH: u16 = 100;

#[derive(Debug, Parser)]
pub(crate) struct Arguments {
    /// URL of the broker.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    amqp_url: String,
    /// How many of the newest batches.
    #[arg(long, default_value_t = 300)]
    batches: u64,
}

pub(crate) async fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let amqp = Amqp::new(&arguments.amqp_url)?;
    let spec = StreamSpec::ticks();
    let mut tail = Reader::open(amqp.clone(), spec.clone(), ReadFrom::Next, PREFETCH);
    let newest = tail.next().await;
    drop(tail);
    let from = LogOffset {
        epoch: newest.batch.epoch,
        next: newest.offset.saturating_sub(arguments.batches),
    };
    let mut reader = Reader::open(amqp.clone(), spec.clone(), ReadFrom::Offset(from), PREFETCH);
    let mut batches = Vec::new();
    loop {
        let delivered = reader.next().await;
        batches.push(delivered.batch);
        if delivered.offset >= newest.offset {
            break;
        }
    }
    drop(reader);
    Publisher::new(amqp, spec).publish_many(&batches).await?;
    println!("repeated: {} batches", batches.len());
    Ok(())
}
