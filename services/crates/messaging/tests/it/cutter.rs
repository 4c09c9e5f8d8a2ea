//! A TCP proxy in front of the broker whose connections can be cut.

use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

pub(crate) struct Cutter {
    pub(crate) url: String,
    current: Arc<Mutex<CancellationToken>>,
}

impl Cutter {
    pub(crate) async fn start() -> Self {
        let target = testkit::amqp_url();
        let (credentials, rest) = target.split_once('@').unwrap();
        let (address, vhost) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("{credentials}@{}/{vhost}", listener.local_addr().unwrap());
        let current = Arc::new(Mutex::new(CancellationToken::new()));
        let tokens = current.clone();
        let address = address.to_owned();
        tokio::spawn(async move {
            loop {
                let (mut near, _) = listener.accept().await.unwrap();
                let cut = tokens.lock().unwrap().clone();
                let address = address.clone();
                tokio::spawn(async move {
                    let mut far = TcpStream::connect(address).await.unwrap();
                    let copy = tokio::io::copy_bidirectional(&mut near, &mut far);
                    let _ended = cut.run_until_cancelled(copy).await;
                });
            }
        });
        Self { url, current }
    }

    /// Closes every connection; new ones are accepted.
    pub(crate) fn cut(&self) {
        let mut current = self.current.lock().unwrap();
        current.cancel();
        *current = CancellationToken::new();
    }
}
