//! The admin port of a process: `/livez`, `/readyz` and `/metrics`, on an address of its own that is
//! not public.

use std::fmt::Display;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use actix_web::{App, HttpResponse, HttpServer, web};
use sqlx::PgPool;
use telemetry::{build, metrics};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, watch};
use tokio_util::sync::CancellationToken;

use crate::listener;

const CACHED_FOR: Duration = Duration::from_secs(1);
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);
type Checked = Pin<Box<dyn Future<Output = Result<(), String>> + Send>>;

struct Check {
    name: &'static str,
    run: Box<dyn Fn() -> Checked + Send + Sync>,
}

struct Answer {
    at: Instant,
    failed: Vec<String>,
}

/// A process is ready while its own database and broker respond and it is not draining. Cheap to
/// clone.
#[derive(Clone, Default)]
pub struct Readiness {
    checks: Arc<Vec<Check>>,
    draining: Arc<AtomicBool>,
    cached: Arc<Mutex<Option<Answer>>>,
}

impl Readiness {
    /// Ready as long as it is not draining.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a check of a dependency of this process alone, never of another service. It times out
    /// after two seconds; its result is cached for one.
    ///
    /// It runs on the current runtime and not on the admin port's, which ends first: a pooled
    /// connection opened there would break during a call in flight.
    ///
    /// # Panics
    /// Outside a Tokio runtime.
    #[must_use]
    pub fn check<F, E>(
        mut self,
        name: &'static str,
        check: impl Fn() -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        let home = Handle::current();
        let run = move || -> Checked {
            let outcome = check();
            // The timeout needs the timer of that runtime too.
            let outcome =
                home.spawn(async move { tokio::time::timeout(CHECK_TIMEOUT, outcome).await });
            Box::pin(async move {
                match outcome.await {
                    Ok(Ok(outcome)) => outcome.map_err(|error| error.to_string()),
                    Ok(Err(_elapsed)) => Err(format!("no answer within {CHECK_TIMEOUT:?}")),
                    Err(error) => Err(error.to_string()),
                }
            })
        };
        let added = Check {
            name,
            run: Box::new(run),
        };
        match Arc::get_mut(&mut self.checks) {
            Some(checks) => checks.push(added),
            None => tracing::error!(name, "A readiness check came after the first clone"),
        }
        self
    }

    /// Adds the check `database`, which runs a statement.
    ///
    /// # Panics
    /// Outside a Tokio runtime.
    #[must_use]
    pub fn check_database(self, pool: &PgPool) -> Self {
        let pool = pool.clone();
        self.check("database", move || {
            let pool = pool.clone();
            async move { sqlx::query("select 1").execute(&pool).await.map(drop) }
        })
    }

    /// Reports not ready from now on.
    pub fn set_draining(&self) {
        self.draining.store(true, Ordering::SeqCst);
    }

    /// Failed checks; empty = ready.
    pub async fn failures(&self) -> Vec<String> {
        if self.draining.load(Ordering::SeqCst) {
            return vec!["draining".to_owned()];
        }
        let mut cached = self.cached.lock().await;
        if let Some(answer) = &*cached
            && answer.at.elapsed() < CACHED_FOR
        {
            return answer.failed.clone();
        }
        let mut failed = Vec::new();
        for check in self.checks.iter() {
            if let Err(error) = (check.run)().await {
                tracing::warn!(check = check.name, error, "Not ready");
                failed.push(check.name.to_owned());
            }
        }
        *cached = Some(Answer {
            at: Instant::now(),
            failed: failed.clone(),
        });
        failed
    }
}

/// Serves the admin port until `shutdown`, and two seconds longer so that a drain is seen. A process
/// that calls this is ready to take over from its predecessor, and to be replaced: while a successor
/// that took over lives, that one serves the port. A process that nobody could ask whether it is
/// ready would never be given work, so `shutdown` is cancelled when the address cannot be bound.
///
/// # Errors
/// [`std::io::Error`] when the address cannot be bound.
pub async fn serve(
    address: SocketAddr,
    readiness: Readiness,
    shutdown: CancellationToken,
) -> std::io::Result<()> {
    metrics::install_recorder();
    build::report();
    listener::take_over();
    loop {
        let port = bind(address).await.inspect_err(|error| {
            tracing::error!(%address, %error, "The admin port cannot be served");
            shutdown.cancel();
        })?;
        let mut handed_over = listener::handed_over();
        listener::offer();
        let successor = handed_over.clone();
        serve_until(port, readiness.clone(), successor, shutdown.clone()).await?;
        let handed_back = handed_over.wait_for(|handed_over| !handed_over);
        if shutdown.run_until_cancelled(handed_back).await.is_none() {
            return Ok(());
        }
        tracing::warn!("The successor has ended; this process goes on");
    }
}

