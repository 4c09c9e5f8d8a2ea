//! The index page of the client, with the runtime configuration and the first prices of its screen
//! inlined in empty script elements: a phone has them with the first response, and draws with them at
//! once.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Data;

use super::first_prices::first_prices;
use crate::error::{ApiError, Reason};
use crate::origins::Origin;
use crate::routes::system::RuntimeConfig;
use crate::state::AppState;

/// Ids of the script elements. How their tags are written is up to the client's build.
const CONFIG_SCRIPT: &str = "runtime-config";
const PRICES_SCRIPT: &str = "first-prices";
/// How long the page waits for a service; what is missing the client requests itself.
const INLINE_TIMEOUT: Duration = Duration::from_millis(250);

/// Caches must revalidate.
pub(super) const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

/// The page in `file` for the screen at `path`. It differs at every visit, so it has no ETag.
pub(super) async fn index_page(
    state: &Data<AppState>,
    origin: &Origin,
    path: &str,
    file: &Path,
) -> Result<HttpResponse, ApiError> {
    let (page, config, prices) = tokio::join!(
        tokio::fs::read_to_string(file),
        config_json(state, origin),
        prices_json(state, path),
    );
    let mut page = page.map_err(|_unreadable| ApiError::from(Reason::NotFound))?;
    for (name, json) in [
        (CONFIG_SCRIPT, config.as_deref()),
        (PRICES_SCRIPT, prices.as_deref()),
    ] {
        if let (Some(offset), Some(json)) = (script_body_offset(&page, name), json) {
            // `</script>` ends a script also inside a string.
            page.insert_str(offset, &json.replace('<', "\\u003c"));
        }
    }
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, NO_CACHE))
        .body(page))
}

fn script_body_offset(page: &str, name: &str) -> Option<usize> {
    let (before, rest) = page.split_once(name)?;
    let (tag, _) = rest.split_once('>')?;
    Some(before.len() + name.len() + tag.len() + 1)
}

/// `None` while market-data does not say its part.
async fn config_json(state: &AppState, origin: &Origin) -> Option<String> {
    let config = RuntimeConfig::load(state, origin);
    let config = tokio::time::timeout(INLINE_TIMEOUT, config)
        .await
        .ok()?
        .ok();
    let config = config.filter(RuntimeConfig::is_complete)?;
    serde_json::to_string(&config).ok()
}

async fn prices_json(state: &Data<AppState>, path: &str) -> Option<Arc<str>> {
    if state.config.maintenance_until.is_some() {
        return None;
    }
    let prices = first_prices(state, path);
    tokio::time::timeout(INLINE_TIMEOUT, prices).await.ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_found_however_its_tag_is_written() {
        for tag in [
            r#"<script type="application/json" id="runtime-config">"#,
            "<script id=runtime-config type=application/json>",
        ] {
            let page = format!("<title>시드업</title>{tag}</script><p>");
            let offset = script_body_offset(&page, CONFIG_SCRIPT).unwrap();
            assert!(page[..offset].ends_with(tag), "{page}");
            assert_eq!(&page[offset..], "</script><p>");
        }
        let offset = |page| script_body_offset(page, CONFIG_SCRIPT);
        assert_eq!(offset("<script id=another></script>"), None);
        assert_eq!(offset("runtime-config"), None);
    }
}
