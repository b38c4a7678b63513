import CZlib
import Foundation
import Testing

@testable import HTTPExchange

/// Headers, routes, files and limits.
struct ExchangeTests {
    @Test func `languages are sorted by weight`() {
        let headers = Headers([("Accept-Language", "en;q=0.5, nb, sv;q=0.8, da;q=0, fi;q=x")])
        #expect(headers.languages == ["nb", "sv", "en"])
    }

    @Test func `a cookie is found among other cookies`() {
        let headers = Headers([("Cookie", "a=1; steward=xyz;b=2"), ("cookie", "c=3")])
        #expect(headers.cookie("steward") == "xyz")
        #expect(headers.cookie("c") == "3")
        #expect(headers.cookie("stewar") == nil)
        #expect(headers.cookie("d") == nil)
    }

    @Test(
        arguments: [
            ("Basic a2FyaTpzZWNyZXQ=", "secret"), ("basic a2FyaTpzZWNyZXQ=", "secret"),
            ("Basic  OmE6Yg==", "a:b"), ("Basic a2FyaQ==", nil), ("Basic a2FyaTpzZWNyZXQ", nil),
            ("Basic /zo=", nil), ("Basic", nil), ("Bearer a2FyaTpzZWNyZXQ=", nil), ("", nil),
            ("Basic " + String(repeating: "YTph", count: 300), nil),
        ] as [(String, String?)])
    func `a program sends its password with the Basic scheme`(value: String, password: String?) {
        #expect(Headers([("Authorization", value)]).password == password)
        #expect(Headers([("Authorization", value), ("Authorization", value)]).password == nil)
    }

    @Test(arguments: [
        ("gzip", true), ("br, gzip;q=0.5", true), ("gzip;q=0", false), ("deflate", false),
        ("x-gzip", false), ("GZIP", true),
    ])
    func `gzip is sent to clients that accept it`(accepted: String, expected: Bool) {
        #expect(Headers([("Accept-Encoding", accepted)]).acceptsGzip == expected)
    }

    @Test func `a repeated header has no value`() {
        let headers = Headers([("Origin", "a"), ("origin", "b"), ("Host", "c")])
        #expect(headers["origin"] == nil)
        #expect(headers["host"] == "c")
        #expect(headers.values("origin") == ["a", "b"])
    }

    private enum Place { case alerts, acknowledge, board }
    private let table = RouteTable<Place>([
        .init(.get, "/alerts", .alerts), .init(.post, "/alerts/{id}/acknowledge", .acknowledge),
        .init(.get, "/board/{site}", .board),
    ])

