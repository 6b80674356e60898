//! Which addresses are public.
//!
//! Sources: IANA's registries of special-purpose addresses for IPv4 and IPv6, which list what is not globally
//! reachable (RFC 6890).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The blocks of IPv4 that are not public: the address and the length of the prefix in bits.
const SPECIAL_V4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),       // This network.
    (Ipv4Addr::new(10, 0, 0, 0), 8),      // Private use.
    (Ipv4Addr::new(100, 64, 0, 0), 10),   // Shared by the customers of a carrier.
    (Ipv4Addr::new(127, 0, 0, 0), 8),     // Loopback.
    (Ipv4Addr::new(169, 254, 0, 0), 16),  // Link-local, with the metadata of cloud machines.
    (Ipv4Addr::new(172, 16, 0, 0), 12),   // Private use.
    (Ipv4Addr::new(192, 0, 0, 0), 24),    // Protocol assignments.
    (Ipv4Addr::new(192, 0, 2, 0), 24),    // Documentation.
    (Ipv4Addr::new(192, 88, 99, 0), 24),  // Relays of 6to4, which are no longer in use.
    (Ipv4Addr::new(192, 168, 0, 0), 16),  // Private use.
    (Ipv4Addr::new(198, 18, 0, 0), 15),   // Benchmarks.
    (Ipv4Addr::new(198, 51, 100, 0), 24), // Documentation.
    (Ipv4Addr::new(203, 0, 113, 0), 24),  // Documentation.
    (Ipv4Addr::new(224, 0, 0, 0), 4),     // Multicast.
    (Ipv4Addr::new(240, 0, 0, 0), 4),     // Reserved, with the broadcast address.
];

/// The only block of IPv6 from which public addresses are assigned.
const GLOBAL_UNICAST_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// The blocks within it that are not public. Those of 6to4 and Teredo contain an IPv4 address of another
/// machine.
const SPECIAL_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // Protocol assignments, with Teredo, benchmarks and ORCHID.
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // Documentation.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4.
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // Documentation.
];

/// Returns whether an address is one that anybody on the internet can reach, and not one of this machine or
/// its networks.
///
/// IPv6 addresses that contain one of IPv4 (mapped, compatible, NAT64) are not public: a public machine has
/// an address of its own.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|(block, bits)| {
            let shift = 32 - bits;
            address.to_bits() >> shift == block.to_bits() >> shift
        }),
        IpAddr::V6(address) => {
            let is_in = |(block, bits): &(Ipv6Addr, u32)| {
                let shift = 128 - bits;
                address.to_bits() >> shift == block.to_bits() >> shift
            };
            is_in(&GLOBAL_UNICAST_V6) && !SPECIAL_V6.iter().any(is_in)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_public(addresses: &[&str]) -> Vec<bool> {
        addresses
            .iter()
            .map(|text| is_public(text.parse().unwrap()))
            .collect()
    }

    #[test]
    fn addresses_of_the_machine_and_its_networks_are_not_public() {
        let special = [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "169.254.0.1",
            "169.254.169.254",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.170",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.9",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:127.0.0.1",
            "64:ff9b::8.8.8.8",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:808:808::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ];
        assert_eq!(are_public(&special), vec![false; special.len()]);
    }

    #[test]
    fn the_addresses_beside_special_blocks_are_public() {
        let public = [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700:4700::1111",
            "2a00::1",
            "3ffe::1",
        ];
        assert_eq!(are_public(&public), vec![true; public.len()]);
    }
}
