use lapin::options::QueueDeleteOptions;
use messaging::Amqp;
use messaging::ticks::{StreamSpec, declare};

use crate::{amqp_url, unique};

/// Declared and empty; deleted when it is dropped.
pub struct TempStream {
    pub spec: StreamSpec,
    pub amqp: Amqp,
}

impl TempStream {
    /// On the broker of [`amqp_url`].
    pub async fn create() -> Self {
        let amqp = Amqp::new(&amqp_url()).expect("AMQP_URL is an AMQP address");
        let spec = StreamSpec {
            max_bytes: 100_000_000,
            segment_bytes: 10_000_000,
            ..StreamSpec::named(unique("test-ticks"))
        };
        let link = amqp.try_channel().await.expect("RabbitMQ answers");
        declare(&link, &spec).await.expect("the stream is declared");
        Self { spec, amqp }
    }
}

impl Drop for TempStream {
    fn drop(&mut self) {
        let amqp = self.amqp.clone();
        let name = self.spec.name.clone();
        // The test's runtime is ending, so the deletion uses one of its own.
        let deletion = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a small runtime");
            runtime.block_on(async move {
                if let Ok(link) = amqp.try_channel().await {
                    let options = QueueDeleteOptions::default();
                    let _gone = link.queue_delete(name.as_str().into(), options).await;
                }
            });
        });
        let _joined = deletion.join();
    }
}
