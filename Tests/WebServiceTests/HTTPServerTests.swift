import Foundation
import HTTPExchange
import HTTPServer
import TestSupport
import TestThreads
import Testing

/// The bounds of connections, tried with bytes as a hostile program would send them.
@Suite(.waiting) struct HTTPServerTests {
    /// More than the system buffers by far, in bytes.
    private static let huge = 40_000_000

    private static func server(
        late: DispatchSemaphore = DispatchSemaphore(value: 0),
        begun: DispatchSemaphore = DispatchSemaphore(value: 0),
        _ change: (inout HTTPLimits) -> Void = { _ in }
    ) throws -> HTTPServer {
        var limits = HTTPLimits()
        // A client on a busy machine may take long between two steps.
        (limits.headTime, limits.bodyTime) = (.seconds(500), .seconds(500))
        limits.quietTime = .seconds(20)
        change(&limits)
        let rules = HTTPRules(
            headers: Response.safety(isSecure: false),
            admit: { request in
                begun.signal()
                return switch request.target.parts {
                case ["now"]: .answer(.plain(.notFound))
                case ["big"]: .answer(Response(.ok, body: Array(repeating: 120, count: 100_000)))
                case ["huge"]: .answer(Response(.ok, body: Array(repeating: 120, count: Self.huge)))
                case ["large"]: .read(bodyLimit: 1_000_000)
                default: .read(bodyLimit: 1000)
                }
            },
            answer: { request, reply in
                let bare: [String: Status] = ["same": .notModified, "none": .noContent]
                if let status = request.target.parts.first.flatMap({ bare[$0] }) {
                    return reply.send(Response(status))
                }
                guard request.target.parts != ["stream"] else {
                    let stream = reply.stream {}
                    for number in 1...3 { stream.send(StreamEvent("n", "\(number)").bytes) }
                    return stream.end()
                }
                guard request.target.parts != ["live"] else {
                    let stream = reply.stream {}
                    stream.send(StreamEvent("n", "1").bytes)
                    return Thread.detachNewThread {
                        late.wait()
                        stream.send(StreamEvent("n", "2").bytes)
                        stream.end()
                    }
                }
                // This happens on another thread, as the desk does it.
                Thread.detachNewThread {
                    if request.target.parts == ["late"] { late.wait() }
                    reply.send(.plain(.ok, "\(request.method) \(request.body.count)"))
                }
            })
        return try HTTPServer(host: "127.0.0.1", port: 0, limits: limits, rules: rules)
    }

    /// Waits until an idle connection to another server is closed.
    private static func pause() throws {
        let other = try Self.server { $0.quietTime = .seconds(1) }
        #expect(try HTTPPeer(port: other.port).untilEnd().isEmpty)
    }

    @Test func `a request is answered, and the next one on the same connection`() throws {
        let server = try Self.server()
        let peer = try HTTPPeer(port: server.port)
        try peer.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        let first = try peer.response()
        #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(first.contains("Content-Security-Policy: default-src 'none';"))
        #expect(first.hasSuffix("get 0\n"))
        try peer.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
        #expect(try peer.response().hasSuffix("post 3\n"))
    }

    @Test(arguments: ["same", "none"])
    func `a response that has no body is followed by the next at once`(path: String) throws {
        let server = try Self.server()
        let peer = try HTTPPeer(port: server.port)
        try peer.send("GET /\(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        try peer.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let responses = try peer.untilEnd().components(separatedBy: "\r\n\r\n")
        #expect(responses.count == 3)
        #expect(responses[0].hasPrefix("HTTP/1.1 \(path == "same" ? 304 : 204) "))
        #expect(responses[1].hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test(arguments: [
        ("Content-Length: 3\r\nContent-Length: 3", 400), ("Content-Length: -1", 400),
        ("Content-Length: 3\r\nTransfer-Encoding: chunked", 400), ("Host : x", 400),
        ("X: a\u{0}b", 400), ("X: a\rb", 400), ("Content-Length: 1001", 413),
        ("X: " + String(repeating: "a", count: 17_000), 431),
        ((0..<101).map { "X\($0): a" }.joined(separator: "\r\n"), 431),
        ("X: e" + String(repeating: "\u{316}\u{301}", count: 16), 400),
    ])
    func
        `a request that means two things, or is too large, is refused and ends the connection`(
            headers: String, code: Int
        ) throws
    {
        let server = try Self.server()
        let peer = try HTTPPeer(port: server.port)
        try peer.send("POST /a HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\nabc")
        #expect(try peer.untilEnd().hasPrefix("HTTP/1.1 \(code) "))
    }

