import Foundation
import Synchronization

/// A relay between two ports of this machine that records every byte in both directions.
public final class Wiretap {
    private let listener: Int32
    private let tape = Tape()

    /// Relays every connection to one port to the other.
    public init(from port: Int, to service: Int) throws {
        listener = try Loopback.listener(at: port)
        let (listener, tape) = (listener, tape)
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Self.relay(client, to: service, tape)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The number of bytes recorded.
    public var count: Int { tape.bytes.withLock { $0.count } }

    /// Returns whether these bytes were recorded in sequence.
    public func heard(_ words: String) -> Bool {
        tape.bytes.withLock { bytes in
            Data(bytes).range(of: Data(words.utf8)) != nil
        }
    }

    private final class Tape: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    private static func relay(_ client: Int32, to port: Int, _ tape: Tape) {
        let service = socket(AF_INET, Loopback.stream, 0)
        guard Loopback.call(connect, service, port) == 0 else {
            close(client)
            close(service)
            return
        }
        for (from, to) in [(client, service), (service, client)] {
            Thread.detachNewThread {
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = recv(from, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    let piece = Array(buffer[..<count])
                    tape.bytes.withLock { $0 += piece }
                    guard send(to, piece, count, Int32(MSG_NOSIGNAL)) == count else { break }
                }
                // The sockets stay open until the test ends: the other thread may still use them.
                shutdown(from, Int32(SHUT_RDWR))
                shutdown(to, Int32(SHUT_RDWR))
            }
        }
    }
}

/// Ports of this machine.
public enum Loopback {
    /// The kind of a stream socket. A program that another test starts at that moment must not
    /// inherit it, or it would keep the port.
    static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

    /// Returns a port that begins a range of fifty free ones, which no other test on this machine
    /// has reserved.
    public static func port() -> Int {
        while true {
            let port = 20_000 + 50 * Int.random(in: 0..<240)
            if reserve(port), (port..<port + 50).allSatisfy(isFree) { return port }
        }
    }

    /// Reserves a port until this process ends, by binding a socket name that the kernel gives to
    /// only one process.
    private static func reserve(_ port: Int) -> Bool {
        let file = socket(AF_UNIX, stream, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A name that begins with a zero byte isn't a path: it disappears with the process.
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            UnsafeMutableRawBufferPointer(rebasing: path.dropFirst())
                .copyBytes(from: "steward-test-port-\(port)".utf8)
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, size) }
        }
        if code != 0 { close(file) }
        return code == 0
    }

    private static func isFree(_ port: Int) -> Bool {
        let file = socket(AF_INET, stream, 0)
        defer { close(file) }
        return call(bind, file, port) == 0
    }

    /// A socket that listens at a port.
    static func listener(at port: Int) throws -> Int32 {
        let listener = socket(AF_INET, stream, 0)
        guard listener >= 0 else { throw Complaint.system("socket") }
        var on: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        guard call(bind, listener, port) == 0, listen(listener, 16) == 0 else {
            close(listener)
            throw Complaint.system("listen on port \(port)")
        }
        return listener
    }

    /// Binds or connects a socket.
    public static func call(
        _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ file: Int32, _ port: Int
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
