//! A browser driven over WebDriver, and the program it looks at: a headless Chromium, unless
//! `KAKUGO_BROWSER` is `firefox` or `webkit`.
//!
//! If Chromium or chromedriver is not installed, [`browse`] says so on stderr and the test passes
//! without having tested anything. A browser that was asked for must be there.

use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions,
};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

/// Time for anything to happen; generous, since the machine may be busy, and other browsers are
/// slower.
pub static PATIENCE: LazyLock<Duration> =
    LazyLock::new(|| Duration::from_secs(if *ENGINE == Engine::Chromium { 60 } else { 180 }));

/// Two browsers at a time, which wait for most of it. The other drivers have one session at a time.
static TURNS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(if *ENGINE == Engine::Chromium { 2 } else { 1 }));

/// A runtime with a thread of its own: browsers and their connections outlive the tests that use
/// them.
static RUNTIME: LazyLock<Handle> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let handle = runtime.handle().clone();
    std::thread::spawn(move || runtime.block_on(std::future::pending::<()>()));
    handle
});

static BROWSERS: LazyLock<Browsers> = LazyLock::new(Browsers::new);

/// The browser of the tests.
pub static ENGINE: LazyLock<Engine> = LazyLock::new(|| match std::env::var("KAKUGO_BROWSER") {
    Err(_) => Engine::Chromium,
    Ok(name) => match &*name {
        "chromium" => Engine::Chromium,
        "firefox" => Engine::Firefox,
        "webkit" => Engine::WebKit,
        _ => panic!("KAKUGO_BROWSER: expected chromium, firefox or webkit, not {name}"),
    },
});

/// A browser and its driver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Engine {
    /// Chromium with chromedriver.
    Chromium,
    /// Firefox with geckodriver.
    Firefox,
    /// WebKitGTK's MiniBrowser with WebKitWebDriver. It needs a display.
    WebKit,
}

impl Engine {
    /// Returns the command of the driver that listens at a port.
    fn driver(self, port: u16) -> String {
        match self {
            Engine::Chromium => format!("chromedriver --port={port}"),
            Engine::Firefox => format!("geckodriver --log fatal --port {port}"),
            Engine::WebKit => format!("WebKitWebDriver --port={port}"),
        }
    }
}

/// A child process that ends with its owner.
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `pbrain-kakugo play` without opening a browser, and its address: at any free port, and without
/// keeping games, unless the arguments say otherwise. If `KAKUGO_SITE_SERVER` is a command that
/// serves the static site and prints its address, it takes the program's place.
pub fn serve(arguments: &[&str]) -> (Process, String) {
    if let Ok(server) = std::env::var("KAKUGO_SITE_SERVER") {
        let mut words = server.split_whitespace();
        let mut command = Command::new(words.next().expect("a command in KAKUGO_SITE_SERVER"));
        return started(command.args(words));
    }
    let told = |option: &str| arguments.contains(&option);
    let port: &[&str] = if told("--port") { &[] } else { &["--port", "0"] };
    let games: &[&str] = if told("--games") { &[] } else { &["--no-games"] };
    // Nothing that is tested here needs long searches.
    let think: &[&str] = if told("--think") { &[] } else { &["--think", "0.2"] };
    let review: &[&str] = if told("--review-time") { &[] } else { &["--review-time", "1"] };
    let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    started(
        command
            .args(["play", "--no-browser"])
            .args([port, games, think, review, arguments].concat()),
    )
}

/// Starts a server, and returns it with the address on its first line.
pub fn started(command: &mut Command) -> (Process, String) {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the server starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.split_whitespace().find(|word| word.starts_with("http://"));
    (Process(child), url.expect("an address on the first line").to_owned())
}

/// The name of an empty folder that is not there yet.
pub fn empty_folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// A tab that shows the page.
pub struct Page {
    pub client: Client,
    pub url: String,
    /// The program, unless another page has it.
    pub server: Option<Process>,
}

