//! Tests of the bundler that the build uses.

#[path = "../build/bundle.rs"]
mod bundle;

use std::collections::BTreeMap;
use std::path::Path;

use bundle::{Bundle, compact_css, compact_html, data_uri, hash, html_module, texts};

fn bundle(modules: &[(&str, &str)]) -> Result<Bundle, String> {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    bundle::bundle(&modules.iter().map(owned).collect::<BTreeMap<_, _>>(), "main")
}

#[test]
fn modules_come_after_what_they_import_and_once() {
    let main = "// The page.\nimport { a, b as c } from './first-one.js';\nimport { d } from './second.js';\n\n\
        a(c, d);\n  const text = `//`;\n";
    let first = "import { d } from './second.js';\nexport async function a() { return d; }\n\
        export const b = 1;\nconst own = 2;\n";
    let second = "export class d {}\n";
    let bundle = bundle(&[("main", main), ("first-one", first), ("second", second)]).unwrap();
    assert!(bundle.chunks.is_empty());
    assert_eq!(
        bundle.app(&[]),
        "const modules = {};\n\
         modules[\"second\"] = await (async () => {\nclass d {}\nreturn { d };\n})();\n\
         modules[\"first-one\"] = await (async () => {\nconst { d } = modules[\"second\"];\n\
         async function a() { return d; }\nconst b = 1;\nconst own = 2;\nreturn { a, b };\n})();\n\
         modules[\"main\"] = await (async () => {\nconst { a, b: c } = modules[\"first-one\"];\n\
         const { d } = modules[\"second\"];\n\
         a(c, d);\nconst text = `//`;\nreturn {  };\n})();\n\
         export { modules };\n"
    );
}

#[test]
fn chunks_hold_what_the_app_lacks_and_share_the_rest() {
    let modules = [
        (
            "main",
            "import { t } from './language.js';\nconst a = () => import('./editor.js');\nconst b = [import('./practice.js'), import('./language.js')];\n",
        ),
        ("language", "export const t = 1;\n"),
        ("shared", "import { t } from './language.js';\nexport const s = t;\n"),
        (
            "editor",
            "import { s } from './shared.js';\nimport { html } from './editor.html';\nexport const e = () => import('./late.js');\n",
        ),
        ("editor.html", "export const html = \"\";\n"),
        (
            "practice",
            "import { s } from './shared.js';\nimport { t } from './language.js';\nexport const p = 1;\n",
        ),
        ("late", "import { s } from './shared.js';\nexport const l = s;\n"),
        ("unused", "export const u = 1;\n"),
    ];
    let bundle = bundle(&modules).unwrap();
    let names: Vec<&str> = bundle.chunks.iter().map(|chunk| chunk.name.as_str()).collect();
    assert_eq!(names, ["shared", "editor", "practice", "late"]);
    let holds = |text: &str| -> Vec<String> {
        let starts = text.lines().filter_map(|line| line.strip_prefix("modules[\""));
        starts.map(|rest| rest.split_once('"').unwrap().0.to_owned()).collect()
    };
    assert_eq!(holds(&bundle.chunks[0].text), ["shared"]);
    assert_eq!(holds(&bundle.chunks[1].text), ["editor.html", "editor"]);
    assert!(bundle.chunks[1].text.starts_with("export default async (modules, loadChunk) => {\n"));
    assert!(bundle.chunks[1].text.contains("const e = () => loadChunk(\"late\");"));
    let paths: Vec<String> = (0..4).map(|i| format!("./{i}.js")).collect();
    let app = bundle.app(&paths);
    assert_eq!(holds(&app), ["language", "main"]);
    assert!(app.contains("const b = [loadChunk(\"practice\"), loadChunk(\"language\")];"), "{app}");
    for list in [
        r#""editor": ["./0.js", "./1.js"]"#,
        r#""practice": ["./0.js", "./2.js"]"#,
        r#""language": []"#,
        r#""late": ["./0.js", "./3.js"]"#,
    ] {
        assert!(app.contains(list), "{list}: {app}");
    }
}

#[test]
fn what_is_not_understood_is_an_error() {
    for (main, why) in [
        ("import a from './other.js';", "main.js:1: expected import"),
        ("import {\n  a } from './other.js';", "main.js:1: expected import"),
        ("import { a } from 'https://example.com/other.js';", "expected import"),
        ("import './other.js';", "expected import"),
        ("export default 1;", "expected a function"),
        ("\nexport let a = 1;", "main.js:2: expected a function"),
        ("export { a };", "expected a function"),
        ("const other = await import(other);", "expected import('./NAME.js')"),
        ("const other = await import('./a/other.js');", "expected import('./NAME.js')"),
        ("const other = await import('./none.js');", "none.js does not exist"),
        ("const text = `one\ntwo`;", "several lines"),
        ("/* comment */", "block comment"),
        ("import { a } from './none.js';", "none.js does not exist"),
        ("import { a } from './other.js';", "other.js is imported in a cycle: main → other"),
    ] {
        let other = "import { b } from './other.js';\nexport const a = 1;\n";
        let error = bundle(&[("main", main), ("other", other)]).map(|_| ()).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn blanks_and_comments_are_left_out() {
    let style = "/* One. */\nbody {\n  margin: 0; /* two\n lines */ padding: 0;\n}\n\n";
    assert_eq!(compact_css(style).unwrap(), "body {\nmargin: 0;  padding: 0;\n}\n");
    assert!(compact_css("a { } /* open").is_err());
    assert_eq!(compact_html("<p>\n  one\n\n  two</p>\n"), "<p>\none\ntwo</p>\n");
    assert_eq!(
        html_module("<p>\n  \"one\"</p>\n"),
        "export const html = \"<p>\\n\\\"one\\\"</p>\\n\";\n"
    );
    assert_eq!(data_uri("<svg a=\"#1\"/>\n"), "data:image/svg+xml,%3Csvg a='%231'/%3E");
}

#[test]
fn files_are_read_by_their_names_and_hashed() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let scripts = texts(&assets, "js").unwrap();
    assert!(scripts["main"].contains("import ") && !scripts.contains_key("index"));
    assert_eq!([hash(b""), hash(b"a")], ["cbf29ce484222325", "af63dc4c8601ec8c"]);
}
