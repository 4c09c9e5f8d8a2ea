//! The network address of a caller.

use std::net::{IpAddr, Ipv6Addr};

/// The address by which limits count: an IPv6 address is reduced to its /64, which one customer
/// holds, and an IPv4-mapped IPv6 address is its IPv4 address.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        four @ IpAddr::V4(_) => four,
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
    }
}

/// The /48 of an IPv6 address, the most that one site is given: up to 65,536 networks. An IPv4
/// address is its own site.
#[must_use]
pub fn site(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        four @ IpAddr::V4(_) => four,
        IpAddr::V6(six) => {
            let [a, b, c, ..] = six.segments();
            Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0).into()
        }
    }
}

/// The peer's address, or, behind `trusted_proxies` of our own, the entry of X-Forwarded-For that
/// the outermost of them wrote. Entries left of it may be forged.
pub fn address<'a>(
    peer: IpAddr,
    forwarded_for: impl Iterator<Item = &'a str>,
    trusted_proxies: usize,
) -> IpAddr {
    let written = || {
        let from_right = trusted_proxies.checked_sub(1)?;
        let entries: Vec<&str> = forwarded_for.flat_map(|value| value.split(',')).collect();
        entries.iter().rev().nth(from_right)?.trim().parse().ok()
    };
    written().unwrap_or(peer).to_canonical()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_customer_is_one_network() {
        let of = |text| network(ip(text));
        assert_eq!(of("2001:db8:1:2:3::9"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }

    #[test]
    fn one_site_holds_many_networks() {
        let of = |text| site(ip(text));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:ffff::1"));
        assert_ne!(of("2001:db8:1::1"), of("2001:db8:2::1"));
        assert_eq!(of("::ffff:192.0.2.7"), ip("192.0.2.7"));
    }

    #[test]
    fn a_mapped_address_of_ipv4_is_its_own_network() {
        assert_eq!(network(ip("::ffff:192.0.2.7")), ip("192.0.2.7"));
        assert_ne!(
            network(ip("::ffff:192.0.2.7")),
            network(ip("::ffff:192.0.2.8"))
        );
    }

    #[test]
    fn only_entries_of_trusted_proxies_are_used() {
        let forwarded = ["203.0.113.9, 198.51.100.2", "::ffff:192.0.2.7"];
        let of = |trusted| address(ip("::ffff:10.0.0.1"), forwarded.into_iter(), trusted);
        assert_eq!(of(0), ip("10.0.0.1"));
        assert_eq!(of(1), ip("192.0.2.7"));
        assert_eq!(of(2), ip("198.51.100.2"));
        assert_eq!(of(3), ip("203.0.113.9"));
        assert_eq!(of(4), ip("10.0.0.1"));
        let garbage = address(ip("10.0.0.1"), ["10.0.0.300"].into_iter(), 1);
        assert_eq!(garbage, ip("10.0.0.1"));
    }
}
