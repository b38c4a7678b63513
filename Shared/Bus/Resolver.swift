import Foundation
import Synchronization

/// Looks up the addresses of hosts on threads of its own.
///
/// ZeroMQ would look a name up on the one thread that serves all sockets of the process. While a
/// name server does not answer, which can last 10 s or more, nothing else would be sent or
/// received.
public final class Resolver: Sendable {
    /// What is known of a host.
    public enum Finding: Sendable, Hashable {
        /// The first lookup is under way.
        case pending
        /// Its addresses in numeric form; never empty.
        case found([String])
        /// The host doesn't exist, or could not be looked up.
        case unknown
    }

    private struct Entry {
        var finding = Finding.pending
        var isUnderWay = false
        var begun: ContinuousClock.Instant?
    }

    /// The resolver of this process for its sockets, which use IPv4.
    static let shared = Resolver(AF_INET)
    /// The resolver of this process for connections by IPv4 or IPv6.
    public static let anyFamily = Resolver(AF_UNSPEC)

    /// The minimum time between two lookups of a host.
    static let shortestPause: Duration = .seconds(1)
    /// The maximum number of lookups at a time, each on a thread.
    static let mostLookups = 16

    private let family: Int32
    private let entries = Mutex<[String: Entry]>([:])
    private let revision = Atomic<Int>(1)

    private init(_ family: Int32) { self.family = family }

    /// A number that changes after each lookup. Reading it is cheap.
    var findings: Int { revision.load(ordering: .acquiring) }

    /// The last finding for a host.
    public func finding(of host: String) -> Finding {
        entries.withLock { $0[host]?.finding ?? .pending }
    }

    /// Starts a lookup of a host, unless one is running or was started a moment ago. A host that
    /// was found before keeps its addresses until others are found.
    public func lookUp(_ host: String, at now: ContinuousClock.Instant = .now) {
        let isWanted = entries.withLock { entries in
            var entry = entries[host] ?? Entry()
            let isEarly = entry.begun.map { now - $0 < Self.shortestPause } ?? false
            let busy = entries.values.count { $0.isUnderWay }
            guard !entry.isUnderWay, !isEarly, busy < Self.mostLookups else { return false }
            (entry.isUnderWay, entry.begun) = (true, now)
            entries[host] = entry
            return true
        }
        guard isWanted else { return }
        Thread.detachNewThread { [self] in
            let addresses = addresses(of: host)
            entries.withLock { entries in
                entries[host]?.isUnderWay = false
                if !addresses.isEmpty {
                    entries[host]?.finding = .found(addresses)
                } else if entries[host]?.finding == .pending {
                    entries[host]?.finding = .unknown
                }
            }
            revision.add(1, ordering: .releasing)
        }
    }

    /// Asks the system and waits for the answer.
    private func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_family = family
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
            guard let entry, let place = entry.pointee.ai_addr else { break }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = getnameinfo(
                place, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
                NI_NUMERICHOST)
            if code == 0 {
                addresses.append(
                    String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
            }
        }
        return addresses
    }
}

/// The way to a socket's endpoint when it names a host. It changes when the host gets another
/// address, as a recreated container does.
struct Route {
    /// How long to use an address before looking it up again, in case the host has moved unnoticed.
    static let refreshInterval: Duration = .seconds(30)

    let host: String
    let port: Substring
    /// The address that the socket connects to; nil while none is known.
    var address: String?
    /// The value of ``Resolver/findings`` at the last comparison.
    var seen = 0
    var refreshed = ContinuousClock.now

    /// Reads the route of an endpoint; nil when it names no host that has to be looked up.
    init?(_ endpoint: String) {
        guard endpoint.hasPrefix("tcp://") else { return nil }
        let place = endpoint.dropFirst(6)
        guard let colon = place.lastIndex(of: ":") else { return nil }
        host = String(place[..<colon])
        port = place[place.index(after: colon)...]
        var number = in_addr()
        if host.hasPrefix("[") || inet_pton(AF_INET, host, &number) == 1 { return nil }
    }

    /// The endpoint at an address.
    func endpoint(at address: String) -> String { "tcp://\(address):\(port)" }
}
