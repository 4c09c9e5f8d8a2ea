//! A tick stream for one test.

use lapin::options::QueueDeleteOptions;
use messaging::Amqp;
use messaging::ticks::{StreamSpec, declare};

use crate::{amqp_url, unique};

/// A declared, empty tick stream under a name of its own, deleted when it is dropped.
pub struct TempStream {
    /// What publishers and readers take.
    pub spec: StreamSpec,
    /// The broker it is on.
    pub amqp: Amqp,
}

impl TempStream {
    /// Declares it on the broker of [`amqp_url`].
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
        // The test's own runtime is about to end, so the deletion brings one along.
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
