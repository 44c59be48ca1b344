//! The languages that the page speaks besides English, a file each.
//!
//! To add one, copy a file of `assets/languages`, name it by the language's code (BCP 47, such as `de`) and
//! translate what stands on the right. Then add a line to [`LANGUAGES`]; the tests (`cargo test --test
//! languages`) say what is missing.
//!
//! - `language` is the language's name in itself.
//! - `plurals` are the [categories of whole numbers][cldr] that it tells apart, such as one and other.
//! - `{0}`, `{1}`, .. are names, numbers and other texts; each must be there, in any order.
//! - `{0:move|moves}` is the word that goes with the number `{0}`: one form for each of `plurals`, in the same
//!   order (`{0:tah|tahy|tahů}`), or no such place where the word is always the same.
//!
//! [cldr]: https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html

use std::sync::LazyLock;

use serde_json::Value;

/// A language of the page.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// As in the `lang` of HTML.
    pub code: &'static str,
    /// Where the page finds its texts.
    pub path: &'static str,
    /// Its texts, JSON.
    pub texts: &'static str,
}

macro_rules! language {
    ($code:literal) => {
        Language {
            code: $code,
            path: concat!("/languages/", $code, ".json"),
            texts: include_str!(concat!("assets/languages/", $code, ".json")),
        }
    };
}

/// All, in the order in which the page offers them.
#[rustfmt::skip]
pub const LANGUAGES: &[Language] = &[
    language!("cs"),
    language!("ja"),
    language!("zh-CN"),
];

/// The page, which offers every language by its own name.
pub static INDEX: LazyLock<String> = LazyLock::new(|| {
    const ENGLISH: &str = "<option value=\"en\">English</option>";
    let mut offers = ENGLISH.to_owned();
    for Language { code, texts, .. } in LANGUAGES {
        let texts: Value = serde_json::from_str(texts).unwrap_or_default();
        let name = texts["language"].as_str().unwrap_or(code);
        offers += &format!("<option value=\"{code}\" lang=\"{code}\">{name}</option>");
    }
    include_str!("assets/index.html").replacen(ENGLISH, &offers, 1)
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_offers_every_language_by_its_own_name() {
        let first = LANGUAGES[0].code;
        assert!(INDEX.contains(&format!("</option><option value=\"{first}\" lang=\"{first}\">")));
        assert_eq!(INDEX.matches(" lang=\"").count(), 1 + LANGUAGES.len());
    }
}