async fn serve_until(
    port: TcpListener,
    readiness: Readiness,
    mut successor: watch::Receiver<bool>,
    shutdown: CancellationToken,
) -> std::io::Result<()> {
    let watched = readiness.clone();
    let server = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::new(readiness.clone()))
            .route("/livez", web::get().to(livez))
            .route("/readyz", web::get().to(readyz))
            .route("/metrics", web::get().to(metrics_page))
    })
    .workers(1)
    .disable_signals()
    .shutdown_timeout(1)
    .listen(port)?
    .run();
    let handle = server.handle();
    tokio::spawn(async move {
        tokio::select! {
            () = shutdown.cancelled() => {
                watched.set_draining();
                tokio::time::sleep(Duration::from_secs(2)).await;
                handle.stop(true).await;
            }
            // Also when it has ended again by now: the path has to be offered anew.
            _ = successor.changed() => handle.stop(false).await,
        }
    });
    server.await
}

/// A predecessor that hands over leaves the port in a moment.
async fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let mut tries = 0;
    loop {
        match TcpListener::bind(address) {
            Err(error) if error.kind() == ErrorKind::AddrInUse && tries < 30 => {
                tries += 1;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            bound => return bound,
        }
    }
}

async fn livez() -> HttpResponse {
    // Being able to answer is the proof; the number tells a process from its successor.
    std::future::ready(HttpResponse::Ok().body(format!("live {}\n", std::process::id()))).await
}

async fn readyz(readiness: web::Data<Readiness>) -> HttpResponse {
    let failed = readiness.failures().await;
    if failed.is_empty() {
        HttpResponse::Ok().body("ready\n")
    } else {
        HttpResponse::ServiceUnavailable().body(format!("not ready: {}\n", failed.join(", ")))
    }
}

async fn metrics_page() -> HttpResponse {
    let answer = HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4")
        .body(metrics::render());
    std::future::ready(answer).await
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    #[tokio::test]
    async fn a_failing_check_is_an_obstacle_and_draining_is_another() {
        let readiness = Readiness::new()
            .check("database", || async { Ok::<(), String>(()) })
            .check("broker", || async { Err::<(), _>("down") });
        assert_eq!(readiness.failures().await, ["broker"]);
        readiness.set_draining();
        assert_eq!(readiness.failures().await, ["draining"]);
        assert!(Readiness::new().failures().await.is_empty());
    }

    #[tokio::test]
    async fn a_connection_that_a_check_made_outlives_the_admin_port() {
        let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = server.local_addr().unwrap();
        let pool = Arc::new(Mutex::new(None));
        let kept = Arc::clone(&pool);
        let readiness = Readiness::new().check("database", move || {
            let pool = Arc::clone(&pool);
            async move {
                *pool.lock().await = Some(TcpStream::connect(address).await?);
                Ok::<(), std::io::Error>(())
            }
        });
        let asked = std::thread::spawn(move || {
            let admin = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            admin.block_on(readiness.failures())
        });
        let (mut peer, _) = server.accept().await.unwrap();
        let failed = tokio::task::spawn_blocking(|| asked.join().unwrap()).await;
        assert_eq!(failed.unwrap(), Vec::<String>::new());
        peer.write_all(b"still here").await.unwrap();
        drop(peer);
        let mut heard = String::new();
        let mut connection = kept.lock().await.take().unwrap();
        connection.read_to_string(&mut heard).await.unwrap();
        assert_eq!(heard, "still here");
    }

    #[tokio::test]
    async fn a_process_whose_port_is_taken_ends() {
        let stranger = TcpListener::bind("127.0.0.1:0").unwrap();
        let shutdown = CancellationToken::new();
        let address = stranger.local_addr().unwrap();
        let served = serve(address, Readiness::new(), shutdown.clone()).await;
        assert_eq!(served.unwrap_err().kind(), ErrorKind::AddrInUse);
        assert!(shutdown.is_cancelled());
    }
}
