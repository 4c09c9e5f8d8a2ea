//! The page of the client. Its head has a place for how this installation runs, and that is put in
//! here: so a phone knows it with the first answer, and what it decides is in the first picture.

use std::path::Path;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header;

use crate::client_files::NO_CACHE;
use crate::error::{ApiError, Reason};
use crate::routes::system::RuntimeConfig;
use crate::state::Gateway;

/// Where the build leaves the place.
const PLACE: &str = r#"<script type="application/json" id="runtime-config">"#;
/// The page does not wait longer for a service. Without an answer the client asks for itself.
const CONFIG_LIMIT: Duration = Duration::from_millis(250);

/// The page in `file`. It is made for every visit, so there is no tag to compare it by.
pub(crate) async fn answer(state: &Gateway, file: &Path) -> Result<HttpResponse, ApiError> {
    let (page, config) = tokio::join!(tokio::fs::read_to_string(file), config(state));
    let mut page = page.map_err(|_unreadable| ApiError::from(Reason::NotFound))?;
    if let (Some(start), Some(config)) = (page.find(PLACE), config) {
        page.insert_str(start + PLACE.len(), &config);
    }
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, NO_CACHE))
        .body(page))
}

/// The configuration as it may stand in a page; nothing while it cannot be told whole.
async fn config(state: &Gateway) -> Option<String> {
    let asked = tokio::time::timeout(CONFIG_LIMIT, RuntimeConfig::of(state)).await;
    let config = asked.ok()?.ok().filter(RuntimeConfig::is_whole)?;
    let json = serde_json::to_string(&config).ok()?;
    // `</script>` ends a script wherever it stands.
    Some(json.replace('<', "\\u003c"))
}
