//! Tables with aligned columns.

/// Returns the rows as lines. The columns for which `is_left` is true are aligned to the left, the
/// others to the right. Rows with fewer cells than the first one are notes, and not aligned.
pub fn aligned(rows: &[Vec<String>], is_left: impl Fn(usize) -> bool) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let full = || rows.iter().filter(|row| row.len() >= columns);
    let width = |column: usize| full().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cell = |(column, cell): (usize, &String)| match widths.get(column) {
            Some(&width) if row.len() >= columns && is_left(column) => format!("{cell:<width$}"),
            Some(&width) if row.len() >= columns => format!("{cell:>width$}"),
            _ => cell.clone(),
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_notes_are_not() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let rows =
            [row(&["", "name", "n"]), row(&["1", "é", "12"]), row(&["", "a note to the table"])];
        let text = aligned(&rows, |column| column == 1);
        assert_eq!(text, "   name   n\n1  é     12\n  a note to the table\n");
        assert_eq!(aligned(&[], |_| true), "");
    }
}
