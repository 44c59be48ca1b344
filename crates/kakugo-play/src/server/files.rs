//! The files of the browser board, embedded in the program.

use std::fmt::Write;

use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::Embed;
use tower_http::compression::CompressionLayer;

#[derive(Embed)]
#[folder = "assets"]
struct Assets;

/// Returns the routes of the files. Responses are compressed if the browser accepts it.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().fallback(get(serve)).layer(CompressionLayer::new())
}

/// Returns the file at the path of a request, `index.html` for `/`. Browsers keep it, and ask with
/// its ETag whether it has changed.
async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(file) = Assets::get(path) else {
        return (StatusCode::NOT_FOUND, "not found\n").into_response();
    };
    let tag = entity_tag(&file.metadata.sha256_hash());
    let caching = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let mut media_type = file.metadata.mimetype().to_owned();
    if media_type.starts_with("text/") {
        media_type.push_str("; charset=utf-8");
    }
    (caching, [(header::CONTENT_TYPE, media_type)], file.data).into_response()
}

/// Returns a weak ETag, because the compressed file has the same one.
fn entity_tag(hash: &[u8]) -> String {
    let mut tag = String::from("W/\"");
    for byte in &hash[..8] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag + "\""
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn get_file(path: &'static str, known: Option<HeaderValue>) -> Response {
        let headers = known.into_iter().map(|tag| (header::IF_NONE_MATCH, tag)).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(serve(Uri::from_static(path), headers))
    }

    #[test]
    fn files_have_types_and_entity_tags() {
        for (path, media_type) in [
            ("/", "text/html; charset=utf-8"),
            ("/main.js", "text/javascript; charset=utf-8"),
            ("/style.css", "text/css; charset=utf-8"),
            ("/icon.svg", "image/svg+xml"),
            ("/languages/ja.json", "application/json"),
        ] {
            let response = get_file(path, None);
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            assert_eq!(response.headers()[header::CONTENT_TYPE], media_type, "{path}");
            let tag = response.headers()[header::ETAG].clone();
            assert_eq!(get_file(path, Some(tag)).status(), StatusCode::NOT_MODIFIED, "{path}");
            let other = HeaderValue::from_static("W/\"0\"");
            assert_eq!(get_file(path, Some(other)).status(), StatusCode::OK, "{path}");
        }
    }

    #[test]
    fn other_paths_are_not_found() {
        for path in ["/none.js", "/languages", "/../Cargo.toml", "//etc/passwd", "/index.html/"] {
            assert_eq!(get_file(path, None).status(), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
