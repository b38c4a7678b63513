import Bus
import Foundation
import TestSupport

/// A browser's side of HTTP: it logs in, sends requests one after another, and measures their cost.
final class Visitor {
    /// A response with the bytes that it took on the wire.
    struct Answer {
        let status: Int
        let head: String
        let body: [UInt8]
        let bytes: Int
    }

    let port: Int
    /// The port that it connects to.
    private let way: Int
    /// The cookie of the log-in; empty for none.
    private(set) var cookie = ""
    /// The address that it seems to come from: each address may log in only now and then.
    private let place: String

    /// - Parameters:
    ///   - port: where the server listens.
    ///   - place: the address that the browser seems to come from.
    ///   - way: the port that it connects to; nil for the server's own.
    init(port: Int, place: String = "192.0.2.1", by way: Int? = nil) {
        (self.port, self.place, self.way) = (port, place, way ?? port)
    }

    /// The same log-in through another port.
    func moved(to way: Int) -> Visitor {
        let other = Visitor(port: port, place: place, by: way)
        other.cookie = cookie
        return other
    }

    /// Logs in with the password of ``WebKitchen``.
    func logIn(_ name: String) throws {
        let form = "name=\(name)&password=correct+horse+battery"
        let answer = try ask("POST", "/login", form: form)
        guard answer.status == 303,
            let found = answer.head.firstMatch(of: /Set-Cookie: (steward=[0-9a-f]+)/)
        else { throw ConfigurationError("\(name) can't log in: \(answer.status)") }
        cookie = String(found.1)
    }

    /// The lines of a request.
    func request(
        _ method: String, _ path: String, form: String? = nil, json: String? = nil,
        account: String = "", isLast: Bool = true
    ) -> [UInt8] {
        var lines = [
            "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Accept-Encoding: gzip",
            "X-Forwarded-For: \(place)", "Cookie: \(cookie)", "Sec-Fetch-Site: same-origin",
        ]
        if isLast { lines.append("Connection: close") }
        if !account.isEmpty { lines.append("Steward-Account: \(account)") }
        let body = form ?? json ?? ""
        if method == "POST" {
            let kind = json == nil ? "application/x-www-form-urlencoded" : "application/json"
            lines += ["Content-Type: \(kind)", "Content-Length: \(body.utf8.count)"]
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    /// Sends a request on a connection of its own.
    func ask(
        _ method: String, _ path: String, form: String? = nil, json: String? = nil,
        account: String = ""
    ) throws -> Answer {
        let peer = try RawPeer(port: way)
        peer.send(request(method, path, form: form, json: json, account: account))
        var all: [UInt8] = []
        while case let bytes = try peer.receive(), !bytes.isEmpty { all += bytes }
        let end = Array("\r\n\r\n".utf8)
        guard
            let split = all.indices.first(where: { all[$0...].starts(with: end) }),
            all.count > 12, let status = Int(String(decoding: all[9..<12], as: UTF8.self))
        else { throw ConfigurationError("\(path) was not answered") }
        return Answer(
            status: status, head: String(decoding: all[..<split], as: UTF8.self),
            body: Array(all[(split + 4)...]), bytes: all.count)
    }

    /// Opens a stream of events.
    func stream(_ path: String) throws -> Int32 {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(way).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(file, $0, size) }
        }
        guard file >= 0, code == 0 else {
            throw ConfigurationError("the server takes no further connection")
        }
        let bytes = request("GET", path, isLast: false)
        guard bytes.withUnsafeBytes({ send(file, $0.baseAddress, $0.count, 0) }) == bytes.count
        else { throw ConfigurationError("a stream can't be opened") }
        return file
    }
}

/// Many connections that wait for the same text.
final class Crowd {
    private var files: [Int32] = []
    private var tails: [[UInt8]] = []

    var count: Int { files.count }

    func add(_ file: Int32) {
        files.append(file)
        tails.append([])
    }

    deinit { for file in files { close(file) } }

    /// Waits until a text has arrived on every connection, and returns when it arrived on each.
    ///
    /// - Throws: `ConfigurationError` when one ends, or after half a minute.
    func wait(for text: String) throws -> [ContinuousClock.Instant] {
        let wanted = Array(text.utf8)
        var times = [ContinuousClock.Instant?](repeating: nil, count: files.count)
        let end = ContinuousClock.now + .seconds(30)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for index in tails.indices where Self.has(tails[index], wanted) {
            times[index] = .now
            tails[index] = []
        }
        while times.contains(nil) {
            guard ContinuousClock.now < end else {
                throw ConfigurationError("“\(text)” never came on \(times.count { $0 == nil })")
            }
            var states = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&states, nfds_t(states.count), 1_000)
            for (index, state) in states.enumerated() where state.revents != 0 {
                let got = recv(files[index], &buffer, buffer.count, 0)
                guard got > 0 else { throw ConfigurationError("a stream ended") }
                tails[index] += buffer[..<got]
                if times[index] == nil, Self.has(tails[index], wanted) {
                    times[index] = .now
                    tails[index] = []
                }
                if tails[index].count > 200_000 { tails[index] = Array(tails[index].suffix(1_000)) }
            }
        }
        return times.compactMap { $0 }
    }

    /// Reads and discards what has arrived.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for index in files.indices {
            while recv(files[index], &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
            tails[index] = []
        }
    }

    private static func has(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
        guard bytes.count >= wanted.count, let first = wanted.first else { return false }
        return bytes.withUnsafeBufferPointer { all in
            wanted.withUnsafeBufferPointer { wanted in
                (0...(all.count - wanted.count)).contains { at in
                    all[at] == first && (1..<wanted.count).allSatisfy { all[at + $0] == wanted[$0] }
                }
            }
        }
    }
}

/// The reference for streams: the same bytes, written to plain sockets on this machine one after
/// another.
enum BareStreams {
    /// The milliseconds until all connections have the bytes, for each round.
    static func rounds(_ rounds: Int, connections: Int, bytes: Int) throws -> Samples {
        let crowd = Crowd()
        var writers: [Int32] = []
        for _ in 0..<connections {
            var pair: [Int32] = [0, 0]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else {
                throw ConfigurationError("no further sockets")
            }
            writers.append(pair[0])
            crowd.add(pair[1])
        }
        defer { for writer in writers { close(writer) } }
        var samples = Samples()
        for round in 0..<rounds {
            let mark = "end \(round)."
            let filling = String(repeating: "x", count: max(0, bytes - mark.count))
            let text = Array((filling + mark).utf8)
            let start = ContinuousClock.now
            let all = writers
            Thread.detachNewThread {
                for writer in all {
                    _ = text.withUnsafeBytes { send(writer, $0.baseAddress, $0.count, 0) }
                }
            }
            for time in try crowd.wait(for: mark) { samples.add(time - start) }
        }
        return samples
    }
}
