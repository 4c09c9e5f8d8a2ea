//! A push service of a test: it records what arrives and answers as it is told.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use parking_lot::Mutex;

/// Stops when it is dropped.
pub(crate) struct Double {
    pub(crate) url: String,
    shared: Arc<Shared>,
    handle: ServerHandle,
}

#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) path: String,
    pub(crate) version: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, &'static str)>,
    pub(crate) body: String,
    pub(crate) after: Duration,
}

#[derive(Default)]
struct Shared {
    received: Mutex<Vec<Received>>,
    /// By path; the last reply stays.
    replies: Mutex<HashMap<String, VecDeque<Reply>>>,
}

pub(crate) fn reply(status: u16) -> Reply {
    Reply {
        status,
        headers: Vec::new(),
        body: String::new(),
        after: Duration::ZERO,
    }
}

impl Double {
    pub(crate) async fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared::default());
        let data = web::Data::from(Arc::clone(&shared));
        let (sender, started) = tokio::sync::oneshot::channel();
        thread::spawn(move || {
            let serving = async move {
                let server = HttpServer::new(move || {
                    App::new()
                        .app_data(data.clone())
                        .default_service(web::to(take))
                })
                .workers(1)
                .disable_signals()
                .shutdown_timeout(0)
                .listen_auto_h2c(listener)
                .unwrap()
                .run();
                sender.send(server.handle()).ok().unwrap();
                server.await.unwrap();
            };
            actix_web::rt::System::new().block_on(serving);
        });
        Self {
            url,
            shared,
            handle: started.await.unwrap(),
        }
    }

    /// Answers requests to `path` so, in this order; the last one goes on.
    pub(crate) fn answer(&self, path: &str, replies: impl IntoIterator<Item = Reply>) {
        let replies = replies.into_iter().collect();
        self.shared.replies.lock().insert(path.to_owned(), replies);
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.shared.received.lock().clone()
    }

    pub(crate) fn count(&self) -> usize {
        self.shared.received.lock().len()
    }
}

impl Drop for Double {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

async fn take(request: HttpRequest, body: web::Bytes, shared: web::Data<Shared>) -> HttpResponse {
    let headers = request.headers().iter();
    shared.received.lock().push(Received {
        path: request.path().to_owned(),
        version: format!("{:?}", request.version()),
        headers: headers
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect(),
        body: body.to_vec(),
    });
    let given = {
        let mut replies = shared.replies.lock();
        match replies.get_mut(request.path()) {
            Some(left) if left.len() > 1 => left.pop_front(),
            Some(last) => last.front().cloned(),
            None => None,
        }
    };
    let given = given.unwrap_or_else(|| reply(201));
    tokio::time::sleep(given.after).await;
    let mut response = HttpResponse::build(StatusCode::from_u16(given.status).unwrap());
    for (name, value) in given.headers {
        response.insert_header((name, value));
    }
    response.body(given.body)
}
