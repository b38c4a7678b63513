import Foundation

/// Where requests come from, as they are counted: whoever has one IPv6 address has 2^64 of them.
public enum Source {
    /// The address of the browser behind reverse proxies: the last one in `X-Forwarded-For` that is
    /// none of theirs. What anyone else writes there is not believed.
    ///
    /// - Parameters:
    ///   - peer: the address at the other end of the connection.
    ///   - forwarded: the values of the header, in their order.
    ///   - proxies: the addresses of the proxies.
    public static func address(
        of peer: String, forwarded: [String], proxies: Set<String>
    ) -> String {
        let (peer, proxies) = (plain(peer), Set(proxies.map(plain)))
        guard proxies.contains(peer) else { return peer }
        let named = forwarded.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { plain($0.trimmingCharacters(in: .whitespaces)) }
        let last = named.last { !proxies.contains($0) } ?? peer
        return isAddress(last) ? last : peer
    }

    /// True for an IPv4 or IPv6 address without a port.
    public static func isAddress(_ text: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }

    /// The address itself or, for IPv6, its network of 64 bits. An IPv4 address that is written as
    /// IPv6 is the IPv4 address. A text that isn't an address stands for itself.
    ///
    /// - Parameter address: an address without a port, such as `192.0.2.7` or `2001:db8::7`.
    public static func network(of address: String) -> String {
        let address = Self.plain(address)
        guard let bytes = Self.bytes(of: address) else { return address }
        return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }

    /// The IPv4 address that is written as IPv6, as a socket for both has it; any other text as it
    /// is.
    private static func plain(_ address: String) -> String {
        guard let bytes = Self.bytes(of: address), bytes[..<10].allSatisfy({ $0 == 0 }),
            bytes[10] == 0xFF, bytes[11] == 0xFF
        else { return address }
        return bytes[12...].map { String($0) }.joined(separator: ".")
    }

    /// The bytes of an IPv6 address; nil for any other text.
    private static func bytes(of address: String) -> [UInt8]? {
        // A zone, as in fe80::1%eth0, applies only on this machine.
        let known = String(address.prefix { $0 != "%" })
        var bytes = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET6, known, &bytes) == 1 ? bytes : nil
    }
}