/// How the browser looks.
#[derive(Clone, Copy, PartialEq)]
pub enum Screen {
    Desktop,
    /// As before, in a browser whose user reads these languages, best first.
    Speaking(&'static str),
    /// As before, in a browser that lets pages keep nothing.
    Forgetful,
    /// 400 px wide, touch.
    Phone,
    /// 360 px wide, touch.
    SmallPhone,
    /// On its side: 740 px wide, 360 px high, touch.
    PhoneOnItsSide,
    /// On its side: 640 px wide, 360 px high, touch.
    SmallPhoneOnItsSide,
}

fn is_installed(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

/// Run a test in a browser that shows the page of `pbrain-kakugo play ARGUMENTS`.
pub fn browse<F: Future<Output = ()>>(
    screen: Screen,
    arguments: &[&str],
    test: impl FnOnce(Page) -> F,
) {
    if *ENGINE == Engine::Chromium
        && (!is_installed("chromedriver")
            || !(is_installed("chromium") || is_installed("google-chrome")))
    {
        // Past the test harness, which keeps to itself what passing tests print.
        let note = "SKIPPED: no Chromium with chromedriver here (apt-get install chromium-driver)";
        let _ = writeln!(std::io::stderr(), "{note}");
        return;
    }
    RUNTIME.block_on(async {
        let _turn = TURNS.acquire().await;
        let client = BROWSERS.take(screen).await;
        let (server, url) = serve(arguments);
        forget(&client, &url).await;
        let page = Page { client: client.clone(), url, server: Some(server) };
        page.open().await;
        test(page).await;
        BROWSERS.put_back(screen, client).await;
    });
}

/// Delete what an earlier page at the same address has stored in the browser.
async fn forget(client: &Client, url: &str) {
    if *ENGINE == Engine::Chromium {
        // Without a page of its own, whose process takes half a second to start.
        let everything = json!({ "origin": url, "storageTypes": "all" });
        devtools(client, "Storage.clearDataForOrigin", everything).await;
        return;
    }
    client.goto(&format!("{url}icon.svg")).await.unwrap();
    // A browser may let pages keep nothing.
    let script = "try { localStorage.clear(); sessionStorage.clear(); } catch { }";
    client.execute(script, Vec::new()).await.unwrap();
}

/// A chromedriver, and browsers that wait for the next test: starting one takes longer than most
/// tests. All end with this process, even if it is killed.
struct Browsers {
    port: u16,
    idle: Mutex<Vec<(Screen, Client)>>,
    /// The shell below ends when this is closed.
    _lifeline: ChildStdin,
}

impl Browsers {
    /// The greatest number of browsers that wait. Each takes about 200 MB.
    const MAX_IDLE: usize = 3;

    fn new() -> Browsers {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let script = format!("{} </dev/null & cat; kill 0", ENGINE.driver(port));
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let lifeline = shell.spawn().unwrap().stdin.take().unwrap();
        Browsers { port, idle: Mutex::default(), _lifeline: lifeline }
    }

    async fn take(&self, screen: Screen) -> Client {
        let idle = {
            let mut idle = self.idle.lock().unwrap();
            let place = idle.iter().rposition(|(own, _)| *own == screen);
            place.map(|place| idle.remove(place).1)
        };
        match idle {
            Some(client) => client,
            None => connect(self.port, screen).await,
        }
    }

    /// Makes a browser available to the next test, with one empty window.
    async fn put_back(&self, screen: Screen, client: Client) {
        let windows = client.windows().await.unwrap();
        let (last, others) = windows.split_last().unwrap();
        for window in others {
            client.switch_to_window(window.clone()).await.unwrap();
            client.close_window().await.unwrap();
        }
        client.switch_to_window(last.clone()).await.unwrap();
        client.release_actions().await.unwrap();
        let surplus = {
            let mut idle = self.idle.lock().unwrap();
            idle.push((screen, client));
            (idle.len() > Self::MAX_IDLE).then(|| idle.remove(0).1)
        };
        if let Some(client) = surplus {
            client.close().await.unwrap();
        }
    }
}

/// Returns what a driver is asked for.
fn capabilities(screen: Screen) -> Value {
    match *ENGINE {
        Engine::Chromium => json!({ "goog:chromeOptions": chromium_options(screen) }),
        Engine::Firefox | Engine::WebKit if screen != Screen::Desktop => {
            panic!("only Chromium shows other screens than that of a desktop")
        }
        Engine::Firefox => {
            let arguments = ["-headless", "--width=1280", "--height=860"];
            json!({ "moz:firefoxOptions": { "args": arguments } })
        }
        Engine::WebKit => json!({}),
    }
}

fn chromium_options(screen: Screen) -> Value {
    let mut options = json!({
        "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--window-size=1280,860", "--hide-scrollbars"],
    });
    let size = match screen {
        Screen::Desktop | Screen::Speaking(_) | Screen::Forgetful => None,
        Screen::Phone => Some((400, 800)),
        Screen::SmallPhone => Some((360, 640)),
        Screen::PhoneOnItsSide => Some((740, 360)),
        Screen::SmallPhoneOnItsSide => Some((640, 360)),
    };
    if let Screen::Speaking(languages) = screen {
        options["prefs"] = json!({ "intl.accept_languages": languages });
    }
    if let Screen::Forgetful = screen {
        options["prefs"] = json!({ "profile.default_content_setting_values.cookies": 2 });
    }
    if let Some((width, height)) = size {
        let metrics = json!({ "width": width, "height": height, "pixelRatio": 2, "touch": true });
        options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
    }
    options
}

async fn connect(port: u16, screen: Screen) -> Client {
    let Value::Object(capabilities) = capabilities(screen) else { unreachable!() };
    let began = Instant::now();
    loop {
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities.clone())
            .connect(&format!("http://127.0.0.1:{port}"))
            .await;
        match client {
            Ok(client) => {
                if *ENGINE == Engine::WebKit {
                    client.set_window_size(1280, 860).await.unwrap();
                }
                return client;
            }
            Err(error) => assert!(began.elapsed() < *PATIENCE, "{:?}: {error}", *ENGINE),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Sends a command to Chromium's developer tools.
async fn devtools(client: &Client, command: &str, parameters: Value) -> Value {
    let session = client.session_id().await.unwrap().unwrap();
    let body = json!({ "cmd": command, "params": parameters }).to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", BROWSERS.port)).unwrap();
    write!(
        stream,
        "POST /session/{session}/goog/cdp/execute HTTP/1.1\r\nHost: 127.0.0.1\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    // The driver does not close the connection.
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "{command}: {head}");
    }
    let head = head.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let mut body = vec![0; length.unwrap().trim().parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let body = String::from_utf8(body).unwrap();
    assert!(head.starts_with("http/1.1 200"), "{command}: {body}");
    serde_json::from_str::<Value>(&body).unwrap()["value"].take()
}

impl Page {
    /// Sends a command to Chromium's developer tools, such as `Storage.overrideQuotaForOrigin`.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        devtools(&self.client, command, parameters).await
    }

    /// Show an address of the same program in another browser, and call `test` with both pages.
    pub async fn with_friend<F: Future<Output = ()>>(
        self,
        screen: Screen,
        url: &str,
        test: impl FnOnce(Page, Page) -> F,
    ) {
        let client = BROWSERS.take(screen).await;
        forget(&client, &self.url).await;
        let friend = Page { client: client.clone(), url: url.to_owned(), server: None };
        friend.open().await;
        test(self, friend).await;
        BROWSERS.put_back(screen, client).await;
    }

    /// End the program, which can write nothing any more, and wait until the page knows.
    pub async fn kill(&mut self) {
        // The last move is saved by another thread, a moment after the page shows it. A busy
        // machine makes it wait.
        tokio::time::sleep(Duration::from_millis(600)).await;
        self.server = None;
        self.until_status("connection is lost").await;
    }

    /// Start the program again at the same address and wait until the page has brought its game
    /// back.
    pub async fn restart(&mut self, arguments: &[&str]) {
        let (_, port) = self.url.trim_end_matches('/').rsplit_once(':').unwrap();
        self.server = Some(serve(&[&["--port", port], arguments].concat()).0);
        self.until("text('message') === 'Your game is back.'").await;
    }

    /// Open a file through the dialog.
    pub async fn open_file(&self, name: &str, content: &[u8]) {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, content).unwrap();
        if self.value("document.getElementById('records').open").await == false {
            self.press("files").await;
        }
        let field = self.client.find(Locator::Id("open-file")).await.unwrap();
        field.send_keys(path.to_str().unwrap()).await.unwrap();
    }

    /// Load the page and wait for the game.
    pub async fn open(&self) {
        self.client.goto(&self.url).await.unwrap();
        self.ready().await;
    }

    pub async fn ready(&self) {
        self.until("document.querySelector('#board .grid') && !text('status').includes('onnect')")
            .await;
    }

    /// Returns the value of a JavaScript expression; `text(id)` is an element's text, `count(css)`
    /// how many elements there are.
    pub async fn value(&self, expression: &str) -> Value {
        let script = format!(
            "const text = id => document.getElementById(id).textContent;
             const count = css => document.querySelectorAll(css).length;
             return {expression};"
        );
        self.client.execute(&script, Vec::new()).await.unwrap()
    }

    /// Wait until an expression holds.
    pub async fn until(&self, expression: &str) {
        let began = Instant::now();
        while !self.value(&format!("Boolean({expression})")).await.as_bool().unwrap() {
            if began.elapsed() > *PATIENCE {
                let status = self.value("text('status') + ' / ' + text('message')").await;
                panic!("never: {expression}; the page says {status}");
            }
            tokio::time::sleep(Duration::from_millis(15)).await;
        }
    }

    /// Wait until the status line holds these words.
    pub async fn until_status(&self, words: &str) {
        self.until(&format!("text('status').includes({})", json!(words))).await;
    }

    /// Click a point of the board, `h8` with rows from the bottom, as a hand would.
    pub async fn click(&self, point: &str) {
        let (x, y) = self.place_of(point).await;
        let mouse = MouseActions::new("mouse".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(mouse).await.unwrap();
    }

    /// Put a finger down at one point, move it to another and lift it. A tap, if they are the same.
    pub async fn touch(&self, from: &str, to: &str) {
        let (x, y) = self.place_of(from).await;
        let (to_x, to_y) = self.place_of(to).await;
        let moved = Some(Duration::from_millis(60));
        let finger = TouchActions::new("finger".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::MoveTo { duration: moved, x: to_x, y: to_y })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(finger).await.unwrap();
    }

    /// Where a point lies on the screen.
    pub async fn place_of(&self, point: &str) -> (f64, f64) {
        let script = "
            const board = document.getElementById('board');
            board.scrollIntoView({ block: 'nearest' });
            const labels = [...board.querySelectorAll('.label')];
            const find = text => labels.find(label => label.textContent === text);
            const [, letters, digits] = arguments[0].match(/([a-z]+)([0-9]+)/);
            const centre = (label, axis) => {
                const box = label.getBoundingClientRect();
                return axis === 'x' ? box.left + box.width / 2 : box.top + box.height / 2;
            };
            return [centre(find(letters), 'x'), centre(find(digits), 'y')];";
        let place = self.client.execute(script, vec![json!(point)]).await.unwrap();
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// Click points in turn, waiting until each stone lies on the board.
    pub async fn play(&self, points: &str) {
        for point in points.split_whitespace() {
            let stones = self.stones().await;
            self.click(point).await;
            self.until(&format!("count('#board [data-point]') > {stones}")).await;
        }
    }

    /// Number of stones on the board.
    pub async fn stones(&self) -> u64 {
        self.value("count('#board [data-point]')").await.as_u64().unwrap()
    }

    /// Click a button.
    pub async fn press(&self, id: &str) {
        let button = self.client.find(Locator::Id(id)).await.unwrap();
        button.click().await.unwrap();
        self.opened_by(id).await;
    }

    /// Wait for the dialog that a button opens, whose script is loaded on first use.
    async fn opened_by(&self, id: &str) {
        let dialog = match id {
            "files" => "records",
            "practice" => "practice-dialog",
            _ => return,
        };
        self.until(&format!("document.getElementById('{dialog}')?.open")).await;
    }

    /// Make a choice in an opening.
    pub async fn choose(&self, choice: &str) {
        let css = format!("[data-choice={choice}]");
        self.client.find(Locator::Css(&css)).await.unwrap().click().await.unwrap();
    }

    /// Touch a button.
    pub async fn tap(&self, id: &str) {
        let script = "
            const button = document.getElementById(arguments[0]);
            button.scrollIntoView({ block: 'center' });
            const box = button.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];";
        let place = self.client.execute(script, vec![json!(id)]).await.unwrap();
        let (x, y) = (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
        let finger = TouchActions::new("finger".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(finger).await.unwrap();
        self.opened_by(id).await;
    }

    /// Fill in fields by their ids.
    pub async fn fill(&self, fields: &[(&str, &str)]) {
        for (id, value) in fields {
            let script = "
                const field = document.getElementById(arguments[0]);
                if (field.type === 'checkbox') field.checked = arguments[1] === 'on';
                else field.value = arguments[1];
                field.dispatchEvent(new Event('change', { bubbles: true }));
                return field.type === 'checkbox' || field.value === arguments[1];";
            let filled = self.client.execute(script, vec![json!(id), json!(value)]).await.unwrap();
            assert_eq!(filled, json!(true), "{id} takes no {value}");
        }
    }

    /// Returns true if an element lies within the window's width, and nothing sticks out of it.
    pub async fn fits(&self, id: &str) -> bool {
        let script = "
            const node = document.getElementById(arguments[0]);
            const inside = box => box.left >= -1 && box.right <= innerWidth + 1;
            const all = [node, ...node.querySelectorAll('button, select, input, textarea')];
            return node.scrollWidth <= node.clientWidth + 1 && all
                .map(part => part.getBoundingClientRect()).filter(box => box.width > 0).every(inside);";
        self.client.execute(script, vec![json!(id)]).await.unwrap().as_bool().unwrap()
    }

    /// Start a new game through the dialog.
    pub async fn start(&self, fields: &[(&str, &str)]) {
        self.press("new").await;
        self.fill(fields).await;
        self.press("setup-start").await;
        self.until("!document.getElementById('setup').open").await;
    }

    /// Keep a picture in the folder that `KAKUGO_SHOTS` names, for people to look at.
    pub async fn shot(&self, name: &str) {
        if let Some(folder) = std::env::var_os("KAKUGO_SHOTS") {
            let png = self.client.screenshot().await.unwrap();
            let folder = std::path::PathBuf::from(folder);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(name).with_extension("png"), png).unwrap();
        }
    }
}
