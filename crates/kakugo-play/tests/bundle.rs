//! Tests of the bundler that the build uses.

#[path = "../build/bundle.rs"]
mod bundle;

use std::collections::BTreeMap;

use bundle::{compact_css, compact_html, data_uri};

fn bundle(modules: &[(&str, &str)]) -> Result<String, String> {
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
    let text = bundle(&[("main", main), ("first-one", first), ("second", second)]).unwrap();
    assert_eq!(
        text,
        "const m_second = await (async () => {\nclass d {}\nreturn { d };\n})();\n\
         const m_first_one = await (async () => {\nconst { d } = m_second;\n\
         async function a() { return d; }\nconst b = 1;\nconst own = 2;\nreturn { a, b };\n})();\n\
         const m_main = await (async () => {\nconst { a, b: c } = m_first_one;\nconst { d } = m_second;\n\
         a(c, d);\nconst text = `//`;\nreturn {  };\n})();\n\
         export const modules = { \"second\": m_second, \"first-one\": m_first_one, \"main\": m_main };\n"
    );
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
        ("const other = await import('./other.js');", "import()"),
        ("const text = `one\ntwo`;", "several lines"),
        ("/* comment */", "block comment"),
        ("import { a } from './none.js';", "none.js does not exist"),
        ("import { a } from './other.js';", "other.js is imported in a cycle: main → other"),
    ] {
        let other = "import { b } from './other.js';\nexport const a = 1;\n";
        let error = bundle(&[("main", main), ("other", other)]).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn blanks_and_comments_are_left_out() {
    let style = "/* One. */\nbody {\n  margin: 0; /* two\n lines */ padding: 0;\n}\n\n";
    assert_eq!(compact_css(style).unwrap(), "body {\nmargin: 0;  padding: 0;\n}\n");
    assert!(compact_css("a { } /* open").is_err());
    assert_eq!(compact_html("<p>\n  one\n\n  two</p>\n"), "<p>\none\ntwo</p>\n");
    assert_eq!(data_uri("<svg a=\"#1\"/>\n"), "data:image/svg+xml,%3Csvg a='%231'/%3E");
}
