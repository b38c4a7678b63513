import Foundation

/// Limits each network address to its share of a service's connections. ZeroMQ accepts connections
/// until no descriptor is left, and without keys a connection may stay open forever.
///
/// Not Sendable: it belongs to the thread that made it.
public final class ConnectionLimit {
    /// The maximum number of connections kept for one address: many more than one site's devices
    /// need behind one router.
    static let most = 512

    private let ports: ClosedRange<Int>
    private let most: Int
    /// The open folder of this process's descriptors. It stays open because opening it needs a
    /// descriptor, and there may be none left.
    private let folder: OpaquePointer

    /// Makes the limit for a service; nil when the service is not on a network.
    public init?(_ service: ServiceName, at address: BusAddress) {
        guard let ports = address.ports(of: service), let folder = opendir("/proc/self/fd") else {
            return nil
        }
        (self.ports, self.folder) = (ports, folder)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        most = min(Self.most, Int(clamping: limit.rlim_cur) / 2)
    }

    deinit { closedir(folder) }

    /// An accepted connection.
    private struct Accepted {
        let descriptor: Int32
        /// The socket's inode; later connections have larger ones.
        let number: ino_t
    }

    /// Shuts down the newest connections of each address that has too many. Call it from time to
    /// time.
    ///
    /// Meanwhile a descriptor may have passed to another connection, which is then shut down
    /// instead; an honest peer reconnects.
    ///
    /// - Returns: the number of connections shut down.
    public func enforce() -> Int {
        var count = 0
        for accepted in connections().values where accepted.count > most {
            for one in accepted.sorted(by: { $0.number < $1.number }).dropFirst(most) {
                if shutdown(one.descriptor, Int32(SHUT_RDWR)) == 0 { count += 1 }
            }
        }
        return count
    }

    /// The connections accepted at the service's ports, by remote address.
    private func connections() -> [in_addr_t: [Accepted]] {
        var found: [in_addr_t: [Accepted]] = [:]
        rewinddir(folder)
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let descriptor = Int32(name),
                let own = Self.address(descriptor, getsockname),
                ports.contains(Int(in_port_t(bigEndian: own.sin_port))),
                let other = Self.address(descriptor, getpeername)
            else { continue }
            var status = stat()
            fstat(descriptor, &status)
            found[other.sin_addr.s_addr, default: []].append(
                Accepted(descriptor: descriptor, number: status.st_ino))
        }
        return found
    }

    private typealias Naming = (
        Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>
    ) -> Int32

    /// The IPv4 address of one end of a connection; nil when there is none.
    private static func address(_ descriptor: Int32, _ naming: Naming) -> sockaddr_in? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                naming(descriptor, $0, &size)
            }
        }
        guard code == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return address
    }
}
