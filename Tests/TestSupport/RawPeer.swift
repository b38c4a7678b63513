import Foundation

/// A connection to a service that can send arbitrary bytes.
public final class RawPeer {
    private let file: Int32

    /// Connects to the socket with a path.
    public init(_ path: String) throws {
        file = socket(AF_UNIX, Loopback.stream, 0)
        guard file >= 0 else { throw Complaint.system("socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(file, $0, size) }
        }
        guard code == 0 else {
            close(file)
            throw Complaint.system("connect \(path)")
        }
    }

    /// Connects to a port of this machine.
    public init(port: Int) throws {
        file = socket(AF_INET, Loopback.stream, 0)
        guard file >= 0 else { throw Complaint.system("socket") }
        guard Loopback.call(connect, file, port) == 0 else {
            close(file)
            throw Complaint.system("connect to port \(port)")
        }
    }

    deinit { close(file) }

    /// Closes the sending direction. It can still receive.
    public func end() { shutdown(file, Int32(SHUT_WR)) }

    /// Sends bytes.
    ///
    /// - Returns: false if the other end has hung up.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 { return false }
            sent += count
        }
        return true
    }

    /// Waits for bytes and returns those that have arrived; none if the other end has closed.
    ///
    /// - Throws: ``Complaint`` if nothing arrives for three minutes.
    public func receive() throws -> [UInt8] {
        var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, 180_000) > 0 else { throw Complaint("nothing came for 3 minutes") }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(file, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(0, count)))
    }

    /// Waits for a number of bytes and discards them.
    public func skip(_ count: Int) {
        var left = count
        var buffer = [UInt8](repeating: 0, count: 4096)
        while left > 0 {
            let got = recv(file, &buffer, min(left, buffer.count), 0)
            if got <= 0 { return }
            left -= got
        }
    }

    /// Performs a ZMTP 3.0 handshake without security (RFC 23) as a socket of this type.
    ///
    /// - Parameters:
    ///   - type: the socket type to announce.
    ///   - properties: other properties to announce, by name.
    public func shakeHands(as type: String, saying properties: [String: String] = [:]) {
        send([0xFF] + [UInt8](repeating: 0, count: 8) + [0x7F, 3, 0])
        send(Array("NULL".utf8) + [UInt8](repeating: 0, count: 16 + 32))
        skip(64)
        var ready = [5] + Array("READY".utf8)
        for (name, value) in properties.merging(["Socket-Type": type], uniquingKeysWith: { $1 }) {
            ready += [UInt8(name.utf8.count)] + Array(name.utf8)
            ready += [0, 0, 0, UInt8(value.utf8.count)] + Array(value.utf8)
        }
        send([4, UInt8(ready.count)] + ready)
    }

    /// Returns a frame as it is sent on the wire.
    public static func frame(_ bytes: [UInt8], more: Bool = false) -> [UInt8] {
        guard bytes.count > 255 else { return [more ? 1 : 0, UInt8(bytes.count)] + bytes }
        let size = (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (56 - 8 * $0)) }
        return [more ? 3 : 2] + size + bytes
    }
}
