import Foundation
import Synchronization

/// Accepts connections at a port of this machine and hangs up after the first bytes, like a program
/// that ends in the middle of a handshake.
public final class Hangup {
    private let listener: Int32
    private let count = Count()

    private final class Count: Sendable {
        let accepted = Atomic<Int>(0)
    }

    /// Listens at a port.
    ///
    /// - Parameters:
    ///   - port: the port.
    ///   - limit: the number of connections after which it also closes the port.
    public init(port: Int, limit: Int = .max) throws {
        listener = try Loopback.listener(at: port)
        let (listener, count) = (listener, count)
        Thread.detachNewThread {
            for _ in 0..<limit {
                let file = accept(listener, nil, nil)
                guard file >= 0 else { return }
                var byte: UInt8 = 0
                _ = recv(file, &byte, 1, 0)
                count.accepted.add(1, ordering: .relaxed)
                if count.accepted.load(ordering: .relaxed) >= limit {
                    shutdown(listener, Int32(SHUT_RDWR))
                }
                close(file)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The number of connections accepted so far.
    public var accepted: Int { count.accepted.load(ordering: .relaxed) }
}

/// Accepts connections at a port of this machine, and answers the first bytes of each without end.
public final class Flood {
    private let listener: Int32
    private let count = Count()

    private final class Count: Sendable {
        let sent = Atomic<Int>(0)
    }

    /// Listens at a port.
    ///
    /// - Parameters:
    ///   - port: the port.
    ///   - beginning: the first bytes of the answer.
    public init(port: Int, beginning: [UInt8]) throws {
        listener = try Loopback.listener(at: port)
        let (listener, count) = (listener, count)
        Thread.detachNewThread {
            while true {
                let file = accept(listener, nil, nil)
                guard file >= 0 else { return }
                var byte: UInt8 = 0
                _ = recv(file, &byte, 1, 0)
                _ = send(file, beginning, beginning.count, Int32(MSG_NOSIGNAL))
                let more = [UInt8](repeating: 0x61, count: 65_536)
                while true {
                    let sent = send(file, more, more.count, Int32(MSG_NOSIGNAL))
                    guard sent > 0 else { break }
                    count.sent.add(sent, ordering: .relaxed)
                }
                close(file)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The number of bytes sent so far.
    public var sent: Int { count.sent.load(ordering: .relaxed) }
}

/// A name server on a loopback address that accepts every query and never answers.
public final class SilentNameServer {
    private let file: Int32

    /// - Throws: a ``Complaint`` if this account may not listen at port 53.
    public init(address: String) throws {
        file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard file >= 0 else { throw Complaint.system("socket") }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = UInt16(53).bigEndian
        place.sin_addr.s_addr = inet_addr(address)
        let code = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(file)
            throw Complaint.system("listen at \(address):53")
        }
    }

    deinit { close(file) }

    /// Whether it has received a query.
    public var wasAsked: Bool {
        var bytes = [UInt8](repeating: 0, count: 512)
        return recv(file, &bytes, bytes.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }
}
