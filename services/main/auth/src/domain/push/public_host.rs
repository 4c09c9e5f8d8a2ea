//! Which hosts everybody can reach. A member names the endpoint that pushes are sent to, and must not
//! reach through it what only this installation can.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Names that belong to one machine, one network or one cluster.
const PRIVATE_SUFFIXES: [&str; 14] = [
    "localhost",
    "local",
    "localdomain",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "svc",
    "arpa",
    "onion",
    "test",
    "invalid",
];

/// Whether a host, as a URL parser writes it, may be a public name. What the name resolves to is
/// checked when it is used, by [`is_public_address`].
#[must_use]
pub fn is_public_name(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    let Some((_, top)) = host.rsplit_once('.') else {
        return false;
    };
    let is_address = host.starts_with('[') || host.parse::<IpAddr>().is_ok();
    let is_name = top.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_plain = host
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
    is_name && is_plain && !is_address && !PRIVATE_SUFFIXES.contains(&top)
}

/// Whether an address belongs to the public internet.
#[must_use]
pub fn is_public_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => is_public_v4(four),
        IpAddr::V6(six) => is_public_v6(six),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = address.is_unspecified()
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_multicast();
    let is_reserved = a == 0
        // Shared by the customers of a provider, protocols, 6to4 relays, measurements, the future.
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (18..20).contains(&b))
        || a >= 240;
    !is_special && !is_reserved
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let embedded = |high: u16, low: u16| {
        let [[w, x], [y, z]] = [high.to_be_bytes(), low.to_be_bytes()];
        is_public_v4(Ipv4Addr::new(w, x, y, z))
    };
    match [a, b] {
        // Mapped, and translated by NAT64.
        [0, 0] if [c, d, e] == [0, 0, 0] && f == 0xffff => embedded(g, h),
        [0x64, 0xff9b] if [c, d, e, f] == [0, 0, 0, 0] => embedded(g, h),
        // 6to4 carries an address of IPv4 too.
        [0x2002, _] => embedded(b, c),
        // Teredo, ORCHID, benchmarks and the like; documentation.
        [0x2001, ..0x200] | [0x2001, 0xdb8] | [0x3fff, ..0x1000] => false,
        // All that is given out lies in 2000::/3.
        [a, _] => (0x2000..0x4000).contains(&a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("8.8.8.8", true)]
    #[case("142.250.76.138", true)]
    #[case("100.63.255.255", true)]
    #[case("172.32.0.1", true)]
    #[case("2606:4700:4700::1111", true)]
    #[case("2404:6800:4004:80a::200a", true)]
    #[case("::ffff:8.8.8.8", true)]
    #[case("0.0.0.0", false)]
    #[case("0.1.2.3", false)]
    #[case("10.1.2.3", false)]
    #[case("100.64.0.1", false)]
    #[case("127.8.0.1", false)]
    #[case("169.254.169.254", false)]
    #[case("172.16.0.1", false)]
    #[case("172.31.255.255", false)]
    #[case("192.0.0.8", false)]
    #[case("192.0.2.1", false)]
    #[case("192.168.1.1", false)]
    #[case("198.18.0.1", false)]
    #[case("224.0.0.1", false)]
    #[case("240.0.0.1", false)]
    #[case("255.255.255.255", false)]
    #[case("::", false)]
    #[case("::1", false)]
    #[case("::7f00:1", false)]
    #[case("::ffff:127.0.0.1", false)]
    #[case("::ffff:10.0.0.1", false)]
    #[case("64:ff9b::7f00:1", false)]
    #[case("64:ff9b:1::1", false)]
    #[case("100::1", false)]
    #[case("2001::1", false)]
    #[case("2001:db8::1", false)]
    #[case("2002:7f00:1::", false)]
    #[case("2002:a00:1::", false)]
    #[case("fc00::1", false)]
    #[case("fd12:3456::1", false)]
    #[case("fe80::1", false)]
    #[case("fec0::1", false)]
    #[case("ff02::1", false)]
    fn only_the_public_internet_is_public(#[case] address: &str, #[case] expected: bool) {
        assert_eq!(is_public_address(address.parse().unwrap()), expected);
    }
}
