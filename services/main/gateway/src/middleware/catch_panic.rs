//! Turns a panic of a handler into 500 `INTERNAL` for its own request; the connection and the worker
//! survive.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, ResponseError};
use telemetry::panics::{self, Panicked};

use crate::error::{ApiError, Reason};

/// Must run after routing, because it keeps a copy of the request.
pub(crate) async fn catch_panic<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    or_internal_error(request.request().clone(), next.call(request)).await
}

/// The outcome of `handling`, or `INTERNAL` for `request` when it panics.
pub(crate) async fn or_internal_error<B: MessageBody>(
    request: HttpRequest,
    handling: impl Future<Output = Result<ServiceResponse<B>, Error>>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    match panics::caught(handling).await {
        Ok(outcome) => outcome.map(ServiceResponse::map_into_left_body),
        Err(Panicked) => {
            let answer = ApiError::from(Reason::Internal).error_response();
            Ok(ServiceResponse::new(request, answer).map_into_right_body())
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
    use crate::middleware::trace::trace_request;

    /// Panics as the query says, before or after its first await.
    async fn faulty(request: HttpRequest) -> String {
        assert_ne!(request.query_string(), "at=once", "a mistake");
        tokio::task::yield_now().await;
        assert_ne!(request.query_string(), "at=await", "a mistake");
        "done".to_owned()
    }

    #[actix_web::test]
    async fn a_panic_gives_500_and_the_next_request_is_served() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/faulty", listener.local_addr().unwrap());
        let server = HttpServer::new(|| {
            let route = web::get().to(faulty).wrap(from_fn(catch_panic));
            App::new()
                .service(web::scope("/{scope}").route("", route))
                .wrap(from_fn(trace_request))
        });
        let server = server.workers(1).disable_signals().listen(listener);
        let server = server.unwrap().run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        // Fails when a provider is installed already.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::new();
        for query in ["?at=once", "?at=await", "?at=once"] {
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
