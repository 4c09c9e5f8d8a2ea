//! Serves the built client: its files, precompressed where the build did that, and its index page for
//! every path without a file.

use std::path::{Component, Path, PathBuf};

use actix_files::NamedFile;
use actix_web::http::Method;
use actix_web::http::header::{self, ContentEncoding, HeaderMap, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};

use super::index_page::{NO_CACHE, index_page};
use crate::error::{ApiError, Reason};
use crate::state::AppState;

const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");
const INDEX: &str = "index.html";
/// Digits of a content hash in a file name.
const MIN_HASH_LENGTH: usize = 8;

/// The default handler, for paths that are no route of the API.
pub(crate) async fn serve(
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let path = request.path();
    let is_api = path == "/api" || path.starts_with("/api/");
    let Some(root) = state.config.client_dir.as_deref().filter(|_| !is_api) else {
        return Err(Reason::NotFound.into());
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(Reason::MethodNotAllowed.into());
    }
    let relative = relative(path).ok_or(Reason::NotFound)?;
    let exact = root.join(&relative);
    let is_file = !relative.as_os_str().is_empty()
        && tokio::fs::metadata(&exact)
            .await
            .is_ok_and(|found| found.is_file());
    if is_file && relative.as_os_str() != INDEX {
        serve_file(&request, &exact).await
    } else if !is_file && relative.extension().is_some() {
        Err(Reason::NotFound.into())
    } else {
        let origin = state.origins.of_request(request.headers());
        index_page(&state, origin, path, &root.join(INDEX)).await
    }
}

/// The path below the client's folder; `None` for one that would leave it, and for hidden files.
fn relative(path: &str) -> Option<PathBuf> {
    let trimmed = path.strip_prefix('/')?;
    let plain = !trimmed.contains(['\\', '\0', '%', ';']) && !trimmed.contains("//");
    let inside = Path::new(trimmed).components().all(|part| match part {
        Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => {
            false
        }
    });
    (plain && inside).then(|| PathBuf::from(trimmed))
}

async fn serve_file(request: &HttpRequest, file: &Path) -> Result<HttpResponse, ApiError> {
    let mut chosen = None;
    for (encoding, suffix) in [
        (ContentEncoding::Brotli, "br"),
        (ContentEncoding::Gzip, "gz"),
    ] {
        let packed = with_suffix(file, suffix);
        if accepts(request.headers(), encoding) && tokio::fs::metadata(&packed).await.is_ok() {
            chosen = Some((encoding, packed));
            break;
        }
    }
    let opened = match &chosen {
        Some((_, packed)) => NamedFile::open_async(packed).await,
        None => NamedFile::open_async(file).await,
    };
    let mut named = opened
        .map_err(|_unreadable| ApiError::from(Reason::NotFound))?
        .disable_content_disposition();
    if let Some((encoding, _)) = &chosen {
        let media_type = actix_files::file_extension_to_mime(
            file.extension()
                .and_then(|extension| extension.to_str())
                .unwrap_or_default(),
        );
        named = named
            .set_content_type(media_type)
            .set_content_encoding(*encoding);
    } else if file
        .extension()
        .is_some_and(|extension| extension == "woff2")
    {
        // Compressed already.
        named = named.set_content_encoding(ContentEncoding::Identity);
    }
    let mut response = named.prefer_utf8(true).into_response(request);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, cache_control(file));
    headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    Ok(response)
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}

fn accepts(headers: &HeaderMap, encoding: ContentEncoding) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|offer| {
            let (name, quality) = offer.split_once(';').unwrap_or((offer, ""));
            name.trim() == encoding.as_str() && !matches!(quality.trim(), "q=0" | "q=0.0")
        })
}

/// A file with a content hash in its name never changes.
fn cache_control(file: &Path) -> HeaderValue {
    let name = file
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let is_hash = |part: &str| {
        part.len() >= MIN_HASH_LENGTH
            && part.bytes().all(|byte| byte.is_ascii_hexdigit())
            && part.bytes().any(|byte| byte.is_ascii_digit())
    };
    if name.split(['.', '-']).any(is_hash) {
        IMMUTABLE
    } else if name.ends_with(".html") || name.ends_with("sw.js") {
        NO_CACHE
    } else {
        AN_HOUR
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_below_the_folder_are_files() {
        for good in ["/", "/assets/main.0123456789.js", "/invest-v2/stock"] {
            assert!(relative(good).is_some(), "{good}");
        }
        for bad in [
            "/../etc/passwd",
            "/a/../../b",
            "/.env",
            "/a/.git/config",
            "//etc/passwd",
            "/a\\b",
            "/%2e%2e/b",
            "/a;b",
            "",
        ] {
            assert_eq!(relative(bad), None, "{bad}");
        }
    }

    #[test]
    fn only_hashed_names_are_cached_for_ever() {
        let header = |name: &str| cache_control(Path::new(name));
        assert_eq!(header("assets/main.0123456789.js"), IMMUTABLE);
        assert_eq!(header("index.html"), NO_CACHE);
        assert_eq!(header("favicon.svg"), AN_HOUR);
        assert_eq!(header("fonts/Pretendard.subset.woff2"), AN_HOUR);
    }
}
