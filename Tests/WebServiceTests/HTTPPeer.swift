import Foundation
import TestSupport

/// A connection on which requests are sent byte by byte, as a browser or a hostile program would.
final class HTTPPeer {
    /// How long to wait for something on a connection on which other things come.
    private static let patience: Duration = .seconds(180)

    private let peer: RawPeer
    private var received: [UInt8] = []

    /// Connects to a port of this machine.
    init(port: Int) throws { peer = try RawPeer(port: port) }

    /// Sends a text.
    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends bytes.
    func send(_ bytes: [UInt8]) throws {
        guard peer.send(bytes) else { throw Complaint.system("send") }
    }

    /// Closes the sending direction.
    func end() { peer.end() }

    /// Receives one response, whose headers give its length.
    func response() throws -> String {
        while true {
            let text = String(decoding: received, as: UTF8.self)
            if let head = text.range(of: "\r\n\r\n"),
                let length = text.firstMatch(of: /Content-Length: (\d+)/).flatMap({ Int($0.1) })
            {
                let size = text[..<head.upperBound].utf8.count + length
                if received.count >= size {
                    defer { received.removeFirst(size) }
                    return String(decoding: received.prefix(size), as: UTF8.self)
                }
            }
            guard try receive() else { throw Complaint("the connection ended: \(text)") }
        }
    }

    /// Receives until a text has arrived this many times.
    func receive(_ count: Int, of text: String) throws {
        let end = ContinuousClock.now + Self.patience
        while String(decoding: received, as: UTF8.self).components(separatedBy: text).count <= count
        {
            guard ContinuousClock.now < end else { throw Complaint("this never came: \(text)") }
            guard try receive() else { throw Complaint("the connection ended") }
        }
    }

    /// Discards what it has received so far.
    func discard() { received = [] }

    /// Receives everything until the other end closes.
    func untilEnd() throws -> String { String(decoding: try bytesUntilEnd(), as: UTF8.self) }

    /// Does the same with bytes, for what isn't text.
    func bytesUntilEnd() throws -> [UInt8] {
        let end = ContinuousClock.now + Self.patience
        while try receive() {
            guard ContinuousClock.now < end else { throw Complaint("the connection never ended") }
        }
        return received
    }

    /// - Returns: false if the other end has closed.
    private func receive() throws -> Bool {
        let bytes = try peer.receive()
        received += bytes
        return !bytes.isEmpty
    }
}
