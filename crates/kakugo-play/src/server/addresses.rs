//! The addresses at which browsers reach the server, to be typed or scanned.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use kakugo_record::analysis::drawing::Style;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

/// The addresses of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Addresses {
    /// The address for browsers on this machine, if it has one of its own.
    pub local: Option<String>,
    /// The addresses for browsers on other machines, the most likely one first.
    pub network: Vec<String>,
}

impl Addresses {
    /// Returns the addresses of a server that listens on this address. The wildcard address stands
    /// for all addresses of the machine.
    pub(super) fn of(actual: SocketAddr) -> Addresses {
        let url = |ip: IpAddr| format!("http://{}/", SocketAddr::new(ip, actual.port()));
        match actual.ip() {
            ip if ip.is_loopback() => Addresses { local: Some(url(ip)), network: Vec::new() },
            ip if ip.is_unspecified() => {
                let ips = if_addrs::get_if_addrs().unwrap_or_else(|error| {
                    log::warn!("the network interfaces could not be listed: {error}");
                    Vec::new()
                });
                let all = ips.into_iter().map(|interface| interface.ip());
                let network = reachable(all.collect(), ip, primary());
                let local = if ip.is_ipv4() || !cfg!(windows) {
                    IpAddr::V4(Ipv4Addr::LOCALHOST)
                } else {
                    IpAddr::V6(Ipv6Addr::LOCALHOST)
                };
                let network = network.into_iter().map(url).collect();
                Addresses { local: Some(url(local)), network }
            }
            ip => Addresses { local: None, network: vec![url(ip)] },
        }
    }

    /// Returns the address for a browser on this machine.
    pub fn first(&self) -> &str {
        let known = self.local.as_ref().or(self.network.first());
        known.map_or("", String::as_str)
    }
}

/// Returns the addresses that other machines reach if the server listens on this wildcard address:
/// the primary one first, IPv4 before IPv6.
fn reachable(all: Vec<IpAddr>, wildcard: IpAddr, primary: Option<IpAddr>) -> Vec<IpAddr> {
    let is_served = |ip: &IpAddr| match ip {
        // On Windows the IPv6 wildcard is for IPv6 alone.
        IpAddr::V4(ip) => {
            (wildcard.is_ipv4() || !cfg!(windows)) && !ip.is_loopback() && !ip.is_link_local()
        }
        IpAddr::V6(ip) => wildcard.is_ipv6() && !ip.is_loopback() && !ip.is_unicast_link_local(),
    };
    let mut served: Vec<IpAddr> = all.into_iter().filter(is_served).collect();
    served.sort_by_key(|ip| (Some(*ip) != primary, ip.is_ipv6()));
    served.dedup();
    served
}

/// Returns the address from which this machine reaches others. Nothing is sent for it.
fn primary() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address for documentation: it is routed like any other.
    socket.connect((Ipv4Addr::new(203, 0, 113, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// Returns a QR code for a terminal, dark on light with colours, else light on dark.
pub fn qr_code(text: &str, style: Style) -> Option<String> {
    let code = QrCode::new(text).ok()?;
    let mut renderer = code.render::<Dense1x2>();
    Some(match style {
        Style::Coloured => {
            let drawn = renderer.build();
            let line = |line: &str| format!("\u{1b}[30;107m{line}\u{1b}[0m\n");
            drawn.lines().map(line).collect()
        }
        Style::Plain => {
            let drawn = renderer.dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
            drawn + "\n"
        }
    })
}

/// Returns a QR code as an SVG picture.
pub(super) fn qr_picture(text: &str) -> Option<String> {
    /// Light modules around the code.
    const MARGIN: usize = 4;
    let code = QrCode::new(text).ok()?;
    let width = code.width();
    let mut path = String::new();
    for (at, module) in code.to_colors().into_iter().enumerate() {
        if module == qrcode::Color::Dark {
            let (x, y) = (at % width + MARGIN, at / width + MARGIN);
            path += &format!("M{x} {y}h1v1h-1z");
        }
    }
    let size = width + 2 * MARGIN;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" \
         shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/>\
         <path d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ips(words: &str) -> Vec<IpAddr> {
        words.split(' ').map(|word| word.parse().unwrap()).collect()
    }

    #[test]
    fn a_server_on_one_address_has_that_one() {
        let of = |address: &str| Addresses::of(address.parse().unwrap());
        let local = of("127.0.0.1:15015");
        assert_eq!((local.first(), local.network.len()), ("http://127.0.0.1:15015/", 0));
        let network = of("192.168.1.20:8080");
        assert_eq!((network.first(), &network.local), ("http://192.168.1.20:8080/", &None));
        assert_eq!(of("[fd00::2]:8080").network, ["http://[fd00::2]:8080/"]);
        let all = of("0.0.0.0:8080");
        assert_eq!(all.first(), "http://127.0.0.1:8080/");
        assert!(all.network.iter().all(|url| !url.contains("0.0.0.0")), "{all:?}");
    }

    #[test]
    fn addresses_that_others_do_not_reach_are_left_out() {
        let all = ips("127.0.0.1 169.254.3.4 172.17.0.1 192.168.1.20 ::1 fe80::1 fd00::2");
        let any = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let primary = Some(ips("192.168.1.20")[0]);
        assert_eq!(reachable(all.clone(), any, primary), ips("192.168.1.20 172.17.0.1"));
        let any = IpAddr::V6(Ipv6Addr::UNSPECIFIED);
        let with_v6 = reachable(all, any, primary);
        assert_eq!(with_v6.last(), Some(&ips("fd00::2")[0]));
    }

    #[test]
    fn the_picture_of_a_qr_code_has_its_dark_modules() {
        let text = "http://192.168.1.20:15015/#play=0123.4567";
        let dark = QrCode::new(text).unwrap().to_colors();
        let dark = dark.into_iter().filter(|&module| module == qrcode::Color::Dark).count();
        assert_eq!(qr_picture(text).unwrap().matches("h1v1h-1z").count(), dark);
        assert_eq!(qr_picture(&"x".repeat(10_000)), None);
    }

    #[test]
    fn a_qr_code_is_the_same_in_both_styles_and_has_a_margin() {
        let text = "http://192.168.1.20:15015/";
        let dark = QrCode::new(text).unwrap().to_colors();
        let width = QrCode::new(text).unwrap().width();
        for (style, filled_is_dark) in [(Style::Plain, false), (Style::Coloured, true)] {
            let drawn = qr_code(text, style).unwrap();
            let plain = drawn.replace("\u{1b}[30;107m", "").replace("\u{1b}[0m", "");
            // Two rows of modules a line; the quiet zone has four modules.
            let rows: Vec<Vec<char>> = plain.lines().map(|line| line.chars().collect()).collect();
            assert!(rows.iter().all(|row| row.len() == width + 8), "{drawn}");
            for y in 0..width {
                for x in 0..width {
                    let c = rows[(y + 4) / 2][x + 4];
                    let filled = c == '█' || c == if y % 2 == 0 { '▀' } else { '▄' };
                    let is_dark = dark[y * width + x] == qrcode::Color::Dark;
                    assert_eq!(filled == filled_is_dark, is_dark, "{x} {y}");
                }
            }
        }
    }
}
