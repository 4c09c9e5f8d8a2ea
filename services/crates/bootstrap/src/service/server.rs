//! A gRPC server with its admin port and background tasks.

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use super::ServiceConfig;
use crate::admin::{self, Readiness};
use crate::grpc;

pub struct Server {
    admin_addr: SocketAddr,
    drain: Duration,
    shutdown: CancellationToken,
    tasks: JoinSet<()>,
    admin: Option<JoinHandle<std::io::Result<()>>>,
}

impl Server {
    #[must_use]
    pub fn new(config: &ServiceConfig, shutdown: CancellationToken) -> Self {
        Self {
            admin_addr: config.admin_addr,
            drain: config.drain(),
            shutdown,
            tasks: JoinSet::new(),
            admin: None,
        }
    }

    /// Starts a background task, which has to end after the shutdown.
    pub fn spawn(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(task);
    }

    /// Starts the admin port: from now on this process may take over from its predecessor.
    pub fn serve_admin(&mut self, readiness: Readiness) {
        let serving = admin::serve(self.admin_addr, readiness, self.shutdown.clone());
        self.admin = Some(tokio::spawn(serving));
    }

    /// Serves `routes` on `listener` until the shutdown; calls in flight then have the drain time to
    /// finish.
    ///
    /// # Errors
    /// When the socket or the transport fails.
    pub async fn serve(&self, listener: TcpListener, routes: Routes) -> anyhow::Result<()> {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tracing::info!(address = %listener.local_addr()?, "Serving");
        grpc::serve(listener, routes, self.shutdown.clone(), self.drain).await?;
        Ok(())
    }

    /// After the shutdown: gives the background tasks the drain time to end, and waits for the end
    /// of the admin port.
    ///
    /// # Errors
    /// When a task panicked or the admin port could not be served.
    pub async fn finish(mut self) -> anyhow::Result<()> {
        let ended = async {
            while let Some(ended) = self.tasks.join_next().await {
                ended?;
            }
            anyhow::Ok(())
        };
        match tokio::time::timeout(self.drain, ended).await {
            Ok(ended) => ended?,
            Err(_elapsed) => {
                tracing::warn!(tasks = self.tasks.len(), "Tasks did not end in time");
            }
        }
        if let Some(admin) = self.admin {
            admin.await??;
        }
        Ok(())
    }
}
