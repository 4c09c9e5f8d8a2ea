//! The runtime configuration of clients, the API documents, liveness.

use std::sync::Arc;

use actix_web::http::header::ContentType;
use actix_web::{HttpRequest, HttpResponse, web};
use proto::market::v1::{GetMarketInfoRequest, MarketInfo};
use serde::Serialize;
use utoipa::openapi::OpenApi as OpenApiDocument;
use utoipa::{OpenApi, ToSchema};

use crate::asyncapi;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::origins::Origin;
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::upstream::clients::Market;
use crate::wire::time::kst;

#[derive(OpenApi)]
#[openapi(paths(config, document, live_document, live))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/config.json", Subject::Public, config).extension(),
        Endpoint::get("/openapi.json", Subject::Public, document).extension(),
        Endpoint::get("/asyncapi.json", Subject::Public, live_document).extension(),
        Endpoint::get("/livez", Subject::Public, live).extension(),
    ]
}

/// How this installation runs. Clock, feed and simulated are missing while market-data is away.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RuntimeConfig {
    /// Scheme, host and port of live prices.
    sise_origin: String,
    /// Of the build, with its commit where it is known: `0.1.0+e8051fb`.
    version: String,
    /// practice, exchange or replay.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    clock: Option<String>,
    /// builtin, replay …
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    feed: Option<String>,
    /// Whether prices are simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    simulated: Option<bool>,
    /// The oldest native apps that are still served.
    least_app: LeastApp,
    /// While the API is closed for maintenance: when it opens again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    maintenance_until: Option<String>,
}

impl RuntimeConfig {
    /// As of the last second, for a client of `origin`.
    pub(crate) async fn load(state: &AppState, origin: &Origin) -> Result<Self, ApiError> {
        let info = market_info(Arc::clone(&state.market));
        let info = state.market_info.get("market info", info).await.flatten();
        let maintenance_until = state
            .config
            .maintenance_until
            .map(|until| kst(until.timestamp_micros(), "maintenance_until"))
            .transpose()?;
        Ok(Self {
            sise_origin: origin.sise.clone(),
            version: telemetry::build::version().to_owned(),
            simulated: info.as_ref().map(|info| info.simulated),
            clock: info.as_ref().map(|info| info.clock.clone()),
            feed: info.map(|info| info.feed),
            least_app: LeastApp {
                ios: state.config.least_ios_app.clone(),
                android: state.config.least_android_app.clone(),
            },
            maintenance_until,
        })
    }

    /// Whether the part of market-data is there.
    pub(crate) fn is_complete(&self) -> bool {
        self.simulated.is_some()
    }
}

async fn market_info(market: Arc<Market>) -> Option<MarketInfo> {
    let call = market
        .call_idempotent(async |mut market| market.get_market_info(GetMarketInfoRequest {}).await);
    call.await.ok()
}

/// Versions such as `1.4`; a platform without one serves every app.
#[derive(Debug, Serialize, ToSchema)]
struct LeastApp {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ios: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    android: Option<String>,
}

/// How this installation runs.
#[utoipa::path(get, path = "/config.json", tag = "system",
    responses((status = 200, description = "The configuration.", body = RuntimeConfig)))]
async fn config(request: HttpRequest, state: State) -> Reply<RuntimeConfig> {
    let origin = state.origins.of_request(request.headers());
    RuntimeConfig::load(&state, origin).await.map(web::Json)
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", tag = "system",
    responses((status = 200, description = "OpenAPI 3.1.", body = Object)))]
async fn document(document: web::Data<OpenApiDocument>) -> HttpResponse {
    HttpResponse::Ok().json(document.get_ref())
}

/// The document of live prices.
#[utoipa::path(get, path = "/asyncapi.json", tag = "system",
    responses((status = 200, description = "AsyncAPI 3.0.", body = Object)))]
async fn live_document(request: HttpRequest, state: State) -> HttpResponse {
    let document = asyncapi::document(state.origins.of_request(request.headers()));
    let response = HttpResponse::Ok()
        .content_type(ContentType::json())
        .body(document);
    std::future::ready(response).await
}

/// Whether the process answers.
#[utoipa::path(get, path = "/livez", tag = "system",
    responses((status = 200, description = "It does.", body = String)))]
async fn live() -> &'static str {
    "ok"
}
