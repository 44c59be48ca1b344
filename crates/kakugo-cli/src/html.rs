//! Text in pages.

/// A text as HTML shows it, between tags and in the quotes of an attribute.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
