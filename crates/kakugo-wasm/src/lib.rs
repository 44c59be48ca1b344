//! The engine as a WebAssembly module for JavaScript.
//!
//! A worker loads the module, sends requests as JSON and gets replies as JSON. The npm package in
//! `npm/` wraps this in a class with promises; its `README.md` describes the API.
//!
//! The interface is written by hand instead of by wasm-bindgen: it is five functions and three
//! imports, so the plain output of `cargo build` can be loaded and no other tool is needed.
//!
//! | module | contents |
//! |---|---|
//! | [`abi`] | the functions that JavaScript calls, and those that it provides |
//! | [`requests`] | requests and replies |
//! | [`helpers`] | helper threads: workers that share the module's memory |
//! | [`position`] | positions as JSON |

pub mod abi;
pub mod helpers;
pub mod position;
pub mod requests;

use std::cell::RefCell;

use requests::Session;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

/// Answers the request in the input, and returns the length of the reply in the output.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn engine_request() -> usize {
    let (request, attachment) = abi::take_input();
    let reply = SESSION.with_borrow_mut(|session| session.answer(&request, &attachment));
    abi::set_output(reply.into_bytes())
}