    @Test func `a path leads to its route, with the values it contains`() {
        guard
            case .found(let route, let values) = table.find(.post, ["alerts", "7", "acknowledge"])
        else { return #expect(Bool(false), "not found") }
        #expect(route.place == .acknowledge)
        #expect(values == ["id": "7"])
        guard case .found(let page, _) = table.find(.head, ["alerts"]) else {
            return #expect(Bool(false), "HEAD is not answered like GET")
        }
        #expect(page.place == .alerts)
    }

    @Test func `an unknown path and an unknown method get different answers`() {
        if case .unknown = table.find(.get, ["alert"]) {} else { Issue.record("found") }
        if case .unknown = table.find(.get, ["board"]) {} else { Issue.record("found") }
        guard case .otherMethods(let methods) = table.find(.post, ["board", "x"]) else {
            return #expect(Bool(false), "found")
        }
        #expect(methods == [.get, .head])
    }

    @Test func `each response forbids inline scripts, other servers and frames`() {
        let headers = Response.safety(isSecure: true)
        let policy = headers.first { $0.name == "Content-Security-Policy" }?.value ?? ""
        #expect(policy.hasPrefix("default-src 'none';"))
        #expect(!policy.contains("unsafe"))
        for part in ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"] {
            #expect(policy.contains(part))
        }
        #expect(headers.contains { $0.name == "Strict-Transport-Security" })
        #expect(
            !Response.safety(isSecure: false).contains { $0.name == "Strict-Transport-Security" })
    }

    @Test func `files are served compressed, under a hash of all files, and cached forever`() throws
    {
        let text = Array(String(repeating: "body { margin: 0 }\n", count: 50).utf8)
        let shelf = try FileShelf(["a.css": text, "b.js": Array("1".utf8)])
        let gzip = Headers([("Accept-Encoding", "gzip")])
        let packed = try #require(shelf.response(version: shelf.version, name: "a.css", gzip))
        #expect(packed.headers.contains { $0 == ("Content-Encoding", "gzip") })
        #expect(packed.headers.contains { $0.value.contains("immutable") })
        #expect(packed.body.count < text.count / 4)
        #expect(Self.unpacked(packed.body) == text)
        let plain = try #require(shelf.response(version: shelf.version, name: "a.css", Headers([])))
        #expect(plain.body == text)
        let kept = Headers([("If-None-Match", "\"\(shelf.version)\"")])
        #expect(shelf.response(version: shelf.version, name: "b.js", kept)?.status == .notModified)
        #expect(shelf.response(version: "0", name: "a.css", gzip) == nil)
        #expect(shelf.response(version: shelf.version, name: "c.css", gzip) == nil)
        #expect(try FileShelf(["a.css": text + [10]]).version != shelf.version)
        #expect(throws: FileShelf.Fault.self) { try FileShelf(["a.html": text]) }
    }

    private static func unpacked(_ bytes: [UInt8]) -> [UInt8] {
        var (stream, input) = (z_stream(), bytes)
        var output = [UInt8](repeating: 0, count: 1 << 16)
        guard inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return [] }
        defer { inflateEnd(&stream) }
        input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                (stream.next_in, stream.avail_in) = (source.baseAddress, UInt32(source.count))
                (stream.next_out, stream.avail_out) = (target.baseAddress, UInt32(target.count))
                inflate(&stream, Z_FINISH)
            }
        }
        return Array(output[..<Int(stream.total_out)])
    }

    @Test func `a missing or altered file keeps the server from starting`() throws {
        let folder = NSTemporaryDirectory() + "shelf-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        // SHA-256 of "abc", FIPS 180-4.
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(throws: FileShelf.Fault.self) { try FileShelf(folder: folder) }
        try write("\(sum)  a.css\n", FileShelf.list)
        #expect(throws: FileShelf.Fault.self) { try FileShelf(folder: folder) }
        try write("abc", "a.css")
        #expect(
            try FileShelf(folder: folder, adding: ["w.en.js": "1"]).names == ["a.css", "w.en.js"])
        try write("abd", "a.css")
        #expect(throws: FileShelf.Fault.self) { try FileShelf(folder: folder) }
        try write("\(sum)  ../a.css\n", FileShelf.list)
        #expect(throws: FileShelf.Fault.self) { try FileShelf(folder: folder) }
    }

    @Test func `an event is sent line by line, and a line end can't end it`() {
        let event = StreamEvent("part", id: "7", "one\n\ntwo")
        #expect(
            String(decoding: event.bytes, as: UTF8.self)
                == "id: 7\nevent: part\ndata: one\ndata: \ndata: two\n\n")
        // Browsers take CR, LF and CR LF for the end of a line.
        let hostile = StreamEvent("part", "é\revent: over\r\n\r\nid: 8")
        #expect(
            String(decoding: hostile.bytes, as: UTF8.self)
                == "event: part\ndata: é\ndata: event: over\n"
                + "data: \ndata: \ndata: \ndata: id: 8\n\n")
    }

    @Test func `a limit allows each source a burst, then a fixed rate`() {
        var limit = SpeedLimit<String>(burst: 3, perSecond: 0.5)
        #expect((0..<3).allSatisfy { _ in limit.count("a", at: 0) == nil })
        #expect(limit.count("a", at: 0) == 2)
        #expect(limit.count("b", at: 0) == nil)
        #expect(limit.count("a", at: 1999) != nil)
        #expect(limit.count("a", at: 2001) == nil)
        #expect(limit.count("a", at: 2001) != nil)
        // A clock that was set back neither grants nor uses up anything.
        #expect(limit.count("a", at: 0) != nil)
    }

    @Test func `a use that is taken back is allowed again, up to the burst`() {
        var limit = SpeedLimit<String>(burst: 3, perSecond: 0.5)
        limit.takeBack("a")
        #expect((0..<3).allSatisfy { _ in limit.count("a", at: 0) == nil })
        limit.takeBack("a")
        #expect(limit.count("a", at: 0) == nil)
        #expect(limit.count("a", at: 0) != nil)
        for _ in 0..<10 { limit.takeBack("a") }
        #expect((0..<3).allSatisfy { _ in limit.count("a", at: 0) == nil })
        #expect(limit.count("a", at: 0) != nil)
    }

    @Test func `a limit remembers a bounded number of sources`() {
        var limit = SpeedLimit<Int>(burst: 1, perSecond: 1, most: 10)
        for key in 0..<1000 { #expect(limit.count(key, at: Int64(key)) == nil) }
        #expect(limit.count(999, at: 999) != nil)
        // While no time passes nothing comes back, so source 0 is allowed only if it is forgotten.
        var standing = SpeedLimit<Int>(burst: 1, perSecond: 1, most: 10)
        for key in 0..<1000 { #expect(standing.count(key, at: 0) == nil) }
        #expect(standing.count(0, at: 0) == nil)
    }
}
