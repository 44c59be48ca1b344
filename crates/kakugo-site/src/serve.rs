//! A plain static server for looking at the site and for its tests. It serves files of one folder
//! to this machine, and knows nothing of the site.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;

/// Headers that isolate pages, so that workers can share memory.
const ISOLATION: &str = "Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Embedder-Policy: require-corp\r\n";

/// Serves a folder at a free port until the program ends, below the path `/board/`. Prints the
/// address.
///
/// # Errors
/// Returns an error if no port is free.
pub fn serve(folder: &Path, is_isolated: bool) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("http://{}/board/", listener.local_addr()?);
    io::stdout().flush()?;
    for stream in listener.incoming() {
        let (stream, folder) = (stream?, folder.to_owned());
        thread::spawn(move || _ = answer_all(&stream, &folder, is_isolated));
    }
    Ok(())
}

/// Answers the requests of a connection.
fn answer_all(stream: &TcpStream, folder: &Path, is_isolated: bool) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 {
        let path = line.split_whitespace().nth(1).unwrap_or_default().to_owned();
        let is_get = line.starts_with("GET ");
        // Of the headers none is needed.
        while !line.trim().is_empty() {
            line.clear();
            reader.read_line(&mut line)?;
        }
        line.clear();
        let file = name(&path).filter(|_| is_get).and_then(|name| {
            fs::read(folder.join(name)).ok().map(|bytes| (media_type(name), bytes))
        });
        let (status, kind, bytes) = match file {
            Some((kind, bytes)) => ("200 OK", kind, bytes),
            None => ("404 Not Found", "text/plain", b"not found\n".to_vec()),
        };
        let isolation = if is_isolated { ISOLATION } else { "" };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
             Cache-Control: no-cache\r\n{isolation}\r\n",
            bytes.len()
        );
        (&mut &*stream).write_all(head.as_bytes())?;
        (&mut &*stream).write_all(&bytes)?;
    }
    Ok(())
}

/// Returns the name of the file at the path of a request.
fn name(path: &str) -> Option<&str> {
    let path = path.split(['?', '#']).next()?.strip_prefix("/board/")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || ['.', '-'].contains(&c);
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(plain) && !name.starts_with('.');
    match path {
        "" => Some("index.html"),
        path if path.split('/').all(is_name) => Some(path),
        _ => None,
    }
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_folder_are_named() {
        assert_eq!(name("/board/"), Some("index.html"));
        assert_eq!(name("/board/app-12.js?x=1"), Some("app-12.js"));
        assert_eq!(name("/board/networks/caro.bin"), Some("networks/caro.bin"));
        for path in [
            "/",
            "/board",
            "/board/../Cargo.toml",
            "/board//etc/passwd",
            "/board/.x",
            "/board/a/",
            "",
        ] {
            assert_eq!(name(path), None, "{path}");
        }
    }
}
