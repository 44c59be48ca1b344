//! No page but the program's own can drive it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::driver::{Process, Screen, browse, serve};

/// Send a request and return the beginning of the answer.
fn ask(url: &str, path: &str, host: &str, origin: Option<&str>) -> String {
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let origin = origin.map_or(String::new(), |origin| format!("Origin: {origin}\r\n"));
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\n{origin}Connection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = [0; 4096];
    let length = stream.read(&mut answer).unwrap();
    String::from_utf8_lossy(&answer[..length]).into_owned()
}

#[test]
fn only_the_own_host_and_origin_are_let_in() {
    let (_server, url) = serve(&[]);
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let port = host.rsplit(':').next().unwrap();
    let own = format!("http://{host}");
    let socket = |host: &str, origin: Option<&str>| {
        ask(&url, "/socket", host, origin).split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(socket(host, Some(&own)), "101");
    assert_eq!(socket(host, Some("http://evil.example")), "403");
    assert_eq!(socket(host, Some(&format!("http://evil.example:{port}"))), "403");
    assert_eq!(socket(host, Some("null")), "403");
    assert_eq!(socket(host, None), "403");
    assert_eq!(socket("evil.example", Some("http://evil.example")), "421");
    let rebound = format!("evil.example:{port}");
    assert_eq!(socket(&rebound, Some(&format!("http://{rebound}"))), "421");
    // Another local server is another origin.
    assert_eq!(socket(host, Some("http://127.0.0.1:1")), "403");
    assert!(ask(&url, "/", "evil.example", None).starts_with("HTTP/1.1 421"));
}

#[test]
fn all_addresses_that_are_printed_work() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args(["play", "--no-browser", "--no-games", "--host", "0.0.0.0", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdout = child.stdout.take().unwrap();
    let _server = Process(child);
    let lines = BufReader::new(stdout).lines().map(Result::unwrap);
    let mut urls = Vec::new();
    let mut others = false;
    for line in lines {
        let url = line.split_whitespace().find(|word| word.starts_with("http://"));
        urls.extend(url.map(str::to_owned));
        others |= line.starts_with("Anyone who can reach") || line.starts_with("No network");
        // A pipe gets no QR code: the first network address ends what is printed at least.
        if others && (url.is_some() || line.starts_with("No network")) {
            break;
        }
    }
    assert!(urls[0].starts_with("http://127.0.0.1:"), "{urls:?}");
    for url in &urls {
        let host = url.trim_start_matches("http://").trim_end_matches('/');
        assert!(ask(url, "/", host, None).starts_with("HTTP/1.1 200"), "{url}");
    }
}

#[test]
fn the_policy_is_strict_and_no_path_leads_to_files() {
    let (_server, url) = serve(&[]);
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let page = ask(&url, "/", host, None);
    let policy = page.lines().find(|line| line.starts_with("content-security-policy")).unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
    assert!(!policy.contains("unsafe"), "{policy}");
    for path in
        ["/Cargo.toml", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/src"]
    {
        assert!(ask(&url, path, host, None).starts_with("HTTP/1.1 404"), "{path}");
    }
}

#[test]
fn messages_are_bounded_and_nonsense_is_survived() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8").await;
        let script = "
            const done = arguments[0];
            const socket = new WebSocket(`ws://${location.host}/socket`);
            const told = [];
            socket.onmessage = event => told.push(JSON.parse(event.data));
            socket.onclose = () => done(told.filter(m => m.type === 'refused').length);
            socket.onopen = () => {
                socket.send('{}');
                for (const text of ['', 'x', '{\"do\":\"fly\"}', '{\"do\":\"play\",\"x\":99,\"y\":99}',
                    '{\"do\":\"load\",\"name\":\"/etc/passwd\",\"bytes\":\"\",\"rows\":\"top\"}']) {
                    socket.send(text);
                }
                socket.send('x'.repeat(3000000));
            };";
        let refused = page.client.execute_async(script, vec![]).await.unwrap();
        assert_eq!(refused, 5);
        // The game goes on.
        page.play("h9").await;
    });
}

#[test]
fn files_are_taken_from_the_rooms_own_pages_alone() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        let script = "
            const done = arguments[0];
            const seat = JSON.parse(sessionStorage.getItem('kakugo-room'));
            const post = (room, key, body) => fetch('/file', { method: 'POST', body,
                headers: { 'kakugo-room': room, 'kakugo-key': key, 'kakugo-name': 'a.pos' } });
            (async () => {
                const told = [];
                for (const key of [seat.key, 'wrong', '']) {
                    told.push((await post(seat.room, key, 'h8')).status);
                }
                told.push((await post('nowhere', seat.key, 'h8')).status);
                told.push((await post(seat.room, seat.key, '/etc/passwd')).status);
                told.push((await post(seat.room, seat.key, new Uint8Array(65 << 20))).status);
                done(told);
            })();";
        let told = page.client.execute_async(script, vec![]).await.unwrap();
        assert_eq!(told, serde_json::json!([200, 403, 403, 403, 422, 413]));
        page.until("text('counter') === '1 h8'").await;
        // The key alone does not open the door to other pages.
        let host = page.url.trim_start_matches("http://").trim_end_matches('/');
        for origin in ["Origin: http://evil.example\r\n", "Origin: null\r\n", ""] {
            let mut stream = TcpStream::connect(host).unwrap();
            let head =
                format!("POST /file HTTP/1.1\r\nHost: {host}\r\n{origin}Content-Length: 0\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            let mut answer = [0; 4096];
            let length = stream.read(&mut answer).unwrap();
            assert!(answer[..length].ends_with(b"request from another page\n"), "{origin}");
        }
    });
}

#[test]
fn a_foreign_page_cannot_connect() {
    browse(Screen::Desktop, &[], |page| async move {
        let socket = page.url.replace("http://", "ws://") + "socket";
        page.client.goto("data:text/html,<title>evil</title>").await.unwrap();
        let script = "
            const done = arguments[1];
            const socket = new WebSocket(arguments[0]);
            socket.onopen = () => done('open');
            socket.onerror = () => done('refused');";
        let outcome = page.client.execute_async(script, vec![socket.into()]).await.unwrap();
        assert_eq!(outcome, "refused");
    });
}
