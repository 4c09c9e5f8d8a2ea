//! The page of the client. It has places for how this installation runs and for the prices that its
//! screen shows first, and those are put in here: so a phone has them with the first answer, and
//! what they decide is in the first picture.

use std::path::Path;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Data;

use crate::client_files::NO_CACHE;
use crate::error::{ApiError, Reason};
use crate::origins::Origin;
use crate::routes::first_prices::{self, Brought};
use crate::routes::system::RuntimeConfig;
use crate::state::Gateway;

/// The names of the places, in the tags of empty scripts. How those are written is the build's choice.
const CONFIG_PLACE: &str = "runtime-config";
const PRICES_PLACE: &str = "first-prices";
/// The page does not wait longer for a service. Without an answer the client asks for itself.
const LIMIT: Duration = Duration::from_millis(250);

/// The page in `file` as the screen at `path`, for a client that came by `origin`. It is made for every visit, so there is no tag to compare it by.
pub(crate) async fn answer(
    state: &Data<Gateway>,
    origin: &Origin,
    path: &str,
    file: &Path,
) -> Result<HttpResponse, ApiError> {
    let (page, config, prices) = tokio::join!(
        tokio::fs::read_to_string(file),
        config(state, origin),
        prices(state, path),
    );
    let mut page = page.map_err(|_unreadable| ApiError::from(Reason::NotFound))?;
    for (name, json) in [
        (CONFIG_PLACE, config.as_deref()),
        (PRICES_PLACE, prices.as_deref()),
    ] {
        if let (Some(place), Some(json)) = (place(&page, name), json) {
            // `</script>` ends a script wherever it stands.
            page.insert_str(place, &json.replace('<', "\\u003c"));
        }
    }
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, NO_CACHE))
        .body(page))
}

/// Behind the tag that has the name.
fn place(page: &str, name: &str) -> Option<usize> {
    let (before, rest) = page.split_once(name)?;
    let (tag, _) = rest.split_once('>')?;
    Some(before.len() + name.len() + tag.len() + 1)
}

/// The configuration as it may stand in a page; nothing while it cannot be told whole.
async fn config(state: &Gateway, origin: &Origin) -> Option<String> {
    let asked = tokio::time::timeout(LIMIT, RuntimeConfig::of(state, origin)).await;
    let config = asked.ok()?.ok().filter(RuntimeConfig::is_whole)?;
    serde_json::to_string(&config).ok()
}

async fn prices(state: &Data<Gateway>, path: &str) -> Brought {
    if state.config.maintenance_until.is_some() {
        return None;
    }
    let asked = first_prices::of(state, path);
    tokio::time::timeout(LIMIT, asked).await.ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_found_however_its_tag_is_written() {
        for tag in [
            r#"<script type="application/json" id="runtime-config">"#,
            "<script id=runtime-config type=application/json>",
        ] {
            let page = format!("<title>시드업</title>{tag}</script><p>");
            let place = place(&page, CONFIG_PLACE).unwrap();
            assert!(page[..place].ends_with(tag), "{page}");
            assert_eq!(&page[place..], "</script><p>");
        }
        assert_eq!(place("<script id=another></script>", CONFIG_PLACE), None);
        assert_eq!(place("runtime-config", CONFIG_PLACE), None);
    }
}
