//! The files of the browser board, packed by the build and embedded in the program.

use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// A file.
struct Asset {
    /// The path of requests.
    path: &'static str,
    media_type: &'static str,
    /// Hash of the contents.
    hash: &'static str,
    /// True if the path contains the hash: the file at this path never changes.
    is_permanent: bool,
    plain: &'static [u8],
    gzip: &'static [u8],
}

/// All files: the page, its scripts, the style sheet, languages, icon and manifest.
const ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Returns the routes of the files.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().fallback(get(serve))
}

/// Returns the file at the path of a request, compressed if the browser accepts it. Browsers keep
/// permanent files for good, and ask with the ETag whether another one has changed.
async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.path == uri.path()) else {
        return (StatusCode::NOT_FOUND, "not found\n").into_response();
    };
    // A weak one, because the compressed file has the same.
    let tag = format!("W/\"{}\"", asset.hash);
    let caching =
        if asset.is_permanent { "public, max-age=31536000, immutable" } else { "no-cache" };
    let is_known =
        headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let caching = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, caching.to_owned()),
        (header::VARY, "accept-encoding".to_owned()),
    ];
    if is_known {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let kind = [(header::CONTENT_TYPE, asset.media_type)];
    if accepts_gzip(&headers) {
        return (caching, kind, [(header::CONTENT_ENCODING, "gzip")], asset.gzip).into_response();
    }
    (caching, kind, asset.plain).into_response()
}

/// Returns true if a browser accepts gzip, with any weight but zero.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    let words = values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    words.into_iter().any(|word| {
        let (name, weight) = word.split_once(';').unwrap_or((word, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_some_and(|weight| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use axum::body::to_bytes;
    use axum::http::{HeaderName, HeaderValue};
    use flate2::read::GzDecoder;

    use super::*;

    fn get_file(path: &str, header: Option<(HeaderName, &str)>) -> (Response<()>, Vec<u8>) {
        let headers = header.into_iter();
        let headers = headers.map(|(name, text)| (name, HeaderValue::from_str(text).unwrap()));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let response = serve(path.parse().unwrap(), headers.collect()).await;
            let (parts, body) = response.into_parts();
            let body = to_bytes(body, usize::MAX).await.unwrap();
            (Response::from_parts(parts, ()), body.into())
        })
    }

    /// Returns the path of the permanent file with this beginning and end.
    fn permanent(begins: &str, ends: &str) -> &'static str {
        let is_it = |path: &&str| path.starts_with(begins) && path.ends_with(ends);
        ASSETS.iter().map(|asset| asset.path).find(is_it).unwrap()
    }

    #[test]
    fn files_have_types_entity_tags_and_two_encodings() {
        for (path, media_type, caching) in [
            ("/", "text/html; charset=utf-8", "no-cache"),
            (permanent("/app-", ".js"), "text/javascript; charset=utf-8", "immutable"),
            (permanent("/style-", ".css"), "text/css; charset=utf-8", "immutable"),
            (permanent("/practice-", ".js"), "text/javascript; charset=utf-8", "immutable"),
            ("/icon.svg", "image/svg+xml", "no-cache"),
            ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
            (permanent("/ja-", ".json"), "application/json", "immutable"),
        ] {
            let (response, plain) = get_file(path, None);
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            assert_eq!(response.headers()[header::CONTENT_TYPE], media_type, "{path}");
            let cached = response.headers()[header::CACHE_CONTROL].to_str().unwrap();
            assert!(cached.contains(caching), "{path}");
            assert!(!response.headers().contains_key(header::CONTENT_ENCODING), "{path}");
            let tag = response.headers()[header::ETAG].to_str().unwrap();
            let known = |tag| get_file(path, Some((header::IF_NONE_MATCH, tag))).0.status();
            assert_eq!(known(tag), StatusCode::NOT_MODIFIED, "{path}");
            assert_eq!(known("W/\"0\""), StatusCode::OK, "{path}");
            let accepted = Some((header::ACCEPT_ENCODING, "br, gzip;q=0.8"));
            let (response, compressed) = get_file(path, accepted);
            assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip", "{path}");
            let mut text = Vec::new();
            GzDecoder::new(&compressed[..]).read_to_end(&mut text).unwrap();
            assert_eq!(text, plain, "{path}");
            let refused = Some((header::ACCEPT_ENCODING, "gzip;q=0"));
            assert!(!get_file(path, refused).0.headers().contains_key(header::CONTENT_ENCODING));
        }
    }

    #[test]
    fn the_page_names_its_files_by_their_contents() {
        let (_, page) = get_file("/", None);
        let page = String::from_utf8(page).unwrap();
        for path in [permanent("/app-", ".js"), permanent("/style-", ".css")] {
            // Relative, so that the page may be in any folder.
            assert!(page.contains(&format!("\".{path}\"")), "{path}");
        }
        let (_, script) = get_file(permanent("/app-", ".js"), None);
        let script = String::from_utf8(script).unwrap();
        for code in ["cs", "ja", "ko", "ru", "vi", "zh-CN", "zh-TW"] {
            let path = permanent(&format!("/{code}-"), ".json");
            assert!(script.contains(&format!("\".{path}\"")), "{code}");
        }
        // What a first stone does not need is in files of its own.
        for chunk in ["records", "practice", "saved-games", "openings"] {
            let path = permanent(&format!("/{chunk}-"), ".js");
            assert!(script.contains(&format!("\".{path}\"")), "{chunk}");
            assert!(!script.contains(&format!("modules[\"{chunk}\"] =")), "{chunk}");
        }
        // What an English visitor loads: the page, its scripts, the style sheet and the manifest.
        let cold = ["/", permanent("/app-", ".js"), permanent("/style-", ".css")];
        let is_cold = |asset: &&Asset| cold.contains(&asset.path);
        let sizes = ASSETS.iter().filter(is_cold).map(|asset| asset.gzip.len());
        let total = sizes.sum::<usize>();
        assert!(total < 45_000, "{total} bytes");
    }

    #[test]
    fn other_paths_are_not_found() {
        for path in
            ["/none.js", "/languages", "/../Cargo.toml", "//etc/passwd", "/index.html", "/main.js"]
        {
            assert_eq!(get_file(path, None).0.status(), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
