//! The page of the client. Its head has a place for how this installation runs, and that is put in
//! here: so a phone knows it with the first answer, and what it decides is in the first picture.

use std::path::Path;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header;

use crate::client_files::NO_CACHE;
use crate::error::{ApiError, Reason};
use crate::origins::Origin;
use crate::routes::system::RuntimeConfig;
use crate::state::Gateway;

/// The name of the place, in the tag of an empty script. How that is written is the build's choice.
const PLACE: &str = "runtime-config";
/// The page does not wait longer for a service. Without an answer the client asks for itself.
const CONFIG_LIMIT: Duration = Duration::from_millis(250);

/// The page in `file`, for a client that came by `origin`. It is made for every visit, so there is no tag to compare it by.
pub(crate) async fn answer(
    state: &Gateway,
    origin: &Origin,
    file: &Path,
) -> Result<HttpResponse, ApiError> {
    let (page, config) = tokio::join!(tokio::fs::read_to_string(file), config(state, origin));
    let mut page = page.map_err(|_unreadable| ApiError::from(Reason::NotFound))?;
    if let (Some(place), Some(config)) = (place(&page), config) {
        page.insert_str(place, &config);
    }
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, NO_CACHE))
        .body(page))
}

/// Behind the tag that has the name.
fn place(page: &str) -> Option<usize> {
    let (before, rest) = page.split_once(PLACE)?;
    let (tag, _) = rest.split_once('>')?;
    Some(before.len() + PLACE.len() + tag.len() + 1)
}

/// The configuration as it may stand in a page; nothing while it cannot be told whole.
async fn config(state: &Gateway, origin: &Origin) -> Option<String> {
    let asked = tokio::time::timeout(CONFIG_LIMIT, RuntimeConfig::of(state, origin)).await;
    let config = asked.ok()?.ok().filter(RuntimeConfig::is_whole)?;
    let json = serde_json::to_string(&config).ok()?;
    // `</script>` ends a script wherever it stands.
    Some(json.replace('<', "\\u003c"))
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
            let place = place(&page).unwrap();
            assert!(page[..place].ends_with(tag), "{page}");
            assert_eq!(&page[place..], "</script><p>");
        }
        assert_eq!(place("<script id=another></script>"), None);
        assert_eq!(place("runtime-config"), None);
    }
}
