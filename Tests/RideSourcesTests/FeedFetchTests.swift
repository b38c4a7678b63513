import Foundation
import TestSupport
import TestThreads
import Testing

@testable import RideSources

/// Tests that a feed is fetched within its limits, and only when it has changed.
@Suite(.waiting) struct FeedFetchTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "fetch-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.appending(path: name).path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func `a file is read again only when it has changed`() throws {
        let path = try file("feed.pb", "one")
        var fetch = FeedFetch(path, isFile: true, largest: 100)

        #expect(try fetch.next() == Array("one".utf8))
        #expect(try fetch.next() == nil)
        _ = try file("feed.pb", "another")
        #expect(try fetch.next() == Array("another".utf8))
    }

    @Test func `a file that is too large, missing or not a file is refused`() throws {
        let large = try file("large", String(repeating: "x", count: 3 << 20))

        for (path, reason) in [
            (large, "more than 2 MiB"), (folder.path + "/none", "No such file"),
            (folder.path, "this is not a file"), ("/dev/zero", "this is not a file"),
        ] {
            var fetch = FeedFetch(path, isFile: true, largest: 2 << 20)
            do {
                _ = try fetch.next()
                Issue.record("\(path) was read")
            } catch { #expect("\(error)".contains(reason), "\(error)") }
        }
    }

    /// A server that knows a version of `/feed` by its tag. Those of `/same-second` and
    /// `/next-second` change each time, but not the time of the change, nor a tag made of it.
    private static let script = """
        import http.server, sys
        changes = 0
        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *words): pass
            def date_time_string(self, timestamp=None):
                return "Fri, 27 Nov 2026 10:00:0%d GMT" % (self.path == "/next-second")
            def do_GET(self):
                global changes
                if self.path == "/moved":
                    self.send_response(302)
                    self.send_header("Location", "/feed")
                    self.end_headers()
                elif self.path == "/large":
                    self.send_response(200)
                    self.end_headers()
                    try:
                        for _ in range(4096): self.wfile.write(b"x" * 4096)
                    except OSError: pass
                elif self.path == "/gone":
                    self.send_error(404)
                elif self.headers.get("If-None-Match") == '"v1"' or (
                        self.headers.get("If-Modified-Since")):
                    self.send_response(304)
                    self.end_headers()
                else:
                    changes += 1
                    self.send_response(200)
                    self.send_header("ETag", '"v1"')
                    if self.path != "/feed":
                        self.send_header("Last-Modified", "Fri, 27 Nov 2026 10:00:00 GMT")
                    self.end_headers()
                    self.wfile.write(b"feed" if self.path == "/feed" else b"%d" % changes)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    private func serve(_ system: System) throws -> (server: Program, address: String) {
        let server = try system.spawn(
            ["/usr/bin/python3", "-c", Self.script], environment: ["PATH": "/usr/bin:/bin"])
        try eventually("it listens") { server.out.hasSuffix("\n") }
        return (server, "http://127.0.0.1:" + server.out.trimmingCharacters(in: .newlines))
    }

    @Test func `a server is asked only for changes, and within limits`() throws {
        let system = try System()
        let (server, address) = try serve(system)
        defer { server.kill() }

        var fetch = FeedFetch(address + "/feed", isFile: false, largest: 1 << 20)
        #expect(try fetch.next() == Array("feed".utf8))
        #expect(try fetch.next() == nil)
        var moved = FeedFetch(address + "/moved", isFile: false, largest: 1 << 20)
        #expect(try moved.next() == Array("feed".utf8))
        for (path, reason) in [("/large", "more than 1 MiB"), ("/gone", "status 404")] {
            var fetch = FeedFetch(address + path, isFile: false, largest: 1 << 20)
            do {
                _ = try fetch.next()
                Issue.record("\(path) was fetched")
            } catch { #expect("\(error)".contains(reason), "\(error)") }
        }
    }

    @Test func `a change within the second of the one before is fetched`() throws {
        let system = try System()
        let (server, address) = try serve(system)
        defer { server.kill() }

        var same = FeedFetch(address + "/same-second", isFile: false, largest: 100)
        let first = try #require(try same.next())
        #expect(try #require(try same.next()) != first)
        // Answered a second later, it has the same version only while it is the same.
        var next = FeedFetch(address + "/next-second", isFile: false, largest: 100)
        #expect(try next.next() != nil)
        #expect(try next.next() == nil)
    }

    @Test func `a feed in reach again has no fault, and one that can't be read keeps its own`()
        throws
    {
        let path = try file("feed.pb", "good")
        let away = folder.appending(path: "away").path
        let watch = FeedWatch(path, isFile: true, interval: .milliseconds(5)) { bytes in
            guard bytes != Array("bad".utf8) else {
                throw FeedFetch.Failure(description: "it isn't a feed")
            }
            return bytes
        }

        for (text, fault) in [("good", nil), ("bad", "it isn't a feed")] {
            _ = try file("feed.pb", text)
            try eventually("“\(text)” is read") { watch.fault == fault }
            try FileManager.default.moveItem(atPath: path, toPath: away)
            try eventually("it is missing") {
                watch.fault?.contains("No such file") == true
            }
            // It is the same file as before, which isn't read again.
            try FileManager.default.moveItem(atPath: away, toPath: path)
            try eventually("“\(text)” is there again") { watch.fault == fault }
        }
    }
}
