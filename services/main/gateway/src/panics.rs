//! A handler that panics costs its own request and no other: the caller is told that something
//! went wrong, as for any other failure of ours, and the connection and the worker go on.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, ResponseError};
use bootstrap::panics::{self, Panicked};

use crate::error::{ApiError, Reason};

/// Runs `next`, which must be behind the choice of a route: the request is still needed after it.
pub(crate) async fn around<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    caught(request.request().clone(), next.call(request)).await
}

/// What `answering` comes to, or the answer to the request `kept` when it panics.
pub(crate) async fn caught<B: MessageBody>(
    kept: HttpRequest,
    answering: impl Future<Output = Result<ServiceResponse<B>, Error>>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    match panics::caught(answering).await {
        Ok(outcome) => outcome.map(ServiceResponse::map_into_left_body),
        Err(Panicked) => {
            let answer = ApiError::from(Reason::Internal).error_response();
            Ok(ServiceResponse::new(kept, answer).map_into_right_body())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use actix_web::middleware::from_fn;
    use actix_web::{App, HttpServer, web};
    use serde_json::Value;

    use super::*;
    use crate::headers;

    /// Panics for who says so, after its first wait or before it.
    async fn careless(request: HttpRequest) -> String {
        assert_ne!(request.query_string(), "at=once", "a mistake");
        tokio::task::yield_now().await;
        assert_ne!(request.query_string(), "at=length", "a mistake");
        "done".to_owned()
    }

    #[actix_web::test]
    async fn a_panic_is_a_problem_and_the_next_request_is_served() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/careless", listener.local_addr().unwrap());
        let server = HttpServer::new(|| {
            let route = web::get().to(careless).wrap(from_fn(around));
            App::new()
                .service(web::scope("/{scope}").route("", route))
                .wrap(from_fn(headers::around))
        });
        let server = server.workers(1).disable_signals().listen(listener);
        let server = server.unwrap().run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        // Fails when a provider is there already, which is as good.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::new();
        for query in ["?at=once", "?at=length", "?at=once"] {
            let failed = client.get(format!("{url}{query}")).send().await.unwrap();
            assert_eq!(failed.status(), 500);
            let headers = failed.headers().clone();
            assert_eq!(headers["content-type"], "application/problem+json");
            let text = failed.text().await.unwrap();
            assert!(!text.contains("mistake"), "{text}");
            let body: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(
                (&body["code"], &body["reason"]),
                (&9009.into(), &"INTERNAL".into())
            );
            assert_eq!(body["traceId"], headers["x-trace-id"].to_str().unwrap());

            let served = client.get(&url).send().await.unwrap();
            assert_eq!(served.text().await.unwrap(), "done");
        }
        handle.stop(false).await;
    }
}
