//! The host names of the server.
//!
//! A request is answered only if its `Host` is one of them, so that no foreign name can be pointed
//! at the server.

use std::net::SocketAddr;

/// The default port of HTTP.
const USUAL: u16 = 80;

/// The host names of the server.
pub(super) struct Hosts(Vec<String>);

impl Hosts {
    /// Returns the names of a server that listens on this address. The wildcard address stands for
    /// all addresses of the machine, but no name.
    pub(super) fn of(actual: SocketAddr) -> Hosts {
        let port = actual.port();
        let mut names = vec![actual.to_string()];
        if actual.ip().is_loopback() || actual.ip().is_unspecified() {
            names.extend(["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}")));
        }
        Hosts(names)
    }

    /// Returns true if `host` is one of them, or an address if the server listens on all.
    pub(super) fn include(&self, host: &str) -> bool {
        // Browsers omit the default port.
        let with_port = format!("{host}:{USUAL}");
        self.know(host) || self.know(&with_port)
    }

    fn know(&self, host: &str) -> bool {
        let everywhere = || {
            let wildcard =
                |name: &String| name.parse().is_ok_and(|a: SocketAddr| a.ip().is_unspecified());
            self.0.iter().any(wildcard) && host.parse::<SocketAddr>().is_ok()
        };
        self.0.iter().any(|name| name.eq_ignore_ascii_case(host)) || everywhere()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str) -> Hosts {
        Hosts::of(address.parse().unwrap())
    }

    #[test]
    fn the_loopback_has_its_usual_names_and_no_other() {
        let hosts = hosts("127.0.0.1:15015");
        for own in ["127.0.0.1:15015", "LOCALHOST:15015", "[::1]:15015"] {
            assert!(hosts.include(own), "{own}");
        }
        for foreign in ["localhost", "localhost:80", "example.com:15015", "10.0.0.1:15015", ""] {
            assert!(!hosts.include(foreign), "{foreign}");
        }
    }

    #[test]
    fn all_addresses_are_addresses_and_not_names() {
        let hosts = hosts("0.0.0.0:8080");
        assert!(hosts.include("10.1.2.3:8080") && hosts.include("localhost:8080"));
        assert!(!hosts.include("example.com:8080"));
    }

    #[test]
    fn the_usual_port_may_be_left_out() {
        for (address, own) in [
            ("127.0.0.1:80", &["127.0.0.1", "localhost", "[::1]", "localhost:80"][..]),
            ("192.168.1.5:80", &["192.168.1.5"]),
            ("0.0.0.0:80", &["10.1.2.3", "[fe80::1]", "localhost"]),
        ] {
            let hosts = hosts(address);
            assert!(own.iter().all(|name| hosts.include(name)), "{address}");
            assert!(!hosts.include("example.com") && !hosts.include(""), "{address}");
        }
        assert!(!hosts("192.168.1.5:8080").include("192.168.1.5"));
    }
}
