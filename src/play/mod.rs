//! The board for people: a page in the browser and a text board in the terminal.