    @Test(arguments: [
        ("GET /" + String(repeating: "a", count: 8200), 414), ("GET http://x/", 400),
        ("GET //x", 400), ("GET /../x", 400), ("OPTIONS *", 405), ("TRACE /", 405),
        ("DELETE /a", 405),
    ])
    func `a request line that isn't one is refused`(line: String, code: Int) throws {
        let server = try Self.server()
        let peer = try HTTPPeer(port: server.port)
        try peer.send("\(line) HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try peer.untilEnd().hasPrefix("HTTP/1.1 \(code) "))
    }

    @Test func `a chunked body beyond the limit is refused while it comes`() throws {
        let server = try Self.server()
        let peer = try HTTPPeer(port: server.port)
        let chunk = "200\r\n" + String(repeating: "x", count: 512) + "\r\n"
        try peer.send(
            "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk)
        #expect(try peer.untilEnd().hasPrefix("HTTP/1.1 413 "))
    }

    @Test(arguments: [(10, 100, 200), (1, 20_000, 431), (200, 100, 431)])
    func `headers after a body count with those before it`(
        count: Int, length: Int, code: Int
    ) throws {
        let server = try Self.server()
        let peer = try HTTPPeer(port: server.port)
        let header = "X: " + String(repeating: "a", count: length) + "\r\n"
        let headers = String(repeating: header, count: count)
        try peer.send(
            "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "1\r\nx\r\n0\r\n\(headers)\r\n")
        #expect(try peer.untilEnd().hasPrefix("HTTP/1.1 \(code) "))
    }

    @Test func `a body that comes byte by byte isn't copied with each of them`() throws {
        let server = try Self.server()
        let peer = try HTTPPeer(port: server.port)
        func taken(requests: Int) throws -> Duration {
            let count = 1_000_000 / requests
            let body = String(repeating: "1\r\nx\r\n", count: count) + "0\r\n\r\n"
            let begun = ContinuousClock.now
            for _ in 0..<requests {
                try peer.send(
                    "POST /large HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                try peer.send(body)
                #expect(try peer.response().hasSuffix("post \(count)\n"))
            }
            return ContinuousClock.now - begun
        }
        let parts = try taken(requests: 100)
        // Half a terabyte would be copied otherwise, which takes more than ten times as long.
        let limit = parts * 8
        let whole = try shortestTime(under: limit) { try taken(requests: 1) }
        #expect(whole < limit)
    }

    @Test func `a client that asks without reading is closed before memory fills`() throws {
        let server = try Self.server { $0.connections = 1 }
        let peer = try HTTPPeer(port: server.port)
        let requests = String(repeating: "GET /big HTTP/1.1\r\nHost: x\r\n\r\n", count: 100)
        // The connection may be closed before everything was sent.
        for _ in 0..<20 where (try? peer.send(requests)) == nil { break }
        // Nothing is read until the server has given up, and has room for another connection.
        try eventually("the connection is closed") {
            let other = try HTTPPeer(port: server.port)
            return (try? other.send("GET /now HTTP/1.1\r\nHost: x\r\n\r\n")) != nil
                && (try? other.response()) != nil
        }
        // The requests ask for 200 MB, and the system itself buffers some of it.
        #expect(((try? peer.bytesUntilEnd().count) ?? 0) < 50_000_000)
    }

    @Test(arguments: ["GET /a HT", "GET /a HTTP/1.1\r\nHost: x\r\nX-"])
    func `a connection that sends half a head and then nothing is closed`(start: String) throws {
        let server = try Self.server { $0.headTime = .seconds(3) }
        let peer = try HTTPPeer(port: server.port)
        try peer.send(start)
        #expect(try peer.untilEnd().hasPrefix("HTTP/1.1 408 "))
    }

    @Test func `half a head that comes with a whole request has as little time as any`() throws {
        let server = try Self.server { $0.headTime = .seconds(3) }
        let peer = try HTTPPeer(port: server.port)
        try peer.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /a HT")
        #expect(try peer.response().hasPrefix("HTTP/1.1 200 "))
        #expect(try peer.untilEnd().hasPrefix("HTTP/1.1 408 "))
        // Without one the connection stays open.
        let other = try HTTPPeer(port: server.port)
        try other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try other.response().hasPrefix("HTTP/1.1 200 "))
        for _ in 1...4 { try Self.pause() }
        try other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try other.response().hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `a client that closes its own side gets the answers to what it has asked`() throws {
        let late = DispatchSemaphore(value: 0)
        let server = try Self.server(late: late)
        let peer = try HTTPPeer(port: server.port)
        try peer.send("GET /late HTTP/1.1\r\nHost: x\r\n\r\nPOST /late HTTP/1.1\r\nHost: x\r\n")
        try peer.send("Content-Length: 2\r\n\r\nok")
        peer.end()
        // The server has one thread, so after this answer it has noticed the end.
        let other = try HTTPPeer(port: server.port)
        try other.send("GET /now HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try other.response()
        late.signal()
        late.signal()
        #expect(try peer.response().hasSuffix("get 0\n"))
        #expect(try peer.response().hasSuffix("post 2\n"))
        #expect(try peer.untilEnd().isEmpty)
    }

    @Test(arguments: ["keep-alive", "close"])
    func `an answer that is read slowly arrives whole`(connection: String) throws {
        let server = try Self.server { $0.quietTime = .seconds(10) }
        let peer = try RawPeer(port: server.port)
        peer.send(
            Array("GET /huge HTTP/1.1\r\nHost: x\r\nConnection: \(connection)\r\n\r\n".utf8))
        var count = 0
        for part in 1...8 {
            while count < part * Self.huge / 8 {
                let bytes = try peer.receive()
                guard !bytes.isEmpty else { throw Complaint("it ended after \(count) bytes") }
                count += bytes.count
            }
            // Each pause is short enough, and all of them together are too long.
            for _ in 1...2 where part < 8 { try Self.pause() }
        }
    }

    @Test func `a client that closes its own side gets a long answer whole`() throws {
        let server = try Self.server()
        let peer = try HTTPPeer(port: server.port)
        try peer.send("GET /huge HTTP/1.1\r\nHost: x\r\n\r\n")
        peer.end()
        // Without a pause it might be read as fast as it is sent.
        try Self.pause()
        #expect(try peer.bytesUntilEnd().count > Self.huge)
    }

    @Test(arguments: ["GET / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\no"])
    func `half a request is dropped at once if its sender closes its side`(start: String) throws {
        let server = try Self.server()
        let peer = try HTTPPeer(port: server.port)
        try peer.send(start)
        peer.end()
        #expect(try peer.untilEnd().isEmpty)
    }

    /// For the longest body allowed, the server would wait a quarter of an hour.
    @Test(arguments: ["a", "large"])
    func `half a body has the time for its announced length, not for the longest allowed`(
        path: String
    ) throws {
        let server = try Self.server { $0.bodyTime = .milliseconds(300) }
        let peer = try HTTPPeer(port: server.port)
        let begun = ContinuousClock.now
        try peer.send("POST /\(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc")
        #expect(try peer.untilEnd().hasPrefix("HTTP/1.1 408 "))
        #expect(ContinuousClock.now - begun < .seconds(150))
    }

    @Test func `a head without end is refused before it fills the memory`() throws {
        let server = try Self.server { $0.headTime = .seconds(20) }
        let peer = try HTTPPeer(port: server.port)
        try peer.send("GET /a HTTP/1.1\r\nX: ")
        // The request may be refused, and the connection closed, before everything was sent.
        for _ in 0..<200 where (try? peer.send(String(repeating: "a", count: 4096))) == nil {
            break
        }
        #expect(try peer.untilEnd().hasPrefix("HTTP/1.1 4"))
    }

    @Test
    func `HEAD is answered without a body, and what is refused at once leaves the connection open`()
        throws
    {
        let server = try Self.server()
        let peer = try HTTPPeer(port: server.port)
        try peer.send("GET /now HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try peer.response().hasPrefix("HTTP/1.1 404 "))
        try peer.send("HEAD /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let text = try peer.untilEnd()
        #expect(text.contains("Content-Length: 7\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test func `HEAD of a stream gets its headers, and the connection serves the next request`()
        throws
    {
        let server = try Self.server()
        let peer = try HTTPPeer(port: server.port)
        try peer.send("HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        try peer.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let responses = try peer.untilEnd().components(separatedBy: "\r\n\r\n")
        #expect(responses.count == 3)
        #expect(responses[0].contains("Content-Type: text/event-stream\r\n"))
        #expect(responses[1].hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(responses.last == "get 0\n")
    }

    @Test func `bodies that never end don't fill the memory, and give way to later ones`() throws {
        let begun = DispatchSemaphore(value: 0)
        let server = try Self.server(begun: begun) { $0.arrivingBytes = 100_000 }
        let peers = try (0..<3).map { _ in try HTTPPeer(port: server.port) }
        let counts = [50, 80_000, 80_000]
        for (peer, count) in zip(peers, counts) {
            let length = "Content-Length: \(count + 10)"
            try peer.send("POST /large HTTP/1.1\r\nHost: x\r\n\(length)\r\n\r\n")
            begun.wait()
            try peer.send(String(repeating: "x", count: count))
        }
        // The first of the large ones.
        let refusal = try peers[1].untilEnd()
        #expect(refusal.hasPrefix("HTTP/1.1 503 "))
        #expect(refusal.contains("Retry-After: 5\r\n"))
        for index in [0, 2] {
            try peers[index].send(String(repeating: "x", count: 10))
            #expect(try peers[index].response().hasSuffix("post \(counts[index] + 10)\n"))
        }
    }

    @Test func `answers that nobody reads don't fill the memory`() throws {
        let begun = DispatchSemaphore(value: 0)
        let server = try Self.server(begun: begun) { $0.leavingBytes = 60_000_000 }
        let peers = try (0..<2).map { _ in try HTTPPeer(port: server.port) }
        for peer in peers {
            try peer.send("GET /huge HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            begun.wait()
        }
        // The system buffers some of the first, which gives way to the second.
        #expect(((try? peers[0].bytesUntilEnd().count) ?? 0) < Self.huge)
        #expect(try peers[1].bytesUntilEnd().count > Self.huge)
        // Small ones are answered all the time.
        let third = try HTTPPeer(port: server.port)
        try third.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try third.response().hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `events are sent as they come`() throws {
        let late = DispatchSemaphore(value: 0)
        let server = try Self.server(late: late)
        let peer = try HTTPPeer(port: server.port)
        try peer.send("GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
        // The second event is sent when the first one has arrived.
        try peer.receive(1, of: "event: n\ndata: 1\n\n")
        late.signal()
        let text = try peer.untilEnd()
        #expect(text.contains("Content-Type: text/event-stream\r\n"))
        #expect(text.contains("X-Accel-Buffering: no\r\n"))
        for number in 1...2 { #expect(text.contains("event: n\ndata: \(number)\n\n")) }
    }

    @Test func `one address can't take all connections, unless others come through it`() throws {
        let server = try Self.server { ($0.connections, $0.connectionsOfOne) = (3, 1) }
        let proxy = try Self.server {
            ($0.connections, $0.connectionsOfOne, $0.manifold) = (3, 1, ["127.0.0.1"])
        }
        for (port, isClosed) in [(server.port, true), (proxy.port, false)] {
            let first = try HTTPPeer(port: port)
            try first.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try first.response().hasPrefix("HTTP/1.1 200 "))
            try withExtendedLifetime(first) {
                let second = try HTTPPeer(port: port)
                try? second.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                #expect(try second.untilEnd().isEmpty == isClosed)
            }
        }
    }

    @Test func `one connection too many is closed, and another may come when one goes`() throws {
        let server = try Self.server { $0.connections = 2 }
        var peers = [try HTTPPeer(port: server.port), try HTTPPeer(port: server.port)]
        for peer in peers {
            try peer.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try peer.response().hasPrefix("HTTP/1.1 200 "))
        }
        let third = try HTTPPeer(port: server.port)
        #expect(try third.untilEnd() == "")
        peers.removeLast()
        try eventually("another connection is answered") {
            let peer = try HTTPPeer(port: server.port)
            try? peer.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            return (try? peer.response().hasPrefix("HTTP/1.1 200 ")) ?? false
        }
    }
}
